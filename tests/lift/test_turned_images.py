"""Images that are turned: places in fixed point and of floats, tested on both sides or as unsigned
numbers, of which the negative ones are larger than any size."""

from __future__ import annotations

import numpy as np
import pytest
import z3

from compiler.ir import (
    EQ,
    GE,
    GT,
    I8,
    I64,
    LE,
    LT,
    U8,
    Add,
    Cast,
    Div,
    Expr,
    Mod,
    Mul,
    Neg,
    Sub,
    Variable,
    const,
    evaluate,
)
from lifter.dag import Ranges, concrete, normal
from lifter.dag.index import Indexer
from lifter.verify.decide import Prover
from lifter.verify.encode import IntegerEncoder
from lifter.verify.remedies import remedies_at_bounds
from tests.verify.differential import difference, lifted

STEPS = "int u0, int v0, int du, int dv"
TURNED = {
    "as unsigned numbers": "void f(u8 *d, const u8 *s, int w, int h, int stride, " + STEPS + ") {"
    " for (int y = 0; y < h; y++) { int u = u0 - y * dv, v = v0 + y * du;"
    " for (int x = 0; x < w; x++) { unsigned iu = (unsigned)(u >> 16), iv = (unsigned)(v >> 16);"
    " if (iu < (unsigned)w && iv < (unsigned)h) d[x] = s[iv * stride + iu]; else d[x] = 9;"
    " u += du; v += dv; } d += stride; } }",
    "by floats": "void f(u8 *d, const u8 *s, int w, int h, float c, float n) {"
    " for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {"
    " float fx = (x - w / 2) * c - (y - h / 2) * n + w / 2;"
    " float fy = (x - w / 2) * n + (y - h / 2) * c + h / 2; int ix = (int)fx, iy = (int)fy;"
    " d[y * w + x] = ix >= 0 && ix < w && iy >= 0 && iy < h ? s[iy * w + ix] : 0; } }",
}


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(source, id=name, marks=[pytest.mark.slow] if "unsigned" in name else [])
        for name, source in TURNED.items()
    ],
)
def test_turned_images_are_proved(source: str) -> None:
    result = lifted(source)
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


STEPPED = (
    "void f(u8 *d, const u8 *s, int n, int w, int u0, int du) { assert(w >= 0);"
    " int u = u0;"
    " for (int i = 0; i < n; i++) { d[i] = TEST ? s[PLACE] : 0; u += du; } }"
)
BOUNDED = {
    ("(unsigned)(u >> 16) < (unsigned)w", "u >> 16"): "max(min(PLACE, w - 1), 0)",
    ("u >> 16 >= 0 && u >> 16 < w - 1", "(u >> 16) + 1"): "max(min(PLACE + 1, w - 1), 1)",
    ("u >> 16 > 2 && w >= u >> 16", "u >> 16"): "max(min(PLACE, w), 3)",
    ("u >> 16 < w", "u >> 16"): "min(PLACE, w - 1)",
    ("u >> 15 < w", "u >> 16"): "min(PLACE, w - 1)",
    ("u >> 17 < w", "u >> 16"): "PLACE",
    ("u >> 16 != w", "u >> 16"): "PLACE",
    ("(unsigned)(u >> 16) >= (unsigned)w", "u >> 16"): "PLACE",
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(("test", "place"), BOUNDED)
def test_a_place_is_bounded_by_what_is_said_of_its_bits(test: str, place: str) -> None:
    """Whether the sums wrap or not, as 32 bits do: it is the same number in test and place."""
    result = lifted(STEPPED.replace("TEST", test).replace("PLACE", place))
    assert result.status == "proved", result.diagnostic
    wanted = BOUNDED[test, place].replace("PLACE", "(du * x + u0) / 65536")
    assert f"s({wanted})" in str(result.summaries[0].expression)
    assert difference(result) is None


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("test", ["iu < (unsigned)w", "iv <= (unsigned)h && iu < (unsigned)w"])
def test_a_place_that_is_tested_on_one_side_alone_stays_what_it_is(test: str) -> None:
    whole = "iu < (unsigned)w && iv < (unsigned)h"
    result = lifted(TURNED["as unsigned numbers"].replace(whole, test))
    assert result.status != "proved" or difference(result) is None


@pytest.mark.parametrize("kind", [LT, LE, GT, GE])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_test_of_unsigned_numbers_says_two_things(kind: type[Expr], is_first: bool) -> None:
    """For all bytes and all sizes that aren't negative."""
    a, n = Variable("a", I8), Variable("n", I8)
    sides: tuple[Expr, ...] = (Cast(U8, a), Cast(U8, n))
    test = kind(*(sides if is_first else sides[::-1]))
    claims: list[Expr] = []
    ranges = Ranges({"a": I8, "n": I8}, least={"n": 0})
    formula = Indexer(ranges, lambda claim, _: claims.append(claim)).formula(test)
    assert formula is not None and not claims
    holds = concrete(formula)
    for size in (0, 1, 2, 100, 126, 127):
        numbers = np.arange(-128, 128, dtype=np.int8)
        wanted = evaluate(test, {"a": numbers, "n": np.full(256, size, np.int8)})
        assert [holds({"a": int(x), "n": size}) for x in numbers] == wanted.tolist()


def test_a_size_that_may_be_larger_than_negative_numbers_keeps_the_claim() -> None:
    a, n = Variable("a", I8), Variable("n", U8)
    claims: list[Expr] = []
    indexer = Indexer(Ranges({"a": I8, "n": U8}), lambda claim, _: claims.append(claim))
    assert indexer.formula(LT(Cast(U8, a), n)) is LT(Variable("a", I64), Variable("n", I64))
    assert claims == [GE(Variable("a", I64), const(0, I64))]


A, B, C, Q = (Variable(name, I64) for name in "abcq")
AB: Expr = Mul(A, B)
ZERO, WORD = const(0, I64), const(1 << 32, I64)


def test_products_that_are_taken_for_free_numbers_are_one_for_the_same_factors() -> None:
    encode = IntegerEncoder({}, products_are_free=True)
    ours = encode(Add(Mul(AB, const(3, I64)), Mul(C, B)))
    theirs = encode(Mul(B, Add(Add(A, A), Add(A, C))))
    solver = z3.Solver()
    solver.add(ours != theirs)
    assert solver.check() == z3.unsat
    solver = z3.Solver()
    solver.add(encode(AB) != encode(Mul(A, C)), encode(B) == encode(C))
    assert solver.check() == z3.sat  # weaker than products are, as it has to be


def test_a_remainder_of_what_lies_within_a_word_is_left_out() -> None:
    whole: Expr = LE(Mod(AB, WORD), C)
    within = [GE(AB, ZERO), LT(AB, WORD)]
    assert Prover({}).unwrapped(whole, within) is LE(AB, C)
    for known in ([], within[:1], within[1:]):
        assert Prover({}).unwrapped(whole, known) is whole


def test_what_is_divided_and_has_products_is_decided() -> None:
    row: Expr = Div(Add(AB, C), const(65536, I64))
    known = [GE(row, ZERO), LT(row, const(8192, I64))]
    same: Expr = EQ(Div(Mod(Add(AB, C), WORD), const(65536, I64)), row)
    assert Prover({}).integers(same, known).proved
    for less in (known[:1], known[1:]):
        assert not Prover({}).integers(same, less, 0.2).proved


def test_a_remedy_is_what_a_claim_says_at_the_bounds_of_a_quotient() -> None:
    height = Variable("h", I64)
    row: Expr = Div(AB, const(65536, I64))
    facts = [GE(Add(row, C), ZERO), LT(Add(row, C), height)]
    claim: Expr = LE(Mul(row, Q), const(99, I64))
    _, least, most = remedies_at_bounds(claim, facts)
    ends = (Neg(C), Sub(Sub(height, const(1, I64)), C))
    for remedy, end in zip((least, most), ends, strict=True):
        assert remedy is normal(LE(Mul(end, Q), const(99, I64)))
    assert remedies_at_bounds(claim, facts[:1]) == []


@pytest.mark.parametrize(
    "body",
    [
        "if (n == 0) return; for (int i = 0; i < n; i++) d[i] = s[i];",
        "assert(n < 5000); for (int i = k; i < n; i++) d[i] = s[i];",
    ],
)
def test_counters_that_are_compared_with_unsigned_numbers_have_one_end(body: str) -> None:
    result = lifted(
        "#include <cassert>\n#include <cstddef>\n"
        f"void f(u8 *d, const u8 *s, size_t n, int k) {{ {body} }}"
    )
    assert result.status == "proved", result.diagnostic
