"""Places that numbers in memory say, which C++ adds up in 64 bits and the DSL in 32."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.parse.parsing import kernel
from tests.switch.test_put_back import lifted, put, same

FOUR = """
void four(byte *d, const byte *s, const int *pos, int n)
{
    for (int x = 0; x < n; x++) {
        const byte *p = s + pos[x];
        d[x] = (p[0] + p[1] + p[2] + p[3]) / 4;
    }
}
"""
FILTERED = """
void filtered(short *d, const byte *s, const int *pos, const short *w, int n, int taps)
{
    for (int x = 0; x < n; x++) {
        int sum = 0;
        const byte *p = s + pos[x];
        for (int k = 0; k < taps; k++) sum += p[k] * w[taps * x + k];
        d[x] = sum >> 7 > 32767 ? 32767 : sum >> 7;
    }
}
"""
WIDE = """
void wide(byte *d, const byte *s, const long *pos, int n)
{
    for (int x = 0; x < n; x++) d[x] = s[pos[x]] ^ s[pos[x + 1] - 1];
}
"""
TABLES = """
void tables(byte *d, const byte *s, const byte t[][256], int n, int nc)
{
    for (int x = 0; x < n; x++)
        for (int c = 0; c < nc; c++) d[x * nc + c] = t[c][s[x * nc + c]];
}
"""


def lift(text: str) -> FunctionResult:
    return lift_kernel(kernel(f"typedef unsigned char byte;\n{text}"), LiftOptions())


def assumed(result: FunctionResult) -> set[str]:
    assert result.status == "proved" and result.proof is not None, result.diagnostic
    return {p.text for p in result.proof.preconditions if p.kind in ("formula", "limit")}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("text", "limits"),
    [
        (FOUR, {"-2147483649 <= pos(x) <= 2147483644 at each point of d"}),
        (FILTERED, {"-2147483648 <= pos(x) <= 2147483648 - taps at each point of d"}),
        (
            WIDE,
            {
                "-2147483648 <= pos(x) <= 2147483647 at each point of d",
                "-2147483647 <= pos(x + 1) <= 2147483648 at each point of d",
            },
        ),
        (TABLES, {"nc <= 8388608"}),
    ],
    ids=["four", "filtered", "wide", "tables"],
)
def test_the_guard_tests_that_places_fit(text: str, limits: set[str]) -> None:
    assert assumed(lift(text)) == limits


@pytest.mark.slow
def test_numbers_that_the_loop_writes_are_no_places() -> None:
    text = FOUR.replace("p[0] +", "p[0] + (pos[x] = x) +").replace("const int *pos", "int *pos")
    assert lift(text).status != "proved"


@pytest.mark.slow
def test_numbers_that_the_original_doesnt_read_arent_tested() -> None:
    text = FOUR.replace("const byte *p", "if (s[x] > 9) continue;\n        const byte *p")
    assert lift(text).status != "proved"


PAIRS = """
void pairs(byte *d, const byte *y, const byte *c, const int *red, const byte *lim, int n)
{
    for (int x = 0; x < n; x++) {
        d[2 * x] = lim[y[x]];
        d[2 * x + 1] = lim[y[x] + red[c[x]]] | d[2 * x];
    }
}
"""


def test_numbers_that_one_channel_is_made_of_are_looked_at_for_all() -> None:
    result = lift(PAIRS)
    assert result.status == "proved", result.diagnostic
    (summary,) = result.summaries
    assert [str(r) for r in summary.read_anyway] == ["red(int32(c(y)))"]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("some", ["if (c[0]) d[2 * x + 1]", "if (y[x] > 9) d[2 * x + 1]"])
def test_where_they_are_not_read_for_each_pixel_nobody_may_look_at_them(some: str) -> None:
    assert lift(PAIRS.replace("d[2 * x + 1] =", f"{some} =")).status != "proved"


MAIN = r"""
#include <stdio.h>
#include <sys/mman.h>
typedef unsigned char byte;
void four(byte *, const byte *, const int *, int);
void filtered(short *, const byte *, const int *, const short *, int, int);
void wide(byte *, const byte *, const long *, int);
void tables(byte *, const byte *, const byte (*)[256], int, int);
int main(void)
{
    /* memory enough for all places that fit 32 bits, and some that don't */
    const long half = 1L << 31, size = 5 * half;
    byte *all = mmap(0, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) return 1;
    byte *s = all + half + 100, d[9];
    const long ends[] = { -half, half, 2 * half, 3 * half - 200 };
    for (int i = 0; i < 4; i++)
        for (int j = -64; j < 64; j++) s[ends[i] + j] = i * 50 + j * 3;
    for (int j = -64; j < 64; j++) s[j] = j * 7;
    const short w[40] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9 };
    short sums[9];
    for (int by = 0; by < 8; by++) {
        int pos[5] = { 1, -20, 30, by < 4 ? by - 2147483647 - 1 : 2147483647 - by + 4, 7 };
        four(d, s, pos, 5);
        for (int i = 0; i < 5; i++) printf("%d ", d[i]);
        filtered(sums, s, pos, w, 5, by);
        for (int i = 0; i < 5; i++) printf("%d ", sums[i]);
        long far[6] = { 5, -3, ends[by % 4] + by / 4, 12, ends[(by + 1) % 4] - by / 4, 2 };
        wide(d, s, far, 5);
        for (int i = 0; i < 5; i++) printf("%d ", d[i]);
        static byte t[3][256], pixels[9] = { 1, 255, 3, 0, 77, 6, 8, 254, 100 };
        for (int i = 0; i < 768; i++) t[i / 256][i % 256] = i * (by + 5);
        tables(d, pixels, (const byte (*)[256])t, 3, 3);
        for (int i = 0; i < 9; i++) printf("%d ", d[i]);
        puts("");
    }
    return 0;
}
"""


@pytest.mark.slow
def test_places_beyond_32_bits_are_the_originals(tmp_path: Path) -> None:
    text = "typedef unsigned char byte;\n" + FOUR + FILTERED + WIDE + TABLES
    done = put(tmp_path, "gcc", "k.c", text)
    assert lifted(done) >= {"four", "wide", "tables"}, done.err
    same(tmp_path, "gcc", "k.c", MAIN)
