"""Local arrays, and the loops that fill and copy them."""

from __future__ import annotations

from collections.abc import Callable

from compiler.ir import I64, LE, LT, U8, Add, Const, Expr, Load, Type, Variable

from ..model.kernel import Allocate, Array, Assign, If, Store, WhileLoop
from .bindings import ZERO, Null, Pointer, PointerValue
from .dispatch import value_of
from .failure import unsupported
from .folding import add, convert, divide_exactly, fold, index, number
from .steady import is_fixed
from .syntax import Node
from .translation import Translation


def allocate(
    t: Translation, name: str, element: Type, size: Expr, shape: tuple[int, ...] = ()
) -> Pointer:
    """A new local array of `size` (int64) elements; gives its first element."""
    array = t.fresh_array(name)
    if not isinstance(size, Const) and not is_fixed(t, size):
        size = t.assign(t.fresh(f"{array}.size"), size)
    t.declare_array(Array(array, element, 1, "local", size, None, shape or (), t.span))
    t.emit(Allocate(t.span, array))
    return Pointer(array, element)


def emit_counted(
    t: Translation,
    count: Expr,
    body: Callable[[Expr], None],
    name: str = "i",
    downward: bool = False,
) -> None:
    """Emits a loop of `count` (int64) iterations; `body` gets the counter."""
    counter = t.fresh(name)
    variable = Variable(counter, I64)
    one = Const(I64, 1)
    if not downward:
        t.assign(counter, ZERO)
        with t.block() as out:
            body(variable)
        step = Assign(t.span, counter, Add(variable, one))
        t.emit(WhileLoop(t.span, LT(variable, count), tuple(out), (step,)))
        return
    t.assign(counter, count)
    with t.block() as out:
        t.assign(counter, Add(variable, Const(I64, -1)))
        body(variable)
    t.emit(WhileLoop(t.span, LT(ZERO, variable), tuple(out)))


def fill(t: Translation, pointer: Pointer, count: Expr, value: Expr) -> None:
    """Emits `pointer[0 .. count) = value`."""

    def body(counter: Expr) -> None:
        offset = add(pointer.offset, counter)
        indices = (offset,) if pointer.row is None else (pointer.row, offset)
        t.emit(Store(t.span, pointer.array, indices, value))

    emit_counted(t, count, body)


def copy(t: Translation, to: Pointer, source: Pointer, count: Expr, downward: bool = False) -> None:
    """Emits `to[0 .. count) = source[0 .. count)`, first to last or last to first."""

    def body(counter: Expr) -> None:
        offset = add(source.offset, counter)
        read = (offset,) if source.row is None else (source.row, offset)
        value = convert(Load(source.array, read, source.element), to.element)
        offset = add(to.offset, counter)
        written = (offset,) if to.row is None else (to.row, offset)
        t.emit(Store(t.span, to.array, written, value))

    emit_counted(t, count, body, downward=downward)


def move(t: Translation, to: Pointer, source: Pointer, count: Expr) -> None:
    if to.row is not source.row:
        raise unsupported("pointer-base", t.span, "`memmove` between rows of one table")
    test = fold(LE(to.offset, source.offset))
    if isinstance(test, Const):
        copy(t, to, source, count, downward=not test.value)
        return
    with t.block() as forward:
        copy(t, to, source, count)
    with t.block() as backward:
        copy(t, to, source, count, downward=True)
    t.emit(If(t.span, test, tuple(forward), tuple(backward)))


def refuse_foreign(t: Translation, freed: PointerValue | None, node: Node, what: str) -> None:
    """Raises where `what` frees memory that the function hasn't allocated, which its callers see;
    `node` is where, and None a pointer of which nothing is known."""
    is_own = isinstance(freed, Pointer) and t.declared.arrays[freed.array].origin == "local"
    if not is_own and not isinstance(freed, Null):
        raise unsupported(
            "unmodelled-call",
            node.span,
            f"{what} frees memory that isn't the function's own",
            "free it behind the loops, in a function of its own",
        )


def count_of_bytes(t: Translation, node: Node, element: Type, call: Node) -> Expr:
    bytes = value_of(t, node)
    count = divide_exactly(bytes, element.bytes)
    if count is None:
        raise unsupported(
            "byte-count",
            call.span,
            f"the byte count isn't a multiple of {element.bytes}, the element's size, by its form",
            "write it as `count * sizeof(T)`",
        )
    return index(count)


def byte_pattern(value: Expr, element: Type, node: Node) -> Expr:
    """What an element is when each of its bytes is the lowest one of `value`."""
    if element.bytes == 1:
        return convert(convert(value, U8), element)
    if isinstance(value, Const):
        byte = int(value.value) & 255
        if element.is_integer:
            pattern = int.from_bytes(bytes([byte]) * element.bytes, "little")
            return Const(element, element.wrap(pattern))
        if byte == 0:
            return number(0, element)
    raise unsupported(
        "byte-count", node.span, f"`memset` of {element} elements with a byte other than 0"
    )
