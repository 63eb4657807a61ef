"""The range of values that an integer expression can take, as whole numbers.

Sound for every input: a value outside the given range never occurs. Operations that may leave
their type's range (wrap) give the whole type.
"""

from __future__ import annotations

from collections.abc import Mapping

from . import nodes as n
from .nodes import Call, Cast, Const, Expr
from .operators import NUMBERS, OPERATORS, Range
from .types import Type


def value_range(
    expr: Expr, known: Mapping[Expr, Range] | None = None, done: dict[Expr, Range] | None = None
) -> Range:
    """The range of an integer (or boolean) `expr`.

    `known` gives ranges of nodes that the caller knows more of; `done` keeps results between
    calls. Raises `TypeError` for a float.
    """
    if not expr.type.is_integer:
        raise TypeError(f"{expr} is not an integer")
    ranges = {} if done is None else done
    stack = [expr]
    while stack:
        node = stack[-1]
        if node in ranges:
            stack.pop()
            continue
        given = known.get(node) if known else None
        if given is None:
            waiting = [c for c in node.children if c.type.is_integer and c not in ranges]
            if waiting:
                stack.extend(waiting)
                continue
            given = _range_of(node, ranges)
        ranges[node] = given
        stack.pop()
    return ranges[expr]


def whole(type: Type) -> Range:
    """All values of an integer type."""
    return type.element.min, type.element.max


def never_wraps(node: Expr, *operands: Range) -> bool:
    """Whether the operator of `node` leaves its type for no members of its operands' ranges."""
    found = OPERATORS[type(node)].on_intervals(node.type, *operands)
    return found is not None and found == _within(node.type, *found)


def _within(type: Type, low: int, high: int) -> Range:
    """[low, high] where it fits the type; the whole type where an operation may have wrapped."""
    if type.element.min <= low and high <= type.element.max:
        return low, high
    return whole(type)


def _range_of(node: Expr, ranges: dict[Expr, Range]) -> Range:
    type = node.type
    match node:
        case Const(value=value):
            return int(value), int(value)
        case Cast(value=value) if value.type.is_integer:
            low, high = ranges[value]
            if type.is_bool:
                return (1, 1) if low > 0 or high < 0 else (0, 0) if low == high == 0 else (0, 1)
            return _within(type, low, high)
        case Cast(value=Call(name="floor" | "round" | "trunc" | "ceil")):
            return whole(type)
        case n.Ramp(base=base, stride=stride, lanes=lanes):
            (low, high), (step_low, step_high) = ranges[base], ranges[stride]
            ends = (0, step_low * (lanes - 1), step_high * (lanes - 1))
            return _within(type, low + min(ends), high + max(ends))
        case n.Broadcast(value=value):
            return ranges[value]
        case n.Neg(value=value) | n.BitNot(value=value):
            return _operation(node, [ranges[value]])
        case n.Select(a=a, b=b):
            return NUMBERS.of(n.Select, ranges[a], ranges[b])
        case n.Binary(a=a, b=b) if a.type.is_integer and not isinstance(node, n.Comparison):
            return _operation(node, [ranges[a], ranges[b]])
        case Call(name=name, args=args, kind="intrinsic") if all(a.type.is_integer for a in args):
            return _intrinsic(name, type, [ranges[a] for a in args])
    return whole(type)


def _operation(node: Expr, operands: list[Range]) -> Range:
    found = OPERATORS[type(node)].on_intervals(node.type, *operands)
    if found is None:
        return whole(node.type)
    if isinstance(node, n.Add):
        blended = _weighted_mean(node)
        if blended is not None:
            found = max(found[0], blended[0]), min(found[1], blended[1])
    return _within(node.type, *found)


def _weighted_mean(node: n.Binary) -> Range | None:
    """The range of x * m + y * (c - m) for 0 <= m <= c: it lies between c * x and c * y.

    The plain sum of the products' ranges is twice that; blends are full of it.
    """
    for first, second in ((node.a, node.b), (node.b, node.a)):
        for y, rest in _factors(second):
            if not (isinstance(rest, n.Sub) and isinstance(rest.a, Const)):
                continue
            for x, weight in _factors(first):
                if weight is not rest.b:
                    continue
                c = int(rest.a.value)
                m, xs, ys = value_range(weight), value_range(x), value_range(y)
                low, high = NUMBERS.of(n.Select, xs, ys)
                ends = min(0, c * low), max(0, c * high)
                if m[0] >= 0 and m[1] <= c and _within(node.type, *ends) == ends:
                    return c * low, c * high
    return None


def _factors(node: Expr) -> tuple[tuple[Expr, Expr], ...]:
    return ((node.a, node.b), (node.b, node.a)) if isinstance(node, n.Mul) else ()


def _intrinsic(name: str, type: Type, args: list[Range]) -> Range:
    if name == "abs":
        low, high = args[0]
        smallest = 0 if low <= 0 <= high else min(abs(low), abs(high))
        return smallest, max(abs(low), abs(high))
    if name == "absd":
        (a, b), (c, d) = args
        largest = max(abs(b - c), abs(d - a))
        apart = max(0, a - d, c - b)
        return apart, largest
    if name in ("saturating_add", "saturating_sub"):
        (a, b), (c, d) = args
        low, high = (a + c, b + d) if name == "saturating_add" else (a - d, b - c)
        smallest, largest = whole(type)
        return min(max(low, smallest), largest), min(max(high, smallest), largest)
    if name in ("halving_add", "rounding_halving_add"):
        (a, b), (c, d) = args
        up = name == "rounding_halving_add"
        return (a + c + up) >> 1, (b + d + up) >> 1
    if name in ("popcount", "count_leading_zeros", "count_trailing_zeros"):
        return 0, type.bits if type.element.contains(type.bits) else type.element.max
    return whole(type)
