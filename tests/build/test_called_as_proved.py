"""What is proved can be built and called: in place with other steps, and where a table says.

Every array lies between pages that nobody may touch, with exactly the elements that the original
touches, and what it only reads can't be written.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import compiled, lift, run

SOURCE = """\
#include <stdint.h>
void shrink(uint8_t *b, int n)
{ for (int i = 0; i < n; i++) { b[3*i] = b[4*i]; b[3*i+1] = b[4*i+1]; b[3*i+2] = b[4*i+2]; } }
void grow(uint8_t *b, int n)
{ for (int i = n - 1; i >= 0; i--)
  { b[4*i+2] = b[3*i+2]; b[4*i+1] = b[3*i+1]; b[4*i] = b[3*i]; } }
void thin(uint8_t *b, int n) { for (int i = 0; i < n; i++) b[i] = b[2*i]; }
void thin_pairs(uint16_t *b, int n)
{ for (int i = 0; i < n; i++) { b[2*i] = b[6*i]; b[2*i+1] = b[6*i+1]; } }
void gather(uint8_t *o, const uint8_t *in, const int *pos, int n)
{ for (int i = 0; i < n; i++) o[i] = in[pos[i]]; }
void gather_short(uint8_t *o, const uint8_t *in, const uint16_t *pos, int n)
{ for (int i = 0; i < n; i++) o[i] = in[pos[i]]; }
void gather_clamped(uint8_t *o, const uint8_t *in, const int *pos, int n)
{ for (int i = 0; i < n; i++) { int j = pos[i]; if (j < -600) j = -600; if (j > 600) j = 600;
  o[i] = in[j]; } }
void gather_beside(uint8_t *o, const uint8_t *in, const int *pos, int n)
{ for (int i = 0; i < n; i++) o[i] = in[i] ^ in[pos[i]]; }
void gather_pairs(uint8_t *o, const uint8_t *in, const int *pos, int n)
{ for (int i = 0; i < n; i++) o[i] = in[pos[i] & ~1] ^ in[pos[i] | 1]; }
void resize(uint8_t *o, const uint8_t *in, const int *bounds, const int *k, int n, int size)
{ for (int x = 0; x < n; x++) {
    int from = bounds[2*x], count = bounds[2*x+1], sum = 1 << 15;
    for (int i = 0; i < count; i++) sum += in[from + i] * k[x*size + i];
    o[x] = sum < 0 ? 0 : sum >> 16 > 255 ? 255 : sum >> 16; } }
void resize_down(float *o, const float *in, const int *first, const int *last, const float *k,
                 int w, int h, int size)
{ for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
    float sum = 0; int begin = first[y], end = last[y];
    for (int i = begin; i < end; i++) sum += in[i*w + x] * k[y*size + i - begin];
    o[y*w + x] = sum; } }
void gather_rows(uint8_t *o, const uint8_t *in, const int *pos, int w, int h, int s)
{ for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) o[y*w+x] = in[pos[y]*s + x]; }
"""
PROGRAM = """\
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "kernels.cpp"
%s

static int wrong;
static void check(const char *name, int n, const void *a, const void *b, long size)
{ if (memcmp(a, b, size) && !wrong++) printf("%%s differs for %%d\\n", name, n); }

#define IN_PLACE(name, type, touched) \\
    for (int n = 0; n < 70; n++) for (int end = 0; end < 2; end++) { \\
        long size = n ? (touched) * (long)sizeof(type) : 0; \\
        uint8_t *a = fenced(size, end), *b = fenced(size, end); \\
        name((type *)a, n), name##_guarded((type *)b, n); \\
        check(#name, n, a, b, size); \\
    }

template <typename T, typename F, typename G>
static void gathers(const char *name, F original, G guarded, bool below)
{
    for (int n = 0; n < 70; n++) for (int end = 0; end < 2; end++) {
        T *pos = (T *)fenced(n * sizeof(T), end);
        int low = 1000, high = -1000;
        for (int i = 0; i < n; i++) {
            pos[i] = (T)(i * 37 %% 997 - (below ? 500 : 0));
            low = (int)pos[i] < low ? (int)pos[i] : low;
            high = (int)pos[i] > high ? (int)pos[i] : high;
        }
        long span = n ? high - low + 1 : 0;
        uint8_t *in = fenced(span, end);
        read_only(pos, n * sizeof(T)), read_only(in, span);
        in -= n ? low : 0;
        uint8_t *a = fenced(n, end), *b = fenced(n, end);
        original(a, in, pos, n), guarded(b, in, pos, n);
        check(name, n, a, b, n);
    }
}

static void resized(int end)
{
    for (int n = 1; n < 70; n += 7) {
        const int size = 5;
        int *bounds = (int *)fenced(2 * n * sizeof(int), end), *first = (int *)fenced(n * 4, end);
        int *last = (int *)fenced(n * 4, end);
        // Of the last element's coefficients there are as many as it has terms.
        const long weights = (n - 1) * size + (n - 1) %% size + 1;
        int *k = (int *)fenced(weights * sizeof(int), end);
        float *f = (float *)fenced(weights * sizeof(float), end);
        for (int x = 0; x < n; x++) {
            bounds[2*x] = first[x] = 3 * x, bounds[2*x+1] = x %% size + 1;
            last[x] = 3 * x + x %% size + 1;
        }
        int longest = 0;
        for (int x = 0; x < n; x++) if (last[x] > longest) longest = last[x];
        for (long i = 0; i < weights; i++) k[i] = (int)(i * 7919 %% 30011) - 9000;
        for (long i = 0; i < weights; i++) f[i] = (float)k[i] / 777;
        uint8_t *in = fenced(longest, end), *a = fenced(n, end), *b = fenced(n, end);
        resize(a, in, bounds, k, n, size);
        if (!resize_admits(b, in, bounds, k, n, size)) puts("resize: not admitted"), wrong++;
        if (resize_try(b, in, bounds, k, n, size) != 0) puts("resize: fails"), wrong++;
        check("resize", n, a, b, n);
        const int w = 37;
        float *rows = (float *)fenced(longest * w * 4, end);
        for (int i = 0; i < longest * w; i++) rows[i] = (float)(i * 31 %% 257) - 99.5f;
        float *c = (float *)fenced(n * w * 4, end), *d = (float *)fenced(n * w * 4, end);
        resize_down(c, rows, first, last, f, w, n, size);
        if (!resize_down_admits(d, rows, first, last, f, w, n, size)) puts("down: no"), wrong++;
        if (resize_down_try(d, rows, first, last, f, w, n, size) != 0) puts("down: fails"), wrong++;
        check("resize_down", n, c, d, n * w * 4);
        // One element has more terms than its coefficients: the original reads the next one's.
        if (n > 8) {
            bounds[2*3+1] = size + 2, last[3] = first[3] + size + 2;
            if (resize_admits(b, in, bounds, k, n, size)) puts("resize: admitted"), wrong++;
            if (resize_down_admits(d, rows, first, last, f, w, n, size)) puts("down"), wrong++;
            resize(a, in, bounds, k, n, size), resize_guarded(b, in, bounds, k, n, size);
            check("resize of more", n, a, b, n);
        }
    }
}

int main()
{
    resized(0), resized(1);
    IN_PLACE(shrink, uint8_t, 4 * n - 1)
    IN_PLACE(grow, uint8_t, 4 * n - 1)
    IN_PLACE(thin, uint8_t, 2 * n - 1)
    IN_PLACE(thin_pairs, uint16_t, 6 * n - 4 > 2 ? 6 * n - 4 : 2)
    gathers<int>("gather", gather, gather_guarded, true);
    gathers<uint16_t>("gather_short", gather_short, gather_short_guarded, false);
    gathers<int>("gather_clamped", gather_clamped, gather_clamped_guarded, true);
    for (int end = 0; end < 2; end++) {
        const int order[9] = {3, 0, 8, 5, 5, 1, 7, 2, 6};
        int *pos = (int *)memcpy(fenced(sizeof order, end), order, sizeof order);
        long size = 8 * 4096 + 70;
        uint8_t *rows = fenced(size, end), *a = fenced(9 * 70, end), *b = fenced(9 * 70, end);
        read_only(pos, sizeof order), read_only(rows, size);
        gather_rows(a, rows, pos, 70, 9, 4096), gather_rows_guarded(b, rows, pos, 70, 9, 4096);
        check("gather_rows", 9, a, b, 9 * 70);
        gather_beside(a, rows + size - 9, pos, 9);
        if (gather_beside_try(b, rows + size - 9, pos, 9) != 0) wrong++;
        check("gather_beside", 9, a, b, 9);
        gather_pairs(a, rows + size - 10, pos, 9);
        if (!gather_pairs_admits(b, rows + size - 10, pos, 9)) wrong++;
        if (gather_pairs_try(b, rows + size - 10, pos, 9) != 0) wrong++;
        check("gather_pairs", 9, a, b, 9);
    }
    puts(wrong ? "wrong" : "all equal");
    return wrong;
}
"""
NAMES = (
    "shrink",
    "grow",
    "thin",
    "thin_pairs",
    "gather",
    "gather_short",
    "gather_clamped",
    "gather_rows",
    "gather_beside",
    "gather_pairs",
    "resize",
    "resize_down",
)
HEADERS = [f"out/kernels/{name}/{name}.h" for name in NAMES]
FENCED = Path(__file__).parents[1] / "fenced.h"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("called")
    (made / "kernels.cpp").write_text(SOURCE)
    done = lift("kernels.cpp", "-o", "out", cwd=made)
    assert done.status == 0, done.out + done.err
    done = lift("build", "out", cwd=made)
    assert done.status == 0, done.out + done.err
    return made


@pytest.mark.slow
def test_each_does_what_the_original_does_in_its_memory_alone(folder: Path) -> None:
    headers = "\n".join(f'#include "{h}"' for h in (FENCED, *HEADERS))
    program = compiled(PROGRAM % headers, folder, "out/liblifted.a")
    done = run([program])
    assert (done.status, done.out) == (0, "all equal\n"), done.err
