"""Declarations of locals, and the arrays that they bring to life."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace

from compiler.ir import I64, LT, Add, Const, Expr, Type, Variable, postorder, substitute

from ..model.kernel import Allocate, Array, Assign, Declare, Loop, Store
from .bindings import (
    ZERO,
    ArrayBinding,
    Binding,
    ChosenPlace,
    ConstantBinding,
    ElementPlace,
    Place,
    Pointer,
    PointerBinding,
    ScalarBinding,
    ScalarPlace,
    VectorBinding,
)
from .categories import bound_place
from .expressions import Expressions
from .failure import unsupported
from .folding import add, convert, index, number
from .pointers import NAMES
from .state import reads
from .syntax import Node, strip
from .tables import initializer_items, table_values
from .types import (
    extents_of,
    is_array,
    is_const,
    is_pointer,
    is_record,
    is_reference,
    pointee_of,
    scalar_type,
    vector_element,
)

_STILL = frozenset({"PAREN_EXPR", "UNEXPOSED_EXPR", "TYPE_REF"})

THREADS = re.compile(r"\bstd::(j?thread|\w*mutex|atomic\w*|lock_guard|unique_lock|future|async)\b")


class Declarations(Expressions):
    """Translation of local declarations."""

    @abstractmethod
    def copy(self, to: Pointer, source: Pointer, count: Expr, downward: bool = False) -> None: ...

    @abstractmethod
    def list_items(self, node: Node) -> tuple[Node, ...]: ...

    @abstractmethod
    def object_declaration(self, node: Node) -> None: ...

    @abstractmethod
    def names_of_parts(self, node: Node) -> None: ...

    @abstractmethod
    def reference_to(self, start: Node, name: str) -> Binding: ...

    @abstractmethod
    def allocation(self, node: Node, name: str) -> Pointer | None: ...

    def declaration(self, node: Node) -> None:
        """One declared name of a declaration statement."""
        if node.kind != "VAR_DECL":
            if node.kind in ("TYPEDEF_DECL", "TYPE_ALIAS_DECL", "ENUM_DECL", "STATIC_ASSERT"):
                return
            if node.kind in ("USING_DECLARATION", "USING_DIRECTIVE", "NAMESPACE_ALIAS"):
                return
            if node.kind in ("STRUCT_DECL", "CLASS_DECL", "UNION_DECL"):
                return
            if node.kind == "UNEXPOSED_DECL" and node.spelling.startswith("["):
                self.names_of_parts(node)
                return
            raise unsupported(
                "unsupported-statement", node.span, "this declaration isn't understood"
            )
        type = node.type
        if is_reference(type):
            self._reference(node)
        elif is_pointer(type):
            self._pointer(node)
        elif is_array(type):
            self._array(node)
        elif vector_element(type) is not None:
            self._vector(node)
        elif scalar_type(type) is not None:
            self._scalar(node)
        elif THREADS.search(type.spelling):
            raise unsupported(
                "thread",
                node.span,
                f"`{node.spelling}` is a `{node.written_type}`: threads aren't understood",
                "lift the sequential kernel that the threads run",
            )
        elif is_record(type):
            self.object_declaration(node)
        else:
            raise unsupported(
                "unsupported-type",
                node.span,
                f"`{node.spelling}` has type `{node.written_type}`, which isn't understood",
            )

    def _refuse_static(self, node: Node) -> None:
        if node.cursor.storage_class.name != "STATIC":
            return
        if is_const(node.type):
            raise unsupported(
                "static-state",
                node.span,
                f"`{node.spelling}` is computed in the first call, and keeps that value",
                "give it constants, or leave `static` out",
            )
        raise unsupported(
            "static-state",
            node.span,
            f"`{node.spelling}` keeps its value between calls",
            "pass the state as a parameter, or make it const",
        )

    def _scalar(self, node: Node) -> None:
        own = scalar_type(node.type)
        assert own is not None
        start = node.initializer
        if start is not None and node.type.is_const_qualified():
            constant = start.evaluate()
            if constant is not None:
                self.bind(node, ConstantBinding(number(constant, own)))
                return
        self._refuse_static(node)
        if node.type.is_volatile_qualified():
            raise unsupported("unsupported-type", node.span, "`volatile` isn't understood")
        name = self.fresh(node.spelling)
        if start is None:
            self.emit(Declare(self.span, name, own))
        else:
            with self.expression_region(start) as region:
                value = convert(self.value(start), own)
                self.constant_scalars.pop(name, None)  # of an attempt that was given up
                self.assign(name, value)
                self.flush(region)
            constant = self.is_constant(self.key(node))
            if constant and reads(value) <= {*self.fixed, *self.derived}:
                known: dict[Expr, Expr] = {
                    n: self.derived[n.name]
                    for n in postorder(value)
                    if isinstance(n, Variable) and n.name in self.derived
                }
                self.derived[name] = substitute(value, known)
                self.constant_scalars[name] = self.key(node)
        self.bind(node, ScalarBinding(ScalarPlace(name, own)))

    def _reference(self, node: Node) -> None:
        start = node.initializer
        assert start is not None
        pointee = pointee_of(node.type)
        if vector_element(pointee) is not None:
            binding = self.vector_binding(start)
            if binding is None:
                raise unsupported("unsupported-type", node.span, "this reference isn't understood")
            self.bind(node, binding)
            return
        own = scalar_type(pointee)
        if is_array(pointee):
            with self.expression_region(start) as region:
                self.bind(node, ArrayBinding(self.referred_array(start, node.spelling)))
                self.flush(region)
            return
        if is_record(pointee):
            with self.expression_region(start) as region:
                self.bind(node, self.reference_to(start, node.spelling))
                self.flush(region)
            return
        if is_pointer(pointee):
            target = strip(start)
            if target.kind in NAMES and self.pointer_binding(target) is not None:
                raise unsupported("pointer-base", node.span, "a reference to a pointer")
        if own is None:
            raise unsupported(
                "unsupported-type", node.span, f"a reference of type `{node.written_type}`"
            )
        with self.expression_region(start) as region:
            self.bind(node, ScalarBinding(self.referred(start, own, node.spelling)))
            self.flush(region)

    def referred(self, start: Node, own: Type, name: str) -> Place:
        """What a reference to a scalar stands for: the place itself, or a copy of a value."""
        place = bound_place(start)
        if place is not None and not self._is_lasting_value(place):
            return self.frozen(self.place(place), name)
        copy = self.fresh(name)
        self.assign(copy, convert(self.value(start), own))
        return ScalarPlace(copy, own)

    def _is_lasting_value(self, node: Node) -> bool:
        """Whether a place's value is as good as the place: a constant's, or that of `min(a, b)` of
        variables that never change, where `min` is the source's own and is kept by its name."""
        target = strip(node)
        if target.kind == "MEMBER_REF_EXPR":
            return not self.is_variable(target)
        if target.kind == "DECL_REF_EXPR":
            bound = self.environment.get(self.key(target))
            return isinstance(bound, (ConstantBinding, type(None)))
        if target.kind != "CALL_EXPR" or not self.is_pure_call(target):
            return False
        return all(self._never_changes(n) for c in target.children[1:] for n in c.walk())

    def _never_changes(self, node: Node) -> bool:
        if node.kind == "DECL_REF_EXPR":
            return node.declaration is not None and self.is_constant(node.key)
        if node.kind == "UNARY_OPERATOR":
            return node.operator in ("+", "-", "~", "!")
        if node.kind == "BINARY_OPERATOR":
            return node.operator not in ("=", ",")
        if node.kind == "CALL_EXPR":
            return self.is_pure_call(node)
        return node.kind.endswith("LITERAL") or node.kind in _STILL

    @abstractmethod
    def is_pure_call(self, node: Node) -> bool: ...

    def referred_array(self, start: Node, name: str) -> Pointer:
        """What a reference to an array stands for: its first element, where it is now."""
        return self.steady_pointer(self.known_pointer(start), name)

    def steady_pointer(self, pointer: Pointer, name: str) -> Pointer:
        """The pointer with its offset and row as they are now."""
        row = None if pointer.row is None else self._steady_index(pointer.row, f"{name}.index")
        offset = self._steady_index(pointer.offset, f"{name}.index")
        return replace(pointer, offset=offset, row=row)

    def _steady_index(self, index: Expr, name: str) -> Expr:
        return index if isinstance(index, Const) else self.captured(index, name)

    @abstractmethod
    def is_variable(self, member: Node) -> bool: ...

    def frozen(self, place: Place, name: str) -> Place:
        """The place with its indices as they are now."""
        if isinstance(place, ChosenPlace):
            condition = self._steady_index(place.condition, f"{name}.chosen")
            return ChosenPlace(condition, self.frozen(place.a, name), self.frozen(place.b, name))
        if not isinstance(place, ElementPlace):
            return place
        indices = tuple(self._steady_index(i, f"{name}.index") for i in place.indices)
        return replace(place, indices=indices)

    def _pointer(self, node: Node) -> None:
        name = node.spelling
        start = node.initializer
        constant = self.is_constant(self.key(node))
        if start is None:
            self.bind(node, PointerBinding(name, None))
            return
        self._refuse_static(node)
        with self.expression_region(start) as region:
            found = self.allocation(start, name)
            value = self.pointer(start) if found is None else found
            self.environment[self.key(node)] = PointerBinding(name, None)
            self.set_pointer(self.key(node), name, value, constant)
            self.remember_row(self.key(node))
            self.flush(region)

    # Arrays

    def allocate(
        self, name: str, element: Type, size: Expr, shape: tuple[int, ...] = ()
    ) -> Pointer:
        """A new local array of `size` (int64) elements; gives its first element."""
        array = self.fresh_array(name)
        if not isinstance(size, Const) and not self.is_fixed(size):
            size = self.assign(self.fresh(f"{array}.size"), size)
        self.declare_array(Array(array, element, 1, "local", size, None, shape or (), self.span))
        self.emit(Allocate(self.span, array))
        return Pointer(array, element)

    def is_fixed(self, size: Expr) -> bool:
        """Whether a size is made of parameters that the function never changes."""
        return reads(size) <= self.fixed

    def _array(self, node: Node) -> None:
        extents = extents_of(node.type)
        element = extents.element
        if element is None or not extents.shape:
            raise unsupported(
                "unsupported-type",
                node.span,
                f"an array of type `{node.written_type}` isn't understood",
            )
        if is_const(node.type):
            values = table_values(node, element)
            if values is not None:
                self.bind(node, ArrayBinding(self.add_table(node, element, extents.shape, values)))
                return
        self._refuse_static(node)
        pointer = self.allocate(node.spelling, element, Const(I64, extents.count), extents.shape)
        self.bind(node, ArrayBinding(pointer))
        if node.initializer is None or _makes_nothing(node.initializer):
            return
        start = _list_of(node.initializer)
        if start is None:
            raise unsupported(
                "unsupported-expression",
                node.initializer.span,
                "this array's values aren't understood",
                "give it a list of values",
            )
        items = initializer_items(start, extents.shape)
        if len(items) < extents.count:
            self.fill(pointer, Const(I64, extents.count), number(0, element))
        for position, item in items.items():
            with self.expression_region(item) as region:
                value = convert(self.value(item), element)
                zero = isinstance(value, Const) and repr(value.value) in ("0", "0.0")
                if not (zero and len(items) < extents.count):
                    self.emit(Store(self.span, pointer.array, (Const(I64, position),), value))
                self.flush(region)

    def add_table(
        self, node: Node, element: Type, shape: tuple[int, ...], values: tuple[int | float, ...]
    ) -> Pointer:
        """A constant table as an array of the kernel, once for each declaration."""
        span = node.span
        name = self.table_places.get(span)
        if name is None:
            name = self.fresh_array(node.spelling)
            self.table_places[span] = name
            size = Const(I64, len(values))
            self.declare_array(Array(name, element, 1, "table", size, values, shape, span))
        return Pointer(name, element)

    def table(self, node: Node) -> Pointer | None:
        """The constant table that a name of file (or namespace) scope stands for."""
        cursor = node.declaration
        if cursor is None or cursor.kind.name != "VAR_DECL":
            return None
        declaration = Node(cursor.get_definition() or cursor)
        if not is_array(declaration.type):
            self._refuse_global(node)
        extents = extents_of(declaration.type)
        if extents.element is None or not is_const(declaration.type):
            self._refuse_global(node)
        assert extents.element is not None
        values = table_values(declaration, extents.element)
        if values is None:
            self._refuse_global(node)
        assert values is not None
        return self.add_table(declaration, extents.element, extents.shape, values)

    def _refuse_global(self, node: Node) -> None:
        if node.declaration is not None and is_const(node.declaration.type.get_canonical()):
            raise unsupported(
                "global-state",
                node.span,
                f"the constant `{node.spelling}` isn't known here, or isn't of numbers of one type",
                "give it constants where it is declared, in this file, or pass it as a parameter",
            )
        raise unsupported(
            "global-state",
            node.span,
            f"`{node.spelling}` is a global variable that isn't a constant table",
            "pass it as a parameter, or make it const with constant elements",
        )

    def _vector(self, node: Node) -> None:
        element = vector_element(node.type)
        assert element is not None
        self._refuse_static(node)
        start = node.initializer
        while start is not None and start.kind == "UNEXPOSED_EXPR" and len(start.children) == 1:
            start = start.children[0]
        arguments = start.children if start is not None and start.kind == "CALL_EXPR" else ()
        copied = self.vector_binding(arguments[0]) if len(arguments) == 1 else None
        if copied is not None:
            pointer = self.allocate(node.spelling, element, copied.size)
            self.bind(node, VectorBinding(pointer, copied.size))
            self.copy(pointer, copied.pointer, copied.size)
            return
        if len(arguments) == 1 and "initializer_list" in arguments[0].type.spelling:
            self._listed_vector(node, element, self.list_items(arguments[0]))
            return
        if not arguments or scalar_type(arguments[0].type) is None or len(arguments) > 2:
            raise unsupported(
                "unsupported-type",
                node.span,
                f"vector `{node.spelling}` isn't made by a count (and a value)",
                "write `std::vector<T> name(count)` or `name(count, value)`",
            )
        with self.expression_region(arguments[0]) as region:
            size = index(self.value(arguments[0]))
            self.flush(region)
        value: Expr = number(0, element)
        if len(arguments) == 2:
            with self.expression_region(arguments[1]) as region:
                value = convert(self.value(arguments[1]), element)
                self.flush(region)
        pointer = self.allocate(node.spelling, element, size)
        count = self.arrays[pointer.array].size
        assert count is not None
        self.bind(node, VectorBinding(pointer, count))
        if not isinstance(value, (Const, Variable)):
            value = self.captured(value)
        self.fill(pointer, count, value)

    def _listed_vector(self, node: Node, element: Type, items: tuple[Node, ...]) -> None:
        size = Const(I64, len(items))
        pointer = self.allocate(node.spelling, element, size, (len(items),))
        self.bind(node, VectorBinding(pointer, size))
        for position, item in enumerate(items):
            with self.expression_region(item) as region:
                value = convert(self.value(item), element)
                self.emit(Store(self.span, pointer.array, (Const(I64, position),), value))
                self.flush(region)

    # Loops that library calls stand for

    def counted(
        self, count: Expr, body: Callable[[Expr], None], name: str = "i", downward: bool = False
    ) -> None:
        """Emits a loop of `count` (int64) rounds; `body` gets the counter."""
        counter = self.fresh(name)
        variable = Variable(counter, I64)
        one = Const(I64, 1)
        if not downward:
            self.assign(counter, ZERO)
            with self.block() as out:
                body(variable)
            step = Assign(self.span, counter, Add(variable, one))
            self.emit(Loop(self.span, LT(variable, count), tuple(out), (step,)))
            return
        self.assign(counter, count)
        with self.block() as out:
            self.assign(counter, Add(variable, Const(I64, -1)))
            body(variable)
        self.emit(Loop(self.span, LT(ZERO, variable), tuple(out)))

    def fill(self, pointer: Pointer, count: Expr, value: Expr) -> None:
        """Emits `pointer[0 .. count) = value`."""

        def body(counter: Expr) -> None:
            offset = add(pointer.offset, counter)
            indices = (offset,) if pointer.row is None else (pointer.row, offset)
            self.emit(Store(self.span, pointer.array, indices, value))

        self.counted(count, body)


def _makes_nothing(start: Node) -> bool:
    """Whether it is the constructor of a class that leaves all of its members without values."""
    return start.kind == "CALL_EXPR" and not start.children and start.type.is_pod()


def _list_of(start: Node | None) -> Node | None:
    """The list of values that an array begins with; temporaries of the values stand around it."""
    while start is not None and start.kind == "UNEXPOSED_EXPR" and len(start.children) == 1:
        start = start.children[0]
    return start if start is not None and start.kind == "INIT_LIST_EXPR" else None
