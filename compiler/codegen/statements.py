"""Statements of the loop-nest IR to LLVM blocks.

A generated function returns 0, or the code of what failed after freeing what it had allocated.
"""

from __future__ import annotations

from ..ir import I32, I64, Type, stmts
from . import failures, memory, parallel
from .allocation import Scratch
from .builder import Function, Value, i32
from .errors import CodegenError
from .expressions import Expressions
from .interleaving import interleaved
from .loop_hints import hints
from .scope import Bound, Scope


class Statements:
    """Translates the statements of one LLVM function."""

    def __init__(self, function: Function, record: Value, name: str) -> None:
        """`record` is where failures are described; `name` is the pipeline's."""
        self.function = function
        self.record = record
        self.name = name
        self._scratch = Scratch(function, record)

    def run(self, stmt: stmts.Stmt, scope: Scope) -> None:
        """Appends the code of `stmt` to the function."""
        match stmt:
            case stmts.Block():
                self._block(stmt, scope)
            case stmts.For():
                self._for(stmt, scope)
            case stmts.Store():
                memory.store(self._at(scope), stmt)
            case stmts.ProducerConsumer():
                self.run(stmt.body, scope)
            case stmts.Allocate():
                self._allocate(stmt, scope)
            case stmts.IfThenElse():
                self._if(stmt, scope)
            case stmts.LetStmt():
                self.run(stmt.body, scope.with_variable(stmt.name, self._bind(stmt, scope)))
            case stmts.AssertStmt():
                self._assert(stmt, scope)
            case stmts.Evaluate():
                self._at(scope).value(stmt.value)
            case _:
                raise CodegenError(f"{type(stmt).__name__} in a lowered function")

    def _at(self, scope: Scope) -> Expressions:
        return Expressions(self.function, scope)

    def _block(self, block: stmts.Block, scope: Scope) -> None:
        for part in interleaved(block.stmts):
            if isinstance(part, tuple):
                memory.store_interleaved(self._at(scope), part)
            else:
                self.run(part, scope)

    def _bind(self, let: stmts.LetStmt, scope: Scope) -> Bound:
        at = self._at(scope).sharing(let.value)
        value = at.value(let.value)
        wide = at.index(let.value) if let.value.type is I32 or let.value.type is I64 else None
        return Bound(let.value.type, value, wide)

    def _for(self, loop: stmts.For, scope: Scope) -> None:
        if loop.kind not in ("serial", "parallel"):
            raise CodegenError(f"{loop.kind} loop over {loop.name} left in a lowered function")
        at = self._at(scope)
        if loop.kind == "parallel":
            first, extent = at.value(loop.min), at.value(loop.extent)
            status = parallel.outlined(self.function, loop, scope, self.record, self.name)(
                first, extent
            )
            self.leave_unless_zero(status)
            return
        first, extent = at.index(loop.min), at.index(loop.extent)
        self.loop(loop, scope, first, extent)

    def loop(self, loop: stmts.For, scope: Scope, first: Value, extent: Value) -> None:
        """The loop's body for each of `extent` values from `first` on (both i64), in order."""
        f = self.function
        with f.counting(extent, hints(loop, f.module.vector_stages)) as counter:
            wide = f.emit("i64", f"add {first}, {counter.text}")
            narrow = f.emit("i32", f"trunc {wide} to i32")
            self.run(loop.body, scope.with_variable(loop.name, Bound(I32, narrow, wide)))

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
        self._scratch.free_all()
        f.ret(status)
        f.start(proceed)

    def _allocate(self, node: stmts.Allocate, scope: Scope) -> None:
        with self._scratch.memory(node, self._at(scope).index) as (address, elements):
            self.run(node.body, scope.with_buffer(node.buffer, address, elements))

    def _if(self, node: stmts.IfThenElse, scope: Scope) -> None:
        f = self.function
        condition = self._at(scope).value(node.condition)
        then, otherwise, after = f.label("then"), f.label("otherwise"), f.label("after")
        f.branch(condition, then, otherwise if node.otherwise is not None else after)
        f.start(then)
        self.run(node.then, scope)
        f.jump(after)
        if node.otherwise is not None:
            f.start(otherwise)
            self.run(node.otherwise, scope)
        f.start(after)

    def _assert(self, node: stmts.AssertStmt, scope: Scope) -> None:
        f = self.function
        fine = self._at(scope).value(node.condition)
        proceed, failed = f.label("proceed"), f.label("failed")
        f.branch(fine, proceed, failed, likely=True)
        f.start(failed)
        at = self._at(scope)
        values: list[tuple[Value, Type]] = [(at.value(arg), arg.type) for arg in node.args]
        failures.report(f, self.record, node.message, values)
        self._scratch.free_all()
        f.ret(i32(failures.CHECK_FAILED))
        f.start(proceed)
