"""A coordinate of few values that alone decides what is computed: written out, each value of it
keeps only its own case."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from .. import ir
from ..ir import Call, Expr, Select, Variable
from .arithmetic import cost_of
from .graph import DefinitionPart, StoredStage
from .reach import Box, Range, extent

MOST_CASES = 32
"""A coordinate of at most so many values is written out where it decides what is computed."""


@dataclass(frozen=True)
class CoordinateCase:
    """What one value of the coordinate computes, as the mean over all values."""

    operations: float
    reads: dict[Call, float]
    """By call: for what share of the values it is read."""
    count: int
    """How many values there are."""


def written_out(stage: StoredStage, part: DefinitionPart, box: Box) -> str | None:
    """The coordinate beside the first of which each value, to compute `box` of a definition without
    a reduction, is written out."""
    for v, range in zip(stage.args[1:], box[1:], strict=True):
        if 1 < extent(range) <= MOST_CASES and v in part.loops and _is_chosen_by(part, v):
            return v
    return None


_MEANS: WeakKeyDictionary[DefinitionPart, dict[tuple[str, Range], CoordinateCase]] = (
    WeakKeyDictionary()
)
_CHOSEN: WeakKeyDictionary[DefinitionPart, dict[str, bool]] = WeakKeyDictionary()


def _is_chosen_by(part: DefinitionPart, variable: str) -> bool:
    known = _CHOSEN.setdefault(part, {})
    if variable not in known:
        known[variable] = part.is_chosen_by((variable,))
    return known[variable]


def mean_case(part: DefinitionPart, variable: str, range: Range) -> CoordinateCase:
    """What a definition computes for one value of `variable`, as the mean over `range`."""
    known = _MEANS.setdefault(part, {})
    found = known.get((variable, range))
    if found is None:
        found = known[variable, range] = _mean_case(part, variable, range)
    return found


def _mean_case(part: DefinitionPart, variable: str, range: Range) -> CoordinateCase:
    size = extent(range)
    values = {variable: np.arange(range[0], range[1] + 1, dtype=np.int32)}
    conditions: dict[Expr, Any] = {}
    operations, reads = 0, Counter[Call]()
    for case in np.arange(size):
        waiting = [*part.definition.values, *part.definition.predicates]
        found: set[Expr] = set()
        while waiting:
            node = waiting.pop()
            if isinstance(node, Select) and _variables(node.condition) == {variable}:
                if node.condition not in conditions:
                    chosen = ir.evaluate(node.condition, values)
                    conditions[node.condition] = np.broadcast_to(chosen, (size,))
                waiting.append(node.a if conditions[node.condition][case] else node.b)
            elif node not in found:
                found.add(node)
                if not _is_read(node):
                    waiting.extend(node.children)
        operations += cost_of(found)
        reads.update(n for n in found if isinstance(n, Call) and _is_read(n))
    return CoordinateCase(
        operations / size, {call: count / size for call, count in reads.items()}, size
    )


def _is_read(node: Expr) -> bool:
    return isinstance(node, Call) and node.kind in ("func", "image")


@lru_cache(maxsize=4096)
def _variables(expr: Expr) -> frozenset[str]:
    """What a condition depends on; what it reads counts as something that has no name."""
    nodes = ir.postorder(expr)
    named = (n.name for n in nodes if isinstance(n, Variable))
    return frozenset([*named, *("" for n in nodes if _is_read(n))])


__all__ = ["CoordinateCase", "mean_case", "written_out"]
