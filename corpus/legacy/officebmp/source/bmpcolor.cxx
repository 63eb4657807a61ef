#include <math.h>
#include <string.h>
#include <algorithm>

#include "officebmp.hxx"

bool OfficeBitmap::ConvertTo8BitGrey()
{
    BitmapReadLock*   pRead = LockForRead();
    bool                bRet = false;

    if( pRead )
    {
        OfficeBitmap        aNew( pRead->Width(), pRead->Height(), SCAN_8BIT_PAL, mpStore->mbTopDown );
        BitmapWriteLock*  pWrite = aNew.LockForWrite();

        if( pWrite )
        {
            const long nWidth = pWrite->Width(), nHeight = pWrite->Height();

            if( pRead->HasPalette() )
            {
                U8 aLum[ 256 ];

                for( U16 i = 0; i < 256; i++ )
                    aLum[ i ] = pRead->GetPaletteColor( i ).GetLuminance();
                for( long nY = 0; nY < nHeight; nY++ )
                {
                    Scanline pDst = pWrite->GetWriteScanline( nY );
                    for( long nX = 0; nX < nWidth; nX++ )
                        *pDst++ = aLum[ pRead->GetPixel( nY, nX ).GetIndex() ];
                }
            }
            else if( pRead->GetScanFormat() == SCAN_24BIT_BGR )
            {
                const long nCount = nWidth;

                for( long nY = 0; nY < nHeight; nY++ )
                {
                    ConstScanline   pSrc = pRead->GetScanline( nY );
                    Scanline        pDst = pWrite->GetWriteScanline( nY );

                    for( long nX = 0; nX < nCount; nX++ )
                    {
                        const U32 nB = *pSrc++;
                        const U32 nG = *pSrc++;
                        const U32 nR = *pSrc++;

                        *pDst++ = static_cast<U8>( ( nR * 76 + nG * 150 + nB * 30 ) >> 8 );
                    }
                }
            }
            else if( pRead->GetScanFormat() == SCAN_24BIT_RGB )
            {
                for( long nY = 0; nY < nHeight; nY++ )
                {
                    ConstScanline   pSrc = pRead->GetScanline( nY );
                    Scanline        pDst = pWrite->GetWriteScanline( nY );

                    for( long nX = 0; nX < nWidth; nX++, pSrc += 3 )
                        pDst[ nX ] = static_cast<U8>( ( pSrc[ 0 ] * 76 + pSrc[ 1 ] * 150 + pSrc[ 2 ] * 30 ) >> 8 );
                }
            }
            else
            {
                for( long nY = 0; nY < nHeight; nY++ )
                    for( long nX = 0; nX < nWidth; nX++ )
                        pWrite->GetWriteScanline( nY )[ nX ] = pRead->GetPixel( nY, nX ).GetLuminance();
            }
            aNew.Unlock( pWrite );
            bRet = true;
        }
        Unlock( pRead );
        if( bRet )
            Swap( aNew );
    }
    return bRet;
}

bool OfficeBitmap::ConvertTo24Bit()
{
    ScopedRead pRead( *this );

    if( !pRead )
        return false;

    OfficeBitmap aNew( Width(), Height(), SCAN_24BIT_BGR, mpStore->mbTopDown );
    {
        ScopedWrite pWrite( aNew );

        for( long nY = 0; nY < pRead->Height(); nY++ )
        {
            Scanline pDst = pWrite->GetWriteScanline( nY );

            if( pRead->GetScanFormat() == SCAN_1BIT_MSB_PAL )
            {
                // bits directly, this is what scanners deliver
                ConstScanline       pSrc = pRead->GetScanline( nY );
                const BitmapColor&  r0 = pRead->GetPaletteColor( 0 );
                const BitmapColor&  r1 = pRead->GetPaletteColor( 1 );
                U8                  cMask = 0x80;

                for( long nX = 0; nX < pRead->Width(); nX++ )
                {
                    const BitmapColor& rCol = *pSrc & cMask ? r1 : r0;

                    *pDst++ = rCol.GetBlue();
                    *pDst++ = rCol.GetGreen();
                    *pDst++ = rCol.GetRed();
                    if( !( cMask >>= 1 ) )
                    {
                        cMask = 0x80;
                        pSrc++;
                    }
                }
            }
            else
            {
                for( long nX = 0; nX < pRead->Width(); nX++ )
                    pWrite->SetPixel( nY, nX, pRead->GetColor( nY, nX ) );
            }
        }
    }
    pRead.Release();
    Swap( aNew );
    return true;
}

bool OfficeBitmap::MakeMono( U8 cThreshold )
{
    ScopedRead pRead( *this );

    if( !pRead )
        return false;

    OfficeBitmap aNew( Width(), Height(), SCAN_1BIT_MSB_PAL, mpStore->mbTopDown );
    {
        ScopedWrite         pWrite( aNew );
        const BitmapColor   aBlack( pWrite->Match( BitmapColor( 0, 0, 0 ) ) );
        const BitmapColor   aWhite( pWrite->Match( BitmapColor( 255, 255, 255 ) ) );
        const long          nWidth = pWrite->Width(), nHeight = pWrite->Height();

        for( long nY = 0; nY < nHeight; nY++ )
        {
            for( long nX = 0; nX < nWidth; nX++ )
            {
                if( pRead->GetColor( nY, nX ).GetLuminance() >= cThreshold )
                    pWrite->SetPixel( nY, nX, aWhite );
                else
                    pWrite->SetPixel( nY, nX, aBlack );
            }
        }
    }
    pRead.Release();
    Swap( aNew );
    return true;
}

// 8 bit grey stays 8 bit, with 0 and 255 only
bool OfficeBitmap::DitherMono( bool bDiffuse )
{
    static const U8 aBayer[ 4 ][ 4 ] =
    {
        {   8, 136,  40, 168 },
        { 200,  72, 232, 104 },
        {  56, 184,  24, 152 },
        { 248, 120, 216,  88 }
    };

    if( GetFormat() != SCAN_8BIT_PAL && !ConvertTo8BitGrey() )
        return false;

    BitmapWriteLock* pAcc = LockForWrite();
    if( !pAcc )
        return false;

    const long nWidth = pAcc->Width(), nHeight = pAcc->Height();

    if( !bDiffuse )
    {
        for( long nY = 0; nY < nHeight; nY++ )
        {
            Scanline pLine = pAcc->GetWriteScanline( nY );
            for( long nX = 0; nX < nWidth; nX++ )
                pLine[ nX ] = pLine[ nX ] >= aBayer[ nY & 3 ][ nX & 3 ] ? 255 : 0;
        }
    }
    else
    {
        std::vector< int >  aErr1( nWidth + 2, 0 ), aErr2( nWidth + 2, 0 );
        int*                pThis = &aErr1[ 1 ];
        int*                pNext = &aErr2[ 1 ];

        for( long nY = 0; nY < nHeight; nY++ )
        {
            Scanline pLine = pAcc->GetWriteScanline( nY );

            std::fill( pNext - 1, pNext + nWidth + 1, 0 );
            for( long nX = 0; nX < nWidth; nX++ )
            {
                const int   nVal = pLine[ nX ] + pThis[ nX ] / 16;
                const int   nOut = nVal < 128 ? 0 : 255;
                const int   nErr = nVal - nOut;

                pLine[ nX ] = static_cast<U8>( nOut );
                pThis[ nX + 1 ] += nErr * 7;
                pNext[ nX - 1 ] += nErr * 3;
                pNext[ nX ] += nErr * 5;
                pNext[ nX + 1 ] += nErr;
            }
            std::swap( pThis, pNext );
        }
    }
    Unlock( pAcc );
    return true;
}

bool OfficeBitmap::Replace( const BitmapColor& rSearch, const BitmapColor& rReplace, U16 nTol )
{
    BitmapWriteLock*  pAcc = LockForWrite();
    bool                bRet = false;

    if( pAcc )
    {
        const int   nMinR = MinMax< int >( rSearch.GetRed() - nTol, 0, 255 );
        const int   nMaxR = MinMax< int >( rSearch.GetRed() + nTol, 0, 255 );
        const int   nMinG = MinMax< int >( rSearch.GetGreen() - nTol, 0, 255 );
        const int   nMaxG = MinMax< int >( rSearch.GetGreen() + nTol, 0, 255 );
        const int   nMinB = MinMax< int >( rSearch.GetBlue() - nTol, 0, 255 );
        const int   nMaxB = MinMax< int >( rSearch.GetBlue() + nTol, 0, 255 );

        if( pAcc->HasPalette() )
        {
            for( U16 i = 0, nCount = pAcc->GetPalette().GetEntryCount(); i < nCount; i++ )
            {
                const BitmapColor& rCol = pAcc->GetPaletteColor( i );

                if( nMinR <= rCol.GetRed() && rCol.GetRed() <= nMaxR &&
                    nMinG <= rCol.GetGreen() && rCol.GetGreen() <= nMaxG &&
                    nMinB <= rCol.GetBlue() && rCol.GetBlue() <= nMaxB )
                {
                    pAcc->SetPaletteColor( i, rReplace );
                }
            }
        }
        else
        {
            BitmapColor aCol;

            for( long nY = 0, nHeight = pAcc->Height(); nY < nHeight; nY++ )
            {
                for( long nX = 0, nWidth = pAcc->Width(); nX < nWidth; nX++ )
                {
                    aCol = pAcc->GetPixel( nY, nX );

                    if( nMinR <= aCol.GetRed() && nMaxR >= aCol.GetRed() &&
                        nMinG <= aCol.GetGreen() && nMaxG >= aCol.GetGreen() &&
                        nMinB <= aCol.GetBlue() && nMaxB >= aCol.GetBlue() )
                    {
                        pAcc->SetPixel( nY, nX, rReplace );
                    }
                }
            }
        }
        Unlock( pAcc );
        bRet = true;
    }
    return bRet;
}

// 1 where the pixel is rTrans
bool OfficeBitmap::CreateMask( OfficeBitmap& rMask, const BitmapColor& rTrans ) const
{
    ScopedRead pRead( *this );

    if( !pRead )
        return false;

    OfficeBitmap aNew( Width(), Height(), SCAN_1BIT_MSB_PAL );
    {
        ScopedWrite         pWrite( aNew );
        const BitmapColor   aTest( pRead->Match( rTrans ) );
        const long          nWidth = pRead->Width();

        for( long nY = 0; nY < pRead->Height(); nY++ )
        {
            if( pRead->GetScanFormat() == SCAN_8BIT_PAL )
            {
                ConstScanline   pSrc = pRead->GetScanline( nY );
                Scanline        pDst = pWrite->GetWriteScanline( nY );
                const U8        cTest = aTest.GetIndex();
                U8              cByte = 0;
                long            nX;

                for( nX = 0; nX < nWidth; nX++ )
                {
                    cByte = static_cast<U8>( ( cByte << 1 ) | ( pSrc[ nX ] == cTest ) );
                    if( ( nX & 7 ) == 7 )
                        *pDst++ = cByte;
                }
                if( nX & 7 )
                    *pDst = static_cast<U8>( cByte << ( 8 - ( nX & 7 ) ) );
            }
            else
            {
                for( long nX = 0; nX < nWidth; nX++ )
                    pWrite->SetPixel( nY, nX, BitmapColor( U8( pRead->GetPixel( nY, nX ) == aTest ? 1 : 0 ) ) );
            }
        }
    }
    rMask.Swap( aNew );
    return true;
}

bool OfficeBitmap::Adjust( short nLum, short nContrast, short nRed, short nGreen, short nBlue,
                           double fGamma, bool bInvert )
{
    if( !nLum && !nContrast && !nRed && !nGreen && !nBlue && fGamma == 1.0 && !bInvert )
        return true;

    BitmapWriteLock* pAcc = LockForWrite();
    if( !pAcc )
        return false;

    U8          aMapR[ 256 ], aMapG[ 256 ], aMapB[ 256 ];
    const bool  bGamma = fGamma > 0.1 && fGamma <= 10.0 && fGamma != 1.0;
    double      fM;

    if( nContrast >= 0 )
        fM = 128.0 / ( 128.0 - 1.27 * MinMax< int >( nContrast, 0, 100 ) );
    else
        fM = ( 128.0 + 1.27 * MinMax< int >( nContrast, -100, 0 ) ) / 128.0;

    const double fOff = MinMax< int >( nLum, -100, 100 ) * 2.55 + 128.0 - fM * 128.0;
    const double fROff = nRed * 2.55 + fOff, fGOff = nGreen * 2.55 + fOff, fBOff = nBlue * 2.55 + fOff;

    for( int nX = 0; nX < 256; nX++ )
    {
        aMapR[ nX ] = static_cast<U8>( MinMax( static_cast<long>( floor( nX * fM + fROff + 0.5 ) ), 0L, 255L ) );
        aMapG[ nX ] = static_cast<U8>( MinMax( static_cast<long>( floor( nX * fM + fGOff + 0.5 ) ), 0L, 255L ) );
        aMapB[ nX ] = static_cast<U8>( MinMax( static_cast<long>( floor( nX * fM + fBOff + 0.5 ) ), 0L, 255L ) );
        if( bGamma )
        {
            aMapR[ nX ] = static_cast<U8>( pow( aMapR[ nX ] / 255.0, 1.0 / fGamma ) * 255.0 + 0.5 );
            aMapG[ nX ] = static_cast<U8>( pow( aMapG[ nX ] / 255.0, 1.0 / fGamma ) * 255.0 + 0.5 );
            aMapB[ nX ] = static_cast<U8>( pow( aMapB[ nX ] / 255.0, 1.0 / fGamma ) * 255.0 + 0.5 );
        }
        if( bInvert )
        {
            aMapR[ nX ] = ~aMapR[ nX ];
            aMapG[ nX ] = ~aMapG[ nX ];
            aMapB[ nX ] = ~aMapB[ nX ];
        }
    }

    if( pAcc->HasPalette() )
    {
        for( U16 i = 0, nCount = pAcc->GetPalette().GetEntryCount(); i < nCount; i++ )
        {
            const BitmapColor& rCol = pAcc->GetPaletteColor( i );
            pAcc->SetPaletteColor( i, BitmapColor( aMapR[ rCol.GetRed() ], aMapG[ rCol.GetGreen() ],
                                                   aMapB[ rCol.GetBlue() ] ) );
        }
    }
    else if( pAcc->GetScanFormat() == SCAN_24BIT_BGR || pAcc->GetScanFormat() == SCAN_24BIT_RGB )
    {
        const bool  bBgr = pAcc->GetScanFormat() == SCAN_24BIT_BGR;
        const U8*   pMap0 = bBgr ? aMapB : aMapR;
        const U8*   pMap2 = bBgr ? aMapR : aMapB;

        for( long nY = 0; nY < pAcc->Height(); nY++ )
        {
            Scanline pScan = pAcc->GetWriteScanline( nY );

            for( long nX = 0; nX < pAcc->Width(); nX++ )
            {
                *pScan = pMap0[ *pScan ]; pScan++;
                *pScan = aMapG[ *pScan ]; pScan++;
                *pScan = pMap2[ *pScan ]; pScan++;
            }
        }
    }
    else
    {
        BitmapColor aCol;

        for( long nY = 0; nY < pAcc->Height(); nY++ )
        {
            for( long nX = 0; nX < pAcc->Width(); nX++ )
            {
                aCol = pAcc->GetPixel( nY, nX );
                aCol.SetRed( aMapR[ aCol.GetRed() ] );
                aCol.SetGreen( aMapG[ aCol.GetGreen() ] );
                aCol.SetBlue( aMapB[ aCol.GetBlue() ] );
                pAcc->SetPixel( nY, nX, aCol );
            }
        }
    }
    Unlock( pAcc );
    return true;
}

// 256 counts of luminance, or of indices with a palette
bool OfficeBitmap::GetHistogram( std::vector< U32 >& rHist ) const
{
    ScopedRead pAcc( *this );

    rHist.assign( 256, 0 );
    if( !pAcc )
        return false;
    for( long nY = 0; nY < pAcc->Height(); nY++ )
    {
        for( long nX = 0; nX < pAcc->Width(); nX++ )
        {
            const BitmapColor aCol( pAcc->GetPixel( nY, nX ) );
            rHist[ aCol.IsIndex() ? aCol.GetIndex() : aCol.GetLuminance() ]++;
        }
    }
    return true;
}

// rAlpha: 8 bit, 0 is transparent; only true colour
bool OfficeBitmap::BlendAlpha( const OfficeBitmap& rAlpha, const BitmapColor& rBack, const BmpRect* pClip )
{
    BmpRect aRect( 0, 0, std::min( Width(), rAlpha.Width() ), std::min( Height(), rAlpha.Height() ) );

    if( pClip )
        aRect.Intersect( *pClip );
    if( aRect.IsEmpty() || rAlpha.GetFormat() != SCAN_8BIT_PAL || GetFormat() < SCAN_24BIT_BGR )
        return false;

    ScopedRead  pAlpha( rAlpha );
    ScopedWrite pAcc( *this );
    if( !pAlpha || !pAcc )
        return false;

    for( long nY = aRect.nTop; nY < aRect.nBottom; nY++ )
    {
        ConstScanline pA = pAlpha->GetScanline( nY ) + aRect.nLeft;

        for( long nX = aRect.nLeft; nX < aRect.nRight; nX++ )
        {
            BitmapColor aCol( pAcc->GetPixel( nY, nX ) );
            pAcc->SetPixel( nY, nX, aCol.Merge( rBack, *pA++ ) );
        }
    }
    return true;
}

bool OfficeBitmap::BlendBitmap( const OfficeBitmap& rTop, const OfficeBitmap* pAlphaBmp, long nPosX, long nPosY )
{
    BmpRect             aRect( nPosX, nPosY, nPosX + rTop.Width(), nPosY + rTop.Height() );
    BitmapReadLock*   pTop = rTop.LockForRead();
    BitmapReadLock*   pAlpha = pAlphaBmp ? pAlphaBmp->LockForRead() : NULL;
    BitmapWriteLock*  pAcc = LockForWrite();
    bool                bRet = false;

    aRect.Intersect( BmpRect( 0, 0, Width(), Height() ) );
    if( pTop && pAcc && !aRect.IsEmpty() &&
        ( !pAlpha || ( pAlpha->Width() >= pTop->Width() && pAlpha->Height() >= pTop->Height() ) ) )
    {
        for( long nY = aRect.nTop; nY < aRect.nBottom; nY++ )
        {
            for( long nX = aRect.nLeft; nX < aRect.nRight; nX++ )
            {
                BitmapColor aCol( pTop->GetColor( nY - nPosY, nX - nPosX ) );

                if( pAlpha )
                {
                    const U8 cAlpha = pAlpha->GetColor( nY - nPosY, nX - nPosX ).GetLuminance();

                    if( cAlpha == 0 )
                        continue;
                    if( cAlpha < 255 )
                        aCol.Merge( pAcc->GetColor( nY, nX ), cAlpha );
                }
                pAcc->SetPixel( nY, nX, pAcc->Match( aCol ) );
            }
        }
        bRet = true;
    }
    Unlock( pAcc );
    if( pAlphaBmp )
        pAlphaBmp->Unlock( pAlpha );
    rTop.Unlock( pTop );
    return bRet;
}
