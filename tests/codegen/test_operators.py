"""Every operator's machine code gives what the numpy evaluator gives, scalar and vector."""

from __future__ import annotations

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
    Const,
    Expr,
    Type,
    Variable,
    dtype_of,
    evaluate,
    intrinsic,
)  # fmt: skip
from compiler.ir.stmts import LoweredFunction
from compiler.runtime import compile_in_process

from .kernels import all_elementwise, elementwise, splat

ARITHMETIC = [ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Mod, ir.Min, ir.Max]
BITWISE = [ir.BitAnd, ir.BitOr, ir.BitXor]
TRUNCATING = [ir.TruncDiv, ir.TruncMod]
SHIFTS = [ir.Shl, ir.Shr]
COMPARISONS = [ir.EQ, ir.NE, ir.LT, ir.LE, ir.GT, ir.GE]
INTEGER_INTRINSICS = ["absd", "saturating_add", "saturating_sub"]
LANES = [1, 64]
INTEGERS = [U8, I8, U16, I16, U32, I32, U64, I64]


def every_pair(type: Type) -> tuple[np.ndarray, np.ndarray]:
    values = np.arange(256, dtype=np.uint8).view(dtype_of(type))
    a, b = np.meshgrid(values, values)
    # Some more than whole vectors, so that the scalar remainder runs too.
    return np.append(a.ravel(), values[:7]), np.append(b.ravel(), values[7:14])


def sampled_pairs(type: Type, seed: int = 7) -> tuple[np.ndarray, np.ndarray]:
    """Extremes, small numbers and random ones of all magnitudes."""
    random = np.random.default_rng(seed)
    dtype = dtype_of(type)
    low, high = type.min, type.max
    edges = {low, low + 1, high, high - 1, *range(-3, 4), high // 2, 255, 256, 257}
    special = [e for e in sorted(edges) if type.contains(e)]
    wide = random.integers(low, high, 2000, dtype=dtype, endpoint=True)
    values = np.append(
        wide >> random.integers(0, type.bits, 2000).astype(dtype), np.array(special, dtype)
    )
    a, b = random.choice(values, 6001), random.choice(values, 6001)
    corners = np.meshgrid(np.array(special, dtype), np.array(special, dtype))
    return np.append(a, corners[0].ravel()), np.append(b, corners[1].ravel())


def pairs(type: Type) -> tuple[np.ndarray, np.ndarray]:
    return every_pair(type) if type.bits == 8 else sampled_pairs(type)


def stored(value: Expr) -> Expr:
    """Booleans are stored as bytes."""
    return Cast(U8.with_lanes(value.type.lanes), value) if value.type.is_bool else value


def run(fn: LoweredFunction, *arrays: np.ndarray) -> np.ndarray:
    out_type = fn.args[-1].type
    out = np.zeros(arrays[0].shape, dtype_of(out_type))
    compile_in_process(fn)(*arrays, out)
    return out


def check_many(
    makers: dict[str, object],
    type: Type,
    lanes: int,
    a: np.ndarray,
    b: np.ndarray,
    exact: bool = True,
) -> None:
    """Each maker's value of every pair, all in one compiled function."""
    x, y = Variable("a", type), Variable("b", type)
    values = {f"out{n}": stored(make(x, y)) for n, make in enumerate(makers.values())}
    outputs = {
        out: (value.type, lambda p, q, make=make: stored(make(p, q)))
        for (out, value), make in zip(values.items(), makers.values(), strict=True)
    }
    fn = all_elementwise("op", {"a": type, "b": type}, outputs, lanes)
    made = [np.zeros(a.shape, dtype_of(value.type)) for value in values.values()]
    compile_in_process(fn)(a, b, *made)
    for name, value, got in zip(makers, values.values(), made, strict=True):
        expected = np.asarray(evaluate(value, {"a": a, "b": b}))
        if exact:
            same = (
                got == expected
                if got.dtype.kind != "f"
                else ((got == expected) | (np.isnan(got) & np.isnan(expected)))
            )
        else:
            same = np.isclose(
                got, expected, rtol=3e-6 if got.itemsize == 4 else 1e-13, atol=0, equal_nan=True
            )
        wrong = np.flatnonzero(~np.broadcast_to(same, got.shape))
        assert wrong.size == 0, (
            f"{name} on {type}x{lanes}: ({a[wrong[0]]}, {b[wrong[0]]}) gives {got[wrong[0]]}, "
            f"not {np.broadcast_to(expected, got.shape)[wrong[0]]}"
        )


@pytest.mark.sampled
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("type", INTEGERS, ids=str)
def test_integer_operators_equal_the_evaluator(type: Type, lanes: int) -> None:
    a, b = pairs(type)
    makers: dict[str, object] = {op.__name__: op for op in (*ARITHMETIC, *BITWISE, *COMPARISONS)}
    makers |= {n: lambda p, q, n=n: intrinsic(n, p, q) for n in INTEGER_INTRINSICS}
    makers |= {"abs": lambda p, q: intrinsic("abs", p), "neg": lambda p, q: ir.Neg(p)}
    makers |= {"bitnot": lambda p, q: ir.BitNot(p)}
    makers |= {"select": lambda p, q: ir.Select(ir.LT(p, q), ir.Add(p, q), ir.Sub(p, q))}
    makers |= {"not": lambda p, q: ir.Not(ir.Or(ir.LT(p, q), ir.And(ir.EQ(p, q), ir.GT(p, q))))}
    check_many(makers, type, lanes, a, b)


@pytest.mark.sampled
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("type", INTEGERS, ids=str)
def test_truncating_division_and_shifts_equal_where_they_are_defined(
    type: Type, lanes: int
) -> None:
    a, b = pairs(type)
    defined = (b != 0) & ~((a == type.min) & (b.astype(object) == -1))
    check_many({op.__name__: op for op in TRUNCATING}, type, lanes, a[defined], b[defined])
    amount = (b.astype(np.uint64) % np.uint64(type.bits)).astype(b.dtype)
    check_many({op.__name__: op for op in SHIFTS}, type, lanes, a, amount)


@pytest.mark.sampled
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("type", [U8, I8, U16, I16, I32, U64], ids=str)
def test_division_by_constants_equals_the_evaluator(type: Type, lanes: int) -> None:
    a, b = pairs(type)
    divisors = [
        0,
        1,
        2,
        3,
        5,
        8,
        16,
        100,
        127,
        255,
        256,
        257,
        -1,
        -2,
        -3,
        -7,
        -8,
        type.min,
        type.max,
    ]
    makers: dict[str, object] = {}
    for d in dict.fromkeys(d for d in divisors if type.contains(d)):
        for op in (ir.Div, ir.Mod):
            makers[f"{op.__name__} {d}"] = lambda p, q, op=op, d=d: op(p, splat(d, p.type))
    makers |= {
        f"{op.__name__} {d}": lambda p, q, op=op, d=d: op(p, splat(d, p.type))
        for d in (1, 2, 3, 8, 100, -2, -3, -8)
        for op in TRUNCATING
        if type.contains(d)
    }
    check_many(makers, type, lanes, a, b)


@pytest.mark.parametrize("type", [I32, U32], ids=str)
def test_division_of_all_lanes_by_one_number_equals_the_evaluator(type: Type) -> None:
    def by_first(op: type[Expr], p: Expr, q: Expr) -> Expr:
        first = ir.Load("b", (Const(I32, 0),), type)
        return op(p, q if p.type.lanes == 1 else ir.Broadcast(first, p.type.lanes))

    operators = [ir.Div, ir.Mod, *TRUNCATING]
    outputs = {f"out{n}": (type, partial(by_first, op)) for n, op in enumerate(operators)}
    divide = compile_in_process(all_elementwise("op", {"a": type, "b": type}, outputs, 16))
    random = np.random.default_rng(11)
    numbers, dtype = sampled_pairs(type)[0][-2000:], dtype_of(type)
    divisors = {*range(1, 8), 10, 641, 65535, 65537, type.max, type.max - 1, type.max // 2}
    divisors |= {int(d) for d in random.integers(1, type.max, 20)}
    divisors |= {-d for d in divisors if type.is_int} | {type.min}
    for divisor in sorted(divisors):
        # Multiples, and what lies just beside them, are what a product may round to the wrong side.
        times = random.integers(0, type.max // max(abs(divisor), 1) + 1, 400)
        beside = np.add.outer(times * divisor, (-1, 0, 1)).ravel()
        a = np.append(numbers, beside[(beside >= type.min) & (beside <= type.max)].astype(dtype))
        a = a[a != type.min] if divisor == -1 else a
        b = np.full(a.shape, divisor, dtype)
        made = [np.zeros_like(a) for _ in operators]
        divide(a, b, *made)
        for op, got in zip(operators, made, strict=True):
            if divisor or op not in TRUNCATING:
                x, y = Variable("a", type), Variable("b", type)
                expected = np.asarray(evaluate(op(x, y), {"a": a, "b": b}))
                assert np.array_equal(got, expected), (op, divisor)


@pytest.mark.sampled
@pytest.mark.parametrize("type", [I32, I64, I8, U8], ids=str)
@pytest.mark.parametrize("lanes", [1, 16])
def test_undefined_division_does_not_trap(type: Type, lanes: int) -> None:
    a = np.full(40, type.min, dtype_of(type))
    b = np.where(np.arange(40) % 2, 0, 0 if type.is_uint else -1).astype(dtype_of(type))
    for op in TRUNCATING:
        fn = elementwise("op", {"a": type, "b": type}, type, op, lanes)
        assert run(fn, a, b).shape == a.shape


FLOAT_EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.0, np.inf, -np.inf, np.nan, 1e-40, 1e38]


@pytest.mark.sampled
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("type", [F32, F64, ir.Float(16)], ids=str)
def test_float_operators_equal_the_evaluator_bit_for_bit(type: Type, lanes: int) -> None:
    random = np.random.default_rng(3)
    dtype = dtype_of(type)
    with np.errstate(all="ignore"):
        values = np.append(
            (random.normal(size=500) * 10.0 ** random.integers(-3, 4, 500)), FLOAT_EDGES
        )
        values = values.astype(dtype)
    a, b = random.choice(values, 5003), random.choice(values, 5003)
    makers: dict[str, object] = {op.__name__: op for op in (*ARITHMETIC, *COMPARISONS)}
    # An inexact quotient of numpy's half precision goes through float32, as ours does.
    makers |= {"neg": lambda p, q: ir.Neg(p), "absd": lambda p, q: intrinsic("absd", p, q)}
    for name in ("abs", "sqrt", "floor", "ceil", "trunc", "round"):
        makers[name] = lambda p, q, name=name: intrinsic(name, p)
    makers["fma"] = lambda p, q: intrinsic("fma", p, q, p)
    # A fused multiply-add would round once where two roundings are written.
    makers["a * b + a"] = lambda p, q: ir.Add(ir.Mul(p, q), p)
    check_many(makers, type, lanes, a, b)


@pytest.mark.sampled
@pytest.mark.parametrize("lanes", [1, 8])
@pytest.mark.parametrize("type", [F32, F64], ids=str)
def test_library_functions_are_those_of_the_c_library(type: Type, lanes: int) -> None:
    random = np.random.default_rng(5)
    a = random.uniform(0.01, 20, 501).astype(dtype_of(type))
    b = random.uniform(-2, 2, 501).astype(dtype_of(type))
    makers: dict[str, object] = {
        name: lambda p, q, name=name: intrinsic(name, p) for name in ("exp", "log", "sin", "cos")
    }
    makers["pow"] = lambda p, q: intrinsic("pow", p, q)
    # numpy's own float32 functions differ from the C library's in the last places.
    check_many(makers, type, lanes, a, b, exact=False)


@pytest.mark.parametrize("lanes", LANES)
def test_conversions_equal_the_evaluator(lanes: int) -> None:
    types = [*INTEGERS, F32, F64, BOOL]
    for source in (U8, I8, U16, I32, U64, F32, F64):
        if source.is_float:
            a = np.array([0, -0.0, 0.5, 1, 1.9, 2, 77.7, 126.99, 100, 3.25] * 20, dtype_of(source))
        else:
            a, _ = pairs(source)
        makers: dict[str, object] = {
            f"to {target}": lambda p, q, t=target: Cast(t.with_lanes(p.type.lanes), p)
            for target in types
        }
        check_many(makers, source, lanes, a, a)


def test_negative_floats_become_negative_integers_toward_zero() -> None:
    a = np.array([-0.5, -1.0, -1.5, -2.9, -100.7, -128.0] * 30, np.float32)
    makers: dict[str, object] = {
        f"to {target}": lambda p, q, t=target: Cast(t.with_lanes(p.type.lanes), p)
        for target in (I8, I16, I32, I64)
    }
    check_many(makers, F32, 16, a, a)


@pytest.mark.parametrize("lanes", [1, 16])
def test_bfloat16_rounds_to_nearest_even(lanes: int) -> None:
    bf16 = ir.BFloat(16)
    a = np.array(
        [1.0, 1.00390625, 1.01171875, 3.14159, -2.71828, 1e30, np.inf, 0.0] * 6, np.float32
    )

    def rounded(value: Expr) -> Expr:
        lanes = value.type.lanes
        return Cast(F32.with_lanes(lanes), Cast(bf16.with_lanes(lanes), value))

    got = run(elementwise("op", {"a": F32}, F32, rounded, lanes), a)
    bits = a.view(np.uint32)
    expected = ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32)
    assert (got == expected).all()


def test_a_wrong_translation_would_be_noticed() -> None:
    a, b = every_pair(U8)
    with pytest.raises(AssertionError, match="gives"):
        expected = evaluate(ir.Add(Variable("a", U8), Variable("b", U8)), {"a": a, "b": b})
        got = run(elementwise("op", {"a": U8, "b": U8}, U8, ir.Sub, 64), a, b)
        assert (got == expected).all(), "gives another value"


def test_constants_of_every_type_arrive() -> None:
    for type, value in (
        (U8, 255),
        (I8, -128),
        (U64, 2**64 - 1),
        (I64, -(2**63)),
        (F32, 0.1),
        (F64, 0.1),
    ):
        a = np.zeros(70, dtype_of(type))
        got = run(elementwise("op", {"a": type}, type, lambda p, v=value: splat(v, p.type), 64), a)
        assert (got == np.asarray(Const(type, value).value, dtype_of(type))).all()


@pytest.mark.parametrize("lanes", [1, 4, 8, 64])
def test_nested_extremes_keep_their_order_around_nan(lanes: int) -> None:
    """LLVM merges them as if a NaN could not tell them apart."""

    def twice(value: Expr) -> Expr:
        zero = splat(0.0, value.type)
        inner = ir.Select(ir.LT(value, zero), zero, value)  # NaN stays
        return ir.Select(ir.GT(inner, zero), inner, zero)  # NaN becomes 0

    a = np.array([np.nan, 1.0, -1.0, 0.0] * 40, np.float32)
    for made in (twice, lambda v: ir.Max(splat(0.0, v.type), ir.Max(v, splat(0.0, v.type)))):
        got = run(elementwise("op", {"a": F32}, F32, made, lanes), a)
        assert (got == np.array([0.0, 1.0, 0.0, 0.0] * 40, np.float32)).all()
