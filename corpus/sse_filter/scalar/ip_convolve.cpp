// Plain loops that the functions of ip_convolve.cpp must equal bit for bit.
#include <cstddef>
#include <cstdint>

static inline uint8_t clip8(int v) { return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v); }
static inline int sat16(int v) { return v < -32768 ? -32768 : v > 32767 ? 32767 : v; }

void ipConvolve3x3_8u_c(const uint8_t *src, int srcStep, uint8_t *dst, int dstStep, int w, int h,
                        const int16_t *k, int shift)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int s = shift > 0 ? 1 << (shift - 1) : 0;
            for (int j = 0; j < 3; j++)
                for (int i = 0; i < 3; i++)
                    s += src[(y + j - 1) * srcStep + x + i - 1] * k[3 * j + i];
            dst[y * dstStep + x] = clip8(s >> shift);
        }
}

void ipGauss5x5_8u_c(const uint8_t *src, int srcStep, uint8_t *dst, int dstStep, int w, int h,
                     uint16_t *line)
{
    static const int k[5] = {1, 4, 6, 4, 1};
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w + 4; x++) {
            int s = 0;
            for (int j = 0; j < 5; j++)
                s += k[j] * src[(y + j - 2) * srcStep + x - 2];
            line[x] = (uint16_t)s;
        }
        for (int x = 0; x < w; x++) {
            int s = 128;
            for (int i = 0; i < 5; i++)
                s += k[i] * line[x + i];
            dst[y * dstStep + x] = (uint8_t)(s >> 8);
        }
    }
}

void ipCrispen5_8u_c(const uint8_t *src, int srcStep, uint8_t *dst, int dstStep, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const uint8_t *s = src + y * srcStep + x;
            int v = 48 * s[0] + 16 * (s[-1] + s[1]) - 8 * (s[-2] + s[2]);
            dst[y * dstStep + x] = clip8((v + 32) >> 6);
        }
}

static inline int mulq15(int a, int b) { return (int16_t)((((a * b) >> 14) + 1) >> 1); }

void ipFir3_16s_c(const int16_t *src, int16_t *dst, int n, int16_t k0, int16_t k1, int16_t k2)
{
    for (int i = 0; i < n; i++)
        dst[i] = (int16_t)sat16(sat16(mulq15(src[i - 1], k0) + mulq15(src[i], k1)) +
                                mulq15(src[i + 1], k2));
}

void ipConvolveRow_32f_c(const float *src, float *dst, int n, const float *k, int taps)
{
    for (int i = 0; i < n; i++) {
        float s = 0.0f;
        for (int t = 0; t < taps; t++)
            s += k[t] * src[i + t];
        dst[i] = s;
    }
}

void ipBox3x3_8u_c(const uint8_t *src, int srcStep, uint8_t *dst, int dstStep, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int s = 4;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++)
                    s += src[(y + j) * srcStep + x + i];
            dst[y * dstStep + x] = (uint8_t)((s * 7282) >> 16);
        }
}

void ipBoxColumns_8u_c(const uint8_t *src, int srcStep, uint8_t *dst, int dstStep, int w, int h,
                       int r, uint16_t *cols)
{
    const int n = 2 * r + 1;
    const unsigned recip = (65536u + n / 2) / n;
    if (h <= 0)
        return;
    for (int x = 0; x < w; x++) {
        unsigned c = 0;
        for (int y = -r; y < r; y++)
            c += src[y * srcStep + x];
        for (int y = 0; y < h; y++) {
            c += src[(y + r) * srcStep + x];
            dst[y * dstStep + x] = clip8((int)((c * recip) >> 16));
            c -= src[(y - r) * srcStep + x];
        }
        cols[x] = (uint16_t)c;
    }
}

void ipUnsharp_8u_c(const uint8_t *src, const uint8_t *blur, int step, uint8_t *dst, int dstStep,
                    int w, int h, int amount, int thr)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int s = src[y * step + x], d = s - blur[y * step + x];
            int ad = d < 0 ? -d : d;
            dst[y * dstStep + x] = ad < thr ? (uint8_t)s : clip8(s + ((d * amount) >> 6));
        }
}
