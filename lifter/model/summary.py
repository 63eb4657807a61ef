"""Summaries: what a stage computes: region, terminals, expression (dexter-2019 section 3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from compiler.ir import Call, Const, Expr, Sub, Variable

SummaryKind = Literal["pure", "reduction", "scan", "window"]


@dataclass(frozen=True, slots=True)
class Dimension:
    """One coordinate of a region: the int32 variable runs over lower <= variable < upper.

    Bounds are index expressions (int64) over the scalar parameters. Innermost dimension first.
    """

    variable: Variable
    lower: Expr
    upper: Expr


@dataclass(frozen=True, slots=True)
class Layout:
    """How the flat elements of an array are seen as a multi-dimensional image.

    Element (c0, c1, ...) is at index `offset + c0*strides[0] + c1*strides[1] + ...`; offset and
    strides are index expressions over parameters. An array of row pointers (`T**`) has
    `rows=True`: the last coordinate picks the row, the others the place in it; its last stride is
    `Variable("NAME.row_stride", I64)`.
    """

    array: str
    strides: tuple[Expr, ...]
    offset: Expr
    rows: bool = False


@dataclass(frozen=True, slots=True)
class Witness:
    """For one `Write` of the stage: which point an iteration writes, and which iteration writes a
    point.

    `point` has an index expression over the loop counters for each dimension; `counters` has one
    over the coordinates (as int64 variables of the dimensions' names) for each loop, outermost
    first. The verifier checks both; they only help it.
    """

    point: tuple[Expr, ...]
    counters: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Limit:
    """That `value` is at most `most`, and at least `least` if there is one, at each point of a
    region: a precondition, which the guarded entry tests.

    `value` is an index expression over the region's coordinates, parameters and reads of the
    caller's arrays (`Cast(I64, Call(..., "image"))`), `most` and `least` are over parameters.
    """

    value: Expr
    most: Expr
    least: Expr | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """A candidate meaning of one stage.

    `expression` is typed with the output's element type. In it, reads of arrays are
    `Call(array, coordinates, type, "image")` with int32 coordinates (one per dimension of the
    array's layout, innermost first) over the ROI's int32 variables; scalar parameters are
    `Variable`s of their own types; calls of the source's pure functions are kind "pure".
    A read of the output array itself means its contents before the stage (the *identity* terminal
    when at the same point).

    kind `pure`: output(x, y, ...) = expression for every point of `roi`; all other elements keep
    their values. kind `window`: the same, where the original kept the sums in the expression by
    adding what entered and subtracting what left them. kind `reduction`: `domain` is a reduction
    domain, iterated with its first dimension fastest; `update_point` gives output coordinates over
    the domain's variables, and `expression` the new value there, reading the output's current
    contents.
    A `Reduce` node inside an expression is an inline reduction (see lifter/dag/reduce.py).
    """

    stage: str
    output: str
    kind: SummaryKind
    roi: tuple[Dimension, ...]
    layouts: dict[str, Layout]
    terminals: tuple[Expr, ...]
    expression: Expr
    witnesses: tuple[Witness, ...] = ()
    domain: tuple[Dimension, ...] = ()
    update_point: tuple[Expr, ...] = ()
    condition: Expr | None = None
    """Typed boolean over parameters: the stage runs only where it holds (None: always)."""
    notes: tuple[str, ...] = field(default=())
    stores_changed: bool = False
    """Whether the original leaves elements of the region alone that the expression has the old
    value for without saying so: `max(s(x), d(x))`. Of those that change none is left alone."""
    written_if: Expr | None = None
    """A formula over parameters: where it doesn't hold, nothing is stored though the region has
    points (None: wherever it has any, something is)."""
    read_anyway: tuple[Call, ...] = ()
    """Reads that the original makes at each point of the region, whatever choices stand around them
    in the expression: the guarded entry may make them, too."""
    limits: tuple[Limit, ...] = ()
    """What the domains of reductions in the expression rest on, and where it reads."""
    nest: int = -1
    """Summaries of one loop nest have the same number: all of them read what was there before any
    of them. -1: a nest of its own."""
    is_fold: bool = False
    """Whether the reductions of one nest are the update of a tuple: over one domain, each point of
    which reads what the points before have left of all of them, and then stores to all."""

    @property
    def is_pure(self) -> bool:
        """Whether each point has the expression's value, over what was there before."""
        return self.kind in ("pure", "window")


def counted_in_32_bits(
    axes: Iterable[tuple[Expr, Expr]], strides: Iterable[Iterable[Expr]]
) -> list[Expr]:
    """What compiled code counts in 32 bits, of regions with `axes` from one end to the other and
    of arrays with these strides: coordinates, extents and strides (in elements)."""
    found: list[Expr] = []
    for low, high in axes:
        starts_at_zero = isinstance(low, Const) and low.value == 0
        found += [low, high] if starts_at_zero else [low, high, Sub(high, low)]
    for several in strides:
        found += several
    return found
