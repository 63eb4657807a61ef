// exercise.cpp - every operation on every format and many sizes

#include <stdio.h>
#include <stdint.h>
#include <string.h>

#include "officebmp.hxx"

static uint64_t aHashes[ 4 ];       // several names in a group: one each
static int nCur;
static uint32_t nSeed;

static void Begin( uint32_t n ) { for( nCur = 3; nCur >= 0; nCur-- ) aHashes[ nCur ] = 14695981039346656037ULL; nCur = 0; nSeed = n * 747796405u + 2891336453u; }
static uint32_t Rnd()
{
    nSeed = nSeed * 747796405u + 2891336453u;
    return ( nSeed >> 16 ) ^ ( nSeed >> 27 );
}
static void Add( uint64_t n )
{
    for( int i = 0; i < 8; i++, n >>= 8 )
        aHashes[ nCur ] = ( aHashes[ nCur ] ^ ( n & 255 ) ) * 1099511628211ULL;
}
static void AddBytes( const U8* p, size_t n )
{
    while( n-- )
        aHashes[ nCur ] = ( aHashes[ nCur ] ^ *p++ ) * 1099511628211ULL;
}
static void Say( const char* pFn, const char* pCase )
{
    for( nCur = 0; *pFn; nCur++ )
    {
        const int n = static_cast<int>( strcspn( pFn, "/" ) );
        printf( "%.*s %s %016llx\n", n, pFn, pCase, (unsigned long long)aHashes[ nCur ] );
        pFn += n + ( pFn[ n ] == '/' );
    }
}

static void AddBitmap( const OfficeBitmap& r )
{
    Add( r.Width() ); Add( r.Height() ); Add( r.GetFormat() );
    ScopedRead p( r );
    if( !p )
        return;
    for( long y = 0; y < p->Height(); y++ )
        AddBytes( p->GetScanline( y ), p->GetScanlineSize() );
    for( U16 i = 0; i < p->GetPalette().GetEntryCount(); i++ )
    {
        const BitmapColor& c = p->GetPaletteColor( i );
        Add( c.GetRed() << 16 | c.GetGreen() << 8 | c.GetBlue() );
    }
}

// nKind: bit 0 bottom-up, bit 1 padded, bit 2 own palette, bit 3 few values
static void Fill( OfficeBitmap& r, int nKind )
{
    ScopedWrite p( r );
    if( !p )
        return;
    for( long y = 0; y < p->Height(); y++ )
        for( long i = 0; i < p->GetScanlineSize(); i++ )
            p->GetWriteScanline( y )[ i ] = static_cast<U8>( nKind & 8 ? ( Rnd() % 3 ) * 0x55 : Rnd() );
    if( p->HasPalette() && ( nKind & 4 ) )
    {
        BitmapPalette aPal( static_cast<U16>( ( 1 << p->GetBitCount() ) - ( p->GetBitCount() > 1 ? 3 : 0 ) ) );
        for( U16 i = 0; i < aPal.GetEntryCount(); i++ )
            aPal[ i ] = BitmapColor( U8( Rnd() ), U8( Rnd() ), U8( Rnd() ) );
        p->SetPalette( aPal );
    }
}

static const char* const aNames[] = { "?", "1bit", "4bit", "8bit", "bgr24", "rgb24", "bgrx32" };
static const long aWidths[] = { 0, 1, 2, 3, 7, 16, 17, 64, 65, 130 };

typedef void (*FncOp)( OfficeBitmap& rBmp, int nVar );

static void Run( const char* pName, uint32_t nNum, FncOp fn, int nVars )
{
    for( int f = SCAN_1BIT_MSB_PAL; f <= SCAN_32BIT_BGRX; f++ )
    {
        Begin( nNum * 10 + f );
        for( size_t wi = 0; wi < sizeof( aWidths ) / sizeof( aWidths[ 0 ] ); wi++ )
        {
            const long w = aWidths[ wi ];
            for( long h = 0; h <= 9; h += w > 20 ? 4 : w > 3 ? 2 : 1 )
            {
                for( int v = 0; v < nVars; v++ )
                {
                    const int nKind = static_cast<int>( Rnd() & 15 );
                    OfficeBitmap aBmp( w, h, static_cast<ScanFormat>( f ), !( nKind & 1 ), nKind & 2 ? 8 : 0 );
                    Fill( aBmp, nKind );
                    fn( aBmp, v );
                    AddBitmap( aBmp );
                }
            }
        }
        OfficeBitmap aBig( 90, 71, static_cast<ScanFormat>( f ), false, 4 );
        Fill( aBig, 4 );
        fn( aBig, 1 );
        AddBitmap( aBig );
        Say( pName, aNames[ f ] );
    }
}

static BitmapColor Col() { return BitmapColor( U8( Rnd() ), U8( Rnd() ), U8( Rnd() ) ); }
static BmpRect Rect( const OfficeBitmap& r )
{
    const long l = long( Rnd() % 9 ) - 3, t = long( Rnd() % 7 ) - 3;
    return BmpRect( l, t, l + long( Rnd() % ( r.Width() + 4 ) ), t + long( Rnd() % ( r.Height() + 4 ) ) );
}

static void OpErase( OfficeBitmap& r, int v )
{
    nCur = v ? 1 : 0;
    ScopedWrite p( r );
    if( !p )
        return;
    if( v == 0 )
        p->Erase( Col() );
    else
        p->FillRect( Rect( r ), Col() );
}
static void OpMirror( OfficeBitmap& r, int v ) { Add( r.Mirror( v ) ); }
static void OpOrtho( OfficeBitmap& r, int v ) { Add( r.RotateOrthogonal( v - 1 ) ); }
static void OpRotate( OfficeBitmap& r, int v )
{
    static const long a[][ 2 ] = { { 0, 65536 }, { 32768, 56756 }, { -46341, 46341 }, { 65536, 0 } };
    Add( r.Rotate( a[ v ][ 0 ], a[ v ][ 1 ], Col() ) );
}
static void OpCrop( OfficeBitmap& r, int ) { Add( r.Crop( Rect( r ) ) ); }
static void OpCopy( OfficeBitmap& r, int v )
{
    if( v == 0 || v == 3 )
    {
        const BmpRect aDst( Rect( r ) );
        Add( r.CopyPixel( aDst, Rect( r ), v ? &r : NULL ) );
    }
    else
    {
        OfficeBitmap a( 19, 6, static_cast<ScanFormat>( 1 + Rnd() % 6 ), v == 1, v );
        Fill( a, v * 4 );
        const BmpRect aDst( Rect( r ) );
        Add( r.CopyPixel( aDst, Rect( a ), &a ) );
    }
}
static void OpScale( OfficeBitmap& r, int v )
{
    static const long a[][ 2 ] = { { 1, 1 }, { 13, 5 }, { 3, 20 }, { 70, 2 }, { 0, 4 } };
    Add( r.ScaleFast( a[ v ][ 0 ], a[ v ][ 1 ] ) );
}
static void OpInvert( OfficeBitmap& r, int ) { Add( r.Invert() ); }
static void OpSums( OfficeBitmap& r, int )
{
    std::vector< U8 > aOut;
    std::vector< U32 > aHist;
    nCur = 0;
    Add( r.GetChecksum() );
    nCur = 1;
    Add( r.WriteRLE8( aOut ) );
    Add( aOut.size() );
    if( !aOut.empty() )
        AddBytes( &aOut[ 0 ], aOut.size() );
    nCur = 2;
    Add( r.GetHistogram( aHist ) );
    for( size_t i = 0; i < aHist.size(); i++ )
        Add( aHist[ i ] );
}
static void OpConvert( OfficeBitmap& r, int v )
{
    nCur = v < 3 ? v : 3;
    switch( v )
    {
        case 0: Add( r.ConvertTo8BitGrey() ); break;
        case 1: Add( r.ConvertTo24Bit() ); break;
        case 2: Add( r.MakeMono( U8( Rnd() ) ) ); break;
        default: Add( r.DitherMono( v == 4 ) ); break;
    }
}
static void OpReplace( OfficeBitmap& r, int v )
{
    const BitmapColor a( Col() );
    Add( r.Replace( a, Col(), static_cast<U16>( v * 60 ) ) );
}
static void OpMask( OfficeBitmap& r, int v )
{
    OfficeBitmap aMask;
    BitmapColor aCol( Col() );
    if( v && !r.IsEmpty() )
    {
        ScopedRead p( r );
        aCol = p->GetColor( 0, 0 );
    }
    Add( r.CreateMask( aMask, aCol ) );
    AddBitmap( aMask );
}
static void OpAdjust( OfficeBitmap& r, int v )
{
    static const struct { short l, c, r, g, b; double fG; bool bI; } a[] =
    {
        { 0, 0, 0, 0, 0, 1.0, false }, { 20, 30, -10, 5, 0, 1.0, false }, { -15, -40, 0, 0, 25, 1.0, true },
        { 0, 0, 0, 0, 0, 2.2, false }, { 5, 100, 3, -90, 1, 0.45, true }
    };
    Add( r.Adjust( a[ v ].l, a[ v ].c, a[ v ].r, a[ v ].g, a[ v ].b, a[ v ].fG, a[ v ].bI ) );
}
static void OpAlpha( OfficeBitmap& r, int v )
{
    OfficeBitmap aAlpha( r.Width() - ( v == 1 && r.Width() ? 1 : 0 ), r.Height(), v == 3 ? SCAN_4BIT_MSN_PAL : SCAN_8BIT_PAL, v != 2 );
    Fill( aAlpha, v == 2 ? 8 : 0 );
    const BmpRect aClip( Rect( r ) );
    Add( r.BlendAlpha( aAlpha, Col(), v == 2 ? &aClip : NULL ) );
}
static void OpBlend( OfficeBitmap& r, int v )
{
    OfficeBitmap aTop( 11, 5, static_cast<ScanFormat>( 1 + Rnd() % 6 ), v != 1 );
    OfficeBitmap aAlpha( v == 3 ? 10 : 11, 5, SCAN_8BIT_PAL, v != 2 );
    Fill( aTop, 4 );
    Fill( aAlpha, v == 2 ? 8 : 0 );
    Add( r.BlendBitmap( aTop, v ? &aAlpha : NULL, long( Rnd() % 12 ) - 5, long( Rnd() % 8 ) - 3 ) );
}
static void OpConvolute( OfficeBitmap& r, int v )
{
    static const long a[][ 9 ] = { { 1, 2, 1, 2, 4, 2, 1, 2, 1 }, { -1, -1, -1, -1, 16, -1, -1, -1, -1 }, { -1, 0, 1, -2, 0, 2, -1, 0, 1 } };
    static const long d[] = { 16, 8, 0 };
    Add( r.Convolve3x3( a[ v ], v == 2 && ( r.Width() & 1 ) ? -1 : d[ v ] ) );
}
static void OpFilter( OfficeBitmap& r, int v )
{
    static const int aGroup[] = { 0, 0, 1, 1, 2, 3, 3 };
    nCur = aGroup[ v ];
    switch( v )
    {
        case 0: Add( r.Emboss( 127, 127, 180 ) ); break;
        case 1: Add( r.Emboss( -200, 30, 60 ) ); break;
        case 2: Add( r.Sepia( 10 ) ); break;
        case 3: Add( r.Sepia( 140 ) ); break;
        case 4: Add( r.Median3x3() ); break;
        case 5: Add( r.Solarize( 128 ) ); break;
        default: Add( r.Solarize( U8( Rnd() ) ) ); break;
    }
}
static void OpMosaic( OfficeBitmap& r, int v )
{
    static const long a[][ 2 ] = { { 4, 4 }, { 0, 1 }, { 3, 2 }, { 100, 100 } };
    Add( r.Mosaic( a[ v ][ 0 ], a[ v ][ 1 ], v == 2 ? 128 : 255 ) );
}
static void OpScanline( OfficeBitmap& r, int v )
{
    OfficeBitmap a( 23, 3, v ? r.GetFormat() : static_cast<ScanFormat>( 1 + Rnd() % 6 ), v == 1 );
    Fill( a, 4 );
    ScopedRead p( a );
    ScopedWrite w( r );
    if( !w )
        return;
    for( long y = 0; y < w->Height(); y++ )
        w->CopyScanline( y, *p, y % 3 );
    Add( r.LockForRead() == NULL );       // is being written
}

int main()
{
    Run( "Erase/FillRect", 1, OpErase, 3 );
    Run( "Mirror", 2, OpMirror, 4 );
    Run( "RotateOrthogonal", 3, OpOrtho, 4 );
    Run( "Rotate", 4, OpRotate, 4 );
    Run( "Crop", 5, OpCrop, 3 );
    Run( "CopyPixel", 6, OpCopy, 4 );
    Run( "ScaleFast", 7, OpScale, 5 );
    Run( "Invert", 8, OpInvert, 2 );
    Run( "GetChecksum/WriteRLE8/GetHistogram", 9, OpSums, 2 );
    Run( "ConvertTo8BitGrey/ConvertTo24Bit/MakeMono/DitherMono", 10, OpConvert, 5 );
    Run( "Replace", 11, OpReplace, 3 );
    Run( "CreateMask", 12, OpMask, 3 );
    Run( "Adjust", 13, OpAdjust, 5 );
    Run( "BlendAlpha", 14, OpAlpha, 4 );
    Run( "BlendBitmap", 15, OpBlend, 4 );
    Run( "Convolve3x3", 16, OpConvolute, 3 );
    Run( "Emboss/Sepia/Median3x3/Solarize", 17, OpFilter, 7 );
    Run( "Mosaic", 18, OpMosaic, 4 );
    Run( "CopyScanline", 19, OpScanline, 3 );
    return 0;
}
