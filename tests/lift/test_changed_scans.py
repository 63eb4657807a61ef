"""Of a source in which something was changed, a scan's old summaries aren't proved where they are
wrong."""

from __future__ import annotations

import random
from collections.abc import Iterator
from unittest.mock import patch

import pytest

from lifter.checking.reproving import Reproving
from lifter.lift import lift_function
from lifter.lift.lift_function import LiftOptions
from lifter.model.lifted import FunctionResult
from lifter.parse.kernel_text import kernel_to_text
from lifter.verify.screen import Screening
from tests.lift.test_scans import HEAD, IN_PLACE, STATES, TUPLES
from tests.verify.differential import difference, lifted, parsed
from tests.verify.source_mutants import applied, changes

BODIES = {
    f"{kind}: {name}": body
    for kind, bodies in (("in place", IN_PLACE), ("state", STATES), ("tuple", TUPLES))
    for name, body in bodies.items()
}
FEW, MANY = 3, 40
"""How many changes of each are tried in the quick run, and in the long one."""


def changed(text: str, count: int) -> Iterator[str]:
    """So many texts of which each has one change, in an order that is always the same."""
    found = changes(text)
    random.Random(text).shuffle(found)
    tried = {kernel_to_text(parsed(text))}
    for change in found:
        other = applied(text, [change])
        try:
            meaning = kernel_to_text(parsed(other))
        except ValueError:  # no C++, or no kernel
            continue
        if meaning not in tried:
            tried.add(meaning)
            yield other
        if len(tried) > count:
            return


def proved_again(text: str, given: FunctionResult) -> FunctionResult | None:
    """What is proved of a text with given summaries, by symbols alone."""
    with patch.object(lift_function, "screen", lambda *_, **__: Screening()):
        result = Reproving(parsed(text), LiftOptions(timeout=20), given.summaries).result()
    return result if result.status == "proved" else None


def wrongly_accepted(body: str, count: int) -> tuple[int, list[str]]:
    """How many changes were tried, and the texts of which wrong summaries are proved."""
    text = f"{HEAD} {{ {body} }}"
    given = lifted(text)
    assert given.status == "proved" and proved_again(text, given)
    tried, wrong = 0, []
    for other in changed(text, count):
        tried += 1
        result = proved_again(other, given)
        if result is not None and difference(result, 60) is not None:
            wrong.append(other)
    return tried, wrong


@pytest.mark.parametrize("body", [IN_PLACE["sums"]])
def test_a_few_changes(body: str) -> None:
    tried, wrong = wrongly_accepted(body, FEW)
    assert tried == FEW and not wrong


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", BODIES)
def test_many_changes(name: str) -> None:
    tried, wrong = wrongly_accepted(BODIES[name], MANY)
    assert tried >= 3 and not wrong, wrong
