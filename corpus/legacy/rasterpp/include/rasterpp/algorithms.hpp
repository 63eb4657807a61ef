// algorithms.hpp - generic algorithms over iterators and views.
#ifndef RASTERPP_ALGORITHMS_HPP
#define RASTERPP_ALGORITHMS_HPP

#include "rasterpp/image.hpp"

namespace raster {

// std::transform with pixels; kept since the pre-standard days.
template <class InIt, class OutIt, class Op>
OutIt transform_pixels(InIt first, InIt last, OutIt out, Op op)
{
    for (; first != last; ++first, ++out)
        *out = op(*first);
    return out;
}

// Depth conversion, any channel type to any other, same number of channels.
template <class Src, class Dst>
void convert_depth(View<const Src> src, View<Dst> dst)
{
    typedef PixelTraits<Src> SP;
    typedef PixelTraits<Dst> DP;
    typedef ChannelTraits<typename SP::channel_type> SC;
    typedef ChannelTraits<typename DP::channel_type> DC;
    static_assert(int(SP::channels) == int(DP::channels), "convert_depth keeps the number of channels");

    if (src.width() != dst.width() || src.height() != dst.height())
        throw SizeMismatch("convert_depth");

    for (int y = 0; y < src.height(); ++y) {
        const Src* s = src.row(y);
        Dst* d = dst.row(y);
        for (int x = 0; x < src.width(); ++x, ++s, ++d)
            for (int c = 0; c < SP::channels; ++c)
                DP::channel(*d, c) = DC::from_real(SC::to_real(SP::channel(*s, c)));
    }
}

// One channel of a colour image, seen as an image of scalars.
template <class P>
class ChannelAccessor {
public:
    typedef typename PixelTraits<P>::channel_type channel_type;
    explicit ChannelAccessor(int index) : index_(index)
    {
        RASTER_REQUIRE(index >= 0 && index < PixelTraits<P>::channels, "channel index");
    }
    channel_type get(const P& p) const { return PixelTraits<P>::channel(p, index_); }
    void set(channel_type v, P& p) const { PixelTraits<P>::channel(p, index_) = v; }
private:
    int index_;
};

template <class P, class Accessor>
Image<typename Accessor::channel_type> extract_channel(const Image<P>& src, const Accessor& acc)
{
    Image<typename Accessor::channel_type> out(src.width(), src.height());
    typename Image<P>::const_iterator s = src.begin();
    typename Image<typename Accessor::channel_type>::iterator d = out.begin();
    while (s != src.end())
        *d++ = acc.get(*s++);
    return out;
}

// Image arithmetic for two equal sized views: |a - b|.
template <class P>
void abs_difference(View<const P> a, View<const P> b, View<P> out)
{
    typedef PixelTraits<P> PT;
    if (a.width() != b.width() || a.height() != b.height() ||
        a.width() != out.width() || a.height() != out.height())
        throw SizeMismatch("abs_difference");
    const int w = a.width();
    for (int y = 0; y != a.height(); ++y) {
        const P* pa = a.row(y);
        const P* pb = b.row(y);
        P* po = out.row(y);
        for (int n = w; n > 0; --n, ++pa, ++pb, ++po)
            for (int c = 0; c < PT::channels; ++c) {
                const typename PT::channel_type u = PT::channel(*pa, c), v = PT::channel(*pb, c);
                PT::channel(*po, c) = static_cast<typename PT::channel_type>(u > v ? u - v : v - u);
            }
    }
}

} // namespace raster

#endif
