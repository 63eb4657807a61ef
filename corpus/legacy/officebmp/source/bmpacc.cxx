#include <string.h>
#include <algorithm>

#include "officebmp.hxx"

// - one getter and one setter per scanline format

#define GETTER( fmt ) static BitmapColor GetPixel_##fmt( ConstScanline pLine, long nX )
#define SETTER( fmt ) static void SetPixel_##fmt( Scanline pLine, long nX, const BitmapColor& rCol )

GETTER( 1BitMsb )
{
    return BitmapColor( static_cast<U8>( pLine[ nX >> 3 ] & ( 1 << ( 7 - ( nX & 7 ) ) ) ? 1 : 0 ) );
}

SETTER( 1BitMsb )
{
    U8& rByte = pLine[ nX >> 3 ];

    if( rCol.GetIndex() & 1 )
        rByte |= static_cast<U8>( 1 << ( 7 - ( nX & 7 ) ) );
    else
        rByte &= static_cast<U8>( ~( 1 << ( 7 - ( nX & 7 ) ) ) );
}

GETTER( 4BitMsn )
{
    return BitmapColor( static_cast<U8>( ( pLine[ nX >> 1 ] >> ( nX & 1 ? 0 : 4 ) ) & 0x0f ) );
}

SETTER( 4BitMsn )
{
    U8& rByte = pLine[ nX >> 1 ];

    if( nX & 1 )
        rByte = static_cast<U8>( ( rByte & 0xf0 ) | ( rCol.GetIndex() & 0x0f ) );
    else
        rByte = static_cast<U8>( ( rByte & 0x0f ) | ( rCol.GetIndex() << 4 ) );
}

GETTER( 8BitPal )
{
    return BitmapColor( pLine[ nX ] );
}

SETTER( 8BitPal )
{
    pLine[ nX ] = rCol.GetIndex();
}

GETTER( 24BitBgr )
{
    pLine += nX * 3;
    return BitmapColor( pLine[ 2 ], pLine[ 1 ], pLine[ 0 ] );
}

SETTER( 24BitBgr )
{
    pLine += nX * 3;
    *pLine++ = rCol.GetBlue();
    *pLine++ = rCol.GetGreen();
    *pLine = rCol.GetRed();
}

GETTER( 24BitRgb )
{
    pLine += nX * 3;
    return BitmapColor( pLine[ 0 ], pLine[ 1 ], pLine[ 2 ] );
}

SETTER( 24BitRgb )
{
    pLine += nX * 3;
    *pLine++ = rCol.GetRed();
    *pLine++ = rCol.GetGreen();
    *pLine = rCol.GetBlue();
}

GETTER( 32BitBgrx )
{
    pLine += nX << 2;
    return BitmapColor( pLine[ 2 ], pLine[ 1 ], pLine[ 0 ] );
}

SETTER( 32BitBgrx )
{
    pLine += nX << 2;
    pLine[ 0 ] = rCol.GetBlue();
    pLine[ 1 ] = rCol.GetGreen();
    pLine[ 2 ] = rCol.GetRed();
    pLine[ 3 ] = 0xff;
}

BitmapReadLock::BitmapReadLock( PixelStore* pStore ) :
    mpStore( pStore ),
    maLines( pStore->mnHeight )
{
    const long  nHeight = pStore->mnHeight;
    Scanline    pTmp = &pStore->maBits[ 0 ];

    if( pStore->mbTopDown )
    {
        for( long nY = 0; nY < nHeight; nY++, pTmp += pStore->mnScanlineSize )
            maLines[ nY ] = pTmp;
    }
    else
    {
        for( long nY = nHeight - 1; nY >= 0; nY--, pTmp += pStore->mnScanlineSize )
            maLines[ nY ] = pTmp;
    }

    switch( pStore->meFormat )
    {
        case SCAN_1BIT_MSB_PAL: mpGetter = GetPixel_1BitMsb;    mpSetter = SetPixel_1BitMsb;    break;
        case SCAN_4BIT_MSN_PAL: mpGetter = GetPixel_4BitMsn;    mpSetter = SetPixel_4BitMsn;    break;
        case SCAN_24BIT_BGR:    mpGetter = GetPixel_24BitBgr;   mpSetter = SetPixel_24BitBgr;   break;
        case SCAN_24BIT_RGB:    mpGetter = GetPixel_24BitRgb;   mpSetter = SetPixel_24BitRgb;   break;
        case SCAN_32BIT_BGRX:   mpGetter = GetPixel_32BitBgrx;  mpSetter = SetPixel_32BitBgrx;  break;
        default:                mpGetter = GetPixel_8BitPal;    mpSetter = SetPixel_8BitPal;    break;
    }
}

void BitmapWriteLock::Erase( const BitmapColor& rCol )
{
    const BitmapColor   aCol( Match( rCol ) );
    const long          nWidth = Width(), nHeight = Height();

    switch( GetScanFormat() )
    {
        case SCAN_1BIT_MSB_PAL:
        case SCAN_4BIT_MSN_PAL:
        case SCAN_8BIT_PAL:
        {
            // whole scanlines, the unused bits don't matter
            U8 cByte = aCol.GetIndex();

            if( GetBitCount() == 1 )
                cByte = cByte & 1 ? 0xff : 0x00;
            else if( GetBitCount() == 4 )
                cByte = static_cast<U8>( ( cByte << 4 ) | ( cByte & 0x0f ) );
            for( long nY = 0; nY < nHeight; nY++ )
                memset( GetWriteScanline( nY ), cByte, GetScanlineSize() );
        }
        break;

        case SCAN_32BIT_BGRX:
        {
            for( long nY = 0; nY < nHeight; nY++ )
            {
                U8* pPix = GetWriteScanline( nY );

                for( long nX = 0; nX < nWidth; nX++ )
                {
                    *pPix++ = aCol.GetBlue();
                    *pPix++ = aCol.GetGreen();
                    *pPix++ = aCol.GetRed();
                    *pPix++ = 0xff;
                }
            }
        }
        break;

        default:
            FillRect( BmpRect( 0, 0, nWidth, nHeight ), rCol );
        break;
    }
}

void BitmapWriteLock::FillRect( const BmpRect& rRect, const BitmapColor& rCol )
{
    const BitmapColor   aCol( Match( rCol ) );
    BmpRect             aRect( rRect );

    aRect.Intersect( BmpRect( 0, 0, Width(), Height() ) );
    if( aRect.IsEmpty() )
        return;

    for( long nY = aRect.nTop; nY < aRect.nBottom; nY++ )
        for( long nX = aRect.nLeft; nX < aRect.nRight; nX++ )
            SetPixel( nY, nX, aCol );
}

// Same format: memcpy, else colour by colour
void BitmapWriteLock::CopyScanline( long nY, const BitmapReadLock& rSrc, long nSrcY )
{
    if( GetScanFormat() == rSrc.GetScanFormat() )
    {
        memcpy( GetWriteScanline( nY ), rSrc.GetScanline( nSrcY ),
                std::min( GetScanlineSize(), rSrc.GetScanlineSize() ) );
    }
    else
    {
        const long nWidth = std::min( Width(), rSrc.Width() );

        for( long nX = 0; nX < nWidth; nX++ )
            SetPixel( nY, nX, Match( rSrc.GetColor( nSrcY, nX ) ) );
    }
}

U16 BitmapPalette::GetBestIndex( const BitmapColor& rCol ) const
{
    U16 nRet = 0, nBest = 0xffff;

    for( U16 n = 0; n < maColors.size(); n++ )
    {
        const U16 nErr = maColors[ n ].Distance( rCol );

        if( nErr < nBest )
        {
            nBest = nErr;
            nRet = n;
            if( !nErr )
                break;
        }
    }
    return nRet;
}

bool BitmapPalette::IsGreyPalette() const
{
    if( maColors.size() != 256 )
        return false;
    for( U16 n = 0; n < 256; n++ )
        if( maColors[ n ] != BitmapColor( U8( n ), U8( n ), U8( n ) ) )
            return false;
    return true;
}

BitmapPalette BitmapPalette::Grey( U16 nEntries )
{
    BitmapPalette aPal( nEntries );

    for( U16 n = 0; n < nEntries; n++ )
    {
        const U8 c = static_cast<U8>( nEntries > 1 ? n * 255 / ( nEntries - 1 ) : 0 );
        aPal[ n ] = BitmapColor( c, c, c );
    }
    return aPal;
}

OfficeBitmap::OfficeBitmap( long nWidth, long nHeight, ScanFormat eFormat, bool bTopDown, long nPad )
{
    static const U16 aBits[] = { 0, 1, 4, 8, 24, 24, 32 };

    mpStore = new PixelStore;
    mpStore->meFormat = eFormat;
    mpStore->mbTopDown = bTopDown;
    mpStore->mnWidth = nWidth;
    mpStore->mnHeight = nHeight;
    mpStore->mnBitCount = aBits[ eFormat ];
    mpStore->mnScanlineSize = ( ( nWidth * mpStore->mnBitCount + 31 ) >> 5 ) * 4 + nPad;
    mpStore->mnReaders = 0;
    mpStore->mbWriter = false;
    mpStore->maBits.resize( mpStore->mnScanlineSize * nHeight + 1 );
    if( mpStore->mnBitCount <= 8 )
        mpStore->maPalette = BitmapPalette::Grey( static_cast<U16>( 1 << mpStore->mnBitCount ) );
}

BitmapReadLock* OfficeBitmap::LockForRead() const
{
    if( IsEmpty() || mpStore->mbWriter )
        return NULL;
    mpStore->mnReaders++;
    return new BitmapReadLock( mpStore );
}

BitmapWriteLock* OfficeBitmap::LockForWrite()
{
    if( IsEmpty() || mpStore->mbWriter || mpStore->mnReaders )
        return NULL;
    mpStore->mbWriter = true;
    return new BitmapWriteLock( mpStore );
}

void OfficeBitmap::Unlock( BitmapReadLock* pAcc ) const
{
    if( pAcc )
    {
        pAcc->mpStore->mnReaders--;
        delete pAcc;
    }
}

void OfficeBitmap::Unlock( BitmapWriteLock* pAcc ) const
{
    if( pAcc )
    {
        pAcc->mpStore->mbWriter = false;
        delete pAcc;
    }
}
