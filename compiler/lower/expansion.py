"""The regions of stages as variables: their names, and their values where those are written out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice

from .. import ir
from ..ir import I32, Call, Expr, Variable, variables_in
from ..ir import stmts as s
from ..ir.simplify import MOST_REMEMBERED, rewritten
from ..ir.simplify_coordinate import simplify_coordinate
from ..lang.names import buffer_field
from .interval import SLID, Interval


def is_region_field(name: str) -> bool:
    """Whether a variable is the min or extent of a stage's region."""
    return ".min." in name or ".extent." in name


_wholes: dict[Expr, Expr] = {}
_parts: dict[Expr, Expr] = {}
"""What `whole_of` and `part_of` gave: few values are of regions that were cut, all are asked."""


def whole_of(value: Expr) -> Expr:
    """`value` as bounds inference sees it: regions before a sliding window cut them."""

    def visit(node: Expr) -> Expr:
        return node.args[1] if isinstance(node, Call) and node.name == SLID else node

    return _remembered(value, _wholes, visit)


def part_of(value: Expr) -> Expr:
    """`value` as the loops see it: regions that a sliding window has cut."""

    def visit(node: Expr) -> Expr:
        return node.args[0] if isinstance(node, Call) and node.name == SLID else node

    return _remembered(value, _parts, visit)


def _remembered(value: Expr, known: dict[Expr, Expr], visit: Callable[[Expr], Expr]) -> Expr:
    if len(known) > MOST_REMEMBERED:
        known.clear()
    return rewritten(value, known, visit)


def region_fields(name: str, dimensions: int) -> list[tuple[Variable, Variable]]:
    """The variables of the region of a stage that is computed: (min, extent) by dimension."""
    return [
        (buffer_field(name, "min", d), buffer_field(name, "extent", d)) for d in range(dimensions)
    ]


def needed_fields(name: str, dimension: int) -> tuple[Variable, Variable]:
    """(min, extent) of what is needed of a region that is longer, for loops are shifted inwards.
    What they compute of it beyond is never used: nothing is asked of other stages for it."""
    low, extent = (buffer_field(name, f"{end}.{_NEEDED}", dimension) for end in ("min", "extent"))
    return low, extent


_NEEDED = "needed"


def grown_field(name: str) -> str | None:
    """The field of the whole region, of that of the needed one; None of any other."""
    *head, kind, dimension = name.split(".")
    return ".".join((*head, dimension)) if kind == _NEEDED else None


def updated_low(name: str, dimension: int) -> Variable:
    """Where the region begins that updates run over: a pure definition whose loops are shifted
    inwards may need a longer one, which its updates must not read inputs for."""
    return buffer_field(name, "updated.min", dimension)


def written_out(expr: Expr, values: Mapping[Expr, Expr], done: dict[Expr, Expr]) -> Expr:
    """`expr` with the variables in `values` replaced and simplified; `done` remembers."""
    found = done.get(expr)
    if found is None:
        used = {x: values[x] for x in variables_in(expr) if x in values}
        found = simplify_coordinate(ir.substitute(expr, used)) if used else expr
        done[expr] = found
    return found


class Expansion:
    """Regions of stages, expanded as far as their values stay small.

    Boxes are joined better when what they depend on is written out; a pipeline of a hundred
    stages, each of whose regions depends on the next one's, would grow without end.
    """

    def __init__(
        self,
        values: Mapping[Expr, Expr] | None = None,
        needed: Mapping[Expr, Expr] | None = None,
    ) -> None:
        """`needed`: what is needed of regions that are longer, by the fields of the whole ones."""
        self.values, self.needed = values or {}, needed or {}
        self._done: dict[Expr, Expr] = {}
        self._done_needed: dict[Expr, Expr] = {}
        self._with_needed = {**self.values, **self.needed} if self.needed else self.values
        self._below: dict[tuple[str, Expr], Expansion] = {}

    def with_let(self, let: s.LetStmt) -> Expansion:
        """What holds below `let`."""
        if not is_region_field(let.name):
            return self
        key = (let.name, let.value)
        found = self._below.get(key)
        if found is None:
            found = self._below[key] = self._with_region(let)
        return found

    def _with_region(self, let: s.LetStmt) -> Expansion:
        if whole_of(let.value) is not let.value:
            # What a sliding window leaves is less than the whole: better to keep its name.
            return self
        variable: Expr = Variable(let.name, I32)
        value = self.of(let.value)
        if is_large(value):
            value = variable
        values = self.values if value is variable else {**self.values, variable: value}
        grown = grown_field(let.name)
        if grown is None:
            return Expansion(values, self.needed)
        return Expansion(values, {**self.needed, Variable(grown, I32): value})

    def with_coordinate(self, let: s.LetStmt) -> Expansion:
        """What holds below `let`, which may be of a coordinate too; its value is written out."""
        value = self.of(whole_of(let.value))
        return Expansion({**self.values, Variable(let.name, I32): value}, self.needed)

    def of(self, expr: Expr) -> Expr:
        """`expr` with small regions written out."""
        return written_out(expr, self.values, self._done)

    def box(self, box: list[Interval], only_needed: bool = False) -> list[Interval]:
        """`box` with small regions written out; `only_needed`: what is needed of them."""
        of = self._of_needed if only_needed and self.needed else self.of
        return [(None if a is None else of(a), None if b is None else of(b)) for a, b in box]

    def _of_needed(self, expr: Expr) -> Expr:
        return written_out(expr, self._with_needed, self._done_needed)


MOST_NODES = 32


def is_large(value: Expr) -> bool:
    """Whether the value of a region is too large to be written where it is used."""
    return next(islice(ir.postorder(value), MOST_NODES, None), None) is not None


__all__ = [
    "Expansion", "grown_field", "is_large", "is_region_field", "needed_fields", "part_of",
    "region_fields", "updated_low", "whole_of", "written_out",
]  # fmt: skip
