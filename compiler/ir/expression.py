"""What every node of the expression language is: interned, typed, immutable (see `nodes`)."""

from __future__ import annotations

import math
import struct
from typing import Any, ClassVar, Self, cast
from weakref import WeakValueDictionary

from .types import Type


class Expr:
    """Base of all nodes. `fields` names the constructor's arguments in order."""

    __slots__ = ("__weakref__", "type")
    fields: ClassVar[tuple[str, ...]] = ()
    _interned: ClassVar[WeakValueDictionary[Any, Expr]] = WeakValueDictionary()
    type: Type

    def __new__(cls, *args: Any) -> Self:
        key = cls._key(*args)
        found = Expr._interned.get(key)
        if found is not None:
            return cast(Self, found)
        made = object.__new__(cls)
        made.type = cls._check(*args)
        for name, value in zip(cls.fields, args, strict=True):
            setattr(made, name, value)
        Expr._interned[key] = made
        return made

    @classmethod
    def _key(cls, *args: Any) -> tuple[Any, ...]:
        return (cls, *args)

    @classmethod
    def _check(cls, *args: Any) -> Type:
        """The node's type; raises `TypeError` when the operands don't fit."""
        raise NotImplementedError

    @property
    def children(self) -> tuple[Expr, ...]:
        """The operand expressions, in order."""
        return ()

    def rebuild(self, children: tuple[Expr, ...]) -> Expr:
        """The same node over other operands (`self` when they are the same)."""
        return self

    def __reduce__(self) -> Any:
        return type(self), tuple(getattr(self, name) for name in self.fields)

    def __repr__(self) -> str:
        from .printer import to_text

        return to_text(self)


def ill_typed(cls: type[Expr], *args: object) -> TypeError:
    """The error of a node whose operands don't fit."""
    shown = ", ".join(f"{a}: {a.type}" if isinstance(a, Expr) else repr(a) for a in args)
    return TypeError(f"{cls.__name__}({shown}) is not well typed")


class Const(Expr):
    """A number: `value` is an int in the type's range, or a float rounded to the type."""

    __slots__ = ("value",)
    fields = ("type", "value")
    value: int | float

    def __new__(cls, type: Type, value: int | float) -> Const:
        if type.is_float:
            value = rounded(type, value)
            key: Any = (cls, type, struct.pack("<d", value))
        else:
            value = int(value)
            if not type.contains(value):
                raise TypeError(f"{value} is not a value of {type}")
            key = (cls, type, value)
        found = Expr._interned.get(key)
        if found is not None:
            return found  # type: ignore[return-value]
        made: Const = object.__new__(cls)
        made.type, made.value = type, value
        Expr._interned[key] = made
        return made


def rounded(type: Type, value: int | float) -> float:
    """`value` rounded to nearest even in a float type; too large a value is infinite."""
    try:
        exact = float(value)
    except OverflowError:
        exact = math.inf if value > 0 else -math.inf
    if type.bits == 64:
        return exact
    if type.code == "bfloat":
        return _to_bfloat(exact)
    try:
        pattern = _PATTERNS[type.bits]
        return float(struct.unpack(pattern, struct.pack(pattern, exact))[0])
    except OverflowError:
        return math.copysign(math.inf, exact)


_PATTERNS = {16: "<e", 32: "<f"}


def _to_bfloat(value: float) -> float:
    """Eight bits of significand, of the value as float32 has it (as conversions round)."""
    try:
        bits = int.from_bytes(struct.pack("<f", value), "little")
    except OverflowError:
        return math.copysign(math.inf, value)
    if value != value:
        return value
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return float(struct.unpack("<f", bits.to_bytes(4, "little"))[0])


class Variable(Expr):
    """A named scalar that someone else gives a value."""

    __slots__ = ("name",)
    fields = ("name", "type")
    name: str

    @classmethod
    def _check(cls, name: str, type: Type) -> Type:
        return type


class Unary(Expr):
    __slots__ = ("value",)
    fields = ("value",)
    value: Expr

    @property
    def children(self) -> tuple[Expr, ...]:
        return (self.value,)

    def rebuild(self, children: tuple[Expr, ...]) -> Expr:
        return self if children[0] is self.value else type(self)(children[0])


class Binary(Expr):
    __slots__ = ("a", "b")
    fields = ("a", "b")
    a: Expr
    b: Expr

    def __new__(cls, a: Expr, b: Expr) -> Self:
        # As `Expr.__new__`, without its loop over fields: most nodes are made here.
        key = (cls, a, b)
        found = Expr._interned.get(key)
        if found is not None:
            return cast(Self, found)
        made = object.__new__(cls)
        made.type, made.a, made.b = cls._check(a, b), a, b
        Expr._interned[key] = made
        return made

    @property
    def children(self) -> tuple[Expr, ...]:
        return (self.a, self.b)

    def rebuild(self, children: tuple[Expr, ...]) -> Expr:
        a, b = children
        return self if a is self.a and b is self.b else type(self)(a, b)
