"""What a proof assumes: what the source states, and the least that it needs besides."""

from __future__ import annotations

import pytest

from compiler.ir import (
    EQ,
    GE,
    GT,
    I32,
    I64,
    LE,
    LT,
    NE,
    TRUE,
    Add,
    And,
    Div,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Not,
    Or,
    Select,
    Sub,
    Variable,
    const,
)
from lifter.model.diagnostic import LiftError
from lifter.verify import Assumptions, Prover, stated, typed_formula
from lifter.verify.assumptions import to_c
from tests.parse.parsing import kernel
from tests.verify.proving import assumptions_of, step

COLS, ROWS, PITCH, ROUND = (Variable(name, I64) for name in ("cols", "rows", "pitch", "i0"))
FILL = "for (int i = 0; i < cols; i++) d[i] = 1;"


def fill(*conditions, comment=""):
    """A kernel with stated preconditions."""
    asserts = "".join(f"assert({c}); " for c in conditions)
    return kernel(f"""
        #include <cassert>
        #include <cstdint>
        void f(uint8_t* d, int cols, int rows, int pitch, uint8_t level) {{ {comment}
          {asserts} {FILL} }}
    """)


def texts(assumptions):
    return [p.text for p in assumptions.preconditions]


def fresh():
    return assumptions_of(fill())


def test_an_assert_is_a_precondition_in_the_user_s_words():
    known = assumptions_of(fill("cols <= pitch", "rows >= 0 && cols > 1"))
    assert texts(known) == ["cols <= pitch", "rows >= 0 && cols > 1"]
    assert {p.origin for p in known.preconditions} == {"assert"}
    assert known.prover.integers(GT(PITCH, const(1, I64)), known.formulas).proved


def test_a_comment_is_one_too():
    known = assumptions_of(fill(comment="// lift: assume(cols % 4 == 0)\n"))
    assert [(p.text, p.origin) for p in known.preconditions] == [("cols % 4 == 0", "comment")]


def test_nothing_stated_is_nothing_assumed():
    assert texts(fresh()) == []


def test_assumptions_that_contradict_each_other_are_refused_with_their_place():
    with pytest.raises(LiftError) as caught:
        assumptions_of(fill("cols > 10", "cols < 5"))
    found = caught.value.diagnostic
    assert found.code == "vacuous"
    assert "cols > 10, cols < 5" in found.message
    assert (found.span.line, found.span.column) == (4, 3)


def test_an_assumption_that_no_value_of_a_parameter_meets_is_refused():
    with pytest.raises(LiftError, match="`level > 255` is false for every call") as caught:
        assumptions_of(fill("level > 255"))
    assert caught.value.diagnostic.code == "assumption-false"
    assert texts(assumptions_of(fill("level > 254"))) == ["level > 254"]


def test_a_size_wider_than_32_bits_is_assumed_to_fit_them_where_it_is_a_size():
    wide = kernel("""
        #include <cstddef>
        #include <cstdint>
        void f(uint8_t* d, size_t n, size_t other) { for (size_t i = 0; i < n; i++) d[i] = 0; }
    """)
    prover = Prover({p.name: p.type for p in wide.params if p.kind == "scalar"})
    assert texts(stated(wide, prover, {"n"})) == ["n <= 2147483647"]
    assert texts(stated(wide, prover, set())) == []


# What a proof needs besides


def test_a_goal_that_holds_assumes_nothing():
    known = fresh()
    assert known.decide(LE(COLS, Add(COLS, const(1, I64))), (), [LE(COLS, PITCH)]).proved
    assert texts(known) == []


def test_the_first_remedy_that_suffices_is_assumed():
    known = fresh()
    useless, weak = LE(const(0, I64), ROWS), LE(COLS, PITCH)
    goal = LT(ROUND, PITCH)
    strong = LE(Add(COLS, const(9, I64)), PITCH)
    assert known.decide(goal, [LT(ROUND, COLS)], [useless, weak, strong]).proved
    assert texts(known) == ["cols <= pitch"]


def test_a_goal_that_no_remedy_saves_stays_refuted_and_assumes_nothing():
    known = fresh()
    decision = known.decide(LT(ROUND, PITCH), [LT(ROUND, COLS)], [LE(const(0, I64), ROWS)])
    assert decision.verdict == "refuted"
    assert texts(known) == []


def test_a_remedy_about_a_counter_is_none():
    known = fresh()
    assert known.decide(LT(ROUND, PITCH), (), [LT(ROUND, PITCH)]).verdict == "refuted"
    assert texts(known) == []


def test_a_remedy_that_contradicts_what_is_known_is_none():
    """Otherwise everything would follow from it."""
    known = assumptions_of(fill("cols > pitch"))
    assert known.decide(LT(ROUND, PITCH), [LT(ROUND, COLS)], [LE(COLS, PITCH)]).verdict == "refuted"
    assert texts(known) == ["cols > pitch"]


def test_what_others_imply_is_left_out_but_what_was_stated_stays():
    known = assumptions_of(fill("cols <= pitch", "cols < pitch"))
    known.assume(LE(COLS, Add(PITCH, const(1, I64))))
    known.assume(LE(const(0, I64), ROWS))
    kept = [p.text for p in known.without_redundant()]
    assert kept == ["cols <= pitch", "cols < pitch", "0 <= rows"]


def test_the_same_thing_is_assumed_once():
    known = fresh()
    for _ in range(2):
        known.assume(LE(COLS, PITCH))
        known.assume_disjoint("d", "s")
        known.assume_rows("table")
    first, second, third = known.preconditions
    assert first.text == "cols <= pitch"
    assert (second.text, second.kind) == ("d and s don't overlap", "disjoint")
    assert (third.arrays, third.kind) == (("table",), "rows")
    assert known.formulas == [LE(COLS, PITCH)]


PLANE = """
    #include <cassert>
    #include <cstdint>
    void f(uint8_t* d, int cols, int rows, int pitch) {
      ASSERT
      for (int y = 0; y < rows; y++) for (int x = 0; x < cols; x++) d[y * pitch + x] = 7;
    }
"""


def test_rows_that_must_not_overlap_are_assumed_not_to():
    proof = step(PLANE.replace("ASSERT", "")).proof()
    assert proof.failed is None
    assert texts(proof.assumptions) == ["cols <= pitch"]


@pytest.mark.slow
def test_rows_that_are_stated_not_to_overlap_need_no_assumption():
    for condition in ("cols <= pitch", "cols <= -pitch", "pitch == cols + 3"):
        proof = step(PLANE.replace("ASSERT", f"assert({condition});")).proof()
        assert proof.failed is None
        assert texts(proof.assumptions) == [condition]


# As C


C = [
    (LE(COLS, PITCH), "cols <= pitch"),
    (EQ(Mod(COLS, const(4, I64)), const(0, I64)), "cols % 4 == 0"),
    (LE(Mul(Add(COLS, const(1, I64)), ROWS), PITCH), "(cols + 1) * rows <= pitch"),
    (Sub(COLS, Sub(ROWS, PITCH)), "cols - (rows - pitch)"),
    (Sub(Sub(COLS, ROWS), PITCH), "cols - rows - pitch"),
    (Div(COLS, Mul(ROWS, PITCH)), "cols / (rows * pitch)"),
    (And(LT(COLS, ROWS), Or(GT(COLS, PITCH), GE(ROWS, PITCH))),
     "cols < rows && (cols > pitch || rows >= pitch)"),
    (Or(And(LT(COLS, ROWS), NE(COLS, PITCH)), TRUE), "cols < rows && cols != pitch || 1"),
    (Not(LT(COLS, ROWS)), "!(cols < rows)"),
    (LE(Neg(COLS), const(-3, I64)), "-cols <= -3"),
    (Min(COLS, ROWS), "(cols < rows ? cols : rows)"),
    (Max(Add(COLS, const(1, I64)), ROWS), "(cols + 1 > rows ? cols + 1 : rows)"),
    (Select(LT(COLS, ROWS), COLS, ROWS), "(cols < rows ? cols : rows)"),
]  # fmt: skip


@pytest.mark.parametrize("formula, text", C, ids=[t for _, t in C])
def test_a_formula_reads_as_c(formula, text):
    assert to_c(formula) == text


def test_a_formula_over_typed_parameters_computes_in_64_bits():
    formula = LE(Mul(COLS, ROWS), PITCH)
    typed = typed_formula(formula, {"cols": I32, "rows": I32, "pitch": I64})
    assert repr(typed) == "int64(cols) * int64(rows) <= pitch"


def test_only_parameters_can_be_spoken_of():
    known = Assumptions(fill(), Prover({"cols": I32}))
    assert known.over_parameters(LE(COLS, const(4, I64)))
    assert not known.over_parameters(LE(ROUND, const(4, I64)))
