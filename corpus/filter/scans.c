/*
 *  scans.c -- running sums, predictors and check sums
 *
 *  Tessera raster tools, scan line library.  For SunOS, HP-UX and OS/2, 1992 - 1999.
 *
 *  Conventions.  A "pitch" is the distance from a row to the next one, in samples of the
 *  plane's own type.  Rows and planes without samples (n, w or h <= 0) are left alone.  Two
 *  arrays that a routine is given never overlap unless its comment says so.
 *  All accumulators of 32 bits are unsigned and simply wrap.
 */

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char       byte;
typedef unsigned short      word16;
typedef short               int16;
typedef int                 int32;
typedef unsigned int        uint32;
typedef unsigned long long  uint64;         /* since 3.1 */

#define ADLER_BASE  65521u
#define ABS(x)      ((x) < 0 ? -(x) : (x))

/* ---------------------------------------------------------------------- sums along a line */

void sum_row(uint32 *sum, const byte *row, int n)
{
    register uint32 acc = 0;
    int i;

    for (i = 0; i < n; i++) {
        acc += row[i];
        sum[i] = acc;
    }
}

/* From the last sample to the first: sum[i] = row[i] + ... + row[n-1].
 * n up to 65536, so that it fits. */
void sum_row_backwards(int32 *sum, const int16 *row, int n)
{
    int32 acc = 0;

    while (--n >= 0) {
        acc += row[n];
        sum[n] = acc;
    }
}

/* In place. */
void undelta_words(word16 *a, int n)
{
    int i;

    for (i = 1; i < n; i++)
        a[i] += a[i - 1];
}

/* In place, each column by itself. */
void undelta_columns(byte *plane, int w, int h, int pitch)
{
    const byte *above;
    int x, y;

    for (y = 1; y < h; y++) {
        above = plane;
        plane += pitch;
        for (x = 0; x < w; x++)
            plane[x] += above[x];
    }
}

/* Running total in reading order; the end of a row goes on in the next. Returns the total. */
uint32 sum_image(uint32 *sum, const byte *in, int w, int h, int sum_pitch, int in_pitch)
{
    uint32 total = 0;
    int x, y;

    for (y = 0; y < h; y++) {
        for (x = 0; x < w; x++)
            sum[x] = total += in[x];
        sum += sum_pitch;
        in += in_pitch;
    }
    return total;
}

/* Counts to offsets, in place: count[i] becomes the number of entries before bucket i.
 * Returns the number of entries. */
uint32 counts_to_offsets(uint32 *count, int n)
{
    uint32 here, next;
    uint32 *p, *end;

    if (n <= 0)
        return 0;
    here = 0;
    end = count + n;
    for (p = count; p != end; p++) {
        next = here + *p;
        *p = here;
        here = next;
    }
    return here;
}

/* First place of each grey level in the sorted plane; start has 257 entries. */
void bucket_starts(uint32 *start, const byte *in, int w, int h, int pitch)
{
    int x, y, i;

    memset(start, 0, 257 * sizeof(start[0]));
    for (y = 0; y < h; y++) {
        for (x = 0; x < w; x++)
            start[in[x] + 1]++;
        in += pitch;
    }
    for (i = 1; i <= 256; i++)
        start[i] += start[i - 1];
}

/* ---------------------------------------------------------------------- summed areas */

/* ii[y][x] is the sum over rows 0..y and columns 0..x, both included. */
void area_sums(uint32 *ii, const byte *in, int w, int h, int ii_pitch, int in_pitch)
{
    uint32 rowsum;
    int x, y;

    for (y = 0; y < h; y++) {
        rowsum = 0;
        for (x = 0; x < w; x++) {
            rowsum += in[x];
            ii[x] = y > 0 ? rowsum + ii[x - ii_pitch] : rowsum;
        }
        ii += ii_pitch;
        in += in_pitch;
    }
}

/* The same by the four corners, for planes of up to 4 Mpixels. */
void area_sums_corners(int32 *ii, const byte *in, int w, int h, int ii_pitch, int in_pitch)
{
    const int32 *up;
    int x, y;

    if (w <= 0 || h <= 0)
        return;
    ii[0] = in[0];
    for (x = 1; x < w; x++)
        ii[x] = ii[x - 1] + in[x];
    for (y = 1; y < h; y++) {
        up = ii;
        ii += ii_pitch;
        in += in_pitch;
        ii[0] = up[0] + in[0];
        for (x = 1; x < w; x++)
            ii[x] = in[x] + ii[x - 1] + up[x] - up[x - 1];
    }
}

/* Squares; rows first, then down the columns. */
void area_squares(uint32 *ii, const byte *in, int w, int h, int ii_pitch, int in_pitch)
{
    uint32 sq[256];
    uint32 *row;
    int x, y;

    for (x = 0; x < 256; x++)
        sq[x] = (uint32)(x * x);

    row = ii;
    for (y = 0; y < h; y++, row += ii_pitch, in += in_pitch) {
        if (w > 0)
            row[0] = sq[in[0]];
        for (x = 1; x < w; x++)
            row[x] = row[x - 1] + sq[in[x]];
    }
    for (y = 1; y < h; y++)
        for (x = 0; x < w; x++)
            ii[y * ii_pitch + x] += ii[(y - 1) * ii_pitch + x];
}

/* Sums and squares in one pass over the pixels, up to 8 Mpixels. Squares in double, they are
 * exact. */
void area_moments(int32 *sum, double *sqsum, const byte *in, int w, int h, int out_pitch, int in_pitch)
{
    int x, y;

    for (y = 0; y < h; y++) {
        const byte *p = in + (ptrdiff_t)y * in_pitch;
        int32 *s = sum + (ptrdiff_t)y * out_pitch;
        double *q = sqsum + (ptrdiff_t)y * out_pitch;
        int32 t = 0;
        double tq = 0;

        if (y == 0) {
            for (x = 0; x < w; x++) {
                t += p[x];
                tq += (double)p[x] * p[x];
                s[x] = t;
                q[x] = tq;
            }
        } else {
            for (x = 0; x < w; x++) {
                int v = p[x];
                t += v;
                tq += v * v;
                s[x] = s[x - out_pitch] + t;
                q[x] = q[x - out_pitch] + tq;
            }
        }
    }
}

/* With a row and a column of zeros in front: ii is (w + 1) x (h + 1) without gaps, so
 * that the sum over a rectangle needs no tests. Always writes the zeros. */
void area_sums_bordered(uint32 *ii, const byte *in, int w, int h, int in_pitch)
{
    uint32 *p = ii;
    const uint32 *q;
    uint32 run;
    int n, x;

    if (w < 0 || h < 0)
        return;
    for (x = 0; x <= w; x++)
        *p++ = 0;
    q = ii;
    while (h--) {
        *p++ = 0;
        q++;
        run = 0;
        for (n = 0; n < w; n++) {
            run += in[n];
            *p++ = run + *q++;
        }
        in += in_pitch;
    }
}

void area_sums_wide(uint64 *ii, const word16 *in, int w, int h, int ii_pitch, int in_pitch)
{
    int x, y;

    for (y = 0; y < h; y++) {
        const word16 *src = &in[(ptrdiff_t)y * in_pitch];
        uint64 *cur = &ii[(ptrdiff_t)y * ii_pitch];
        uint64 acc = 0;

        for (x = 0; x < w; x++)
            cur[x] = acc += src[x];
        if (y) {
            const uint64 *prev = &ii[(ptrdiff_t)(y - 1) * ii_pitch];
            for (x = 0; x < w; x++)
                cur[x] += prev[x];
        }
    }
}

/* Light meter tables. The plane is dense (pitch == w) and ii may be the plane itself. */
void area_sums_float(float *ii, const float *lum, unsigned w, unsigned h)
{
    unsigned x, y;

    for (y = 0; y < h; y++) {
        float acc = 0.0f;
        for (x = 0; x < w; x++) {
            acc += lum[y * w + x];
            if (y == 0)
                ii[x] = acc;
            else
                ii[y * w + x] = ii[(y - 1) * w + x] + acc;
        }
    }
}

/* ---------------------------------------------------------------------- predictors */

/* out may be in. */
void delta_encode(byte *out, const byte *in, int n)
{
    register byte prev = 0, cur;

    while (n-- > 0) {
        cur = *in++;
        *out++ = cur - prev;
        prev = cur;
    }
}

void delta_decode(byte *p, int n)
{
    register int v = 0;

    for (; n > 0; n--) {
        v = (v + *p) & 0xff;
        *p++ = (byte)v;
    }
}

static int paeth(int a, int b, int c)
{
    int p = a + b - c;
    int pa = ABS(p - a);
    int pb = ABS(p - b);
    int pc = ABS(p - c);

    if (pa <= pb && pa <= pc)
        return a;
    return pb <= pc ? b : c;
}

/*
 * PNG rows, without the filter byte.  bpp is the distance to the pixel at the left in
 * bytes, 1..8; above is the decoded row above, of n zeros for the first row.
 */
void png_undo_sub(byte *row, int n, int bpp)
{
    byte *p = row, *q = row;
    int i;

    assert(bpp >= 1 && bpp <= 8);
    if (n <= bpp)
        return;
    p += bpp;
    for (i = bpp; i < n; i++)
        *p++ += *q++;
}

void png_undo_up(byte *row, const byte *above, int n)
{
    while (n-- > 0) {
        *row = (byte)(*row + *above++);
        row++;
    }
}

void png_undo_average(byte *row, const byte *above, int n, int bpp)
{
    int i;

    assert(bpp >= 1 && bpp <= 8);
    for (i = 0; i < bpp && i < n; i++)
        row[i] += above[i] >> 1;
    for (; i < n; i++)
        row[i] += (row[i - bpp] + above[i]) / 2;
}

void png_undo_paeth(byte *row, const byte *above, int n, int bpp)
{
    int i;

    assert(bpp >= 1 && bpp <= 8);
    for (i = 0; i < n; i++) {
        if (i < bpp)
            row[i] = (byte)(row[i] + above[i]);
        else
            row[i] = (byte)(row[i] + paeth(row[i - bpp], above[i], above[i - bpp]));
    }
}

/* Filters a row for the writer.  Returns the sum of the absolute differences, by which the
 * writer takes its choice, or -1 if there's no such filter. n up to 16 million. */
int32 png_filter_row(byte *out, const byte *row, const byte *above, int n, int bpp, int filter)
{
    int i, a, c;
    int32 cost = 0;

    assert(bpp >= 1 && bpp <= 8);
    switch (filter) {
    case 0:
        for (i = 0; i < n; i++)
            out[i] = row[i];
        break;
    case 1:
        for (i = 0; i < n; i++)
            out[i] = i < bpp ? row[i] : row[i] - row[i - bpp];
        break;
    case 2:
        for (i = 0; i < n; i++)
            out[i] = row[i] - above[i];
        break;
    case 3:
        for (i = 0; i < n; i++) {
            a = i < bpp ? 0 : row[i - bpp];
            out[i] = (byte)(row[i] - ((a + above[i]) >> 1));
        }
        break;
    case 4:
        for (i = 0; i < n; i++) {
            a = c = 0;
            if (i >= bpp) {
                a = row[i - bpp];
                c = above[i - bpp];
            }
            out[i] = (byte)(row[i] - paeth(a, above[i], c));
        }
        break;
    default:
        return -1;
    }
    for (i = 0; i < n; i++)
        cost += out[i] < 128 ? out[i] : 256 - out[i];
    return cost;
}

/* TIFF, Predictor = 2, 8 bits; chunky. */
void tiff_undiff8(byte *strip, int rows, int width, int samples)
{
    int x, k;

    assert(samples >= 1);
    if (width <= 0)
        return;
    while (rows-- > 0) {
        byte *p = strip;

        if (samples == 3) {
            unsigned r = p[0], g = p[1], b = p[2];
            for (x = 1; x < width; x++) {
                p += 3;
                p[0] = (byte)(r += p[0]);
                p[1] = (byte)(g += p[1]);
                p[2] = (byte)(b += p[2]);
            }
        } else {
            for (x = width - 1; x > 0; x--)
                for (k = 0; k < samples; k++, p++)
                    p[samples] += *p;
        }
        strip += (ptrdiff_t)width * samples;
    }
}

/* The writer's side with 16 bits: from the right, so that it can be done in place. */
void tiff_diff16(word16 *strip, int rows, int width, int samples)
{
    int x, y, k;

    assert(samples >= 1);
    for (y = 0; y < rows; y++)
        for (k = 0; k < samples; k++) {
            word16 *p = strip + (ptrdiff_t)y * width * samples + k;
            for (x = width - 1; x >= 1; x--)
                p[x * samples] = (word16)(p[x * samples] - p[(x - 1) * samples]);
        }
}

/* ---------------------------------------------------------------------- envelopes, parity */

/* What can be seen of a row of heights from its left end; lit may be NULL. */
void running_max(byte *height, byte *lit, int n)
{
    byte top = 0;
    int i;

    for (i = 0; i < n; i++) {
        byte v = height[i];
        if (lit)
            lit[i] = i == 0 || v > top;
        if (v > top)
            top = v;
        height[i] = top;
    }
}

/* Lower envelope from the right, for each row. */
void running_min_from_right(word16 *out, const word16 *in, int w, int h, int pitch)
{
    int x, y;
    word16 low;

    for (y = 0; y < h; y++, out += pitch, in += pitch) {
        low = 0xffff;
        x = w;
        while (x-- > 0) {
            if (in[x] < low)
                low = in[x];
            out[x] = low;
        }
    }
}

/* Polygon filling from edge flags: whatever has an odd number of edges at its left or
 * on itself gets the ink. */
void edge_fill(byte *page, const byte *edges, int w, int h, int pitch, int ink)
{
    int x, y, inside;

    for (y = 0; y < h; y++) {
        inside = 0;
        for (x = 0; x < w; x++) {
            inside ^= edges[x] & 1;
            if (inside)
                page[x] = (byte)ink;
        }
        page += pitch;
        edges += pitch;
    }
}

/* Bit planes in Gray code to binary, the highest plane first. Each has n bytes. */
void gray_planes(byte *planes, int n, int depth)
{
    int k, i;

    for (k = 1; k < depth; k++) {
        byte *p = planes + (ptrdiff_t)k * n;
        for (i = 0; i < n; i++, p++)
            *p ^= p[-n];
    }
}

/* ---------------------------------------------------------------------- check sums */

void adler_rows(uint32 *sums, const byte *in, int w, int h, int pitch)
{
    int x, y;

    for (y = 0; y < h; y++) {
        uint32 a = 1, b = 0;
        const byte *p = in;

        for (x = 0; x < w; x++) {
            a += *p++;
            if (a >= ADLER_BASE)
                a -= ADLER_BASE;
            b += a;
            if (b >= ADLER_BASE)
                b -= ADLER_BASE;
        }
        sums[y] = b << 16 | a;
        in += pitch;
    }
}

/* Ends around carry, twice is enough. */
#define FOLD(v)  ((v) = ((v) & 0xff) + ((v) >> 8))

void fletcher_rows(word16 *sums, const byte *in, int w, int h, int pitch)
{
    uint32 a, b;
    int x;

    while (h-- > 0) {
        a = b = 0xff;
        for (x = 0; x < w; x++) {
            a += in[x];
            b += a;
            FOLD(a);
            FOLD(b);
        }
        FOLD(a);
        FOLD(b);
        *sums++ = (word16)(b << 8 | a);
        in += pitch;
    }
}

/* ---------------------------------------------------------------------- carried error */

/* Reduces a line to 2^bits levels, the error goes to the next pixel. In place. Returns what
 * is left at the end. */
int requantize_line(byte *line, int n, int bits)
{
    int top, v, q, err = 0;

    assert(bits >= 1 && bits <= 7);
    top = (1 << bits) - 1;
    while (n > 0) {
        v = *line + err;
        q = (v * top + 127) / 255;
        if (q < 0)
            q = 0;
        if (q > top)
            q = top;
        q = q * 255 / top;
        err = v - q;
        *line++ = (byte)q;
        n--;
    }
    return err;
}
