//  FiltersStylize.cpp
//  Emboss, mosaic, noise, ripple, de-interlace.

#include "PHFilters.h"

#include <algorithm>

namespace ph {

#define INSTANTIATE( F ) \
    template Err F::Run<uint8>( const PixelMap&, const PixelMap&, TileContext& ); \
    template Err F::Run<uint16>( const PixelMap&, const PixelMap&, TileContext& ); \
    template Err F::Run<real32>( const PixelMap&, const PixelMap&, TileContext& );

static const signed char kDirections[ 8 ][ 2 ] = {      // dv, dh
    { -1, 0 }, { -1, 1 }, { 0, 1 }, { 1, 1 }, { 1, 0 }, { 1, -1 }, { 0, -1 }, { -1, -1 }
};

template <typename T>
Err EmbossFilter::Run( const PixelMap& in, const PixelMap& out, TileContext& ) {
    typedef typename Sample<T>::Wide Wide;
    const int32 dv = kDirections[ fParams.fDirection & 7 ][ 0 ];
    const int32 dh = kDirections[ fParams.fDirection & 7 ][ 1 ];
    const Wide grey = Sample<T>::Max() / 2;
    const int32 planes = in.fPlanes, colours = ColourPlanes( planes );
    const Rect r = out.fBounds;

    for ( int32 v = r.top; v < r.bottom; ++v ) {
        const T* lit  = PixelAt<T>( in, v + dv, r.left + dh );
        const T* dark = PixelAt<T>( in, v - dv, r.left - dh );
        const T* here = PixelAt<T>( in, v, r.left );
        T* d = RowBegin<T>( out, v );
        for ( int32 h = r.left; h < r.right; ++h ) {
            int32 p = 0;
            for ( ; p < colours; ++p )
                d[ p ] = Sample<T>::Pin( ( Wide( lit[ p ] ) - Wide( dark[ p ] ) ) * fParams.fHeight / 2 + grey );
            for ( ; p < planes; ++p )
                d[ p ] = here[ p ];
            lit += planes; dark += planes; here += planes; d += planes;
        }
    }
    return kNoErr;
}
INSTANTIATE( EmbossFilter )

static int32 FloorTo( int32 x, int32 cell ) {
    return x - ( ( x % cell ) + cell ) % cell;
}

// Cells lie on the document's grid, so that tiles fit together.
template <typename T>
Err MosaicFilter::Run( const PixelMap& in, const PixelMap& out, TileContext& ctx ) {
    const int32 cell = fParams.fCell, planes = in.fPlanes;
    if ( cell < 1 || cell > 256 )
        return kErrParam;
    const Rect readable = Intersect( in.fBounds, ctx.fDoc );

    for ( int32 cv = FloorTo( out.fBounds.top, cell ); cv < out.fBounds.bottom; cv += cell )
        for ( int32 ch = FloorTo( out.fBounds.left, cell ); ch < out.fBounds.right; ch += cell ) {
            const Rect square = MakeRect( cv, ch, cv + cell, ch + cell );
            const Rect from = Intersect( square, readable ), to = Intersect( square, out.fBounds );
            double sum[ kMaxPlanes ] = { 0, 0, 0, 0 };

            for ( int32 v = from.top; v < from.bottom; ++v ) {
                const T* s = PixelAt<T>( in, v, from.left );
                for ( int32 h = from.left; h < from.right; ++h )
                    for ( int32 p = 0; p < planes; ++p )
                        sum[ p ] += *s++;
            }

            T mean[ kMaxPlanes ];
            for ( int32 p = 0; p < planes; ++p )
                mean[ p ] = static_cast<T>( sum[ p ] / ( from.Width() * from.Height() ) );

            for ( int32 v = to.top; v < to.bottom; ++v ) {
                T* d = PixelAt<T>( out, v, to.left );
                for ( int32 h = to.left; h < to.right; ++h )
                    for ( int32 p = 0; p < planes; ++p )
                        *d++ = mean[ p ];
            }
        }
    return ctx.Cancelled( out.fBounds.Height() ) ? kErrCancelled : kNoErr;
}
INSTANTIATE( MosaicFilter )

static inline uint32 Scramble( uint32 x ) {
    x ^= x >> 16; x *= 0x6a7f31c5u;
    x ^= x >> 15; x *= 0xb3915d0du;
    return x ^ ( x >> 16 );
}

// Depends only on the place, not on the order of the tiles.
template <typename T>
Err NoiseFilter::Run( const PixelMap& in, const PixelMap& out, TileContext& ) {
    const int32 colours = ColourPlanes( in.fPlanes );
    for ( int32 v = out.fBounds.top; v < out.fBounds.bottom; ++v ) {
        const uint32 rowKey = Scramble( fParams.fSeed + static_cast<uint32>( v ) * 0x9e3779b9u );
        for ( int32 h = out.fBounds.left; h < out.fBounds.right; ++h ) {
            const T* s = PixelAt<T>( in, v, h );
            T* d = PixelAt<T>( out, v, h );
            uint32 key = Scramble( rowKey ^ static_cast<uint32>( h ) );
            for ( int32 p = 0; p < in.fPlanes; ++p ) {
                if ( p >= colours ) {
                    d[ p ] = s[ p ];
                    continue;
                }
                const int32 n = static_cast<int32>( key & 511 ) - 256;      // -256 .. 255
                d[ p ] = Sample<T>::Pin( s[ p ] + Sample<T>::Max() * ( n * fParams.fAmount / 100 ) / 256 );
                if ( !fParams.fMono )
                    key = key >> 9 | key << 23;
            }
        }
    }
    return kNoErr;
}
INSTANTIATE( NoiseFilter )

// A wave of two parabolas, 64 steps, in 1/16 pixel.
Err RippleFilter::Prepare( const DocInfo& ) {
    if ( fParams.fAmplitude < 0 || fParams.fAmplitude > 100 || fParams.fPeriod < 1 )
        return kErrParam;
    for ( int32 i = 0; i < 32; ++i ) {
        fWave[ i ] = fParams.fAmplitude * 16 * i * ( 32 - i ) / 256;
        fWave[ i + 32 ] = -fWave[ i ];
    }
    return kNoErr;
}

template <typename T>
Err RippleFilter::Run( const PixelMap& in, const PixelMap& out, TileContext& ctx ) {
    typedef typename Sample<T>::Wide Wide;
    const int32 planes = in.fPlanes;
    for ( int32 v = out.fBounds.top; v < out.fBounds.bottom; ++v ) {
        const int32 push = fWave[ ( v * 64 / fParams.fPeriod ) & 63 ];
        const int32 whole = push >> 4, part = push & 15;
        const T* s = PixelAt<T>( in, v, out.fBounds.left + whole );
        T *d = RowBegin<T>( out, v ), *const e = RowEnd<T>( out, v );
        if ( part == 0 )
            std::copy( s, s + ( e - d ), d );
        else
            for ( ; d != e; ++d, ++s )
                *d = static_cast<T>( ( Wide( s[ 0 ] ) * ( 16 - part ) + Wide( s[ planes ] ) * part ) / 16 );
        if ( ctx.Cancelled( v - out.fBounds.top ) )
            return kErrCancelled;
    }
    return kNoErr;
}
INSTANTIATE( RippleFilter )

// Odd rows of the document become the mean of their neighbours.
template <typename T>
Err DeinterlaceFilter::Run( const PixelMap& in, const PixelMap& out, TileContext& ctx ) {
    typedef typename Sample<T>::Wide Wide;
    const Rect& r = out.fBounds;
    const int32 n = r.Width() * in.fPlanes;
    for ( int32 v = r.top; v < r.bottom; ++v ) {
        T* d = RowBegin<T>( out, v );
        if ( v & 1 ) {
            const T* a = PixelAt<T>( in, v - 1, r.left );
            const T* b = PixelAt<T>( in, v + 1 < ctx.fDoc.bottom ? v + 1 : v - 1, r.left );
            for ( int32 i = 0; i < n; ++i )
                d[ i ] = static_cast<T>( ( Wide( a[ i ] ) + Wide( b[ i ] ) ) / 2 );
        } else {
            const T* s = PixelAt<T>( in, v, r.left );
            for ( int32 i = 0; i < n; ++i )
                d[ i ] = s[ i ];
        }
    }
    return kNoErr;
}
INSTANTIATE( DeinterlaceFilter )

} // namespace ph
