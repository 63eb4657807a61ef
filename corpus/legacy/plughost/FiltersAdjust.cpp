//  FiltersAdjust.cpp
//  Brightness, levels, mixer, solarize, threshold, posterize.

#include "PHFilters.h"

namespace ph {

Err BrightnessFilter::Prepare( const DocInfo& ) {
    return fParams.fBrightness >= -100 && fParams.fBrightness <= 100 &&
           fParams.fContrast >= 0 && fParams.fContrast <= 400 ? kNoErr : kErrParam;
}

template <typename T>
Err BrightnessFilter::Run( const PixelMap& in, const PixelMap& out, TileContext& ctx ) {
    typedef typename Sample<T>::Wide Wide;
    const Wide add = Sample<T>::Max() * fParams.fBrightness / 100;
    const Wide mid = Sample<T>::Max() / 2;
    const int32 colours = ColourPlanes( in.fPlanes );
    const bool alpha = colours < in.fPlanes;

    for ( int32 v = out.fBounds.top; v < out.fBounds.bottom; ++v ) {
        const T* s = RowBegin<T>( in, v );
        T* d = RowBegin<T>( out, v );
        T* const e = RowEnd<T>( out, v );
        while ( d != e ) {
            for ( int32 p = 0; p < colours; ++p, ++s, ++d )
                *d = Sample<T>::Pin( ( Wide( *s ) - mid ) * fParams.fContrast / 100 + mid + add );
            if ( alpha )
                *d++ = *s++;
        }
        if ( ctx.Cancelled( v - out.fBounds.top ) )
            return kErrCancelled;
    }
    return kNoErr;
}
template Err BrightnessFilter::Run<uint8>( const PixelMap&, const PixelMap&, TileContext& );
template Err BrightnessFilter::Run<uint16>( const PixelMap&, const PixelMap&, TileContext& );
template Err BrightnessFilter::Run<real32>( const PixelMap&, const PixelMap&, TileContext& );

#define INSTANTIATE( F ) \
    template Err F::Run<uint8>( const PixelMap&, const PixelMap&, TileContext& ); \
    template Err F::Run<uint16>( const PixelMap&, const PixelMap&, TileContext& ); \
    template Err F::Run<real32>( const PixelMap&, const PixelMap&, TileContext& );

Err LevelsFilter::Prepare( const DocInfo& info ) {
    if ( info.fDepth != kDepth8 )
        return kErrDepth;
    for ( int32 p = 0; p < info.fPlanes; ++p ) {
        const int32 lo = fParams.fBlack[ p ], span = fParams.fWhite[ p ] - lo;
        if ( span <= 0 )
            return kErrParam;
        for ( int32 i = 0; i < 256; ++i ) {
            const uint8 t = Sample<uint8>::Pin( ( ( i - lo ) * 255 ) / span );
            fTable[ p ][ i ] = fParams.fInvert ? static_cast<uint8>( 255 - t ) : t;
        }
    }
    return kNoErr;
}

Err LevelsFilter::ProcessTile( const PixelMap& in, const PixelMap& out, TileContext& ctx ) {
    const Rect& r = out.fBounds;
    for ( int32 v = r.top; v < r.bottom; ++v ) {
        const uint8* s = PixelAt<uint8>( in, v, r.left );
        uint8* d = RowBegin<uint8>( out, v );
        int32 n = r.Width();
        switch ( in.fPlanes ) {
            case 1:
                for ( ; n > 0; --n )
                    *d++ = fTable[ 0 ][ *s++ ];
                break;
            case 3:
                for ( ; n > 0; --n, s += 3, d += 3 ) {
                    d[ 0 ] = fTable[ 0 ][ s[ 0 ] ];
                    d[ 1 ] = fTable[ 1 ][ s[ 1 ] ];
                    d[ 2 ] = fTable[ 2 ][ s[ 2 ] ];
                }
                break;
            default:
                for ( ; n > 0; --n )
                    for ( int32 p = 0; p < in.fPlanes; ++p )
                        *d++ = fTable[ p ][ *s++ ];
        }
        if ( ctx.Cancelled( 0 ) )
            return kErrCancelled;
    }
    return kNoErr;
}

template <typename T>
Err MixerFilter::Run( const PixelMap& in, const PixelMap& out, TileContext& ) {
    const real32 ( *m )[ 4 ] = fParams.fMatrix;
    const real32 unit = static_cast<real32>( Sample<T>::Max() );
    const real32 low = -2.0f * unit, high = 3.0f * unit;
    const int32 step = in.fPlanes;

    for ( int32 v = out.fBounds.top; v < out.fBounds.bottom; ++v ) {
        const T* s = RowBegin<T>( in, v );
        for ( T *d = RowBegin<T>( out, v ), *e = RowEnd<T>( out, v ); d < e; d += step, s += step ) {
            const real32 r = s[ 0 ], g = s[ 1 ], b = s[ 2 ];
            const int32 rows = fParams.fMonochrome ? 1 : 3;
            real32 q[ 3 ];
            for ( int32 i = 0; i < rows; ++i ) {
                q[ i ] = m[ i ][ 0 ] * r + m[ i ][ 1 ] * g + m[ i ][ 2 ] * b + m[ i ][ 3 ] * unit;
                if ( q[ i ] < low )  q[ i ] = low;
                if ( q[ i ] > high ) q[ i ] = high;
            }
            if ( fParams.fMonochrome )
                q[ 1 ] = q[ 2 ] = q[ 0 ];
            if ( step == 4 )
                d[ 3 ] = s[ 3 ];
            d[ 0 ] = Sample<T>::Pin( static_cast<typename Sample<T>::Wide>( q[ 0 ] ) );
            d[ 1 ] = Sample<T>::Pin( static_cast<typename Sample<T>::Wide>( q[ 1 ] ) );
            d[ 2 ] = Sample<T>::Pin( static_cast<typename Sample<T>::Wide>( q[ 2 ] ) );
        }
    }
    return kNoErr;
}
INSTANTIATE( MixerFilter )

// Everything over the middle is turned around. Alpha as well, as it has always been.
template <typename T>
Err SolarizeFilter::Run( const PixelMap& in, const PixelMap& out, TileContext& ctx ) {
    const typename Sample<T>::Wide top = Sample<T>::Max();
    for ( int32 v = out.fBounds.top; v < out.fBounds.bottom; ++v ) {
        const T *s = RowBegin<T>( in, v ), *e = RowEnd<T>( in, v );
        T* d = RowBegin<T>( out, v );
        for ( ; s < e; ++s, ++d )
            *d = *s + *s > top ? static_cast<T>( top - *s ) : *s;
    }
    return ctx.Cancelled( out.fBounds.Height() ) ? kErrCancelled : kNoErr;
}
INSTANTIATE( SolarizeFilter )

template <typename T>
Err ThresholdFilter::Run( const PixelMap& in, const PixelMap& out, TileContext& ) {
    typedef typename Sample<T>::Wide Wide;
    const Wide level = Sample<T>::FromUnit( fParams.fLevel );
    const int32 n = in.fPlanes, colours = ColourPlanes( n );

    for ( int32 v = out.fBounds.top; v < out.fBounds.bottom; ++v )
        for ( int32 h = out.fBounds.left; h < out.fBounds.right; ++h ) {
            const T* s = PixelAt<T>( in, v, h );
            T* d = PixelAt<T>( out, v, h );
            Wide grey = s[ 0 ];
            if ( colours == 3 )
                grey = ( Wide( s[ 0 ] ) * 5 + Wide( s[ 1 ] ) * 9 + Wide( s[ 2 ] ) * 2 ) / 16;
            const T o = grey >= level ? static_cast<T>( Sample<T>::Max() ) : static_cast<T>( 0 );
            for ( int32 p = 0; p < colours; ++p )
                d[ p ] = o;
            if ( colours < n )
                d[ colours ] = s[ colours ];
        }
    return kNoErr;
}
INSTANTIATE( ThresholdFilter )

Err PosterizeFilter::Prepare( const DocInfo& info ) {
    if ( info.fDepth != kDepth8 )
        return kErrDepth;
    return fParams.fLevels >= 2 && fParams.fLevels <= 255 ? kNoErr : kErrParam;
}

Err PosterizeFilter::ProcessTile( const PixelMap& in, const PixelMap& out, TileContext& ctx ) {
    if ( ctx.Cancelled( 0 ) )
        return kErrCancelled;
    return fParams.fDiffuse ? ProcessDiffuse( in, out ) : ProcessPlain( in, out );
}

Err PosterizeFilter::ProcessPlain( const PixelMap& in, const PixelMap& out ) {
    const int32 n = fParams.fLevels - 1;
    for ( int32 v = out.fBounds.top; v != out.fBounds.bottom; ++v ) {
        const uint8* s = RowBegin<uint8>( in, v );
        uint8 *d = RowBegin<uint8>( out, v ), *e = RowEnd<uint8>( out, v );
        do {
            const int32 k = ( *s++ * n + 127 ) / 255;
            *d++ = static_cast<uint8>( ( k * 255 + n / 2 ) / n );
        } while ( d != e );
    }
    return kNoErr;
}

// The error goes to the right neighbour in the same plane.
Err PosterizeFilter::ProcessDiffuse( const PixelMap& in, const PixelMap& out ) {
    const int32 n = fParams.fLevels - 1, planes = in.fPlanes;
    for ( int32 v = out.fBounds.top; v < out.fBounds.bottom; ++v ) {
        int32 carry[ kMaxPlanes ] = { 0, 0, 0, 0 };
        const uint8* s = RowBegin<uint8>( in, v );
        uint8* d = RowBegin<uint8>( out, v );
        for ( int32 h = out.fBounds.Width(); h > 0; --h )
            for ( int32 p = 0; p < planes; ++p ) {
                const int32 want = Sample<uint8>::Pin( *s++ + carry[ p ] );
                const int32 got = ( ( want * n + 127 ) / 255 * 255 + n / 2 ) / n;
                carry[ p ] = want - got;
                *d++ = static_cast<uint8>( got );
            }
    }
    return kNoErr;
}

} // namespace ph
