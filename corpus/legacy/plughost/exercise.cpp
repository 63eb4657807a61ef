//  exercise.cpp
//  Every filter and every document function over many sizes; a hash per group of cases.

#include "PHFilters.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

using namespace ph;

static uint64 gHash;
static uint32 gSeed;

static void HashBytes( const void* p, std::size_t n ) {
    for ( const uint8* b = static_cast<const uint8*>( p ); n--; ++b )
        gHash = ( gHash ^ *b ) * UINT64_C( 1099511628211 );
}
template <typename T> static void HashValue( T v ) { HashBytes( &v, sizeof v ); }
static void HashDoc( const Document& d ) { HashBytes( d.Block().Data(), d.Block().Bytes() ); }

static void Start( uint32 seed ) { gHash = UINT64_C( 14695981039346656037 ); gSeed = seed * 2246822519u + 7; }
static void Report( const std::string& name, const std::string& what ) {
    std::printf( "%s %s %016" PRIx64 "\n", name.c_str(), what.c_str(), gHash );
}

static uint32 Random() {
    gSeed = gSeed * 69069u + 12345u;
    return gSeed >> 12;
}

static void Randomize( const PixelMap& m, int32 style ) {
    for ( int32 v = m.fBounds.top; v < m.fBounds.bottom; ++v )
        for ( int32 i = 0; i < m.fBounds.Width() * m.fPlanes; ++i ) {
            uint32 x = Random();
            if ( style == 1 && x % 3 == 0 ) x = 0;
            if ( style == 2 && x % 3 == 0 ) x = 32768;
            if ( m.fDepth == kDepth8 )
                RowBegin<uint8>( m, v )[ i ] = style && x == 32768 ? 255 : static_cast<uint8>( x );
            else if ( m.fDepth == kDepth16 )
                RowBegin<uint16>( m, v )[ i ] = static_cast<uint16>( x % 32769 );
            else
                RowBegin<real32>( m, v )[ i ] = static_cast<int32>( x % 1500 ) / 1000.0f - ( style ? 0.0f : 0.2f );
        }
}

class Counter : public ProgressSink {       // gives up after so many calls
public:
    explicit Counter( int32 limit ) : fCalls( 0 ), fSum( 0 ), fLimit( limit ) {}
    bool Advance( int32 done, int32 total ) {
        ++fCalls;
        fSum += done + total;
        return fLimit < 0 || fCalls < fLimit;
    }
    int32 fCalls;
    int64 fSum;
private:
    int32 fLimit;
};

static const int32 kWidths[] = { 0, 1, 2, 3, 7, 16, 17, 64, 65, 130, 151 };
static const int32 kDepths[] = { kDepth8, kDepth16, kDepthReal };
static const char* const kDepthNames[] = { "8", "16", "real" };

template <typename F> static void ForSizes( F f ) {
    for ( int32 w : kWidths ) {
        if ( w == 151 ) { f( 29, w ); continue; }
        for ( int32 h = 1; h <= 9; ++h ) f( h, w );
    }
    f( 0, 5 );
}

enum Mode { kWhole, kTiled, kSelected, kCancelled };
static const char* const kModeNames[] = { "whole", "tiled", "selected", "cancelled" };

template <typename MakeFilter, typename After>
static void TryFilter( const char* name, MakeFilter make, After after ) {
    for ( int d = 0; d < 3; ++d )
        for ( int mode = kWhole; mode <= kCancelled; ++mode ) {
            Start( d * 4 + mode );
            ForSizes( [&]( int32 h, int32 w ) {
                const int32 planes = 1 + ( h + w + mode ) % 4;
                Document doc;
                doc.Create( h, w, planes, kDepths[ d ], h % 3 );
                Randomize( doc.Map(), ( h + w ) % 3 );
                PixelBlock sel;
                sel.Allocate( MakeRect( h / 4, w / 5, h, w > 3 ? w - 1 : w ), 1, kDepth8, 1 );
                Randomize( sel.Map(), 1 + w % 2 );
                Counter counter( mode == kCancelled ? 1 + ( h * 3 + w ) % 11 : -1 );
                auto filter = make();
                const Err e = ApplyFilter( doc, *filter, mode == kWhole ? 0 : &counter, mode == kSelected ? &sel.Map() : 0,
                                           mode == kWhole ? 1000 : 4, mode == kWhole ? 1000 : 1 + ( w * 7 ) % 40 );
                HashValue( e );
                HashValue( counter.fCalls );
                HashValue( counter.fSum );
                HashDoc( doc );
                after( *filter );
            } );
            Report( name, std::string( kDepthNames[ d ] ) + "-" + kModeNames[ mode ] );
        }
}

template <typename F, typename P> static void TryWith( const char* name, const char* variant, const P& params ) {
    TryFilter( ( std::string( name ) + "." + variant ).c_str(), [&] { return std::unique_ptr<F>( new F( params ) ); }, []( F& f ) {
        HashBytes( f.Name(), std::strlen( f.Name() ) );
    } );
}

static void TryDocuments() {
    for ( int a = 0; a < 3; ++a )
        for ( int b = 0; b < 3; ++b ) {
            Start( a * 3 + b );
            ForSizes( [&]( int32 h, int32 w ) {
                Document s, d;
                s.Create( h, w, 1 + h % 4, kDepths[ a ], w % 2 );
                d.Create( h, w, 1 + h % 4, kDepths[ b ], h % 2 );
                Randomize( s.Map(), h % 3 );
                HashValue( s.ConvertTo( d ) );
                HashDoc( d );
            } );
            Report( "Document::ConvertTo", std::string( kDepthNames[ a ] ) + "-to-" + kDepthNames[ b ] );
        }
    for ( int a = 0; a < 3; ++a ) {
        Start( 50 + a );
        ForSizes( [&]( int32 h, int32 w ) {
            static const real32 colour[ 4 ] = { 0.25f, 1.5f, -0.5f, 0.7f };
            Document doc;
            doc.Create( h, w, 1 + w % 4, kDepths[ a ], 2 );
            Randomize( doc.Map(), 0 );
            doc.Fill( MakeRect( 1, -3, h + 4, w / 2 ), colour );
            HashDoc( doc );
            doc.Fill( MakeRect( -1, w / 2, h - 1, w + 1 ), colour );
            HashDoc( doc );
        } );
        Report( "Document::Fill", kDepthNames[ a ] );

        Start( 60 + a );
        ForSizes( [&]( int32 h, int32 w ) {
            if ( !h || !w )
                return;
            Document doc;
            doc.Create( h, w, 1 + w % 4, kDepths[ a ], 1 );
            Randomize( doc.Map(), 0 );
            PixelBlock tile;
            tile.Allocate( MakeRect( -3, -2, h + 5, w + 1 ), 1 + w % 4, kDepths[ a ], 1 );
            doc.ReadTile( tile.Map() );
            HashBytes( tile.Data(), tile.Bytes() );
        } );
        Report( "Document::ReadTile", kDepthNames[ a ] );

        for ( int masked = 0; masked < 2; ++masked ) {
            Start( 70 + a );
            ForSizes( [&]( int32 h, int32 w ) {
                Document doc;
                doc.Create( h, w, 1 + w % 4, kDepths[ a ], 1 );
                Randomize( doc.Map(), 0 );
                PixelBlock tile, sel;
                tile.Allocate( MakeRect( -1, 1, h, w + 3 ), 1 + w % 4, kDepths[ a ], 0 );
                Randomize( tile.Map(), 1 );
                sel.Allocate( MakeRect( 0, 0, h, w ), 1, kDepth8, 0 );
                Randomize( sel.Map(), 2 );
                doc.WriteTile( tile.Map(), masked ? &sel.Map() : 0 );
                HashDoc( doc );
            } );
            Report( "Document::WriteTile", std::string( kDepthNames[ a ] ) + ( masked ? "-selection" : "-all" ) );
        }
    }
}

int main() {
    TryDocuments();

    TryWith<BrightnessFilter>( "Brightness", "up", BrightnessParams{ 20, 150 } );
    TryWith<BrightnessFilter>( "Brightness", "flat", BrightnessParams{ -35, 0 } );
    TryWith<BrightnessFilter>( "Brightness", "bad", BrightnessParams{ -101, 0 } );
    TryWith<LevelsFilter>( "Levels", "plain", LevelsParams{ { 0, 10, 20, 0 }, { 255, 200, 180, 254 }, false } );
    TryWith<LevelsFilter>( "Levels", "invert", LevelsParams{ { 0, 10, 20, 128 }, { 1, 11, 220, 255 }, true } );
    TryWith<MixerFilter>( "Mixer", "rgb", MixerParams{ { { 0.5f, 0.25f, 0.25f, 0.0f }, { -0.5f, 1.75f, 0.0f, 0.125f }, { 0, 0, -1, 1 } }, false } );
    TryWith<MixerFilter>( "Mixer", "mono", MixerParams{ { { 0.3f, 0.6f, 0.1f, 0.01f }, {}, {} }, true } );
    TryFilter( "Solarize", [] { return std::unique_ptr<SolarizeFilter>( new SolarizeFilter ); }, []( SolarizeFilter& ) {} );
    TryWith<ThresholdFilter>( "Threshold", "half", ThresholdParams{ 0.5f } );
    TryWith<PosterizeFilter>( "Posterize", "plain", PosterizeParams{ 5, false } );
    TryWith<PosterizeFilter>( "Posterize", "diffuse", PosterizeParams{ 3, true } );
    TryWith<TentBlurFilter>( "TentBlur", "1", BlurParams{ 1 } );
    TryWith<TentBlurFilter>( "TentBlur", "4", BlurParams{ 4 } );
    TryWith<UnsharpFilter>( "Unsharp", "strong", UnsharpParams{ 250, 0 } );
    TryWith<UnsharpFilter>( "Unsharp", "threshold", UnsharpParams{ 80, 20 } );
    TryWith<MotionBlurFilter>( "MotionBlur", "slanted", MotionParams{ 5, 300, -100 } );
    TryWith<MotionBlurFilter>( "MotionBlur", "none", MotionParams{ 0, 256, 0 } );
    TryWith<SmearFilter>( "Smear", "long", SmearParams{ 220 } );
    TryWith<DespeckleFilter>( "Despeckle", "1", DustParams{ 1, 12 } );
    TryWith<DespeckleFilter>( "Despeckle", "2", DustParams{ 2, 0 } );
    for ( int32 i = 0; i < 8; i += 3 )
        TryWith<EmbossFilter>( "Emboss", std::to_string( i ).c_str(), EmbossParams{ i, 3 } );
    TryWith<MosaicFilter>( "Mosaic", "5", MosaicParams{ 5 } );
    TryWith<MosaicFilter>( "Mosaic", "1", MosaicParams{ 1 } );
    TryWith<NoiseFilter>( "Noise", "colour", NoiseParams{ 40, 1, false } );
    TryWith<NoiseFilter>( "Noise", "mono", NoiseParams{ 150, 77, true } );
    TryWith<RippleFilter>( "Ripple", "3", RippleParams{ 3, 12 } );
    TryFilter( "Deinterlace", [] { return std::unique_ptr<DeinterlaceFilter>( new DeinterlaceFilter ); }, []( DeinterlaceFilter& ) {} );
    TryFilter( "Stats", [] { return std::unique_ptr<StatsFilter>( new StatsFilter ); }, []( StatsFilter& f ) {
        for ( int32 p = 0; p < kMaxPlanes; ++p ) {
            const PlaneStats s = f.Result( p );
            HashValue( s.fMin ); HashValue( s.fMax ); HashValue( s.fSum ); HashValue( s.fCount ); HashValue( s.fClipped );
        }
    } );
    TryFilter( "Histogram", [] { return std::unique_ptr<HistogramFilter>( new HistogramFilter ); }, []( HistogramFilter& f ) {
        if ( !f.Bins().empty() ) HashBytes( &f.Bins()[ 0 ], f.Bins().size() * sizeof( uint32 ) );
    } );
    TryFilter( "Extent", [] { return std::unique_ptr<ExtentFilter>( new ExtentFilter ); }, []( ExtentFilter& f ) {
        const Extent x = f.Result();
        HashValue( x.fFound ); HashValue( x.fRect );
    } );
    return 0;
}
