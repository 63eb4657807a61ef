#ifndef INC_OFFICEBMP_HXX
#define INC_OFFICEBMP_HXX

#include "bmpcolor.hxx"

enum ScanFormat
{
    SCAN_1BIT_MSB_PAL = 1,
    SCAN_4BIT_MSN_PAL,
    SCAN_8BIT_PAL,
    SCAN_24BIT_BGR,
    SCAN_24BIT_RGB,
    SCAN_32BIT_BGRX
};

#define MIRROR_HORZ     0x01
#define MIRROR_VERT     0x02

struct PixelStore
{
    ScanFormat          meFormat;
    bool                mbTopDown;
    long                mnWidth;
    long                mnHeight;
    long                mnScanlineSize;
    U16                 mnBitCount;
    BitmapPalette       maPalette;
    std::vector< U8 >   maBits;
    int                 mnReaders;
    bool                mbWriter;
};

class OfficeBitmap;

class BitmapReadLock
{
    friend class OfficeBitmap;

protected:
    typedef BitmapColor (*PixelGetter)( ConstScanline pLine, long nX );
    typedef void        (*PixelSetter)( Scanline pLine, long nX, const BitmapColor& rCol );

    PixelStore*           mpStore;
    std::vector< Scanline > maLines;
    PixelGetter             mpGetter;
    PixelSetter             mpSetter;

    explicit BitmapReadLock( PixelStore* pStore );
    virtual ~BitmapReadLock() {}

public:
    long            Width() const           { return mpStore->mnWidth; }
    long            Height() const          { return mpStore->mnHeight; }
    U16             GetBitCount() const     { return mpStore->mnBitCount; }
    ScanFormat      GetScanFormat() const   { return mpStore->meFormat; }
    long            GetScanlineSize() const { return mpStore->mnScanlineSize; }
    ConstScanline   GetScanline( long nY ) const { return maLines[ nY ]; }
    bool            HasPalette() const      { return mpStore->mnBitCount <= 8; }
    const BitmapPalette& GetPalette() const { return mpStore->maPalette; }
    const BitmapColor& GetPaletteColor( U16 n ) const
                    { return static_cast< const BitmapPalette& >( mpStore->maPalette )[ n ]; }

    BitmapColor     GetPixel( long nY, long nX ) const { return mpGetter( maLines[ nY ], nX ); }
    BitmapColor     GetColor( long nY, long nX ) const
    {
        const BitmapColor aCol( GetPixel( nY, nX ) );
        return HasPalette() ? GetPaletteColor( aCol.GetIndex() ) : aCol;
    }
    BitmapColor     Match( const BitmapColor& rCol ) const
    {
        return HasPalette() ? BitmapColor( static_cast<U8>( GetPalette().GetBestIndex( rCol ) ) ) : rCol;
    }
};

class BitmapWriteLock : public BitmapReadLock
{
    friend class OfficeBitmap;

    explicit BitmapWriteLock( PixelStore* pStore ) : BitmapReadLock( pStore ) {}

public:
    Scanline        GetWriteScanline( long nY ) { return maLines[ nY ]; }
    void            SetPixel( long nY, long nX, const BitmapColor& rCol )
                    { mpSetter( maLines[ nY ], nX, rCol ); }
    void            SetPalette( const BitmapPalette& rPal ) { mpStore->maPalette = rPal; }
    void            SetPaletteColor( U16 n, const BitmapColor& r ) { mpStore->maPalette[ n ] = r; }
    void            Erase( const BitmapColor& rCol );
    void            FillRect( const BmpRect& rRect, const BitmapColor& rCol );
    void            CopyScanline( long nY, const BitmapReadLock& rSrc, long nSrcY );
};

class OfficeBitmap
{
    PixelStore*   mpStore;

    OfficeBitmap( const OfficeBitmap& );
    OfficeBitmap& operator=( const OfficeBitmap& );

public:
    OfficeBitmap() : mpStore( NULL ) {}
    OfficeBitmap( long nWidth, long nHeight, ScanFormat eFormat, bool bTopDown = true, long nPad = 0 );
    ~OfficeBitmap() { delete mpStore; }

    void    Swap( OfficeBitmap& r ) { PixelStore* p = mpStore; mpStore = r.mpStore; r.mpStore = p; }
    bool    IsEmpty() const     { return !mpStore || !mpStore->mnWidth || !mpStore->mnHeight; }
    long    Width() const       { return mpStore ? mpStore->mnWidth : 0; }
    long    Height() const      { return mpStore ? mpStore->mnHeight : 0; }
    ScanFormat GetFormat() const { return mpStore ? mpStore->meFormat : SCAN_8BIT_PAL; }

    // NULL if empty or taken
    BitmapReadLock*   LockForRead() const;
    BitmapWriteLock*  LockForWrite();
    void                Unlock( BitmapReadLock* pAcc ) const;
    void                Unlock( BitmapWriteLock* pAcc ) const;

    // bitmap.cxx
    bool    Mirror( U32 nFlags );
    bool    RotateOrthogonal( int nQuarters );
    bool    Rotate( long nSin16, long nCos16, const BitmapColor& rFill );
    bool    Crop( const BmpRect& rRect );
    bool    CopyPixel( const BmpRect& rDst, const BmpRect& rSrc, const OfficeBitmap* pSrc );
    bool    ScaleFast( long nNewWidth, long nNewHeight );
    bool    Invert();
    U32     GetChecksum() const;
    bool    WriteRLE8( std::vector< U8 >& rOut ) const;

    // bmpcolor.cxx
    bool    ConvertTo8BitGrey();
    bool    ConvertTo24Bit();
    bool    MakeMono( U8 cThreshold );
    bool    DitherMono( bool bDiffuse );
    bool    Replace( const BitmapColor& rSearch, const BitmapColor& rReplace, U16 nTol );
    bool    CreateMask( OfficeBitmap& rMask, const BitmapColor& rTrans ) const;
    bool    Adjust( short nLum, short nContrast, short nRed, short nGreen, short nBlue,
                    double fGamma, bool bInvert );
    bool    GetHistogram( std::vector< U32 >& rHist ) const;
    bool    BlendAlpha( const OfficeBitmap& rAlpha, const BitmapColor& rBack, const BmpRect* pClip );
    bool    BlendBitmap( const OfficeBitmap& rTop, const OfficeBitmap* pAlpha, long nX, long nY );

    // bmpfilter.cxx
    bool    Convolve3x3( const long* pMatrix, long nDivisor );
    bool    Emboss( long nLx, long nLy, long nLz );
    bool    Sepia( U16 nPercent );
    bool    Mosaic( long nTileWidth, long nTileHeight, U8 cThreshold );
    bool    Solarize( U8 cThreshold );
    bool    Median3x3();
};

// Releases by itself.
template< class ACC, class BMP >
class ScopedAccess
{
    BMP&    mrBmp;
    ACC*    mpAcc;

    ScopedAccess( const ScopedAccess& );
    ScopedAccess& operator=( const ScopedAccess& );

public:
    ScopedAccess( BMP& rBmp, ACC* pAcc ) : mrBmp( rBmp ), mpAcc( pAcc ) {}
    ~ScopedAccess() { Release(); }
    void Release() { if( mpAcc ) mrBmp.Unlock( mpAcc ); mpAcc = NULL; }
    ACC* operator->() const { return mpAcc; }
    ACC& operator*() const { return *mpAcc; }
    bool operator!() const { return mpAcc == NULL; }
};

struct ScopedRead : public ScopedAccess< BitmapReadLock, const OfficeBitmap >
{
    explicit ScopedRead( const OfficeBitmap& r )
        : ScopedAccess< BitmapReadLock, const OfficeBitmap >( r, r.LockForRead() ) {}
};

struct ScopedWrite : public ScopedAccess< BitmapWriteLock, OfficeBitmap >
{
    explicit ScopedWrite( OfficeBitmap& r )
        : ScopedAccess< BitmapWriteLock, OfficeBitmap >( r, r.LockForWrite() ) {}
};

#endif
