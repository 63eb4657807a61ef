"""Pixels whose size and whose channels' places parameters say, lifted end to end."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

PARAMETERS = "u8 *d, const u8 *s, const int *t, int r, int g, int b, int a, int n, int size"
STORES = "d[r] = s[i]; d[g] = s[i] / 2; d[b] = 255 - s[i];"
COLOURS = "select(y == r, s(x), select(y == g, s(x) / 2, select(y == b, 255 - s(x), {})))"
OTHERS = ["r != g", "r != b", "g != b"]
INSIDE = ["0 <= r && r < size", "0 <= g && g < size", "0 <= b && b < size"]


def each_pixel(body: str, before: str = "") -> str:
    loop = f"for (int i = 0; i < n; i++, d += size) {{ {body} }}"
    return f"void f({PARAMETERS}) {{ {before} {loop} }}"


def test_parameters_say_which_channels_are_stored_to() -> None:
    result = lifted(each_pixel(STORES))
    assert result.status == "proved" and result.proof is not None, result.diagnostic
    (summary,) = result.summaries
    assert str(summary.expression) == COLOURS.format("d(x, y)")
    texts = [p.text for p in result.proof.preconditions if p.kind == "formula"]
    assert texts == OTHERS + INSIDE
    assert difference(result, 20) is None


@pytest.mark.slow
def test_a_channel_that_pixels_may_lack() -> None:
    result = lifted(each_pixel(f"{STORES} if (a >= 0) d[a] = 255;"))
    assert result.status == "proved" and result.proof is not None, result.diagnostic
    (summary,) = result.summaries
    assert str(summary.expression) == COLOURS.format("select(y == a, 255, d(x, y))")
    assert "a < 0 || r != a" in [p.text for p in result.proof.preconditions]
    assert difference(result, 20) is None


def test_numbers_that_say_where_is_read_may_be_looked_at_for_channels_of_their_own() -> None:
    """A guard looks at `t` for all pixels: each is read for one of their channels."""
    result = lifted(each_pixel("d[r] = s[t[i]]; d[g] = 7; d[b] = 8;"))
    assert result.status == "proved", result.diagnostic
    assert [str(c) for s in result.summaries for c in s.read_anyway] == ["t(x)"]
    assert difference(result, 20) is None


@pytest.mark.parametrize(
    "body",
    [
        # Only in some calls, or for some pixels, the original looks.
        "if (a > 3) d[r] = s[t[i]]; d[g] = 7; d[b] = 8;",
        "if (s[i] > 3) d[r] = s[t[i]]; d[g] = 7; d[b] = 8;",
    ],
)
def test_numbers_that_are_read_in_some_calls_alone_are_not_looked_at(body: str) -> None:
    result = lifted(each_pixel(body))
    assert result.status == "unproved", result.diagnostic
    assert not any(s.read_anyway for s in result.summaries)


@pytest.mark.parametrize(
    "body",
    [
        # Pixels say which channel; a channel that moves; pixels of a size of their own.
        "d[s[i]] = 1; d[g] = 2; d[b] = 3;",
        "d[r] = 1; d[g + i] = 2; d[b] = 3;",
        "d[r] = 1; d[g] = 2; d[b] = 3; d += i;",
    ],
)
def test_other_places_are_no_channels(body: str) -> None:
    assert lifted(each_pixel(body)).status != "proved"


def test_channels_that_are_one_are_none() -> None:
    """What is stored last is left: such calls are the original's."""
    assert lifted(each_pixel(STORES, "assert(r == g);")).status != "proved"
