"""`Argument`: one parameter of a compiled function, as `infer_arguments` lists them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .buffer import Buffer
from .enums import ArgumentKind
from .errors import fail
from .expr import Expr, Type
from .overloads import mismatch
from .params import InputImageParam, OutputImageParam, Param, Parameter

Source = Parameter | InputImageParam | Buffer
"""What a compiled function can take."""


class ArgumentEstimates:
    """What a scheduler may expect of an argument; undefined `Expr`s where nothing is said."""

    def __init__(self) -> None:
        self.scalar_def, self.scalar_min = Expr(), Expr()
        self.scalar_max, self.scalar_estimate = Expr(), Expr()
        self.buffer_estimates: list[Any] = []


class Argument:
    """The name, kind, type and number of dimensions (0 for a scalar) of a parameter.

    Made of a `Param`, an `ImageParam`, an output's `OutputImageParam` or a `Buffer`.
    """

    def __init__(self, source: Any = None) -> None:
        self.name, self.kind, self.dimensions = "", ArgumentKind.InputScalar, 0
        self.type: Type | None = None
        self.source: Any = None
        self.argument_estimates = ArgumentEstimates()
        if source is None:
            return
        if isinstance(source, Param):
            source = source._parameter
        if isinstance(source, Parameter):
            self.name, self.type = source.name, Type.of(source.type)
        elif isinstance(source, (OutputImageParam, Buffer)):
            is_input = isinstance(source, (InputImageParam, Buffer))
            self.kind = ArgumentKind.InputBuffer if is_input else ArgumentKind.OutputBuffer
            self.name, self.type = source.name(), source.type()
            self.dimensions = source.dimensions()
        else:
            mismatch("Argument", source)
        self.source = source

    def __repr__(self) -> str:
        return f"<Argument '{self.name}' {self.kind.name} {self.type}>"


def sources_of(what: str, arguments: Any) -> list[Any]:
    """The parameters and images that a list of arguments names."""
    if not isinstance(arguments, (list, tuple)):
        mismatch(what, arguments)
    return [_source(what, a) for a in arguments]


def _source(what: str, argument: Any) -> Any:
    if isinstance(argument, Argument) and argument.source is not None:
        return argument.source
    if isinstance(argument, Param):
        return argument._parameter
    if isinstance(argument, (InputImageParam, Parameter, Buffer)):
        return argument
    mismatch(what, argument)


def value_of(source: Any) -> Any:
    """What a call passes for `source`: the value or image that is set now.

    Raises `HalideError` where none is.
    """
    if isinstance(source, Parameter):
        return source.checked_value()
    if isinstance(source, InputImageParam):
        if source.bound is None:
            fail(f"Buffer argument {source.name()} is nullptr")
        return source.bound
    return source


def name_of(source: Any) -> str:
    """The name of a parameter or an image."""
    return str(source.name if isinstance(source, Parameter) else source.name())


def names_of(sources: Sequence[Any]) -> list[str]:
    return [name_of(s) for s in sources]
