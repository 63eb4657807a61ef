/*
 * ranks.c
 *
 * Order statistics and morphology for the Bureau scanner software, 1991 - 1997.
 *
 * A plane is an array of pixels, `pitch' of them from one line to the next, `width' of
 * them in use. dst and src have the same pitch and don't overlap, unless a routine is
 * said to work in place. Line art has 0 for ink and 255 for paper.
 *
 * ANSI C. Ints are taken to have 32 bits; there is nothing left in here for 16-bit DOS.
 */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char pixel;
typedef unsigned short sample;      /* 10 to 16 bits, as the CCD board sends them */

#define INK     0
#define PAPER   255

#define MINI(a, b)  ((a) < (b) ? (a) : (b))
#define MAXI(a, b)  ((a) > (b) ? (a) : (b))

/* put a pair in order */
#define ORDER(a, b) \
    do { if ((a) > (b)) { int t_ = (a); (a) = (b); (b) = t_; } } while (0)

#define MAXWIN  49      /* 7 x 7 */

static int
clip(int v, int lo, int hi)
{
    if (v < lo)
        return lo;
    return v > hi ? hi : v;
}


/* ------------------------------------------------------------------ gray morphology */

/* Darkest of the 3 x 3 neighbours that are inside. */
void
erode3(pixel *dst, const pixel *src, int width, int height, int pitch)
{
    const pixel *row[3];
    int x, y, i;
    pixel m;

    for (y = 0; y < height; y++) {
        row[1] = src + y * pitch;
        row[0] = y > 0 ? row[1] - pitch : row[1];
        row[2] = y < height - 1 ? row[1] + pitch : row[1];
        for (x = 0; x < width; x++) {
            m = 255;
            for (i = 0; i < 3; i++) {
                const pixel *p = row[i];

                if (x > 0 && p[x - 1] < m)
                    m = p[x - 1];
                if (p[x] < m)
                    m = p[x];
                if (x < width - 1 && p[x + 1] < m)
                    m = p[x + 1];
            }
            dst[y * pitch + x] = m;
        }
    }
}

/* Lightest of the pixel and its four neighbours. */
void
dilate_cross(pixel *dst, const pixel *src, int width, int height, int pitch)
{
    register const pixel *s;
    register pixel *d;
    int x, y, skip;

    s = src;
    d = dst;
    skip = pitch - width;
    for (y = 0; y < height; y++) {
        for (x = 0; x < width; x++) {
            register int v = *s;

            if (x > 0)
                v = MAXI(v, s[-1]);
            if (x < width - 1)
                v = MAXI(v, s[1]);
            if (y > 0)
                v = MAXI(v, s[-pitch]);
            if (y < height - 1)
                v = MAXI(v, s[pitch]);
            *d++ = (pixel)v;
            s++;
        }
        s += skip;
        d += skip;
    }
}

/* Dilation by a horizontal bar of 2 * reach + 1 pixels. */
void
dilate_bar(pixel *dst, const pixel *src, int width, int height, int pitch, int reach)
{
    int x, y, k, lo, hi;
    pixel best;

    assert(reach >= 0 && reach < 16384);
    for (y = 0; y < height; y++) {
        for (x = 0; x < width; x++) {
            lo = MAXI(x - reach, 0);
            hi = MINI(x + reach, width - 1);
            best = src[lo];
            for (k = lo + 1; k <= hi; k++)
                if (src[k] > best)
                    best = src[k];
            dst[x] = best;
        }
        src += pitch;
        dst += pitch;
    }
}

/* Erosion by a vertical bar of 2 * reach + 1 pixels; runs along whole lines for the cache. */
void
erode_pole(pixel *dst, const pixel *src, int width, int height, int pitch, int reach)
{
    int y, k, n;
    pixel *d;
    const pixel *s;

    if (width <= 0)
        return;
    for (y = 0; y < height; y++) {
        memcpy(dst + y * pitch, src + y * pitch, width);
        for (k = -reach; k <= reach; k++) {
            if (k == 0 || y + k < 0 || y + k >= height)
                continue;
            d = dst + y * pitch;
            s = src + (y + k) * pitch;
            for (n = width; n > 0; n--, d++, s++)
                if (*s < *d)
                    *d = *s;
        }
    }
}

/*
 * Opening with a 3 x 3 square: takes off light specks. In place is fine.
 * Returns 0, or -1 for want of memory.
 */
int
gray_open(pixel *dst, const pixel *src, int width, int height, int pitch)
{
    pixel *tmp, *t;
    int x, y, i, j, x0, x1, y0, y1, v;

    if (width <= 0 || height <= 0)
        return 0;
    tmp = (pixel *)malloc((size_t)width * height);
    if (tmp == NULL)
        return -1;

    t = tmp;
    for (y = 0; y < height; y++) {
        y0 = y > 0 ? y - 1 : y;
        y1 = y + 1 < height ? y + 1 : y;
        for (x = 0; x < width; x++) {
            x0 = x > 0 ? x - 1 : x;
            x1 = x + 1 < width ? x + 1 : x;
            v = 255;
            for (j = y0; j <= y1; j++)
                for (i = x0; i <= x1; i++)
                    v = MINI(v, src[j * pitch + i]);
            *t++ = (pixel)v;
        }
    }

    for (y = 0; y < height; y++) {
        y0 = y > 0 ? y - 1 : y;
        y1 = y + 1 < height ? y + 1 : y;
        for (x = 0; x < width; x++) {
            x0 = x > 0 ? x - 1 : x;
            x1 = x + 1 < width ? x + 1 : x;
            v = 0;
            for (j = y0; j <= y1; j++)
                for (i = x0; i <= x1; i++)
                    v = MAXI(v, tmp[j * width + i]);
            dst[y * pitch + x] = (pixel)v;
        }
    }

    free(tmp);
    return 0;
}

/* Lightest minus darkest of 3 x 3, the frame is 0. Pitch in samples. */
void
morph_gradient16(sample *dst, const sample *src, int width, int height, int pitch)
{
    int x, y, dx, dy;

    for (y = 0; y < height; y++)
        for (x = 0; x < width; x++) {
            sample lo = 65535, hi = 0;

            if (y == 0 || x == 0 || y == height - 1 || x == width - 1) {
                dst[y * pitch + x] = 0;
                continue;
            }
            for (dy = -1; dy <= 1; dy++)
                for (dx = -1; dx <= 1; dx++) {
                    sample v = src[(y + dy) * pitch + x + dx];

                    lo = MINI(lo, v);
                    hi = MAXI(hi, v);
                }
            dst[y * pitch + x] = (sample)(hi - lo);
        }
}

/*
 * Lightest of a square with the given radius, on line tables. Separable, goes through a
 * plane of its own. Returns the number of pixels changed, or -1L if there's no memory.
 */
long
max_square(pixel **dst, pixel **src, int width, int height, int radius)
{
    pixel *tmp;
    int x, y, k;
    long changed = 0;

    if (width <= 0 || height <= 0 || radius < 0)
        return 0;
    if ((tmp = (pixel *)malloc((size_t)width * height)) == NULL)
        return -1L;

    for (y = 0; y < height; y++) {
        pixel *s = src[y];

        for (x = 0; x < width; x++) {
            pixel v = 0;

            for (k = -radius; k <= radius; k++)
                if (x + k >= 0 && x + k < width && s[x + k] > v)
                    v = s[x + k];
            tmp[y * width + x] = v;
        }
    }
    for (y = 0; y < height; y++)
        for (x = 0; x < width; x++) {
            pixel v = 0, old = src[y][x];

            for (k = -radius; k <= radius; k++)
                if (y + k >= 0 && y + k < height && tmp[(y + k) * width + x] > v)
                    v = tmp[(y + k) * width + x];
            if (v != old)
                changed++;
            dst[y][x] = v;
        }

    free(tmp);
    return changed;
}


/* ------------------------------------------------------------------------- line art */

/*
 * Thickens the ink by one pixel all around: black where any of nine is black.
 * A frame of one pixel becomes paper.
 */
void
ink_grow(pixel *dst, const pixel *src, int width, int height, int pitch)
{
    int x, y;
    const pixel *a, *b, *c;
    pixel *d;

    for (y = 0; y < height; y++, dst += pitch) {
        if (width > 0)
            memset(dst, PAPER, width);
        if (y < 1 || y > height - 2)
            continue;
        a = src + (y - 1) * pitch;
        b = a + pitch;
        c = b + pitch;
        d = dst + 1;
        for (x = width - 2; x > 0; x--) {
            *d++ = a[0] & a[1] & a[2] & b[0] & b[1] & b[2] & c[0] & c[1] & c[2];
            a++; b++; c++;
        }
    }
}

/*
 * Hit or miss: `mask' has nine entries, line by line: 1 asks for ink, 0 for paper, 2 for
 * nothing. Outside is paper. Where the pattern fits dst gets ink. Returns the hits.
 */
int
hit_or_miss(pixel *dst, const pixel *src, int width, int height, int pitch, const char *mask)
{
    int x, y, i, hits = 0;

    for (y = 0; y < height; y++)
        for (x = 0; x < width; x++) {
            int fits = 1;

            for (i = 0; i < 9; i++) {
                int xx = x + i % 3 - 1;
                int yy = y + i / 3 - 1;
                int ink = 0;

                if (mask[i] == 2)
                    continue;
                if (xx >= 0 && xx < width && yy >= 0 && yy < height)
                    ink = src[yy * pitch + xx] == INK;
                if (ink != mask[i]) {
                    fits = 0;
                    break;
                }
            }
            dst[y * pitch + x] = fits ? INK : PAPER;
            hits += fits;
        }
    return hits;
}

/*
 * Gray or line art: a pixel that differs from each of its eight neighbours by more than
 * `limit', all in the same direction, is replaced by their mean. The frame is copied.
 * Returns how many there were.
 */
unsigned
despeckle(pixel *dst, const pixel *src, int width, int height, int pitch, int limit)
{
    unsigned count = 0;
    int x, y;

    for (y = 0; y < height; y++) {
        for (x = 0; x < width; x++) {
            const pixel *p = &src[y * pitch + x];
            int n[8], i, lo, hi, sum;

            dst[y * pitch + x] = *p;
            if (x == 0 || y == 0 || x + 1 == width || y + 1 == height)
                continue;

            n[0] = p[-pitch - 1];  n[1] = p[-pitch];  n[2] = p[-pitch + 1];
            n[3] = p[-1];                             n[4] = p[1];
            n[5] = p[pitch - 1];   n[6] = p[pitch];   n[7] = p[pitch + 1];

            lo = hi = sum = n[0];
            for (i = 1; i < 8; i++) {
                if (n[i] < lo)
                    lo = n[i];
                else if (n[i] > hi)
                    hi = n[i];
                sum += n[i];
            }
            if (*p < lo - limit || *p > hi + limit) {
                dst[y * pitch + x] = (pixel)((sum + 4) / 8);
                count++;
            }
        }
    }
    return count;
}


/* -------------------------------------------------------------------------- medians */

/* Three in a line, in place. The first and the last pixel of a line stay. */
void
median3_inplace(pixel *plane, int width, int height, int pitch)
{
    int n;
    pixel *p;
    int a, b, c;

    if (width < 3)
        return;
    while (height-- > 0) {
        p = plane;
        a = p[0];
        for (n = width - 2; n > 0; n--) {
            b = p[1];
            c = p[2];
            if (a < b)
                p[1] = (pixel)(b < c ? b : MAXI(a, c));
            else
                p[1] = (pixel)(a < c ? a : MAXI(b, c));
            a = b;
            p++;
        }
        plane += pitch;
    }
}

/* Five in a line of samples; two at each end are copied. */
void
median5_line(sample *out, const sample *in, int count)
{
    int i, a, b, c, d, e;

    for (i = 0; i < count; i++) {
        if (i < 2 || i >= count - 2) {
            out[i] = in[i];
            continue;
        }
        a = in[i - 2];
        b = in[i - 1];
        c = in[i];
        d = in[i + 1];
        e = in[i + 2];
        ORDER(a, b);
        ORDER(d, e);
        ORDER(a, d);        /* a is the smallest of four: out */
        ORDER(b, e);        /* e is the largest of four: out */
        ORDER(b, c);
        ORDER(c, d);
        ORDER(b, c);
        out[i] = (sample)c;
    }
}

/* 3 x 3, by putting columns in order first. The frame is copied. */
void
median9_net(pixel *dst, const pixel *src, int width, int height, int pitch)
{
    int x, y;
    int p0, p1, p2, p3, p4, p5, p6, p7, p8;

    if (width < 3 || height < 3) {
        for (y = 0; y < height; y++)
            for (x = 0; x < width; x++)
                dst[y * pitch + x] = src[y * pitch + x];
        return;
    }
    memcpy(dst, src, width);
    for (y = 1; y < height - 1; y++) {
        const pixel *u = src + (y - 1) * pitch;
        const pixel *v = src + y * pitch;
        const pixel *w = src + (y + 1) * pitch;
        pixel *d = dst + y * pitch;

        d[0] = v[0];
        for (x = 1; x < width - 1; x++) {
            p0 = u[x - 1];  p3 = u[x];  p6 = u[x + 1];
            p1 = v[x - 1];  p4 = v[x];  p7 = v[x + 1];
            p2 = w[x - 1];  p5 = w[x];  p8 = w[x + 1];
            ORDER(p0, p1);  ORDER(p1, p2);  ORDER(p0, p1);
            ORDER(p3, p4);  ORDER(p4, p5);  ORDER(p3, p4);
            ORDER(p6, p7);  ORDER(p7, p8);  ORDER(p6, p7);
            /* largest of the small, smallest of the large, middle of the middle */
            p0 = MAXI(p0, p3);
            p0 = MAXI(p0, p6);
            p2 = MINI(p2, p5);
            p2 = MINI(p2, p8);
            ORDER(p1, p4);  ORDER(p4, p7);  ORDER(p1, p4);
            ORDER(p0, p4);  ORDER(p4, p2);  ORDER(p0, p4);
            d[x] = (pixel)p4;
        }
        d[width - 1] = v[width - 1];
    }
    memcpy(dst + (height - 1) * pitch, src + (height - 1) * pitch, width);
}

/* 3 x 3 with the edge pixels repeated, by insertion. */
void
median9_ins(pixel *dst, const pixel *src, int width, int height, int pitch)
{
    int x, y, i, j, k, n;
    pixel v, win[9];

    for (y = 0; y < height; y++)
        for (x = 0; x < width; x++) {
            n = 0;
            for (j = y - 1; j <= y + 1; j++)
                for (i = x - 1; i <= x + 1; i++) {
                    v = src[clip(j, 0, height - 1) * pitch + clip(i, 0, width - 1)];
                    for (k = n; k > 0 && win[k - 1] > v; k--)
                        win[k] = win[k - 1];
                    win[k] = v;
                    n++;
                }
            dst[y * pitch + x] = win[4];
        }
}


/* ----------------------------------------------------------------------- other ranks */

/*
 * rank 0 is the minimum, (2 * radius + 1) ^ 2 - 1 the maximum. Edge pixels are repeated.
 * Selection sort that stops at the rank: quicker than a full sort for windows this small.
 * Returns -1 if the arguments make no sense.
 */
int
rank_select(pixel *dst, const pixel *src, int width, int height, int pitch,
            int radius, int rank)
{
    pixel win[MAXWIN];
    int size = 2 * radius + 1;
    int x, y, i, j, n, m;

    if (radius < 0 || size * size > MAXWIN || rank < 0 || rank >= size * size)
        return -1;

    for (y = 0; y < height; y++) {
        for (x = 0; x < width; x++) {
            n = 0;
            for (j = -radius; j <= radius; j++) {
                const pixel *line = src + clip(y + j, 0, height - 1) * pitch;

                for (i = -radius; i <= radius; i++)
                    win[n++] = line[clip(x + i, 0, width - 1)];
            }
            for (i = 0; i <= rank; i++) {
                pixel t;

                m = i;
                for (j = i + 1; j < n; j++)
                    if (win[j] < win[m])
                        m = j;
                t = win[i];
                win[i] = win[m];
                win[m] = t;
            }
            dst[y * pitch + x] = win[rank];
        }
    }
    return 0;
}

/*
 * The same for large windows: a histogram that moves along the line, one column out, one
 * column in. The caller checks the arguments here.
 */
void
rank_sliding(pixel *dst, const pixel *src, int width, int height, int pitch,
             int radius, int rank)
{
    int hist[256];
    int x, y, i, j, level, sum;

    assert(radius >= 0 && radius < 1024);
    assert(rank >= 0 && rank < (2 * radius + 1) * (2 * radius + 1));

    for (y = 0; y < height; y++) {
        memset(hist, 0, sizeof hist);
        if (width > 0)
            for (j = y - radius; j <= y + radius; j++)
                for (i = -radius; i <= radius; i++)
                    hist[src[clip(j, 0, height - 1) * pitch + clip(i, 0, width - 1)]]++;

        for (x = 0; x < width; x++) {
            if (x > 0) {
                int out = clip(x - 1 - radius, 0, width - 1);
                int in = clip(x + radius, 0, width - 1);

                for (j = y - radius; j <= y + radius; j++) {
                    const pixel *line = src + clip(j, 0, height - 1) * pitch;

                    hist[line[out]]--;
                    hist[line[in]]++;
                }
            }
            sum = hist[0];
            level = 0;
            while (sum <= rank)
                sum += hist[++level];
            dst[y * pitch + x] = (pixel)level;
        }
    }
}

/* Mean of 3 x 3 without the `trim' darkest and the `trim' lightest (0..4). The frame is kept as it is in dst. */
void
trimmed_mean9(pixel *dst, const pixel *src, int width, int height, int pitch, int trim)
{
    int x, y, i, j, n, t, sum, win[9];

    assert(trim >= 0 && trim <= 4);
    for (y = 1; y < height - 1; y++)
        for (x = 1; x < width - 1; x++) {
            for (n = 0; n < 9; n++)
                win[n] = src[(y - 1 + n / 3) * pitch + x - 1 + n % 3];

            for (i = 8; i > 0; i--)
                for (j = 0; j < i; j++)
                    if (win[j] > win[j + 1]) {
                        t = win[j];
                        win[j] = win[j + 1];
                        win[j + 1] = t;
                    }

            n = 9 - 2 * trim;
            sum = n / 2;
            for (i = trim; i < 9 - trim; i++)
                sum += win[i];
            dst[y * pitch + x] = (pixel)(sum / n);
        }
}
