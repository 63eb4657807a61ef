"""One memory seen at several widths: `uint32_t` pixels as bytes, rows of bytes as words.

An array has elements of one width, the narrowest at which the function uses it; a wider access is
made of its parts, the lowest first (x86-64 and AArch64 are little endian): four loads and shifts,
or four stores. Which width that is shows while the function is translated (`Known.widths`).

Bytes that are only seen as rows of wider elements, `(float *)(bytes + y * pitch)`, have these for
elements (`Known.rows`), under the precondition that the pitch is a whole number of them. Where
something else is done with those bytes they stay bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from compiler.ir import (
    EQ,
    I64,
    Add,
    BitAnd,
    BitOr,
    Cast,
    Const,
    Expr,
    Load,
    Mul,
    Shl,
    Shr,
    Sub,
    TruncDiv,
    TruncMod,
    Type,
    Variable,
    postorder,
    to_text,
)
from compiler.ir import Int as signed_integer
from compiler.ir import UInt as unsigned
from compiler.ir.formula import reinterpreted

from ..model.kernel import Assign, If, Stmt, Store
from .bindings import (
    BitsPlace,
    ChosenPlace,
    ConstantPlace,
    ElementPlace,
    Place,
    Pointer,
    RealPlace,
    ScalarPlace,
)
from .categories import CASTS
from .failure import unsupported
from .folding import add, choose, convert, divide_exactly, fold, scale
from .lanes import put_together_of
from .program import FunctionDefinition
from .syntax import Node, strip
from .translation import StartAgain, Translation
from .types import is_pointer, is_simd, memory_of, pointee_of, same_bytes, scalar_type

_REAL_BITS = (32, 64)
"""Of floats whose bits are those of integers."""


@dataclass(frozen=True, slots=True)
class WidePlace(ElementPlace):
    """Several elements as one number: `type` is the number's, the indices are the lowest part's."""

    part: Type


def memory_element(
    t: Translation, node: Node, definition: FunctionDefinition | None
) -> Type | None:
    """The element type of a pointer parameter as memory: a `void *` that no cast gives a type
    leads to bytes; None for what isn't understood."""
    if node.spelling in t.known.rows:
        return t.known.rows[node.spelling]
    pointee = pointee_of(node.type)
    own = None if pointee.kind.name == "VOID" else memory_of(pointee).element
    bits = t.known.widths.get(node.spelling)
    if bits is None and definition is not None:
        bits = _cast_width(node, definition, own)
    if bits is None and pointee.kind.name == "VOID":
        bits = 8
    if bits is None or (own is not None and (own.bits == bits or not _splits(own))):
        return own
    return unsigned(bits)


def retyped(t: Translation, name: str, own: Type | None) -> Type | None:
    """The element type of an array that the function may see at a narrower width."""
    if name in t.known.rows:
        return t.known.rows[name]
    bits = t.known.widths.get(name)
    return own if bits is None or own is None or own.bits == bits else unsigned(bits)


def count_elements(t: Translation, pointee: Any, base: Pointer, node: Node) -> int:
    """How many elements of the array one step of a pointer to `pointee` is."""
    if base.level == 2:
        if not is_pointer(pointee):
            raise _wrong_width(node, base, pointee)
        return 1
    if pointee.kind.name == "VOID":
        raise _wrong_width(node, base, pointee)
    if is_simd(pointee) and pointee.get_size() % base.element.bytes == 0:
        return int(pointee.get_size() // base.element.bytes)
    extents = memory_of(pointee)
    return extents.count * _count_parts(t, base, extents.element, node, pointee)


def in_elements(t: Translation, count: Expr, pointee: Any, base: Pointer, node: Node) -> Expr:
    """`count` steps of a pointer to `pointee`, in elements of the array."""
    element = None if pointee.kind.name == "VOID" else memory_of(pointee).element
    own = base.element
    if is_simd(pointee):
        return scale(count, count_elements(t, pointee, base, node))
    if base.level == 1 and element is not None and own.bits > element.bits >= 8:
        ratio = own.bits // element.bits
        bytes = scale(count, memory_of(pointee).count)
        whole = divide_exactly(bytes, ratio, partial(_whole_elements, t))
        if whole is None or not _splits(element):
            _count_parts(t, base, element, node, pointee)
        assert whole is not None
        return whole
    return scale(count, count_elements(t, pointee, base, node))


def _whole_elements(t: Translation, pitch: Expr, size: int) -> Expr | None:
    """A number of bytes that parameters give, in elements of `size` bytes.

    That it is a whole number of them becomes a precondition: a row that begins elsewhere isn't
    aligned for its elements, which C++ leaves undefined.
    """
    if not isinstance(pitch, Variable) or not pitch.type.is_integer or pitch.type.is_bool:
        return None
    if pitch.name in t.fixed:
        given: Expr = pitch
    elif pitch.name in t.derived:
        given = _unwidened(t.derived[pitch.name])
        if not _never_wraps(given):
            return None
    elif pitch.name in t.copied and pitch.name not in t.known.unsteady:
        given = t.copied[pitch.name]
        t.copies.add(pitch.name)
    else:
        return None
    multiple: Expr = EQ(TruncMod(given, Const(given.type, size)), Const(given.type, 0))
    shown = to_text(given)
    t.multiples[multiple] = (
        f"{shown if isinstance(given, Variable) else f'({shown})'} % {size} == 0"
    )
    quotient: Expr = TruncDiv(pitch, Const(pitch.type, size))
    return quotient


def _count_parts(t: Translation, base: Pointer, seen: Type | None, node: Node, pointee: Any) -> int:
    """How many elements of the array a `seen` is made of."""
    own = base.element
    if seen is not None and seen.bits == own.bits and seen.is_float == own.is_float:
        return 1
    if seen is not None and _may_be_rows(t, base) and seen.bits > 8:
        raise StartAgain(replace(t.known, rows={**t.known.rows, base.array: seen}))
    are_words = base.array in t.words and seen is not None and seen.bits in _REAL_BITS
    if base.array in t.words and base.array in t.known.rows and seen is not None:
        # What looked like rows of numbers of one width has others in it, too.
        raise StartAgain(t.known.narrower(base.array, min(seen.bits, own.bits)))
    if seen is None or not (_splits(seen) or are_words) or not _splits(own):
        raise _wrong_width(node, base, pointee)
    if seen.bits < own.bits:
        # Narrower ones were asked for before, in vain: a vector keeps its elements.
        was_tried = t.known.widths.get(base.array, own.bits) <= seen.bits
        if t.declared.arrays[base.array].origin != "param" or was_tried:
            raise _wrong_width(node, base, pointee)
        raise StartAgain(t.known.narrower(base.array, seen.bits))
    return seen.bits // own.bits


def _may_be_rows(t: Translation, base: Pointer) -> bool:
    """Whether nothing yet says that a parameter's bytes must stay bytes."""
    is_bytes = base.element.bits == 8 and _splits(base.element) and base.level == 1
    is_free = base.array not in t.known.widths and base.array not in t.known.rows
    return is_bytes and is_free and t.declared.arrays[base.array].origin == "param"


def check_width(t: Translation, base: Pointer, seen: Type | None, node: Node, pointee: Any) -> None:
    """Raises `pointer-cast` unless elements are seen at the width that the array has."""
    if _count_parts(t, base, seen, node, pointee) != 1:
        raise _wrong_width(node, base, pointee)


def _wrong_width(node: Node, base: Pointer, pointee: Any) -> Exception:
    return unsupported(
        "pointer-cast",
        node.span,
        f"`{base.array}` has elements of {base.element} and is seen here as `{pointee.spelling}`",
        "access the array at its own element width",
    )


def element_at(t: Translation, pointer: Pointer, node: Node) -> ElementPlace:
    """The element that a pointer leads to, seen with the type of `node`."""
    if pointer.level == 2:
        raise unsupported("pointer-cast", node.span, "a row pointer is read as a number")
    seen = scalar_type(node.type)
    parts = _count_parts(t, pointer, seen, node, node.type)
    if seen is not None and seen.is_float and not pointer.element.is_float:
        return real_at(t, pointer, seen)
    indices = (pointer.offset,) if pointer.row is None else (pointer.row, pointer.offset)
    if parts == 1:
        return ElementPlace(pointer.array, indices, pointer.element)
    assert seen is not None
    return WidePlace(pointer.array, indices, unsigned(seen.bits), pointer.element)


def number_at(t: Translation, pointer: Pointer, size: int, node: Node) -> ElementPlace:
    """The `size` bytes that a pointer leads to, copied as one number wherever they begin.

    Raises `pointer-cast` where they aren't the number that lies there.
    """
    own = pointer.element
    seen = own if own.bytes == size and not own.is_bool else unsigned(8 * size)
    if pointer.level == 2 or not (seen is own or _splits(own)):
        raise _bytes_differ(node, own, seen)
    indices = (pointer.offset,) if pointer.row is None else (pointer.row, pointer.offset)
    if seen is own:
        return ElementPlace(pointer.array, indices, own)
    if seen.bits < own.bits:
        if t.declared.arrays[pointer.array].origin != "param":
            raise _bytes_differ(node, own, seen)
        raise StartAgain(t.known.narrower(pointer.array, seen.bits))
    return WidePlace(pointer.array, indices, seen, own)


def copy_number(t: Translation, to: Place, source: Place, node: Node) -> None:
    """Emits that the bytes of one number become those of another."""
    if same_bytes(to.type, source.type):
        write(t, to, read(source, to.type))
    elif to.type.bits == source.type.bits in _REAL_BITS:
        write(t, to, reinterpreted(to.type, read(source, source.type)))
    else:
        raise _bytes_differ(node, source.type, to.type)


def _bytes_differ(node: Node, one: Type, other: Type) -> Exception:
    return unsupported(
        "pointer-cast",
        node.span,
        f"the bytes of {one} are taken for {other}",
        "convert it by shifts and masks",
    )


def numbers_of(t: Translation, first: Pointer, type: Any, node: Node) -> list[Place]:
    """The numbers that an object of a uniform class `type`, or an array, is made of."""
    extents = memory_of(type)
    parts = _count_parts(t, first, extents.element, node, type)
    row = () if first.row is None else (first.row,)
    found: list[Place] = []
    for number in range(extents.count):
        indices = (*row, add(first.offset, Const(I64, number * parts)))
        if parts == 1:
            found.append(ElementPlace(first.array, indices, first.element))
        else:
            assert extents.element is not None
            seen = unsigned(extents.element.bits)
            found.append(WidePlace(first.array, indices, seen, first.element))
    return found


def real_at(t: Translation, pointer: Pointer, type: Type) -> RealPlace:
    """A float of this type whose bits are those of the integers that a pointer leads to."""
    own, word = pointer.element, unsigned(type.bits)
    indices = (pointer.offset,) if pointer.row is None else (pointer.row, pointer.offset)
    place = ElementPlace(pointer.array, indices, own)
    if own.bits < type.bits:
        place = WidePlace(pointer.array, indices, word, own)
    return RealPlace(pointer.array, indices, type, place)


def read(place: Place, seen: Type) -> Expr:
    """The value at `place`, as type `seen`."""
    if isinstance(place, ScalarPlace):
        return convert(Variable(place.name, place.type), seen)
    if isinstance(place, ConstantPlace):
        return convert(place.value, seen)
    if isinstance(place, ChosenPlace):
        one, other = read(place.a, seen), read(place.b, seen)
        return choose(place.condition, one, other)
    if isinstance(place, WidePlace):
        return convert(_assembled(place), seen)
    if isinstance(place, RealPlace):
        bits = read(place.word, unsigned(place.type.bits))
        return convert(reinterpreted(place.type, bits), seen)
    if isinstance(place, BitsPlace):
        word = read(place.word, place.word.type)
        return convert(_bits(fold(Shr(word, Const(word.type, place.shift))), place), seen)
    return convert(Load(place.array, place.indices, place.type), seen)


def _bits(value: Expr, place: BitsPlace) -> Expr:
    """The lowest bits of a number as the number that a bit-field of them is."""
    word = place.word.type
    if not place.type.is_int:
        return convert(fold(BitAnd(value, Const(word, (1 << place.width) - 1))), place.type)
    high, signed = word.bits - place.width, signed_integer(word.bits)
    raised = convert(fold(Shl(value, Const(word, high))), signed)
    return convert(fold(Shr(raised, Const(signed, high))), place.type)


def held(place: Place, value: Expr) -> Expr:
    """What a place holds once `value`, of the place's type, is stored there."""
    if isinstance(place, ChosenPlace):
        if isinstance(place.a, BitsPlace) or isinstance(place.b, BitsPlace):
            return choose(place.condition, held(place.a, value), held(place.b, value))
        return value
    if not isinstance(place, BitsPlace):
        return value
    return convert(_bits(convert(convert(value, place.type), place.word.type), place), value.type)


def seen_as(t: Translation, place: Place, node: Node) -> Place:
    """A place that a cast to a reference, or to a pointer, shows with the type of `node`.

    Raises `pointer-cast` where the bytes would have to be taken for another kind of number.
    """
    seen = scalar_type(node.type)
    if isinstance(place, BitsPlace):
        raise unsupported("pointer-cast", node.span, "a bit-field is seen as another type")
    if isinstance(place, RealPlace):
        message = "a float in a union of integers is seen as another type"
        raise unsupported("pointer-cast", node.span, message)
    if isinstance(place, ElementPlace):
        element = t.declared.arrays[place.array].type
        row = place.indices[0] if len(place.indices) == 2 else None
        return element_at(t, Pointer(place.array, element, place.indices[-1], 1, row), node)
    if isinstance(place, ChosenPlace):
        one, other = seen_as(t, place.a, node), seen_as(t, place.b, node)
        return ChosenPlace(place.condition, one, other)
    if seen is None or not same_bytes(seen, place.type):
        raise unsupported(
            "pointer-cast",
            node.span,
            f"a {place.type} variable is seen as `{node.written_type}`",
            "convert it by shifts and masks",
        )
    return place


def write(t: Translation, place: Place, value: Expr) -> None:
    """Emits the store of `value`, converted to the place's own type."""
    if isinstance(place, ChosenPlace):
        _write_chosen(t, place, value)
        return
    if isinstance(place, ConstantPlace):
        raise unsupported(
            "constant-write",
            t.span,
            "what is changed here is taken for constant",
            "give the variable a copy that is changed by its own name",
        )
    stored = convert(value, place.type)
    if isinstance(place, RealPlace):
        write(t, place.word, reinterpreted(unsigned(place.type.bits), stored))
        return
    if isinstance(place, BitsPlace):
        own = place.word.type
        mask = ((1 << place.width) - 1) << place.shift
        kept = BitAnd(read(place.word, own), Const(own, own.wrap(~mask)))
        moved = Shl(convert(stored, own), Const(own, place.shift))
        write(t, place.word, fold(BitOr(kept, fold(BitAnd(fold(moved), Const(own, mask))))))
        return
    if isinstance(place, ScalarPlace):
        t.emit(Assign(t.span, place.name, stored))
        return
    if t.declared.arrays[place.array].origin == "table":
        raise unsupported("constant-write", t.span, f"`{place.array}` is constant")
    if not isinstance(place, WidePlace):
        t.emit(Store(t.span, place.array, place.indices, stored))
        return
    parts = put_together_of(stored, place.part)
    if parts is None and not isinstance(stored, Const):
        stored = t.capture(stored, "word")
    indices = tuple(i if is_steady(i) else t.capture(i) for i in place.indices)
    for i, at in enumerate(_part_indices(place, indices)):
        amount = Const(place.type, i * place.part.bits)
        part = stored if i == 0 else fold(Shr(stored, amount))
        part = part if parts is None else parts[i]
        t.emit(Store(t.span, place.array, at, convert(part, place.part)))


def _write_chosen(t: Translation, place: ChosenPlace, value: Expr) -> None:
    bodies: list[tuple[Stmt, ...]] = []
    for one in (place.a, place.b):
        with t.block() as out:
            write(t, one, value)
        bodies.append(tuple(out))
    t.emit(If(t.span, place.condition, bodies[0], bodies[1]))


def _splits(type: Type) -> bool:
    """Whether values of the type are their bytes, side by side."""
    return type.is_integer and not type.is_bool and type.bits >= 8


def _unwidened(value: Expr) -> Expr:
    """The value before conversions that keep it."""
    while isinstance(value, Cast) and value.value.type.is_integer and value.type.is_integer:
        of, to = value.value.type, value.type
        if of.is_bool or to.bits <= of.bits or (of.is_int and to.is_uint):
            break
        value = value.value
    return value


def _never_wraps(value: Expr) -> bool:
    """Whether a guard computes the same number: sums and products that C++ doesn't let wrap."""
    if isinstance(value, (Add, Sub, Mul)):
        return value.type.is_int and all(map(_never_wraps, map(_unwidened, value.children)))
    return isinstance(value, (Variable, Const))


def _part_indices(place: WidePlace, indices: tuple[Expr, ...]) -> list[tuple[Expr, ...]]:
    count = place.type.bits // place.part.bits
    return [(*indices[:-1], add(indices[-1], Const(I64, i))) for i in range(count)]


def _assembled(place: WidePlace) -> Expr:
    """The number that elements side by side are, the lowest part first."""
    result: Expr | None = None
    narrow = unsigned(place.part.bits)
    for i, at in enumerate(_part_indices(place, place.indices)):
        part = convert(convert(Load(place.array, at, place.part), narrow), place.type)
        if i:
            part = Shl(part, Const(place.type, i * place.part.bits))
        result = part if result is None else BitOr(result, part)
    assert result is not None
    return result


def is_steady(index: Expr) -> bool:
    """Whether a store doesn't change what the index is."""
    return not any(isinstance(n, Load) for n in postorder(index))


def _cast_width(node: Node, definition: FunctionDefinition, own: Type | None) -> int | None:
    """The least width at which a parameter is taken, where all its uses are conversions."""
    found: dict[int, int] = {}
    uses = {n.cursor.location.offset for n in definition.names.get(node.key, ())}
    for inner in definition.conversions_to_pointers if uses else ():
        source = _converted(inner, implicitly=own is None)
        if source is None or not _names(source, node):
            continue
        element = scalar_type(pointee_of(inner.type))
        if element is not None and _splits(element):
            found[source.cursor.location.offset] = element.bits
    if own is not None and uses != set(found):
        return None
    return min(found.values(), default=None)


def _names(inner: Node, parameter: Node) -> bool:
    is_name = inner.kind == "DECL_REF_EXPR" and inner.declaration is not None
    return is_name and inner.key == parameter.key


def _converted(inner: Node, implicitly: bool) -> Node | None:
    """What is converted to a pointer type here (C does so to `void *` without a cast)."""
    if inner.kind == "VAR_DECL" and implicitly:
        return strip(inner.initializer) if inner.initializer is not None else None
    cast = CASTS.get(inner.kind)
    converts = implicitly and inner.kind == "UNEXPOSED_EXPR" if cast is None else cast.retypes
    return strip(inner.children[-1]) if converts and inner.children else None
