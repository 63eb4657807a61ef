"""Summaries on concrete inputs leave what the original leaves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compiler.ir import F32, GT, I32, I64, U8, Add, Load, Variable, const
from lifter.dag import Reduce
from lifter.model.summary import Layout
from lifter.verify.cases import cases, run_case
from lifter.verify.memory import Memory
from lifter.verify.realize import MOST_TERMS, TooManyTerms, realize
from lifter.verify.screen import screen
from tests.verify.proving import steps

X = Variable("x", I32)


def as_it_is(expr):
    return expr


def kernel_and_summaries(body, parameters="uint8_t* d, const uint8_t* s, int w, int h, int p"):
    text = f"#include <cassert>\n#include <cstdint>\nvoid f({parameters}) {{ {body} }}"
    found = steps(text)
    return found[0].kernel, [s.summary for s in found]


KERNELS = {
    "plane": "assert(w <= p); for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) "
    "d[y * p + x] = 255 - s[y * p + x];",
    "bottom-up": "assert(w <= p); for (int y = h - 1; y >= 0; y--) for (int x = 0; x < w; x++) "
    "d[y * p + x] = s[x] / 3;",
    "two stages": "uint8_t* t = new uint8_t[w]; for (int x = 0; x < w; x++) t[x] = s[x] / 2; "
    "for (int x = 0; x < w; x++) d[x] = t[x] + 1; delete[] t;",
    "untouched": "for (int x = 0; x < w; x++) if (s[x] > 9) d[x] = 0;",
    "in place": "for (int x = 0; x < w; x++) d[x] = d[x + 1];",
    "histogram": "for (int x = 0; x < w; x++) d[s[x]] += 1;",
    "window": "for (int x = 0; x < w; x++) { int v = 0; for (int k = 0; k < 3; k++) v += s[x + k]; "
    "d[x] = v / 3; }",
    "a pitch by a shift": "assert(w > 0 && w < 99); for (int y = 0; y < h; y++) "
    "for (int x = 0; x < w; x++) d[y * w + x] = s[y * (w >> (p & 1)) + x];",
    "a window by a shift": "for (int x = 0; x < w; x++) { int v = 0; "
    "for (int k = 0; k < 8 >> (p & 3); k++) v += s[x + k]; d[x] = v; }",
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("name", KERNELS)
def test_a_proved_summary_leaves_what_the_original_leaves(name):
    kernel, summaries = kernel_and_summaries(KERNELS[name])
    touched = 0
    for case in cases(kernel, 3, 12):
        outcome = run_case(kernel, case)
        memories = case.memories()
        for array in kernel.arrays.values():
            memories.setdefault(array.name, Memory(array.type))
        realize(summaries, dict(case.scalars), memories, as_it_is)
        theirs = outcome.arrays["d"]
        assert {i: memories["d"].peek(i) for i in theirs.written} == {
            i: theirs.peek(i) for i in theirs.written
        }, str(case)
        touched += len(theirs.written)
    assert touched > 20


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("name", KERNELS)
def test_screening_finds_nothing_on_a_right_summary_and_the_difference_on_a_wrong_one(name):
    kernel, summaries = kernel_and_summaries(KERNELS[name])
    right = screen(kernel, summaries, (), as_it_is)
    assert right.counterexample is None
    assert right.tried > 12
    last = summaries[-1]
    wrong = replace(last, expression=Add(last.expression, const(1, last.expression.type)))
    example = screen(kernel, [*summaries[:-1], wrong], (), as_it_is).counterexample
    assert example is not None
    assert set(example.expected) == set(example.actual)
    assert all(example.expected[i] != example.actual[i] for i in example.expected)


def line():
    """Summaries of `d[x] = s[x]`, to be changed."""
    kernel, (summary,) = kernel_and_summaries("for (int x = 0; x < w; x++) d[x] = s[x];")
    del kernel
    return summary


def left(summary, w, inputs):
    """What a summary leaves in d, from d = 100, 100, ... and the given s."""
    memories = {"d": Memory.of(U8, [100] * 8), "s": Memory.of(U8, inputs)}
    realize([summary], {"w": w}, memories, as_it_is)
    return [memories["d"].peek((i,)) for i in range(8)]


def test_nothing_outside_of_the_region_changes():
    assert left(line(), 3, range(8)) == [0, 1, 2, 100, 100, 100, 100, 100]
    assert left(line(), 0, range(8)) == [100] * 8
    assert left(line(), -2, range(8)) == [100] * 8


def test_a_layout_spreads_the_points():
    summary = line()
    every_second = Layout("d", (const(2, I64),), const(1, I64))
    spread = replace(summary, layouts={**summary.layouts, "d": every_second})
    assert left(spread, 3, [7, 8, 9]) == [100, 7, 100, 8, 100, 9, 100, 100]


def test_a_stage_under_a_condition_runs_where_it_holds():
    wide = replace(line(), condition=GT(Variable("w", I32), const(2, I32)))
    assert left(wide, 2, range(8)) == [100] * 8
    assert left(wide, 3, range(8))[:3] == [0, 1, 2]


NEUTRAL = {
    ("add", I32): 0, ("mul", I32): 1, ("min", I32): I32.max, ("max", I32): I32.min,
    ("min", U8): 255, ("max", U8): 0, ("min", F32): float("inf"), ("max", F32): float("-inf"),
}  # fmt: skip


@pytest.mark.parametrize("operator, type", NEUTRAL, ids=str)
def test_an_empty_reduction_is_the_operator_s_neutral_element(operator, type):
    k = Variable("k", I64)
    empty = Reduce(operator, k, const(0, I64), Load("s", (k,), type))
    one = replace(line(), expression=empty)
    memories = {"d": Memory(type), "s": Memory(type)}
    realize([one], {"w": 1}, memories, as_it_is)
    assert memories["d"].peek((0,)) == NEUTRAL[operator, type]


def test_a_run_with_too_many_terms_is_given_up():
    k, n = Variable("k", I64), Variable("n", I64)
    long = replace(line(), expression=Reduce("add", k, n, const(1, U8)))
    memories = {"d": Memory.of(U8, [100] * 8), "s": Memory.of(U8, [])}
    realize([long], {"w": 1, "n": 9}, memories, as_it_is)
    assert memories["d"].peek((0,)) == 9
    with pytest.raises(TooManyTerms):
        realize([long], {"w": 1, "n": MOST_TERMS + 1}, memories, as_it_is)
