"""Kernels of GPUs built by hand, for tests of PTX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from compiler import ir
from compiler.ir import (
    F32,
    I32,
    U8,
    U32,
    Add,
    Broadcast,
    Cast,
    Const,
    Expr,
    Load,
    Mul,
    Ramp,
    Type,
    Variable,
)
from compiler.ir.stmts import (
    Allocate,
    Atomic,
    Barrier,
    Block,
    For,
    IfThenElse,
    Kernel,
    KernelParameter,
    LetStmt,
    Stmt,
    Store,
)

from .kernels import int32

ONE = int32(1)
BLOCK = {d: Variable(f"block.{d}", I32) for d in "xyz"}
THREAD = {d: Variable(f"thread.{d}", I32) for d in "xyz"}
THREADS = 64
POINT = Add(Mul(BLOCK["x"], int32(THREADS)), THREAD["x"])
"""Of a row of blocks of `THREADS` threads, which thread it is."""
WIDTH = Variable("width", I32)
HEIGHT = Variable("height", I32)
TILE = 16


def memory(name: str, type: Type, written: bool = False, multiple_of: int = 1) -> KernelParameter:
    return KernelParameter(name, type, True, written, multiple_of)


def number(name: str, type: Type = I32, multiple_of: int = 1) -> KernelParameter:
    return KernelParameter(name, type, multiple_of=multiple_of)


def dense(lanes: int, point: Expr = POINT) -> Expr:
    """The elements of a thread that has `lanes` of them in a row."""
    return Ramp(Mul(point, int32(lanes)), ONE, lanes) if lanes > 1 else point


def at(name: str, index: Expr, type: Type = F32) -> Expr:
    return Load(name, (index,), type.with_lanes(index.type.lanes))


def splat(value: int | float, type: Type, lanes: int) -> Expr:
    constant = Const(type, value)
    return Broadcast(constant, lanes) if lanes > 1 else constant


def row(name: str, body: Stmt, *parameters: KernelParameter, threads: int = THREADS) -> Kernel:
    return Kernel(name, parameters, (int32(threads), ONE, ONE), body)


def elementwise(
    make: Callable[..., Expr],
    inputs: list[Type],
    output: Type,
    lanes: int = 1,
    multiple_of: int = 1,
    name: str = "elementwise",
) -> Kernel:
    """out[j] = make(a[j], b[j], ...), `lanes` elements a thread, without a check of the end."""
    loads = [at(n, dense(lanes), t) for n, t in zip("abcd", inputs, strict=False)]
    return row(
        name,
        Store("out", make(*loads), dense(lanes)),
        *(memory(n, t, False, multiple_of) for n, t in zip("abcd", inputs, strict=False)),
        memory("out", output, True, multiple_of),
    )


def streaming_add() -> Kernel:
    """out[i] = a[i] * b[i] + a[i] for i < width."""
    total = Add(Mul(at("a", POINT), at("b", POINT)), at("a", POINT))
    body = IfThenElse(ir.LT(POINT, WIDTH), Store("out", total, POINT))
    return row(
        "streaming.add", body, memory("a", F32), memory("b", F32), memory("out", F32, True),
        number("width"),
    )  # fmt: skip


def transposition(pad: int = 1) -> Kernel:
    """Tiles of 16 by 16 from rows to columns by way of shared memory."""
    pitch = int32(TILE + pad)
    x, y = (Add(Mul(BLOCK[d], int32(TILE)), THREAD[d]) for d in "xy")
    across = Add(Mul(BLOCK["y"], int32(TILE)), THREAD["x"])
    down = Add(Mul(BLOCK["x"], int32(TILE)), THREAD["y"])
    here = Add(Mul(THREAD["y"], pitch), THREAD["x"])
    there = Add(Mul(THREAD["x"], pitch), THREAD["y"])
    body = Block((
        Store("tile", at("a", Add(Mul(y, WIDTH), x)), here),
        Barrier(),
        Store("out", at("tile", there), Add(Mul(down, HEIGHT), across)),
    ))  # fmt: skip
    return Kernel(
        "transposition",
        (memory("a", F32), memory("out", F32, True), number("width"), number("height")),
        (int32(TILE), int32(TILE), ONE),
        Allocate("tile", F32, int32(TILE * (TILE + pad)), body, "shared"),
    )


def stencil() -> Kernel:
    """The weighted sum of 3 by 3 neighbours of width - 2 by height - 2 points, through a tile of
    shared memory with a border, which the threads fill in a loop."""
    side = TILE + 2
    x0, y0 = (Mul(BLOCK[d], int32(TILE)) for d in "xy")
    mine = Add(Mul(THREAD["y"], int32(TILE)), THREAD["x"])
    step = Variable("step", I32)
    place = Add(Mul(step, int32(TILE * TILE)), mine)
    x = ir.Min(Add(x0, ir.Mod(place, int32(side))), ir.Sub(WIDTH, ONE))
    y = ir.Min(Add(y0, ir.Div(place, int32(side))), ir.Sub(HEIGHT, ONE))
    fill = For(
        "step", int32(0), int32(-(-side * side // (TILE * TILE))), "serial",
        IfThenElse(
            ir.LT(place, int32(side * side)),
            Store("tile", at("a", Add(Mul(y, WIDTH), x)), place),
        ),
    )  # fmt: skip
    total: Expr = Const(F32, 0)
    for dy in range(3):
        for dx in range(3):
            there = Add(Mul(Add(THREAD["y"], int32(dy)), int32(side)), Add(THREAD["x"], int32(dx)))
            total = Add(total, Mul(at("tile", there), Const(F32, (1 + dx) / (2 + dy))))
    out_x, out_y = Add(x0, THREAD["x"]), Add(y0, THREAD["y"])
    inner = ir.Sub(WIDTH, int32(2))
    inside = ir.And(ir.LT(out_x, inner), ir.LT(out_y, ir.Sub(HEIGHT, int32(2))))
    write = IfThenElse(inside, Store("out", total, Add(Mul(out_y, inner), out_x)))
    return Kernel(
        "stencil",
        (memory("a", F32), memory("out", F32, True), number("width"), number("height")),
        (int32(TILE), int32(TILE), ONE),
        Allocate("tile", F32, int32(side * side), Block((fill, Barrier(), write)), "shared"),
    )


def histogram() -> Kernel:
    """out[a[i]] += 1 for i < width, first in the block's own memory."""
    bin = Cast(I32, at("a", POINT, U8))
    step = Variable("step", I32)
    own = Add(Mul(step, int32(THREADS)), THREAD["x"])

    def each(stmt: Stmt) -> Stmt:
        return For("step", int32(0), int32(256 // THREADS), "unrolled", stmt)

    def count(name: str, place: Expr, by: Expr) -> Stmt:
        return Atomic(name, Store(name, Add(at(name, place, U32), by), place))

    body = Block((
        each(Store("bins", Const(U32, 0), own)),
        Barrier(),
        IfThenElse(ir.LT(POINT, WIDTH), count("bins", bin, Const(U32, 1))),
        Barrier(),
        each(count("out", own, at("bins", own, U32))),
    ))  # fmt: skip
    return row(
        "histogram", Allocate("bins", U32, int32(256), body, "shared"),
        memory("a", U8), memory("out", U32, True), number("width"),
    )  # fmt: skip


def in_registers() -> Kernel:
    """A window of 8 elements of a thread's own, filled by one loop and summed by another."""
    step = Variable("step", I32)
    fill = Store("window", at("a", Add(POINT, step)), step)
    sum = Store("total", Add(at("total", int32(0)), Mul(at("window", step), at("window", step))),
                int32(0))  # fmt: skip
    body = Block((
        For("step", int32(0), int32(8), "unrolled", fill),
        Store("total", Const(F32, 0), int32(0)),
        For("step", int32(0), int32(8), "unrolled", sum),
        Store("out", at("total", int32(0)), POINT),
    ))  # fmt: skip
    window = Allocate("window", F32, int32(8), Allocate("total", F32, ONE, body), "register")
    return row("in.registers", window, memory("a", F32), memory("out", F32, True))


def exchange(device: bool, barrier: bool = True) -> Kernel:
    """Threads of a block hand on numbers by the device's memory."""
    neighbour = Add(Mul(BLOCK["x"], int32(THREADS)), ir.Sub(int32(THREADS - 1), THREAD["x"]))
    parts = (
        Store("between", Add(at("a", POINT), Const(F32, 1)), POINT),
        *((Barrier(device),) if barrier else ()),
        LetStmt("got", at("between", neighbour),
                Store("out", Mul(Variable("got", F32), Const(F32, 3)), POINT)),
    )  # fmt: skip
    return row(
        "exchange", Block(parts), memory("a", F32), memory("between", F32, True),
        memory("out", F32, True),
    )  # fmt: skip


def reread(memory_kind: str = "shared", device: bool = False) -> Kernel:
    """Each thread reads a place of common memory before and after its neighbour writes it."""
    own: Expr = THREAD["x"] if memory_kind == "shared" else POINT
    block = int32(0) if memory_kind == "shared" else Mul(BLOCK["x"], int32(THREADS))
    other = Add(block, ir.Sub(int32(THREADS - 1), THREAD["x"]))
    meet = Barrier(device)
    body: Stmt = Block((
        Store("common", at("a", POINT), own),
        meet,
        LetStmt("before", at("common", other), Block((
            meet,
            Store("common", Add(at("common", own), Const(F32, 1)), own),
            meet,
            Store("out", ir.Sub(at("common", other), Variable("before", F32)), POINT),
        ))),
    ))  # fmt: skip
    if memory_kind == "shared":
        body = Allocate("common", F32, int32(THREADS), body, "shared")
        return row("reread", body, memory("a", F32), memory("out", F32, True))
    common = memory("common", F32, True)
    return row("reread", body, memory("a", F32), common, memory("out", F32, True))


def chain(barriers: Sequence[int] = (0, 1, 2, 3), in_loop: bool = False) -> Kernel:
    """Hands rows of 64 numbers on, turned round each time, by four memories of a block; without
    the barriers that are not in `barriers`."""
    own, other = THREAD["x"], ir.Sub(int32(THREADS - 1), THREAD["x"])
    names = ("a", "f0", "f1", "f2", "f3", "out")
    parts: list[Stmt] = []
    for number, (source, target) in enumerate(pairwise(names)):
        value = at(source, POINT if source == "a" else other)
        parts.append(Store(target, Add(value, Const(F32, 1)), POINT if target == "out" else own))
        parts += [Barrier()] if number in barriers else []
    body: Stmt = Block(tuple(parts))
    if in_loop:
        body = For("i", int32(0), int32(1), "serial", body)
    for name in names[1:-1]:
        body = Allocate(name, F32, int32(THREADS), body, "shared")
    return row("chain", body, memory("a", F32), memory("out", F32, True))


def masked(lanes: int = 4) -> Kernel:
    """Each thread copies those of its elements that lie before `width`, bytes."""
    index = dense(lanes)
    on = ir.LT(index, Broadcast(WIDTH, lanes))
    value = Load("a", (index,), U8.with_lanes(lanes), on)
    return row(
        "masked", Store("out", Add(value, splat(3, U8, lanes)), index, on),
        memory("a", U8), memory("out", U8, True), number("width"),
    )  # fmt: skip
