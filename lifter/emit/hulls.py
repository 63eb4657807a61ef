"""Arrays of which several stages fill different regions, as one that all of them update.

    d(0, y) = s(0, y)                     over [0, 1) x [0, h)      d(x, y) = (any value)
    d(r.x, r.y) = d(r.x - 1, r.y) ...     over [1, w) x [0, h)      d(0, y) = s(0, y)
                                                                    d(r.x, y) = d(r.x - 1, y) ...

Together they have to fill a box, each element of it: what a program stores is all of its output.
Where elements may be read before a stage fills them, the function begins as what is there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from compiler.ir import (
    GE,
    GT,
    I32,
    I64,
    LE,
    LT,
    TRUE,
    Add,
    Call,
    Const,
    Expr,
    Max,
    Mul,
    Sub,
    Variable,
    postorder,
    substitute,
)

from ..dag import conjuncts, normal
from ..model.summary import Summary

Bounds = tuple[tuple[Expr, Expr], ...]
"""By dimension, innermost first: the first coordinate and the one behind the last."""


def with_hulls(
    summaries: Sequence[Summary], known: Collection[Expr]
) -> tuple[list[Summary], frozenset[str]]:
    """The summaries, but that those of an array which fill regions of their own are updates of all
    that they fill; and the arrays of these of which nothing is read before it is stored. `known`
    are formulas that hold.

    An array whose stages don't fill a box together stays as it is.
    """
    facts = [f for formula in known for part in conjuncts(formula) for f in _not_negative(part)]
    made, unset = list(summaries), set[str]()
    for array in dict.fromkeys(s.output for s in summaries):
        own = [s for s in summaries if s.output == array]
        hull = _hull(own, facts)
        if hull is not None:
            made = [_updating(s, hull) if s.output == array else s for s in made]
            unset |= {array} if _are_read_behind(own, facts) else set()
    return made, frozenset(unset)


def _not_negative(formula: Expr) -> list[Expr]:
    """What a comparison says isn't negative."""
    if isinstance(formula, (LE, LT)):
        formula = (GE if isinstance(formula, LE) else GT)(formula.b, formula.a)
    if not isinstance(formula, (GE, GT)):
        return []
    rest = Sub(formula.a, formula.b)
    return [normal(rest if isinstance(formula, GE) else Sub(rest, _ONE))]


def _hull(stages: Sequence[Summary], facts: Sequence[Expr]) -> Bounds | None:
    """What stages fill together, where it is more than one of them does."""
    regions = {_bounds(s) for s in stages}
    if len(regions) < 2 or len({len(region) for region in regions}) > 1:
        return None
    if not all(map(_can_be_update, stages)):
        return None
    first = _bounds(stages[0])
    if stages[0].is_pure and all(
        region == first if s.is_pure else _is_inside(region, first, ())
        for s, region in ((s, _bounds(s)) for s in stages)
    ):
        return None  # what is filled first is all of it
    boxes: list[Bounds] = []
    for stage in stages:
        filled = _bounds(stage) if stage.is_pure else _stored(stage)
        if filled is not None:
            boxes.append(filled)
    while len(boxes) > 1:
        pairs = ((a, b) for a in boxes for b in boxes if a is not b)
        both = next(((a, b, m) for a, b in pairs if (m := _merged(a, b, facts))), None)
        if both is None:
            return None
        first, second, together = both
        boxes = [box for box in boxes if box is not first and box is not second]
        boxes.append(together)
    return boxes[0] if boxes and all(_is_inside(r, boxes[0], facts) for r in regions) else None


def _are_read_behind(stages: Sequence[Summary], facts: Sequence[Expr]) -> bool:
    """Whether scans read of the array what was filled, or what they have stored themselves."""
    filled: list[Bounds] = []
    for stage in stages:
        box = _bounds(stage) if stage.is_pure else _stored(stage)
        if box is None:
            return False
        # What reads has a point to be read for.
        there = [*facts, *(normal(Sub(Sub(high, low), _ONE)) for low, high in box)]
        if not all(
            before is not None and any(_is_inside(before, one, there) for one in filled)
            for before in _read_of_others(stage, box)
        ):
            return False
        filled.append(box)
        merged = [m for a in filled for b in filled if a is not b and (m := _merged(a, b, facts))]
        filled += merged
    return True


def _read_of_others(stage: Summary, box: Bounds) -> Iterator[Bounds | None]:
    """The boxes of what a stage reads of its own array that it hasn't stored by then, of which one
    that stores `box`; None for what isn't so many elements away in each dimension."""
    for node in postorder(stage.expression):
        if not isinstance(node, Call) or node.kind != "image" or node.name != stage.output:
            continue
        steps: list[int] = []
        for place, stored in zip(node.args, stage.update_point, strict=True):
            here, there = _index(stored), _index(place)
            step = None if here is None or there is None else normal(Sub(there, here))
            steps += [int(step.value)] if isinstance(step, Const) else []
        if len(steps) < len(box):
            yield None
            continue
        moved = [i for i, step in enumerate(steps) if step]
        is_behind = len(moved) == 1 and (
            _is_upward(stage.update_point[moved[0]], stage) == (steps[moved[0]] < 0)
        )
        read = list(_moved(box, steps))
        if is_behind:
            # Along one coordinate all but the first ones are of what it has stored itself.
            (i,), (low, high) = moved, box[moved[0]]
            read[i] = (read[i][0], low) if steps[i] < 0 else (high, read[i][1])
        yield tuple(read)


def _moved(box: Bounds, steps: Sequence[int]) -> Iterator[tuple[Expr, Expr]]:
    for (low, high), step in zip(box, steps, strict=True):
        by = Const(I64, step)
        yield normal(Add(low, by)), normal(Add(high, by))


def _is_upward(place: Expr, scan: Summary) -> bool:
    """Whether a coordinate of what a scan stores rises with the one of its domain."""
    index = _index(place)
    assert index is not None
    names = {Variable(d.variable.name, I64) for d in scan.domain}
    (moving,) = (n for n in set(postorder(index)) if n in names)
    return normal(Sub(substitute(index, {moving: Add(moving, _ONE)}), index)) is _ONE


def _can_be_update(stage: Summary) -> bool:
    """Whether it stores each of its points in any case, and of its own array reads nothing but as
    an update does."""
    if stage.condition not in (None, TRUE) or stage.is_fold:
        return False
    return not stage.is_pure or not any(
        isinstance(n, Call) and n.name == stage.output for n in postorder(stage.expression)
    )


def _bounds(stage: Summary) -> Bounds:
    return tuple((d.lower, d.upper) for d in stage.roi)


def _stored(scan: Summary) -> Bounds | None:
    """The box of what a scan stores; None where that is none."""
    waiting = {Variable(d.variable.name, I64): d for d in scan.domain}
    found = []
    for place in map(_index, scan.update_point):
        moving = [v for v in waiting if place is not None and v in set(postorder(place))]
        if place is None or len(moving) != 1:
            return None
        d = waiting.pop(moving[0])
        first, last = (
            normal(substitute(place, {moving[0]: end})) for end in (d.lower, Sub(d.upper, _ONE))
        )
        following: dict[Expr, Expr] = {moving[0]: Add(moving[0], _ONE)}
        step = normal(Sub(substitute(place, following), place))
        if not isinstance(step, Const) or abs(int(step.value)) != 1:
            return None
        low, high = (first, last) if step.value > 0 else (last, first)
        found.append((low, normal(Add(high, _ONE))))
    return None if waiting else tuple(found)


def _index(place: Expr) -> Expr | None:
    """A coordinate as an index formula; None for other than sums and products."""
    if isinstance(place, (Add, Sub, Mul)):
        a, b = _index(place.a), _index(place.b)
        return None if a is None or b is None else type(place)(a, b)
    if isinstance(place, Variable):
        return Variable(place.name, I64)
    return Const(I64, place.value) if isinstance(place, Const) else None


_ZERO, _ONE = Const(I64, 0), Const(I64, 1)


def _merged(a: Bounds, b: Bounds, facts: Sequence[Expr]) -> Bounds | None:
    """Two boxes side by side, `a` before `b`, as one: whether or not there is anything of `b`."""
    if _is_inside(b, a, facts):
        return a
    different = [i for i, (p, q) in enumerate(zip(a, b, strict=True)) if not _same(p, q)]
    if len(different) != 1:
        return None
    (i,) = different
    (low, middle), (begin, high) = a[i], b[i]
    # Less than nothing of `a` would reach into `b`.
    if normal(Sub(middle, begin)) is not _ZERO or not _is_at_least(middle, low, facts):
        return None
    end = high if _is_at_least(high, middle, facts) else Max(high, middle)
    return (*a[:i], (low, end), *a[i + 1 :])


def _same(a: tuple[Expr, Expr], b: tuple[Expr, Expr]) -> bool:
    return all(normal(Sub(x, y)) is _ZERO for x, y in zip(a, b, strict=True))


def _is_inside(box: Bounds, other: Bounds, facts: Sequence[Expr]) -> bool:
    """Whether a box is seen to lie in another one."""
    for (low, high), (least, most) in zip(box, other, strict=True):
        ends = [most.a, most.b] if isinstance(most, Max) else [most]
        if not _is_at_least(low, least, facts):
            return False
        if not any(_is_at_least(end, high, facts) for end in ends):
            return False
    return True


def _is_at_least(a: Expr, b: Expr, facts: Sequence[Expr]) -> bool:
    """Whether numbers, or one of the numbers that aren't negative, say so."""
    rest = Sub(a, b)
    distances = (normal(Sub(rest, fact)) for fact in (_ZERO, *facts))
    return any(isinstance(d, Const) and d.value >= 0 for d in distances)


def _updating(stage: Summary, hull: Bounds) -> Summary:
    """A stage as an update of all of an array: a point of a region that has but one is named.

    An update has a domain, be it of one point."""
    ends = zip(stage.roi, hull, strict=True)
    roi = tuple(replace(d, lower=low, upper=high) for d, (low, high) in ends)
    if not stage.is_pure:
        return replace(stage, roi=roi)
    alone: dict[Expr, Expr] = {
        d.variable: Const(I32, d.lower.value)
        for d in stage.roi
        if isinstance(d.lower, Const) and normal(Sub(d.upper, d.lower)) is _ONE
    }
    return replace(
        stage,
        kind="scan",
        roi=roi,
        domain=tuple(d for d in stage.roi if d.variable not in alone) or stage.roi[:1],
        update_point=tuple(substitute(d.variable, alone) for d in stage.roi),
        expression=substitute(stage.expression, alone),
    )
