"""The update of a tuple is proved value by value, each in the order of the loops, or refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compiler.ir import (
    F32,
    GE,
    I32,
    I64,
    TRUE,
    Add,
    Call,
    Const,
    Load,
    Not,
    Select,
    const,
    postorder,
)
from lifter.model.summary import Dimension
from lifter.verify.updates import UpdatesProof
from tests.verify.proving import assumptions_of, steps

PLACE = """
    void f(const float* p, int w, int h, int stride, int* out) {
      float low = 1; int row = -1;
      for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
          if (p[y * stride + x] < low) { low = p[y * stride + x]; row = y; }
      *out = row;
    }
"""


@pytest.fixture(scope="module")
def row():
    """The update of the position."""
    (found,) = [s for s in steps(PLACE) if s.stage.output == "row" and s.summary.domain]
    return found


def test_it_is_proved(row):
    assert row.proof().failed is None
    assert repr(row.summary.expression) == "select(p(r.x, r.y) < low(), r.y, row())"


def test_another_tie_is_refused(row):
    own, low = Call("row", (), I32, "image"), Call("low", (), F32, "image")
    (read,) = {n for n in postorder(row.summary.expression) if isinstance(n, Call) and n.args}
    y = row.summary.domain[1].variable
    assert row.refused(expression=Select(Not(GE(read, low)), y, own))[0] == "value"
    assert row.refused(expression=Select(GE(low, read), y, own))[0] == "value"
    assert row.refused(expression=Add(row.summary.expression, const(1, I32)))[0] == "value"


def test_it_is_no_reduction_by_itself(row):
    assert row.refused(is_fold=False) == ("coverage", "refuted")
    assert row.refused(kind="pure")[1] == "refuted"
    alone = replace(row, stage=replace(row.stage, is_fold=False))
    assert alone.refused()[1] == "refuted"


def test_another_order_is_refused(row):
    x, y = row.summary.domain
    assert row.refused(domain=(y, x))[1] == "refuted"
    more = Dimension(x.variable, x.lower, Add(x.upper, Const(x.upper.type, 1)))
    assert row.refused(domain=(more, y)) == ("coverage", "refuted")


@pytest.mark.parametrize("what", ["a loop less", "a condition", "a place that moves", "twice"])
def test_values_are_stored_in_the_same_iterations(row, what):
    (low,) = row.stage.siblings
    outer, inner = low.loops
    changed = {
        "a loop less": [replace(low, loops=(outer,))],
        "a condition": [replace(low, condition=GE(Load("p", (const(0, I64),), F32), low.value))],
        "a place that moves": [replace(low, indices=(inner.counter,))],
        "twice": [low, low],
    }[what]
    assert low.condition is TRUE
    other = replace(row, stage=replace(row.stage, siblings=tuple(changed)))
    assert other.refused() == ("order", "refuted")


def test_a_nest_that_reads_another_value_elsewhere_is_refused(row):
    (own,) = (r for r in row.stage.reads if r.array == "low" and r.loops)
    before = replace(own, loops=own.loops[:1])
    other = replace(row, stage=replace(row.stage, reads=(*row.stage.reads, before)))
    assert other.refused() == ("frame", "refuted")


def test_sums_in_any_order_are_no_tuples(row):
    proof = UpdatesProof(row.stage, row.summary, assumptions_of(row.kernel), row.produced)
    assert not proof.run()
    assert proof.failed is not None and proof.failed.name == "coverage"
