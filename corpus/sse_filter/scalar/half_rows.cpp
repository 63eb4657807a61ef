// Plain loops that the functions of half_rows.cpp must equal bit for bit.
#include <cstdint>
#include <cstring>

static float to_float(uint16_t h)
{
    uint32_t sign = (uint32_t)(h >> 15) << 31, e = (h >> 10) & 31, m = h & 1023, u;
    float f;
    if (e == 0) {
        f = (float)m * (1.0f / 16777216.0f);
        memcpy(&u, &f, 4);
        u |= sign;
    } else if (e == 31)
        u = sign | 0x7f800000u | (m ? 0x400000u : 0u) | m << 13;
    else
        u = sign | (e + 112) << 23 | m << 13;
    memcpy(&f, &u, 4);
    return f;
}

static uint16_t to_half(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    const uint32_t sign = (u >> 16) & 0x8000, a = u & 0x7fffffff;
    if (a > 0x7f800000u)
        return (uint16_t)(sign | 0x7e00 | ((a >> 13) & 0x3ff));
    if (a >= 0x477ff000u)
        return (uint16_t)(sign | 0x7c00);
    if (a >= 0x38800000u) {
        const uint32_t odd = (a >> 13) & 1;
        return (uint16_t)(sign | ((a - 0x38000000u + 0xfff + odd) >> 13));
    }
    // below the smallest normal: units of 2^-24
    const int e = (int)(a >> 23);
    if (e < 102)
        return (uint16_t)sign;
    const uint32_t m = (a & 0x7fffff) | 0x800000;
    const int s = 126 - e;
    const uint32_t q = m >> s, rest = m & ((1u << s) - 1), half = 1u << (s - 1);
    return (uint16_t)(sign | (q + (rest > half || (rest == half && (q & 1)))));
}

void hr_half_to_float_c(const uint16_t *src, float *dst, int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = to_float(src[i]);
}

void hr_float_to_half_c(const float *src, uint16_t *dst, int n, float exposure)
{
    for (int i = 0; i < n; i++)
        dst[i] = to_half(src[i] * exposure);
}

void hr_luminance_c(const uint16_t *r, const uint16_t *g, const uint16_t *b, float *dst, int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = to_float(r[i]) * 0.2126f + to_float(g[i]) * 0.7152f + to_float(b[i]) * 0.0722f;
}
