"""Operators give the types that the real Halide package gives, and refuse what it refuses."""

from __future__ import annotations

import warnings

import halide
import pytest

import compiler

TYPES = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64"]
OPERATORS = ["+", "-", "*", "/", "//", "%", "<", "<=", "==", "!=", ">", "<<", ">>", "&", "|", "^"]
EXPRESSIONS = """
u8(x) + 1; 1 + u8(x); u8(x) + 300; u8(x) + (-1); u8(x) - 300; x + 3000000000; u32(x) + 3000000000
u8(x) + 1.5; x * 1.5; 1.5 - u8(x); f32(x) + 1; f64(x) * 2.0; -u8(x); -x; -f32(x); ~u8(x); ~(x < y)
abs(i8(x)); abs(f32(x)); absd(u8(x), i8(x)); absd(i8(x), i8(x)); absd(u8(x), 3)
min(u8(x), 3); min(u8(x), x); max(u8(x), x, 3); max(f32(x), 0); max(1, 2.5)
clamp(x, 0, 255); clamp(u8(x), 0, 300); clamp(u8(x), 1, 20)
select(u8(x) < 3, 1, u8(x)); select(x < 3, u8(x), x); select(x < 3, 1, 2); select(x < 1, 1, 2.5)
select(x < 3, u8(255), 0); select(x < 3, u8(255), i32(5)); select(x < 3, i8(5), 3)
select(x < 3, u8(3), u16(4)); select(x < 3, i16(3), u8(4)); select(x < 3, 1.5, f64(2))
select(x < 3, u8(x), 300); select(x < 3, u32(7), -1); select(x < 3, f32(x), 3)
select(x < 3, u8(x), f32(x)); select(x < 3, 1, x < 4, u8(x), 3); select(u8(x), 1, 2)
mux(x, [1, 2, 3]); mux(u8(x), [u8(1), 2]); sqrt(u8(x)); sqrt(f64(x)); floor(f32(x)); round(f32(x))
pow(f32(x), 2); pow(u8(x), 2); pow(x, y); sin(x); exp(f64(x)); saturating_cast(UInt(8), x)
u8_sat(x); u8(300); u8(-1); cast(UInt(8), x + 1); (x < y) & (y < 3); (x < y) | (y < 3)
u8(x) & x; u8(x) & 15; u8(x) ^ u8(x); x ** 2; f32(x) ** 2; Expr(5); Expr(5.0); Expr(True)
saturating_add(u8(x), u8(x)); x << 3; x >> (-1); u8(x) << x; u8(x) >> i8(x)
div_round_to_zero(x, 3); mod_round_to_zero(x, y); i64(3000000000); u64(18446744073709551615)
f32(0.1); cast(Bool(), x); undef(UInt(8)); u8(x) + True; trunc(f32(x)); f64(x) + f32(x); f64(x) + x
""".replace("\n", ";").split(";")


def type_under(hl: object, text: str) -> str:
    names = {n: getattr(hl, n) for n in dir(hl) if not n.startswith("__")}
    names["x"], names["y"] = hl.Var("x"), hl.Var("y")  # type: ignore[attr-defined]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made = eval(text, names)
        except hl.HalideError:  # type: ignore[attr-defined]
            return "refused"
    return str(made.type())


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("operator", OPERATORS)
def test_every_pair_of_types_gives_halides_type(operator: str) -> None:
    # The real package reads a float's bits in `1.5f & 3`; we refuse floats there, as C does.
    types = TYPES[:-2] if operator in ("<<", ">>", "&", "|", "^") else TYPES
    for a in types:
        for b in types:
            text = f"{a}(x) {operator} {b}(y)"
            assert type_under(compiler, text) == type_under(halide, text), text


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("text", [e.strip() for e in EXPRESSIONS if e.strip()])
def test_an_expression_has_halides_type(text: str) -> None:
    assert type_under(compiler, text) == type_under(halide, text)


def test_a_condition_is_no_python_truth_value() -> None:
    for hl in (halide, compiler):
        with pytest.raises(ValueError):
            bool(hl.Var("x") < hl.Expr(3))
