"""What is done once more behind a loop, with a shorter step."""

from __future__ import annotations

import pytest

from lifter.parse import body_to_text
from tests.verify.differential import parsed

BY_INDEX = """
int i = 0;
for (; i + 16 <= n; i += 16) for (int k = 0; k < 16; k++) d[i + k] = s[i + k] + 1;
if (i + 8 <= n) { for (int k = 0; k < 8; k++) d[i + k] = s[i + k] + 1; i += 8; }
for (; i < n; i++) d[i] = s[i] + 1;
"""
BY_COUNT = """
for (; n >= 16; n -= 16) { for (int k = 0; k < 16; k++) d[k] = s[k] + 1; d += 16; s += 16; }
if (n >= 8) { for (int k = 0; k < 8; k++) d[k] = s[k] + 1; n -= 8; d += 8; s += 8; }
for (; n > 0; n--) *d++ = *s++ + 1;
"""


def text_of(body: str, count: str = "int n") -> str:
    return body_to_text(parsed(f"void f(u8 *d, const u8 *s, {count}) {{ {body} }}").body)


@pytest.mark.parametrize("body", [BY_INDEX, BY_COUNT])
def test_a_turn_of_half_the_step_is_a_loop(body: str) -> None:
    assert "if (" not in text_of(body)


def test_turns_of_a_quarter_follow() -> None:
    more = "if (n >= 4) { for (int k = 0; k < 4; k++) d[k] = s[k] + 1; n -= 4; d += 4; s += 4; }"
    body = BY_COUNT.replace("for (; n > 0", f"{more} for (; n > 0")
    assert "if (" not in text_of(body)


def test_a_count_without_sign_is_one() -> None:
    assert "if (" not in text_of(BY_COUNT, "unsigned n")


@pytest.mark.parametrize(
    ("body", "old", "new"),
    [
        pytest.param(BY_COUNT, "n >= 16; n -= 16", "n >= 32; n -= 32", id="two may be left"),
        pytest.param(BY_COUNT, "n -= 8", "n -= 4", id="not all of it is counted"),
        pytest.param(BY_COUNT, "n -= 8", "n += 8", id="more is left"),
        pytest.param(BY_COUNT, "if (n", "n += 3; if (n", id="changed in between"),
        pytest.param(BY_COUNT, "s += 16; }", "s += 16; if (s[0]) break; }", id="left early"),
        pytest.param(BY_COUNT, "if (n >= 8)", "if (n >= 8 && s[0])", id="another condition"),
        pytest.param(BY_INDEX, "i + 8 <= n", "i <= n - 8", id="what may overflow otherwise"),
        pytest.param(BY_INDEX, "if (i + 8 <= n)", "if (i + 8 <= k)", id="another bound"),
    ],
)
def test_turns_that_are_none(body: str, old: str, new: str) -> None:
    changed = body.replace(old, new, 1)
    assert changed != body
    assert "if (" in text_of(changed, "int n, int k")


def test_sums_without_signs_may_wrap() -> None:
    assert "if (" in text_of(BY_INDEX.replace("int i", "unsigned i"), "unsigned n")


LANES = """
for (; n >= 16; n -= 16) { for (int k = 0; k < 16; k++) d[k] = s[k] + 1; d += 16; s += 16; }
if (n > 0) for (int k = 0; k < 16; k++) if (k < n) d[k] = s[k] + 1;
"""


def test_lanes_that_are_left_are_counted() -> None:
    text = text_of(LANES)
    assert "if (" not in text and "while (k.1 < n)" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("n >= 16; n -= 16", "n >= 32; n -= 32", id="more lanes may be left"),
        pytest.param("if (n > 0)", "n += 20; if (n > 0)", id="changed in between"),
        pytest.param("d[k] = s[k] + 1;\n", "d[k] = n--;\n", id="changed in the loop"),
        pytest.param("if (k < n)", "if (k < 3 * n)", id="another count"),
    ],
)
def test_lanes_that_are_not_counted(old: str, new: str) -> None:
    changed = LANES.replace(old, new, 1)
    assert changed != LANES
    assert "if (" in text_of(changed)


def test_a_condition_that_leaves_some_out_stays() -> None:
    assert "if (n >= 5)" in text_of(LANES.replace("n > 0", "n >= 5"))


@pytest.mark.parametrize("after", ["d[k] = 1;", "if (n > 2) d[0] = k;"])
def test_a_counter_that_is_read_behind_the_loop_keeps_its_value(after: str) -> None:
    changed = LANES.replace("if (n > 0) for (int k = 0;", "int k = 3; if (n > 0) for (k = 0;")
    assert "while (k.1 < n)" in text_of(changed)
    assert "while (k.1 < n)" not in text_of(changed + after)
    assert "if (n > 0)" in text_of(changed + after)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("n >= 16; n -= 16", "n >= 12; n -= 12", id="a count that wraps below zero"),
        pytest.param("n >= 16; n -= 16", "(long)n >= 12; n -= 12", id="seen with a sign"),
    ],
)
def test_a_turn_that_takes_more_than_there_may_be_stays(old: str, new: str) -> None:
    """From 5, that is at least 4, 8 less is a large number without a sign."""
    less = BY_COUNT.replace(old, new, 1).replace("if (n >= 8)", "if (n >= 4)")
    less = less.replace("if (n", "if ((long)n") if "long" in new else less
    assert "if (" in text_of(less, "unsigned n")
    exact = BY_COUNT.replace("n >= 16", "(long)n >= 16").replace("if (n", "if ((long)n")
    assert "if (" not in text_of(exact, "unsigned n")


def test_a_difference_that_wraps_is_no_count_of_lanes() -> None:
    """Below zero it wraps to more lanes than there are."""
    wraps = """
    for (; (long)n - (long)m >= 16; n -= 16) d[0] = n;
    for (long k = 0; k < 16; k++) if (k < (long)(n - m)) d[k] = 1;
    """
    assert "if (" in text_of(wraps, "unsigned n, unsigned m")
