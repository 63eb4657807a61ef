"""Heads, tails, borders and channels of their own: one stage for stores that share a region.

Each kernel has a twin that differs in one store: the summary of the one is no summary of the other.
"""

from __future__ import annotations

import pytest

from lifter.dag import build_stage_graph
from lifter.lift.nests import groups, joined
from lifter.verify import PureProof
from tests.verify.differential import difference, lifted, parsed
from tests.verify.proving import assumptions_of

LINE = "void f(u8 *d, const u8 *s, int n)"
PLANE = "void f(u8 *d, const u8 *s, int w, int h, int p)"
PARTS = {
    "ends without a loop": (
        LINE + """ { assert(n >= 2); d[0] = s[0];
            for (int i = 1; i < n - 1; i++) d[i] = (u8)((s[i - 1] + s[i + 1]) / 2);
            d[n - 1] = s[n - 1]; }""",
        "d[n - 1] = s[n - 1]", "d[n - 1] = s[n - 2]",
        "select(x == 0 || x == n - 1, s(x), "
        "uint8((int32(s(max(x - 1, 0))) + int32(s(min(x + 1, n - 1)))) / 2))",
    ),
    "columns at both ends of each row": (
        PLANE + """ { assert(w >= 2 && h >= 0);
            for (int y = 0; y < h; y++) {
                d[y * w] = 0;
                for (int i = 1; i < w - 1; i++) d[y * w + i] = s[y * w + i];
                d[y * w + w - 1] = 255; } }""",
        "d[y * w] = 0", "d[y * w] = 1",
        "select(x == 0, 0, select(x == w - 1, 255, s(max(min(x, w - 2), 1), y)))",
    ),
    "an alpha channel apart, of a source without one": (
        LINE + """ { for (int i = 0; i < n; i++) {
                for (int c = 0; c < 3; c++) d[4 * i + c] = s[3 * i + c];
                d[4 * i + 3] = 255; } }""",
        "s[3 * i + c]", "s[3 * i + 2 - c]",
        "select(x == 3, 255, s(min(x, 2), y))",
    ),
    "a main loop by mask and a tail": (
        LINE + """ { assert(n >= 0); int m = n & ~3, i;
            for (i = 0; i < m; i += 4) {
                d[i] = s[i]; d[i + 1] = s[i + 1]; d[i + 2] = s[i + 2]; d[i + 3] = s[i + 3]; }
            for (i = m; i < n; i++) d[i] = s[i]; }""",
        "d[i + 2] = s[i + 2]", "d[i + 2] = s[i + 3]",
        "s(x)",
    ),
    "two by two with a guard": (
        LINE + """ { for (int x = 0; x < n; x += 2) {
                d[x] = (u8)(s[x] >> 1);
                if (x + 1 < n) d[x + 1] = (u8)(s[x + 1] >> 1); } }""",
        "x + 1 < n", "x + 2 < n",
        "s(x) >> 1",
    ),
    "rows walked by one pointer": (
        PLANE + """ { assert(p >= 0 && w >= 0); for (int y = 0; y < h; y++) {
                for (int x = 0; x < w; x++) *d++ = (u8)~*s++;
                d += p; s += p; } }""",
        "s += p", "s += w",
        "~s(x, y)",
    ),
}  # fmt: skip


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("source, wrong, other, expected", PARTS.values(), ids=PARTS)
def test_the_parts_are_one_stage_that_only_their_own_kernel_has(
    source: str, wrong: str, other: str, expected: str
) -> None:
    assert wrong in source
    result = lifted(source)
    assert result.status == "proved", result.diagnostic
    (summary,) = result.summaries
    assert repr(summary.expression) == expected
    assert difference(result) is None
    for text, is_own in ((source, True), (source.replace(wrong, other), False)):
        kernel = parsed(text)
        (group,) = groups(build_stage_graph(kernel).order)
        (stage,) = joined(group)
        try:
            proof = PureProof(stage, summary, assumptions_of(kernel), {})
        except ValueError:
            assert not is_own  # not even the same number of stores
            continue
        assert proof.run() == is_own, proof.failed


def test_ends_that_may_meet_need_a_precondition() -> None:
    source = LINE + """ { d[0] = 1; for (int i = 1; i < n - 1; i++) d[i] = 2; d[n - 1] = 3; }"""
    result = lifted(source)
    # With one element both ends are it: what is stored last stays, which is no ordinary choice.
    assert result.diagnostic is not None and result.diagnostic.code == "few-calls"
    assert result.proof is not None
    assert [p.text for p in result.proof.preconditions] == ["n >= 2"]


def test_a_remainder_of_a_negative_size_needs_a_precondition() -> None:
    source = (
        LINE
        + """ { int m = n / 4; while (m--) { for (int k = 0; k < 4; k++) *d++ = *s++; }
        for (m = n & 3; m > 0; m--) *d++ = *s++; }"""
    )
    result = lifted(source)
    assert result.status == "proved" and result.proof is not None
    assert "n >= 0" in [p.text for p in result.proof.preconditions]


DEVICE = (
    LINE
    + """ { int k = (n + 3) / 4; switch (n % 4) {
    case 0: do { *d++ = *s++; case 3: *d++ = *s++; case 2: *d++ = *s++; case 1: *d++ = *s++;
    } while (--k > 0); } }"""
)


def test_duffs_device_writes_too_much_for_an_empty_span() -> None:
    result = lifted(DEVICE)
    assert result.status == "proved" and result.proof is not None
    assert [p.text for p in result.proof.preconditions if p.kind == "formula"] == ["n >= 1"]
    assert difference(result) is None


def test_a_wrong_number_of_rounds_is_no_copy_of_the_span() -> None:
    result = lifted(DEVICE.replace("(n + 3) / 4", "(n + 4) / 4"))
    assert result.status != "proved" or difference(result) is None
    assert "n >= 1" not in [p.text for p in result.proof.preconditions] if result.proof else True
