/*
 * points.c -- point operators
 *
 * FilmDesk, scanning and review software for the FD-400 film digitizer
 * $Revision: 2.14 $   $Date: 1994/11/03 17:20:41 $
 *
 * Images are w pixels wide and h lines high.  `bpl' is the distance from a line to
 * the next: bytes for 8-bit images, pixels for 16-bit ones.  Where a routine takes a
 * destination and a source these are either the same image or don't overlap at all.
 */

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char  PIXEL;
typedef unsigned short WPIXEL;          /* 10, 12 or 16 bits, right justified */
typedef short          SPIXEL;          /* density differences, CT numbers */

#define PT_OK       0
#define PT_BADARG (-1)
#define PT_NOMEM  (-2)

#define DEPTH12  4096
#define MASK12   (DEPTH12 - 1)

#define MIN(a, b)          ((a) < (b) ? (a) : (b))
#define BOUND(v, lo, hi)   ((v) < (lo) ? (lo) : (v) > (hi) ? (hi) : (v))

/* One line through a table. */
#define XLATE(d, s, n, tab) \
    do { \
        int n_ = (n); \
        while (--n_ >= 0) \
            *(d)++ = (tab)[*(s)++]; \
    } while (0)

/* masks of the bits in a byte, leftmost pixel first */
static const PIXEL bitmask[8] = { 0x80, 0x40, 0x20, 0x10, 0x08, 0x04, 0x02, 0x01 };


/* ---- tables ------------------------------------------------------------------- */

/*
 * Gamma correction in place.  1.0 changes nothing, 2.2 suits the Trinitron.
 */
void pt_gamma(PIXEL *buf, int npix, double gamma)
{
    PIXEL table[256];
    register PIXEL *p;
    int i;

    assert(gamma > 0.0);
    for (i = 0; i < 256; i++)
        table[i] = (PIXEL)(255.0 * pow(i / 255.0, 1.0 / gamma) + 0.5);
    for (p = buf; npix-- > 0; p++)
        *p = table[*p];
}

/*
 * The levels dialog.  black..white is stretched to outblack..outwhite, which may be
 * upside down.
 */
int pt_levels(PIXEL *dst, const PIXEL *src, int w, int h, int bpl,
              int black, int white, int outblack, int outwhite)
{
    PIXEL table[256];
    int i, v, span;

    if (black < 0 || white > 255 || black >= white)
        return PT_BADARG;
    if (outblack < 0 || outblack > 255 || outwhite < 0 || outwhite > 255)
        return PT_BADARG;

    span = white - black;
    for (i = 0; i < black; i++)
        table[i] = (PIXEL)outblack;
    for ( ; i < white; i++) {
        v = (i - black) * (outwhite - outblack);
        v += v < 0 ? -(span / 2) : span / 2;
        table[i] = (PIXEL)(outblack + v / span);
    }
    for ( ; i < 256; i++)
        table[i] = (PIXEL)outwhite;

    while (h-- > 0) {
        const PIXEL *s = src;
        PIXEL *d = dst;

        XLATE(d, s, w, table);
        src += bpl;
        dst += bpl;
    }
    return PT_OK;
}

/*
 * Tone curve through nknots points, straight lines between them.  The x of the knots
 * must increase.
 */
int pt_curve(PIXEL *buf, long npix, const PIXEL *xs, const PIXEL *ys, int nknots)
{
    PIXEL table[256];
    int i, k;

    if (nknots < 2)
        return PT_BADARG;
    for (k = 1; k < nknots; k++)
        if (xs[k] <= xs[k - 1])
            return PT_BADARG;

    k = 0;
    for (i = 0; i < 256; i++) {
        if (i <= xs[0])
            table[i] = ys[0];
        else if (i >= xs[nknots - 1])
            table[i] = ys[nknots - 1];
        else {
            int dx, dy;

            while (xs[k + 1] < i)
                k++;
            dx = xs[k + 1] - xs[k];
            dy = ys[k + 1] - ys[k];
            table[i] = (PIXEL)(ys[k] + dy * (i - xs[k]) / dx);
        }
    }

    while (--npix >= 0) {
        *buf = table[*buf];
        buf++;
    }
    return PT_OK;
}


/* ---- effects ------------------------------------------------------------------ */

void pt_posterize(PIXEL *img, int w, int h, int bpl, int nlevels)
{
    int x, y;

    assert(nlevels >= 2 && nlevels <= 256);
    for (y = 0; y < h; y++) {
        PIXEL *p = img + (long)y * bpl;

        for (x = 0; x < w; x++) {
            int band = (p[x] * nlevels) >> 8;
            p[x] = (PIXEL)(band * 255 / (nlevels - 1));
        }
    }
}

void pt_solarize(PIXEL *img, int w, int h, int bpl, int thresh)
{
    int skip = bpl - w;
    int n;

    if (w <= 0)
        return;
    for ( ; h > 0; h--) {
        n = w;
        do {
            if (*img > thresh)
                *img ^= 0xff;
            img++;
        } while (--n);
        img += skip;
    }
}

/*
 * Binarize for the fax.  A run starts where a line gets as bright as `on' and ends
 * where it falls below `off'.
 */
void pt_threshold_hyst(PIXEL *dst, const PIXEL *src, int w, int h, int dstbpl, int srcbpl,
                       int on, int off)
{
    int x, y, state;

    assert(off <= on);
    for (y = 0; y < h; y++) {
        state = 0;
        for (x = 0; x < w; x++) {
            if (state) {
                if (src[x] < off)
                    state = 0;
            } else {
                if (src[x] >= on)
                    state = 1;
            }
            dst[x] = state ? 255 : 0;
        }
        src += srcbpl;
        dst += dstbpl;
    }
}


/* ---- two images --------------------------------------------------------------- */

void pt_add_sat(PIXEL *dst, const PIXEL *a, const PIXEL *b, int w, int h, int bpl)
{
    register unsigned s;
    int n;

    while (h-- > 0) {
        for (n = 0; n < w; n++) {
            s = (unsigned)a[n] + b[n];
            dst[n] = (PIXEL)(s | (0 - (s >> 8)));
        }
        dst += bpl;
        a += bpl;
        b += bpl;
    }
}

/*
 * Subtraction angiography: live minus mask, signed, with gain in 1/16.
 */
void pt_sub_sat16(SPIXEL *diff, const SPIXEL *live, const SPIXEL *mask,
                  int w, int h, int bpl, int gain)
{
    int x, y;

    assert(gain >= 0 && gain <= 256);
    for (y = 0; y < h; y++)
        for (x = 0; x < w; x++) {
            long i = (long)y * bpl + x;
            long v = ((long)live[i] - mask[i]) * gain / 16;

            diff[i] = (SPIXEL)BOUND(v, -32768L, 32767L);
        }
}

/*
 * dst = (a * wa + b * wb) / 256.  The weights are what the mixer sliders deliver,
 * 0..256 each, so the sum may be too bright.
 */
void pt_blend(PIXEL *dst, const PIXEL *a, const PIXEL *b, int npix, unsigned wa, unsigned wb)
{
    unsigned v;
    int quads;

    if (npix <= 0)
        return;
    if (wa > 256)
        wa = 256;
    if (wb > 256)
        wb = 256;

#define MIX1(i)  (v = (a[i] * wa + b[i] * wb + 128) >> 8, dst[i] = (PIXEL)MIN(v, 255))

    for (quads = npix >> 2; quads != 0; quads--) {
        MIX1(0);
        MIX1(1);
        MIX1(2);
        MIX1(3);
        dst += 4;
        a += 4;
        b += 4;
    }
    switch (npix & 3) {
    case 3:
        MIX1(2);
        /* FALLTHROUGH */
    case 2:
        MIX1(1);
        /* FALLTHROUGH */
    case 1:
        MIX1(0);
        break;
    default:
        break;
    }
#undef MIX1
}


/* ---- bit planes --------------------------------------------------------------- */

/*
 * Bit `plane' of each pixel, eight to a byte, for the 1-bit overlay of the display.
 * Lines of bits start on bytes; what is left over in the last byte is zero.
 */
void pt_bitplane_get(PIXEL *bits, const PIXEL *src, int w, int h, int bitsbpl, int srcbpl,
                     int plane)
{
    int x, y;

    assert(plane >= 0 && plane < 8);
    for (y = 0; y < h; y++) {
        PIXEL *d = bits;
        unsigned acc = 0;

        for (x = 0; x < w; x++) {
            acc = (acc << 1) | ((src[x] >> plane) & 1);
            if ((x & 7) == 7) {
                *d++ = (PIXEL)acc;
                acc = 0;
            }
        }
        if (w & 7)
            *d = (PIXEL)(acc << (8 - (w & 7)));
        bits += bitsbpl;
        src += srcbpl;
    }
}

/* The other way: sets or clears bit `plane', the other bits stay. */
void pt_bitplane_put(PIXEL *img, const PIXEL *bits, int w, int h, int bpl, int bitsbpl,
                     int plane)
{
    PIXEL set;
    int x, y;

    assert(plane >= 0 && plane < 8);
    set = (PIXEL)(1 << plane);
    for (y = 0; y < h; y++, img += bpl, bits += bitsbpl)
        for (x = 0; x < w; x++) {
            if (bits[x >> 3] & bitmask[x & 7])
                img[x] |= set;
            else
                img[x] &= ~set;
        }
}


/* ---- depth -------------------------------------------------------------------- */

/* 8 to 16 bits, white stays white; in one go if there is no gap between the lines. */
void pt_8to16(WPIXEL *dst, const PIXEL *src, int w, int h, int dstbpl, int srcbpl)
{
    int n;

    if (dstbpl == w && srcbpl == w) {
        w *= h;
        h = 1;
    }
    while (h-- > 0) {
        register WPIXEL *d = dst;
        register const PIXEL *s = src;

        for (n = w; n > 0; n--, s++)
            *d++ = (WPIXEL)((*s << 8) | *s);
        dst += dstbpl;
        src += srcbpl;
    }
}

void pt_16to10(WPIXEL *buf, unsigned npix)
{
    WPIXEL *end = buf + npix;

    while (buf != end) {
        *buf = (WPIXEL)(((unsigned long)*buf * 1023UL + 32767UL) / 65535UL);
        ++buf;
    }
}

/* 12 to 8 bits with rounding, through the gain table of the detector if there is one. */
void pt_12to8(PIXEL *dst, const WPIXEL *src, int npix, const WPIXEL *gains)
{
    int i, v;

    if (gains == NULL) {
        for (i = 0; i < npix; i++) {
            v = ((src[i] & MASK12) + 8) >> 4;
            dst[i] = (PIXEL)(v > 255 ? 255 : v);
        }
    } else {
        for (i = 0; i < npix; i++) {
            unsigned long t = (unsigned long)(src[i] & MASK12) * gains[i];

            t = (t + 0x8000UL) >> 16;           /* gain 1.0 is 0x1000 */
            dst[i] = (PIXEL)MIN(t, 255UL);
        }
    }
}

/*
 * What the digitizer sends: two pixels in three bytes, low byte first.  If there is an
 * odd number of pixels the last one has two bytes of its own.
 */
void pt_unpack12(WPIXEL *dst, const PIXEL *src, int npix)
{
    int pairs = npix / 2;

    while (pairs-- > 0) {
        dst[0] = (WPIXEL)(src[0] | ((src[1] & 0x0f) << 8));
        dst[1] = (WPIXEL)((src[1] >> 4) | (src[2] << 4));
        dst += 2;
        src += 3;
    }
    if (npix > 0 && (npix & 1))
        *dst = (WPIXEL)(src[0] | ((src[1] & 0x0f) << 8));
}


/* ---- window and level --------------------------------------------------------- */

void pt_window(PIXEL *dst, const SPIXEL *src, int w, int h, int dstbpl, int srcbpl,
               int level, int width)
{
    long lo, v;
    int x, y;

    assert(width >= 1 && width <= 65536);
    assert(level >= -32768 && level <= 32767);
    lo = level - width / 2;
    for (y = 0; y < h; y++) {
        for (x = 0; x < w; x++) {
            v = src[x] - lo;
            if (v <= 0)
                dst[x] = 0;
            else if (v >= width - 1)
                dst[x] = 255;
            else
                dst[x] = (PIXEL)(v * 255 / (width - 1));
        }
        dst += dstbpl;
        src += srcbpl;
    }
}

/*
 * The same by way of a table, for stored values that must first be rescaled to CT
 * numbers.  Bits above the twelfth are overlays and ignored.
 */
int pt_window_rescaled(PIXEL *dst, const WPIXEL *src, int w, int h, int dstbpl, int srcbpl,
                       double slope, double intercept, double level, double width, int inverse)
{
    PIXEL *table;
    double lo, v;
    int i, x;

    if (!(width > 0.0))
        return PT_BADARG;
    table = (PIXEL *)malloc(DEPTH12);
    if (table == NULL)
        return PT_NOMEM;

    lo = level - 0.5 * width;
    for (i = 0; i < DEPTH12; i++) {
        v = (i * slope + intercept - lo) * 255.0 / width;
        if (!(v > 0.0))
            table[i] = 0;
        else if (v >= 255.0)
            table[i] = 255;
        else
            table[i] = (PIXEL)(v + 0.5);
    }
    if (inverse)
        for (i = 0; i < DEPTH12; i++)
            table[i] = (PIXEL)(255 - table[i]);

    while (--h >= 0) {
        for (x = 0; x < w; x++)
            dst[x] = table[src[x] & MASK12];
        src += srcbpl;
        dst += dstbpl;
    }
    free(table);
    return PT_OK;
}


/* ---- contrast found in the image ---------------------------------------------- */

/*
 * Scales to the given mean and standard deviation, so that two films can be compared.
 * A blank film becomes the mean.
 */
void pt_normalise(PIXEL *dst, const WPIXEL *src, int w, int h, int srcbpl,
                  double mean, double sdev)
{
    double sum = 0.0, sumsq = 0.0, mu, var, scale, v;
    const WPIXEL *s;
    int x, y;

    assert(mean >= 0.0 && mean <= 255.0);
    assert(sdev >= 0.0 && sdev <= 255.0);
    if (w <= 0 || h <= 0)
        return;
    for (y = 0, s = src; y < h; y++, s += srcbpl)
        for (x = 0; x < w; x++)
            sum += s[x];
    mu = sum / ((double)w * h);

    for (y = 0, s = src; y < h; y++, s += srcbpl)
        for (x = 0; x < w; x++) {
            v = s[x] - mu;
            sumsq += v * v;
        }
    var = sumsq / ((double)w * h);
    scale = var > 0.0 ? sdev / sqrt(var) : 0.0;

    for (y = 0, s = src; y < h; y++, s += srcbpl)
        for (x = 0; x < w; x++) {
            v = (s[x] - mu) * scale + mean;
            v = BOUND(v, 0.0, 255.0);
            *dst++ = (PIXEL)floor(v + 0.5);
        }
}

/* Stretches what is there to 0..255 and returns how much was there. */
int pt_stretch(PIXEL *dst, const WPIXEL *src, int w, int h, int dstbpl, int srcbpl)
{
    WPIXEL lo = 0xffff, hi = 0;
    unsigned long range;
    int x, y;

    for (y = 0; y < h; y++) {
        const WPIXEL *s = src + (long)y * srcbpl;

        for (x = 0; x < w; x++) {
            if (s[x] < lo)
                lo = s[x];
            if (s[x] > hi)
                hi = s[x];
        }
    }
    if (hi <= lo) {
        for (y = 0; y < h; y++)
            if (w > 0)
                memset(dst + (long)y * dstbpl, 0, (size_t)w);
        return 0;
    }

    range = (unsigned long)(hi - lo);
    for (y = 0; y < h; y++)
        for (x = 0; x < w; x++) {
            unsigned long v = src[(long)y * srcbpl + x] - (unsigned long)lo;

            dst[(long)y * dstbpl + x] = (PIXEL)((v * 255UL + range / 2) / range);
        }
    return (int)range;
}
