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

struct BitmapBuffer
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

class BitmapReadAccess
{
    friend class OfficeBitmap;

protected:
    typedef BitmapColor (*FncGetPixel)( ConstScanline pLine, long nX );
    typedef void        (*FncSetPixel)( Scanline pLine, long nX, const BitmapColor& rCol );

    BitmapBuffer*           mpBuffer;
    std::vector< Scanline > maScanBuf;
    FncGetPixel             mFncGetPixel;
    FncSetPixel             mFncSetPixel;

    explicit BitmapReadAccess( BitmapBuffer* pBuffer );
    virtual ~BitmapReadAccess() {}

public:
    long            Width() const           { return mpBuffer->mnWidth; }
    long            Height() const          { return mpBuffer->mnHeight; }
    U16             GetBitCount() const     { return mpBuffer->mnBitCount; }
    ScanFormat      GetScanFormat() const   { return mpBuffer->meFormat; }
    long            GetScanlineSize() const { return mpBuffer->mnScanlineSize; }
    ConstScanline   GetScanline( long nY ) const { return maScanBuf[ nY ]; }
    bool            HasPalette() const      { return mpBuffer->mnBitCount <= 8; }
    const BitmapPalette& GetPalette() const { return mpBuffer->maPalette; }
    const BitmapColor& GetPaletteColor( U16 n ) const
                    { return static_cast< const BitmapPalette& >( mpBuffer->maPalette )[ n ]; }

    BitmapColor     GetPixel( long nY, long nX ) const { return mFncGetPixel( maScanBuf[ nY ], nX ); }
    BitmapColor     GetColor( long nY, long nX ) const
    {
        const BitmapColor aCol( GetPixel( nY, nX ) );
        return HasPalette() ? GetPaletteColor( aCol.GetIndex() ) : aCol;
    }
    BitmapColor     GetBestMatching( const BitmapColor& rCol ) const
    {
        return HasPalette() ? BitmapColor( static_cast<U8>( GetPalette().GetBestIndex( rCol ) ) ) : rCol;
    }
};

class BitmapWriteAccess : public BitmapReadAccess
{
    friend class OfficeBitmap;

    explicit BitmapWriteAccess( BitmapBuffer* pBuffer ) : BitmapReadAccess( pBuffer ) {}

public:
    Scanline        GetWriteScanline( long nY ) { return maScanBuf[ nY ]; }
    void            SetPixel( long nY, long nX, const BitmapColor& rCol )
                    { mFncSetPixel( maScanBuf[ nY ], nX, rCol ); }
    void            SetPalette( const BitmapPalette& rPal ) { mpBuffer->maPalette = rPal; }
    void            SetPaletteColor( U16 n, const BitmapColor& r ) { mpBuffer->maPalette[ n ] = r; }
    void            Erase( const BitmapColor& rCol );
    void            FillRect( const BmpRect& rRect, const BitmapColor& rCol );
    void            CopyScanline( long nY, const BitmapReadAccess& rSrc, long nSrcY );
};

class OfficeBitmap
{
    BitmapBuffer*   mpBuffer;

    OfficeBitmap( const OfficeBitmap& );
    OfficeBitmap& operator=( const OfficeBitmap& );

public:
    OfficeBitmap() : mpBuffer( NULL ) {}
    OfficeBitmap( long nWidth, long nHeight, ScanFormat eFormat, bool bTopDown = true, long nPad = 0 );
    ~OfficeBitmap() { delete mpBuffer; }

    void    Swap( OfficeBitmap& r ) { BitmapBuffer* p = mpBuffer; mpBuffer = r.mpBuffer; r.mpBuffer = p; }
    bool    IsEmpty() const     { return !mpBuffer || !mpBuffer->mnWidth || !mpBuffer->mnHeight; }
    long    Width() const       { return mpBuffer ? mpBuffer->mnWidth : 0; }
    long    Height() const      { return mpBuffer ? mpBuffer->mnHeight : 0; }
    ScanFormat GetFormat() const { return mpBuffer ? mpBuffer->meFormat : SCAN_8BIT_PAL; }

    // NULL if empty or taken
    BitmapReadAccess*   AcquireReadAccess() const;
    BitmapWriteAccess*  AcquireWriteAccess();
    void                ReleaseAccess( BitmapReadAccess* pAcc ) const;
    void                ReleaseAccess( BitmapWriteAccess* pAcc ) const;

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
    bool    Convolute3x3( const long* pMatrix, long nDivisor );
    bool    EmbossGrey( long nLx, long nLy, long nLz );
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
    void Release() { if( mpAcc ) mrBmp.ReleaseAccess( mpAcc ); mpAcc = NULL; }
    ACC* operator->() const { return mpAcc; }
    ACC& operator*() const { return *mpAcc; }
    bool operator!() const { return mpAcc == NULL; }
};

struct ScopedRead : public ScopedAccess< BitmapReadAccess, const OfficeBitmap >
{
    explicit ScopedRead( const OfficeBitmap& r )
        : ScopedAccess< BitmapReadAccess, const OfficeBitmap >( r, r.AcquireReadAccess() ) {}
};

struct ScopedWrite : public ScopedAccess< BitmapWriteAccess, OfficeBitmap >
{
    explicit ScopedWrite( OfficeBitmap& r )
        : ScopedAccess< BitmapWriteAccess, OfficeBitmap >( r, r.AcquireWriteAccess() ) {}
};

#endif
