// Plain loops that the functions of orient.cpp must equal bit for bit.
#include <cstddef>
#include <cstdint>

void or_transpose_u8_c(const uint8_t *src, ptrdiff_t sp, uint8_t *dst, ptrdiff_t dp, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[x * dp + y] = src[y * sp + x];
}

void or_transpose_f32_c(const float *src, ptrdiff_t sp, float *dst, ptrdiff_t dp, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[x * dp + y] = src[y * sp + x];
}

void or_rotate90_u32_c(const uint32_t *src, ptrdiff_t sp, uint32_t *dst, ptrdiff_t dp, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[x * dp + h - 1 - y] = src[y * sp + x];
}

void or_mirror_u8_c(const uint8_t *src, ptrdiff_t sp, uint8_t *dst, ptrdiff_t dp, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[y * dp + w - 1 - x] = src[y * sp + x];
}

void or_mirror_inplace_u32_c(uint32_t *pix, ptrdiff_t pitch, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w / 2; x++) {
            uint32_t *p = pix + y * pitch, t = p[x];
            p[x] = p[w - 1 - x];
            p[w - 1 - x] = t;
        }
}

void or_flip_inplace_c(uint8_t *pix, ptrdiff_t pitch, int bytes, int h)
{
    for (int y = 0; y < h / 2; y++)
        for (int x = 0; x < bytes; x++) {
            uint8_t *a = pix + y * pitch + x, *b = pix + (h - 1 - y) * pitch + x, t = *a;
            *a = *b;
            *b = t;
        }
}
