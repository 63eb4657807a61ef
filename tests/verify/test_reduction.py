"""A reduction into an array is proved for every order of its iterations, or refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compiler.ir import I32, I64, U32, Add, Call, Mul, Sub, Variable, const
from lifter.model.summary import Dimension, Witness
from tests.verify.proving import Step, step

HISTOGRAM = """
    #include <cstdint>
    void hist(uint32_t* bins, const uint8_t* src, int w, int h, int stride) {
      for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
          bins[src[y * stride + x]] += 3;
    }
"""
ZERO, ONE = const(0, I64), const(1, I64)


@pytest.fixture(scope="module")
def histogram():
    return step(HISTOGRAM)


def own(histogram):
    """The output's element before the iteration."""
    (place,) = histogram.summary.update_point
    return Call("bins", (place,), U32, "image")


def test_a_histogram_is_proved(histogram):
    proof = histogram.proof()
    assert proof.failed is None
    assert {o.name for o in proof.obligations} >= {"unique", "coverage", "value", "order"}
    assert repr(histogram.summary.expression) == "bins(int32(src(r.x, r.y))) + 3"


def test_another_amount_is_refused(histogram):
    more = Add(own(histogram), const(4, U32))
    assert histogram.refused(expression=more) == ("value", "refuted")


def test_setting_instead_of_adding_is_refused(histogram):
    assert histogram.refused(expression=const(3, U32)) == ("value", "refuted")


def test_another_element_is_refused(histogram):
    (place,) = histogram.summary.update_point
    next_one = (Add(place, const(1, I32)),)
    assert histogram.refused(update_point=next_one) == ("coverage", "refuted")


@pytest.mark.parametrize("dimension", [0, 1])
def test_a_round_less_or_more_is_refused(histogram, dimension):
    for by in (Sub, Add):
        domain = list(histogram.summary.domain)
        whole = domain[dimension]
        domain[dimension] = Dimension(whole.variable, whole.lower, by(whole.upper, ONE))
        assert histogram.refused(domain=tuple(domain)) == ("coverage", "refuted")


def test_elements_outside_of_the_region_are_refused(histogram):
    (bins,) = histogram.summary.roi
    fewer = (Dimension(bins.variable, ZERO, const(255, I64)),)
    assert histogram.refused(roi=fewer) == ("coverage", "refuted")


def test_rounds_in_another_place_of_the_domain_are_refused(histogram):
    (witness,) = histogram.summary.witnesses
    turned = Witness(witness.point[::-1], witness.counters[::-1])
    assert histogram.refused(witnesses=(turned,))[1] == "refuted"


def test_a_nest_that_reads_other_elements_of_the_output_is_refused(histogram):
    """Their values depend on the order of the iterations."""
    (read,) = (r for r in histogram.stage.reads if r.array == "bins")
    elsewhere = replace(read, indices=(ZERO,))
    stage = replace(histogram.stage, reads=(*histogram.stage.reads, elsewhere))
    peeking = Step(histogram.kernel, stage, histogram.summary, {})
    assert peeking.refused() == ("frame", "refuted")


def test_an_update_that_is_no_sum_is_refused():
    """Doubling commutes with itself, but only sums are known to: no such update is proved."""
    doubling = step(HISTOGRAM)
    (write,) = doubling.stage.writes
    place = own(doubling)
    value = Mul(write.value.a, const(2, U32))
    stage = replace(doubling.stage, writes=(replace(write, value=value),))
    changed = Step(doubling.kernel, stage, doubling.summary, {})
    assert changed.refused(expression=Mul(place, const(2, U32))) == ("order", "refuted")


def test_a_condition_adds_nothing_where_it_fails():
    text = HISTOGRAM.replace("bins[", "if (src[y * stride + x] > 9) bins[")
    some = step(text)
    assert some.proof().failed is None
    always = Add(own(some), const(3, U32))
    assert some.refused(expression=always) == ("value", "refuted")


def test_the_domain_has_coordinates_of_its_own(histogram):
    assert [d.variable for d in histogram.summary.domain] == [
        Variable("r.x", I32),
        Variable("r.y", I32),
    ]
