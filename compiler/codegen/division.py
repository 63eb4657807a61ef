"""Integer division, both kinds, that never traps, on scalars and on vectors.

Division by a constant becomes shifts or a multiplication (LLVM finds the magic numbers of an
unsigned division; a floor division is brought to that form here). Machines have no integer vector
division, so that vectors of up to 32 bits divide as floats of a width in which the truncated
quotient is exact: float32 for 16 bits, because q = a/b < 2**16 is rounded by less than 2**-8 / b
while a quotient that is no whole number lies at least 1/b below the next one; float64 for 32 bits
by the same argument. Where all lanes of 32 bits divide by one number, as where an image is scaled,
they are multiplied by its reciprocal, which is computed before the loop: (a + 1/2) / b lies at
least 1/2b from any whole number and is rounded by less than 2**-20 / b.
"""

from __future__ import annotations

from ..ir import Int, Type, UInt
from .builder import FunctionBuilder, Value
from .llvm_types import register_type, splat


def number(type: Type, value: int) -> Value:
    """The integer constant `value` modulo 2**bits, in every lane."""
    element = f"i{type.bits}"
    return Value(register_type(type), splat(element, str(type.wrap(value)), type.lanes))


def _binary(f: FunctionBuilder, op: str, a: Value, b: Value) -> Value:
    return f.emit(a.type, f"{op} {a}, {b.text}")


def _compare(f: FunctionBuilder, type: Type, predicate: str, a: Value, b: Value) -> Value:
    condition = "i1" if type.lanes == 1 else f"<{type.lanes} x i1>"
    return f.emit(condition, f"icmp {predicate} {a}, {b.text}")


def _choose(f: FunctionBuilder, condition: Value, a: Value, b: Value) -> Value:
    return f.emit(a.type, f"select {condition}, {a}, {b}")


def _power_of_two(value: int) -> int | None:
    return value.bit_length() - 1 if value > 0 and value & (value - 1) == 0 else None


def euclidean_quotient(
    f: FunctionBuilder, type: Type, a: Value, b: Value, divisor: int | None, is_uniform: bool
) -> Value:
    """`Div` of integers; `divisor` is b's value where it is a constant, and where `is_uniform`, it
    is the same in all lanes."""
    if divisor is not None:
        return _quotient_by_constant(f, type, a, divisor)
    return _quotient_and_remainder(f, type, a, b, is_uniform)[0]


def euclidean_remainder(
    f: FunctionBuilder, type: Type, a: Value, b: Value, divisor: int | None, is_uniform: bool
) -> Value:
    """`Mod` of integers; of `divisor` and `is_uniform` see the quotient."""
    if divisor is None:
        return _quotient_and_remainder(f, type, a, b, is_uniform)[1]
    if divisor == 0:
        return number(type, 0)
    size = abs(divisor)
    if _power_of_two(size) is not None:
        return _binary(f, "and", a, number(type, size - 1))
    if type.is_uint:
        return _binary(f, "urem", a, number(type, size))
    quotient = _quotient_by_constant(f, type, a, size)
    return _binary(f, "sub", a, _binary(f, "mul", quotient, number(type, size)))


def _quotient_by_constant(f: FunctionBuilder, type: Type, a: Value, divisor: int) -> Value:
    if divisor == 0:
        return number(type, 0)
    if type.is_uint:
        return _binary(f, "udiv", a, number(type, divisor))
    if divisor < 0:
        positive = _quotient_by_constant(f, type, a, -divisor)
        return _binary(f, "sub", number(type, 0), positive)
    shift = _power_of_two(divisor)
    if shift is not None:
        return _binary(f, "ashr", a, number(type, shift)) if shift else a
    # floor(a / c) = ~(~a / c) where a < 0, and ~a = a ^ -1 is not negative there.
    sign = _binary(f, "ashr", a, number(type, type.bits - 1))
    positive = _binary(f, "xor", a, sign)
    if type.bits in (16, 32) and divisor <= type.max:
        return _binary(f, "xor", _scaled_down(f, type, positive, divisor), sign)
    quotient = _binary(f, "udiv", positive, number(type, divisor))
    return _binary(f, "xor", quotient, sign)


def _scaled_down(f: FunctionBuilder, type: Type, a: Value, divisor: int) -> Value:
    """a / divisor for a in [0, 2**(bits-1)) and a divisor that is no power of two.

    With 2**(k-1) < divisor < 2**k the factor m = ceil(2**(bits-1+k) / divisor) has `bits` bits, and
    a * m / 2**(bits-1+k) exceeds a / divisor by less than a / 2**(bits-1) / divisor < 1 / divisor,
    so that both have the same whole part. LLVM doesn't know that the sign bit is clear.
    """
    bits, k = type.bits, divisor.bit_length()
    factor = -(-(1 << (bits - 1 + k)) // divisor)
    wide_type = UInt(2 * bits, type.lanes)
    wide = f.emit(register_type(wide_type), f"zext {a} to {register_type(wide_type)}")
    product = _binary(f, "mul", wide, number(wide_type, factor))
    high = _binary(f, "lshr", product, number(wide_type, bits))
    narrow = f.emit(a.type, f"trunc {high} to {a.type}")
    return _binary(f, "lshr", narrow, number(type, k - 1)) if k > 1 else narrow


def _quotient_and_remainder(
    f: FunctionBuilder, type: Type, a: Value, b: Value, is_uniform: bool
) -> tuple[Value, Value]:
    zero, one = number(type, 0), number(type, 1)
    by_zero = _compare(f, type, "eq", b, zero)
    safe = _choose(f, by_zero, one, b)
    quotient = _truncated(f, type, a, safe, is_uniform)
    remainder = _binary(f, "sub", a, _binary(f, "mul", quotient, safe))
    if type.is_int:
        negative = _compare(f, type, "slt", remainder, zero)
        upward = _compare(f, type, "sgt", safe, zero)
        step = _choose(f, upward, one, number(type, -1))
        step = _choose(f, negative, step, zero)
        quotient = _binary(f, "sub", quotient, step)
        remainder = _binary(f, "add", remainder, _binary(f, "mul", step, safe))
    return _choose(f, by_zero, zero, quotient), _choose(f, by_zero, zero, remainder)


def truncated_quotient(
    f: FunctionBuilder, type: Type, a: Value, b: Value, divisor: int | None, is_uniform: bool
) -> Value:
    """`TruncDiv`; some value, and no trap, where it is undefined."""
    if divisor is not None and divisor not in (0, -1):
        return _binary(f, "sdiv" if type.is_int else "udiv", a, number(type, divisor))
    by_zero = _compare(f, type, "eq", b, number(type, 0))
    return _truncated(f, type, a, _choose(f, by_zero, number(type, 1), b), is_uniform)


def truncated_remainder(
    f: FunctionBuilder, type: Type, a: Value, b: Value, divisor: int | None, is_uniform: bool
) -> Value:
    """`TruncMod`; some value, and no trap, where it is undefined."""
    if divisor is not None and divisor not in (0, -1):
        return _binary(f, "srem" if type.is_int else "urem", a, number(type, divisor))
    quotient = truncated_quotient(f, type, a, b, divisor, is_uniform)
    return _binary(f, "sub", a, _binary(f, "mul", quotient, b))


def _truncated(f: FunctionBuilder, type: Type, a: Value, b: Value, is_uniform: bool) -> Value:
    """a / b toward zero for b != 0; min / -1 wraps to min."""
    if type.is_uint:
        if _has_no_division(f, type) and type.bits <= 32:
            return _through_floats(f, type, a, b, is_uniform)
        return _binary(f, "udiv", a, b)
    if type.bits < 32:
        # In 32 bits min / -1 does not overflow.
        if _has_no_division(f, type):
            return _through_floats(f, type, a, b, is_uniform)
        i32 = register_type(Int(32, type.lanes))
        x, y = f.emit(i32, f"sext {a} to {i32}"), f.emit(i32, f"sext {b} to {i32}")
        return f.emit(a.type, f"trunc {_binary(f, 'sdiv', x, y)} to {a.type}")
    minus_one = _compare(f, type, "eq", b, number(type, -1))
    safe = _choose(f, minus_one, number(type, 1), b)
    if _has_no_division(f, type) and type.bits == 32:
        quotient = _through_floats(f, type, a, safe, is_uniform)
    else:
        quotient = _binary(f, "sdiv", a, safe)
    return _choose(f, minus_one, _binary(f, "sub", number(type, 0), a), quotient)


def _has_no_division(f: FunctionBuilder, type: Type) -> bool:
    """Whether dividing lane by lane would take vectors apart; on GPUs they are apart anyway."""
    return type.lanes > 1 and not f.module.target.is_gpu


def _through_floats(f: FunctionBuilder, type: Type, a: Value, b: Value, is_uniform: bool) -> Value:
    float_type = f"<{type.lanes} x {'float' if type.bits <= 16 else 'double'}>"
    to_float = "sitofp" if type.is_int else "uitofp"
    x = f.emit(float_type, f"{to_float} {a} to {float_type}")
    y = f.emit(float_type, f"{to_float} {b} to {float_type}")
    if is_uniform and type.bits == 32:
        one, half, minus_half = (
            Value(float_type, splat("double", text, type.lanes)) for text in ("1.0", "0.5", "-0.5")
        )
        if type.is_int:
            negative = _compare(f, type, "slt", a, number(type, 0))
            half = _choose(f, negative, minus_half, half)
        reciprocal = f.emit(float_type, f"fdiv {one}, {y.text}")
        within = f.emit(float_type, f"fadd {x}, {half.text}")
        quotient = f.emit(float_type, f"fmul {within}, {reciprocal.text}")
    else:
        quotient = f.emit(float_type, f"fdiv {x}, {y.text}")
    if type.bits == 32:
        back = "fptosi" if type.is_int else "fptoui"
        return f.emit(a.type, f"{back} {quotient} to {a.type}")
    integers = f"<{type.lanes} x i32>"
    wide = f.emit(integers, f"fptosi {quotient} to {integers}")
    return f.emit(a.type, f"trunc {wide} to {a.type}")
