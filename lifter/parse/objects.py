"""Objects of structures and classes, taken apart: each field is a variable of its own.

A local object, or one that a parameter leads to, has a binding for each field (`ObjectBinding`);
the field `width` of `img` is the scalar `img.width`, its field `data` the array `img.data`. An
object inside of an array of structures (`Pixel *p`) is a place in an array of numbers
(`ElementObject`).
References and pointers to an object lead to the same bindings, so aliases are exact.
"""

from __future__ import annotations

from math import prod
from typing import Any

from compiler.ir import I64, Const, Expr

from ..model.diagnostic import LiftError
from ..model.kernel import Declare
from .bindings import (
    ArrayBinding,
    Binding,
    ConstantBinding,
    ElementObject,
    Key,
    LanesArrayBinding,
    LanesBinding,
    Object,
    ObjectBinding,
    ObjectVectorBinding,
    Place,
    Pointer,
    PointerBinding,
    RowVectorBinding,
    ScalarBinding,
    ScalarPlace,
    UnknownBinding,
    VectorBinding,
)
from .bound import field_key, member_among_words
from .categories import NAMES, designated
from .dispatch import object_of
from .effects import reads
from .failure import unsupported
from .memory import allocate, copy, refuse_foreign
from .null_tests import PARAMETER_OBJECTS
from .order import check_order
from .pointer_variables import set_pointer
from .records import (
    Field,
    check_record,
    declaration_of,
    fields_of,
    freed_members,
    own_fields,
    refuse_destructor,
)
from .steady import steady_object
from .syntax import Node
from .translation import Translation
from .types import (
    extents_of,
    is_array,
    is_pointer,
    is_record,
    is_reference,
    is_simd,
    scalar_type,
    vector_element,
    words_of,
)
from .vector_arrays import is_array_of_lanes, new_array_of_lanes
from .vector_values import begin_lanes, lanes_behind, set_lanes, undefined
from .views import element_at, is_steady, numbers_of, read, write

_UNCOPIED = (UnknownBinding, VectorBinding, RowVectorBinding, ObjectVectorBinding)
"""What isn't copied with the object that it is a field of."""


def new_object(t: Translation, key: Key, name: str, type: Any, node: Node) -> ObjectBinding:
    """A local object whose fields have no values yet."""
    check_record(type, node)
    made = ObjectBinding(key, name, type)
    for field in fields_of(type):
        own = field_key(t, made, field.key)
        t.environment[own] = _new_field(t, field, own, f"{name}.{field.name}", node)
    return made


def new_copy(t: Translation, key: Key, name: str, type: Any, node: Node) -> ObjectBinding:
    """A local object, or one that an expression makes, which ends where nobody writes it: no more
    happens there than that memory is freed, which is the function's own."""
    refuse_destructor(type, node)
    made = new_object(t, key, name, type, node)
    hold(t, made, node)
    return made


def hold(t: Translation, made: ObjectBinding, node: Node) -> None:
    """That an object was made which frees memory at its end: it must be the function's own."""
    _hold(t, made, freed_members(made.type), node)


def _hold(t: Translation, made: ObjectBinding, freed: frozenset[Key], node: Node) -> None:
    for field in fields_of(made.type):
        key = field_key(t, made, field.key)
        bound = t.environment[key]
        if isinstance(bound, ObjectBinding):
            _hold(t, bound, freed, node)
        elif field.key in freed:
            t.freed[key] = node
            if isinstance(bound, PointerBinding) and (bound.value or bound.conflict):
                refuse_foreign(t, bound.value, node, f"the end of `{made.name}`")


def _new_field(t: Translation, field: Field, key: Key, name: str, node: Node) -> Binding:
    type = field.type
    if field.node.cursor.is_bitfield() or type.is_volatile_qualified():
        what = "a bit-field" if field.node.cursor.is_bitfield() else "volatile"
        return _unknown(node, f"the member `{field.name}` is {what}, which isn't understood")
    scalar = scalar_type(type)
    if scalar is not None:
        fresh = t.fresh(name)
        t.made.add(fresh)
        t.emit(Declare(t.span, fresh, scalar))
        return ScalarBinding(ScalarPlace(fresh, scalar))
    if is_pointer(type):
        return PointerBinding(name, None)
    if is_simd(type):
        begin_lanes(t, key, name, undefined(type))
        return t.environment[key]
    if is_array_of_lanes(type):
        return new_array_of_lanes(t, key, name, type, node)
    extents = extents_of(type)
    if is_array(type) and extents.element is not None:
        size = Const(I64, extents.count)
        return ArrayBinding(allocate(t, name, extents.element, size, extents.shape))
    if is_record(type) and vector_element(type) is None:
        try:
            return new_object(t, key, name, type, node)
        except LiftError as error:
            return UnknownBinding(error.diagnostic)
    return _unknown(
        node, f"the member `{field.name}` of type `{field.node.written_type}` has no value here"
    )


def copy_object(t: Translation, to: Object, source: Object, node: Node) -> None:
    """Gives every field of `to` what `source` has in it."""
    if to == source:
        return
    if isinstance(to, ObjectBinding) and isinstance(source, ObjectBinding):
        _copy_fields(t, to, source, node)
        return
    # All fields are read, and found, before any is written: the two may be one array's, and a
    # field may tell where the other object is.
    if isinstance(to, ElementObject) and not all(map(is_steady, _indices_of(to.pointer))):
        to = steady_object(t, to, "to")
    one_by_one = isinstance(to, ObjectBinding) or isinstance(source, ObjectBinding)
    places = scalars_of(t, to, node, one_by_one)
    values = [read(place, place.type) for place in scalars_of(t, source, node, one_by_one)]
    if isinstance(source, ElementObject) and len(values) > 1:
        used = reads(*values)
        if isinstance(to, ElementObject) or any(
            isinstance(p, ScalarPlace) and p.name in used for p in places
        ):
            values = [t.capture(v) for v in values]
    for place, value in zip(places, values, strict=True):
        write(t, place, value)


def scalars_of(t: Translation, whole: Object, node: Node, one_by_one: bool = True) -> list[Place]:
    """The numbers that an object is made of, in order. Of one in memory whose members have several
    types these are its words, unless the numbers are asked for `one_by_one`."""
    if isinstance(whole, ElementObject):
        if one_by_one and words_of(whole.type) is not None:
            return _numbers_among_words(t, whole, node)
        return numbers_of(t, whole.pointer, whole.type, node)
    places: list[Place] = []
    for field in fields_of(whole.type):
        binding = t.environment[field_key(t, whole, field.key)]
        if isinstance(binding, ScalarBinding):
            places.append(binding.place)
        elif isinstance(binding, ArrayBinding):
            places += numbers_of(t, binding.pointer, field.type, node)
        elif isinstance(binding, (ObjectBinding, ElementObject)):
            places += scalars_of(t, binding, node)
        else:
            raise unsupported("unsupported-type", node.span, "this object can't be copied")
    return places


def _numbers_among_words(t: Translation, whole: ElementObject, node: Node) -> list[Place]:
    places: list[Place] = []
    for field in own_fields(whole.type):
        found = member_among_words(t, whole, field, node)
        if isinstance(found, ScalarBinding):
            places.append(found.place)
        elif is_record(field.type):
            places += scalars_of(t, ElementObject(found, field.type), node)
        elif is_array(field.type):
            raise unsupported("unsupported-type", node.span, "this object can't be copied")
        else:
            places.append(element_at(t, found, field.node))
    return places


def _copy_fields(t: Translation, to: ObjectBinding, source: ObjectBinding, node: Node) -> None:
    # One of the two may be a base of the other: then that part is copied.
    fields = min(fields_of(source.type), fields_of(to.type), key=len)
    for field in fields:
        theirs = t.environment.get(field_key(t, source, field.key))
        key = field_key(t, to, field.key)
        mine = t.environment.get(key)
        if mine is None or theirs is None:
            raise unsupported("unsupported-type", node.span, "objects of two classes")
        if isinstance(
            theirs, (UnknownBinding, VectorBinding, RowVectorBinding, ObjectVectorBinding)
        ):
            if to.key[0] == PARAMETER_OBJECTS:
                what = f"`{to.name}.{field.name}` is written, which the caller would see"
                raise unsupported("unsupported-type", node.span, what)
            why = f"the member `{field.name}` was copied, which isn't understood"
            t.environment[key] = _unknown(node, why)
        elif is_reference(field.type) and isinstance(theirs, ScalarBinding):
            t.environment[key] = theirs
        elif isinstance(theirs, PointerBinding):
            assert isinstance(mine, PointerBinding)
            if theirs.conflict and key in t.freed:
                refuse_foreign(t, None, t.freed[key], f"the end of `{to.name}`")
            if theirs.value is None:
                t.environment[key] = PointerBinding(mine.name, None, theirs.conflict)
            else:
                set_pointer(t, key, mine.name, theirs.value)
        elif isinstance(mine, ScalarBinding) and isinstance(
            theirs, (ScalarBinding, ConstantBinding)
        ):
            value = (
                theirs.value
                if isinstance(theirs, ConstantBinding)
                else read(theirs.place, theirs.place.type)
            )
            write(t, mine.place, value)
        elif isinstance(mine, LanesBinding) and isinstance(theirs, LanesBinding):
            set_lanes(t, key, lanes_behind(t, field_key(t, source, field.key)))
        elif isinstance(mine, LanesArrayBinding) and isinstance(theirs, LanesArrayBinding):
            for i in range(prod(mine.shape)):
                set_lanes(t, mine.element(i), lanes_behind(t, theirs.element(i)))
        elif isinstance(mine, ArrayBinding) and isinstance(theirs, ArrayBinding):
            count = Const(I64, extents_of(field.type).count)
            copy(t, mine.pointer, theirs.pointer, count)
        elif isinstance(mine, (ObjectBinding, ElementObject)) and isinstance(
            theirs, (ObjectBinding, ElementObject)
        ):
            copy_object(t, mine, theirs, node)
        else:
            raise unsupported(
                "unsupported-type", node.span, f"the member `{field.name}` can't be copied"
            )


def assigned_object(t: Translation, left: Node, right: Node) -> Object:
    """`left = right`, field by field; gives `left`.

    Raises `unsequenced` where compilers differ in what is read first.
    """
    if _changed_in(left) & {n.key for n in right.walk() if n.kind in NAMES}:
        raise unsupported(
            "unsequenced",
            left.span,
            "what stands left of this `=` changes what stands right of it: C++ reads the "
            "right side first, and g++ doesn't where the class is plain",
            "write the two as statements of their own",
        )
    value = object_of(t, right, lasting=False)
    since = len(t.out)
    to = object_of(t, left)
    if isinstance(value, ElementObject):
        check_order(t, _indices_of(value.pointer), since, left)
    copy_object(t, to, value, left)
    return to


def copy_of(t: Translation, source: Object, node: Node, type: Any) -> Object:
    key = (-2 - len(t.inlined), node.cursor.hash)
    made = new_copy(t, key, str(declaration_of(type).spelling).lower(), type, node)
    copy_object(t, made, source, node)
    return made


def _changed_in(node: Node) -> set[tuple[int, int]]:
    """The variables and members that an expression assigns or steps."""
    changed = (
        inner.children[0]
        for inner in node.walk()
        if inner.kind == "COMPOUND_ASSIGNMENT_OPERATOR"
        or (inner.kind == "BINARY_OPERATOR" and inner.operator == "=")
        or (inner.kind == "UNARY_OPERATOR" and inner.is_step)
    )
    return {name.key for place in changed for name in designated(place)}


def _indices_of(pointer: Pointer) -> tuple[Expr, ...]:
    return (pointer.offset,) if pointer.row is None else (pointer.row, pointer.offset)


def _unknown(node: Node, message: str) -> UnknownBinding:
    return UnknownBinding(unsupported("unsupported-type", node.span, message).diagnostic)
