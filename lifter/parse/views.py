"""One memory seen at several widths: `uint32_t` pixels as bytes, rows of bytes as words.

An array has elements of one width, the narrowest at which the function uses it; a wider access is
made of its parts, the lowest first (x86-64 and AArch64 are little endian): four loads and shifts,
or four stores. Which width that is shows while the function is translated: `Narrower` starts the
translation again with narrower elements.

Bytes that are only seen as rows of wider elements, `(float *)(bytes + y * pitch)`, have these for
elements (`Rows`), under the precondition that the pitch is a whole number of them. Where something
else is done with those bytes they stay bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from compiler.ir import (
    EQ,
    I64,
    Add,
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
from compiler.ir import UInt as unsigned

from ..model.kernel import Assign, If, Stmt, Store
from .bindings import ChosenPlace, ConstantPlace, ElementPlace, Place, Pointer, ScalarPlace
from .failure import unsupported
from .folding import add, choose, convert, divide_exactly, fold, scale
from .program import Definition
from .state import Again, State
from .syntax import Node, strip
from .types import extents_of, is_pointer, pointee_of, same_bytes, scalar_type

_CASTS = frozenset({"CSTYLE_CAST_EXPR", "CXX_REINTERPRET_CAST_EXPR", "CXX_STATIC_CAST_EXPR"})


class Rows(Again):
    """The bytes of `array` are seen as rows of `element`s: translation starts again."""

    def __init__(self, array: str, element: Type) -> None:
        super().__init__(array)
        self.array = array
        self.element = element


class Narrower(Again):
    """An array must have elements of `bits` bits: translation starts again."""

    def __init__(self, array: str, bits: int) -> None:
        super().__init__(array)
        self.array = array
        self.bits = bits


@dataclass(frozen=True, slots=True)
class WidePlace(ElementPlace):
    """Several elements as one number: `type` is the number's, the indices are the lowest part's."""

    part: Type


class Views(State):
    """Elements of arrays at the width at which an expression sees them."""

    def parameter_element(self, node: Node, definition: Definition | None) -> Type | None:
        """The element type of a pointer parameter as memory: a `void *` that no cast gives a type
        leads to bytes; None for what isn't understood."""
        if node.spelling in self.rows:
            return self.rows[node.spelling]
        pointee = pointee_of(node.type)
        own = None if pointee.kind.name == "VOID" else extents_of(pointee).element
        bits = self.widths.get(node.spelling)
        if bits is None and definition is not None:
            bits = _cast_width(node, definition, own)
        if bits is None and pointee.kind.name == "VOID":
            bits = 8
        if bits is None or (own is not None and (own.bits == bits or not _splits(own))):
            return own
        return unsigned(bits)

    def retyped(self, name: str, own: Type | None) -> Type | None:
        """The element type of an array that the function may see at a narrower width."""
        if name in self.rows:
            return self.rows[name]
        bits = self.widths.get(name)
        return own if bits is None or own is None or own.bits == bits else unsigned(bits)

    def elements(self, pointee: Any, base: Pointer, node: Node) -> int:
        """How many elements of the array one step of a pointer to `pointee` is."""
        if base.level == 2:
            if not is_pointer(pointee):
                raise self._width(node, base, pointee)
            return 1
        if pointee.kind.name == "VOID":
            raise self._width(node, base, pointee)
        extents = extents_of(pointee)
        return extents.count * self._parts(base, extents.element, node, pointee)

    def distance(self, count: Expr, pointee: Any, base: Pointer, node: Node) -> Expr:
        """`count` steps of a pointer to `pointee`, in elements of the array."""
        element = None if pointee.kind.name == "VOID" else extents_of(pointee).element
        own = base.element
        if base.level == 1 and element is not None and own.bits > element.bits >= 8:
            ratio = own.bits // element.bits
            bytes = scale(count, extents_of(pointee).count)
            whole = divide_exactly(bytes, ratio, self._whole_elements)
            if whole is None or not _splits(element):
                self._parts(base, element, node, pointee)
            assert whole is not None
            return whole
        return scale(count, self.elements(pointee, base, node))

    def _whole_elements(self, pitch: Expr, size: int) -> Expr | None:
        """A number of bytes that parameters give, in elements of `size` bytes.

        That it is a whole number of them becomes a precondition: a row that begins elsewhere isn't
        aligned for its elements, which C++ leaves undefined.
        """
        if not isinstance(pitch, Variable) or not pitch.type.is_integer or pitch.type.is_bool:
            return None
        if pitch.name in self.fixed:
            given: Expr = pitch
        elif pitch.name in self.derived:
            given = _unwidened(self.derived[pitch.name])
            if not _never_wraps(given):
                return None
        else:
            return None
        multiple: Expr = EQ(TruncMod(given, Const(given.type, size)), Const(given.type, 0))
        shown = to_text(given)
        self.multiples[multiple] = (
            f"{shown if isinstance(given, Variable) else f'({shown})'} % {size} == 0"
        )
        quotient: Expr = TruncDiv(pitch, Const(pitch.type, size))
        return quotient

    def _parts(self, base: Pointer, seen: Type | None, node: Node, pointee: Any) -> int:
        """How many elements of the array a `seen` is made of."""
        own = base.element
        if seen is not None and seen.bits == own.bits and seen.is_float == own.is_float:
            return 1
        if seen is not None and self._may_be_rows(base) and seen.bits > 8:
            raise Rows(base.array, seen)
        if seen is None or not _splits(seen) or not _splits(own):
            raise self._width(node, base, pointee)
        if seen.bits < own.bits:
            # Narrower ones were asked for before, in vain: a vector keeps its elements.
            was_tried = self.widths.get(base.array, own.bits) <= seen.bits
            if self.arrays[base.array].origin != "param" or was_tried:
                raise self._width(node, base, pointee)
            raise Narrower(base.array, seen.bits)
        return seen.bits // own.bits

    def _may_be_rows(self, base: Pointer) -> bool:
        """Whether nothing yet says that a parameter's bytes must stay bytes."""
        is_bytes = base.element.bits == 8 and _splits(base.element) and base.level == 1
        is_free = base.array not in self.widths and base.array not in self.rows
        return is_bytes and is_free and self.arrays[base.array].origin == "param"

    def check_width(self, base: Pointer, seen: Type | None, node: Node, pointee: Any) -> None:
        """Raises `pointer-cast` unless elements are seen at the width that the array has."""
        if self._parts(base, seen, node, pointee) != 1:
            raise self._width(node, base, pointee)

    def _width(self, node: Node, base: Pointer, pointee: Any) -> Exception:
        return unsupported(
            "pointer-cast",
            node.span,
            f"`{base.array}` has elements of {base.element} and is seen here as "
            f"`{pointee.spelling}`",
            "access the array at its own element width",
        )

    def element(self, pointer: Pointer, node: Node) -> ElementPlace:
        """The element that a pointer leads to, seen with the type of `node`."""
        if pointer.level == 2:
            raise unsupported("pointer-cast", node.span, "a row pointer is read as a number")
        seen = scalar_type(node.type)
        parts = self._parts(pointer, seen, node, node.type)
        indices = (pointer.offset,) if pointer.row is None else (pointer.row, pointer.offset)
        if parts == 1:
            return ElementPlace(pointer.array, indices, pointer.element)
        assert seen is not None
        return WidePlace(pointer.array, indices, unsigned(seen.bits), pointer.element)

    def numbers(self, first: Pointer, type: Any, node: Node) -> list[Place]:
        """The numbers that an object of a uniform class `type`, or an array, is made of."""
        extents = extents_of(type)
        parts = self._parts(first, extents.element, node, type)
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

    def read(self, place: Place, seen: Type) -> Expr:
        """The value at `place`, as type `seen`."""
        if isinstance(place, ScalarPlace):
            return convert(Variable(place.name, place.type), seen)
        if isinstance(place, ConstantPlace):
            return convert(place.value, seen)
        if isinstance(place, ChosenPlace):
            one, other = self.read(place.a, seen), self.read(place.b, seen)
            return choose(place.condition, one, other)
        if isinstance(place, WidePlace):
            return convert(_assembled(place), seen)
        return convert(Load(place.array, place.indices, place.type), seen)

    def seen_as(self, place: Place, node: Node) -> Place:
        """A place that a cast to a reference, or to a pointer, shows with the type of `node`.

        Raises `pointer-cast` where the bytes would have to be taken for another kind of number.
        """
        seen = scalar_type(node.type)
        if isinstance(place, ElementPlace):
            element = self.arrays[place.array].type
            row = place.indices[0] if len(place.indices) == 2 else None
            return self.element(Pointer(place.array, element, place.indices[-1], 1, row), node)
        if isinstance(place, ChosenPlace):
            one, other = self.seen_as(place.a, node), self.seen_as(place.b, node)
            return ChosenPlace(place.condition, one, other)
        if seen is None or not same_bytes(seen, place.type):
            raise unsupported(
                "pointer-cast",
                node.span,
                f"a {place.type} variable is seen as `{node.written_type}`",
                "convert it by shifts and masks",
            )
        return place

    def write(self, place: Place, value: Expr) -> None:
        """Emits the store of `value`, converted to the place's own type."""
        if isinstance(place, ChosenPlace):
            self._write_chosen(place, value)
            return
        if isinstance(place, ConstantPlace):
            raise unsupported(
                "constant-write",
                self.span,
                "what is changed here is taken for constant",
                "give the variable a copy that is changed by its own name",
            )
        stored = convert(value, place.type)
        if isinstance(place, ScalarPlace):
            self.emit(Assign(self.span, place.name, stored))
            return
        if self.arrays[place.array].origin == "table":
            raise unsupported("constant-write", self.span, f"`{place.array}` is constant")
        if not isinstance(place, WidePlace):
            self.emit(Store(self.span, place.array, place.indices, stored))
            return
        if not isinstance(stored, Const):
            stored = self.captured(stored, "word")
        indices = tuple(i if is_steady(i) else self.captured(i) for i in place.indices)
        for i, at in enumerate(_part_indices(place, indices)):
            amount = Const(place.type, i * place.part.bits)
            part = stored if i == 0 else fold(Shr(stored, amount))
            self.emit(Store(self.span, place.array, at, convert(part, place.part)))

    def _write_chosen(self, place: ChosenPlace, value: Expr) -> None:
        bodies: list[tuple[Stmt, ...]] = []
        for one in (place.a, place.b):
            with self.block() as out:
                self.write(one, value)
            bodies.append(tuple(out))
        self.emit(If(self.span, place.condition, bodies[0], bodies[1]))


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


def _cast_width(node: Node, definition: Definition, own: Type | None) -> int | None:
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
    kinds = (*_CASTS, "UNEXPOSED_EXPR") if implicitly else tuple(_CASTS)
    return strip(inner.children[-1]) if inner.kind in kinds and inner.children else None
