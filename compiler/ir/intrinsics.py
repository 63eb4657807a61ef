"""The intrinsic functions of the expression language, each defined once.

`Call(name, args, type, "intrinsic")` must name an entry here. `result` gives the type from the
operands' types; `evaluate` is the meaning on numpy arrays of the operand types (integers exact).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .nodes import Call, Expr
from .types import Type, UInt


@dataclass(frozen=True)
class Intrinsic:
    """One function: its name, its type rule, its meaning in words and on numpy arrays."""

    name: str
    arity: int
    result: Callable[..., Type]
    meaning: str
    evaluate: Callable[..., Any]


def _same(type: Type, *_: Type) -> Type:
    return type


def _unsigned(type: Type, *_: Type) -> Type:
    return UInt(type.bits, type.lanes) if type.is_int else type


def _abs(a: Any) -> Any:
    if a.dtype.kind != "i":
        return np.abs(a)
    unsigned = a.astype(a.dtype.str.replace("i", "u"))
    return np.where(a < 0, (~unsigned + unsigned.dtype.type(1)), unsigned)


def _absd(a: Any, b: Any) -> Any:
    if a.dtype.kind == "f":
        return np.abs(a - b)
    unsigned = np.dtype(a.dtype.str.replace("i", "u"))
    ua, ub = a.astype(unsigned), b.astype(unsigned)
    return np.where(a < b, ub - ua, ua - ub)


def _saturating(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def evaluate(a: Any, b: Any) -> Any:
        limits = np.iinfo(a.dtype)
        wide = operation(a.astype(object), b.astype(object))
        return np.clip(wide, int(limits.min), int(limits.max)).astype(a.dtype)

    return evaluate


_TABLE = (
    Intrinsic("abs", 1, _unsigned, "|a|; unsigned for signed integers: no overflow", _abs),
    Intrinsic("absd", 2, _unsigned, "|a - b| without overflow, unsigned for integers", _absd),
    Intrinsic("saturating_add", 2, _same, "a + b clamped to the type's range",
              _saturating(lambda a, b: a + b)),
    Intrinsic("saturating_sub", 2, _same, "a - b clamped to the type's range",
              _saturating(lambda a, b: a - b)),
    Intrinsic("sqrt", 1, _same, "square root, correctly rounded", np.sqrt),
    Intrinsic("floor", 1, _same, "largest whole number not above a", np.floor),
    Intrinsic("ceil", 1, _same, "smallest whole number not below a", np.ceil),
    Intrinsic("trunc", 1, _same, "a without its fraction", np.trunc),
    Intrinsic("round", 1, _same, "nearest whole number, ties to even", np.rint),
    Intrinsic("exp", 1, _same, "e to the power a, as the C library has it", np.exp),
    Intrinsic("log", 1, _same, "natural logarithm, as the C library has it", np.log),
    Intrinsic("pow", 2, _same, "a to the power b, as the C library has it", np.power),
    Intrinsic("sin", 1, _same, "sine, as the C library has it", np.sin),
    Intrinsic("cos", 1, _same, "cosine, as the C library has it", np.cos),
)  # fmt: skip

INTRINSICS: dict[str, Intrinsic] = {entry.name: entry for entry in _TABLE}


def intrinsic(name: str, *args: Expr) -> Expr:
    """The call of an intrinsic, with its result type from the table."""
    entry = INTRINSICS[name]
    if len(args) != entry.arity or any(a.type is not args[0].type for a in args):
        raise TypeError(f"{name} takes {entry.arity} operands of one type, not {args}")
    return Call(name, args, entry.result(*(a.type for a in args)), "intrinsic")
