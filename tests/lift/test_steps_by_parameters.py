"""Loops whose step a call chooses, and tests that no iteration changes, lifted end to end."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from tests.end_to_end.test_null_pointers import HEADER, run_guarded
from tests.parse.parsing import kernel
from tests.verify.differential import difference, lifted

PARAMETERS = "u8 *d, const u8 *s, const int *t, int n, int by, int c"
STEPS = {
    "up": "for (int i = 0; i < n; i += by) d[i] = ~d[i];",
    "down": "for (int i = (n - 1) * by; i >= 0; i -= by) d[i] = ~d[i];",
    "a channel": "for (int i = c, x = 0; i < n * by; i += by) d[x++] = s[i];",
    "by a sum": "for (int i = 0; i < n; i += 2 * by + 2) d[i] = s[i];",
    "a pointer": "const u8 *end = s + n * by; for (; s < end; s += by) *d++ = *s;",
    "until an end": "u8 *end = d + n * by; for (; d != end; d += by) *d += c;",
    "a sum": "int sum = 0; for (int i = 0; i < n; i += by) sum += s[i]; d[0] = sum;",
    "a test in each iteration": "for (int i = 0; i < n && c > by; i++) d[i] = s[i];",
    "a test that is read": "for (int i = 0; *t && i < n; i++) d[i] = s[i];",
    "rows": "for (int y = 0; y < n && c; y++) for (int x = 0; x < by && y >= 0; x++)"
    " d[y * by + x] = s[x];",
}


@pytest.mark.sampled(every=12)
@pytest.mark.parametrize("way", STEPS)
def test_as_many_iterations_as_the_step_makes(way: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {STEPS[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize(
    "body",
    [
        # The step changes, or doesn't move; the test is of what the loop changes, or reads memory
        # where the original may not.
        "for (int i = 0; i < n; i += by) { d[i] = s[i]; by++; }",
        "for (int i = 0; i < n; i += s[i]) d[i] = s[i];",
        "for (int i = 0; i < n; i += by - by) d[i] = s[i];",
        "for (int i = 0; i < n && c > i * i; i++) d[i] = s[i];",
        "for (int i = 0; i < n && d[9]; i++) d[i] = s[i];",
        "for (int i = 0; i < n && *t; i++) d[i] = s[i];",
        "for (int i = 0; i < n && 100 / by > 3; i++) d[i] = s[i];",
    ],
)
def test_what_may_change_on_the_way_is_no_step_and_no_test_before_it(body: str) -> None:
    result = lift_kernel(
        kernel(f"#include <cstdint>\ntypedef uint8_t u8;\nvoid f({PARAMETERS}) {{ {body} }}"),
        LiftOptions(),
    )
    assert result.status == "failed" and result.diagnostic is not None
    assert result.diagnostic.code == "loop-bound"


MAIN = """
#include <cstring>
static int originals;
void f(uint8_t *d, int n, int by) {
    originals++;
    for (int i = 0; i < n; i += by) d[i] = ~d[i];
}
int main() {
    for (int by = -2; by < 5; by++) for (int n = by > 0 ? -3 : -1; n < (by > 0 ? 40 : 1); n += 13) {
        uint8_t one[64], other[64];
        for (int i = 0; i < 64; i++) one[i] = other[i] = i * 7;
        originals = 0;
        f_guarded(one, n, by);
        int ran = originals;
        f(other, n, by);
        printf("%d%s\\n", ran, memcmp(one, other, 64) ? "!" : "");
    }
}
"""


def test_a_step_that_does_not_go_on_is_left_to_the_original(tmp_path: Path) -> None:
    source = "void f(uint8_t *d, int n, int by) { for (int i = 0; i < n; i += by) d[i] = ~d[i]; }"
    result = lift_kernel(kernel(HEADER + source), LiftOptions())
    assert result.status == "proved", result.diagnostic
    assert run_guarded(result, MAIN, tmp_path) == ["1"] * 3 + ["0"] * 16
