"""Barriers that some threads of a block may not come to are found before anything runs."""

from __future__ import annotations

import random
from contextlib import suppress

import numpy as np
import pytest

from compiler.ir import I32, LT, Add, Expr, Load, Mod, Variable, const
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import block
from compiler.lower.uniform_barriers import DivergentBarrier, check_barriers

from .device import Memory, Race, run

T, B, W, STEP, V = (Variable(name, I32) for name in ("thread.x", "block.x", "w", "i", "v"))
THREADS = 4
MEET = s.Barrier()


def at(array: str, index: Expr) -> Expr:
    return Load(array, (index,), I32)


def own(value: Expr = STEP) -> s.Stmt:
    """Each thread writes an element of the block's memory."""
    return s.Store("tile", value, T)


def below(value: Expr, *stmts: s.Stmt) -> s.Stmt:
    return s.IfThenElse(LT(value, const(2)), block(*stmts))


def loop(extent: Expr, *stmts: s.Stmt) -> s.Stmt:
    return s.For("i", const(0), extent, "serial", block(*stmts))


def let(value: Expr, *stmts: s.Stmt) -> s.Stmt:
    return s.LetStmt("v", value, block(*stmts))


def kernel_of(body: s.Stmt) -> s.Kernel:
    memories = [("in", False), ("out", True)]
    parameters = [s.KernelParameter(name, I32, True, written) for name, written in memories]
    body = s.Allocate("tile", I32, const(THREADS), body, "shared")
    one = const(1)
    scalar = s.KernelParameter("w", I32)
    return s.Kernel("k", (*parameters, scalar), (const(THREADS), one, one), body)


ONE = const(1)
RIGHT: dict[str, s.Stmt] = {
    "alone": MEET,
    "under a condition on the block": below(B, MEET),
    "under a scalar": below(Add(W, B), MEET),
    "under memory that nobody writes": below(at("in", B), MEET),
    "under what was written before the last barrier": block(
        own(ONE), MEET, below(at("tile", ONE), MEET)
    ),
    "under a let of such": block(own(ONE), MEET, let(at("tile", B), below(V, MEET))),
    "in a loop that all walk": loop(W, own(), MEET),
    "in a loop whose variable decides": loop(W, below(STEP, MEET)),
    "written again behind a barrier": block(
        own(ONE), MEET, loop(W, below(at("tile", ONE), MEET), MEET, own(), MEET)
    ),
    "beside a condition on the thread": block(below(T, own(ONE)), MEET),
}
WRONG: dict[str, tuple[s.Stmt, str]] = {
    "under a condition on the thread": (
        below(T, MEET),
        r"k: the condition .*thread\.x.*thread\.x may",
    ),
    "in its other branch": (
        s.IfThenElse(LT(T, const(2)), s.Block(()), MEET),
        r"thread\.x may not be the same",
    ),
    "in a loop as long as the thread says": (loop(T, MEET), "the loop over i of thread.x from 0"),
    "in a loop that begins where the thread says": (
        s.For("i", T, const(1), "serial", MEET),
        "the loop over i of 1 from thread.x",
    ),
    "under a let of the thread": (let(Add(T, B), below(V, MEET)), "v may not be the same"),
    "under a let that hides a scalar": (s.LetStmt("w", T, below(W, MEET)), "w may not be the same"),
    "under the thread's element": (below(at("in", T), MEET), r"in\[thread.x\]|thread.x may"),
    "under what is being written": (
        block(own(ONE), below(at("tile", ONE), MEET)),
        r"tile.* may not",
    ),
    "under what may be written soon": (
        block(own(ONE), MEET, below(at("tile", ONE), own(), MEET)),
        "may already have written tile",
    ),
    "under what the iteration before writes": (
        block(own(ONE), MEET, loop(W, below(at("tile", ONE), MEET), MEET, own())),
        r"tile.* may not",
    ),
    "under what another iteration's branch writes": (
        block(own(ONE), MEET, loop(W, let(at("tile", ONE), MEET, below(V, MEET, own())))),
        "v may not be the same",
    ),
    "under what the device's memory holds": (
        block(s.Store("out", ONE, T), below(at("out", ONE), MEET)),
        "out.* may not",
    ),
    "under memory of the thread's own": (
        s.Allocate(
            "mine",
            I32,
            ONE,
            block(s.Store("mine", ONE, const(0)), below(at("mine", const(0)), MEET)),
        ),
        "mine.* may not",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_barriers_that_all_threads_come_to(name: str) -> None:
    check_barriers(kernel_of(RIGHT[name]))


@pytest.mark.parametrize("name", WRONG)
def test_barriers_that_some_threads_do_not_come_to(name: str) -> None:
    body, message = WRONG[name]
    with pytest.raises(DivergentBarrier, match=message):
        check_barriers(kernel_of(body))


def launched(kernel: s.Kernel) -> None:
    """Runs the kernel for two blocks: raises `AssertionError` where threads miss one another."""
    one = const(1)
    launch = s.Launch("k", (const(2), one, one), kernel.threads, (const(3),))
    fn = s.LoweredFunction("f", (), launch, kernels=(kernel,))
    memories = {name: Memory(np.arange(8, dtype=np.int32) % 5) for name in ("in", "out")}
    run(fn, memories, {})


def program(pick: random.Random, depth: int = 0) -> s.Stmt:
    """Statements at random, of which few are right."""
    values = (W, B, STEP, V, T, const(1), at("in", STEP), at("tile", const(1)), at("tile", B))
    kinds = ["wait", "wait", "own", "own"] + ["loop", "if", "let", "several"] * 2 * (depth < 3)
    match pick.choice(kinds if depth else ["several"]):
        case "wait":
            return MEET
        case "own":
            return own(Mod(pick.choice((T, STEP, const(1))), const(3)))
        case "loop":
            return loop(Mod(pick.choice(values), const(3)), program(pick, depth + 1))
        case "if":
            return below(pick.choice(values), program(pick, depth + 1))
        case "let":
            return let(pick.choice(values), program(pick, depth + 1))
    return block(*(program(pick, depth + 1) for _ in range(pick.randint(2, 4))))


def test_barriers_that_pass_are_met_by_all_in_random_kernels() -> None:
    pick = random.Random(11)
    passed = refused = 0
    while passed < 60:
        body = block(own(T), MEET, program(pick))
        kernel = kernel_of(s.For("i", const(0), const(2), "serial", let(const(0), body)))
        try:
            check_barriers(kernel)
        except DivergentBarrier:
            refused += 1
            continue
        with suppress(Race):  # of what decides over no barrier
            launched(kernel)
        passed += 1
    assert refused > 10
