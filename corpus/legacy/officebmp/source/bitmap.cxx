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
        BitmapWriteLock* pAcc = LockForWrite();

        if( pAcc )
        {
            const long  nWidth = pAcc->Width(), nHeight = pAcc->Height();
            const long  nLastX = nWidth - 1, nHalfW = nWidth / 2;

            for( long nY = 0; nY < nHeight; nY++ )
            {
                for( long nX = 0, nBack = nLastX; nX < nHalfW; nX++, nBack-- )
                {
                    const BitmapColor aTemp( pAcc->GetPixel( nY, nX ) );

                    pAcc->SetPixel( nY, nX, pAcc->GetPixel( nY, nBack ) );
                    pAcc->SetPixel( nY, nBack, aTemp );
                }
            }
            Unlock( pAcc );
            bRet = true;
        }
    }
    else if( bVert && !bHorz )
    {
        BitmapWriteLock* pAcc = LockForWrite();

        if( pAcc )
        {
            const long          nScanSize = pAcc->GetScanlineSize();
            std::vector< U8 >   aBuffer( nScanSize );
            const long          nHalfH = pAcc->Height() / 2;

            for( long nY = 0, nBack = pAcc->Height() - 1; nY < nHalfH; nY++, nBack-- )
            {
                memcpy( &aBuffer[ 0 ], pAcc->GetScanline( nY ), nScanSize );
                memcpy( pAcc->GetWriteScanline( nY ), pAcc->GetScanline( nBack ), nScanSize );
                memcpy( pAcc->GetWriteScanline( nBack ), &aBuffer[ 0 ], nScanSize );
            }
            Unlock( pAcc );
            bRet = true;
        }
    }
    else if( bHorz && bVert )
    {
        BitmapWriteLock* pAcc = LockForWrite();

        if( pAcc )
        {
            const long  nWidth = pAcc->Width(), nLastX = nWidth - 1;
            const long  nHeight = pAcc->Height();
            long        nHalfH = nHeight / 2;
            long        nBackY = nHeight - 1;

            for( long nY = 0; nY < nHalfH; nY++, nBackY-- )
            {
                for( long nX = 0, nBackX = nLastX; nX < nWidth; nX++, nBackX-- )
                {
                    const BitmapColor aTemp( pAcc->GetPixel( nY, nX ) );

                    pAcc->SetPixel( nY, nX, pAcc->GetPixel( nBackY, nBackX ) );
                    pAcc->SetPixel( nBackY, nBackX, aTemp );
                }
            }

            // an odd number: the line in the middle on its own
            if( nHeight & 1 )
            {
                for( long nX = 0, nBackX = nLastX, nHalfW = nWidth / 2; nX < nHalfW; nX++, nBackX-- )
                {
                    const BitmapColor aTemp( pAcc->GetPixel( nHalfH, nX ) );

                    pAcc->SetPixel( nHalfH, nX, pAcc->GetPixel( nHalfH, nBackX ) );
                    pAcc->SetPixel( nHalfH, nBackX, aTemp );
                }
            }
            Unlock( pAcc );
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

    OfficeBitmap    aNew( Height(), Width(), GetFormat(), mpStore->mbTopDown );
    {
        ScopedWrite pWrite( aNew );
        if( !pWrite )
            return false;
        if( pRead->HasPalette() )
            pWrite->SetPalette( pRead->GetPalette() );

        const long  nWidth = pWrite->Width(), nHeight = pWrite->Height();
        const long  nLastX = nWidth - 1, nLastY = nHeight - 1;

        if( nQuarters == 1 )
        {
            for( long nY = 0; nY < nHeight; nY++ )
                for( long nX = 0, nBackY = nLastX; nX < nWidth; nX++ )
                    pWrite->SetPixel( nY, nX, pRead->GetPixel( nBackY--, nY ) );
        }
        else
        {
            for( long nY = 0, nBackX = nLastY; nY < nHeight; nY++, nBackX-- )
                for( long nX = 0, nBackY = 0; nX < nWidth; nX++ )
                    pWrite->SetPixel( nY, nX, pRead->GetPixel( nBackY++, nBackX ) );
        }
    }
    pRead.Release();
    Swap( aNew );
    return true;
}

// Any angle around the centre, the size is kept.  16.16 sine and cosine.
bool OfficeBitmap::Rotate( long nSin16, long nCos16, const BitmapColor& rFill )
{
    BitmapReadLock*   pRead = LockForRead();
    bool                bRet = false;

    if( pRead )
    {
        OfficeBitmap        aNew( pRead->Width(), pRead->Height(), GetFormat(), mpStore->mbTopDown );
        BitmapWriteLock*  pWrite = aNew.LockForWrite();

        if( pWrite )
        {
            const long  nWidth = pRead->Width(), nHeight = pRead->Height();
            long        nX, nY, nRotX, nRotY;

            if( pRead->HasPalette() )
                pWrite->SetPalette( pRead->GetPalette() );

            const BitmapColor   aFill( pWrite->Match( rFill ) );
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
            aNew.Unlock( pWrite );
            bRet = true;
        }
        Unlock( pRead );
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

    BitmapReadLock* pRead = LockForRead();
    if( !pRead )
        return false;

    OfficeBitmap        aNew( aRect.Width(), aRect.Height(), GetFormat(), mpStore->mbTopDown );
    BitmapWriteLock*  pWrite = aNew.LockForWrite();

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
    aNew.Unlock( pWrite );
    Unlock( pRead );
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

    if( pSrc && pSrc->mpStore != mpStore )
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
                        pWrite->Match( pRead->GetColor( aSrc.nTop + nY, aSrc.nLeft + nX ) ) );
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
        BitmapReadLock* pRead = LockForRead();

        if( pRead )
        {
            OfficeBitmap        aNew( nNewWidth, nNewHeight, GetFormat(), mpStore->mbTopDown );
            BitmapWriteLock*  pWrite = aNew.LockForWrite();
            std::unique_ptr< long[] > pFromX( new long[ nNewWidth ] );
            std::unique_ptr< long[] > pFromY( new long[ nNewHeight ] );
            long                nX, nY, nLine;

            if( pRead->HasPalette() )
                pWrite->SetPalette( pRead->GetPalette() );
            for( nX = 0; nX < nNewWidth; nX++ )
                pFromX[ nX ] = nX * pRead->Width() / nNewWidth;
            for( nY = 0; nY < nNewHeight; nY++ )
                pFromY[ nY ] = nY * pRead->Height() / nNewHeight;

            nLine = 0;
            while( nLine < nNewHeight )
            {
                const long nFrom = pFromY[ nLine ];

                for( nX = 0; nX < nNewWidth; nX++ )
                    pWrite->SetPixel( nLine, nX, pRead->GetPixel( nFrom, pFromX[ nX ] ) );

                // the same line several times?
                while( nLine < nNewHeight - 1 && pFromY[ nLine + 1 ] == nFrom )
                {
                    pWrite->CopyScanline( nLine + 1, *pWrite, nLine );
                    nLine++;
                }
                nLine++;
            }
            aNew.Unlock( pWrite );
            Unlock( pRead );
            Swap( aNew );
            bRet = true;
        }
    }
    return bRet;
}

bool OfficeBitmap::Invert()
{
    BitmapWriteLock* pAcc = LockForWrite();

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
    Unlock( pAcc );
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
