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
from .calls import Calls
from .failure import unsupported
from .folding import add, convert, divide_exactly, scale, subtract
from .loop_parts import refuse_first_statement
from .range_ends import class_key, range_begin, range_object
from .records import declaration_of, own_fields, refuse_destructor, refuse_own_copy
from .syntax import Node, strip
from .types import (
    extents_of,
    is_array,
    is_pointer,
    is_record,
    is_reference,
    library_class,
    pointee_of,
    scalar_type,
)


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


class RangeFor(Calls):
    """Translation of the heads of range `for`s."""

    def range_head(self, node: Node) -> RangeHead:
        """What the loop does before its first round."""
        refuse_first_statement(node)
        variable, over = node.children[0], node.children[1]
        vector = self.vector_binding(over)
        whole = self._standard_array(over) if vector is None else None
        listed = strip(over)
        element: Any = None
        if vector is not None:
            start, count = vector.pointer, vector.size
        elif whole is not None:
            start, count = whole
            element = pointee_of(own_fields(over.type)[0].type)
        elif is_array(over.type) and over.type.kind.name == "CONSTANTARRAY":
            start = self.known_pointer(over)
            self.check_width(start, extents_of(over.type).element, over, over.type)
            start, element = self._kept(start), pointee_of(over.type)
            count = Const(I64, over.type.element_count)
        elif listed.kind == "INIT_LIST_EXPR" or "initializer_list" in over.type.spelling:
            start, count = self._listed(over, node)
        else:
            start, count, element = self._own_range(node, over)
        return RangeHead(variable, start, count, element, self.assign(self.fresh("i"), ZERO))

    def _standard_array(self, node: Node) -> tuple[Pointer, Expr] | None:
        """The elements of a `std::array`: the first one's place, and their number."""
        if library_class(node.type) != "array":
            return None
        whole = self.object(node)
        elements = own_fields(node.type)[0]
        count = Const(I64, elements.type.element_count)
        if isinstance(whole, ElementObject):
            return whole.pointer, count
        binding = self.environment[self.field_key(whole, elements.key)]
        return (binding.pointer, count) if isinstance(binding, ArrayBinding) else None

    def _listed(self, over: Node, node: Node) -> tuple[Pointer, Expr]:
        """`for (int k : {1, 2, 3})`: the numbers as an array of their own."""
        items = self.list_items(over)
        element = scalar_type(items[0].type)
        if element is None or any(scalar_type(i.type) is not element for i in items):
            raise _not_understood(node)
        values = [convert(v, element) for v in self.operands(items, node)]
        start = self.allocate("list", element, Const(I64, len(values)), (len(values),))
        for position, value in enumerate(values):
            self.emit(Store(self.span, start.array, (Const(I64, position),), value))
        return start, Const(I64, len(values))

    def _own_range(self, node: Node, over: Node) -> tuple[Pointer, Expr, Any]:
        """An object whose class has `begin()` and `end()`: both are called before the first round,
        and what they give is kept."""
        hidden, call = range_object(node), range_begin(node)
        end = None if hidden is None else self.program.range_ends.get(class_key(hidden.type))
        if call is None or end is None:
            raise _not_understood(node)
        pointers: list[Pointer] = []
        with self.expression_region(over) as region:
            receiver = self.steady_object(self.object(over), "range")
            for cursor in (call.declaration, end):
                definition = self.program.definition(cursor, str(cursor.spelling))
                if definition is None or cursor.is_virtual_method():
                    raise unsupported(
                        "unmodelled-call", node.span, f"the body of `{cursor.spelling}` isn't seen"
                    )
                found = self.inlined_method(node, definition, receiver)
                if not isinstance(found, Pointer):
                    raise _not_understood(node)
                pointers.append(self._kept(found))
            self.flush(region)
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
        return start, self._fixed(count), element

    def _kept(self, pointer: Pointer) -> Pointer:
        row = None if pointer.row is None else self._fixed(pointer.row)
        return Pointer(
            pointer.array, pointer.element, self._fixed(pointer.offset), pointer.level, row
        )

    def _fixed(self, value: Expr) -> Expr:
        """`value` as it is now, whatever the loop's body changes."""
        return value if isinstance(value, Const) or self.is_fixed(value) else self.captured(value)

    def bind_element(self, head: RangeHead) -> None:
        """Gives the variable of a range `for` its meaning for one round."""
        node, type = head.variable, _value_type(head.variable.type)
        by_reference = is_reference(head.variable.type)
        start = head.start.at(add(head.start.offset, scale(head.counter, head.stride)))
        own = scalar_type(type)
        if head.element is not None and _kind(head.element) != _kind(type):
            raise _other_type(node)
        if is_record(type):
            if head.element is None or declaration_of(head.element) != declaration_of(type):
                raise _other_type(node)
            self._bind_object(node, type, start, by_reference)
        elif is_array(type) and by_reference:
            self.bind(node, ArrayBinding(start))
        elif is_pointer(type) and not by_reference:
            key = self.key(node)
            self.environment[key] = PointerBinding(node.spelling, None)
            self.set_pointer(key, node.spelling, start, key not in self.mutated)
        elif own is None or head.stride != 1 or (by_reference and own is not start.element):
            raise _other_type(node)
        else:
            row = () if start.row is None else (start.row,)
            indices = (*row, start.offset)
            if by_reference:
                self.bind(node, ScalarBinding(ElementPlace(start.array, indices, start.element)))
                return
            name = self.fresh(node.spelling)
            self.assign(name, convert(Load(start.array, indices, start.element), own))
            self.bind(node, ScalarBinding(ScalarPlace(name, own)))

    def _bind_object(self, node: Node, type: Any, start: Pointer, by_reference: bool) -> None:
        element = ElementObject(start, type)
        if by_reference:
            self.bind(node, element)
            return
        refuse_own_copy(type, node)
        refuse_destructor(type, node)
        copy = self.new_object(node.key, node.spelling, type, node)
        self.copy_object(copy, element, node)
        self.bind(node, copy)


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
