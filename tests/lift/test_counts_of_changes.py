"""What loops count of what they change in place, where a state says what that is."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from unittest.mock import patch

import pytest

from compiler.ir import Type
from lifter.model.lifted import FunctionResult
from lifter.verify import cases
from lifter.verify.memory import Fill
from tests.verify.differential import difference, lifted, parsed

HEAD = "void f(int *l, u8 *b, const u8 *m, int n, int *o)"
THERE = (
    "c = 0; for (int i = 0; i < n; i++) { if (!m[i]) c = 0; else if (l[i]) c = l[i];"
    " else if (c) { l[i] = c; g++; } }"
)
BACK = (
    "c = 0; for (int i = n - 1; i >= 0; i--) { c = m[i] ? (l[i] ? l[i] : c) : 0;"
    " if (c && !l[i]) { l[i] = c; g++; } }"
)
BOTH = f"int c, g = 0; {THERE} {BACK} *o = g;"
ONE = f"int c, g = 0; {THERE} *o = g;"
COUNTED = {
    "there": ONE,
    "there and back": BOTH,
    "and there again": f"int c, g = 0; {THERE} {BACK} {THERE} *o = g;",
    "on top of what was there": BOTH.replace("g = 0", "g = *o"),
    "in memory": f"int c; *o = 0; {THERE} {BACK}".replace("g++", "++*o"),
    "whether anything was": BOTH.replace("int c, g = 0", "int c; bool g = false").replace(
        "g++", "g = true"
    ),
    "of bytes": BOTH.replace("l[", "b["),
    "a sum of labels": BOTH.replace("g++", "g += c"),
    "seen after the store": BOTH.replace("l[i] = c; g++;", "l[i] = c; if (l[i] > 3) g++;"),
    "stored between the loops": f"int c, g = 0; {THERE} o[1] = g; {BACK} *o = g;",
    "stored in its place": BOTH.replace("l[i] = c; g++;", "l[i] = c + g; g++;"),
    "only so many": BOTH.replace("if (c && !l[i])", "if (c && !l[i] && g < 9)"),
}
QUICK = ("there",)


def lift(body: str) -> FunctionResult:
    return lifted(f"{HEAD} {{ {body} }}")


@pytest.fixture(autouse=True)
def _seeds_and_gaps() -> Iterator[None]:
    """Concrete runs over arrays of small numbers, many of them 0: with others nothing spreads."""

    def fill(type: Type, pattern: str, start: int) -> Fill:
        return lambda index: max(random.Random(f"{start}/{index}").randrange(-2, 4), 0)

    with patch.object(cases, "_fill", fill):
        yield


@pytest.mark.parametrize(
    "way", [w if w in QUICK else pytest.param(w, marks=pytest.mark.slow) for w in COUNTED]
)
def test_what_loops_change_in_place_is_counted(way: str) -> None:
    result = lift(COUNTED[way])
    assert result.status == "proved", result.diagnostic
    assert difference(result, 60) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "other",
    [
        f"int c, g = 0; {BACK} {THERE} *o = g;",
        BOTH.replace("l[i] = c; g++;", "l[i] = c; if (!l[i]) g++;"),
        f"int c, g = 0; {THERE} if (n > 2) g = 0; {BACK} *o = g;",
        BOTH.replace("*o = g", "*o = g + (n > 0 ? l[0] : 0)"),
    ],
    ids=["the other way round", "of what was overwritten", "begun anew", "with what is left"],
)
def test_what_counts_something_else_is_another_function(other: str) -> None:
    result = lift(BOTH)
    assert result.kernel is not None
    wrong = replace(result.kernel, body=parsed(f"{HEAD} {{ {other} }}").body)
    assert difference(replace(result, kernel=wrong), 60) is not None
    own = lift(other)
    assert own.status != "proved" or difference(own, 60) is None


@pytest.mark.parametrize(
    "body",
    [
        # The element before has been overwritten by then; a copy would have the one behind a run;
        # the count says what the other loop finds.
        ONE.replace("else if (l[i]) c = l[i]", "else if (i && l[i - 1]) c = l[i - 1]"),
        ONE.replace("else if (l[i]) c = l[i]", "else if (i + 1 < n && l[i + 1]) c = l[i + 1]"),
        pytest.param(
            f"int c, g = 0; {THERE} if (n > 0) l[0] = g; {BACK} *o = g;", marks=pytest.mark.slow
        ),
    ],
)
def test_what_is_made_of_what_was_overwritten_is_refused(body: str) -> None:
    assert lift(body).status != "proved"
