//  Host.cpp
//  The tile loop.

#include "PHHost.h"

#include <algorithm>

namespace ph {

// Tiles go left to right, top to bottom. On cancellation the tiles already done stay done.
Err ApplyFilter( Document& doc, Filter& filter, ProgressSink* sink, const PixelMap* selection,
                 int32 tileHeight, int32 tileWidth ) {
    const PixelMap& map = doc.Map();
    const Rect all = map.fBounds;
    if ( tileHeight < 1 || tileWidth < 1 )
        return kErrParam;
    if ( filter.WholeRows() )
        tileWidth = std::max<int32>( all.Width(), 1 );

    const DocInfo info = { all, map.fPlanes, map.fDepth };
    Err err = filter.Prepare( info );
    if ( err != kNoErr )
        return err;

    const int32 margin = filter.Margin();
    int32 done = 0;
    Document before;                // filters with a margin must not see their own output
    const Document* source = &doc;
    if ( margin > 0 && !all.Empty() ) {
        err = before.Create( all.Height(), all.Width(), map.fPlanes, map.fDepth, 0 );
        if ( err == kNoErr ) {
            doc.ReadTile( before.Map() );
            source = &before;
        }
    }

    for ( int32 top = all.top; top < all.bottom && err == kNoErr; top += tileHeight ) {
        for ( int32 left = all.left; left < all.right && err == kNoErr; left += tileWidth ) {
            const Rect r = MakeRect( top, left, std::min( top + tileHeight, all.bottom ),
                                     std::min( left + tileWidth, all.right ) );
            const Rect grown = MakeRect( r.top - margin, r.left - margin, r.bottom + margin, r.right + margin );
            TileContext ctx( sink, all, done, all.Height() * all.Width() );
            PixelBlock in, out;

            err = in.Allocate( grown, map.fPlanes, map.fDepth, 0 );
            if ( err == kNoErr && !filter.InPlace() )
                err = out.Allocate( r, map.fPlanes, map.fDepth, 1 );
            if ( err != kNoErr )
                break;
            source->ReadTile( in.Map() );
            err = filter.ProcessTile( in.Map(), filter.InPlace() ? in.Map() : out.Map(), ctx );
            if ( err == kNoErr && !filter.ReadOnly() )
                doc.WriteTile( filter.InPlace() ? in.Map() : out.Map(), selection );
            done += r.Width() * r.Height();
        }
    }
    filter.Finish();
    return err;
}

} // namespace ph
