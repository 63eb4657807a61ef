// Kernels that lift must refuse, or warn of. Each comes from a kind of code that is out there:
// most are real bugs, the others need something that isn't in the function.
//
// `// expect: CODE` above a kernel is the diagnostic that it must give; docs/failures.md has the
// codes. `// expect warning: CODE` marks the kernels that are defined for some inputs: there they
// are proved, and the place where they aren't is warned of.
//
// `sound` stands in the middle and must be proved whatever its neighbours do.

#include <atomic>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

typedef uint8_t u8;
typedef uint16_t u16;

int g_gamma = 22;
u8 g_lastMax;
static const u8 kInk[4] = { 0, 85, 170, 255 };

extern "C" int vendor_blend(int backdrop, int source);     // in blendlib.a, for which we lost the source

static inline u8 mul255(u8 a, u8 b)
{
    unsigned t = a * b + 128u;
    return (u8)((t + (t >> 8)) >> 8);
}

struct Blender {
    virtual ~Blender() {}
    virtual u8 pixel(u8 backdrop, u8 source) const = 0;
};

// ------------------------------------------------------------------ memory

// The average of neighbours; the last one has none, and the copy has no room for it.
// expect warning: out-of-bounds
void average_right(u8 *dst, const u8 *src, int width)
{
    if (width < 2)
        return;
    std::vector<u8> row(width);
    for (int x = 0; x < width; x++)
        row[x] = src[x];
    for (int x = 0; x < width; x++)
        dst[x] = (u8)((row[x] + row[x + 1] + 1) >> 1);
}

// 0..255 are 256 levels, the table has one entry less.
// expect warning: out-of-bounds
void posterize_table(u8 *dst, int count)
{
    u8 table[255];
    for (int i = 0; i <= 255; i++)
        table[i] = (u8)(i & 0xE0);
    for (int i = 0; i < count; i++)
        dst[i] = table[dst[i]];
}

// Nothing is assigned where source and backdrop are equal.
// expect warning: uninitialised
void lighten_forgets_equal(u8 *dst, const u8 *src, int count)
{
    for (int i = 0; i < count; i++) {
        u8 v;
        if (src[i] > dst[i])
            v = src[i];
        else if (src[i] < dst[i])
            v = dst[i];
        dst[i] = v;
    }
}

// The sum starts with what the stack holds.
// expect: uninitialised
void normalize_rows(u8 *dst, const int *weights, int rows, int cols, int pitch)
{
    for (int y = 0; y < rows; y++) {
        int sum;
        for (int x = 0; x < cols; x++)
            sum += weights[x];
        for (int x = 0; x < cols; x++)
            dst[y * pitch + x] = (u8)(sum & 255);
    }
}

// Two source pixels may land in one place: the last one wins.
// expect: no-roi
void scatter_pixels(u8 *dst, const u8 *src, const int *where, int count)
{
    for (int i = 0; i < count; i++)
        dst[where[i]] = src[i];
}

// Rows start one element apart, so each is written over by the next.
// expect: no-roi
void skewed_rows(u8 *dst, const u8 *src, int rows, int cols)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            dst[r + c] = mul255(src[c], src[c]);
}

// A smear in two steps: the left neighbour has been changed already, twice.
// expect: refuted
void smear_right(u8 *dst, int count)
{
    for (int i = 1; i < count; i++) {
        if (count > 40)
            dst[i] = (u8)(dst[i] & 0xf0);
        dst[i] = (u8)((3 * dst[i - 1] + dst[i]) >> 2);
    }
}

// expect: constant-write
void patch_ink_table(u8 *dst, int level)
{
    u8 *ink = const_cast<u8 *>(kInk);
    ink[1] = (u8)level;
    dst[0] = ink[1];
}

// Half of the floats are cleared: the count is in elements where memset wants bytes.
// expect: byte-count
void clear_accumulator(float *dst, int count)
{
    memset(dst, 0, count);
}

// The buffers change places after each pass.
// expect: pointer-base
void ping_pong(u8 *a, u8 *b, int width, int passes)
{
    for (int p = 0; p < passes; p++) {
        for (int x = 0; x < width; x++)
            b[x] = (u8)(255 - a[x]);
        u8 *t = a;
        a = b;
        b = t;
    }
}

// ------------------------------------------------------------------ control

// expect: recursion
void halve_until(u8 *dst, int count, int level)
{
    if (level == 0)
        return;
    for (int i = 0; i < count; i++)
        dst[i] = (u8)(dst[i] >> 1);
    halve_until(dst, count, level - 1);
}

// The retry jumps into the middle of the loop.
// expect: goto
void resume_span(u8 *dst, const u8 *src, int start, int count)
{
    int i = start;
    if (start > 0)
        goto middle;
    for (i = 0; i < count; i++) {
        dst[i] = 0;
    middle:
        dst[i] = mul255(dst[i], src[i]);
    }
}

// Runs until a pixel says so; nothing says that one will.
// expect: loop-bound
void copy_to_sentinel(u8 *dst, const u8 *src)
{
    while (*src != 0xFF)
        *dst++ = *src++;
}

// Forgets to count.
// expect: loop-bound
void fade_forever(u8 *dst, int count)
{
    int i = 0;
    while (i < count)
        dst[i] = (u8)(dst[i] >> 1);
}

// Never leaves, since an unsigned counter is never negative.
// expect: no-roi
void count_down_forever(u8 *dst, unsigned count)
{
    for (unsigned i = count - 1; i >= 0; i--)
        dst[i] = mul255(dst[i], 128);
}

// Runs of equal pixels, as PackBits has them: where the output goes depends on the data.
// expect: loop-carried
void unpack_runs(u8 *dst, const u8 *packed, int runs)
{
    int at = 0;
    for (int r = 0; r < runs; r++) {
        int n = packed[2 * r];
        for (int i = 0; i < n; i++)
            dst[at + i] = packed[2 * r + 1];
        at += n;
    }
}

// One-dimensional error diffusion whose weight is fed by the errors.
// expect: loop-carried
void diffuse_error(u8 *dst, const u8 *src, int count)
{
    int error = 0, weight = 8;
    for (int i = 0; i < count; i++) {
        int v = src[i] + error * weight / 16;
        dst[i] = v >= 128 ? 255 : 0;
        weight = (weight + error) & 15;
        error = v - dst[i];
    }
}

// ------------------------------------------------------------------ the one that is right

void sound(u8 *dst, const u8 *src, int count)
{
    for (int i = 0; i < count; i++)
        dst[i] = mul255(dst[i], src[i]);
}

// A triangle is no box.
// expect: no-roi
void lower_triangle(u8 *dst, const u8 *src, int n, int pitch)
{
    for (int y = 0; y < n; y++)
        for (int x = 0; x <= y; x++)
            dst[y * pitch + x] = mul255(dst[y * pitch + x], src[x]);
}

// ------------------------------------------------------------------ what isn't in the function

// expect: inline-assembly
void multiply_asm(u8 *dst, const u8 *src, int count)
{
    for (int i = 0; i < count; i++) {
        unsigned v = dst[i];
        asm volatile("imul %1, %0" : "+r"(v) : "r"((unsigned)src[i]) : "cc");
        dst[i] = (u8)(v / 255);
    }
}

// The frame grabber changes the pixels while we read them.
// expect: unsupported-type
void grab_blend(u8 *dst, const volatile u8 *port, int count)
{
    for (int i = 0; i < count; i++)
        dst[i] = (u8)((dst[i] + *port + 1) >> 1);
}

// expect: unmodelled-call
void vendor_span(u8 *dst, const u8 *src, int count)
{
    for (int i = 0; i < count; i++)
        dst[i] = (u8)vendor_blend(dst[i], src[i]);
}

// expect: virtual-call
void blend_with(u8 *dst, const u8 *src, int count, const Blender *blender)
{
    for (int i = 0; i < count; i++)
        dst[i] = blender->pixel(dst[i], src[i]);
}

// expect: global-state
void apply_gamma_setting(u8 *dst, int count)
{
    for (int i = 0; i < count; i++)
        dst[i] = (u8)(dst[i] * g_gamma / 22);
}

// expect: global-state
void remember_maximum(u8 *dst, const u8 *src, int count)
{
    for (int i = 0; i < count; i++) {
        dst[i] = mul255(dst[i], src[i]);
        if (dst[i] > g_lastMax)
            g_lastMax = dst[i];
    }
}

// expect: static-state
void dither_with_memory(u8 *dst, int count)
{
    static unsigned seed = 1;
    for (int i = 0; i < count; i++) {
        seed = seed * 1103515245u + 12345u;
        dst[i] = dst[i] > (seed >> 24) ? 255 : 0;
    }
}

// expect: unmodelled-call
void grain(u8 *dst, int count)
{
    for (int i = 0; i < count; i++)
        dst[i] = (u8)(dst[i] ^ (rand() & 3));
}

// expect: inexact-function
void gamma_float(float *dst, int count, float gamma)
{
    for (int i = 0; i < count; i++)
        dst[i] = powf(dst[i], gamma);
}

// expect: exception
void checked_multiply(u8 *dst, const u8 *src, int count)
{
    if (count < 0)
        throw count;
    for (int i = 0; i < count; i++)
        dst[i] = mul255(dst[i], src[i]);
}

// expect: input-output
void traced_multiply(u8 *dst, const u8 *src, int count)
{
    for (int i = 0; i < count; i++)
        dst[i] = mul255(dst[i], src[i]);
    printf("multiplied %d\n", count);
}

// expect: thread
void locked_multiply(u8 *dst, const u8 *src, int count, std::mutex *lock)
{
    lock->lock();
    for (int i = 0; i < count; i++)
        dst[i] = mul255(dst[i], src[i]);
    lock->unlock();
}

// ------------------------------------------------------------------ what C++ leaves open

// Which element is written, the old or the new one?
// expect: unsequenced
void copy_unsequenced(u8 *dst, const u8 *src, int count)
{
    int i = 0;
    while (i < count)
        dst[i] = src[i++];
}

// The assertion was written for an int parameter.
// expect: assumption-false
void amplify(u8 *dst, u8 percent, int count)
{
    assert(percent >= 256);
    for (int i = 0; i < count; i++)
        dst[i] = (u8)(dst[i] * percent / 256);
}

// expect: vacuous
void contradictory(u8 *dst, int count)
{
    assert(count > 16);
    assert(count < 8);
    for (int i = 0; i < count; i++)
        dst[i] = 0;
}

// expect: unsupported-type
void extended_precision(u8 *dst, const long double *weights, int count)
{
    for (int i = 0; i < count; i++)
        dst[i] = (u8)(dst[i] * weights[i]);
}
