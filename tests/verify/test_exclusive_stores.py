"""Branches of one pixel: what one stores, the other reads, and both are never taken together.

The concrete second opinion is switched off. Each law has twins in which the branches do meet, or
in which what decides between them was overwritten: those must be right or refused.
"""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

PIXELS = "void f(u8 *d, const u8 *s, int n) { for (int i = 0; i < n; i++, d += 4, s += 4) { "
PROVED = {
    "an early out that clears, and a loop over the colours": (
        PIXELS + "u8 a = (u8)(s[3] | d[3]);"
        " if (a == 0) { d[0] = d[1] = d[2] = d[3] = 0; continue; }"
        " for (int c = 0; c < 3; c++) d[c] = (u8)(d[c] / 2 + s[c] / 2); d[3] = a; } }"
    ),
    "the loop over the colours comes first": (
        PIXELS + "if (s[3] > 9) { for (int c = 0; c < 3; c++) d[c] = (u8)(d[c] ^ s[c]); }"
        " else { d[0] = 1; d[1] = 2; d[2] = 3; } } }"
    ),
    "colours that neither branch touches keep their value": (
        PIXELS + "if (s[3] == 0) { d[0] = 0; d[1] = 0; d[2] = 0; }"
        " else if (s[3] > 9) for (int c = 0; c < 3; c++) d[c] = (u8)(255 - d[c]); } }"
    ),
    "the branches test two numbers": (
        PIXELS + "if (s[3] < 5) d[0] = 0; for (int c = 0; c < 3; c++)"
        " if (s[3] > 7) d[c] = (u8)(d[c] + 1); } }"
    ),
}
MEETING = {
    "both branches are taken where the alpha is between": (
        PIXELS + "if (s[3] < 8) d[0] = 0; for (int c = 0; c < 3; c++)"
        " if (s[3] > 5) d[c] = (u8)(d[c] + d[0]); } }"
    ),
    "what decides is overwritten between the branches": (
        PIXELS + "if (d[3] == 0) { d[0] = 7; } for (int c = 3; c < 4; c++) d[c] = 1;"
        " if (d[3] != 0) for (int c = 0; c < 3; c++) d[c] = (u8)(d[c] / 2); } }"
    ),
    "the branch of the pixel before reads this one": (
        "void f(u8 *d, const u8 *s, int n) { for (int i = 1; i < n; i++)"
        " { if (s[i] == 0) d[i] = 0; else d[i] = (u8)(d[i - 1] + 1); } }"
    ),
    "what decides is an element of an array that the nest writes too": (
        "void f(u8 *d, u8 *e, int n) { for (int i = 0; i < n; i++) { if (e[i] == 0) d[2 * i] = 7;"
        " for (int c = 0; c < 1; c++) e[i + c] = 1;"
        " if (e[i] != 0) for (int c = 0; c < 2; c++) d[2 * i + c] = (u8)(d[2 * i + c] / 2); } }"
    ),
}  # fmt: skip


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("source", PROVED.values(), ids=PROVED)
def test_branches_that_exclude_each_other_are_proved(source: str) -> None:
    result = lifted(source)
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("source", MEETING.values(), ids=MEETING)
def test_branches_that_meet_are_right_or_refused(source: str) -> None:
    result = lifted(source)
    assert result.status != "proved" or difference(result, 60) is None


@pytest.mark.slow
def test_a_pixel_that_keeps_its_value_is_not_called_cleared() -> None:
    """With another constant in one of the three stores there is no formula of the first's shape."""
    text = PROVED["the loop over the colours comes first"]
    first, second = lifted(text), lifted(text.replace("d[1] = 2", "d[1] = 4"))
    assert first.status == second.status == "proved"
    assert first.summaries[0].expression is not second.summaries[0].expression
    assert difference(second) is None
