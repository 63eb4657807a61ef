// lookup.cpp - point operations and tables.
#include "rasterpp/rasterpp.hpp"

namespace raster {

void LevelsOp::prepare()
{
    RASTER_REQUIRE(lo_ >= 0 && hi_ <= 255 && lo_ < hi_, "levels");
    scale_ = (255 << 16) / (hi_ - lo_);
}

Gray8 LevelsOp::map(Gray8 v) const
{
    if (v <= lo_) return 0;
    if (v >= hi_) return 255;
    return static_cast<Gray8>(((v - lo_) * scale_ + 0x8000) >> 16);
}

LookupTable::LookupTable() : table_(256)
{
    for (int i = 0; i < 256; ++i)
        table_[i] = static_cast<Gray8>(i);
}

LookupTable::LookupTable(PointOp& op) : table_(256)
{
    op.prepare();
    for (int i = 0; i < 256; ++i)
        table_[i] = op.map(static_cast<Gray8>(i));
}

void LookupTable::apply(View<Gray8> img) const
{
    const Gray8* const t = &table_[0];
    for (View<Gray8>::iterator it = img.begin(); it != img.end(); ++it)
        *it = t[*it];
}

// Bit c of channel_mask: channel c goes through the table, the others are copied.
void LookupTable::apply(View<const Rgb8> src, View<Rgb8> dst, unsigned channel_mask) const
{
    if (src.width() != dst.width() || src.height() != dst.height())
        throw SizeMismatch("LookupTable::apply");
    for (int y = 0; y < src.height(); ++y)
        for (int x = 0; x < src.width(); ++x) {
            Rgb8 p = src(x, y);
            if (channel_mask & 1) p.r = table_[p.r];
            if (channel_mask & 2) p.g = table_[p.g];
            if (channel_mask & 4) p.b = table_[p.b];
            dst(x, y) = p;
        }
}

// No table: for small images the virtual call is cheaper than 256 of them.
void apply_point_op(View<Gray8> img, PointOp& op)
{
    if (static_cast<long>(img.width()) * img.height() > 4096) {
        LookupTable(op).apply(img);
        return;
    }
    op.prepare();
    for (int y = 0; y < img.height(); ++y) {
        Gray8* p = img.row(y);
        for (int n = img.width(); n--; ++p)
            *p = op.map(*p);
    }
}

} // namespace raster
