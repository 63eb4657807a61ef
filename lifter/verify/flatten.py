"""A summary's expression at the point of one iteration, back in terms of memory.

The opposite of synthesis' terminals step, and independent of it: image reads become loads at the
addresses that the layouts say, coordinates become the point that the iteration writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from compiler.ir import (
    GE,
    I32,
    I64,
    LE,
    Add,
    Call,
    Cast,
    Comparison,
    Expr,
    Load,
    Mul,
    Type,
    Variable,
    const,
    postorder,
)
from compiler.ir.coordinate_sums import Sum, expr_of, sum_of

from ..dag import (
    Ranges,
    Reduce,
    StrictIndexer,
    disjunction,
    domain,
    negate,
    normal,
    typed,
)
from ..model.diagnostic import Span
from ..model.stage import Loop
from ..model.summary import Layout
from ..synth.paths import computed_where

NOWHERE = Span("", 0, 0, 0, 0)


class Flattener:
    """Carries expressions over coordinates to the iteration whose point has coordinates `point`."""

    def __init__(
        self,
        names: Sequence[Variable],
        point: Sequence[Expr],
        layouts: dict[str, Layout],
        parameters: dict[str, Type],
        loops: tuple[Loop, ...],
        fitting: Iterable[tuple[Type, Expr]] = (),
    ) -> None:
        """`fitting` are values over array elements that are known to fit a type."""
        self.fitting = set(fitting)
        self.wrapped: dict[tuple[Type, Expr], tuple[Loop, ...]] = {}
        """Those that aren't, with the reductions around."""
        self.point = {v.name: p for v, p in zip(names, point, strict=True)}
        self.layouts = layouts
        self.parameters = parameters
        self._outside = len(loops)
        self.ranges = Ranges(parameters, loops, self.fitting)
        self._doubts: dict[tuple[Expr, tuple[Expr, ...]], None] = {}
        self._inner: tuple[Expr, ...] = ()
        self._done: dict[Expr, Expr] = {}

    @property
    def doubts(self) -> list[tuple[Expr, tuple[Expr, ...]]]:
        """What must hold for the int32 coordinates to be the mathematical ones, and when."""
        return list(self._doubts)

    def value(self, expr: Expr) -> Expr:
        """A typed expression over loads, parameters and counters."""
        found = self._done.get(expr)
        if found is None:
            found = self._done[expr] = self._value(expr)
        return found

    def _value(self, expr: Expr) -> Expr:
        if isinstance(expr, Call) and expr.kind == "image":
            return self.load(expr)
        if isinstance(expr, Variable) and expr.name in self.point:
            return self._typed(expr.type, self.point[expr.name])
        if isinstance(expr, Reduce):
            return self._reduce(expr)
        if not expr.children:
            return expr
        result = expr.rebuild(tuple(self.value(c) for c in expr.children))
        if isinstance(result, Cast) and result.value.type is result.type:
            return result.value
        return result

    def _reduce(self, expr: Reduce) -> Expr:
        ranges, inner, done = self.ranges, self._inner, self._done
        loop = Loop(expr.counter, expr.extent, NOWHERE)
        self.ranges = Ranges(self.parameters, (*ranges.loops, loop), self.fitting)
        self._inner = (*inner, *domain((loop,)))
        self._done = {}  # inside, coordinates depend on the counter
        made: Expr = Reduce(expr.operator, expr.counter, expr.extent, self.value(expr.body))
        self.ranges, self._inner, self._done = ranges, inner, done
        return made

    def _typed(self, type: Type, index: Expr) -> Expr:
        if isinstance(index, Variable) and self.parameters.get(index.name) is type:
            return Variable(index.name, type)
        return typed(type, index)

    def load(self, call: Call) -> Load:
        """The memory element that an image read means."""
        layout = self.layouts[call.name]
        coordinates = self.coordinates(call)
        made: Load = Load(call.name, address(layout, coordinates), call.type)
        return made

    def coordinates(self, call: Call) -> list[Expr]:
        """An image read's coordinates as index expressions over the counters."""
        return list(map(self.place, call.args))

    def place(self, expr: Expr) -> Expr:
        """A typed number over coordinates and image reads as an index expression."""
        indexer = StrictIndexer(
            self.ranges,
            lambda formula, _: self._doubts.update({(formula, self._inner): None}),
            wraps=lambda type, value: self.wrapped.update(
                {(type, value): self.ranges.loops[self._outside :]}
            ),
        )
        found = indexer.coordinate(self.value(expr))
        self._doubt_sides(found)
        return found

    def _doubt_sides(self, place: Expr) -> None:
        """Compilers take terms of a coordinate's comparison to the other side: both sums must fit.

        `n - x > a` is `a + x < n` there, which overflows for a large `a`. Where a choice isn't
        taken it does no harm, and what stands alone on a side is what it was.
        """
        for node, (counts, _) in computed_where(place).items():
            if not isinstance(node, Comparison) or node.a.type is not I64:
                continue
            if any(isinstance(n, (Load, Call)) for n in postorder(node)):
                continue
            difference = sum_of(node.a).plus(sum_of(node.b), -1)
            left = Sum({t: c for t, c in difference.terms.items() if c > 0}, 0)
            right = Sum({t: -c for t, c in difference.terms.items() if c < 0}, 0)
            constant = Sum({}, difference.constant)
            if (left.terms and constant.constant < 0) or not right.terms:
                right = right.plus(constant, -1)
            else:
                left = left.plus(constant)
            for side in (left, right):
                value = normal(expr_of(side, I64))
                if list(side.terms.values()) == [1] and not side.constant:
                    continue
                low, high = self.ranges.interval(value)
                for is_fine, fits in (
                    (low >= I32.min, GE(value, const(I32.min, I64))),
                    (high <= I32.max, LE(value, const(I32.max, I64))),
                ):
                    if not is_fine:
                        doubt = normal(disjunction((negate(counts), normal(fits))))
                        self._doubts[(doubt, self._inner)] = None


def address(layout: Layout, coordinates: Sequence[Expr]) -> tuple[Expr, ...]:
    """Flat index (or row and column) of a point, in normal form."""
    flat = layout.offset
    inner = len(layout.strides) - (1 if layout.rows else 0)
    for stride, coordinate in zip(layout.strides[:inner], coordinates[:inner], strict=True):
        flat = Add(flat, Mul(stride, coordinate))
    if layout.rows:
        return normal(coordinates[-1]), normal(flat)
    return (normal(flat),)


def place_formula(condition: Expr, ranges: Ranges, holds: Callable[[Expr], bool]) -> Expr | None:
    """A condition of a summary over coordinates and parameters alone, as an index formula.

    None where it is about anything else, or where its arithmetic may wrap for all that `holds`
    says: int32 wraps in the DSL.
    """
    formula, doubts = strict_formula(condition, ranges)
    if formula is None or any(isinstance(n, (Load, Call)) for n in postorder(formula)):
        return None
    return formula if all(map(holds, dict.fromkeys(doubts))) else None


def strict_formula(test: Expr, ranges: Ranges) -> tuple[Expr | None, list[Expr]]:
    """A typed condition as an index formula, and what its int32 arithmetic doesn't wrap where it
    holds; None where it isn't about integers."""
    doubts: list[Expr] = []
    formula = StrictIndexer(ranges, lambda doubt, _: doubts.append(doubt)).formula(test)
    return formula, doubts


def strict_place(value: Expr, ranges: Ranges) -> tuple[Expr, list[Expr]]:
    """A typed number as an index expression, and what its int32 arithmetic doesn't wrap where it
    holds."""
    doubts: list[Expr] = []
    place = StrictIndexer(ranges, lambda doubt, _: doubts.append(doubt)).coordinate(value)
    return place, doubts


def said(test: Expr, ranges: Ranges) -> Expr | None:
    """An index formula that holds where a typed condition does; None where nothing is said."""
    formula, doubts = strict_formula(test, ranges)
    return None if formula is None else disjunction((formula, *map(negate, doubts)))


def as_index(variable: Variable) -> Variable:
    """A coordinate as an index expression."""
    made: Variable = Variable(variable.name, I64)
    return made


def meaning_the_same(formulas: Iterable[Expr], ranges: Ranges) -> list[Expr]:
    """Those that mean the same in 64 bits."""
    limit = 1 << 62
    kept = []
    for formula in formulas:
        sides = [c for n in postorder(formula) for c in n.children if c.type is I64]
        if all(-limit <= low and high <= limit for low, high in map(ranges.interval, sides)):
            kept.append(formula)
    return kept
