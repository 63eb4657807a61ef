"""Formulas over IR nodes in ordinary notation, for functions defined by simpler operators."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from . import nodes as n
from .nodes import Expr
from .types import Int, Type, UInt


class Formula:
    """A node with Python's operators: exactly the node that each is named after, nothing folded.

    A Python number takes the type (and the lanes) of the operand beside it. `>>` and `<<` need an
    amount in [0, bits); `/` and `%` are Euclid's for integers.
    """

    __slots__ = ("node",)

    def __init__(self, node: Expr) -> None:
        self.node = node

    @property
    def type(self) -> Type:
        return self.node.type

    def like(self, value: int | float) -> Formula:
        """The constant `value` in this formula's type."""
        return Formula(n.const(value, self.type))

    def _with(self, kind: builtins.type[n.Binary], other: Formula | int | float) -> Formula:
        right = other if isinstance(other, Formula) else self.like(other)
        return Formula(kind(self.node, right.node))

    def __add__(self, other: Formula | int | float) -> Formula:
        return self._with(n.Add, other)

    def __sub__(self, other: Formula | int | float) -> Formula:
        return self._with(n.Sub, other)

    def __rsub__(self, other: int | float) -> Formula:
        return self.like(other) - self

    def __radd__(self, other: int | float) -> Formula:
        return self.like(other) + self

    def __mul__(self, other: Formula | int | float) -> Formula:
        return self._with(n.Mul, other)

    def __rmul__(self, other: int | float) -> Formula:
        return self.like(other) * self

    def __truediv__(self, other: Formula | int | float) -> Formula:
        return self._with(n.Div, other)

    def __rtruediv__(self, other: int | float) -> Formula:
        return self.like(other) / self

    def __mod__(self, other: Formula | int | float) -> Formula:
        return self._with(n.Mod, other)

    def __rmod__(self, other: int | float) -> Formula:
        return self.like(other) % self

    def __and__(self, other: Formula | int) -> Formula:
        return self._with(n.And if self.type.is_bool else n.BitAnd, other)

    def __or__(self, other: Formula | int) -> Formula:
        return self._with(n.Or if self.type.is_bool else n.BitOr, other)

    def __xor__(self, other: Formula | int) -> Formula:
        return self._with(n.BitXor, other)

    def __lshift__(self, other: Formula | int) -> Formula:
        return self._with(n.Shl, other)

    def __rshift__(self, other: Formula | int) -> Formula:
        return self._with(n.Shr, other)

    def __neg__(self) -> Formula:
        return Formula(n.Neg(self.node))

    def __invert__(self) -> Formula:
        return Formula((n.Not if self.type.is_bool else n.BitNot)(self.node))

    def __lt__(self, other: Formula | int | float) -> Formula:
        return self._with(n.LT, other)

    def __le__(self, other: Formula | int | float) -> Formula:
        return self._with(n.LE, other)

    def __gt__(self, other: Formula | int | float) -> Formula:
        return self._with(n.GT, other)

    def __ge__(self, other: Formula | int | float) -> Formula:
        return self._with(n.GE, other)

    def equals(self, other: Formula | int | float) -> Formula:
        return self._with(n.EQ, other)

    def differs(self, other: Formula | int | float) -> Formula:
        return self._with(n.NE, other)

    def min(self, other: Formula | int | float) -> Formula:
        """`other < self ? other : self`, so a NaN in `self` stays."""
        return self._with(n.Min, other)

    def max(self, other: Formula | int | float) -> Formula:
        """`self < other ? other : self`, so a NaN in `self` stays."""
        return self._with(n.Max, other)

    def to(self, type: Type) -> Formula:
        """Converted to the element type of `type`, with as many lanes as here."""
        wanted = type.with_lanes(self.type.lanes)
        return self if wanted is self.type else Formula(n.Cast(wanted, self.node))

    def bits_as(self, type: Type) -> Formula:
        """The same bits as a value of `type`, of equal size."""
        return Formula(reinterpreted(type.with_lanes(self.type.lanes), self.node))

    def call(self, name: str, *others: Formula) -> Formula:
        """Intrinsic `name` of this and `others`; the result has this formula's type."""
        args = (self.node, *(o.node for o in others))
        return Formula(n.Call(name, args, self.type, "intrinsic"))

    def polynomial(self, coefficients: Sequence[float]) -> Formula:
        """c0 + c1 x + c2 x^2 + ..., from the highest power down, each step rounded."""
        value = self.like(coefficients[-1])
        for c in reversed(coefficients[:-1]):
            value = value * self + c
        return value


def select(condition: Formula, a: Formula, b: Formula | int | float) -> Formula:
    other = b if isinstance(b, Formula) else a.like(b)
    return Formula(n.Select(condition.node, a.node, other.node))


def reinterpreted(type: Type, node: Expr) -> Expr:
    """The bits of `node` as a value of `type`; raises `TypeError` for another size."""
    source = node.type
    if source.bits * source.lanes != type.bits * type.lanes or source.lanes != type.lanes:
        raise TypeError(f"the bits of {source} are no value of {type}")
    if source is type:
        return node
    if source.is_integer and type.is_integer:
        return n.Cast(type, node)
    return n.Call("reinterpret", (node,), type, "intrinsic")


def widened(type: Type) -> Type:
    """The type with twice the bits; a boolean becomes uint8's half, as Halide has it."""
    return Type(type.code, 8 if type.bits == 1 else type.bits * 2, type.lanes)


def signed(type: Type) -> Type:
    return Int(type.bits, type.lanes)


def unsigned(type: Type) -> Type:
    return UInt(type.bits, type.lanes)
