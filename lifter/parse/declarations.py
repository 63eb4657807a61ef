"""Declarations of local variables."""

from __future__ import annotations

import re
from typing import Any

from compiler.ir import I64, Const, Expr, Variable, postorder, substitute

from ..model.diagnostic import LiftError
from ..model.kernel import Assign, Declare, Store
from .allocation import allocation_of, made_unique
from .bindings import (
    ArrayBinding,
    ConstantBinding,
    Null,
    ObjectBinding,
    PointerBinding,
    PointersBinding,
    ScalarBinding,
    ScalarPlace,
)
from .bound import field_key, object_vector, pointer_binding, pointer_key, vector_binding
from .categories import NAMES, unwrapped
from .construction import construct_by, construct_by_default
from .dispatch import DECLARATION, construct, pointer_of, value_of
from .effects import reads
from .failure import unsupported
from .file_scope import add_table, outlives_call, refuse_static
from .folding import convert, index, number
from .function_pointers import points_to_function
from .lambdas import lambda_of
from .memory import allocate, fill
from .objects import hold, new_object, scalars_of
from .pointer_variables import remember_row, set_pointer
from .records import check_record, fields_of, is_lambda, refuse_destructor
from .references import reference_to, referred, referred_array, referred_pointer
from .syntax import Node, has_cleanup, strip
from .tables import initializer_items, table_values
from .translation import Translation
from .types import (
    extents_of,
    is_array,
    is_const,
    is_pointer,
    is_record,
    is_reference,
    is_simd,
    is_union,
    library_class,
    never_changes,
    pointee_of,
    scalar_type,
    vector_element,
    vector_record,
)
from .unions import declare_union
from .vector_arrays import declare_array_of_lanes, is_array_of_lanes
from .vector_values import declare_lanes, is_mask, is_steady
from .vectors import declare_vector

_MOST_POINTERS = 16
"""In an array that is taken apart."""
THREADS = re.compile(r"\bstd::(j?thread|\w*mutex|atomic\w*|lock_guard|unique_lock|future|async)\b")


@DECLARATION.of(
    "TYPEDEF_DECL", "TYPE_ALIAS_DECL", "ENUM_DECL", "STATIC_ASSERT", "USING_DECLARATION",
    "USING_DIRECTIVE", "NAMESPACE_ALIAS", "STRUCT_DECL", "CLASS_DECL", "UNION_DECL",
)  # fmt: skip
def declare_nothing(t: Translation, node: Node) -> None:
    """What brings no variable to life."""


@DECLARATION.of("VAR_DECL")
def declare_variable(t: Translation, node: Node) -> None:
    type = node.type
    if has_cleanup(node):
        raise unsupported(
            "unsupported-statement",
            node.span,
            f"what `cleanup` runs for `{node.spelling}` at the end of its scope isn't understood",
        )
    if not never_changes(type) and not is_lambda(type):
        refuse_static(node)  # of constants, those of which all values are known are left
    if is_reference(type):
        _declare_reference(t, node)
    elif is_pointer(type):
        _declare_pointer(t, node)
    elif is_array(type):
        _declare_array(t, node)
    elif vector_element(type) is not None:
        declare_vector(t, node)
    elif scalar_type(type) is not None:
        _declare_scalar(t, node)
    elif is_simd(type):
        declare_lanes(t, node)
    elif THREADS.search(type.spelling):
        raise unsupported(
            "thread",
            node.span,
            f"`{node.spelling}` is a `{node.written_type}`: threads aren't understood",
            "lift the sequential kernel that the threads run",
        )
    elif is_record(type):
        _declare_object(t, node)
    else:
        raise unsupported(
            "unsupported-type",
            node.span,
            f"`{node.spelling}` has type `{node.written_type}`, which isn't understood",
        )


def _declare_scalar(t: Translation, node: Node) -> None:
    own = scalar_type(node.type)
    assert own is not None
    start = node.initializer
    if start is not None and node.type.is_const_qualified():
        constant = start.evaluate()
        if constant is not None:
            t.bind(node, ConstantBinding(number(constant, own)))
            return
    refuse_static(node)
    if node.type.is_volatile_qualified():
        raise unsupported("unsupported-type", node.span, "`volatile` isn't understood")
    name = t.fresh(node.spelling)
    if start is None:
        t.emit(Declare(t.span, name, own))
    else:
        with t.expression_region(start) as region:
            value = convert(value_of(t, start), own)
            if is_mask(node) and t.is_constant(node.key) and is_steady(t, value):
                t.flush(region)
                t.bind(node, ConstantBinding(value))
                return
            t.constant_scalars.pop(name, None)  # of an attempt that was given up
            t.assign(name, value)
            t.flush(region)
        constant = t.is_constant(node.key)
        if constant and reads(value) <= {*t.fixed, *t.derived}:
            known: dict[Expr, Expr] = {
                n: t.derived[n.name]
                for n in postorder(value)
                if isinstance(n, Variable) and n.name in t.derived
            }
            t.derived[name] = substitute(value, known)
            t.constant_scalars[name] = node.key
    t.bind(node, ScalarBinding(ScalarPlace(name, own)))


def _declare_reference(t: Translation, node: Node) -> None:
    start = node.initializer
    assert start is not None
    pointee = pointee_of(node.type)
    if vector_element(pointee) is not None or vector_record(pointee) is not None:
        binding = vector_binding(t, start) or object_vector(t, start)
        if binding is None:
            raise unsupported("unsupported-type", node.span, "this reference isn't understood")
        t.bind(node, binding)
        return
    own = scalar_type(pointee)
    if is_array(pointee):
        with t.expression_region(start) as region:
            t.bind(node, ArrayBinding(referred_array(t, start, node.spelling)))
            t.flush(region)
        return
    if is_record(pointee):
        with t.expression_region(start) as region:
            t.bind(node, reference_to(t, start, node.spelling))
            t.flush(region)
        return
    if is_pointer(pointee):
        pointer = referred_pointer(t, t.decided.get(strip(start).cursor.hash, start), node.type)
        if pointer is not None:
            t.bind(node, pointer)
            return
        target = strip(start)
        if target.kind in NAMES and pointer_binding(t, target) is not None:
            raise unsupported("pointer-base", node.span, "a reference to a pointer")
    if own is None:
        raise unsupported(
            "unsupported-type", node.span, f"a reference of type `{node.written_type}`"
        )
    with t.expression_region(start) as region:
        t.bind(node, ScalarBinding(referred(t, start, own, node.spelling)))
        t.flush(region)


def _declare_pointer(t: Translation, node: Node) -> None:
    name = node.spelling
    start = node.initializer
    constant = t.is_constant(node.key)
    if start is None:
        t.bind(node, PointerBinding(name, None))
        return
    refuse_static(node)
    with t.expression_region(start) as region:
        found = allocation_of(t, start, name)
        value = pointer_of(t, start) if found is None else found
        t.environment[node.key] = PointerBinding(name, None)
        set_pointer(t, node.key, name, value, constant)
        remember_row(t, node.key)
        t.flush(region)


def _declare_pointers(t: Translation, node: Node, count: int) -> None:
    """An array of pointers, as so many pointer variables."""
    refuse_static(node)
    pointers = PointersBinding(node.key, node.spelling, count)
    keys = [pointer_key(t, pointers, position) for position in range(count)]
    names = [f"{node.spelling}.{position}" for position in range(count)]
    for key, name in zip(keys, names, strict=True):
        t.environment[key] = PointerBinding(name, None)
    t.bind(node, pointers)
    if node.initializer is None:
        return
    start = _list_of(node.initializer)
    if start is None:
        raise _not_understood(node)
    items = initializer_items(start, node.type)
    for position, (key, name) in enumerate(zip(keys, names, strict=True)):
        item = items.get(position)
        if item is None:
            t.environment[key] = PointerBinding(name, Null())
            continue
        with t.expression_region(item) as region:
            set_pointer(t, key, name, pointer_of(t, item))
            t.flush(region)


def _not_understood(node: Node) -> LiftError:
    assert node.initializer is not None
    return unsupported(
        "unsupported-expression",
        node.initializer.span,
        "this array's values aren't understood",
        "give it a list of values",
    )


def _declare_array(t: Translation, node: Node) -> None:
    if node.type.kind.name == "VARIABLEARRAY":
        _declare_array_of_any_size(t, node)
        return
    if is_array_of_lanes(node.type):
        declare_array_of_lanes(t, node)
        return
    own = node.type.element_type.get_canonical()
    count = node.type.element_count
    if is_pointer(own) and 0 < count <= _MOST_POINTERS and not points_to_function(own):
        _declare_pointers(t, node, count)
        return
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
            t.bind(node, ArrayBinding(add_table(t, node, element, extents.shape, values)))
            return
    refuse_static(node)
    pointer = allocate(t, node.spelling, element, Const(I64, extents.count), extents.shape)
    t.bind(node, ArrayBinding(pointer))
    if node.initializer is None or _makes_nothing(node.initializer):
        return
    start = _list_of(node.initializer)
    if start is None:
        raise _not_understood(node)
    items = initializer_items(start, node.type)
    if len(items) < extents.count:
        fill(t, pointer, Const(I64, extents.count), number(0, element))
    for position, item in items.items():
        with t.expression_region(item) as region:
            value = convert(value_of(t, item), element)
            zero = isinstance(value, Const) and repr(value.value) in ("0", "0.0")
            if not (zero and len(items) < extents.count):
                t.emit(Store(t.span, pointer.array, (Const(I64, position),), value))
            t.flush(region)


def _declare_array_of_any_size(t: Translation, node: Node) -> None:
    """C99's `T a[n]`."""
    element = scalar_type(pointee_of(node.type))
    sizes = [c for c in node.children if not c.kind.endswith("_REF")]
    if element is None or len(sizes) != 1 or outlives_call(node):
        raise unsupported(
            "unsupported-type",
            node.span,
            f"an array of type `{node.written_type}` isn't understood",
            "make it an array of numbers with one extent",
        )
    with t.expression_region(sizes[0]) as region:
        count = index(value_of(t, sizes[0]))
        t.bind(node, ArrayBinding(allocate(t, node.spelling, element, count)))
        t.flush(region)


def _makes_nothing(start: Node) -> bool:
    """Whether it is the constructor of a class that leaves all of its members without values."""
    return start.kind == "CALL_EXPR" and not start.children and start.type.is_pod()


def _list_of(start: Node | None) -> Node | None:
    """The list of values that an array begins with; temporaries of the values stand around it."""
    while start is not None and start.kind == "UNEXPOSED_EXPR" and len(start.children) == 1:
        start = start.children[0]
    return start if start is not None and start.kind == "INIT_LIST_EXPR" else None


def _declare_object(t: Translation, node: Node) -> None:
    """A local variable of class type."""
    type = node.type
    start = node.initializer
    if is_lambda(type):
        assert start is not None
        if any(True for _ in type.get_fields()):
            refuse_static(node)  # it keeps what it captured in the first call
        t.bind(node, lambda_of(t, start))
        return
    if outlives_call(node):
        _declare_constant_object(t, node)
        return
    if is_union(type):
        declare_union(t, node)
        return
    check_record(type, node)
    if _declare_owner(t, node):
        return
    refuse_destructor(type, node)
    hold(t, _make_object(t, node), node)


def _declare_owner(t: Translation, node: Node) -> bool:
    """A `std::unique_ptr` of new numbers, which are the function's own and end with it: whether it
    is that."""
    type, start = node.type, node.initializer
    if library_class(type) != "unique_ptr" or start is None or not _frees_alone(type):
        return False
    call = unwrapped(start)
    function = t.program.library_function(call.declaration) if call.kind == "CALL_EXPR" else None
    with t.expression_region(start) as region:
        if function is not None and function.meaning == "make_unique":
            memory = made_unique(t, call, node.spelling)
        else:
            arguments = [Node(c) for c in call.cursor.get_arguments()]
            if call.kind != "CALL_EXPR" or len(arguments) != 1:
                return False
            memory = allocation_of(t, arguments[0], node.spelling)
        if memory is None:
            return False
        made = new_object(t, node.key, node.spelling, type, node)
        t.bind(node, made)
        (owned,) = fields_of(type)
        (place,) = fields_of(owned.type)
        inner = t.environment[field_key(t, made, owned.key)]
        assert isinstance(inner, ObjectBinding)
        set_pointer(t, field_key(t, inner, place.key), node.spelling, memory)
        t.flush(region)
    return True


def _frees_alone(type: Any) -> bool:
    """Whether an owner does nothing at its end but to free what it owns."""
    deleter = type.get_canonical().get_template_argument_type(1)
    return library_class(deleter) == "default_delete"


def _declare_constant_object(t: Translation, node: Node) -> None:
    """A constant object that the first call makes: of constants alone it is the same as if each
    call made it."""
    type = node.type
    is_plain = not (is_union(type) or type.is_volatile_qualified())
    if not is_plain or not is_const(type) or node.cursor.storage_class.name != "STATIC":
        refuse_static(node)
    check_record(type, node)
    if _has_mutable(type):
        refuse_static(node)
    refuse_destructor(type, node)
    since = len(t.out)
    made = _make_object(t, node)
    places = scalars_of(t, made, node)
    values = {s.name: s.value for s in t.out[since:] if isinstance(s, Assign)}
    is_known = all(
        isinstance(s, Declare) or (isinstance(s, Assign) and isinstance(s.value, Const))
        for s in t.out[since:]
    )
    # What its constructor leaves out would be zero.
    if not is_known or not all(isinstance(p, ScalarPlace) and p.name in values for p in places):
        refuse_static(node)


def _has_mutable(type: Any) -> bool:
    """Whether a constant object of this class has members that may be changed."""
    return any(
        f.node.cursor.is_mutable_field() or (is_record(f.type) and _has_mutable(f.type))
        for f in fields_of(type)
    )


def _make_object(t: Translation, node: Node) -> ObjectBinding:
    """A variable of class type, made as it is declared."""
    type, start = node.type, node.initializer
    made = new_object(t, node.key, node.spelling, type, node)
    t.bind(node, made)
    if start is None:
        construct_by_default(t, made, type, node, zero=False)
        return made
    call = unwrapped(start)
    plain = call.kind == "CALL_EXPR" and not list(call.cursor.get_arguments())
    if plain and call.cursor.extent.start.offset == node.cursor.location.offset:
        construct_by(t, call, made, type, zero=False)
        return made
    with t.expression_region(start) as region:
        construct(t, made, type, start)
        t.flush(region)
    return made
