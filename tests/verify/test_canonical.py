"""The identities that bring both sides to one form, each proved; the intervals behind them."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
import z3

from compiler.ir import (
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
    Add,
    And,
    Cast,
    Const,
    Div,
    Expr,
    Load,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Select,
    Shr,
    Sub,
    TruncDiv,
    TruncMod,
    Type,
    Variable,
    const,
    evaluate,
    postorder,
)
from compiler.ir.bounds_of_values import value_range
from compiler.ir.rewriting import Rule
from lifter.verify.canonical import CANONICAL_RULES, LeafIntervals, _Canonical, canonical
from lifter.verify.encode import ValueEncoder
from lifter.verify.known_ranges import known_ranges
from tests.ir.proofs_of_rules import TYPES, counterexamples

P, Q = (Load("d", (const(i, I64),), U8) for i in range(2))
N, D = Variable("n", I32), Variable("d", I32)
UNKNOWN = LeafIntervals({})


def toward_zero(n: Expr, c: int) -> Expr:
    """What the search writes for `n /t c`."""
    moved: Expr = Add(n, Select(LT(n, const(0, n.type)), const(c - 1, n.type), const(0, n.type)))
    return Div(moved, const(c, n.type))


def test_the_division_toward_zero_is_found_again_whatever_is_divided() -> None:
    n = Sub(Mul(Cast(I32, P), N), Cast(I32, Q))
    assert canonical(toward_zero(n, 255), UNKNOWN) is canonical(
        TruncDiv(n, const(255, I32)), UNKNOWN
    )


def test_other_corrections_of_a_division_stay() -> None:
    wrong = Div(
        Add(N, Select(LT(N, const(0, I32)), const(255, I32), const(0, I32))), const(255, I32)
    )
    assert isinstance(canonical(wrong, UNKNOWN), Div)
    late = Div(
        Add(N, Select(LT(N, const(1, I32)), const(254, I32), const(0, I32))), const(255, I32)
    )
    assert isinstance(canonical(late, UNKNOWN), Div)


@pytest.mark.slow
def test_that_lemma_holds_for_every_number_and_divisor() -> None:
    n, c = z3.Ints("n c")
    floor = z3.Int("floor")  # of (n + select(n < 0, c - 1, 0)) / c
    trunc = z3.Int("trunc")
    moved = n + z3.If(n < 0, c - 1, 0)
    is_floor = z3.And(floor * c <= moved, moved < floor * c + c)
    is_trunc = z3.If(n >= 0, z3.And(trunc * c <= n, n < trunc * c + c),
                     z3.And(trunc * c >= n, n > trunc * c - c))  # fmt: skip
    for divisor in (1, 2, 3, 7, 100, 255, 256, 65535, (1 << 31) - 1):
        solver = z3.Solver()
        solver.add(c == divisor, is_floor, is_trunc, floor != trunc)
        assert solver.check() == z3.unsat, divisor


@pytest.mark.parametrize("type", [I8, I16])
def test_and_its_machine_arithmetic_never_wraps(type) -> None:  # type: ignore[no-untyped-def]
    n = Variable("n", type)
    numbers = np.arange(type.min, type.max + 1).astype(f"int{type.bits}")
    for divisor in (1, 2, 3, 100, 127):
        theirs = evaluate(TruncDiv(n, const(divisor, type)), {"n": numbers})
        assert np.array_equal(evaluate(toward_zero(n, divisor), {"n": numbers}), theirs)


@pytest.mark.parametrize("low", [0, 1])
def test_a_divisor_that_is_never_negative_may_be_a_variable(low: int) -> None:
    """For every byte n and every d > 0: n /t d is (n + select(n < 0, d - 1, 0)) / d."""
    n, d = Variable("n", I8), Variable("d", I8)
    known = LeafIntervals({d: (low, 127)})
    one, zero = const(1, I8), const(0, I8)
    moved = Div(Add(n, Select(LT(n, zero), Sub(d, one), zero)), d)
    assert canonical(TruncDiv(n, d), known) is canonical(moved, known)
    for wrong in (
        Div(Add(n, Select(LT(n, zero), d, zero)), d),
        Div(Add(n, Select(LE(n, zero), Sub(d, one), zero)), d),
        Div(n, d),
    ):
        assert canonical(TruncDiv(n, d), known) is not canonical(wrong, known)
    for may_be_negative in (-128, -1):
        others = LeafIntervals({d: (may_be_negative, 127)})
        assert canonical(TruncDiv(n, d), others) is not canonical(moved, others)


def test_a_quotient_that_is_defined_never_becomes_one_that_isnt() -> None:
    """At d = 0 the DSL's is 0, which an original that says otherwise must be compared with."""
    n, d = Variable("n", I8), Variable("d", I8)
    one, zero = const(1, I8), const(0, I8)
    known = LeafIntervals({d: (0, 127)})
    for kind in (Div, Mod):
        for whole in (kind(n, d), kind(Add(n, Select(LT(n, zero), Sub(d, one), zero)), d)):
            form = canonical(whole, known)
            assert not any(isinstance(e, TruncDiv | TruncMod) for e in postorder(form))


@pytest.mark.parametrize("kind", [TruncDiv, TruncMod])
@pytest.mark.parametrize("low", [-128, 0, 1])
def test_a_divisor_that_is_no_constant_makes_a_choice(kind: type[Expr], low: int) -> None:
    """For all bytes n and d but 0, and -128 / -1, which are undefined."""
    n, d = Variable("n", I8), Variable("d", I8)
    form = canonical(kind(n, d), LeafIntervals({d: (low, 127)}))
    assert not any(isinstance(e, kind) for e in postorder(form))
    ns, ds = np.meshgrid(np.arange(-128, 128), np.arange(low, 128))
    defined = (ds != 0) & ((ds != -1) | (ns != -128))
    values = {"n": ns[defined].astype(np.int8), "d": ds[defined].astype(np.int8)}
    assert np.array_equal(evaluate(form, values), evaluate(kind(n, d), values))


@pytest.mark.parametrize("kind", [TruncDiv, TruncMod, Div, Mod])
def test_quotients_of_64_bits_become_those_of_32_where_they_fit(kind: type[Expr]) -> None:
    """The least number divided by -1 doesn't; by 0 the DSL's are 0 in each type."""
    a, b = Variable("a", I32), Variable("b", I32)
    wide = kind(Cast(I64, a), Cast(I64, b))
    ends = [I32.min, I32.min + 1, -7, -1, 0, 1, 7, I32.max]
    for least_n, least_d, fits in ((ends[0], ends[0], False), (ends[0], -1, False),
                                   (ends[1], -1, True), (0, 0, True)):  # fmt: skip
        known = {a: (least_n, I32.max), b: (least_d, I32.max)}
        form = canonical(wide, LeafIntervals(known))
        if kind in (Div, TruncDiv):
            assert fits != any(isinstance(e, Div) and e.type is I64 for e in postorder(form))
        grid = [(n, d) for n in ends for d in ends if n >= least_n and d >= least_d]
        if kind in (TruncDiv, TruncMod):
            grid = [(n, d) for n, d in grid if d != 0]
        values = dict(zip("ab", np.array(grid, np.int32).T, strict=True))
        assert np.array_equal(evaluate(wide, values), evaluate(form, values))


def test_numbers_of_64_bits_that_fit_in_32_are_divided_there() -> None:
    i, d = Variable("i", I64), Variable("d", I32)
    wide, narrow = Div(i, Cast(I64, d)), Div(Cast(I32, i), d)
    for known, fits in (({i: (0, I32.max)}, True), ({i: (0, I32.max + 1)}, False), ({}, False)):
        one, other = (canonical(e, LeafIntervals(known)) for e in (Cast(I32, wide), narrow))
        assert (one is other) == fits


@pytest.mark.parametrize("target", [F32, F64])
def test_a_widened_integer_is_the_same_float(target) -> None:  # type: ignore[no-untyped-def]
    assert canonical(Cast(target, Cast(I32, P)), UNKNOWN) is Cast(target, P)
    numbers = np.arange(256, dtype=np.uint8)
    p = Variable("p", U8)
    one, other = (
        evaluate(e, {"p": numbers}) for e in (Cast(target, Cast(I32, p)), Cast(target, p))
    )
    assert np.array_equal(one, other)


@pytest.mark.parametrize("type", [F32, U8])
def test_a_choice_is_made_by_what_is_equal(type) -> None:  # type: ignore[no-untyped-def]
    a, b, x, y = (Variable(name, type) for name in "abxy")
    whole = Select(NE(a, b), x, y)
    made = canonical(whole, UNKNOWN)
    assert made in (Select(EQ(a, b), y, x), Select(EQ(b, a), y, x))
    dtype = np.float32 if type is F32 else np.uint8
    numbers = np.array([0, 1, 2, 2, 7], dtype)
    others = np.array([0, 2, 2, 1, 7], dtype)
    if type is F32:
        numbers[4] = others[1] = np.nan
    values = {"a": numbers, "b": others, "x": numbers + 1, "y": others * 3}
    assert np.array_equal(evaluate(whole, values), evaluate(made, values), equal_nan=type is F32)


def test_a_narrowed_integer_is_not() -> None:
    for middle in (U8, I8, I16):
        e = Cast(F32, Cast(middle, N))
        assert canonical(e, UNKNOWN) is e


def test_the_way_of_a_float_to_a_byte_stays_as_it_is_written() -> None:
    f = Variable("f", F32)
    direct, over_int = Cast(U8, f), Cast(U8, Cast(I32, f))
    assert canonical(direct, UNKNOWN) is direct
    assert canonical(over_int, UNKNOWN) is over_int


def test_64_bits_become_32_only_where_those_hold_everything() -> None:
    product = Mul(Cast(I64, P), Cast(I64, Q))
    assert canonical(Cast(I32, product), UNKNOWN) is canonical(
        Mul(Cast(I32, P), Cast(I32, Q)), UNKNOWN
    )
    large = Cast(I32, Shr(Mul(Cast(I64, N), Cast(I64, Q)), const(7, I64)))
    assert isinstance(canonical(large, UNKNOWN), Cast)
    known = LeafIntervals({N: (0, 1000)})
    assert isinstance(canonical(large, known), Shr)


def test_the_low_bits_of_a_sum_are_the_sum_of_the_low_bits() -> None:
    a, b = Variable("a", I64), Variable("b", I64)
    for low in (Add(a, b), Sub(a, b), Mul(a, b), Neg(a), Sub(Mul(a, b), Neg(Add(b, a)))):
        for narrow in (I32, U32):
            form = canonical(Cast(narrow, low), UNKNOWN)
            assert not isinstance(form, Cast)
            encode = ValueEncoder()
            solver = z3.Solver()
            solver.add(encode(Cast(narrow, low)) != encode(form))
            assert solver.check() == z3.unsat, low


def test_narrow_sums_that_never_wrap_are_those_of_32_bits() -> None:
    p, q = (Cast(U16, Variable(name, U8)) for name in "pq")
    s, t = (Cast(I16, Variable(name, I8)) for name in "st")
    plain: list[Expr] = [
        Add(p, Mul(const(2, U16), q)), Mul(p, q), Mul(const(257, U16), p), Sub(s, t), Mul(s, t),
    ]  # fmt: skip
    wrapping: list[Expr] = [
        Sub(p, q), Mul(const(258, U16), p), Mul(const(257, I16), s), Add(Mul(p, q), Mul(p, q)),
    ]  # fmt: skip
    for narrow in (*plain, *wrapping):
        form = canonical(Cast(I32, narrow), UNKNOWN)
        assert isinstance(form, Cast) == (narrow in wrapping)
        encode = ValueEncoder()
        solver = z3.Solver()
        solver.add(encode(Cast(I32, narrow)) != encode(form))
        assert solver.check() == z3.unsat, narrow


def test_the_low_bits_of_a_quotient_are_not() -> None:
    a, b = Variable("a", I64), Variable("b", I64)
    positive = LeafIntervals({b: (1, 1 << 40)})
    for high in (TruncDiv(a, b), Mod(a, b), Min(a, b), Shr(a, const(3, I64))):
        form = canonical(Cast(I32, high), positive)
        assert isinstance(form, Cast) and form.value.type is I64


@pytest.mark.slow
def test_every_form_means_the_same() -> None:
    a, b = Cast(I64, Variable("a", I8)), Cast(I64, Variable("b", U8))
    f, g = Variable("f", F32), Variable("g", F32)
    seven = const(7, I64)
    cases: list[Expr] = [
        Cast(I32, Shr(Mul(a, b), seven)), Cast(I32, TruncDiv(Sub(a, b), seven)),
        Cast(I32, TruncMod(Sub(b, a), seven)), Cast(I32, Mod(Sub(a, b), seven)),
        Select(LT(Mul(a, a), b), Cast(I16, Min(a, b)), Cast(I16, Max(a, seven))),
        Cast(F32, Select(LE(a, b), Cast(I32, a), const(7, I32))),
        Min(f, Max(g, f)), Max(Min(f, g), g),
    ]  # fmt: skip
    for case in cases:
        encode = ValueEncoder(ieee=True)
        solver = z3.Solver()
        solver.set("timeout", 20_000)
        solver.add(encode(case) != encode(canonical(case, UNKNOWN)))
        assert solver.check() == z3.unsat, case


def test_hypotheses_bound_leaves() -> None:
    parameter = Variable("n", I64)
    given = [And(GE(parameter, const(0, I64)), LE(Sub(parameter, const(5, I64)), const(250, I64)))]
    assert known_ranges(given) == {parameter: (0, 255)}
    assert known_ranges([LT(const(3, I64), Cast(I64, P))]) == {P: (4, 255)}


def test_what_lies_above_a_bounded_number_is_bounded() -> None:
    counter, extent, step = Variable("i", I64), Variable("n", I16), Variable("s", I64)
    given = [GE(counter, const(0, I64)), LT(counter, Cast(I64, extent)), LE(step, counter)]
    known = known_ranges(given)
    assert known[extent] == (1, I16.max)
    assert known[counter] == (0, I16.max - 1)
    assert known[step][1] == I16.max - 1
    assert known_ranges(given[1:2]).get(extent, (I16.min, 0))[0] < 1


def test_a_hypothesis_that_may_have_wrapped_or_narrowed_bounds_nothing() -> None:
    word = Load("w", (const(0, I64),), I64)
    assert known_ranges([LE(Add(word, const(5, I64)), const(9, I64))]) == {}
    assert known_ranges([LE(Cast(U8, N), const(9, U8))]) == {}
    assert known_ranges([LE(Mul(Cast(I32, P), N), const(9, I32))]) == {}


def test_intervals_hold_every_value_of_random_expressions() -> None:
    """Proofs rely on them: every value of expressions over all pairs of bytes lies inside."""
    source = np.random.default_rng(5)
    grid = np.indices((256, 256)).reshape(2, -1)
    inputs = {"a": grid[0].astype(np.uint8), "b": (grid[1] - 128).astype(np.int8)}
    kinds = (Add, Sub, Mul, Min, Max, Div, Mod, Shr)

    def grow(depth: int) -> Expr:
        if depth == 0:
            leaf = (Variable("a", U8), Variable("b", I8))[int(source.integers(2))]
            return Cast(I32, leaf)
        kind = kinds[int(source.integers(len(kinds)))]
        left = grow(depth - 1)
        if kind in (Div, Mod):
            return kind(left, const(int(source.integers(1, 300)), I32))
        if kind is Shr:
            return Shr(left, const(int(source.integers(0, 9)), I32))
        if source.integers(5) == 0:
            left = Cast(I32, Cast((U8, I8, I16)[int(source.integers(3))], left))
        if source.integers(6) == 0:
            return Select(LT(left, const(9, I32)), left, grow(depth - 1))
        return kind(left, grow(depth - 1))

    for _ in range(60):
        expr = grow(int(source.integers(1, 4)))
        low, high = value_range(expr)
        values = evaluate(expr, inputs)
        assert low <= int(values.min()) and int(values.max()) <= high, expr


def test_constants_are_not_confused_with_leaves() -> None:
    assert canonical(Const(U8, 3), UNKNOWN) is Const(U8, 3)


@pytest.mark.parametrize("kind", [LT, LE, GT, GE])
@pytest.mark.parametrize("wide", [None, I32])
def test_a_choice_by_comparison_is_an_extremum(kind, wide) -> None:  # type: ignore[no-untyped-def]
    a, b = Variable("a", I8), Variable("b", I8)
    numbers = np.array(np.meshgrid(np.arange(-128, 128), np.arange(-128, 128)), np.int8)
    values = {"a": numbers[0], "b": numbers[1]}
    for x, y in ((a, b), (b, a)):
        test = kind(a, b) if wide is None else kind(Cast(wide, a), Cast(wide, b))
        for node in (Select(test, x, y), Select(test, Cast(I16, x), Cast(I16, y))):
            form = canonical(node, UNKNOWN)
            assert isinstance(form, (Min, Max))
            assert np.array_equal(evaluate(form, values), evaluate(node, values))


def test_other_choices_are_none() -> None:
    a, b, c = (Variable(name, I32) for name in "abc")
    f, g = (Variable(name, F32) for name in "fg")
    for node in (
        Select(LT(a, b), a, c),
        Select(LT(a, Add(b, const(1, I32))), a, b),
        Select(LT(Cast(I8, a), Cast(I8, b)), a, b),
        Select(LT(Cast(U32, a), Cast(U32, b)), a, b),
        Select(EQ(a, b), a, b),
        Select(LT(f, g), f, g),
        Select(LT(a, b), Cast(U8, a), Cast(U8, b)),
    ):
        assert isinstance(canonical(node, UNKNOWN), Select), node


@pytest.mark.parametrize("kind", [Min, Max])
def test_nested_extremes_of_integers_are_those_of_all(kind: type[Expr]) -> None:
    a, b, c, d = (Variable(name, I32) for name in "abcd")
    one = canonical(kind(kind(a, b), kind(c, kind(d, a))), UNKNOWN)
    assert one is canonical(kind(kind(d, kind(c, b)), a), UNKNOWN)
    assert one is not canonical(kind(kind(d, c), a), UNKNOWN)
    assert canonical(kind(a, a), UNKNOWN) is a
    other = Max if kind is Min else Min
    mixed = canonical(kind(a, other(b, kind(c, d))), UNKNOWN)
    assert mixed is canonical(kind(other(kind(d, c), b), a), UNKNOWN)
    assert mixed is not canonical(kind(kind(a, other(b, c)), d), UNKNOWN)
    f, g, h = (Variable(name, F32) for name in "fgh")  # a NaN's place matters
    in_order = canonical(kind(kind(f, g), h), UNKNOWN)
    assert in_order is not canonical(kind(kind(g, f), h), UNKNOWN)
    assert in_order is not canonical(kind(f, kind(g, h)), UNKNOWN)
    numbers = np.random.default_rng(4).integers(-5, 6, (4, 1000), np.int32)
    values = dict(zip("abcd", numbers, strict=True))
    plain = kind(kind(a, b), kind(c, d))
    assert np.array_equal(evaluate(one, values), evaluate(plain, values))


def test_the_ways_to_clamp_are_one() -> None:
    x, low, high = Variable("x", I8), const(-3, I8), const(100, I8)
    wide, values = Cast(I32, x), {"x": np.arange(-128, 128).astype(np.int8)}
    clamps = [
        Max(Min(x, high), low),
        Min(high, Max(low, x)),
        Select(LT(x, low), low, Min(x, high)),
        Select(LE(x, low), low, Select(GT(x, high), high, x)),
        Select(GT(wide, const(100, I32)), high, Max(x, low)),
        Select(GE(wide, Cast(I32, high)), high, Select(LT(x, low), low, x)),
    ]
    forms = {canonical(clamp, UNKNOWN) for clamp in clamps}
    assert len(forms) == 1
    for clamp in clamps:
        there = evaluate(canonical(clamp, UNKNOWN), values)
        assert np.array_equal(there, evaluate(clamp, values)), clamp


@pytest.mark.slow
def test_bounds_in_disorder_and_other_bounds_clamp_nothing() -> None:
    grids = np.array(np.meshgrid(np.arange(-128, 128), np.arange(-128, 128)), np.int8)
    values = {"x": grids[0].ravel(), "y": grids[1].ravel()}
    x, y = Variable("x", I8), Variable("y", I8)
    chance = np.random.default_rng(8)
    bounds = [const(int(v), I8) for v in chance.integers(-128, 128, 4)] + [y, Add(y, const(1, I8))]
    seen = 0
    for kind, extremum, a, b in itertools.product((LT, LE, GT, GE), (Min, Max), bounds, bounds):
        for test in (kind(x, a), kind(a, x), kind(y, a)):
            for node in (Select(test, a, extremum(x, b)), Select(test, extremum(x, b), a)):
                form = canonical(node, UNKNOWN)
                seen += not isinstance(form, Select)
                assert np.array_equal(evaluate(form, values), evaluate(node, values)), node
        nested = Min(Max(x, a), b)
        assert np.array_equal(
            evaluate(canonical(nested, UNKNOWN), values), evaluate(nested, values)
        )
    assert seen > 30


EQUATIONS = [
    (rule, type) for rule in CANONICAL_RULES.rules if isinstance(rule, Rule)
    for type in TYPES if rule.applies_to(type)
]  # fmt: skip


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("rule", "type"), EQUATIONS, ids=lambda x: getattr(x, "name", str(x)))
def test_both_sides_of_an_equation_are_equal_for_all_values(rule: Rule, type: Type) -> None:
    assert counterexamples(rule, type) == 0


@pytest.mark.slow
def test_an_equation_without_its_condition_is_refuted() -> None:
    for rule, type in EQUATIONS:
        if type is I8:
            assert counterexamples(replace(rule, when=None), type) > 0, rule.name


def test_every_rule_fires() -> None:
    context = _Canonical(UNKNOWN)
    small = _Canonical(LeafIntervals({N: (0, 1000), D: (1, 9)}))
    examples = {
        "conversion": (Cast(F32, Cast(I32, P)), context),
        "32-bits": (Mul(Cast(I64, P), Cast(I64, Q)), context),
        "euclidean": (TruncDiv(N, const(7, I32)), small),
        "toward-zero-by-constant": (toward_zero(N, 7), context),
        "divisors": (TruncMod(N, D), context),
        "chosen-extreme": (Select(LT(P, Q), P, Q), context),
        "choice-by-equality": (Select(NE(P, Q), P, Q), context),
        "chain-of-extremes": (Min(P, Min(P, Q)), context),
        "float-extreme": (Min(Cast(F32, P), Cast(F32, Q)), context),
    }  # fmt: skip
    rules = {rule.name: rule for rule in CANONICAL_RULES.rules}
    assert set(rules) == {*examples, "order"}
    for name, (expr, known) in examples.items():
        made = rules[name].apply(expr, known)
        assert made not in (None, expr), name
    swapped = [rules["order"].apply(e, context) for e in (Mul(N, D), Mul(D, N))]
    assert sum(made is not None for made in swapped) == 1
