"""That all threads of a block come to each barrier of a kernel, or none of them does.

Some threads that wait where others never come make a device wait for ever. So the loops, the
conditions and the lets around a barrier may only depend on what is the same in all threads of the
block: numbers of the block, scalars of the launch, and memory that no thread writes between the
last barrier before it is read and the next one after.

    if block.x < w:                        if thread.x < w:
      barrier             is right           barrier            raises `DivergentBarrier`

This is looked at when a kernel is finished, whatever put its barriers there: `barriers.py`
knows which statements are common to all threads, here nothing of that is believed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..ir import Call, Const, Expr, Load, Variable, postorder
from ..ir import stmts as s
from ..ir.stmt_transform import children_of, expressions_of, walk
from .lane_registers import has_shuffle


class DivergentBarrier(AssertionError):
    """A barrier that some threads of a block may not come to: an error of ours."""


def check_barriers(kernel: s.Kernel) -> None:
    """Raises `DivergentBarrier`, with the kernel and the condition, for a barrier that not all
    threads of a block are known to come to."""
    scalars = (p.name for p in kernel.parameters if not p.is_memory)
    parameters = frozenset(p.name for p in kernel.parameters if p.is_memory)
    made = (x for x in walk(kernel.body) if isinstance(x, s.Allocate))
    common = parameters.union(x.buffer for x in made if x.memory == "shared")
    _Check(kernel.name, common).run(kernel.body, frozenset((*s.BLOCKS, *scalars)))


@dataclass
class _Check:
    kernel: str
    common: frozenset[str]
    """Memories that all threads of a block see alike."""
    written: frozenset[str] = frozenset()
    """Those that threads have written since the last barrier."""
    relied_on: dict[str, str] = field(default_factory=dict)
    """Those that have been read since the last barrier for what all threads do alike, with what
    reads them."""

    def run(self, stmt: s.Stmt, uniform: frozenset[str]) -> None:
        """Looks at a statement, where the variables in `uniform` are the same in all threads."""
        if isinstance(stmt, s.Barrier):
            self.written, self.relied_on = frozenset(), {}
            return
        if not _waits(stmt):
            self._of_threads(stmt)
            return
        match stmt:
            case s.For(name, low, extent, _, body):
                self._rely(
                    f"the loop over {name} of {extent} from {low} on", (low, extent), uniform
                )
                # What one iteration leaves is there in the next one, or after none at all.
                for _ in range(2):
                    before = self.written, dict(self.relied_on)
                    self.run(body, uniform | {name})
                    self._join(*before)
            case s.IfThenElse(condition, then, otherwise):
                self._rely(f"the condition {condition}", (condition,), uniform)
                before = self.written, dict(self.relied_on)
                self.run(then, uniform)
                ends = self.written, self.relied_on
                self.written, self.relied_on = before
                if otherwise is not None:
                    self.run(otherwise, uniform)
                self._join(*ends)
            case s.LetStmt(name, value, body):
                known = not self._varying((value,), uniform)
                if known:
                    self._rely(f"{name} = {value}", (value,), uniform)
                self.run(body, uniform | {name} if known else uniform - {name})
            case _:
                for child in children_of(stmt):
                    self.run(child, uniform)

    def _of_threads(self, stmt: s.Stmt) -> None:
        """Notes what threads write, each for itself."""
        for inside in walk(stmt):
            if isinstance(inside, s.Store):
                if inside.buffer in self.relied_on:
                    raise DivergentBarrier(
                        f"{self.kernel}: {self.relied_on[inside.buffer]} decides whether threads "
                        f"come to a barrier, and some of them may already have written "
                        f"{inside.buffer} when others read it."
                    )
                self.written |= {inside.buffer}

    def _rely(self, what: str, expressions: tuple[Expr, ...], uniform: frozenset[str]) -> None:
        varying = self._varying(expressions, uniform)
        if varying:
            raise DivergentBarrier(
                f"{self.kernel}: {what} decides whether threads come to a barrier, and "
                f"{varying} may not be the same in all of them."
            )
        loads = (x.array for x in postorder(*expressions) if isinstance(x, Load))
        self.relied_on.update(dict.fromkeys(loads, what))

    def _varying(self, expressions: Iterable[Expr], uniform: frozenset[str]) -> str:
        """What of the expressions threads may have different values of; empty for nothing."""
        for x in postorder(*expressions):
            if isinstance(x, Variable) and x.name not in uniform:
                return x.name
            if isinstance(x, Load) and (x.array not in self.common or x.array in self.written):
                return str(x)
            if isinstance(x, Call) and x.kind != "intrinsic":
                return str(x)
        return ""

    def _join(self, written: frozenset[str], relied_on: dict[str, str]) -> None:
        """Goes on from two places: from where it is, and from where that much has happened."""
        self.written |= written
        self.relied_on = {**relied_on, **self.relied_on}


class DivergentShuffle(AssertionError):
    """A shuffle that some lanes of a warp may not come to: an error of ours."""


def check_shuffles(kernel: s.Kernel) -> None:
    """Raises `DivergentShuffle`, with the kernel and the condition, for a shuffle that not all
    lanes of a warp are known to come to.

    A warp is a row of threads; what is the same in all of them may differ between rows.
    """
    if not any(_fetches(x) for x in walk(kernel.body)):
        return
    row, *_ = kernel.threads
    if not isinstance(row, Const) or row.value != s.WARP:
        raise DivergentShuffle(f"{kernel.name}: rows of {row} threads are no warps")
    names = (p.name for p in kernel.parameters if not p.is_memory)
    _check_rows(kernel.name, kernel.body, frozenset((*s.BLOCKS, *s.THREADS[1:], *names)))


def _check_rows(kernel: str, stmt: s.Stmt, uniform: frozenset[str]) -> None:
    """Looks at a statement, where the variables in `uniform` are the same in all lanes."""
    decides: tuple[Expr, ...] = ()
    match stmt:
        case s.For(name, low, extent):
            decides = low, extent
            uniform |= {name}
        case s.IfThenElse(condition):
            decides = (condition,)
            if _fetches(stmt):
                raise DivergentShuffle(f"{kernel}: {condition} has a shuffle in it")
        case s.LetStmt(name, value):
            known = not _differs(value, uniform)
            uniform = uniform | {name} if known else uniform - {name}
    inside = any(_fetches(x) for child in children_of(stmt) for x in walk(child))
    if inside:
        for e in decides:
            if _differs(e, uniform):
                raise DivergentShuffle(
                    f"{kernel}: {e} decides whether lanes come to a shuffle, and may not be the "
                    "same in all of them."
                )
    for child in children_of(stmt):
        _check_rows(kernel, child, uniform)


def _differs(e: Expr, uniform: frozenset[str]) -> bool:
    return any(
        isinstance(x, Load)
        or (isinstance(x, Call) and x.kind != "intrinsic")
        or (isinstance(x, Variable) and x.name not in uniform)
        for x in postorder(e)
    )


def _fetches(stmt: s.Stmt) -> bool:
    return any(has_shuffle(e) for e in expressions_of(stmt))


def _waits(stmt: s.Stmt) -> bool:
    return any(isinstance(x, s.Barrier) for x in walk(stmt))


__all__ = ["DivergentBarrier", "DivergentShuffle", "check_barriers", "check_shuffles"]
