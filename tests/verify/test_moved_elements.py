"""Elements that a nest moves within an array or between two, and small arrays of one pixel.

Each kernel has a twin that must not get its summary.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.emit.emit import emit
from lifter.model.diagnostic import LiftError
from lifter.model.lifted import FunctionResult
from tests.verify.differential import difference, lifted

LINE = "void f(u8 *d, int n) { for (int x = 0; x < n / 2; x++) { "
MOVED = {
    "a row reversed in place": (
        LINE + "u8 t = d[x]; d[x] = d[n - 1 - x]; d[n - 1 - x] = t; } }",
        ["select(x < n / 2 || n - 1 - x < n / 2, d(n - 1 - x), d(x))"],
    ),
    "rows exchanged from both ends": (
        """void f(u8 *d, int w, int h) { for (int y = 0; y < h; y++) {
            u8 *a = d + y * w, *b = a + w - 1;
            while (a < b) { u8 t = *a; *a++ = *b; *b-- = t; } } }""",
        ["select(x < w / 2 || w - 1 - x < w / 2, d(w - 1 - x, y), d(x, y))"],
    ),
    "two arrays exchanged": (
        "void f(u8 *a, u8 *b, int n) { for (int i = 0; i < n; i++) "
        "{ u8 t = a[i]; a[i] = b[i]; b[i] = t; } }",
        ["b(x)", "a(x)"],
    ),
    "an array's values before the nest, which overwrites them": (
        """void f(u8 *a, u8 *b, int n) { for (int x = 0; x < n; x++) {
            int t = a[x]; a[x] = 0; b[x] = t > 0 ? 1 : 0; } }""",
        ["0", "min(a(x), 1)"],
    ),
    "two of three channels exchanged": (
        "void f(u8 *d, int n) { for (int i = 0; i < n; i++) "
        "{ u8 t = d[3 * i]; d[3 * i] = d[3 * i + 2]; d[3 * i + 2] = t; } }",
        ["select(x == 0, d(2, y), select(x == 2, d(0, y), d(x, y)))"],
    ),
    "a pixel in an array of its own": (
        """void f(u8 *d, const u8 *s, int n) { int px[3], i, k; for (i = 0; i < n; i++) {
            for (k = 0; k < 3; k++) px[k] = s[3 * i + k] / 2;
            for (k = 0; k < 3; k++) d[3 * i + k] = (u8)px[2 - k]; } }""",
        [
            "uint8(select(x == 0, int32(s(2, y)) / 2, "
            "select(x == 1, int32(s(1, y)) / 2, int32(s(0, y)) / 2)))"
        ],
    ),
    "an array of a pixel that is read by a mode": (
        """void f(u8 *d, const u8 *s, int n, int mode) { assert(mode >= 0 && mode < 3);
            for (int i = 0; i < n; i++) {
            u8 v[3] = {s[i], (u8)(255 - s[i]), 7}; d[i] = v[mode]; } }""",
        ["select(mode == 0, s(x), select(mode == 1, 255 - s(x), 7))"],
    ),
}
REFUSED = {
    "the middle element changes too": (
        "void f(u8 *d, int n) { for (int x = 0; x < (n + 1) / 2; x++) "
        "{ u8 t = d[x]; d[x] = (u8)(255 - d[n - 1 - x]); d[n - 1 - x] = t; } }"
    ),
    "the middle element doesn't change as the others do": (
        LINE + "u8 t = d[x]; d[x] = (u8)~d[n - 1 - x]; d[n - 1 - x] = (u8)~t; } }"
    ),
    "an exchange without a temporary": (
        LINE + "d[x] = d[n - 1 - x]; d[n - 1 - x] = d[x]; } }"
    ),
    "one array is read where the other was overwritten an iteration ago": (
        "void f(u8 *a, u8 *b, int n) { for (int i = 1; i < n; i++) "
        "{ a[i] = b[i]; b[i] = a[i - 1]; } }"
    ),
    "one array is read where the other will be overwritten, or was": (
        "void f(u8 *a, u8 *b, int n) { for (int i = 0; i < n; i++) "
        "{ u8 t = a[n - 1 - i]; a[i] = b[i]; b[i] = t; } }"
    ),
    "an array of a pixel keeps an element of the iteration before": (
        """void f(u8 *d, const u8 *s, int n) { u8 v[2] = {0, 0}; for (int i = 0; i < n; i++) {
            v[i & 1] = s[i]; d[i] = v[0]; } }"""
    ),
}  # fmt: skip


def claimed(result: FunctionResult) -> list[str]:
    return [repr(s.expression) for s in result.summaries]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("source, expected", MOVED.values(), ids=MOVED)
def test_moved_elements_are_proved(source: str, expected: list[str]) -> None:
    result = lifted(source)
    assert result.status == "proved", result.diagnostic
    assert claimed(result) == expected
    assert difference(result) is None


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("source", REFUSED.values(), ids=REFUSED)
def test_what_only_looks_like_a_move_is_no_move(source: str) -> None:
    result = lifted(source)
    assert result.status != "proved" or difference(result) is None
    if "exchange without" not in source:
        moves = {"d(n - 1 - x)", "b(x)", "a(x)"}
        assert result.status != "proved" or not moves & set(claimed(result))


def test_an_array_that_two_stages_see_with_different_strides_is_not_emitted(tmp_path: Path) -> None:
    """One image has one set of strides: the second stage would read other elements."""
    result = lifted(
        """void f(u8 *d, u8 *e, const u8 *s, int w, int h, int p, int q) {
            for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) d[y * p + x] = s[y * p + x];
            for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) e[y * q + x] = s[y * q + x];
        }"""
    )
    assert result.status == "proved"
    with pytest.raises(LiftError) as found:
        emit(result, tmp_path)
    assert found.value.diagnostic.code == "emit-unsupported"
