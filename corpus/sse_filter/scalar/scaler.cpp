// Plain loops that the functions of scaler.cpp must equal bit for bit.
#include <cstdint>

void halveGrey_c(const uint8_t *src, int srcBytesPerLine, uint8_t *dst, int dstBytesPerLine, int w,
                 int h)
{
    for (int y = 0; y < h / 2; ++y)
        for (int x = 0; x < w / 2; ++x) {
            const uint8_t *a = src + 2 * y * srcBytesPerLine + 2 * x, *b = a + srcBytesPerLine;
            int l = (a[0] + b[0] + 1) >> 1, r = (a[1] + b[1] + 1) >> 1;
            dst[y * dstBytesPerLine + x] = (uint8_t)((l + r + 1) >> 1);
        }
}

void halveArgb32_c(const uint32_t *src, int srcBytesPerLine, uint32_t *dst, int dstBytesPerLine,
                   int dw, int dh)
{
    const uint8_t *s = (const uint8_t *)src;
    uint8_t *d = (uint8_t *)dst;
    for (int y = 0; y < dh; ++y)
        for (int x = 0; x < dw; ++x)
            for (int c = 0; c < 4; ++c) {
                const uint8_t *a = s + 2 * y * srcBytesPerLine + 8 * x + c, *b = a + srcBytesPerLine;
                d[y * dstBytesPerLine + 4 * x + c] = (uint8_t)((a[0] + a[4] + b[0] + b[4] + 2) >> 2);
            }
}

void stretchLineArgb32_c(const uint32_t *src, uint32_t *dst, int n, uint32_t fx, uint32_t step)
{
    for (int i = 0; i < n; ++i, fx += step) {
        uint32_t l = src[fx >> 16], r = src[(fx >> 16) + 1], f = (fx >> 8) & 255, v = 0;
        for (int c = 0; c < 32; c += 8)
            v |= ((((l >> c) & 255) * (256 - f) + ((r >> c) & 255) * f + 128) >> 8) << c;
        dst[i] = v;
    }
}

void mixLines_c(const uint8_t *a, const uint8_t *b, uint8_t *dst, int bytes, int f)
{
    for (int i = 0; i < bytes; ++i)
        dst[i] = (uint8_t)(a[i] + (((b[i] - a[i]) * f + 128) >> 8));
}

void resampleVertical_c(const uint8_t *const *rows, const int16_t *weights, int taps, uint8_t *dst,
                        int bytes)
{
    for (int x = 0; x < bytes; ++x) {
        int s = 1 << 13;
        for (int t = 0; t < taps; ++t)
            s += rows[t][x] * weights[t];
        s >>= 14;
        dst[x] = (uint8_t)(s < 0 ? 0 : s > 255 ? 255 : s);
    }
}

void nearestLineArgb32_c(const uint32_t *src, uint32_t *dst, int n, int fx, int step)
{
    for (int i = 0; i < n; ++i)
        dst[i] = src[(fx + i * step) >> 16];
}

void resampleRowFloat4_c(const float *src, const int32_t *left, const float *taps, float *dst,
                         int n)
{
    for (int i = 0; i < n; ++i) {
        const float *s = src + left[i], *k = taps + 4 * i;
        dst[i] = (s[0] * k[0] + s[1] * k[1]) + (s[2] * k[2] + s[3] * k[3]);
    }
}
