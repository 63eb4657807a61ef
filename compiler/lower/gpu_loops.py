"""Which nests of loops over blocks and threads a GPU can run.

A kernel has at most three loops over blocks, with nothing between them but loops that run once, and
inside of these at most three loops over threads around one another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..ir import Const, Expr, Variable, const
from ..ir import stmts as s
from ..ir.stmt_transform import children_of, walk
from ..lang import HalideError

MOST_NESTED = 3
ONE = const(1)
_WORDS = {"gpu_block": "GPU block", "gpu_thread": "GPU thread", "gpu_lane": "GPU thread"}


def check_gpu_loops(stmt: s.Stmt) -> None:
    """Raises `HalideError` for loops over blocks and threads that make no kernel.

    Takes the statement that has stages' storage and production still in it.
    """
    _check(stmt, _Around())


def check_lanes(stmt: s.Stmt) -> None:
    """Raises `HalideError` for loops over lanes that no warp runs, whose extents are known now."""
    for loop in walk(stmt):
        if isinstance(loop, s.For) and loop.kind == "gpu_lane":
            extent = loop.extent
            if not isinstance(extent, Const) or extent.value > s.WARP:
                raise HalideError(
                    f"CUDA gpu lanes loop must have constant extent of at most {s.WARP}: {extent}"
                )


@dataclass(frozen=True)
class _Around:
    """What stands around a statement, from outside."""

    lines: tuple[str, ...] = ()
    """As people read it."""
    blocks: tuple[str, ...] = ()
    """The loops over blocks."""
    threads: tuple[str, ...] = ()
    between: str = ""
    """What stands inside of the innermost loop over blocks and isn't one."""
    ones: frozenset[Expr] = frozenset()
    """The variables that are 1."""

    def inside(self, line: str) -> _Around:
        return replace(self, lines=(*self.lines, " " * len(self.lines) + line))

    def fail(self, message: str) -> HalideError:
        return HalideError(f"{message} The loop nest is:\n" + "\n".join(self.lines))


def _check(stmt: s.Stmt, around: _Around) -> None:
    match stmt:
        case s.Realize(func):
            around = around.inside(f"store_at for {func}:")
            if around.blocks and not around.between:
                around = replace(around, between=f"store_at location for {func}")
        case s.ProducerConsumer(func, True):
            around = around.inside(f"compute_at for {func}:")
        case s.LetStmt(name, value) if value is ONE:
            around = replace(around, ones=around.ones | {Variable(name, value.type)})
        case s.For():
            around = _loop(stmt, around)
    for child in children_of(stmt):
        _check(child, around)


def _loop(loop: s.For, around: _Around) -> _Around:
    """What is around the body of a loop."""
    word = "for" if loop.kind == "serial" else loop.kind
    inside = around.inside(f"{word} {loop.name}:")
    kind = _WORDS.get(loop.kind)
    if kind is None:
        is_once = loop.kind == "serial" and (
            loop.extent is ONE or (isinstance(loop.extent, Variable) and loop.extent in around.ones)
        )
        if around.blocks and not around.between and not is_once:
            inside = replace(inside, between=f"{word} loop over {loop.name}")
        return inside
    nested = around.blocks if loop.kind == "gpu_block" else around.threads
    if len(nested) == MOST_NESTED:
        raise inside.fail(
            f"{kind} loop over {loop.name} is inside three other {kind} loops. The maximum number "
            f"of nested {kind} loops is {MOST_NESTED}."
        )
    if loop.kind == "gpu_block":
        if around.threads:
            raise inside.fail(
                f"GPU block loop over {loop.name} is inside GPU thread loop over "
                f"{around.threads[-1]}."
            )
        if around.between:
            raise inside.fail(
                f"{around.between} is inside GPU block loop over {around.blocks[-1]} but outside "
                f"GPU block loop over {loop.name}. Funcs cannot be scheduled in between GPU block "
                "loops."
            )
        return replace(inside, blocks=(*around.blocks, loop.name))
    if not around.blocks:
        raise inside.fail(f"{kind} loop over {loop.name} must be inside a GPU block loop.")
    return replace(inside, threads=(*around.threads, loop.name))


__all__ = ["check_gpu_loops", "check_lanes"]
