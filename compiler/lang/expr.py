"""`Expr`: what the user's operators build, a node of the IR and what it refers to; and `Type`, what
a program sees of a node's type."""

from __future__ import annotations

import enum
import numbers
from typing import Any, ClassVar, Final

import numpy as np

from .. import ir
from ..ir import nodes as n
from . import type_matching
from .errors import fail
from .names import PARAMETER_MARK
from .type_matching import cast_node, literal, literal_as, match_bitwise, match_types

Sources = frozenset[Any]
"""The stages, images, parameters and reduction domains that an expression refers to: the IR names
them, the wrapper keeps them alive."""

_NONE: Sources = frozenset()


class Convertible:
    """What stands for an `Expr` and has its operators: a `Var`, a `Param`, a stage's value."""

    __slots__ = ()

    def _expr(self) -> Expr:
        raise NotImplementedError

    def __hash__(self) -> int:
        return id(self)

    def __bool__(self) -> bool:
        # The real package raises ValueError here, so that `x in list` and `and` fail alike.
        raise ValueError(
            f"The Expr ({self._expr()}) cannot be converted to a bool; "
            "use & | ~ and hl.select in place of and, or, not and if."
        )

    def __add__(self, other: Any) -> Expr:
        return _arithmetic(n.Add, self, other)

    def __radd__(self, other: Any) -> Expr:
        return _arithmetic(n.Add, other, self)

    def __sub__(self, other: Any) -> Expr:
        return _arithmetic(n.Sub, self, other)

    def __rsub__(self, other: Any) -> Expr:
        return _arithmetic(n.Sub, other, self)

    def __mul__(self, other: Any) -> Expr:
        return _arithmetic(n.Mul, self, other)

    def __rmul__(self, other: Any) -> Expr:
        return _arithmetic(n.Mul, other, self)

    def __truediv__(self, other: Any) -> Expr:
        return _arithmetic(n.Div, self, other)

    def __rtruediv__(self, other: Any) -> Expr:
        return _arithmetic(n.Div, other, self)

    def __floordiv__(self, other: Any) -> Expr:
        return _floor_divide(self, other)

    def __rfloordiv__(self, other: Any) -> Expr:
        return _floor_divide(other, self)

    def __mod__(self, other: Any) -> Expr:
        return _arithmetic(n.Mod, self, other)

    def __rmod__(self, other: Any) -> Expr:
        return _arithmetic(n.Mod, other, self)

    def __pow__(self, other: Any) -> Expr:
        return power(self, other)

    def __rpow__(self, other: Any) -> Expr:
        return power(other, self)

    def __and__(self, other: Any) -> Expr:
        return _bitwise(n.BitAnd, self, other)

    def __rand__(self, other: Any) -> Expr:
        return _bitwise(n.BitAnd, other, self)

    def __or__(self, other: Any) -> Expr:
        return _bitwise(n.BitOr, self, other)

    def __ror__(self, other: Any) -> Expr:
        return _bitwise(n.BitOr, other, self)

    def __xor__(self, other: Any) -> Expr:
        return _bitwise(n.BitXor, self, other)

    def __rxor__(self, other: Any) -> Expr:
        return _bitwise(n.BitXor, other, self)

    def __lshift__(self, other: Any) -> Expr:
        return shifted(n.Shl, self, other)

    def __rlshift__(self, other: Any) -> Expr:
        return shifted(n.Shl, other, self)

    def __rshift__(self, other: Any) -> Expr:
        return shifted(n.Shr, self, other)

    def __rrshift__(self, other: Any) -> Expr:
        return shifted(n.Shr, other, self)

    def __neg__(self) -> Expr:
        e = self._expr()
        if e.node.type.is_float:
            # Halide's own -a is 0 - a: it has no other negation of floats.
            return Expr.of(n.Sub(ir.const(0.0, e.node.type), e.node), e)
        # Modulo 2, a boolean is its own negative.
        return e if e.node.type.is_bool else Expr.of(n.Neg(e.node), e)

    def __invert__(self) -> Expr:
        e = self._expr()
        if e.node.type.is_float:
            fail("Argument to bitwise not must be an integer or unsigned integer")
        return Expr.of((n.Not if e.node.type.is_bool else n.BitNot)(e.node), e)

    def logical_not(self) -> Expr:
        """True where this is false."""
        e = self._expr()
        if not e.node.type.is_bool:
            fail("argument of Not is not a bool")
        return Expr.of(n.Not(e.node), e)

    def __lt__(self, other: Any) -> Expr:
        return _compare(n.LT, self, other)

    def __le__(self, other: Any) -> Expr:
        return _compare(n.LE, self, other)

    def __gt__(self, other: Any) -> Expr:
        return _compare(n.GT, self, other)

    def __ge__(self, other: Any) -> Expr:
        return _compare(n.GE, self, other)

    def __eq__(self, other: Any) -> Expr:  # type: ignore[override]
        return _compare(n.EQ, self, other)

    def __ne__(self, other: Any) -> Expr:  # type: ignore[override]
        return _compare(n.NE, self, other)


class Expr(Convertible):
    """A value: `node` in the IR and `sources`, what it refers to. `Expr()` is undefined."""

    __slots__ = ("_node", "sources")
    _node: ir.Expr | None
    sources: Sources

    def __init__(self, value: Any = None) -> None:
        if value is None:
            self._node, self.sources = None, _NONE
        else:
            other = as_expr(value)
            self._node, self.sources = other._node, other.sources

    @classmethod
    def of(cls, node: ir.Expr, *parts: Expr, extra: Sources = _NONE) -> Expr:
        """`node`, referring to all that `parts` refer to and to `extra`."""
        made: Expr = object.__new__(cls)
        made._node = node
        sources = extra
        for part in parts:
            if part.sources is not sources and part.sources:
                sources = sources | part.sources if sources else part.sources
        made.sources = sources
        return made

    @property
    def node(self) -> ir.Expr:
        if self._node is None:
            fail("An undefined Expr was used.")
        return self._node

    def _expr(self) -> Expr:
        return self

    def defined(self) -> bool:
        return self._node is not None

    def type(self) -> Type:
        return Type.of(self.node.type)

    def __repr__(self) -> str:
        if self._node is None:
            return "<undefined Expr>"
        return f"<Expr of type {self._node.type}: {self}>"

    def __str__(self) -> str:
        if self._node is None:
            return "<undefined Expr>"
        return str(self._node).replace(PARAMETER_MARK, "")


def as_expr(value: Any) -> Expr:
    """`value` as an `Expr`: a Python or numpy number by Halide's rule for literals, or something
    that stands for one. Raises `TypeError` for anything else, as the real package's bindings do."""
    if isinstance(value, Convertible):
        return value._expr()
    if isinstance(value, (bool, np.bool_)):
        return Expr.of(literal(bool(value)))
    if isinstance(value, numbers.Integral):
        return Expr.of(literal(int(value)))
    if isinstance(value, numbers.Real):
        return Expr.of(literal(float(value)))
    raise TypeError(
        f"incompatible function arguments: a {type(value).__name__} ({value!r}) is no Expr"
    )


def _is_integer_literal(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, Convertible)


def _operands(a: Any, b: Any) -> tuple[Expr, Expr]:
    _check_operand(a)
    _check_operand(b)
    if _is_integer_literal(b):
        left = as_expr(a)
        return left, Expr.of(literal_as(left.node.type, int(b)))
    if _is_integer_literal(a):
        right = as_expr(b)
        return Expr.of(literal_as(right.node.type, int(a))), right
    return as_expr(a), as_expr(b)


def _check_operand(value: Any) -> None:
    if not isinstance(value, (Convertible, numbers.Real, np.bool_)):
        raise TypeError(f"unsupported operand: {value!r} of type {type(value).__name__}")


def _arithmetic(kind: type[n.Binary], a: Any, b: Any) -> Expr:
    left, right = _operands(a, b)
    x, y = match_types(left.node, right.node)
    node = _of_booleans(kind, x, y) if x.type.is_bool else kind(x, y)
    return Expr.of(node, left, right)


def _of_booleans(kind: type[n.Binary], x: n.Expr, y: n.Expr) -> n.Expr:
    """Arithmetic modulo 2."""
    if kind is n.Mod:
        return ir.const(0, x.type)
    return n.And(x, y) if kind in (n.Mul, n.Div) else n.NE(x, y)


def _floor_divide(a: Any, b: Any) -> Expr:
    quotient = _arithmetic(n.Div, a, b)
    if quotient.node.type.is_float:
        return Expr.of(ir.intrinsic("floor", quotient.node), quotient)
    return quotient


def power(base: Any, exponent: Any) -> Expr:
    """`base` to the power `exponent`: by products for a constant whole exponent, as Halide does."""
    e, p = as_expr(base), as_expr(exponent)
    if isinstance(p.node, ir.Const) and p.node.type.is_integer:
        return Expr.of(_repeated_product(e.node, int(p.node.value)), e)
    wide = ir.F64 if ir.F64 in (e.node.type, p.node.type) else ir.F32
    return Expr.of(ir.intrinsic("pow", cast_node(wide, e.node), cast_node(wide, p.node)), e, p)


def _repeated_product(base: n.Expr, exponent: int) -> n.Expr:
    if exponent < 0:
        return n.Div(ir.const(1, base.type), _repeated_product(base, -exponent))
    if exponent == 0:
        return ir.const(1, base.type)
    if exponent == 1:
        return base
    half = _repeated_product(base, exponent // 2)
    return n.Mul(half, half) if exponent % 2 == 0 else n.Mul(n.Mul(half, half), base)


def _compare(kind: type[n.Binary], a: Any, b: Any) -> Expr:
    left, right = _operands(a, b)
    return Expr.of(kind(*match_types(left.node, right.node)), left, right)


_WORDS: dict[type[n.Binary], str] = {
    n.BitAnd: "bitwise and",
    n.BitOr: "bitwise or",
    n.BitXor: "bitwise xor",
}
_LOGICAL: dict[type[n.Binary], type[n.Binary]] = {n.BitAnd: n.And, n.BitOr: n.Or, n.BitXor: n.NE}


def _bitwise(kind: type[n.Binary], a: Any, b: Any) -> Expr:
    left, right = _operands(a, b)
    x, y = match_bitwise(left.node, right.node, _WORDS[kind])
    return Expr.of((_LOGICAL[kind] if x.type.is_bool else kind)(x, y), left, right)


def shifted(kind: type[n.Binary], a: Any, b: Any) -> Expr:
    """Halide's shift: the wider width, the left operand's sign; a negative amount shifts back.

    An amount of the width or more gives what shifting bit by bit gives.
    """
    if _is_integer_literal(b):
        _check_operand(a)
        left = as_expr(a)
        bits = left.node.type.bits
        # As an amount it has the left operand's width, and must be one of its values.
        literal_as(ir.UInt(bits), abs(int(b)))
        right = Expr.of(literal(int(b)))
    else:
        left, right = _operands(a, b)
        bits = max(left.node.type.bits, right.node.type.bits)
    x, y = left.node, right.node
    if not (x.type.is_integer and y.type.is_integer):
        fail(f"Arguments to a shift must be integers; they are {x.type} and {y.type}.")
    x = cast_node(ir.Type(x.type.code, bits), x)
    if isinstance(y, ir.Const):
        return Expr.of(_by_constant(kind, x, int(y.value)), left, right)
    y = cast_node(ir.Type(y.type.code, bits), y)
    other = n.Shr if kind is n.Shl else n.Shl
    made: n.Expr = kind(x, cast_node(x.type, y))
    if may_be_negative(y):
        back = other(x, cast_node(x.type, n.Neg(y)))
        made = n.Select(n.LT(y, ir.const(0, y.type)), back, made)
    return Expr.of(made, left, right)


def _by_constant(kind: type[n.Binary], x: n.Expr, amount: int) -> n.Expr:
    if amount < 0:
        kind, amount = (n.Shr if kind is n.Shl else n.Shl), -amount
    if amount >= x.type.bits:
        if kind is n.Shl or x.type.is_uint:
            return ir.const(0, x.type)
        amount = x.type.bits - 1
    return kind(x, ir.const(amount, x.type))


def may_be_negative(node: ir.Expr) -> bool:
    """Whether a shift by `node` must look at its sign: at a glance, without ranges."""
    if node.type.is_uint:
        return False
    if isinstance(node, n.BitAnd):
        return all(map(may_be_negative, node.children))
    if isinstance(node, n.Const):
        return node.value < 0
    if isinstance(node, n.Cast) and node.value.type.is_integer:
        if node.value.type.is_uint:
            return node.value.type.bits >= node.type.bits
        return node.value.type.bits > node.type.bits or may_be_negative(node.value)
    return True


class TypeCode(enum.Enum):
    """What programs call the code of a type; a bfloat counts as `Float`."""

    Int = 0
    UInt = 1
    Float = 2
    Handle = 3


class _Number(int):
    """An integer property of a type: `t.bits` and `t.bits()` are the same number."""

    def __call__(self) -> int:
        return int(self)


class _Answer(int):
    """A yes or no about a type, true or false with and without being called."""

    def __call__(self) -> bool:
        return bool(self)


class _Code(str):
    """The code of a type, a text; called, it is Halide's `TypeCode`."""

    __slots__ = ()

    def __call__(self) -> TypeCode:
        return TypeCode.Float if self == "bfloat" else _TYPE_CODES[self]


_TYPE_CODES: Final = {code.name.lower(): code for code in TypeCode}


class _Limit(int):
    """The smallest or largest value of a type; called, it is an `Expr`, infinite for floats."""

    type: ir.Type

    def __call__(self) -> Expr:
        if self.type.is_float:
            return Expr.of(ir.const(float("inf") if self > 0 else float("-inf"), self.type))
        return Expr.of(ir.const(int(self), self.type))


class Type:
    """A number format and a lane count as programs see it: the IR's type, wrapped.

    Programs in Halide's dialect call its properties (`t.bits()`), others read them (`t.bits`): both
    work, because each is a number (or a text) that may be called. Two equal types are one object.
    """

    __slots__ = (
        "bits", "bytes", "code", "ir_type", "is_bfloat", "is_bool", "is_float", "is_int",
        "is_scalar", "is_uint", "is_vector", "lanes", "max", "min",
    )  # fmt: skip
    _interned: ClassVar[dict[ir.Type, Type]] = {}

    ir_type: ir.Type
    """The type of the nodes."""
    code: _Code
    bits: _Number
    bytes: _Number
    lanes: _Number
    is_bool: _Answer
    is_int: _Answer
    is_uint: _Answer
    is_float: _Answer
    is_bfloat: _Answer
    is_scalar: _Answer
    is_vector: _Answer
    min: _Limit
    max: _Limit

    def __new__(cls, code: TypeCode | str, bits: int, lanes: int = 1) -> Type:
        name = code.name.lower() if isinstance(code, TypeCode) else str(code)
        return cls.of(ir.Type(name, int(bits), int(lanes)))

    @classmethod
    def of(cls, type: ir.Type) -> Type:
        """The type of nodes of `type`."""
        found = cls._interned.get(type)
        if found is not None:
            return found
        made = object.__new__(cls)
        made.ir_type, made.code = type, _Code(type.code)
        for number in ("bits", "bytes", "lanes"):
            setattr(made, number, _Number(getattr(type, number)))
        for answer in ("bool", "int", "uint", "float", "bfloat", "scalar", "vector"):
            setattr(made, f"is_{answer}", _Answer(getattr(type, f"is_{answer}")))
        made.min, made.max = _Limit(type.min), _Limit(type.max)
        made.min.type = made.max.type = type
        cls._interned[type] = made
        return made

    def __reduce__(self) -> tuple[type[Type], tuple[str, int, int]]:
        return Type, (self.ir_type.code, self.ir_type.bits, self.ir_type.lanes)

    def __repr__(self) -> str:
        return repr(self.ir_type)

    def with_lanes(self, lanes: int) -> Type:
        return Type(self.code, self.bits, lanes)

    def with_bits(self, bits: int) -> Type:
        return Type(self.code, bits, self.lanes)

    def with_code(self, code: TypeCode | str) -> Type:
        return Type(code, self.bits, self.lanes)

    def element_of(self) -> Type:
        """The scalar type of one lane."""
        return Type.of(self.ir_type.element)

    def is_handle(self) -> bool:
        """Whether values are addresses; this compiler's values never are."""
        return False

    def same_handle_type(self, other: Type) -> bool:
        """Whether both are addresses of the same thing, or neither is an address."""
        return True

    def is_max(self, value: int) -> bool:
        return not self.ir_type.is_float and value == self.ir_type.max

    def is_min(self, value: int) -> bool:
        return not self.ir_type.is_float and value == self.ir_type.min

    def can_represent(self, other: Type | float) -> bool:
        """Whether every value of the type `other` (or that number) is a value of this type."""
        if isinstance(other, Type):
            return self.ir_type.can_represent(other.ir_type)
        return self.ir_type.contains(int(other)) if self.ir_type.is_integer else True


def Int(bits: int, lanes: int = 1) -> Type:
    return Type("int", bits, lanes)


def UInt(bits: int, lanes: int = 1) -> Type:
    return Type("uint", bits, lanes)


def Float(bits: int, lanes: int = 1) -> Type:
    return Type("float", bits, lanes)


def BFloat(bits: int, lanes: int = 1) -> Type:
    return Type("bfloat", bits, lanes)


def Bool(lanes: int = 1) -> Type:
    return Type("uint", 1, lanes)


__all__ = [
    "BFloat",
    "Bool",
    "Convertible",
    "Expr",
    "Float",
    "Int",
    "Sources",
    "Type",
    "TypeCode",
    "UInt",
    "as_expr",
    "may_be_negative",
    "power",
    "type_matching",
]
