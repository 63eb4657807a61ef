"""Boxes of coordinates that hold every access of a stage: what the guarded entry compares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from compiler.ir import (  # fmt: skip
    GE,
    GT,
    I32,
    I64,
    LE,
    LT,
    NE,
    TRUE,
    U64,
    Add,
    And,
    Arithmetic,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Call,
    Cast,
    Comparison,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Select,
    Shl,
    Shr,
    Sub,
    TruncDiv,
    Type,
    Variable,
    mirrored,
    postorder,
)
from compiler.ir.bounds_of_values import value_range
from compiler.ir.operators import Algebra

from ..dag import Ranges, Reduce, conjuncts, negate, normal
from ..model.kernel import Array, Kernel, PureFunction
from ..model.summary import Dimension, Limit, Summary
from ..synth import inlined
from ..synth.paths import is_of_data, reads_of
from .tidy import tidy

_BEYOND = 1 << 30
Bounds = tuple[Expr, Expr]
"""Smallest and largest value, index expressions over the parameters."""
Box = tuple[Bounds, ...]
_MOST_NODES = 150
"""Of ends that are written more than once."""
_FAR = 1 << 24
"""No table has an element beyond that is looked up by a number of a narrow type."""


@dataclass(frozen=True, slots=True)
class Scan:
    """A number that the guarded entry computes at each point of a box before a call, to find the
    least and the greatest; all that it reads the original reads, too, if there is a point.

    They are `least` and `greatest` in boxes of what is looked up with them, 0 and -1 of none.
    """

    value: Expr
    """An index expression over `reads`, by their names."""
    reads: tuple[tuple[Variable, str, Expr], ...]
    """Name, array and flat element, an index expression over parameters and `coordinates`."""
    coordinates: tuple[Variable, ...]
    region: Box
    """Of the coordinates."""
    least: Variable
    greatest: Variable


def accesses(
    summary: Summary,
    functions: Mapping[str, PureFunction],
    arrays: Mapping[str, Array] | None = None,
    scanned: Mapping[Expr, Bounds] | None = None,
) -> dict[str, list[Box]]:
    """For each array of the stage, boxes that hold all elements that it reads or writes.

    `functions` and `arrays` are the source's: what one returns, and what a constant table has,
    bounds the place that is looked up with it; `scanned` has bounds of reads.

    A box may be larger than what is accessed (a table read at a byte has 0 to 255), never smaller.
    What a condition says of a number that was itself read holds where the choice takes the read.
    An empty box (some smallest above the largest) stands for no access.
    """
    known: dict[Expr, Bounds] = dict(scanned or {})
    known |= {d.variable: _range(d) for d in (*summary.roi, *summary.domain)}
    values = {a.name: _ends(a.values) for a in (arrays or {}).values() if a.values}
    boxes: dict[str, list[Box]] = {}
    parts = [summary.expression, *summary.update_point]
    for node in postorder(*parts):
        if isinstance(node, Reduce):
            known[node.counter] = (Const(I64, 0), _minus(node.extent, Const(I64, 1)))
    if summary.domain:
        own: Box = tuple(
            index_bounds(inlined(p, functions), known, values) for p in summary.update_point
        )
    else:
        own = tuple(_range(d) for d in summary.roi)
    boxes[summary.output] = [own]
    for read in reads_of(*((part, TRUE) for part in parts)):
        node, condition = read.call, read.condition
        if not any(map(is_of_data, node.args)):
            condition = TRUE  # the region says enough of coordinates
        condition = tidy(inlined(condition, functions))
        box = tuple(
            index_bounds(inlined(a, functions), known, values, condition) for a in node.args
        )
        found = boxes.setdefault(node.name, [])
        if box not in found:
            found.append(box)
    return boxes


@dataclass(frozen=True, slots=True)
class Scanned:
    """What the guarded entry finds out about numbers in memory."""

    scans: tuple[Scan, ...]
    boxes: dict[str, list[Box]]
    """Of elements that nothing else bounds, over what is scanned; and all others."""
    limits: tuple[tuple[Variable, Expr], ...]
    """Greatest numbers, and what they may be at most, an index expression over parameters."""
    floors: tuple[tuple[Variable, Expr], ...]
    """Least numbers, and what they may be at least."""
    untested: tuple[Limit, ...]
    """Limits that it can't test."""


def scanned_accesses(kernel: Kernel, summaries: Sequence[Summary]) -> Scanned:
    """What is to be scanned for the boxes of elements that nothing else bounds, and for limits.

    Of an array that no stage writes, and that a stage reads at each point of its region whatever
    the pixels say, all that it reads there may be read beforehand: the original reads it, too.
    """
    written = {s.output for s in summaries}
    callers = {p.name for p in kernel.params if p.kind in ("array", "vector")} - written
    scans: dict[tuple[Expr, ...], Scan] = {}
    boxes: dict[str, list[Box]] = {}
    limits: list[tuple[Variable, Expr]] = []
    floors: list[tuple[Variable, Expr]] = []
    untested: list[Limit] = []

    def scan(summary: Summary, value: Expr, reductions: Sequence[Reduce] = ()) -> Scan | None:
        calls = [n for n in postorder(value) if isinstance(n, Call)]
        if not all(c.name in callers and c.type is kernel.arrays[c.name].type for c in calls):
            return None
        made = _scan(summary, value, calls, reductions, len(scans))
        if made is None:
            return None
        key = (made.value, *(r[2] for r in made.reads), *(e for ends in made.region for e in ends))
        return scans.setdefault((*key, *(Variable(r[1], I64) for r in made.reads)), made)

    for summary in summaries:
        plain = accesses(summary, kernel.functions, kernel.arrays)
        known: dict[Expr, Bounds] = {}
        ends = [end for found in plain.values() for box in found for axis in box for end in axis]
        if any(map(_is_far, ends)):
            for call, reductions in _read_at_each_point(summary):
                made = scan(summary, Cast(I64, call), reductions)
                if made is not None:
                    known[call] = made.least, made.greatest
        for limit in summary.limits:
            made = scan(summary, limit.value) if _is_always(summary) else None
            if made is None:
                untested.append(limit)
                continue
            limits.append((made.greatest, limit.most))
            if limit.least is not None:
                floors.append((made.least, limit.least))
            if isinstance(limit.value, Cast):
                known[limit.value.value] = made.least, made.greatest
        closer = accesses(summary, kernel.functions, kernel.arrays, known) if known else plain
        for array, found in closer.items():
            boxes.setdefault(array, []).extend(b for b in found if b not in boxes.get(array, ()))
    used = {n for found in boxes.values() for box in found for n in nodes_of(box)}
    used |= {end for end, _ in (*limits, *floors)}
    needed = tuple(s for s in scans.values() if not used.isdisjoint((s.least, s.greatest)))
    told, lowest = (tuple(dict.fromkeys(ends)) for ends in (limits, floors))
    return Scanned(needed, boxes, told, lowest, tuple(untested))


def _scan(
    summary: Summary,
    value: Expr,
    calls: Sequence[Call],
    reductions: Sequence[Reduce],
    number: int,
) -> Scan | None:
    """A number at all points of a summary's region, and in all iterations of reductions; None where
    C has no loop for it."""
    ranges: dict[Expr, Bounds] = {d.variable: _range(d) for d in summary.roi}
    for reduction in reductions:
        if not all(n.type is I64 and n not in ranges for n in postorder(reduction.extent)):
            return None
        ranges[reduction.counter] = Const(I64, 0), _minus(reduction.extent, Const(I64, 1))
    named: dict[Expr, Expr] = {}
    coordinates: list[Variable] = []
    for own in ranges:
        coordinate = Variable(f"lift_at{len(coordinates)}", I64)
        coordinates.append(coordinate)
        named[own] = coordinate
    reads: list[tuple[Variable, str, Expr]] = []
    for call in dict.fromkeys(calls):
        layout = summary.layouts[call.name]
        alone = isinstance(value, Cast) and value.value is call
        if layout.rows or not call.type.is_integer or (call.type.bits > 32 and not alone):
            return None
        element = layout.offset
        for stride, argument in zip(layout.strides, call.args, strict=True):
            place = in_64_bits(tidy(argument), named)
            if place is None:
                return None
            element = Add(element, Mul(stride, place))
        name = Variable(f"lift_read{len(reads)}", I64)
        reads.append((name, call.name, normal(element)))
        named[call] = name
    whole = in_64_bits(value, named)
    if whole is None:
        return None
    least, greatest = (Variable(f"lift_{end}{number}", I64) for end in ("least", "greatest"))
    region = tuple(ranges.values())
    return Scan(whole, tuple(reads), tuple(coordinates), region, least, greatest)


def in_64_bits(expr: Expr, named: Mapping[Expr, Expr]) -> Expr | None:
    """A sum or product in 64 bits, over the names of coordinates and reads; None for others."""
    if expr in named:
        return named[expr]
    if isinstance(expr, Const):
        return Const(I64, expr.value)
    if isinstance(expr, Variable):
        made: Expr = Variable(expr.name, I64)
        return None if expr.type is U64 else made
    if isinstance(expr, Cast) and (
        expr.type.contains_all(expr.value.type) or expr.value.type is I64
    ):
        return in_64_bits(expr.value, named)
    if isinstance(expr, (Add, Sub, Mul, Min, Max)) and expr.type.is_int and expr.type.bits >= 32:
        sides = tuple(map(type, expr.children))
        if isinstance(expr, Mul) and Const not in sides and sides != (Variable, Variable):
            return None  # as many bits as it may have, the guard hasn't
        a, b = (in_64_bits(c, named) for c in expr.children)
        return None if a is None or b is None else expr.rebuild((a, b))
    return None


def within_32_bits(box: Box) -> Box:
    """A box that holds all coordinates of another: those of an axis beyond 32 bits, for all that
    numbers which are looked up may be, are any that 32 bits have, since coordinates are."""
    return tuple(
        (Const(I64, I32.min), Const(I64, I32.max))
        if _is_beyond(low, Min) or _is_beyond(high, Max)
        else (low, high)
        for low, high in box
    )


def _is_beyond(end: Expr, further: type[Min] | type[Max]) -> bool:
    """Whether an end may be a type's, or as far away; of operands, the further one counts."""
    if isinstance(end, Const):
        return not -_BEYOND < end.value < _BEYOND
    if isinstance(end, (Min, Max)) and not isinstance(end, further):
        return all(_is_beyond(c, further) for c in end.children)
    if isinstance(end, (Min, Max, Add, Sub, Mul, Neg)):
        return any(_is_beyond(c, further) for c in end.children)
    return False


def nodes_of(box: Box) -> Iterator[Expr]:
    """All nodes of a box's ends."""
    return postorder(*(end for ends in box for end in ends))


def _is_far(end: Expr) -> bool:
    """Whether an end is one of a wide type; of a choice, the guard takes what fits the call."""
    if isinstance(end, Const):
        return not -_FAR < end.value < _FAR
    return not isinstance(end, Select) and any(map(_is_far, end.children))


def _is_always(summary: Summary) -> bool:
    """Whether something is computed at each point of a summary's region."""
    return not summary.domain and summary.condition is None and summary.written_if is None


def _read_at_each_point(summary: Summary) -> Iterator[tuple[Call, tuple[Reduce, ...]]]:
    """Reads of whole numbers of 32 bits and more that each point of a stage's region makes, in each
    iteration of reductions around."""
    if not _is_always(summary):
        return
    for read in reads_of((summary.expression, TRUE)):
        if not _is_coordinate(read.call.type):
            continue
        if read.call in summary.read_anyway:
            yield read.call, ()
        elif read.condition is TRUE:
            yield read.call, read.reductions


def fixed_bounds(
    boxes: Sequence[Box], strides: Sequence[int | None]
) -> tuple[tuple[int, int] | None, ...]:
    """Minimum and extent of each dimension that lies, with constant bounds, inside of another of
    constant stride: the channels of interleaved pixels."""
    found: list[tuple[int, int] | None] = []
    for number in range(len(strides)):
        inside = number + 1 < len(strides) and strides[number + 1] is not None
        ends = [end for box in boxes for end in box[number]]
        numbers = [int(end.value) for end in ends if isinstance(end, Const)]
        if inside and numbers and len(numbers) == len(ends):
            found.append((min(numbers), max(numbers) - min(numbers) + 1))
        else:
            found.append(None)
    return tuple(found)


def _range(dimension: Dimension) -> Bounds:
    return dimension.lower, _minus(dimension.upper, Const(I64, 1))


def _number(value: float) -> Const:
    """Raises `OverflowError` for what no 64 bits hold."""
    if not I64.contains(int(value)):
        raise OverflowError
    return Const(I64, value)


def _minus(a: Expr, b: Const) -> Expr:
    if isinstance(a, Const):
        return _number(a.value - b.value)
    made: Expr = Sub(a, b)
    return made


def _ends(values: Sequence[int | float]) -> Bounds:
    return Const(I64, int(min(values))), Const(I64, int(max(values)))


def index_bounds(
    expr: Expr,
    known: Mapping[Expr, Bounds],
    values: Mapping[str, Bounds] | None = None,
    condition: Expr = TRUE,
) -> Bounds:
    """Bounds of an integer expression over coordinates and parameters, as index expressions.

    `values` has the least and greatest number of each constant table, by the tables' names;
    `condition`, which is tidy, holds wherever the expression counts.
    """
    tidied = tidy(expr)
    facts = dict(known)
    for node in postorder(tidied, condition):
        if values and isinstance(node, Call) and node.kind == "image" and node.name in values:
            facts[node] = values[node.name]
    return _of(tidied, _under(condition, facts))


def _under(condition: Expr, known: Mapping[Expr, Bounds]) -> Mapping[Expr, Bounds]:
    """What is known where a condition holds, of numbers that data make."""
    found: dict[Expr, Bounds] | None = None
    for part in conjuncts(condition):
        if not isinstance(part, Comparison) or not part.a.type.is_integer or part.a.type.is_bool:
            continue
        if isinstance(part, NE):
            continue
        for test in (part, mirrored(part)):
            one, other, kind = test.a, test.b, type(test)
            if is_of_data(one):
                found = dict(known) if found is None else found
                with suppress(OverflowError):  # less than the least number: it says nothing
                    _compare(found, one, kind, other)
    return known if found is None else found


def _compare(known: dict[Expr, Bounds], one: Expr, kind: type[Expr], other: Expr) -> None:
    """Adds to what is known that the comparison of `one` with `other` holds."""
    if isinstance(other, Const) and not I64.contains(int(other.value)):
        return
    low, high = _of(other, known)
    if kind is LT:
        _limit(known, one, None, _sub(high, Const(I64, 1)))
    elif kind is LE:
        _limit(known, one, None, high)
    elif kind is GT:
        _limit(known, one, _add(low, Const(I64, 1)), None)
    elif kind is GE:
        _limit(known, one, low, None)
    else:
        _limit(known, one, low, high)


def _limit(known: dict[Expr, Bounds], expr: Expr, low: Expr | None, high: Expr | None) -> None:
    """Adds to what is known that `expr` isn't below `low`, nor above `high` (None: no limit)."""
    while isinstance(expr, Cast) and expr.value.type.is_integer and not expr.value.type.is_bool:
        inner = expr.value.type
        if not expr.type.contains_all(inner):
            if not (expr.type.is_uint and inner.is_int and inner.bits <= expr.type.bits and high):
                return
            # A negative number is one beyond the greatest of its own type, as `u < size` uses it.
            if isinstance(high, Const):
                if high.value > inner.max:
                    return
                low = Const(I64, 0)
            else:
                # Parameters of 64 bits without sign may be negative in the guard's arithmetic.
                last = Const(I64, inner.max)
                inside: Expr = And(GE(high, Const(I64, -1)), LE(high, last))
                low = Select(inside, Const(I64, 0), Const(I64, inner.min))
                high = Select(inside, high, last)
        expr = expr.value
    if expr.type is U64:
        return
    least, most = _of(expr, known)
    if low is not None:
        least = low if _is(least, expr.type.min) else _extreme(Max, least, low)
    if high is not None:
        most = high if _is(most, expr.type.max) else _extreme(Min, most, high)
    known[expr] = least, most


def _is(end: Expr, value: float) -> bool:
    return isinstance(end, Const) and end.value == value


def _extreme(kind: type[Min] | type[Max], a: Expr, b: Expr) -> Expr:
    if a is b:
        return a
    if isinstance(a, Const) and isinstance(b, Const):
        choose = min if kind is Min else max
        return Const(I64, choose(a.value, b.value))
    made: Expr = kind(a, b)
    return made


def _of(expr: Expr, known: Mapping[Expr, Bounds]) -> Bounds:
    try:
        return _from_parts(expr, known)
    except OverflowError:  # it may wrap on the way
        return _by_types(expr, known)


def _from_parts(expr: Expr, known: Mapping[Expr, Bounds]) -> Bounds:
    match expr:
        case Const():
            value = Const(I64, expr.value)
            return value, value
        case _ if expr in known:
            return known[expr]
        case Variable():
            wide: Expr = Variable(expr.name, I64)
            return wide, wide
        case Cast() if expr.value.type is I64 or _keeps_all(expr):
            return _of(expr.value, known)
        case Cast(value=Variable() as parameter) if (
            _is_coordinate(expr.type) or (expr.type.is_uint and expr.type.bits <= 32)
        ) and parameter not in known:
            # One number throughout the call, whatever it converts to.
            converted: Expr = Cast(I64, expr)
            return converted, converted
        case Cast() | Add() | Sub() | Shl() if (
            expr.type.is_uint and (only := _of_parameters(expr, known)) is not None
        ):
            return only, only
        case Cast(value=Variable() as counted) if counted in known and expr.type.is_uint:
            return _where_it_fits(expr.type, known[counted])
        case Cast() if _is_narrowed(expr):
            return _where_it_fits(expr.type, _of(expr.value, known))
        case Add() | Sub() if expr.type.is_uint and expr.type.bits <= 32:
            return _where_it_fits(
                expr.type, _ENDS.of(type(expr), _of(expr.a, known), _of(expr.b, known))
            )
        case Arithmetic() | Neg() if not _is_coordinate(expr.type):
            return _by_types(expr, known)  # it may wrap, unlike a coordinate
        case Neg():
            return _ENDS.of(Neg, _of(expr.value, known))
        case Add() | Sub() | Min() | Max():
            return _ENDS.of(type(expr), _of(expr.a, known), _of(expr.b, known))
        case Mul(b=Const() as factor) | Mul(a=Const() as factor):
            other = expr.a if expr.b is factor else expr.b
            low, high = _of(other, known)
            by = Const(I64, factor.value)
            ends: Bounds = (_times(low, by), _times(high, by))
            if expr.type is I64:
                _refuse_more_than_64_bits(ends)
            return ends if factor.value >= 0 else (ends[1], ends[0])
        case Mul():
            # The size of a plane, `width * height`: an extreme is at the ends of both.
            (a, b), (c, d) = _of(expr.a, known), _of(expr.b, known)
            firsts, seconds = dict.fromkeys((a, b)), dict.fromkeys((c, d))
            corners: list[Expr] = [Mul(one, other) for one in firsts for other in seconds]
            if expr.type is I64:
                _refuse_more_than_64_bits(corners)
            least = most = corners[0]
            for corner in corners[1:]:
                least, most = Min(least, corner), Max(most, corner)
            return least, most
        case Div(b=Const() as divisor) if divisor.value > 0:
            low, high = _of(expr.a, known)
            by = Const(I64, divisor.value)
            return Div(low, by), Div(high, by)
        case Div() if (divided := _of(expr.b, known))[0] is divided[1]:
            # One number throughout the call: it rises or falls from end to end.
            low, high = (Div(end, divided[0]) for end in _of(expr.a, known))
            return (low, low) if low is high else (Min(low, high), Max(low, high))
        case TruncDiv(b=Const() as divisor) if divisor.value != 0:
            low, high = (TruncDiv(end, Const(I64, divisor.value)) for end in _of(expr.a, known))
            return (low, high) if divisor.value > 0 else (high, low)
        case TruncDiv() if (divided := _of(expr.b, known))[0] is divided[1]:
            # At most one from where `Div` rounds to, which by 0 is a number too.
            low, high = (Div(end, divided[0]) for end in _of(expr.a, known))
            one = Const(I64, 1)
            return _sub(Min(low, high), one), _add(Max(low, high), one)
        case Mod():
            (a, b), (c, d) = _of(expr.a, known), _of(expr.b, known)
            if a is b and c is d:  # one number throughout the call
                only = Mod(a, c)
                return only, only
            if isinstance(c, Const) and c is d and c.value > 0:
                return Const(I64, 0), _minus(c, Const(I64, 1))
            # By what isn't known to be positive: below its magnitude, and 0 by zero.
            magnitude = Max(d, Neg(c))
            return Const(I64, 0), Max(_minus(magnitude, Const(I64, 1)), Const(I64, 0))
        case BitNot():
            return _complement(_of(expr.value, known))
        case BitXor(b=Const() as bits) if bits.value < 0:
            return _complement(_of(BitXor(expr.a, Const(expr.type, ~int(bits.value))), known))
        case BitOr(b=Const() as bits) if bits.value < 0:
            return Const(I64, bits.value), Const(I64, -1)
        case BitXor() if (block := _block_of(expr, known)) is not None:
            return block
        case BitXor() if (sides := _with_small_bits(expr)) is not None:
            low, high = _of(sides[0], known)
            return _sub(low, sides[1]), _add(high, sides[1])
        case BitOr() if (sides := _with_small_bits(expr)) is not None:
            low, high = _of(sides[0], known)
            return low, _add(high, sides[1])
        case BitAnd(b=Const() as bits) if bits.value < 0:
            low, high = _of(expr.a, known)
            return _sub(low, Const(I64, ~int(bits.value))), high
        case BitAnd():
            return _of_common_bits(expr, known)
        case Shr() | Shl() if (amounts := _amounts(expr)) is not None:
            low, high = _of(expr.a, known)
            scaled = Div if isinstance(expr, Shr) else _times
            least, most = (Const(I64, 1 << amount) for amount in amounts)
            if least.value == most.value:
                return scaled(low, least), scaled(high, least)
            return (
                Min(scaled(low, least), scaled(low, most)),
                Max(scaled(high, least), scaled(high, most)),
            )
        case Shr():
            # By an amount that C++ defines: toward 0, or toward -1 from below.
            low, high = _of(expr.a, known)
            return Min(low, Const(I64, 0)), Max(high, Const(I64, 0))
        case Select():
            (a, b) = _of(expr.a, _under(expr.condition, known))
            (c, d) = _of(expr.b, _under(negate(expr.condition), known))
            return _extreme(Min, a, c), _extreme(Max, b, d)
    return _by_types(expr, known)


def _is_narrowed(expr: Cast) -> bool:
    """Whether a conversion of a number without sign may change it. (Sums with a sign may stand for
    ones without, which wrap, where they are converted.)"""
    inner = expr.value.type
    is_number = inner.is_uint and expr.type.is_integer and not expr.type.is_bool
    return is_number and not inner.is_bool and not _keeps_all(expr)


def _where_it_fits(type: Type, ends: Bounds) -> Bounds:
    """The ends of a number that is converted to a type, or computed in it: its own where they fit,
    else those of the type, since it may wrap."""
    low, high = ends
    least, most = Const(I64, int(type.min)), Const(I64, int(min(type.max, I64.max)))
    if isinstance(low, Const) and isinstance(high, Const):
        fits = type.min <= low.value and high.value <= type.max
        return ends if fits else (least, most)
    if type is U64 or any(map(_is_far, ends)) or _size(low) + _size(high) > _MOST_NODES:
        return least, most  # what is scanned says more of numbers that may be any of a type's
    inside: Expr = And(GE(low, least), LE(high, most))
    return Select(inside, low, least), Select(inside, high, most)


def _size(expr: Expr) -> int:
    """How often a node of an expression is written, none far beyond the most."""
    found, pending = 0, [expr]
    while pending and found <= _MOST_NODES:
        found += 1
        pending += pending.pop().children
    return found


def _of_parameters(expr: Expr, known: Mapping[Expr, Bounds]) -> Expr | None:
    """The number that an expression over parameters alone is throughout a call, in 64 bits; None
    for others. Shifts by as many bits as a type has, and more, are undefined."""
    if expr in known or not expr.type.is_integer or expr.type.is_bool or expr.type is U64:
        return None
    made: Expr
    match expr:
        case Const():
            return Const(I64, expr.value)
        case Variable():
            made = Variable(expr.name, I64)
            return made
        case Cast():
            inner = _of_parameters(expr.value, known)
            if inner is None or expr.type.contains_all(expr.value.type):
                return inner
            made = inner
        case Add() | Sub() | Shl():
            a, b = (_of_parameters(c, known) for c in expr.children)
            if a is None or b is None or expr.type.bits > 32:
                return None
            if isinstance(expr, Shl):
                b = Min(Max(b, Const(I64, 0)), Const(I64, expr.type.bits - 1))
            made = expr.rebuild((a, b))
            if expr.type.is_int:
                return made
        case _:
            return None
    narrowed: Expr = Cast(I64, Cast(expr.type, made))
    return narrowed


def _keeps_all(expr: Cast) -> bool:
    """Whether a conversion changes none of the numbers that what it converts can be."""
    if expr.type.contains_all(expr.value.type):
        return True
    if not (expr.type.is_integer and expr.value.type.is_integer) or expr.type.is_bool:
        return False
    least, most = value_range(expr.value)
    return bool(expr.type.min <= least and most <= expr.type.max)


def _complement(bounds: Bounds) -> Bounds:
    minus_one = Const(I64, -1)
    return _sub(minus_one, bounds[1]), _sub(minus_one, bounds[0])


def _with_small_bits(expr: BitOr | BitXor) -> tuple[Expr, Const] | None:
    """One side and the largest value of the other, where that is never negative and small: it
    moves a number by no more."""
    for a, b in ((expr.a, expr.b), (expr.b, expr.a)):
        least, most = value_range(b)
        if least >= 0 and most < I32.max:
            return a, Const(I64, most)
    return None


def _block_of(expr: BitXor, known: Mapping[Expr, Bounds]) -> Bounds | None:
    """The block of 2**k numbers that `x ^ p` stays in, for an x with k bits and one p throughout
    the call."""
    for a, b in ((expr.a, expr.b), (expr.b, expr.a)):
        (low, high), (only, same) = _of(a, known), _of(b, known)
        if only is not same or not (isinstance(low, Const) and isinstance(high, Const)):
            continue
        if low.value >= 0 and high.value < I32.max:
            last = Const(I64, (1 << int(high.value).bit_length()) - 1)
            first = _sub(only, Mod(only, _add(last, Const(I64, 1))))
            return first, _add(first, last)
    return None


def _of_common_bits(expr: BitAnd, known: Mapping[Expr, Bounds]) -> Bounds:
    """A sign spread over all bits, or its complement, keeps the other side or makes it 0; and
    what isn't negative leaves no bits that it hasn't."""
    zero = Const(I64, 0)
    for mask, value in ((expr.b, expr.a), (expr.a, expr.b)):
        least, most = value_range(mask)
        if least >= -1 and most <= 0:
            low, high = _of(value, known)
            return Min(low, zero), Max(high, zero)
    highest: list[Expr] = []
    for side in (expr.a, expr.b):
        low, high = _of(side, known)
        is_unsigned = side.type.is_uint and side.type.bits <= 32
        if is_unsigned or (isinstance(low, Const) and low.value >= 0):
            highest.append(high)
    if not highest:
        return _by_types(expr, known)
    return zero, highest[0] if len(highest) == 1 else Min(*highest)


def _amounts(expr: Shr | Shl) -> tuple[int, int] | None:
    """The least and the most that a number may be shifted by, where that is by so few bits that
    the guard can divide or multiply by their power of two."""
    least, most = value_range(expr.b)
    return (least, most) if least >= 0 and most < (32 if isinstance(expr, Shl) else 63) else None


def _refuse_more_than_64_bits(ends: Iterable[Expr]) -> None:
    """Raises `OverflowError` where the guard might not compute an end in 64 bits, of parameters
    that have 32: that those of 64 bits do is a precondition, and so tested before."""
    for end in ends:
        names = {n.name: I32 for n in postorder(end) if isinstance(n, Variable)}
        interval = Ranges(names).interval
        numbers = (interval(n) for n in postorder(end) if n.type is I64)
        if not all(I64.contains(low) and I64.contains(high) for low, high in numbers):
            raise OverflowError


def _is_coordinate(type: Type) -> bool:
    return type.is_int and type.bits >= 32


def _by_types(expr: Expr, known: Mapping[Expr, Bounds]) -> Bounds:
    """What the types of the values that `expr` is computed from say, and what tables have."""
    numbers: dict[Expr, tuple[int, int]] = {
        node: (int(low.value), int(high.value))
        for node, (low, high) in known.items()
        if isinstance(node, Call) and isinstance(low, Const) and isinstance(high, Const)
    }
    least, most = value_range(expr, numbers)
    return Const(I64, max(least, I64.min)), Const(I64, min(most, I64.max))


def _add(a: Expr, b: Expr) -> Expr:
    if isinstance(a, Const) and isinstance(b, Const):
        return _number(a.value + b.value)
    if isinstance(b, Const) and b.value == 0:
        return a
    made: Expr = Add(a, b)
    return made


def _times(a: Expr, factor: Const) -> Expr:
    if isinstance(a, Const):
        return _number(a.value * factor.value)
    made: Expr = Neg(a) if factor.value == -1 else Mul(a, factor)
    return made


def _sub(a: Expr, b: Expr) -> Expr:
    if isinstance(a, Const) and isinstance(b, Const):
        return _number(a.value - b.value)
    if isinstance(b, Const) and b.value == 0:
        return a
    made: Expr = Sub(a, b)
    return made


_ENDS: Algebra[Expr] = Algebra(
    add=_add, subtract=_sub, negate=lambda end: _times(end, Const(I64, -1)), least=Min, most=Max
)
