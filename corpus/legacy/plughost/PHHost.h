//  PHHost.h
//  Documents, the filter interface, the tile loop.

#ifndef PHHost_h
#define PHHost_h

#include <mutex>
#include <vector>

#include "PHTypes.h"

namespace ph {

class ProgressSink {
public:
    virtual ~ProgressSink() {}
    virtual bool Advance( int32 done, int32 total ) = 0;     // false: the user has cancelled
};

// Handed to a filter with each tile.
class TileContext {
public:
    TileContext( ProgressSink* sink, const Rect& doc, int32 done, int32 total )
        : fDoc( doc ), fSink( sink ), fDone( done ), fTotal( total ) {}
    bool Cancelled( int32 rows ) const { return fSink && !fSink->Advance( fDone + rows, fTotal ); }
    const Rect fDoc;
private:
    ProgressSink* fSink;
    int32 fDone, fTotal;
};

struct DocInfo { Rect fBounds; int32 fPlanes, fDepth; };

class Filter {
public:
    virtual ~Filter() {}
    virtual const char* Name() const = 0;
    virtual int32 Margin() const     { return 0; }           // input around the tile, edges repeated
    virtual bool  InPlace() const    { return false; }       // in and out may be the same map
    virtual bool  WholeRows() const  { return false; }
    virtual bool  ReadOnly() const   { return false; }
    virtual Err   Prepare( const DocInfo& ) { return kNoErr; }
    virtual Err   ProcessTile( const PixelMap& in, const PixelMap& out, TileContext& ctx ) = 0;
    virtual void  Finish() {}
};

// Sends a tile to Run<T> of the filter that derives from this.
template <class Derived>
class DepthFilter : public Filter {
public:
    Err ProcessTile( const PixelMap& in, const PixelMap& out, TileContext& ctx ) {
        Derived* self = static_cast<Derived*>( this );
        switch ( in.fDepth ) {
            case kDepth8:    return self->template Run<uint8>( in, out, ctx );
            case kDepth16:   return self->template Run<uint16>( in, out, ctx );
            case kDepthReal: return self->template Run<real32>( in, out, ctx );
        }
        return kErrDepth;
    }
};

class PixelBlock {          // owns samples
public:
    PixelBlock() : fData( 0 ), fBytes( 0 ) {}
    ~PixelBlock();
    Err  Allocate( const Rect& bounds, int32 planes, int32 depth, int32 padding );
    const PixelMap& Map() const { return fMap; }
    const void* Data() const { return fData; }
    std::size_t Bytes() const { return fBytes; }
private:
    PixelBlock( const PixelBlock& );
    PixelBlock& operator=( const PixelBlock& );
    void* fData;
    std::size_t fBytes;
    PixelMap fMap;
};

class Document {
public:
    Err  Create( int32 height, int32 width, int32 planes, int32 depth, int32 padding );
    const PixelMap& Map() const { return fBlock.Map(); }
    const PixelBlock& Block() const { return fBlock; }

    void ReadTile( const PixelMap& into ) const;
    void WriteTile( const PixelMap& from, const PixelMap* selection );
    Err  ConvertTo( Document& other ) const;
    void Fill( const Rect& where, const real32* colour );
private:
    PixelBlock fBlock;
    mutable std::mutex fLock;
};

Err ApplyFilter( Document& doc, Filter& filter, ProgressSink* sink, const PixelMap* selection,
                 int32 tileHeight, int32 tileWidth );

} // namespace ph

#endif
