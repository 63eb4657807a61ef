"""An update of one element by any function is proved in the order of the loops, or refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compiler.ir import F32, GT, I32, Add, Call, Const, Select, Variable, postorder
from lifter.model.summary import Witness
from tests.verify.proving import steps

GREATEST = """
    void f(const float* p, int w, int h, int stride, float* out) {
      float a = 0;
      for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
          if (p[y * stride + x] > a) a = p[y * stride + x];
      *out = a;
    }
"""


@pytest.fixture(scope="module")
def greatest():
    return steps(GREATEST)[-1]


def parts(greatest):
    """The element before the iteration, and what it is compared with."""
    own = Call("out", (), F32, "image")
    (read,) = {
        n for n in postorder(greatest.summary.expression) if isinstance(n, Call) and n.name == "p"
    }
    return own, read


def test_it_is_proved(greatest):
    assert greatest.proof().failed is None
    assert repr(greatest.summary.expression) == "select(p(r.x, r.y) > out(), p(r.x, r.y), out())"


def test_another_tie_is_refused(greatest):
    own, read = parts(greatest)
    assert greatest.refused(expression=Select(GT(own, read), own, read))[0] == "value"


def test_another_function_is_refused(greatest):
    own, read = parts(greatest)
    assert greatest.refused(expression=Add(own, read))[0] == "value"
    assert greatest.refused(expression=read)[0] == "value"


def test_another_order_is_refused(greatest):
    x, y = greatest.summary.domain
    assert greatest.refused(domain=(y, x))[1] == "refuted"
    (witness,) = greatest.summary.witnesses
    turned = Witness(witness.point[::-1], witness.counters[::-1])
    assert greatest.refused(witnesses=(turned,))[1] == "refuted"


def test_an_iteration_less_is_refused(greatest):
    x, y = greatest.summary.domain
    fewer = replace(x, upper=Add(x.upper, Const(x.upper.type, -1)))
    assert greatest.refused(domain=(fewer, y)) == ("coverage", "refuted")


def test_a_place_that_moves_needs_sums(greatest):
    """Elements that several iterations update are summed up in any order, or nothing is said."""
    _, read = parts(greatest)
    place = (Variable("r.x", I32),)
    moved = Call("out", place, F32, "image")
    expression = Select(GT(read, moved), read, moved)
    assert greatest.refused(expression=expression, update_point=place)[1] == "refuted"


def test_a_nest_that_reads_the_output_elsewhere_is_refused(greatest):
    stage = greatest.stage
    (own,) = (r for r in stage.reads if r.array == "out")
    other = replace(own, indices=(stage.writes[0].loops[0].counter,))
    changed = replace(greatest, stage=replace(stage, reads=(*stage.reads, other)))
    assert changed.refused() == ("frame", "refuted")
