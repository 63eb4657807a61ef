#include <math.h>
#include <algorithm>

#include "officebmp.hxx"

#define CMPSWAP( a, b )          { if( ( a ) > ( b ) ) { U8 t = a; a = b; b = t; } }

bool OfficeBitmap::Convolve3x3( const long* pMatrix, long nDivisor )
{
    if( !nDivisor || IsEmpty() || ( GetFormat() < SCAN_24BIT_BGR && !ConvertTo24Bit() ) )
        return false;

    BitmapReadLock*   pSrcLock = LockForRead();
    bool                bRet = false;

    if( pSrcLock )
    {
        OfficeBitmap        aResult( Width(), Height(), GetFormat(), mpStore->mbTopDown );
        BitmapWriteLock*  pDstLock = aResult.LockForWrite();

        if( pDstLock )
        {
            const long          nWidth = pDstLock->Width(), nPadW = nWidth + 2;
            const long          nHeight = pDstLock->Height(), nPadH = nHeight + 2;
            std::vector< long > aColPos( nPadW ), aRowPos( nPadH );
            std::vector< BitmapColor > aLineA( nPadW ), aLineB( nPadW ), aLineC( nPadW );
            BitmapColor*        pLineA = &aLineA[ 0 ];
            BitmapColor*        pLineB = &aLineB[ 0 ];
            BitmapColor*        pLineC = &aLineC[ 0 ];
            long                nX, nY, i;
            long                aProducts[ 9 ][ 256 ];

            // all the products in advance
            for( i = 0; i < 9; i++ )
                for( long nVal = 0; nVal < 256; nVal++ )
                    aProducts[ i ][ nVal ] = pMatrix[ i ] * nVal;

            // border columns and rows twice
            for( i = 0; i < nPadW; i++ )
                aColPos[ i ] = MinMax( i - 1, 0L, nWidth - 1 );
            for( i = 0; i < nPadH; i++ )
                aRowPos[ i ] = MinMax( i - 1, 0L, nHeight - 1 );

            for( i = 0; i < nPadW; i++ )
            {
                pLineA[ i ] = pSrcLock->GetPixel( aRowPos[ 0 ], aColPos[ i ] );
                pLineB[ i ] = pSrcLock->GetPixel( aRowPos[ 1 ], aColPos[ i ] );
                pLineC[ i ] = pSrcLock->GetPixel( aRowPos[ 2 ], aColPos[ i ] );
            }

            for( nY = 0; nY < nHeight; )
            {
                for( nX = 0; nX < nWidth; nX++ )
                {
                    const BitmapColor*  apRow[ 3 ] = { pLineA + nX, pLineB + nX, pLineC + nX };
                    long                nSumR = 0, nSumG = 0, nSumB = 0;

                    for( i = 0; i < 9; i++ )
                    {
                        const BitmapColor& rCol = apRow[ i / 3 ][ i % 3 ];

                        nSumR += aProducts[ i ][ rCol.GetRed() ];
                        nSumG += aProducts[ i ][ rCol.GetGreen() ];
                        nSumB += aProducts[ i ][ rCol.GetBlue() ];
                    }
                    pDstLock->SetPixel( nY, nX, BitmapColor(
                        static_cast<U8>( MinMax( nSumR / nDivisor, 0L, 255L ) ),
                        static_cast<U8>( MinMax( nSumG / nDivisor, 0L, 255L ) ),
                        static_cast<U8>( MinMax( nSumB / nDivisor, 0L, 255L ) ) ) );
                }

                if( ++nY < nHeight )
                {
                    BitmapColor* pOld = pLineA;

                    pLineA = pLineB;
                    pLineB = pLineC;
                    pLineC = pOld;
                    for( i = 0; i < nPadW; i++ )
                        pLineC[ i ] = pSrcLock->GetPixel( aRowPos[ nY + 2 ], aColPos[ i ] );
                }
            }
            aResult.Unlock( pDstLock );
            bRet = true;
        }
        Unlock( pSrcLock );
        if( bRet )
            Swap( aResult );
    }
    return bRet;
}

// A light from nLx, nLy, nLz (up to 255 each)
bool OfficeBitmap::Emboss( long nLx, long nLy, long nLz )
{
    if( !ConvertTo8BitGrey() )
        return false;

    BitmapReadLock*   pSrcLock = LockForRead();
    if( !pSrcLock )
        return false;

    OfficeBitmap        aResult( Width(), Height(), SCAN_8BIT_PAL, mpStore->mbTopDown );
    BitmapWriteLock*  pDstLock = aResult.LockForWrite();
    const long          nWidth = pDstLock->Width(), nHeight = pDstLock->Height();
    const long          nUp = 400, nUpLight = nUp * nLz;
    const U8            cLz = static_cast<U8>( MinMax( nLz, 0L, 255L ) );
    std::vector< long > aCols( nWidth + 2 );
    std::vector< ConstScanline > aLines( nHeight + 2 );

    for( long n = 0; n < nWidth + 2; n++ )
        aCols[ n ] = n == 0 ? 0 : n > nWidth ? nWidth - 1 : n - 1;
    for( long n = 0; n < nHeight + 2; n++ )
        aLines[ n ] = pSrcLock->GetScanline( n == 0 ? 0 : n > nHeight ? nHeight - 1 : n - 1 );

    for( long nY = 0; nY < nHeight; nY++ )
    {
        ConstScanline   p1 = aLines[ nY ], p2 = aLines[ nY + 1 ], p3 = aLines[ nY + 2 ];
        Scanline        pOut = pDstLock->GetWriteScanline( nY );

        for( long nX = 0; nX < nWidth; nX++ )
        {
            const long  nL = aCols[ nX ], nM = aCols[ nX + 1 ], nR = aCols[ nX + 2 ];
            const long  nSlopeX = ( p1[ nL ] - p1[ nR ] ) + 2 * ( p2[ nL ] - p2[ nR ] ) + ( p3[ nL ] - p3[ nR ] );
            const long  nSlopeY = p3[ nL ] + p3[ nM ] + p3[ nR ] - p1[ nL ] - p1[ nM ] - p1[ nR ];
            U8          cGrey;

            if( !nSlopeX && !nSlopeY )
                cGrey = cLz;
            else
            {
                const long nDot = nSlopeX * nLx + nSlopeY * nLy + nUpLight;

                if( nDot < 0 )
                    cGrey = 0;
                else
                {
                    const double fGrey = nDot / sqrt( static_cast<double>( nSlopeX * nSlopeX + nSlopeY * nSlopeY + nUp * nUp ) );
                    cGrey = static_cast<U8>( MinMax( fGrey, 0.0, 255.0 ) );
                }
            }
            *pOut++ = cGrey;
        }
    }
    aResult.Unlock( pDstLock );
    Unlock( pSrcLock );
    Swap( aResult );
    return true;
}

// The result has a palette of browns.
bool OfficeBitmap::Sepia( U16 nPercent )
{
    ScopedRead pRead( *this );

    if( !pRead )
        return false;

    const long      nKeep = 256 - 256 * MinMax< long >( nPercent, 0, 100 ) / 100;
    BitmapPalette   aPal( 256 );

    for( U16 i = 0; i < 256; i++ )
    {
        const U8 cBlue = static_cast<U8>( nKeep * i / 256 );
        aPal[ i ] = BitmapColor( static_cast<U8>( i ), static_cast<U8>( ( 3 * i + 2 * cBlue ) / 5 ), cBlue );
    }

    OfficeBitmap aNew( Width(), Height(), SCAN_8BIT_PAL, mpStore->mbTopDown );
    {
        ScopedWrite         pWrite( aNew );
        BitmapColor         aCol( static_cast<U8>( 0 ) );
        const long          nWidth = pWrite->Width(), nHeight = pWrite->Height();

        pWrite->SetPalette( aPal );
        if( pRead->HasPalette() )
        {
            const U16           nPalCount = pRead->GetPalette().GetEntryCount();
            std::vector< U8 >   aIndexMap( 256, 0 );

            for( U16 i = 0; i < nPalCount; i++ )
                aIndexMap[ i ] = pRead->GetPaletteColor( i ).GetLuminance();

            for( long nY = 0; nY < nHeight; nY++ )
            {
                for( long nX = 0; nX < nWidth; nX++ )
                {
                    aCol.SetIndex( aIndexMap[ pRead->GetPixel( nY, nX ).GetIndex() ] );
                    pWrite->SetPixel( nY, nX, aCol );
                }
            }
        }
        else
        {
            for( long nY = 0; nY < nHeight; nY++ )
            {
                for( long nX = 0; nX < nWidth; nX++ )
                {
                    aCol.SetIndex( pRead->GetPixel( nY, nX ).GetLuminance() );
                    pWrite->SetPixel( nY, nX, aCol );
                }
            }
        }
    }
    pRead.Release();
    Swap( aNew );
    return true;
}

// Tiles brighter than the threshold keep their pixels, 255: all are averaged.
bool OfficeBitmap::Mosaic( long nTileWidth, long nTileHeight, U8 cThreshold )
{
    nTileWidth = std::max( nTileWidth, 1L );
    nTileHeight = std::max( nTileHeight, 1L );
    if( GetFormat() < SCAN_24BIT_BGR && !ConvertTo24Bit() )
        return false;

    ScopedWrite pAcc( *this );
    if( !pAcc )
        return false;

    const long nWidth = pAcc->Width(), nHeight = pAcc->Height();

    for( long nY1 = 0; nY1 < nHeight; nY1 += nTileHeight )
    {
        const long nY2 = std::min( nY1 + nTileHeight, nHeight );

        for( long nX1 = 0; nX1 < nWidth; nX1 += nTileWidth )
        {
            const long  nX2 = std::min( nX1 + nTileWidth, nWidth );
            const long  nArea = ( nX2 - nX1 ) * ( nY2 - nY1 );
            long        nSumR = 0, nSumG = 0, nSumB = 0;

            for( long nY = nY1; nY < nY2; nY++ )
            {
                for( long nX = nX1; nX < nX2; nX++ )
                {
                    const BitmapColor aCol( pAcc->GetPixel( nY, nX ) );

                    nSumR += aCol.GetRed();
                    nSumG += aCol.GetGreen();
                    nSumB += aCol.GetBlue();
                }
            }

            const BitmapColor aMean( static_cast<U8>( nSumR / nArea ), static_cast<U8>( nSumG / nArea ),
                                     static_cast<U8>( nSumB / nArea ) );
            if( aMean.GetLuminance() > cThreshold )
                continue;
            for( long nY = nY1; nY < nY2; nY++ )
                for( long nX = nX1; nX < nX2; nX++ )
                    pAcc->SetPixel( nY, nX, aMean );
        }
    }
    return true;
}

bool OfficeBitmap::Solarize( U8 cThreshold )
{
    BitmapWriteLock* pAcc = LockForWrite();

    if( !pAcc )
        return false;
    if( pAcc->HasPalette() )
    {
        for( U16 i = 0; i < pAcc->GetPalette().GetEntryCount(); i++ )
        {
            if( pAcc->GetPaletteColor( i ).GetLuminance() >= cThreshold )
            {
                BitmapColor aCol( pAcc->GetPaletteColor( i ) );
                pAcc->SetPaletteColor( i, aCol.Invert() );
            }
        }
    }
    else
    {
        const long nHeight = pAcc->Height(), nWidth = pAcc->Width();
        const long nStep = pAcc->GetBitCount() / 8;
        const bool bRgb = pAcc->GetScanFormat() == SCAN_24BIT_RGB;

        for( long nY = 0; nY < nHeight; nY++ )
        {
            Scanline pPix = pAcc->GetWriteScanline( nY );

            for( long nX = 0; nX < nWidth; nX++, pPix += nStep )
            {
                const BitmapColor aCol( pPix[ bRgb ? 0 : 2 ], pPix[ 1 ], pPix[ bRgb ? 2 : 0 ] );

                if( aCol.GetLuminance() >= cThreshold )
                {
                    pPix[ 0 ] = 255 - pPix[ 0 ];
                    pPix[ 1 ] = 255 - pPix[ 1 ];
                    pPix[ 2 ] = 255 - pPix[ 2 ];
                }
            }
        }
    }
    Unlock( pAcc );
    return true;
}

// Grey only; the outermost pixels stay as they are
bool OfficeBitmap::Median3x3()
{
    if( !ConvertTo8BitGrey() )
        return false;

    ScopedRead pRead( *this );
    OfficeBitmap aNew( Width(), Height(), SCAN_8BIT_PAL, mpStore->mbTopDown );
    {
        ScopedWrite pWrite( aNew );

        for( long nY = 0; nY < pRead->Height(); nY++ )
        {
            pWrite->CopyScanline( nY, *pRead, nY );
            if( nY == 0 || nY == pRead->Height() - 1 )
                continue;
            for( long nX = 1; nX < pRead->Width() - 1; nX++ )
            {
                U8 a[ 9 ];

                for( int i = 0; i < 9; i++ )
                    a[ i ] = pRead->GetScanline( nY - 1 + i / 3 )[ nX - 1 + i % 3 ];
                CMPSWAP( a[1], a[2] ) CMPSWAP( a[4], a[5] ) CMPSWAP( a[7], a[8] )
                CMPSWAP( a[0], a[1] ) CMPSWAP( a[3], a[4] ) CMPSWAP( a[6], a[7] )
                CMPSWAP( a[1], a[2] ) CMPSWAP( a[4], a[5] ) CMPSWAP( a[7], a[8] )
                CMPSWAP( a[0], a[3] ) CMPSWAP( a[5], a[8] ) CMPSWAP( a[4], a[7] )
                CMPSWAP( a[3], a[6] ) CMPSWAP( a[1], a[4] ) CMPSWAP( a[2], a[5] )
                CMPSWAP( a[4], a[7] ) CMPSWAP( a[4], a[2] ) CMPSWAP( a[6], a[4] )
                CMPSWAP( a[4], a[2] )
                pWrite->GetWriteScanline( nY )[ nX ] = a[ 4 ];
            }
        }
    }
    pRead.Release();
    Swap( aNew );
    return true;
}
