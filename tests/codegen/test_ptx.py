"""PTX of kernels: what a person would have written, and what NVIDIA's assembler makes of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from compiler import ir
from compiler.codegen.ptx import (
    CAPABILITIES,
    dynamic_shared_bytes,
    kernel_ptx,
    kernel_symbol,
    kernels_ptx,
)
from compiler.ir import F32, F64, I32, U8, U32, Add, Cast, Const, Expr, Mul, Variable
from compiler.ir.stmts import Allocate, Atomic, Barrier, Block, For, Kernel, Store

from . import ptx_kernels as kernels
from .kernels import int32
from .ptx_kernels import POINT, THREADS, at, dense, elementwise, memory, number, row, splat
from .ptxas import ASSEMBLED_FOR, NEEDS_PTXAS, usage

ALL: dict[str, Callable[[], Kernel]] = {
    "streaming add": kernels.streaming_add,
    "transposition": kernels.transposition,
    "stencil": kernels.stencil,
    "histogram": kernels.histogram,
    "registers": kernels.in_registers,
    "masked bytes": kernels.masked,
    "exchange": lambda: kernels.exchange(device=True),
    "division": lambda: elementwise(ir.Div, [I32, I32], I32),
    "bytes": lambda: elementwise(ir.Mul, [U8, U8], U8, lanes=16, multiple_of=16),
    "doubles": lambda: elementwise(ir.Div, [F64, F64], F64),
}


def count(text: str, instruction: str) -> int:
    """How often `instruction` stands in the text, with whatever follows its name."""
    return len(re.findall(rf"^\s*(?:@!?%p\d+ +)?{re.escape(instruction)}", text, re.MULTILINE))


@NEEDS_PTXAS
@pytest.mark.parametrize("name", ALL)
def test_kernels_assemble_without_local_memory(name: str) -> None:
    kernel = ALL[name]()
    text = kernel_ptx(kernel)
    for capability in ASSEMBLED_FOR:
        found = usage(text, capability)[kernel_symbol(kernel)]
        assert (found.spilled, found.stack) == (0, 0)
        assert found.registers <= 40


@NEEDS_PTXAS
@pytest.mark.slow
@pytest.mark.parametrize("capability", [c for c in CAPABILITIES if c >= 75])
def test_each_generation_has_its_own_text(capability: int) -> None:
    every = [kernel() for kernel in ALL.values()]
    named = [replace(kernel, name=f"k{n}") for n, kernel in enumerate(every)]
    text = kernels_ptx(named, capability)
    assert f".target sm_{min(capability, 90)}" in text
    assert len(usage(text, capability)) == 2 * len(ALL)


@pytest.mark.slow
@pytest.mark.parametrize("capability", [c for c in CAPABILITIES if c < 75])
def test_generations_that_ptxas_has_forgotten_have_text(capability: int) -> None:
    for kernel in ALL.values():
        assert f".target sm_{capability}" in kernel_ptx(kernel(), capability)


def test_what_is_read_alone_goes_by_the_path_for_constants() -> None:
    text = kernel_ptx(kernels.streaming_add())
    assert count(text, "ld.global.nc.b32") == 2
    assert count(text, "ld.global.b32") == 0
    assert count(text, "st.global.b32") == 1


def test_what_is_written_too_does_not() -> None:
    sum = Add(at("out", POINT), at("a", POINT))
    text = kernel_ptx(
        row("k", Store("out", sum, POINT), memory("a", F32), memory("out", F32, True))
    )
    assert (count(text, "ld.global.nc"), count(text, "ld.global.b32")) == (1, 1)


def test_what_may_lie_in_the_place_of_an_output_is_not_read_as_a_constant() -> None:
    kernel = elementwise(ir.Add, [F32, F32], F32)
    text = kernel_ptx(kernel, in_place=[("b", "out")])
    assert (count(text, "ld.global.nc"), count(text, "ld.global.b32")) == (1, 1)


def test_the_number_of_threads_is_told() -> None:
    assert ".maxntid 64, 1, 1" in kernel_ptx(kernels.streaming_add())
    assert ".maxntid 16, 16, 1" in kernel_ptx(kernels.transposition())
    open_ = replace(kernels.streaming_add(), threads=(Variable("width", I32), int32(1), int32(1)))
    assert ".maxntid 1024, 1, 1" in kernel_ptx(open_)


def test_sixteen_bytes_go_at_once() -> None:
    text = kernel_ptx(elementwise(ir.Add, [F32, F32], F32, lanes=4, multiple_of=16))
    assert count(text, "ld.global.nc.v4.b32") == 2
    assert count(text, "st.global.v4.b32") == 1
    text = kernel_ptx(elementwise(ir.Add, [U8, U8], U8, lanes=16, multiple_of=16))
    assert count(text, "ld.global.nc.v4.b32") == 2
    assert count(text, "st.global.v4.b32") == 1


def test_elements_at_any_address_go_one_by_one() -> None:
    text = kernel_ptx(elementwise(ir.Add, [F32, F32], F32, lanes=4))
    assert (count(text, "ld.global.nc.v"), count(text, "ld.global.nc.b32")) == (0, 8)
    assert (count(text, "st.global.v"), count(text, "st.global.b32")) == (0, 4)


def plane(multiple_of: int) -> str:
    pitch = number("pitch", multiple_of=multiple_of)
    index = Add(Mul(kernels.BLOCK["y"], Variable("pitch", I32)), Mul(POINT, int32(4)))
    ramp = ir.Ramp(index, int32(1), 4)
    return kernel_ptx(
        row("k", Store("out", at("a", ramp), ramp), memory("a", F32, multiple_of=16),
            memory("out", F32, True, multiple_of=16), pitch)
    )  # fmt: skip


def test_rows_are_read_at_once_where_their_distance_is_known_to_be_a_multiple() -> None:
    assert count(plane(4), "ld.global.nc.v4.b32") == 1
    assert count(plane(2), "ld.global.nc.v2.b32") == 2
    assert count(plane(1), "ld.global.nc.v") == 0


def test_a_tile_is_in_shared_memory_and_read_after_the_barrier() -> None:
    kernel = kernels.transposition()
    text = kernel_ptx(kernel)
    assert count(text, "st.shared.b32") == count(text, "ld.shared.b32") == 1
    assert count(text, "bar.sync") == 1
    assert text.index("st.shared") < text.index("bar.sync") < text.index("ld.shared")
    assert count(text, "fence") == 0
    assert dynamic_shared_bytes(kernel) == 0
    assert re.search(r"\.shared \.align 16 \.b8 \S+\[1088\];", text)


@NEEDS_PTXAS
def test_two_tiles_lie_beside_each_other() -> None:
    body = Block((
        Store("f", at("a", POINT), kernels.THREAD["x"]),
        Store("g", at("a", POINT), kernels.THREAD["x"]),
        Barrier(),
        Store("out", Add(at("f", int32(1)), at("g", int32(2))), POINT),
    ))  # fmt: skip
    tiles = Allocate("f", F32, int32(65), Allocate("g", F32, int32(64), body, "shared"), "shared")
    kernel = row("k", tiles, memory("a", F32), memory("out", F32, True))
    assert usage(kernel_ptx(kernel), 75)["k"].shared == 272 + 256


@NEEDS_PTXAS
def test_memories_of_different_times_lie_in_one_place() -> None:
    def shared(kernel: Kernel) -> int:
        return usage(kernel_ptx(kernel), 75)["chain"].shared // (4 * THREADS)

    assert shared(kernels.chain()) == 2
    # With no barrier between f1 and f2, f0 and f3 are left.
    assert shared(kernels.chain(barriers=(0, 1, 3))) == 3
    assert shared(kernels.chain(barriers=())) == 4
    # In a loop the first may be read again when the last is written.
    assert shared(kernels.chain(in_loop=True)) == 4


def test_a_memory_that_nobody_accesses_lies_in_the_place_of_others() -> None:
    kernel = kernels.transposition()
    both = Allocate("unused", F32, int32(5000), kernel.body, "shared")
    assert ".b8 transposition$shared[20000]" in kernel_ptx(replace(kernel, body=both))


def test_numbers_that_threads_share_stay_in_shared_memory() -> None:
    """Also where all store one constant, of which LLVM would make what is there beforehand."""
    body = Block((
        Store("f", Const(F32, 7), int32(0)),
        Store("g", at("a", int32(0)), int32(0)),
        Barrier(),
        Store("out", Add(at("f", int32(0)), at("g", int32(0))), POINT),
    ))  # fmt: skip
    tiles = Allocate("f", F32, int32(1), Allocate("g", F32, int32(1), body, "shared"), "shared")
    text = kernel_ptx(row("k", tiles, memory("a", F32), memory("out", F32, True)))
    assert count(text, "st.shared.b32") == count(text, "ld.shared.b32") == 2
    assert ".shared .align 16 .b8 k$shared[32];" in text


def test_more_than_48_kilobytes_are_asked_for_at_the_launch() -> None:
    def tile(count: int) -> Kernel:
        fill = Store("tile", at("a", POINT), kernels.THREAD["x"])
        use = Store("out", at("tile", int32(0)), POINT)
        body = Allocate("tile", F32, int32(count), Block((fill, Barrier(), use)), "shared")
        return row("k", body, memory("a", F32), memory("out", F32, True))

    assert dynamic_shared_bytes(tile(12 * 1024)) == 0
    large = tile(12 * 1024 + 1)
    assert dynamic_shared_bytes(large) == 48 * 1024 + 16
    assert re.search(r"\.extern \.shared \.align \d+ \.b8 \S+\[\];", kernel_ptx(large, 80))


def test_a_barrier_for_the_device_is_a_fence_too() -> None:
    text = kernel_ptx(kernels.exchange(device=True))
    assert (count(text, "bar.sync"), count(text, "fence.acq_rel.cta")) == (1, 1)
    assert count(kernel_ptx(kernels.exchange(device=True), 61), "membar.cta") == 1


def test_what_was_read_before_a_barrier_is_read_again_after_it() -> None:
    assert count(kernel_ptx(kernels.reread()), "ld.shared.b32") == 3
    for device in (False, True):
        assert count(kernel_ptx(kernels.reread("global", device)), "ld.global.b32") == 3


def test_a_barrier_in_a_loop_stays_one_for_each_iteration() -> None:
    step = Variable("step", I32)
    place = Add(Mul(step, int32(THREADS)), kernels.THREAD["x"])
    body = Block((
        Store("tile", at("a", place), kernels.THREAD["x"]),
        Barrier(),
        Store("out", at("tile", ir.Sub(int32(63), kernels.THREAD["x"])), place),
        Barrier(),
    ))  # fmt: skip

    def loop(extent: Expr) -> str:
        inner = Allocate("tile", F32, int32(64), For("step", int32(0), extent, "serial", body),
                         "shared")  # fmt: skip
        return kernel_ptx(row("k", inner, memory("a", F32), memory("out", F32, True),
                              number("width")))  # fmt: skip

    assert count(loop(Variable("width", I32)), "bar.sync") == 2
    assert count(loop(int32(3)), "bar.sync") in (2, 6)


def test_floats_are_rounded_after_each_operation() -> None:
    def arithmetic(text: str) -> tuple[int, ...]:
        return tuple(count(text, f"{name}.rn.f32") for name in ("mul", "add", "fma"))

    kernel = elementwise(lambda a, b: Add(Mul(a, b), a), [F32, F32], F32)
    exact, loose = kernel_ptx(kernel), kernel_ptx(kernel, contracts_floats=True)
    assert arithmetic(exact) == (1, 1, 0)
    assert arithmetic(loose) == (0, 0, 1)
    divided = kernel_ptx(elementwise(ir.Div, [F32, F32], F32))
    assert count(divided, "div.rn.f32") == 1
    root = kernel_ptx(elementwise(lambda a: ir.intrinsic("sqrt", a), [F32], F32))
    assert count(root, "sqrt.rn.f32") == 1
    assert ".ftz" not in exact + loose + divided + root


def test_a_strict_float_is_rounded_in_loose_code() -> None:
    def strict(a: Expr, b: Expr) -> Expr:
        return ir.intrinsic("strict_float", Add(Mul(a, b), a))

    text = kernel_ptx(elementwise(strict, [F32, F32], F32), contracts_floats=True)
    assert (count(text, "fma"), count(text, "mul.rn.f32")) == (0, 1)


def atomic(type: ir.Type, make: Callable[[Expr, Expr], Expr], where: str = "out") -> Kernel:
    bin = Cast(I32, at("bins", POINT, U8))
    update = Atomic(where, Store(where, make(at(where, bin, type), at("a", POINT, type)), bin))
    body = Allocate("own", type, int32(256), update, "shared") if where == "own" else update
    return row("k", body, memory("bins", U8), memory("a", type), memory("out", type, True))


@pytest.mark.parametrize(
    ("type", "operation", "instruction"),
    [
        (U32, ir.Add, "atom.global.add.u32"),
        (I32, ir.Max, "atom.global.max.s32"),
        (U32, ir.Min, "atom.global.min.u32"),
        (U32, ir.BitXor, "atom.global.xor.b32"),
        (ir.U64, ir.Add, "atom.global.add.u64"),
        (F64, ir.Add, "atom.global.add.f64"),
    ],
)
def test_atomic_updates_are_instructions(
    type: ir.Type, operation: Callable[..., Expr], instruction: str
) -> None:
    text = kernel_ptx(atomic(type, operation))
    assert (count(text, instruction), count(text, "bra")) == (1, 0)


def test_other_atomic_updates_are_tried_again() -> None:
    for type, make in ((U32, ir.Mul), (U8, ir.Add), (F32, ir.Max)):
        text = kernel_ptx(atomic(type, make))
        assert count(text, "atom.relaxed.gpu.global.cas.b32") == 1, type


def test_float_sums_keep_subnormal_numbers() -> None:
    """The instruction takes them for zero in global memory, not in shared memory."""
    assert count(kernel_ptx(atomic(F32, Add)), "atom.global.add.f32") == 0
    assert count(kernel_ptx(atomic(F32, Add), contracts_floats=True), "atom.global.add.f32") == 1
    assert count(kernel_ptx(atomic(F32, Add, "own")), "atom.shared.add.f32") == 1


def test_a_block_counts_in_its_own_memory() -> None:
    text = kernel_ptx(kernels.histogram())
    assert count(text, "atom.shared.add.u32") == 1
    assert count(text, "atom.global.add.u32") == 4
    assert count(text, "bar.sync") == 2


def test_an_unrolled_array_is_registers() -> None:
    text = kernel_ptx(kernels.in_registers())
    assert ".local" not in text
    assert (count(text, "ld.global.nc"), count(text, "mul.rn.f32")) == (8, 8)


def test_threads_take_branches_that_skip_memory() -> None:
    text = kernel_ptx(kernels.masked())
    assert (count(text, "ld.global.nc.b8"), count(text, "st.global.b8")) == (4, 4)
    assert ".local" not in text


def test_division_by_a_constant_is_a_product() -> None:
    by_seven = elementwise(lambda a: ir.Div(a, splat(7, I32, 1)), [I32], I32)
    assert count(kernel_ptx(by_seven), "div") == 0
    # The four quotients of a vector, and no detour by floats.
    vectors = kernel_ptx(elementwise(ir.Div, [I32, I32], I32, lanes=4))
    assert (count(vectors, "div.s32"), count(vectors, "div.rn")) == (4, 0)


@pytest.mark.parametrize("lanes", [1, 4])
def test_extremes_of_narrow_numbers_are_of_whole_registers(lanes: int) -> None:
    for type, word in ((U8, "u32"), (ir.I16, "s32")):
        for make, name in ((ir.Max, "max"), (ir.Min, "min")):
            text = kernel_ptx(elementwise(make, [type, type], type, lanes))
            assert count(text, f"{name}.{word}") == lanes
            assert not re.search(r"(min|max)\.[us]16", text)


def test_numbers_of_a_kernel_are_parameters() -> None:
    scaled = Mul(at("a", POINT), Variable("scale", F32))
    chosen = ir.Select(Variable("on", ir.BOOL), scaled, at("a", POINT))
    text = kernel_ptx(
        row("k", Store("out", chosen, POINT), memory("a", F32), memory("out", F32, True),
            number("scale", F32), number("on", ir.BOOL))
    )  # fmt: skip
    assert re.findall(r"\.param \.\w(\d+) .*k_param_\d", text) == ["64", "64", "32", "8"]


def test_names_are_those_that_ptx_allows() -> None:
    kernel = replace(kernels.streaming_add(), name="blur.s0$x ü")
    assert kernel_symbol(kernel) == "blur$2e_s0$24_x$20_$fc_"
    assert f".visible .entry {kernel_symbol(kernel)}(" in kernel_ptx(kernel)
    assert kernel_symbol(replace(kernel, name="0")) == "k$0"
    names = ["a.b", "a_b", "a$b", "a$2e_b", "k$0", "0", "WARP_SZ", "k$WARP_SZ"]
    assert len({kernel_symbol(replace(kernel, name=name)) for name in names}) == len(names)


@NEEDS_PTXAS
@pytest.mark.parametrize("name", ["WARP_SZ", "add", "_x", "0", "b32", "f.s0$x ü", "k_param_0"])
def test_names_are_those_that_the_assembler_takes(name: str) -> None:
    kernel = replace(kernels.transposition(), name=name)
    assert kernel_symbol(kernel) in usage(kernel_ptx(kernel), 75)


@NEEDS_PTXAS
def test_several_kernels_are_one_module() -> None:
    first, second = kernels.transposition(), kernels.histogram()
    found = set(usage(kernels_ptx((first, second)), 75))
    assert found == {"transposition", "histogram", "transposition$wide", "histogram$wide"}


def test_the_interval_of_a_reduction_is_dense() -> None:
    total = ir.reduce_lanes("add", at("a", dense(8)), 1)
    kernel = row("k", Store("out", total, POINT), memory("a", F32, multiple_of=16),
                 memory("out", F32, True))  # fmt: skip
    text = kernel_ptx(kernel)
    assert (count(text, "ld.global.nc.v4.b32"), count(text, "add.rn.f32")) == (2, 7)


def test_a_constant_is_no_parameter() -> None:
    text = kernel_ptx(row("k", Store("out", Const(F32, 0.1), POINT), memory("out", F32, True)))
    assert re.search(r"st\.global\.b32 \s*\[%rd\d+\], (0f3DCCCCCD|1036831949)", text)
