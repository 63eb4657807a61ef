#include <string.h>
#include <algorithm>

#include "officebmp.hxx"

// - one getter and one setter per scanline format

#define IMPL_GET( fmt ) static BitmapColor GetPixel_##fmt( ConstScanline pLine, long nX )
#define IMPL_SET( fmt ) static void SetPixel_##fmt( Scanline pLine, long nX, const BitmapColor& rCol )

IMPL_GET( 1BitMsb )
{
    return BitmapColor( static_cast<U8>( pLine[ nX >> 3 ] & ( 1 << ( 7 - ( nX & 7 ) ) ) ? 1 : 0 ) );
}

IMPL_SET( 1BitMsb )
{
    U8& rByte = pLine[ nX >> 3 ];

    if( rCol.GetIndex() & 1 )
        rByte |= static_cast<U8>( 1 << ( 7 - ( nX & 7 ) ) );
    else
        rByte &= static_cast<U8>( ~( 1 << ( 7 - ( nX & 7 ) ) ) );
}

IMPL_GET( 4BitMsn )
{
    return BitmapColor( static_cast<U8>( ( pLine[ nX >> 1 ] >> ( nX & 1 ? 0 : 4 ) ) & 0x0f ) );
}

IMPL_SET( 4BitMsn )
{
    U8& rByte = pLine[ nX >> 1 ];

    if( nX & 1 )
        rByte = static_cast<U8>( ( rByte & 0xf0 ) | ( rCol.GetIndex() & 0x0f ) );
    else
        rByte = static_cast<U8>( ( rByte & 0x0f ) | ( rCol.GetIndex() << 4 ) );
}

IMPL_GET( 8BitPal )
{
    return BitmapColor( pLine[ nX ] );
}

IMPL_SET( 8BitPal )
{
    pLine[ nX ] = rCol.GetIndex();
}

IMPL_GET( 24BitBgr )
{
    pLine += nX * 3;
    return BitmapColor( pLine[ 2 ], pLine[ 1 ], pLine[ 0 ] );
}

IMPL_SET( 24BitBgr )
{
    pLine += nX * 3;
    *pLine++ = rCol.GetBlue();
    *pLine++ = rCol.GetGreen();
    *pLine = rCol.GetRed();
}

IMPL_GET( 24BitRgb )
{
    pLine += nX * 3;
    return BitmapColor( pLine[ 0 ], pLine[ 1 ], pLine[ 2 ] );
}

IMPL_SET( 24BitRgb )
{
    pLine += nX * 3;
    *pLine++ = rCol.GetRed();
    *pLine++ = rCol.GetGreen();
    *pLine = rCol.GetBlue();
}

IMPL_GET( 32BitBgrx )
{
    pLine += nX << 2;
    return BitmapColor( pLine[ 2 ], pLine[ 1 ], pLine[ 0 ] );
}

IMPL_SET( 32BitBgrx )
{
    pLine += nX << 2;
    pLine[ 0 ] = rCol.GetBlue();
    pLine[ 1 ] = rCol.GetGreen();
    pLine[ 2 ] = rCol.GetRed();
    pLine[ 3 ] = 0xff;
}

BitmapReadAccess::BitmapReadAccess( BitmapBuffer* pBuffer ) :
    mpBuffer( pBuffer ),
    maScanBuf( pBuffer->mnHeight )
{
    const long  nHeight = pBuffer->mnHeight;
    Scanline    pTmp = &pBuffer->maBits[ 0 ];

    if( pBuffer->mbTopDown )
    {
        for( long nY = 0; nY < nHeight; nY++, pTmp += pBuffer->mnScanlineSize )
            maScanBuf[ nY ] = pTmp;
    }
    else
    {
        for( long nY = nHeight - 1; nY >= 0; nY--, pTmp += pBuffer->mnScanlineSize )
            maScanBuf[ nY ] = pTmp;
    }

    switch( pBuffer->meFormat )
    {
        case SCAN_1BIT_MSB_PAL: mFncGetPixel = GetPixel_1BitMsb;    mFncSetPixel = SetPixel_1BitMsb;    break;
        case SCAN_4BIT_MSN_PAL: mFncGetPixel = GetPixel_4BitMsn;    mFncSetPixel = SetPixel_4BitMsn;    break;
        case SCAN_24BIT_BGR:    mFncGetPixel = GetPixel_24BitBgr;   mFncSetPixel = SetPixel_24BitBgr;   break;
        case SCAN_24BIT_RGB:    mFncGetPixel = GetPixel_24BitRgb;   mFncSetPixel = SetPixel_24BitRgb;   break;
        case SCAN_32BIT_BGRX:   mFncGetPixel = GetPixel_32BitBgrx;  mFncSetPixel = SetPixel_32BitBgrx;  break;
        default:                mFncGetPixel = GetPixel_8BitPal;    mFncSetPixel = SetPixel_8BitPal;    break;
    }
}

void BitmapWriteAccess::Erase( const BitmapColor& rCol )
{
    const BitmapColor   aCol( GetBestMatching( rCol ) );
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

void BitmapWriteAccess::FillRect( const BmpRect& rRect, const BitmapColor& rCol )
{
    const BitmapColor   aCol( GetBestMatching( rCol ) );
    BmpRect             aRect( rRect );

    aRect.Intersect( BmpRect( 0, 0, Width(), Height() ) );
    if( aRect.IsEmpty() )
        return;

    for( long nY = aRect.nTop; nY < aRect.nBottom; nY++ )
        for( long nX = aRect.nLeft; nX < aRect.nRight; nX++ )
            SetPixel( nY, nX, aCol );
}

// Same format: memcpy, else colour by colour
void BitmapWriteAccess::CopyScanline( long nY, const BitmapReadAccess& rSrc, long nSrcY )
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
            SetPixel( nY, nX, GetBestMatching( rSrc.GetColor( nSrcY, nX ) ) );
    }
}

U16 BitmapPalette::GetBestIndex( const BitmapColor& rCol ) const
{
    U16 nRet = 0, nLastErr = 0xffff;

    for( U16 n = 0; n < maColors.size(); n++ )
    {
        const U16 nErr = maColors[ n ].GetColorError( rCol );

        if( nErr < nLastErr )
        {
            nLastErr = nErr;
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

    mpBuffer = new BitmapBuffer;
    mpBuffer->meFormat = eFormat;
    mpBuffer->mbTopDown = bTopDown;
    mpBuffer->mnWidth = nWidth;
    mpBuffer->mnHeight = nHeight;
    mpBuffer->mnBitCount = aBits[ eFormat ];
    mpBuffer->mnScanlineSize = ( ( nWidth * mpBuffer->mnBitCount + 31 ) >> 5 ) * 4 + nPad;
    mpBuffer->mnReaders = 0;
    mpBuffer->mbWriter = false;
    mpBuffer->maBits.resize( mpBuffer->mnScanlineSize * nHeight + 1 );
    if( mpBuffer->mnBitCount <= 8 )
        mpBuffer->maPalette = BitmapPalette::Grey( static_cast<U16>( 1 << mpBuffer->mnBitCount ) );
}

BitmapReadAccess* OfficeBitmap::AcquireReadAccess() const
{
    if( IsEmpty() || mpBuffer->mbWriter )
        return NULL;
    mpBuffer->mnReaders++;
    return new BitmapReadAccess( mpBuffer );
}

BitmapWriteAccess* OfficeBitmap::AcquireWriteAccess()
{
    if( IsEmpty() || mpBuffer->mbWriter || mpBuffer->mnReaders )
        return NULL;
    mpBuffer->mbWriter = true;
    return new BitmapWriteAccess( mpBuffer );
}

void OfficeBitmap::ReleaseAccess( BitmapReadAccess* pAcc ) const
{
    if( pAcc )
    {
        pAcc->mpBuffer->mnReaders--;
        delete pAcc;
    }
}

void OfficeBitmap::ReleaseAccess( BitmapWriteAccess* pAcc ) const
{
    if( pAcc )
    {
        pAcc->mpBuffer->mbWriter = false;
        delete pAcc;
    }
}
