"""Stores that fill different parts of one region with different formulas: one choice by place.

Heads, tails and borders in loops of their own (or in none), and channels apart: each store has a
box, the points that its loops write. The largest is the formula of the region, the others are
chosen where their boxes are. Both sides of a choice are computed everywhere, so what one formula
reads next to its box is moved to the nearest element that the original reads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from compiler.ir import (
    EQ,
    GE,
    I32,
    I64,
    LT,
    TRUE,
    Add,
    And,
    Call,
    Const,
    Expr,
    Max,
    Min,
    Select,
    Sub,
    Variable,
    const,
    postorder,
    transform,
)

from ..dag import NotConcrete, concrete, conjunction, disjunction, normal, replace
from ..model.stage import Write
from .roi import Region

Interval = tuple[Expr, Expr]
"""Least and greatest coordinate, index expressions over parameters."""
Box = tuple[Interval, ...]
_LARGE = (1009, 100_003, 997)
"""Sizes at which bounds are compared: `n - 1` is greater than 2, and so on."""


@dataclass(frozen=True)
class StorePart:
    """One store: its value (the old one where its condition doesn't hold), and where it goes."""

    value: Expr
    box: Box
    general: Expr
    """The value with coordinates for the one place that the store goes to."""


def box_of(write: Write, point: Sequence[Expr]) -> Box:
    """The least and greatest coordinate of each dimension over all iterations of the loops."""
    box = []
    for coordinate in point:
        ends = []
        for last in (False, True):
            end = coordinate
            for loop in reversed(write.loops):
                final = normal(Sub(loop.extent, const(1, I64)))
                end = replace(end, {loop.counter: final if last else const(0, I64)})
            ends.append(end)
        low, high = ends
        box.append((high, low) if _less(high, low) else (low, high))
    return tuple(box)


def by_box(
    parts: Sequence[StorePart], region: Region, coordinate: Callable[[Expr], Expr]
) -> Expr | None:
    """One expression for all stores, chosen by place; None where two formulas share a box.

    `coordinate` turns an index expression into an int32 one.
    """
    chooser = _Chooser(parts, region, coordinate)
    groups = chooser.groups()
    boxes = [p.box for p in parts]
    if len(groups) > 1 and any(a == b for i, a in enumerate(boxes) for b in boxes[:i]):
        return None
    *chosen, (result, _) = groups
    result = chooser.inside(result)
    for value, members in reversed(chosen):
        here = disjunction(chooser.condition(p.box) for p in members)
        result = Select(here, chooser.inside(value), result)
    return result


class _Chooser:
    def __init__(
        self, parts: Sequence[StorePart], region: Region, coordinate: Callable[[Expr], Expr]
    ) -> None:
        self.parts = parts
        self.dimensions = region.dimensions
        self.coordinate = coordinate
        self.whole: dict[Variable, Interval] = {
            d.variable: (d.lower, normal(Sub(d.upper, const(1, I64)))) for d in region.dimensions
        }
        self.read = self._read()

    def groups(self) -> list[tuple[Expr, list[StorePart]]]:
        """Stores of one formula together; the formula of the largest box is last."""
        found: dict[Expr, list[StorePart]] = {}
        for part in sorted(self.parts, key=lambda p: -self._free(p.box)):
            general = self._general(part)
            found.setdefault(general if general in found else part.value, []).append(part)
        merged: dict[Expr, list[StorePart]] = {}
        largest = next(iter(found))
        for value, members in found.items():
            general = self._general(members[0])
            key = general if value is not largest and self._is_plain(general) else value
            merged.setdefault(key, []).extend(members)
        groups = list(merged.items())
        return [*groups[1:], groups[0]]

    def _free(self, box: Box) -> int:
        return sum(low is not high for low, high in box)

    def _general(self, part: StorePart) -> Expr:
        """The value with the coordinate instead of the one place that the store goes to."""
        value = part.general
        for d, (dimension, (low, high)) in enumerate(zip(self.dimensions, part.box, strict=True)):
            if low is high and any(p.box[d] != part.box[d] for p in self.parts):
                value = _generalized(value, self.coordinate(low), dimension.variable)
        return value

    def _is_plain(self, value: Expr) -> bool:
        """Whether it reads at the coordinates themselves only, so that it can stand anywhere."""
        return all(
            isinstance(a, (Variable, Const))
            for n in postorder(value)
            if isinstance(n, Call) and n.kind == "image"
            for a in n.args
        )

    def condition(self, box: Box) -> Expr:
        """That the coordinates lie in a box of the region."""
        found: list[Expr] = []
        for dimension, (low, high) in zip(self.dimensions, box, strict=True):
            first, last = self.whole[dimension.variable]
            if low is high:
                found.append(EQ(dimension.variable, self.coordinate(low)))
                continue
            if low is not first:
                found.append(GE(dimension.variable, self.coordinate(low)))
            if high is not last:
                end = normal(Add(high, const(1, I64)))
                found.append(LT(dimension.variable, self.coordinate(end)))
        result: Expr = TRUE
        for part in found:
            result = part if result is TRUE else And(result, part)
        return result if found else conjunction([])

    # Reads

    def _read(self) -> dict[tuple[str, int], Interval]:
        """By array and dimension, the least and greatest coordinate that any store reads."""
        found: dict[tuple[str, int], Interval] = {}
        for part in self.parts:
            own = dict(zip((d.variable for d in self.dimensions), part.box, strict=True))
            for node in postorder(part.value):
                if not (isinstance(node, Call) and node.kind == "image"):
                    continue
                for d, argument in enumerate(node.args):
                    interval = self._interval(argument, own)
                    if interval is not None:
                        key = node.name, d
                        found[key] = _hull(found[key], interval) if key in found else interval
        return found

    def _interval(self, argument: Expr, boxes: dict[Variable, Interval]) -> Interval | None:
        if isinstance(argument, Const):
            place = const(argument.value, I64)
            return place, place
        found = _shifted(argument)
        if found is None or found[0] not in boxes:
            return None
        low, high = boxes[found[0]]
        by = const(found[1], I64)
        return normal(Add(low, by)), normal(Add(high, by))

    def inside(self, value: Expr) -> Expr:
        """`value` with the coordinates of its reads kept where some store reads."""

        def visit(node: Expr) -> Expr:
            if not (isinstance(node, Call) and node.kind == "image"):
                return node
            arguments = tuple(self._kept(node.name, d, a) for d, a in enumerate(node.args))
            return node if arguments == node.args else Call(
                node.name, arguments, node.type, "image"
            )  # fmt: skip

        return transform(value, visit)

    def _kept(self, array: str, d: int, argument: Expr) -> Expr:
        everywhere = self._interval(argument, self.whole)
        known = self.read.get((array, d))
        if everywhere is None or known is None or isinstance(argument, Const):
            return argument
        if isinstance(argument, Variable) and not isinstance(everywhere[1], Const):
            return argument  # an image of the output's size; its border belongs to it
        if _less(everywhere[0], known[0]):
            argument = Max(argument, self.coordinate(known[0]))
        if _less(known[1], everywhere[1]):
            argument = Min(argument, self.coordinate(known[1]))
        return argument


def _shifted(argument: Expr) -> tuple[Variable, int] | None:
    """(x, k) of the coordinate x + k."""
    if isinstance(argument, Variable):
        return argument, 0
    if isinstance(argument, (Add, Sub)) and argument.type is I32:
        a, b = argument.a, argument.b
        if isinstance(a, Variable) and isinstance(b, Const):
            return a, int(b.value) if isinstance(argument, Add) else -int(b.value)
        if isinstance(argument, Add) and isinstance(b, Variable) and isinstance(a, Const):
            return b, int(a.value)
    return None


def _generalized(value: Expr, place: Expr, variable: Variable) -> Expr:
    """`value` with reads at `place` as reads at the coordinate."""

    def visit(node: Expr) -> Expr:
        if not (isinstance(node, Call) and node.kind == "image" and place in node.args):
            return node
        arguments = tuple(variable if a is place else a for a in node.args)
        return Call(node.name, arguments, node.type, "image")

    return transform(value, visit)


def _hull(a: Interval, b: Interval) -> Interval:
    return b[0] if _less(b[0], a[0]) else a[0], b[1] if _less(a[1], b[1]) else a[1]


def _less(a: Expr, b: Expr) -> bool:
    """Whether a < b for large sizes. A suggestion: the proof is over all sizes."""
    return _is_less_at(a, b, _LARGE)


def may_be_less(a: Expr, b: Expr) -> bool:
    """Whether a < b for large sizes, whichever of them are larger than others."""
    ways = (_LARGE[i:] + _LARGE[:i] for i in range(len(_LARGE)))
    return any(_is_less_at(a, b, sizes) for sizes in ways)


def _is_less_at(a: Expr, b: Expr, sizes: Sequence[int]) -> bool:
    difference = normal(Sub(b, a))
    if isinstance(difference, Const):
        return difference.value > 0
    names = sorted({n.name for n in postorder(difference) if isinstance(n, Variable)})
    values = {name: sizes[i % len(sizes)] for i, name in enumerate(names)}
    try:
        return bool(concrete(difference)(values) > 0)
    except (NotConcrete, KeyError):
        return False
