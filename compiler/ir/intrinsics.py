"""The intrinsic functions of the expression language, each defined once.

`Call(name, args, type, "intrinsic")` must name an entry here. `result` gives the type from the
operands' types; `evaluate` is the meaning on numpy arrays of the operand types (integers exact).
`formula`, where there is one, says the same in simpler operators: what the code generator writes
where the machine has nothing better.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import fixed_point, float_functions
from .c_library import C_FUNCTIONS, c_function
from .nodes import Call, Cast, Expr, Variable
from .types import F32, Bool, Type, UInt


@dataclass(frozen=True)
class Intrinsic:
    """One function: its name, its type rule, its meaning in words and on numpy arrays."""

    name: str
    arity: int
    result: Callable[..., Type]
    meaning: str
    evaluate: Callable[..., Any]
    formula: Callable[..., Expr | None] = lambda *args: None
    """From the operands; None where the function has no formula for their type."""
    one_type: bool = True
    """Whether all operands have one type."""


def _same(type: Type, *_: Type) -> Type:
    return type


def _unsigned(type: Type, *_: Type) -> Type:
    return UInt(type.bits, type.lanes) if type.is_int else type


def _itself(a: Any) -> Any:
    return a


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


def _fused(a: Any, b: Any, c: Any) -> Any:
    """Products of narrower floats are exact in float64. There the sum is rounded to an odd last bit
    where it isn't exact, so that rounding it once more is as good as rounding it once."""
    if a.dtype == np.float64:
        return c_function("fma")(a, b, c)
    with np.errstate(all="ignore"):
        product, added = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
        total = np.atleast_1d(product + added)
        own = total - product
        left = np.broadcast_to((product - (total - own)) + (added - own), total.shape)
        bits = total.view(np.int64)
        is_even = (left != 0) & np.isfinite(left) & (bits & 1 == 0)
        odd = np.where((left > 0) == (total > 0), bits + 1, bits - 1)
        rounded = np.where(is_even, odd, bits).view(np.float64).astype(a.dtype)
    return rounded.reshape(np.broadcast_shapes(product.shape, added.shape))


def _truth(type: Type, *_: Type) -> Type:
    return Bool(type.lanes)


def _evaluated(formula: Callable[..., Expr | None], otherwise: Callable[..., Any]) -> Any:
    """Evaluates `formula` where it is defined for the arrays' type, else `otherwise`."""

    def evaluate(*arrays: Any) -> Any:
        from .evaluate import evaluate as evaluate_node

        first = arrays[0].dtype
        if first.kind != "f":
            return otherwise(*arrays)
        names = [f"x{i}" for i in range(len(arrays))]
        made = formula(*(Variable(n, Type("float", first.itemsize * 8)) for n in names))
        if made is None:
            return otherwise(*arrays)
        return evaluate_node(made, dict(zip(names, arrays, strict=True)))

    return evaluate


def _in_float32(formula: Callable[..., Expr]) -> Callable[..., Expr | None]:
    """`formula`, which is written for float32, for float16 too; nothing for float64."""

    def choose(*args: Expr) -> Expr | None:
        type = args[0].type
        if type.bits == 64:
            return None
        if type.element is F32:
            return formula(*args)
        wide = F32.with_lanes(type.lanes)
        return Cast(type, formula(*(Cast(wide, a) for a in args)))

    return choose


def _by_formula(name: str, formula: Callable[..., Expr], meaning: str) -> Intrinsic:
    """A function of float32 by formula; in float64, where C has it, the C library's."""
    chosen = _in_float32(formula)
    rest = c_function(name) if name in C_FUNCTIONS else np.asarray
    arity = 2 if name.endswith("pow") else 1
    return Intrinsic(name, arity, _same, meaning, _evaluated(chosen, rest), chosen)


_FORMULAS = ("exp", "log", "pow")
_TABLE = (
    Intrinsic("likely", 1, _same, "a; says that the choice it stands in goes its way",
              _itself, _itself),
    Intrinsic("likely_if_innermost", 1, _same, "a; as likely, in an innermost loop",
              _itself, _itself),
    Intrinsic("strict_float", 1, _same, "a, with each of its operations on floats rounded",
              _itself),
    Intrinsic("abs", 1, _unsigned, "|a|; unsigned for signed integers: no overflow", _abs),
    Intrinsic("absd", 2, _unsigned, "|a - b| without overflow, unsigned for integers", _absd),
    Intrinsic("saturating_add", 2, _same, "a + b clamped to the type's range",
              _saturating(lambda a, b: a + b)),
    Intrinsic("saturating_sub", 2, _same, "a - b clamped to the type's range",
              _saturating(lambda a, b: a - b)),
    Intrinsic("halving_add", 2, _same, "(a + b) / 2 rounded down, without overflow",
              fixed_point.halving_add, fixed_point.halving_add_formula),
    Intrinsic("rounding_halving_add", 2, _same, "(a + b + 1) / 2 rounded down, without overflow",
              fixed_point.rounding_halving_add, fixed_point.rounding_halving_add_formula),
    Intrinsic("halving_sub", 2, _same, "(a - b) / 2 rounded down, modulo 2**bits",
              fixed_point.halving_sub, fixed_point.halving_sub_formula),
    Intrinsic("rounding_shift_right", 2, _same,
              "a / 2**b rounded, halves up, for b in (-bits, bits]; modulo 2**bits",
              fixed_point.rounding_shift_right, fixed_point.rounding_shift_right_formula, False),
    Intrinsic("rounding_shift_left", 2, _same,
              "a * 2**b rounded, halves up, for b in [-bits, bits); modulo 2**bits",
              fixed_point.rounding_shift_left, fixed_point.rounding_shift_left_formula, False),
    Intrinsic("mul_shift_right", 3, _same,
              "a * b / 2**q rounded down, clamped to a's type, for q in [0, 2 bits)",
              fixed_point.mul_shift_right, fixed_point.mul_shift_right_formula, False),
    Intrinsic("rounding_mul_shift_right", 3, _same,
              "a * b / 2**q rounded, halves up, clamped to a's type, for q in [0, 2 bits)",
              fixed_point.rounding_mul_shift_right,
              fixed_point.rounding_mul_shift_right_formula, False),
    Intrinsic("popcount", 1, _same, "how many bits are set", fixed_point.popcount),
    Intrinsic("count_leading_zeros", 1, _same, "zeros above the highest bit set",
              fixed_point.count_leading_zeros),
    Intrinsic("count_trailing_zeros", 1, _same, "zeros below the lowest bit set",
              fixed_point.count_trailing_zeros),
    Intrinsic("sqrt", 1, _same, "square root, correctly rounded", np.sqrt),
    Intrinsic("fma", 3, _same, "a * b + c, rounded once", _fused),
    Intrinsic("floor", 1, _same, "largest whole number not above a", np.floor),
    Intrinsic("ceil", 1, _same, "smallest whole number not below a", np.ceil),
    Intrinsic("trunc", 1, _same, "a without its fraction", np.trunc),
    Intrinsic("round", 1, _same, "nearest whole number, ties to even", np.rint),
    Intrinsic("is_nan", 1, _truth, "whether a is no number", np.isnan),
    Intrinsic("is_inf", 1, _truth, "whether a is infinite", np.isinf),
    Intrinsic("is_finite", 1, _truth, "whether a is a number and finite", np.isfinite),
    _by_formula("exp", float_functions.exp_formula, "e to the power a"),
    _by_formula("log", float_functions.log_formula, "natural logarithm"),
    _by_formula("pow", float_functions.pow_formula, "a to the power b"),
    _by_formula("fast_exp", float_functions.fast_exp_formula, "e to the power a, about"),
    _by_formula("fast_log", float_functions.fast_log_formula, "natural logarithm, about"),
    _by_formula("fast_pow", float_functions.fast_pow_formula, "a to the power b, about"),
    _by_formula("fast_sin", float_functions.fast_sin_formula, "sine, about"),
    _by_formula("fast_cos", float_functions.fast_cos_formula, "cosine, about"),
    _by_formula("erf", float_functions.erf_formula, "the error function"),
    *(Intrinsic(name, arity, _same, f"{name}, as the C library has it", c_function(name))
      for name, arity in C_FUNCTIONS.items() if name not in _FORMULAS),
)  # fmt: skip

INTRINSICS: dict[str, Intrinsic] = {entry.name: entry for entry in _TABLE}


def intrinsic(name: str, *args: Expr) -> Expr:
    """The call of an intrinsic, with its result type from the table."""
    entry = INTRINSICS[name]
    mixed = entry.one_type and any(a.type is not args[0].type for a in args)
    if len(args) != entry.arity or mixed:
        raise TypeError(f"{name} takes {entry.arity} operands of one type, not {args}")
    return Call(name, args, entry.result(*(a.type for a in args)), "intrinsic")
