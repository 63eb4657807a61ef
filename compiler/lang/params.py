"""`Param` and `ImageParam`: what a pipeline takes from its caller; and its outputs' shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import ir
from ..ir import I32, Type
from .changes import changed
from .errors import fail
from .expr import Convertible, Expr, as_expr
from .names import buffer_field, check_identifier, fresh_name, parameter_variable

if TYPE_CHECKING:
    from .buffer import Buffer


class Parameter:
    """A scalar parameter's name, type and present value; shared by expressions that use it."""

    def __init__(self, type: Type, name: str) -> None:
        self.type, self.name = type, name
        self.value: int | float | None = None


class Param(Convertible):
    """A scalar that the caller gives: `Param(type)`, `Param(type, name)`, with a value last."""

    __slots__ = ("_parameter",)

    def __init__(self, type: Type, name: Any = None, value: Any = None) -> None:
        if name is not None and not isinstance(name, str):
            name, value = None, name
        if name is not None and not check_identifier(name):
            fail(f"A Param's name must be an identifier, not {name!r}.")
        self._parameter = Parameter(type, name if name is not None else fresh_name("p"))
        if value is not None:
            self.set(value)

    def name(self) -> str:
        return self._parameter.name

    def type(self) -> Type:
        return self._parameter.type

    def set(self, value: Any) -> None:
        """The value for `realize`; it must be one of the type's values."""
        type = self._parameter.type
        if type.is_integer and (int(value) != value or not type.contains(int(value))):
            fail(f"The value {value} cannot be losslessly converted to type {type}")
        self._parameter.value = int(value) if type.is_integer else float(value)

    def _expr(self) -> Expr:
        p = self._parameter
        return Expr.of(parameter_variable(p.name, p.type), extra=frozenset({p}))

    def __repr__(self) -> str:
        return f"<Param '{self.name()}' of type {self.type()}>"


class ImageDimension:
    """One dimension of an image parameter: its fields as `Expr`s, and what the user promises."""

    def __init__(self, image: OutputImageParam, index: int) -> None:
        self._image, self._index = image, index
        self._promised: dict[str, ir.Expr | None] = {"stride": ir.const(1) if index == 0 else None}

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
        if e.type() is not I32:
            fail(f"The {field} of a dimension is an int32; {e} is {e.type()}.")
        if not isinstance(e.node, ir.Const):
            fail(f"The {field} of a dimension can only be promised to be a constant, not {e}.")
        self.promised[field] = e.node
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

    def __init__(self, type: Type, dimensions: int, name: str) -> None:
        self._type, self._name = type, name
        self._dims = tuple(ImageDimension(self, i) for i in range(dimensions))

    def name(self) -> str:
        return self._name

    def type(self) -> Type:
        return self._type

    def dimensions(self) -> int:
        return len(self._dims)

    def dim(self, index: int) -> ImageDimension:
        if not 0 <= index < len(self._dims):
            fail(f"{self._name} has {len(self._dims)} dimensions; there is no dimension {index}.")
        return self._dims[index]

    def width(self) -> Expr:
        return self.dim(0).extent()

    def height(self) -> Expr:
        return self.dim(1).extent()

    def channels(self) -> Expr:
        return self.dim(2).extent()

    def left(self) -> Expr:
        return self.dim(0).min()

    def right(self) -> Expr:
        return self.dim(0).max()

    def top(self) -> Expr:
        return self.dim(1).min()

    def bottom(self) -> Expr:
        return self.dim(1).max()

    def set_estimates(self, pairs: Any) -> OutputImageParam:
        for i, (low, extent) in enumerate(pairs):
            self.dim(i).set_estimate(low, extent)
        return self

    def __repr__(self) -> str:
        kind = type(self).__name__
        return f"<{kind} '{self._name}', dims: {len(self._dims)}, type: {self._type}>"


class ImageParam(OutputImageParam):
    """An input image of `dimensions`; read by indexing it: `image[x, y]`."""

    def __init__(self, type: Type, dimensions: int, name: str | None = None) -> None:
        if name is not None and not check_identifier(name):
            fail(f"An ImageParam's name must be an identifier, not {name!r}.")
        super().__init__(type, dimensions, name if name is not None else fresh_name("im"))
        self.bound: Buffer | None = None

    def set(self, buffer: Any) -> None:
        """The image for `realize`; its type and number of dimensions must fit."""
        from .buffer import Buffer

        given = buffer if isinstance(buffer, Buffer) else Buffer(buffer)
        if given.type() is not self._type:
            fail(
                f"Can't bind ImageParam {self._name} of type {self._type} "
                f"to Buffer {given.name()} of type {given.type()}"
            )
        if given.dimensions() != self.dimensions():
            fail(
                f"Can't bind ImageParam {self._name} of {self.dimensions()} dimensions "
                f"to Buffer {given.name()} of {given.dimensions()} dimensions"
            )
        self.bound = given

    def get(self) -> Buffer | None:
        return self.bound

    def reset(self) -> None:
        self.bound = None

    def __getitem__(self, index: Any) -> Expr:
        return read_image(self, index)


def read_image(image: Any, index: Any) -> Expr:
    """The element of an `ImageParam` or a `Buffer` at coordinates."""
    from .function import coordinates
    from .implicit import expanded_read
    from .references import coordinates_of

    args = expanded_read(coordinates_of("__getitem__", index), image.dimensions())
    if len(args) != image.dimensions():
        fail(
            f'"{image.name()}" was called with {len(args)} arguments, '
            f"but was defined with {image.dimensions()}"
        )
    call = ir.Call(image.name(), coordinates(image.name(), args), image.type(), "image")
    return Expr.of(call, *args, extra=frozenset({image}))
