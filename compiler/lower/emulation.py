"""Kernels as loops of the processor, where no device is at hand.

Between two barriers all threads of a block run, one after the other; loops and conditions around
barriers are walked by all of them together.

    kernel of [16, 1, 1] threads:            for block.x:
      shared h                                 allocate h
      h[thread.x] = ...                ->      for thread.x in [0, 16): h[thread.x] = ...
      barrier                                  for thread.x in [0, 16): f[...] = h[...]
      f[...] = h[thread.x]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ir import (
    EQ,
    I32,
    I64,
    Add,
    Call,
    Expr,
    Load,
    Mul,
    Sub,
    Variable,
    const,
    postorder,
    simplify,
    substitute,
    transform,
)
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.stmt_transform import (
    block,
    children_of,
    expressions_of,
    map_expressions,
    rebuild,
    walk,
)
from .device_memory import moved, with_places
from .flatten import widened
from .lane_registers import has_shuffle


def emulated(stmt: s.Stmt, kernels: Sequence[s.Kernel], backwards: bool = False) -> s.Stmt:
    """`stmt` with loops over blocks and threads in the place of its launches of `kernels`.

    There are no copies to a device.

    Threads run from the last to the first one if `backwards`: what a kernel leaves is the same.
    """
    by_name = {kernel.name: kernel for kernel in kernels}

    def visit(stmt: s.Stmt) -> s.Stmt:
        match stmt:
            case s.Launch():
                return _blocks(stmt, by_name[stmt.kernel], backwards)
            case s.DeviceState():
                return s.Block(())
            case s.Allocate(buffer, type, size, body, "device" | "both"):
                return s.Allocate(buffer, type, size, visit(body))
        return rebuild(stmt, tuple(map(visit, children_of(stmt))), lambda e: e)

    return visit(stmt)


def _blocks(launch: s.Launch, kernel: s.Kernel, backwards: bool) -> s.Stmt:
    made = _Block(launch.threads, backwards).run(kernel.body)
    given = zip((p for p in kernel.parameters if not p.is_memory), launch.values, strict=True)
    for parameter, value in given:
        if value is not Variable(parameter.name, parameter.type):
            made = s.LetStmt(parameter.name, value, made)
    for name, extent in zip(s.BLOCKS, launch.blocks, strict=True):
        made = s.For(name, const(0), extent, "serial", made)
    return made


class _Block:
    """The threads of a block, as loops."""

    def __init__(self, threads: Sequence[Expr], backwards: bool) -> None:
        self.threads, self.backwards = threads, backwards

    def run(self, stmt: s.Stmt) -> s.Stmt:
        """What a block does in `stmt`."""
        match stmt:
            case s.Allocate(buffer, type, size, body, "shared"):
                return s.Allocate(buffer, type, size, self.run(body))
            case s.Allocate(body=body) if _meets(body):
                return self._of_each(stmt)
            case s.Block(stmts):
                return block(*self._segments(stmts))
        if _meets(stmt):
            return rebuild(stmt, tuple(map(self.run, children_of(stmt))), lambda e: e)
        return self._all_of(stmt)

    def _segments(self, stmts: Sequence[s.Stmt]) -> Iterator[s.Stmt]:
        """Statements between which nobody waits are run by one thread after the other."""
        together: list[s.Stmt] = []
        for stmt in stmts:
            if not _meets(stmt) and not _exchanges(stmt):
                together.append(stmt)
                continue
            if together:
                yield self._all_of(block(*together))
                together = []
            if not isinstance(stmt, s.Barrier):
                yield self.run(stmt)
        if together:
            yield self._all_of(block(*together))

    def _of_each(self, node: s.Allocate) -> s.Stmt:
        """Registers that threads have while others run: a piece for each. What a shuffle fetches
        stands in another one's."""
        x, y, z = (widened(Variable(name, I32)) for name in s.THREADS)
        wide, high, deep = map(widened, self.threads)
        size = widened(node.size)
        number = Add(x, Mul(wide, Add(y, Mul(high, z))))
        first = simplify(Mul(size, number))
        body = with_places(node.body, node.buffer, lambda i: moved(i, const(1, I64), first))

        def fetched(e: Expr) -> Expr:
            if not isinstance(e, Call) or e.kind != "shuffle":
                return e
            value, lane = e.args
            if not isinstance(value, Load) or value.array != node.buffer:
                return e
            lane = n.Mod(lane, const(s.WARP))
            return substitute(value, {Variable(s.THREADS[0], I32): lane})

        made = map_expressions(self.run(body), lambda e: transform(e, fetched))
        total = simplify(Mul(size, Mul(wide, Mul(high, deep))))
        return s.Allocate(node.buffer, node.type, total, made)

    def _all_of(self, stmt: s.Stmt) -> s.Stmt:
        stmt = _in_order(stmt)
        for name, extent in zip(s.THREADS, self.threads, strict=True):
            if not self.backwards:
                stmt = s.For(name, const(0), extent, "serial", stmt)
                continue
            step: Expr = Variable(f"{name}.step", I32)
            last = simplify(Sub(extent, const(1)))
            stmt = s.LetStmt(name, simplify(Sub(last, step)), stmt)
            stmt = s.For(f"{name}.step", const(0), extent, "serial", stmt)
        return stmt


def _in_order(stmt: s.Stmt) -> s.Stmt:
    """`stmt` for threads that run one after the other: the first failure is stored, and copies
    are there at once."""
    if isinstance(stmt, s.AsyncCopy):
        return stmt.store
    if isinstance(stmt, s.CommitCopies | s.AwaitCopies):
        return s.Block(())
    if not isinstance(stmt, s.Fail):
        return rebuild(stmt, tuple(map(_in_order, children_of(stmt))), lambda e: e)
    numbers = (const(stmt.number, I64), *stmt.values)
    stores = (s.Store(s.FAILURE, value, const(place)) for place, value in enumerate(numbers))
    is_first = EQ(Load(s.FAILURE, (const(0),), I64), const(0, I64))
    return s.IfThenElse(is_first, block(*stores))


def _meets(stmt: s.Stmt) -> bool:
    """Whether threads meet inside of a statement that all of them walk alike."""
    names = set(s.THREADS)
    if isinstance(stmt, s.Barrier):
        return True
    own = postorder(*expressions_of(stmt))
    if any(isinstance(x, Variable) and x.name in names for x in own):
        return _waits(stmt)
    return _waits(stmt) or (
        isinstance(stmt, (s.For, s.LetStmt, s.IfThenElse, s.Allocate, s.Block))
        and any(_meets(x) or _exchanges(x) for x in children_of(stmt))
    )


def _exchanges(stmt: s.Stmt) -> bool:
    """Whether there is a shuffle in a statement."""
    return any(has_shuffle(e) for x in walk(stmt) for e in expressions_of(x))


def _waits(stmt: s.Stmt) -> bool:
    """Whether there is a barrier in a statement, or memory that threads share."""
    return any(
        isinstance(x, s.Barrier) or (isinstance(x, s.Allocate) and x.memory == "shared")
        for x in walk(stmt)
    )


__all__ = ["emulated"]
