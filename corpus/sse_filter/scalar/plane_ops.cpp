// Plain loops that the functions of plane_ops.cpp must equal bit for bit.
#include <cstdint>

void pl_average_c(const uint8_t *a, int a_pitch, const uint8_t *b, int b_pitch, uint8_t *d,
                  int d_pitch, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            d[y * d_pitch + x] = (uint8_t)((a[y * a_pitch + x] + b[y * b_pitch + x] + 1) >> 1);
}

// Leaves the padding alone.
void pl_offset_padded_c(const uint8_t *src, uint8_t *dst, int pitch, int w, int h, int offset)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int v = src[y * pitch + x] + offset;
            dst[y * pitch + x] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
        }
}

void pl_lighten_c(uint8_t *dst, int dst_pitch, const uint8_t *src, int src_pitch, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            if (src[y * src_pitch + x] > dst[y * dst_pitch + x])
                dst[y * dst_pitch + x] = src[y * src_pitch + x];
}

void pl_flicker3_c(const uint8_t *prev, const uint8_t *cur, const uint8_t *next, uint8_t *dst,
                   int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = (uint8_t)((prev[i] + 2 * cur[i] + next[i] + 2) >> 2);
}

void pl_invert_part_c(uint8_t *pix, int pitch, int x0, int x1, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = x0; x < x1; x++)
            pix[y * pitch + x] = (uint8_t)~pix[y * pitch + x];
}
