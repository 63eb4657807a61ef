"""The interpreter: exact values where C++ defines them, an event and poison where it does not."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from compiler.ir import (
    BOOL,
    EQ,
    F32,
    F64,
    GE,
    GT,
    I8,
    I16,
    I32,
    I64,
    LE,
    LT,
    NE,
    U8,
    U16,
    U32,
    U64,
    Add,
    And,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Call,
    Cast,
    Const,
    Div,
    Expr,
    Let,
    Load,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Not,
    Or,
    Select,
    Shl,
    Shr,
    Sub,
    TruncDiv,
    TruncMod,
    Type,
    Variable,
    const,
    evaluate,
    intrinsic,
)  # fmt: skip
from lifter.model.diagnostic import Span
from lifter.model.kernel import (
    Allocate,
    Array,
    Assign,
    Assume,
    Break,
    Declare,
    If,
    PureFunction,
    Return,
    Stmt,
    Store,
    WhileLoop,
)
from lifter.verify.interpret import run
from lifter.verify.memory import POISON, Memory


def at(line: int) -> Span:
    return Span("kernel.cpp", line, 1, line, 9)


HERE = at(1)
INTEGERS = (U8, I8, U16, I16, U32, I32, U64, I64)


def value_of(expr: Expr, **scalars: int | float) -> tuple[Any, set[str]]:
    """The value of one expression and the kinds of undefined behaviour on the way."""
    outcome = run((Return(HERE, expr),), scalars, {}, {}, {})
    return outcome.result, {e.kind for e in outcome.undefined}


def loop(counter: str, end: Expr, *body: Stmt) -> tuple[Stmt, ...]:
    """`for (int counter = 0; counter < end; counter++) body`."""
    variable = Variable(counter, I32)
    step = (Assign(HERE, counter, Add(variable, const(1))),)
    start = Assign(HERE, counter, const(0))
    return start, WhileLoop(HERE, LT(variable, end), body, step)


def interesting(type: Type) -> list[int]:
    values = {type.min, type.min + 1, type.max, type.max - 1, type.max // 2, 0, 1, 2, 7, 100}
    return sorted(values | ({-1, -2, -100} if type.is_int else set()))


UNDEFINED_WHEN: dict[type[Expr], Callable[[Type, int, int], bool]] = {
    Add: lambda t, a, b: t.is_int and t.bits >= 32 and not t.contains(a + b),
    Sub: lambda t, a, b: t.is_int and t.bits >= 32 and not t.contains(a - b),
    Mul: lambda t, a, b: t.is_int and t.bits >= 32 and not t.contains(a * b),
    Div: lambda t, a, b: t.is_int and t.bits >= 32 and a == t.min and b == -1,
    TruncDiv: lambda t, a, b: b == 0 or (t.is_int and t.bits >= 32 and a == t.min and b == -1),
    TruncMod: lambda t, a, b: b == 0 or (t.is_int and t.bits >= 32 and a == t.min and b == -1),
    Shl: lambda t, a, b: not 0 <= b < t.bits,
    Shr: lambda t, a, b: not 0 <= b < t.bits,
}


def never(type: Type, a: int, b: int) -> bool:
    return False


BINARY = (Add, Sub, Mul, Div, Mod, TruncDiv, TruncMod, Min, Max, BitAnd, BitOr, BitXor, Shl, Shr)
COMPARISONS = (EQ, NE, LT, LE, GT, GE)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("operator", BINARY + COMPARISONS, ids=lambda o: o.__name__)
def test_integer_operators_agree_with_the_numpy_evaluator_where_defined(
    operator: type[Expr],
) -> None:
    undefined_when = UNDEFINED_WHEN.get(operator, never)
    for type in INTEGERS:
        expr = operator(Variable("a", type), Variable("b", type))
        for a, b in itertools.product(interesting(type), repeat=2):
            value, events = value_of(expr, a=a, b=b)
            if undefined_when(type, a, b):
                assert value is POISON and len(events) == 1, (type, a, b, events)
            else:
                assert not events, (type, a, b)
                assert value == evaluate(expr, {"a": a, "b": b}), (type, a, b)


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("type", [F32, F64], ids=str)
@pytest.mark.parametrize(
    "operator", (Add, Sub, Mul, Div, Mod, Min, Max, *COMPARISONS), ids=lambda o: o.__name__
)
def test_float_operators_round_as_ieee_does(operator: type[Expr], type: Type) -> None:
    values = (0.0, -0.0, 1.0, -1.5, 0.1, 3.0e38, 1.0e-45, float("inf"), float("nan"))
    expr = operator(Variable("a", type), Variable("b", type))
    for a, b in itertools.product(values, repeat=2):
        value, events = value_of(expr, a=a, b=b)
        expected = evaluate(expr, {"a": a, "b": b})
        assert not events
        assert np.array_equal(value, expected, equal_nan=expected.dtype.kind == "f"), (a, b)
        if expected.dtype.kind == "f" and not np.isnan(expected):
            assert np.signbit(value) == np.signbit(expected), (a, b)


def test_integer_casts_wrap_and_cast_to_bool_compares_with_zero() -> None:
    for source, target in itertools.product(INTEGERS, (*INTEGERS, BOOL, F32, F64)):
        expr = Cast(target, Variable("a", source))
        for a in interesting(source):
            value, events = value_of(expr, a=a)
            assert not events and value == evaluate(expr, {"a": a}), (expr, a)


def test_large_integers_are_rounded_to_single_once() -> None:
    twice_rounded_differs = (1 << 60) + (1 << 36) + 1
    value, _ = value_of(Cast(F32, Const(I64, twice_rounded_differs)))
    assert value == np.int64(twice_rounded_differs).astype(np.float32)
    assert value != np.float32(float(twice_rounded_differs))


@pytest.mark.parametrize("number", [-1.0, 256.0, 1e30, float("nan"), float("inf")])
def test_a_float_outside_of_the_integer_type_is_undefined(number: float) -> None:
    assert value_of(Cast(U8, Const(F32, number))) == (POISON, {"float-range"})


@pytest.mark.parametrize("number, expected", [(-0.9, 0), (255.9, 255), (3.99, 3)])
def test_a_float_inside_of_the_integer_type_is_cut(number: float, expected: int) -> None:
    assert value_of(Cast(U8, Const(F32, number))) == (expected, set())


def test_unary_operators_agree_with_the_numpy_evaluator() -> None:
    for type in INTEGERS:
        for operator in (Neg, BitNot):
            expr = operator(Variable("a", type))
            for a in interesting(type):
                value, events = value_of(expr, a=a)
                if operator is Neg and type in (I32, I64) and a == type.min:
                    assert (value, events) == (POISON, {"signed-overflow"})
                else:
                    assert not events and value == evaluate(expr, {"a": a}), (expr, a)
    assert np.signbit(value_of(Neg(Const(F32, 0.0)))[0])


def test_intrinsics_have_the_meaning_of_their_table() -> None:
    pair = {"a": -128, "b": 127}
    for name in ("absd", "saturating_add", "saturating_sub"):
        expr = intrinsic(name, Variable("a", I8), Variable("b", I8))
        assert value_of(expr, **pair) == (int(evaluate(expr, pair)), set())
    assert value_of(intrinsic("abs", Const(I32, I32.min))) == (1 << 31, set())
    value, _ = value_of(intrinsic("sqrt", Const(F32, 2.0)))
    assert value == np.sqrt(np.float32(2)) and isinstance(value, np.float32)


def test_only_the_chosen_branch_is_evaluated() -> None:
    division = TruncDiv(const(1), Variable("b", I32))
    guard = NE(Variable("b", I32), const(0))
    assert value_of(Select(guard, division, const(7)), b=0) == (7, set())
    assert value_of(And(guard, GT(division, const(0))), b=0) == (False, set())
    assert value_of(Or(Not(guard), GT(division, const(0))), b=0) == (True, set())
    assert value_of(Select(Not(guard), division, const(7)), b=0)[1] == {"division-by-zero"}


def test_let_binds_inside_of_its_body_only() -> None:
    inner = Let("a", const(5), Mul(Variable("a", I32), const(2)))
    assert value_of(Add(inner, Variable("a", I32)), a=1) == (11, set())


def test_pure_functions_see_their_arguments_and_nothing_else() -> None:
    a, b = Variable("a", I32), Variable("b", I32)
    functions = {
        "less": PureFunction("less", (a, b), Sub(a, b), HERE),
        "twice": PureFunction("twice", (a,), Call("less", (a, Neg(a)), I32, "pure"), HERE),
    }
    expr = Add(Call("twice", (b,), I32, "pure"), a)
    outcome = run((Return(HERE, expr),), {"a": 100, "b": 4}, {}, {}, functions)
    assert outcome.result == 108


def blend() -> tuple[tuple[Stmt, ...], dict[str, Array]]:
    """`for r, c: dst[c] = (dst[c] + src[c]) / 2` with both pointers moved by `rowBytes`."""
    c, rows, cols = Variable("c", I32), Variable("rows", I32), Variable("cols", I32)
    d, s = Add(Variable("dst", I64), Cast(I64, c)), Add(Variable("src", I64), Cast(I64, c))
    total = Add(Cast(I32, Load("dst", (d,), U8)), Cast(I32, Load("src", (s,), U8)))
    store = Store(at(4), "dst", (d,), Cast(U8, TruncDiv(total, const(2))))
    row_bytes = Cast(I64, Variable("rowBytes", I32))
    bump = [Assign(at(5), p, Add(Variable(p, I64), row_bytes)) for p in ("dst", "src")]
    arrays = {"dst": Array("dst", U8), "src": Array("src", U8)}
    return loop("r", rows, *loop("c", cols, store), *bump), arrays


def test_a_pointer_parameter_starts_at_zero_and_moves() -> None:
    body, arrays = blend()
    memory = {"dst": Memory(U8, lambda i: 100), "src": Memory(U8, lambda i: i[0])}
    outcome = run(body, {"rows": 2, "cols": 3, "rowBytes": 10}, memory, arrays, {})
    assert outcome.undefined == [] and outcome.stopped is None
    assert memory["dst"].written == {(i,) for i in (0, 1, 2, 10, 11, 12)}
    assert memory["src"].read_set == memory["dst"].written
    assert [memory["dst"].cells[(i,)] for i in (0, 1, 2, 10)] == [50, 50, 51, 55]
    assert memory["src"].written == set()
    assert outcome.scalars["dst"] == 20


def test_two_names_of_one_memory_overlap() -> None:
    body, arrays = blend()
    shared = Memory(U8, lambda i: 40)
    scalars = {"rows": 1, "cols": 2, "rowBytes": 0}
    run(body, scalars, {"dst": shared, "src": shared}, arrays, {})
    assert shared.cells == {(0,): 40, (1,): 40}
    assert shared.copy().read_set == set()


def test_a_step_is_one_round_of_a_loop() -> None:
    body, arrays = blend()
    memory = {"dst": Memory(U8, lambda i: 3), "src": Memory(U8, lambda i: i[0])}
    outcome = run(body, {"rows": 4, "cols": 5, "rowBytes": 8}, memory, arrays, {})
    assert outcome.steps == 4 + 4 * 5


def local(size: Expr | None = None) -> dict[str, Array]:
    tmp = Array("tmp", I32, origin="local", size=size or Variable("n", I32))
    return {"tmp": tmp, "out": Array("out", I32)}


def test_reading_outside_of_a_local_array_is_reported_and_poisons_what_depends_on_it() -> None:
    i = Variable("i", I32)
    body = (
        Allocate(at(1), "tmp"),
        *loop("i", Variable("n", I32), Store(at(2), "tmp", (i,), i)),
        *loop(
            "i",
            Variable("n", I32),
            Store(at(3), "out", (i,), Add(Load("tmp", (Add(i, const(1)),), I32), const(1))),
        ),
    )
    out = Memory(I32, lambda index: 0)
    outcome = run(body, {"n": 3}, {"out": out}, local(), {})
    assert [(e.kind, e.span.line) for e in outcome.undefined] == [("out-of-bounds-read", 3)]
    assert "tmp[3], which has 3 elements" in outcome.undefined[0].detail
    assert out.cells == {(0,): 2, (1,): 3, (2,): POISON}
    assert outcome.stopped is None


def test_writing_outside_of_a_local_array_is_reported() -> None:
    body = (Allocate(HERE, "tmp"), Store(at(2), "tmp", (Variable("n", I32),), const(1)))
    outcome = run(body, {"n": 3}, {}, local(), {})
    assert [(e.kind, e.span.line) for e in outcome.undefined] == [("out-of-bounds-write", 2)]
    assert outcome.arrays["tmp"].cells == {}


def test_an_array_that_comes_to_life_again_has_lost_its_contents() -> None:
    read = Store(at(3), "out", (Variable("i", I32),), Load("tmp", (const(0),), I32))
    body = loop(
        "i", const(2),
        Allocate(HERE, "tmp"),
        If(HERE, EQ(Variable("i", I32), const(0)), (Store(HERE, "tmp", (const(0),), const(9)),)),
        read,
    )  # fmt: skip
    out = Memory(I32, lambda index: 0)
    outcome = run(body, {"n": 1}, {"out": out}, local(), {})
    assert [(e.kind, e.span.line) for e in outcome.undefined] == [("uninitialised", 3)]
    assert out.cells == {(0,): 9, (1,): POISON}


def test_a_negative_allocation_stops_the_run() -> None:
    outcome = run((Allocate(at(7), "tmp"),), {"n": -1}, {}, local(), {})
    assert outcome.stopped == "allocation size"
    assert [(e.kind, e.span.line) for e in outcome.undefined] == [("allocation-size", 7)]


def test_a_declared_scalar_has_no_value_until_it_is_assigned() -> None:
    v = Variable("v", I32)
    body = (Assign(HERE, "v", const(1)), Declare(HERE, "v", I32), Return(at(3), v))
    outcome = run(body, {}, {}, {}, {})
    assert outcome.result is POISON
    assert [(e.kind, e.span.line) for e in outcome.undefined] == [("uninitialised", 3)]
    assigned = run((Declare(HERE, "v", I32), Assign(HERE, "v", const(2)), body[2]), {}, {}, {}, {})
    assert (assigned.result, assigned.undefined) == (2, [])


def test_a_branch_on_poison_stops_the_run_with_its_place() -> None:
    body = (Declare(HERE, "v", I32), If(at(8), GT(Variable("v", I32), const(0)), ()))
    outcome = run(body, {}, {}, {}, {})
    assert outcome.stopped == "poisoned branch"
    assert [(e.kind, e.span.line) for e in outcome.undefined] == [
        ("uninitialised", 8),
        ("poisoned-branch", 8),
    ]


def test_a_poisoned_index_stops_the_run() -> None:
    index = TruncDiv(const(1), Variable("n", I32))
    outcome = run((Store(at(5), "out", (index,), const(1)),), {"n": 0}, {}, local(), {})
    assert outcome.stopped == "poisoned index"
    assert [e.kind for e in outcome.undefined] == ["division-by-zero", "poisoned-index"]


def test_poison_that_is_overwritten_does_no_harm() -> None:
    overflow = Add(Const(I32, I32.max), Variable("n", I32))
    body = (Store(at(1), "out", (const(0),), overflow), Store(at(2), "out", (const(0),), const(4)))
    out = Memory(I32, lambda index: 0)
    outcome = run(body, {"n": 1}, {"out": out}, local(), {})
    assert out.cells == {(0,): 4}
    assert [(e.kind, e.span.line) for e in outcome.undefined] == [("signed-overflow", 1)]


def test_an_event_is_reported_once_a_place() -> None:
    body = loop("i", const(5), Assign(at(2), "v", TruncDiv(const(1), const(0))))
    outcome = run(body, {}, {}, {}, {})
    assert len(outcome.undefined) == 1


def test_an_assumption_that_fails_stops_the_run_and_one_that_holds_does_not() -> None:
    condition = LE(Variable("cols", I32), Variable("rowBytes", I32))
    body = (Assume(at(3), condition, "cols <= rowBytes"), Return(HERE, const(1)))
    failing = run(body, {"cols": 5, "rowBytes": 4}, {}, {}, {})
    assert failing.stopped == "assumption" and failing.result is None
    assert failing.undefined[0].detail == "cols <= rowBytes does not hold"
    assert run(body, {"cols": 4, "rowBytes": 4}, {}, {}, {}).result == 1


def test_do_while_runs_once_before_its_test_and_while_does_not() -> None:
    body = (Assign(HERE, "v", Add(Variable("v", I32), const(1))),)
    for test_first, expected in ((True, 0), (False, 1)):
        never = WhileLoop(HERE, LT(Variable("v", I32), const(0)), body, (), test_first)
        outcome = run((never, Return(HERE, Variable("v", I32))), {"v": 0}, {}, {}, {})
        assert outcome.result == expected


def test_break_leaves_the_innermost_loop_without_its_step() -> None:
    i, total = Variable("i", I32), Variable("total", I32)
    count = Assign(HERE, "total", Add(total, const(1)))
    inner = loop("i", const(10), If(HERE, EQ(i, const(3)), (Break(HERE),)), count)
    body = (*loop("j", const(2), *inner), Return(HERE, Add(Mul(total, const(100)), i)))
    assert run(body, {"total": 0}, {}, {}, {}).result == 603


def test_a_loop_without_end_hits_the_step_limit() -> None:
    outcome = run((WhileLoop(HERE, Const(BOOL, 1), ()),), {}, {}, {}, {}, step_limit=1000)
    assert outcome.stopped == "step limit" and outcome.undefined == []


def test_constant_tables_need_no_memory_and_have_an_end() -> None:
    table = {"lut": Array("lut", U8, origin="table", values=(9, 8, 7))}
    body = (Return(HERE, Load("lut", (Variable("i", I32),), U8)),)
    assert run(body, {"i": 2}, {}, table, {}).result == 7
    beyond = run(body, {"i": 3}, {}, table, {})
    assert beyond.result is POISON and beyond.undefined[0].kind == "out-of-bounds-read"


def test_row_tables_have_two_indices() -> None:
    rows = Memory(U8, lambda index: 10 * index[0] + index[1])
    load = Load("rows", (Variable("y", I32), const(3)), U8)
    body = (Store(HERE, "rows", (const(0), const(0)), load),)
    run(body, {"y": 2}, {"rows": rows}, {"rows": Array("rows", U8, rank=2)}, {})
    assert rows.cells[(0, 0)] == 23 and rows.read_set == {(2, 3)}
