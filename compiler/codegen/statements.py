"""Statements of the loop-nest IR to LLVM blocks.

A generated function returns 0, or the code of what failed after freeing what it had allocated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from .. import ir
from ..ir import I32, I64, Expr, Load, Type, stmts
from . import (
    atomics,
    failures,
    memory,
    narrow_indices,
    parallel,
    prefetch,
    streams,
    strided,
    transposed,
)
from .allocation import ScratchMemory, reserve_name
from .builder import FunctionBuilder, Value, i32
from .errors import CodegenError
from .expressions import Expressions
from .interleaving import StoreGroup, interleaved
from .loop_hints import OPAQUE, hints, is_opaque
from .operators import PREDICATES
from .scope import BoundVariable, Scope

Translation = Callable[["Statements", Any, Scope], None]
"""Appends the code of one kind of statement."""
Around = Callable[["Statements", Scope], AbstractContextManager[None]]
"""Appends what stands in front of some code, and what stands behind it."""


def _nothing_around(statements: Statements, scope: Scope) -> AbstractContextManager[None]:
    return nullcontext()


class Statements:
    """Translates the statements of one LLVM function."""

    def __init__(
        self,
        function: FunctionBuilder,
        record: Value,
        name: str,
        own: Mapping[type[stmts.Stmt], Translation] | None = None,
    ) -> None:
        """`record` is where failures are described; `name` is the pipeline's; `own` has what the
        function's machine does in its own way."""
        self.own = own or {}
        self.function = function
        self.record = record
        self.name = name
        self.scratch = ScratchMemory(function, record)

    def run(self, stmt: stmts.Stmt, scope: Scope) -> None:
        """Appends the code of `stmt` to the function."""
        own = self.own.get(type(stmt))
        if own is not None:
            own(self, stmt, scope)
            return
        match stmt:
            case stmts.Block():
                self._block(stmt, scope)
            case stmts.For():
                self.repeat(stmt, scope)
            case stmts.Store():
                memory.store(self.at(scope), stmt)
            case stmts.ProducerConsumer():
                self.run(stmt.body, scope)
            case stmts.Allocate():
                self.allocate(stmt, scope)
            case stmts.IfThenElse():
                self._if(stmt, scope)
            case stmts.LetStmt():
                self._lets(stmt, scope)
            case stmts.AssertStmt():
                self._assert(stmt, scope)
            case stmts.Atomic():
                atomics.atomic(self, stmt, scope)
            case stmts.Prefetch():
                prefetch.prefetch(self.at(scope), stmt)
            case stmts.Evaluate():
                self.at(scope).value(stmt.value)
            case _:
                raise CodegenError(f"{type(stmt).__name__} in a lowered function")

    def index_in(self, scope: Scope, expr: Expr) -> Value:
        """The scalar integer `expr` as an i64."""
        return self.at(scope).index(expr)

    def at(self, scope: Scope) -> Expressions:
        """A new translator of expressions at this place."""
        return Expressions(self.function, scope)

    def _block(self, block: stmts.Block, scope: Scope) -> None:
        rest: list[stmts.Stmt] = []
        for part in transposed.transpositions(block.stmts):
            if isinstance(part, transposed.Transposition):
                self.several(rest, scope)
                transposed.run(self, scope, part)
                rest = []
            else:
                rest.append(part)
        self.several(rest, scope)

    def several(self, several: Sequence[stmts.Stmt], scope: Scope) -> None:
        """Appends the code of statements that follow one another, stores of them together."""
        neighbours = strided.families_of_neighbours(several)
        for part in interleaved(several, self.function.module.target.masks_lanes):
            at = self.at(scope)
            at.neighbours = neighbours
            if isinstance(part, StoreGroup):
                memory.store_interleaved(at, part)
            elif isinstance(part, stmts.Store):
                memory.store(at, part)
            else:
                self.run(part, scope)

    def _lets(self, stmt: stmts.Stmt, scope: Scope) -> None:
        """Lets that follow one another, which share the dense vectors that they read, and the body
        of the last one."""
        lets: list[stmts.LetStmt] = []
        while isinstance(stmt, stmts.LetStmt):
            lets.append(stmt)
            stmt = stmt.body
        neighbours = strided.families(let.value for let in lets) if len(lets) > 1 else {}
        for let in lets:
            scope = scope.with_variable(let.name, self.bind(let, scope, neighbours))
        self.run(stmt, scope)

    def bind(
        self,
        let: stmts.LetStmt,
        scope: Scope,
        neighbours: Mapping[Load, strided.Family] | None = None,
    ) -> BoundVariable:
        """What the name of `let` stands for in its body; see `_lets` for `neighbours`."""
        at = self.at(scope)
        at.neighbours = dict(neighbours or {})
        at = at.sharing(let.value)
        type, value = let.value.type, at.value(let.value)
        if type is not I32 and type is not I64:
            return BoundVariable(type, value)
        wide = at.index(let.value)
        if not self.function.narrow_indices:
            return BoundVariable(type, value, wide)
        return BoundVariable(
            type, value, wide, at.low(let.value), narrow_indices.index_range(at, let.value)
        )

    def repeat(self, loop: stmts.For, scope: Scope, around: Around = _nothing_around) -> None:
        """Appends the code of a loop; of a parallel one each thread's part stands in `around`."""
        if loop.kind not in ("serial", "parallel"):
            raise CodegenError(f"{loop.kind} loop over {loop.name} left in a lowered function")
        at = self.at(scope)
        if loop.kind == "parallel":
            first, extent = at.value(loop.min), at.value(loop.extent)

            def run(
                f: FunctionBuilder, record: Value, inside: Scope, first: Value, extent: Value
            ) -> None:
                statements = Statements(f, record, self.name, self.own)
                with around(statements, inside):
                    statements.loop(loop, inside, first, extent)

            call = parallel.outlined(self.function, loop, scope, self.record, self.name, run)
            self.leave_unless_zero(call(first, extent))
            return
        first, extent = at.index(loop.min), at.index(loop.extent)
        self.loop(loop, scope, first, extent)

    def loop(self, loop: stmts.For, scope: Scope, first: Value, extent: Value) -> None:
        """The loop's body for each of `extent` values from `first` on (both i64), in order."""
        if not streams.run(self, loop, scope, first, extent):
            self.count(loop, scope, first, extent)

    def count(self, loop: stmts.For, scope: Scope, first: Value, extent: Value) -> None:
        """The loop as it stands, with whatever memory `scope` gives its buffers."""
        f = self.function
        vectorized = f.module.vector_stages
        with f.counting(extent, hints(loop, vectorized)) as counter:
            if is_opaque(loop, vectorized):
                f.do(OPAQUE)
            wide = f.emit("i64", f"add {first}, {counter.text}")
            narrow = f.emit("i32", f"trunc {wide} to i32")
            inside = scope.with_variable(loop.name, BoundVariable(I32, narrow, wide))
            found = transposed.alone(loop.body)
            if found is None:
                self.run(loop.body, inside)
                return
            begins = f.emit("i1", f"icmp eq {counter}, 0")
            transposed.run(self, inside, found, transposed.iteration(f, loop, found, begins))

    def leave_unless_zero(self, status: Value) -> None:
        """Returns from the function with `status` if it is an error's code."""
        f = self.function
        fine = f.emit("i1", f"icmp eq {status}, 0")
        self._leave_unless(fine, status)

    def _leave_unless(self, fine: Value, status: Value) -> None:
        f = self.function
        proceed, failed = f.label("proceed"), f.label("failed")
        f.branch(fine, proceed, failed, likely=True)
        f.start(failed)
        self.scratch.free_all()
        f.ret(status)
        f.start(proceed)

    def allocate(self, node: stmts.Allocate, scope: Scope) -> None:
        """Appends scratch memory of the host, and the code that uses it."""
        reserve = scope.buffers.get(reserve_name(node.buffer))
        with self.scratch.memory(node, self.at(scope).index, reserve) as (address, elements):
            self.run(node.body, scope.with_buffer(node.buffer, address, elements))

    def _if(self, node: stmts.IfThenElse, scope: Scope) -> None:
        otherwise = node.otherwise
        self.choose(
            node.condition,
            scope,
            lambda: self.run(node.then, scope),
            None if otherwise is None else lambda: self.run(otherwise, scope),
        )

    def choose(
        self,
        condition: Expr,
        scope: Scope,
        then: Callable[[], None],
        otherwise: Callable[[], None] | None,
    ) -> None:
        """Appends what `then` appends for where `condition` holds, and `otherwise`, if any."""
        f = self.function
        value = self.at(scope).value(condition)
        yes, no, after = f.label("then"), f.label("otherwise"), f.label("after")
        f.branch(value, yes, no if otherwise is not None else after)
        f.start(yes)
        then()
        f.jump(after)
        if otherwise is not None:
            f.start(no)
            otherwise()
        f.start(after)

    def _assert(self, node: stmts.AssertStmt, scope: Scope) -> None:
        f = self.function
        fine = self._holds(node.condition, scope)
        proceed, failed = f.label("proceed"), f.label("failed")
        f.branch(fine, proceed, failed, likely=True)
        f.start(failed)
        at = self.at(scope)
        values: list[tuple[Value, Type]] = [(at.value(arg), arg.type) for arg in node.args]
        failures.report(f, self.record, node.message, values)
        self.scratch.free_all()
        f.ret(i32(node.code))
        f.start(proceed)

    def _holds(self, condition: Expr, scope: Scope) -> Value:
        """A check's condition; sums of int32 coordinates in it are exact, whatever their size."""
        if isinstance(condition, ir.And | ir.Or):
            a, b = self._holds(condition.a, scope), self._holds(condition.b, scope)
            return self.function.emit("i1", f"{type(condition).__name__.lower()} {a}, {b.text}")
        if not isinstance(condition, ir.Comparison) or condition.a.type is not I32:
            return self.at(scope).value(condition)
        at, (predicate, *_) = self.at(scope), PREDICATES[type(condition)]
        a, b = at.index(condition.a), at.index(condition.b)
        return self.function.emit("i1", f"icmp {predicate} {a}, {b.text}")
