// What the exercises of corpus/filter share: memory that ends where nobody may read on, contents
// that are the same in every run, and a line with a hash of all of it after each call.

#ifndef LIFT_TESTS_EXERCISE_H
#define LIFT_TESTS_EXERCISE_H

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <type_traits>
#include <unistd.h>
#include <vector>

static uint64_t exercise_seed = 1;
static bool exercise_flush_with_end = true;

// The next of a fixed sequence.
static inline uint32_t draw()
{
    exercise_seed = exercise_seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(exercise_seed >> 33);
}

static inline int between(int low, int high) { return low + (int)(draw() % (unsigned)(high - low + 1)); }

struct Hash {
    uint64_t value = 14695981039346656037u;

    template <class T> void add(T v)
    {
        // All NaN are one: which of them an operation gives, the compiler chooses.
        if (v != v)
            v = (T)-12345;
        unsigned char bytes[sizeof(T)];
        std::memcpy(bytes, &v, sizeof v);
        for (unsigned char b : bytes)
            value = (value ^ b) * 1099511628211u;
    }
};

struct Told {
    Told() { all().push_back(this); }
    Told(const Told &) = delete;
    virtual ~Told() { all().pop_back(); }
    virtual void hash(Hash &h) const = 0;

    // The arrays that are there now; each dies before those that were made earlier.
    static std::vector<Told *> &all()
    {
        static std::vector<Told *> list;
        return list;
    }
};

// Random numbers of all sizes; floats aren't all integers, nor are they huge.
template <class T> T any()
{
    const uint32_t bits = draw();
    if (std::is_same<T, bool>::value)
        return (T)(bits & 1);
    if (std::is_floating_point<T>::value)
        return (T)(((int)(bits % 200001u) - 100000) / 256.0);
    const uint64_t wide = (uint64_t)draw() << 32 ^ draw() << 1 ^ bits;
    return (T)(bits % 8 == 0 ? 0 : bits % 8 == 1 ? ~(uint64_t)0 : wide);
}

// n elements, with memory that nobody may touch right behind the last, or right before the first.
template <class T> struct Array : Told {
    T *data;
    std::ptrdiff_t n;

    explicit Array(std::ptrdiff_t count) : n(count < 0 ? 0 : count)
    {
        const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (size_t)n * sizeof(T);
        inner = bytes ? (bytes + page - 1) / page * page : page;
        map = (char *)mmap(nullptr, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (map == MAP_FAILED || (bytes && mprotect(map + page, inner, PROT_READ | PROT_WRITE)))
            std::abort();
        whole = inner + 2 * page;
        inside = map + page;
        if (bytes)
            std::memset(inside, 0xa5, inner);
        else
            inner = 0;
        data = (T *)(inside + (exercise_flush_with_end && bytes ? inner - bytes : 0));
        for (std::ptrdiff_t i = 0; i < n; i++)
            data[i] = any<T>();
    }
    Array(std::ptrdiff_t count, int low, int high) : Array(count)
    {
        for (std::ptrdiff_t i = 0; i < n; i++)
            data[i] = (T)between(low, high);
    }
    ~Array() override { munmap(map, whole); }

    // Equal elements in a row, as images have them.
    Array &smooth(int length)
    {
        for (std::ptrdiff_t i = 0; i < n; i++)
            if (i % length)
                data[i] = data[i - 1];
        return *this;
    }

    void hash(Hash &h) const override
    {
        for (const char *p = inside; p < (const char *)data; p++)
            h.add(*p);
        for (std::ptrdiff_t i = 0; i < n; i++)
            h.add(data[i]);
        for (const char *p = (const char *)(data + n); p < inside + inner; p++)
            h.add(*p);
    }
    operator T *() { return data; }
    operator const T *() const { return data; }

private:
    char *map, *inside;
    size_t inner, whole;
};

// How many elements rows of w that lie `pitch` apart have, if the last one isn't filled up.
static inline std::ptrdiff_t area(int w, int h, int pitch)
{
    return w > 0 && h > 0 ? (std::ptrdiff_t)(h - 1) * pitch + w : 0;
}

static inline void print_number(double v)
{
    uint64_t bits;
    if (v != v)
        v = -12345;
    std::memcpy(&bits, &v, sizeof bits);
    std::printf(" %016llx", (unsigned long long)bits);
}
static inline void print_number(float v) { print_number((double)v); }
template <class T> void print_number(T v) { std::printf(" %lld", (long long)v); }

// A line: the call's numbers, what it gave back, and a hash of all arrays that are there.
template <class... Numbers> void said(const char *name, Numbers... numbers)
{
    Hash h;
    for (const Told *array : Told::all())
        array->hash(h);
    std::printf("%s", name);
    const int all[] = {0, (print_number(numbers), 0)...};
    (void)all;
    std::printf(" %016llx\n", (unsigned long long)h.value);
}

static const int SIZES[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 67, 130};
static const int WIDTHS[] = {0, 1, 2, 3, 4, 7, 8, 17, 33, 67};
static const int HEIGHTS[] = {0, 1, 2, 3, 5, 8, 9};
static const int RADII[] = {0, 1, 2, 3, 5, 8, 40, 100};

// Every width and height, and several pitches: what is done with `w`, `h` and `pitch`.
template <class Work> void images(Work work)
{
    for (int w : WIDTHS)
        for (int h : HEIGHTS)
            for (int gap : {0, 5})
                work(w, h, w + gap);
    work(-1, 3, 4);
    work(3, -2, 4);
    work(200, 40, 211);
}

void exercise();

// With addresses for arguments, says at last what pointer lies at each of them.
int main(int count, char **words)
{
    std::setvbuf(stdout, nullptr, _IOLBF, 1 << 12);
    for (bool end : {true, false}) {
        exercise_flush_with_end = end;
        exercise();
    }
    for (int i = 1; i < count; i++)
        std::fprintf(stderr, "%lx\n", *(unsigned long *)std::strtoul(words[i], nullptr, 16));
    return 0;
}

#endif
