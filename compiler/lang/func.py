"""`Func`: the user's handle of a stage, to define, read, schedule and realize it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import ir
from ..ir import Type
from .compile import Compilable
from .directives import Directives
from .errors import fail
from .expr import Convertible, Expr, as_expr
from .function import Function
from .names import fresh_name
from .overloads import instance
from .params import OutputImageParam
from .placement import Placement
from .stage import Stage
from .variables import RDom, Var
from .wrappers import clone_in, in_


class Tuple:
    """Several values of one stage."""

    def __init__(self, *values: Any) -> None:
        items = values[0] if len(values) == 1 and isinstance(values[0], (list, tuple)) else values
        self.values = [as_expr(v) for v in items]

    def __getitem__(self, index: int) -> Expr:
        return self.values[index]

    def __len__(self) -> int:
        return len(self.values)


class FuncRef(Convertible):
    """`f[x, y]`: the stage's value there; `f[x, y][i]` is value i of a stage with several."""

    __slots__ = ("args", "function")

    def __init__(self, function: Function, args: list[Expr]) -> None:
        self.function, self.args = function, args
        if function.defined and len(args) != len(function.args):
            fail(
                f'Func "{function.name}" was called with {len(args)} arguments, '
                f"but was defined with {len(function.args)}"
            )

    def _expr(self) -> Expr:
        if len(self.function.types) > 1:
            fail(f'Func "{self.function.name}" has several values; choose one by an index.')
        return self.function.read(self.args)

    def __getitem__(self, index: int) -> Expr:
        if not 0 <= index < len(self.function.types):
            fail(f'Func "{self.function.name}" has no value {index}.')
        return self.function.read(self.args, index)

    def __len__(self) -> int:
        return len(self.function.types)

    def _combine(self, other: Any, identity: int, name: str) -> Any:
        if self.function.defined:
            return getattr(super(), name)(other)
        return _Accumulation(self.function, self.args, identity, name, other)

    # `f[x] += e` reaches these when f has no definition yet: it starts from the identity.
    def __add__(self, other: Any) -> Any:
        return self._combine(other, 0, "__add__")

    def __sub__(self, other: Any) -> Any:
        return self._combine(other, 0, "__sub__")

    def __mul__(self, other: Any) -> Any:
        return self._combine(other, 1, "__mul__")


class _Accumulation:
    """`f[args] op= operand` on a stage that has no definition yet."""

    def __init__(
        self, function: Function, args: list[Expr], identity: int, operator: str, operand: Any
    ) -> None:
        self.function, self.args = function, args
        self.identity, self.operator, self.operand = identity, operator, operand

    def define(self) -> None:
        operand = as_expr(self.operand)
        pure = [
            a if isinstance(a.node, ir.Variable) and "$" not in a.node.name else as_expr(Var())
            for a in self.args
        ]
        start = Expr.of(ir.const(self.identity, operand.type()))
        self.function.define(pure, [start])
        value = getattr(as_expr(self.function.read(self.args)), self.operator)(self.operand)
        self.function.define(self.args, [value])


class Func(Directives, Placement, Compilable):
    """A stage of a pipeline.

    `f[x, y] = e` defines it, a second time it updates it; `f[x, y]` reads it. Raises `HalideError`
    where the real package does.
    """

    def __init__(self, source: Any = None) -> None:
        if isinstance(source, Function):
            self._function = source
        elif isinstance(source, (Expr, Convertible)):
            self._function = Function(fresh_name("f"))
            self._define_from(as_expr(source))
        else:
            name = source.name() + "_im" if hasattr(source, "dim") else source
            self._function = Function(name if name is not None else fresh_name("f"))
            if hasattr(source, "dim"):
                args = tuple(Var(f"_{i}") for i in range(source.dimensions()))
                self._function.define([as_expr(a) for a in args], [as_expr(source[args])])

    def _define_from(self, value: Expr) -> None:
        names = []
        for node in ir.postorder(value.node):
            if isinstance(node, ir.Variable) and "$" not in node.name and "." not in node.name:
                names.append(node.name)
        self._function.define([as_expr(Var(n)) for n in names], [value])

    @property
    def function(self) -> Function:
        return self._function

    def name(self) -> str:
        return self._function.name

    def defined(self) -> bool:
        return self._function.defined

    def args(self) -> list[Var]:
        return [Var(name) for name in self._function.args]

    def dimensions(self) -> int:
        return len(self._function.args)

    def type(self) -> Type:
        return self.types()[0]

    def types(self) -> list[Type]:
        return list(self._function.types)

    def value(self) -> Expr:
        return self._value_of(0)

    def update_value(self, index: int = 0) -> Expr:
        return self._value_of(index + 1)

    def _value_of(self, index: int) -> Expr:
        definition = self._function.definitions[index]
        return Expr.of(definition.values[0], extra=definition.sources)

    def num_update_definitions(self) -> int:
        return max(0, len(self._function.definitions) - 1)

    def has_update_definition(self) -> bool:
        return self.num_update_definitions() > 0

    def _arguments(self, index: Any) -> list[Expr]:
        if isinstance(index, RDom):
            return [as_expr(index[i]) for i in range(index.dimensions())]
        return [as_expr(i) for i in (index if isinstance(index, tuple) else (index,))]

    def __getitem__(self, index: Any) -> FuncRef:
        return FuncRef(self._function, self._arguments(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(value, _Accumulation):
            value.define()
            return
        if isinstance(value, (tuple, list, Tuple)):
            values = value.values if isinstance(value, Tuple) else [as_expr(v) for v in value]
        elif isinstance(value, FuncRef) and len(value.function.types) > 1:
            values = [value[i] for i in range(len(value))]
        else:
            values = [as_expr(value)]
        self._function.define(self._arguments(index), values)

    def _stage(self) -> Stage:
        if not self._function.defined:
            fail(f'Func "{self._function.name}" has no definition to schedule.')
        return Stage(self._function, 0)

    def update(self, index: int = 0) -> Stage:
        """The schedule of update definition `index`."""
        if not 0 <= index < self.num_update_definitions():
            fail(f"Func {self.name()} has no update definition {index}.")
        return Stage(self._function, index + 1)

    def in_(self, f: Any = None) -> Func:
        """A stage that copies this one, and that `f` (a Func, a list, or all) reads instead."""
        return Func(in_(self._function, _functions("in_", f)))

    def clone_in(self, f: Any) -> Func:
        """A stage of the same definitions, that `f` (a Func or a list) reads instead."""
        return Func(clone_in(self._function, _functions("clone_in", f) or []))

    def output_buffer(self) -> OutputImageParam:
        """The shape of the buffer that this stage is realized into."""
        if not self._function.defined:
            fail(f"Can't access output buffer of undefined Func {self.name()}.")
        return self._function.outputs[0]

    def output_buffers(self) -> Sequence[OutputImageParam]:
        return self._function.outputs

    def _outputs(self) -> list[Function]:
        if not self._function.defined:
            fail("Can't realize undefined Func.")
        return [self._function]

    def __repr__(self) -> str:
        return f"<Func '{self._function.name}'>"


def _functions(what: str, given: Any) -> list[Function] | None:
    """The consumers that a directive names; None for all."""
    if given is None:
        return None
    funcs = given if isinstance(given, (list, tuple)) else [given]
    return [instance(what, f, Func).function for f in funcs]
