"""How objects get their first values: constructors, lists, defaults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from compiler.ir import I64, Const

from ..model.kernel import Store
from .allocation import allocation_of
from .arguments import bind_arguments
from .bindings import (
    ArrayBinding,
    Key,
    LanesArrayBinding,
    LanesBinding,
    Null,
    ObjectBinding,
    Pointer,
    PointerBinding,
    ScalarBinding,
)
from .bound import field_key, vector_binding
from .dispatch import INITIALIZER, construct, lanes_of, object_of, pointer_of, value_of
from .failure import unsupported
from .folding import convert, number
from .inlining import check_held, enter, inside, run_inlined
from .jumps import JumpTarget
from .memory import fill
from .objects import copy_object, scalars_of
from .pointer_variables import set_pointer
from .program import FunctionDefinition, arguments_of
from .records import (
    Field,
    bases_of,
    declaration_of,
    default_initializer,
    is_implicit,
    members_of,
    own_fields,
    refuse_own_copy,
)
from .references import referred, referred_array
from .steady import steady_object
from .syntax import Node
from .tables import initializer_items
from .translation import Translation
from .types import (
    extents_of,
    is_array,
    is_record,
    is_reference,
    is_simd,
    pointee_of,
    scalar_type,
    uniform_record,
    vector_element,
)
from .vector_arrays import fill_array_of_lanes, is_array_of_lanes
from .vector_values import set_lanes, zeros
from .vectors import initialise_vector
from .views import write


@INITIALIZER.of("CALL_EXPR")
def construct_by_call(t: Translation, target: ObjectBinding, type: Any, call: Node) -> None:
    if is_constructor(call):
        construct_by(t, call, target, type, zero=True)
    elif call.declaration is not None or elided(call) is not None:
        construct_by_copy(t, target, type, call)
    else:
        raise unsupported("unsupported-expression", call.span, "this call gives no object")


@INITIALIZER.otherwise
def construct_by_copy(t: Translation, target: ObjectBinding, type: Any, source: Node) -> None:
    refuse_own_copy(type, source)
    copy_object(t, target, object_of(t, source, lasting=False), source)


def construct_by(t: Translation, call: Node, target: ObjectBinding, type: Any, zero: bool) -> None:
    """Construction by a constructor; `zero` says whether C++'s own leaves zeros."""
    cursor = call.declaration
    arguments = arguments_of(call)
    if is_implicit(cursor):
        if arguments:
            refuse_own_copy(type, call)
            copy_object(t, target, object_of(t, arguments[0], lasting=False), call)
        else:
            construct_by_default(t, target, type, call, zero)
        return
    definition = t.program.definition(cursor, str(cursor.spelling))
    if definition is None:
        raise unsupported(
            "unmodelled-call", call.span, f"the body of constructor `{cursor.spelling}`"
            " isn't seen",
        )  # fmt: skip
    run_constructor(t, call, definition, target, arguments)


@INITIALIZER.of("INIT_LIST_EXPR")
def construct_by_list(t: Translation, target: ObjectBinding, type: Any, node: Node) -> None:
    """Aggregate initialisation; what the list doesn't name is zero or as declared."""
    items = list(node.children)
    bases = bases_of(type)
    if len(items) == 1 and is_record(items[0].type) and items[0].type == type:
        refuse_own_copy(type, node)
        copy_object(t, target, object_of(t, items[0], lasting=False), node)
        return
    if bases:
        raise unsupported("unsupported-expression", node.span, "a list for a class with a base")
    fields = own_fields(type)
    if any(not scalar_type(f.type) for f in fields) and _by_numbers(t, target, type, items):
        return
    if (
        len(fields) == 1
        and is_array_of_lanes(fields[0].type)
        and all(is_simd(i.type) for i in items)
    ):
        # `{a, b}`, without the braces of the array.
        initialise_field(t, target, fields[0], node, node, zero=True)
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
        initialise_field(t, target, field, start, node, zero=True)


def _by_numbers(t: Translation, target: ObjectBinding, type: Any, items: Sequence[Node]) -> bool:
    """A list without the braces of the inner arrays; False where it is another kind of list."""
    plain = all(scalar_type(i.type) and i.kind != "INIT_LIST_EXPR" for i in items)
    if not plain or not items or uniform_record(type) is None:
        return False
    places = scalars_of(t, target, items[0])
    if len(items) > len(places):
        return False
    for place, item in zip(places, items, strict=False):
        with t.expression_region(item) as region:
            write(t, place, value_of(t, item))
            t.flush(region)
    for place in places[len(items) :]:
        write(t, place, number(0, place.type))
    return True


def construct_by_default(
    t: Translation, target: ObjectBinding, type: Any, node: Node, zero: bool
) -> None:
    """What C++'s own default constructor does."""
    for base in bases_of(type):
        _default_object(t, target, base, node, zero)
    for field in own_fields(type):
        initialise_field(t, target, field, default_initializer(field), node, zero)


def _default_object(
    t: Translation, target: ObjectBinding, type: Any, node: Node, zero: bool
) -> None:
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
            definition = t.program.definition(child, str(child.spelling))
            if definition is None:
                raise unsupported("unmodelled-call", node.span, "a constructor isn't seen")
            run_constructor(t, node, definition, target, ())
            return
    construct_by_default(t, target, type, node, zero)


def initialise_field(
    t: Translation, target: ObjectBinding, field: Field, start: Node | None, node: Node, zero: bool
) -> None:
    """Gives one field its first value; without one it stays undefined, or is `zero`."""
    key = field_key(t, target, field.key)
    binding = t.environment[key]
    if start is None and not zero and not is_record(field.type):
        return
    if isinstance(binding, ScalarBinding):
        own = scalar_type(field.type)
        assert own is not None
        if start is None:
            write(t, binding.place, number(0, own))
            return
        with t.expression_region(start) as region:
            write(t, binding.place, value_of(t, start))
            t.flush(region)
    elif isinstance(binding, PointerBinding):
        if start is None or (start.kind == "INIT_LIST_EXPR" and not start.children):
            t.environment[key] = PointerBinding(binding.name, Null())
            return
        with t.expression_region(start) as region:
            found = allocation_of(t, start, binding.name)
            value = pointer_of(t, start) if found is None else found
            set_pointer(t, key, binding.name, value)
            t.flush(region)
    elif isinstance(binding, ArrayBinding):
        _array_field(t, binding.pointer, field, start)
    elif isinstance(binding, LanesArrayBinding):
        fill_array_of_lanes(t, binding, field.type, start)
    elif isinstance(binding, LanesBinding):
        if start is None:
            set_lanes(t, key, zeros(field.type))
            return
        with t.expression_region(start) as region:
            set_lanes(t, key, lanes_of(t, start))
            t.flush(region)
    elif isinstance(binding, ObjectBinding):
        if start is None:
            _default_object(t, binding, field.type, node, zero)
        else:
            construct(t, binding, field.type, start)
    elif start is not None and vector_element(field.type) is not None:
        initialise_vector(t, key, target, field, start)
    elif start is not None and is_reference(field.type):
        _reference_field(t, key, field, start)


def _array_field(t: Translation, pointer: Pointer, field: Field, start: Node | None) -> None:
    extents = extents_of(field.type)
    assert extents.element is not None
    items: dict[int, Node] = {}
    if start is not None and start.kind == "INIT_LIST_EXPR":
        items = initializer_items(start, field.type)
    elif start is not None and (start.children or start.kind != "UNEXPOSED_EXPR"):
        # Only what stands for zeros is unexposed and has nothing in it.
        raise unsupported(
            "unsupported-expression",
            start.span,
            "this array's values aren't understood",
            "give it a list of values",
        )
    if len(items) < extents.count:
        fill(t, pointer, Const(I64, extents.count), number(0, extents.element))
    for position, item in items.items():
        value = convert(value_of(t, item), extents.element)
        t.emit(Store(t.span, pointer.array, (Const(I64, position),), value))


def _reference_field(t: Translation, key: Key, field: Field, start: Node) -> None:
    pointee = pointee_of(field.type)
    own = scalar_type(pointee)
    if own is not None:
        t.environment[key] = ScalarBinding(referred(t, start, own, field.name))
    elif is_record(pointee) and vector_element(pointee) is None:
        t.environment[key] = steady_object(t, object_of(t, start), field.name)
    elif is_array(pointee):
        t.environment[key] = ArrayBinding(referred_array(t, start, field.name))
    else:
        binding = vector_binding(t, start)
        if binding is not None:
            t.environment[key] = binding


def run_constructor(
    t: Translation,
    node: Node,
    definition: FunctionDefinition,
    target: ObjectBinding,
    arguments: Sequence[Node],
) -> None:
    """Inlines a constructor: initializers in the order of the declarations, then the body."""
    if definition.key in t.inlined:
        raise unsupported("recursion", node.span, f"`{definition.name}` makes itself")
    t.program.check_readable(definition, node)
    span = t.span
    site = enter(t, node, definition)
    held = bind_arguments(t, node, definition, arguments, site)
    begin = len(t.out)
    members, bases = constructor_parts(definition)
    own = definition.node.cursor.semantic_parent.type.get_canonical()
    with inside(t, definition, target, node):
        if own.spelling in bases:
            construct(t, target, own, bases[own.spelling])
        else:
            for base in bases_of(own):
                start = bases.get(base.spelling)
                if start is not None:
                    construct(t, target, base, start)
                else:
                    _default_object(t, target, base, node, zero=False)
            for field in own_fields(own):
                start = members.get(field.key) or default_initializer(field)
                initialise_field(t, target, field, start, node, zero=False)
    run_inlined(t, definition, JumpTarget("function"), target, node)
    check_held(t, held, begin, site)
    t.span = span


def is_constructor(call: Node) -> bool:
    return call.declaration is not None and call.declaration.kind.name == "CONSTRUCTOR"


def elided(call: Node) -> Node | None:
    """The temporary that becomes an object as it is, where C++ before 2017 shows a copy that it may
    leave out (`Rect r = meet(a, b);`), as compilers do. Of these libclang names no constructor.
    """
    if call.kind != "CALL_EXPR" or call.declaration is not None:
        return None
    arguments = arguments_of(call)
    same = len(arguments) == 1 and declaration_of(arguments[0].type) == declaration_of(call.type)
    return arguments[0] if same else None


def constructor_parts(definition: FunctionDefinition) -> tuple[dict[Key, Node], dict[str, Node]]:
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
        elif child.kind == "CALL_EXPR" and is_constructor(child):
            before = children[position - 1].kind if position else ""
            if before in ("TYPE_REF", "TEMPLATE_REF"):
                bases[str(child.type.spelling)] = child
    return members, bases
