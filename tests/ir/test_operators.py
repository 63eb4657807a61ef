"""The rows of the operator table are proved: laws on all bytes, meanings against one another."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import compiler.codegen.operators  # noqa: F401  (adds its column)
import lifter.verify.encode  # noqa: F401  (adds its column)
from compiler.ir import (
    BOOL,
    F32,
    F64,
    FALSE,
    I8,
    INTRINSICS,
    TRUE,
    U8,
    Const,
    Expr,
    Int,
    Not,
    Type,
    UInt,
    Variable,
    column,
    commutes,
    dtype_of,
    evaluate,
    negation,
)
from compiler.ir import nodes as n
from compiler.ir.operators import BINARY, COLUMNS, MONOTONE, NUMBERS, OPERATORS, Algebra, Operator

BYTES = (I8, U8)
SMALL = (Int(3), UInt(3))
FLOATS = np.array([0.0, -0.0, 1.0, -1.0, 0.1, 1e38, -3e38, 1e-40, np.inf, -np.inf, np.nan], "f4")
UNDEFINED_AT_ZERO = (n.TruncDiv, n.TruncMod)
SHIFTS = (n.Shl, n.Shr)


def types_of(row: Operator) -> tuple[Type, ...]:
    return (BOOL,) if issubclass(row.kind, n.Logical | Not) else BYTES


def numbers(type: Type) -> np.ndarray:
    return np.arange(type.min, type.max + 1)


def arrays(type: Type, count: int) -> list[np.ndarray]:
    """All values of a type in each of `count` operands."""
    if type.is_float:
        return np.meshgrid(*[FLOATS] * count, indexing="ij")
    return np.meshgrid(*[numbers(type).astype(dtype_of(type))] * count, indexing="ij")


def is_defined(kind: type[Expr], type: Type, a: int, b: int) -> bool:
    if kind in SHIFTS:
        return 0 <= b < type.bits
    return kind not in UNDEFINED_AT_ZERO or (b != 0 and not (b == -1 and a == type.min))


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Bit by bit; not a number is any not-a-number."""
    if a.dtype.kind != "f":
        return bool(np.array_equal(a, b))
    equal = a.view(np.uint32) == b.view(np.uint32)
    return bool(np.all(equal | (np.isnan(a) & np.isnan(b))))


def on(row: Operator, *args: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.asarray(row.on_arrays(*args))


def commutes_as_said(row: Operator) -> bool:
    """Whether operands may be exchanged just where the row says so."""
    a, b = arrays(types_of(row)[0], 2)
    integers = all(same(on(row, *(x := arrays(t, 2))), on(row, *x[::-1])) for t in types_of(row))
    if row.kind in SHIFTS or row.kind in UNDEFINED_AT_ZERO or types_of(row) == (BOOL,):
        return integers == (row.commutes != "nowhere")
    if issubclass(row.kind, n.IntegerArithmetic):
        return integers == (row.commutes == "everywhere")
    a, b = arrays(F32, 2)
    floats = same(on(row, a, b), on(row, b, a))
    return (integers, floats) == (row.commutes != "nowhere", row.commutes == "everywhere")


def associates_as_said(row: Operator) -> bool:
    """Whether chains of three may be grouped in any way, on all numbers of three bits."""
    type = types_of(row)[0]
    if row.kind in SHIFTS or row.kind in UNDEFINED_AT_ZERO or issubclass(row.kind, n.Comparison):
        return row.associates == "nowhere"
    if type is not BOOL:
        a, b, c = np.meshgrid(*[np.arange(-4, 5)] * 3, indexing="ij")
    else:
        a, b, c = arrays(BOOL, 3)
    holds = same(on(row, on(row, a, b), c), on(row, a, on(row, b, c)))
    return holds == (row.associates != "nowhere")


def opposite_is_right(row: Operator) -> bool:
    if row.opposite is None:
        return not issubclass(row.kind, n.Comparison)
    other = OPERATORS[row.opposite]
    sets = [arrays(t, 2) for t in BYTES]
    sets += [arrays(F32, 2)] if row.kind in (n.EQ, n.NE) else []
    return all(same(~on(row, a, b), on(other, a, b)) for a, b in sets)


def mirror_is_right(row: Operator) -> bool:
    if row.mirror is None:
        return not issubclass(row.kind, n.Comparison)
    other = OPERATORS[row.mirror]
    return all(
        same(on(row, *x), on(other, *x[::-1])) for x in (arrays(t, 2) for t in (*BYTES, F32))
    )


def neutral_is_right(row: Operator) -> bool:
    """Whether the neutral number changes no integer, on either side; what associates has one."""
    if row.neutral is None:
        return row.associates == "nowhere"
    for type in types_of(row):
        (values,) = arrays(type, 1)
        nothing = np.full_like(values, row.neutral(type))
        if not (same(on(row, values, nothing), values) and same(on(row, nothing, values), values)):
            return False
    return True


def integers_mean_what_arrays_do(row: Operator) -> bool:
    for type in types_of(row):
        if issubclass(row.kind, n.Binary):
            result = row.kind(Variable("a", type), Variable("b", type)).type
            table = on(row, *arrays(type, 2))
            for i, a in enumerate(numbers(type).tolist()):
                for j, b in enumerate(numbers(type).tolist()):
                    if is_defined(row.kind, type, a, b):
                        exact = int(row.on_integers(a, b))
                        if result.wrap(exact) % 256 != int(table[i, j]) % 256:
                            return False
        else:
            (values,) = arrays(type, 1)
            for a, found in zip(values.tolist(), on(row, values).tolist(), strict=True):
                if type.wrap(int(row.on_integers(a))) % 256 != int(found) % 256:
                    return False
    return True


def intervals_hold_all(row: Operator) -> bool:
    """Whether no member of two intervals of three-bit numbers leads out of what the row says."""
    for type in (BOOL,) if types_of(row) == (BOOL,) else SMALL:
        values = numbers(type).tolist()
        intervals = [(a, b) for a in values for b in values if a <= b]
        if not issubclass(row.kind, n.Binary):
            for low, high in intervals:
                found = row.on_intervals(type, (low, high))
                members = [type.wrap(int(row.on_integers(x))) if row.kind is n.BitNot
                           else int(row.on_integers(x)) for x in range(low, high + 1)]  # fmt: skip
                if found is not None and not (found[0] <= min(members) <= max(members) <= found[1]):
                    return False
            continue
        table = {(a, b): int(row.on_integers(a, b)) for a in values for b in values
                 if is_defined(row.kind, type, a, b)}  # fmt: skip
        for one in intervals:
            for other in intervals:
                found = row.on_intervals(type, one, other)
                made = [table[a, b] for a in range(one[0], one[1] + 1)
                        for b in range(other[0], other[1] + 1) if (a, b) in table]  # fmt: skip
                if (
                    found is not None
                    and made
                    and not found[0] <= min(made) <= max(made) <= found[1]
                ):
                    return False
    return True


CHECKS = {
    check.__name__: check
    for check in (
        commutes_as_said, associates_as_said, opposite_is_right, mirror_is_right, neutral_is_right,
        integers_mean_what_arrays_do, intervals_hold_all,
    )
}  # fmt: skip
UNARY_TOO = (integers_mean_what_arrays_do, intervals_hold_all)
CASES = [
    (check, kind) for check in CHECKS.values() for kind in OPERATORS
    if check in UNARY_TOO or kind in BINARY
]  # fmt: skip


@pytest.mark.sampled(every=32)
@pytest.mark.parametrize(("check", "kind"), CASES, ids=lambda x: x.__name__)
def test_a_row_is_consistent(check, kind) -> None:  # type: ignore[no-untyped-def]
    assert check(OPERATORS[kind])


WRONG = [
    ("opposite_is_right", n.LT, {"opposite": n.GT}),
    ("opposite_is_right", n.EQ, {"opposite": None}),
    ("mirror_is_right", n.LE, {"mirror": n.LT}),
    ("mirror_is_right", n.GE, {"mirror": n.GE}),
    ("commutes_as_said", n.Sub, {"commutes": "everywhere"}),
    ("commutes_as_said", n.Min, {"commutes": "everywhere"}),
    ("commutes_as_said", n.Add, {"commutes": "nowhere"}),
    ("associates_as_said", n.Sub, {"associates": "integers"}),
    ("associates_as_said", n.Mul, {"associates": "nowhere"}),
    ("neutral_is_right", n.Max, {"neutral": lambda t: 0}),
    ("neutral_is_right", n.BitAnd, {"neutral": lambda t: t.max}),
    ("integers_mean_what_arrays_do", n.Div, {"on_integers": lambda a, b: a // (b or 1)}),
    ("integers_mean_what_arrays_do", n.TruncMod,
     {"on_arrays": lambda a, b: a % np.where(b == 0, 1, b)}),
    ("integers_mean_what_arrays_do", n.LT, {"on_integers": lambda a, b: a <= b}),
    ("intervals_hold_all", n.BitOr,
     {"on_intervals": lambda t, a, b: (max(a[0], b[0]), max(a[1], b[1]))}),
    ("intervals_hold_all", n.Mul, {"on_intervals": lambda t, a, b: (a[0] * b[0], a[1] * b[1])}),
    ("intervals_hold_all", n.GT, {"on_intervals": OPERATORS[n.GE].on_intervals}),
    ("intervals_hold_all", n.Not, {"on_intervals": lambda t, a: a}),
]  # fmt: skip


@pytest.mark.parametrize(("check", "kind", "changes"), WRONG)
def test_a_wrong_row_is_found(check: str, kind: type[Expr], changes: dict[str, object]) -> None:
    assert not CHECKS[check](replace(OPERATORS[kind], **changes))  # type: ignore[arg-type]


def test_every_operator_has_a_row_and_every_column_a_cell() -> None:
    leaves = {
        k for k in vars(n).values() if isinstance(k, type) and issubclass(k, n.Binary | n.Unary)
    }
    leaves -= {k for k in leaves if k.__subclasses__()}
    assert leaves == set(OPERATORS)
    assert {"LLVM", "Z3"} <= set(COLUMNS)
    for cells in COLUMNS.values():
        assert cells.keys() == OPERATORS.keys()


def test_a_column_with_a_hole_is_refused() -> None:
    cells = {kind: 0 for kind in OPERATORS if kind is not n.Shr}
    with pytest.raises(ValueError, match="Shr"):
        column("holes", cells)
    assert "holes" not in COLUMNS


def test_symbols_tell_operators_apart() -> None:
    shown = [(row.symbol + row.mark, row.is_infix) for row in OPERATORS.values()]
    assert len(set(shown)) == len(shown)


@pytest.mark.parametrize("kind", [k for k in OPERATORS if issubclass(k, n.Comparison)])
def test_a_negation_is_the_opposite_or_a_not(kind) -> None:  # type: ignore[no-untyped-def]
    for type in (I8, F32, F64, BOOL):
        test = kind(Variable("a", type), Variable("b", type))
        a, b = arrays(type, 2) if type is not F64 else arrays(F32, 2)
        values = {"a": a, "b": b}
        assert np.array_equal(evaluate(negation(test), values), ~evaluate(test, values))
        assert negation(negation(test)) is test
    assert negation(TRUE) is FALSE
    assert negation(FALSE) is TRUE


def test_extremes_of_floats_keep_their_order() -> None:
    a, b = Variable("a", F32), Variable("b", F32)
    assert not commutes(n.Min(a, b))
    assert commutes(n.Min(Const(I8, 1), Variable("c", I8)))
    assert not commutes(a)


def evaluated(kind: type[Expr], *intervals: tuple[str, str]) -> tuple[int, int]:
    low, high = TEXTS.of(kind, *intervals)
    return eval(low), eval(high)


@pytest.mark.parametrize("kind", [*MONOTONE, n.Neg], ids=lambda k: k.__name__)
def test_an_algebra_of_texts_computes_what_that_of_numbers_does(kind: type[Expr]) -> None:
    numbers = [-3, -1, 0, 2, 5]
    intervals = [(a, b) for a in numbers for b in numbers if a <= b]
    others = [(x,) for x in intervals] if kind is n.Neg else itertools.product(intervals, repeat=2)
    for operands in others:
        texts = [(f"({a})", f"({b})") for a, b in operands]
        assert evaluated(kind, *texts) == NUMBERS.of(kind, *operands)


TEXTS: Algebra[str] = Algebra(
    add=lambda a, b: f"{a} + {b}",
    subtract=lambda a, b: f"{a} - {b}",
    negate=lambda a: f"-{a}",
    least=lambda a, b: f"min({a}, {b})",
    most=lambda a, b: f"max({a}, {b})",
)


def test_an_unknown_end_leaves_what_the_other_says_of_an_extreme() -> None:
    def known(choose):  # type: ignore[no-untyped-def]
        return lambda a, b: a if b is None else b if a is None else choose(a, b)

    def both(choose):  # type: ignore[no-untyped-def]
        return lambda a, b: None if None in (a, b) else choose(a, b)

    ends = Algebra(
        add=both(lambda a, b: a + b), subtract=both(lambda a, b: a - b),
        negate=lambda a: None if a is None else -a, least=both(min), most=both(max),
        least_known=known(min), most_known=known(max),
    )  # fmt: skip
    assert ends.of(n.Min, (1, None), (0, 7)) == (0, 7)
    assert ends.of(n.Max, (None, 4), (2, 3)) == (2, 4)
    assert ends.of(n.Select, (None, 4), (2, 3)) == (None, 4)
    with pytest.raises(TypeError, match="Mul isn't monotone"):
        ends.of(n.Mul, (1, 2), (3, 4))


def test_a_fused_multiply_and_add_rounds_once() -> None:
    """Against exact fractions, with sums that lie next to the middle between two floats."""
    pick = np.random.default_rng(5)
    ulp = np.float32(2**-23)
    steps = pick.integers(-3, 4, (2, 4000)).astype(np.float32)
    a, b = (np.float32(1) + steps * ulp).astype(np.float32)
    factors = np.array([1, -1, 2.0**-24, -(2.0**-24), 2.0**-25, 1e-38], "f4")
    a = (a * pick.choice(factors, 4000)).astype("f4")
    c = (np.float32(1) + pick.integers(-3, 4, 4000).astype(np.float32) * ulp).astype(np.float32)
    found = INTRINSICS["fma"].evaluate(a, b, c)
    twice = (a.astype(np.float64) * b + c).astype(np.float32)
    assert (found != twice).any()
    for x, y, z, given, other in zip(a, b, c, found, twice, strict=True):
        exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
        away = abs(Fraction(float(given)) - exact)
        assert away <= abs(Fraction(float(other)) - exact)
        for next_to in (np.nextafter(given, np.float32(9)), np.nextafter(given, np.float32(-9))):
            other_way = abs(Fraction(float(next_to)) - exact)
            assert away < other_way or (away == other_way and given.view(np.uint32) % 2 == 0)
