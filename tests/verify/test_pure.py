"""Each obligation of a pure stage: a summary that meets it, and one that doesn't and is refused.

The summaries that are proved are the ones that synthesis finds; the wrong ones are those with a
bound, a stride, a terminal or a condition changed by hand. The stage, not the summary, is changed
where the original itself must be another.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from compiler.ir import (
    GE,
    GT,
    I32,
    I64,
    TRUE,
    U8,
    Add,
    Call,
    Const,
    Expr,
    Max,
    Min,
    Mul,
    Select,
    Sub,
    Variable,
    const,
    postorder,
    substitute,
    transform,
)
from lifter.dag import build_stage_graph
from lifter.model.diagnostic import Span
from lifter.model.stage import Claim
from lifter.model.summary import Dimension, Layout, Summary, Witness
from tests.parse.parsing import kernel
from tests.verify.proving import Step, step, steps

X, Y = Variable("x", I32), Variable("y", I32)
W, H, STRIDE, N = (Variable(name, I64) for name in ("w", "h", "stride", "n"))
ZERO, ONE, TWO = (const(v, I64) for v in range(3))


def snippet(body, parameters="uint8_t* dst, const uint8_t* src, int w, int h, int stride"):
    return f"#include <cassert>\n#include <cstdint>\nvoid f({parameters}) {{ {body} }}"


PLANE = snippet("""
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++)
        dst[y * stride + x] = src[y * stride + x] / 2;
""")


@pytest.fixture(scope="module")
def plane():
    return step(PLANE)


def bounds(plane, dimension, lower, upper):
    """The region with other bounds in one dimension."""
    roi = list(plane.summary.roi)
    roi[dimension] = Dimension(roi[dimension].variable, lower, upper)
    return tuple(roi)


def strides(plane, array, *values):
    return {**plane.summary.layouts, array: Layout(array, values, ZERO)}


def names(proof):
    return {o.name for o in proof.obligations}


def test_what_synthesis_finds_is_proved_in_every_respect(plane):
    proof = plane.proof()
    assert proof.failed is None
    assert names(proof) >= {"induction", "vacuity", "unique", "coverage", "reads", "value"}


# Region


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    "dimension, lower, upper",
    [
        (0, ZERO, Sub(W, ONE)),
        (0, ZERO, Add(W, ONE)),
        (0, ONE, W),
        (0, const(-1, I64), W),
        (0, ZERO, H),
        (1, ZERO, Sub(H, ONE)),
        (1, ONE, H),
        (1, ZERO, W),
        (1, ZERO, const(4, I64)),
    ],
    ids=str,
)
def test_wrong_bounds_are_refused(plane, dimension, lower, upper):
    assert plane.refused(roi=bounds(plane, dimension, lower, upper)) == ("coverage", "refuted")


def test_bounds_that_say_the_same_in_other_words_are_proved(plane):
    roi = bounds(plane, 0, Sub(W, W), Add(Sub(W, ONE), ONE))
    assert plane.proof(roi=roi).failed is None


def test_a_wrong_stride_of_the_output_is_refused(plane):
    assert plane.refused(layouts=strides(plane, "dst", ONE, W))[1] == "refuted"
    assert plane.refused(layouts=strides(plane, "dst", ONE, Add(STRIDE, ONE)))[1] == "refuted"


def test_a_wrong_stride_of_an_input_is_refused(plane):
    assert plane.refused(layouts=strides(plane, "src", ONE, W)) == ("reads", "refuted")


def test_a_wrong_offset_is_refused(plane):
    moved = {**plane.summary.layouts, "dst": Layout("dst", (ONE, STRIDE), ONE)}
    assert plane.refused(layouts=moved) == ("coverage", "refuted")


def test_a_witness_that_mixes_up_the_coordinates_is_refused(plane):
    (witness,) = plane.summary.witnesses
    turned = Witness(witness.point[::-1], witness.counters[::-1])
    assert plane.refused(witnesses=(turned,)) == ("coverage", "refuted")


def test_a_witness_that_names_another_round_is_refused(plane):
    (witness,) = plane.summary.witnesses
    late = Witness(witness.point, (Add(Variable("y", I64), ONE), Variable("x", I64)))
    assert plane.refused(witnesses=(late,)) == ("unique", "refuted")


UNROLLED = """
    for (int i = 0; i < n / 2; i++) {
      dst[2 * i] = src[2 * i];
      dst[2 * i + 1] = src[2 * i + 1];
    }
"""
LINE = "uint8_t* dst, const uint8_t* src, int n"


def test_a_missing_store_leaves_points_unwritten():
    pair = step(snippet(UNROLLED, LINE))
    assert pair.proof().failed is None
    for left in (0, 1):
        stage = replace(pair.stage, writes=(pair.stage.writes[left],))
        half = Step(pair.kernel, stage, pair.summary, {})
        witnesses = (pair.summary.witnesses[left],)
        assert half.refused(witnesses=witnesses) == ("coverage", "refuted")


def by_hand(text, roi, point, counters, expression, **layouts):
    """A stage with a summary that nobody would find."""
    made = kernel(text)
    (stage,) = build_stage_graph(made).order
    loops = [loop.counter for loop in stage.writes[0].loops]
    witness = Witness(tuple(loops[i] for i in point), counters)
    dimensions = tuple(Dimension(v, low, high) for v, low, high in roi)
    layouts = {n: Layout(n, s, ZERO) for n, s in layouts.items()}
    summary = Summary(
        "dst", "dst", "pure", dimensions, layouts, (), expression, (witness,) * len(stage.writes)
    )
    return Step(made, stage, summary, {})


def test_a_store_that_hits_a_point_in_two_rounds_is_refused():
    text = snippet("for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) dst[x] = src[y];")
    read = Call("src", (Sub(Variable("h", I32), const(1, I32)),), U8, "image")
    last = (Sub(H, ONE), Variable("x", I64))
    twice = by_hand(text, [(X, ZERO, W)], (1,), last, read, dst=(ONE,), src=(ONE,))
    assert twice.refused() == ("unique", "refuted")


def test_two_stores_to_one_point_are_refused():
    pair = step(snippet(UNROLLED, LINE))
    first = pair.stage.writes[0]
    doubled = replace(pair.stage, writes=(first, first))
    witnesses = (pair.summary.witnesses[0],) * 2
    again = Step(pair.kernel, doubled, pair.summary, {})
    assert again.refused(witnesses=witnesses) == ("unique", "refuted")


def test_rows_that_overlap_are_refused_where_the_source_says_that_they_do():
    text = PLANE.replace("for (int y", "assert(w > 1 && stride == 1 && h > 1); for (int y", 1)
    found = by_hand(
        text, [(X, ZERO, W), (Y, ZERO, H)], (1, 0), (Variable("y", I64), Variable("x", I64)),
        Call("src", (X, Y), U8, "image"), dst=(ONE, STRIDE), src=(ONE, STRIDE),
    )  # fmt: skip
    assert found.refused() == ("unique", "refuted")


def claiming(plane, formula, *given):
    """The stage, if loop analysis relied on a formula."""
    claim = Claim("induction", formula, given, Span("f.cpp", 1, 1, 1, 2), "a claim")
    stage = replace(plane.stage, claims=(*plane.stage.claims, claim))
    return Step(plane.kernel, stage, plane.summary, {})


def test_a_false_claim_of_the_loop_analysis_is_refused(plane):
    i = Variable("i7", I64)
    assert claiming(plane, GE(Mul(i, TWO), i), GE(i, ZERO)).proof().failed is None
    assert claiming(plane, GT(Mul(i, TWO), i), GE(i, ZERO)).refused() == ("induction", "refuted")


def test_a_claim_about_parameters_becomes_a_precondition(plane):
    proof = claiming(plane, GT(W, ZERO)).proof()
    assert proof.failed is None
    assert "w > 0" in [p.text for p in proof.assumptions.preconditions]


def test_a_region_that_is_always_empty_proves_nothing():
    text = PLANE.replace("for (int y", "assert(w < 0); for (int y", 1)
    never = by_hand(
        text, [(X, ZERO, W), (Y, ZERO, H)], (1, 0), (Variable("y", I64), Variable("x", I64)),
        const(7, U8), dst=(ONE, STRIDE),
    )  # fmt: skip
    assert never.refused() == ("vacuity", "refuted")


def test_a_store_that_can_never_happen_proves_nothing():
    text = snippet("for (int x = 0; x < w; x++) if (x > w) dst[x] = 7;")
    never = by_hand(text, [(X, ZERO, W)], (0,), (Variable("x", I64),), const(7, U8), dst=(ONE,))
    assert never.refused() == ("vacuity", "refuted")


# Values

DIFFERENCE = snippet(
    "for (int i = 0; i < n; i++) dst[i] = a[i] - b[i];",
    "uint8_t* dst, const uint8_t* a, const uint8_t* b, int n",
)


def with_name(expr, names):
    """`expr` with its image reads renamed."""

    def visit(node: Expr) -> Expr:
        if isinstance(node, Call) and node.name in names:
            return Call(names[node.name], node.args, node.type, node.kind)
        return node

    return transform(expr, visit)


def test_swapped_terminals_are_refused():
    found = step(DIFFERENCE)
    swapped = with_name(found.summary.expression, {"a": "b", "b": "a"})
    assert found.refused(expression=swapped) == ("value", "refuted")


def test_a_terminal_that_the_original_does_not_read_is_refused():
    found = step(DIFFERENCE)
    other = with_name(found.summary.expression, {"b": "c"})
    layouts = {**found.summary.layouts, "c": Layout("c", (ONE,), ZERO)}
    assert found.refused(expression=other, layouts=layouts) == ("reads", "refuted")


def test_a_shifted_terminal_is_refused(plane):
    shifted = substitute(plane.summary.expression, {X: Add(X, const(1, I32))})
    assert plane.refused(expression=shifted) == ("reads", "refuted")


def test_another_constant_is_refused(plane):
    thirds = transform(
        plane.summary.expression,
        lambda n: const(3, n.type) if isinstance(n, Const) and n.value == 2 else n,
    )
    assert plane.refused(expression=thirds) == ("value", "refuted")


def test_a_place_that_overflows_is_refused_unless_the_original_overflows_too():
    """A DSL coordinate is int32 and wraps; nothing says that 65536 * x doesn't."""
    far = step(snippet("for (int x = 0; x < w; x++) dst[x] = src[65536LL * x];"))
    assert "reads" in names(far.proof())
    proof = far.proof()
    assert proof.failed is None
    assert any("32767" in p.text or "65536" in p.text for p in proof.assumptions.preconditions)
    near = step(snippet("for (int x = 0; x < w; x++) dst[x] = src[65536 * x];"))
    assert near.proof().assumptions.preconditions == ()


THRESHOLD = snippet("for (int i = 0; i < n; i++) if (src[i] > 9) dst[i] = 0;", LINE)


def test_untouched_points_keep_their_value():
    found = step(THRESHOLD)
    assert isinstance(found.summary.expression, Select)
    assert found.proof().failed is None


def test_a_dropped_condition_is_refused():
    found = step(THRESHOLD)
    always = const(0, U8)
    assert found.refused(expression=always) == ("value", "refuted")


def test_a_condition_the_wrong_way_round_is_refused():
    found = step(THRESHOLD)
    e = found.summary.expression
    assert found.refused(expression=Select(e.condition, e.b, e.a)) == ("value", "refuted")


def test_a_condition_on_another_point_is_refused():
    found = step(THRESHOLD)
    e = found.summary.expression
    there = substitute(e.condition, {X: Add(X, const(1, I32))})
    assert found.refused(expression=Select(there, e.a, e.b))[1] == "refuted"


def test_a_summary_that_runs_only_sometimes_is_refused(plane):
    assert plane.refused(condition=GT(Variable("w", I32), const(8, I32))) == ("coverage", "refuted")
    assert plane.proof(condition=TRUE).failed is None


# Order of the iterations


def test_reading_what_later_rounds_overwrite_is_reading_the_old_content():
    ahead = step(snippet("for (int i = 0; i < n; i++) dst[i] = dst[i + 1] + 1;", LINE))
    assert "frame" in names(ahead.proof())
    assert ahead.proof().failed is None


def test_reading_what_an_earlier_round_has_overwritten_is_refused():
    text = snippet("for (int i = 1; i < n; i++) dst[i] = dst[i - 1] + 1;", LINE)
    before = Call("dst", (Sub(X, const(1, I32)),), U8, "image")
    carried = by_hand(
        text, [(X, ONE, N)], (0,), (Sub(Variable("x", I64), ONE),), Add(before, const(1, U8)),
        dst=(ONE,),
    )  # fmt: skip
    loop = carried.stage.writes[0].loops[0].counter
    there = Witness((Add(loop, ONE),), carried.summary.witnesses[0].counters)
    assert carried.refused(witnesses=(there,)) == ("frame", "refuted")


def test_backwards_the_other_neighbour_is_the_old_one():
    text = snippet("for (int i = n - 1; i >= 1; i--) dst[i] = dst[i - 1] + 1;", LINE)
    assert step(text).proof().failed is None


# Composition

TWO_STAGES = snippet("""
    uint8_t* t = new uint8_t[w];
    for (int x = 0; x < w; x++) t[x] = 255 - src[x];
    for (int x = 1; x < w - 1; x++) dst[x] = (t[x - 1] + t[x + 1]) / 2;
    delete[] t;
""")


def moved(expr, by):
    return substitute(expr, {X: Add(X, const(by, I32))})


def test_a_stage_may_read_what_its_producer_wrote():
    _, second = steps(TWO_STAGES)
    proof = second.proof()
    assert proof.failed is None
    assert "compose" in names(proof)


@pytest.mark.parametrize("by", [-1, 1])
def test_reading_outside_of_what_was_produced_is_refused(by):
    _, second = steps(TWO_STAGES)
    assert second.refused(expression=moved(second.summary.expression, by)) == (
        "compose",
        "refuted",
    )


def test_a_producer_that_wrote_less_is_not_enough():
    first, second = steps(TWO_STAGES)
    shorter = replace(first.summary, roi=(Dimension(X, ONE, W),))
    produced = {"t": replace(second.produced["t"], summary=shorter)}
    consumer = Step(second.kernel, second.stage, second.summary, produced)
    assert consumer.refused() == ("compose", "refuted")


# dexter-2019 figure 1: the vertical pass reads one row above and one below what was allocated.
FIGURE_1 = snippet("""
    int* tmp = new int[h * stride];
    for (int y = 0; y < h; y++) {
      for (int x = 0; x < w; x++)
        tmp[x] = (src[x - 1] + src[x] + src[x + 1]) / 3;
      tmp += stride;
      src += stride;
    }
    tmp -= h * stride;
    for (int y = 0; y < h; y++) {
      for (int x = 0; x < w; x++)
        dst[x] = (tmp[x - stride] + tmp[x] + tmp[x + stride]) / 3;
      dst += stride;
      tmp += stride;
    }
""")


@pytest.fixture(scope="module")
def vertical():
    return steps(FIGURE_1)[1]


@pytest.mark.slow
def test_figure_1_reads_the_nearest_row_that_was_written(vertical):
    found = [n for n in postorder(vertical.summary.expression) if isinstance(n, (Min, Max))]
    assert len(found) == 2
    assert vertical.proof().failed is None


def test_figure_1_without_its_clamp_leaves_the_temporary(vertical):
    def visit(node: Expr) -> Expr:
        if isinstance(node, (Min, Max)):
            return node.a if not isinstance(node.a, Const) else node.b
        return node

    bare = transform(vertical.summary.expression, visit)
    assert vertical.refused(expression=bare) == ("compose", "refuted")


def test_figure_1_with_a_clamp_into_the_wrong_row_is_refused(vertical):
    """One row further inside: at the second row, which the original reads, the value differs."""

    def visit(node: Expr) -> Expr:
        return Max(node.a, const(1, I32)) if isinstance(node, Max) else node

    inside = transform(vertical.summary.expression, visit)
    obligation, verdict = vertical.refused(expression=inside)
    assert obligation in ("reads", "value", "compose")
    assert verdict == "refuted"
