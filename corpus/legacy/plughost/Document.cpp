//  Document.cpp
//  Sample storage, getting tiles in and out.

#include "PHHost.h"

#include <cstdlib>
#include <cstring>

namespace ph {

PixelBlock::~PixelBlock() {
    std::free( fData );
}

Err PixelBlock::Allocate( const Rect& bounds, int32 planes, int32 depth, int32 padding ) {
    if ( bounds.Width() < 0 || bounds.Height() < 0 || planes < 1 || planes > kMaxPlanes )
        return kErrParam;
    if ( depth != kDepth8 && depth != kDepth16 && depth != kDepthReal )
        return kErrDepth;

    const int32 rowBytes = ( ( bounds.Width() * planes * BytesPerSample( depth ) + 3 ) & ~3 ) + padding * 4;
    const std::size_t bytes = static_cast<std::size_t>( rowBytes ) * bounds.Height();
    void* data = std::calloc( 1, bytes + 16 );
    if ( !data )
        return kErrMemory;

    std::free( fData );
    fData = data;
    fBytes = bytes;
    fMap.fBase = data;
    fMap.fRowBytes = rowBytes;
    fMap.fBounds = bounds;
    fMap.fPlanes = planes;
    fMap.fDepth = depth;
    return kNoErr;
}

Err Document::Create( int32 height, int32 width, int32 planes, int32 depth, int32 padding ) {
    return fBlock.Allocate( MakeRect( 0, 0, height, width ), planes, depth, padding );
}

// The map's bounds may reach over the document; what is outside repeats the edge.
// Whole pixels are moved, so the depth does not matter.
void Document::ReadTile( const PixelMap& into ) const {
    const PixelMap& doc = fBlock.Map();
    const int32 pixelBytes = doc.fPlanes * BytesPerSample( doc.fDepth );
    const Rect& r = into.fBounds;
    const int32 lastV = doc.fBounds.bottom - 1, lastH = doc.fBounds.right - 1;

    std::lock_guard<std::mutex> hold( fLock );
    for ( int32 v = r.top; v < r.bottom; ++v ) {
        const int32 sv = v < 0 ? 0 : v > lastV ? lastV : v;
        const uint8* src = RowBegin<uint8>( doc, sv );      // only the row; bytes from here on
        uint8* dst = static_cast<uint8*>( into.fBase ) + static_cast<std::ptrdiff_t>( v - r.top ) * into.fRowBytes;
        for ( int32 h = r.left; h < r.right; ++h, dst += pixelBytes ) {
            const int32 sh = h < 0 ? 0 : h > lastH ? lastH : h;
            std::memcpy( dst, src + static_cast<std::ptrdiff_t>( sh ) * pixelBytes, pixelBytes );
        }
    }
}

namespace {

// dst += ( src - dst ) * mask / 255
template <typename T>
void MergeRows( const PixelMap& from, const PixelMap& doc, const PixelMap& selection, const Rect& r ) {
    typedef typename Sample<T>::Wide Wide;
    const int32 planes = doc.fPlanes;

    for ( int32 v = r.top; v < r.bottom; ++v ) {
        const T* s = PixelAt<T>( from, v, r.left );
        T* d = PixelAt<T>( doc, v, r.left );
        const uint8* m = PixelAt<uint8>( selection, v, r.left );
        const uint8* const mEnd = PixelAt<uint8>( selection, v, r.right );

        for ( ; m != mEnd; ++m ) {
            const int32 a = *m;
            if ( a == 0 ) {
                s += planes;
                d += planes;
            } else {
                for ( int32 p = planes; p > 0; --p, ++s, ++d ) {
                    const Wide mixed = Wide( *s ) * a + Wide( *d ) * ( 255 - a );
                    *d = static_cast<T>( Sample<T>::DivRound( mixed, 255 ) );
                }
            }
        }
    }
}

} // namespace

void Document::WriteTile( const PixelMap& from, const PixelMap* selection ) {
    const PixelMap& doc = fBlock.Map();
    Rect r = Intersect( from.fBounds, doc.fBounds );
    if ( selection )
        r = Intersect( r, selection->fBounds );
    if ( r.Empty() )
        return;

    std::lock_guard<std::mutex> hold( fLock );
    if ( !selection ) {
        const std::size_t n = static_cast<std::size_t>( r.Width() ) * doc.fPlanes * BytesPerSample( doc.fDepth );
        for ( int32 v = r.top; v < r.bottom; ++v ) {
            switch ( doc.fDepth ) {
                case kDepth8:    std::memcpy( PixelAt<uint8>( doc, v, r.left ),  PixelAt<uint8>( from, v, r.left ), n );  break;
                case kDepth16:   std::memcpy( PixelAt<uint16>( doc, v, r.left ), PixelAt<uint16>( from, v, r.left ), n ); break;
                case kDepthReal: std::memcpy( PixelAt<real32>( doc, v, r.left ), PixelAt<real32>( from, v, r.left ), n ); break;
            }
        }
        return;
    }
    switch ( doc.fDepth ) {
        case kDepth8:    MergeRows<uint8>( from, doc, *selection, r );  break;
        case kDepth16:   MergeRows<uint16>( from, doc, *selection, r ); break;
        case kDepthReal: MergeRows<real32>( from, doc, *selection, r ); break;
    }
}

namespace {

inline void ConvertSample( uint8 s, uint16& d )  { d = static_cast<uint16>( ( s * 32768 + 127 ) / 255 ); }
inline void ConvertSample( uint16 s, uint8& d )  { d = Sample<uint8>::Pin( ( s * 255 + 16384 ) >> 15 ); }
inline void ConvertSample( uint8 s, real32& d )  { d = s / 255.0f; }
inline void ConvertSample( uint16 s, real32& d ) { d = s * ( 1.0f / 32768.0f ); }
template <typename T>
inline void ConvertSample( real32 s, T& d ) {
    const real32 m = static_cast<real32>( Sample<T>::Max() );
    const real32 v = s * m + 0.5f;
    d = !( v > 0.0f ) ? static_cast<T>( 0 ) : v >= m ? static_cast<T>( Sample<T>::Max() ) : static_cast<T>( v );
}

template <typename S, typename D>
void ConvertMap( const PixelMap& from, const PixelMap& to ) {
    for ( int32 v = from.fBounds.top; v < from.fBounds.bottom; ++v ) {
        D* d = RowBegin<D>( to, v );
        for ( const S *s = RowBegin<S>( from, v ), *e = RowEnd<S>( from, v ); s != e; )
            ConvertSample( *s++, *d++ );
    }
}

} // namespace

Err Document::ConvertTo( Document& other ) const {
    const PixelMap &a = Map(), &b = other.Map();
    if ( a.fPlanes != b.fPlanes )
        return kErrPlanes;
    if ( a.fBounds.right != b.fBounds.right || a.fBounds.bottom != b.fBounds.bottom )
        return kErrParam;

    std::lock_guard<std::mutex> hold( fLock );
    switch ( a.fDepth * 100 + b.fDepth ) {
        case 816:  ConvertMap<uint8, uint16>( a, b );  break;
        case 832:  ConvertMap<uint8, real32>( a, b );  break;
        case 1608: ConvertMap<uint16, uint8>( a, b );  break;
        case 1632: ConvertMap<uint16, real32>( a, b ); break;
        case 3208: ConvertMap<real32, uint8>( a, b );  break;
        case 3216: ConvertMap<real32, uint16>( a, b ); break;
        default:   return kErrDepth;
    }
    return kNoErr;
}

namespace {

template <typename T>
void FillMap( const PixelMap& map, const Rect& r, const real32* colour ) {
    T c[ kMaxPlanes ];
    for ( int32 p = 0; p < map.fPlanes; ++p )
        c[ p ] = Sample<T>::Pin( Sample<T>::FromUnit( colour[ p ] ) );
    for ( int32 v = r.top; v < r.bottom; ++v )
        for ( int32 h = r.left; h < r.right; ++h ) {
            T* d = PixelAt<T>( map, v, h );
            for ( int32 p = 0; p < map.fPlanes; ++p )
                d[ p ] = c[ p ];
        }
}

} // namespace

void Document::Fill( const Rect& where, const real32* colour ) {
    const Rect r = Intersect( where, Map().fBounds );
    std::lock_guard<std::mutex> hold( fLock );
    if ( Map().fDepth == kDepth8 )
        FillMap<uint8>( Map(), r, colour );
    else if ( Map().fDepth == kDepth16 )
        FillMap<uint16>( Map(), r, colour );
    else
        FillMap<real32>( Map(), r, colour );
}

} // namespace ph
