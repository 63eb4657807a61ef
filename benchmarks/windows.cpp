// Box filters as they are written: windows by adding and subtracting, and plainly added up.
#include <algorithm>
#include <cstdint>

extern "C" {

void box_rows(const uint8_t *src, uint8_t *dst, int width, int height, int radius) {
    if (radius < 0 || radius > 1000) return;
    for (int y = 0; y < height; y++) {
        const uint8_t *s = src + y * width;
        uint8_t *d = dst + y * width;
        int sum = 0;
        for (int i = -radius; i <= radius; i++) sum += s[std::max(0, std::min(i, width - 1))];
        for (int x = 0; x < width; x++) {
            d[x] = (uint8_t)((sum + radius) / (2 * radius + 1));
            sum += s[std::min(x + radius + 1, width - 1)];
            sum -= s[std::max(x - radius, 0)];
        }
    }
}

void box_columns(const uint8_t *src, uint8_t *dst, int width, int height, int radius) {
    if (radius < 0 || radius > 1000) return;
    for (int x = 0; x < width; x++) {
        int sum = 0;
        for (int i = -radius; i <= radius; i++) sum += src[std::max(0, std::min(i, height - 1)) * width + x];
        for (int y = 0; y < height; y++) {
            dst[y * width + x] = (uint8_t)((sum + radius) / (2 * radius + 1));
            sum += src[std::min(y + radius + 1, height - 1) * width + x];
            sum -= src[std::max(y - radius, 0) * width + x];
        }
    }
}

void box_plain(const uint8_t *src, uint8_t *dst, int width, int height, int radius) {
    if (radius < 0 || radius > 1000) return;
    const int area = (2 * radius + 1) * (2 * radius + 1);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int sum = 0;
            for (int j = -radius; j <= radius; j++)
                for (int i = -radius; i <= radius; i++)
                    sum += src[std::max(0, std::min(y + j, height - 1)) * width + std::max(0, std::min(x + i, width - 1))];
            dst[y * width + x] = (uint8_t)(sum / area);
        }
}

}
