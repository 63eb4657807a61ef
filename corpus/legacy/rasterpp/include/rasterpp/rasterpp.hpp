// rasterpp.hpp - everything that is not a template.
#ifndef RASTERPP_RASTERPP_HPP
#define RASTERPP_RASTERPP_HPP

#include <cstdint>
#include <vector>

#include "rasterpp/algorithms.hpp"
#include "rasterpp/image.hpp"

namespace raster {

enum class Border { Clamp, Mirror, Constant };

// -- convert.cpp
struct LumaWeights {
    int r, g, b;            // 16.16, sum 65536
    static LumaWeights rec601() { LumaWeights w = { 19595, 38470, 7471 }; return w; }
    static LumaWeights flat() { LumaWeights w = { 21845, 21846, 21845 }; return w; }
};
void rgb_to_gray(View<const Rgb8> src, View<Gray8> dst, const LumaWeights& w);
Image<Rgb8> gray_to_rgb(const Image<Gray8>& src, const Rgb8* palette);
void rgb_to_hsv(View<const Rgb8> src, View<Rgb8> dst);
void composite_over(View<Rgba8> dst, View<const Rgba8> src, View<const Gray8>* coverage, int opacity);
void dither_to_bilevel(View<const Gray8> src, View<Gray8> dst, int threshold, bool serpentine);

// -- filters.cpp
class Kernel3 {
public:
    Kernel3(const int (&taps)[9], int divisor, int bias = 0);
    int tap(int dx, int dy) const { return taps_[(dy + 1) * 3 + dx + 1]; }
    int divisor() const { return divisor_; }
    int bias() const { return bias_; }
private:
    int taps_[9];
    int divisor_, bias_;
};
void convolve(View<const Gray8> src, View<Gray8> dst, const Kernel3& k, Border border, Gray8 outside = 0);
Image<Rgb8> smooth_binomial(const Image<Rgb8>& src, int passes);
void box_blur_rows(View<Gray16> img, int radius);
void median3(View<const Gray8> src, View<Gray8> dst);
void sobel(View<const Gray8> src, View<Gray16> magnitude, Image<Gray8>* direction);

// -- lookup.cpp
class PointOp {
public:
    virtual ~PointOp() {}
    virtual void prepare() {}
    virtual Gray8 map(Gray8 v) const = 0;
};
class InvertOp : public PointOp {
public:
    Gray8 map(Gray8 v) const { return static_cast<Gray8>(~v & 0xff); }
};
class LevelsOp : public PointOp {
public:
    LevelsOp(int lo, int hi) : lo_(lo), hi_(hi), scale_(0) {}
    void prepare();
    Gray8 map(Gray8 v) const;
private:
    int lo_, hi_, scale_;
};
class LookupTable {
public:
    LookupTable();
    explicit LookupTable(PointOp& op);
    Gray8& operator[](int i) { return table_[i]; }
    Gray8 operator[](int i) const { return table_[i]; }
    void apply(View<Gray8> img) const;
    void apply(View<const Rgb8> src, View<Rgb8> dst, unsigned channel_mask) const;
private:
    std::vector<Gray8> table_;
};
void apply_point_op(View<Gray8> img, PointOp& op);

// -- geometry.cpp
void flip_horizontal(View<Rgb8> img);
void flip_vertical(View<Rgb8> img);
Image<Rgba8> rotate90(const Image<Rgba8>& src, int quarter_turns);
Image<Gray8> resize_bilinear(const Image<Gray8>& src, int width, int height);
Image<Rgb8> halve(const Image<Rgb8>& src);
Image<Gray8> shear_x(const Image<Gray8>& src, std::int32_t slope_q16, Gray8 background);

// -- morphology.cpp
struct Element { int left, right, up, down; };      // rectangle around the pixel
Image<Gray8> erode(const Image<Gray8>& src, const Element& e);
Image<Gray8> dilate(const Image<Gray8>& src, const Element& e);
struct Box { int x0, y0, x1, y1; bool empty() const { return x1 < x0; } };
Box bounding_box(View<const Gray8> img, Gray8 background);

// -- statistics.cpp
class Histogram {
public:
    Histogram();
    void accumulate(View<const Gray8> img, const View<const Gray8>* mask = 0);
    std::uint32_t operator[](int i) const { return bins_[i]; }
    std::uint32_t total() const { return total_; }
    int otsu() const;
private:
    std::uint32_t bins_[256];
    std::uint32_t total_;
};
struct Moments { std::uint64_t sum, sum_sq; unsigned min, max; std::uint32_t count; };
template <class C> Moments moments(View<const C> img);
void equalize(View<Gray8> img);
int binarize(View<const Gray8> src, View<Gray8> dst);
Image<std::uint32_t> integral(const Image<Gray8>& src);

} // namespace raster

#endif
