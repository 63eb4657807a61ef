"""Types answer as the real Halide package's, whether asked by a call or read as a property."""

from __future__ import annotations

import pytest

import compiler

from .both import BOTH, assert_same, cases

SCALARS = [
    *(f"{kind}({bits})" for kind in ("Int", "UInt") for bits in (8, 16, 32, 64)),
    "Bool()", "Float(16)", "Float(32)", "Float(64)", "BFloat(16)",
]  # fmt: skip
QUESTIONS = ["bits", "bytes", "lanes", "is_int", "is_uint", "is_float", "is_bfloat", "is_bool",
             "is_scalar", "is_vector", "is_handle", "max", "min"]  # fmt: skip


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("type", [*SCALARS, "UInt(8, 4)", "Float(32, 8)", "Bool(16)"])
def test_a_type_answers_as_halides(type: str) -> None:
    for question in QUESTIONS:
        if question not in ("max", "min") or "," not in type:
            assert_same(f"hl.{type}.{question}()")
    assert_same(f"str(hl.{type})")
    assert_same(f"hl.{type}.with_lanes(2).element_of()")


def test_what_a_type_can_represent_is_halides() -> None:
    for a in SCALARS:
        for b in SCALARS:
            if "BFloat" not in a + b:
                assert_same(f"hl.{a}.can_represent(hl.{b})")


TEXTS = cases("""
hl.Int(8) == hl.Int(8); hl.Int(8) == hl.UInt(8); hl.Int(8) != hl.Int(16); hl.Int(8).with_bits(16)
hl.Int(8).with_code(hl.TypeCode.UInt); hl.Int(8).is_max(127); hl.Int(8).is_min(-128)
hl.Int(8).is_max(126); hl.Type(hl.TypeCode.Float, 32, 1); hl.UInt(8).code() == hl.TypeCode.UInt
hl.Int(8).same_handle_type(hl.Int(8)); hl.Int(16).max() - 1; hl.UInt(64).max()
""")


@pytest.mark.parametrize("text", TEXTS)
def test_types_are_compared_and_changed_as_halides(text: str) -> None:
    assert_same(text)


def test_a_property_and_its_call_agree() -> None:
    type = compiler.Int(16)
    assert type.bits == type.bits() == 16  # type: ignore[operator]
    assert type.is_int and not type.is_uint
    assert type.max == 32767


def test_the_largest_value_is_usable_in_an_expression() -> None:
    for hl in BOTH:
        x, f = hl.Var("x"), hl.Func("f")
        f[x] = hl.UInt(16).max() - hl.u16(x)
        assert f.realize([3])[2] == 65533
