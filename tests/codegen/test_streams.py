"""Stores past the caches write what ordinary ones do, wherever a row begins, and in whole lines."""

from __future__ import annotations

import re

import numpy as np
import pytest

import compiler as hl
from compiler import ir
from compiler.codegen import emit
from compiler.ir import (
    F32,
    I32,
    I64,
    U8,
    U16,
    Add,
    Broadcast,
    Cast,
    Expr,
    Load,
    Mul,
    Ramp,
    Type,
    Variable,
    dtype_of,
)
from compiler.ir.stmts import (
    Argument,
    Block,
    For,
    IfThenElse,
    LetStmt,
    LoweredFunction,
    Prefetch,
    Stmt,
    Store,
)
from compiler.runtime import CompiledFunction, compile_in_process

from .kernels import field, int32

X, Y = Variable("x", I32), Variable("y", I32)


def wide(expr: Expr) -> Expr:
    return Cast(I64, expr)


def at(buffer: str, offset: int, lanes: int, factor: int) -> Expr:
    """Element x * factor + offset of row y."""
    row = Mul(wide(Y), wide(field(buffer, "stride", 1)))
    column = Add(Mul(wide(X), ir.Const(I64, factor)), ir.Const(I64, offset))
    base = Add(column, row)
    return base if lanes == 1 else Ramp(base, ir.Const(I64, 1), lanes)


def rows(body: Stmt, type: Type, step: int, kind: str = "parallel") -> LoweredFunction:
    """For each row of `out`: `body` for as many steps of `step` elements as the row has."""
    inner = For("x", int32(0), ir.Div(field("out", "extent"), int32(step)), "serial", body)
    outer = For("y", int32(0), field("out", "extent", 1), kind, inner)  # type: ignore[arg-type]
    args = (Argument("a", type, 2), Argument("out", type, 2, is_output=True))
    return LoweredFunction("f", args, outer, frozenset({"out"}), frozenset({"a"}))


def plus_one(type: Type, lanes: int, offset: int, step: int) -> Store:
    load = Load("a", (at("a", offset, lanes, step),), type.with_lanes(lanes))
    one: Expr = ir.const(1, type)
    value = Add(load, one if lanes == 1 else Broadcast(one, lanes))
    return Store("out", value, at("out", offset, lanes, step))


def misaligned(shape: tuple[int, int], pitch: int, shift: int, dtype: np.dtype) -> np.ndarray:
    """An array with any row pitch that begins `shift` elements after a line's start."""
    memory = np.full(shape[0] * pitch + 200, 77, dtype)
    lead = (-memory.ctypes.data % 64) // memory.itemsize + shift
    strides = (pitch * memory.itemsize, memory.itemsize)
    return np.lib.stride_tricks.as_strided(memory[lead:], shape, strides)


def differs(run: CompiledFunction, type: Type, width: int, pitch: int, shift: int) -> bool:
    rng = np.random.default_rng(width * 1000 + shift)
    dtype = dtype_of(type)
    a = rng.integers(0, 200, (7, width)).astype(dtype)
    around = misaligned((7, pitch), pitch, shift, dtype)
    out = around[:, :width]
    run(a, out)
    untouched = (around[:, width:] == 77).all()
    return bool((out != a + dtype.type(1)).any() or not untouched)


@pytest.mark.parametrize("type", [U8, U16, F32])
def test_any_alignment_of_rows(type: Type) -> None:
    run = compile_in_process(rows(plus_one(type, 16, 0, 16), type, 16))
    for shift in (0, 1, 5, 31):
        for width, pitch in ((16, 17), (48, 48), (4800, 4803), (6400, 6400), (10_000, 10_016)):
            assert not differs(run, type, width, pitch, shift), (shift, width)


def test_an_unrolled_step_is_one_piece() -> None:
    body = Block((plus_one(U16, 32, 32, 64), plus_one(U16, 32, 0, 64)))
    fn = rows(body, U16, 64)
    assert "!nontemporal" in llvm_of(fn)
    assert not differs(compile_in_process(fn), U16, 6400, 6401, 3)


def test_channels_that_fill_each_other_s_gaps() -> None:
    lanes, stores = 16, []
    for channel in range(3):
        base = Add(Mul(wide(X), ir.Const(I64, 48)), ir.Const(I64, channel))
        row = Mul(wide(Y), wide(field("out", "stride", 1)))
        index = Ramp(Add(base, row), ir.Const(I64, 3), lanes)
        load = Load("a", (index,), U8.with_lanes(lanes))
        stores.append(Store("out", Add(load, Broadcast(ir.const(1, U8), lanes)), index))
    fn = rows(Block(tuple(stores)), U8, 48)
    assert "!nontemporal" in llvm_of(fn)
    rng = np.random.default_rng(1)
    a = rng.integers(0, 200, (5, 4800)).astype(np.uint8)
    out = np.zeros_like(a)
    compile_in_process(fn)(a, out)
    assert (out == a + 1).all()


def test_an_index_through_a_let() -> None:
    plain = plus_one(U16, 32, 0, 32)
    assert isinstance(plain.index, Ramp)
    named = Ramp(Variable("t", I64), ir.Const(I64, 1), 32)
    body = LetStmt("t", plain.index.base, Store("out", plain.value, named))
    fn = rows(body, U16, 32)
    assert "!nontemporal" in llvm_of(fn)
    assert not differs(compile_in_process(fn), U16, 3200, 3207, 9)


def planes(apart: Expr) -> LoweredFunction:
    """out(x, y, 0) = a(x, y) + 1 and, `apart` elements behind it, out(x, y, 1) = a(x, y) + 1."""
    first = plus_one(U16, 32, 0, 32)
    assert isinstance(first.index, Ramp)
    behind = Ramp(Add(first.index.base, apart), ir.Const(I64, 1), 32)
    body = Block((first, Store("out", first.value, behind)))
    inner = For("x", int32(0), ir.Div(field("out", "extent"), int32(32)), "serial", body)
    outer = For("y", int32(0), field("out", "extent", 1), "serial", inner)
    args = (Argument("a", U16, 2), Argument("out", U16, 3, is_output=True))
    return LoweredFunction("f", args, outer, frozenset({"out"}), frozenset())


@pytest.mark.parametrize("pitch", [640, 643])
def test_rows_of_several_planes_are_streams_of_their_own(pitch: int) -> None:
    fn = planes(wide(field("out", "stride", 2)))
    assert llvm_of(fn).count("@lift.stream(") == 1 + 2
    a = np.random.default_rng(1).integers(0, 60_000, (5, 640)).astype(np.uint16)
    around = misaligned((10, pitch), pitch, 3, np.dtype(np.uint16)).reshape(2, 5, pitch)
    out = around[:, :, :640]
    compile_in_process(fn)(a, out)
    assert (out == a + 1).all() and (around[:, :, 640:] == 77).all()


@pytest.mark.parametrize("apart", ["column", "by x"])
def test_rows_that_may_meet_are_stored_as_usual(apart: str) -> None:
    distance = wide(field("out", "min", 1))
    if apart == "by x":
        distance = Mul(wide(X), wide(field("out", "stride", 2)))
    assert "!nontemporal" not in llvm_of(planes(distance))


def test_channels_of_an_image_are_streamed() -> None:
    x, y, c = hl.vars("x y c")
    source, f = hl.ImageParam(hl.Float(32), 3), hl.Func("f")
    f[x, y, c] = source[x, y, 0] / source[x, y, c]
    f.bound(c, 0, 3).reorder(c, x, y).unroll(c).vectorize(x, 8).stream_stores()
    image = np.random.default_rng(2).random((3, 9, 203)).astype(np.float32) + 1
    source.set(hl.Buffer(image))
    assert (np.array(f.realize([203, 9, 3])) == image[0] / image).all()
    assert llvm_of(f.lowered("f")).count("@lift.stream(") >= 1 + 3


def llvm_of(fn: LoweredFunction) -> str:
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "f.ll"
        emit(fn, "llvm", path)
        return path.read_text()


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("kind", ["gaps", "condition", "reads itself", "not asked for"])
def test_other_loops_store_as_usual(kind: str) -> None:
    step = 32 if kind == "gaps" else 16
    store = plus_one(U16, 16, 0, step)
    body: Stmt = store
    if kind == "condition":
        body = IfThenElse(ir.LT(X, int32(1000)), store)
    if kind == "reads itself":
        own = Load("out", (store.index,), U16.with_lanes(16))
        body = Store("out", ir.Max(store.value, own), store.index)
    fn = rows(body, U16, step)
    if kind == "not asked for":
        fn = LoweredFunction(fn.name, fn.args, fn.body)
    text = llvm_of(fn)
    assert "!nontemporal" not in text and "sfence" not in text
    if kind in ("condition", "not asked for"):
        assert not differs(compile_in_process(fn), U16, 3200, 3200, 1)


def assembly(fn: LoweredFunction, target: str, tmp_path) -> str:  # type: ignore[no-untyped-def]
    emit(fn, "assembly", tmp_path / "f.s", target)
    return (tmp_path / "f.s").read_text()


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("target", "instruction"),
    [
        ("x86-64", r"movnt(dq|ps)\s+%xmm"),
        ("x86-64-avx2", r"vmovnt(dq|ps)\s+%ymm"),
        ("x86-64-avx512", r"vmovnt(dq|ps)\s+%zmm"),
        ("aarch64", r"stnp\s+q"),
    ],
)
def test_the_stores_are_the_widest_that_pass_the_caches(target, instruction, tmp_path) -> None:  # type: ignore[no-untyped-def]
    text = assembly(rows(plus_one(U16, 32, 0, 32), U16, 32), target, tmp_path)
    assert re.search(instruction, text)
    assert ("sfence" in text) == target.startswith("x86")


def test_streamed_loads_are_asked_for_ahead(tmp_path) -> None:  # type: ignore[no-untyped-def]
    fn = rows(plus_one(U16, 32, 0, 32), U16, 32)
    assert "prefetchnta" in assembly(fn, "x86-64-avx2", tmp_path)
    plain = LoweredFunction(fn.name, fn.args, fn.body)
    assert "prefetch" not in assembly(plain, "x86-64-avx2", tmp_path)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("count", "requests"), [(1, 2), (32, 2), (100, 5)])
def test_a_prefetch_asks_for_each_line(count: int, requests: int, tmp_path) -> None:  # type: ignore[no-untyped-def]
    store = plus_one(U16, 32, 0, 32)
    ask = Prefetch("a", U16, at("a", 512, 1, 32), int32(count))
    fn = rows(Block((ask, store)), U16, 32)
    fn = LoweredFunction(fn.name, fn.args, fn.body)
    assert assembly(fn, "x86-64-avx2", tmp_path).count("prefetcht0") == requests
    assert not differs(compile_in_process(fn), U16, 3200, 3200, 0)


def test_a_prefetch_of_a_number_of_elements_known_late() -> None:
    ask = Prefetch("a", U16, at("a", 0, 1, 0), field("a", "extent"))
    fn = rows(Block((ask, plus_one(U16, 32, 0, 32))), U16, 32)
    assert not differs(compile_in_process(fn), U16, 3200, 3200, 0)


@pytest.mark.slow
def test_a_blur_over_a_ring_of_rows() -> None:
    """What a user writes for a kernel at the limit of the memory: each row once in, once out."""
    x, y, yo, yi = (hl.Var(n) for n in ("x", "y", "yo", "yi"))
    source = hl.ImageParam(hl.UInt(16), 2)
    rows_of, blur = hl.Func("rows_of"), hl.Func("blur")
    rows_of[x, y] = (source[x, y] + source[x + 1, y] + source[x + 2, y]) / 3
    blur[x, y] = (rows_of[x, y] + rows_of[x, y + 1] + rows_of[x, y + 2]) / 3
    blur.split(y, yo, yi, 16).parallel(yo).vectorize(x, 32).stream_stores()
    rows_of.store_at(blur, yo).compute_at(blur, yi).fold_storage(y, 4).vectorize(x, 32)
    assert "!nontemporal" in llvm_of(blur.lowered())
    for width in (1024, 1000, 333):
        image = np.random.default_rng(width).integers(0, 20_000, (52, width + 2)).astype(np.uint16)
        source.set(hl.Buffer(image))
        across = (image[:, :-2] + image[:, 1:-1] + image[:, 2:]) // 3
        expected = (across[:-2] + across[1:-1] + across[2:]) // 3
        assert (np.array(blur.realize([width, 50])) == expected).all()


def test_loads_that_are_streamed_read_the_same() -> None:
    x, y = hl.Var("x"), hl.Var("y")
    source = hl.ImageParam(hl.UInt(8), 2)
    f = hl.Func("f")
    f[x, y] = hl.cast(hl.UInt(8), source[x, y] / 2 + source[x + 1, y] / 2)
    f.vectorize(x, 32).stream_loads()
    image = np.random.default_rng(0).integers(0, 256, (20, 300)).astype(np.uint8)
    source.set(hl.Buffer(image))
    assert f.lowered().stream_loads == {source.name()}
    expected = image[:, :-1] // 2 + image[:, 1:] // 2
    assert (np.array(f.realize([299, 20])) == expected).all()
