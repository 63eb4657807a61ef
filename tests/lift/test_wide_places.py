"""Places of 64 bits that tables say, which the DSL's coordinates of 32 have to hold."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

LOOP = "void f(u8 *d, const u8 *s, const long *t, long w, long n, long k) {"
SHIFTED = (
    f"{LOOP} for (long x = 0; x < w; x++) {{ long r = (t[x] - k) >> 16;"
    " if (r > -1 && r < n) d[x] = s[r]; else d[x] = 7; } }"
)


def test_three_neighbours_of_a_table_are_limited_where_the_last_has_a_coordinate() -> None:
    body = "for (long x = 0; x < w; x++) d[x] = s[t[x]] + s[t[x + 1]] + s[t[x + 2]];"
    result = lifted(f"{LOOP} {body} }}")
    assert result.status == "proved", result.diagnostic
    assert result.proof is not None
    assert "w <= 2147483646" in [p.text for p in result.proof.preconditions]
    assert difference(result) is None


@pytest.mark.parametrize("value", ["s[t[x] * 3 + 2]", "k ? s[t[x] * 4] : s[t[x]]"])
def test_multiples_of_a_number_are_limited_by_what_the_number_may_be(value: str) -> None:
    result = lifted(f"{LOOP} for (long x = 0; x < w; x++) d[x] = {value}; }}")
    assert result.status == "proved", result.diagnostic
    assert result.proof is not None
    limits = [p.text for p in result.proof.preconditions if "at each point" in p.text]
    most = {"s": "715827881", "k": "536870911"}[value[0]]
    assert [f"t(x) <= {most} at each point" in text for text in limits] == [True]
    assert difference(result) is None


def test_a_place_that_a_condition_keeps_inside_fits() -> None:
    result = lifted(SHIFTED)
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize(
    ("condition", "other"), [("r > -1 && r < n", "r > -9 && r < n"), ("d[x] = s[r]", "d[x] = s[k]")]
)
def test_other_conditions_keep_other_places_inside(condition: str, other: str) -> None:
    twin = lifted(SHIFTED.replace(condition, other))
    assert twin.status != "proved" or difference(twin, 100) is None


def test_a_place_that_nothing_keeps_inside_does_not_fit_by_itself() -> None:
    text = SHIFTED.replace("r > -1 && r < n", "k > -1 && k < n")
    result = lifted(text)
    if result.status == "proved":
        assert result.proof is not None
        assert any("at each point" in p.text for p in result.proof.preconditions)
