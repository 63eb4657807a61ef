"""Float functions: how far they are from the true value, and that every compiler agrees on them.

Machine code and the numpy evaluator give the same bits; the distance to float64 numpy is bounded,
in units of the last place of the result, for all magnitudes and special values.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import halide
import numpy as np
import pytest

import compiler
from compiler.ir import F32, F64, INTRINSICS, Type, intrinsic
from tests.codegen.kernels import elementwise
from tests.codegen.test_operators import run

from .both import BOTH

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, math.inf, -math.inf, math.nan, 1e-40,
           88.7, -87.4, -103.0, 1e10, -1e10]  # fmt: skip
C_FUNCTIONS = ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh",
               "acosh", "atanh"]  # fmt: skip


def samples(dtype: Any, seed: int = 1) -> np.ndarray:
    """All magnitudes, everyday numbers and special values."""
    random = np.random.default_rng(seed)
    bits = np.uint32 if dtype == np.float32 else np.uint64
    anything = random.integers(0, np.iinfo(bits).max, 4000, dtype=bits).view(dtype)
    everyday = random.normal(0, 10, 4000), random.uniform(0, 1, 3000)
    return np.concatenate(
        [anything, np.array(SPECIAL, dtype), *(e.astype(dtype) for e in everyday)]
    )


def assert_within(ulps: float, given: np.ndarray, exact: np.ndarray) -> None:
    """`given` lies within `ulps` of `exact`, float64; infinities and NaN are where they should."""
    rounded = exact.astype(np.float32)
    np.testing.assert_array_equal(np.isnan(given), np.isnan(rounded))
    infinite = np.isinf(rounded)
    np.testing.assert_array_equal(given[infinite], rounded[infinite])
    usual = np.isfinite(rounded)
    unit = np.spacing(np.maximum(np.abs(rounded[usual]), np.float32(1e-45)).astype(np.float32))
    assert (np.abs(given[usual] - exact[usual]) / unit).max() <= ulps


BOUNDS: dict[str, tuple[float, Callable[[Any], Any]]] = {
    "exp": (1.0, np.exp),
    "log": (1.0, np.log),
    "erf": (3.0, np.vectorize(math.erf)),
}


@pytest.mark.parametrize("name", BOUNDS)
def test_a_function_by_formula_is_close_to_the_true_value(name: str) -> None:
    bound, exact = BOUNDS[name]
    x = samples(np.float32)
    with np.errstate(all="ignore"):
        assert_within(bound, INTRINSICS[name].evaluate(x), exact(x.astype(np.float64)))


def test_powers_are_correctly_rounded_but_for_rare_ties() -> None:
    with np.errstate(all="ignore"):
        x, y = samples(np.float32), samples(np.float32, 2) / np.float32(8)
        y[::3] = np.round(y[::3])
        exact = np.power(x.astype(np.float64), y.astype(np.float64))
        assert_within(0.501, INTRINSICS["pow"].evaluate(x, y), exact)


def test_powers_of_special_values_are_those_of_c() -> None:
    from compiler.ir.c_library import c_function

    values = np.array([*SPECIAL, 1e30, -1e30, 2**24 + 2, -3.0], np.float32)
    x, y = (v.ravel() for v in np.meshgrid(values, values))
    with np.errstate(all="ignore"):
        ours, theirs = INTRINSICS["pow"].evaluate(x, y), c_function("pow")(x, y)
    special = ~np.isfinite(theirs) | (theirs == 0)
    np.testing.assert_array_equal(ours[special], theirs[special])
    np.testing.assert_array_equal(
        np.signbit(ours)[~np.isnan(theirs)], np.signbit(theirs)[~np.isnan(theirs)]
    )


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("name", "exact", "low", "high"),
    [("fast_exp", np.exp, -80, 80), ("fast_log", np.log, 1e-30, 1e30),
     ("fast_sin", np.sin, -30, 30), ("fast_cos", np.cos, -30, 30)],
)  # fmt: skip
def test_a_fast_function_is_as_close_as_halides(
    name: str, exact: Any, low: float, high: float
) -> None:
    x = np.random.default_rng(3).uniform(low, high, 20000).astype(np.float32)
    true = exact(x.astype(np.float64))
    errors = []
    for hl in BOTH:
        v, f, b = hl.Var("v"), hl.Func("f"), hl.Buffer(x)
        f[v] = getattr(hl, name)(b[v])
        given = np.array(f.realize([len(x)])).astype(np.float64)
        scale = np.abs(true) if name == "fast_exp" else np.maximum(np.abs(true), 1.0)
        errors.append((np.abs(given - true) / scale).max())
    assert errors[1] <= max(errors[0], 1e-6)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("type", [F32, F64], ids=str)
@pytest.mark.parametrize(
    "name", ["exp", "log", "sqrt", "floor", "ceil", "trunc", "round", "abs", *C_FUNCTIONS]
)
def test_machine_code_gives_the_evaluators_bits(name: str, type: Type) -> None:
    dtype = np.float32 if type is F32 else np.float64
    x = samples(dtype)
    fn = elementwise("k", {"a": type}, type, lambda v: intrinsic(name, v), 8)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(run(fn, x), INTRINSICS[name].evaluate(x))


def test_questions_about_floats_are_answered() -> None:
    x = samples(np.float32)
    hl = compiler
    v, f, b = hl.Var("v"), hl.Func("f"), hl.Buffer(x)
    f[v] = (hl.is_nan(b[v]), hl.is_inf(b[v]), hl.is_finite(b[v]))
    for given, asked in zip(f.realize([len(x)]), (np.isnan, np.isinf, np.isfinite), strict=True):
        np.testing.assert_array_equal(np.array(given), asked(x))


@pytest.mark.slow
def test_the_c_librarys_functions_are_halides() -> None:
    x = np.random.default_rng(5).uniform(-3, 3, 4000).astype(np.float32)
    results = []
    for hl in BOTH:
        v, f, b = hl.Var("v"), hl.Func("f"), hl.Buffer(x)
        f[v] = (*(getattr(hl, name)(b[v]) for name in C_FUNCTIONS), hl.atan2(b[v], hl.f32(v)),
                hl.hypot(b[v], 2.0), hl.fract(b[v]), hl.trunc(b[v]), hl.ceil(b[v]))  # fmt: skip
        results.append([np.array(r) for r in f.realize([len(x)])])
    for theirs, ours in zip(*results, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=3e-7, atol=0)


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_float_arithmetic_of_every_width_is_numpys(bits: int) -> None:
    dtype = np.dtype(f"float{bits}")
    random = np.random.default_rng(7)
    a, b = (random.normal(0, 3, 500).astype(dtype) for _ in range(2))
    hl = compiler
    v, f = hl.Var("v"), hl.Func("f")
    x, y = hl.Buffer(a)[v], hl.Buffer(b)[v]
    f[v] = (x + y, x - y, x * y, x / y, hl.min(x, y), hl.sqrt(hl.abs(x)))
    expected = [a + b, a - b, a * b, a / b, np.minimum(a, b), np.sqrt(np.abs(a))]
    for given, wanted in zip(f.realize([500]), expected, strict=True):
        np.testing.assert_array_equal(np.array(given), wanted)


def test_bfloat16_rounds_every_step_to_eight_bits() -> None:
    a = np.random.default_rng(9).normal(0, 3, 500).astype(np.float32)
    hl = compiler
    v, f = hl.Var("v"), hl.Func("f")
    x = hl.cast(hl.BFloat(16), hl.Buffer(a)[v])
    f[v] = hl.f32(x * x + x)

    def rounded(value: np.ndarray) -> np.ndarray:
        bits = value.view(np.uint32)
        return ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32)

    r = rounded(a)
    np.testing.assert_array_equal(np.array(f.realize([500])), rounded(rounded(r * r) + r))


MISTAKES = """
hl.fast_exp(x); hl.erf(x); hl.erf(hl.f64(x)); hl.is_nan(x); hl.fast_log(hl.f64(x))
hl.fast_inverse(hl.f64(x)); hl.fast_inverse_sqrt(x)
""".replace("\n", ";").split(";")


@pytest.mark.parametrize("text", [t.strip() for t in MISTAKES if t.strip()])
def test_what_halide_refuses_is_refused(text: str) -> None:
    for hl in (halide, compiler):
        with pytest.raises(hl.HalideError):
            eval(text, {"hl": hl, "x": hl.Var("x")})


@pytest.mark.parametrize("lanes", [1, 8])
def test_what_is_no_number_gives_the_bound_of_a_clamp(lanes: int) -> None:
    """What is indexed with a clamped value stays in its memory."""
    made = []
    for hl in (compiler, halide):
        x = hl.Var("x")
        data = hl.Buffer(np.array([np.nan, 2, -1, 0.5] * 4, np.float32))
        zero = hl.f32(0)
        f = hl.Func("f")
        f[x] = (
            hl.i32(hl.clamp(data[x], 0.0, 1.0) * 10),
            hl.max(data[x], zero),
            hl.max(zero, data[x]),
            hl.min(data[x], zero),
            hl.min(zero, data[x]),
        )
        if lanes > 1:
            f.vectorize(x, lanes)
        made.append([np.array(b) for b in f.realize([16], hl.Target("host-strict_float"))])
    for ours, theirs in zip(*made, strict=True):
        np.testing.assert_array_equal(ours, theirs)
