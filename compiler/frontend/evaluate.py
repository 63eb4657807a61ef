"""`evaluate`: the value of an expression that needs no coordinates, at once."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from ..lang.expr import Convertible, as_expr
from .func import Func


def evaluate(expr: Any) -> Any:
    """The value of `expr` as a Python number, or the values of a tuple of expressions.

    Raises `ValueError` for what is no expression, `HalideError` for a free variable.
    """
    if isinstance(expr, tuple):
        return tuple(evaluate(e) for e in expr)
    if not isinstance(expr, (Convertible, numbers.Real, np.bool_)):
        raise ValueError("Expected an Expr or tuple-of-Expr.")
    stage = Func("evaluate_func")
    stage[()] = as_expr(expr)
    return stage.realize([])[()]


def evaluate_may_gpu(expr: Any) -> Any:
    """`evaluate`: it runs on the processor here."""
    return evaluate(expr)
