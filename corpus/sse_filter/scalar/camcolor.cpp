// Plain loops that the functions of camcolor.cpp must equal bit for bit.
#include <cstdint>

static uint8_t clip(int v) { return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v); }

void CamRgb24ToGray_c(const uint8_t *src, int srcStride, uint8_t *dst, int dstStride, int width,
                      int height)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const uint8_t *s = src + y * srcStride + 3 * x;
            dst[y * dstStride + x] = (uint8_t)((77 * s[0] + 150 * s[1] + 29 * s[2] + 128) >> 8);
        }
}

void CamSplitRgb24_c(const uint8_t *src, uint8_t *r, uint8_t *g, uint8_t *b, int count)
{
    for (int i = 0; i < count; ++i) {
        r[i] = src[3 * i];
        g[i] = src[3 * i + 1];
        b[i] = src[3 * i + 2];
    }
}

void CamMergeRgb24_c(const uint8_t *r, const uint8_t *g, const uint8_t *b, uint8_t *dst, int count)
{
    for (int i = 0; i < count; ++i) {
        dst[3 * i] = r[i];
        dst[3 * i + 1] = g[i];
        dst[3 * i + 2] = b[i];
    }
}

void CamSwapRB24_c(uint8_t *pixels, int stride, int width, int height)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            uint8_t *p = pixels + y * stride + 3 * x, t = p[0];
            p[0] = p[2];
            p[2] = t;
        }
}

void CamRgb24ToBgra32_c(const uint8_t *src, uint8_t *dst, int count, uint8_t alpha)
{
    for (int i = 0; i < count; ++i) {
        dst[4 * i] = src[3 * i + 2];
        dst[4 * i + 1] = src[3 * i + 1];
        dst[4 * i + 2] = src[3 * i];
        dst[4 * i + 3] = alpha;
    }
}

void CamBgra32ToRgb24_c(const uint8_t *src, uint8_t *dst, int count)
{
    for (int i = 0; i < count; ++i)
        for (int c = 0; c < 3; ++c)
            dst[3 * i + c] = src[4 * i + 2 - c];
}

void CamSplitBgra32_c(const uint8_t *src, uint8_t *const planes[4], int count)
{
    for (int i = 0; i < count; ++i)
        for (int c = 0; c < 4; ++c)
            planes[c][i] = src[4 * i + c];
}

void CamBgra32ToLuma_c(const uint8_t *src, int srcStride, uint8_t *dst, int dstStride, int width,
                       int height)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const uint8_t *s = src + y * srcStride + 4 * x;
            dst[y * dstStride + x] =
                (uint8_t)(((13 * s[0] + 64 * s[1] + 33 * s[2] + 64) >> 7) + 16);
        }
}

void CamBgra32ToChroma420_c(const uint8_t *src, int srcStride, uint8_t *uv, int uvStride, int width,
                            int height)
{
    for (int y = 0; y < height; y += 2)
        for (int x = 0; x < width; x += 2) {
            int c[3];
            int x1 = x + 1 < width ? x + 1 : x, y1 = y + 1 < height ? y + 1 : y;
            for (int k = 0; k < 3; ++k) {
                int l = (src[y * srcStride + 4 * x + k] + src[y1 * srcStride + 4 * x + k] + 1) >> 1;
                int r = (src[y * srcStride + 4 * x1 + k] + src[y1 * srcStride + 4 * x1 + k] + 1) >> 1;
                c[k] = (l + r + 1) >> 1;
            }
            uint8_t *d = uv + y / 2 * uvStride + x;
            d[0] = (uint8_t)(((112 * c[0] - 74 * c[1] - 38 * c[2]) >> 8) + 128);
            d[1] = (uint8_t)(((-18 * c[0] - 94 * c[1] + 112 * c[2]) >> 8) + 128);
        }
}

void CamNv12ToBgra32_c(const uint8_t *luma, int lumaStride, const uint8_t *uv, int uvStride,
                       uint8_t *dst, int dstStride, int width, int height)
{
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const uint8_t *c = uv + y / 2 * uvStride + x / 2 * 2;
            uint8_t *d = dst + y * dstStride + 4 * x;
            int u = c[0] - 128, v = c[1] - 128, l = 74 * (luma[y * lumaStride + x] - 16) + 32;
            d[0] = clip((l + 129 * u) >> 6);
            d[1] = clip((l - 25 * u - 52 * v) >> 6);
            d[2] = clip((l + 102 * v) >> 6);
            d[3] = 255;
        }
}

void CamYuyvToPlanar422_c(const uint8_t *src, uint8_t *y, uint8_t *u, uint8_t *v, int width)
{
    for (int i = 0; i < width / 2; ++i) {
        y[2 * i] = src[4 * i];
        u[i] = src[4 * i + 1];
        y[2 * i + 1] = src[4 * i + 2];
        v[i] = src[4 * i + 3];
    }
}
