"""Vectors of every length are right: shorter than a register, odd, and many registers long."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from compiler import ir
from compiler.ir import (
    BOOL,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    BFloat,
    Cast,
    Expr,
    Float,
    Type,
    Variable,
    dtype_of,
    evaluate,
)  # fmt: skip
from compiler.runtime import compile_in_process

from .kernels import elementwise_in_lengths, splat
from .test_reductions import random_array
from .test_selection import X86, runs_here

LENGTHS = [2, 3, 5, 7, 24, 128]
F16 = Float(16)


def mixed(a: Expr, b: Expr) -> Expr:
    """Arithmetic, a comparison, a choice and a constant."""
    smaller = ir.LT(a, b)
    total = ir.Add(ir.Mul(a, splat(3, a.type)), b)
    return ir.Select(ir.And(smaller, ir.NE(b, splat(0, b.type))), total, ir.Max(ir.Sub(a, b), b))


def quotients(a: Expr, b: Expr) -> Expr:
    return ir.Sub(ir.Div(a, b), ir.Mod(a, splat(7, a.type)))


def through_single(a: Expr, b: Expr) -> Expr:
    single = F32.with_lanes(a.type.lanes)
    return Cast(a.type, ir.Mul(Cast(single, a), splat(0.25, single)))


def check(make: Callable[[Expr, Expr], Expr], type: Type, target: str) -> None:
    a, b = random_array(type, 1000, 1), random_array(type, 1000, 2)
    expr = make(Variable("a", type), Variable("b", type))
    wanted = np.asarray(evaluate(expr, {"a": a, "b": b}))
    made = in_every_length(make, type, expr.type, target, a, b)
    for lanes, out in zip(LENGTHS, made, strict=True):
        assert out.tobytes() == wanted.tobytes(), (lanes, target)


def in_every_length(
    make: Callable[[Expr, Expr], Expr],
    type: Type,
    output: Type,
    target: str,
    a: np.ndarray,
    b: np.ndarray,
) -> list[np.ndarray]:
    """What `make` gives of `a` and `b` in vectors of each of LENGTHS, compiled once."""
    fn = elementwise_in_lengths("f", {"a": type, "b": type}, output, make, LENGTHS)
    made = [np.zeros(len(a), np.uint16 if output.code == "bfloat" else dtype_of(output))
            for _ in LENGTHS]  # fmt: skip
    compile_in_process(fn, target)(a, b, *made)
    return made


@pytest.mark.sampled
@pytest.mark.parametrize("target", X86[:3])
@pytest.mark.parametrize("type", [U8, I8, U16, I16, I32, I64, F32, F64], ids=str)
def test_arithmetic_and_choices(type: Type, target: str) -> None:
    if not runs_here(target):
        pytest.skip(f"this machine does not run {target}")
    check(mixed, type, target)


@pytest.mark.sampled
@pytest.mark.parametrize("target", X86[:3])
@pytest.mark.parametrize("type", [U8, I8, U16, I16, I32], ids=str)
def test_divisions(type: Type, target: str) -> None:
    if not runs_here(target):
        pytest.skip(f"this machine does not run {target}")
    check(quotients, type, target)


@pytest.mark.sampled
@pytest.mark.parametrize("target", X86[:3])
@pytest.mark.parametrize("type", [U8, I16, I32], ids=str)
def test_conversions_to_floats_and_back(type: Type, target: str) -> None:
    if not runs_here(target):
        pytest.skip(f"this machine does not run {target}")
    check(through_single, type, target)


@pytest.mark.parametrize("target", X86[:3])
def test_booleans_are_bytes_in_memory_and_bits_in_masks(target: str) -> None:
    if not runs_here(target):
        pytest.skip(f"this machine does not run {target}")
    a, b = np.arange(1000) % 3 == 0, np.arange(1000) % 5 == 0
    made = in_every_length(lambda a, b: ir.Or(ir.Not(a), ir.And(a, b)), BOOL, BOOL, target, a, b)
    for lanes, out in zip(LENGTHS, made, strict=True):
        assert (out == (~a | b)).all(), (lanes, target)


@pytest.mark.parametrize("target", X86[1:3])
def test_half_precision_is_rounded_after_each_operation(target: str) -> None:
    if not runs_here(target):
        pytest.skip(f"this machine does not run {target}")
    check(lambda a, b: ir.Add(ir.Mul(a, b), a), F16, target)


@pytest.mark.parametrize("target", X86[:3])
def test_bfloats_are_rounded_to_nearest_even(target: str) -> None:
    if not runs_here(target):
        pytest.skip(f"this machine does not run {target}")
    bfloat = BFloat(16)
    bits = np.random.default_rng(4).integers(0x3F00, 0x4300, 1000, np.int64).astype(np.uint16)
    other = np.roll(bits, 1)
    singles = [(x.astype(np.uint32) << 16).view(np.float32) for x in (bits, other)]
    product = (singles[0] * singles[1]).view(np.uint32)
    wanted = ((product + 0x7FFF + ((product >> 16) & 1)) >> 16).astype(np.uint16)
    made = in_every_length(ir.Mul, bfloat, bfloat, target, bits, other)
    for lanes, out in zip(LENGTHS, made, strict=True):
        assert (out == wanted).all(), (lanes, target)
