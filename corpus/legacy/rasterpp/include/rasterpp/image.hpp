// image.hpp - View (borrowed pixels) and Image (owned pixels).
//
// A View is a pointer, a size and a stride in *bytes*; the stride may be negative
// (bottom-up bitmaps). An Image owns one block, rows padded to a multiple of its
// row alignment. Padding is zeroed on construction and never written afterwards.
#ifndef RASTERPP_IMAGE_HPP
#define RASTERPP_IMAGE_HPP

#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include "rasterpp/errors.hpp"
#include "rasterpp/pixel.hpp"

namespace raster {

template <class P> class PixelIterator;

template <class P>
class View {
    typedef typename std::conditional<std::is_const<P>::value, const unsigned char, unsigned char>::type byte_type;
public:
    typedef P value_type;
    typedef PixelIterator<P> iterator;

    View() : base_(0), width_(0), height_(0), stride_(0) {}
    View(P* base, int width, int height, std::ptrdiff_t stride)
        : base_(reinterpret_cast<byte_type*>(base)), width_(width), height_(height), stride_(stride) {}

    // View<T> -> View<const T>
    template <class Q, class = typename std::enable_if<std::is_same<const Q, P>::value && !std::is_const<Q>::value>::type>
    View(const View<Q>& o)
        : base_(reinterpret_cast<byte_type*>(o.data())), width_(o.width()), height_(o.height()), stride_(o.stride()) {}

    int width() const { return width_; }
    int height() const { return height_; }
    std::ptrdiff_t stride() const { return stride_; }
    bool empty() const { return width_ <= 0 || height_ <= 0; }
    P* data() const { return reinterpret_cast<P*>(base_); }

    P* row(int y) const { return reinterpret_cast<P*>(base_ + y * stride_); }
    P& operator()(int x, int y) const { return row(y)[x]; }
    P& at(int x, int y) const
    {
        if (x < 0 || y < 0 || x >= width_ || y >= height_)
            throw BadArgument("View::at out of range");
        return row(y)[x];
    }

    View window(int x, int y, int w, int h) const
    {
        if (x < 0 || y < 0 || w < 0 || h < 0 || x > width_ - w || y > height_ - h)
            throw BadArgument("View::window outside of the image");
        return View(w && h ? row(y) + x : data(), w, h, stride_);
    }

    View flipped() const { return empty() ? *this : View(row(height_ - 1), width_, height_, -stride_); }

    iterator begin() const { return iterator(*this, empty() ? height_ : 0); }
    iterator end() const { return iterator(*this, height_); }

private:
    byte_type*     base_;
    int            width_, height_;
    std::ptrdiff_t stride_;
};

// Walks all pixels row by row, jumping over the padding.
template <class P>
class PixelIterator {
public:
    typedef std::forward_iterator_tag iterator_category;
    typedef typename std::remove_const<P>::type value_type;
    typedef std::ptrdiff_t difference_type;
    typedef P* pointer;
    typedef P& reference;

    PixelIterator(const View<P>& v, int y) : view_(v), p_(0), x_(0), y_(y)
    {
        if (y_ < view_.height()) p_ = view_.row(y_);
    }
    P& operator*() const { return *p_; }
    P* operator->() const { return p_; }
    PixelIterator& operator++()
    {
        if (++x_ < view_.width()) { ++p_; return *this; }
        x_ = 0;
        p_ = ++y_ < view_.height() ? view_.row(y_) : 0;
        return *this;
    }
    PixelIterator operator++(int) { PixelIterator t(*this); ++*this; return t; }
    bool operator==(const PixelIterator& o) const { return x_ == o.x_ && y_ == o.y_; }
    bool operator!=(const PixelIterator& o) const { return !(*this == o); }

private:
    View<P> view_;
    P*      p_;
    int     x_, y_;
};

template <class P>
class Image {
public:
    typedef P value_type;
    typedef typename PixelTraits<P>::channel_type channel_type;
    typedef PixelIterator<P> iterator;
    typedef PixelIterator<const P> const_iterator;

    Image() : width_(0), height_(0), stride_(0), bytes_(0) {}

    Image(int width, int height, std::size_t row_align = 4)
        : width_(width), height_(height), stride_(0), bytes_(0)
    {
        RASTER_REQUIRE(width >= 0 && height >= 0, "negative image size");
        RASTER_REQUIRE(row_align && (row_align & (row_align - 1)) == 0, "row alignment must be a power of two");
        if (row_align < alignof(P)) row_align = alignof(P);
        const std::size_t used = static_cast<std::size_t>(width) * sizeof(P);
        stride_ = static_cast<std::ptrdiff_t>((used + row_align - 1) & ~(row_align - 1));
        bytes_ = static_cast<std::size_t>(stride_) * height_;
        block_.reset(new unsigned char[bytes_ + 1]());
    }

    Image(const Image& o) : width_(o.width_), height_(o.height_), stride_(o.stride_), bytes_(o.bytes_)
    {
        if (!o.block_) return;
        block_.reset(new unsigned char[bytes_ + 1]());
        copy_from(o.view());
    }
    Image(Image&& o) noexcept : width_(0), height_(0), stride_(0), bytes_(0) { swap(o); }
    Image& operator=(Image o) noexcept { swap(o); return *this; }

    void swap(Image& o) noexcept
    {
        std::swap(width_, o.width_);
        std::swap(height_, o.height_);
        std::swap(stride_, o.stride_);
        std::swap(bytes_, o.bytes_);
        block_.swap(o.block_);
    }

    int width() const { return width_; }
    int height() const { return height_; }
    std::ptrdiff_t stride() const { return stride_; }
    std::size_t bytes() const { return bytes_; }
    const unsigned char* raw() const { return block_.get(); }

    P*       row(int y)       { return reinterpret_cast<P*>(block_.get() + y * stride_); }
    const P* row(int y) const { return reinterpret_cast<const P*>(block_.get() + y * stride_); }
    P&       operator()(int x, int y)       { return row(y)[x]; }
    const P& operator()(int x, int y) const { return row(y)[x]; }

    View<P>       view()       { return View<P>(reinterpret_cast<P*>(block_.get()), width_, height_, stride_); }
    View<const P> view() const { return View<const P>(reinterpret_cast<const P*>(block_.get()), width_, height_, stride_); }
    operator View<P>() { return view(); }
    operator View<const P>() const { return view(); }

    iterator       begin()       { return view().begin(); }
    iterator       end()         { return view().end(); }
    const_iterator begin() const { return view().begin(); }
    const_iterator end() const   { return view().end(); }

    void fill(const P& value);
    void copy_from(View<const P> src);
    Image& operator+=(const Image& rhs);
    Image& operator*=(float gain);
    bool operator==(const Image& rhs) const;

private:
    std::unique_ptr<unsigned char[]> block_;
    int            width_, height_;
    std::ptrdiff_t stride_;
    std::size_t    bytes_;
};

template <class P>
void Image<P>::fill(const P& value)
{
    const P v = value;              // might live inside of this very image
    for (int y = 0; y < height_; ++y) {
        P* p = row(y);
        for (P* const e = p + width_; p != e; ++p)
            *p = v;
    }
}

template <class P>
void Image<P>::copy_from(View<const P> src)
{
    if (src.width() != width_ || src.height() != height_)
        throw SizeMismatch("Image::copy_from");
    for (int y = 0; y < height_; ++y) {
        const P* s = src.row(y);
        P* d = row(y);
        for (int x = 0; x < width_; ++x)
            d[x] = s[x];
    }
}

// Saturating sum, channel by channel.
template <class P>
Image<P>& Image<P>::operator+=(const Image& rhs)
{
    typedef PixelTraits<P> PT;
    typedef ChannelTraits<channel_type> CT;

    if (rhs.width_ != width_ || rhs.height_ != height_)
        throw SizeMismatch("Image::operator+=");
    const_iterator s = rhs.begin();
    for (iterator d = begin(), e = end(); d != e; ++d, ++s) {
        for (int c = 0; c < PT::channels; ++c) {
            const typename CT::accum_type sum = PT::channel(*d, c) + PT::channel(*s, c);
            PT::channel(*d, c) = CT::clamp(sum);
        }
    }
    return *this;
}

// Gain on the colour channels; alpha stays what it is.
template <class P>
Image<P>& Image<P>::operator*=(float gain)
{
    typedef PixelTraits<P> PT;
    typedef ChannelTraits<channel_type> CT;
    const int nc = PT::has_alpha ? PT::channels - 1 : PT::channels;

    if (gain == 1.0f)
        return *this;
    for (int y = 0; y < height_; ++y)
        for (int x = 0; x < width_; ++x) {
            P& p = (*this)(x, y);
            for (int c = 0; c < nc; ++c) {
                channel_type& v = PT::channel(p, c);
                v = CT::from_real(CT::to_real(v) * gain);
            }
        }
    return *this;
}

template <class P>
bool Image<P>::operator==(const Image& rhs) const
{
    if (rhs.width_ != width_ || rhs.height_ != height_)
        return false;
    for (int y = 0; y < height_; ++y) {
        const P *a = row(y), *b = rhs.row(y);
        for (int x = 0; x < width_; ++x)
            if (!(a[x] == b[x]))
                return false;
    }
    return true;
}

template <class P>
inline Image<P> operator+(Image<P> a, const Image<P>& b) { a += b; return a; }

template <class P>
inline void swap(Image<P>& a, Image<P>& b) { a.swap(b); }

} // namespace raster

#endif
