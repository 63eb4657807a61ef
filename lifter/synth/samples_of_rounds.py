"""Running the reduced program on small sizes: which points do the stores of a stage touch?

The reduced program of dexter-2019 section 4.1.2 has only loops, counters and stores; here it runs on
concrete small parameter values, and what it touches screens candidates for the region.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from compiler.ir import (
    EQ,
    GE,
    GT,
    I64,
    LE,
    LT,
    NE,
    Add,
    And,
    Cast,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Not,
    Or,
    Select,
    Sub,
    TruncDiv,
    TruncMod,
    Variable,
)  # fmt: skip

from ..dag import Loop

ROUND_LIMIT = 20_000
_INFIX: dict[type[Expr], str] = {
    Add: "({} + {})", Sub: "({} - {})", Mul: "({} * {})", Min: "min({}, {})", Max: "max({}, {})",
    LT: "({} < {})", LE: "({} <= {})", GT: "({} > {})", GE: "({} >= {})", EQ: "({} == {})",
    NE: "({} != {})", And: "({} and {})", Or: "({} or {})", Not: "(not {})", Neg: "(-{})",
    Div: "_div({}, {})", Mod: "_mod({}, {})", TruncDiv: "_tdiv({}, {})", TruncMod: "_tmod({}, {})",
    Select: "({1} if {0} else {2})",
}  # fmt: skip


def _div(a: int, b: int) -> int:
    return 0 if b == 0 else (a // b if b > 0 else -(a // -b))


def _mod(a: int, b: int) -> int:
    return 0 if b == 0 else a % abs(b)


def _tdiv(a: int, b: int) -> int:
    return 0 if b == 0 else (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)


def _tmod(a: int, b: int) -> int:
    return a - b * _tdiv(a, b)


_SCOPE = {"_div": _div, "_mod": _mod, "_tdiv": _tdiv, "_tmod": _tmod, "min": min, "max": max}


class NotConcrete(Exception):
    """The expression depends on array contents."""


def python_text(expr: Expr) -> str:
    """An index expression (or formula) as Python over `v["name"]`; raises `NotConcrete`."""
    if isinstance(expr, Const):
        return str(int(expr.value))
    if isinstance(expr, Variable):
        return f"v[{expr.name!r}]"
    pattern = _INFIX.get(type(expr))
    if pattern is None or (expr.type is not I64 and not expr.type.is_bool):
        if isinstance(expr, Cast) and isinstance(expr.value, Variable):
            return f"v[{expr.value.name!r}]"
        raise NotConcrete(repr(expr))
    return pattern.format(*map(python_text, expr.children))


def concrete(expr: Expr) -> Callable[[dict[str, int]], Any]:
    """`expr` as a function of the values of its variables."""
    made: Callable[[dict[str, int]], Any] = eval(f"lambda v: {python_text(expr)}", dict(_SCOPE))
    return made


def parameter_samples(
    names: Sequence[str], assumptions: Sequence[Expr], count: int, seed: int = 1
) -> Iterator[dict[str, int]]:
    """Small values of the parameters that satisfy the assumptions; fewer than `count` if they're rare."""
    source = random.Random(seed)
    tests = []
    for assumption in assumptions:
        try:
            tests.append(concrete(assumption))
        except NotConcrete:
            continue
    found = 0
    for attempt in range(40 * count):
        high = 9 if attempt % 4 else 40
        values = {name: source.randint(0, high) for name in names}
        if all(test(values) for test in tests):
            yield values
            found += 1
            if found == count:
                return


def rounds(
    loops: Sequence[Loop], condition: Expr, values: dict[str, int]
) -> Iterator[dict[str, int]]:
    """The values of the counters in each round of a nest where `condition` holds, in order."""
    extents = [concrete(loop.extent) for loop in loops]
    test = concrete(condition)
    left = ROUND_LIMIT

    def descend(depth: int, env: dict[str, int]) -> Iterator[dict[str, int]]:
        nonlocal left
        if depth == len(loops):
            left -= 1
            if left < 0:
                raise NotConcrete("too many rounds")
            if test(env):
                yield dict(env)
            return
        name = loops[depth].counter.name
        for i in range(max(0, extents[depth](env))):
            env[name] = i
            yield from descend(depth + 1, env)

    yield from descend(0, dict(values))
