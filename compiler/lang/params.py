"""`Param` and `ImageParam`: what a pipeline takes from its caller; and its outputs' shapes."""

from __future__ import annotations

import math
import numbers
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import ir
from ..ir import I32
from .buffer import Buffer
from .changes import changed
from .errors import fail
from .expr import Convertible, Expr, Sources, Type, as_expr
from .names import (
    buffer_field,
    chosen_name,
    fresh_name,
    is_parameter_name,
    is_pure_variable_name,
    parameter_variable,
)
from .references import read_image
from .type_matching import cast_node

if TYPE_CHECKING:
    from .function import Function


class Parameter:
    """A scalar parameter's name, type, present value and what is promised of it; shared by
    expressions that use it."""

    def __init__(self, type: ir.Type, name: str) -> None:
        self.type, self.name = type, name
        self.value: int | float | None = None
        self.minimum: ir.Const | None = None
        self.maximum: ir.Const | None = None
        self.estimate: ir.Const | None = None

    def checked_value(self) -> int | float:
        """The value for a call; raises `HalideError` where there is none or it is out of range."""
        value = self.value
        if value is None:
            fail(f"Parameter {self.name} does not have a valid scalar value.")
        if self.minimum is not None and value < self.minimum.value:
            fail(f"Parameter {self.name} is {value} but must be at least {self.minimum.value}")
        if self.maximum is not None and value > self.maximum.value:
            fail(f"Parameter {self.name} is {value} but must be at most {self.maximum.value}")
        return value

    def __repr__(self) -> str:
        return f"<Parameter '{self.name}' type {self.type}>"


class Param(Convertible):
    """A scalar that the caller gives: `Param(type)`, `Param(type, name)`, with a value last."""

    __slots__ = ("_parameter",)

    def __init__(self, type: Type, name: Any = None, value: Any = None) -> None:
        if not isinstance(type, Type):
            raise TypeError(f"Param(): incompatible constructor arguments. Invoked with: {type!r}")
        if name is not None and not isinstance(name, str):
            name, value = None, name
        if name is not None and not is_parameter_name(name):
            fail(f"A Param's name may not be empty or contain '.': {name!r}.")
        name = fresh_name("p") if name is None else chosen_name(name)
        self._parameter = Parameter(type.ir_type, name)
        if value is not None:
            self.set(value)

    def name(self) -> str:
        return self._parameter.name

    def type(self) -> Type:
        return Type.of(self._parameter.type)

    def parameter(self) -> Parameter:
        return self._parameter

    def set(self, value: Any) -> None:
        """The value for `realize`; it must be one of the type's values."""
        self._parameter.value = self._lossless(value)

    def _lossless(self, value: Any) -> int | float:
        type = self._parameter.type
        is_number = isinstance(value, (numbers.Real, np.bool_))
        if not is_number or isinstance(value, Convertible):
            raise TypeError(f"set(): incompatible function arguments. Invoked with: {value!r}")
        if type.is_float:
            return float(value)
        if not isinstance(value, numbers.Integral) and not math.isfinite(value):
            fail(f"The value {value} cannot be losslessly converted to type {type}")
        if (int(float(value)) != value and int(value) != value) or not type.contains(int(value)):
            fail(f"The value {value} cannot be losslessly converted to type {type}")
        return int(value)

    def set_range(self, minimum: Any, maximum: Any) -> None:
        """Promises that the value lies in [minimum, maximum], constants; a call checks it."""
        self.set_min_value(minimum)
        self.set_max_value(maximum)

    def set_min_value(self, minimum: Any) -> None:
        changed()
        self._parameter.minimum = self._limit("Min", minimum)

    def set_max_value(self, maximum: Any) -> None:
        changed()
        self._parameter.maximum = self._limit("Max", maximum)

    def _limit(self, which: str, value: Any) -> ir.Const | None:
        e = as_expr(value)
        if not e.defined():
            return None
        node = cast_node(self._parameter.type, e.node)
        if not isinstance(node, ir.Const):
            fail(f"{which} value for parameter {self.name()} must be constant: {e}")
        return node

    def min_value(self) -> Expr:
        """What `set_min_value` said; undefined when it said nothing."""
        limit = self._parameter.minimum
        return Expr() if limit is None else Expr.of(limit)

    def max_value(self) -> Expr:
        """What `set_max_value` said; undefined when it said nothing."""
        limit = self._parameter.maximum
        return Expr() if limit is None else Expr.of(limit)

    def set_estimate(self, value: Any) -> None:
        """What a scheduler may expect; no promise."""
        self._parameter.estimate = ir.Const(self._parameter.type, self._lossless(value))

    def _expr(self) -> Expr:
        p = self._parameter
        return Expr.of(parameter_variable(p.name, p.type), extra=frozenset({p}))

    def __repr__(self) -> str:
        return f"<Param '{self.name()}' type {self.type()}>"


class ImageDimension:
    """One dimension of an image parameter: its fields as `Expr`s, and what the user promises."""

    def __init__(self, image: OutputImageParam, index: int) -> None:
        self._image, self._index = image, index
        self._promised: dict[str, ir.Expr | None] = {"stride": ir.const(1) if index == 0 else None}
        self.estimate: tuple[ir.Expr, ir.Expr] | None = None

    @property
    def promised(self) -> dict[str, ir.Expr | None]:
        """What is promised of each field, to read and to change."""
        changed()
        return self._promised

    def _field(self, field: str) -> Expr:
        return Expr.of(
            buffer_field(self._image.name(), field, self._index), extra=frozenset({self._image})
        )

    def min(self) -> Expr:
        return self._field("min")

    def extent(self) -> Expr:
        return self._field("extent")

    def stride(self) -> Expr:
        return self._field("stride")

    def max(self) -> Expr:
        return self.min() + self.extent() - 1

    def _promise(self, field: str, value: Any) -> ImageDimension:
        if value is None or (isinstance(value, Expr) and not value.defined()):
            self.promised[field] = None
            return self
        e = as_expr(value)
        node = cast_node(I32, e.node)
        for part in ir.postorder(node):
            fits = isinstance(part, (ir.Const, ir.Unary, ir.Binary, ir.Cast, ir.Select))
            if not fits and not (
                isinstance(part, ir.Variable) and not is_pure_variable_name(part.name)
            ):
                fail(
                    f"The {field} of a dimension can be promised to be made of constants, "
                    f"parameters and fields of images, not {e}."
                )
        self.promised[field] = node
        # What it refers to becomes an argument of every pipeline that has the image.
        self._image.promise_sources |= e.sources - {self._image}
        return self

    def set_min(self, value: Any) -> ImageDimension:
        return self._promise("min", value)

    def set_extent(self, value: Any) -> ImageDimension:
        return self._promise("extent", value)

    def set_stride(self, value: Any) -> ImageDimension:
        """`None` or `Expr()` lifts what was promised (dimension 0 has stride 1 by default)."""
        return self._promise("stride", value)

    def set_bounds(self, min: Any, extent: Any) -> ImageDimension:
        return self.set_min(min).set_extent(extent)

    def set_estimate(self, min: Any, extent: Any) -> ImageDimension:
        """What a scheduler may expect; no promise."""
        self.estimate = (as_expr(min).node, as_expr(extent).node)
        return self

    def dim(self, index: int) -> ImageDimension:
        return self._image.dim(index)


class OutputImageParam:
    """The buffer that a stage is written to."""

    def __init__(self, type: ir.Type, dimensions: int, name: str) -> None:
        self.element_type, self._name = type, name
        self.alignment = 1
        self.promise_sources: Sources = frozenset()
        """The parameters and other images that promises about the shape refer to."""
        self._dims = tuple(ImageDimension(self, i) for i in range(dimensions))

    def name(self) -> str:
        return self._name

    def type(self) -> Type:
        return Type.of(self.element_type)

    def dimensions(self) -> int:
        return len(self._dims)

    def dim(self, index: int) -> ImageDimension:
        if not 0 <= index < len(self._dims):
            fail(f"{self._name} has {len(self._dims)} dimensions; there is no dimension {index}.")
        return self._dims[index]

    def defined(self) -> bool:
        return True

    def parameter(self) -> OutputImageParam:
        return self

    def _needs(self, what: str, dimensions: int) -> ImageDimension:
        if len(self._dims) < dimensions:
            fail(
                f"Can't ask for the {what} of an image of {len(self._dims)} dimensions: "
                f"{self._name} needs at least {dimensions}."
            )
        return self._dims[dimensions - 1]

    def width(self) -> Expr:
        return self._needs("width", 1).extent()

    def height(self) -> Expr:
        return self._needs("height", 2).extent()

    def channels(self) -> Expr:
        return self._needs("channels", 3).extent()

    def left(self) -> Expr:
        return self._needs("left", 1).min()

    def right(self) -> Expr:
        return self._needs("right", 1).max()

    def top(self) -> Expr:
        return self._needs("top", 2).min()

    def bottom(self) -> Expr:
        return self._needs("bottom", 2).max()

    def host_alignment(self) -> int:
        """The number of bytes that the first element's address is promised to be a multiple of."""
        return self.alignment

    def set_host_alignment(self, bytes: int) -> OutputImageParam:
        """Promises it; a call checks it."""
        changed()
        self.alignment = int(bytes)
        return self

    def store_in(self, memory_type: Any) -> OutputImageParam:
        """Where the memory is; a processor's is the only one here, so this changes nothing."""
        return self

    def set_estimates(self, estimates: Any) -> OutputImageParam:
        """A (min, extent) for each dimension that a scheduler may expect; no promise."""
        pairs = list(estimates)
        if len(pairs) != len(self._dims):
            fail(
                f"ImageParam {self._name} has {len(self._dims)} dimensions, "
                f"but the estimates passed to set_estimates contains {len(pairs)} pairs."
            )
        for dimension, pair in zip(self._dims, pairs, strict=True):
            low, extent = (pair.min, pair.extent) if hasattr(pair, "extent") else pair
            dimension.set_estimate(low, extent)
        return self

    def __repr__(self) -> str:
        kind = type(self).__name__
        return f"<{kind} '{self._name}', dims: {len(self._dims)}, type: {self.element_type}>"


class InputImageParam(OutputImageParam):
    """An input image of `dimensions`; read by indexing it: `image[x, y]`."""

    def __init__(self, type: Type, dimensions: int, name: str | None = None) -> None:
        if not isinstance(type, Type):
            raise TypeError(f"ImageParam(): incompatible constructor arguments: {type!r}")
        if name is not None and not is_parameter_name(name):
            fail(f"An ImageParam's name may not be empty or contain '.': {name!r}.")
        name = fresh_name("im") if name is None else chosen_name(name)
        super().__init__(type.ir_type, dimensions, name)
        self.bound: Buffer | None = None
        self.traces_loads = False
        self.wrappers: dict[str, Function] = {}
        """By consumer's name ("" for all others): the stage that it reads instead (`in_`)."""

    def set(self, buffer: Any) -> None:
        """The image for `realize`; its type and number of dimensions must fit."""
        if buffer is None:
            raise TypeError("set(): incompatible function arguments. Invoked with: None")
        given = buffer if isinstance(buffer, Buffer) else Buffer(buffer)
        if not given.defined():
            self.bound = None
            return
        if given.element_type is not self.element_type:
            fail(
                f"Can't bind ImageParam {self._name} of type {self.element_type} "
                f"to Buffer {given.name()} of type {given.type()}"
            )
        if given.dimensions() != self.dimensions():
            fail(
                f"Can't bind ImageParam {self._name} of {self.dimensions()} dimensions "
                f"to Buffer {given.name()} of {given.dimensions()} dimensions"
            )
        self.bound = given

    def get(self) -> Buffer:
        """The image that `set` gave; an undefined Buffer when there is none."""
        return Buffer() if self.bound is None else self.bound

    def reset(self) -> None:
        """Forgets the image that `set` gave."""
        self.bound = None

    def trace_loads(self) -> None:
        """Reports each read of the image while the pipeline runs."""
        self.traces_loads = True

    def __getitem__(self, index: Any) -> Expr:
        return read_image(self, index)
