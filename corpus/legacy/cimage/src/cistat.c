/*
 * cistat.c - statistics, summed area tables, run length packing
 */
#include <string.h>
#include "ciint.h"

/* adds to hist[]; the caller clears it.  mask: counts where not zero, may be NULL */
int ci_histogram_u8(const ci_image *im, int chan, const ci_image *mask, unsigned long hist[256])
{
    int x, y;

    CI_CHECK(im, CI_U8, "ci_histogram_u8");
    if (chan < 0 || chan >= im->nchan)
        return ci__raise(CI_ECHAN, "ci_histogram_u8", im);
    if (mask == NULL) {
        for (y = 0; y < im->height; y++) {
            const unsigned char *p = im->row[y] + chan;
            for (x = im->width; x--; p += im->nchan)
                hist[*p]++;
        }
        return CI_OK;
    }
    CI_CHECK(mask, CI_U8, "ci_histogram_u8");
    if (mask->nchan != 1 || mask->width < im->width || mask->height < im->height)
        return ci__raise(CI_ESIZE, "ci_histogram_u8", mask);
    for (y = 0; y < im->height; y++)
        for (x = 0; x < im->width; x++)
            if (mask->row[y][x])
                hist[im->row[y][x * im->nchan + chan]]++;
    return CI_OK;
}

/* n is 0 when the image is empty or wrong */
ci_stats ci_stats_s16(const ci_image *im, int chan)
{
    ci_stats st;
    int64_t sum = 0, sq = 0;
    int lo = 32767, hi = -32768;
    int x, y;

    memset(&st, 0, sizeof st);
    if (im == NULL || im->type != CI_S16 || chan < 0 || chan >= im->nchan) {
        ci__raise(CI_EARG, "ci_stats_s16", im);
        return st;
    }
    for (y = 0; y < im->height; y++) {
        const short *p = ROW_S16(im, y);
        for (x = chan; x < im->width * im->nchan; x += im->nchan) {
            int v = p[x];
            sum += v;
            sq += (int64_t)v * v;
            if (v < lo) lo = v;
            if (v > hi) hi = v;
        }
    }
    st.n = (long)im->width * im->height;
    if (st.n > 0) {
        st.mean = (double)sum / st.n;
        st.var = (double)sq / st.n - st.mean * st.mean;
        st.vmin = lo;
        st.vmax = hi;
    }
    return st;
}

/*
 * table has height+1 rows of width+1 entries, the first row and column zero.
 */
int ci_integral_u8(uint32_t **table, const ci_image *src)
{
    int x, y;

    CI_CHECK(src, CI_U8, "ci_integral_u8");
    if (src->nchan != 1 || table == NULL)
        return ci__raise(CI_EARG, "ci_integral_u8", src);
    memset(table[0], 0, ((size_t)src->width + 1) * sizeof(uint32_t));
    for (y = 0; y < src->height; y++) {
        uint32_t run = 0;
        table[y + 1][0] = 0;
        for (x = 0; x < src->width; x++) {
            run += src->row[y][x];
            table[y + 1][x + 1] = table[y][x + 1] + run;
        }
    }
    return CI_OK;
}

/*
 * Rows one after the other as (count, value) pairs, count 1..255.
 * Returns the number of bytes, or an error code when the buffer is short.
 */
long ci_rle_pack_u8(unsigned char *out, size_t outsize, const ci_image *src)
{
    size_t pos = 0;
    int x, y, n;

    CI_CHECK(src, CI_U8, "ci_rle_pack_u8");
    n = src->width * src->nchan;
    for (y = 0; y < src->height; y++) {
        const unsigned char *s = src->row[y];
        x = 0;
        while (x < n) {
            int run = 1;
            while (x + run < n && run < 255 && s[x + run] == s[x])
                run++;
            if (pos + 2 > outsize)
                return ci__raise(CI_ESIZE, "ci_rle_pack_u8", src);
            out[pos++] = (unsigned char)run;
            out[pos++] = s[x];
            x += run;
        }
    }
    return (long)pos;
}
