//  PHTypes.h
//  Basic types shared by the host and the plug-ins.

#ifndef PHTypes_h
#define PHTypes_h

#include <cstddef>
#include <cstdint>

namespace ph {

typedef std::uint8_t  uint8;
typedef std::uint16_t uint16;
typedef std::uint32_t uint32;
typedef std::int32_t  int32;
typedef std::int64_t  int64;
typedef std::uint64_t uint64;
typedef float         real32;

typedef int32 Err;
enum {
    kNoErr        = 0,
    kErrMemory    = -108,
    kErrCancelled = -128,
    kErrParam     = -30100,
    kErrDepth     = -30101,
    kErrPlanes    = -30102
};

enum { kDepth8 = 8, kDepth16 = 16, kDepthReal = 32 };
enum { kMaxPlanes = 4 };

// Half-open: a pixel (v, h) is inside if top <= v < bottom and left <= h < right.
struct Rect {
    int32 top, left, bottom, right;
    int32 Width() const  { return right - left; }
    int32 Height() const { return bottom - top; }
    bool  Empty() const  { return right <= left || bottom <= top; }
};

inline Rect MakeRect( int32 t, int32 l, int32 b, int32 r ) { Rect q = { t, l, b, r }; return q; }

inline Rect Intersect( const Rect& a, const Rect& b ) {
    return MakeRect( a.top > b.top ? a.top : b.top, a.left > b.left ? a.left : b.left,
                     a.bottom < b.bottom ? a.bottom : b.bottom, a.right < b.right ? a.right : b.right );
}

// Interleaved samples of a rectangle; fBase is the sample of plane 0 at ( top, left ).
struct PixelMap {
    void*  fBase;
    int32  fRowBytes;
    Rect   fBounds;
    int32  fPlanes;
    int32  fDepth;
};

template <typename T>
inline T* PixelAt( const PixelMap& m, int32 v, int32 h ) {
    uint8* row = static_cast<uint8*>( m.fBase ) + static_cast<std::ptrdiff_t>( v - m.fBounds.top ) * m.fRowBytes;
    return reinterpret_cast<T*>( row ) + static_cast<std::ptrdiff_t>( h - m.fBounds.left ) * m.fPlanes;
}
template <typename T> inline T* RowBegin( const PixelMap& m, int32 v ) { return PixelAt<T>( m, v, m.fBounds.left ); }
template <typename T> inline T* RowEnd( const PixelMap& m, int32 v )   { return PixelAt<T>( m, v, m.fBounds.right ); }

// What a sample type is worth. 16 bit documents go from 0 to 32768, both included.
template <typename T> struct Sample;

template <> struct Sample<uint8> {
    typedef int32 Wide;
    enum { kDepth = kDepth8 };
    static Wide  Max()         { return 255; }
    static uint8 Pin( Wide v ) { return static_cast<uint8>( v < 0 ? 0 : v > 255 ? 255 : v ); }
    static Wide  FromUnit( real32 u ) { return static_cast<Wide>( u * 255.0f + ( u < 0 ? -0.5f : 0.5f ) ); }
    static Wide  DivRound( Wide v, Wide n ) { return ( v + n / 2 ) / n; }
};

template <> struct Sample<uint16> {
    typedef int32 Wide;
    enum { kDepth = kDepth16 };
    static Wide   Max()         { return 32768; }
    static uint16 Pin( Wide v ) { return static_cast<uint16>( v < 0 ? 0 : v > 32768 ? 32768 : v ); }
    static Wide   FromUnit( real32 u ) { return static_cast<Wide>( u * 32768.0f + ( u < 0 ? -0.5f : 0.5f ) ); }
    static Wide   DivRound( Wide v, Wide n ) { return ( v + n / 2 ) / n; }
};

template <> struct Sample<real32> {
    typedef real32 Wide;
    enum { kDepth = kDepthReal };
    static Wide   Max()         { return 1.0f; }
    static real32 Pin( Wide v ) { return v; }
    static Wide   FromUnit( real32 u ) { return u; }
    static Wide   DivRound( Wide v, Wide n ) { return v / n; }
};

inline int32 BytesPerSample( int32 depth ) { return depth / 8; }
inline int32 ColourPlanes( int32 planes ) { return planes == 2 || planes == 4 ? planes - 1 : planes; }  // the rest is alpha

} // namespace ph

#endif
