"""What loops leave that each pixel runs one inside of the other: kernels of any size."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.ir import postorder
from lifter.dag import Reduce
from lifter.lift.lift_function import LiftOptions, lift_kernel
from tests.end_to_end.test_null_pointers import HEADER, run_guarded
from tests.parse.parsing import kernel
from tests.verify.differential import difference, lifted

PARAMETERS = "u8 *d, const u8 *s, const float *k, int w, int h, int pitch, int r, float b"
PIXELS = "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)"
WINDOW = "for (int j = 0; j < r; j++) for (int i = 0; i < r; i++)"
AROUND = (
    "for (int j = -r; j <= r; j++) { if (y + j < 0 || y + j >= h) continue;"
    " for (int i = -r; i <= r; i++) { if (x + i < 0 || x + i >= w) continue; TERM } }"
)
TERM = "a += k[j * r + i] * s[(y + j) * pitch + x + i];"
STORE = "d[y * pitch + x] = (u8)a;"

PROVED = {
    "a kernel of any size": f"{PIXELS} {{ float a = 0; {WINDOW} {TERM} {STORE} }}",
    "from a bias on": f"{PIXELS} {{ float a = b; {WINDOW} {TERM} {STORE} }}",
    "doubles": f"{PIXELS} {{ double a = 0; {WINDOW} {TERM} {STORE} }}",
    "a pointer walks": f"{PIXELS} {{ float a = 0; const float *q = k; for (int j = 0; j < r; j++)"
    f" {{ const u8 *p = s + (y + j) * pitch + x; for (int i = 0; i < r; i++) a += *q++ * *p++; }}"
    f" {STORE} }}",
    "inside of the image": f"{PIXELS} {{ float a = 0, c = 0; "
    + AROUND.replace(
        "TERM",
        "float q = k[(j + r) * (2 * r + 1) + i + r]; a += q * s[(y + j) * pitch + x + i]; c += q;",
    )
    + " d[y * pitch + x] = (u8)(a / c); }",
    "a border kept": f"{PIXELS} {{ if (x + r >= w || y + r >= h) {{ {STORE.replace('a', '9')} }}"
    f" else {{ float a = b; {WINDOW} {TERM} {STORE} }} }}",
    "the least": f"{PIXELS} {{ float a = 1e9f; {WINDOW} {{ float v = s[(y + j) * pitch + x + i]"
    f" + k[j * r + i]; if (v < a) a = v; }} {STORE} }}",
    "where the least is": f"{PIXELS} {{ float m = 1e9f; int a = 0; {WINDOW} {{ float v = "
    "s[(y + j) * pitch + x + i] * k[j * r + i]; if (v < m) { m = v; a = j + i; } }"
    f" {STORE} }}",
    "channels of pixels": "for (int y = 0; y < h; y++) for (int x = 0; x < w / 3; x++)"
    f" for (int c = 0; c < 3; c++) {{ float a = 0; {WINDOW} a += k[j * r + i]"
    " * s[(y + j) * pitch + (x + i) * 3 + c]; d[y * pitch + x * 3 + c] = (u8)a; }",
    "planes": f"{PIXELS} {{ float a = b; for (int c = 0; c < 2 * r; c++) {WINDOW}"
    f" a += k[j * r + i] * s[(y + j + c) * pitch + x + i]; {STORE} }}",
    "in two passes": f"{PIXELS} {{ float t = 0, a = 0; {WINDOW} t += s[(y + j) * pitch + x + i];"
    f" t /= r * r; {WINDOW} {{ float v = s[(y + j) * pitch + x + i] - t; a += v * v; }} {STORE} }}",
    "rows left out": f"{PIXELS} {{ float a = b; for (int j = 0; j < r; j++) {{"
    f" if (k[j] < 0.0f) continue; for (int i = 0; i < r; i++) {TERM} }} {STORE} }}",
    "with each row's own": f"{PIXELS} {{ float a = b; for (int j = 0; j < r; j++) {{ float t = b;"
    f" for (int i = 0; i < r; i++) {TERM.replace('a +=', 't +=')}"
    f" for (int i = 0; i < r; i++) a += t * k[i]; }} {STORE} }}",
    "row by row": f"{PIXELS} {{ float a = b; for (int j = 0; j < r; j++) {{ float t = 0;"
    f" for (int i = 0; i < r; i++) {TERM.replace('a +=', 't +=')} a += t; }} {STORE} }}",
}  # fmt: skip


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("name", PROVED)
def test_one_accumulator_goes_through_all_loops(name: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {PROVED[name]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize(
    "body",
    [
        # Rows that what was summed so far decides, or halves.
        f"{PIXELS} {{ float a = 0; for (int j = 0; j < r; j++) {{ if (a > 99.0f) continue;"
        f" for (int i = 0; i < r; i++) {TERM} }} {STORE} }}",
        f"{PIXELS} {{ float a = 0; for (int j = 0; j < r; j++) {{ a *= 0.5f;"
        f" for (int i = 0; i < r; i++) {TERM} }} {STORE} }}",
        f"{PIXELS} {{ float a = 0; for (int j = 0; j < r; j++) {{"
        f" for (int i = 0; i < r; i++) {TERM} a *= 0.5f; }} {STORE} }}",
        # In place, where pixels before have changed what is read.
        f"{PIXELS} {{ float a = b; {WINDOW} a += k[j * r + i] * d[(y - j) * pitch + x - i];"
        f" {STORE} }}",
        # A condition that the loop inside changes.
        f"{PIXELS} {{ float a = b; for (int j = 0; j < r; j++) {{ if (d[j] > 3) continue;"
        f" for (int i = 0; i < r; i++) {TERM} }} {STORE} }}",
        # What the pixel before has left.
        f"float t = 0; {PIXELS} {{ float a = b; {WINDOW} a += s[(y + j) * pitch + x + i] - t;"
        f" {STORE}"
        f" t = 0; {WINDOW} {TERM.replace('a +=', 't +=')} }}",
        # A row that ends early.
        f"{PIXELS} {{ float a = b; for (int j = 0; j < r; j++) for (int i = 0; i < r; i++)"
        f" {{ {TERM} if (a > 50.0f) break; }} {STORE} }}",
    ],
)  # fmt: skip
def test_others_are_not_taken_for_these(body: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {body} }}")
    assert result.diagnostic is None or result.diagnostic.code != "internal", result.diagnostic
    assert result.status != "proved" or difference(result) is None


MAIN = """
#include <cstdlib>
#include <cstring>
typedef uint8_t u8;
static int originals;
void f(PARAMETERS) {
    originals++;
    (void)k; (void)r; (void)b;
    BODY
}
int main() {
    static u8 s[1200], one[1200], two[1200];
    static float k[400], values[] = {-0.0f, 0.25f, 0.1f, -0.7f};
    for (int round = 0; round < 200; round++) {
        for (auto &v : s) v = rand();
        for (auto &v : k) v = round % 2 ? values[rand() % 4] : (rand() % 1000) * 1e-4f;
        int r = rand() % 4, sizes[] = {0, 1, r, 2 * r + 1, 7, 17};
        int w = sizes[rand() % 6], h = sizes[rand() % 6], pitch = w + r + 1;
        float b = round % 3 ? 12.5f : -0.0f;
        memset(one, 7, sizeof one);
        memset(two, 7, sizeof two);
        originals = 0;
        f_guarded(one, s, k, w, h, pitch, r, b);
        int ran = originals;
        f(two, s, k, w, h, pitch, r, b);
        if (ran || memcmp(one, two, sizeof one)) printf("%d: %d x %d, %d\\n", round, w, h, r);
    }
    puts("done");
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", PROVED)
def test_lifted_code_leaves_the_same_bits(name: str, tmp_path: Path) -> None:
    body = PROVED[name]
    text = f"{HEADER}typedef uint8_t u8;\nvoid f({PARAMETERS}) {{ {body} }}\n"
    result = lift_kernel(kernel(text), LiftOptions())
    assert result.status == "proved", result.diagnostic
    main = MAIN.replace("PARAMETERS", PARAMETERS).replace("BODY", body)
    assert run_guarded(result, main, tmp_path) == ["done"]


def test_integers_of_rows_that_are_left_out_are_one_sum() -> None:
    """Over two coordinates, under both conditions."""
    rows = AROUND.replace(
        "TERM", "a += t[(j + r) * (2 * r + 1) + i + r] * s[(y + j) * pitch + x + i];"
    )
    body = f"{PIXELS} {{ int a = 0; {rows} {STORE} }}"
    result = lifted(f"void f({PARAMETERS}, const int *t) {{ {body} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None
    (summary,) = result.summaries
    sums = [n for n in postorder(summary.expression) if isinstance(n, Reduce)]
    assert [isinstance(n.body, Reduce) for n in sums] == [False, True]
    assert len(summary.layouts["t"].strides) == 2
