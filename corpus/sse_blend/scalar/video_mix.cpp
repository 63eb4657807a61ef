// What video_mix.cpp computes.

#include <stddef.h>
#include <stdint.h>

static uint8_t clip(int v) { return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v); }
static int avg(int a, int b) { return (a + b + 1) >> 1; }

void mc_avg_c(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *a, ptrdiff_t a_stride,
              const uint8_t *b, ptrdiff_t b_stride, int width, int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            dst[y * dst_stride + x] = (uint8_t)avg(a[y * a_stride + x], b[y * b_stride + x]);
}

void mc_biweight_c(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                   int width, int height, int log2d, int w0, int w1, int offset)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t *d = dst + y * dst_stride + x;
            int v = *d * w0 + src[y * src_stride + x] * w1 + (1 << log2d);
            *d = clip((v >> (log2d + 1)) + offset);
        }
}

void fade_plane_c(uint8_t *plane, ptrdiff_t stride, int width, int height, int level, int t)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t *p = plane + y * stride + x;
            *p = (uint8_t)((*p * (256 - t) + level * t + 128) >> 8);
        }
}

void crossfade_quarters_c(uint8_t *dst, const uint8_t *a, const uint8_t *b, size_t n, int quarter)
{
    for (size_t i = 0; i < n; i++) {
        int m = avg(a[i], b[i]);
        dst[i] = (uint8_t)(quarter == 0 ? a[i] : quarter == 1 ? avg(m, a[i]) : quarter == 2 ? m
                           : quarter == 3 ? avg(m, b[i]) : b[i]);
    }
}

static int scaled(int a) { return a + (a >> 7); }
static uint8_t mix(int o, int d, int a) { return (uint8_t)((o * a + d * (256 - a)) >> 8); }

void osd_blend_luma_c(uint8_t *y, ptrdiff_t y_stride, const uint8_t *osd, const uint8_t *alpha,
                      ptrdiff_t osd_stride, int width, int height)
{
    for (int j = 0; j < height; j++)
        for (int x = 0; x < width; x++) {
            uint8_t *p = y + j * y_stride + x;
            *p = mix(osd[j * osd_stride + x], *p, scaled(alpha[j * osd_stride + x]));
        }
}

void osd_blend_nv12_chroma_c(uint8_t *uv, ptrdiff_t uv_stride, const uint8_t *osd_uv, ptrdiff_t osd_stride,
                             const uint8_t *alpha, ptrdiff_t alpha_stride, int cw, int ch)
{
    for (int y = 0; y < ch; y++)
        for (int x = 0; x < 2 * cw; x++) {
            const uint8_t *a = alpha + 2 * y * alpha_stride + (x & ~1);
            int m = (a[0] + a[1] + a[alpha_stride] + a[alpha_stride + 1] + 2) / 4;
            uint8_t *d = uv + y * uv_stride + x;
            *d = mix(osd_uv[y * osd_stride + x], *d, scaled(m));
        }
}

void mc_obmc8_c(uint8_t *dst, ptrdiff_t stride, const uint8_t *pred, ptrdiff_t pred_stride,
                const uint8_t mask[8], int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < 8; x++) {
            uint8_t *d = dst + y * stride + x;
            *d = (uint8_t)((*d * mask[x] + pred[y * pred_stride + x] * (64 - mask[x]) + 32) >> 6);
        }
}

void deflicker_c(uint8_t *dst, const uint8_t *src, ptrdiff_t stride, int width, int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int up = src[(y ? y - 1 : 0) * stride + x];
            int down = src[(y + 1 < height ? y + 1 : y) * stride + x];
            dst[y * stride + x] = (uint8_t)avg(avg(up, down), src[y * stride + x]);
        }
}

void add_residual_c(uint8_t *dst, ptrdiff_t stride, const int16_t *res, int width, int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            dst[y * stride + x] = clip(dst[y * stride + x] + res[y * width + x]);
}
