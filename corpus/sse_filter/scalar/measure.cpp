// Plain loops that the functions of measure.cpp must equal bit for bit.
#include <cmath>
#include <cstdint>
#include <cstdlib>

uint32_t vt_sad_c(const uint8_t *a, int a_pitch, const uint8_t *b, int b_pitch, int w, int h)
{
    uint32_t s = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            s += (uint32_t)abs(a[y * a_pitch + x] - b[y * b_pitch + x]);
    return s;
}

int vt_sad16x16_limit_c(const uint8_t *cur, int cur_pitch, const uint8_t *ref, int ref_pitch,
                        int best)
{
    int s = 0;
    for (int y = 0; y < 16; y++) {
        for (int x = 0; x < 16; x++)
            s += abs(cur[y * cur_pitch + x] - ref[y * ref_pitch + x]);
        if (y % 4 == 3 && s >= best)
            return s;
    }
    return s;
}

uint64_t vt_ssd_c(const uint8_t *a, int a_pitch, const uint8_t *b, int b_pitch, int w, int h)
{
    uint64_t s = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int d = a[y * a_pitch + x] - b[y * b_pitch + x];
            s += (uint64_t)(d * d);
        }
    return s;
}

void vt_min_max_c(const uint8_t *src, int pitch, int w, int h, uint8_t *lo, uint8_t *hi)
{
    int mn = 255, mx = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int v = src[y * pitch + x];
            mn = v < mn ? v : mn;
            mx = v > mx ? v : mx;
        }
    *lo = (uint8_t)mn;
    *hi = (uint8_t)mx;
}

int vt_mean_c(const uint8_t *src, int pitch, int w, int h)
{
    uint32_t s = 0, n = (uint32_t)(w * h);
    if (n == 0)
        return 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            s += src[y * pitch + x];
    return (int)((s + n / 2) / n);
}

int vt_count_above_c(const uint8_t *src, int pitch, int w, int h, int level)
{
    int n = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            n += src[y * pitch + x] > level;
    return n;
}

void vt_abs_diff_c(const uint8_t *a, int a_pitch, const uint8_t *b, int b_pitch, uint8_t *dst,
                   int d_pitch, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[y * d_pitch + x] = (uint8_t)abs(a[y * a_pitch + x] - b[y * b_pitch + x]);
}

void vt_running_diff_c(const uint8_t *cur, uint8_t *hist, uint8_t *out, int n)
{
    for (int i = 0; i < n; i++) {
        int d = cur[i] - hist[i];
        out[i] = (uint8_t)(128 + (d >> 1));
        hist[i] = (uint8_t)(hist[i] + ((d + 2) >> 2));
    }
}

void vt_integral_u32_c(const uint8_t *src, int pitch, uint32_t *sat, int sat_pitch, int w, int h)
{
    const int sp = sat_pitch / 4;
    for (int y = 0; y < h; y++) {
        uint32_t run = 0;
        for (int x = 0; x < w; x++) {
            run += src[y * pitch + x];
            sat[y * sp + x] = run + (y ? sat[(y - 1) * sp + x] : 0);
        }
    }
}

float vt_peak_f32_c(const float *src, int n)
{
    float m = 0.0f;
    for (int i = 0; i < n; i++)
        m = std::fabs(src[i]) > m ? std::fabs(src[i]) : m;
    return m;
}

int32_t vt_dot_s16_c(const int16_t *a, const int16_t *b, int n)
{
    uint32_t s = 0;
    for (int i = 0; i < n; i++)
        s += (uint32_t)(a[i] * b[i]);
    return (int32_t)s;
}
