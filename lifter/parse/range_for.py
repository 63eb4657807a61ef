"""Range `for`: over vectors, C arrays, `std::array`, lists of numbers, and objects of classes whose
`begin()` and `end()` give pointers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from compiler.ir import I64, Const, Expr, Load, Variable

from ..model.kernel import Store
from .bindings import (
    ZERO,
    ArrayBinding,
    ElementObject,
    ElementPlace,
    Pointer,
    PointerBinding,
    ScalarBinding,
    ScalarPlace,
)
from .bound import binding_key, field_key, object_vector, vector_binding
from .dispatch import object_of
from .failure import unsupported
from .folding import add, convert, divide_exactly, scale, subtract
from .inlining import inline
from .loop_parts import refuse_first_statement
from .memory import allocate
from .objects import copy_object, new_copy
from .order import values_of
from .pointer_variables import set_pointer
from .pointers import known_pointer
from .range_ends import class_key, range_begin, range_object
from .records import declaration_of, own_fields, refuse_own_copy
from .steady import kept_pointer, kept_value, steady_object
from .syntax import Node, strip
from .translation import Translation
from .types import (
    extents_of,
    is_array,
    is_pointer,
    is_record,
    is_reference,
    library_class,
    pointee_of,
    scalar_type,
    vector_record,
)
from .vectors import list_items
from .views import check_width


@dataclass(frozen=True)
class RangeHead:
    """What a range `for` runs over: `count` elements from `start`, by the scalar `counter`."""

    variable: Node
    start: Pointer
    count: Expr
    element: Any
    """The clang type of the elements; None for numbers of the array's own type."""
    counter: Variable

    @property
    def stride(self) -> int:
        """How many numbers an element has."""
        return 1 if self.element is None else extents_of(self.element).count


def range_head(t: Translation, node: Node) -> RangeHead:
    """What the loop does before its first iteration."""
    refuse_first_statement(node)
    variable, over = node.children[0], node.children[1]
    vector, structures = vector_binding(t, over), object_vector(t, over)
    whole = _standard_array(t, over) if vector is None else None
    listed = strip(over)
    element: Any = None
    if vector is not None:
        start, count = vector.pointer, vector.size
    elif structures is not None:
        start, count = structures.pointer, structures.count
        element = vector_record(over.type)
    elif whole is not None:
        start, count = whole
        element = pointee_of(own_fields(over.type)[0].type)
    elif is_array(over.type) and over.type.kind.name == "CONSTANTARRAY":
        start = known_pointer(t, over)
        check_width(t, start, extents_of(over.type).element, over, over.type)
        start, element = kept_pointer(t, start), pointee_of(over.type)
        count = Const(I64, over.type.element_count)
    elif listed.kind == "INIT_LIST_EXPR" or "initializer_list" in over.type.spelling:
        start, count = _listed(t, over, node)
    else:
        start, count, element = _own_range(t, node, over)
    return RangeHead(variable, start, count, element, t.assign(t.fresh("i"), ZERO))


def _standard_array(t: Translation, node: Node) -> tuple[Pointer, Expr] | None:
    """The elements of a `std::array`: the first one's place, and their number."""
    if library_class(node.type) != "array":
        return None
    whole = object_of(t, node)
    elements = own_fields(node.type)[0]
    count = Const(I64, elements.type.element_count)
    if isinstance(whole, ElementObject):
        return whole.pointer, count
    binding = t.environment[field_key(t, whole, elements.key)]
    return (binding.pointer, count) if isinstance(binding, ArrayBinding) else None


def _listed(t: Translation, over: Node, node: Node) -> tuple[Pointer, Expr]:
    """`for (int k : {1, 2, 3})`: the numbers as an array of their own."""
    items = list_items(over)
    element = scalar_type(items[0].type)
    if element is None or any(scalar_type(i.type) is not element for i in items):
        raise _not_understood(node)
    values = [convert(v, element) for v in values_of(t, items, node)]
    start = allocate(t, "list", element, Const(I64, len(values)), (len(values),))
    for position, value in enumerate(values):
        t.emit(Store(t.span, start.array, (Const(I64, position),), value))
    return start, Const(I64, len(values))


def _own_range(t: Translation, node: Node, over: Node) -> tuple[Pointer, Expr, Any]:
    """An object whose class has `begin()` and `end()`: both are called before the first
    iteration, and what they give is kept."""
    hidden, call = range_object(node), range_begin(node)
    end = None if hidden is None else t.program.range_ends.get(class_key(hidden.type))
    if call is None or end is None:
        raise _not_understood(node)
    pointers: list[Pointer] = []
    with t.expression_region(over) as region:
        receiver = steady_object(t, object_of(t, over), "range")
        for cursor in (call.declaration, end):
            definition = t.program.definition(cursor, str(cursor.spelling))
            if definition is None or cursor.is_virtual_method():
                raise unsupported(
                    "unmodelled-call", node.span, f"the body of `{cursor.spelling}` isn't seen"
                )
            found = inline(t, node, definition, (), receiver)
            if not isinstance(found, Pointer):
                raise _not_understood(node)
            pointers.append(kept_pointer(t, found))
        t.flush(region)
    start, stop = pointers
    if stop.base != start.base or stop.row is not start.row:
        raise unsupported(
            "pointer-base", node.span, "a range of two different arrays",
            "keep the number of elements instead of their end",
        )  # fmt: skip
    element = pointee_of(call.type)
    if extents_of(element).element is not start.element or start.level != 1:
        raise unsupported(
            "pointer-cast", node.span,
            f"elements of {start.element} are seen as `{element.spelling}`",
            "access the array at its own element type",
        )  # fmt: skip
    length = subtract(stop.offset, start.offset)
    count = divide_exactly(length, extents_of(element).count)
    if count is None:
        raise _not_understood(node)
    return start, kept_value(t, count), element


def bind_element(t: Translation, head: RangeHead) -> None:
    """Gives the variable of a range `for` its meaning for one iteration."""
    node, type = head.variable, _value_type(head.variable.type)
    by_reference = is_reference(head.variable.type)
    start = head.start.at(add(head.start.offset, scale(head.counter, head.stride)))
    own = scalar_type(type)
    if head.element is not None and _kind(head.element) != _kind(type):
        raise _other_type(node)
    if is_record(type):
        if head.element is None or declaration_of(head.element) != declaration_of(type):
            raise _other_type(node)
        _bind_object(t, node, type, start, by_reference)
    elif is_array(type) and by_reference:
        t.bind(node, ArrayBinding(start))
    elif is_pointer(type) and not by_reference:
        key = binding_key(t, node)
        t.environment[key] = PointerBinding(node.spelling, None)
        set_pointer(t, key, node.spelling, start, key not in t.mutated)
    elif own is None or head.stride != 1 or (by_reference and own is not start.element):
        raise _other_type(node)
    else:
        row = () if start.row is None else (start.row,)
        indices = (*row, start.offset)
        if by_reference:
            t.bind(node, ScalarBinding(ElementPlace(start.array, indices, start.element)))
            return
        name = t.fresh(node.spelling)
        t.assign(name, convert(Load(start.array, indices, start.element), own))
        t.bind(node, ScalarBinding(ScalarPlace(name, own)))


def _bind_object(t: Translation, node: Node, type: Any, start: Pointer, by_reference: bool) -> None:
    element = ElementObject(start, type)
    if by_reference:
        t.bind(node, element)
        return
    refuse_own_copy(type, node)
    copy = new_copy(t, node.key, node.spelling, type, node)
    copy_object(t, copy, element, node)
    t.bind(node, copy)


def _value_type(type: Any) -> Any:
    return pointee_of(type) if is_reference(type) else type


def _kind(type: Any) -> str:
    """What sort of value it is; the elements of an array of arrays may be seen as pointers."""
    if is_array(type) or is_pointer(type):
        return "array"
    return "object" if is_record(type) else "number"


def _other_type(node: Node) -> Exception:
    return unsupported(
        "unsupported-type",
        node.span,
        f"`{node.spelling}` has another type than the elements, which isn't understood",
        "use `auto &`",
    )


def _not_understood(node: Node) -> Exception:
    return unsupported(
        "unsupported-statement",
        node.span,
        "a range `for` over something else than a vector, an array or an object whose methods "
        "`begin()` and `end()` give pointers",
        "write it with an index",
    )
