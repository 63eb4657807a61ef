"""Loops, memory and checks, on loop nests built by hand."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from compiler import ir
from compiler.codegen import BufferArgument, CodegenError, CompilerRuntimeError
from compiler.ir import I32, U8, U16, Add, Cast, Const, Expr, Load, Mul, Ramp, Sub, Type, Variable
from compiler.ir.stmts import (
    Allocate,
    Argument,
    AssertStmt,
    Block,
    Evaluate,
    For,
    IfThenElse,
    LetStmt,
    LoweredFunction,
    ProducerConsumer,
    Stmt,
    Store,
)  # fmt: skip
from compiler.runtime import compile_in_process, num_threads, set_num_threads

from .kernels import I, elementwise, field, int32, loop, splat


def function(body: Stmt, *inputs: str, type: Type = U8, dimensions: int = 1) -> LoweredFunction:
    arguments = [Argument(n, type, dimensions) for n in inputs]
    return LoweredFunction("f", (*arguments, Argument("out", type, dimensions, True)), body)


def ramp(start: Expr | int, stride: int, lanes: int) -> Expr:
    return Ramp(start if isinstance(start, Expr) else int32(start), int32(stride), lanes)


def load(name: str, index: Expr, type: Type = U8) -> Expr:
    return Load(name, (index,), type.with_lanes(index.type.lanes))


def test_vector_loops_and_their_remainders_write_every_element_once() -> None:
    fn = elementwise("f", {"a": U8}, U8, lambda a: ir.Add(a, splat(1, a.type)), lanes=64)
    run = compile_in_process(fn)
    for size in (0, 1, 63, 64, 65, 1000):
        a = np.arange(size, dtype=np.uint8)
        guarded = np.full(size + 2, 7, np.uint8)
        run(a, guarded[1:-1])
        assert (guarded[1:-1] == a + np.uint8(1)).all()
        assert guarded[0] == 7 and guarded[-1] == 7


def test_two_dimensional_loops_use_mins_and_strides() -> None:
    x, y = Variable("x", I32), Variable("y", I32)

    def at(name: str) -> Expr:
        row = Mul(Sub(y, field(name, "min", 1)), field(name, "stride", 1))
        return Add(Mul(Sub(x, field(name, "min")), field(name, "stride")), row)

    body: Stmt = Store("out", load("a", at("a")), at("out"))
    body = For("x", field("out", "min"), field("out", "extent"), "serial", body)
    body = For("y", field("out", "min", 1), field("out", "extent", 1), "serial", body)
    run = compile_in_process(function(body, "a", dimensions=2))
    a = np.arange(200, dtype=np.uint8).reshape(10, 20)
    out = np.zeros((4, 5), np.uint8)
    run(a, out, mins={"out": (3, 2)})
    assert (out == a[2:6, 3:8]).all()
    run(a[::2, ::-1], out[:, ::-1])
    assert (out[:, ::-1] == a[::2, ::-1][:4, :5]).all()
    run(BufferArgument(a, (0, 0)), BufferArgument(out, (0, 0)))
    assert (out == a[:4, :5]).all()


STRIDES = [1, 2, 3, 4, 5, -1, -2, -3, 0]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("lanes", [8, 16, 64, 24])
@pytest.mark.parametrize("type", [U8, U16, ir.F32], ids=str)
def test_strided_loads_read_exactly_their_elements(lanes: int, type: Type) -> None:
    stores, names, arrays = [], [], []
    for number, stride in enumerate(STRIDES):
        span = abs(stride) * (lanes - 1) + 1
        first = span - 1 if stride < 0 else 0
        value = load(f"a{number}", ramp(first, stride, lanes), type)
        stores.append(Store("out", value, ramp(number * lanes, 1, lanes)))
        names.append(f"a{number}")
        arrays.append(np.arange(span).astype(ir.dtype_of(type)))
    out = np.zeros((len(STRIDES), lanes), ir.dtype_of(type))
    compile_in_process(function(Block(tuple(stores)), *names, type=type))(*arrays, out.reshape(-1))
    for stride, a, row in zip(STRIDES, arrays, out, strict=True):
        first = len(a) - 1 if stride < 0 else 0
        assert (row == a[first + stride * np.arange(lanes)]).all(), stride


def test_strided_loads_do_not_read_past_the_last_element() -> None:
    import mmap

    page = mmap.PAGESIZE
    memory = mmap.mmap(-1, 2 * page)
    guarded = np.frombuffer(memory, np.uint8)
    import ctypes

    start = guarded.ctypes.data
    assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(start + page), page, 0) == 0
    try:
        for stride in (2, 3, 4, -2, -4):
            span = abs(stride) * 63 + 1
            first = span - 1 if stride < 0 else 0
            body = Store("out", load("a", ramp(first, stride, 64)), ramp(0, 1, 64))
            last = guarded[page - span : page]
            out = np.zeros(64, np.uint8)
            compile_in_process(function(body, "a"))(last, out)
            assert (out == last[first + stride * np.arange(64)]).all()
    finally:
        ctypes.CDLL(None).mprotect(ctypes.c_void_p(start + page), page, 3)


@pytest.mark.parametrize("stride", [-1, 2, 3, 4, 7])
def test_strided_stores_touch_only_their_elements(stride: int) -> None:
    span = abs(stride) * 15 + 1
    first = span - 1 if stride < 0 else 0
    body = Store("out", load("a", ramp(0, 1, 16)), ramp(first, stride, 16))
    a = np.arange(100, 116, dtype=np.uint8)
    out = np.full(span, 9, np.uint8)
    compile_in_process(function(body, "a"))(a, out)
    expected = np.full(span, 9, np.uint8)
    expected[first + stride * np.arange(16)] = a
    assert (out == expected).all()


@pytest.mark.parametrize("channels", [2, 3, 4])
@pytest.mark.parametrize("order", ["forward", "backward"])
@pytest.mark.parametrize("type", [U8, U16, ir.F32], ids=str)
def test_interleaved_pixels_are_read_and_written_in_place(
    channels: int, order: str, type: Type
) -> None:
    def channel(c: int) -> Expr:
        return Ramp(Add(Mul(I, int32(16 * channels)), int32(c)), int32(channels), 16)

    stores = [
        Store(
            "out", Add(load("out", channel(c), type), splat(c + 1, type.with_lanes(16))), channel(c)
        )
        for c in range(channels)
    ]
    body = loop(Block(tuple(stores if order == "forward" else reversed(stores))), int32(3))
    pixels = np.arange(48 * channels).astype(ir.dtype_of(type)).reshape(48, channels)
    out = pixels.copy()
    compile_in_process(function(body, type=type))(out.reshape(-1))
    assert (out == pixels + np.arange(1, channels + 1, dtype=out.dtype)).all()


def test_a_store_that_reads_what_its_neighbour_wrote_keeps_its_order() -> None:
    def channel(c: int) -> Expr:
        return ramp(c, 2, 8)

    body = Block((
        Store("out", splat(5, U8.with_lanes(8)), channel(0)),
        Store("out", load("out", channel(0)), channel(1)),
    ))  # fmt: skip
    out = np.zeros(16, np.uint8)
    compile_in_process(function(body))(out)
    assert (out == 5).all()


def test_gathers_and_scatters_follow_their_indices() -> None:
    index = Cast(I32.with_lanes(16), load("a", ramp(0, 1, 16)))
    gather = Store("out", load("lut", index), ramp(0, 1, 16))
    arguments = (Argument("a", U8, 1), Argument("lut", U8, 1), Argument("out", U8, 1, True))
    a = np.random.default_rng(1).permutation(16).astype(np.uint8)
    lut = np.arange(16, dtype=np.uint8) ** 2
    out = np.zeros(16, np.uint8)
    compile_in_process(LoweredFunction("gather", arguments, gather))(a, lut, out)
    assert (out == lut[a]).all()
    scatter = Store("out", load("lut", ramp(0, 1, 16)), index)
    compile_in_process(LoweredFunction("scatter", arguments, scatter))(a, lut, out)
    assert (out[a] == lut).all()


@pytest.mark.parametrize("lanes", [16, 64, 128, 192])
@pytest.mark.parametrize("kind", ["serial", "parallel"])
def test_byte_tables_of_any_size_are_looked_up(lanes: int, kind: str) -> None:
    """A table that is shorter than a byte's range ends where memory may end."""
    at = Ramp(Mul(I, int32(lanes)), int32(1), lanes)
    index = Cast(ir.I64.with_lanes(lanes), load("a", at))
    low = ir.Broadcast(Cast(ir.I64, field("lut", "min")), lanes)
    body = loop(Store("out", load("lut", Sub(index, low)), at), int32(3), kind)
    arguments = (Argument("a", U8, 1), Argument("lut", U8, 1), Argument("out", U8, 1, True))
    run = compile_in_process(LoweredFunction("f", arguments, body))
    for size in (200, 255, 256, 300):
        random = np.random.default_rng(size)
        a = random.integers(0, min(size, 256), 3 * lanes).astype(np.uint8)
        lut = random.integers(0, 256, size).astype(np.uint8)
        out = np.zeros_like(a)
        run(a, lut, out)
        assert (out == lut[a]).all(), size
        a = np.maximum(a, 5)
        run(a, lut[5:], out, mins={"lut": (5,)})
        assert (out == lut[a]).all(), size


@pytest.mark.parametrize("stride", [1, 2, -1])
@pytest.mark.parametrize("limit", [0, 1, 15, 16])
def test_a_predicate_guards_loads_and_stores(stride: int, limit: int) -> None:
    first = 15 if stride < 0 else 0
    predicate = ir.LT(ramp(0, 1, 16), splat(limit, I32.with_lanes(16)))
    body = Store("out", load("a", ramp(first, stride, 16)), ramp(0, 1, 16), predicate)
    a = np.arange(50, 50 + 31, dtype=np.uint8)
    out = np.zeros(16, np.uint8)
    compile_in_process(function(body, "a"))(a, out)
    expected = np.where(np.arange(16) < limit, a[first + stride * np.arange(16)], 0)
    assert (out == expected).all()


def test_booleans_live_in_bytes() -> None:
    bools = ir.BOOL.with_lanes(16)
    body = Store("out", ir.Not(Load("a", (ramp(0, 1, 16),), bools)), ramp(0, 1, 16))
    a = np.arange(16) % 3 == 0
    out = np.zeros(16, bool)
    compile_in_process(function(body, "a", type=ir.BOOL))(a, out)
    assert (out == ~a).all() and set(out.view(np.uint8)) == {0, 1}


@pytest.mark.parametrize("size", [100, 1_000_000])
def test_scratch_memory_on_the_stack_and_on_the_heap(size: int) -> None:
    fill = loop(Store("t", Cast(U8, I), I), int32(size))
    use = loop(Store("out", load("t", Sub(int32(size - 1), I)), I), field("out", "extent"))
    produced = Block((ProducerConsumer("t", True, fill), ProducerConsumer("t", False, use)))
    body = Allocate("t", U8, int32(size), produced)
    out = np.zeros(100, np.uint8)
    compile_in_process(function(body))(out)
    assert (out == np.arange(size - 1, size - 101, -1).astype(np.uint8)).all()


def test_scratch_memory_that_nobody_has_is_an_error_and_not_a_crash() -> None:
    size = Cast(ir.I64, field("out", "extent"))
    huge = Mul(Mul(size, Const(ir.I64, 1 << 40)), Const(ir.I64, 1 << 13))
    body = Allocate("t", U8, huge, Store("t", Const(U8, 1), int32(0)))
    with pytest.raises(CompilerRuntimeError, match="Out of memory"):
        compile_in_process(function(body))(np.zeros(100, np.uint8))


def test_lets_and_conditions() -> None:
    t = Variable("t", I32)
    then = Store("out", Cast(U8, t), I)
    otherwise = IfThenElse(ir.EQ(I, int32(2)), Store("out", Const(U8, 99), I))
    chosen = IfThenElse(ir.GT(I, int32(2)), then, otherwise)
    value = ir.Let("s", Mul(I, I), Add(Variable("s", I32), int32(1)))
    body = loop(Block((Evaluate(I), LetStmt("t", value, chosen))), int32(6))
    out = np.zeros(6, np.uint8)
    compile_in_process(function(body))(out)
    assert out.tolist() == [0, 0, 99, 10, 17, 26]


def checked(kind: str) -> LoweredFunction:
    check = AssertStmt(
        ir.LT(I, int32(500)), "row {} of {} is 100% wrong at {}",
        (I, field("out", "extent"), Const(ir.F32, 0.5)),
    )  # fmt: skip
    body = Allocate("t", U8, field("out", "extent"), loop(
        Block((Store("t", Const(U8, 1), I), check, Store("out", load("t", I), I))),
        field("out", "extent"), kind,
    ))  # fmt: skip
    return function(body)


@pytest.mark.parametrize("kind", ["serial", "parallel"])
def test_a_check_that_fails_raises_its_message(kind: str) -> None:
    run = compile_in_process(checked(kind))
    run(np.zeros(500, np.uint8))
    with pytest.raises(CompilerRuntimeError, match=r"^row \d+ of 900 is 100% wrong at 0.5$"):
        run(np.zeros(900, np.uint8))
    with pytest.raises(RuntimeError):
        run(np.zeros(900, np.uint8))


def heavy(kind: str) -> LoweredFunction:
    """Enough work a row that the pool's threads are worth waking."""
    x = Variable("x", I32)
    mixed = ir.BitXor(Mul(Add(x, I), int32(40503)), Mul(I, int32(9176)))
    index = Add(Mul(I, int32(1000)), x)
    row = For("x", int32(0), int32(1000), "serial", Store("out", Cast(U8, mixed), index))
    return function(loop(row, field("out", "extent"), kind))


@pytest.mark.slow
def test_one_thread_and_many_threads_give_equal_results() -> None:
    serial, parallel = compile_in_process(heavy("serial")), compile_in_process(heavy("parallel"))
    expected = np.zeros(3000 * 1000, np.uint8)
    serial(expected[:3000])
    before = num_threads()
    try:
        for threads in (1, 2, 7):
            set_num_threads(threads)
            for _ in range(20):
                out = np.zeros_like(expected)
                parallel(out[:3000])
                assert (out == expected).all()
    finally:
        set_num_threads(before)


def test_parallel_loops_nest() -> None:
    j = Variable("j", I32)
    index = Add(Mul(I, int32(64)), j)
    inner = For("j", int32(0), int32(64), "parallel", Store("out", Cast(U8, index), index))
    out = np.zeros(64 * 64, np.uint8)
    compile_in_process(function(loop(inner, int32(64), "parallel")))(out)
    assert (out == np.arange(64 * 64).astype(np.uint8)).all()


def test_arguments_that_do_not_fit_are_refused() -> None:
    run = compile_in_process(elementwise("f", {"a": U8}, U8, lambda a: a))
    good = np.zeros(4, np.uint8)
    with pytest.raises(TypeError, match="a holds uint8 elements, not int16"):
        run(np.zeros(4, np.int16), good)
    with pytest.raises(TypeError, match="1 dimensions, not 2"):
        run(np.zeros((4, 4), np.uint8), good)
    with pytest.raises(TypeError, match="takes 2 arguments"):
        run(good)
    with pytest.raises(TypeError, match="takes an array"):
        run([1, 2], good)
    frozen = np.zeros(4, np.uint8)
    frozen.flags.writeable = False
    run(frozen, good)
    with pytest.raises(ValueError, match="read-only"):
        run(good, frozen)


@pytest.mark.parametrize(
    ("type", "value"),
    [(U8, 200), (ir.I64, -(2**40)), (ir.F32, 0.25), (ir.F64, 1e300), (ir.BOOL, True)],
)
def test_scalars_arrive_with_their_type(type: Type, value: float) -> None:
    stored = U8 if type.is_bool else type
    body = Store("out", Cast(stored, Variable("s", type)), int32(0))
    fn = LoweredFunction("f", (Argument("s", type), Argument("out", stored, 1, True)), body)
    out = np.zeros(1, ir.dtype_of(stored))
    compile_in_process(fn)(value, out)
    assert out[0] == value


def test_a_scalar_out_of_range_is_refused() -> None:
    fn = LoweredFunction(
        "f",
        (Argument("s", U8), Argument("out", U8, 1, True)),
        Store("out", Variable("s", U8), int32(0)),
    )
    for value in (256, -1, 0.5):
        with pytest.raises(TypeError, match="takes a uint8"):
            compile_in_process(fn)(value, np.zeros(1, np.uint8))


def test_loop_nests_that_lowering_left_unfinished_are_refused() -> None:
    for body in (
        loop(Store("out", Const(U8, 0), I), int32(4), "vectorized"),
        Store("out", Variable("nowhere", U8), int32(0)),
        Store("elsewhere", Const(U8, 0), int32(0)),
        Store("out", ir.Call("g", (int32(0),), U8, "func"), int32(0)),
    ):
        with pytest.raises(CodegenError):
            compile_in_process(function(body))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_child_has_a_pool_of_its_own() -> None:
    parallel = compile_in_process(heavy("parallel"))
    before = num_threads()
    try:
        set_num_threads(3)
        out = np.zeros(1000 * 1000, np.uint8)
        parallel(out[:1000])
        again = np.zeros_like(out)
        child = os.fork()
        if child == 0:
            signal.alarm(30)
            parallel(again[:1000])
            os._exit(0 if (again == out).all() else 1)
        assert os.waitpid(child, 0)[1] == 0
    finally:
        set_num_threads(before)


def test_threads_of_the_caller_share_the_pool() -> None:
    parallel = compile_in_process(heavy("parallel"))
    before = num_threads()
    try:
        set_num_threads(4)
        outs = [np.zeros(300 * 1000, np.uint8) for _ in range(12)]
        with ThreadPoolExecutor(6) as callers:
            list(callers.map(lambda out: parallel(out[:300]), outs))
        assert all((out == outs[0]).all() for out in outs)
        assert outs[0].any()
    finally:
        set_num_threads(before)
