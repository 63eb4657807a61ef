//  PHFilters.h
//  The filters that come with the host.

#ifndef PHFilters_h
#define PHFilters_h

#include "PHHost.h"

namespace ph {

#define PH_RUN template <typename T> Err Run( const PixelMap& in, const PixelMap& out, TileContext& ctx )

// -- adjust

struct BrightnessParams { int32 fBrightness; int32 fContrast; };        // -100..100, 0..400 percent
class BrightnessFilter : public DepthFilter<BrightnessFilter> {
public:
    explicit BrightnessFilter( const BrightnessParams& p ) : fParams( p ) {}
    const char* Name() const { return "Brightness"; }
    bool InPlace() const { return true; }
    Err Prepare( const DocInfo& );
    PH_RUN;
private:
    BrightnessParams fParams;
};

struct LevelsParams { uint8 fBlack[ kMaxPlanes ], fWhite[ kMaxPlanes ]; bool fInvert; };
class LevelsFilter : public Filter {        // 8 bit only
public:
    explicit LevelsFilter( const LevelsParams& p ) : fParams( p ) {}
    const char* Name() const { return "Levels"; }
    bool InPlace() const { return true; }
    Err Prepare( const DocInfo& info );
    Err ProcessTile( const PixelMap& in, const PixelMap& out, TileContext& ctx );
private:
    LevelsParams fParams;
    uint8 fTable[ kMaxPlanes ][ 256 ];
};

struct MixerParams { real32 fMatrix[ 3 ][ 4 ]; bool fMonochrome; };
class MixerFilter : public DepthFilter<MixerFilter> {
public:
    explicit MixerFilter( const MixerParams& p ) : fParams( p ) {}
    const char* Name() const { return "Channel Mixer"; }
    bool InPlace() const { return true; }
    Err Prepare( const DocInfo& info ) { return info.fPlanes >= 3 ? kNoErr : kErrPlanes; }
    PH_RUN;
private:
    MixerParams fParams;
};

class SolarizeFilter : public DepthFilter<SolarizeFilter> {
public:
    const char* Name() const { return "Solarize"; }
    bool InPlace() const { return true; }
    PH_RUN;
};

struct ThresholdParams { real32 fLevel; };
class ThresholdFilter : public DepthFilter<ThresholdFilter> {
public:
    explicit ThresholdFilter( const ThresholdParams& p ) : fParams( p ) {}
    const char* Name() const { return "Threshold"; }
    bool InPlace() const { return true; }
    PH_RUN;
private:
    ThresholdParams fParams;
};

struct PosterizeParams { int32 fLevels; bool fDiffuse; };
class PosterizeFilter : public Filter {     // 8 bit only
public:
    explicit PosterizeFilter( const PosterizeParams& p ) : fParams( p ) {}
    const char* Name() const { return "Posterize"; }
    bool InPlace() const { return true; }
    bool WholeRows() const { return fParams.fDiffuse; }
    Err Prepare( const DocInfo& info );
    Err ProcessTile( const PixelMap& in, const PixelMap& out, TileContext& ctx );
private:
    Err ProcessPlain( const PixelMap& in, const PixelMap& out );
    Err ProcessDiffuse( const PixelMap& in, const PixelMap& out );
    PosterizeParams fParams;
};

// -- blur

struct BlurParams { int32 fRadius; };
class TentBlurFilter : public DepthFilter<TentBlurFilter> {
public:
    explicit TentBlurFilter( const BlurParams& p ) : fParams( p ) {}
    const char* Name() const { return "Tent Blur"; }
    int32 Margin() const { return fParams.fRadius; }
    Err Prepare( const DocInfo& );
    PH_RUN;
private:
    BlurParams fParams;
    std::vector<int32> fWeights;
    int32 fTotal;
};

struct UnsharpParams { int32 fAmount; int32 fThreshold; };     // percent, in 1/255
class UnsharpFilter : public DepthFilter<UnsharpFilter> {
public:
    explicit UnsharpFilter( const UnsharpParams& p ) : fParams( p ) {}
    const char* Name() const { return "Unsharp Mask"; }
    int32 Margin() const { return 1; }
    PH_RUN;
private:
    UnsharpParams fParams;
};

struct MotionParams { int32 fTaps; int32 fStepH, fStepV; };     // steps in 1/256 pixel
class MotionBlurFilter : public DepthFilter<MotionBlurFilter> {
public:
    explicit MotionBlurFilter( const MotionParams& p ) : fParams( p ) {}
    const char* Name() const { return "Motion Blur"; }
    int32 Margin() const;
    PH_RUN;
private:
    MotionParams fParams;
};

struct SmearParams { int32 fStrength; };        // 0..255
class SmearFilter : public DepthFilter<SmearFilter> {
public:
    explicit SmearFilter( const SmearParams& p ) : fParams( p ) {}
    const char* Name() const { return "Wind"; }
    bool InPlace() const { return true; }
    bool WholeRows() const { return true; }
    PH_RUN;
private:
    SmearParams fParams;
};

struct DustParams { int32 fRadius; int32 fThreshold; };
class DespeckleFilter : public DepthFilter<DespeckleFilter> {
public:
    explicit DespeckleFilter( const DustParams& p ) : fParams( p ) {}
    const char* Name() const { return "Despeckle"; }
    int32 Margin() const { return fParams.fRadius; }
    PH_RUN;
private:
    DustParams fParams;
};

// -- stylize

struct EmbossParams { int32 fDirection; int32 fHeight; };       // 0..7, 1..10
class EmbossFilter : public DepthFilter<EmbossFilter> {
public:
    explicit EmbossFilter( const EmbossParams& p ) : fParams( p ) {}
    const char* Name() const { return "Emboss"; }
    int32 Margin() const { return 1; }
    PH_RUN;
private:
    EmbossParams fParams;
};

struct MosaicParams { int32 fCell; };
class MosaicFilter : public DepthFilter<MosaicFilter> {
public:
    explicit MosaicFilter( const MosaicParams& p ) : fParams( p ) {}
    const char* Name() const { return "Mosaic"; }
    int32 Margin() const { return fParams.fCell - 1; }
    PH_RUN;
private:
    MosaicParams fParams;
};

struct NoiseParams { int32 fAmount; uint32 fSeed; bool fMono; };
class NoiseFilter : public DepthFilter<NoiseFilter> {
public:
    explicit NoiseFilter( const NoiseParams& p ) : fParams( p ) {}
    const char* Name() const { return "Add Noise"; }
    bool InPlace() const { return true; }
    PH_RUN;
private:
    NoiseParams fParams;
};

struct RippleParams { int32 fAmplitude; int32 fPeriod; };       // pixels, power of two rows
class RippleFilter : public DepthFilter<RippleFilter> {
public:
    explicit RippleFilter( const RippleParams& p ) : fParams( p ) {}
    const char* Name() const { return "Ripple"; }
    int32 Margin() const { return fParams.fAmplitude + 1; }
    Err Prepare( const DocInfo& );
    PH_RUN;
private:
    RippleParams fParams;
    int32 fWave[ 64 ];
};

class DeinterlaceFilter : public DepthFilter<DeinterlaceFilter> {
public:
    const char* Name() const { return "De-Interlace"; }
    int32 Margin() const { return 1; }
    PH_RUN;
};

// -- analyze

struct PlaneStats { real32 fMin, fMax; double fSum; uint32 fCount, fClipped; };
class StatsFilter : public DepthFilter<StatsFilter> {
public:
    const char* Name() const { return "Statistics"; }
    bool ReadOnly() const { return true; }
    Err Prepare( const DocInfo& info );
    PlaneStats Result( int32 plane ) const { return fStats[ plane ]; }
    PH_RUN;
private:
    PlaneStats fStats[ kMaxPlanes ];
    int32 fPlanes;
    std::mutex fLock;
};

class HistogramFilter : public Filter {
public:
    const char* Name() const { return "Histogram"; }
    bool ReadOnly() const { return true; }
    Err Prepare( const DocInfo& info );
    Err ProcessTile( const PixelMap& in, const PixelMap& out, TileContext& ctx );
    const std::vector<uint32>& Bins() const { return fBins; }
private:
    std::vector<uint32> fBins;          // 256 of luminance, then 256 of each plane
};

struct Extent { Rect fRect; bool fFound; };
class ExtentFilter : public DepthFilter<ExtentFilter> {     // where alpha (or the last plane) is not zero
public:
    const char* Name() const { return "Extent"; }
    bool ReadOnly() const { return true; }
    Err Prepare( const DocInfo& );
    Extent Result() const { return fExtent; }
    PH_RUN;
private:
    Extent fExtent;
};

#undef PH_RUN

} // namespace ph

#endif
