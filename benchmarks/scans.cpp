// What iterations hand on and what they leave, as it is written: sums, extremes, recursions along rows and down columns.
#include <cstdint>
#include <cstdlib>

extern "C" {

// ---- numbers of a whole image

int64_t sum_bytes(const uint8_t *src, int width, int height, int pitch) {
    int64_t sum = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) sum += src[y * pitch + x];
    return sum;
}

void least_and_greatest(const uint8_t *src, int width, int height, int pitch, uint8_t *found) {
    uint8_t least = 255, greatest = 0;
    for (int y = 0; y < height; y++) {
        const uint8_t *s = src + y * pitch;
        for (int x = 0; x < width; x++) {
            if (s[x] < least) least = s[x];
            if (s[x] > greatest) greatest = s[x];
        }
    }
    found[0] = least;
    found[1] = greatest;
}

unsigned sum_of_differences(const uint8_t *a, const uint8_t *b, int width, int height, int pitch) {
    unsigned sum = 0;
    for (int y = 0; y < height; y++, a += pitch, b += pitch)
        for (int x = 0; x < width; x++) sum += abs(a[x] - b[x]);
    return sum;
}

int count_above(const uint8_t *src, int width, int height, int pitch, int level) {
    int n = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (src[y * pitch + x] > level) n++;
    return n;
}

// ---- along rows

void smooth_rows_float(const float *src, float *dst, int width, int height, float a) {
    for (int y = 0; y < height; y++) {
        const float *s = src + y * width;
        float *d = dst + y * width;
        float state = s[0];
        for (int x = 0; x < width; x++) {
            state += a * (s[x] - state);
            d[x] = state;
        }
    }
}

void smooth_rows_there_and_back(float *image, int width, int height, float a) {
    for (int y = 0; y < height; y++) {
        float *p = image + y * width;
        for (int x = 1; x < width; x++) p[x] += a * (p[x - 1] - p[x]);
        for (int x = width - 2; x >= 0; x--) p[x] += a * (p[x + 1] - p[x]);
    }
}

void smooth_rows_from_the_first(const float *src, float *dst, int width, int height, float a) {
    for (int y = 0; y < height; y++) {
        dst[y * width] = src[y * width];
        for (int x = 1; x < width; x++) dst[y * width + x] = a * src[y * width + x] + (1 - a) * dst[y * width + x - 1];
    }
}

void smooth_rows_fixed(const uint8_t *src, uint8_t *dst, int width, int height, int weight) {
    if (weight < 0 || weight > 256) return;
    for (int y = 0; y < height; y++) {
        int state = src[y * width] << 8;
        for (int x = 0; x < width; x++) {
            state += ((src[y * width + x] << 8) - state) / 256 * weight;
            dst[y * width + x] = (uint8_t)(state >> 8);
        }
    }
}

void greatest_so_far(const uint8_t *src, uint8_t *dst, int width, int height) {
    for (int y = 0; y < height; y++) {
        uint8_t most = 0;
        for (int x = 0; x < width; x++) {
            if (src[y * width + x] > most) most = src[y * width + x];
            dst[y * width + x] = most;
        }
    }
}

void delta_undone(uint8_t *image, int width, int height) {
    for (int y = 0; y < height; y++)
        for (int x = 1; x < width; x++) image[y * width + x] += image[y * width + x - 1];
}

void prefix_sums(const uint8_t *src, uint32_t *dst, int width, int height) {
    for (int y = 0; y < height; y++) {
        uint32_t sum = 0;
        for (int x = 0; x < width; x++) {
            sum += src[y * width + x];
            dst[y * width + x] = sum;
        }
    }
}

// ---- down columns

void smooth_down_by_rows(float *image, int width, int height, float a) {
    for (int y = 1; y < height; y++)
        for (int x = 0; x < width; x++) {
            float *p = image + y * width + x;
            *p += a * (p[-width] - *p);
        }
}

void smooth_down_by_columns(const float *src, float *dst, int width, int height, float a) {
    for (int x = 0; x < width; x++) {
        float state = src[x];
        for (int y = 0; y < height; y++) {
            state += a * (src[y * width + x] - state);
            dst[y * width + x] = state;
        }
    }
}

void smooth_columns_there_and_back(float *image, int width, int height, float a) {
    for (int x = 0; x < width; x++) {
        float *p = image + x;
        for (int y = 1; y < height; y++) p[y * width] += a * (p[(y - 1) * width] - p[y * width]);
        for (int y = height - 2; y >= 0; y--) p[y * width] += a * (p[(y + 1) * width] - p[y * width]);
    }
}

void smooth_columns_fixed(const uint8_t *src, uint8_t *dst, int width, int height, int weight) {
    if (weight < 0 || weight > 256) return;
    for (int x = 0; x < width; x++) {
        int state = src[x] << 8;
        for (int y = 0; y < height; y++) {
            state += ((src[y * width + x] << 8) - state) / 256 * weight;
            dst[y * width + x] = (uint8_t)(state >> 8);
        }
    }
}

// ---- both

void integral_image(const uint8_t *src, int32_t *sums, int width, int height) {
    for (int x = 0; x <= width; x++) sums[x] = 0;
    for (int y = 0; y < height; y++) {
        int32_t row = 0;
        int32_t *above = sums + y * (width + 1), *here = above + width + 1;
        here[0] = 0;
        for (int x = 0; x < width; x++) {
            row += src[y * width + x];
            here[x + 1] = above[x + 1] + row;
        }
    }
}

}
