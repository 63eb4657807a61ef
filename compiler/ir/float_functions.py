"""Floating-point functions that are defined by formulas of simpler operators, so that they run on
whole vectors: exp, log and pow of float32, their fast variants, fast sine and cosine, and erf.

Evaluating the same formula with numpy gives the same bits as the machine code: every step is an
IEEE operation in the written order. tests/lang/test_float_functions.py states the bound on the
distance to the true value. The coefficients are those of the functions' own series, or (`erf`,
the sine's) were fitted for this file; float64 and what is not here calls the C library.
"""

from __future__ import annotations

import math

from .formula import Formula, select
from .nodes import Expr
from .types import F32, F64, I32, I64

_LN2 = math.log(2)
_LN2_HIGH = 0.693359375  # ten bits, so that its product with an exponent is exact in float32
_LN2_LOW = _LN2 - _LN2_HIGH
_INVERSE_FACTORIALS = [1 / math.factorial(i) for i in range(14)]
_MANTISSA = 23
_BIAS = 127
_HALF_ROOT_BITS = 0x3F3504F3  # sqrt(1/2) as float32


def _power_of_two(exponent: Formula) -> Formula:
    """2**exponent as float32, for an int32 exponent in [-126, 127]."""
    return ((exponent + _BIAS) << _MANTISSA).bits_as(F32)


def exp_formula(value: Expr) -> Expr:
    """e**x of float32: x = k ln 2 + r, the series of e**r for |r| <= ln(2)/2, and two factors of
    2**(k/2), so that tiny results are rounded once and large ones overflow to infinity."""
    x = Formula(value).min(150.0).max(-150.0)
    k = (x * (1 / _LN2)).call("round")
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    tail = r.polynomial(_INVERSE_FACTORIALS[2:8])
    near = (r * r) * tail + r + 1.0
    whole = k.to(I32)
    half = whole >> 1
    return (near * _power_of_two(half) * _power_of_two(whole - half)).node


def log_formula(value: Expr) -> Expr:
    """ln x of float32: x = m 2**k with m in [sqrt(1/2), sqrt(2)), ln m from the series of
    2 artanh(s) at s = (m - 1)/(m + 1). -inf at zero, NaN below."""
    x = Formula(value)
    tiny = x < 2.0**-126
    scaled = select(tiny, x * 2.0**23, x)
    bits = scaled.bits_as(I32)
    exponent = (bits - _HALF_ROOT_BITS) >> _MANTISSA
    m = (bits - (exponent << _MANTISSA)).bits_as(F32)
    k = (exponent - select(tiny, exponent.like(_MANTISSA), 0)).to(F32)
    f = m - 1.0
    s = f / (f + 2.0)
    z = s * s
    series = z * z.polynomial([2 / 3, 2 / 5, 2 / 7, 2 / 9, 2 / 11])
    half_square = f * f * 0.5
    result = k * _LN2_HIGH - ((half_square - (s * (half_square + series) + k * _LN2_LOW)) - f)
    result = select(x.equals(0.0), x.like(-math.inf), result)
    # Of what is left, x > 0 is false for NaN and for numbers below zero alone.
    result = select((x > 0.0) | x.equals(0.0), result, math.nan)
    return select(x.equals(math.inf), x, result).node


def _log_of_double(x: Formula) -> Formula:
    """ln x of a positive, finite float64 that came from a float32; relative error below 1e-13."""
    bits = x.bits_as(I64)
    exponent = (bits - 0x3FE6A09E667F3BCD) >> 52
    m = (bits - (exponent << 52)).bits_as(F64)
    f = m - 1.0
    s = f / (f + 2.0)
    series = (s * s).polynomial([2 / (2 * i + 1) for i in range(9)])
    return s * series + exponent.to(I32).to(F64) * _LN2


def _exp_of_double(x: Formula) -> Formula:
    """e**x of a float64 in [-745, 709]; relative error below 1e-13."""
    k = (x * (1 / _LN2)).call("round")
    r = x - k * 0.6931471805437468 - k * (_LN2 - 0.6931471805437468)
    near = r.polynomial(_INVERSE_FACTORIALS[:12])
    return near * ((k.to(I32).to(I64) + 1023) << 52).bits_as(F64)


def pow_formula(base: Expr, exponent: Expr) -> Expr:
    """x**y of float32 as C has it, by way of exp(y ln |x|) in float64."""
    x, y = Formula(base), Formula(exponent)
    magnitude = x.call("abs")
    infinite, zero = magnitude.equals(math.inf), magnitude.equals(0.0)
    safe = select(infinite | zero, magnitude.like(1.0), magnitude).to(F64)
    scaled = (_log_of_double(safe) * y.to(F64)).min(700.0).max(-700.0)
    result = _exp_of_double(scaled).to(F32)
    grows = select(infinite, y > 0.0, y < 0.0)
    extreme = select(grows, y.like(math.inf), select(y.equals(0.0), y.like(1.0), 0.0))
    result = select(infinite | zero, extreme, result)
    whole = y.call("floor").equals(y)
    # Half of an odd number is no whole number; every float from 2**24 on is even.
    odd = whole & (y * 0.5).call("floor").differs(y * 0.5)
    odd = odd & (y.call("abs") < 2.0**25)
    below = x.bits_as(I32) < 0
    result = select(below & odd, -result, result)
    impossible = (x < 0.0) & ~whole & ~infinite
    result = select(impossible, result.like(math.nan), result)
    result = select(x.differs(x) | y.differs(y), x + y, result)
    one = x.equals(1.0) | y.equals(0.0) | (x.equals(-1.0) & y.call("abs").equals(math.inf))
    return select(one, result.like(1.0), result).node


def fast_exp_formula(value: Expr) -> Expr:
    """e**x of float32 within 1e-6 of it, for results that are neither tiny nor infinite."""
    x = Formula(value)
    k = (x * (1 / _LN2)).call("floor")
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    near = r.polynomial(_FAST_EXP)
    exponent = (k.to(I32) + _BIAS).max(0).min(255)
    return (near * (exponent << _MANTISSA).bits_as(F32)).node


def fast_log_formula(value: Expr) -> Expr:
    """ln x of float32 within 1e-5, for x above the smallest normal number and finite."""
    bits = Formula(value).bits_as(I32)
    exponent = (bits - _HALF_ROOT_BITS) >> _MANTISSA
    m = (bits - (exponent << _MANTISSA)).bits_as(F32)
    f = m - 1.0
    s = f / (f + 2.0)
    return (s * (s * s).polynomial([2.0, 2 / 3, 2 / 5, 2 / 7]) + exponent.to(F32) * _LN2).node


def fast_pow_formula(base: Expr, exponent: Expr) -> Expr:
    """x**y of float32 for x >= 0: 0 at zero, elsewhere fast_exp(y fast_log(x))."""
    x, y = Formula(base), Formula(exponent)
    power = Formula(fast_exp_formula((Formula(fast_log_formula(base)) * y).node))
    return select(x.equals(0.0), x.like(0.0), power).node


def fast_sin_formula(value: Expr) -> Expr:
    """sin x of float32 within 1e-5 for moderate x."""
    return _fast_wave(Formula(value), 0)


def fast_cos_formula(value: Expr) -> Expr:
    """cos x of float32 within 1e-5 for moderate x."""
    return _fast_wave(Formula(value), 1)


def _fast_wave(x: Formula, quarters: int) -> Expr:
    """The sine of x + quarters * pi/2."""
    k = (x * (2 / math.pi)).call("round")
    # 1.5703125 has eight bits: its product with a moderate k is exact.
    r = (x - k * 1.5703125) - k * (math.pi / 2 - 1.5703125)
    square = r * r
    sine = r * square.polynomial([1.0, -1 / 6, 1 / 120, -1 / 5040, 1 / 362880])
    cosine = square.polynomial([1.0, -1 / 2, 1 / 24, -1 / 720, 1 / 40320])
    quadrant = k.to(I32) + quarters
    chosen = select((quadrant & 1).equals(0), sine, cosine)
    return select((quadrant & 2).equals(0), chosen, -chosen).node


def erf_formula(value: Expr) -> Expr:
    """The error function of float32: an odd polynomial below 1, 1 - exp(polynomial) above."""
    x = Formula(value)
    a = x.call("abs").min(4.0)
    square = a * a
    small = a * square.polynomial(_ERF_BELOW_1)
    t = a - 2.5
    large = 1.0 - Formula(exp_formula(t.polynomial(_LOG_ERFC_ABOVE_1).node))
    size = select(a < 1.0, small, large)
    return select(x < 0.0, -size, size).node


# Least squares at Chebyshev points: e**r on [0, ln 2], relative error 8e-8; erf(x) / x in powers of
# x*x on [0, 1], error 3e-11; ln(1 - erf(x)) in powers of x - 2.5 on [1, 4], error of erf 6e-10.
_FAST_EXP = [
    0.9999999269249843, 1.0000083497658971, 0.4998501891541641, 0.16762604248350987,
    0.03895674482110906, 0.01172625819141948,
]  # fmt: skip
_ERF_BELOW_1 = [
    1.128379167062361, -0.3761263847599066, 0.11283782622053236, -0.02686543831002,
    0.005221053411187169, -0.000848439653129711, 0.00011268253755413467, -9.673590415627437e-06,
]  # fmt: skip
_LOG_ERFC_ABOVE_1 = [
    -7.8068152770519275, -5.35268068107285, -0.9438936402725597, -0.010858517012654239,
    0.0021651603097936185, -0.0004201445675224826, 7.739442549809246e-05,
    -1.3309390388431723e-05, 1.6140616170539259e-06,
]  # fmt: skip
