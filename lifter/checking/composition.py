"""What stages, one after the other, leave in each array, over what was there before the first.

Two programs with other stages are compared as functions: a read of what an earlier stage made is
replaced by that stage's definition there.

    tmp(x, y) = src(x - 1, y) + src(x, y)        dst(x, y) = (src(x - 1, y) + src(x, y)) / 2
    dst(x, y) = tmp(x, y) / 2                ->
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from compiler.ir import GE, I64, LE, LT, And, Call, Expr, Variable, postorder, substitute

from ..dag import Reduce, domain
from ..model.stage import Loop, nests_of
from ..model.summary import Dimension, Layout, Summary
from ..verify import Assumptions
from ..verify.flatten import NOWHERE, Flattener
from .composed_updates import Updates, added_by, key_of

MOST_NODES = 20_000
"""How large a composed definition may get."""
_RESERVED = ("sum.", "round.", "at.", "sums.")
"""How names begin that are given here, and no others."""


class NotComposed(ValueError):
    """Stages whose composition isn't known, with the reason."""


@dataclass(frozen=True)
class Layer:
    """`expression`, over the caller's arrays as they were, at each point of `roi`."""

    roi: tuple[Dimension, ...]
    layout: Layout
    expression: Expr


class Composition:
    """The contents of each array after a list of summaries.

    `inside` are the names of arrays that have no contents before: reading these where no stage has
    written them is refused, as is all that isn't decided. That coordinates fit their 32 bits is
    asked unless the summaries `are_proved`, since then that is a part of their proofs. Raises
    `NotComposed`.
    """

    def __init__(
        self,
        summaries: Sequence[Summary],
        assumptions: Assumptions,
        inside: Collection[str],
        updates: Updates,
        *,
        are_proved: bool,
    ) -> None:
        self.assumptions = assumptions
        self.updates = updates
        self.inside = inside
        self.are_proved = are_proved
        self.layers: dict[str, tuple[Layer, ...]] = {}
        """Of each written array, the newest first."""
        self.layouts: dict[str, Layout] = {}
        """Of the arrays that the definitions read."""
        self._fresh = itertools.count()
        for nest in nests(summaries):
            self._add(nest)

    def _add(self, nest: Sequence[Summary]) -> None:
        """The stages of one nest read what was there before all of them."""
        if len({s.output for s in nest}) != len(nest):
            raise NotComposed(f"one nest writes {nest[0].output} twice")
        made = [(s.output, self._layer(s)) for s in nest]
        for output, layer in made:
            older = self.layers.get(output, ())
            kept = tuple(o for o in older if not self._covers(layer, o))
            self.layers[output] = (layer, *kept)

    def _covers(self, newer: Layer, older: Layer) -> bool:
        if not same_layout(newer.layout, older.layout):
            return False
        sides = zip(newer.roi, older.roi, strict=True)
        return all(
            self._holds(And(LE(n.lower, o.lower), LE(o.upper, n.upper)), ()) for n, o in sides
        )

    def _layer(self, summary: Summary) -> Layer:
        if summary.condition is not None:
            raise NotComposed(f"{summary.output} is written under a condition")
        own = {d.variable.name for d in (*summary.roi, *summary.domain)}
        for node in postorder(summary.expression, *summary.update_point):
            # Nothing but the expression itself is carried to another place.
            if isinstance(node, Variable) and (
                node.name.startswith(_RESERVED) or (node.type is I64 and node.name in own)
            ):
                raise NotComposed(f"a sum of {summary.output} has other bounds at each point")
        at_point = [
            bound
            for d in (summary.domain or summary.roi)
            for c in (Variable(d.variable.name, I64),)
            for bound in (LE(d.lower, c), LT(c, d.upper))
        ]
        reading = _Reading(self, summary, tuple(at_point), ())
        if not summary.is_pure:
            return self._sums(summary, reading)
        return Layer(summary.roi, summary.layouts[summary.output], reading.of(summary.expression))

    def _sums(self, summary: Summary, reading: _Reading) -> Layer:
        """What a histogram holds has a name of its own, by what it depends on."""
        added = added_by(summary)
        if summary.kind != "reduction" or added is None:
            raise NotComposed(f"{summary.output} is updated in a loop")
        place = tuple(reading.of(p) for p in summary.update_point)
        parts = (self._before(summary), *place, reading.of(added))
        before, *at, added = (
            with_plain_counters(self.assumptions.prover.inlined(p)) for p in parts
        )
        layouts = {**self.layouts, summary.output: summary.layouts[summary.output]}
        key = key_of(
            summary, before, tuple(at), added, layouts, self.assumptions.prover.parameters,
            (lambda *_: True) if self.are_proved else self._holds,
        )  # fmt: skip
        if key is None:
            raise NotComposed(f"what {summary.output} is updated with isn't known")
        type = summary.expression.type
        layout = summary.layouts[summary.output]
        name = self.updates.name(key, type)
        self.layouts[name] = replace(layout, array=name)
        point = tuple(d.variable for d in summary.roi)
        return Layer(summary.roi, layout, Call(name, point, type, "image"))

    def _before(self, summary: Summary) -> Expr:
        """What was in the elements that a histogram updates."""
        point = tuple(d.variable for d in summary.roi)
        layout = summary.layouts[summary.output]
        older = self.layers.get(summary.output)
        if older is None:
            if summary.output in self.inside:
                raise NotComposed(f"{summary.output} may have no values")
            if not same_layout(self.layouts.setdefault(summary.output, layout), layout):
                raise NotComposed(f"two stages see {summary.output} in different ways")
            return Call(summary.output, point, summary.expression.type, "image")
        newest = older[0]
        bounds = [tuple((d.lower, d.upper) for d in roi) for roi in (newest.roi, summary.roi)]
        if bounds[0] != bounds[1] or not same_layout(newest.layout, layout):
            raise NotComposed(f"{summary.output} isn't begun as it is updated")
        at: dict[Expr, Expr] = {d.variable: v for d, v in zip(newest.roi, point, strict=True)}
        return substitute(self._with_own_counters(newest.expression), at)

    def contents(
        self, summary: Summary, read: Call, given: Sequence[Expr], loops: tuple[Loop, ...]
    ) -> Expr:
        """What a stage reads there, over what was there before the first."""
        layers = self.layers.get(read.name, ())
        layout = summary.layouts[read.name]
        places = self._places(summary, read, given, loops) if layers else []
        for layer in layers:
            if not same_layout(layer.layout, layout):
                raise NotComposed(f"two stages see {read.name} in different ways")
            sides = list(zip(layer.roi, places, strict=True))
            if all(self._holds(And(LE(d.lower, p), LT(p, d.upper)), given) for d, p in sides):
                at: dict[Expr, Expr] = {
                    d.variable: a for d, a in zip(layer.roi, read.args, strict=True)
                }
                made = substitute(self._with_own_counters(layer.expression), at)
                if size_of(made) > MOST_NODES:
                    raise NotComposed(f"the definition of {summary.output} gets too long")
                return made
            if not any(
                self._holds(LT(p, d.lower), given) or self._holds(GE(p, d.upper), given)
                for d, p in sides
            ):
                raise NotComposed(f"which stage made {read!r} isn't known")
        if read.name in self.inside:
            raise NotComposed(f"{read!r} may have no value")
        if not same_layout(self.layouts.setdefault(read.name, layout), layout):
            raise NotComposed(f"two stages see {read.name} in different ways")
        return read

    def _places(
        self, summary: Summary, read: Call, given: Sequence[Expr], loops: tuple[Loop, ...]
    ) -> list[Expr]:
        """The coordinates of a read as index expressions."""
        names = [d.variable for d in (summary.domain or summary.roi)]
        prover = self.assumptions.prover
        flattener = Flattener(
            names,
            [Variable(v.name, I64) for v in names],
            {**summary.layouts, **self.layouts},
            prover.parameters,
            loops,
        )
        inlined = prover.inlined(read)
        assert isinstance(inlined, Call)
        places = flattener.coordinates(inlined)
        for doubt, inner in () if self.are_proved else flattener.doubts:
            if not self._holds(doubt, (*given, *inner)):
                raise NotComposed(f"the place of {read!r} may not fit 32 bits")
        return places

    def _holds(self, goal: Expr, given: Sequence[Expr]) -> bool:
        known = (*self.assumptions.formulas, *given)
        return self.assumptions.prover.integers(goal, known).proved

    def _with_own_counters(self, expr: Expr) -> Expr:
        """The expression with new counters for its sums: it comes to stand inside of others."""
        return renamed_counters(expr, lambda _: Variable(f"{_RESERVED[0]}{next(self._fresh)}", I64))


class _Reading:
    """One summary's expression, with what it reads replaced by what was there."""

    def __init__(
        self,
        composition: Composition,
        summary: Summary,
        given: tuple[Expr, ...],
        loops: tuple[Loop, ...],
    ) -> None:
        self.composition = composition
        self.summary = summary
        self.given = given
        self.loops = loops
        self._done: dict[Expr, Expr] = {}

    def of(self, expr: Expr) -> Expr:
        found = self._done.get(expr)
        if found is None:
            found = self._done[expr] = self._of(expr)
        return found

    def _of(self, expr: Expr) -> Expr:
        if isinstance(expr, Reduce):
            loop = Loop(expr.counter, expr.extent, NOWHERE)
            inner = _Reading(
                self.composition,
                self.summary,
                (*self.given, *domain((loop,))),
                (*self.loops, loop),
            )
            made: Expr = Reduce(expr.operator, expr.counter, expr.extent, inner.of(expr.body))
            return made
        if not expr.children:
            return expr
        rebuilt = expr.rebuild(tuple(self.of(c) for c in expr.children))
        if isinstance(rebuilt, Call) and rebuilt.kind == "image":
            return self.composition.contents(self.summary, rebuilt, self.given, self.loops)
        return rebuilt


def nests(summaries: Sequence[Summary]) -> Iterator[list[Summary]]:
    """Runs of summaries that happen at once."""
    return nests_of(summaries, lambda summary: summary.nest)


def same_layout(a: Layout, b: Layout) -> bool:
    return (a.strides, a.offset, a.rows) == (b.strides, b.offset, b.rows)


def with_plain_counters(expr: Expr) -> Expr:
    """The expression with its sums' counters named by how deep they stand: sums that say the same
    are one expression then."""
    return renamed_counters(expr, lambda depth: Variable(f"{_RESERVED[1]}{depth}", I64))


def renamed_counters(expr: Expr, name: Callable[[int], Variable], depth: int = 0) -> Expr:
    """The expression with other counters for its sums; `name` gives none that it has already."""
    done: dict[Expr, Expr] = {}

    def walk(node: Expr) -> Expr:
        found = done.get(node)
        if found is None:
            if isinstance(node, Reduce):
                counter = name(depth)
                inside = renamed_counters(node.body, name, depth + 1)
                body = substitute(inside, {node.counter: counter})
                found = Reduce(node.operator, counter, walk(node.extent), body)
            elif node.children:
                found = node.rebuild(tuple(map(walk, node.children)))
            else:
                found = node
            done[node] = found
        return found

    return walk(expr)


def size_of(expr: Expr) -> int:
    """How many different nodes an expression has."""
    return sum(1 for _ in postorder(expr))
