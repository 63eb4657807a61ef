"""clang's types as types of the expression language; the ABI is x86-64's (LP64, `char` signed)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from compiler.ir import BOOL, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Type
from compiler.ir import UInt as unsigned

from .failure import unsupported
from .syntax import Node, in_system_header, kind_of_type, scopes_of

_SCALARS: dict[str, Type] = {
    "BOOL": BOOL, "CHAR_S": I8, "SCHAR": I8, "CHAR_U": U8, "UCHAR": U8, "SHORT": I16,
    "USHORT": U16, "INT": I32, "UINT": U32, "LONG": I64, "ULONG": U64, "LONGLONG": I64,
    "ULONGLONG": U64, "FLOAT": F32, "DOUBLE": F64, "WCHAR": I32, "CHAR16": U16, "CHAR32": U32,
}  # fmt: skip


def scalar_type(type: Any) -> Type | None:
    """The IR type of a clang arithmetic or enumeration type; None for any other type.

    A volatile one has none: its value may change, or its change be seen, at any time.
    """
    try:
        return cast("Type | None", type.scalar)  # found before, and kept with the type
    except AttributeError:
        type.scalar = found = _scalar_type(type)
        return found


def _scalar_type(type: Any) -> Type | None:
    canonical = type.get_canonical()
    if canonical.is_volatile_qualified():
        return None
    found = _SCALARS.get(kind_of_type(canonical))
    if found is None and kind_of_type(canonical) == "ENUM":
        return scalar_type(canonical.get_declaration().enum_type.get_canonical())
    return found


def number_type(node: Node) -> Type:
    """The IR type of a scalar expression. Raises `unsupported-type` for any other."""
    found = scalar_type(node.type)
    if found is None:
        raise unsupported(
            "unsupported-type",
            node.span,
            f"values of type `{node.written_type}` aren't understood",
        )
    return found


def same_bytes(a: Type, b: Type) -> bool:
    """Whether the bytes of a number of one type, read as the other, are what C++ converts it to."""
    return a is b or (a.bits == b.bits > 1 and a.is_integer and b.is_integer)


def is_pointer(type: Any) -> bool:
    return kind_of_type(type) == "POINTER"


def is_array(type: Any) -> bool:
    return kind_of_type(type) in ("CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY")


def is_reference(type: Any) -> bool:
    return kind_of_type(type) in ("LVALUEREFERENCE", "RVALUEREFERENCE")


def pointee_of(type: Any) -> Any:
    """What a pointer, a reference or an array leads to, canonical."""
    if is_array(type):
        return type.element_type.get_canonical()
    return type.get_pointee().get_canonical()


@dataclass(frozen=True, slots=True)
class Extents:
    """A (possibly nested) array type: its scalar element and its extents, outermost first."""

    element: Type | None
    shape: tuple[int, ...]

    @property
    def count(self) -> int:
        product = 1
        for extent in self.shape:
            product *= extent
        return product


def is_simd(type: Any) -> bool:
    """Whether a canonical type is a vector of numbers in a register (`__m128i`)."""
    return kind_of_type(type) in ("VECTOR", "EXTVECTOR")


def lanes_of_type(type: Any) -> tuple[Type, int]:
    """The numbers that the source says a vector type is made of, and how many."""
    element = scalar_type(type.element_type)
    assert element is not None
    return element, int(type.element_count)


def is_record(type: Any) -> bool:
    """Whether a canonical type is a structure, a class or a union."""
    return kind_of_type(type) == "RECORD"


def extents_of(type: Any) -> Extents:
    """The element type and extents of `type`; a scalar has no extents.

    A structure of numbers of one type counts as an array of them: `struct { uint8_t b, g, r, a; }`
    has the extent 4. An array at the end of a structure that has no size has the extent 0.
    """
    shape, type = _shape_of(type)
    if is_record(type):
        inside = uniform_record(type)
        if inside is not None:
            return Extents(inside.element, (*shape, inside.count))
    return Extents(scalar_type(type), shape)


def _shape_of(type: Any) -> tuple[tuple[int, ...], Any]:
    """The extents of an array, outermost first, and the type of its elements."""
    shape: list[int] = []
    while type.kind.name in ("CONSTANTARRAY", "INCOMPLETEARRAY") or is_simd(type):
        shape.append(0 if type.kind.name == "INCOMPLETEARRAY" else type.element_count)
        type = type.element_type.get_canonical()
    return tuple(shape), type


_BYTE = U8
_FLAGS_AND_BYTES = {BOOL, _BYTE}


def uniform_record(type: Any) -> Extents | None:
    """The numbers that a structure is made of, where all have one type; None for any other. Flags
    (`bool`) beside bytes are bytes, too: 0 and 1."""
    type = type.get_canonical()
    if is_union(type):
        return _parts_of_union(type)
    declaration = type.get_declaration()
    if declaration.kind.name not in ("STRUCT_DECL", "CLASS_DECL"):
        return None
    if holds_bits(type):
        return Extents(unsigned(8 * type.get_size()), (1,))
    element: Type | None = None
    count = 0
    for cursor in type.get_fields():
        part = extents_of(cursor.type.get_canonical())
        if part.element is None or cursor.is_bitfield():
            return None
        if element not in (None, part.element):
            if {element, part.element} != _FLAGS_AND_BYTES:
                return None
            element = _BYTE
        element, count = element or part.element, count + part.count
    # A base, a virtual table or padding makes the object larger than its own fields.
    if element is None or type.get_size() != count * element.bytes:
        return None
    return Extents(element, (count,))


def words_of(type: Any) -> Extents | None:
    """The words that memory of a structure counts as whose members have several types: integers of
    the least width among its members, padding included. None for any other type, and where a
    member isn't a whole number of words from the beginning."""
    type = type.get_canonical()
    if not is_record(type) or is_union(type) or uniform_record(type) is not None:
        return None
    size = type.get_size()
    leaves = list(_leaves(type))
    if size <= 0 or not leaves or any(width is None for width in leaves):
        return None
    bits = min(8 * size, *(width for width in leaves if width is not None))
    if 8 * size % bits or not all(at % bits == 0 for at in _offsets(type)):
        return None
    return Extents(unsigned(bits), (8 * size // bits,))


def memory_of(type: Any) -> Extents:
    """`extents_of`, with the words of structures whose members have several types."""
    shape, inner = _shape_of(type)
    words = words_of(inner) if is_record(inner) else None
    if words is None:
        return extents_of(type)
    return Extents(words.element, (*shape, words.count))


def _leaves(type: Any) -> Iterator[int | None]:
    """The bits of each number and pointer in a structure; None for what can't be told apart."""
    while is_array(type):
        type = type.element_type.get_canonical()
    if is_pointer(type):
        yield 8 * type.get_size()
    elif not is_record(type):
        own = scalar_type(type)
        yield None if own is None else 8 * own.bytes
    elif is_union(type) or list(_bases(type)) or in_system_header(type.get_declaration()):
        # What a library's class is made of is its own affair, and isn't what our headers say.
        yield None
    else:
        for cursor in type.get_fields():
            if cursor.is_bitfield() or cursor.type.is_volatile_qualified():
                yield None
            yield from _leaves(cursor.type.get_canonical())


def _offsets(type: Any) -> Iterator[int]:
    """Where each member of a structure begins, those of members too, in bits from the beginning of
    what they are members of."""
    while is_array(type):
        type = type.element_type.get_canonical()
    if is_record(type):
        for cursor in type.get_fields():
            yield int(cursor.get_field_offsetof())
            yield from _offsets(cursor.type.get_canonical())


def is_flag_among_bytes(type: Any, record: Any) -> bool:
    """Whether the member of a structure is a `bool`, and not all of its members are."""
    own = scalar_type(type)
    inside = uniform_record(record)
    return own is not None and own.is_bool and inside is not None and inside.element == _BYTE


def holds_bits(type: Any) -> bool:
    """Whether a structure has nothing but bit-fields, and all of them in one integer."""
    fields = [] if is_union(type) else list(type.get_fields())
    return (
        bool(fields)
        and type.get_size() in (1, 2, 4, 8)
        and all(f.is_bitfield() and scalar_type(f.type.get_canonical()) for f in fields)
        and not list(_bases(type))
    )


def _bases(type: Any) -> Iterator[Any]:
    children = type.get_declaration().get_children()
    return (c for c in children if c.kind.name == "CXX_BASE_SPECIFIER")


def is_union(type: Any) -> bool:
    return is_record(type) and type.get_declaration().kind.name == "UNION_DECL"


def holds_union(type: Any) -> bool:
    """Whether a value of the type, or one inside of it, is a union."""
    while is_array(type):
        type = type.element_type.get_canonical()
    return is_union(type) or (
        is_record(type) and any(holds_union(f.type.get_canonical()) for f in type.get_fields())
    )


def _parts_of_union(type: Any) -> Extents | None:
    """The integers of the least width among the numbers that a union's members are made of; the
    floats, where all members are made of these."""
    elements: set[Type] = set()
    for cursor in type.get_fields():
        element = extents_of(cursor.type.get_canonical()).element
        if element is None or element.is_bool or cursor.is_bitfield():
            return None
        elements.add(element)
    if not elements or any(e.is_float and e.bits not in (32, 64) for e in elements):
        return None
    narrowest = min(e.bits for e in elements)
    are_floats = len(elements) == 1 and all(e.is_float for e in elements)
    count = type.get_size() * 8 // narrowest
    own = elements.pop() if are_floats else unsigned(narrowest)
    return Extents(own, (count,)) if count > 0 else None


def vector_element(type: Any) -> Type | None:
    """`T` of `std::vector<T>` (or a reference to one); None for any other type."""
    if is_reference(type):
        type = pointee_of(type)
    if type.kind.name != "RECORD" or not is_vector(type):
        return None
    return scalar_type(type.get_template_argument_type(0).get_canonical())


def vector_row(type: Any) -> Any | None:
    """What the pointers of a `std::vector<T *>` (or a reference to one) lead to: `T`; None for any
    other type."""
    if is_reference(type):
        type = pointee_of(type)
    if type.kind.name != "RECORD" or not is_vector(type):
        return None
    element = type.get_template_argument_type(0).get_canonical()
    return pointee_of(element) if is_pointer(element) else None


def vector_record(type: Any) -> Any | None:
    """`T` of `std::vector<T>` (or a reference to one) that is a structure of numbers of one type;
    None for any other type."""
    if is_reference(type):
        type = pointee_of(type)
    if type.kind.name != "RECORD" or not is_vector(type):
        return None
    record = type.get_template_argument_type(0).get_canonical()
    is_plain = is_record(record) and not is_union(record) and not holds_bits(record)
    return record if is_plain and uniform_record(record) is not None else None


def is_vector(type: Any) -> bool:
    """Whether a class is the library's `std::vector`."""
    return library_class(type) == "vector"


def library_class(type: Any) -> str:
    """What a class of the library's is called below `std`: "array"; "" for any other type."""
    declaration = type.get_canonical().get_declaration()
    scopes = scopes_of(declaration) if is_record(type) else []
    if scopes[:1] != ["std"] or not in_system_header(declaration):
        return ""
    return "::".join((*scopes[1:], str(declaration.spelling)))


def never_changes(type: Any) -> bool:
    """Whether a variable of a type, or an array's elements, are constant: no pointer's target."""
    element, constant = type, bool(type.is_const_qualified())
    while is_array(element):
        element = element.element_type.get_canonical()
        constant = constant or bool(element.is_const_qualified())
    return constant if is_pointer(element) else is_const(type)


def is_const(type: Any) -> bool:
    """Whether a type, or the elements of an array type, are constant, or what they point to.

    libclang reports `const` on the array, not on its element type, or the other way round.
    """
    while True:
        if type.is_const_qualified() or type.spelling.startswith("const "):
            return True
        if not is_array(type):
            return False
        type = type.element_type.get_canonical()
