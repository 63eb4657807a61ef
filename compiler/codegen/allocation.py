"""Scratch memory of generated code: small constant pieces on the stack, the rest from the pool.

A function knows which pieces of the pool it holds at each place, so that whoever leaves it early
gives them back.

A function may have a *reserve* of a piece: a block that it took when it began. Where the pool has
no memory left, whoever needs the piece waits for the reserve.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from .. import ir
from ..ir import I64, Const, Expr, Type, stmts
from . import failures
from .builder import FunctionBuilder, Value, i32, i64
from .llvm_types import memory_type

ALIGNMENT = 64
STACK_BYTES = 16 * 1024
"""The largest piece that goes on the stack unasked."""
FRAME_BYTES = 256 * 1024
"""The most that one function puts on the stack unasked: threads have 512 KiB on some systems."""

ALLOCATE = "lift_allocate"
FREE = "lift_free"
_OR_WAIT = "lift_allocate_or_wait"
_GIVE_BACK = "lift_give_back"
_RESERVE = "{ ptr, i64 }"
"""The block, and 1 while somebody has it."""


def reserve_name(buffer: str) -> str:
    """What a scope calls the reserve of the piece for `buffer`."""
    return f"{buffer}$reserve"


class ScratchMemory:
    """The scratch memory of one LLVM function while it is written."""

    def __init__(self, function: FunctionBuilder, record: Value) -> None:
        """`record` is where a lack of memory is described."""
        self.function = function
        self.record = record
        self._held: list[tuple[str, Sequence[Value]]] = []
        self._frame = 0

    @contextmanager
    def memory(
        self,
        node: stmts.Allocate,
        index: Callable[[Expr], Value],
        reserve: Value | None = None,
    ) -> Iterator[tuple[Value, Value | None]]:
        """The address of the memory for `node` and its number of scalar elements, while it lives.

        `index` gives a scalar integer expression as an i64. Where the memory is not to be had, the
        generated function waits for `reserve`, or leaves with an error where there is none.
        """
        size = node.type.bytes * node.type.lanes
        fixed = int(node.size.value) if isinstance(node.size, Const) else None
        if reserve is None and fixed is not None and self._on_stack(fixed * size, node.memory):
            count = max(fixed, 1) * node.type.lanes
            address = self.function.alloca(memory_type(node.type.element), count, align=ALIGNMENT)
            self._lifetime("start", address)
            yield address, i64(count)
            self._lifetime("end", address)
            return
        elements = self.count(node.size, index)
        address = self._pooled(elements, size, reserve)
        giving_back, held = FREE, [address]
        if reserve is not None:
            giving_back, held = _GIVE_BACK, [address, reserve]
        with self.holding(giving_back, *held):
            yield address, elements if node.type.lanes == 1 else None
        self._give_back(giving_back, held)

    @contextmanager
    def reserved(
        self, pieces: Sequence[tuple[str, Type, Expr]], index: Callable[[Expr], Value]
    ) -> Iterator[dict[str, Value]]:
        """The reserves of pieces (name, type of an element, elements), while they are held.

        Where there is no memory for one, the generated function leaves with an error.
        """
        if not pieces:
            yield {}
            return
        (name, type, most), *others = pieces
        f = self.function
        block = self._pooled(self.count(most, index), type.bytes * type.lanes)
        reserve = f.alloca(_RESERVE)
        f.do(f"store {_RESERVE} zeroinitializer, {reserve}")
        f.do(f"store {block}, {reserve}")
        with self.holding(FREE, block), self.reserved(others, index) as more:
            yield {name: reserve, **more}
        self._give_back(FREE, [block])

    @contextmanager
    def holding(self, giving_back: str, *held: Value) -> Iterator[None]:
        """Code in which a way out calls `giving_back(held...)`."""
        self._held.append((giving_back, held))
        yield
        self._held.pop()

    def free_all(self) -> None:
        """Gives back what the function holds here, on a way out; it still counts as held after."""
        for giving_back, held in reversed(self._held):
            self._give_back(giving_back, held)

    def _on_stack(self, size: int, memory: stmts.MemoryKind) -> bool:
        if memory in ("stack", "register"):
            return True
        if memory == "heap" or size > STACK_BYTES or self._frame + size > FRAME_BYTES:
            return False
        self._frame += size
        return True

    def _lifetime(self, which: str, address: Value) -> None:
        """Tells LLVM where a piece of the stack is in use, so that others may lie there too."""
        if self.function.terminated:
            return
        callee = self.function.module.declare(f"llvm.lifetime.{which}.p0", "void", "ptr")
        self.function.call("void", callee, [address])

    def count(self, size: Expr, index: Callable[[Expr], Value]) -> Value:
        """The number of elements, 0 for a negative one, or -1 where 64 bits don't hold it."""
        f = self.function
        factors = _factors(size)
        larger = f.module.declare("llvm.smax.i64", "i64", "i64, i64")
        count = f.call("i64", larger, [index(factors[0]), i64(0)])
        overflows = Value("i1", "false")
        times = f.module.declare("llvm.umul.with.overflow.i64", "{ i64, i1 }", "i64, i64")
        for factor in factors[1:]:
            counted = f.call("i64", larger, [index(factor), i64(0)])
            product = f.call("{ i64, i1 }", times, [count, counted])
            count = f.emit("i64", f"extractvalue {product}, 0")
            flag = f.emit("i1", f"extractvalue {product}, 1")
            overflows = f.emit("i1", f"or {overflows}, {flag.text}")
        if len(factors) == 1:
            return count
        return f.emit("i64", f"select {overflows}, i64 -1, {count}")

    def _pooled(self, count: Value, size: int, reserve: Value | None = None) -> Value:
        """Aligned memory for `count` (i64) elements of `size` bytes; where there is none, that of
        `reserve`, or the function leaves."""
        f = self.function
        most = (1 << 46) // size
        possible = f.emit("i1", f"icmp ule {count}, {most}")
        raw = f.emit("i64", f"mul {count}, {size}")
        # A request that the pool refuses stands for one that cannot even be written as a number.
        wanted = f.emit("i64", f"select {possible}, {raw}, i64 -1")
        result = f"noalias align {ALIGNMENT} ptr"
        if reserve is not None:
            callee = f.module.declare(_OR_WAIT, result, "i64, ptr", "nounwind")
            return f.call("ptr", callee, [wanted, reserve])
        callee = f.module.declare(ALLOCATE, result, "i64", "nounwind allocsize(0)")
        address = f.call("ptr", callee, [wanted])
        found = f.emit("i1", f"icmp ne {address}, null")
        proceed, failed = f.label("proceed"), f.label("failed")
        f.branch(found, proceed, failed, likely=True)
        f.start(failed)
        message = "Out of memory (could not allocate {} bytes of scratch memory)"
        failures.report(f, self.record, message, [(raw, I64)])
        self.free_all()
        f.ret(i32(failures.OUT_OF_MEMORY))
        f.start(proceed)
        return address

    def _give_back(self, giving_back: str, held: Sequence[Value]) -> None:
        types = ", ".join("ptr" for _ in held)
        callee = self.function.module.declare(giving_back, "void", types, "nounwind")
        self.function.call("void", callee, held)


def _factors(size: Expr) -> list[Expr]:
    """`size` as a product."""
    found: list[Expr] = []
    stack = [size]
    while stack:
        node = stack.pop()
        if isinstance(node, ir.Mul):
            stack += [node.b, node.a]
        else:
            found.append(node)
    return found
