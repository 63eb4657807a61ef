// Blends of one line each, as they are lifted for GPUs.

#include <cstdint>

void multiply(const uint8_t *base, const uint8_t *active, uint8_t *out, int n)
{
    for (int i = 0; i < n; i++) {
        int t = base[i] * active[i] + 128;
        out[i] = (t + (t >> 8)) >> 8;
    }
}

void screen(const uint8_t *base, const uint8_t *active, uint8_t *out, int n)
{
    for (int i = 0; i < n; i++) out[i] = 255 - (255 - base[i]) * (255 - active[i]) / 255;
}

void linear_dodge(const uint8_t *base, const uint8_t *active, uint8_t *out, int n)
{
    for (int i = 0; i < n; i++) {
        int sum = base[i] + active[i];
        out[i] = sum > 255 ? 255 : sum;
    }
}

void darken(const uint8_t *base, const uint8_t *active, uint8_t *out, int n)
{
    for (int i = 0; i < n; i++) out[i] = base[i] < active[i] ? base[i] : active[i];
}

void average(const uint8_t *base, const uint8_t *active, uint8_t *out, int n)
{
    for (int i = 0; i < n; i++) out[i] = (base[i] + active[i] + 1) / 2;
}
