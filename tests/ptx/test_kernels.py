"""Whole kernels by hand: their PTX computes what numpy does, and their mistakes are found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from compiler import ir
from compiler.codegen.ptx import kernel_ptx
from compiler.codegen.ptx.shared_memory import packed
from compiler.ir import F32, F64, I32, U8, U32, Add, Cast, Const, Expr, Load, Mul, Ramp, Type
from compiler.ir.stmt_transform import children_of
from compiler.ir.stmts import (
    Allocate,
    Atomic,
    Barrier,
    Block,
    For,
    IfThenElse,
    Kernel,
    LetStmt,
    Stmt,
    Store,
)
from tests.codegen import ptx_kernels as kernels
from tests.codegen.kernels import int32
from tests.codegen.ptx_kernels import POINT, THREADS, at, dense, memory, number, row

from .running import launch
from .text import PtxError

CAPABILITIES = pytest.mark.parametrize("capability", [61, 75, 90])


def floats(*shape: int) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


def bytes_(count: int) -> np.ndarray:
    return np.random.default_rng(count).integers(0, 256, count, dtype=np.uint8)


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 300])
def test_streaming_add(size: int) -> None:
    a, b, out = floats(size), floats(size), np.zeros(size, np.float32)
    launch(kernels.streaming_add(), 5, a, b, out, np.int32(size))
    assert np.array_equal(out, a * b + a)


@CAPABILITIES
def test_transposition(capability: int) -> None:
    a, out = floats(48, 32), np.zeros((32, 48), np.float32)
    sizes = (np.int32(32), np.int32(48))
    counts = launch(kernels.transposition(), (2, 3, 1), a, out, *sizes, capability=capability)
    assert np.array_equal(out, a.T)
    assert counts.barriers == 1


def test_traffic_of_the_transposition() -> None:
    """Rows of 16 floats are two sectors, for the elements that are read and those written."""
    a, out = floats(48, 32), np.zeros((32, 48), np.float32)
    sizes = (np.int32(32), np.int32(48))
    counts = launch(kernels.transposition(), (2, 3, 1), a, out, *sizes)
    assert (counts.sectors_read, counts.sectors_written) == (48 * 32 // 8, 48 * 32 // 8)
    # A warp has two rows of 17, or two columns: one place is in the bank of another.
    assert (counts.shared_requests, counts.shared_passes) == (96, 2 * 96)
    unpadded = launch(kernels.transposition(pad=0), (2, 3, 1), a, out, *sizes)
    # Every second element of a column is in one bank.
    assert (unpadded.shared_requests, unpadded.shared_passes) == (96, 48 + 8 * 48)


def test_traffic_of_vectors() -> None:
    """Four elements a thread: as many sectors as there is memory, one turn for 8 lanes."""
    own = Ramp(Mul(kernels.THREAD["x"], int32(4)), int32(1), 4)
    body = Block((
        Store("tile", at("a", dense(4)), own),
        Barrier(),
        Store("out", at("tile", own), dense(4)),
    ))  # fmt: skip
    kernel = row("k", Allocate("tile", F32, int32(4 * THREADS), body, "shared"),
                 memory("a", F32, False, 16), memory("out", F32, True, 16))  # fmt: skip
    a, out = floats(8 * THREADS), floats(8 * THREADS)
    counts = launch(kernel, 2, a, out)
    assert np.array_equal(a, out)
    assert counts.sectors_read == counts.sectors_written == len(a) // 8
    assert counts.shared_requests == counts.shared_passes == 2 * len(a) // 32


def sums_of_neighbours(a: np.ndarray) -> np.ndarray:
    height, width = a.shape
    total = np.zeros((height - 2, width - 2), np.float32)
    for dy in range(3):
        for dx in range(3):
            factor = np.float32((1 + dx) / (2 + dy))
            total = total + a[dy : dy + height - 2, dx : dx + width - 2] * factor
    return total


@pytest.mark.parametrize("shape", [(3, 3), (18, 18), (37, 45), (34, 3)])
def test_stencil(shape: tuple[int, int]) -> None:
    height, width = shape
    a, out = floats(*shape), np.zeros((height - 2, width - 2), np.float32)
    blocks = (-(-(width - 2) // 16), -(-(height - 2) // 16), 1)
    launch(kernels.stencil(), blocks, a, out, np.int32(width), np.int32(height))
    assert np.array_equal(out, sums_of_neighbours(a))


@pytest.mark.sampled
@CAPABILITIES
@pytest.mark.parametrize("size", [0, 1, 500])
def test_histogram(size: int, capability: int) -> None:
    a, out = bytes_(size), np.zeros(256, np.uint32)
    launch(kernels.histogram(), 8, a, out, np.int32(size), capability=capability, filled=["out"])
    assert np.array_equal(out, np.bincount(a, minlength=256))


@pytest.mark.parametrize("size", [0, 1, 4, 250, 256])
def test_masked_bytes(size: int) -> None:
    a, out = bytes_(size), np.zeros(size, np.uint8)
    launch(kernels.masked(), 1, a, out, np.int32(size))
    assert np.array_equal(out, a + np.uint8(3))


def test_windows_in_registers() -> None:
    a, out = floats(3 * THREADS + 7), np.zeros(3 * THREADS, np.float32)
    launch(kernels.in_registers(), 3, a, out)
    expected = np.zeros_like(out)
    for step in range(8):
        part = a[step : step + len(out)]
        expected = expected + part * part
    assert np.array_equal(out, expected)


def test_numbers_by_way_of_the_devices_memory() -> None:
    a, between, out = floats(128), floats(128), floats(128)
    launch(kernels.exchange(device=True), 2, a, between, out)
    there = a.reshape(2, THREADS)[:, ::-1] + np.float32(1)
    assert np.array_equal(out.reshape(2, THREADS), there * np.float32(3))


@pytest.mark.parametrize("where", ["shared", "global"])
def test_what_a_neighbour_wrote_is_read_again(where: str) -> None:
    a, common, out = floats(128), floats(128), floats(128)
    kernel = kernels.reread(where, device=where == "global")
    launch(kernel, 2, *((a, out) if where == "shared" else (a, common, out)))
    there = a.reshape(2, THREADS)[:, ::-1]
    assert np.array_equal(out.reshape(2, THREADS), (there + np.float32(1)) - there)


@pytest.mark.sampled
@pytest.mark.parametrize("lanes", [2, 4])
@pytest.mark.parametrize("type", [F32, U8, ir.I16, F64], ids=str)
def test_vectors_at_aligned_addresses(type: Type, lanes: int) -> None:
    kernel = kernels.elementwise(Add, [type, type], type, lanes, multiple_of=lanes * type.bytes)
    a, b = (bytes_(n).astype(ir.dtype_of(type))[: lanes * THREADS] for n in (256, 257))
    out = np.zeros_like(a)
    launch(kernel, 1, a, b, out)
    assert np.array_equal(out, a + b)
    with pytest.raises(PtxError, match=r"no multiple of \d+ in (ld|st)\.global"):
        launch(kernel, 1, a, b, out, offsets={1: type.bytes})
    anywhere = kernels.elementwise(Add, [type, type], type, lanes)
    launch(anywhere, 1, a, b, out, offsets={1: type.bytes})


def strided(stride: int, lanes: int = 4) -> Kernel:
    """out[i] = a[i * stride] + a[i * stride + 1], and every second element of `two`."""
    first = Mul(POINT, int32(lanes * stride))
    ramps = [Ramp(Add(first, int32(n)), int32(stride), lanes) for n in range(2)]
    total = Add(at("a", ramps[0]), at("a", ramps[1]))
    apart = Ramp(Mul(POINT, int32(2 * lanes)), int32(2), lanes)
    stores = Block((Store("out", total, dense(lanes)), Store("two", total, apart)))
    return row("k", stores, memory("a", F32), memory("out", F32, True), memory("two", F32, True))


@pytest.mark.parametrize("stride", [-1, 0, 1, 2, 3, 4, 7])
def test_vectors_of_elements_apart(stride: int) -> None:
    if stride < 1:
        backwards = Ramp(Add(Mul(POINT, int32(4)), int32(3 if stride else 0)), int32(stride), 4)
        kernel = row("k", Store("out", at("a", backwards), dense(4)), memory("a", F32),
                     memory("out", F32, True))  # fmt: skip
        a, out = floats(4 * THREADS), np.zeros(4 * THREADS, np.float32)
        launch(kernel, 1, a, out)
        rows = a.reshape(-1, 4)
        expected = rows[:, ::-1] if stride else np.repeat(rows[:, :1], 4, 1)
        assert np.array_equal(out.reshape(-1, 4), expected)
        return
    count = 4 * THREADS
    a, out, two = floats(count * stride + 1), np.zeros(count, np.float32), floats(2 * count)
    before = two.copy()
    launch(strided(stride), 1, a, out, two, filled=["two"])
    expected = a[: count * stride : stride] + a[1 : count * stride + 1 : stride]
    assert np.array_equal(out, expected)
    assert np.array_equal(two[::2], expected)
    assert np.array_equal(two[1::2], before[1::2])


def test_vectors_of_any_elements() -> None:
    index = at("index", dense(4), I32)
    table = Load("a", (Cast(I32.with_lanes(4), at("bytes", dense(4), U8)),), F32.with_lanes(4))
    stores = Block((
        Store("out", Add(Load("a", (index,), F32.with_lanes(4)), table), dense(4)),
        Store("there", at("a", dense(4)), index),
    ))  # fmt: skip
    kernel = row("k", stores, memory("a", F32), memory("index", I32), memory("bytes", U8),
                 memory("out", F32, True), memory("there", F32, True))  # fmt: skip
    count = 4 * THREADS
    a, indices = floats(count), np.random.default_rng(2).permutation(count).astype(np.int32)
    out, there, places = floats(count), floats(count), bytes_(count)
    launch(kernel, 1, a, indices, places, out, there)
    assert np.array_equal(out, a[indices] + a[places])
    assert np.array_equal(there[indices], a)


def test_elements_at_half_the_distance() -> None:
    half = ir.Div(dense(4), ir.Broadcast(int32(2), 4))
    kernel = row("k", Store("out", at("a", half), dense(4)), memory("a", F32),
                 memory("out", F32, True))  # fmt: skip
    a, out = floats(2 * THREADS), np.zeros(4 * THREADS, np.float32)
    launch(kernel, 1, a, out)
    assert np.array_equal(out, np.repeat(a, 2))


def test_three_stores_that_lie_between_each_other() -> None:
    stores = tuple(
        Store("out", Mul(at("a", dense(4)), kernels.splat(n + 1, F32, 4)),
              Ramp(Add(Mul(POINT, int32(12)), int32(n)), int32(3), 4))
        for n in range(3)
    )  # fmt: skip
    kernel = row("k", Block(stores), memory("a", F32), memory("out", F32, True))
    a, out = floats(4 * THREADS), np.zeros(12 * THREADS, np.float32)
    launch(kernel, 1, a, out)
    assert np.array_equal(out.reshape(-1, 3), np.outer(a, np.arange(1, 4)).astype(np.float32))


def loop_with_barriers(names: tuple[str, ...] = ("first", "second")) -> Kernel:
    """Turns each of `width` rows of 64 elements round by way of shared memory."""
    step = ir.Variable("step", I32)
    own = kernels.THREAD["x"]
    place = Add(Mul(step, int32(THREADS)), own)
    body = Block((
        Store("tile", at("a", place), own),
        *((Barrier(),) if "first" in names else ()),
        Store("out", at("tile", ir.Sub(int32(63), own)), place),
        *((Barrier(),) if "second" in names else ()),
    ))  # fmt: skip
    loop = For("step", int32(0), ir.Variable("width", I32), "serial", body)
    return row(
        "k", Allocate("tile", F32, int32(THREADS), loop, "shared"), memory("a", F32),
        memory("out", F32, True), number("width"),
    )  # fmt: skip


@pytest.mark.parametrize("rows", [0, 1, 2, 5])
def test_a_loop_with_barriers(rows: int) -> None:
    a, out = floats(rows, THREADS), np.zeros((rows, THREADS), np.float32)
    counts = launch(loop_with_barriers(), 1, a, out, np.int32(rows))
    assert np.array_equal(out, a[:, ::-1])
    assert counts.barriers == 2 * rows


@pytest.mark.parametrize("left", [("first",), ("second",), ()])
def test_each_barrier_of_the_loop_is_needed(left: tuple[str, ...]) -> None:
    a, out = floats(3, THREADS), np.zeros((3, THREADS), np.float32)
    with pytest.raises(PtxError, match=r"race|nobody wrote|before it is written"):
        launch(loop_with_barriers(left), 1, a, out, np.int32(3))


def without(stmt: Stmt, number: int) -> Stmt:
    """`stmt` without its barrier of that number."""
    left = [number]

    def visit(node: Stmt) -> Stmt:
        if isinstance(node, Barrier):
            left[0] -= 1
            return Block(()) if left[0] < 0 <= left[0] + 1 else node
        children = tuple(map(visit, children_of(node)))
        match node:
            case Block():
                return Block(children)
            case For() | Allocate() | LetStmt() | Atomic():
                return replace(node, body=children[0])
        return node

    return visit(stmt)


GRIDS: dict[str, tuple[Callable[[], Kernel], int, Callable[[Kernel], None]]] = {
    "transposition": (
        kernels.transposition, 1,
        lambda kernel: _launch(kernel, (2, 3, 1), floats(48, 32), floats(32, 48), 32, 48),
    ),
    "stencil": (
        kernels.stencil, 1,
        lambda kernel: _launch(kernel, (2, 2, 1), floats(34, 34), floats(32, 32), 34, 34),
    ),
    "histogram": (
        kernels.histogram, 2,
        lambda kernel: _launch(kernel, (4, 1, 1), bytes_(256), np.zeros(256, np.uint32), 256),
    ),
    "reread": (
        kernels.reread, 3, lambda kernel: _launch(kernel, (2, 1, 1), floats(128), floats(128)),
    ),
    "exchange": (
        lambda: kernels.exchange(device=True), 1,
        lambda kernel: _launch(kernel, (2, 1, 1), floats(128), floats(128), floats(128)),
    ),
}  # fmt: skip


def _launch(kernel: Kernel, blocks: tuple[int, int, int], *given: np.ndarray | int) -> None:
    arguments = [np.int32(g) if isinstance(g, int) else g for g in given]
    launch(kernel, blocks, *arguments, filled=["out"] if kernel.name == "histogram" else [])


@pytest.mark.parametrize(
    ("name", "number"), [(name, n) for name, (_, count, _) in GRIDS.items() for n in range(count)]
)
def test_each_barrier_is_needed(name: str, number: int) -> None:
    make, _, start = GRIDS[name]
    kernel = make()
    start(kernel)
    with pytest.raises(PtxError, match=r"race|nobody wrote"):
        start(replace(kernel, body=without(kernel.body, number)))


def test_updates_that_are_not_atomic_are_a_race() -> None:
    count = Store("out", Add(at("out", int32(0), U32), Const(U32, 1)), int32(0))
    parameters = (memory("out", U32, True),)
    out = np.zeros(1, np.uint32)
    launch(row("k", Atomic("out", count), *parameters), 2, out, filled=["out"])
    assert out[0] == 2 * THREADS
    with pytest.raises(PtxError, match="race"):
        launch(row("k", count, *parameters), 2, out, filled=["out"])


@pytest.mark.parametrize(
    ("type", "make"),
    [(U8, Add), (F32, Add), (F32, ir.Max), (U32, Mul), (ir.I16, ir.Min), (F64, Add), (I32, ir.Sub),
     (ir.U64, ir.BitXor), (ir.BOOL, ir.Or), (ir.Float(16), Add)],
    ids=str,
)  # fmt: skip
@pytest.mark.sampled(every=4)
@CAPABILITIES
def test_atomic_updates(type: Type, make: Callable[[Expr, Expr], Expr], capability: int) -> None:
    """Of numbers small enough that the order of sums plays no part.

    Numbers of 8 and 16 bits are tried in the 32 around them, which are first read as they are.
    """
    bin = ir.Mod(POINT, int32(8))
    update = Store("out", make(at("out", bin, type), at("a", POINT, type)), bin)
    parameters = (memory("a", type), memory("out", type, True))
    kernel = row("k", Atomic("out", update), *parameters, threads=16)
    dtype = ir.dtype_of(type)
    random = np.random.default_rng(4)
    a = random.integers(0, 2 if type.is_bool else 5, 2 * THREADS).astype(dtype)
    out, expected = np.ones(8, dtype), np.ones(8, dtype)
    narrow = type.bits < 32
    launch(kernel, 2, a, out, capability=capability, filled=["out"], reads_are_atomic=narrow)
    x, y = ir.Variable("x", type), ir.Variable("y", type)
    for place in (*range(16), *range(THREADS, THREADS + 16)):
        given = {"x": expected[place % 8], "y": a[place]}
        expected[place % 8] = ir.evaluate(make(x, y), given)
    assert np.array_equal(out, expected)


def test_subnormal_numbers_are_added_in_global_memory() -> None:
    update = Store("out", Add(at("out", int32(0)), at("a", POINT)), int32(0))
    parameters = (memory("a", F32), memory("out", F32, True))
    kernel = row("k", Atomic("out", update), *parameters, threads=8)
    a, out = np.full(8, 1e-44, np.float32), np.zeros(1, np.float32)
    launch(kernel, 1, a, out, filled=["out"])
    assert out[0] == np.float32(1e-44) * 8
    with pytest.raises(PtxError, match="subnormal"):
        launch(kernel, 1, a, out, filled=["out"], contracts_floats=True)


def test_memories_of_different_times() -> None:
    a, out = floats(128), floats(128)
    launch(kernels.chain(), 2, a, out)
    expected = a.reshape(2, THREADS)
    for turn in (1, -1, -1, -1, -1):
        expected = expected[:, ::turn] + np.float32(1)
    assert np.array_equal(out.reshape(2, THREADS), expected)


def handed_on(count: int, in_loop: bool, last: bool) -> Kernel:
    """As `kernels.chain`, three times by `count` memories that are allocated in the loop, or
    around it; with a barrier at the end of each iteration if `last`."""
    own, other = kernels.THREAD["x"], ir.Sub(int32(THREADS - 1), kernels.THREAD["x"])
    step = Add(POINT, Mul(ir.Variable("i", I32), int32(THREADS)))
    names = ("a", *(f"f{n}" for n in range(count)), "out")
    parts: list[Stmt] = []
    for source, target in pairwise(names):
        value = Add(at(source, step if source == "a" else other), Const(F32, 1))
        parts.append(Store(target, value, step if target == "out" else own))
        parts += [Barrier()] if target != "out" or last else []
    body: Stmt = Block(tuple(parts))
    for inside in (True, False):
        if inside == in_loop:
            for name in names[1:-1]:
                body = Allocate(name, F32, int32(THREADS), body, "shared")
        if inside:
            body = For("i", int32(0), int32(3), "serial", body)
    return row("handed_on", body, memory("a", F32), memory("out", F32, True))


@pytest.mark.parametrize(
    ("count", "in_loop", "last", "pieces"),
    [(3, True, False, 3), (3, True, True, 2), (4, True, False, 2), (4, False, True, 4),
     (1, True, True, 1), (2, True, True, 2)],
)  # fmt: skip
def test_memories_of_an_iteration(count: int, in_loop: bool, last: bool, pieces: int) -> None:
    """Those of one kernel's whole time keep what they hold, for all that is known."""
    kernel = handed_on(count, in_loop, last or count == 1)
    assert packed(kernel).size == 4 * THREADS * pieces
    a, out = floats(3 * THREADS), floats(3 * THREADS)
    launch(kernel, 1, a, out)
    expected = a.reshape(3, THREADS)
    for turn in (1, *[-1] * count):
        expected = expected[:, ::turn] + np.float32(1)
    assert np.array_equal(out.reshape(3, THREADS), expected)


def test_dynamic_shared_memory() -> None:
    own = kernels.THREAD["x"]
    body = Block((
        Store("small", at("a", POINT), own),
        Store("large", Mul(at("a", POINT), Const(F32, 2)), own),
        Barrier(),
        Store("out", Add(at("small", ir.Sub(int32(63), own)), at("large", own)), POINT),
    ))  # fmt: skip
    tiles = Allocate("small", F32, int32(64), Allocate("large", F32, int32(14000), body, "shared"),
                     "shared")  # fmt: skip
    a, out = floats(128), floats(128)
    launch(row("k", tiles, memory("a", F32), memory("out", F32, True)), 2, a, out, capability=80)
    turned = a.reshape(2, THREADS)[:, ::-1].ravel()
    assert np.array_equal(out, turned + a * np.float32(2))


def test_numbers_and_conditions_as_arguments() -> None:
    scaled = Mul(at("a", POINT), ir.Variable("scale", F32))
    chosen = ir.Select(ir.Variable("on", ir.BOOL), scaled, at("a", POINT))
    kernel = row("k", Store("out", chosen, POINT), memory("a", F32), memory("out", F32, True),
                 number("scale", F32), number("on", ir.BOOL))  # fmt: skip
    a, out = floats(THREADS), floats(THREADS)
    for on in (0, 1):
        launch(kernel, 1, a, out, np.float32(3), np.uint8(on))
        assert np.array_equal(out, a * np.float32(3) if on else a)


def test_what_lies_outside_of_the_block_is_not_touched() -> None:
    """A kernel that reads one element too many, or writes one."""
    for shift, end in ((1, 0), (0, 1)):
        value = at("a", Add(POINT, int32(shift)))
        kernel = row("k", Store("out", value, Add(POINT, int32(end))), memory("a", F32),
                     memory("out", F32, True))  # fmt: skip
        with pytest.raises(PtxError, match=r"argument \d is left"):
            launch(kernel, 1, floats(THREADS), floats(THREADS))


OWN = kernels.THREAD["x"]
WAYS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "idx": lambda lane: (7 - lane) % 32,
    "down": lambda lane: np.where(lane + 5 < 32, lane + 5, lane),
    "up": lambda lane: np.where(lane - 3 >= 0, lane - 3, lane),
    "bfly": lambda lane: lane ^ 12,
}
LANES_ASKED: dict[str, Expr] = {
    "idx": ir.Sub(int32(7), OWN),
    "down": Add(OWN, int32(5)),
    "up": ir.Sub(OWN, int32(3)),
    "bfly": ir.BitXor(OWN, int32(12)),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("type", [U8, F32, F64, ir.Float(16), ir.I64], ids=str)
def test_shuffles(way: str, type: Type) -> None:
    """Each of two warps; lanes that aren't there have the own value here."""
    value = ir.Call("shuffle", (at("a", POINT, type), LANES_ASKED[way]), type, "shuffle")
    kernel = row("k", Store("out", value, POINT), memory("a", type), memory("out", type, True))
    a = bytes_(2 * THREADS).astype(ir.dtype_of(type))
    out = np.zeros_like(a)
    launch(kernel, 2, a, out)
    lane = np.arange(2 * THREADS)
    assert np.array_equal(out, a[lane // 32 * 32 + WAYS[way](lane % 32)])
    text = kernel_ptx(kernel)
    assert f"shfl.sync.{way}.b32" in text


def test_a_shuffle_that_half_a_warp_comes_to() -> None:
    value = ir.Call("shuffle", (at("a", POINT), ir.BitXor(OWN, int32(1))), F32, "shuffle")
    store = IfThenElse(ir.LT(at("a", POINT), Const(F32, 0)), Store("out", value, POINT))
    kernel = row("k", store, memory("a", F32), memory("out", F32, True))
    with pytest.raises(PtxError, match="torn apart"):
        launch(kernel, 1, floats(THREADS), floats(THREADS))


@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.parametrize("type", [U8, ir.I8, ir.I16, ir.U16], ids=str)
def test_extremes_of_narrow_numbers(type: Type, lanes: int) -> None:
    kernel = kernels.elementwise(
        lambda a, b: ir.Sub(ir.Max(a, b), ir.Min(a, b)), [type, type], type, lanes
    )
    dtype = ir.dtype_of(type)
    a, b = (bytes_(2 * n).view(dtype)[: lanes * THREADS] for n in (512, 513))
    out = np.zeros_like(a)
    launch(kernel, 1, a, b, out)
    assert np.array_equal(out, np.maximum(a, b) - np.minimum(a, b))
