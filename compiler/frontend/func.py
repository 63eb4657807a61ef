"""`Func`: the user's handle of a stage, to define, read, schedule and realize it; and `Stage`, that
of one of its definitions."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..lang.buffer import Buffer
from ..lang.errors import fail
from ..lang.expr import Convertible, Expr, Type
from ..lang.function import Definition, Function
from ..lang.handles import DefinitionHandle, StageHandle
from ..lang.implicit import PLACEHOLDER
from ..lang.overloads import instance, mismatch, only_variable, whole_number
from ..lang.params import InputImageParam, OutputImageParam
from ..lang.references import (
    Accumulation,
    FuncRef,
    FuncTupleElementRef,
    Tuple,
    coordinates_of,
    values_of,
)
from ..lang.variables import RVar, Var
from ..lang.wrappers import clone_in, in_
from .compile import Compilable


class Stage(DefinitionHandle):
    """The schedule of one definition: 0 the pure one, i + 1 update i.

    `Stage(func)` is that of the pure definition.
    """

    def rfactor(self, preserved: Any, new: Any = None) -> Func:
        """Moves part of an associative reduction into a stage of its own, which it returns.

        `rfactor(r, v)` or `rfactor([(r, v), ...])`: the new stage keeps each reduction variable r
        as its coordinate v and reduces over the others; this one reduces over the r alone.
        """
        # For load time: few programs call it.
        from ..lang.rfactor import rfactor

        given = [(preserved, new)] if new is not None else preserved
        if not isinstance(given, (list, tuple)):
            mismatch("rfactor", preserved)
        pairs: list[tuple[RVar, Var]] = []
        for pair in given:
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                mismatch("rfactor", preserved)
            loop, kept = only_variable(pair[0]), pair[1]
            pairs.append((instance("rfactor", loop, RVar), instance("rfactor", kept, Var)))
        if self.index == 0:
            fail("rfactor() must be called on an update definition")
        return Func(rfactor(self, pairs))

    def tile_scan(self, variable: Any, tile: int) -> TiledScan:
        """Cuts a recursion along a reduction variable into tiles of so many steps, which run in
        parallel and as lanes; gives the stages that it is made of then.

            f[r.x] = a * b[r.x] + (1 - a) * f[r.x - 1]
            f.update().tile_scan(r.x, 1024)

        Linear recursions of any order, and `min`, `max`, `&`, `|` with the value before. Integers
        stay exact; floats are rounded otherwise, which calling this permits.
        """
        from ..lang.tile_scan import tile_scan

        if self.index == 0:
            fail("tile_scan() must be called on an update definition")
        loop = instance("tile_scan", only_variable(variable), RVar)
        made = tile_scan(self.function, self.index, loop.name(), whole_number("tile_scan", tile))
        growth = None if made.growth is None else Func(made.growth)
        return TiledScan(Func(made.local), Func(made.tails), Func(made.carried), growth)


@dataclass(frozen=True)
class TiledScan:
    """What `tile_scan` makes, to be scheduled otherwise: the tiles with nothing before them, their
    last values, the values that enter each tile, and what a value grows to over a tile."""

    local: Func
    tails: Func
    carried: Func
    growth: Func | None


class Func(StageHandle, Compilable):
    """A stage of a pipeline.

    `f[x, y] = e` defines it, a second time it updates it; `f[x, y]` reads it. `Func(name)`,
    `Func(type or types, dimensions, name)` with what its definition must be, `Func(e)` for an
    expression over implicit coordinates, `Func(image)` for an image's elements. Raises
    `HalideError` and `TypeError` where the real package does.
    """

    def __init__(self, source: Any = None, dimensions: int | None = None, name: str = "") -> None:
        if dimensions is not None:
            types = source if isinstance(source, (list, tuple)) else [source]
            if not all(isinstance(t, Type) for t in types) or not isinstance(name, str):
                mismatch("Func", source, dimensions, name)
            self._function = Function(name or None)
            self._function.required_types = tuple(t.ir_type for t in types)
            self._function.required_dimensions = whole_number("Func", dimensions)
        elif source is None or isinstance(source, str):
            if source == "":
                fail("A Func may not have an empty name.")
            self._function = Function(source)
        elif isinstance(source, Function):
            self._function = source
        elif isinstance(source, (InputImageParam, Buffer)):
            image = isinstance(source, InputImageParam)
            self._function = Function(source.name() + "_im" if image else None)
            self[Var(PLACEHOLDER)] = source[Var(PLACEHOLDER)]
        elif isinstance(source, (Convertible, numbers.Real)):
            self._function = Function(None)
            self[Var(PLACEHOLDER)] = source
        else:
            mismatch("Func", source)

    def name(self) -> str:
        return self._function.name

    def defined(self) -> bool:
        return self._function.defined

    def is_extern(self) -> bool:
        """False: definitions by external code are not supported."""
        return False

    def extern_function_name(self) -> str:
        fail(f'Func "{self.name()}" is not defined by external code.')

    def args(self) -> list[Var]:
        return [Var(name) for name in self._function.args]

    def dimensions(self) -> int:
        if not self.defined() and self._function.required_dimensions < 0:
            self._undefined("dimensions", "dimension")
        return len(self._function.args) if self.defined() else self._function.required_dimensions

    def _undefined(self, what: str, requirement: str) -> None:
        fail(
            f'Can\'t call Func::{what} on Func "{self.name()}" because it is undefined or has no '
            f"{requirement} requirements."
        )

    def _types(self, what: str) -> list[Type]:
        types = self._function.types or self._function.required_types
        if not types:
            self._undefined(what, "type")
        return list(map(Type.of, types))

    def type(self) -> Type:
        types = self._types("type")
        if len(types) > 1:
            fail(f'Can\'t call Func::type on Func "{self.name()}" because it returns a Tuple.')
        return types[0]

    def types(self) -> list[Type]:
        return self._types("types")

    def outputs(self) -> int:
        """How many values the stage has."""
        return len(self._types("outputs"))

    def value(self) -> Expr:
        if not self.defined():
            fail(
                "Can't call Func::value() on an undefined Func. To check if a Func is defined, "
                "call Func::defined()"
            )
        return self._single("value", self._function.definitions[0])

    def values(self) -> tuple[Expr, ...]:
        if not self.defined():
            fail(
                "Can't call Func::values() on an undefined Func. To check if a Func is defined, "
                "call Func::defined()."
            )
        return _values(self._function.definitions[0])

    def _single(self, what: str, definition: Definition) -> Expr:
        if len(definition.values) > 1:
            fail(
                f'Can\'t call Func::{what}() on Func "{self.name()}", because it has multiple '
                "values."
            )
        return _values(definition)[0]

    def _update(self, what: str, index: int) -> Definition:
        number = whole_number(what, index)
        if not self.has_update_definition():
            fail(
                f'Can\'t call Func::{what}() on Func "{self.name()}" as it has no update '
                "definition. Use Func::has_update_definition() to check for the existence of an "
                "update definition."
            )
        if not 0 <= number < self.num_update_definitions():
            fail(f'Update definition index out of bounds: Func "{self.name()}" has none {index}.')
        return self._function.definitions[number + 1]

    def update_args(self, idx: int = 0) -> list[Expr]:
        """The coordinates that update definition `idx` writes."""
        definition = self._update("update_args", idx)
        return [Expr.of(a, extra=definition.sources) for a in definition.args]

    def update_value(self, idx: int = 0) -> Expr:
        return self._single("update_value", self._update("update_value", idx))

    def update_values(self, idx: int = 0) -> tuple[Expr, ...]:
        return _values(self._update("update_values", idx))

    def rvars(self, idx: int = 0) -> list[RVar]:
        """The reduction variables of update definition `idx`, innermost first."""
        domain = self._update("rvars", idx).domain
        return [RVar(n, domain) for n in domain.names] if domain is not None else []

    def num_update_definitions(self) -> int:
        return max(0, len(self._function.definitions) - 1)

    def has_update_definition(self) -> bool:
        return self.num_update_definitions() > 0

    def __getitem__(self, index: Any) -> FuncRef:
        if isinstance(index, FuncRef):
            return FuncRef(self._function, values_of("__getitem__", index))
        return FuncRef(self._function, coordinates_of("__getitem__", index))

    def __setitem__(self, index: Any, value: Any) -> None:
        args = coordinates_of("__setitem__", index)
        if isinstance(value, Accumulation):
            value.define(self._function, args)
        else:
            self._function.define(args, values_of("__setitem__", value))

    def _stage(self) -> Stage:
        if not self._function.defined:
            fail(f'Func "{self._function.name}" has no definition to schedule.')
        return Stage(self._function, 0)

    def update(self, idx: int = 0) -> Stage:
        """The schedule of update definition `idx`."""
        if not 0 <= whole_number("update", idx) < self.num_update_definitions():
            fail(
                "Call to update with index larger than last defined update stage for Func "
                f'"{self.name()}".'
            )
        return Stage(self._function, int(idx) + 1)

    def in_(self, f: Any = None) -> Func:
        """A stage that copies this one, and that `f` (a Func, a list, or all) reads instead."""
        return Func(in_(self._function, _functions("in_", f)))

    def clone_in(self, f: Any) -> Func:
        """A stage of the same definitions, that `f` (a Func or a list) reads instead."""
        return Func(clone_in(self._function, _functions("clone_in", f) or []))

    def output_buffer(self) -> OutputImageParam:
        """The shape of the buffer that this stage is realized into."""
        outputs = self.output_buffers()
        if len(outputs) > 1:
            fail(
                f'Can\'t call Func::output_buffer on Func "{self.name()}" because it returns a '
                "Tuple."
            )
        return outputs[0]

    def output_buffers(self) -> Sequence[OutputImageParam]:
        if not self._function.defined:
            fail(f'Can\'t access output buffer(s) of undefined Func "{self.name()}".')
        return list(self._function.outputs)

    def _output_functions(self) -> list[Function]:
        return [self._function]

    def _outputs(self) -> list[Function]:
        if not self._function.defined:
            fail("Can't realize undefined Func.")
        return [self._function]

    def __repr__(self) -> str:
        return f"<Func '{self._function.name}'>"


def _values(definition: Definition) -> tuple[Expr, ...]:
    return tuple(Expr.of(v, extra=definition.sources) for v in definition.values)


def _functions(what: str, given: Any) -> list[Function] | None:
    """The consumers that a directive names; None for all."""
    if given is None:
        return None
    funcs = given if isinstance(given, (list, tuple)) else [given]
    return [instance(what, f, Func).function for f in funcs]


def funcs(names: str) -> tuple[Func, ...]:
    """`Func`s of the names in a text, separated by spaces."""
    return tuple(Func(name) for name in names.split(" "))


def lambda_func(*arguments: Any) -> Func:
    """`lambda_func(x, y, e)`: an anonymous stage with the coordinates x, y and the value e."""
    if not arguments:
        mismatch("lambda_func")
    *args, value = arguments
    made = Func("lambda")
    made[tuple(args)] = value
    return made


__all__ = ["Func", "FuncRef", "FuncTupleElementRef", "Tuple", "funcs", "lambda_func"]
