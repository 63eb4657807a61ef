// flags: -msse2
/*
 * plane_ops.cpp - plane arithmetic of the video editor
 *
 * Frames of the editor's own allocator start on 16 bytes, have pitches that are multiples of 16
 * and may be written up to the pitch; frames of plug-ins may be anything. Each function says
 * which it takes.
 */
#include <emmintrin.h>
#include <stddef.h>
#include <stdint.h>

#define AVERAGE_ROWS(LOAD, STORE)                                                     \
    for (; x + 32 <= w; x += 32) {                                                    \
        __m128i a0 = LOAD((const __m128i *)(a + x));                                  \
        __m128i a1 = LOAD((const __m128i *)(a + x + 16));                             \
        a0 = _mm_avg_epu8(a0, LOAD((const __m128i *)(b + x)));                        \
        a1 = _mm_avg_epu8(a1, LOAD((const __m128i *)(b + x + 16)));                   \
        STORE((__m128i *)(d + x), a0);                                                \
        STORE((__m128i *)(d + x + 16), a1);                                           \
    }

/* Any frames; aligned ones take the loop that bypasses the cache. */
void pl_average(const uint8_t *a, int a_pitch, const uint8_t *b, int b_pitch, uint8_t *d,
                int d_pitch, int w, int h)
{
    const uintptr_t bits = (uintptr_t)a | (uintptr_t)b | (uintptr_t)d | (uintptr_t)(unsigned)a_pitch |
                           (uintptr_t)(unsigned)b_pitch | (uintptr_t)(unsigned)d_pitch;
    const bool aligned = (bits & 15) == 0;

    for (int y = 0; y < h; y++) {
        int x = 0;
        if (aligned) {
            AVERAGE_ROWS(_mm_load_si128, _mm_stream_si128)
        } else {
            AVERAGE_ROWS(_mm_loadu_si128, _mm_storeu_si128)
        }
        for (; x < w; x++)
            d[x] = (uint8_t)((a[x] + b[x] + 1) >> 1);
        a += a_pitch;
        b += b_pitch;
        d += d_pitch;
    }
    if (aligned)
        _mm_sfence();
}

/*
 * Editor's frames only. Adds offset (-255..255) with saturation. Whole vectors are written:
 * the bytes from w up to the next multiple of 16 get values without meaning.
 */
void pl_offset_padded(const uint8_t *src, uint8_t *dst, int pitch, int w, int h, int offset)
{
    const __m128i up = _mm_set1_epi8((char)(offset > 0 ? offset : 0));
    const __m128i down = _mm_set1_epi8((char)(offset < 0 ? -offset : 0));
    const int vectors = (w + 15) >> 4;

    for (int y = 0; y < h; y++) {
        const __m128i *s = (const __m128i *)(src + (ptrdiff_t)y * pitch);
        __m128i *d = (__m128i *)(dst + (ptrdiff_t)y * pitch);
        for (int i = 0; i < vectors; i++)
            _mm_store_si128(d + i, _mm_subs_epu8(_mm_adds_epu8(_mm_load_si128(s + i), up), down));
    }
}

static void lighten_row_sse2(uint8_t *dst, const uint8_t *src, int n)
{
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m128i *d = (__m128i *)(dst + i);
        _mm_storeu_si128(d, _mm_max_epu8(_mm_loadu_si128(d),
                                         _mm_loadu_si128((const __m128i *)(src + i))));
    }
    for (; i < n; i++)
        if (src[i] > dst[i])
            dst[i] = src[i];
}

static void lighten_row_plain(uint8_t *dst, const uint8_t *src, int n)
{
    while (n-- > 0) {
        *dst = *dst < *src ? *src : *dst;
        dst++;
        src++;
    }
}

typedef void (*lighten_row_fn)(uint8_t *, const uint8_t *, int);

static lighten_row_fn pick_lighten_row(int w)
{
    /* short rows are title overlays, the call costs more than the vectors save */
    if (w < 16)
        return lighten_row_plain;
    return __builtin_cpu_supports("sse2") ? lighten_row_sse2 : lighten_row_plain;
}

/* Any frames. The row function is chosen once for a frame. */
void pl_lighten(uint8_t *dst, int dst_pitch, const uint8_t *src, int src_pitch, int w, int h)
{
    lighten_row_fn row = pick_lighten_row(w);
    for (int y = 0; y < h; y++)
        row(dst + (ptrdiff_t)y * dst_pitch, src + (ptrdiff_t)y * src_pitch, w);
}

/*
 * Any frames. Flicker filter, (previous + 2 * current + next + 2) / 4 of three frames' rows.
 * The loads of the next turn are issued before the arithmetic of this one.
 */
void pl_flicker3(const uint8_t *prev, const uint8_t *cur, const uint8_t *next, uint8_t *dst, int n)
{
    const __m128i zero = _mm_setzero_si128();
    const __m128i two = _mm_set1_epi16(2);
    int i = 0;

    if (n >= 8) {
        __m128i p = _mm_loadl_epi64((const __m128i *)prev);
        __m128i c = _mm_loadl_epi64((const __m128i *)cur);
        __m128i x = _mm_loadl_epi64((const __m128i *)next);
        for (;;) {
            __m128i v = _mm_add_epi16(_mm_unpacklo_epi8(p, zero), _mm_unpacklo_epi8(x, zero));
            __m128i m = _mm_unpacklo_epi8(c, zero);
            const int more = i + 16 <= n;
            if (more) {
                p = _mm_loadl_epi64((const __m128i *)(prev + i + 8));
                c = _mm_loadl_epi64((const __m128i *)(cur + i + 8));
                x = _mm_loadl_epi64((const __m128i *)(next + i + 8));
            }
            v = _mm_add_epi16(_mm_add_epi16(v, two), _mm_add_epi16(m, m));
            v = _mm_srli_epi16(v, 2);
            _mm_storel_epi64((__m128i *)(dst + i), _mm_packus_epi16(v, v));
            i += 8;
            if (!more)
                break;
        }
    }
    for (; i < n; i++)
        dst[i] = (uint8_t)((prev[i] + 2 * cur[i] + next[i] + 2) >> 2);
}

/*
 * Inverts the part x0 <= x < x1 of rows in place. Editor's frames only: the row is walked in
 * aligned vectors, bytes outside of the part are loaded but not stored.
 */
void pl_invert_part(uint8_t *pix, int pitch, int x0, int x1, int h)
{
    const __m128i ones = _mm_set1_epi8(-1);
    const __m128i index = _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    if (x1 <= x0)
        return;
    for (int y = 0; y < h; y++) {
        uint8_t *row = pix + (ptrdiff_t)y * pitch;
        for (int x = x0 & ~15; x < x1; x += 16) {
            const __m128i v = _mm_xor_si128(_mm_load_si128((const __m128i *)(row + x)), ones);
            if (x >= x0 && x + 16 <= x1) {
                _mm_store_si128((__m128i *)(row + x), v);
            } else {
                const int lo = x0 > x ? x0 - x : 0;
                const int hi = x1 - x < 16 ? x1 - x : 16;
                const __m128i in = _mm_andnot_si128(_mm_cmplt_epi8(index, _mm_set1_epi8((char)lo)),
                                                    _mm_cmplt_epi8(index, _mm_set1_epi8((char)hi)));
                _mm_maskmoveu_si128(v, in, (char *)(row + x));
            }
        }
    }
}
