"""Elements whose places are made of bits: phases of a mosaic, mirrored tables, flags of bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from tests.end_to_end.test_null_pointers import HEADER, run_guarded
from tests.parse.parsing import kernel
from tests.verify.differential import difference, lifted

PARAMETERS = "unsigned *d, const unsigned *s, int n, int k, u8 p"
MIRRORED = (
    "for (int i = 0; i < n; i++, k += p) { unsigned c = k & 0x1f;"
    " if (c & 0x10) c ^= 0x1f; d[i] = s[c >> 1]; }"
)
PROVED = {
    "a mirrored table": MIRRORED,
    "sums by phase": "for (int i = 0; i < 4; i++) d[i ^ p] += s[i];",
    "sums of an image by phase": "for (int y = 0; y < n; y++) for (int x = 0; x < 4; x++)"
    " d[((y & 1) << 1 | (x & 1)) ^ p] += s[4 * y + x];",
    "a field among bits": "for (int i = 0; i < n; i++) d[i] = s[(i & 0x38) >> 3];",
    "a field of a sum": "for (int i = 0; i < n; i++, k += p) d[i] = s[(k & 0x1e0) + (i & 3)];",
}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("way", PROVED)
def test_places_of_bits_are_proved(way: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {PROVED[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < n; i++) d[i ^ p] += s[i];",
        "for (int i = 0; i < 4; i++) d[i ^ k] += s[i];",
        "for (int i = 0; i < 8; i++) d[i] = d[i ^ 3];",
        "for (int i = 0; i < 8; i++) d[i] = s[i ^ 12] + (unsigned)(i & 6);",
    ],
)
def test_other_places_of_bits_are_no_others_elements(body: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {body} }}")
    assert result.status != "proved" or difference(result) is None


MAIN = """
#include "FENCED"
typedef uint8_t u8;
static int originals;
void f(unsigned *d, const unsigned *s, u8 p) {
    originals++;
    for (int i = 0; i < 4; i++) d[i ^ p] += s[i];
}
int main() {
    // Nothing is mapped on either side of the four sums.
    for (int p = 0; p < 4; p++) for (int before = 0; before < 2; before++) {
        unsigned s[4] = {1, 20, 300, 4000}, *d = (unsigned *)fenced(4 * sizeof *d, before);
        for (int i = 0; i < 4; i++) d[i] = 7;
        originals = 0;
        f_guarded(d, s, p);
        if (originals) printf("original:%d ", p);
        for (int i = 0; i < 4; i++) if (d[i ^ p] != 7 + s[i]) printf("%d:%d ", p, i);
    }
    puts("done");
}
"""


def test_no_other_element_than_those_of_the_block_is_touched(tmp_path: Path) -> None:
    source = "void f(unsigned *d, const unsigned *s, uint8_t p)"
    body = "{ for (int i = 0; i < 4; i++) d[i ^ p] += s[i]; }"
    result = lift_kernel(kernel(f"{HEADER}{source} {body}\n"), LiftOptions())
    assert result.status == "proved", result.diagnostic
    main = MAIN.replace("FENCED", str(Path(__file__).parents[1] / "fenced.h"))
    assert run_guarded(result, main, tmp_path) == ["done"]


MOSAIC = (
    "for (int y = 0; y < n; y++) { const unsigned *r[2] = {s + 2 * y * k, s + (2 * y + 1) * k};"
    " for (int x = 0; x < 8; x++) { unsigned c[4];"
    " c[0 ^ p] = r[0][0]; c[1 ^ p] = r[0][1]; c[2 ^ p] = r[1][0]; c[3 ^ p] = r[1][1];"
    " d[8 * y + x] = c[0] + 3 * c[1] - c[3]; r[0] += 2; r[1] += 2; } }"
)


@pytest.mark.slow
def test_cells_of_a_mosaic_are_sorted_by_its_phase() -> None:
    result = lifted(f"void f({PARAMETERS}) {{ assert(p < 4); {MOSAIC} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None
