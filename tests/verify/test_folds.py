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


OF_EACH_PIXEL = """
    void f(float* d, const float* s, const float* k, int w, int h, int n, int m, float b) {
      for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
          float a = b;
          for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++)
              if (k[i] > 0.0f) a += k[j * n + i] * s[(y + j) * w + x + i];
          d[y * w + x] = a;
        }
    }
"""


@pytest.fixture(scope="module")
def of_each_pixel():
    return steps(OF_EACH_PIXEL)


def test_loops_of_each_pixel_in_another_order_are_refused(of_each_pixel):
    begun, summed, _ = of_each_pixel
    assert begun.proof().failed is None
    assert summed.proof().failed is None
    i, j, x, y = summed.summary.domain
    assert summed.refused(domain=(j, i, x, y))[1] == "refuted"
    (witness,) = summed.summary.witnesses
    p, q, *rest = witness.point
    turned = replace(witness, point=(q, p, *rest))
    assert summed.refused(domain=(j, i, x, y), witnesses=(turned,))[1] == "refuted"


def test_other_terms_of_each_pixel_are_refused(of_each_pixel):
    begun, summed, _ = of_each_pixel
    i, j, x, y = summed.summary.domain
    fewer = replace(j, upper=Add(j.upper, Const(j.upper.type, -1)))
    assert summed.refused(domain=(i, fewer, x, y)) == ("coverage", "refuted")
    where = summed.summary.expression
    assert isinstance(where, Select)
    assert isinstance(where.a, Add)
    # What is left out is no zero that is added: that would change a -0.0.
    zero = Select(where.condition, where.a.b, Const(F32, 0.0))
    assert summed.refused(expression=Add(where.a.a, zero))[0] == "value"
    assert summed.refused(expression=where.a)[0] in ("value", "reads")
    assert begun.refused(expression=Const(F32, 0.0))[0] == "value"
