// Calls guarded entries of the corpus on inputs outside of their preconditions, beside the original.
// Every difference is printed; sanitizers end the program at the first undefined operation.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "../fenced.h"
#include "headers.h"

static const int kArena = 1 << 16, kPlace = 1 << 15;
static int failures, admitted, refused;

// `call(guarded, bytes)` runs one of the two on a place in the middle of an arena.
static void compare(const char *what, int admits, const std::function<void(bool, uint8_t *)> &call)
{
    std::vector<uint8_t> ours(kArena), theirs(kArena);
    for (int i = 0; i < kArena; i++) ours[i] = theirs[i] = (uint8_t)(i * 2654435761u >> 13);
    call(true, ours.data() + kPlace);
    call(false, theirs.data() + kPlace);
    admits ? admitted++ : refused++;
    if (ours != theirs) {
        failures++;
        std::printf("%s: guarded differs from the original\n", what);
    }
}

static void multiply()
{
    const int sizes[] = {-3, -1, 0, 1, 2, 7, 17, 40}, strides[] = {-41, -17, -1, 0, 1, 16, 17, 41, 90};
    const int shifts[] = {-90, -41, -40, -17, -1, 0, 1, 16, 17, 40, 41, 90, 4000};
    for (int rows : sizes) for (int cols : sizes) for (int stride : strides) for (int shift : shifts) {
        uint8_t probe[1];
        char what[99];
        std::snprintf(what, 99, "MultiplyBlend8(d, d + %d, %d, %d, %d)", shift, rows, cols, stride);
        int yes = MultiplyBlend8_admits(probe, probe + shift, rows, cols, stride);
        compare(what, yes, [&](bool guarded, uint8_t *p) {
            (guarded ? MultiplyBlend8_guarded : MultiplyBlend8)(p, p + shift, rows, cols, stride);
        });
    }
}

static void histogram()
{
    for (int rows : {-1, 0, 1, 5}) for (int cols : {-1, 0, 3, 33}) for (int stride : {-33, 0, 3, 33})
        for (int shift : {-600, -100, -4, 0, 4, 256, 1020, 1024, 2048}) {
            uint8_t probe[1];
            int *none = (int *)(probe + shift);
            int yes = Histogram8_admits(probe, rows, cols, stride, none);
            compare("Histogram8", yes, [&](bool guarded, uint8_t *p) {
                (guarded ? Histogram8_guarded : Histogram8)(p, rows, cols, stride, (int *)(p + shift));
            });
        }
}

static void rows_of_pointers()
{
    const int orders[][4] = {{0, 40, 80, 120}, {0, 40, 80, 121}, {120, 80, 40, 0}, {0, 0, 0, 0},
                             {0, 10, 20, 30}, {0, 200, 40, 80}, {0, 1, 2, 3}, {0, -40, 80, 1}};
    for (auto &d : orders) for (auto &s : orders) for (int shift : {0, 20, 40, 300})
        for (int rows : {-1, 0, 1, 2, 4}) for (int cols : {-1, 0, 1, 16, 40}) {
            auto call = [&](bool guarded, uint8_t *p) {
                uint8_t *dst[4], *src[4];
                for (int i = 0; i < 4; i++) { dst[i] = p + d[i]; src[i] = p + shift + s[i]; }
                (guarded ? FlipHorizontal_guarded : FlipHorizontal)(dst, src, rows, cols);
            };
            compare("FlipHorizontal", 0, call);
        }
}

static void vectors()
{
    for (int n : {0, 1, 5, 40}) for (int m : {0, 1, 5, 40}) for (int gain : {-1, 0, 300, 4096, 5000})
        for (int brightness : {-300, -255, 0, 255, 256}) {
            if (n > m) continue;  // the original itself would write outside
            std::vector<uint8_t> src(n), ours(m), theirs(m);
            for (int i = 0; i < n; i++) src[i] = (uint8_t)(i * 37);
            brightness_contrast_guarded(ours, src, brightness, gain);
            brightness_contrast(theirs, src, brightness, gain);
            if (ours != theirs) { failures++; std::printf("brightness_contrast differs\n"); }
            std::vector<uint8_t> both = src, again = src;
            brightness_contrast_guarded(both, both, brightness, gain);
            brightness_contrast(again, again, brightness, gain);
            if (both != again) { failures++; std::printf("brightness_contrast in place differs\n"); }
        }
    std::vector<uint8_t> shorter(3), longer(9);
    if (brightness_contrast_admits(shorter.data(), 3, longer.data(), 9, 0, 1)) {
        failures++;
        std::printf("a vector that is too short is admitted\n");
    }
}

// Sizes at which 32-bit arithmetic, and products of two of them, would overflow: only tested.
static void huge()
{
    const int big[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 1, 46341, 65536, INT32_MAX - 1, INT32_MAX};
    uint8_t a[1], b[1];
    uint16_t c[1];
    for (int rows : big) for (int cols : big) for (int stride : big) {
        MultiplyBlend8_admits(a, b, rows, cols, stride);
        Histogram8_admits(a, rows, cols, stride, (int *)b);
        ThresholdKeep_admits(a, 5, rows, cols, stride);
        for (int other : big) {
            planar_to_interleaved_admits(a, b, b, b, cols, rows, stride, other);
            downsample_2x_admits(a, b, cols, rows, stride, other);
            Convert16To8_admits(a, c, rows, cols, stride, other);
        }
        if (rows > 0 && cols > 1 && stride < cols && MultiplyBlend8_admits(a, b, rows, cols, stride)
            && rows > 1) {
            failures++;
            std::printf("rowBytes %d below cols %d is admitted\n", stride, cols);
        }
    }
}

// What has no pixels touches nothing, not even to read: every pointer is null.
static void empty()
{
    for (int rows : {-5, 0, 3}) for (int cols : {-5, 0, 3}) {
        if (rows > 0 && cols > 0) continue;
        MultiplyBlend8_lifted(nullptr, nullptr, rows, cols, 3);
        ThresholdKeep_lifted(nullptr, 1, rows, cols, 3);
        FlipHorizontal_lifted(nullptr, nullptr, rows, cols);
        downsample_2x_lifted(nullptr, nullptr, cols, rows, 3, 6);
        planar_to_interleaved_lifted(nullptr, nullptr, nullptr, nullptr, cols, rows, 3, 9);
        Convert16To8_lifted(nullptr, nullptr, rows, cols, 3, 3);
    }
    std::vector<uint8_t> none, also;
    brightness_contrast_lifted(none, also, 1, 1);
}

static void same(const char *what, const void *ours, const void *theirs, long size)
{
    if (!size || !memcmp(ours, theirs, size)) return;
    failures++;
    std::printf("%s: guarded differs from the original in its memory alone\n", what);
}

// Arrays of exactly what is touched, between pages that nobody may touch; what is only read is read-only.
static void nothing_else()
{
    for (int end = 0; end < 2; end++) for (int rows : {1, 2, 7}) for (int cols : {1, 7, 16, 33, 131})
        for (int stride : {cols, -cols, cols + 5, -cols - 64}) {
            long first = stride < 0 ? (long)(rows - 1) * stride : 0;
            long size = (long)(rows - 1) * std::abs(stride) + cols, counts = 256 * sizeof(int);
            uint8_t *ours = fenced(size, end), *theirs = fenced(size, end), *src = fenced(size, end);
            int *few = (int *)fenced(counts, end), *many = (int *)fenced(counts, end);
            read_only(src, size);
            if (MultiplyBlend8_admits(ours - first, src - first, rows, cols, stride)) admitted++;
            MultiplyBlend8_guarded(ours - first, src - first, rows, cols, stride);
            MultiplyBlend8(theirs - first, src - first, rows, cols, stride);
            same("MultiplyBlend8", ours, theirs, size);
            std::memset(few, 1, counts), std::memset(many, 1, counts);
            Histogram8_guarded(src - first, rows, cols, stride, few);
            Histogram8(src - first, rows, cols, stride, many);
            same("Histogram8", few, many, counts);
            long pointers = rows * sizeof(uint8_t *);
            auto table = [&](uint8_t *bytes) {
                uint8_t **made = (uint8_t **)fenced(pointers, end);
                for (int y = 0; y < rows; y++) made[y] = bytes - first + (long)y * stride;
                read_only(made, pointers);
                return made;
            };
            FlipHorizontal_guarded(table(ours), table(src), rows, cols);
            FlipHorizontal(table(theirs), table(src), rows, cols);
            same("FlipHorizontal", ours, theirs, size);
        }
}

int main()
{
    nothing_else();
    empty();
    huge();
    multiply();
    histogram();
    rows_of_pointers();
    vectors();
    std::printf("%d admitted, %d refused, %d failures\n", admitted, refused, failures);
    return failures != 0;
}
