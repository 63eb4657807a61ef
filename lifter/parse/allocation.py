"""`new`, `malloc` and `calloc`."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.ir import I64, Const, Expr, Mul, Type

from ..model.kernel import Store
from .bindings import Pointer, PointerValue
from .dispatch import POINTER, value_of
from .failure import unsupported
from .folding import convert, divide_exactly, fold, index, number
from .memory import allocate, count_of_bytes, fill
from .order import values_of
from .syntax import Node
from .translation import Translation
from .types import Extents, extents_of, is_array, is_pointer, is_record, pointee_of, scalar_type

ALLOCATORS = frozenset({"malloc", "calloc", "aligned_alloc", "realloc"})


@POINTER.of("CXX_NEW_EXPR")
def new_pointer(t: Translation, node: Node) -> PointerValue:
    """`new` that is no variable's first value."""
    return _new(t, node, "memory")


def allocation_of(t: Translation, node: Node, name: str) -> Pointer | None:
    """The new array that `new`, `malloc` or `calloc` makes; None for anything else."""
    pointee = pointee_of(node.type) if is_pointer(node.type) else None
    inner = node
    while inner.kind != "CALL_EXPR" and inner.kind != "CXX_NEW_EXPR" and inner.children:
        if not (
            (inner.kind in ("UNEXPOSED_EXPR", "PAREN_EXPR") and len(inner.children) == 1)
            or inner.kind.endswith("CAST_EXPR")
        ):
            return None
        inner = inner.children[-1]
    if inner.kind == "CXX_NEW_EXPR":
        return _new(t, inner, name)
    if inner.kind != "CALL_EXPR":
        return None
    function = t.program.library_function(inner.declaration)
    called = "" if function is None else function.meaning
    if called not in ALLOCATORS or t.program.definition(inner.declaration, called):
        return None
    element = scalar_type(pointee) if pointee is not None else None
    if element is None:
        raise unsupported(
            "unsupported-type", node.span, f"`{called}` of elements that aren't numbers"
        )
    if called == "realloc":
        raise unsupported("unsupported-expression", node.span, "`realloc` isn't understood")
    arguments = tuple(Node(c) for c in inner.cursor.get_arguments())
    if called == "calloc":
        a, b = values_of(t, arguments, inner)
        return _zeros(t, name, element, _product(a, b, element, inner))
    size = count_of_bytes(t, arguments[-1], element, inner)
    return allocate(t, name, element, size)


def made_unique(t: Translation, call: Node, name: str) -> Pointer | None:
    """The numbers that `std::make_unique<T[]>(count)` makes, all of them 0; None for a class, or
    for one object."""
    if not is_record(call.type):
        return None
    made = call.type.get_canonical().get_template_argument_type(0)
    element = scalar_type(pointee_of(made)) if is_array(made) else None
    if element is None:
        return None
    (count,) = (Node(c) for c in call.cursor.get_arguments())
    return _zeros(t, name, element, index(value_of(t, count)))


def _zeros(t: Translation, name: str, element: Type, count: Expr) -> Pointer:
    """A new array of so many numbers, all of them 0."""
    pointer = allocate(t, name, element, count)
    size = t.declared.arrays[pointer.array].size
    assert size is not None
    fill(t, pointer, size, number(0, element))
    return pointer


def _product(a: Expr, b: Expr, element: Type, node: Node) -> Expr:
    count = divide_exactly(Mul(a, b), element.bytes)
    if count is None:
        raise unsupported("byte-count", node.span, "this size isn't a number of elements")
    return index(count)


def _new(t: Translation, node: Node, name: str) -> Pointer:
    pointee = pointee_of(node.type)
    extents = extents_of(pointee)
    if extents.element is None:
        raise unsupported("unsupported-type", node.span, "`new` of a class isn't understood")
    parts = [c for c in node.children if c.kind not in ("TYPE_REF", "NAMESPACE_REF")]
    size = next((c for c in parts if _is_size(node, c)), None)
    starts = [c for c in parts if c is not size]
    # A place to make it in looks like a value, and a type in parentheses hides the bracket.
    if len(starts) > 1 or _words_behind_new(node)[0] in ("(", "decltype", "__typeof__"):
        raise unsupported(
            "unsupported-expression",
            node.span,
            "only `new T[count]` and `new T(value)` are understood",
        )
    if size is None:
        return _new_number(t, node, name, extents, starts)
    if any(s.children for s in starts):
        raise unsupported(
            "unsupported-expression", node.span, "`new` of a list of values isn't understood"
        )
    count = index(value_of(t, size))
    pointer = allocate(
        t,
        name,
        extents.element,
        fold(Mul(count, Const(I64, extents.count))) if extents.count != 1 else count,
    )
    allocated = t.declared.arrays[pointer.array].size
    if starts and allocated is not None:
        fill(t, pointer, allocated, number(0, extents.element))
    return pointer


def _new_number(
    t: Translation, node: Node, name: str, extents: Extents, starts: Sequence[Node]
) -> Pointer:
    """`new T`, `new T()`, `new T(value)` or `new T{value}`."""
    element = extents.element
    if element is None or extents.shape:
        raise unsupported(
            "unsupported-expression", node.span, "this size of `new` isn't understood"
        )
    value: Expr | None = None
    if starts and starts[0].kind == "UNEXPOSED_EXPR" and not starts[0].children:
        value = number(0, element)
    elif starts:
        value = t.capture(convert(value_of(t, starts[0]), element))
    pointer = allocate(t, name, element, Const(I64, 1))
    if value is not None:
        t.emit(Store(t.span, pointer.array, (pointer.offset,), value))
    return pointer


def _is_size(node: Node, part: Node) -> bool:
    """Whether a part of `new` is the number of elements, which is of type `size_t`.

    A value is of the type of what is made: where that is `size_t`, too, the text decides. The size
    in a type name (`typedef int Pair[2]; new Pair`) stands where the name stands.
    """
    if part.type.kind.name != "ULONG":
        return False
    if pointee_of(node.type).kind.name != "ULONG":
        return True
    if any(c.kind == "TYPE_REF" and c.span == part.span for c in node.children):
        return True
    opening = (word for word in _words_behind_new(node) if word in ("[", "(", "{", ";"))
    return next(opening, "") == "["


def _words_behind_new(node: Node) -> list[str]:
    """The text behind the word `new`, in a macro that of the macro; "(" where there is none."""
    words = [token.spelling for token in node.cursor.get_tokens()]
    behind = words[words.index("new") + 1 :] if "new" in words else []
    return behind or ["("]
