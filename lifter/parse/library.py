"""The C and C++ standard library's functions that have a meaning of their own here.

What C++ can say stands as C++ in `include/`. Here stand what it can't say (bytes of memory, the
last bit of a sine) and what the language has an operation of its own for, which is better than
branches: minima, maxima, `clamp`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from compiler.ir import (
    F16,
    F32,
    F64,
    GE,
    I64,
    LT,
    NE,
    U16,
    Add,
    Call,
    Cast,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mul,
    Select,
    Sub,
    Type,
    Variable,
    intrinsic,
)

from .allocation import ALLOCATORS
from .bindings import Address, Nothing, Place, Pointer, PointerValue, Result
from .dispatch import pointer_of, value_of
from .extremes import extreme, minmax
from .failure import unsupported
from .folding import convert, fold, number
from .lanes import as_bits
from .library_function import BINARY, TO_LONG, UNARY, LibraryFunction
from .memory import byte_pattern, copy, count_of_bytes, fill, move, refuse_foreign
from .order import values_of
from .pointers import into_array, known_pointer
from .program import arguments_of
from .steady import steady_range, steady_value
from .syntax import Node
from .translation import Translation
from .types import (
    is_record,
    number_type,
    same_bytes,
    scalar_type,
)
from .vectors import list_items, vector_member
from .views import copy_number, number_at

_BY_FORMULA = frozenset({"exp", "log", "pow"})
"""In float32 the DSL computes these by formulas of its own, whose last bits aren't the C library's;
in float64 both call the C library."""


@dataclass(frozen=True, slots=True)
class LibraryCall:
    """A call of a library function: `name` is its meaning (see `LibraryFunction.meaning`)."""

    node: Node
    name: str
    arguments: tuple[Node, ...]


LIBRARY: dict[str, Callable[[Translation, LibraryCall], Result | None]] = {}
"""What the library's functions give, by meaning; None where the function's body, as the header has
it, is its meaning."""
Function = TypeVar("Function", bound=Callable[[Translation, LibraryCall], Result | None])


def means(*names: str) -> Callable[[Function], Function]:
    """Registers the function below for library functions with these meanings."""

    def register(function: Function) -> Function:
        LIBRARY.update(dict.fromkeys(names, function))
        return function

    return register


def library_call(t: Translation, node: Node, function: LibraryFunction) -> Result | None:
    """What a call of a library function gives; None where its body is its meaning."""
    name = function.meaning
    if name.startswith("vector::"):
        return vector_member(t, node, name.removeprefix("vector::"))
    translate = LIBRARY.get(name)
    return None if translate is None else translate(t, LibraryCall(node, name, arguments_of(node)))


# Mathematics


@means("abs")
def _absolute(t: Translation, call: LibraryCall) -> Result | None:
    result = scalar_type(call.node.type)
    if result is None:
        return None
    value = convert(value_of(t, call.arguments[0]), result)
    return convert(intrinsic("abs", value), result)


@means(*TO_LONG)
def _to_long(t: Translation, call: LibraryCall) -> Result | None:
    if scalar_type(call.node.type) is None:
        return None
    value = value_of(t, call.arguments[0])
    if not value.type.is_float:
        value = convert(value, F64)
    rounded = intrinsic("round", value) if call.name == "lrint" else _half_away(t, value)
    return Cast(I64, rounded)


@means(*UNARY)
def _unary(t: Translation, call: LibraryCall) -> Result | None:
    result = scalar_type(call.node.type)
    if result is None or not result.is_float:
        return None
    _check_exact(call, result)
    value = convert(value_of(t, call.arguments[0]), result)
    return _half_away(t, value) if call.name == "round" else intrinsic(UNARY[call.name], value)


@means(*BINARY)
def _binary(t: Translation, call: LibraryCall) -> Result | None:
    result = scalar_type(call.node.type)
    if result is None or not result.is_float:
        return None
    a, b = (convert(v, result) for v in values_of(t, call.arguments, call.node))
    if call.name == "fmin":
        return Select(NE(a, a), b, Min(a, b))
    if call.name == "fmax":
        return Select(NE(a, a), b, Max(a, b))
    found = _power(a, b)
    if isinstance(found, Call):
        _check_exact(call, result)
    return found


@means("fma")
def _fused(t: Translation, call: LibraryCall) -> Result | None:
    result = scalar_type(call.node.type)
    if result is None or not result.is_float:
        return None
    return intrinsic("fma", *(convert(v, result) for v in values_of(t, call.arguments, call.node)))


@means("__float_of_half")
def _float_of_half(t: Translation, call: LibraryCall) -> Result:
    """The number that 16 bits are; it is a float32, too."""
    return Cast(F32, as_bits(convert(value_of(t, call.arguments[0]), U16), F16))


@means("__half_of_float")
def _half_of_float(t: Translation, call: LibraryCall) -> Result:
    """The bits of the nearest number that 16 bits can be, half to even."""
    return as_bits(Cast(F16, convert(value_of(t, call.arguments[0]), F32)), U16)


def _check_exact(call: LibraryCall, result: Type) -> None:
    if call.name in _BY_FORMULA and result.bits < 64:
        raise unsupported(
            "inexact-function",
            call.node.span,
            f"`{call.name}` of {result} isn't computed to the C library's last bit",
            f"compute it in double: `(float){call.name}((double)...)`",
        )


def _power(a: Expr, b: Expr) -> Expr:
    """`pow`, with the exponents for which compilers write a product, whatever the library does."""
    exponent = b.value if isinstance(b, Const) else None
    if exponent == 0:
        return number(1, a.type)
    if exponent == 1:
        return a
    if exponent == -1:
        return Div(number(1, a.type), a)
    return Mul(a, a) if exponent == 2 else intrinsic("pow", a, b)


def _half_away(t: Translation, value: Expr) -> Expr:
    """C's `round`: to the nearest whole number, halves away from zero, exactly."""
    if not isinstance(value, (Const, Variable)):
        value = t.capture(value)
    whole = intrinsic("trunc", value)
    away = Select(LT(value, number(0, value.type)), number(-1, value.type), number(1, value.type))
    half = GE(intrinsic("abs", Sub(value, whole)), number(0.5, value.type))
    rounded: Expr = Select(half, Add(whole, away), whole)
    return rounded


@means(*(f"numeric_limits::{name}" for name in ("min", "lowest", "max", "epsilon", "infinity")))
def _limit(t: Translation, call: LibraryCall) -> Result | None:
    own = scalar_type(call.node.type)
    if own is None:
        return None
    if own.is_integer:
        limits: dict[str, float] = {"min": own.min, "lowest": own.min, "max": own.max}
    elif own is F32:
        largest = float.fromhex("0x1.fffffep+127")
        limits = {
            "max": largest, "lowest": -largest, "min": 2.0**-126, "epsilon": 2.0**-23,
            "infinity": float("inf"),
        }  # fmt: skip
    else:
        largest = float.fromhex("0x1.fffffffffffffp+1023")
        limits = {
            "max": largest, "lowest": -largest, "min": 2.0**-1022, "epsilon": 2.0**-52,
            "infinity": float("inf"),
        }  # fmt: skip
    which = call.name.removeprefix("numeric_limits::")
    return number(limits[which], own) if which in limits else None


# <algorithm>


@means("min", "max")
def _extreme(t: Translation, call: LibraryCall) -> Result:
    own = number_type(call.node)
    listed = len(call.arguments) == 1
    items = list_items(call.arguments[0]) if listed else call.arguments
    values = [convert(v, own) for v in values_of(t, items, call.node)]
    return extreme(Min if call.name == "min" else Max, values)


@means("clamp")
def _clamp(t: Translation, call: LibraryCall) -> Result:
    own = number_type(call.node)
    value, low, high = (convert(v, own) for v in values_of(t, call.arguments, call.node))
    return fold(Max(fold(Min(value, high)), low))


@means("minmax")
def _minmax(t: Translation, call: LibraryCall) -> Result | None:
    return minmax(t, call.node, call.arguments) if is_record(call.node.type) else None


# Memory


@means("free")
def _free(t: Translation, call: LibraryCall) -> Result:
    (freed,) = call.arguments
    refuse_foreign(t, pointer_of(t, freed), call.node, "`free`")
    return Nothing()


@means("printf", "puts")
def _refuse_output(t: Translation, call: LibraryCall) -> Result:
    raise unsupported(
        "input-output", call.node.span, f"`{call.name}` does input or output", "take it out"
    )


@means("memcpy", "memmove")
def _copy_bytes(t: Translation, call: LibraryCall) -> Result:
    name, node, arguments = call.name, call.node, call.arguments
    ends = [pointer_of(t, a) for a in arguments[:2]]
    size = arguments[2].evaluate()
    if isinstance(size, int) and size in (1, 2, 4, 8) and _is_number(ends):
        copy_number(t, _number(t, ends[0], size, node), _number(t, ends[1], size, node), node)
        return ends[0]
    to, source = (into_array(e, a) for e, a in zip(ends, arguments[:2], strict=True))
    if not same_bytes(to.element, source.element):
        raise unsupported(
            "pointer-cast",
            node.span,
            f"`{name}` moves bytes between {source.element} and {to.element}",
            "copy between arrays of one element type",
        )
    count = steady_value(t, count_of_bytes(t, arguments[2], to.element, node))
    to, source = steady_range(t, to), steady_range(t, source)
    if name == "memmove" and to.array == source.array:
        move(t, to, source, count)
    else:
        copy(t, to, source, count)
    return to


def _is_number(ends: Sequence[PointerValue]) -> bool:
    """Whether a copy is to or from a variable, or between arrays of elements of two sizes."""
    sizes = {e.element.bytes for e in ends if isinstance(e, Pointer) and e.level == 1}
    return any(isinstance(e, Address) for e in ends) or len(sizes) == 2


def _number(t: Translation, end: PointerValue, size: int, node: Node) -> Place:
    if isinstance(end, Address) and end.place.type.bytes == size:
        return end.place
    if isinstance(end, Pointer):
        return number_at(t, end, size, node)
    raise unsupported(
        "pointer-cast",
        node.span,
        f"{size} bytes are copied to or from a part of a variable",
        "copy all of it",
    )


@means("memset")
def _set_bytes(t: Translation, call: LibraryCall) -> Result:
    to = known_pointer(t, call.arguments[0])
    value = byte_pattern(value_of(t, call.arguments[1]), to.element, call.node)
    count = steady_value(t, count_of_bytes(t, call.arguments[2], to.element, call.node))
    to = steady_range(t, to)
    fill(t, to, count, steady_value(t, value))
    return to


@means(*ALLOCATORS)
def _refuse_allocation(t: Translation, call: LibraryCall) -> Result:
    raise unsupported(
        "unsupported-expression",
        call.node.span,
        f"`{call.name}` isn't the initial value of a typed pointer variable",
        "write `T* name = (T*)malloc(count * sizeof(T));`",
    )
