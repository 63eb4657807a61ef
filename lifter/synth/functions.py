"""The source's pure functions in the DSL's terms, for the arguments that they are called with.

`int div255(int x) { return (x + 127) / 255; }` truncates toward zero and the DSL's division
doesn't; where no caller passes a number below -127 the two agree, and the plain `(x + 127) / 255`
is what a person would write. The verifier proves that each summary means the same with the new
bodies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from compiler.ir import Call, Expr, postorder, substitute, transform

from ..model.kernel import PureFunction
from .rewrite_ranges import SymbolRanges
from .rewrite_to_dsl import to_dsl

Interval = tuple[int, int]
Facts = Callable[[Expr], Interval]


def dsl_functions(
    functions: Mapping[str, PureFunction], callers: Iterable[tuple[Expr, Facts]] | None
) -> dict[str, PureFunction]:
    """The functions with bodies of the DSL's operators.

    A body is right for the arguments that occur in `callers`, expressions with the intervals of
    their symbols; without those, for all.
    """
    if callers is None:
        return {n: replace(f, body=to_dsl(f.body)) for n, f in functions.items()}
    arguments = occurring_arguments(functions, callers)
    made = {}
    for name, function in functions.items():
        occurring = _parameter_facts(function, arguments[name]) if name in arguments else None
        made[name] = replace(function, body=to_dsl(function.body, occurring))
    return made


def occurring_arguments(
    functions: Mapping[str, PureFunction], callers: Iterable[tuple[Expr, Facts]]
) -> dict[str, list[Interval | None]]:
    """For each function that is called, directly or not, the intervals of its arguments.

    None for an argument that isn't an integer.
    """
    arguments: dict[str, list[Interval | None]] = {}
    pending = list(callers)
    while pending:
        expr, known = pending.pop()
        ranges = SymbolRanges(known)
        for node in postorder(expr):
            if isinstance(node, Call) and node.kind == "pure":
                widened = _widen(arguments, node, ranges)
                if widened:
                    function = functions[node.name]
                    pending.append(
                        (function.body, _parameter_facts(function, arguments[node.name]))
                    )
    return arguments


def _widen(arguments: dict[str, list[Interval | None]], call: Call, ranges: SymbolRanges) -> bool:
    """Takes the call's arguments into account; whether anything new was learnt."""
    here = [ranges(a) if a.type.is_integer else None for a in call.args]
    before = arguments.get(call.name)
    if before is None:
        arguments[call.name] = here
        return True
    after = [
        None if a is None or b is None else (min(a[0], b[0]), max(a[1], b[1]))
        for a, b in zip(before, here, strict=True)
    ]
    arguments[call.name] = after
    return after != before


def _parameter_facts(function: PureFunction, intervals: list[Interval | None]) -> Facts:
    known: dict[Expr, Interval] = {
        p: i for p, i in zip(function.params, intervals, strict=True) if i is not None
    }
    return lambda symbol: known.get(symbol, (symbol.type.min, symbol.type.max))


def inlined(expr: Expr, functions: Mapping[str, PureFunction]) -> Expr:
    """`expr` with every pure call replaced by the function's body."""

    def visit(node: Expr) -> Expr:
        if isinstance(node, Call) and node.kind == "pure":
            function = functions[node.name]
            body = substitute(function.body, dict(zip(function.params, node.args, strict=True)))
            return inlined(body, functions)
        return node

    return transform(expr, visit)
