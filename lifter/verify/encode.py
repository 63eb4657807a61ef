"""The Z3 encoder: index expressions as integers, typed expressions as bit-vectors.

The one place where raw z3py operators on bit-vectors appear (they are the signed ones). Every
encoding is compared with the numpy evaluator on all pairs of 8-bit values by a test.

Floats are bit patterns with uninterpreted operations: equal operations on equal operands give equal
results, nothing else is known. With `ieee=True` they are Z3 floating-point numbers (round to
nearest even).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import z3

from compiler.ir import (
    BOOL,
    EQ,
    GE,
    GT,
    I64,
    LE,
    LT,
    NE,
    Add,
    And,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Call,
    Cast,
    Const,
    Div,
    Expr,
    Load,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Not,
    Or,
    Select,
    Shl,
    Shr,
    Sub,
    TruncDiv,
    TruncMod,
    Type,
    Variable,
    column,
    postorder,
)
from compiler.ir.bounds_of_values import value_range as range_of_values
from compiler.ir.operators import Range

from ..dag import Reduce, from_polynomial, polynomial, structural_key, value_range


class IntegerEncoder:
    """Index expressions and formulas over them as Z3 integers; everything else becomes a free atom.

    `facts` collects what the atoms' types and operators say (a byte read from an array lies in
    0..255, and halved in 0..127), given the intervals of leaves that `known` gives when asked.
    """

    def __init__(
        self,
        parameters: dict[str, Type],
        known: Callable[[], Mapping[Expr, Range]] = dict,
        *,
        remainders_are_free: bool = False,
        products_are_free: bool = False,
    ) -> None:
        """With `remainders_are_free` those by other numbers than constants are free, too, but for
        where they lie: what holds then holds of remainders, and is linear. Likewise products of
        numbers that aren't constant with `products_are_free`."""
        self.parameters = parameters
        self._known = known
        self._remainders_are_free = remainders_are_free
        self._products_are_free = products_are_free
        self._products: dict[Expr, Any] = {}
        self.facts: list[z3.BoolRef] = []
        self._atoms: dict[Expr, None] = {}
        self._done: dict[Expr, Any] = {}

    def __call__(self, expr: Expr) -> Any:
        for node in _index_postorder(expr):
            if node not in self._done:
                self._done[node] = self._node(node)
        return self._done[expr]

    def _node(self, e: Expr) -> Any:
        done = self._done
        if isinstance(e, Const):
            return z3.BoolVal(bool(e.value)) if e.type.is_bool else z3.IntVal(int(e.value))
        if isinstance(e, Variable) and e.type is I64:
            made = z3.Int(e.name)
            if e.name in self.parameters:
                self._between(made, *value_range(e.name, self.parameters))
            return made
        if _is_index_operator(e):
            args = [done[c] for c in e.children]
            if self._remainders_are_free and is_remainder(e):
                return self._remainder(e, *args)
            if self._products_are_free and is_product(e):
                return self._product(e)
            return z3.If(*args) if isinstance(e, Select) else _on_integers(e, args)
        return self._atom(e)

    def _remainder(self, e: Expr, a: Any, b: Any) -> Any:
        made = z3.Int(self._name(e))
        self.facts += [
            z3.Implies(b > 0, z3.And(made >= 0, made < b)),
            z3.Implies(b < 0, z3.And(made >= 0, made < -b)),
            z3.Implies(z3.And(a >= 0, a < b), made == a),
        ]
        return made

    def _product(self, e: Expr) -> Any:
        """A sum of products that are numbers of their own, one for all that have its factors."""
        made = z3.IntVal(0)
        for factors, times in polynomial(e).items():
            whole = from_polynomial({factors: 1})
            if len(factors) > 1 and whole not in self._products:
                self._products[whole] = z3.Int(self._name(whole))
            made += times * (self._products[whole] if len(factors) > 1 else self(whole))
        return made

    def _name(self, e: Expr) -> str:
        """A name that no other node has."""
        twins = sum(structural_key(n) == structural_key(e) for n in self._atoms if n is not e)
        self._atoms[e] = None
        return f"|{structural_key(e)}{'#' * twins}|"

    def _atom(self, e: Expr) -> Any:
        name = self._name(e)
        if e.type.is_bool:
            return z3.Bool(name)
        made = z3.Int(name)
        inner = e.value if isinstance(e, Cast) else e
        if inner.type.is_integer:
            known = {} if is_leaf(inner) else self._known()
            self._between(made, *range_of_values(inner, known))
        return made

    def _between(self, value: Any, least: int, most: int) -> None:
        self.facts.append(z3.And(value >= least, value <= most))


def is_product(e: Expr) -> bool:
    """Whether a number is the product of two that aren't constant."""
    return isinstance(e, Mul) and not any(isinstance(c, Const) for c in e.children)


def divides_products(e: Expr) -> bool:
    """Whether a number is a quotient or a remainder, by a constant, of what has products in it."""
    return (
        isinstance(e, Div | Mod) and isinstance(e.b, Const) and any(map(is_product, postorder(e.a)))
    )


def is_remainder(e: Expr) -> bool:
    """Whether a number is Euclid's remainder by another one that isn't constant."""
    return isinstance(e, Mod) and not isinstance(e.b, Const)


def _is_index_operator(e: Expr) -> bool:
    encoding = ENCODINGS.get(type(e))
    known = isinstance(e, Select) or (encoding is not None and encoding.on_integers is not None)
    return known and all(c.type is I64 or c.type.is_bool for c in e.children)


def _on_integers(e: Expr, args: list[Any]) -> Any:
    if isinstance(e, (Div, Mod)) and isinstance(e.b, Const) and e.b.value:
        return args[0] / args[1] if isinstance(e, Div) else args[0] % args[1]
    encode = ENCODINGS[type(e)].on_integers
    assert encode is not None
    return encode(*args)


def _index_postorder(expr: Expr) -> list[Expr]:
    """Nodes of the integer part of `expr`; what stands below an atom isn't looked at."""
    order: list[Expr] = []
    seen: set[Expr] = set()

    def walk(node: Expr) -> None:
        if node in seen:
            return
        seen.add(node)
        if _is_index_operator(node):
            for child in node.children:
                walk(child)
        order.append(node)

    walk(expr)
    return order


Leaf = Callable[[Expr], Any]

_ROUNDING = {"trunc": z3.RTZ, "floor": z3.RTN, "ceil": z3.RTP, "round": z3.RNE}
"""Floats to floats without a fraction."""


class ValueEncoder:
    """Typed expressions as bit-vectors (booleans as Z3 booleans).

    Leaves (variables, loads, image reads, reductions) become free symbols, one a node: a claim
    proven for all values of them holds for the real ones. An int64 variable named like a scalar
    parameter (index expressions have them) is that parameter, extended. Pure functions are
    uninterpreted unless `inline` is given.
    """

    def __init__(
        self,
        parameters: dict[str, Type] | None = None,
        *,
        ieee: bool = False,
        inline: Callable[[Call], Expr] | None = None,
    ) -> None:
        self.parameters = parameters or {}
        self.ieee = ieee
        self.inline = inline
        self.leaves: dict[Expr, Any] = {}
        self._done: dict[Expr, Any] = {}

    def __call__(self, expr: Expr) -> Any:
        for node in value_postorder(expr):
            if node not in self._done:
                self._done[node] = self._node(node)
        return self._done[expr]

    def _node(self, e: Expr) -> Any:
        if isinstance(e, Const):
            return self._constant(e)
        if is_leaf(e):
            return self._leaf(e)
        args = [self._done[c] for c in e.children]
        if isinstance(e, Call):
            if e.kind == "pure":
                return (
                    self(self.inline(e))
                    if self.inline
                    else self._uninterpreted(e.name, e.type, args)
                )
            return self._intrinsic(e, args)
        if isinstance(e, Select):
            return z3.If(*args)
        if isinstance(e, Cast):
            return self._cast(e, args[0])
        operand = e.children[0].type
        if operand.is_float:
            return self._float(e, args)
        if operand.is_bool:
            return _boolean(e, args)
        return bit_vector_operator(type(e), operand, args)

    def _constant(self, e: Const) -> Any:
        if e.type.is_bool:
            return z3.BoolVal(bool(e.value))
        if e.type.is_float:
            if self.ieee:
                return z3.FPVal(e.value, _sort(e.type, True))
            pattern = struct.pack("<f" if e.type.bits == 32 else "<d", e.value)
            return z3.BitVecVal(int.from_bytes(pattern, "little"), e.type.bits)
        return z3.BitVecVal(int(e.value), e.type.bits)

    def _leaf(self, e: Expr) -> Any:
        if isinstance(e, Variable) and e.type is I64:
            declared = self.parameters.get(e.name, I64)
            if declared is not I64:
                return self(Cast(I64, Variable(e.name, declared)))
        # Texts leave out the types of variables: nodes that print alike must not become one symbol.
        twins = sum(structural_key(n) == structural_key(e) for n in self.leaves if n is not e)
        name = f"|{structural_key(e)}:{e.type}{'#' * twins}|"
        made = z3.Const(name, _sort(e.type, self.ieee))
        self.leaves[e] = made
        return made

    def _uninterpreted(self, name: str, type: Type, args: list[Any]) -> Any:
        sorts = [a.sort() for a in args]
        signature = "_".join(str(s) for s in sorts)
        return z3.Function(f"{name}:{signature}", *sorts, _sort(type, self.ieee))(*args)

    def _cast(self, e: Cast, value: Any) -> Any:
        source, target = e.value.type, e.type
        if source is target:
            return value
        if source.is_float or target.is_float:
            if self.ieee:
                return self._ieee_cast(source, target, value)
            return self._uninterpreted(f"cast_{source}_{target}", target, [value])
        if target.is_bool:
            return value != 0
        if source.is_bool:
            return z3.If(value, z3.BitVecVal(1, target.bits), z3.BitVecVal(0, target.bits))
        if target.bits <= source.bits:
            return z3.Extract(target.bits - 1, 0, value) if target.bits < source.bits else value
        extend = z3.SignExt if source.is_int else z3.ZeroExt
        return extend(target.bits - source.bits, value)

    def _ieee_cast(self, source: Type, target: Type, value: Any) -> Any:
        nearest = z3.RNE()
        if target.is_float:
            sort = _sort(target, True)
            if source.is_float:
                return z3.fpFPToFP(nearest, value, sort)
            if source.is_bool:
                return z3.If(value, z3.FPVal(1.0, sort), z3.FPVal(0.0, sort))
            to = z3.fpSignedToFP if source.is_int else z3.fpUnsignedToFP
            return to(nearest, value, sort)
        if target.is_bool:
            return z3.Not(z3.fpIsZero(value))
        to_bits = z3.fpToSBV if target.is_int else z3.fpToUBV
        return to_bits(z3.RTZ(), value, z3.BitVecSort(target.bits))

    def _float(self, e: Expr, args: list[Any]) -> Any:
        kind = type(e)
        if kind is Min:
            return z3.If(self._float_less(args[1], args[0], e.type), args[1], args[0])
        if kind is Max:
            return z3.If(self._float_less(args[0], args[1], e.type), args[1], args[0])
        if not self.ieee:
            if kind is GT:
                return self._float_less(args[1], args[0], e.children[0].type)
            if kind is LT:
                return self._float_less(args[0], args[1], e.children[0].type)
            if kind is NE:
                return z3.Not(self._uninterpreted("EQ", e.type, args))
            if kind is GE:
                return self._uninterpreted("LE", e.type, [args[1], args[0]])
            return self._uninterpreted(kind.__name__, e.type, args)
        encode = ENCODINGS[kind].on_floats
        if encode is not None:
            return encode(*args)
        return self._uninterpreted(kind.__name__, e.type, args)

    def _float_less(self, a: Any, b: Any, type: Type) -> Any:
        return z3.fpLT(a, b) if self.ieee else self._uninterpreted("LT", BOOL, [a, b])

    def _intrinsic(self, e: Call, args: list[Any]) -> Any:
        operand = e.args[0].type
        if e.name == "reinterpret":
            if self.ieee:
                raise TypeError("Z3's floats have one NaN")
            return args[0]
        if operand.is_integer:
            a = args[0]
            if e.name == "abs":
                return z3.If(a < 0, -a, a) if operand.is_int else a
            less = bit_vector_operator(LT, operand, args) if len(args) == 2 else None
            if e.name == "absd":
                return z3.If(less, args[1] - a, a - args[1])
            if e.name in ("saturating_add", "saturating_sub"):
                return _saturating(e.name, operand, a, args[1])
        if self.ieee and e.name == "sqrt":
            return z3.fpSqrt(z3.RNE(), args[0])
        if self.ieee and e.name == "fma":
            return z3.fpFMA(z3.RNE(), *args)
        if self.ieee and e.name in _ROUNDING:
            return z3.fpRoundToIntegral(_ROUNDING[e.name](), args[0])
        if self.ieee and e.name == "abs":
            return z3.fpAbs(args[0])
        return self._uninterpreted(e.name, e.type, args)


def _saturating(name: str, type: Type, a: Any, b: Any) -> Any:
    extend = z3.SignExt if type.is_int else z3.ZeroExt
    wide_a, wide_b = extend(2, a), extend(2, b)
    total = wide_a + wide_b if name == "saturating_add" else wide_a - wide_b
    least, most = z3.BitVecVal(type.min, type.bits + 2), z3.BitVecVal(type.max, type.bits + 2)
    clamped = z3.If(total < least, least, z3.If(total > most, most, total))
    return z3.Extract(type.bits - 1, 0, clamped)


def _boolean(e: Expr, args: list[Any]) -> Any:
    encode = ENCODINGS[type(e)].on_booleans
    if encode is None:
        raise TypeError(f"{e}: no operator on booleans")
    return encode(*args)


def bit_vector_operator(kind: type[Expr], type: Type, args: list[Any]) -> Any:
    """One operator of nodes.py on bit-vectors of `type`, signed or unsigned as the type says."""
    encode = ENCODINGS[kind].on_words
    if encode is None:
        raise TypeError(f"{kind.__name__}: no operator on {type}")
    return encode(type.is_int, *args)


def _euclidean(signed: bool, a: Any, b: Any, quotient: bool) -> Any:
    zero = z3.BitVecVal(0, a.size())
    if not signed:
        return z3.If(b == zero, zero, z3.UDiv(a, b) if quotient else z3.URem(a, b))
    remainder = z3.SRem(a, b)
    negative = remainder < zero
    if quotient:
        found, one = a / b, z3.BitVecVal(1, a.size())
        corrected = z3.If(b > zero, found - one, found + one)
    else:
        found = remainder
        corrected = z3.If(b > zero, remainder + b, remainder - b)
    return z3.If(b == zero, zero, z3.If(negative, corrected, found))


def _truncated(a: Any, b: Any) -> Any:
    magnitude = z3.If(a >= 0, a, -a) / z3.If(b >= 0, b, -b)
    return z3.If((a >= 0) == (b >= 0), magnitude, -magnitude)


def _less(signed: bool, a: Any, b: Any) -> Any:
    return a < b if signed else z3.ULT(a, b)


@dataclass(frozen=True)
class Encoding:
    """What an operator is for Z3, on each of its sorts; None where it has no such operands.

    Integers are unbounded; what they lack becomes a free atom. Orders are told by z3py's methods:
    by symbols, Python would ask the right operand first where that is a number. Words take first
    whether they are signed. Floats are those of `ieee`, rounded to nearest even; what they lack is
    uninterpreted.
    """

    on_integers: Callable[..., Any] | None = None
    on_words: Callable[..., Any] | None = None
    on_booleans: Callable[..., Any] | None = None
    on_floats: Callable[..., Any] | None = None


ENCODINGS = column("Z3", {
    # Z3's integer division is Euclid's; x / 0 and x % 0 are 0 here.
    Div: Encoding(lambda a, b: z3.If(b == 0, z3.IntVal(0), a / b),
                  lambda s, a, b: _euclidean(s, a, b, quotient=True),
                  on_floats=lambda a, b: z3.fpDiv(z3.RNE(), a, b)),
    Mod: Encoding(lambda a, b: z3.If(b == 0, z3.IntVal(0), a % b),
                  lambda s, a, b: _euclidean(s, a, b, quotient=False)),
    TruncDiv: Encoding(_truncated, lambda s, a, b: a / b if s else z3.UDiv(a, b)),
    TruncMod: Encoding(lambda a, b: a - b * _truncated(a, b),
                       lambda s, a, b: z3.SRem(a, b) if s else z3.URem(a, b)),
    Add: Encoding(lambda a, b: a + b, lambda s, a, b: a + b,
                  on_floats=lambda a, b: z3.fpAdd(z3.RNE(), a, b)),
    Sub: Encoding(lambda a, b: a - b, lambda s, a, b: a - b,
                  on_floats=lambda a, b: z3.fpSub(z3.RNE(), a, b)),
    Mul: Encoding(lambda a, b: a * b, lambda s, a, b: a * b,
                  on_floats=lambda a, b: z3.fpMul(z3.RNE(), a, b)),
    Neg: Encoding(lambda a: -a, lambda s, a: -a, on_floats=z3.fpNeg),
    Min: Encoding(lambda a, b: z3.If(a <= b, a, b),
                  lambda s, a, b: z3.If(_less(s, a, b), a, b)),
    Max: Encoding(lambda a, b: z3.If(a >= b, a, b),
                  lambda s, a, b: z3.If(_less(s, a, b), b, a)),
    BitAnd: Encoding(None, lambda s, a, b: a & b, z3.And),
    BitOr: Encoding(None, lambda s, a, b: a | b, z3.Or),
    BitXor: Encoding(None, lambda s, a, b: a ^ b, z3.Xor),
    BitNot: Encoding(None, lambda s, a: ~a, z3.Not),
    Shl: Encoding(None, lambda s, a, b: a << b),
    Shr: Encoding(None, lambda s, a, b: a >> b if s else z3.LShR(a, b)),
    EQ: Encoding(lambda a, b: a == b, lambda s, a, b: a == b, lambda a, b: a == b, z3.fpEQ),
    NE: Encoding(lambda a, b: a != b, lambda s, a, b: a != b, z3.Xor,
                 lambda a, b: z3.Not(z3.fpEQ(a, b))),
    LT: Encoding(z3.ArithRef.__lt__, _less, lambda a, b: z3.And(z3.Not(a), b), z3.fpLT),
    LE: Encoding(z3.ArithRef.__le__, lambda s, a, b: a <= b if s else z3.ULE(a, b),
                 lambda a, b: z3.Or(z3.Not(a), b), z3.fpLEQ),
    GT: Encoding(z3.ArithRef.__gt__, lambda s, a, b: a > b if s else z3.UGT(a, b),
                 lambda a, b: z3.And(a, z3.Not(b)), z3.fpGT),
    GE: Encoding(z3.ArithRef.__ge__, lambda s, a, b: a >= b if s else z3.UGE(a, b),
                 lambda a, b: z3.Or(a, z3.Not(b)), z3.fpGEQ),
    And: Encoding(z3.And, on_booleans=z3.And),
    Or: Encoding(z3.Or, on_booleans=z3.Or),
    Not: Encoding(z3.Not, on_booleans=z3.Not),
})  # fmt: skip


def is_leaf(e: Expr) -> bool:
    """Whether a node of a typed expression stands for a free value."""
    return isinstance(e, (Variable, Load, Reduce)) or (
        isinstance(e, Call) and e.kind in ("func", "image")
    )


def value_postorder(expr: Expr) -> list[Expr]:
    """Nodes of a typed expression, operands first; what stands below a leaf isn't looked at."""
    order: list[Expr] = []
    seen: set[Expr] = set()

    def walk(node: Expr) -> None:
        if node in seen:
            return
        seen.add(node)
        if not is_leaf(node):
            for child in node.children:
                walk(child)
        order.append(node)

    walk(expr)
    return order


def _sort(type: Type, ieee: bool) -> Any:
    if type.is_bool:
        return z3.BoolSort()
    if type.is_float and ieee:
        return {16: z3.Float16, 32: z3.Float32, 64: z3.Float64}[type.bits]()
    return z3.BitVecSort(type.bits)
