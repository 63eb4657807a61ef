//  FiltersAnalyze.cpp
//  Filters that only look.

#include "PHFilters.h"

#include <algorithm>
#include <new>

namespace ph {

#define INSTANTIATE( F ) \
    template Err F::Run<uint8>( const PixelMap&, const PixelMap&, TileContext& ); \
    template Err F::Run<uint16>( const PixelMap&, const PixelMap&, TileContext& ); \
    template Err F::Run<real32>( const PixelMap&, const PixelMap&, TileContext& );

Err StatsFilter::Prepare( const DocInfo& info ) {
    const PlaneStats none = { 0.0f, 0.0f, 0.0, 0, 0 };
    fPlanes = info.fPlanes;
    std::fill( fStats, fStats + kMaxPlanes, none );
    return kNoErr;
}

template <typename T>
Err StatsFilter::Run( const PixelMap& in, const PixelMap&, TileContext& ctx ) {
    const typename Sample<T>::Wide top = Sample<T>::Max();
    for ( int32 plane = 0; plane < fPlanes; ++plane ) {
        T low = RowBegin<T>( in, in.fBounds.top )[ plane ], high = low;
        double sum = 0;
        uint32 count = 0, clipped = 0;

        for ( int32 v = in.fBounds.top; v < in.fBounds.bottom; ++v ) {
            const T* s = RowBegin<T>( in, v ) + plane;
            for ( int32 h = 0; h < in.fBounds.Width(); ++h, s += fPlanes ) {
                low = std::min( low, *s );
                high = std::max( high, *s );
                sum += *s;
                clipped += *s >= top || *s <= 0;
                ++count;
            }
        }

        std::lock_guard<std::mutex> hold( fLock );
        PlaneStats& st = fStats[ plane ];
        if ( st.fCount == 0 || low < st.fMin )  st.fMin = low;
        if ( st.fCount == 0 || high > st.fMax ) st.fMax = high;
        st.fSum += sum;
        st.fCount += count;
        st.fClipped += clipped;
    }
    return ctx.Cancelled( in.fBounds.Height() ) ? kErrCancelled : kNoErr;
}
INSTANTIATE( StatsFilter )

Err HistogramFilter::Prepare( const DocInfo& info ) {
    if ( info.fDepth == kDepthReal )
        return kErrDepth;
    try {
        fBins.assign( 256 * ( 1 + info.fPlanes ), 0 );
    } catch ( const std::bad_alloc& ) {
        return kErrMemory;
    }
    return kNoErr;
}

Err HistogramFilter::ProcessTile( const PixelMap& in, const PixelMap&, TileContext& ctx ) {
    uint32* const luma = &fBins[ 0 ];
    const int32 planes = in.fPlanes;
    for ( int32 v = in.fBounds.top; v < in.fBounds.bottom; ++v ) {
        if ( in.fDepth == kDepth8 ) {
            const uint8* s = RowBegin<uint8>( in, v );
            const uint8* const e = RowEnd<uint8>( in, v );
            for ( ; s != e; s += planes ) {
                ++luma[ planes >= 3 ? ( s[ 0 ] * 77 + s[ 1 ] * 150 + s[ 2 ] * 29 ) >> 8 : s[ 0 ] ];
                for ( int32 p = 0; p < planes; ++p )
                    ++fBins[ 256 * ( p + 1 ) + s[ p ] ];
            }
        } else {
            // 32768 would fall into bin 256
            const uint16* s = RowBegin<uint16>( in, v );
            for ( int32 h = in.fBounds.Width(); h > 0; --h ) {
                uint32 y = 0;
                for ( int32 p = 0; p < planes; ++p, ++s ) {
                    const uint32 bin = std::min<uint32>( *s >> 7, 255 );
                    ++fBins[ 256 * ( p + 1 ) + bin ];
                    if ( p < 3 )
                        y += bin;
                }
                ++luma[ planes >= 3 ? y / 3 : std::min<uint32>( y, 255 ) ];
            }
        }
        if ( ctx.Cancelled( v - in.fBounds.top ) )
            return kErrCancelled;
    }
    return kNoErr;
}

Err ExtentFilter::Prepare( const DocInfo& ) {
    fExtent.fFound = false;
    fExtent.fRect = MakeRect( 0, 0, 0, 0 );
    return kNoErr;
}

template <typename T>
Err ExtentFilter::Run( const PixelMap& in, const PixelMap&, TileContext& ) {
    const int32 last = in.fPlanes - 1;
    Rect& x = fExtent.fRect;
    for ( int32 v = in.fBounds.top; v < in.fBounds.bottom; ++v )
        for ( int32 h = in.fBounds.left; h < in.fBounds.right; ++h ) {
            if ( !( PixelAt<T>( in, v, h )[ last ] > 0 ) )
                continue;
            if ( !fExtent.fFound ) {
                x = MakeRect( v, h, v + 1, h + 1 );
                fExtent.fFound = true;
            } else {
                if ( v < x.top )     x.top = v;
                if ( v >= x.bottom ) x.bottom = v + 1;
                if ( h < x.left )    x.left = h;
                if ( h >= x.right )  x.right = h + 1;
            }
        }
    return kNoErr;
}
INSTANTIATE( ExtentFilter )

} // namespace ph
