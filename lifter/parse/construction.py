"""The making of objects: declarations, constructors, aggregates, temporaries, lambdas."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from compiler.ir import I64, Const

from ..model.kernel import If, Store
from .bindings import (
    ArrayBinding,
    Binding,
    ConstantBinding,
    ElementObject,
    Key,
    LambdaBinding,
    Null,
    Object,
    ObjectBinding,
    Pointer,
    PointerBinding,
    ScalarBinding,
    ScalarPlace,
    VectorBinding,
    joined,
)
from .failure import unsupported
from .folding import convert, index, number
from .program import Definition
from .records import (
    Field,
    bases_of,
    check_record,
    declaration_of,
    default_initializer,
    is_implicit,
    is_lambda,
    members_of,
    own_fields,
    refuse_destructor,
    refuse_own_copy,
)
from .syntax import Node, strip
from .tables import initializer_items
from .types import (
    extents_of,
    is_array,
    is_record,
    is_reference,
    is_union,
    pointee_of,
    scalar_type,
    uniform_record,
    vector_element,
)
from .unions import Unions

_WRAPPERS = frozenset({"UNEXPOSED_EXPR", "PAREN_EXPR", "CXX_FUNCTIONAL_CAST_EXPR"})


class Construction(Unions):
    """Translation of what brings objects to life."""

    @abstractmethod
    def run_constructor(
        self, node: Node, definition: Definition, target: ObjectBinding, arguments: Sequence[Node]
    ) -> None: ...

    def object_declaration(self, node: Node) -> None:
        """A local variable of class type."""
        type = node.type
        start = node.initializer
        if is_lambda(type):
            assert start is not None
            self.bind(node, self.lambda_of(start))
            return
        self._refuse_static(node)
        if is_union(type):
            self.union_declaration(node)
            return
        check_record(type, node)
        refuse_destructor(type, node)
        made = self.new_object(node.key, node.spelling, type, node)
        self.bind(node, made)
        if start is None:
            self._by_default(made, type, node, zero=False)
            return
        call = _unwrapped(start)
        plain = call.kind == "CALL_EXPR" and not list(call.cursor.get_arguments())
        if plain and call.cursor.extent.start.offset == node.cursor.location.offset:
            self._construct_by(call, made, type, zero=False)
            return
        with self.expression_region(start) as region:
            self.construct(made, type, start)
            self.flush(region)

    def made_object(self, node: Node, lasting: bool = False) -> Object:
        """A temporary: what a call, a list or a conversion makes.

        With `lasting` it names an object that is there anyway, and which is more than read.
        """
        inner = _unwrapped(node)
        if inner.kind == "CALL_EXPR":
            called = inner.declaration
            if called is not None and called.kind.name != "CONSTRUCTOR":
                found = self.call_result(inner)
                if isinstance(found, (ObjectBinding, ElementObject)):
                    return found
                if isinstance(found, Pointer) and is_record(inner.type):
                    return ElementObject(found, inner.type)
                raise unsupported("unsupported-expression", node.span, "this call gives no object")
            arguments = tuple(Node(c) for c in inner.cursor.get_arguments())
            if called is not None and is_implicit(called) and len(arguments) == 1:
                refuse_own_copy(inner.type, node)
                source = self.object(arguments[0], lasting=False)
                return self._copy_of(source, inner, inner.type)
        if inner.kind == "CONDITIONAL_OPERATOR":
            return self._chosen_object(inner, lasting)
        if inner.kind not in ("CALL_EXPR", "INIT_LIST_EXPR"):
            raise unsupported("unsupported-expression", node.span, "this object isn't understood")
        refuse_destructor(inner.type, node)
        key = (-2 - len(self.inlined), inner.cursor.hash)
        name = str(declaration_of(inner.type).spelling).lower()
        made = self.new_object(key, name, inner.type, node)
        self.construct(made, inner.type, inner)
        return made

    def _copy_of(self, source: Object, node: Node, type: Any) -> Object:
        key = (-2 - len(self.inlined), node.cursor.hash)
        made = self.new_object(key, str(declaration_of(type).spelling).lower(), type, node)
        self.copy_object(made, source, node)
        return made

    def _chosen_object(self, node: Node, lasting: bool) -> Object:
        """`test ? a : b` of objects: a copy of the one that is taken."""
        test, one, other = node.children
        condition = self.sequenced_condition(test, (one, other))
        if isinstance(condition, Const):
            return self.object(one if condition.value else other, lasting)
        if lasting:
            raise unsupported(
                "unsupported-expression",
                node.span,
                "one of two objects is more than read here",
                "branch around what is done with it",
            )
        refuse_own_copy(node.type, node)
        made = self.new_object(
            (-2 - len(self.inlined), node.cursor.hash), "chosen", node.type, node
        )
        start = self.environment
        bodies, ends = [], []
        for arm in (one, other):
            self.environment = dict(start)
            with self.block() as out, self.expression_region(arm, (test,)) as region:
                self.copy_object(made, self.object(arm, lasting=False), node)
                self.flush(region)
            bodies.append(tuple(out))
            ends.append(self.environment)
        self.environment = joined(ends[0], ends[1])
        self.emit(If(self.span, condition, bodies[0], bodies[1]))
        return made

    def swap_objects(self, one: Node, other: Node, node: Node) -> None:
        """`std::swap(one, other)` of objects whose copies are C++'s own."""
        refuse_own_copy(one.type, node)
        a = self.steady_object(self.object(one), "a")
        b = self.steady_object(self.object(other), "b")
        kept = self._copy_of(a, node, one.type)
        self.copy_object(a, b, node)
        self.copy_object(b, kept, node)

    # Initialisation

    def construct(self, target: ObjectBinding, type: Any, start: Node) -> None:
        """Gives `target` (or its part of the base class `type`) what the initializer says."""
        inner = _unwrapped(start)
        if inner.kind == "INIT_LIST_EXPR":
            self._by_list(target, type, inner)
        elif inner.kind == "CALL_EXPR" and _is_constructor(inner):
            self._construct_by(inner, target, type, zero=True)
        else:
            refuse_own_copy(type, start)
            self.copy_object(target, self.object(inner, lasting=False), start)

    def _construct_by(self, call: Node, target: ObjectBinding, type: Any, zero: bool) -> None:
        cursor = call.declaration
        arguments = tuple(Node(c) for c in call.cursor.get_arguments())
        if is_implicit(cursor):
            if arguments:
                refuse_own_copy(type, call)
                self.copy_object(target, self.object(arguments[0], lasting=False), call)
            else:
                self._by_default(target, type, call, zero)
            return
        definition = self.program.definition(cursor, str(cursor.spelling))
        if definition is None:
            raise unsupported(
                "unmodelled-call", call.span, f"the body of constructor `{cursor.spelling}`"
                " isn't seen",
            )  # fmt: skip
        self.run_constructor(call, definition, target, arguments)

    def _by_list(self, target: ObjectBinding, type: Any, node: Node) -> None:
        """Aggregate initialisation; what the list doesn't name is zero or as declared."""
        items = list(node.children)
        bases = bases_of(type)
        if len(items) == 1 and is_record(items[0].type) and items[0].type == type:
            refuse_own_copy(type, node)
            self.copy_object(target, self.object(items[0], lasting=False), node)
            return
        if bases:
            raise unsupported("unsupported-expression", node.span, "a list for a class with a base")
        fields = own_fields(type)
        if any(not scalar_type(f.type) for f in fields) and self._by_numbers(target, type, items):
            return
        chosen: dict[Key, Node] = {}
        position = 0
        for item in items:
            if item.children and item.children[0].kind == "MEMBER_REF":
                named = [c for c in item.children if c.kind == "MEMBER_REF"]
                if len(named) != 1:
                    raise unsupported(
                        "unsupported-expression", item.span, "this designator isn't understood"
                    )
                key = Node(named[0].cursor.referenced).key
                position = next(i for i, f in enumerate(fields) if f.key == key)
                item = item.children[-1]
            if position >= len(fields):
                raise unsupported("unsupported-expression", item.span, "this list is too long")
            chosen[fields[position].key] = item
            position += 1
        for field in fields:
            start = chosen.get(field.key) or default_initializer(field)
            self.initialise_field(target, field, start, node, zero=True)

    def _by_numbers(self, target: ObjectBinding, type: Any, items: Sequence[Node]) -> bool:
        """A list without the braces of the inner arrays; False where it is another kind of list."""
        plain = all(scalar_type(i.type) and i.kind != "INIT_LIST_EXPR" for i in items)
        if not plain or not items or uniform_record(type) is None:
            return False
        places = self._scalars_of(target, items[0])
        if len(items) > len(places):
            return False
        for place, item in zip(places, items, strict=False):
            with self.expression_region(item) as region:
                self.write(place, self.value(item))
                self.flush(region)
        for place in places[len(items) :]:
            self.write(place, number(0, place.type))
        return True

    def source_object(self, node: Node) -> Object:
        """The object that an expression gives, for one who copies it at once: the copies that C++
        makes on the way are left out."""
        inner = _unwrapped(node)
        while inner.kind == "CALL_EXPR" and _is_constructor(inner):
            arguments = tuple(Node(c) for c in inner.cursor.get_arguments())
            if len(arguments) != 1 or not is_implicit(inner.declaration):
                break
            refuse_own_copy(inner.type, node)
            inner = _unwrapped(arguments[0])
        return self.object(inner, lasting=False)

    def _by_default(self, target: ObjectBinding, type: Any, node: Node, zero: bool) -> None:
        for base in bases_of(type):
            self._default_object(target, base, node, zero)
        for field in own_fields(type):
            self.initialise_field(target, field, default_initializer(field), node, zero)

    def _default_object(self, target: ObjectBinding, type: Any, node: Node, zero: bool) -> None:
        """The default constructor of a base or a member."""
        members, is_template = members_of(type)
        for child in members:
            if child.kind.name == "CONSTRUCTOR" and child.is_default_constructor():
                if is_implicit(child):
                    break
                if is_template:
                    raise unsupported(
                        "unsupported-type",
                        node.span,
                        f"the constructor of `{type.spelling}`, an instance of a template, isn't "
                        "seen here",
                        "name it among the initializers of the class",
                    )
                definition = self.program.definition(child, str(child.spelling))
                if definition is None:
                    raise unsupported("unmodelled-call", node.span, "a constructor isn't seen")
                self.run_constructor(node, definition, target, ())
                return
        self._by_default(target, type, node, zero)

    def initialise_field(
        self, target: ObjectBinding, field: Field, start: Node | None, node: Node, zero: bool
    ) -> None:
        """Gives one field its first value; without one it stays undefined, or is `zero`."""
        key = self.field_key(target, field.key)
        binding = self.environment[key]
        if start is None and not zero and not is_record(field.type):
            return
        if isinstance(binding, ScalarBinding):
            own = scalar_type(field.type)
            assert own is not None
            if start is None:
                self.write(binding.place, number(0, own))
                return
            with self.expression_region(start) as region:
                self.write(binding.place, self.value(start))
                self.flush(region)
        elif isinstance(binding, PointerBinding):
            if start is None or (start.kind == "INIT_LIST_EXPR" and not start.children):
                self.environment[key] = PointerBinding(binding.name, Null())
                return
            with self.expression_region(start) as region:
                found = self.allocation(start, binding.name)
                value = self.pointer(start) if found is None else found
                self.set_pointer(key, binding.name, value)
                self.flush(region)
        elif isinstance(binding, ArrayBinding):
            self._array_field(binding.pointer, field, start)
        elif isinstance(binding, ObjectBinding):
            if start is None:
                self._default_object(binding, field.type, node, zero)
            else:
                self.construct(binding, field.type, start)
        elif start is not None and vector_element(field.type) is not None:
            self._vector_field(key, target, field, start)
        elif start is not None and is_reference(field.type):
            self._reference_field(key, field, start)

    def _array_field(self, pointer: Pointer, field: Field, start: Node | None) -> None:
        extents = extents_of(field.type)
        assert extents.element is not None
        items: dict[int, Node] = {}
        if start is not None and start.kind == "INIT_LIST_EXPR":
            items = initializer_items(start, extents.shape)
        elif start is not None and (start.children or start.kind != "UNEXPOSED_EXPR"):
            # Only what stands for zeros is unexposed and has nothing in it.
            raise unsupported(
                "unsupported-expression",
                start.span,
                "this array's values aren't understood",
                "give it a list of values",
            )
        if len(items) < extents.count:
            self.fill(pointer, Const(I64, extents.count), number(0, extents.element))
        for position, item in items.items():
            value = convert(self.value(item), extents.element)
            self.emit(Store(self.span, pointer.array, (Const(I64, position),), value))

    def _vector_field(self, key: Key, target: ObjectBinding, field: Field, start: Node) -> None:
        element = vector_element(field.type)
        assert element is not None
        call = _unwrapped(start)
        arguments = call.children if call.kind == "CALL_EXPR" else ()
        name = f"{target.name}.{field.name}"
        if arguments and scalar_type(arguments[0].type) is not None and len(arguments) <= 2:
            size = index(self.value(arguments[0]))
            value = number(0, element)
            pointer = self.allocate(name, element, size)
            count = self.arrays[pointer.array].size
            assert count is not None
            filled = convert(self.value(arguments[1]), element) if len(arguments) == 2 else value
            self.fill(
                pointer, count, filled if isinstance(filled, Const) else self.captured(filled)
            )
            self.environment[key] = VectorBinding(pointer, count)

    def _reference_field(self, key: Key, field: Field, start: Node) -> None:
        pointee = pointee_of(field.type)
        own = scalar_type(pointee)
        if own is not None:
            self.environment[key] = ScalarBinding(self.referred(start, own, field.name))
        elif is_record(pointee) and vector_element(pointee) is None:
            self.environment[key] = self.steady_object(self.object(start), field.name)
        elif is_array(pointee):
            self.environment[key] = ArrayBinding(self.referred_array(start, field.name))
        else:
            binding = self.vector_binding(start)
            if binding is not None:
                self.environment[key] = binding

    # Lambdas

    def lambda_of(self, node: Node) -> LambdaBinding:
        """The lambda that an expression is, or names."""
        inner = _unwrapped(strip(node))
        while inner.kind == "CALL_EXPR" and inner.children and is_lambda(inner.type):
            inner = _unwrapped(inner.children[-1])  # a copy of a lambda
        if inner.kind == "DECL_REF_EXPR":
            binding = self.environment.get(inner.key)
            if isinstance(binding, LambdaBinding):
                return binding
        if inner.kind == "MEMBER_REF_EXPR" or inner.kind != "LAMBDA_EXPR":
            raise unsupported("lambda", node.span, "it isn't known which lambda this is")
        receiver = self.receivers[-1] if self.receivers else None
        used = tuple(n.key for n in inner.walk() if n.kind == "DECL_REF_EXPR" and n.declaration)
        place = inner.cursor.extent.start.offset
        return LambdaBinding(place, self._copies(inner), receiver, used)

    def _copies(self, node: Node) -> tuple[tuple[Key, Binding], ...]:
        """The variables that a lambda keeps by value, as they are now."""
        captures = _captures(node)
        every = "=" in captures
        found: dict[Key, Binding] = {}
        for used in node.walk():
            if used.kind != "DECL_REF_EXPR" or used.declaration is None:
                continue
            name = used.spelling
            if f"&{name}" in captures or not (every or name in captures):
                continue
            binding = self.environment.get(used.key)
            if binding is not None and used.key not in found:
                found[used.key] = self._copied(binding, name, used)
        return tuple(found.items())

    def _copied(self, binding: Binding, name: str, node: Node) -> Binding:
        if isinstance(binding, ScalarBinding):
            place = binding.place
            value = self.read(place, place.type)
            if isinstance(place, ScalarPlace) and place.name in self.fixed:
                return binding
            return ConstantBinding(self.captured(value, name))
        if isinstance(binding, PointerBinding) and isinstance(binding.value, Pointer):
            pointer = binding.value
            if isinstance(pointer.offset, Const) and pointer.row is None:
                return binding
            kept = pointer.at(self.captured(pointer.offset, name))
            return PointerBinding(name, kept)
        if isinstance(binding, (ConstantBinding, PointerBinding, LambdaBinding)):
            return binding
        if isinstance(binding, ObjectBinding):
            copy = self.new_object((-3, node.cursor.hash), name, binding.type, node)
            self.copy_object(copy, binding, node)
            return copy
        if isinstance(binding, ArrayBinding) and (
            self.arrays[binding.pointer.array].origin == "table"
        ):
            return binding
        raise unsupported(
            "lambda", node.span, f"`{name}` is captured by value", "capture it by reference"
        )


def _unwrapped(node: Node) -> Node:
    """The call or list inside of what libclang shows around it."""
    while node.kind in _WRAPPERS:
        inner = [c for c in node.children if not c.kind.endswith("_REF")]
        if len(inner) != 1:
            break
        node = inner[0]
    return node


def _captures(node: Node) -> list[str]:
    """What stands between the brackets of a lambda, taken apart at its commas.

    Raises `lambda` for what isn't plain: captures with initializers, or out of a macro.
    """
    first, *rest = (token.spelling for token in node.cursor.get_tokens())
    captures = "".join(rest[: rest.index("]")]).split(",") if "]" in rest else [""]
    named = {c.spelling for c in node.children if c.kind == "VARIABLE_REF"}
    plain = {"", "&", "=", "this", *named, *(f"&{name}" for name in named)}
    if first != "[" or not plain.issuperset(captures):
        raise unsupported(
            "lambda", node.span, "a capture with an initializer", "capture a variable"
        )
    return captures


def _is_constructor(call: Node) -> bool:
    return call.declaration is not None and call.declaration.kind.name == "CONSTRUCTOR"


def constructor_parts(definition: Definition) -> tuple[dict[Key, Node], dict[str, Node]]:
    """The initializers of a constructor: of members by key, of bases (and of the object itself,
    for a delegating one) by type."""
    members: dict[Key, Node] = {}
    bases: dict[str, Node] = {}
    children = definition.node.children
    for position, child in enumerate(children[:-1]):
        if child.kind == "MEMBER_REF":
            following = children[position + 1]
            if following.kind not in ("MEMBER_REF", "COMPOUND_STMT", "TYPE_REF"):
                members[Node(child.cursor.referenced).key] = following
        elif child.kind == "CALL_EXPR" and _is_constructor(child):
            before = children[position - 1].kind if position else ""
            if before in ("TYPE_REF", "TEMPLATE_REF"):
                bases[str(child.type.spelling)] = child
    return members, bases
