"""Proved, refuted and undecided are three different things, and a time-out is the third."""

from __future__ import annotations

from typing import Any

import pytest
import z3

from compiler.ir import (
    BOOL,
    EQ,
    F32,
    FALSE,
    GE,
    GT,
    I8,
    I32,
    I64,
    LE,
    LT,
    NE,
    TRUE,
    U8,
    U16,
    U32,
    U64,
    Add,
    Call,
    Cast,
    Div,
    Load,
    Mod,
    Mul,
    Select,
    Shr,
    Sub,
    TruncDiv,
    Variable,
    const,
    intrinsic,
)
from lifter.dag import Reduce
from lifter.verify import Prover
from lifter.verify import decide as room

X, Y, Z, N = (Variable(name, I64) for name in ("x", "y", "z", "n"))
A, B, C = (Load("src", (const(i, I64),), U8) for i in range(3))
PLAIN = Prover({"n": I32, "m": I8})


def number(value):
    return const(value, I64)


def cube(e):
    return Mul(Mul(e, e), e)


def wide(e):
    return Cast(I32, e)


# Integers


def test_a_bound_that_holds_for_all_integers_is_proved():
    decision = PLAIN.integers(LT(X, Y), [LE(X, N), LT(N, Y)])
    assert (decision.verdict, decision.by) == ("proved", "z3")
    assert "(check-sat)" in decision.smt2


def test_a_bound_that_fails_is_refuted_with_numbers():
    decision = PLAIN.integers(LT(X, Y), [LE(X, N), LE(N, Y)])
    assert decision.verdict == "refuted"
    assert decision.model["x"] == decision.model["n"] == decision.model["y"]


def test_a_counterexample_with_large_numbers_is_found_too():
    decision = PLAIN.integers(NE(X, number(123_456_789)))
    assert (decision.verdict, decision.model["x"]) == ("refuted", 123_456_789)


def test_parameters_stay_in_their_type_and_counters_do_not():
    assert PLAIN.integers(LE(Variable("m", I64), number(127))).proved
    assert PLAIN.integers(LE(Variable("m", I64), number(126))).verdict == "refuted"
    assert PLAIN.integers(LE(X, number(1 << 31))).verdict == "refuted"


def test_what_is_given_is_proved_at_once_and_from_a_contradiction_anything():
    assert PLAIN.integers(LT(X, Y), [LT(X, Y)]).by == "structural"
    assert PLAIN.integers(LT(X, Y), [FALSE]).by == "structural"


FERMAT = NE(Add(cube(X), cube(Y)), cube(Z))
POSITIVE = [GE(X, number(1)), GE(Y, number(1)), GE(Z, number(1))]


def test_a_time_out_is_undecided_and_proves_nothing():
    decision = PLAIN.integers(FERMAT, POSITIVE, timeout=0.2)
    assert (decision.verdict, decision.by, decision.proved) == ("undecided", None, False)
    assert decision.smt2


def test_satisfiable_knows_that_it_does_not_know():
    hurried = Prover({}, timeout=0.2)
    assert hurried.satisfiable([EQ(Add(cube(X), cube(Y)), cube(Z)), *POSITIVE]) is None
    assert hurried.satisfiable([LT(X, Y), LT(Y, X)]) is False
    assert hurried.satisfiable([LT(X, Y), GT(Y, number(10**9))]) is True


# Values


def test_the_same_expression_is_equal_without_asking_anyone():
    assert PLAIN.equal(Add(A, B), Add(A, B)).by == "structural"


def test_a_few_bytes_are_decided_by_trying_all_of_them():
    total = Add(Mul(wide(A), wide(B)), const(128, I32))
    shifted = Shr(Add(total, Shr(total, const(8, I32))), const(8, I32))
    divided = Div(Add(Mul(wide(A), wide(B)), const(127, I32)), const(255, I32))
    assert PLAIN.equal(shifted, divided).by == "complete"
    assert PLAIN.equal(shifted, divided).proved
    wrong = Div(Add(Mul(wide(A), wide(B)), const(126, I32)), const(255, I32))
    assert PLAIN.equal(shifted, wrong).verdict == "refuted"


def test_one_state_in_sixty_five_thousand_is_enough_to_refute():
    needle = EQ(Add(Mul(wide(A), const(256, I32)), wide(B)), const(40_503, I32))
    decision = PLAIN.equal(needle, FALSE)
    assert (decision.verdict, decision.by) == ("refuted", "complete")
    assert sorted(decision.model.values()) == sorted(divmod(40_503, 256))


HARD = Mod(Mul(Cast(U64, Variable("a", U32)), Cast(U64, Variable("b", U32))), const(641, U64))
HARD_TOO = Mod(
    Mul(
        Mod(Cast(U64, Variable("a", U32)), const(641, U64)),
        Mod(Cast(U64, Variable("b", U32)), const(641, U64)),
    ),
    const(641, U64),
)


@pytest.mark.slow
def test_values_with_too_many_states_and_no_proof_in_time_are_undecided():
    decision = PLAIN.equal(HARD, HARD_TOO, timeout=0.3)
    assert (decision.verdict, decision.by) == ("undecided", None)


@pytest.mark.slow
def test_an_enumeration_that_leaves_states_out_does_not_count(monkeypatch):
    """Three bytes are within the limit; with a lower one the answer may come from Z3 alone."""
    a, b, c = (Cast(U32, e) for e in (A, B, C))
    left = Mod(Mul(Mul(a, b), c), const(251, U32))
    right = Mod(Mul(Mod(Mul(a, b), const(251, U32)), c), const(251, U32))
    hurried = Prover({}, timeout=0.05)
    monkeypatch.setattr(room, "COMPLETE_STATES", 1 << 20)
    assert hurried.equal(left, right).by != "complete"
    monkeypatch.setattr(room, "COMPLETE_STATES", 1 << 24)
    assert hurried.equal(left, right).by == "complete"


def test_every_state_is_tried_also_those_of_the_last_chunk(monkeypatch):
    monkeypatch.setattr(room, "CHUNK", 1000)
    monkeypatch.setattr(room.Prover, "_refute_by_samples", lambda *_: None)
    last = EQ(Add(wide(A), wide(B)), const(510, I32))
    assert PLAIN.equal(last, FALSE).model == {repr(A): 255, repr(B): 255}


def test_a_hypothesis_makes_equal_what_differs_elsewhere():
    doubled, wider = Cast(I32, Add(A, A)), Add(wide(A), wide(A))
    assert PLAIN.equal(doubled, wider).verdict == "refuted"
    assert PLAIN.equal(doubled, wider, [LT(A, const(128, U8))]).proved
    assert PLAIN.equal(doubled, wider, [LE(A, const(128, U8))]).model == {repr(A): 128}


def test_a_hypothesis_about_other_values_does_not_help():
    doubled, wider = Cast(I32, Add(A, A)), Add(wide(A), wide(A))
    assert PLAIN.equal(doubled, wider, [LT(B, const(128, U8))]).verdict == "refuted"


def test_an_int64_counter_has_all_its_values():
    low = Cast(U8, X)
    assert PLAIN.equal(low, Cast(U8, Add(X, number(256)))).proved
    decision = PLAIN.equal(GE(Mul(X, X), number(0)), TRUE)
    assert decision.verdict == "refuted"  # it wraps: index arithmetic is for `integers`


@pytest.mark.parametrize("name, most", [("n", (1 << 31) - 1), ("m", 127)])
def test_a_parameter_in_an_index_formula_has_the_parameter_s_values(name, most):
    assert PLAIN.equal(LE(Variable(name, I64), number(most)), TRUE).proved
    assert PLAIN.equal(LE(Variable(name, I64), number(most - 1)), TRUE).verdict == "refuted"


def test_a_formula_about_a_parameter_says_something_of_its_value():
    value = Add(Variable("m", I8), const(1, I8))
    exact = Add(Cast(I32, Variable("m", I8)), const(1, I32))
    assert PLAIN.equal(Cast(I32, value), exact).verdict == "refuted"
    assert PLAIN.equal(Cast(I32, value), exact, [LT(Variable("m", I64), number(127))]).proved


def test_nan_equals_nan_but_zero_is_not_minus_zero():
    x = Variable("x", F32)
    assert PLAIN.equal(Add(x, const(0.0, F32)), x).verdict == "refuted"
    assert PLAIN.equal(Sub(x, const(0.0, F32)), x).proved
    assert PLAIN.equal(Mul(x, const(1.0, F32)), x).proved


def test_float_sums_are_not_reordered():
    x, y, z = (Variable(name, F32) for name in "xyz")
    assert PLAIN.equal(Add(Add(x, y), z), Add(x, Add(y, z))).verdict == "refuted"
    assert PLAIN.equal(Add(x, y), Add(y, x)).proved


def test_an_unknown_float_function_refutes_nothing_that_samples_do_not():
    x = Variable("x", F32)
    left, right = intrinsic("exp", Add(x, x)), intrinsic("exp", Mul(const(2.0, F32), x))
    assert PLAIN.equal(left, right, timeout=1.0).verdict in ("proved", "undecided")
    assert PLAIN.equal(left, intrinsic("exp", x)).verdict == "refuted"


def test_two_reductions_that_are_written_differently_are_undecided():
    """Each is a free value to the solver: that the values may differ on paper refutes nothing."""
    k = Variable("k", I64)
    plain, twice = (
        Reduce("add", k, number(4), e)
        for e in (Cast(U16, Load("src", (k,), U8)), Cast(U16, Load("src", (Add(k, k),), U8)))
    )
    decision = PLAIN.equal(plain, twice)
    assert (decision.verdict, decision.proved) == ("undecided", False)
    assert PLAIN.equal(Add(plain, twice), Add(twice, plain)).proved


def test_a_pure_function_is_looked_into_where_its_name_is_not_enough():
    def body(call):
        (x,) = call.args
        return TruncDiv(Add(x, const(1, I32)), const(2, I32))

    prover = Prover({}, inline=body)
    half = Call("half", (wide(A),), I32, "pure")
    assert prover.equal(half, Shr(Add(wide(A), const(1, I32)), const(1, I32))).proved
    assert prover.equal(half, Shr(wide(A), const(1, I32))).verdict == "refuted"


def test_the_side_that_a_selection_does_not_take_does_not_matter():
    safe = Select(EQ(B, const(0, U8)), const(0, U8), Div(A, B))
    assert PLAIN.equal(safe, Div(A, B)).proved  # x / 0 is 0 in the DSL
    other = Select(EQ(B, const(0, U8)), const(1, U8), Div(A, B))
    assert PLAIN.equal(safe, other).verdict == "refuted"


def test_booleans_are_compared_as_values():
    p, q = Variable("p", BOOL), Variable("q", BOOL)
    assert PLAIN.equal(NE(p, q), NE(q, p)).proved
    assert PLAIN.equal(NE(p, q), EQ(p, q)).verdict == "refuted"


@pytest.mark.parametrize(
    ("share", "needed", "asked", "answer"),
    [(0.1, 2, 3, z3.unsat), (0.1, 99, 3, z3.unknown), (1.0, 99, 1, z3.unknown)],
)
def test_a_solver_that_others_kept_from_working_begins_anew(
    share: float, needed: float, asked: int, answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the seconds that go by it has a share."""
    clock = {"now": 0.0}
    limits: list[float] = []

    class Solver:
        def set(self, name: str, value: int) -> None:
            if name == "timeout":
                limits.append(value / 1000)

        def add(self, *formulas: Any) -> None: ...

        def check(self) -> Any:
            clock["now"] += limits[-1]
            return z3.unsat if limits[-1] * share > needed else z3.unknown

    monkeypatch.setattr(room.z3, "Solver", Solver)
    monkeypatch.setattr(room.time, "perf_counter", lambda: clock["now"])
    monkeypatch.setattr(room.time, "process_time", lambda: share * clock["now"])
    found, _ = room._check([z3.Bool("p")], 1.0)
    assert (found, len(limits)) == (answer, asked)
    assert limits == [room.PATIENCE**n for n in range(1, asked + 1)]
