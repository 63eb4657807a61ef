"""What instruction selection makes gives what the numpy evaluator gives, on every machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from compiler import ir
from compiler.codegen import Target
from compiler.codegen.selection import Selection
from compiler.ir import (
    F32,
    F64,
    I8,
    I16,
    I32,
    U8,
    U16,
    U32,
    Cast,
    Const,
    Expr,
    Load,
    Ramp,
    Type,
    Variable,
    dtype_of,
    evaluate,
    reduce_lanes,
)  # fmt: skip
from compiler.ir.stmts import Argument, Block, For, LoweredFunction, Store
from compiler.runtime import compile_in_process

from .aarch64 import Job, missing, run_jobs
from .kernels import I, all_elementwise, elementwise, field, int32, splat
from .test_operators import pairs

X86 = ["x86-64", "x86-64-avx2", "x86-64-avx512", "x86-64-avx512+avx512vnni"]
ARM = ["aarch64", "aarch64+dotprod+i8mm"]
HOST = Target.host()


def runs_here(target: str) -> bool:
    """Whether this machine has the features that the target names."""
    wanted = Target.parse(target)
    names = [w[1:] for w in wanted.features.split(",") if w.startswith("+")]
    return HOST.is_x86 and all(HOST.has(name) for name in names)


def to(type: Type, e: Expr) -> Expr:
    return Cast(type.with_lanes(e.type.lanes), e)


def with_number(make: Any, e: Expr, number: int | float) -> Expr:
    result: Expr = make(e, splat(number, e.type))
    return result


def clamp(e: Expr, low: int | float, high: int | float) -> Expr:
    return with_number(ir.Max, with_number(ir.Min, e, high), low)


def product(a: Expr, b: Expr) -> Expr:
    return ir.Mul(to(I32, a), to(I32, b))


def saturating_add(wide: Type) -> Callable[[Expr, Expr], Expr]:
    return lambda a, b: to(
        a.type.element, with_number(ir.Min, ir.Add(to(wide, a), to(wide, b)), a.type.element.max)
    )


def saturating_sub(wide: Type) -> Callable[[Expr, Expr], Expr]:
    return lambda a, b: to(a.type.element, with_number(ir.Max, ir.Sub(to(wide, a), to(wide, b)), 0))


def rounded(wide: Type, shift: int) -> Callable[[Expr, Expr], Expr]:
    return lambda a, b: to(
        a.type.element,
        with_number(ir.Shr, with_number(ir.Add, to(wide, a), 1 << (shift - 1)), shift),
    )


def scaled(a: Expr, b: Expr) -> Expr:
    return with_number(ir.Shr, with_number(ir.Add, product(a, b), 1 << 14), 15)


def average(a: Expr, b: Expr) -> Expr:
    return ir.intrinsic("rounding_halving_add", a, b)


INTEGER_KERNELS: dict[str, tuple[Type, Callable[[Expr, Expr], Expr]]] = {
    "saturating_add_u8": (U8, saturating_add(U16)),
    "saturating_add_u8_in_32": (U8, saturating_add(I32)),
    "saturating_add_u16": (U16, saturating_add(U32)),
    "saturating_sub_u8": (U8, saturating_sub(I16)),
    "saturating_sub_u16": (U16, saturating_sub(I32)),
    "rounded_u8": (U8, rounded(U16, 3)),
    "rounded_i8": (I8, rounded(I16, 7)),
    "rounded_i16": (I16, rounded(I32, 4)),
    "rounded_u16": (U16, rounded(U32, 15)),
    "average_in_a_sum_i16": (I16, lambda a, b: ir.Add(average(a, b), a)),
    "average_in_a_sum_u8": (U8, lambda a, b: ir.Sub(average(a, b), b)),
    "average_i32": (I32, average),
    "average_down_i8": (I8, lambda a, b: ir.intrinsic("halving_add", a, b)),
    "average_down_u32": (U32, lambda a, b: ir.intrinsic("halving_add", a, b)),
    "half_difference_u8": (U8, lambda a, b: ir.intrinsic("halving_sub", a, b)),
    "half_difference_i16": (I16, lambda a, b: ir.intrinsic("halving_sub", a, b)),
    "shifted_by_lanes_i8": (
        I8,
        lambda a, b: ir.intrinsic("rounding_shift_right", a, with_number(ir.Mod, b, 8)),
    ),
    "scaled_saturated": (I16, lambda a, b: to(I16, clamp(scaled(a, b), -32768, 32767))),
    "scaled_below": (I16, lambda a, b: to(I16, with_number(ir.Min, scaled(a, b), 32767))),
    "scaled_wrapped": (I16, lambda a, b: to(I16, scaled(a, b))),
    "squares": (I16, lambda a, b: ir.Add(product(a, a), product(b, b))),
    "weighted": (
        I16,
        lambda a, b: ir.Add(
            with_number(ir.Mul, to(I32, a), 77), with_number(ir.Mul, to(I32, b), -32768)
        ),
    ),
    "weighted_bytes": (
        U8,
        lambda a, b: ir.Add(
            with_number(ir.Mul, to(I32, a), 150), with_number(ir.Mul, to(I32, b), -29)
        ),
    ),
    "to_byte": (I32, lambda a, b: to(U8, clamp(ir.BitXor(a, b), 0, 255))),
    "by_seven_i16": (I16, lambda a, b: with_number(ir.Div, a, 7)),
    "by_many_i16": (I16, lambda a, b: with_number(ir.Div, a, 32767)),
    "by_minus_ten_i16": (I16, lambda a, b: with_number(ir.Div, a, -10)),
    "by_seven_i32": (I32, lambda a, b: with_number(ir.Div, a, 7)),
    "by_many_i32": (I32, lambda a, b: with_number(ir.Div, a, 2**31 - 1)),
    "rest_of_641_i32": (I32, lambda a, b: with_number(ir.Mod, a, 641)),
}


def data_for(type: Type) -> tuple[np.ndarray, np.ndarray]:
    if type is I16:
        # Every number once, against extremes and random ones.
        every = np.arange(-32768, 32768, dtype=np.int16)
        random = np.random.default_rng(5).integers(-32768, 32768, 65536, np.int64)
        extremes = np.resize(np.array([-32768, 32767, -1, 0, 1], np.int16), 1 << 12)
        return np.append(every, extremes), np.append(random.astype(np.int16), extremes[::-1])
    return pairs(type)


def kernels_as_functions(
    lanes: int,
) -> list[tuple[LoweredFunction, list[np.ndarray], dict[str, np.ndarray]]]:
    """A function for each type of inputs, the inputs, and what each of its kernels should give."""
    made = []
    for type in dict.fromkeys(type for type, _ in INTEGER_KERNELS.values()):
        a, b = data_for(type)
        outputs, wanted = {}, {}
        for name, (read, make) in INTEGER_KERNELS.items():
            if read is type:
                expr = make(Variable("a", type), Variable("b", type))
                outputs[name] = expr.type, make
                wanted[name] = np.asarray(evaluate(expr, {"a": a, "b": b}))
        fn = all_elementwise("f", {"a": type, "b": type}, outputs, lanes)
        made.append((fn, [a, b], wanted))
    return made


def zeros(wanted: dict[str, np.ndarray]) -> list[np.ndarray]:
    return [np.zeros_like(one) for one in wanted.values()]


def assert_exact(made: list[np.ndarray], wanted: dict[str, np.ndarray]) -> None:
    for (name, right), out in zip(wanted.items(), made, strict=True):
        assert (out == right).all(), name


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("lanes", [64, 24])
@pytest.mark.parametrize("target", X86)
def test_patterns_of_integers_are_exact_on_x86(target: str, lanes: int) -> None:
    if not runs_here(target):
        pytest.skip(f"this machine does not run {target}")
    for fn, inputs, wanted in kernels_as_functions(lanes):
        made = zeros(wanted)
        compile_in_process(fn, target)(*inputs, *made)
        assert_exact(made, wanted)


@pytest.mark.sampled
@pytest.mark.skipif(missing() is not None, reason=f"{missing()}")
@pytest.mark.parametrize("lanes", [32, 24])
def test_patterns_of_integers_are_exact_on_aarch64(lanes: int) -> None:
    cases = kernels_as_functions(lanes)
    got = run_jobs([Job(fn, [*inputs, *zeros(wanted)]) for fn, inputs, wanted in cases])
    for (_, _, wanted), made in zip(cases, got, strict=True):
        assert_exact(made, wanted)


def grouped(out: str, value: Expr, groups: int, start: bool) -> For:
    """out[j] = sum of group j of `value`, added to what is there where `start` says so."""
    index = Ramp(ir.Mul(I, int32(groups)), int32(1), groups) if groups > 1 else I
    total = reduce_lanes("add", value, groups)
    if start:
        total = ir.Add(Load(out, (index,), total.type), total)
    steps = steps_of(field(out, "extent"), groups)
    return For("i", int32(0), steps, "serial", Store(out, total, index))


def steps_of(e: Expr, by: int) -> Expr:
    return ir.Div(e, int32(by))


def in_a_row(name: str, type: Type, lanes: int) -> Expr:
    return Load(name, (Ramp(ir.Mul(I, int32(lanes)), int32(1), lanes),), type.with_lanes(lanes))


OPERANDS = [(U8, U8), (I8, I8), (U8, I8), (I8, U8), (I16, I16), (U8, I16), (U16, U16), (I8, I16)]
SHAPES = [(64, 16, 4), (64, 1, 64), (32, 16, 2), (64, 8, 8), (12, 3, 4), (128, 32, 4)]
START = 7


def dot_products(
    sum_type: Type,
) -> list[tuple[str, LoweredFunction, list[np.ndarray], list[np.ndarray]]]:
    """Sums of products of every pair of types, with the extremes of both in them.

    One function for each pair: a loop and an output for each shape, without a start and with one.
    """
    made = []
    random = np.random.default_rng(11)
    steps, longest = 40, max(lanes for lanes, _, _ in SHAPES)
    for first, second in OPERANDS:
        arrays = []
        for type in (first, second):
            values = random.integers(
                type.min, type.max, longest * steps, dtype_of(type), endpoint=True
            )
            values[:128] = type.min
            values[128:256] = type.max
            arrays.append(values)
        arrays[1][64:192] = second.min
        loops, wanted = [], []
        for lanes, groups, size in SHAPES:
            a, b = in_a_row("a", first, lanes), in_a_row("b", second, lanes)
            value = ir.Mul(to(sum_type, a), to(sum_type, b))
            wide = [x[: lanes * steps].astype(np.int64) for x in arrays]
            sums = (wide[0] * wide[1]).reshape(-1, size).sum(axis=1)
            for start in (False, True):
                loops.append(grouped(f"out{len(loops)}", value, groups, start))
                wanted.append((sums + (START if start else 0)).astype(dtype_of(sum_type)))
        inputs = (Argument("a", first, 1), Argument("b", second, 1))
        outputs = (Argument(f"out{n}", sum_type, 1, True) for n in range(len(loops)))
        fn = LoweredFunction("f", (*inputs, *outputs), Block(tuple(loops)))
        made.append((f"{first}x{second}", fn, arrays, wanted))
    return made


def starts(wanted: list[np.ndarray]) -> list[np.ndarray]:
    """What the outputs hold before."""
    return [np.full_like(one, START) for one in wanted]


def assert_sums(name: str, made: list[np.ndarray], wanted: list[np.ndarray]) -> None:
    shapes = [(*shape, start) for shape in SHAPES for start in (False, True)]
    for shape, out, right in zip(shapes, made, wanted, strict=True):
        assert (out == right).all(), f"{name}: {shape}"


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    ("target", "sum_type"),
    [
        pytest.param(target, type, marks=pytest.mark.slow if type is U32 and fewer else ())
        for target, fewer in zip(X86, (True, False, True, False), strict=True)
        for type in (I32, U32)
    ],
    ids=str,
)
def test_sums_of_products_are_exact_on_x86(target: str, sum_type: Type) -> None:
    """Into signed sums on every machine; the slow part adds unsigned ones on two more."""
    if not runs_here(target):
        pytest.skip(f"this machine does not run {target}")
    for name, fn, inputs, wanted in dot_products(sum_type):
        made = starts(wanted)
        compile_in_process(fn, target)(*inputs, *made)
        assert_sums(name, made, wanted)


@pytest.mark.sampled(every=6)
@pytest.mark.skipif(missing() is not None, reason=f"{missing()}")
@pytest.mark.parametrize("target", ARM)
def test_sums_of_products_are_exact_on_aarch64(target: str) -> None:
    cases = dot_products(I32)
    jobs = [Job(fn, [*inputs, *starts(wanted)]) for _, fn, inputs, wanted in cases]
    for (name, _, _, wanted), made in zip(cases, run_jobs(jobs, target), strict=True):
        assert_sums(name, made, wanted)


SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.5, -1.5, 1e-40, 3e38, 255.0, 256.0, -1.0]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("type", [F32, F64], ids=str)
@pytest.mark.parametrize("target", X86)
def test_chains_of_extremes_of_floats_have_every_bit(target: str, type: Type) -> None:
    if not runs_here(target):
        pytest.skip(f"this machine does not run {target}")
    a, b = (m.ravel().astype(dtype_of(type)) for m in np.meshgrid(SPECIAL, SPECIAL))
    chains: dict[str, Callable[[Expr, Expr], Expr]] = {
        "min": ir.Min,
        "max": ir.Max,
        "max of max": lambda a, b: ir.Max(ir.Max(a, b), b),
        "min of min": lambda a, b: ir.Min(ir.Min(b, a), a),
        "max of min": lambda a, b: ir.Max(ir.Min(a, b), a),
        "clamp": lambda a, b: clamp(a, 0.0, 255.0),
        "clamp the other way": lambda a, b: ir.Max(
            splat(0.0, a.type), ir.Min(splat(1.0, a.type), a)
        ),
        "with negation": lambda a, b: ir.Max(ir.Neg(a), ir.Min(a, ir.Neg(b))),
    }
    x, y = Variable("a", type), Variable("b", type)
    wanted = [np.asarray(evaluate(make(x, y), {"a": a, "b": b})) for make in chains.values()]
    outputs = {f"out{n}": (type, make) for n, make in enumerate(chains.values())}
    for lanes in (1, 16, 12, 6):
        made = [np.zeros_like(a) for _ in chains]
        fn = all_elementwise("f", {"a": type, "b": type}, outputs, lanes)
        compile_in_process(fn, target)(a, b, *made)
        for name, out, right in zip(chains, made, wanted, strict=True):
            assert out.tobytes() == right.tobytes(), (name, lanes)


@pytest.mark.skipif(missing() is not None, reason=f"{missing()}")
def test_floats_are_clamped_before_they_become_integers_on_aarch64() -> None:
    a = np.array([x for x in SPECIAL if x == x] * 8, np.float32)
    jobs, wanted = [], []
    for type, low, high in ((U8, 0.0, 255.0), (I16, -32768.0, 32767.0), (I8, -3.0, 100.0)):
        expr = to(type, clamp(Variable("a", F32), low, high))
        wanted.append(np.asarray(evaluate(expr, {"a": a})))
        fn = elementwise(
            "f", {"a": F32}, type, lambda a, t=type, lo=low, hi=high: to(t, clamp(a, lo, hi)), 16
        )
        jobs.append(Job(fn, [a, np.zeros(a.size, dtype_of(type))]))
    for (out,), right in zip(run_jobs(jobs), wanted, strict=True):
        assert (out == right).all()


def test_scalars_and_addresses_are_left_alone() -> None:
    select = Selection(Target.parse("x86-64-avx2"))
    a = Variable("a", U8)
    scalar = saturating_add(U16)(a, a)
    assert select(scalar) is scalar
    index = Ramp(Cast(I32, scalar), Const(I32, 1), 8)
    load = Load("b", (index,), U8.with_lanes(8))
    assert select(load) is load


def test_a_sum_that_wraps_is_not_taken_for_a_saturating_one() -> None:
    """Negative twin: the limit is another, or the sum is made in the narrow type."""
    select = Selection(Target.parse("x86-64-avx2"))
    a = Load("a", (Ramp(int32(0), int32(1), 16),), U8.with_lanes(16))
    b = Load("b", (Ramp(int32(0), int32(1), 16),), U8.with_lanes(16))
    right = saturating_add(U16)(a, b)
    assert select(right) is not right
    lower = to(U8, with_number(ir.Min, ir.Add(to(U16, a), to(U16, b)), 254))
    assert select(lower) is lower
    signed = to(U8, with_number(ir.Max, ir.Sub(to(U16, a), to(U16, b)), 0))
    assert select(signed) is signed
