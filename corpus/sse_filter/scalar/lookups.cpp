// Plain loops that the functions of lookups.cpp must equal bit for bit.
#include <cstdint>

void ps_expand4_lut_c(const uint8_t *src, uint8_t *dst, int pixels, const uint8_t *lut)
{
    for (int i = 0; i < pixels; i++)
        dst[i] = lut[(src[i / 2] >> (i & 1 ? 0 : 4)) & 15];
}

uint32_t ps_count_ink_c(const uint8_t *row, int bytes)
{
    uint32_t n = 0;
    for (int i = 0; i < bytes; i++)
        for (int b = 0; b < 8; b++)
            n += (row[i] >> b) & 1;
    return n;
}

void ps_bits_to_bytes_c(const uint8_t *src, uint8_t *dst, int pixels, uint8_t on, uint8_t off)
{
    for (int i = 0; i < pixels; i++)
        dst[i] = (src[i / 8] >> (7 - i % 8)) & 1 ? on : off;
}

void ps_bytes_to_bits_c(const uint8_t *src, uint8_t *dst, int pixels, int level)
{
    for (int j = 0; 8 * j < pixels; j++) {
        int acc = 0;
        for (int i = 8 * j; i < 8 * j + 8; i++)
            acc = 2 * acc + (i < pixels && src[i] < level);
        dst[j] = (uint8_t)acc;
    }
}

void ps_curve8_c(const uint8_t *src, uint8_t *dst, int n, const uint8_t *curve)
{
    for (int i = 0; i < n; i++)
        dst[i] = curve[src[i]];
}

void ps_curve12_c(const uint16_t *src, uint16_t *dst, int n, const int32_t *curve)
{
    for (int i = 0; i < n; i++) {
        int32_t v = curve[src[i] & 0xfff];
        dst[i] = (uint16_t)(v < 0 ? 0 : v > 65535 ? 65535 : v);
    }
}

void ps_raw10_to_8_c(const uint8_t *src, uint8_t *dst, int pixels)
{
    for (int i = 0; i < pixels / 4 * 4; i++)
        dst[i] = src[i / 4 * 5 + i % 4];
}

void ps_raw10_to_16_c(const uint8_t *src, uint16_t *dst, int pixels)
{
    for (int i = 0; i < pixels / 4 * 4; i++)
        dst[i] = (uint16_t)(src[i / 4 * 5 + i % 4] << 2 | ((src[i / 4 * 5 + 4] >> (2 * (i % 4))) & 3));
}

void ps_word10_to_8_c(const uint16_t *src, uint8_t *dst, int n)
{
    for (int i = 0; i < n; i++) {
        int v = (src[i] + 2) >> 2;
        dst[i] = (uint8_t)(v > 255 ? 255 : v);
    }
}
