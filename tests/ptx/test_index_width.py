"""Kernels with indices of 32 bits, and of 64: they compute the same, and launches take the right
one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from compiler import ir
from compiler.codegen.builder import FunctionBuilder, ModuleBuilder, i64
from compiler.codegen.narrow_indices import MARGIN, MOST_OFFSET
from compiler.codegen.ptx import (
    INDEX_WIDTHS,
    IndexWidth,
    gpu_target,
    index_numbers,
    index_width,
    kernel_ptx,
    kernel_symbol,
    takes_narrow,
)
from compiler.codegen.ptx.index_width import MOST_BLOCKS, MOST_ELEMENTS, MOST_NUMBER
from compiler.ir import I32, U8, Add, Expr, Min, Mul, Ramp, Sub, Variable
from compiler.ir.stmts import For, IfThenElse, Kernel, LetStmt, Store
from tests.codegen import ptx_kernels as kernels
from tests.codegen.kernels import int32
from tests.codegen.ptx_kernels import POINT, THREADS, at, memory, number, row

from .memory import Sparse
from .running import launch
from .text import PtxError, entries

BOTH = pytest.mark.parametrize("width", INDEX_WIDTHS)
PITCH = Variable("pitch", I32)
OWN = kernels.THREAD["x"]
LARGE = 1 << 31


def bytes_(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, count, np.uint8)


def of_row(row: int, index: Expr = OWN) -> Kernel:
    """out[i] = a[index + row * pitch]."""
    place = Add(index, Mul(int32(row), PITCH))
    return kernels.row(
        "k", Store("out", at("a", place, U8), OWN), memory("a", U8), memory("out", U8, True),
        number("pitch"),
    )  # fmt: skip


def rows_of(pitch: int, count: int) -> Sparse:
    return Sparse(tuple((y * pitch, bytes_(THREADS, y)) for y in range(count)))


def width_of(kernel: Kernel, memories: Sequence[int], *numbers: int, blocks: int = 1) -> IndexWidth:
    assert len(index_numbers(kernel)) == len(numbers)
    return index_width(memories, numbers, blocks)


def test_rows_far_apart_are_told_apart_by_64_bits() -> None:
    pitch, kernel = MOST_NUMBER, of_row(9)
    a = rows_of(pitch, 10)
    assert a.elements > LARGE
    assert width_of(kernel, (a.elements, THREADS), pitch) == 64
    out = np.zeros(THREADS, np.uint8)
    launch(kernel, 1, a, out, np.int32(pitch), width=64)
    assert np.array_equal(out, bytes_(THREADS, 9))
    with pytest.raises(PtxError, match=r"is left|outside of all"):
        launch(kernel, 1, a, out, np.int32(pitch), width=32)


@BOTH
@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_memories_of_32_bits(sign: int, width: IndexWidth) -> None:
    """The last element that there may be, and constants that lead there from outside."""
    pitch = (MOST_ELEMENTS - THREADS) // 8
    first = MOST_ELEMENTS - THREADS - 8 * pitch
    place: Expr = Add(OWN, int32(first))
    if sign < 0:
        place = Sub(Add(OWN, Mul(PITCH, int32(16))), int32(THREADS - 1 + first))
    kernel = of_row(-8 if sign < 0 else 8, place)
    last = bytes_(THREADS)
    here = (8 * pitch - THREADS + 1 - first) if sign < 0 else (MOST_ELEMENTS - THREADS)
    a = Sparse(((0, bytes_(4)), (here, last)))
    assert width_of(kernel, (MOST_ELEMENTS, THREADS), pitch) == 32
    out = np.zeros(THREADS, np.uint8)
    launch(kernel, 1, a, out, np.int32(pitch), width=width)
    assert np.array_equal(out, last)


@BOTH
@pytest.mark.parametrize("offset", [MOST_OFFSET, MOST_OFFSET + 1, 1 << 30])
def test_what_a_constant_leads_back_to(offset: int, width: IndexWidth) -> None:
    """The rest of the index lies outside of the memory, behind it or before it."""
    for sign in (1, -1):
        base = MOST_ELEMENTS - THREADS + offset if sign > 0 else -offset
        high, low = divmod(base, 1 << 8)
        far = Add(Mul(PITCH, int32(1 << 8)), int32(low))
        place = Sub(Add(OWN, far), int32(sign * offset))
        kernel = of_row(0, place)
        last = bytes_(THREADS)
        a = Sparse(((base - sign * offset, last), (1 << 32, last)))
        out = np.zeros(THREADS, np.uint8)
        launch(kernel, 1, a, out, np.int32(high), width=width)
        assert np.array_equal(out, last)


@BOTH
def test_lanes_that_are_off_may_lie_outside(width: IndexWidth) -> None:
    lanes = 16
    first = Add(Add(Mul(PITCH, int32(16)), Mul(OWN, int32(lanes))), int32(8))
    index = Ramp(first, int32(1), lanes)
    begin = MOST_ELEMENTS - lanes // 2
    on = ir.LT(Ramp(Mul(OWN, int32(lanes)), int32(1), lanes),
               ir.Broadcast(int32(lanes // 2), lanes))  # fmt: skip
    value = ir.Load("a", (index,), U8.with_lanes(lanes), on)
    own = Ramp(Mul(OWN, int32(lanes)), int32(1), lanes)
    kernel = row("k", Store("out", value, own), memory("a", U8), memory("out", U8, True),
                 number("pitch"))  # fmt: skip
    last = bytes_(lanes // 2)
    a = Sparse(((0, last), (begin, last)))
    out = np.zeros(THREADS * lanes, np.uint8)
    launch(kernel, 1, a, out, np.int32(begin // 16), width=width)
    assert np.array_equal(out, np.append(last, np.zeros(len(out) - len(last), np.uint8)))


@BOTH
@pytest.mark.parametrize("factor", [1, 8, 16, 64])
def test_extremes_look_at_whole_numbers(factor: int, width: IndexWidth) -> None:
    """A product that has more than 32 bits isn't taken for its low ones."""
    for make, sign in ((Min, 1), (ir.Max, -1)):
        far = Mul(PITCH, int32(sign * factor))
        place = Add(OWN, make(far, int32(sign * 100)))
        kernel = of_row(0, Add(place, int32(100)))
        a, out = bytes_(200 + THREADS), np.zeros(THREADS, np.uint8)
        launch(kernel, 1, a, out, np.int32(MOST_NUMBER), width=width)
        there = 100 + sign * 100
        assert np.array_equal(out, a[there : there + THREADS])


@BOTH
def test_loops_run_as_often_as_whole_numbers_say(width: IndexWidth) -> None:
    far = Mul(PITCH, int32(16))
    step = Variable("step", I32)
    total = Store("out", Add(at("out", OWN, U8), at("a", Add(step, OWN), U8)), OWN)
    for first, count in ((int32(0), ir.Max(Sub(far, Variable("less", ir.I32)), int32(3))),
                         (Sub(Min(far, int32(7)), int32(4)), int32(5))):  # fmt: skip
        kernel = row(
            "k", For("step", first, Min(count, int32(6)), "serial", total), memory("a", U8),
            memory("out", U8, True), number("pitch"), number("less"),
        )  # fmt: skip
        begin, steps = (0, 6) if first is int32(0) else (3, 5)
        a, out = bytes_(THREADS + 20), np.zeros(THREADS, np.uint8)
        less = np.int32(7)
        launch(kernel, 1, a, out, np.int32(MOST_NUMBER), less, width=width, filled=["out"])
        windows = np.lib.stride_tricks.sliding_window_view(a[begin:], steps)[:THREADS]
        assert np.array_equal(out, windows.sum(1, dtype=np.uint8))


@BOTH
def test_loops_begin_where_whole_numbers_say(width: IndexWidth) -> None:
    """From 2**32 on, and never, if that many are missing."""
    far = Mul(PITCH, int32(16))
    step = Variable("step", I32)
    place = Add(Min(step, int32(3)), OWN)
    total = Store("out", Add(at("out", OWN, U8), at("a", place, U8)), OWN)
    for count, times in ((int32(2), 2), (Sub(int32(5), far), 0)):
        kernel = row("k", For("step", far, count, "serial", total), memory("a", U8),
                     memory("out", U8, True), number("pitch"))  # fmt: skip
        a, out = bytes_(THREADS + 20), np.zeros(THREADS, np.uint8)
        launch(kernel, 1, a, out, np.int32(MOST_NUMBER), width=width, filled=["out"])
        assert np.array_equal(out, np.uint8(times) * a[3 : 3 + THREADS])


@BOTH
def test_what_a_name_stands_for_is_whole(width: IndexWidth) -> None:
    far = Variable("far", I32)
    place = Add(OWN, Min(far, int32(9)))
    body = LetStmt("far", Mul(PITCH, int32(16)), Store("out", at("a", place, U8), OWN))
    kernel = row("k", body, memory("a", U8), memory("out", U8, True), number("pitch"))
    a, out = bytes_(THREADS + 9), np.zeros(THREADS, np.uint8)
    launch(kernel, 1, a, out, np.int32(MOST_NUMBER), width=width)
    assert np.array_equal(out, a[9:])


def test_how_wide_a_launch_is() -> None:
    most = (MOST_ELEMENTS, 5)
    assert index_width(most, (MOST_NUMBER, -MOST_NUMBER), MOST_BLOCKS) == 32
    assert index_width((), (), 1) == 32
    for elements, numbers, blocks in (
        ((5, MOST_ELEMENTS + 1), (), 1),
        (most, (0, MOST_NUMBER + 1), 1),
        (most, (-MOST_NUMBER - 1,), 1),
        (most, (), MOST_BLOCKS + 1),
    ):
        assert index_width(elements, numbers, blocks) == 64
    # All indices are below it, less a constant, and with lanes that are off.
    assert MOST_ELEMENTS + MOST_OFFSET + 1024 <= LARGE and MARGIN <= 1 << 16


@pytest.mark.parametrize(
    ("elements", "number", "blocks"),
    [(MOST_ELEMENTS + e, sign * (MOST_NUMBER + n), MOST_BLOCKS + b)
     for e in (0, 1) for n in (0, 1) for b in (0, 1) for sign in (1, -1)],
)  # fmt: skip
def test_code_of_the_host_says_the_same(elements: int, number: int, blocks: int) -> None:
    from compiler.codegen.optimise import linked
    from compiler.codegen.target import llvm_binding

    target = gpu_target(75)
    module = ModuleBuilder("m", target)
    f = FunctionBuilder(module, "define i1 @f()")
    f.ret(takes_narrow(f, [i64(elements)], [i64(number)], i64(blocks)))
    f.finish()
    machine, llvm = target.machine(level=2), llvm_binding()
    made = linked((str(module),), target, machine)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    builder.getModulePassManager().run(made, builder)
    is_narrow = index_width((elements,), (number,), blocks) == 32
    assert f"ret i1 {str(is_narrow).lower()}" in str(made)


def test_indices_of_threads_have_32_bits() -> None:
    """One product and one sum lead to an address; neighbours are told apart by constants."""
    kernel = kernels.stencil()
    narrow = entries(kernel_ptx(kernel))[kernel_symbol(kernel)]
    wide = entries(kernel_ptx(kernel, widths=(64,)))[kernel_symbol(kernel, 64)]
    for words in (("mul", "lo", "s64"), ("min", "s64"), ("max", "s64"), ("shl", "b64")):
        assert not [step for step in narrow.code if step.opcode == words]
    assert len(narrow.code) < 0.9 * len(wide.code)
    below = IfThenElse(ir.LT(POINT, kernels.WIDTH), Store("out", at("a", POINT), POINT))
    copy = row("k", below, memory("a", ir.F32), memory("out", ir.F32, True), number("width"))
    wide_steps = [s for s in entries(kernel_ptx(copy))["k"].code if s.opcode[-1] in ("s64", "b64")]
    assert sorted(s.opcode[0] for s in wide_steps) == ["add", "add", "ld", "ld"]
