"""Expressions that do something when they are evaluated: `print`, `print_when`, `require`."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any

from .. import ir
from ..ir.message_text import literal
from .errors import fail
from .expr import Convertible, Expr
from .overloads import expression, mismatch
from .requirements import message_of


def _effect(name: str, text: str, parts: Sequence[Expr], value: Expr) -> Expr:
    nodes = tuple(p.node for p in parts)
    call = ir.Call(f"{name}:{text}", nodes, value.node.type, "effect")
    return Expr.of(call, *parts)


def print(*args: Any) -> Expr:
    """The first argument; when it is evaluated, all of them (texts too) are written on stderr."""
    if not args or not isinstance(args[0], (Convertible, numbers.Real)):
        mismatch("print", *args)
    text, values = message_of("print", args)
    return _effect("print", text + "\n", values, values[0])


def print_when(condition: Any, *args: Any) -> Expr:
    """As `print`, where `condition` holds."""
    holds = expression("print_when", condition)
    if not holds.node.type.is_bool:
        fail(f"The condition of print_when must be a boolean; {holds} is {holds.node.type}.")
    if not args or not isinstance(args[0], (Convertible, numbers.Real)):
        mismatch("print_when", condition, *args)
    text, values = message_of("print_when", args)
    return _effect("print_when", text + "\n", (holds, *values), values[0])


def require(condition: Any, value: Any, *args: Any) -> Expr:
    """`value`; where `condition` does not hold, the whole call fails with `args` as its message."""
    holds = expression("require", condition)
    if not holds.node.type.is_bool:
        fail("Require condition must be a boolean type.")
    result = expression("require", value)
    text, values = message_of("require", (result, *args))
    message = f"Requirement Failed: ({literal(str(holds))}) {text}"
    return _effect("require", message, (holds, *values), result)
