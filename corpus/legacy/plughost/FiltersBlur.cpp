//  FiltersBlur.cpp
//  Blurs and sharpeners.

#include "PHFilters.h"

#include <algorithm>
#include <new>

namespace ph {

#define INSTANTIATE( F ) \
    template Err F::Run<uint8>( const PixelMap&, const PixelMap&, TileContext& ); \
    template Err F::Run<uint16>( const PixelMap&, const PixelMap&, TileContext& ); \
    template Err F::Run<real32>( const PixelMap&, const PixelMap&, TileContext& );

Err TentBlurFilter::Prepare( const DocInfo& ) {
    const int32 r = fParams.fRadius;
    if ( r < 1 || r > 100 )
        return kErrParam;
    try {
        fWeights.resize( 2 * r + 1 );
    } catch ( const std::bad_alloc& ) {
        return kErrMemory;
    }
    fTotal = 0;
    for ( int32 i = -r; i <= r; ++i )
        fTotal += fWeights[ i + r ] = r + 1 - ( i < 0 ? -i : i );
    return kNoErr;
}

// Down the columns into one line, then along the line.
template <typename T>
Err TentBlurFilter::Run( const PixelMap& in, const PixelMap& out, TileContext& ctx ) {
    typedef typename Sample<T>::Wide Wide;
    const int32 radius = fParams.fRadius, planes = in.fPlanes;
    const int32 taps = 2 * radius + 1;
    const int32 wide = in.fBounds.Width() * planes;
    std::vector<Wide> line( wide );

    for ( int32 v = out.fBounds.top; v < out.fBounds.bottom; ++v ) {
        std::fill( line.begin(), line.end(), Wide( 0 ) );
        for ( int32 k = 0; k < taps; ++k ) {
            const T* s = RowBegin<T>( in, v + k - radius );
            const Wide w = static_cast<Wide>( fWeights[ k ] );
            for ( int32 i = 0; i < wide; ++i )
                line[ i ] += s[ i ] * w;
        }
        for ( typename std::vector<Wide>::iterator it = line.begin(); it != line.end(); ++it )
            *it = Sample<T>::DivRound( *it, Wide( fTotal ) );

        T* d = RowBegin<T>( out, v );
        T* const e = RowEnd<T>( out, v );
        const Wide* l = &line[ 0 ];
        for ( ; d != e; ++d, ++l ) {
            Wide sum = 0;
            for ( int32 k = 0; k < taps; ++k )
                sum += l[ k * planes ] * Wide( fWeights[ k ] );
            *d = Sample<T>::Pin( Sample<T>::DivRound( sum, Wide( fTotal ) ) );
        }
        if ( ctx.Cancelled( v - out.fBounds.top ) )
            return kErrCancelled;
    }
    return kNoErr;
}
INSTANTIATE( TentBlurFilter )

template <typename T>
Err UnsharpFilter::Run( const PixelMap& in, const PixelMap& out, TileContext& ctx ) {
    typedef typename Sample<T>::Wide Wide;
    const Rect& r = out.fBounds;
    const int32 planes = in.fPlanes;
    const Wide threshold = Sample<T>::Max() * fParams.fThreshold / 255;
    PixelBlock soft;
    const Err err = soft.Allocate( r, planes, in.fDepth, 0 );
    if ( err != kNoErr )
        return err;

    // 3x3 mean of the eight neighbours and twice the middle
    for ( int32 v = r.top; v < r.bottom; ++v ) {
        const T* up  = PixelAt<T>( in, v - 1, r.left );
        const T* mid = PixelAt<T>( in, v, r.left );
        const T* low = PixelAt<T>( in, v + 1, r.left );
        T* t = RowBegin<T>( soft.Map(), v );
        const int32 n = r.Width() * planes;
        for ( int32 i = 0; i < n; ++i ) {
            const Wide sum = up[ i - planes ] + up[ i ] + up[ i + planes ]
                           + mid[ i - planes ] + mid[ i ] * Wide( 2 ) + mid[ i + planes ]
                           + low[ i - planes ] + low[ i ] + low[ i + planes ];
            t[ i ] = static_cast<T>( Sample<T>::DivRound( sum, 10 ) );
        }
    }
    if ( ctx.Cancelled( r.Height() / 2 ) )
        return kErrCancelled;

    for ( int32 v = r.top; v < r.bottom; ++v ) {
        const T* s = PixelAt<T>( in, v, r.left );
        const T* t = RowBegin<T>( soft.Map(), v );
        for ( T *d = RowBegin<T>( out, v ), *e = RowEnd<T>( out, v ); d != e; ++d, ++s, ++t ) {
            const Wide diff = Wide( *s ) - Wide( *t );
            if ( diff <= threshold && diff >= -threshold )
                *d = *s;
            else
                *d = Sample<T>::Pin( *s + diff * fParams.fAmount / 100 );
        }
    }
    return kNoErr;
}
INSTANTIATE( UnsharpFilter )

int32 MotionBlurFilter::Margin() const {
    const int32 h = fParams.fStepH < 0 ? -fParams.fStepH : fParams.fStepH;
    const int32 v = fParams.fStepV < 0 ? -fParams.fStepV : fParams.fStepV;
    return ( std::max( h, v ) * fParams.fTaps >> 8 ) + 1;
}

template <typename T>
Err MotionBlurFilter::Run( const PixelMap& in, const PixelMap& out, TileContext& ctx ) {
    typedef typename Sample<T>::Wide Wide;
    const int32 taps = fParams.fTaps;
    if ( taps < 1 )
        return kErrParam;
    for ( int32 v = out.fBounds.top; v < out.fBounds.bottom; ++v ) {
        for ( int32 h = out.fBounds.left; h < out.fBounds.right; ++h ) {
            Wide sum[ kMaxPlanes ] = { 0, 0, 0, 0 };
            int32 atV = 128, atH = 128;
            for ( int32 k = 0; k < taps; ++k, atV += fParams.fStepV, atH += fParams.fStepH ) {
                const T* s = PixelAt<T>( in, v + ( atV >> 8 ), h + ( atH >> 8 ) );
                for ( int32 p = 0; p < in.fPlanes; ++p )
                    sum[ p ] += s[ p ];
            }
            T* d = PixelAt<T>( out, v, h );
            for ( int32 p = 0; p < in.fPlanes; ++p )
                d[ p ] = Sample<T>::Pin( sum[ p ] / taps );
        }
        if ( ctx.Cancelled( 1 ) )
            return kErrCancelled;
    }
    return kNoErr;
}
INSTANTIATE( MotionBlurFilter )

// Each pixel pulls a tail to the right.
template <typename T>
Err SmearFilter::Run( const PixelMap& in, const PixelMap& out, TileContext& ) {
    typedef typename Sample<T>::Wide Wide;
    const int32 keep = fParams.fStrength & 255, planes = in.fPlanes;
    for ( int32 v = out.fBounds.top; v < out.fBounds.bottom; ++v ) {
        const T* s = RowBegin<T>( in, v );
        T* d = RowBegin<T>( out, v );
        Wide tail[ kMaxPlanes ];
        for ( int32 p = 0; p < planes; ++p )
            tail[ p ] = s[ p ];
        for ( ; d != RowEnd<T>( out, v ); )
            for ( int32 p = 0; p < planes; ++p ) {
                tail[ p ] = ( tail[ p ] * keep + Wide( *s++ ) * ( 256 - keep ) ) / 256;
                *d++ = static_cast<T>( tail[ p ] );
            }
    }
    return kNoErr;
}
INSTANTIATE( SmearFilter )

// Median of a square, taken only where the pixel stands out.
template <typename T>
Err DespeckleFilter::Run( const PixelMap& in, const PixelMap& out, TileContext& ctx ) {
    typedef typename Sample<T>::Wide Wide;
    const int32 r = fParams.fRadius, side = 2 * r + 1, planes = in.fPlanes;
    if ( r < 1 || r > 3 )
        return kErrParam;
    const Wide limit = Sample<T>::Max() * fParams.fThreshold / 255;
    T window[ 49 ];

    for ( int32 v = out.fBounds.top; v < out.fBounds.bottom; ++v ) {
        T* d = RowBegin<T>( out, v );
        for ( int32 h = out.fBounds.left; h < out.fBounds.right; ++h )
            for ( int32 p = 0; p < planes; ++p ) {
                T* w = window;
                for ( int32 y = v - r; y <= v + r; ++y ) {
                    const T* s = PixelAt<T>( in, y, h - r ) + p;
                    for ( int32 x = 0; x < side; ++x, s += planes )
                        *w++ = *s;
                }
                std::nth_element( window, window + side * side / 2, w );
                const Wide middle = window[ side * side / 2 ];
                const Wide here = PixelAt<T>( in, v, h )[ p ];
                const Wide diff = here > middle ? here - middle : middle - here;
                *d++ = static_cast<T>( diff > limit ? middle : here );
            }
        if ( ctx.Cancelled( v - out.fBounds.top ) )
            return kErrCancelled;
    }
    return kNoErr;
}
INSTANTIATE( DespeckleFilter )

} // namespace ph
