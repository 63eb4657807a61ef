#include <string.h>
#include <algorithm>
#include <memory>

#include "officebmp.hxx"

bool OfficeBitmap::Mirror( U32 nFlags )
{
    const bool  bHorz = ( nFlags & MIRROR_HORZ ) != 0;
    const bool  bVert = ( nFlags & MIRROR_VERT ) != 0;
    bool        bRet = false;

    if( bHorz && !bVert )
    {
        BitmapWriteAccess* pAcc = AcquireWriteAccess();

        if( pAcc )
        {
            const long  nWidth = pAcc->Width(), nHeight = pAcc->Height();
            const long  nWidth1 = nWidth - 1, nWidth_2 = nWidth / 2;

            for( long nY = 0; nY < nHeight; nY++ )
            {
                for( long nX = 0, nOther = nWidth1; nX < nWidth_2; nX++, nOther-- )
                {
                    const BitmapColor aTemp( pAcc->GetPixel( nY, nX ) );

                    pAcc->SetPixel( nY, nX, pAcc->GetPixel( nY, nOther ) );
                    pAcc->SetPixel( nY, nOther, aTemp );
                }
            }
            ReleaseAccess( pAcc );
            bRet = true;
        }
    }
    else if( bVert && !bHorz )
    {
        BitmapWriteAccess* pAcc = AcquireWriteAccess();

        if( pAcc )
        {
            const long          nScanSize = pAcc->GetScanlineSize();
            std::vector< U8 >   aBuffer( nScanSize );
            const long          nHeight_2 = pAcc->Height() / 2;

            for( long nY = 0, nOther = pAcc->Height() - 1; nY < nHeight_2; nY++, nOther-- )
            {
                memcpy( &aBuffer[ 0 ], pAcc->GetScanline( nY ), nScanSize );
                memcpy( pAcc->GetWriteScanline( nY ), pAcc->GetScanline( nOther ), nScanSize );
                memcpy( pAcc->GetWriteScanline( nOther ), &aBuffer[ 0 ], nScanSize );
            }
            ReleaseAccess( pAcc );
            bRet = true;
        }
    }
    else if( bHorz && bVert )
    {
        BitmapWriteAccess* pAcc = AcquireWriteAccess();

        if( pAcc )
        {
            const long  nWidth = pAcc->Width(), nWidth1 = nWidth - 1;
            const long  nHeight = pAcc->Height();
            long        nHeight_2 = nHeight / 2;
            long        nOtherY = nHeight - 1;

            for( long nY = 0; nY < nHeight_2; nY++, nOtherY-- )
            {
                for( long nX = 0, nOtherX = nWidth1; nX < nWidth; nX++, nOtherX-- )
                {
                    const BitmapColor aTemp( pAcc->GetPixel( nY, nX ) );

                    pAcc->SetPixel( nY, nX, pAcc->GetPixel( nOtherY, nOtherX ) );
                    pAcc->SetPixel( nOtherY, nOtherX, aTemp );
                }
            }

            // ungerade: the line in the middle on its own
            if( nHeight & 1 )
            {
                for( long nX = 0, nOtherX = nWidth1, nWidth_2 = nWidth / 2; nX < nWidth_2; nX++, nOtherX-- )
                {
                    const BitmapColor aTemp( pAcc->GetPixel( nHeight_2, nX ) );

                    pAcc->SetPixel( nHeight_2, nX, pAcc->GetPixel( nHeight_2, nOtherX ) );
                    pAcc->SetPixel( nHeight_2, nOtherX, aTemp );
                }
            }
            ReleaseAccess( pAcc );
            bRet = true;
        }
    }
    else
        bRet = true;

    return bRet;
}

// clockwise
bool OfficeBitmap::RotateOrthogonal( int nQuarters )
{
    nQuarters &= 3;
    if( nQuarters == 0 )
        return true;
    if( nQuarters == 2 )
        return Mirror( MIRROR_HORZ | MIRROR_VERT );

    ScopedRead pRead( *this );
    if( !pRead )
        return false;

    OfficeBitmap    aNew( Height(), Width(), GetFormat(), mpBuffer->mbTopDown );
    {
        ScopedWrite pWrite( aNew );
        if( !pWrite )
            return false;
        if( pRead->HasPalette() )
            pWrite->SetPalette( pRead->GetPalette() );

        const long  nWidth = pWrite->Width(), nHeight = pWrite->Height();
        const long  nWidth1 = nWidth - 1, nHeight1 = nHeight - 1;

        if( nQuarters == 1 )
        {
            for( long nY = 0; nY < nHeight; nY++ )
                for( long nX = 0, nOtherY = nWidth1; nX < nWidth; nX++ )
                    pWrite->SetPixel( nY, nX, pRead->GetPixel( nOtherY--, nY ) );
        }
        else
        {
            for( long nY = 0, nOtherX = nHeight1; nY < nHeight; nY++, nOtherX-- )
                for( long nX = 0, nOtherY = 0; nX < nWidth; nX++ )
                    pWrite->SetPixel( nY, nX, pRead->GetPixel( nOtherY++, nOtherX ) );
        }
    }
    pRead.Release();
    Swap( aNew );
    return true;
}

// Any angle around the centre, the size is kept.  16.16 sine and cosine.
bool OfficeBitmap::Rotate( long nSin16, long nCos16, const BitmapColor& rFill )
{
    BitmapReadAccess*   pRead = AcquireReadAccess();
    bool                bRet = false;

    if( pRead )
    {
        OfficeBitmap        aNew( pRead->Width(), pRead->Height(), GetFormat(), mpBuffer->mbTopDown );
        BitmapWriteAccess*  pWrite = aNew.AcquireWriteAccess();

        if( pWrite )
        {
            const long  nWidth = pRead->Width(), nHeight = pRead->Height();
            long        nX, nY, nRotX, nRotY;

            if( pRead->HasPalette() )
                pWrite->SetPalette( pRead->GetPalette() );

            const BitmapColor   aFill( pWrite->GetBestMatching( rFill ) );
            std::vector< long > aCosX( nWidth ), aSinX( nWidth ), aCosY( nHeight ), aSinY( nHeight );

            for( nX = 0; nX < nWidth; nX++ )
            {
                aCosX[ nX ] = nCos16 * ( 2 * nX - nWidth + 1 ) / 2;
                aSinX[ nX ] = nSin16 * ( 2 * nX - nWidth + 1 ) / 2;
            }
            for( nY = 0; nY < nHeight; nY++ )
            {
                aCosY[ nY ] = nCos16 * ( 2 * nY - nHeight + 1 ) / 2 + ( ( nHeight - 1 ) << 15 ) + 0x8000;
                aSinY[ nY ] = nSin16 * ( 2 * nY - nHeight + 1 ) / 2 - ( ( nWidth - 1 ) << 15 ) - 0x8000;
            }

            for( nY = 0; nY < nHeight; nY++ )
            {
                const long nSin = aSinY[ nY ], nCos = aCosY[ nY ];

                for( nX = 0; nX < nWidth; nX++ )
                {
                    nRotX = ( aCosX[ nX ] - nSin ) >> 16;
                    nRotY = ( aSinX[ nX ] + nCos ) >> 16;

                    if( nRotX > -1 && nRotX < nWidth && nRotY > -1 && nRotY < nHeight )
                        pWrite->SetPixel( nY, nX, pRead->GetPixel( nRotY, nRotX ) );
                    else
                        pWrite->SetPixel( nY, nX, aFill );
                }
            }
            aNew.ReleaseAccess( pWrite );
            bRet = true;
        }
        ReleaseAccess( pRead );
        if( bRet )
            Swap( aNew );
    }
    return bRet;
}

bool OfficeBitmap::Crop( const BmpRect& rRect )
{
    BmpRect aRect( rRect );

    aRect.Intersect( BmpRect( 0, 0, Width(), Height() ) );
    if( aRect.IsEmpty() )
        return false;

    BitmapReadAccess* pRead = AcquireReadAccess();
    if( !pRead )
        return false;

    OfficeBitmap        aNew( aRect.Width(), aRect.Height(), GetFormat(), mpBuffer->mbTopDown );
    BitmapWriteAccess*  pWrite = aNew.AcquireWriteAccess();

    if( pRead->HasPalette() )
        pWrite->SetPalette( pRead->GetPalette() );

    const U16 nBits = pRead->GetBitCount();
    for( long nNewY = 0, nY = aRect.nTop; nY < aRect.nBottom; nNewY++, nY++ )
    {
        if( nBits >= 8 )
        {
            const long nBytes = nBits >> 3;
            memcpy( pWrite->GetWriteScanline( nNewY ), pRead->GetScanline( nY ) + aRect.nLeft * nBytes,
                    aRect.Width() * nBytes );
        }
        else
        {
            for( long nNewX = 0, nX = aRect.nLeft; nX < aRect.nRight; nX++ )
                pWrite->SetPixel( nNewY, nNewX++, pRead->GetPixel( nY, nX ) );
        }
    }
    aNew.ReleaseAccess( pWrite );
    ReleaseAccess( pRead );
    Swap( aNew );
    return true;
}

// pSrc may be NULL: within the bitmap, and the rectangles may overlap
bool OfficeBitmap::CopyPixel( const BmpRect& rDst, const BmpRect& rSrc, const OfficeBitmap* pSrc )
{
    BmpRect aDst( rDst );

    aDst.Intersect( BmpRect( 0, 0, Width(), Height() ) );
    if( aDst.IsEmpty() )
        return false;

    if( pSrc && pSrc->mpBuffer != mpBuffer )
    {
        BmpRect aSrc( rSrc );

        aSrc.Intersect( BmpRect( 0, 0, pSrc->Width(), pSrc->Height() ) );
        if( aSrc.IsEmpty() )
            return false;

        ScopedRead  pRead( *pSrc );
        ScopedWrite pWrite( *this );
        if( !pRead || !pWrite )
            return false;

        const long  nW = std::min( aSrc.Width(), aDst.Width() );
        const long  nH = std::min( aSrc.Height(), aDst.Height() );

        if( pRead->HasPalette() && pWrite->HasPalette() )
        {
            // indices through a map, not colours
            const U16   nCount = static_cast<U16>( 1 << pRead->GetBitCount() );
            U8          aMap[ 256 ];

            for( U16 i = 0; i < nCount; i++ )
                aMap[ i ] = static_cast<U8>( pWrite->GetPalette().GetBestIndex( pRead->GetPaletteColor( i ) ) );

            for( long nY = 0; nY < nH; nY++ )
                for( long nX = 0; nX < nW; nX++ )
                    pWrite->SetPixel( aDst.nTop + nY, aDst.nLeft + nX,
                        BitmapColor( aMap[ pRead->GetPixel( aSrc.nTop + nY, aSrc.nLeft + nX ).GetIndex() ] ) );
        }
        else
        {
            for( long nY = 0; nY < nH; nY++ )
                for( long nX = 0; nX < nW; nX++ )
                    pWrite->SetPixel( aDst.nTop + nY, aDst.nLeft + nX,
                        pWrite->GetBestMatching( pRead->GetColor( aSrc.nTop + nY, aSrc.nLeft + nX ) ) );
        }
        return true;
    }

    BmpRect aSrc( rSrc );
    aSrc.Intersect( BmpRect( 0, 0, Width(), Height() ) );
    if( aSrc.IsEmpty() )
        return false;

    ScopedWrite pAcc( *this );
    if( !pAcc )
        return false;

    const long  nW = std::min( aSrc.Width(), aDst.Width() );
    const long  nH = std::min( aSrc.Height(), aDst.Height() );
    const bool  bUp = aSrc.nTop >= aDst.nTop;
    const bool  bLeft = aSrc.nLeft >= aDst.nLeft;

    for( long i = 0; i < nH; i++ )
    {
        const long nY = bUp ? i : nH - 1 - i;

        if( bLeft )
        {
            for( long nX = 0; nX < nW; nX++ )
                pAcc->SetPixel( aDst.nTop + nY, aDst.nLeft + nX, pAcc->GetPixel( aSrc.nTop + nY, aSrc.nLeft + nX ) );
        }
        else
        {
            for( long nX = nW - 1; nX >= 0; nX-- )
                pAcc->SetPixel( aDst.nTop + nY, aDst.nLeft + nX, pAcc->GetPixel( aSrc.nTop + nY, aSrc.nLeft + nX ) );
        }
    }
    return true;
}

bool OfficeBitmap::ScaleFast( long nNewWidth, long nNewHeight )
{
    bool bRet = false;

    if( nNewWidth > 0 && nNewHeight > 0 )
    {
        BitmapReadAccess* pRead = AcquireReadAccess();

        if( pRead )
        {
            OfficeBitmap        aNew( nNewWidth, nNewHeight, GetFormat(), mpBuffer->mbTopDown );
            BitmapWriteAccess*  pWrite = aNew.AcquireWriteAccess();
            std::unique_ptr< long[] > pLutX( new long[ nNewWidth ] );
            std::unique_ptr< long[] > pLutY( new long[ nNewHeight ] );
            long                nX, nY, nActY;

            if( pRead->HasPalette() )
                pWrite->SetPalette( pRead->GetPalette() );
            for( nX = 0; nX < nNewWidth; nX++ )
                pLutX[ nX ] = nX * pRead->Width() / nNewWidth;
            for( nY = 0; nY < nNewHeight; nY++ )
                pLutY[ nY ] = nY * pRead->Height() / nNewHeight;

            nActY = 0;
            while( nActY < nNewHeight )
            {
                const long nMapY = pLutY[ nActY ];

                for( nX = 0; nX < nNewWidth; nX++ )
                    pWrite->SetPixel( nActY, nX, pRead->GetPixel( nMapY, pLutX[ nX ] ) );

                // the same line several times?
                while( nActY < nNewHeight - 1 && pLutY[ nActY + 1 ] == nMapY )
                {
                    pWrite->CopyScanline( nActY + 1, *pWrite, nActY );
                    nActY++;
                }
                nActY++;
            }
            aNew.ReleaseAccess( pWrite );
            ReleaseAccess( pRead );
            Swap( aNew );
            bRet = true;
        }
    }
    return bRet;
}

bool OfficeBitmap::Invert()
{
    BitmapWriteAccess* pAcc = AcquireWriteAccess();

    if( !pAcc )
        return false;

    if( pAcc->HasPalette() )
    {
        if( pAcc->GetPalette().IsGreyPalette() )
        {
            for( long nY = 0; nY < pAcc->Height(); nY++ )
            {
                Scanline pLine = pAcc->GetWriteScanline( nY );
                for( long nX = 0; nX < pAcc->Width(); nX++, pLine++ )
                    *pLine = ~*pLine;
            }
        }
        else
        {
            BitmapPalette   aPal( pAcc->GetPalette() );
            const U16       nCount = aPal.GetEntryCount();

            for( U16 i = 0; i < nCount; i++ )
                aPal[ i ].Invert();
            pAcc->SetPalette( aPal );
        }
    }
    else
    {
        const long nWidth = pAcc->Width(), nHeight = pAcc->Height();

        for( long nY = 0; nY < nHeight; nY++ )
            for( long nX = 0; nX < nWidth; nX++ )
                pAcc->SetPixel( nY, nX, pAcc->GetPixel( nY, nX ).Invert() );
    }
    ReleaseAccess( pAcc );
    return true;
}

U32 OfficeBitmap::GetChecksum() const
{
    ScopedRead  pAcc( *this );
    U32         nA = 1, nB = 0;

    if( !pAcc )
        return 0;
    for( long nY = 0; nY < pAcc->Height(); nY++ )
    {
        for( long nX = 0; nX < pAcc->Width(); nX++ )
        {
            const BitmapColor aCol( pAcc->GetColor( nY, nX ) );

            nA = ( nA + aCol.GetBlue() + aCol.GetGreen() * 3U + aCol.GetRed() * 7U ) % 65521U;
            nB = ( nB + nA ) % 65521U;
        }
    }
    return ( nB << 16 ) | nA;
}

// Run-length coded scanlines, bottom line first; 8 bit only
bool OfficeBitmap::WriteRLE8( std::vector< U8 >& rOut ) const
{
    ScopedRead pAcc( *this );

    if( !pAcc || pAcc->GetBitCount() != 8 )
        return false;

    const long nWidth = pAcc->Width();
    for( long nY = pAcc->Height() - 1; nY >= 0; nY-- )
    {
        ConstScanline   pLine = pAcc->GetScanline( nY );
        long            nX = 0;

        while( nX < nWidth )
        {
            const U8    cLast = pLine[ nX++ ];
            U8          nRun = 1;

            while( nX < nWidth && nRun < 255 && pLine[ nX ] == cLast )
            {
                nX++;
                nRun++;
            }
            rOut.push_back( nRun );
            rOut.push_back( cLast );
        }
        rOut.push_back( 0 );
        rOut.push_back( nY ? 0 : 1 );
    }
    return true;
}
