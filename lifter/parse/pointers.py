"""Pointer expressions: which array, how many elements in (docs/design.md, "Kernel IR")."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from compiler.ir import (
    COMPARISON_OF,
    I64,
    Const,
    Expr,
    Neg,
    TruncDiv,
    negation,
)

from .bindings import (
    Null,
    ObjectAddress,
    Pointer,
    PointerValue,
    describe,
)
from .dispatch import POINTER, pointer_of, value_of
from .failure import unsupported
from .folding import add, fold, index, subtract
from .null_tests import PARAMETER_OBJECTS, is_not_null
from .order import check_order
from .syntax import Node
from .translation import StartAgain, Translation
from .types import is_array, is_pointer, pointee_of, words_of
from .views import count_elements, in_elements


def known_pointer(t: Translation, node: Node) -> Pointer:
    """Like `pointer_of`, for an expression that must lead into an array."""
    found = pointer_of(t, node)
    check_is_one(t, found)
    return into_array(found, node)


def check_is_one(t: Translation, found: PointerValue) -> None:
    """Raises `StartAgain` where what leads into an array is a parameter that was taken for a
    pointer to one structure."""
    if isinstance(found, ObjectAddress) and found.target.key[0] == PARAMETER_OBJECTS:
        name = found.target.name
        if name not in t.known.words and words_of(found.target.type) is not None:
            raise StartAgain(replace(t.known, words=t.known.words | {name}))


def into_array(found: PointerValue, node: Node) -> Pointer:
    """A pointer that must lead into an array; `node` is what it was."""
    if isinstance(found, Pointer):
        return found
    if isinstance(found, ObjectAddress):
        raise unsupported(
            "unsupported-type",
            node.span,
            f"`{found.target.name}` is used as an array of structures whose members have "
            "several types",
            "use an array for each member, or structures of numbers of one type",
        )
    what = "a null pointer" if isinstance(found, Null) else "the address of a scalar"
    raise unsupported("pointer-base", node.span, f"{what} is used as an array")


@POINTER.of_operator("BINARY_OPERATOR", "+", "-")
def moved_pointer(t: Translation, node: Node) -> PointerValue:
    """`p + n`, `n + p` and `p - n`."""
    left, right = node.children
    operator = node.operator
    if operator == "+" and not (is_pointer(left.type) or is_array(left.type)):
        left, right = right, left
    base = known_pointer(t, left)
    since = len(t.out)
    distance = distance_of(t, right, pointee_of(left.type), base)
    check_order(t, (base.offset,), since, node)
    return base.at(move_offset(base.offset, distance, operator))


def move_offset(offset: Expr, distance: Expr, operator: str) -> Expr:
    if operator in ("-", "-="):
        return subtract(offset, distance)
    if isinstance(distance, Neg):
        return subtract(offset, distance.value)
    return add(offset, distance)


def distance_of(t: Translation, node: Node, pointee: Any, base: Pointer) -> Expr:
    """The integer `node` as a number of elements."""
    return in_elements(t, index(value_of(t, node)), pointee, base, node)


def dereferenced(pointer: Pointer, node: Node) -> Pointer:
    """The pointer that `*pointer` is: a row of a row table, or an inner array."""
    if is_array(node.type):
        return pointer
    if pointer.level != 2:
        raise unsupported("unsupported-type", node.span, "an array of pointers isn't understood")
    return Pointer(pointer.array, pointer.element, Const(I64, 0), 1, pointer.offset)


def compare_pointers(t: Translation, node: Node) -> Expr:
    """`p < q`, `p == nullptr` and so on."""
    left, right = node.children
    a, b = pointer_of(t, left), pointer_of(t, right)
    operator = node.operator
    if (isinstance(a, Null) or isinstance(b, Null)) and operator in ("==", "!="):
        found = is_not_null(t, b if isinstance(a, Null) else a, node)
        return found if operator == "!=" else negation(found)
    check_is_one(t, a)
    check_is_one(t, b)
    _find_base(t, a, b)
    if (
        isinstance(a, Pointer)
        and isinstance(b, Pointer)
        and (a.base, a.row, a.given) == (b.base, b.row, b.given)
    ):
        result: Expr = COMPARISON_OF[operator](a.offset, b.offset)
        return fold(result)
    raise unsupported(
        "pointer-base",
        node.span,
        f"pointers into {describe(a)} and {describe(b)} are compared",
        "compare pointers into the same array only",
    )


def _find_base(t: Translation, a: PointerValue, b: PointerValue) -> None:
    """Raises `StartAgain` where one of two pointers, each a parameter of a region, may be told by
    how far it stands from the other. (A region's arguments are computed where it stands; a
    function's are the caller's, who has no such number.)

    Images are compared, too, to see which comes first or whether they are one. Between these there
    may be no memory, so that one of the pointers must be nothing but a place to stop at, or the
    library's functions say that they want a range.
    """
    if not isinstance(a, Pointer) or not isinstance(b, Pointer) or a.array == b.array:
        return
    if a.level != 1 or b.level != 1 or a.row is not None or b.row is not None:
        return
    known, bases = (t.free_pointers.get(a.array), t.free_pointers.get(b.array)), t.known.bases
    if known[0] is None or known[1] is None or known[0].pointee != known[1].pointee:
        return
    # Of `p < end` the one that moves is the array that people see.
    for base, other in ((a, b), (b, a)) if isinstance(b.offset, Const) else ((b, a), (a, b)):
        is_end = t.library_call is not None or t.free_pointers[other.array].is_compared_only
        if is_end and other.array not in bases.values() and base.array not in bases:
            raise StartAgain(replace(t.known, bases={**bases, other.array: base.array}))


def pointer_difference(t: Translation, node: Node) -> Expr:
    """`p - q`, in elements of what they point to."""
    left, right = node.children
    a, b = known_pointer(t, left), known_pointer(t, right)
    apart = difference(t, a, b, node)
    count = count_elements(t, pointee_of(left.type), a, node)
    return apart if count == 1 else fold(TruncDiv(apart, Const(I64, count)))


def difference(t: Translation, a: Pointer, b: Pointer, node: Node) -> Expr:
    """How many elements of their array a pointer is behind another one."""
    _find_base(t, b, a)
    if (a.base, a.row, a.given) != (b.base, b.row, b.given):
        raise unsupported(
            "pointer-base",
            node.span,
            f"pointers into {describe(a)} and {describe(b)} are subtracted",
            "subtract pointers into the same array only",
        )
    return subtract(a.offset, b.offset)
