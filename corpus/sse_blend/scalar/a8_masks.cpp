// What a8_masks.cpp computes.

#include <stddef.h>
#include <stdint.h>

static uint32_t div255(uint32_t x) { return (x + 127) / 255; }  // round to nearest, no ties at 255
static uint32_t ch(uint32_t p, int k) { return (p >> k) & 255; }
static uint32_t sat(uint32_t v) { return v > 255 ? 255 : v; }

void a8_fill_solid_c(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *mask, ptrdiff_t mask_stride,
                     int width, int height, uint32_t color)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint32_t *d = (uint32_t *)(dst + y * dst_stride) + x;
            uint32_t m = mask[y * mask_stride + x];
            uint32_t ia = 255 - div255((color >> 24) * m), out = 0;
            for (int k = 0; k < 32; k += 8)
                out |= sat(div255(ch(color, k) * m) + div255(ch(*d, k) * ia)) << k;
            *d = out;
        }
}

void a8_intersect_c(uint8_t *mask, const uint8_t *other, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mask[i] = (uint8_t)div255((uint32_t)mask[i] * other[i]);
}

void a8_unite_c(uint8_t *mask, const uint8_t *other, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mask[i] = (uint8_t)(255 - div255((255u - mask[i]) * (255u - other[i])));
}

void a8_from_argb_c(uint8_t *mask, const uint32_t *src, int n)
{
    for (int i = 0; i < n; i++)
        mask[i] = (uint8_t)(src[i] >> 24);
}

void a8_into_argb_c(uint32_t *dst, const uint8_t *mask, int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = (dst[i] & 0x00ffffff) | ((uint32_t)mask[i] << 24);
}

void a8_lcd_blit_c(uint32_t *dst, const uint32_t *lcd, int n, uint32_t color)
{
    for (int i = 0; i < n; i++) {
        uint32_t out = 0xff000000;
        for (int k = 0; k < 24; k += 8) {
            int m = (int)ch(lcd[i], k) / 8;
            m += m / 16;
            int d = (int)ch(dst[i], k);
            d += (((int)ch(color, k) - d) * m) >> 5;
            out |= (uint32_t)d << k;
        }
        dst[i] = out;
    }
}

int a8_threshold_c(uint8_t *mask, ptrdiff_t stride, int width, int height, int threshold)
{
    int count = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            uint8_t *p = mask + y * stride + x;
            bool set = *p >= threshold;
            *p = set ? 255 : 0;
            count += set;
        }
    return count;
}

void a8_apply_c(uint32_t *pix, const uint8_t *mask, int n)
{
    for (int i = 0; i < n; i++) {
        uint32_t out = 0;
        for (int k = 0; k < 32; k += 8)
            out |= div255(ch(pix[i], k) * mask[i]) << k;
        pix[i] = out;
    }
}
