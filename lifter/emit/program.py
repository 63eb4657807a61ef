"""The DSL program of a function, before it is spelled in Python or C++."""

from __future__ import annotations

from dataclasses import dataclass

from compiler.ir import Expr, Type, Variable

Stride = int | None
"""A stride in elements that is the same for all calls, or None where it varies."""


Fixed = tuple[int, int] | None
"""Minimum and extent of a dimension that are the same for all calls (the channels of a pixel)."""


UNDEFINED = "undef"
"""The intrinsic for a value that nobody cares about."""


def value_name(definition: str, number: int) -> str:
    """By which calls read one of a tuple's values."""
    return f"{definition}.{number}"


def read_by(call: str) -> tuple[str, str]:
    """The definition of which a call of this name reads a value, and the value's number: "" where
    there is one alone."""
    definition, _, number = call.partition(".")
    return definition, number


@dataclass(frozen=True, slots=True)
class Image:
    """An input image: the array `array` of the source, seen in its layout, innermost first."""

    name: str
    array: str
    type: Type
    strides: tuple[Stride, ...]
    bounds: tuple[Fixed, ...]

    @property
    def dimensions(self) -> int:
        return len(self.strides)


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar parameter that the program uses; `source` is its name in the C++ function."""

    name: str
    source: str
    type: Type


@dataclass(frozen=True, slots=True)
class ConstantTable:
    """A constant table of the source. `shape` is innermost first."""

    name: str
    type: Type
    shape: tuple[int, ...]
    values: tuple[int | float, ...]
    """The elements with the innermost coordinate fastest."""


@dataclass(frozen=True, slots=True)
class Domain:
    """A reduction domain: (minimum, extent) per dimension, first dimension fastest; that of an
    update that is made once, at one point, has none."""

    name: str
    bounds: tuple[tuple[Expr, Expr], ...]


@dataclass(frozen=True, slots=True)
class Update:
    """`func(point) = values` for all points of the domain, in order: several are a tuple."""

    domain: Domain
    point: tuple[Expr, ...]
    values: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class FuncDefinition:
    """`name(vars) = values` everywhere, then the updates. `domains` are of reductions in
    `values`, of which several are a tuple."""

    name: str
    vars: tuple[Variable, ...]
    values: tuple[Expr, ...]
    domains: tuple[Domain, ...] = ()
    updates: tuple[Update, ...] = ()


@dataclass(frozen=True, slots=True)
class PureFunctionDefinition:
    """A named pure function of the source: parameters in order, and its body over them."""

    name: str
    params: tuple[Variable, ...]
    body: Expr


@dataclass(frozen=True, slots=True)
class OutputRegion:
    """What is realized of an output: (lower, upper) per dimension, index expressions over the
    source's scalar parameters, innermost first. Empty where `condition` does not hold."""

    bounds: tuple[tuple[Expr, Expr], ...]
    condition: Expr | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """A function whose values replace the contents of the array `array` over `region`."""

    func: str
    array: str
    type: Type
    strides: tuple[Stride, ...]
    bounds: tuple[Fixed, ...]
    region: OutputRegion
    copy_first: bool
    """Whether the old contents are read at other points than the one that is written."""
    stores_changed: bool = False
    """Whether only elements that get another value may be stored."""
    is_never_copied: bool = False
    """Whether the old contents are read where pixels say so: not all of them need be there."""


@dataclass(frozen=True, slots=True)
class Program:
    """All of a function's stages.

    In expressions, `Call`s of kind `image` name an `Image` or a `ConstantTable`, those of kind
    `func` a definition, or one of the values of a tuple (`best.1`); scalar parameters and
    coordinates are `Variable`s of the program's own names.
    """

    name: str
    images: tuple[Image, ...]
    scalars: tuple[Scalar, ...]
    tables: tuple[ConstantTable, ...]
    functions: tuple[PureFunctionDefinition, ...]
    definitions: tuple[FuncDefinition, ...]
    outputs: tuple[Output, ...]
    inputs: tuple[str, ...]
    """Names of the images and scalars in the order of the original's parameters."""
    vars: tuple[str, ...]
    """All coordinate names, innermost first."""
