"""Loops that are left early, lifted and run: memory may end right behind the first hit."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.end_to_end.test_null_pointers import HEADER, run_guarded
from tests.parse.parsing import kernel
from tests.verify.differential import difference, lifted

FIRST = "int i; for (i = 0; i < n; i++) if (s[i] == k) break; *r = i;"
ANY = "*r = 0; for (int i = 0; i < n; i++) if (s[i] > k) { *r = 1; return; }"
LAST = "int i = n - 1; while (i >= 0 && s[i] == k) i--; *r = i;"
PIXELS = "for (int y = 0; y < h; y++) for (int x = 0; x < n; x++)"
ANY_PIXEL = f"*r = 0; {PIXELS} if (s[y * pitch + x] == k) {{ *r = 1; return; }}"
FLAGGED = (
    "int y, t = 0; for (y = 0; y < h; y++) { for (int x = 0; x < n; x++)"
    " if (s[y * pitch + x] == k) { t = 1; break; } if (t) break; } *r = t ? y : -1;"
)
UNTIL = "int v = 0; for (int i = 0; i < n; i++) { if (s[i] == k) break; v += s[i]; } *r = v;"
ONTO = "int v = 0; for (int i = 0; i < n; i++) { v += s[i]; if (s[i] == k) break; } *r = v;"
COPY = "for (int i = 0; i < n; i++) { if (s[i] == k) break; d[i] = s[i]; }"
WAYS = (
    "int i, c = 0; for (i = 0; i < n; i++) { if (s[i] == k) { c = 1; break; }"
    " if (s[i] > 200) { c = i; break; } } *r = c * 2 + i;"
)
SHORT = "for (int i = 0; i < n; i++) { int c = 0; "
KEEP = SHORT + "c = 1; for (int k = 0; k < 4; k++) if (!s[i * 4 + k]) { c = 0; break; } d[i] = c; }"
LENGTH = SHORT + "while (c < 3 && s[i * 4 + c] == k) c++; d[i] = c; }"
PASS = SHORT + "for (; c < 4; c++) if (s[i * 4 + c] < k) break; if (c < 4) continue; d[i] = 9; }"
MANY = SHORT + "int v = 0; for (c = 1; c < 5; ++c) { v += s[i]; if (v > k) break; } d[i] = v; }"
ENOUGH = "int v = 0; for (int i = 0; i < n; i++) { v += s[i]; if (v >= k) break; } *r = v;"
SKIPPED = (
    "int v = 0, b = 0; for (int i = 0; i < n; i++) { if (s[i] == 3) continue; v += s[i];"
    " if (s[i] == k) break; b = v; } *r = v * 3 + b;"
)
PARAMETERS = "int *r, uint8_t *d, const uint8_t *s, int n, int h, int pitch, int k"
PROVED = {
    "the first": FIRST, "any": ANY, "the last": LAST, "any of an image": ANY_PIXEL,
    "the first row": FLAGGED, "a sum up to the first": UNTIL, "a sum with the first": ONTO,
    "a copy up to the first": COPY, "two ways out": WAYS, "all of four": KEEP,
    "a length up to three": LENGTH, "none of four": PASS, "a sum up to a limit": MANY,
    "a sum until it is enough": ENOUGH, "a sum of some with the first": SKIPPED,
}  # fmt: skip


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("name", PROVED)
def test_what_a_loop_finds_first_is_proved(name: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {PROVED[name]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize(
    "body",
    [
        # What is found depends on what the loop stores.
        "for (int i = 0; i < n; i++) { if (d[i] == k) break; d[i + 1] = s[i]; }",
        "int i = 0; while (s[i] != k) i++; *r = i;",
        "for (int i = 0; i <= n; i++) if (s[i] == k) { *r = i; break; }",
    ],
)
def test_what_is_no_search_is_not_proved(body: str) -> None:
    result = lift_kernel(kernel(f"{HEADER}void f({PARAMETERS}) {{ {body} }}\n"), LiftOptions())
    assert result.status != "proved"
    assert result.diagnostic is not None and result.diagnostic.code != "internal"


MAIN = """
#include <cstring>
#include "FENCED"
static int originals;
void f(PARAMETERS) {
    originals++;
    (void)d; (void)h; (void)pitch;
    BODY
}
int main() {
    for (int n = 1; n < 30; n += 3) for (int at = 0; at <= n; at++) {
        // Nothing is mapped behind the hit, nor before the beginning.
        long size = at < n ? at + 1 : n;
        uint8_t *s = fenced(size, 1), *one = fenced(n, 0), *other = fenced(n, 0);
        for (int i = 0; i < size; i++) s[i] = i % 99;
        if (at < n) s[at] = 199;
        read_only(s, size);
        int a = -5, b = -5;
        originals = 0;
        f_guarded(&a, one, s, n, 1, n, 199);
        int ran = originals;
        f(&b, other, s, n, 1, n, 199);
        if (ran || a != b || memcmp(one, other, n)) printf("%d_%d:%d,%d,%d\\n", n, at, ran, a, b);
    }
    puts("done");
}
"""


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("name", ["the first", "any of an image", "a copy up to the first",
                                  "a sum with the first", "two ways out",
                                  "a sum until it is enough"])  # fmt: skip
def test_nothing_is_touched_behind_the_first_hit(name: str, tmp_path: Path) -> None:
    result: FunctionResult = lift_kernel(
        kernel(f"{HEADER}void f({PARAMETERS}) {{ {PROVED[name]} }}\n"), LiftOptions()
    )
    assert result.status == "proved", result.diagnostic
    main = MAIN.replace("PARAMETERS", PARAMETERS).replace("BODY", PROVED[name])
    main = main.replace("FENCED", str(Path(__file__).parents[1] / "fenced.h"))
    assert run_guarded(result, main, tmp_path) == ["done"]
