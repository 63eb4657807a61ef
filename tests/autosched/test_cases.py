"""Coordinates that alone decide what is computed, and rows of running maxima within tiles."""

from __future__ import annotations

import numpy as np
import pytest

import compiler as hl
from compiler.autosched import estimated_graph
from compiler.autosched.cases import mean_case, written_out
from compiler.autosched.cost_model import CostModel
from compiler.autosched.groups import Group, Grouping, MemberPlace
from compiler.autosched.machine import Cache, Machine
from compiler.autosched.search import Search
from compiler.lower.environment import realization_order

MACHINE = Machine("test", 2, 1, 512, (Cache(48 << 10), Cache(2 << 20), Cache(32 << 20)), 4e10)
WIDTH, HEIGHT, KINDS = 600, 400, 8


def chosen(kinds=KINDS):
    """Sums of pairs of rows, the farther apart the larger i; and the largest of them all."""
    x, y, i = hl.vars("x y i")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    rows, largest, output = hl.Func("rows"), hl.Func("largest"), hl.Func("output")
    rows[x, y, i] = hl.mux(i, [image[x, y] + image[x, y + k] * k for k in range(1, kinds + 1)])
    r = hl.RDom([(0, kinds)], "r")
    largest[x, y] = hl.f32(0)
    largest[x, y] = hl.max(largest[x, y], rows[x + r.x, y, hl.clamp(r.x, 0, kinds - 1)])
    output[x, y] = largest[x, y]
    output.set_estimates([(0, WIDTH), (0, HEIGHT)])
    return image, output


def stages(output):
    graph = estimated_graph([output.function])
    return graph, {name.rsplit("$")[0]: stage for name, stage in graph.stages.items()}


def test_each_value_of_a_chosen_coordinate_keeps_its_own_case():
    _, found = stages(chosen()[1])
    rows = found["rows"]
    part = rows.parts[0]
    assert written_out(rows, part, rows.bounds) == "i"
    case = mean_case(part, "i", (0, KINDS - 1))
    # A sum and, but for the row times one, a product; two rows are read.
    assert case.count == KINDS
    assert 1 <= case.operations <= 2 < part.value_cost
    assert sum(case.reads.values()) == pytest.approx(2)


def test_only_the_values_that_come_count():
    part = stages(chosen()[1])[1]["rows"].parts[0]
    once = mean_case(part, "i", (2, 2))
    assert sorted(once.reads.values()) == [1, 1]


def test_a_coordinate_that_decides_nothing_is_not_written_out():
    x, y, c = hl.vars("x y c")
    f = hl.Func("f")
    f[x, y, c] = hl.f32(x + y * c)
    f.set_estimates([(0, WIDTH), (0, HEIGHT), (0, 3)])
    (stage,) = estimated_graph([f.function]).stages.values()
    assert written_out(stage, stage.parts[0], stage.bounds) is None


def test_nor_is_one_of_many_values():
    output = chosen(40)[1]
    rows = stages(output)[1]["rows"]
    assert written_out(rows, rows.parts[0], rows.bounds) is None


def alternating(height=96):
    """Rows of which every other one is computed differently, in a window that slides."""
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    rows, output = hl.Func("rows"), hl.Func("output")
    rows[x, y] = hl.select(y % 2 == 0, image[x, y], image[x, y] * 2 + 1)
    output[x, y] = rows[x, y] + rows[x, y + 1]
    output.set_estimates([(0, WIDTH), (0, height)])
    return image, rows, output


@pytest.mark.parametrize("place, copies", [(MemberPlace("yi", "yo"), 2), (MemberPlace("yo"), 17)])
def test_as_many_rows_are_written_out_as_are_computed_at_a_time(place, copies):
    _, rows, output = alternating()
    graph = estimated_graph([output.function])
    group = Group(output.name(), {"y": 16}, ("y",), ("y", "x"), {rows.name(): place})
    made = [
        d.args[3]
        for d in Grouping("test", graph, (group,)).schedule(MACHINE).directives
        if d.stage == rows.name() and d.name == "split"
    ]
    # Of a window, a row for each step; at first also those before it.
    assert made == [copies]


def tiles(found, across, placement):
    members = {found["largest"].name: MemberPlace("yi"), found["rows"].name: placement}
    return Group(
        found["output"].name, {"y": 64, "x": across}, ("y", "x"), ("y", "x"), members
    )  # fmt: skip


def test_rows_of_a_running_maximum_cost_less_where_the_first_cache_keeps_them():
    graph, found = stages(chosen()[1])
    model = CostModel(graph, MACHINE)
    narrow = model.cost(tiles(found, 64, MemberPlace("yi"))).features
    wide = model.cost(tiles(found, 600, MemberPlace("xo"))).features
    assert narrow.cached_bytes == 0 < wide.cached_bytes


def test_the_search_computes_a_running_maximum_row_by_row_and_that_is_right():
    image, output = chosen()
    graph = estimated_graph([output.function])
    search = Search(graph, MACHINE)
    names = {name.rsplit("$")[0]: name for name in graph.stages}
    found = [
        (state, group)
        for state in search.states()
        for group in search.grouping(state).groups
        if group.members.get(names["largest"]) == MemberPlace("yi")
    ]
    assert found
    grouping: Grouping = search.grouping(found[0][0])
    grouping.schedule(MACHINE).apply(realization_order([output.function]))
    width, height = 131, 37
    rng = np.random.default_rng(0)
    values = rng.random((height + KINDS, width + KINDS - 1)).astype(np.float32)
    image.set(hl.Buffer(values))
    made = np.asarray(output.realize([width, height]))
    wanted = np.zeros((height, width), np.float32)
    for k in range(KINDS):
        moved = values[:, k : k + width]
        wanted = np.maximum(wanted, moved[:height] + moved[k + 1 : k + 1 + height] * (k + 1))
    np.testing.assert_allclose(made, wanted, rtol=1e-6)
