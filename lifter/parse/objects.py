"""Objects of structures and classes, taken apart: each field is a variable of its own.

A local object, or one that a parameter leads to, has a binding for each field (`ObjectBinding`);
the field `width` of `img` is the scalar `img.width`, its field `data` the array `img.data`. An
object inside of an array of structures (`Pixel *p`) is a place in an array of numbers
(`ElementObject`).
References and pointers to an object lead to the same bindings, so aliases are exact.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from compiler.ir import I64, Const, Expr

from ..model.diagnostic import LiftError
from ..model.kernel import Array, Assign, Declare, Stmt, Store
from .bindings import (
    Address,
    ArrayBinding,
    Binding,
    ConstantBinding,
    ElementObject,
    Environment,
    Key,
    LambdaBinding,
    Object,
    ObjectAddress,
    ObjectBinding,
    Place,
    Pointer,
    PointerBinding,
    PointerValue,
    ScalarBinding,
    ScalarPlace,
    UnknownBinding,
    VectorBinding,
)
from .categories import CASTS, designated, names_place
from .declarations import Declarations
from .failure import finding, unsupported
from .folding import add, convert, number
from .null_tests import PARAMETER_OBJECTS
from .program import Program
from .records import Field, check_record, fields_of, own_fields
from .state import Again, Learnt, reads
from .syntax import Node, strip, strip_parentheses
from .types import (
    extents_of,
    is_array,
    is_pointer,
    is_record,
    is_reference,
    is_union,
    scalar_type,
    uniform_record,
    vector_element,
)
from .views import is_steady

_STATIC = frozenset({"VAR_DECL", "ENUM_CONSTANT_DECL"})


class FieldWritten(Again):
    """A field of a parameter, taken for constant so far, is written: translation starts again."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Objects(Declarations):
    """Translation of what is done with objects, but for their making (see `Construction`)."""

    def __init__(self, program: Program, learnt: Learnt | None = None) -> None:
        super().__init__(program, learnt)
        self.receivers: list[Object | None] = []
        """What `this` points to, innermost function last."""
        self.field_keys: dict[tuple[Key, Key], Key] = {}
        self.constant_fields: set[str] = set()
        """Fields of parameters that were never seen to be written: names of scalars and arrays."""
        self.constant_keys: dict[Key, str] = {}
        """The pointers among them, by key."""
        self.constants: dict[Key, tuple[ObjectBinding, Environment]] = {}
        """Constant objects of file scope that are in use."""
        self.prologue: list[Stmt] = []
        """What makes them."""
        self.reserved: set[str] = set()
        self.reserved_arrays: dict[str, Array] = {}
        self.read_only: dict[str, str] = {}
        """Arrays inside of objects that are passed by value: what to say when one is written."""

    @abstractmethod
    def construct(self, target: ObjectBinding, type: Any, start: Node) -> None: ...

    @abstractmethod
    def made_object(self, node: Node, lasting: bool = False) -> Object: ...

    @abstractmethod
    def call_result(
        self, node: Node, as_place: bool = False
    ) -> PointerValue | Object | Expr | None: ...

    @abstractmethod
    def extreme_place(self, node: Node) -> Place | None: ...

    # Writes to what was taken for constant

    def emit(self, *stmts: Stmt) -> None:
        for stmt in stmts:
            if isinstance(stmt, Assign) and stmt.name in self.constant_fields:
                raise FieldWritten(stmt.name)
            if isinstance(stmt, Store) and stmt.array in self.read_only:
                raise unsupported("unsupported-type", self.span, self.read_only[stmt.array])
        super().emit(*stmts)

    def set_pointer(self, key: Any, name: str, value: PointerValue, constant: bool = False) -> None:
        if key in self.constant_keys:
            raise FieldWritten(self.constant_keys[key])
        super().set_pointer(key, name, value, constant)

    def step_pointer(self, node: Node, used: bool) -> PointerValue:
        target = strip(node.children[0])
        if target.kind == "MEMBER_REF_EXPR" and self.key(target) in self.constant_keys:
            raise FieldWritten(self.constant_keys[self.key(target)])
        return super().step_pointer(node, used)

    def pointer_binding(self, node: Node) -> PointerBinding | None:
        found = self.environment.get(self.key(node))
        if isinstance(found, UnknownBinding):
            raise LiftError(found.why)
        return found if isinstance(found, PointerBinding) else None

    def known_pointer(self, node: Node) -> Pointer:
        found = self.pointer(node)
        if isinstance(found, ObjectAddress):
            raise unsupported(
                "unsupported-type",
                node.span,
                f"`{found.target.name}` is used as an array of structures whose members have "
                "several types",
                "use an array for each member, or structures of numbers of one type",
            )
        return found if isinstance(found, Pointer) else super().known_pointer(node)

    # Members

    def field_key(self, target: ObjectBinding, field: Key) -> Key:
        """What the field of an object is bound by."""
        pair = (target.key, field)
        if pair not in self.field_keys:
            self.field_keys[pair] = (-1, -1000 - len(self.field_keys))
        return self.field_keys[pair]

    def parts_of(self, keys: frozenset[Key]) -> frozenset[Key]:
        """The variables with these keys, and the fields of those that are objects."""
        found = set(keys)
        for (owner, _), key in self.field_keys.items():  # an object is known before its fields
            if owner in found:
                found.add(key)
        return frozenset(found)

    def reaches(self, binding: Binding | None, name: str) -> bool:
        if isinstance(binding, ObjectBinding):
            fields = [k for (owner, _), k in self.field_keys.items() if owner == binding.key]
            return any(self.reaches(self.environment.get(k), name) for k in fields)
        if isinstance(binding, PointerBinding) and isinstance(binding.value, ObjectAddress):
            return self.reaches(binding.value.target, name)
        if isinstance(binding, LambdaBinding) and isinstance(binding.receiver, ObjectBinding):
            return self.reaches(binding.receiver, name) or super().reaches(binding, name)
        return super().reaches(binding, name)

    def key(self, node: Node) -> Key:
        if node.kind == "MEMBER_REF_EXPR" and not _is_static(node):
            base = self._base_object(node)
            if isinstance(base, ObjectBinding):
                return self.field_key(base, node.key)
        return node.key

    def _base_object(self, node: Node, lasting: bool = True) -> Object:
        """The object whose member is named: `a` of `a.b`, `*p` of `p->b`, `*this` of `b`."""
        bases = [c for c in node.children if not c.kind.endswith("_REF")]
        if not bases:
            return self.this(node)
        base = bases[-1]
        if not is_pointer(base.type):
            return self.object(base, lasting)
        return self.pointee_object(self.pointer(base), base)

    def this(self, node: Node) -> Object:
        found = self.receivers[-1] if self.receivers else None
        if found is None:
            raise unsupported("unsupported-type", node.span, "`this` isn't known here")
        return found

    def pointee_object(self, value: PointerValue, node: Node) -> Object:
        """The object that a pointer leads to."""
        if isinstance(value, ObjectAddress):
            return value.target
        pointee = node.type.get_pointee().get_canonical()
        if isinstance(value, Pointer) and value.level == 1 and is_record(pointee):
            self.check_width(value, extents_of(pointee).element, node, pointee)
            return ElementObject(value, pointee)
        raise unsupported("pointer-base", node.span, "no object is known that this points to")

    def member(self, node: Node, lasting: bool = True) -> Binding | Pointer:
        """What a member is bound to; for a member of an array's element, its address.

        Without `lasting` it is only read at once, so that it may be a copy's.
        """
        base = self._base_object(node, lasting)
        if isinstance(base, ObjectBinding):
            found = self.environment.get(self.field_key(base, node.key))
            if found is None:
                raise unsupported(
                    "unsupported-type", node.span, f"the member `{node.spelling}` isn't understood"
                )
            if isinstance(found, UnknownBinding):
                raise LiftError(found.why)
            return found
        offset = 0
        if is_union(base.type):
            self._note_union(base.type, node)
            return base.pointer
        for field in own_fields(base.type):
            if field.key == node.key:
                at = add(base.pointer.offset, Const(I64, offset))
                return base.pointer.at(at)
            offset += self.elements(field.type, base.pointer, node)
        raise unsupported(
            "unsupported-type", node.span, f"the member `{node.spelling}` isn't understood"
        )

    def _note_union(self, type: Any, node: Node) -> None:
        """Says once for each union what is taken for granted of it."""
        name = type.spelling.removeprefix("const ")
        text = f"the members of `{name}` share their bytes, the lowest first: little endian"
        if all(w.message != text for w in self.warnings):
            self.warnings.append(finding("assumed", "note", node.span, text))

    def member_place(self, node: Node) -> Place:
        return self._place_of(self.member(node), node)

    def _place_of(self, found: Binding | Pointer, node: Node) -> Place:
        if isinstance(found, ScalarBinding):
            return found.place
        if isinstance(found, Pointer):
            return self.element(found, node)
        raise unsupported("unsupported-expression", node.span, "this lvalue isn't understood")

    def member_value(self, node: Node) -> Expr:
        if _is_static(node):
            constant = node.evaluate()
            if constant is None:
                self._refuse_global(node)
                raise AssertionError
            return number(constant, self.scalar(node))
        found = self.member(node, lasting=False)
        if isinstance(found, ConstantBinding):
            return convert(found.value, self.scalar(node))
        return self.read(self._place_of(found, node), self.scalar(node))

    def member_pointer(self, node: Node) -> PointerValue:
        if _is_static(node):
            table = self.table(node)
            assert table is not None
            return table
        found = self.member(node)
        if isinstance(found, PointerBinding):
            return self.bound_pointer(found, node)
        if isinstance(found, (ArrayBinding, VectorBinding)):
            return found.pointer
        if isinstance(found, Pointer):
            return found
        raise unsupported("unsupported-type", node.span, f"`{node.spelling}` isn't understood here")

    # Objects

    def object(self, node: Node, lasting: bool = True) -> Object:
        """The object that an expression of class type names or makes.

        Without `lasting` it is read at once, and may be a copy of the one that is named.
        """
        kind = node.kind
        if kind in ("PAREN_EXPR", "UNEXPOSED_EXPR") and len(node.children) == 1:
            inner = node.children[0]
            # A conversion may call a constructor or an operator; then the child is a call.
            if is_record(inner.type):
                return self.object(inner, lasting)
        if kind in CASTS and node.children and is_record(node.children[-1].type):
            return self.object(node.children[-1], lasting)
        if not is_union(node.type) or uniform_record(node.type) is None:
            check_record(node.type, node)
        if kind == "DECL_REF_EXPR":
            return self._named_object(node)
        if kind == "MEMBER_REF_EXPR":
            found = self.member(node, lasting)
            if isinstance(found, Pointer):
                return ElementObject(found, node.type)
            if isinstance(found, (ObjectBinding, ElementObject)):
                return found
        if kind == "ARRAY_SUBSCRIPT_EXPR":
            base, position = self.subscript_operands(node)
            return ElementObject(base.at(add(base.offset, position)), node.type)
        if kind == "UNARY_OPERATOR" and node.operator == "*":
            return self.pointee_object(self.pointer(node.children[0]), node.children[0])
        if kind == "BINARY_OPERATOR" and node.operator == "=":
            return self.assigned_object(node.children[0], node.children[1])
        if kind == "BINARY_OPERATOR" and node.operator == ",":
            self.discard(node.children[0])
            return self.object(node.children[1], lasting)
        return self.made_object(node, lasting and names_place(node))

    def _named_object(self, node: Node) -> Object:
        binding = self.environment.get(node.key)
        if isinstance(binding, (ObjectBinding, ElementObject)):
            return binding
        if binding is None:
            return self._global_object(node)
        raise unsupported("unsupported-type", node.span, f"`{node.spelling}` isn't understood here")

    def _global_object(self, node: Node) -> Object:
        """A constant object of file or class scope: it is made before anything else happens."""
        cursor = node.declaration
        declared = Node(cursor.get_definition() or cursor)
        start = declared.initializer if declared.kind == "VAR_DECL" else None
        if start is None or not declared.type.is_const_qualified():
            self._refuse_global(node)
        assert start is not None
        known = self.constants.get(node.key)
        if known is None:
            outer, self.environment = self.environment, {}
            targets, region = self.targets, self.region
            self.targets, self.region = [], None
            names, arrays = set(self.names), set(self.arrays)
            # No variable of the source can have this name.
            name = f"{node.spelling}.const"
            with self.block() as out, self.expression_region(start) as inner:
                made = self.new_object(node.key, name, declared.type, node)
                self.construct(made, declared.type, start)
                self.flush(inner)
            self.prologue += out
            self.reserved |= self.names - names
            self.reserved_arrays |= {n: a for n, a in self.arrays.items() if n not in arrays}
            known = self.constants[node.key] = (made, self.environment)
            self.environment, self.targets, self.region = outer, targets, region
        made, bindings = known
        self.environment.update(bindings)
        return made

    def restore(self, saved: tuple[Any, ...]) -> None:
        super().restore(saved)
        self.names |= self.reserved
        self.arrays.update(self.reserved_arrays)

    def object_address(self, node: Node) -> PointerValue:
        """`&object`."""
        found = self.object(node)
        return ObjectAddress(found) if isinstance(found, ObjectBinding) else found.pointer

    def steady_object(self, found: Object, name: str) -> Object:
        """The same object, its place fixed as it is now."""
        if isinstance(found, ObjectBinding):
            return found
        return ElementObject(self.steady_pointer(found.pointer, name), found.type)

    # Copies

    def new_object(self, key: Key, name: str, type: Any, node: Node) -> ObjectBinding:
        """A local object whose fields have no values yet."""
        check_record(type, node)
        made = ObjectBinding(key, name, type)
        for field in fields_of(type):
            own = self.field_key(made, field.key)
            self.environment[own] = self._new_field(field, own, f"{name}.{field.name}", node)
        return made

    def _new_field(self, field: Field, key: Key, name: str, node: Node) -> Binding:
        type = field.type
        if field.node.cursor.is_bitfield() or type.is_volatile_qualified():
            what = "a bit-field" if field.node.cursor.is_bitfield() else "volatile"
            return _unknown(node, f"the member `{field.name}` is {what}, which isn't understood")
        scalar = scalar_type(type)
        if scalar is not None:
            fresh = self.fresh(name)
            self.made.add(fresh)
            self.emit(Declare(self.span, fresh, scalar))
            return ScalarBinding(ScalarPlace(fresh, scalar))
        if is_pointer(type):
            return PointerBinding(name, None)
        extents = extents_of(type)
        if is_array(type) and extents.element is not None:
            size = Const(I64, extents.count)
            return ArrayBinding(self.allocate(name, extents.element, size, extents.shape))
        if is_record(type) and vector_element(type) is None:
            try:
                return self.new_object(key, name, type, node)
            except LiftError as error:
                return UnknownBinding(error.diagnostic)
        return _unknown(
            node, f"the member `{field.name}` of type `{field.node.written_type}` has no value here"
        )

    def assigned_object(self, left: Node, right: Node) -> Object:
        """`left = right`, field by field; gives `left`.

        Raises `unsequenced` where compilers differ in what is read first.
        """
        if _changed_in(left) & {n.key for n in right.walk() if n.kind in _NAMED}:
            raise unsupported(
                "unsequenced",
                left.span,
                "what stands left of this `=` changes what stands right of it: C++ reads the "
                "right side first, and g++ doesn't where the class is plain",
                "write the two as statements of their own",
            )
        value = self.object(right, lasting=False)
        since = len(self.out)
        to = self.object(left)
        if isinstance(value, ElementObject):
            self.ordered(_indices_of(value.pointer), since, left)
        self.copy_object(to, value, left)
        return to

    def copy_object(self, to: Object, source: Object, node: Node) -> None:
        """Gives every field of `to` what `source` has in it."""
        if to == source:
            return
        if isinstance(to, ObjectBinding) and isinstance(source, ObjectBinding):
            self._copy_fields(to, source, node)
            return
        # All fields are read, and found, before any is written: the two may be one array's, and a
        # field may tell where the other object is.
        if isinstance(to, ElementObject) and not all(map(is_steady, _indices_of(to.pointer))):
            to = self.steady_object(to, "to")
        places = self._scalars_of(to, node)
        values = [self.read(place, place.type) for place in self._scalars_of(source, node)]
        if isinstance(source, ElementObject) and len(values) > 1:
            used = reads(*values)
            if isinstance(to, ElementObject) or any(
                isinstance(p, ScalarPlace) and p.name in used for p in places
            ):
                values = [self.captured(v) for v in values]
        for place, value in zip(places, values, strict=True):
            self.write(place, value)

    def _scalars_of(self, whole: Object, node: Node) -> list[Place]:
        """The numbers that a uniform object is made of, in order."""
        if isinstance(whole, ElementObject):
            return self.numbers(whole.pointer, whole.type, node)
        places: list[Place] = []
        for field in fields_of(whole.type):
            binding = self.environment[self.field_key(whole, field.key)]
            if isinstance(binding, ScalarBinding):
                places.append(binding.place)
            elif isinstance(binding, ArrayBinding):
                places += self.numbers(binding.pointer, field.type, node)
            elif isinstance(binding, (ObjectBinding, ElementObject)):
                places += self._scalars_of(binding, node)
            else:
                raise unsupported("unsupported-type", node.span, "this object can't be copied")
        return places

    def _copy_fields(self, to: ObjectBinding, source: ObjectBinding, node: Node) -> None:
        # One of the two may be a base of the other: then that part is copied.
        fields = min(fields_of(source.type), fields_of(to.type), key=len)
        for field in fields:
            theirs = self.environment.get(self.field_key(source, field.key))
            key = self.field_key(to, field.key)
            mine = self.environment.get(key)
            if mine is None or theirs is None:
                raise unsupported("unsupported-type", node.span, "objects of two classes")
            if isinstance(theirs, (UnknownBinding, VectorBinding)):
                if to.key[0] == PARAMETER_OBJECTS:
                    what = f"`{to.name}.{field.name}` is written, which the caller would see"
                    raise unsupported("unsupported-type", node.span, what)
                why = f"the member `{field.name}` was copied, which isn't understood"
                self.environment[key] = _unknown(node, why)
            elif is_reference(field.type) and isinstance(theirs, ScalarBinding):
                self.environment[key] = theirs
            elif isinstance(theirs, PointerBinding):
                assert isinstance(mine, PointerBinding)
                if theirs.value is None:
                    self.environment[key] = PointerBinding(mine.name, None, theirs.conflict)
                else:
                    self.set_pointer(key, mine.name, theirs.value)
            elif isinstance(mine, ScalarBinding) and isinstance(
                theirs, (ScalarBinding, ConstantBinding)
            ):
                value = (
                    theirs.value
                    if isinstance(theirs, ConstantBinding)
                    else self.read(theirs.place, theirs.place.type)
                )
                self.write(mine.place, value)
            elif isinstance(mine, ArrayBinding) and isinstance(theirs, ArrayBinding):
                count = Const(I64, extents_of(field.type).count)
                self.copy(mine.pointer, theirs.pointer, count)
            elif isinstance(mine, (ObjectBinding, ElementObject)) and isinstance(
                theirs, (ObjectBinding, ElementObject)
            ):
                self.copy_object(mine, theirs, node)
            else:
                raise unsupported(
                    "unsupported-type", node.span, f"the member `{field.name}` can't be copied"
                )

    # What calls give

    def call_value_place(self, node: Node) -> Place:
        """The place that a call of a function gives that returns a reference."""
        extreme = self.extreme_place(node)
        if extreme is not None:
            return extreme
        found = self.call_result(node, as_place=True)
        if isinstance(found, Address):
            return found.place
        if isinstance(found, Pointer):
            return self.element(found, node)
        raise unsupported("unsupported-expression", node.span, "this lvalue isn't understood")

    def address_of(self, node: Node) -> PointerValue:
        """Where an lvalue is, of a number, an array or an object."""
        node = strip_parentheses(node)
        return self.object_address(node) if is_record(node.type) else self._address_of(node)


_NAMED = ("DECL_REF_EXPR", "MEMBER_REF_EXPR")


def _changed_in(node: Node) -> set[tuple[int, int]]:
    """The variables and members that an expression assigns or steps."""
    changed = (
        inner.children[0]
        for inner in node.walk()
        if inner.kind == "COMPOUND_ASSIGNMENT_OPERATOR"
        or (inner.kind == "BINARY_OPERATOR" and inner.operator == "=")
        or (inner.kind == "UNARY_OPERATOR" and inner.operator in ("p++", "p--", "++p", "--p"))
    )
    return {name.key for place in changed for name in designated(place)}


def _indices_of(pointer: Pointer) -> tuple[Expr, ...]:
    return (pointer.offset,) if pointer.row is None else (pointer.row, pointer.offset)


def _is_static(node: Node) -> bool:
    declared = node.declaration
    return declared is not None and declared.kind.name in _STATIC


def _unknown(node: Node, message: str) -> UnknownBinding:
    return UnknownBinding(unsupported("unsupported-type", node.span, message).diagnostic)
