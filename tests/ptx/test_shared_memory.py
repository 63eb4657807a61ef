"""Where a block's memories lie: random kernels keep what they hold, and pieces of a loop share."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from compiler import ir
from compiler.codegen.ptx.shared_memory import packed
from compiler.ir import F32, I32, Add, Const, Expr, Mul, Variable
from compiler.ir.stmts import Allocate, Barrier, Block, For, IfThenElse, Kernel, Stmt, Store
from tests.codegen import ptx_kernels as kernels
from tests.codegen.kernels import int32
from tests.codegen.ptx_kernels import THREADS, at, memory, number, row

from .running import launch
from .text import PtxError

OWN = kernels.THREAD["x"]
PLACES = (OWN, ir.Sub(int32(THREADS - 1), OWN))
"""Of a thread's element: two memories with different ones show who lies where."""
COUNTS = (0, 1, 3)
"""Values of the parameters that say how often loops run; a condition holds where it is 1."""


@dataclass
class Program:
    """A kernel out of random statements, and what it leaves."""

    random: random.Random
    count: int = 0
    stores: int = 0
    turns: dict[str, Expr] = field(default_factory=dict)

    def made(self) -> Stmt:
        return self.block(3, ())

    def block(self, depth: int, names: Sequence[str]) -> Stmt:
        return Block(tuple(self.stmts(depth, names)))

    def stmts(self, depth: int, names: Sequence[str]) -> Iterator[Stmt]:
        for _ in range(self.random.randint(2, 4)):
            yield from self.one(depth, names)

    def one(self, depth: int, names: Sequence[str]) -> Iterator[Stmt]:
        kinds = ["barrier", "use", "use", *["memory", "memory", "loop", "loop", "if"] * (depth > 0)]
        kind = self.random.choice(kinds)
        if kind == "barrier":
            yield Barrier()
        elif kind == "use" and names:
            name = self.random.choice(names)
            if self.random.random() < 0.5:
                yield self.written(name)
            else:
                yield self.read(name)
        elif kind == "memory":
            name = f"m{self.count}"
            self.count += 1
            self.turns[name] = self.random.choice(PLACES)
            inside = Block((self.written(name), self.block(depth - 1, (*names, name))))
            yield Allocate(name, F32, int32(THREADS), inside, "shared")
        elif kind in ("loop", "if"):
            body = self.block(depth - 1, names)
            count = Variable(self.random.choice(("n0", "n1", "n3")), I32)
            if kind == "if":
                yield IfThenElse(ir.EQ(count, int32(1)), body, self.block(depth - 1, names))
            else:
                yield For(f"i{self.random.random()}", int32(0), count, "serial", body)

    def written(self, name: str) -> Stmt:
        self.stores += 1
        return Store(name, Const(F32, self.stores), self.turns[name])

    def read(self, name: str) -> Stmt:
        self.stores += 1
        place = Add(Mul(int32(self.stores), int32(THREADS)), OWN)
        return Store("out", Add(at(name, self.turns[name]), Const(F32, self.stores)), place)


def expected(stmt: Stmt, out: np.ndarray, held: dict[str, float], place: int) -> int:
    """Runs the statements in order, with each memory apart; the place of the next read."""
    match stmt:
        case Block(stmts):
            for part in stmts:
                expected(part, out, held, place)
        case Allocate(body=body):
            expected(body, out, held, place)
        case For(extent=Variable(name=name), body=body):
            for _ in range(int(name[1:])):
                expected(body, out, held, place)
        case IfThenElse(ir.EQ(a=Variable(name=name)), then, otherwise):
            chosen = then if name == "n1" else otherwise
            assert chosen is not None
            expected(chosen, out, held, place)
        case Store("out", Add(a=ir.Load(array=source), b=Const(value=value))):
            out[int(value)] = held[source] + value
        case Store(name, Const(value=value)):
            held[name] = value
    return place


def program(seed: int) -> tuple[Kernel, Stmt, int]:
    made = Program(random.Random(seed))
    body = made.made()
    numbers = [number(f"n{count}", I32) for count in COUNTS]
    kernel = row("k", body, *numbers, memory("out", F32, True))
    return kernel, body, made.stores + 1


def check(seed: int) -> tuple[int, int]:
    """How many memories the kernel has, and of how many it has the place."""
    kernel, body, rows = program(seed)
    names = {p.name for p in kernel.parameters}
    assert names == {"n0", "n1", "n3", "out"}
    out, wanted = np.full(rows * THREADS, -1, np.float32), np.full(rows, -1, np.float32)
    expected(body, wanted, {}, 0)
    launch(kernel, 1, *(np.int32(n) for n in COUNTS), out, filled=["out"])
    np.testing.assert_array_equal(out.reshape(rows, THREADS), wanted[:, None].repeat(THREADS, 1))
    packing = packed(kernel)
    return len(packing.places), packing.size // (4 * THREADS)


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(40, 1000, 40))]
)
def test_random_kernels_keep_what_they_hold(first: int) -> None:
    made = [check(seed) for seed in range(first, first + 40)]
    assert sum(count for count, _ in made) > sum(places for _, places in made)


def pieces(waits_at_end: bool, sizes: Sequence[int] = (1, 1, 1, 1)) -> Kernel:
    """Two pieces of one loop, each iteration of which hands a memory to another one; the memories
    have so many elements a thread."""
    loops = []
    for piece in range(2):
        first, second = f"first{piece}", f"second{piece}"
        parts = (
            Store(first, at("a", OWN), OWN), Barrier(),
            Store(second, Add(at(first, PLACES[1]), Const(F32, 1)), OWN), Barrier(),
            Store("out", at(second, PLACES[1]), OWN), *[Barrier()] * waits_at_end,
        )  # fmt: skip
        body: Stmt = Block(parts)
        for name, size in zip((first, second), sizes[2 * piece :], strict=False):
            body = Allocate(name, F32, int32(size * THREADS), body, "shared")
        loops.append(For(f"i{piece}", int32(0), Variable("n3", I32), "serial", body))
    parameters = memory("a", F32), number("n3", I32), memory("out", F32, True)
    return row("k", Block(tuple(loops)), *parameters)


LARGE_BESIDE = (1, 2, 2, 1)
"""Of the memory that is read at the end of the first piece, and of that written in the next one."""


@pytest.mark.parametrize(
    ("waits_at_end", "sizes", "most"),
    [(False, (1, 1, 1, 1), 2), (True, (1, 1, 1, 1), 2), (False, LARGE_BESIDE, 4),
     (True, LARGE_BESIDE, 3)],
)  # fmt: skip
@pytest.mark.parametrize("steps", (0, 1, 3))
def test_pieces_of_a_loop_share_their_places(
    waits_at_end: bool, sizes: Sequence[int], most: int, steps: int
) -> None:
    kernel = pieces(waits_at_end, sizes)
    assert packed(kernel).size <= most * 4 * THREADS
    a, out = np.arange(THREADS, dtype=np.float32), np.zeros(THREADS, np.float32)
    launch(kernel, 1, a, np.int32(steps), out, filled=["out"])
    np.testing.assert_array_equal(out, a + 1 if steps else 0 * a)


def test_the_end_of_a_piece_meets_the_beginning_of_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("compiler.codegen.ptx.shared_memory._Lives._meet", lambda *_: frozenset())
    a, out = np.arange(THREADS, dtype=np.float32), np.zeros(THREADS, np.float32)
    with pytest.raises(PtxError):
        launch(pieces(False, LARGE_BESIDE), 1, a, np.int32(2), out, filled=["out"])
