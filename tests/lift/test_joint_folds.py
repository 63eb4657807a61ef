"""Scalars that a loop chooses together: positions of extremes, boxes, searches."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from tests.end_to_end.test_null_pointers import HEADER, run_guarded
from tests.parse.parsing import kernel
from tests.verify.differential import difference, lifted

PARAMETERS = (
    "int *r, float *o, const float *s, const uint8_t *b, const int *t, int w, int h, int pitch"
)
PIXELS = "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)"
LEAST = (
    f"float low = 1e30f; int row = -1, col = -1; {PIXELS} if (s[y * pitch + x] < low)"
    " { low = s[y * pitch + x]; row = y; col = x; } r[0] = row; r[1] = col; o[0] = low;"
)
LAST_GREATEST = (
    "int at = 0; float m = s[0]; for (int i = 1; i < w; i++) if (s[i] >= m) { m = s[i]; at = i; }"
    " *r = at;"
)
BOX = (
    f"int any = 0, left = 0, top = 0, right = 0, bottom = 0; {PIXELS} {{"
    " if (!b[y * pitch + x]) continue;"
    " if (!any) { left = x; right = x + 1; top = y; bottom = y + 1; any = 1; }"
    " else { if (x < left) left = x; if (x >= right) right = x + 1;"
    " if (y < top) top = y; if (y >= bottom) bottom = y + 1; } }"
    " r[0] = any; r[1] = left; r[2] = top; r[3] = right; r[4] = bottom;"
)
FIRST = (
    f"int any = 0, col = -1, row = -1; {PIXELS} if (!any && s[y * pitch + x] > 0.5f)"
    " { any = 1; col = x; row = y; } r[0] = any; r[1] = col; r[2] = row;"
)
TWO = (
    "int a = 0, c = 0; for (int i = 0; i < w; i++) { int v = t[i];"
    " if (v > a) { c = a; a = v; } else if (v > c) c = v; } r[0] = a; r[1] = c;"
)
RUN = (
    "int run = 0, best = 0, at = -1; for (int i = 0; i < w; i++) { if (b[i]) { run++;"
    " if (run > best) { best = run; at = i - run + 1; } } else run = 0; } r[0] = best; r[1] = at;"
)
MOMENTS = (
    "float mean = 0, m2 = 0; for (int i = 0; i < w; i++) { float d = s[i] - mean;"
    " mean += d / (i + 1); m2 += d * (s[i] - mean); } o[0] = mean; o[1] = m2;"
)
TURNED = "int a = 0, c = 1; for (int i = 0; i < w; i++) { int v = a; a = c; c = v + b[i]; } *r = a;"
SCALED = (
    "float m = 0; for (int i = 0; i < w; i++) if (s[i] > m) m = s[i];"
    " for (int i = 0; i < w; i++) o[i] = s[i] / m;"
)
BEGUN = (
    "bool any = false; float m; int at; for (int i = 0; i < w; i++) if (!any || s[i] > m)"
    " { any = true; m = s[i]; at = i; } if (any) { r[0] = at; o[0] = m; }"
)
PROVED = {
    "the least of an image": LEAST, "the last of the greatest": LAST_GREATEST, "a box": BOX,
    "the first above": FIRST, "the two greatest": TWO, "the longest run": RUN,
    "moments on the way": MOMENTS, "taking turns": TURNED, "a later loop divides": SCALED,
    "begun by the first": BEGUN,
}  # fmt: skip


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("name", PROVED)
def test_what_is_chosen_together_is_proved(name: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {PROVED[name]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize(
    "body",
    [
        # Read before anything is there, or what the loop itself stores.
        LAST_GREATEST.replace("int at = 0", "int at").replace("*r = at", "*r = at + w"),
        "float m = 0; int at = 0; for (int i = 0; i < w; i++) { if (o[i] > m) { m = o[i]; at = i; }"
        " o[i + 1] = m; } *r = at;",
        # A sum that begins with nothing.
        "int a; bool any = false; for (int i = 0; i < w; i++) { a += t[i]; any |= a > 3; }"
        " r[0] = a; r[1] = any;",
        # Changed once more than the test in the middle has seen.
        "int a = 0, c = 0; for (int i = 0;; i++) { c += a * t[i]; if (i >= w) break; a = c + i; }"
        " r[0] = a; r[1] = c;",
        # A row's own, carried on by half.
        f"int n = 0, m = 0; {PIXELS.replace('y++', 'y++, n = 0')} {{ n += b[y * pitch + x] > m;"
        " m = n > m ? n : m; }} *r = m;".replace("}}", "}"),
    ],
)
def test_others_are_not_taken_for_these(body: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {body} }}")
    assert result.diagnostic is None or result.diagnostic.code != "internal"
    assert result.status != "proved" or difference(result) is None


def test_functions_of_running_values_keep_their_meaning() -> None:
    """A division that is one of positive numbers in the first iteration isn't one later on."""
    mix = "static int mix(int a, int v) { return (a - v) / 3; }\n"
    loop = (
        "int a = 900, c = 900; for (int i = 0; i < w; i++)"
        " { int v = a; a = mix(c, b[i]); c = mix(v, 2); }"
    )
    result = lift_kernel(
        kernel(f"{HEADER}{mix}void f(int *r, const uint8_t *b, int w) {{ {loop} *r = a + c; }}\n"),
        LiftOptions(),
    )
    assert result.status == "proved", result.diagnostic


MAIN = """
#include <cmath>
#include <cstdlib>
#include <cstring>
static int originals;
void f(PARAMETERS) {
    originals++;
    (void)r; (void)o; (void)s; (void)b; (void)t; (void)w; (void)h; (void)pitch;
    BODY
}
// Of what is no number the sign isn't told.
static bool same(float a, float b) { return std::isnan(a) ? std::isnan(b) : !memcmp(&a, &b, 4); }
int main() {
    static float s[40], values[] = {0.0f, -0.0f, 1.0f, -3.0f, NAN, INFINITY, -INFINITY, 2.0f};
    static uint8_t b[40];
    static int t[40];
    for (int round = 0; round < 300; round++) {
        for (int i = 0; i < 40; i++) {
            s[i] = values[rand() % (round % 2 ? 8 : 4)];
            b[i] = rand() % 5 ? 0 : rand() % 256;
            t[i] = rand() % 7 - 3;
        }
        int w = rand() % 8, h = rand() % 5, one[5] = {}, two[5] = {};
        float high[8] = {}, low[8] = {};
        originals = 0;
        f_guarded(one, high, s, b, t, w, h, 8);
        int ran = originals;
        f(two, low, s, b, t, w, h, 8);
        bool alike = !memcmp(one, two, sizeof one);
        for (int i = 0; i < 8; i++) alike = alike && same(high[i], low[i]);
        if (ran || !alike) printf("%d:%d,%d:%d\\n", round, w, h, ran);
    }
    puts("done");
}
"""


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("name", PROVED)
def test_lifted_code_chooses_the_same(name: str, tmp_path: Path) -> None:
    """Ties, zeros of both signs and what is no number at all included."""
    result = lift_kernel(
        kernel(f"{HEADER}void f({PARAMETERS}) {{ {PROVED[name]} }}\n"), LiftOptions()
    )
    assert result.status == "proved", result.diagnostic
    main = MAIN.replace("PARAMETERS", PARAMETERS).replace("BODY", PROVED[name])
    assert run_guarded(result, main, tmp_path) == ["done"]
