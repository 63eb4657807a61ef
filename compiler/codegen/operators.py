"""Unary and binary operators: one LLVM translation for each node class of the language."""

from __future__ import annotations

from collections.abc import Callable

from .. import ir
from ..ir import Bool, Const, Expr, Type, column
from . import division
from .builder import FunctionBuilder, Value
from .llvm_types import intrinsic_suffix, register_type, splat

Translation = Callable[[FunctionBuilder, Type, Value, Value, Expr], Value]
"""From the function, the operands' type, the operands, and the right operand's expression."""


def constant_in(expr: Expr) -> int | None:
    """The integer that `expr` is in every lane, if it is a constant."""
    if isinstance(expr, ir.Broadcast):
        expr = expr.value
    return int(expr.value) if isinstance(expr, Const) and expr.type.is_integer else None


def call_intrinsic(
    f: FunctionBuilder, name: str, type: Type, *args: Value, extra: str = ""
) -> Value:
    """Calls LLVM's intrinsic `name` on values of `type`, and on the literal operand `extra`."""
    register = register_type(type)
    parameters = ", ".join([register] * len(args) + (["i1"] if extra else []))
    callee = f.module.declare(f"llvm.{name}.{intrinsic_suffix(type)}", register, parameters)
    operands = ", ".join([*map(str, args), *([extra] if extra else [])])
    return f.emit(register, f"call {register} {callee}({operands})")


def fenced(f: FunctionBuilder, type: Type, value: Value) -> Value:
    """A minimum or maximum of floats that LLVM doesn't merge with the next one.

    LLVM 22 takes `max(max(x, y), y)` for `max(x, y)`; written as compare and select the two differ
    where x is NaN. The fence is no instruction, and each of the two still becomes one.
    """
    return call_intrinsic(f, "arithmetic.fence", type, value)


def _plain(integer: str, floating: str) -> Translation:
    def translate(f: FunctionBuilder, type: Type, a: Value, b: Value, _: Expr) -> Value:
        if not type.is_float:
            return f.emit(a.type, f"{integer} {a}, {b.text}")
        # bfloat16's operations round one by one: that is what they are.
        free = " contract" if f.contracts_floats and type.code != "bfloat" else ""
        return f.emit(a.type, f"{floating}{free} {a}, {b.text}")

    return translate


def _bitwise(op: str) -> Translation:
    return _plain(op, op)


def _shift(left: bool) -> Translation:
    def translate(f: FunctionBuilder, type: Type, a: Value, b: Value, right: Expr) -> Value:
        op = "shl" if left else "ashr" if type.is_int else "lshr"
        result = f.emit(a.type, f"{op} {a}, {b.text}")
        amount = constant_in(right)
        if amount is not None and 0 <= amount < type.bits:
            return result
        # Frozen, because an amount out of range must not make other code undefined.
        return f.emit(a.type, f"freeze {result}")

    return translate


def _extreme(smaller: bool) -> Translation:
    def translate(f: FunctionBuilder, type: Type, a: Value, b: Value, _: Expr) -> Value:
        if type.is_integer:
            name = ("s" if type.is_int else "u") + ("min" if smaller else "max")
            return call_intrinsic(f, name, type, a, b)
        first, second = (b, a) if smaller else (a, b)
        condition = register_type(Bool(type.lanes))
        wins = f.emit(condition, f"fcmp olt {first}, {second.text}")
        return fenced(f, type, f.emit(a.type, f"select {wins}, {b}, {a}"))

    return translate


def _comparison(signed: str, unsigned: str, floating: str) -> Translation:
    def translate(f: FunctionBuilder, type: Type, a: Value, b: Value, _: Expr) -> Value:
        condition = register_type(Bool(type.lanes))
        if type.is_float:
            return f.emit(condition, f"fcmp {floating} {a}, {b.text}")
        return f.emit(condition, f"icmp {signed if type.is_int else unsigned} {a}, {b.text}")

    return translate


def _division(
    integers: Callable[[FunctionBuilder, Type, Value, Value, int | None, bool], Value],
    floats: Callable[[FunctionBuilder, Type, Value, Value], Value] | None,
) -> Translation:
    def translate(f: FunctionBuilder, type: Type, a: Value, b: Value, right: Expr) -> Value:
        if type.is_float and floats is not None:
            return floats(f, type, a, b)
        return integers(f, type, a, b, constant_in(right), isinstance(right, ir.Broadcast))

    return translate


def _float_quotient(f: FunctionBuilder, type: Type, a: Value, b: Value) -> Value:
    return f.emit(a.type, f"fdiv {a}, {b.text}")


def _float_remainder(f: FunctionBuilder, type: Type, a: Value, b: Value) -> Value:
    """a - b * floor(a / b), each step rounded."""
    whole = call_intrinsic(f, "floor", type, f.emit(a.type, f"fdiv {a}, {b.text}"))
    return f.emit(a.type, f"fsub {a}, {f.emit(a.type, f'fmul {b}, {whole.text}').text}")


PREDICATES: dict[type[Expr], tuple[str, str, str]] = {
    ir.EQ: ("eq", "eq", "oeq"),
    ir.NE: ("ne", "ne", "une"),
    ir.LT: ("slt", "ult", "olt"),
    ir.LE: ("sle", "ule", "ole"),
    ir.GT: ("sgt", "ugt", "ogt"),
    ir.GE: ("sge", "uge", "oge"),
}
"""LLVM's names of the comparisons: of signed and unsigned integers, of floats."""

BINARY: dict[type[Expr], Translation] = {
    ir.Add: _plain("add", "fadd"),
    ir.Sub: _plain("sub", "fsub"),
    ir.Mul: _plain("mul", "fmul"),
    ir.Div: _division(division.euclidean_quotient, _float_quotient),
    ir.Mod: _division(division.euclidean_remainder, _float_remainder),
    ir.TruncDiv: _division(division.truncated_quotient, None),
    ir.TruncMod: _division(division.truncated_remainder, None),
    ir.Min: _extreme(smaller=True),
    ir.Max: _extreme(smaller=False),
    ir.BitAnd: _bitwise("and"),
    ir.BitOr: _bitwise("or"),
    ir.BitXor: _bitwise("xor"),
    ir.Shl: _shift(left=True),
    ir.Shr: _shift(left=False),
    **{kind: _comparison(*names) for kind, names in PREDICATES.items()},
    ir.And: _bitwise("and"),
    ir.Or: _bitwise("or"),
}


def _negated(f: FunctionBuilder, type: Type, a: Value) -> Value:
    if type.is_float:
        return f.emit(a.type, f"fneg {a}")
    return f.emit(a.type, f"sub {a.type} {'zeroinitializer' if type.lanes > 1 else '0'}, {a.text}")


def _inverted(f: FunctionBuilder, type: Type, a: Value) -> Value:
    ones = "true" if type.is_bool else "-1"
    return f.emit(a.type, f"xor {a}, {splat(f'i{type.bits}', ones, type.lanes)}")


UNARY: dict[type[Expr], Callable[[FunctionBuilder, Type, Value], Value]] = {
    ir.Neg: _negated,
    ir.BitNot: _inverted,
    ir.Not: _inverted,
}

column("LLVM", {**BINARY, **UNARY})
