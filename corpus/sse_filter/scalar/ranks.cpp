// Plain loops that the functions of ranks.cpp must equal bit for bit.
#include <algorithm>
#include <cstdint>

void pt_grow3x3_c(const uint8_t *src, int src_stride, uint8_t *dst, int dst_stride, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int m = 0;
            for (int j = -1; j <= 1; j++)
                for (int i = -1; i <= 1; i++)
                    m = std::max<int>(m, src[(y + j) * src_stride + x + i]);
            dst[y * dst_stride + x] = (uint8_t)m;
        }
}

void pt_shrink_row_c(const uint8_t *src, uint8_t *dst, int w, int radius)
{
    for (int x = 0; x < w; x++) {
        int m = 255;
        for (int k = -radius; k <= radius; k++)
            m = std::min<int>(m, src[x + k]);
        dst[x] = (uint8_t)m;
    }
}

void pt_despeckle3x3_c(const uint8_t *src, int src_stride, uint8_t *dst, int dst_stride, int w,
                       int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            uint8_t v[9];
            for (int j = 0; j < 3; j++)
                for (int i = 0; i < 3; i++)
                    v[3 * j + i] = src[(y + j - 1) * src_stride + x + i - 1];
            std::sort(v, v + 9);
            dst[y * dst_stride + x] = v[4];
        }
}

void pt_threshold_c(const uint8_t *src, int src_stride, uint8_t *dst, int dst_stride, int w, int h,
                    int level, int lo, int hi)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[y * dst_stride + x] = (uint8_t)(src[y * src_stride + x] >= level ? hi : lo);
}

void pt_soften_mask_c(const uint8_t *src, int src_stride, uint8_t *dst, int dst_stride, int w,
                      int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const uint8_t *s = src + y * src_stride + x;
            int m = std::max(std::max(s[-1], s[1]), std::max(s[-src_stride], s[src_stride]));
            dst[y * dst_stride + x] = (uint8_t)((s[0] + m + 1) >> 1);
        }
}
