#include "exercise.h"

#include <array>

template <typename T> struct plane {
    T *data;
    int w, h;
    std::ptrdiff_t step;
};
struct biquad {
    float b0, b1, b2;
    float a1, a2;
};
struct deriche_coefs {
    std::array<float, 4> n, m, d;
};

float smooth_forward(float *dst, const float *src, int n, float a, float state);
void smooth_rows(plane<float> img, float a);
void smooth_columns(float *img, int w, int h, std::ptrdiff_t step, float a);
void fixed_smooth_rows(uint8_t *pixels, int w, int h, int step, int strength);
void leaky_row(uint8_t *dst, const uint8_t *src, size_t n, unsigned keep);
void dc_block(int16_t *samples, int n, float r, float state[2]);
void echo_row(float *row, int n, int lag, float gain);
void flare_trail(plane<uint16_t> img, int decay);
void biquad_df1(float *dst, const float *src, int n, const biquad &q);
void biquad_df2_rows(plane<float> img, const biquad *q);
void biquad_cascade_stereo(float *buf, int frames, const biquad *sections, int count, float *z);
void gauss_rows_yvv(plane<float> dst, plane<const float> src, float sigma);
void gauss_columns_deriche(plane<float> img, const deriche_coefs &k);
void spline_prefilter(double *c, int n);
void floyd_steinberg_bits(uint8_t *bits, int bit_step, plane<const uint8_t> src);
bool floyd_steinberg_serpentine(uint8_t *gray, int w, int h, int step);
void sierra_lite(plane<uint8_t> dst, plane<const uint8_t> src, uint8_t threshold);
void ordered_dither(plane<uint8_t> dst, plane<const uint8_t> src);
void chamfer_distance(uint16_t *dist, const uint8_t *mask, int w, int h);
void city_block(plane<uint8_t> img);
int spread_labels(int32_t *labels, const uint8_t *mask, int n);
void hysteresis_rows(plane<uint8_t> dst, plane<const uint8_t> src, int low, int high);
void temporal_denoise(uint8_t *frame, uint16_t *state, int n, int threshold);
int background_model(uint8_t *mean, uint8_t *spread, uint8_t *motion, const uint8_t *const *frames,
                     int count, int n);
void match_histogram(plane<uint8_t> img, plane<const uint8_t> ref);

static const biquad FILTERS[] = {
    {0.2f, 0.4f, 0.2f, -0.3f, 0.1f},
    {1.0f, 0.0f, 0.0f, 0.0f, 0.0f},
    {0.05f, -0.1f, 0.07f, -1.7f, 0.75f},
};

static void lines(int n)
{
    for (float a : {0.0f, 0.1f, 0.75f, 1.0f}) {
        Array<float> in(n), out(n);
        const float left = smooth_forward(out, in, n, a, 3.25f);
        said("smooth_forward", n, a, left);
        const float there = smooth_forward(in, in, n, a, -1.5f);
        said("smooth_forward in place", n, a, there);
    }
    for (unsigned keep : {0u, 1u, 200u, 255u, 256u}) {
        Array<uint8_t> in(n), out(n);
        leaky_row(out, in, n < 0 ? 0 : n, keep);
        said("leaky_row", n, keep);
    }
    for (float r : {0.0f, 0.5f, 0.995f}) {
        Array<int16_t> samples(n);
        Array<float> state(2);
        dc_block(samples, n, r, state);
        said("dc_block", n, r);
    }
    for (int lag : {1, 2, 3, 7, 40, 200}) {
        Array<float> row(n);
        echo_row(row, n, lag, 0.7f);
        said("echo_row", n, lag);
    }
    for (const biquad &q : FILTERS) {
        Array<float> in(n), out(n);
        biquad_df1(out, in, n, q);
        said("biquad_df1", n);
    }
    for (int count : {0, 1, 2, 3}) {
        const int frames = n < 0 ? 0 : n;
        Array<float> buffer(2 * frames), z(4 * count);
        biquad_cascade_stereo(buffer, n, FILTERS, count, z);
        said("biquad_cascade_stereo", n, count);
    }
    {
        Array<double> c(n);
        spline_prefilter(c, n);
        said("spline_prefilter", n);
    }
    for (int dense : {1, 3, 20}) {
        Array<int32_t> labels(n, 0, dense);
        Array<uint8_t> mask(n, 0, 1);
        mask.smooth(dense);
        const int grown = spread_labels(labels, mask, n);
        said("spread_labels", n, dense, grown);
    }
    for (int threshold : {0, 1, 10, 255, 256}) {
        Array<uint8_t> frame(n);
        Array<uint16_t> state(n, 0, 4095);
        temporal_denoise(frame, state, n, threshold);
        said("temporal_denoise", n, threshold);
    }
    for (int count : {0, 1, 2, 5}) {
        Array<uint8_t> mean(n), spread(n, 0, 20), motion(n), f0(n), f1(n), f2(n);
        const uint8_t *frames[] = {f0, f1, f2, mean.data, f1};
        frames[3] = f0;
        const int moved = background_model(mean, spread, motion, frames, count, n);
        said("background_model", n, count, moved);
    }
}

static void planes(int w, int h, int pitch)
{
    const std::ptrdiff_t all = area(w, h, pitch);
    for (float a : {0.0f, 0.25f, 0.9f, 1.0f}) {
        Array<float> pixels(all);
        smooth_rows(plane<float>{pixels, w, h, pitch}, a);
        said("smooth_rows", w, h, pitch, a);
        smooth_columns(pixels, w, h, pitch, a);
        said("smooth_columns", w, h, pitch, a);
    }
    for (int strength : {0, 1, 20000, 65535, 65536}) {
        Array<uint8_t> pixels(all);
        fixed_smooth_rows(pixels, w, h, pitch, strength);
        said("fixed_smooth_rows", w, h, pitch, strength);
    }
    for (int decay : {0, 1, 240, 256}) {
        Array<uint16_t> pixels(all);
        flare_trail(plane<uint16_t>{pixels, w, h, pitch}, decay);
        said("flare_trail", w, h, pitch, decay);
    }
    for (const biquad &q : FILTERS) {
        Array<float> pixels(all);
        biquad_df2_rows(plane<float>{pixels, w, h, pitch}, &q);
        said("biquad_df2_rows", w, h, pitch);
    }
    for (float sigma : {0.25f, 0.5f, 1.0f, 2.5f, 9.0f}) {
        const int other = pitch + 2;
        Array<float> in(all), out(area(w, h, other));
        gauss_rows_yvv(plane<float>{out, w, h, other}, plane<const float>{in, w, h, pitch}, sigma);
        said("gauss_rows_yvv", w, h, pitch, sigma);
    }
    {
        Array<float> pixels(all);
        const deriche_coefs k = {{{0.1f, 0.2f, 0.1f, 0.05f}}, {{0.2f, 0.1f, 0.05f, 0.0f}},
                                 {{-0.5f, 0.2f, -0.1f, 0.02f}}};
        gauss_columns_deriche(plane<float>{pixels, w, h, pitch}, k);
        said("gauss_columns_deriche", w, h, pitch);
    }
    for (int level : {0, 100, 127, 255}) {
        const int bytes = w > 0 ? (w + 7) / 8 : 0, other = pitch + 1;
        Array<uint8_t> in(all), bits(area(bytes, h, bytes + 1)), out(area(w, h, other));
        const plane<const uint8_t> src = {in, w, h, pitch};
        const plane<uint8_t> dst = {out, w, h, other};
        floyd_steinberg_bits(bits, bytes + 1, src);
        said("floyd_steinberg_bits", w, h, pitch);
        sierra_lite(dst, src, (uint8_t)level);
        said("sierra_lite", w, h, pitch, level);
        ordered_dither(dst, src);
        said("ordered_dither", w, h, pitch);
        for (int high : {level, level + 1, level + 60}) {
            hysteresis_rows(dst, src, level, high);
            said("hysteresis_rows", w, h, pitch, level, high);
        }
        const bool done = floyd_steinberg_serpentine(in, w, h, pitch);
        said("floyd_steinberg_serpentine", w, h, pitch, done);
    }
    for (int dense : {1, 30, 1000}) {
        if (pitch == w) {
            Array<uint8_t> mask(all);
            Array<uint16_t> distance(all);
            for (std::ptrdiff_t i = 0; i < mask.n; i++)
                mask.data[i] = between(0, dense) == 1;
            chamfer_distance(distance, mask, w, h);
            said("chamfer_distance", w, h, dense);
        }
        Array<uint8_t> pixels(all);
        for (std::ptrdiff_t i = 0; i < pixels.n; i++)
            pixels.data[i] = between(0, dense) == 1 ? 0 : pixels.data[i];
        city_block(plane<uint8_t>{pixels, w, h, pitch});
        said("city_block", w, h, pitch, dense);
    }
    {
        Array<uint8_t> pixels(all), other(all);
        match_histogram(plane<uint8_t>{pixels, w, h, pitch},
                        plane<const uint8_t>{other, w, h, pitch});
        said("match_histogram", w, h, pitch);
    }
}

void exercise()
{
    for (int n : SIZES)
        lines(n);
    lines(-1);
    lines(1000);
    images(planes);
}
