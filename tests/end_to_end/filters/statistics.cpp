#include "exercise.h"

#include <array>

template <typename T> struct View {
    const T *data;
    int width;
    int height;
    int stride;
};
typedef View<uint8_t> View8;
typedef View<uint16_t> View16;

struct Box {
    int left, top, right, bottom;
};
struct Moments {
    double m00, m10, m01;
    double mu20, mu11, mu02;
};
struct Point2d {
    double x, y;
};

void ImageHistogram(const View8 &image, uint32_t hist[256]);
void CoarseHistogram(const uint8_t *pixels, size_t count, uint32_t *bins);
void DeepHistogram(const View16 &image, int shift, std::vector<uint32_t> &bins);
void ChannelHistogram(const uint8_t *pixels, int width, int height, int stride, int channels, int which,
                      int *hist);
int MaskedHistogram(const View8 &image, const View8 &mask, std::array<int, 256> &hist);
void EqualizeHistogram(uint8_t *dst, int dst_stride, const View8 &src);
int OtsuThreshold(const View8 &image);
int HistogramPercentile(const uint32_t *hist, int bins, int permille);
void ThresholdAtMean(uint8_t *image, int width, int height, int stride, int offset);
double MeanValue(const View8 &image);
bool MeanStdDev(const View16 &image, double *mean, double *std_dev);
double SampleVariance(const float *signal, size_t count);
void MinMaxValue(const View16 &image, uint16_t *lo, uint16_t *hi);
size_t ArgMaxFirst(const float *signal, size_t count);
int ArgMaxLast(const int16_t *signal, int count, int *peak);
void RunningExtremes(int32_t *lo, int32_t *hi, const int32_t *signal, int count);
void TrailingMax(std::vector<float> &out, const std::vector<float> &in, int window);
uint64_t SumPixels(const uint16_t *pixels, int width, int height, int stride);
int SumAbsDiff(const uint8_t *a, int a_stride, const uint8_t *b, int b_stride, int width, int height,
               int limit);
int64_t SumSquaredDiff(const View8 &a, const View8 &b);
double PeakSignalToNoise(const uint8_t *a, const uint8_t *b, size_t count);
double CrossCorrelation(const View8 &image, const View8 &pattern, int left, int top);
int CountAbove(const View8 &image, int level);
bool AnySaturated(const View16 &image, uint16_t white);
bool AllWithin(const float *values, int count, float lo, float hi);
size_t FindFirstAbove(const uint8_t *samples, size_t count, size_t start, int level);
int LastNonzeroColumn(const View8 &image);
Box BoundingBox(const View8 &image);
int CountZeroCrossings(const int16_t *signal, int count);
int RunLengths(int *lengths, int max_runs, const uint8_t *line, int width);
int LongestDarkRun(const uint8_t *line, int width, int level);
void ProjectColumns(std::vector<uint32_t> &sums, const View8 &image);
void ProjectBoth(uint32_t *row_sums, uint32_t *column_sums, const uint16_t *image, int width, int height,
                 int stride);
Point2d Centroid(const View8 &image);
Moments BlobMoments(const View<float> &image);
uint32_t Adler32(const uint8_t *bytes, size_t count, uint32_t seed);
uint16_t Fletcher16(const uint8_t *bytes, int count);
int MaskArea(const uint8_t *bits, int width, int height, int row_bytes, uint8_t *odd);

static uint64_t hash_of(const void *bytes, size_t n)
{
    Hash h;
    for (size_t i = 0; i < n; i++)
        h.add(((const unsigned char *)bytes)[i]);
    return h.value;
}

static void lines(int n)
{
    const size_t count = n < 0 ? 0 : n;
    {
        Array<uint8_t> pixels(n), others(n);
        Array<uint32_t> bins(64);
        CoarseHistogram(pixels, count, bins);
        said("CoarseHistogram", n);
        said("PeakSignalToNoise", n, PeakSignalToNoise(pixels, others, count));
        said("PeakSignalToNoise of equals", n, PeakSignalToNoise(pixels, pixels, count));
        for (uint32_t seed : {1u, 0u, 0xffffffffu, 0xfff0fff0u})
            said("Adler32", n, seed, Adler32(pixels, count, seed));
        said("Fletcher16", n, Fletcher16(pixels, n));
        for (int level : {-1, 0, 1, 40, 128, 250, 255, 256}) {
            said("LongestDarkRun", n, level, LongestDarkRun(pixels, n, level));
            for (int start : {0, 1, 5, n < 0 ? 0 : n, 1000})
                said("FindFirstAbove", n, start, level, FindFirstAbove(pixels, count, start, level));
        }
    }
    for (int many : {1, 3, 255}) {
        Array<uint8_t> line(n, 0, many);
        for (int most : {0, 1, 3, 100}) {
            Array<int> lengths(most);
            const int runs = RunLengths(lengths, most, line, n);
            said("RunLengths", n, most, runs);
        }
    }
    for (int bins : {n}) {
        Array<uint32_t> hist(bins, 0, 9), empty(bins, 0, 0), large(bins);
        for (int permille : {-5, 0, 1, 500, 999, 1000, 1001, 4000}) {
            said("HistogramPercentile", n, permille, HistogramPercentile(hist, bins, permille));
            said("HistogramPercentile", n, permille, HistogramPercentile(empty, bins, permille));
            said("HistogramPercentile", n, permille, HistogramPercentile(large, bins, permille));
        }
    }
    for (int different : {0, 2, 1000}) {
        Array<float> signal(n, -different, different);
        for (std::ptrdiff_t i = 0; i < signal.n; i++)
            signal.data[i] *= 0.37f;
        said("SampleVariance", n, SampleVariance(signal, count));
        said("ArgMaxFirst", n, ArgMaxFirst(signal, count));
        for (float bound : {-1.0f, 0.0f, 0.74f, 1000.0f})
            said("AllWithin", n, bound, AllWithin(signal, n, -bound, bound));
        if (n > 2) {
            signal.data[n / 2] = NAN;
            said("AllWithin of NaN", n, AllWithin(signal, n, -1000.0f, 1000.0f));
            said("ArgMaxFirst of NaN", n, ArgMaxFirst(signal, count));
            signal.data[0] = NAN;
            said("ArgMaxFirst from NaN", n, ArgMaxFirst(signal, count));
        }
        Array<int16_t> samples(n, -different, different);
        Array<int> peak(1);
        said("ArgMaxLast without peak", n, ArgMaxLast(samples, n, nullptr));
        const int at = ArgMaxLast(samples, n, peak);
        said("ArgMaxLast", n, at);
        said("CountZeroCrossings", n, CountZeroCrossings(samples, n));
        Array<int32_t> values(n), lo(n), hi(n);
        RunningExtremes(lo, hi, values, n);
        said("RunningExtremes", n);
    }
    for (int window : {1, 2, 3, 7, 64, 1000}) {
        std::vector<float> in(count), out(window % 5);
        for (float &v : in)
            v = any<float>();
        TrailingMax(out, in, window);
        said("TrailingMax", n, window, out.size(), hash_of(out.data(), out.size() * sizeof(float)));
    }
}

static void planes(int w, int h, int pitch)
{
    const std::ptrdiff_t all = area(w, h, pitch);
    for (int sparse : {0, 1, 50}) {
        Array<uint8_t> pixels(all), other(all);
        for (std::ptrdiff_t i = 0; sparse && i < all; i++)
            pixels.data[i] = between(0, sparse) ? 0 : pixels.data[i];
        const View8 image = {pixels, w, h, pitch}, second = {other, w, h, pitch};
        Array<uint32_t> hist(256);
        ImageHistogram(image, hist);
        said("ImageHistogram", w, h, pitch);
        {
            std::array<int, 256> masked;
            const int used = MaskedHistogram(second, image, masked);
            said("MaskedHistogram", w, h, used, hash_of(masked.data(), sizeof masked));
            const View8 narrower = {pixels, w - 1, h + 0, pitch};
            const int fewer = MaskedHistogram(second, narrower, masked);
            said("MaskedHistogram", w, h, fewer, hash_of(masked.data(), sizeof masked));
        }
        said("OtsuThreshold", w, h, OtsuThreshold(image));
        said("MeanValue", w, h, MeanValue(image));
        said("SumSquaredDiff", w, h, SumSquaredDiff(image, second));
        for (int limit : {-1, 0, 100, 2000, 100000000})
            said("SumAbsDiff", w, h, limit, SumAbsDiff(pixels, pitch, other, pitch, w, h, limit));
        for (int left : {-1, 0, 1, 2, 5})
            for (int top : {-1, 0, 1, 3})
                for (int part : {0, 1, 2, 4}) {
                    const View8 pattern = {other, part < w ? part : w, part < h ? part : h, pitch};
                    const double found = CrossCorrelation(image, pattern, left, top);
                    said("CrossCorrelation", w, h, left, top, part, found);
                }
        for (int level : {-1, 0, 100, 255})
            said("CountAbove", w, h, level, CountAbove(image, level));
        said("LastNonzeroColumn", w, h, LastNonzeroColumn(image));
        const Box box = BoundingBox(image);
        said("BoundingBox", w, h, box.left, box.top, box.right, box.bottom);
        std::vector<uint32_t> sums(3, 7);
        ProjectColumns(sums, image);
        said("ProjectColumns", w, h, sums.size(), hash_of(sums.data(), sums.size() * 4));
        const Point2d centre = Centroid(image);
        said("Centroid", w, h, centre.x, centre.y);
        Array<uint8_t> out(all);
        EqualizeHistogram(out, pitch, image);
        said("EqualizeHistogram", w, h);
        for (int offset : {-300, -10, 0, 10, 300}) {
            Array<uint8_t> changed(all);
            ThresholdAtMean(changed, w, h, pitch, offset);
            said("ThresholdAtMean", w, h, pitch, offset);
        }
    }
    for (int most : {0, 9, 65535}) {
        Array<uint16_t> pixels(all, 0, most), extremes(2);
        const View16 image = {pixels, w, h, pitch};
        for (int shift : {0, 3, 8, 15, 16}) {
            std::vector<uint32_t> bins(shift, 1);
            DeepHistogram(image, shift, bins);
            said("DeepHistogram", w, h, shift, bins.size(), hash_of(bins.data(), bins.size() * 4));
        }
        Array<double> told(2);
        const bool is_there = MeanStdDev(image, told.data, told.data + 1);
        said("MeanStdDev", w, h, is_there);
        MinMaxValue(image, extremes.data, extremes.data + 1);
        said("MinMaxValue", w, h);
        said("SumPixels", w, h, SumPixels(pixels, w, h, pitch));
        for (int white : {0, 1, 9, 60000, 65535})
            said("AnySaturated", w, h, white, AnySaturated(image, (uint16_t)white));
        Array<uint32_t> rows(h), columns(w);
        ProjectBoth(rows, columns, pixels, w, h, pitch);
        said("ProjectBoth", w, h);
    }
    for (int channels : {1, 3, 4})
        for (int which = 0; which < channels; which++) {
            const int bytes = w > 0 ? w * channels : w;
            Array<uint8_t> pixels(area(bytes, h, bytes + pitch - w));
            Array<int> hist(256);
            ChannelHistogram(pixels, w, h, bytes + pitch - w, channels, which, hist);
            said("ChannelHistogram", w, h, channels, which);
        }
    {
        Array<float> pixels(all);
        const Moments m = BlobMoments(View<float>{pixels, w, h, pitch});
        said("BlobMoments", w, h, m.m00, m.m10, m.m01, m.mu20, m.mu11, m.mu02);
    }
    if (w >= 0) {
        const int bytes = (w + 7) / 8;
        Array<uint8_t> bits(area(bytes, h, bytes + pitch - w)), odd(h);
        const int found = MaskArea(bits, w, h, bytes + pitch - w, odd);
        said("MaskArea", w, h, found);
    }
}

void exercise()
{
    for (int n : SIZES)
        lines(n);
    lines(-1);
    lines(6000);
    images(planes);
}
