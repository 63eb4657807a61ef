"""Scratch memory: from the pool, which keeps its pages; on the stack where that is asked for."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from compiler import ir, runtime
from compiler.codegen import CompilerRuntimeError, emit
from compiler.codegen.allocation import FRAME_BYTES, STACK_BYTES
from compiler.ir import I32, I64, U8, Add, Cast, Const, Expr, Load, Mul
from compiler.ir.stmts import Allocate, Argument, Block, LoweredFunction, MemoryKind, Stmt, Store
from compiler.runtime import CompiledFunction, compile_in_process
from tests.codegen.kernels import I, field, int32, loop


def function(body: Stmt) -> LoweredFunction:
    return LoweredFunction("scratch", (Argument("out", I32, 1, is_output=True),), body)


def doubling(size: Expr, memory: MemoryKind = "auto", name: str = "t") -> Stmt:
    """out[i] = 2 * i by way of scratch memory of `size` elements."""
    fill = loop(Store(name, Mul(I, int32(2)), I), field("out", "extent"))
    use = loop(Store("out", Load(name, (I,), I32), I), field("out", "extent"))
    return Allocate(name, I32, size, Block((fill, use)), memory)


def extent() -> Expr:
    return Cast(I64, field("out", "extent"))


def run(compiled: CompiledFunction, count: int) -> None:
    out = np.zeros(count, np.int32)
    compiled(out)
    assert (out == 2 * np.arange(count)).all()


@pytest.fixture(autouse=True)
def empty_pool():  # type: ignore[no-untyped-def]
    runtime.set_memory_limit(-1)
    runtime.release_memory()
    yield
    runtime.set_memory_limit(-1)
    runtime.release_memory()


def test_the_second_call_takes_the_first_one_s_memory() -> None:
    compiled = compile_in_process(function(doubling(extent())))
    assert runtime.held_memory() == 0
    run(compiled, 100_000)
    held = runtime.held_memory()
    assert 400_000 <= held <= 1.3 * 400_000 + 8192
    for _ in range(5):
        run(compiled, 100_000)
        assert runtime.held_memory() == held


@pytest.mark.parametrize("count", [1, 47, 48, 49, 1000, 8191, 8192, 1_048_570, 3_000_001])
def test_every_size_is_as_large_as_it_must_be(count: int) -> None:
    compiled = compile_in_process(function(doubling(extent())))
    for _ in range(2):
        run(compiled, count)


def test_memory_is_given_back_on_request() -> None:
    run(compile_in_process(function(doubling(extent()))), 1_000_000)
    assert runtime.held_memory() >= 4_000_000
    runtime.release_memory()
    assert runtime.held_memory() == 0


def test_the_pool_keeps_no_more_than_its_limit() -> None:
    assert runtime.memory_limit() > 2**28
    runtime.set_memory_limit(3_000_000)
    compiled = compile_in_process(function(doubling(extent())))
    for count in (1000, 100_000, 200_000, 400_000, 5_000_000, 10, 600_000):
        run(compiled, count)
        assert runtime.held_memory() <= 3_000_000
    runtime.set_memory_limit(0)
    run(compiled, 5)
    assert runtime.held_memory() == 0


@pytest.mark.parametrize(("text", "limit"), [("123456", 123456), ("0", 0), ("-5", None)])
def test_the_limit_comes_from_the_environment(
    text: str, limit: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    quarter = runtime.memory_limit()
    monkeypatch.setenv("LIFT_POOL_BYTES", text)
    runtime.set_memory_limit(-1)
    assert runtime.memory_limit() == (quarter if limit is None else limit)


def test_threads_take_each_other_s_memory() -> None:
    compiled = compile_in_process(function(doubling(extent())))
    for _ in range(10):
        caller = threading.Thread(target=run, args=(compiled, 500_000))
        caller.start()
        caller.join()
    assert runtime.held_memory() <= 1.3 * 2_000_000 + 8192


def uses_pool(body: Stmt, tmp_path) -> bool:  # type: ignore[no-untyped-def]
    emit(function(body), "llvm", tmp_path / "f.ll")
    return "lift_allocate" in (tmp_path / "f.ll").read_text()


@pytest.mark.parametrize(
    ("size", "memory", "pool"),
    [
        (STACK_BYTES // 4, "auto", False),
        (STACK_BYTES // 4 + 1, "auto", True),
        (100, "heap", True),
        (STACK_BYTES, "stack", False),
        (64, "register", False),
        (None, "auto", True),
        (None, "stack", True),
    ],
)
def test_where_memory_lies(size: int | None, memory: MemoryKind, pool: bool, tmp_path) -> None:  # type: ignore[no-untyped-def]
    body = doubling(extent() if size is None else Const(I64, size), memory)
    assert uses_pool(body, tmp_path) == pool
    run(compile_in_process(function(body)), 50)


def test_many_small_pieces_do_not_fill_the_stack(tmp_path) -> None:  # type: ignore[no-untyped-def]
    pieces = FRAME_BYTES // STACK_BYTES

    def nested(count: int) -> Stmt:
        body: Stmt = doubling(Const(I64, 60), name="t0")
        for n in range(1, count + 1):
            body = Allocate(f"t{n}", U8, Const(I64, STACK_BYTES), body)
        return body

    assert not uses_pool(nested(pieces - 1), tmp_path)
    assert uses_pool(nested(pieces + 1), tmp_path)


@pytest.mark.parametrize(
    "size",
    [
        Mul(Mul(extent(), Const(I64, 2**40)), Const(I64, 2**20)),
        Mul(Mul(extent(), Const(I64, 2**32)), Const(I64, 2**32)),
        Mul(Mul(extent(), Add(extent(), Const(I64, 2**62))), Const(I64, 4)),
    ],
)
def test_a_size_that_no_number_holds_is_an_error(size: Expr) -> None:
    compiled = compile_in_process(function(doubling(size)))
    with pytest.raises(CompilerRuntimeError, match="Out of memory"):
        compiled(np.zeros(16, np.int32))


def test_a_negative_size_is_no_memory() -> None:
    store = loop(Store("out", Mul(I, int32(2)), I), field("out", "extent"))
    body = Allocate("t", I32, ir.Neg(extent()), store)
    run(compile_in_process(function(body)), 10)
