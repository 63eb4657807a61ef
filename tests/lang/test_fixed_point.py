"""Fixed-point functions give the real Halide package's results, on all pairs of bytes."""

from __future__ import annotations

from typing import Any

import halide
import numpy as np
import pytest

import compiler

from .both import BOTH

BYTES = {"u8": np.arange(256, dtype=np.uint8), "i8": np.arange(-128, 128).astype(np.int8)}
PAIRS = [
    "absd", "halving_add", "halving_sub", "rounding_halving_add", "saturating_add",
    "saturating_sub", "widening_add", "widening_sub", "widening_mul",
]  # fmt: skip


def all_over_bytes(hl: Any, make: Any, a: str = "u8", b: str = "u8") -> list[np.ndarray]:
    """make(hl, x, y), a list of values of every byte x of type `a` and y of type `b`: [y][x].

    All in one pipeline.
    """
    x, y = hl.Var("x"), hl.Var("y")
    images = [hl.Buffer(BYTES[a]), hl.Buffer(BYTES[b])]
    f = hl.Func("f")
    f[x, y] = tuple(make(hl, images[0][x], images[1][y]))
    return [np.array(b) for b in f.realize([256, 256])]


def assert_equal_over_bytes(makers: dict[str, Any], a: str, b: str, where: Any = None) -> None:
    """Each maker's value of all pairs of bytes, or of those with a y in `where`."""

    def make(hl: Any, x: Any, y: Any) -> list[Any]:
        return [maker(hl, x, y) for maker in makers.values()]

    for name, theirs, ours in zip(
        makers, *(all_over_bytes(hl, make, a, b) for hl in BOTH), strict=True
    ):
        assert ours.dtype == theirs.dtype, name
        if where is not None:
            ours, theirs = ours[where], theirs[where]
        np.testing.assert_array_equal(ours, theirs, err_msg=name)


def named(names: list[str]) -> dict[str, Any]:
    """The functions of two values that the packages call so."""
    return {n: lambda hl, x, y, n=n: getattr(hl, n)(x, y) for n in names}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("types", ["u8 u8", "i8 i8", "u8 i8"])
def test_a_function_of_two_bytes_is_halides(types: str) -> None:
    assert_equal_over_bytes(named(PAIRS), *types.split())


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("types", ["u8 u8", "i8 i8", "u8 i8"])
def test_division_toward_zero_is_halides(types: str) -> None:
    def divided(hl: Any, name: str, x: Any, y: Any) -> Any:
        # x / 0 and -128 / -1 are undefined, and stop the real package's process.
        return getattr(hl, name)(x, hl.select((y == 0) | (hl.i32(y) == -1), 3, y))

    names = ["div_round_to_zero", "mod_round_to_zero"]
    makers = {n: lambda hl, x, y, n=n: divided(hl, n, x, y) for n in names}
    assert_equal_over_bytes(makers, *types.split())


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("types", ["u8 u8", "u8 i8", "i8 u8", "i8 i8"])
def test_a_rounding_shift_by_less_than_the_width_is_halides(types: str) -> None:
    a, b = types.split()
    amounts = BYTES[b].astype(int)
    shifts = named(["rounding_shift_left", "rounding_shift_right"])
    assert_equal_over_bytes(shifts, a, b, (amounts > -8) & (amounts < 8))


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("types", ["u8 u8", "u8 i8", "i8 i8"])
def test_a_widening_shift_by_less_than_the_width_is_halides(types: str) -> None:
    a, b = types.split()
    amounts = BYTES[b].astype(int)
    shifts = named(["widening_shift_left", "widening_shift_right"])
    assert_equal_over_bytes(shifts, a, b, (amounts > -16) & (amounts < 16))


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("type", ["u8", "i8"])
def test_a_scaled_product_is_halides(type: str) -> None:
    makers = {
        f"{name} by {amount}": lambda hl, x, y, n=name, k=amount: getattr(hl, n)(x, y, k)
        for name in ("mul_shift_right", "rounding_mul_shift_right")
        for amount in (0, 1, 7, 8, 11)
    }
    assert_equal_over_bytes(makers, type, type)


@pytest.mark.parametrize("type", ["u8", "i8"])
def test_counting_bits_is_halides(type: str) -> None:
    names = ["popcount", "count_leading_zeros", "count_trailing_zeros"]
    makers = {n: lambda hl, x, y, n=n: getattr(hl, n)(x) for n in names}
    assert_equal_over_bytes(makers, type, "u8")


INTEGERS = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("wide", INTEGERS[:-2])
def test_a_saturating_cast_is_halides(wide: str) -> None:
    def make(hl: Any, x: Any, y: Any) -> list[Any]:
        value = getattr(hl, wide)(hl.i32(x) * 3 + (hl.i32(y) - 128) * 40000)
        return [getattr(hl, narrow + "_sat")(value) for narrow in INTEGERS]

    for narrow, theirs, ours in zip(
        INTEGERS, *(all_over_bytes(h, make) for h in BOTH), strict=True
    ):
        np.testing.assert_array_equal(ours, theirs, err_msg=narrow)


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("type", ["u8", "i8"])
def test_lerp_by_a_float_rounds_as_halides(type: str) -> None:
    weights = (0.0, 0.1, 0.5, 1.0)
    makers = {str(w): lambda hl, x, y, w=w: hl.lerp(x, y, hl.f32(w)) for w in weights}
    assert_equal_over_bytes(makers, type, type)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("type", ["u8", "i8", "u16", "i16", "u32", "i32", "f32", "f64"])
def test_lerp_by_weights_of_all_types_rounds_as_halides(type: str) -> None:
    def make(hl: Any, x: Any, y: Any) -> list[Any]:
        a, b = hl.u32(x) * 0x01030107, hl.u32(y) * 0x00F1F3F7 + 77
        ends = [getattr(hl, type)(hl.i32(e) if type[0] != "u" else e) for e in (a, b)]
        w = hl.u32(x) * 16843009
        # By 256: the real package multiplies by an inexact 1/255 instead of dividing.
        weights = [x > 100, hl.u8(w), hl.u16(w), w, hl.f32(x) / 256.0, hl.f64(x) / 256.0]
        return [hl.lerp(*ends, weight) for weight in weights]

    for theirs, ours in zip(*(all_over_bytes(hl, make) for hl in BOTH), strict=True):
        assert ours.dtype == theirs.dtype
        if type[0] == "f":
            # Halide's JIT contracts and reorders float arithmetic; ours is in the written order.
            bound = 4 * np.spacing(np.abs(theirs).max())
            assert np.abs(ours - theirs).max() <= bound
        else:
            np.testing.assert_array_equal(ours, theirs)


def test_bits_are_taken_and_joined_as_halides() -> None:
    makers = {
        "two": lambda hl, x, y: hl.concat_bits([x, y]),
        "a part": lambda hl, x, y: hl.extract_bits(hl.UInt(8), hl.i32(x) * 77777, y & 15),
        "a float": lambda hl, x, y: hl.reinterpret(hl.Int(32), hl.f32(x) + hl.f32(y) / 256.0),
    }
    assert_equal_over_bytes(makers, "u8", "u8")
    joined = {
        "four": lambda hl, x, y: hl.concat_bits([x, y, x, y]),
        "turned": lambda hl, x, y: hl.concat_bits([y, y, x, x]),
    }
    assert_equal_over_bytes(joined, "i8", "i8")


def test_64_bit_products_keep_their_high_half() -> None:
    values = np.array([0, 1, 3, 2**63 + 5, 2**64 - 1, 0x123456789ABCDEF], np.uint64)
    hl = compiler
    x, f = hl.Var("x"), hl.Func("f")
    b = hl.Buffer(values)
    f[x] = hl.mul_shift_right(b[x], b[x], 64)
    expected = [int(v) * int(v) >> 64 for v in values]
    assert np.array(f.realize([len(values)])).tolist() == expected


MISTAKES = """
hl.mul_shift_right(u8, u8, -1); hl.mul_shift_right(u8, u8, hl.i8(x)); hl.widen_right_add(u8, u8)
hl.widen_right_mul(hl.u16(x), hl.i8(x)); hl.reinterpret(hl.Float(64), x); hl.concat_bits([])
hl.concat_bits([u8, u8, u8]); hl.concat_bits([u8, x]); hl.popcount(hl.f32(x)); hl.lerp(u8, x, 0.5)
hl.lerp(u8, u8, x); hl.lerp(u8, u8, 1); hl.div_round_to_zero(hl.f32(x), hl.f32(2.0))
hl.lerp(hl.u64(x), hl.u64(x), 0.5); hl.unsafe_promise_clamped(u8, 0, 500)
hl.count_leading_zeros(hl.f32(x))
""".replace("\n", ";").split(";")


@pytest.mark.parametrize("text", [t.strip() for t in MISTAKES if t.strip()])
def test_what_halide_refuses_is_refused(text: str) -> None:
    for hl in (halide, compiler):
        x = hl.Var("x")
        with pytest.raises(hl.HalideError):
            eval(text, {"hl": hl, "x": x, "u8": hl.u8(x)})
