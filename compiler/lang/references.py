"""`f[x, y]` and values that come several at a time: `FuncRef`, `FuncTupleElementRef`, `Tuple`."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

from .. import ir
from .errors import fail
from .expr import Convertible, Expr, as_expr
from .implicit import expanded_definition, expanded_read
from .overloads import mismatch
from .variables import RDom, Var

if TYPE_CHECKING:
    from .function import Function


def coordinates_of(what: str, index: Any) -> list[Expr]:
    """What stands in the brackets, as expressions."""
    if isinstance(index, RDom):
        return [as_expr(index[i]) for i in range(index.dimensions())]
    items = index if isinstance(index, (tuple, list)) else (index,)
    if not all(isinstance(i, (Convertible, numbers.Real)) for i in items):
        mismatch(what, index)
    return [as_expr(i) for i in items]


def coordinates(name: str, args: list[Expr]) -> tuple[ir.Expr, ...]:
    """`args` as int32 coordinates; raises for a float, as Halide does."""
    nodes = []
    for i, arg in enumerate(args):
        node = arg.node
        if not ir.I32.can_represent(node.type):
            fail(
                f"Implicit cast from {arg.node.type} to int in argument {i + 1} in call to "
                f'"{name}" is not allowed. Use an explicit cast.'
            )
        nodes.append(node if node.type is ir.I32 else ir.Cast(ir.I32, node))
    return tuple(nodes)


def read_image(image: Any, index: Any) -> Expr:
    """The element of an `ImageParam` or a `Buffer` at coordinates."""
    args = expanded_read(coordinates_of("__getitem__", index), image.dimensions())
    if len(args) != image.dimensions():
        fail(
            f'"{image.name()}" was called with {len(args)} arguments, '
            f"but was defined with {image.dimensions()}"
        )
    call = ir.Call(image.name(), coordinates(image.name(), args), image.element_type, "image")
    return Expr.of(call, *args, extra=frozenset({image}))


class FuncRef(Convertible):
    """`f[x, y]`: the stage's value there; `f[x, y][i]` is value i of a stage with several."""

    __slots__ = ("args", "function")

    def __init__(self, function: Function, args: list[Expr]) -> None:
        self.function = function
        self.args = expanded_read(args, len(function.args)) if function.defined else args
        if function.defined:
            function.check_coordinates(self.args)

    def _expr(self) -> Expr:
        if len(self.function.types) > 1:
            name = self.function.name
            fail(
                f'Can\'t convert a reference Func "{name}" to an Expr, because {name} returns a '
                "Tuple."
            )
        return self.function.read(self.args)

    def __getitem__(self, index: int) -> FuncTupleElementRef:
        name = self.function.name
        if not isinstance(index, numbers.Integral):
            mismatch("__getitem__", index)
        if not self.function.defined:
            fail(f'Can\'t call Func "{name}" because it has not yet been defined.')
        if len(self.function.types) == 1:
            fail(
                f'Can\'t index into a reference to Func "{name}", because it does not return a '
                "Tuple."
            )
        if not 0 <= index < len(self.function.types):
            fail(f'Tuple index out of range in reference to Func "{name}".')
        return FuncTupleElementRef(self, int(index))

    def __iter__(self) -> Any:
        return iter([self[i] for i in range(len(self))])

    def __len__(self) -> int:
        """How many values the stage has."""
        return max(1, len(self.function.types))

    size = __len__

    def _combine(self, other: Any, identity: int, name: str) -> Any:
        if not isinstance(other, (Convertible, numbers.Real)):
            return NotImplemented
        if self.function.defined:
            return getattr(super(), name)(other)
        return Accumulation(self.function, self.args, identity, name, other)

    # `f[x] += e` reaches these when f has no definition yet: it starts from the identity.
    def __add__(self, other: Any) -> Any:
        return self._combine(other, 0, "__add__")

    def __sub__(self, other: Any) -> Any:
        return self._combine(other, 0, "__sub__")

    def __mul__(self, other: Any) -> Any:
        return self._combine(other, 1, "__mul__")

    def __truediv__(self, other: Any) -> Any:
        return self._combine(other, 1, "__truediv__")

    def __repr__(self) -> str:
        return f"<FuncRef to {self.function.name}({', '.join(str(a) for a in self.args)})>"


class FuncTupleElementRef(Convertible):
    """`f[x, y][i]`: one value of a stage that has several."""

    __slots__ = ("_index", "reference")

    def __init__(self, reference: FuncRef, index: int) -> None:
        self.reference, self._index = reference, index

    def index(self) -> int:
        return self._index

    def _expr(self) -> Expr:
        return self.reference.function.read(self.reference.args, self._index)


class Tuple:
    """Several values of one stage: `Tuple([a, b])`, or all values of a reference `f[x]`."""

    def __init__(self, *values: Any) -> None:
        items = values[0] if len(values) == 1 else values
        if isinstance(items, FuncRef):
            items = values_of("Tuple", items)
        if not isinstance(items, (tuple, list)):
            mismatch("Tuple", *values)
        self.values = [e for i in items for e in values_of("Tuple", i)]
        if not self.values:
            fail("Tuples must have at least one element")

    def __getitem__(self, index: int) -> Expr:
        return self.values[index]

    def __len__(self) -> int:
        return len(self.values)

    size = __len__

    def __repr__(self) -> str:
        return f"<Tuple of size {len(self.values)}>"


def values_of(what: str, value: Any) -> list[Expr]:
    """The values that a stage defined as `value` has."""
    if isinstance(value, Tuple):
        return list(value.values)
    if isinstance(value, tuple) and value:
        return [e for v in value for e in values_of(what, v)]
    if isinstance(value, FuncRef) and len(value) > 1:
        return [as_expr(value[i]) for i in range(len(value))]
    if isinstance(value, (Convertible, numbers.Real)):
        return [as_expr(value)]
    mismatch(what, value)


class Accumulation:
    """`f[args] op= operand` on a stage that has no definition yet."""

    def __init__(
        self, function: Function, args: list[Expr], identity: int, operator: str, operand: Any
    ) -> None:
        self.function, self.args = function, args
        self.identity, self.operator, self.operand = identity, operator, operand

    def define(self, function: Function, at: list[Expr]) -> None:
        """Defines the stage as the operator's identity everywhere, then updates it.

        Raises `HalideError` unless what is assigned to, `function` at `at`, is this very place.
        """
        if function is not self.function or [a.node for a in at] != [a.node for a in self.args]:
            fail(
                f"Cannot use an unevaluated reference to '{self.function.name}' to define an "
                "update at a different location."
            )
        operand = as_expr(self.operand)
        args = expanded_definition(self.function.name, self.args, [operand])
        pure = [a if _is_coordinate(a) else as_expr(Var()) for a in args]
        start = Expr.of(ir.const(self.identity, operand.node.type))
        self.function.define(pure, [start])
        value = getattr(as_expr(self.function.read(args)), self.operator)(self.operand)
        self.function.define(args, [as_expr(value)])


def _is_coordinate(e: Expr) -> bool:
    return isinstance(e.node, ir.Variable) and "$" not in e.node.name


__all__ = [
    "Accumulation",
    "FuncRef",
    "FuncTupleElementRef",
    "Tuple",
    "coordinates",
    "coordinates_of",
    "read_image",
    "values_of",
]
