#ifndef INC_BMPCOLOR_HXX
#define INC_BMPCOLOR_HXX

#include <stdlib.h>
#include <vector>

typedef unsigned char   U8;
typedef unsigned short  U16;
typedef unsigned int    U32;
typedef U8*             Scanline;
typedef const U8*       ConstScanline;

template<typename T> inline T MinMax( T nVal, T nMin, T nMax )
{
    return nVal < nMin ? nMin : nVal > nMax ? nMax : nVal;
}

// Either an index into a palette or a colour.
class BitmapColor
{
private:
    U8      mcBlueOrIndex;
    U8      mcGreen;
    U8      mcRed;
    bool    mbIndex;

public:
    BitmapColor() : mcBlueOrIndex( 0 ), mcGreen( 0 ), mcRed( 0 ), mbIndex( false ) {}
    BitmapColor( U8 cRed, U8 cGreen, U8 cBlue )
        : mcBlueOrIndex( cBlue ), mcGreen( cGreen ), mcRed( cRed ), mbIndex( false ) {}
    explicit BitmapColor( U8 cIndex )
        : mcBlueOrIndex( cIndex ), mcGreen( 0 ), mcRed( 0 ), mbIndex( true ) {}

    bool    IsIndex() const     { return mbIndex; }
    U8      GetIndex() const    { return mcBlueOrIndex; }
    void    SetIndex( U8 c )    { mcBlueOrIndex = c; mbIndex = true; }
    U8      GetRed() const      { return mcRed; }
    U8      GetGreen() const    { return mcGreen; }
    U8      GetBlue() const     { return mcBlueOrIndex; }
    void    SetRed( U8 c )      { mcRed = c; }
    void    SetGreen( U8 c )    { mcGreen = c; }
    void    SetBlue( U8 c )     { mcBlueOrIndex = c; }

    bool operator==( const BitmapColor& r ) const
    {
        return mcBlueOrIndex == r.mcBlueOrIndex && ( mbIndex ? r.mbIndex :
               ( mcGreen == r.mcGreen && mcRed == r.mcRed ) );
    }
    bool operator!=( const BitmapColor& r ) const { return !( *this == r ); }

    BitmapColor& Invert()
    {
        mcBlueOrIndex = ~mcBlueOrIndex;
        mcGreen = ~mcGreen;
        mcRed = ~mcRed;
        return *this;
    }

    U8 GetLuminance() const
    {
        return static_cast<U8>( ( mcRed * 76UL + mcGreen * 150UL + mcBlueOrIndex * 30UL ) >> 8 );
    }

    U16 Distance( const BitmapColor& r ) const
    {
        return static_cast<U16>( abs( static_cast<int>( mcBlueOrIndex ) - r.mcBlueOrIndex ) +
                                 abs( static_cast<int>( mcGreen ) - r.mcGreen ) +
                                 abs( static_cast<int>( mcRed ) - r.mcRed ) );
    }

    // cTrans: 255 leaves this colour alone, 0 gives rOther
    BitmapColor& Merge( const BitmapColor& rOther, U8 cTrans )
    {
        mcBlueOrIndex = Mix( mcBlueOrIndex, rOther.mcBlueOrIndex, cTrans );
        mcGreen = Mix( mcGreen, rOther.mcGreen, cTrans );
        mcRed = Mix( mcRed, rOther.mcRed, cTrans );
        return *this;
    }

private:
    static U8 Mix( U8 cA, U8 cB, U8 cTrans )
    {
        return static_cast<U8>( ( ( cA - cB ) * cTrans + cB * 255 + 127 ) / 255 );
    }
};

class BitmapPalette
{
    std::vector< BitmapColor >  maColors;

public:
    BitmapPalette() {}
    explicit BitmapPalette( U16 nCount ) : maColors( nCount ) {}

    U16     GetEntryCount() const { return static_cast<U16>( maColors.size() ); }
    const BitmapColor& operator[]( U16 n ) const
    {
        static const BitmapColor aBlack;
        return n < maColors.size() ? maColors[ n ] : aBlack;
    }
    BitmapColor& operator[]( U16 n ) { return maColors[ n ]; }
    U16     GetBestIndex( const BitmapColor& rCol ) const;
    bool    IsGreyPalette() const;
    static BitmapPalette Grey( U16 nEntries );
};

struct BmpRect
{
    long    nLeft, nTop, nRight, nBottom;   // right and bottom are outside

    BmpRect( long l, long t, long r, long b ) : nLeft( l ), nTop( t ), nRight( r ), nBottom( b ) {}
    long    Width() const   { return nRight - nLeft; }
    long    Height() const  { return nBottom - nTop; }
    bool    IsEmpty() const { return nRight <= nLeft || nBottom <= nTop; }
    BmpRect& Intersect( const BmpRect& r )
    {
        if( r.nLeft > nLeft )       nLeft = r.nLeft;
        if( r.nTop > nTop )         nTop = r.nTop;
        if( r.nRight < nRight )     nRight = r.nRight;
        if( r.nBottom < nBottom )   nBottom = r.nBottom;
        return *this;
    }
};

#endif
