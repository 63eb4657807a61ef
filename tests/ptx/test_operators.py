"""What LLVM's PTX computes is what the numpy evaluator computes, operator by operator."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

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
    U32,
    U64,
    Cast,
    Expr,
    Type,
    Variable,
    dtype_of,
    evaluate,
    intrinsic,
)
from compiler.ir.stmts import Block, Store
from tests.codegen.ptx_kernels import THREADS, at, dense, elementwise, memory, row, splat

from .running import launch

Maker = Callable[[Expr, Expr], Expr]
INTEGERS = [U8, I8, U16, I16, U32, I32, U64, I64]
LANES = [1, 4]
COUNT = 4 * THREADS * 4
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.0, np.inf, -np.inf, np.nan, 1e-40, 1e38]


def pairs(type: Type, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Extremes, small numbers and random ones of all magnitudes."""
    random, dtype = np.random.default_rng(seed), dtype_of(type)
    if type.is_float:
        with np.errstate(all="ignore"):
            wide = random.normal(size=COUNT) * 10.0 ** random.integers(-3, 4, COUNT)
            values = np.append(wide, EDGES * 20).astype(dtype)
    else:
        edges = {type.min, type.min + 1, type.max, type.max - 1, *range(-3, 8), type.max // 2, 255}
        special = np.array([e for e in sorted(edges) if type.contains(e)], dtype)
        wide = random.integers(type.min, type.max, COUNT, dtype=dtype, endpoint=True)
        narrowed = wide >> random.integers(0, type.bits, COUNT).astype(dtype)
        values = np.append(narrowed, np.tile(special, 20))
    return random.choice(values, COUNT), random.choice(values, COUNT)


def stored(value: Expr) -> Expr:
    return Cast(U8.with_lanes(value.type.lanes), value) if value.type.is_bool else value


def check(makers: dict[str, Maker], type: Type, lanes: int, a: np.ndarray, b: np.ndarray) -> None:
    """Each maker's value of every pair, all in one kernel."""
    x, y = Variable("a", type), Variable("b", type)
    values = [stored(make(x, y)) for make in makers.values()]
    index = dense(lanes)
    p, q = at("a", index, type), at("b", index, type)
    stores = [Store(f"out{n}", stored(m(p, q)), index) for n, m in enumerate(makers.values())]
    outputs = [memory(f"out{n}", value.type, True) for n, value in enumerate(values)]
    kernel = row("operators", Block(tuple(stores)), memory("a", type), memory("b", type), *outputs)
    made = [np.zeros(a.shape, dtype_of(value.type)) for value in values]
    launch(kernel, len(a) // (THREADS * lanes), a.copy(), b.copy(), *made)
    for name, value, got in zip(makers, values, made, strict=True):
        expected = np.broadcast_to(evaluate(value, {"a": a, "b": b}), got.shape)
        same = got == expected
        if got.dtype.kind == "f":
            same &= np.signbit(got) == np.signbit(expected)
            same |= np.isnan(got) & np.isnan(expected)
        wrong = np.flatnonzero(~same)
        assert wrong.size == 0, (
            f"{name} on {type}x{lanes}: ({a[wrong[0]]}, {b[wrong[0]]}) gives {got[wrong[0]]}, "
            f"not {expected[wrong[0]]}"
        )


def unary(name: str) -> Maker:
    return lambda p, q: intrinsic(name, p)


def binary(name: str) -> Maker:
    return lambda p, q: intrinsic(name, p, q)


INTEGER_OPERATORS: dict[str, Maker] = {
    **{op.__name__: op for op in (ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Mod, ir.Min, ir.Max)},
    **{op.__name__: op for op in (ir.BitAnd, ir.BitOr, ir.BitXor)},
    **{op.__name__: op for op in (ir.EQ, ir.NE, ir.LT, ir.LE, ir.GT, ir.GE)},
    **{n: binary(n) for n in ("absd", "saturating_add", "saturating_sub", "halving_add",
                              "rounding_halving_add", "halving_sub")},
    **{n: unary(n) for n in ("abs", "popcount", "count_leading_zeros", "count_trailing_zeros")},
    "neg": lambda p, q: ir.Neg(p),
    "not": lambda p, q: ir.BitNot(p),
    "select": lambda p, q: ir.Select(ir.LT(p, q), ir.Add(p, q), ir.Sub(p, q)),
    "both": lambda p, q: ir.Not(ir.Or(ir.LT(p, q), ir.And(ir.EQ(p, q), ir.GT(p, q)))),
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("type", INTEGERS, ids=str)
def test_integer_operators_equal_the_evaluator(type: Type, lanes: int) -> None:
    check(INTEGER_OPERATORS, type, lanes, *pairs(type))


@pytest.mark.sampled
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("type", INTEGERS, ids=str)
def test_truncating_division_and_shifts_equal_where_they_are_defined(
    type: Type, lanes: int
) -> None:
    a, b = pairs(type)
    b[(b == 0) | ((a == type.min) & (b.astype(object) == -1))] = 5
    check({op.__name__: op for op in (ir.TruncDiv, ir.TruncMod)}, type, lanes, a, b)
    amount = (b.astype(np.uint64) % np.uint64(type.bits)).astype(b.dtype)
    check({op.__name__: op for op in (ir.Shl, ir.Shr)}, type, lanes, a, amount)


@pytest.mark.sampled
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("type", [U8, I8, U16, I16, I32, U64], ids=str)
def test_division_by_constants_equals_the_evaluator(type: Type, lanes: int) -> None:
    divisors = [d for d in (0, 1, 2, 3, 8, 100, 255, -1, -2, -7, -8, type.min) if type.contains(d)]
    makers: dict[str, Maker] = {
        f"{op.__name__} {d}": lambda p, q, op=op, d=d: op(p, splat(d, p.type.element, p.type.lanes))
        for d in dict.fromkeys(divisors)
        for op in (ir.Div, ir.Mod)
    }
    check(makers, type, lanes, *pairs(type))


@pytest.mark.sampled
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("type", [F32, F64, ir.Float(16)], ids=str)
def test_float_operators_equal_the_evaluator_bit_for_bit(type: Type, lanes: int) -> None:
    operators = (ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Mod, ir.Min, ir.Max)
    comparisons = (ir.EQ, ir.NE, ir.LT, ir.LE, ir.GT, ir.GE)
    makers: dict[str, Maker] = {op.__name__: op for op in (*operators, *comparisons)}
    makers |= {"neg": lambda p, q: ir.Neg(p), "absd": binary("absd")}
    makers |= {n: unary(n) for n in ("abs", "sqrt", "floor", "ceil", "trunc", "round")}
    makers |= {n: unary(n) for n in ("is_nan", "is_inf", "is_finite")}
    makers["fma"] = lambda p, q: intrinsic("fma", p, q, p)
    # A fused multiply-add would round once where two roundings are written.
    makers["a * b + a"] = lambda p, q: ir.Add(ir.Mul(p, q), p)
    makers["max of max"] = lambda p, q: ir.Max(q, ir.Max(p, q))
    check(makers, type, lanes, *pairs(type))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["exp", "log", "erf", "fast_exp", "fast_log", "fast_sin"])
def test_float_functions_have_the_bits_of_their_formulas(name: str) -> None:
    a, b = pairs(F32)
    if name == "fast_sin":
        # Beyond, the formula's number of turns is no int32.
        a = np.clip(a, -1e4, 1e4)
    check({name: unary(name)}, F32, 1, a, b)


@pytest.mark.slow
def test_powers_have_the_bits_of_their_formula() -> None:
    a, b = pairs(F32)
    check({"pow": binary("pow"), "fast_pow": binary("fast_pow")}, F32, 1, np.abs(a), b)


@pytest.mark.sampled
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("source", [U8, I8, U16, I32, U64, F32, F64], ids=str)
def test_conversions_equal_the_evaluator(source: Type, lanes: int) -> None:
    a, b = pairs(source)
    if source.is_float:
        a = np.resize(np.array([0, -0.0, 0.5, 1, 1.9, 2, 77.7, 126.99, 100, 3.25], a.dtype), COUNT)
    targets = [*INTEGERS, F32, F64, BOOL, ir.Float(16)]
    makers: dict[str, Maker] = {
        f"to {t}": partial(lambda t, p, q: Cast(t.with_lanes(p.type.lanes), p), t) for t in targets
    }
    check(makers, source, lanes, a, b)


@pytest.mark.parametrize("lanes", LANES)
def test_bfloat16_rounds_to_nearest_even(lanes: int) -> None:
    bf16 = ir.BFloat(16)

    def rounded(p: Expr) -> Expr:
        return Cast(F32.with_lanes(lanes), Cast(bf16.with_lanes(p.type.lanes), p))

    a = np.resize(
        np.array([1.0, 1.00390625, 1.01171875, 3.14159, -2.71828, 1e30, np.inf], np.float32), COUNT
    )
    kernel = elementwise(rounded, [F32], F32, lanes)
    out = np.zeros_like(a)
    launch(kernel, COUNT // (THREADS * lanes), a, out)
    bits = a.view(np.uint32)
    expected = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32)
    assert (out == expected).all()
