"""Checks inside of kernels: a thread that finds one broken leaves its number for the host.

    kernel:                                  kernel:
      assert x < 9, "bad {}", x                if x < 9: f[...] = ...
      f[...] = ...                             else: fail 1 with x
                                       ->    host:
                                               failure = 0
                                               launch kernel
                                               assert failure[0] != 1, "bad {}", failure[1]

What a check stands in front of isn't run where it is broken; other threads go on. The first thread
to say so is the one whose numbers the host tells.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..ir import F64, I64, NE, Call, Cast, Expr, Load, Not, Type, const, simplify
from ..ir import stmts as s
from ..ir.stmt_transform import block, children_of, rebuild


@dataclass
class KernelChecks:
    """The checks of all kernels of a function."""

    checks: list[s.AssertStmt] = field(default_factory=list)

    def guarded(self, stmt: s.Stmt) -> s.Stmt:
        """A statement of a kernel, with what stands behind a check under its condition."""
        if isinstance(stmt, s.AssertStmt):
            return s.IfThenElse(simplify(Not(stmt.condition)), self._fail(stmt))
        if isinstance(stmt, s.Block):
            return self._block(stmt.stmts)
        return rebuild(stmt, tuple(map(self.guarded, children_of(stmt))), lambda e: e)

    def _block(self, stmts: tuple[s.Stmt, ...]) -> s.Stmt:
        made: list[s.Stmt] = []
        for place, stmt in enumerate(stmts):
            if isinstance(stmt, s.AssertStmt) and place + 1 < len(stmts):
                behind = self._block(stmts[place + 1 :])
                made.append(s.IfThenElse(stmt.condition, behind, self._fail(stmt)))
                break
            made.append(self.guarded(stmt))
        return block(*made)

    def _fail(self, check: s.AssertStmt) -> s.Fail:
        self.checks.append(check)
        return s.Fail(len(self.checks), tuple(map(_as_bits, check.args)))

    def reported(self, body: s.Stmt) -> s.Stmt:
        """The host's `body` in the memory that kernels leave failures in, which it ends with."""
        if not self.checks:
            return body
        size = 1 + max(len(check.args) for check in self.checks)
        cleared = (s.Store(s.FAILURE, const(0, I64), const(i)) for i in range(size))
        broken = (
            s.AssertStmt(
                NE(_element(0), const(number, I64)),
                check.message,
                tuple(_from_bits(_element(1 + i), a.type) for i, a in enumerate(check.args)),
                check.code,
            )
            for number, check in enumerate(self.checks, 1)
        )
        return s.Allocate(s.FAILURE, I64, const(size), block(*cleared, body, *broken))


def _element(place: int) -> Expr:
    return Load(s.FAILURE, (const(place),), I64)


def _as_bits(value: Expr) -> Expr:
    """A number as the host finds it: an integer of 64 bits, or the bits of a float of 64."""
    if value.type.is_float:
        return Call("reinterpret", (_cast(F64, value),), I64, "intrinsic")
    return _cast(I64, value)


def _from_bits(bits: Expr, type: Type) -> Expr:
    if type.is_float:
        return _cast(type, Call("reinterpret", (bits,), F64, "intrinsic"))
    return _cast(type, bits)


def _cast(type: Type, value: Expr) -> Expr:
    return value if value.type is type else Cast(type, value)


__all__ = ["KernelChecks"]
