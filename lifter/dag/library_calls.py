"""Calls of the C library's functions that a compiler makes itself, so that their last bits depend
on the compiler: those of constants, and powers with a constant exponent that are products.

Compilers know a call's arguments where symbolic execution knows them. What they compute of
constants is rounded exactly; the library's own results mostly are, and then there is no question.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Context, Decimal, localcontext

import numpy as np

from compiler.ir import C_FUNCTIONS, Call, Const, Expr, c_function, postorder, substitute, transform

from ..model.diagnostic import Span
from ..model.kernel import PureFunction
from .failure import unsupported

PRODUCTS = (-1.0, 0.0, 1.0, 2.0)
"""Exponents for which compilers write a product, or a division, wherever they see them."""
_DIGITS = 60


def check_library_calls(
    value: Expr, functions: Mapping[str, PureFunction], span: Span, output: str
) -> None:
    """Raises `LiftError` (`inexact-function`) where `value`, which is stored to `output` at `span`,
    depends on whether the compiler or the library computes it."""
    for node in postorder(_inlined(value, functions)):
        if not (isinstance(node, Call) and node.kind == "intrinsic" and node.name in C_FUNCTIONS):
            continue
        constants = [a for a in node.args if isinstance(a, Const)]
        if node.name == "pow" and constants[-1:] == [node.args[1]]:
            exponent = float(constants[-1].value)
            if exponent in PRODUCTS and len(constants) == 1:
                raise unsupported(
                    "inexact-function",
                    f"{output} is stored from a power whose exponent turns out to be {exponent:g}: "
                    "optimizers make a product of it, which has other last bits",
                    span,
                    "write the exponent where `pow` is called, or the product itself",
                )
        if len(constants) == len(node.args) and not _is_rounded_exactly(node, constants):
            shown = ", ".join(f"{float(c.value):g}" for c in constants)
            raise unsupported(
                "inexact-function",
                f"{output} is stored from `{node.name}({shown})`, which compilers compute to "
                "another last bit than the C library",
                span,
                "write its value as a constant",
            )


def _inlined(value: Expr, functions: Mapping[str, PureFunction]) -> Expr:
    def body(node: Expr) -> Expr:
        function = functions.get(node.name) if isinstance(node, Call) else None
        if function is None or not isinstance(node, Call) or node.kind != "pure":
            return node
        arguments: dict[Expr, Expr] = dict(zip(function.params, node.args, strict=True))
        return _inlined(substitute(function.body, arguments), functions)

    return transform(value, body)


def _is_rounded_exactly(node: Call, constants: list[Const]) -> bool:
    """Whether the C library's result is the number nearest to the true one."""
    single = node.type.bits < 64
    dtype = np.float32 if single else np.float64
    arguments = [np.array([float(c.value)], dtype) for c in constants]
    result = c_function(node.name)(*arguments)[0]
    if not np.isfinite(result):
        return True
    exact = _exact(node.name, [float(a[0]) for a in arguments])
    if exact is None:
        return False
    with localcontext(Context(prec=_DIGITS)):
        distance = abs(Decimal(float(result)) - exact)
        neighbours = (np.nextafter(result, dtype(side * np.inf)) for side in (-1, 1))
        finite = [Decimal(float(n)) for n in neighbours if np.isfinite(n)]
        return all(distance < abs(n - exact) for n in finite)


def _exact(name: str, arguments: list[float]) -> Decimal | None:
    """The true result to many digits; None where it isn't known how to compute it."""
    a = Decimal(arguments[0])
    with localcontext(Context(prec=_DIGITS + 20)):
        if name == "exp":
            return a.exp()
        if name == "log" and a > 0:
            return a.ln()
        if name == "pow":
            b = Decimal(arguments[1])
            if a > 0:
                return (b * a.ln()).exp()
            if a == 0 or b == b.to_integral_value():
                return a**b if a else Decimal(int(b == 0))
        if name in ("sin", "cos") and abs(a) < _DIGITS:
            return _series(a, first=name == "sin")
    return None


def _series(a: Decimal, first: bool) -> Decimal:
    """The sine or the cosine by its power series."""
    term = a if first else Decimal(1)
    total, number = term, 1 if first else 0
    while abs(term) > Decimal(10) ** -(_DIGITS + 20):
        term *= -a * a / ((number + 1) * (number + 2))
        number += 2
        total += term
    return total
