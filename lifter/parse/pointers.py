"""Pointer expressions: which array, how many elements in (DESIGN section 3, "Pointers")."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from compiler.ir import (
    EQ,
    FALSE,
    GE,
    GT,
    I64,
    LE,
    LT,
    NE,
    TRUE,
    Const,
    Expr,
    Neg,
    Sub,
    TruncDiv,
    Variable,
)

from ..model.diagnostic import LiftError
from ..model.kernel import Assign
from .bindings import (
    Address,
    ArrayBinding,
    ChosenPlace,
    ConstantBinding,
    ConstantPlace,
    ElementPlace,
    Key,
    Null,
    Place,
    Pointer,
    PointerBinding,
    PointerValue,
    ScalarBinding,
    UnknownBinding,
    VectorBinding,
    describe,
)
from .categories import CASTS, operand_of_cast
from .failure import unsupported
from .folding import add, choose, fold, index, subtract
from .null_tests import NullTests
from .state import reads
from .syntax import Node, strip, strip_parentheses
from .types import is_array, is_pointer, is_record, pointee_of

NAMES = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR"})
NULLS = frozenset({"CXX_NULL_PTR_LITERAL_EXPR", "GNU_NULL_EXPR", "INTEGER_LITERAL"})
_COMPARISONS: dict[str, type[Expr]] = {"==": EQ, "!=": NE, "<": LT, "<=": LE, ">": GT, ">=": GE}


class Pointers(NullTests):
    """Translation of expressions of pointer and array type, and of scalar lvalues."""

    @abstractmethod
    def value(self, node: Node) -> Expr: ...

    @abstractmethod
    def pointer_call(self, node: Node) -> PointerValue: ...

    @abstractmethod
    def place_call(self, node: Node) -> Place: ...

    @abstractmethod
    def table(self, node: Node) -> Pointer | None: ...

    @abstractmethod
    def condition(self, node: Node) -> Expr: ...

    @abstractmethod
    def discard(self, node: Node) -> None: ...

    @abstractmethod
    def member_pointer(self, node: Node) -> PointerValue: ...

    @abstractmethod
    def member_place(self, node: Node) -> Place: ...

    @abstractmethod
    def this_pointer(self, node: Node) -> PointerValue: ...

    @abstractmethod
    def object_address(self, node: Node) -> PointerValue: ...

    @abstractmethod
    def function_address(self, node: Node) -> PointerValue: ...

    # Values of pointer or array type

    def pointer(self, node: Node) -> PointerValue:
        """Where an expression of pointer (or array) type points."""
        kind = node.kind
        if kind in ("PAREN_EXPR", "UNEXPOSED_EXPR") or kind in CASTS:
            return self._converted_pointer(node)
        if kind in NAMES:
            return self._named_pointer(node)
        if kind in NULLS:
            return Null()
        if kind == "UNARY_OPERATOR":
            return self._unary_pointer(node)
        if kind == "BINARY_OPERATOR":
            return self._binary_pointer(node)
        if kind == "COMPOUND_ASSIGNMENT_OPERATOR":
            return self.compound_pointer(node)
        if kind == "ARRAY_SUBSCRIPT_EXPR":
            return self._subscripted(node)
        if kind == "CONDITIONAL_OPERATOR":
            return self._chosen_pointer(node)
        if kind in ("CALL_EXPR", "CXX_NEW_EXPR"):
            return self.pointer_call(node)
        if kind == "CXX_THIS_EXPR":
            return self.this_pointer(node)
        raise unsupported(
            "unsupported-expression", node.span, "this pointer expression isn't understood"
        )

    def known_pointer(self, node: Node) -> Pointer:
        """Like `pointer`, for an expression that must lead into an array."""
        found = self.pointer(node)
        if isinstance(found, Pointer):
            return found
        what = "a null pointer" if isinstance(found, Null) else "the address of a scalar"
        raise unsupported("pointer-base", node.span, f"{what} is used as an array")

    def _converted_pointer(self, node: Node) -> PointerValue:
        inner = operand_of_cast(node) if node.children else None
        if node.kind == "UNEXPOSED_EXPR" and len(node.children) > 1:
            raise unsupported("unsupported-expression", node.span, "this pointer isn't understood")
        if inner is None:
            raise unsupported("unsupported-expression", node.span, "this pointer isn't understood")
        if is_pointer(inner.type) or is_array(inner.type) or inner.kind in NULLS:
            return self.pointer(inner)
        if (
            inner.kind in ("PAREN_EXPR", "UNEXPOSED_EXPR")
            and strip_parentheses(inner).kind in NULLS
        ):
            return Null()
        if inner.type.kind.name == "NULLPTR":
            return Null()
        if inner.type.kind.name in ("FUNCTIONPROTO", "FUNCTIONNOPROTO"):
            return self.function_address(inner)
        raise unsupported(
            "pointer-cast",
            node.span,
            f"`{inner.written_type}` is converted to the pointer type `{node.written_type}`",
        )

    def _named_pointer(self, node: Node) -> PointerValue:
        if node.kind == "MEMBER_REF_EXPR":
            return self.member_pointer(node)
        if node.declaration is None:
            # The argument of a template, put in the place of its parameter.
            return self.pointer(node.children[-1])
        binding = self.environment.get(self.key(node))
        if isinstance(binding, PointerBinding):
            return self.bound_pointer(binding, node)
        if isinstance(binding, (ArrayBinding, VectorBinding)):
            return binding.pointer
        table = self.table(node)
        if table is not None:
            return table
        raise unsupported("unsupported-type", node.span, f"`{node.spelling}` isn't understood here")

    def bound_pointer(self, binding: PointerBinding, node: Node) -> PointerValue:
        """Where a pointer variable points now."""
        if binding.conflict:
            raise unsupported(
                "pointer-base",
                node.span,
                f"pointer `{node.spelling}` may point into {' or '.join(binding.conflict)} here",
                "use one pointer variable for each array",
            )
        if binding.value is None:
            raise unsupported(
                "uninitialised", node.span, f"pointer `{node.spelling}` has no value here"
            )
        return binding.value

    def _unary_pointer(self, node: Node) -> PointerValue:
        child = node.children[0]
        if node.operator == "&":
            return self._address_of(child)
        if node.operator == "*":
            return self.dereferenced(self.known_pointer(child), node)
        if node.operator in ("p++", "p--", "++p", "--p"):
            return self.step_pointer(node, used=True)
        raise unsupported("unsupported-expression", node.span, "this pointer isn't understood")

    def _address_of(self, child: Node) -> PointerValue:
        child = strip_parentheses(child)
        if is_record(child.type):
            return self.object_address(child)
        if child.type.kind.name in ("FUNCTIONPROTO", "FUNCTIONNOPROTO"):
            return self.function_address(child)
        if is_array(child.type) or is_pointer(child.type):
            if child.kind == "ARRAY_SUBSCRIPT_EXPR" and is_pointer(child.type):
                base, position = self.subscript_operands(child)
                return base.at(add(base.offset, position))
            if is_array(child.type):
                return self.pointer(child)
            raise unsupported("pointer-base", child.span, "the address of a pointer is taken")
        place = self.place(child)
        if not isinstance(place, ElementPlace):
            return Address(place)
        row = place.indices[0] if len(place.indices) == 2 else None
        own = self.arrays[place.array].type
        return Pointer(place.array, own, place.indices[-1], 1, row)

    def _binary_pointer(self, node: Node) -> PointerValue:
        left, right = node.children
        operator = node.operator
        if operator == ",":
            self.discard(left)
            return self.pointer(right)
        if operator == "=":
            return self.assign_pointer(node)
        if operator == "+" and not (is_pointer(left.type) or is_array(left.type)):
            left, right = right, left
        base = self.known_pointer(left)
        since = len(self.out)
        distance = self._distance(right, pointee_of(left.type), base)
        self.ordered((base.offset,), since, node)
        return base.at(self._moved(base.offset, distance, operator))

    def _moved(self, offset: Expr, distance: Expr, operator: str) -> Expr:
        if operator in ("-", "-="):
            return subtract(offset, distance)
        if isinstance(distance, Neg):
            return subtract(offset, distance.value)
        return add(offset, distance)

    def _distance(self, node: Node, pointee: Any, base: Pointer) -> Expr:
        """The integer `node` as a number of elements."""
        return self.distance(index(self.value(node)), pointee, base, node)

    def subscript_operands(self, node: Node) -> tuple[Pointer, Expr]:
        """The pointer and the number of elements that `a[i]` adds to it."""
        left, right = node.children
        if not (is_pointer(left.type) or is_array(left.type)):
            left, right = right, left
        found: list[Pointer] = []

        def offset() -> Expr:
            found.append(self.known_pointer(left))
            return found[0].offset

        def distance() -> Expr:
            return self.distance(index(self.value(right)), node.type, found[0], node)

        _, position = self.in_any_order((offset, distance), lambda e: (e,), node)
        base = found[0]
        if isinstance(position, Neg):
            position = fold(Sub(Const(I64, 0), position.value))
        return base, position

    def _subscripted(self, node: Node) -> PointerValue:
        base, position = self.subscript_operands(node)
        moved = base.at(add(base.offset, position))
        return moved if is_array(node.type) else self.dereferenced(moved, node)

    def dereferenced(self, pointer: Pointer, node: Node) -> Pointer:
        """The pointer that `*pointer` is: a row of a row table, or an inner array."""
        if is_array(node.type):
            return pointer
        if pointer.level != 2:
            raise unsupported(
                "unsupported-type", node.span, "an array of pointers isn't understood"
            )
        return Pointer(pointer.array, pointer.element, Const(I64, 0), 1, pointer.offset)

    def _chosen_pointer(self, node: Node) -> PointerValue:
        test, one, other = node.children
        condition = self.sequenced_condition(test, (one, other))
        if isinstance(condition, Const):
            return self.pointer(one if condition.value else other)
        since = len(self.out)
        a, b = self.pointer(one), self.pointer(other)
        if len(self.out) > since:
            raise self.unsequenced(node)
        if isinstance(a, Pointer) and isinstance(b, Pointer) and a.base == b.base:
            row = None
            if a.row is not None and b.row is not None:
                row = choose(condition, a.row, b.row)
            return Pointer(a.array, a.element, choose(condition, a.offset, b.offset), a.level, row)
        raise unsupported(
            "pointer-base",
            node.span,
            f"this pointer may point into {describe(a)} or {describe(b)}",
            "choose between the values instead of the pointers, or branch around the loops",
        )

    # Changing pointer variables

    def _pointer_variable(self, node: Node) -> tuple[Node, PointerBinding]:
        target = strip_parentheses(node)
        while target.kind == "UNEXPOSED_EXPR" and len(target.children) == 1:
            target = strip_parentheses(target.children[0])
        binding = self.pointer_binding(target) if target.kind in NAMES else None
        if binding is None:
            raise unsupported("unsupported-expression", node.span, "this pointer isn't a variable")
        return target, binding

    def set_pointer(self, key: Any, name: str, value: PointerValue, constant: bool = False) -> None:
        """Binds a pointer variable and emits its new offset (and row).

        A `constant` variable that starts at a constant place needs no scalar of its own.
        """
        if isinstance(value, Address):
            place = self.frozen(value.place, name)
            assert not isinstance(place, ElementPlace)
            value = Address(place)
        if not isinstance(value, Pointer) or (
            constant and isinstance(value.offset, Const) and value.row is None
        ):
            self.environment[key] = PointerBinding(name, value)
            return
        old = self.environment.get(key)
        scalar = self.program_name(key, name, value.base, value.row is not None)
        row: Expr | None = None
        emitted: list[Assign] = []
        if value.row is not None:
            row = Variable(f"{scalar}.row", I64)
            if constant and reads(value.row) & self.steady_rows and not value.row.children:
                row = value.row  # `end` of `p` is in p's row
            elif value.row is not row:
                emitted.append(Assign(self.span, f"{scalar}.row", value.row))
        offset = Variable(scalar, I64)
        start = value.offset
        if emitted and f"{scalar}.row" in reads(start):
            start = self.captured(start)
        if start is not offset:
            emitted.append(Assign(self.span, scalar, start))
        self.emit(*emitted)
        label = old.name if isinstance(old, PointerBinding) else name
        bound = Pointer(value.array, value.element, offset, value.level, row)
        self.environment[key] = PointerBinding(label, bound)

    def remember_row(self, key: Key) -> None:
        """That a variable which was just declared stays in its row, if no assignment changes it."""
        bound = self.environment[key]
        if key not in self.reassigned and isinstance(bound, PointerBinding):
            row = bound.value.row if isinstance(bound.value, Pointer) else None
            if isinstance(row, Variable):
                self.steady_rows.add(row.name)

    def program_name(self, key: Any, name: str, base: tuple[str, int], rows: bool) -> str:
        """The scalar that holds a pointer variable's offset: one for each base it points into."""
        known = self.pointer_names.setdefault((key, base, rows), "")
        if not known:
            known = self.fresh(name, base[0])
            if rows:
                self.names.add(f"{known}.row")
            self.pointer_names[(key, base, rows)] = known
        return known

    def assign_pointer(self, node: Node) -> PointerValue:
        """`p = q`; gives where p then points."""
        left, right = node.children
        value = self.pointer(right)
        target, binding = self._pointer_variable(left)
        self.set_pointer(self.key(target), binding.name, value)
        return self._named_pointer(target)

    def compound_pointer(self, node: Node) -> PointerValue:
        """`p += n` and `p -= n`."""
        left, right = node.children
        distance_node = right
        target, binding = self._pointer_variable(left)
        old = self.bound_pointer(binding, target)
        if not isinstance(old, Pointer):
            raise unsupported("pointer-base", node.span, "the address of a scalar is moved")
        distance = self._distance(distance_node, pointee_of(target.type), old)
        moved = old.at(self._moved(old.offset, distance, node.operator))
        self.set_pointer(self.key(target), binding.name, moved)
        return self._named_pointer(target)

    def step_pointer(self, node: Node, used: bool) -> PointerValue:
        """`++p`, `p++` and their opposites; the value where it is `used`."""
        target, binding = self._pointer_variable(node.children[0])
        old = self.bound_pointer(binding, target)
        if not isinstance(old, Pointer) or not isinstance(old.offset, Variable):
            raise unsupported("pointer-base", node.span, "this pointer can't be moved")
        step = self.distance(Const(I64, 1), pointee_of(target.type), old, node)
        grown = add(old.offset, step) if "++" in node.operator else subtract(old.offset, step)
        change = Assign(self.span, old.offset.name, grown)
        post = node.operator.startswith("p")
        if not used:
            self.emit(change)
            return old
        assert self.region is not None
        if self.may_delay(node, target.key, old.offset.name):
            self.region.pending.append(change)
            return old if post else old.at(grown)
        value = old.at(self.captured(old.offset)) if post else old
        self.emit(change)
        return value

    # Comparing

    def compare_pointers(self, node: Node) -> Expr:
        """`p < q`, `p == nullptr` and so on."""
        left, right = node.children
        a, b = self.pointer(left), self.pointer(right)
        operator = node.operator
        if isinstance(a, Null) or isinstance(b, Null):
            same = isinstance(a, Null) and isinstance(b, Null)
            if operator in ("==", "!="):
                self.never_null(b if isinstance(a, Null) else a, node)
                return TRUE if same == (operator == "==") else FALSE
        if (
            isinstance(a, Pointer)
            and isinstance(b, Pointer)
            and a.base == b.base
            and a.row is b.row
        ):
            result: Expr = _COMPARISONS[operator](a.offset, b.offset)
            return fold(result)
        raise unsupported(
            "pointer-base",
            node.span,
            f"pointers into {describe(a)} and {describe(b)} are compared",
            "compare pointers into the same array only",
        )

    def pointer_difference(self, node: Node) -> Expr:
        """`p - q`, in elements of what they point to."""
        left, right = node.children
        a, b = self.known_pointer(left), self.known_pointer(right)
        if a.base != b.base or a.row is not b.row:
            raise unsupported(
                "pointer-base",
                node.span,
                f"pointers into {describe(a)} and {describe(b)} are subtracted",
                "subtract pointers into the same array only",
            )
        count = self.elements(pointee_of(left.type), a, node)
        difference = subtract(a.offset, b.offset)
        return difference if count == 1 else fold(TruncDiv(difference, Const(I64, count)))

    def pointer_truth(self, node: Node) -> Expr:
        """A pointer as a condition: pointers that lead somewhere are not null."""
        if strip(node).kind == "STRING_LITERAL":
            return TRUE
        found = self.pointer(node)
        self.never_null(found, node)
        return FALSE if isinstance(found, Null) else TRUE

    # Scalar lvalues

    def place(self, node: Node) -> Place:
        """The variable or element that a scalar lvalue names."""
        kind = node.kind
        if kind in ("PAREN_EXPR", "UNEXPOSED_EXPR") and len(node.children) == 1:
            return self.place(node.children[0])
        if kind == "DECL_REF_EXPR":
            binding = self.environment.get(self.key(node))
            if isinstance(binding, ScalarBinding):
                return binding.place
            if isinstance(binding, ConstantBinding):
                return ConstantPlace(binding.value)
            if isinstance(binding, UnknownBinding):
                raise LiftError(binding.why)
            self._refuse_global(node)
            raise AssertionError
        if kind == "ARRAY_SUBSCRIPT_EXPR":
            base, position = self.subscript_operands(node)
            return self.element(base.at(add(base.offset, position)), node)
        if kind == "UNARY_OPERATOR" and node.operator == "*":
            pointer = self.pointer(node.children[0])
            if isinstance(pointer, Address):
                return self.seen_as(pointer.place, node)
            if isinstance(pointer, Null):
                raise unsupported("pointer-base", node.span, "a null pointer is read or written")
            if not isinstance(pointer, Pointer):
                raise unsupported("unsupported-expression", node.span, "this isn't a number")
            return self.element(pointer, node)
        if kind == "CALL_EXPR":
            return self.place_call(node)
        if kind == "MEMBER_REF_EXPR":
            return self.member_place(node)
        if kind == "CONDITIONAL_OPERATOR":
            return self._chosen_place(node)
        if kind == "BINARY_OPERATOR" and node.operator == ",":
            self.discard(node.children[0])
            return self.place(node.children[1])
        if kind in CASTS and node.children:
            return self.seen_as(self.place(operand_of_cast(node)), node)
        return self.changed_place(node)

    @abstractmethod
    def _refuse_global(self, node: Node) -> None: ...

    @abstractmethod
    def frozen(self, place: Place, name: str) -> Place: ...

    @abstractmethod
    def changed_place(self, node: Node) -> Place: ...

    @abstractmethod
    def sequenced_condition(self, node: Node, after: Sequence[Node] = ()) -> Expr: ...

    def _chosen_place(self, node: Node) -> Place:
        test, one, other = node.children
        condition = self.sequenced_condition(test, (one, other))
        if isinstance(condition, Const):
            return self.place(one if condition.value else other)
        since = len(self.out)
        a, b = self.place(one), self.place(other)
        if len(self.out) > since:
            raise self.unsequenced(node)
        return ChosenPlace(condition, a, b)
