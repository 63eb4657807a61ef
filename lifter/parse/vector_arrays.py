"""Arrays of vectors, `__m128i rows[3]`, also in objects, `uint8x8x3_t`: each element is a vector
variable of its own."""

from __future__ import annotations

from math import prod
from typing import Any

from compiler.ir import Const

from .bindings import Key, LanesArrayBinding
from .bound import binding_key
from .categories import NAMES
from .dispatch import lanes_of, value_of
from .failure import unsupported
from .lanes import Lanes
from .syntax import Node, strip
from .translation import Translation
from .types import is_array, is_simd
from .vector_values import begin_lanes, set_lanes, undefined, zeros

_MOST_VECTORS = 64


def is_array_of_lanes(type: Any) -> bool:
    """Whether a type is that of an array of vectors whose extents are constants."""
    while is_array(type):
        if type.kind.name != "CONSTANTARRAY":
            return False
        type = type.element_type.get_canonical()
        if is_simd(type):
            return True
    return False


def declare_array_of_lanes(t: Translation, node: Node) -> None:
    """A local array of vectors, with what it begins with."""
    made = new_array_of_lanes(t, node.key, node.spelling, node.type, node)
    t.bind(node, made)
    start = node.initializer
    if start is not None and start.kind == "INIT_LIST_EXPR":
        fill_array_of_lanes(t, made, node.type, start)


def new_array_of_lanes(
    t: Translation, key: Key, name: str, type: Any, node: Node
) -> LanesArrayBinding:
    """An array of vectors that hold nothing yet."""
    shape, vector = _shape_of(type)
    count = prod(shape)
    if count > _MOST_VECTORS:
        raise unsupported(
            "unsupported-type", node.span, f"an array of {count} vectors isn't understood",
            "make it an array of numbers",
        )  # fmt: skip
    made = LanesArrayBinding(key, name, shape)
    for i in range(count):
        begin_lanes(t, made.element(i), f"{name}.{i}", undefined(vector))
    return made


def fill_array_of_lanes(
    t: Translation, made: LanesArrayBinding, type: Any, start: Node | None
) -> None:
    """Gives an array of vectors what a list says, and zeros where it says nothing."""
    _, vector = _shape_of(type)
    values: dict[int, Lanes] = {}
    if start is not None:
        with t.expression_region(start) as region:
            _list(t, start, made.shape, 0, values)
            t.flush(region)
    for i in range(prod(made.shape)):
        set_lanes(t, made.element(i), values.get(i) or zeros(vector))


def _shape_of(type: Any) -> tuple[tuple[int, ...], Any]:
    shape: list[int] = []
    while is_array(type):
        shape.append(type.element_count)
        type = type.element_type.get_canonical()
    return tuple(shape), type


def _list(
    t: Translation, node: Node, shape: tuple[int, ...], first: int, values: dict[int, Lanes]
) -> None:
    inner = prod(shape[1:])
    for i, child in enumerate(node.children):
        if len(shape) > 1:
            _list(t, child, shape[1:], first + i * inner, values)
        else:
            values[first + i] = lanes_of(t, child)


def lanes_element(t: Translation, node: Node) -> Key | None:
    """The key of an element of a local array of vectors; None for anything else."""
    places: list[Node] = []
    inner = strip(node)
    while inner.kind == "ARRAY_SUBSCRIPT_EXPR":
        places.insert(0, inner.children[1])
        inner = strip(inner.children[0])
    if inner.kind not in NAMES or inner.declaration is None or not places:
        return None
    array = t.environment.get(binding_key(t, inner))
    if not isinstance(array, LanesArrayBinding) or len(places) != len(array.shape):
        return None
    position = 0
    for place, extent in zip(places, array.shape, strict=True):
        value = value_of(t, place)
        if not isinstance(value, Const) or not 0 <= value.value < extent:
            raise unsupported(
                "unsupported-expression", node.span,
                f"which of the vectors in `{array.name}` this is isn't known",
                "name it by a constant",
            )  # fmt: skip
        position = position * extent + int(value.value)
    return array.element(position)
