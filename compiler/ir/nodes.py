"""The expression language: immutable, typed, interned nodes (docs/design.md).

Grammar (types after the colon; all operands of an operator have one type `T`):

    expr ::= Const(T, value) : T                  a number, already in T's range
           | Variable(name, T) : T                a parameter, a coordinate, a loop counter
           | Cast(T, expr) : T                    C++ conversion: wraps, truncates toward zero
           | Neg(expr) | BitNot(expr) | Not(expr)
           | Add | Sub | Mul (expr, expr) : T     wraps modulo 2**bits; IEEE for floats
           | Div | Mod (expr, expr) : T           Euclid (Halide): 0 <= mod < |b|; x/0 = 0, x%0 = 0
           | TruncDiv | TruncMod (expr, expr) : T toward zero (C++); integers only, b != 0
           | Min | Max (expr, expr) : T
           | BitAnd | BitOr | BitXor (expr, expr) : T
           | Shl | Shr (expr, expr) : T           amount in [0, bits); Shr of a signed T: arithmetic
           | EQ | NE | LT | LE | GT | GE : bool
           | And | Or (expr, expr) : bool
           | Select(condition, expr, expr) : T    lazy: only the chosen value matters
           | Load(array, indices, T[, predicate]) : T   an element of memory; indices count elements
           | Call(name, args, T, kind) : T        see `CallKind`
           | Let(name, value, body) : T
           | Ramp(base, stride, lanes) | Broadcast(value, lanes)   vectors

Equality is identity: building the same node twice gives the same object. Node constructors check
types and never simplify.
"""

from __future__ import annotations

import math
import struct
from _weakref import _remove_dead_weakref  # type: ignore[attr-defined]
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, ClassVar, Literal, Self, cast
from weakref import ref

from .types import BOOL, I32, Bool, Type

CallKind = Literal["func", "image", "pure", "intrinsic", "effect", "shuffle"]
"""What a `Call` means: `func` reads another stage at coordinates, `image` an input image at
coordinates, `pure` is a named pure scalar function of the source, `intrinsic` one of
`INTRINSICS`. An `effect` does something beside giving a value (`print`, `trace`, `require`): it is
kept in number and order; its name may carry text after a colon (`print:x is {}`). A `shuffle` gives
the value that another lane of the GPU's warp has, by its number; all lanes come to it together."""


class _Interned(ref["Expr"]):
    """A node as long as others have it, under its key."""

    __slots__ = ("key",)
    key: Any


_interned: dict[Any, _Interned] = {}
"""The nodes that there are. `weakref.WeakValueDictionary` is the same and takes twice as long, in
which a tenth of a program's lowering goes."""


def _forget(gone: _Interned) -> None:
    # Only if no other thread has made the node anew meanwhile.
    _remove_dead_weakref(_interned, gone.key)


def _intern(key: Any, made: Expr) -> None:
    kept = _Interned(made, _forget)
    kept.key = key
    _interned[key] = kept


class Expr:
    """Base of all nodes. `fields` names the constructor's arguments in order."""

    __slots__ = ("__weakref__", "type")
    fields: ClassVar[tuple[str, ...]] = ()
    type: Type

    def __new__(cls, *args: Any) -> Self:
        key = cls._key(*args)
        kept = _interned.get(key)
        if kept is not None and (found := kept()) is not None:
            return cast(Self, found)
        made = object.__new__(cls)
        made.type = cls._check(*args)
        for name, value in zip(cls.fields, args, strict=True):
            setattr(made, name, value)
        _intern(key, made)
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


def _fail(cls: type[Expr], *args: object) -> TypeError:
    """The error of a node whose operands don't fit."""
    shown = ", ".join(f"{a}: {a.type}" if isinstance(a, Expr) else repr(a) for a in args)
    return TypeError(f"{cls.__name__}({shown}) is not well typed")


class Const(Expr):
    """A number: `value` is an int in the type's range, or a float rounded to the type."""

    __slots__ = ("value",)
    fields = ("type", "value")
    children: tuple[Expr, ...] = ()
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
        kept = _interned.get(key)
        if kept is not None and (found := kept()) is not None:
            return found  # type: ignore[return-value]
        made: Const = object.__new__(cls)
        made.type, made.value = type, value
        _intern(key, made)
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
    fields: ClassVar[tuple[str, ...]] = ("name", "type")
    children: tuple[Expr, ...] = ()
    name: str

    @classmethod
    def _check(cls, name: str, type: Type) -> Type:
        return type


class Unary(Expr):
    __slots__ = ("children", "value")
    fields = ("value",)
    children: tuple[Expr, ...]
    value: Expr

    def __new__(cls, value: Expr) -> Self:
        key = (cls, value)
        kept = _interned.get(key)
        if kept is not None and (found := kept()) is not None:
            return cast(Self, found)
        made = object.__new__(cls)
        made.type, made.value, made.children = cls._check(value), value, (value,)
        _intern(key, made)
        return made

    def rebuild(self, children: tuple[Expr, ...]) -> Expr:
        return self if children[0] is self.value else type(self)(children[0])


class Binary(Expr):
    __slots__ = ("a", "b", "children")
    fields = ("a", "b")
    children: tuple[Expr, ...]
    a: Expr
    b: Expr

    def __new__(cls, a: Expr, b: Expr) -> Self:
        # As `Expr.__new__`, without its loop over fields: most nodes are made here.
        key = (cls, a, b)
        kept = _interned.get(key)
        if kept is not None and (found := kept()) is not None:
            return cast(Self, found)
        made = object.__new__(cls)
        made.type, made.a, made.b, made.children = cls._check(a, b), a, b, (a, b)
        _intern(key, made)
        return made

    def rebuild(self, children: tuple[Expr, ...]) -> Expr:
        a, b = children
        return self if a is self.a and b is self.b else type(self)(a, b)


class Neg(Unary):
    """-a: wraps for integers; flips the sign bit of a float (so it is not 0 - a)."""

    __slots__ = ()

    @classmethod
    def _check(cls, value: Expr) -> Type:
        if value.type.is_bool:
            raise _fail(cls, value)
        return value.type


class BitNot(Unary):
    """~a, on integers."""

    __slots__ = ()

    @classmethod
    def _check(cls, value: Expr) -> Type:
        if not value.type.is_integer:
            raise _fail(cls, value)
        return value.type


class Not(Unary):
    """!a, on booleans."""

    __slots__ = ()

    @classmethod
    def _check(cls, value: Expr) -> Type:
        if not value.type.is_bool:
            raise _fail(cls, value)
        return value.type


class Cast(Expr):
    """C++ conversion of `value` to `type`.

    Integer to integer wraps modulo 2**bits; to `bool` compares with zero; integer to float rounds
    to nearest even; float to integer truncates toward zero and is undefined out of range.
    """

    __slots__ = ("children", "value")
    fields = ("type", "value")
    children: tuple[Expr, ...]
    value: Expr

    @classmethod
    def _check(cls, type: Type, value: Expr) -> Type:
        if type.lanes != value.type.lanes:
            raise _fail(cls, type, value)
        return type

    def __new__(cls, type: Type, value: Expr) -> Self:
        key = (cls, type, value)
        kept = _interned.get(key)
        if kept is not None and (found := kept()) is not None:
            return cast(Self, found)
        made = object.__new__(cls)
        made.type, made.value, made.children = cls._check(type, value), value, (value,)
        _intern(key, made)
        return made

    def rebuild(self, children: tuple[Expr, ...]) -> Expr:
        return self if children[0] is self.value else Cast(self.type, children[0])


class Arithmetic(Binary):
    """Two numbers of one type give a number of that type."""

    __slots__ = ()

    @classmethod
    def _check(cls, a: Expr, b: Expr) -> Type:
        if a.type is not b.type or a.type.is_bool:
            raise _fail(cls, a, b)
        return a.type


class Add(Arithmetic):
    __slots__ = ()


class Sub(Arithmetic):
    __slots__ = ()


class Mul(Arithmetic):
    __slots__ = ()


class Div(Arithmetic):
    """Euclidean division for integers (the remainder is not negative, x/0 = 0); IEEE for floats."""

    __slots__ = ()


class Mod(Arithmetic):
    """Euclidean remainder for integers (0 <= r < |b|, x%0 = 0); floor remainder for floats."""

    __slots__ = ()


class Min(Arithmetic):
    """The smaller. For floats `b < a ? b : a` as std::min has it; the DSL leaves NaN open."""

    __slots__ = ()


class Max(Arithmetic):
    """The larger. For floats `a < b ? b : a` as std::max has it; the DSL leaves NaN open."""

    __slots__ = ()


class IntegerArithmetic(Binary):
    """Two integers of one type (booleans too for the bitwise ones) give one of that type."""

    __slots__ = ()

    @classmethod
    def _check(cls, a: Expr, b: Expr) -> Type:
        if a.type is not b.type or not a.type.is_integer:
            raise _fail(cls, a, b)
        return a.type


class TruncDiv(IntegerArithmetic):
    """C++ `/`: rounds toward zero. Undefined for b == 0 and for min / -1."""

    __slots__ = ()


class TruncMod(IntegerArithmetic):
    """C++ `%`: a - (a/b)*b with the division toward zero. Undefined for b == 0."""

    __slots__ = ()


class BitAnd(IntegerArithmetic):
    __slots__ = ()


class BitOr(IntegerArithmetic):
    __slots__ = ()


class BitXor(IntegerArithmetic):
    __slots__ = ()


class Shl(IntegerArithmetic):
    """a << b modulo 2**bits, for 0 <= b < bits (undefined elsewhere)."""

    __slots__ = ()


class Shr(IntegerArithmetic):
    """a >> b for 0 <= b < bits (undefined elsewhere): arithmetic when signed, else logical."""

    __slots__ = ()


class Comparison(Binary):
    """Two values of one type give a boolean. Unordered floats compare false (`NE`: true)."""

    __slots__ = ()

    @classmethod
    def _check(cls, a: Expr, b: Expr) -> Type:
        if a.type is not b.type:
            raise _fail(cls, a, b)
        return Bool(a.type.lanes)


class EQ(Comparison):
    __slots__ = ()


class NE(Comparison):
    __slots__ = ()


class LT(Comparison):
    __slots__ = ()


class LE(Comparison):
    __slots__ = ()


class GT(Comparison):
    __slots__ = ()


class GE(Comparison):
    __slots__ = ()


class Logical(Binary):
    __slots__ = ()

    @classmethod
    def _check(cls, a: Expr, b: Expr) -> Type:
        if a.type is not b.type or not a.type.is_bool:
            raise _fail(cls, a, b)
        return a.type


class And(Logical):
    """a && b; b matters only where a holds."""

    __slots__ = ()


class Or(Logical):
    """a || b; b matters only where a does not hold."""

    __slots__ = ()


class Select(Expr):
    """`condition ? a : b`; only the chosen value matters."""

    __slots__ = ("a", "b", "condition")
    fields = ("condition", "a", "b")
    condition: Expr
    a: Expr
    b: Expr

    @classmethod
    def _check(cls, condition: Expr, a: Expr, b: Expr) -> Type:
        if not condition.type.is_bool or a.type is not b.type:
            raise _fail(cls, condition, a, b)
        if condition.type.lanes not in (1, a.type.lanes):
            raise _fail(cls, condition, a, b)
        return a.type

    @property
    def children(self) -> tuple[Expr, ...]:
        return (self.condition, self.a, self.b)

    def rebuild(self, children: tuple[Expr, ...]) -> Expr:
        return self if children == self.children else Select(*children)


class Load(Expr):
    """The element of `array` at `indices` (one index for flat memory, two for row tables).

    A vector's load may have a `predicate`, a boolean for each lane: where it does not hold nothing
    is read, and the lane's value is zero.
    """

    __slots__ = ("array", "indices", "predicate")
    fields = ("array", "indices", "type", "predicate")
    array: str
    indices: tuple[Expr, ...]
    predicate: Expr | None

    def __new__(
        cls, array: str, indices: tuple[Expr, ...], type: Type, predicate: Expr | None = None
    ) -> Load:
        return super().__new__(cls, array, indices, type, predicate)

    @classmethod
    def _check(
        cls, array: str, indices: tuple[Expr, ...], type: Type, predicate: Expr | None
    ) -> Type:
        if not indices or not all(i.type.is_integer for i in indices):
            raise _fail(cls, array, *indices)
        if predicate is not None and predicate.type is not Bool(type.lanes):
            raise _fail(cls, array, *indices, predicate)
        return type

    @property
    def children(self) -> tuple[Expr, ...]:
        return self.indices if self.predicate is None else (*self.indices, self.predicate)

    def rebuild(self, children: tuple[Expr, ...]) -> Expr:
        if children == self.children:
            return self
        if self.predicate is None:
            return Load(self.array, children, self.type)
        return Load(self.array, children[:-1], self.type, children[-1])


class Call(Expr):
    """A read of a stage or an image, a pure function of the source, or an intrinsic."""

    __slots__ = ("args", "kind", "name")
    fields = ("name", "args", "type", "kind")
    name: str
    args: tuple[Expr, ...]
    kind: CallKind

    @classmethod
    def _check(cls, name: str, args: tuple[Expr, ...], type: Type, kind: CallKind) -> Type:
        if kind in ("func", "image") and not all(a.type.is_integer for a in args):
            raise _fail(cls, name, *args)
        return type

    @property
    def children(self) -> tuple[Expr, ...]:
        return self.args

    def rebuild(self, children: tuple[Expr, ...]) -> Expr:
        return self if children == self.args else Call(self.name, children, self.type, self.kind)


class Let(Expr):
    """`body` with `Variable(name, value.type)` standing for `value`."""

    __slots__ = ("body", "name", "value")
    fields = ("name", "value", "body")
    name: str
    value: Expr
    body: Expr

    @classmethod
    def _check(cls, name: str, value: Expr, body: Expr) -> Type:
        return body.type

    @property
    def children(self) -> tuple[Expr, ...]:
        return (self.value, self.body)

    def rebuild(self, children: tuple[Expr, ...]) -> Expr:
        return self if children == self.children else Let(self.name, *children)


class Ramp(Expr):
    """The vector base, base + stride, ... of `lanes` lanes."""

    __slots__ = ("base", "lanes", "stride")
    fields = ("base", "stride", "lanes")
    base: Expr
    stride: Expr
    lanes: int

    @classmethod
    def _check(cls, base: Expr, stride: Expr, lanes: int) -> Type:
        if base.type is not stride.type or base.type.lanes != 1 or lanes < 2:
            raise _fail(cls, base, stride, lanes)
        return base.type.with_lanes(lanes)

    @property
    def children(self) -> tuple[Expr, ...]:
        return (self.base, self.stride)

    def rebuild(self, children: tuple[Expr, ...]) -> Expr:
        return self if children == self.children else Ramp(*children, self.lanes)


class Broadcast(Expr):
    """The scalar `value` in each of `lanes` lanes."""

    __slots__ = ("lanes", "value")
    fields = ("value", "lanes")
    value: Expr
    lanes: int

    @classmethod
    def _check(cls, value: Expr, lanes: int) -> Type:
        if value.type.lanes != 1 or lanes < 2:
            raise _fail(cls, value, lanes)
        return value.type.with_lanes(lanes)

    @property
    def children(self) -> tuple[Expr, ...]:
        return (self.value,)

    def rebuild(self, children: tuple[Expr, ...]) -> Expr:
        return self if children[0] is self.value else Broadcast(children[0], self.lanes)


def const(value: int | float, type: Type = I32) -> Expr:
    """`value` as a constant of `type`, broadcast when the type has lanes."""
    scalar = Const(type.element, value)
    return scalar if type.lanes == 1 else Broadcast(scalar, type.lanes)


TRUE = Const(BOOL, 1)
FALSE = Const(BOOL, 0)


def transform(expr: Expr, visit: Callable[[Expr], Expr]) -> Expr:
    """`expr` with `visit` applied to each node after its operands, each shared node once."""
    done: dict[Expr, Expr] = {}
    for node in postorder(expr):
        children = node.children
        done[node] = visit(node.rebuild(tuple([done[c] for c in children])) if children else node)
    return done[expr]


def substitute(expr: Expr, mapping: Mapping[Expr, Expr]) -> Expr:
    """`expr` with each node that is a key of `mapping` replaced; replacements aren't revisited.

    Raises `TypeError` when a replacement has another type than what it stands for.
    """
    of_variables = True
    for key, value in mapping.items():
        if key.type is not value.type:
            raise TypeError(f"{key}: {key.type} replaced by {value}: {value.type}")
        of_variables = of_variables and isinstance(key, Variable)
    if of_variables and variables_in(expr).isdisjoint(mapping):
        return expr
    done: dict[Expr, Expr] = dict(mapping)
    stack = [expr]
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        children = node.children
        if of_variables and children and variables_in(node).isdisjoint(mapping):
            done[node] = node
            stack.pop()
            continue
        waiting = [c for c in children if c not in done]
        if waiting:
            stack.extend(waiting)
            continue
        done[node] = node.rebuild(tuple([done[c] for c in children])) if children else node
        stack.pop()
    return done[expr]


def number_behind(expr: Expr) -> Expr:
    """An integer as it was before it was converted to types that have all of its values; a boolean
    that became one is none."""
    while isinstance(expr, Cast) and expr.type.contains_all(expr.value.type):
        if expr.value.type.is_bool:
            break
        expr = expr.value
    return expr


def postorder(*exprs: Expr) -> Iterator[Expr]:
    """Every distinct node below `exprs`, operands before their users."""
    seen: set[Expr] = set()
    stack: list[Expr | None] = [*reversed(exprs)]
    while stack:
        node = stack.pop()
        if node is None:  # the operands of the next one are done
            node = stack.pop()
            assert node is not None
            yield node
        elif node not in seen:
            seen.add(node)
            if children := node.children:
                stack.append(node)
                stack.append(None)
                for child in reversed(children):
                    if child not in seen:
                        stack.append(child)
            else:
                yield node


_variables: dict[Expr, frozenset[Expr]] = {}
"""What `variables_in` gave: the same expressions are looked through again and again."""
_MOST_REMEMBERED = 1 << 17
_NONE: frozenset[Expr] = frozenset()


def variables_in(expr: Expr) -> frozenset[Expr]:
    """The variables that stand in `expr`."""
    known = _variables
    found = known.get(expr)
    if found is not None:
        return found
    if len(known) > _MOST_REMEMBERED:
        known.clear()
    for node in unknown_in(expr, known):
        made = frozenset((node,)) if isinstance(node, Variable) else _NONE
        for child in node.children:
            of_child = known[child]
            if not of_child <= made:
                # One set for all nodes with the same variables, as far as that is seen at once.
                made = of_child if made <= of_child else made | of_child
        known[node] = made
    return known[expr]


def unknown_in(expr: Expr, known: Collection[Expr]) -> Iterator[Expr]:
    """The nodes of `expr` that aren't in `known`, operands before their users; whoever asks puts
    each there, and below what is there nothing is looked at."""
    stack = [expr]
    while stack:
        node = stack[-1]
        if node in known:
            stack.pop()
        elif waiting := [c for c in node.children if c not in known]:
            stack += waiting
        else:
            yield stack.pop()


_reads: dict[Expr, tuple[Call | Load, ...]] = {}
"""What `reads_in` gave."""


def reads_in(expr: Expr) -> tuple[Call | Load, ...]:
    """The calls and loads in `expr`, operands before their users: pass after pass asks for them."""
    found = _reads.get(expr)
    if found is None:
        if len(_reads) > _MOST_REMEMBERED:
            _reads.clear()
        found = _reads[expr] = tuple([x for x in postorder(expr) if isinstance(x, (Call, Load))])
    return found


def mentions(exprs: Iterable[Expr], variables: Collection[Expr]) -> bool:
    """Whether one of `variables` stands in one of `exprs`."""
    return any(not variables_in(e).isdisjoint(variables) for e in exprs)
