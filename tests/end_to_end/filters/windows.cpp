#include "exercise.h"

struct Image8 {
    uint8_t *data;
    int width, height, stride;
};
struct Image16 {
    uint16_t *data;
    int width, height, stride;
};

void BoxRowsClamped(const Image8 &dst, const Image8 &src, int radius);
void BoxRowsMirrored(const Image16 &dst, const Image16 &src, int radius);
void BoxRowsShrinking(const Image8 &dst, const Image8 &src, int radius);
void BoxRowsInterior(uint8_t *dst, const uint8_t *src, int width, int height, int stride, int radius);
bool BoxRowsFloat(float *dst, const float *src, int width, int height, int stride, int radius);
void BoxRowsArgb(uint32_t *pixels, int width, int height, int stride, int radius);
void BoxSumColsInt(int *dst, const uint8_t *src, int width, int height, int stride, int radius);
void BoxMeanColsDouble(double *dst, const float *src, int width, int height, int stride, int radius);
void BoxColsZero(const Image16 &dst, const Image16 &src, int radius);
void BoxMean(const Image8 &dst, const Image8 &src, int radius);
void BoxRowsThrice(float *image, int width, int height, int stride, const int radii[3]);
void StackBlurRows(const Image8 &image, int radius);
void VarianceRows(float *var, const Image8 &src, int radius, int varStride);
void AdaptiveThreshold(const Image8 &dst, const Image8 &src, int radius, int percent);
void MovingAverage(int16_t *signal, size_t n, int taps);
void SlidingMedianRows(const Image8 &dst, const Image8 &src, int radius);
void SlidingPercentile(const Image8 &dst, const Image8 &src, int radius, int percent);
void BlockMaxRows(const Image8 &dst, const Image8 &src, int radius);
bool BlockMinForward(uint16_t *signal, int n, int k);
void StereoSad(const Image8 &disparity, const Image8 &left, const Image8 &right, int radius, int range);
void ShrinkRows(const Image8 &dst, const Image8 &src);
void EmaFrames(uint16_t *mean, const uint8_t *frames, int count, int pixels, int alpha);

static void with_radius(int w, int h, int pitch, int radius)
{
    const std::ptrdiff_t all = area(w, h, pitch);
    {
        const int other = pitch + radius % 3;
        Array<uint8_t> in(all), out(area(w, h, other)), third(all);
        const Image8 src = {in, w, h, pitch}, dst = {out, w, h, other}, more = {third, w, h, pitch};
        BoxRowsClamped(dst, src, radius);
        said("BoxRowsClamped", w, h, pitch, radius);
        BoxRowsShrinking(dst, src, radius);
        said("BoxRowsShrinking", w, h, pitch, radius);
        BoxRowsInterior(third, in, w, h, pitch, radius);
        said("BoxRowsInterior", w, h, pitch, radius);
        BoxMean(dst, src, radius);
        said("BoxMean", w, h, pitch, radius);
        for (int percent : {0, 7, 15, 100}) {
            AdaptiveThreshold(dst, src, radius, percent);
            said("AdaptiveThreshold", w, h, pitch, radius, percent);
        }
        BlockMaxRows(dst, src, radius);
        said("BlockMaxRows", w, h, pitch, radius);
        for (int range : {1, 2, 16, 256}) {
            if (range == 256 && w > 17)
                continue;
            StereoSad(dst, src, more, radius, range);
            said("StereoSad", w, h, pitch, radius, range);
        }
        SlidingMedianRows(dst, src, radius);
        said("SlidingMedianRows", w, h, pitch, radius);
        if (radius < 8)
            for (int percent : {0, 50, 100}) {
                SlidingPercentile(dst, src, radius, percent);
                said("SlidingPercentile", w, h, pitch, radius, percent);
            }
        StackBlurRows(more, radius);
        said("StackBlurRows", w, h, pitch, radius);
        Array<float> var(area(w, h, other));
        VarianceRows(var, src, radius, other);
        said("VarianceRows", w, h, pitch, radius);
        Array<int> sums(all);
        BoxSumColsInt(sums, in, w, h, pitch, radius);
        said("BoxSumColsInt", w, h, pitch, radius);
    }
    {
        const int other = pitch + radius % 3;
        Array<uint16_t> in(all), out(area(w, h, other));
        const Image16 src = {in, w, h, pitch}, dst = {out, w, h, other};
        BoxRowsMirrored(dst, src, radius);
        said("BoxRowsMirrored", w, h, pitch, radius);
        BoxColsZero(dst, src, radius);
        said("BoxColsZero", w, h, pitch, radius);
    }
    {
        Array<float> in(all), out(all);
        const bool done = BoxRowsFloat(out, in, w, h, pitch, radius);
        said("BoxRowsFloat", w, h, pitch, radius, done);
        Array<double> means(all);
        BoxMeanColsDouble(means, in, w, h, pitch, radius);
        said("BoxMeanColsDouble", w, h, pitch, radius);
        const int radii[3] = {radius, between(0, 9), radius / 2};
        BoxRowsThrice(in, w, h, pitch, radii);
        said("BoxRowsThrice", w, h, pitch, radius, radii[1]);
    }
    {
        Array<uint32_t> pixels(all);
        BoxRowsArgb(pixels, w, h, pitch, radius);
        said("BoxRowsArgb", w, h, pitch, radius);
    }
}

static void planes(int w, int h, int pitch)
{
    for (int radius : RADII)
        with_radius(w, h, pitch, radius);
    for (int smaller : {0, 1, w / 3, w / 2, w}) {
        if (smaller > w || w < 0)
            continue;
        Array<uint8_t> in(area(w, h, pitch)), out(area(smaller, h, smaller));
        ShrinkRows(Image8{out, smaller, h, smaller}, Image8{in, w, h, pitch});
        said("ShrinkRows", w, h, smaller);
    }
    for (int alpha : {0, 1, 100, 255, 256}) {
        const int pixels = w, count = h;
        Array<uint16_t> mean(pixels);
        Array<uint8_t> frames(pixels > 0 && count > 0 ? pixels * count : 0);
        EmaFrames(mean, frames, count, pixels, alpha);
        said("EmaFrames", count, pixels, alpha);
    }
}

void exercise()
{
    images(planes);
    for (int n : SIZES) {
        for (int k : {1, 2, 3, 4, 5, 7, 8, 64, 100, 2147483647}) {
            Array<uint16_t> signal(n);
            const bool done = BlockMinForward(signal, n, k);
            said("BlockMinForward", n, k, done);
        }
        for (int taps : {1, 2, 3, 8, 100}) {
            Array<int16_t> signal(n);
            MovingAverage(signal, n, taps);
            said("MovingAverage", n, taps);
        }
    }
}
