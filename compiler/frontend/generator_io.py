"""What a `Generator` declares: its parameters at compile time, its inputs and its outputs."""

from __future__ import annotations

import re
from typing import Any

from ..lang.buffer import Buffer
from ..lang.enums import ArgInfoDirection, ArgInfoKind
from ..lang.errors import fail
from ..lang.expr import BFloat, Bool, Expr, Float, Int, Type, UInt
from ..lang.implicit import PLACEHOLDER
from ..lang.params import Param
from ..lang.variables import Var
from .func import Func
from .image_param import ImageParam

_TYPES = {
    "bool": Bool(), "bfloat16": BFloat(16), "float16": Float(16), "float32": Float(32),
    "float64": Float(64), "int8": Int(8), "int16": Int(16), "int32": Int(32), "int64": Int(64),
    "uint8": UInt(8), "uint16": UInt(16), "uint32": UInt(32), "uint64": UInt(64),
}  # fmt: skip
_PYTHON_TYPES = {bool: Bool(), int: Int(32), float: Float(32)}


def check_name(name: str) -> None:
    """Raises `HalideError` unless `name` may name a parameter, an input or an output."""
    if "__" in name or name == "generator_params" or not re.fullmatch(r"[A-Za-z0-9]\w*", name):
        fail(f"The name '{name}' is not valid for a GeneratorParam, Input, or Output.")


def type_list(types: Any) -> list[Type]:
    """The types of a declaration: None for what is to be decided later, one, or several."""
    if types is None:
        return []
    items = list(types) if isinstance(types, (list, tuple)) else [types]
    made: list[Any] = [_PYTHON_TYPES.get(t, t) if isinstance(t, type) else t for t in items]
    for item in made:
        if not isinstance(item, Type):
            fail(f"Expected a Halide Type, but saw: {item}")
    return made


def parsed_types(value: Any) -> list[Type]:
    """Types from a value or from text such as `uint8` or `int32,float32`."""
    if not isinstance(value, str):
        return type_list(value)
    for word in value.split(","):
        if word not in _TYPES:
            fail(f"The value {word} cannot be parsed as a Type.")
    return [_TYPES[word] for word in value.split(",")]


class GeneratorParam:
    """A value that is fixed when the generator runs: text, bool, int, float or `Type`.

    The kind of the default decides how other values, texts among them, are read.
    """

    def __init__(self, value: Any) -> None:
        self.value = value

    def parsed(self, name: str, given: Any) -> Any:
        """`given` as a value of this parameter's kind."""
        default = self.value
        try:
            if isinstance(default, str):
                return str(given)
            if isinstance(default, bool):
                return _boolean(given)
            if isinstance(default, (int, float)):
                return type(default)(given)
        except ValueError:
            fail(f"The value {given} cannot be parsed for the GeneratorParam {name}.")
        if isinstance(default, Type):
            types = parsed_types(given)
            return types[0] if len(types) == 1 else types
        fail(f"GeneratorParam {name} has unsupported type {type(default)}")


def _boolean(given: Any) -> bool:
    if isinstance(given, str) and given.lower() in ("false", "0", "no"):
        return False
    return bool(given)


class DeclaredPort:
    """An input or an output: types (none: decided later) and dimensions (-1: decided later)."""

    direction = ArgInfoDirection.Input
    kind = ArgInfoKind.Buffer

    def __init__(self, types: Any, dimensions: int | None) -> None:
        self.types = type_list(types)
        self.dimensions = -1 if dimensions is None else dimensions

    def made(self, required: Required) -> Any:
        """What stands for it while the generator runs."""
        raise NotImplementedError

    def bound(self, value: Any, required: Required) -> Any:
        """What stands for it when the caller gives `value`."""
        raise NotImplementedError


class Required:
    """The name, types and dimensions of an input or output, all decided."""

    def __init__(self, name: str, types: list[Type], dimensions: int) -> None:
        check_name(name)
        if not types:
            fail(
                f"No type has been specified for {name}. Try specifying one in code, or by setting "
                f"'{name}.type' as a GeneratorParam."
            )
        if dimensions < 0:
            fail(
                f"No dimensionality has been specified for {name}. Try specifying one in code, or "
                f"by setting '{name}.dim' as a GeneratorParam."
            )
        self.name, self.types, self.dimensions = name, types, dimensions

    def check(self, types: list[Type], dimensions: int) -> None:
        """Raises `HalideError` unless these are the types and dimensions."""
        if len(types) != len(self.types):
            fail(
                f"Type mismatch for {self.name}: expected {len(self.types)} types but saw "
                f"{len(types)}"
            )
        for i, (wanted, seen) in enumerate(zip(self.types, types, strict=True)):
            if wanted is not seen:
                fail(f"Type mismatch for {self.name}:{i}: expected {wanted} saw {seen}")
        if dimensions != self.dimensions:
            fail(
                f"Dimensions mismatch for {self.name}: expected {self.dimensions} saw {dimensions}"
            )


class InputBuffer(DeclaredPort):
    """An image that the pipeline reads."""

    def __init__(self, type: Any, dimensions: int | None) -> None:
        super().__init__(type, dimensions)

    def made(self, required: Required) -> ImageParam:
        return ImageParam(required.types[0], required.dimensions, required.name)

    def bound(self, value: Any, required: Required) -> ImageParam:
        if not isinstance(value, (Buffer, ImageParam)):
            fail(
                f"Input {required.name} requires an ImageParam or Buffer argument when using "
                f"call(), but saw {value}"
            )
        if isinstance(value, Buffer) and not value.defined():
            fail(f"Cannot set the value for {required.name} to an undefined value.")
        required.check([value.type()], value.dimensions())
        if isinstance(value, ImageParam):
            return value
        made = self.made(required)
        made.set(value)
        return made


class InputScalar(DeclaredPort):
    """A number that the pipeline takes."""

    kind = ArgInfoKind.Scalar

    def __init__(self, type: Any) -> None:
        super().__init__(type, 0)

    def made(self, required: Required) -> Param:
        return Param(required.types[0], required.name)

    def bound(self, value: Any, required: Required) -> Param:
        if isinstance(value, (int, float)):
            made = self.made(required)
            made.set(value)
            return made
        if not isinstance(value, Param):
            fail(
                f"Input {required.name} requires a Param (or scalar literal) argument when using "
                f"call(), but saw {value}."
            )
        required.check([value.type()], 0)
        return value


class OutputBuffer(DeclaredPort):
    """A stage that the pipeline computes; several types for several values."""

    direction = ArgInfoDirection.Output

    def made(self, required: Required) -> Func:
        return Func(required.types, required.dimensions, required.name)

    def replaced(self, value: Any, required: Required) -> Func:
        """The stage to compute when the generator assigned `value` to the output."""
        if isinstance(value, Func):
            return value
        if not isinstance(value, Buffer):
            fail(f"Output {required.name} requires a Func or Buffer, but saw {value}")
        made = self.made(required)
        made[Var(PLACEHOLDER)] = value[Var(PLACEHOLDER)]
        return made


class OutputScalar(OutputBuffer):
    """A number that the pipeline computes: a stage without coordinates."""

    def __init__(self, types: Any) -> None:
        super().__init__(types, 0)

    def replaced(self, value: Any, required: Required) -> Func:
        if isinstance(value, Expr):
            made = self.made(required)
            made[()] = value
            return made
        return super().replaced(value, required)
