"""Memory of blocks and of threads that is neither shared memory nor registers.

Kernels can't ask for memory. So the host asks for all of it before the launch: one piece for each
block, or for each thread, all as large as the largest.

    kernel of [w] blocks:                       allocate device g[s * w]:
      allocate heap g[... block.x ...]:    ->     launch: g[block.x * s + i] = ...
        g[i] = ...

Elements of threads lie beside those of the other threads: what they access together is in one
place. So do those of memory that a thread has in the block's shared memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from ..ir import (
    I32,
    I64,
    Add,
    Broadcast,
    Cast,
    Const,
    Expr,
    Load,
    Max,
    Mul,
    Ramp,
    Type,
    Variable,
    const,
    postorder,
    simplify,
    transform,
)
from ..ir import stmts as s
from ..ir.coordinate_sums import expr_of, sum_of
from ..ir.stmt_transform import children_of, rebuild
from ..lang import HalideError
from .barriers import Together
from .constant_size import whole_sum
from .flatten import widened
from .interval import EVERYTHING, Interval, Intervals, larger

Grid = tuple[Expr, Expr, Expr]


@dataclass(frozen=True)
class Pieces:
    """The memory of one name for all blocks of a launch."""

    name: str
    type: Type
    size: Expr
    """The most elements that a block has, or a thread (int64), in terms of what the host knows."""
    of_threads: bool
    memory: s.MemoryKind

    def elements(self, blocks: Grid, threads: Grid) -> Expr:
        """How many there are of one launch, or in one block if it is the block's memory."""
        counts = [*blocks] if self.memory == "device" else []
        counts += threads if self.of_threads else []
        made = self.size
        for count in counts:
            made = Mul(made, Max(widened(count), const(0, I64)))
        return simplify(made)


def with_pieces(
    body: s.Stmt, blocks: Grid, threads: Grid, loop: str
) -> tuple[s.Stmt, tuple[Pieces, ...]]:
    """The kernel's `body` with its `heap` memories, and `shared` ones of threads, as pieces.

    What threads do stands in `Together`; `loop` is the outermost one, for messages. Raises
    `HalideError` where nothing limits the size of a memory before the kernel runs.
    """
    extents = zip((*s.BLOCKS, *s.THREADS), (*blocks, *threads), strict=True)
    known: dict[str, Interval] = {
        name: (const(0), simplify(Add(extent, const(-1)))) for name, extent in extents
    }
    placing = _Placing(loop)
    placing.find(body, known, in_thread=False)
    if not placing.found:
        return body, ()
    made = placing.placed(body, _number(s.THREADS, threads), _product(threads))
    block = _number(s.BLOCKS, blocks)
    for pieces in reversed(placing.found.values()):
        if pieces.memory == "device":
            first = simplify(Mul(block, pieces.size))
            made = s.LetStmt(_first(pieces.name), first, made)
    return made, tuple(placing.found.values())


@dataclass
class _Placing:
    loop: str

    def __post_init__(self) -> None:
        self.found: dict[str, Pieces] = {}

    def find(self, stmt: s.Stmt, known: Mapping[str, Interval], in_thread: bool) -> None:
        """Notes the memories below `stmt`, where the variables that are `known` have their
        limits."""
        match stmt:
            case Together():
                self.find(stmt.body, known, True)
                return
            case s.For(name, low, extent):
                of = Intervals(known).of
                last = simplify(Add(Add(low, extent), const(-1)))
                known = {**known, name: (of(low)[0], of(last)[1])}
            case s.LetStmt(name, value):
                limits = Intervals(known).of(value) if value.type is I32 else EVERYTHING
                known = {**known, name: limits}
            case s.Allocate(memory="heap") | s.Allocate(memory="shared") if (
                in_thread or stmt.memory == "heap"
            ):
                self._note(stmt, known, in_thread)
        for child in children_of(stmt):
            self.find(child, known, in_thread)

    def _note(self, node: s.Allocate, known: Mapping[str, Interval], in_thread: bool) -> None:
        size = _most(node.size, Intervals(known))
        if size is None or any(
            isinstance(x, Variable) and x.name in known for x in postorder(size)
        ):
            raise HalideError(
                f"{node.buffer} has no size that is known before the kernel of {self.loop} runs, "
                f"and kernels can't ask for memory: {node.size} elements. Use bound_extent or "
                "bound_storage, or compute it before the kernel (compute_root)."
            )
        memory: s.MemoryKind = "device" if node.memory == "heap" else "shared"
        made = Pieces(node.buffer, node.type, size, in_thread, memory)
        before = self.found.get(node.buffer)
        if before is not None:
            made = replace(made, size=larger(before.size, size))
        self.found[node.buffer] = made

    def placed(self, stmt: s.Stmt, thread: Expr, threads: Expr) -> s.Stmt:
        """`stmt` with its accesses in the pieces of thread number `thread`, and its block's."""

        def place(buffer: str, index: Expr) -> Expr:
            pieces = self.found[buffer]
            first: Expr = const(0, I64)
            if pieces.memory == "device":
                first = Variable(_first(buffer), I64)
            if not pieces.of_threads:
                return moved(index, const(1, I64), first)
            return moved(index, threads, simplify(Add(Mul(first, threads), thread)))

        def without(stmt: s.Stmt) -> s.Stmt:
            if isinstance(stmt, Together):
                return Together(without(stmt.body), stmt.extents)
            made = rebuild(stmt, tuple(map(without, children_of(stmt))), lambda e: e)
            is_piece = isinstance(made, s.Allocate) and made.buffer in self.found
            return children_of(made)[0] if is_piece else made

        made = without(stmt)
        for name in self.found:
            made = with_places(made, name, partial(place, name))
        return made


def with_places(stmt: s.Stmt, buffer: str, place: Callable[[Expr], Expr]) -> s.Stmt:
    """`stmt` with what it accesses of a memory at `place` of where it did."""

    def load(node: Expr) -> Expr:
        if isinstance(node, Load) and node.array == buffer:
            return Load(buffer, (place(node.indices[0]),), node.type, node.predicate)
        return node

    def visit(stmt: s.Stmt) -> s.Stmt:
        if isinstance(stmt, Together):
            return Together(visit(stmt.body), stmt.extents)
        made = rebuild(stmt, tuple(map(visit, children_of(stmt))), lambda e: transform(e, load))
        if isinstance(made, s.Store) and made.buffer == buffer:
            return replace(made, index=place(made.index))
        return made

    return visit(stmt)


def _first(buffer: str) -> str:
    """The variable that says where a block's piece begins."""
    return f"{buffer}.piece"


def moved(index: Expr, factor: Expr, first: Expr) -> Expr:
    """`index * factor + first`, in 64 bits."""
    if isinstance(index, Ramp):
        stride = simplify(Mul(widened(index.stride), factor))
        return Ramp(moved(index.base, factor, first), stride, index.lanes)
    lanes = index.type.lanes
    if lanes > 1:
        index = Cast(I64.with_lanes(lanes), index) if index.type.bits < I64.bits else index
        return simplify(Add(Mul(index, Broadcast(factor, lanes)), Broadcast(first, lanes)))
    return simplify(Add(Mul(widened(index), factor), first))


def _number(variables: tuple[str, ...], extents: Grid) -> Expr:
    """Which of all blocks, or threads of a block, it is, the first dimension varying fastest."""
    x, y, z = (widened(Variable(name, I32)) for name in variables)
    wide, high, _ = map(widened, extents)
    return simplify(Add(x, Mul(wide, Add(y, Mul(high, z)))))


def _product(extents: Grid) -> Expr:
    x, y, z = map(widened, extents)
    return simplify(Mul(x, Mul(y, z)))


def _most(size: Expr, intervals: Intervals) -> Expr | None:
    """What `size` does not exceed, and no less than 0 (int64)."""
    if isinstance(size, Mul) and not isinstance(size.b, Const):
        a, b = (_most(part, intervals) for part in (size.a, size.b))
        return None if a is None or b is None else simplify(Mul(a, b))
    total = whole_sum(sum_of(size))
    if all(term.type is I32 for term in total.terms):
        # What cancels out in coordinates does so in their limits.
        size = expr_of(total, I32)
    most = intervals.of(size)[1]
    return None if most is None else simplify(Max(widened(most), const(0, I64)))


__all__ = ["Pieces", "moved", "with_pieces", "with_places"]
