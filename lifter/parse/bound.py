"""What names and members are bound to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from compiler.ir import BOOL, I64, Const
from compiler.ir import UInt as unsigned

from ..model.diagnostic import LiftError
from .bindings import (
    Binding,
    BitsPlace,
    ConstantBinding,
    ElementObject,
    ElementPlace,
    Key,
    Object,
    ObjectAddress,
    ObjectBinding,
    ObjectVectorBinding,
    Pointer,
    PointerBinding,
    PointersBinding,
    PointerValue,
    ReferredPointer,
    RowVectorBinding,
    ScalarBinding,
    UnknownBinding,
    VectorBinding,
)
from .categories import NAMES
from .dispatch import object_of, pointer_of
from .failure import finding, unsupported
from .folding import add
from .records import Field, own_fields
from .syntax import Node, strip
from .translation import StartAgain, Translation
from .types import (
    holds_bits,
    is_flag_among_bytes,
    is_pointer,
    is_record,
    is_union,
    memory_of,
    scalar_type,
    words_of,
)
from .views import check_width, count_elements, numbers_of, real_at

_ELEMENT = -9
"""Stands for the file of a field's key, in that of an element."""
_STATIC = frozenset({"VAR_DECL", "ENUM_CONSTANT_DECL"})


def field_key(t: Translation, target: ObjectBinding, field: Key) -> Key:
    """What the field of an object is bound by."""
    pair = (target.key, field)
    if pair not in t.field_keys:
        t.field_keys[pair] = (-1, -1000 - len(t.field_keys))
    return t.field_keys[pair]


def element_name(array: str, index: str) -> str:
    """What an element of a member array is called that is a parameter of its own."""
    return f"{array}.{index}"


def parts_of(t: Translation, keys: frozenset[Key]) -> frozenset[Key]:
    """The variables with these keys, and the fields of those that are objects."""
    found = set(keys)
    for (owner, _), key in t.field_keys.items():  # an object is known before its fields
        if owner in found:
            found.add(key)
    return frozenset(found)


def pointer_key(t: Translation, pointers: PointersBinding, position: int) -> Key:
    """What an element of a local array of pointers is bound by."""
    pair = (pointers.key, (_ELEMENT, position))
    if pair not in t.field_keys:
        t.field_keys[pair] = (-1, -1000 - len(t.field_keys))
    return t.field_keys[pair]


def pointers_of(t: Translation, node: Node) -> PointersBinding | None:
    """The local array of pointers of which an expression, `p[1]`, is an element."""
    if node.kind != "ARRAY_SUBSCRIPT_EXPR":
        return None
    array = strip(node.children[0])
    if array.kind != "DECL_REF_EXPR" or array.declaration is None:
        return None
    found = t.environment.get(array.key)
    return found if isinstance(found, PointersBinding) else None


def pointer_element(t: Translation, node: Node) -> Key | None:
    """The key of an element of a local array of pointers; None for anything else.

    Raises `LiftError` where which element it is isn't a constant.
    """
    pointers = pointers_of(t, node)
    if pointers is None:
        return None
    position = _position(t, node.children[1])
    if not isinstance(position, int) or not 0 <= position < pointers.count:
        text = f"which of the pointers in `{pointers.name}` this is, isn't known"
        raise unsupported("pointer-base", node.span, text, "name it by a constant")
    return pointer_key(t, pointers, position)


def _position(t: Translation, node: Node) -> int | float | None:
    """The value of a position that constants make, and counters of loops that are run iteration by
    iteration; None for any other."""
    found = node.evaluate()
    if found is not None:
        return found
    inner = strip(node)
    if inner.kind == "DECL_REF_EXPR" and inner.declaration is not None:
        bound = t.environment.get(inner.key)
        if isinstance(bound, ConstantBinding) and isinstance(bound.value, Const):
            return bound.value.value
        return None
    if inner.kind != "BINARY_OPERATOR" or inner.operator not in _POSITIONS:
        return None
    a, b = (_position(t, child) for child in inner.children)
    if not isinstance(a, int) or not isinstance(b, int):
        return None
    if inner.operator in "%&" and (a < 0 or b <= 0):
        return None
    return _POSITIONS[inner.operator](a, b)


_POSITIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "%": lambda a, b: a % b, "&": lambda a, b: a & b,
}  # fmt: skip


def binding_key(t: Translation, node: Node) -> Key:
    element = pointer_element(t, node)
    if element is not None:
        return element
    if node.kind == "MEMBER_REF_EXPR" and not is_static(node):
        base = base_object(t, node)
        if isinstance(base, ObjectBinding):
            return field_key(t, base, node.key)
    bound = t.environment.get(node.key)
    return bound.key if isinstance(bound, ReferredPointer) else node.key


def named_key(t: Translation, name: Node) -> Key:
    """The key of the variable that a name stands for: of a reference to a pointer, the pointer's;
    of a member, the member's own. Nothing is emitted."""
    return binding_key(t, name) if name.kind == "DECL_REF_EXPR" else name.key


def base_object(t: Translation, node: Node, lasting: bool = True) -> Object:
    """The object whose member is named: `a` of `a.b`, `*p` of `p->b`, `*this` of `b`."""
    bases = [c for c in node.children if not c.kind.endswith("_REF")]
    if not bases:
        return this_object(t, node)
    base = bases[-1]
    if not is_pointer(base.type):
        return object_of(t, base, lasting)
    return pointee_object(t, pointer_of(t, base), base)


def this_object(t: Translation, node: Node) -> Object:
    found = t.receivers[-1] if t.receivers else None
    if found is None:
        raise unsupported("unsupported-type", node.span, "`this` isn't known here")
    return found


def pointee_object(t: Translation, value: PointerValue, node: Node) -> Object:
    """The object that a pointer leads to."""
    if isinstance(value, ObjectAddress):
        return value.target
    pointee = node.type.get_pointee().get_canonical()
    if isinstance(value, Pointer) and value.level == 1 and is_record(pointee):
        check_width(t, value, memory_of(pointee).element, node, pointee)
        return ElementObject(value, pointee)
    raise unsupported("pointer-base", node.span, "no object is known that this points to")


def member_of(t: Translation, node: Node, lasting: bool = True) -> Binding | Pointer:
    """What a member is bound to; for a member of an array's element, its address.

    Without `lasting` it is only read at once, so that it may be a copy's.
    """
    base = base_object(t, node, lasting)
    if isinstance(base, ObjectBinding):
        found = t.environment.get(field_key(t, base, node.key))
        if found is None:
            raise unsupported(
                "unsupported-type", node.span, f"the member `{node.spelling}` isn't understood"
            )
        if isinstance(found, UnknownBinding):
            raise LiftError(found.why)
        return found
    offset = 0
    own = base.pointer.element
    if is_union(base.type):
        _note_union(t, base.type, node)
        member = scalar_type(node.type)
        if member is not None and member.is_float and not own.is_float:
            return ScalarBinding(real_at(t, base.pointer, member))
        return base.pointer
    if holds_bits(base.type):
        _note_union(t, base.type, node, "bit-fields")
        return ScalarBinding(_bit_field(t, base, node))
    if words_of(base.type) is not None:
        for field in own_fields(base.type):
            if field.key == node.key:
                return member_among_words(t, base, field, node)
        raise unsupported(
            "unsupported-type", node.span, f"the member `{node.spelling}` isn't understood"
        )
    for field in own_fields(base.type):
        at = base.pointer.at(add(base.pointer.offset, Const(I64, offset)))
        is_flag = is_flag_among_bytes(field.type, base.type)
        if field.key == node.key:
            return ScalarBinding(flag_at(_element(at))) if is_flag and own.bits == 8 else at
        offset += 1 if is_flag and own.bits == 8 else count_elements(t, field.type, at, node)
    raise unsupported(
        "unsupported-type", node.span, f"the member `{node.spelling}` isn't understood"
    )


def member_among_words(
    t: Translation, base: ElementObject, field: Field, node: Node
) -> ScalarBinding | Pointer:
    """Where a member of a structure lies in memory that counts as words."""
    own = base.pointer.element
    t.words.add(base.pointer.array)
    offset = int(field.node.cursor.get_field_offsetof())
    if offset % own.bits:
        # So far all that was used were numbers of one width, which this one stands across.
        words = words_of(base.type)
        assert words is not None and words.element is not None
        raise StartAgain(t.known.narrower(base.pointer.array, words.element.bits))
    at = base.pointer.at(add(base.pointer.offset, Const(I64, offset // own.bits)))
    member = scalar_type(field.type)
    if member is None or not member.is_bool:
        return at
    if own.bits != 8:
        raise unsupported("unsupported-type", node.span, f"`{field.name}` isn't understood")
    return ScalarBinding(flag_at(_element(at)))


def _element(at: Pointer) -> ElementPlace:
    indices = (at.offset,) if at.row is None else (at.row, at.offset)
    return ElementPlace(at.array, indices, at.element)


def flag_at(byte: ElementPlace) -> BitsPlace:
    """A `bool` that lies among bytes: the byte, of which what is stored is 0 or 1."""
    return BitsPlace(byte.array, byte.indices, BOOL, byte, 0, byte.type.bits)


def _bit_field(t: Translation, base: ElementObject, node: Node) -> BitsPlace:
    (word,) = numbers_of(t, base.pointer, base.type, node)
    field = next((f for f in own_fields(base.type) if f.key == node.key), None)
    own = None if field is None else scalar_type(field.type)
    if field is None or own is None or not isinstance(word, ElementPlace):
        raise unsupported(
            "unsupported-type", node.span, f"the member `{node.spelling}` isn't understood"
        )
    cursor = field.node.cursor
    shift, width = int(cursor.get_field_offsetof()), int(cursor.get_bitfield_width())
    word = replace(word, type=unsigned(word.type.bits))
    return BitsPlace(word.array, word.indices, own, word, shift, width)


def _note_union(t: Translation, type: Any, node: Node, what: str = "members") -> None:
    """Says once for each union what is taken for granted of it."""
    name = type.spelling.removeprefix("const ")
    text = f"the {what} of `{name}` share their bytes, the lowest first: little endian"
    if all(w.message != text for w in t.declared.warnings):
        t.declared.warnings.append(finding("assumed", "note", node.span, text))


def vector_binding(t: Translation, node: Node) -> VectorBinding | None:
    """The vector that an expression names, if it names one."""
    target = strip(node)
    if target.kind not in NAMES:
        return None
    binding = t.environment.get(binding_key(t, target))
    return binding if isinstance(binding, VectorBinding) else None


def row_vector(t: Translation, node: Node) -> RowVectorBinding | None:
    """The vector of pointers to rows that an expression names, if it names one."""
    target = strip(node)
    if target.kind not in NAMES:
        return None
    binding = t.environment.get(binding_key(t, target))
    return binding if isinstance(binding, RowVectorBinding) else None


def object_vector(t: Translation, node: Node) -> ObjectVectorBinding | None:
    """The vector of structures that an expression names, if it names one."""
    target = strip(node)
    if target.kind not in NAMES:
        return None
    binding = t.environment.get(binding_key(t, target))
    return binding if isinstance(binding, ObjectVectorBinding) else None


def pointer_binding(t: Translation, node: Node) -> PointerBinding | None:
    found = t.environment.get(binding_key(t, node))
    if isinstance(found, UnknownBinding):
        raise LiftError(found.why)
    return found if isinstance(found, PointerBinding) else None


def bound_pointer(binding: PointerBinding, node: Node) -> PointerValue:
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


def is_static(node: Node) -> bool:
    declared = node.declaration
    return declared is not None and declared.kind.name in _STATIC
