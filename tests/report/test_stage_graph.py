"""The picture of stages: every array and stage once, an arrow for each that reads another."""

from __future__ import annotations

from dataclasses import replace

from lifter.model.record import StageRecord
from lifter.report.stage_graph import arrays_read, region_of, stage_graph

from .made import proved


def stage(output, definition, roi=(("0", "n"),), name=None, kind="pure"):
    return StageRecord(name or output, output, kind, roi, (), f"{output}(x) = {definition}")


def picture(*stages):
    return str(stage_graph(replace(proved(), stages=stages)))


def edges(svg):
    return svg.count("class=g-e")


def test_a_stage_has_an_arrow_from_each_array_that_it_reads():
    svg = picture(stage("dst", "src(x) + dst(x)"))
    assert svg.count("<rect") == 3
    assert svg.count('class="g-in"') == 2
    assert svg.count('class="g-out"') == 1
    assert edges(svg) == 2
    assert 'aria-label="dst reads src, dst"' in svg


def test_a_function_is_no_array():
    assert arrays_read(stage("dst", "Mul8(src(x), u8(x))"), ["src", "dst"]) == ["src"]


def test_a_stage_reads_what_the_last_stage_before_it_made():
    svg = picture(stage("t", "0"), stage("t", "t(x) + src(x)", name="t.2"), stage("dst", "t(x)"))
    assert svg.count("<rect") == 4
    assert edges(svg) == 3
    assert svg.count('class="g-in"') == 1
    assert svg.count('class="g-stage"') == 2


def test_a_stage_that_reads_nothing_stands_alone():
    svg = picture(stage("dst", "255"))
    assert edges(svg) == 0
    assert svg.count("<rect") == 1


def test_without_stages_there_is_no_picture():
    assert stage_graph(replace(proved(), stages=())) is None


def test_regions_are_said_as_extents_where_they_begin_at_zero():
    assert region_of(stage("d", "0", (("0", "cols"), ("0", "rows")))) == "cols × rows"
    assert region_of(stage("d", "0", (("1", "n - 1"),))) == "[1, n - 1)"
    assert region_of(stage("d", "0", (("0", "n + 2"), ("0", "rows")))) == "(n + 2) × rows"
    assert region_of(stage("d", "0", ())) == "one point"


def test_a_chain_of_many_stages_is_drawn_from_left_to_right():
    svg = picture(stage("s0", "src(x)"), *(stage(f"s{n}", f"s{n - 1}(x)") for n in range(1, 60)))
    assert edges(svg) == 60
