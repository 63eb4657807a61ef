"""No mistake of the printer reaches a file: what was printed is executed and compared."""

from __future__ import annotations

import pytest

import compiler as hl
from compiler.ir import (
    I16,
    I32,
    I64,
    U8,
    Add,
    BitAnd,
    Cast,
    Const,
    Expr,
    Mul,
    Select,
    Shl,
    Shr,
    Sub,
    TruncDiv,
    TruncMod,
    Type,
    Variable,
)
from lifter.emit import dialect, emitted_texts, expression_text, promotion
from lifter.emit.from_summaries import build_program
from lifter.emit.pipeline_text import pipeline_text
from lifter.emit.round_trip import check_round_trip
from lifter.model.diagnostic import LiftError

from . import samples


@pytest.mark.parametrize("sample", samples.SAMPLES, ids=lambda s: s.__name__)
def test_every_sample_says_what_was_proved(sample) -> None:  # type: ignore[no-untyped-def]
    assert "pipeline.py" in emitted_texts(sample())


def test_a_wrong_precedence_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    strengths = dict(dialect.PYTHON.infix)
    strengths[Add], strengths[Mul] = ("+", 7), ("*", 6)
    strengths[Sub] = ("-", 7)
    monkeypatch.setattr(
        expression_text.ExpressionText,
        "_operand",
        lambda self, node, operand, strength: self.text(operand, strength),
    )
    object.__setattr__(dialect.PYTHON, "infix", strengths)
    try:
        with pytest.raises(LiftError, match="does not say what was proved"):
            emitted_texts(samples.opacity())
    finally:
        monkeypatch.undo()
        object.__setattr__(dialect.PYTHON, "infix", dialect.PythonDialect().infix)


def test_a_wrong_promotion_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(a: Type, b: Type) -> Type:
        return I32

    monkeypatch.setattr(expression_text, "arithmetic", careless)
    with pytest.raises(LiftError, match="does not say what was proved"):
        emitted_texts(samples.box3())
    assert promotion.arithmetic(U8, U8) is U8


@pytest.mark.parametrize(
    ("sample", "old", "new"),
    [
        (samples.box3, "x + 1", "x + 2"),
        (samples.box3, "/ 3", "/ 4"),
        (samples.box3, "hl.i32(src[x - 1, y])", "src[x - 1, y]"),
        (samples.threshold, ">=", ">"),
        (samples.threshold, "255, plane[x, y]", "plane[x, y], 255"),
        (samples.two_stages, "tmp[x, y - 1]", "tmp[x, y - 2]"),
        (samples.histogram, "+= 1", "+= 2"),
        (samples.histogram, "(0, rows)", "(1, rows)"),
        (samples.histogram, "hl.u32(0)", "hl.u32(1)"),
        (samples.box_sum, "2 * radius + 1), (", "2 * radius), ("),
        (samples.box_sum, "hl.sum", "hl.maximum"),
        (samples.constant_table, "-128, -127", "-127, -127"),
        (samples.gamma, "0.1", "0.2"),
        (samples.multiply, "128", "127"),
        (samples.multiply, "return [dst, src]", "return [src, dst]"),
        (samples.opacity, "hl.Param(hl.Int(32)", "hl.Param(hl.Int(16)"),
        (samples.dissolve, "2654435761", "2654435760"),
    ],
)
def test_a_changed_text_is_found(sample, old: str, new: str) -> None:  # type: ignore[no-untyped-def]
    result = sample()
    program = build_program(result)
    text = pipeline_text(program, [result.name])
    assert old in text
    check_round_trip(program, text)
    with pytest.raises(LiftError) as caught:
        check_round_trip(program, text.replace(old, new))
    assert caught.value.diagnostic.code == "internal"


def test_shifts_bind_as_the_reader_expects() -> None:
    e: Expr = Shr(Add(Const(I32, 1), Shr(Const(I32, 6), Const(I32, 1))), Const(I32, 2))
    shown = expression_text.ExpressionText(dialect.PYTHON).text(e)
    assert shown == "(1 + (hl.i32(6) >> 1)) >> 2"


def test_a_shift_by_a_variable_is_not_shifted_back() -> None:
    """Halide's shift by a negative int goes the other way; C++'s is undefined, so it never is."""
    amount = Sub(Const(I32, 7), BitAnd(Variable("x", I32), Const(I32, 7)))
    by = expression_text.ExpressionText(dialect.PYTHON)
    assert by.text(Shr(Variable("n", I32), amount)) == "n >> hl.u32(7 - (x & 7))"
    assert by.text(Shr(Variable("n", I32), amount.b)) == "n >> (x & 7)"
    notation = expression_text.ExpressionText(dialect.NOTATION)
    assert notation.text(Shr(Variable("n", I32), amount)) == "n >> (7 - (x & 7))"


@pytest.mark.parametrize("kind", [Shl, Shr])
def test_a_narrow_amount_of_a_wide_shift_is_not_shifted_back(kind: type[Shl | Shr]) -> None:
    """What can't be negative can't be it in a wider type: the text and the language agree."""
    wide, narrow = hl.Param(hl.Int(64), "n"), hl.Param(hl.Int(32), "x")
    x = Variable("x", I32)
    by = expression_text.ExpressionText(dialect.PYTHON)
    for amount, text in (
        (BitAnd(x, Const(I32, 63)), "(x & 63)"),
        (Sub(Const(I32, 63), BitAnd(x, Const(I32, 63))), "hl.u32(63 - (x & 63))"),
    ):
        symbol = "<<" if kind is Shl else ">>"
        shown = by.text(kind(Variable("n", I64), Cast(I64, amount)))
        assert shown == f"n {symbol} {text}"
        read = eval(shown, {"hl": hl, "n": wide, "x": narrow})
        assert isinstance(read.node, kind)
    for amount in (narrow, hl.i64(narrow), hl.i64(hl.u64(narrow))):
        assert isinstance((wide << amount).node, Select)


def test_division_toward_zero_is_a_call_whose_constant_has_the_values_type() -> None:
    by = expression_text.ExpressionText(dialect.PYTHON)
    difference = Sub(Cast(I32, Variable("a", U8)), Cast(I32, Variable("b", U8)))
    quotient = TruncDiv(difference, Const(I32, 255))
    assert by.text(quotient) == "hl.div_round_to_zero(hl.i32(a) - b, 255)"
    assert by.text(Mul(quotient, Const(I32, 3))) == "hl.div_round_to_zero(hl.i32(a) - b, 255) * 3"
    rest = TruncMod(Variable("c", I16), Const(I16, -7))
    assert by.text(rest) == "hl.mod_round_to_zero(c, hl.i16(-7))"
    in_cpp = expression_text.ExpressionText(dialect.CPP)
    assert in_cpp.text(rest) == "mod_round_to_zero(c, cast<int16_t>(-7))"
