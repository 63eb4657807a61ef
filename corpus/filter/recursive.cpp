/**
 * recursive.cpp
 *
 * Recursive filters and error diffusion for "glimmer", a video and sound plug-in suite,
 * 2011 - 2018. No SIMD in here: these are the reference versions, and what runs on boards
 * that have nothing else.
 *
 * plane<T> is a view, `step` is in elements. Everything that takes a length or a plane may
 * be given an empty one. In-place unless there's a `dst`; a dst never overlaps its source.
 */

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

template <typename T>
struct plane {
    T *data;
    int w, h;
    std::ptrdiff_t step;

    T *row(int y) const { return data + y * step; }
};

struct biquad {
    float b0, b1, b2;       // zeros
    float a1, a2;           // poles, a0 is 1
};

struct deriche_coefs {
    std::array<float, 4> n;     // causal, n0 .. n3
    std::array<float, 4> m;     // anticausal, m1 .. m4
    std::array<float, 4> d;     // poles, d1 .. d4
};

static inline uint8_t to_u8(int v)
{
    return static_cast<uint8_t>(v < 0 ? 0 : v > 255 ? 255 : v);
}

/* ---- first order -------------------------------------------------------------------- */

// y += a * (x - y). Returns the state, for the next block.
float smooth_forward(float *dst, const float *src, int n, float a, float state)
{
    for (int i = 0; i < n; ++i) {
        state += a * (src[i] - state);
        dst[i] = state;
    }
    return state;
}

// There and back, so that nothing is shifted.
void smooth_rows(plane<float> img, float a)
{
    const float b = 1.0f - a;
    for (int y = 0; y < img.h; ++y) {
        float *p = img.row(y);
        for (int x = 1; x < img.w; ++x)
            p[x] = a * p[x] + b * p[x - 1];
        for (int x = img.w - 2; x >= 0; --x)
            p[x] = a * p[x] + b * p[x + 1];
    }
}

// The same down the columns and up again, walked by rows for the cache's sake.
void smooth_columns(float *img, int w, int h, std::ptrdiff_t step, float a)
{
    if (h < 2)
        return;
    float *p = img;
    for (int y = 1; y < h; ++y) {
        const float *above = p;
        p += step;
        for (int x = 0; x < w; ++x)
            p[x] += (1.0f - a) * (above[x] - p[x]);
    }
    for (int y = h - 1; y > 0; --y) {
        const float *below = p;
        p -= step;
        for (int x = 0; x < w; ++x)
            p[x] += (1.0f - a) * (below[x] - p[x]);
    }
}

// Fixed point, 7 fraction bits in the state; strength 0 .. 65536.
void fixed_smooth_rows(uint8_t *pixels, int w, int h, int step, int strength)
{
    assert(strength >= 0 && strength <= 65536);
    for (int y = 0; y < h; y++) {
        uint8_t *row = pixels + (std::ptrdiff_t)y * step;
        if (w < 1)
            continue;
        int p = row[0] << 7;
        for (int x = 0; x < w; x++) {
            p += ((row[x] << 7) - p) * strength >> 16;
            row[x] = (uint8_t)(p >> 7);
        }
        for (int x = w - 1; x >= 0; x--) {
            p += ((row[x] << 7) - p) * strength >> 16;
            row[x] = (uint8_t)(p >> 7);
        }
    }
}

// Integrator that forgets keep/256 .. rounded. What is stored is the state itself.
void leaky_row(uint8_t *dst, const uint8_t *src, size_t n, unsigned keep)
{
    assert(keep <= 256);
    unsigned level = 0;
    for (size_t i = 0; i < n; ++i) {
        level = (level * keep + src[i] * (256 - keep) + 128) >> 8;
        dst[i] = (uint8_t)level;
    }
}

// y[n] = x[n] - x[n-1] + r y[n-1] with 0 <= r < 1; state holds x and y of the last call.
void dc_block(int16_t *samples, int n, float r, float state[2])
{
    float x1 = state[0], y1 = state[1];
    while (n-- > 0) {
        const float x0 = *samples;
        y1 = x0 - x1 + r * y1;
        x1 = x0;
        const float v = y1 < -32768.0f ? -32768.0f : y1 > 32767.0f ? 32767.0f : y1;
        *samples++ = static_cast<int16_t>(v);
    }
    state[0] = x1;
    state[1] = y1;
}

// A ghost `lag` pixels to the right, with ghosts of its own.
void echo_row(float *row, int n, int lag, float gain)
{
    assert(lag >= 1);
    for (int i = lag; i < n; ++i)
        row[i] += gain * row[i - lag];
}

// Streaks from bright pixels, left to right over the whole frame; decay in 1/256.
void flare_trail(plane<uint16_t> img, int decay)
{
    assert(decay >= 0 && decay <= 256);
    for (int y = 0; y < img.h; ++y) {
        uint16_t *p = img.row(y);
        unsigned glow = 0;
        for (int x = 0; x < img.w; ++x) {
            glow = std::max<unsigned>(p[x], glow * decay >> 8);
            p[x] = static_cast<uint16_t>(glow);
        }
    }
}

/* ---- second order ------------------------------------------------------------------- */

void biquad_df1(float *dst, const float *src, int n, const biquad &q)
{
    float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (int i = 0; i < n; i++) {
        const float x0 = src[i];
        const float y0 = q.b0 * x0 + q.b1 * x1 + q.b2 * x2 - q.a1 * y1 - q.a2 * y2;
        x2 = x1;
        x1 = x0;
        y2 = y1;
        y1 = y0;
        dst[i] = y0;
    }
}

// One delay line. The same filter over each row of a plane, zero state at its left end.
void biquad_df2_rows(plane<float> img, const biquad *q)
{
    for (int y = 0; y < img.h; ++y) {
        float *p = img.row(y);
        float w1 = 0.0f, w2 = 0.0f;
        for (int n = img.w; n > 0; --n, ++p) {
            const float w0 = *p - q->a1 * w1 - q->a2 * w2;
            *p = q->b0 * w0 + q->b1 * w1 + q->b2 * w2;
            w2 = w1;
            w1 = w0;
        }
    }
}

// Transposed; a cascade of sections over interleaved stereo, z has 2 states per section
// and channel and is kept between the calls.
void biquad_cascade_stereo(float *buf, int frames, const biquad *sections, int count, float *z)
{
    for (int s = 0; s < count; ++s) {
        const biquad q = sections[s];
        for (int ch = 0; ch < 2; ++ch) {
            float *state = z + (s * 2 + ch) * 2;
            double z1 = state[0], z2 = state[1];
            for (int i = 0; i < frames; ++i) {
                const double x = buf[2 * i + ch];
                const double y = q.b0 * x + z1;
                z1 = q.b1 * x - q.a1 * y + z2;
                z2 = q.b2 * x - q.a2 * y;
                buf[2 * i + ch] = (float)y;
            }
            state[0] = (float)z1;
            state[1] = (float)z2;
        }
    }
}

/* ---- gaussians ---------------------------------------------------------------------- */

// Third order after Young and van Vliet, along the rows. sigma of 0.5 or more.
void gauss_rows_yvv(plane<float> dst, plane<const float> src, float sigma)
{
    if (sigma < 0.5f || src.w <= 0)
        return;

    const double q = sigma >= 2.5f ? 0.98711 * sigma - 0.96330
                                   : 3.97156 - 4.14554 * std::sqrt(1.0 - 0.26891 * sigma);
    const double q2 = q * q, q3 = q2 * q;
    const double b0 = 1.57825 + 2.44413 * q + 1.4281 * q2 + 0.422205 * q3;
    const float b1 = (float)((2.44413 * q + 2.85619 * q2 + 1.26661 * q3) / b0);
    const float b2 = (float)(-(1.4281 * q2 + 1.26661 * q3) / b0);
    const float b3 = (float)(0.422205 * q3 / b0);
    const float gain = 1.0f - (b1 + b2 + b3);

    for (int y = 0; y < src.h; ++y) {
        const float *in = src.row(y);
        float *out = dst.row(y);

        float p1 = in[0], p2 = p1, p3 = p1;
        for (int x = 0; x < src.w; ++x) {
            const float p0 = gain * in[x] + b1 * p1 + b2 * p2 + b3 * p3;
            out[x] = p0;
            p3 = p2;
            p2 = p1;
            p1 = p0;
        }
        p2 = p3 = p1;
        for (int x = src.w - 1; x >= 0; --x) {
            const float p0 = gain * out[x] + b1 * p1 + b2 * p2 + b3 * p3;
            out[x] = p0;
            p3 = p2;
            p2 = p1;
            p1 = p0;
        }
    }
}

// Fourth order after Deriche, columns, coefficients from the caller's design. Zeros outside.
// The two halves don't depend on one another, they are added.
void gauss_columns_deriche(plane<float> img, const deriche_coefs &k)
{
    if (img.h <= 0)
        return;
    std::vector<float> in(img.h), fwd(img.h), bwd(img.h);

    const auto tap = [](const std::vector<float> &v, int i) {
        return i >= 0 && i < (int)v.size() ? v[i] : 0.0f;
    };

    for (int x = 0; x < img.w; ++x) {
        for (int y = 0; y < img.h; ++y)
            in[y] = img.row(y)[x];

        for (int y = 0; y < img.h; ++y) {
            float acc = 0.0f;
            for (int j = 0; j < 4; ++j)
                acc += k.n[j] * tap(in, y - j);
            for (int j = 0; j < 4; ++j)
                acc -= k.d[j] * tap(fwd, y - 1 - j);
            fwd[y] = acc;
        }
        for (int y = img.h - 1; y >= 0; --y) {
            float acc = 0.0f;
            for (int j = 0; j < 4; ++j)
                acc += k.m[j] * tap(in, y + 1 + j);
            for (int j = 0; j < 4; ++j)
                acc -= k.d[j] * tap(bwd, y + 1 + j);
            bwd[y] = acc;
        }
        for (int y = 0; y < img.h; ++y)
            img.row(y)[x] = fwd[y] + bwd[y];
    }
}

// Samples to cubic B-spline coefficients, mirrored at the ends.
void spline_prefilter(double *c, int n)
{
    if (n < 2)
        return;
    const double z = std::sqrt(3.0) - 2.0;
    const double gain = (1.0 - z) * (1.0 - 1.0 / z);

    for (int i = 0; i < n; ++i)
        c[i] *= gain;

    // what would have come in from the left; after 28 terms nothing is left of it
    double first = 0.0, power = 1.0;
    for (int k = 0; k < 28; ++k) {
        int m = k % (2 * n - 2);
        if (m >= n)
            m = 2 * n - 2 - m;
        first += power * c[m];
        power *= z;
    }
    c[0] = first;
    for (int i = 1; i < n; ++i)
        c[i] += z * c[i - 1];

    c[n - 1] = z / (z * z - 1.0) * (z * c[n - 2] + c[n - 1]);
    for (int i = n - 2; i >= 0; --i)
        c[i] = z * (c[i + 1] - c[i]);
}

/* ---- halftones ---------------------------------------------------------------------- */

static const uint8_t bayer8[8][8] = {
    {  0, 32,  8, 40,  2, 34, 10, 42 },
    { 48, 16, 56, 24, 50, 18, 58, 26 },
    { 12, 44,  4, 36, 14, 46,  6, 38 },
    { 60, 28, 52, 20, 62, 30, 54, 22 },
    {  3, 35, 11, 43,  1, 33,  9, 41 },
    { 51, 19, 59, 27, 49, 17, 57, 25 },
    { 15, 47,  7, 39, 13, 45,  5, 37 },
    { 63, 31, 55, 23, 61, 29, 53, 21 },
};

// Packed output for the OLED: 8 pixels a byte, the left one is the highest bit. Bits behind
// the end of a row are 0. bit_step in bytes, at least (w + 7) / 8.
void floyd_steinberg_bits(uint8_t *bits, int bit_step, plane<const uint8_t> src)
{
    if (src.w <= 0)
        return;
    // errors in sixteenths, a place more at both ends
    std::vector<int> buf_a(src.w + 2, 0), buf_b(src.w + 2, 0);
    int *cur = buf_a.data() + 1, *next = buf_b.data() + 1;

    for (int y = 0; y < src.h; ++y) {
        const uint8_t *s = src.row(y);
        uint8_t *d = bits + (std::ptrdiff_t)y * bit_step;
        uint8_t acc = 0;

        std::fill(next - 1, next + src.w + 1, 0);
        for (int x = 0; x < src.w; ++x) {
            const int v = s[x] + (cur[x] + 8) / 16;
            const bool on = v >= 128;
            const int e = on ? v - 255 : v;
            cur[x + 1] += e * 7;
            next[x - 1] += e * 3;
            next[x] += e * 5;
            next[x + 1] += e;
            acc = (uint8_t)(acc << 1 | (on ? 1 : 0));
            if ((x & 7) == 7) {
                *d++ = acc;
                acc = 0;
            }
        }
        if (src.w & 7)
            *d = (uint8_t)(acc << (8 - (src.w & 7)));
        std::swap(cur, next);
    }
}

// To and fro, in place, 0 or 255. Returns false without memory.
bool floyd_steinberg_serpentine(uint8_t *gray, int w, int h, int step)
{
    if (w <= 0 || h <= 0)
        return true;
    int16_t *err = (int16_t *)calloc(w + 2, sizeof(int16_t));
    if (err == NULL)
        return false;

    for (int y = 0; y < h; y++) {
        const int dir = y & 1 ? -1 : 1;
        int x = y & 1 ? w - 1 : 0;
        int ahead = 0, diag = 0;        // from the pixel before; for the pixel below it

        for (int n = 0; n < w; n++, x += dir) {
            int v = gray[x] + ahead + err[x + 1];
            gray[x] = v > 127 ? 255 : 0;
            v -= gray[x];
            ahead = v * 7 / 16;
            const int back = v * 3 / 16, below = v * 5 / 16;
            err[x + 1 - dir] += (int16_t)back;
            err[x + 1] = (int16_t)(below + diag);
            diag = v - ahead - back - below;
        }
        err[0] = err[w + 1] = 0;
        gray += step;
    }
    free(err);
    return true;
}

// The light one: two quarters to the right, one each below left and below.
void sierra_lite(plane<uint8_t> dst, plane<const uint8_t> src, uint8_t threshold)
{
    if (src.w <= 0)
        return;
    std::unique_ptr<int[]> below(new int[src.w + 1]());    // [x] is for the pixel x - 1

    for (int y = 0; y < src.h; ++y) {
        int right = 0;
        for (int x = 0; x < src.w; ++x) {
            const int v = src.row(y)[x] + right + below[x + 1];
            const int out = v > threshold ? 255 : 0;
            const int e = v - out;
            dst.row(y)[x] = (uint8_t)out;
            right = e / 2;
            below[x] += e / 4;
            below[x + 1] = e - e / 2 - e / 4;
        }
    }
}

// For the preview, where nothing may crawl.
void ordered_dither(plane<uint8_t> dst, plane<const uint8_t> src)
{
    for (int y = 0; y < src.h; ++y)
        for (int x = 0; x < src.w; ++x)
            dst.row(y)[x] = src.row(y)[x] > bayer8[y & 7][x & 7] * 4 + 1 ? 255 : 0;
}

/* ---- distances and regions ---------------------------------------------------------- */

// 3-4 chamfer distance to the nearest pixel of the mask, two passes. At most 65000.
void chamfer_distance(uint16_t *dist, const uint8_t *mask, int w, int h)
{
    const int far = 65000;

    for (int y = 0; y < h; ++y) {
        uint16_t *d = dist + (std::ptrdiff_t)y * w;
        const uint8_t *m = mask + (std::ptrdiff_t)y * w;
        for (int x = 0; x < w; ++x) {
            int v = m[x] ? 0 : far;
            if (x > 0)
                v = std::min(v, d[x - 1] + 3);
            if (y > 0) {
                const uint16_t *up = d - w;
                v = std::min(v, up[x] + 3);
                if (x > 0)
                    v = std::min(v, up[x - 1] + 4);
                if (x < w - 1)
                    v = std::min(v, up[x + 1] + 4);
            }
            d[x] = (uint16_t)v;
        }
    }
    for (int y = h - 1; y >= 0; --y) {
        uint16_t *d = dist + (std::ptrdiff_t)y * w;
        for (int x = w - 1; x >= 0; --x) {
            int v = d[x];
            if (x < w - 1)
                v = std::min(v, d[x + 1] + 3);
            if (y < h - 1) {
                const uint16_t *down = d + w;
                v = std::min(v, down[x] + 3);
                if (x < w - 1)
                    v = std::min(v, down[x + 1] + 4);
                if (x > 0)
                    v = std::min(v, down[x - 1] + 4);
            }
            d[x] = (uint16_t)v;
        }
    }
}

// City-block, in place: the mask comes in as 0 and not 0, and becomes the distance to 0,
// saturated at 255. Columns, then rows.
void city_block(plane<uint8_t> img)
{
    for (int x = 0; x < img.w; ++x) {
        int run = 255;
        for (int y = 0; y < img.h; ++y) {
            uint8_t &v = img.row(y)[x];
            run = v == 0 ? 0 : std::min(run + 1, 255);
            v = (uint8_t)run;
        }
        for (int y = img.h - 2; y >= 0; --y) {
            const int d = img.row(y + 1)[x] + 1;
            if (d < img.row(y)[x])
                img.row(y)[x] = (uint8_t)d;
        }
    }
    for (int y = 0; y < img.h; ++y) {
        uint8_t *p = img.row(y);
        for (int x = 1; x < img.w; ++x)
            if (p[x - 1] + 1 < p[x])
                p[x] = p[x - 1] + 1;
        for (int x = img.w - 1; x-- > 0;)
            if (p[x + 1] + 1 < p[x])
                p[x] = p[x + 1] + 1;
    }
}

// Seeds (labels that aren't 0) run to the right and then to the left through the mask.
// Returns how many pixels got a label.
int spread_labels(int32_t *labels, const uint8_t *mask, int n)
{
    int grown = 0;
    int32_t carry = 0;
    for (int i = 0; i < n; ++i) {
        if (!mask[i])
            carry = 0;
        else if (labels[i])
            carry = labels[i];
        else if (carry) {
            labels[i] = carry;
            grown++;
        }
    }
    carry = 0;
    for (int i = n - 1; i >= 0; --i) {
        carry = mask[i] ? (labels[i] ? labels[i] : carry) : 0;
        if (carry && !labels[i]) {
            labels[i] = carry;
            grown++;
        }
    }
    return grown;
}

// On from `high`, off below `low`, else as before. Off at the start of each row.
void hysteresis_rows(plane<uint8_t> dst, plane<const uint8_t> src, int low, int high)
{
    assert(low <= high);
    for (int y = 0; y < src.h; ++y) {
        const uint8_t *s = src.row(y), *end = s + src.w;
        uint8_t *d = dst.row(y);
        bool on = false;
        for (; s < end; ++s) {
            if (*s >= high)
                on = true;
            else if (*s < low)
                on = false;
            *d++ = on ? 0xff : 0;
        }
    }
}

/* ---- in time ------------------------------------------------------------------------ */

// Noise filter of the camera pipe. state has the frame's size and 4 fraction bits. Small
// differences are averaged away, bigger ones go through.
void temporal_denoise(uint8_t *frame, uint16_t *state, int n, int threshold)
{
    for (int i = 0; i < n; ++i) {
        const int in = frame[i] * 16;
        int s = state[i];
        const int diff = in - s;
        if (std::abs(diff) < threshold * 16)
            s += diff / 4;
        else
            s = in;
        state[i] = (uint16_t)s;
        frame[i] = to_u8((s + 8) >> 4);
    }
}

// Sigma-delta background over a burst of `count` dense frames. Both models move by one
// level a frame; motion is that of the last frame. Returns how many of its pixels moved.
int background_model(uint8_t *mean, uint8_t *spread, uint8_t *motion,
                     const uint8_t *const *frames, int count, int n)
{
    int moved = 0;
    for (int f = 0; f < count; ++f) {
        const uint8_t *in = frames[f];
        moved = 0;
        for (int i = 0; i < n; ++i) {
            if (mean[i] < in[i])
                mean[i]++;
            else if (mean[i] > in[i])
                mean[i]--;
            const int diff = std::abs(in[i] - mean[i]);
            if (diff != 0) {
                if (spread[i] < 4 * diff && spread[i] < 255)
                    spread[i]++;
                else if (spread[i] > 4 * diff && spread[i] > 2)
                    spread[i]--;
            }
            motion[i] = diff > spread[i];
            moved += motion[i];
        }
    }
    return moved;
}

// Gives img the distribution of grey levels of ref, by their cumulative histograms.
void match_histogram(plane<uint8_t> img, plane<const uint8_t> ref)
{
    if (img.w <= 0 || img.h <= 0 || ref.w <= 0 || ref.h <= 0)
        return;

    uint32_t have[256] = {}, want[256] = {};
    for (int y = 0; y < img.h; ++y)
        for (int x = 0; x < img.w; ++x)
            have[img.row(y)[x]]++;
    for (int y = 0; y < ref.h; ++y)
        for (int x = 0; x < ref.w; ++x)
            want[ref.row(y)[x]]++;
    for (int i = 1; i < 256; ++i) {
        have[i] += have[i - 1];
        want[i] += want[i - 1];
    }

    uint8_t lut[256];
    for (int i = 0, j = 0; i < 256;) {
        if (j < 255 && (uint64_t)want[j] * have[255] < (uint64_t)have[i] * want[255])
            ++j;
        else
            lut[i++] = (uint8_t)j;
    }
    for (int y = 0; y < img.h; ++y) {
        uint8_t *p = img.row(y);
        std::transform(p, p + img.w, p, [&lut](uint8_t v) { return lut[v]; });
    }
}
