"""How far expressions reach: their ranges as numbers, for boxes of which every end is a number.

Lowering bounds regions symbolically, once; a scheduler asks for the region behind thousands of
tiles (autoscheduler-2016 section 4.2.3). So the interval arithmetic of an expression is written out
once as straight-line Python, an assignment for each node's two ends, and then only called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import ir
from ..ir import Call, Const, Expr, Variable
from ..ir import nodes as n
from ..ir.operators import MONOTONE, Algebra

Range = tuple[int, int]
"""(smallest, largest), both included; empty where the first is larger."""

Box = tuple[Range, ...]
"""A range for each coordinate, in the order of a stage's arguments."""

FAR = 1 << 200
"""Where an unknown end lies: further out than arithmetic brings a known one, or brings it back."""

ROUNDING = frozenset({"floor", "ceil", "round", "trunc", "likely", "likely_if_innermost"})
"""Calls that keep their argument's ends, as far as whole numbers go."""


def is_far(range: Range) -> bool:
    """Whether an end is unknown."""
    return range[0] <= -(1 << 100) or range[1] >= 1 << 100


def extent(range: Range) -> int:
    return max(0, range[1] - range[0] + 1)


def volume(box: Box) -> int:
    """How many points a box has."""
    points = 1
    for low, high in box:
        if high < low:
            return 0
        points *= high - low + 1
    return points


def hull(a: Box | None, b: Box) -> Box:
    """The smallest box that holds both."""
    if a is None or a == b:
        return b
    return tuple([(min(p[0], q[0]), max(p[1], q[1])) for p, q in zip(a, b, strict=True)])


def meet(a: Box, b: Box) -> Box:
    """What lies in both."""
    if a == b:
        return a
    return tuple([(max(p[0], q[0]), min(p[1], q[1])) for p, q in zip(a, b, strict=True)])


@dataclass
class ReachFacts:
    """What is known beside the loops."""

    numbers: dict[Expr, float] = field(default_factory=dict)
    """The estimates of parameters and of the sizes of images."""
    values: dict[str, tuple[float, float]] = field(default_factory=dict)
    """The least and the largest value that a stage holds, by the name that it is read by."""


Reach = Callable[[Sequence[Range]], Box]
"""From the ranges of the loops, in the order that `compiled` was given, to those of expressions."""


def compiled(exprs: Sequence[Expr], loops: Sequence[str], known: ReachFacts) -> Reach:
    """The ranges of `exprs` while the variables `loops` run over theirs.

    What `known` doesn't say, and what data decides beyond the range of its type, is unknown: an end
    at `FAR`.
    """
    writer = _Writer({Variable(name, ir.I32): f"v{i}" for i, name in enumerate(loops)}, known)
    ends = [writer.ends(e) for e in exprs]
    lines = ["def reach(ranges):"]
    if loops:
        names = "".join(f"(v{i}l, v{i}h), " for i in range(len(loops)))
        lines.append(f"    {names}= ranges")
    lines += [f"    {line}" for line in writer.lines]
    pairs = "".join(f"({low}, {high}), " for low, high in ends)
    lines.append(f"    return ({pairs})")
    space: dict[str, Any] = {
        "FAR": FAR,
        "clip": _clip,
        "corners": _corners,
        "floored": _floored,
        "quotients": _quotients,
    }
    exec("\n".join(lines), space)  # our own text: constants and names that were made above
    made: Reach = space["reach"]
    return made


def _clip(value: float) -> int:
    """A float's end as a whole number, rounded toward zero as a conversion does."""
    return int(max(-FAR, min(FAR, value)))


def _corners(al: float, ah: float, bl: float, bh: float) -> tuple[float, float]:
    """The ends of a product."""
    products = (al * bl, al * bh, ah * bl, ah * bh)
    return max(-FAR, min(products)), min(FAR, max(products))


def _floored(al: int, ah: int, bl: int, bh: int) -> tuple[int, int]:
    """The ends of a quotient rounded down; unknown where the divisor may be 0."""
    if bl <= 0 <= bh:
        return -FAR, FAR
    ends = (al // bl, al // bh, ah // bl, ah // bh)
    return min(ends), max(ends)


def _quotients(al: float, ah: float, bl: float, bh: float) -> tuple[float, float]:
    """The ends of a quotient of floats; unknown where the divisor may be 0."""
    if bl <= 0 <= bh:
        return -FAR, FAR
    ends = (al / bl, al / bh, ah / bl, ah / bh)
    return min(ends), max(ends)


_CALLED = {
    "FAR": FAR,
    "clip": _clip,
    "corners": _corners,
    "floored": _floored,
    "quotients": _quotients,
}
"""What the written lines refer to."""

Ends = tuple[str, str]
UNKNOWN: Ends = ("-FAR", "FAR")


_TEXT: Algebra[str] = Algebra(
    add=lambda a, b: f"{a} + {b}",
    subtract=lambda a, b: f"{a} - {b}",
    negate=lambda end: f"-{end}",
    least=lambda a, b: f"min({a}, {b})",
    most=lambda a, b: f"max({a}, {b})",
)


class _Writer:
    """Lines that compute the ends of nodes; a node that occurs twice is computed once."""

    def __init__(self, loops: Mapping[Expr, str], known: ReachFacts) -> None:
        self.loops, self.known = loops, known
        self.lines: list[str] = []
        self.done: dict[Expr, Ends] = {}

    def ends(self, expr: Expr) -> Ends:
        if expr not in self.done:
            self.done[expr] = self._named(self._ends(expr))
        return self.done[expr]

    def _named(self, ends: Ends) -> Ends:
        made: list[str] = []
        for text in ends:
            if text.isidentifier() or text == "-FAR" or text.lstrip("-").isdigit():
                made.append(text)
                continue
            name = f"t{len(self.lines)}"
            self.lines.append(f"{name} = {text}")
            made.append(name)
        return made[0], made[1]

    def _both(self, call: str) -> Ends:
        name = f"t{len(self.lines)}"
        self.lines.append(f"{name}l, {name}h = {call}")
        return f"{name}l", f"{name}h"

    def _ends(self, expr: Expr) -> Ends:
        if expr in self.known.numbers:
            return repr(self.known.numbers[expr]), repr(self.known.numbers[expr])
        if isinstance(expr, Variable):
            name = self.loops.get(expr)
            return UNKNOWN if name is None else (f"{name}l", f"{name}h")
        if isinstance(expr, Const):
            return repr(expr.value), repr(expr.value)
        if isinstance(expr, n.Let):
            value = Variable(expr.name, expr.value.type)
            return self.ends(n.substitute(expr.body, {value: expr.value}))
        if isinstance(expr, ir.Cast):
            return self._cast(expr)
        if isinstance(expr, n.Select):
            return self._union(expr.a, expr.b)
        if isinstance(expr, Call) and expr.kind == "func" and expr.name in self.known.values:
            least, most = self.known.values[expr.name]
            return repr(least), repr(most)
        if isinstance(expr, Call) and expr.name in ROUNDING and expr.args:
            return self.ends(expr.args[0])
        if isinstance(expr, n.Neg):
            return _TEXT.of(n.Neg, self.ends(expr.value))
        if isinstance(expr, n.Arithmetic | n.Shr):
            return self._arithmetic(expr)
        return self._by_type(expr)

    def _by_type(self, expr: Expr) -> Ends:
        """What data says can be anything of its type; wider types say nothing."""
        if expr.type.is_integer and expr.type.bits <= 16:
            return str(expr.type.element.min), str(expr.type.element.max)
        return UNKNOWN

    def _union(self, a: Expr, b: Expr) -> Ends:
        return _TEXT.of(n.Select, self.ends(a), self.ends(b))

    def _cast(self, expr: ir.Cast) -> Ends:
        inner = expr.value.type
        low, high = self.ends(expr.value)
        if expr.type.is_integer and not inner.is_integer:
            return f"clip({low})", f"clip({high})"
        if expr.type.is_integer and expr.type.bits < inner.bits:
            whole = expr.type.element
            fits = f"{whole.min} <= {low} and {high} <= {whole.max}"
            return f"{low} if {fits} else {whole.min}", f"{high} if {fits} else {whole.max}"
        return low, high

    def _arithmetic(self, expr: n.Arithmetic | n.Shr) -> Ends:
        a, b = self.ends(expr.a), self.ends(expr.b)
        (al, ah), (bl, bh) = a, b
        if isinstance(expr, n.Min | n.Max):
            # A size that nobody estimated does not hide what the other side says.
            if a == UNKNOWN and _is_size(expr.a):
                return b
            if b == UNKNOWN and _is_size(expr.b):
                return a
        if isinstance(expr, MONOTONE):
            return _TEXT.of(type(expr), a, b)
        match expr:
            case n.Mul():
                if isinstance(expr.b, Const) and expr.b.value >= 0:
                    return f"{al} * {bl}", f"{ah} * {bl}"
                return self._both(f"corners({al}, {ah}, {bl}, {bh})")
            case n.Div() if expr.type.is_integer:
                if isinstance(expr.b, Const) and expr.b.value > 0:
                    return f"{al} // {bl}", f"{ah} // {bl}"
                return self._both(f"floored({al}, {ah}, {bl}, {bh})")
            case n.Div() if not expr.type.is_integer:
                return self._both(f"quotients({al}, {ah}, {bl}, {bh})")
            case n.Shr() if isinstance(expr.b, Const) and expr.b.value >= 0:
                return f"{al} // {1 << int(expr.b.value)}", f"{ah} // {1 << int(expr.b.value)}"
            case n.Mod() if isinstance(expr.b, Const) and expr.b.value > 0 and expr.type.is_integer:
                same = f"{al} // {bl} == {ah} // {bl}"
                return f"{al} % {bl} if {same} else 0", f"{ah} % {bl} if {same} else {bl} - 1"
        return self._by_type(expr)


def _is_size(expr: Expr) -> bool:
    """Whether nothing but parameters and the sizes of images decide the value."""
    return not any(isinstance(node, Call) for node in ir.postorder(expr))


__all__ = [
    "FAR",
    "Box",
    "Range",
    "Reach",
    "compiled",
    "extent",
    "hull",
    "is_far",
    "meet",
    "volume",
]
