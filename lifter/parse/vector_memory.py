"""Vectors in memory: loads and stores of so many elements that lie in a row."""

from __future__ import annotations

from collections.abc import Iterable

from compiler.ir import I64, Cast, Const, Expr, Load, Shr, Variable, postorder

from ..model.kernel import Assign, Stmt, Store, expressions_of, statements
from .bindings import ElementObject, LanesBinding, Pointer
from .bound import base_object, binding_key
from .dispatch import LANES, STORED_LANES, pointer_of
from .elements import subscript_operands
from .failure import unsupported
from .folding import add, number
from .lanes import Lanes
from .pointers import into_array
from .syntax import Node
from .translation import StartAgain, Translation
from .vector_arrays import lanes_element
from .vector_values import lanes_behind, named_lanes, set_lanes


def _pointer_to(t: Translation, node: Node) -> Pointer:
    """Where a vector lies: `*p` or `p[i]`."""
    if node.kind == "ARRAY_SUBSCRIPT_EXPR":
        base, position = subscript_operands(t, node)
        return base.at(add(base.offset, position))
    if node.kind == "UNARY_OPERATOR" and node.operator == "*":
        return into_array(pointer_of(t, node.children[0]), node)
    if node.kind == "MEMBER_REF_EXPR":
        owner = base_object(t, node)
        bits = node.declaration.get_field_offsetof()
        if isinstance(owner, ElementObject) and bits % owner.pointer.element.bits == 0:
            place = Const(I64, bits // owner.pointer.element.bits)
            return owner.pointer.at(add(owner.pointer.offset, place))
    raise unsupported("unsupported-expression", node.span, "this vector isn't understood")


@LANES.of("MEMBER_REF_EXPR")
def member_lanes(t: Translation, node: Node) -> Lanes:
    """A member of an object: of one that is taken apart a variable, else what lies in memory."""
    if isinstance(t.environment.get(binding_key(t, node)), LanesBinding):
        return named_lanes(t, node)
    return loaded_lanes(t, node)


@LANES.of("ARRAY_SUBSCRIPT_EXPR")
@LANES.of_operator("UNARY_OPERATOR", "*")
def loaded_lanes(t: Translation, node: Node) -> Lanes:
    """The elements that lie there, in scalars of their own: memory may change before they are
    used."""
    own = lanes_element(t, node)
    if own is not None:
        return lanes_behind(t, own)
    pointer = _pointer_to(t, node)
    element = pointer.element
    known = _table(t, pointer, node)
    if known is not None:
        return known
    found: list[Expr] = []
    for indices in _places(t, pointer, node):
        name = t.fresh(f"{pointer.array}.lane")
        t.made.add(name)
        t.lane_loads[name] = pointer.array
        t.emit(Assign(t.span, name, Load(pointer.array, indices, element)))
        found.append(Variable(name, element))
    return Lanes(element, tuple(found))


@STORED_LANES.of("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR")
@STORED_LANES.of_operator("UNARY_OPERATOR", "*")
def store_in_memory(t: Translation, node: Node, value: Lanes) -> None:
    """Stores a vector where `node` says: into memory, or a variable that has no place there."""
    if node.kind == "MEMBER_REF_EXPR":
        key = binding_key(t, node)
        if isinstance(t.environment.get(key), LanesBinding):
            set_lanes(t, key, value)
            return
    own = lanes_element(t, node)
    if own is not None:
        set_lanes(t, own, value)
        return
    pointer = _pointer_to(t, node)
    _see_narrower(t, pointer, value.type.bits, value.is_constant)
    numbers = value.seen_as(pointer.element).numbers
    for indices, given in zip(_places(t, pointer, node), numbers, strict=True):
        if given is None:
            raise unsupported(
                "unsupported-expression", node.span,
                "a vector is stored of which not all lanes have values",
            )  # fmt: skip
        t.emit(Store(t.span, pointer.array, indices, given))


def _table(t: Translation, pointer: Pointer, node: Node) -> Lanes | None:
    """The numbers of a constant table that lie at a known place."""
    values = t.declared.arrays[pointer.array].values
    if values is None or not isinstance(pointer.offset, Const):
        return None
    first, count = int(pointer.offset.value), node.type.get_size() // pointer.element.bytes
    if first < 0 or first + count > len(values):
        raise unsupported("unsupported-expression", node.span, "a vector beyond a table is read")
    found = (number(v, pointer.element) for v in values[first : first + count])
    return Lanes(pointer.element, tuple(found))


def _see_narrower(t: Translation, pointer: Pointer, bits: int, is_constant: bool) -> None:
    """Raises `StartAgain` where a parameter's elements are made of narrower numbers."""
    own = pointer.element
    is_integer = (
        own.is_integer and not own.is_bool and t.declared.arrays[pointer.array].origin == "param"
    )
    if (
        is_integer
        and not is_constant
        and bits < own.bits
        and bits < t.known.widths.get(pointer.array, 65)
    ):
        raise StartAgain(t.known.narrower(pointer.array, bits))


def narrow_loads(t: Translation, body: Iterable[Stmt]) -> None:
    """Raises `StartAgain` where parts of a vector's elements are used, each by itself."""
    found: dict[str, int] = {}
    for stmt in statements(tuple(body)):
        for node in postorder(*expressions_of(stmt)):
            if not isinstance(node, Cast) or not node.type.is_integer or node.type.is_bool:
                continue
            inner = node.value.a if isinstance(node.value, Shr) else node.value
            array = t.lane_loads.get(inner.name) if isinstance(inner, Variable) else None
            if array is not None and node.type.bits < inner.type.bits:
                found[array] = min(found.get(array, 64), node.type.bits)
    for array, bits in found.items():
        pointer = Pointer(array, t.declared.arrays[array].type)
        _see_narrower(t, pointer, bits, False)


def _places(t: Translation, pointer: Pointer, node: Node) -> list[tuple[Expr, ...]]:
    """The indices of the elements that a vector covers."""
    size, own = node.type.get_size(), pointer.element.bytes
    if size % own:
        raise unsupported("pointer-cast", node.span, "part of an element is seen as a vector")
    row = () if pointer.row is None else (pointer.row,)
    return [(*row, add(pointer.offset, Const(I64, i))) for i in range(size // own)]
