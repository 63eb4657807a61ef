"""`std::vector`: its elements, its members, and how one is made."""

from __future__ import annotations

from compiler.ir import I64, LE, Const, Expr, Sub, Type, Variable

from ..model.kernel import Store
from .bindings import (
    ElementPlace,
    Key,
    ObjectBinding,
    ObjectVectorBinding,
    Place,
    Pointer,
    Result,
    RowVectorBinding,
    VectorBinding,
)
from .bound import object_vector, row_vector, vector_binding
from .categories import unwrapped
from .dispatch import value_of
from .failure import unsupported
from .file_scope import refuse_static
from .folding import add, convert, fold, index, number, scale
from .memory import allocate, copy, fill
from .pointers import difference, known_pointer
from .records import Field
from .syntax import Node, strip
from .translation import Translation
from .types import is_pointer, number_type, pointee_of, scalar_type, vector_element
from .views import read


def is_vector_access(t: Translation, node: Node) -> bool:
    """Whether a call is an element of a vector that is known."""
    return (
        node.spelling in ("operator[]", "at", "front", "back")
        and bool(node.children)
        and receiver_of(t, node) is not None
    )


def receiver_of(t: Translation, node: Node) -> VectorBinding | None:
    """The vector whose member is called, if it is known."""
    return vector_binding(t, strip(_receiver(node)))


def _receiver(node: Node) -> Node:
    target = node.children[0]
    if target.kind == "MEMBER_REF_EXPR" and target.children and not _is_field(target):
        target = target.children[0]
    return target


def vector_place(t: Translation, node: Node) -> Place:
    """The element that a call of `operator[]`, `front` or `back` gives."""
    binding = receiver_of(t, node)
    assert binding is not None
    pointer = binding.pointer
    name = node.spelling
    if name == "at":
        raise unsupported(
            "exception",
            node.span,
            "`at` throws where there is no such element",
            "write v[i] where it is known that there is one",
        )
    if name == "front":
        position: Expr = Const(I64, 0)
    elif name == "back":
        position = Sub(binding.size, Const(I64, 1))
    else:
        position = index(value_of(t, node.children[-1]))
    return ElementPlace(pointer.array, (add(pointer.offset, position),), pointer.element)


def vector_member(t: Translation, node: Node, name: str) -> Result:
    """What a member function of a vector gives."""
    binding = receiver_of(t, node) if node.children else None
    rows = row_vector(t, strip(_receiver(node))) if node.children else None
    if rows is not None:
        return _row_vector_member(t, node, name, rows)
    objects = object_vector(t, strip(_receiver(node))) if node.children else None
    if objects is not None:
        return _object_vector_member(t, node, name, objects)
    if binding is None:
        raise unsupported("unsupported-type", node.span, "this container isn't understood")
    if name in ("operator[]", "at", "front", "back"):
        return read(vector_place(t, node), number_type(node))
    if name == "size":
        return convert(binding.size, number_type(node))
    if name == "empty":
        return fold(LE(binding.size, Const(I64, 0)))
    if name in ("data", "begin"):
        return binding.pointer
    if name == "end":
        return binding.pointer.at(add(binding.pointer.offset, binding.size))
    if name == "operator=":
        raise unsupported(
            "unsupported-expression",
            node.span,
            "a vector is assigned as a whole",
            "use each vector by its own name in turn",
        )
    raise unsupported(
        "unsupported-expression",
        node.span,
        f"`std::vector::{name}` isn't understood",
        "make the vector with its final size",
    )


def _row_vector_member(t: Translation, node: Node, name: str, binding: RowVectorBinding) -> Pointer:
    """A row, or the table of all. (`at` throws where there is no such row: it isn't told how many
    there are.)"""
    table = binding.pointer
    if name in ("data", "begin"):
        return table
    if name in ("operator[]", "front"):
        at = Const(I64, 0) if name == "front" else index(value_of(t, node.children[-1]))
        return Pointer(table.array, table.element, Const(I64, 0), 1, add(table.offset, at))
    raise unsupported(
        "unsupported-expression",
        node.span,
        f"`std::vector::{name}` of a vector of pointers isn't understood",
        "read its rows by their number, up to one that is a parameter",
    )


def _object_vector_member(
    t: Translation, node: Node, name: str, binding: ObjectVectorBinding
) -> Result:
    """How many structures there are, or a pointer to one of them."""
    if name == "size":
        return convert(binding.count, number_type(node))
    if name == "empty":
        return fold(LE(binding.count, Const(I64, 0)))
    if name in ("data", "begin", "front"):
        at: Expr = Const(I64, 0)
    elif name == "end":
        at = binding.count
    elif name == "back":
        at = Sub(binding.count, Const(I64, 1))
    elif name == "operator[]":
        at = index(value_of(t, node.children[-1]))
    else:
        raise unsupported(
            "unsupported-expression",
            node.span,
            f"`std::vector::{name}` of a vector of structures isn't understood",
            "use its elements by their number",
        )
    pointer = binding.pointer
    return pointer.at(add(pointer.offset, scale(at, binding.numbers)))


def list_items(node: Node) -> tuple[Node, ...]:
    """The values of a `std::initializer_list`."""
    inner = node
    while inner.kind != "INIT_LIST_EXPR" and len(inner.children) == 1:
        inner = inner.children[0]
    if inner.kind != "INIT_LIST_EXPR" or not inner.children:
        raise unsupported("unsupported-expression", node.span, "this list isn't understood")
    return inner.children


def _is_field(member: Node) -> bool:
    return member.declaration is not None and member.declaration.kind.name == "FIELD_DECL"


def declare_vector(t: Translation, node: Node) -> None:
    """A local vector."""
    element = vector_element(node.type)
    assert element is not None
    refuse_static(node)
    start = node.initializer
    while start is not None and start.kind == "UNEXPOSED_EXPR" and len(start.children) == 1:
        start = start.children[0]
    arguments = start.children if start is not None and start.kind == "CALL_EXPR" else ()
    copied = vector_binding(t, arguments[0]) if len(arguments) == 1 else None
    if copied is not None:
        pointer = allocate(t, node.spelling, element, copied.size)
        t.bind(node, VectorBinding(pointer, copied.size))
        copy(t, pointer, copied.pointer, copied.size)
        return
    if len(arguments) == 1 and "initializer_list" in arguments[0].type.spelling:
        _listed_vector(t, node, element, list_items(arguments[0]))
        return
    if len(arguments) == 2 and all(is_pointer(a.type) for a in arguments):
        _copied_vector(t, node, element, *arguments)
        return
    if not arguments or scalar_type(arguments[0].type) is None or len(arguments) > 2:
        raise unsupported(
            "unsupported-type",
            node.span,
            f"vector `{node.spelling}` is made of neither a count nor a range",
            "write `std::vector<T> name(count)` or `name(count, value)`",
        )
    with t.expression_region(arguments[0]) as region:
        size = index(value_of(t, arguments[0]))
        t.flush(region)
    value: Expr = number(0, element)
    if len(arguments) == 2:
        with t.expression_region(arguments[1]) as region:
            value = convert(value_of(t, arguments[1]), element)
            t.flush(region)
    pointer = allocate(t, node.spelling, element, size)
    count = t.declared.arrays[pointer.array].size
    assert count is not None
    t.bind(node, VectorBinding(pointer, count))
    if not isinstance(value, (Const, Variable)):
        value = t.capture(value)
    fill(t, pointer, count, value)


def _listed_vector(t: Translation, node: Node, element: Type, items: tuple[Node, ...]) -> None:
    size = Const(I64, len(items))
    pointer = allocate(t, node.spelling, element, size, (len(items),))
    t.bind(node, VectorBinding(pointer, size))
    for position, item in enumerate(items):
        with t.expression_region(item) as region:
            value = convert(value_of(t, item), element)
            t.emit(Store(t.span, pointer.array, (Const(I64, position),), value))
            t.flush(region)


def _copied_vector(t: Translation, node: Node, element: Type, first: Node, last: Node) -> None:
    """A vector of what lies between two pointers into one array."""
    with t.expression_region(first) as region:
        source = known_pointer(t, first)
        t.flush(region)
    with t.expression_region(last) as region:
        size = difference(t, known_pointer(t, last), source, last)
        t.flush(region)
    pointee = scalar_type(pointee_of(first.type))
    if source.level != 1 or pointee is not source.element:
        raise unsupported(
            "unsupported-type",
            node.span,
            f"vector `{node.spelling}` is made of elements of another type",
            "give the vector its size, and fill it in a loop",
        )
    pointer = allocate(t, node.spelling, element, size)
    count = t.declared.arrays[pointer.array].size
    assert count is not None
    t.bind(node, VectorBinding(pointer, count))
    copy(t, pointer, source, count)


def initialise_vector(
    t: Translation, key: Key, target: ObjectBinding, field: Field, start: Node
) -> None:
    """A field that is a vector, made by a count (and a value)."""
    element = vector_element(field.type)
    assert element is not None
    call = unwrapped(start)
    arguments = call.children if call.kind == "CALL_EXPR" else ()
    name = f"{target.name}.{field.name}"
    if arguments and scalar_type(arguments[0].type) is not None and len(arguments) <= 2:
        size = index(value_of(t, arguments[0]))
        value = number(0, element)
        pointer = allocate(t, name, element, size)
        count = t.declared.arrays[pointer.array].size
        assert count is not None
        filled = convert(value_of(t, arguments[1]), element) if len(arguments) == 2 else value
        fill(t, pointer, count, filled if isinstance(filled, Const) else t.capture(filled))
        t.environment[key] = VectorBinding(pointer, count)
