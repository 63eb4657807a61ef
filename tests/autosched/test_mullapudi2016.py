"""Mullapudi2016 decides as its paper says on the paper's examples, and what it decides is right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import compiler as hl
from compiler.autosched import Cache, Machine, estimated_graph
from compiler.autosched.groups import Group, written
from compiler.autosched.mullapudi2016 import Mullapudi2016Parameters, mullapudi2016, reduced_tuning
from compiler.autosched.mullapudi2016_inlining import inlined
from compiler.autosched.mullapudi2016_tiles import (
    middle_tile,
    reuse,
    single_tile,
    tile_cost,
    tile_sizes,
)
from compiler.lower.environment import realization_order
from corpus.pipelines import NAMES, load
from corpus.pipelines.program import Compiled, estimate

XEON = Machine("Xeon E5-2620 v3", 6, 1, 256, (Cache(32 << 10), Cache(256 << 10)), 3e10)
TEGRA = Machine("Tegra X1", 4, 1, 128, (Cache(32 << 10), Cache(2 << 20, shared_by=4)), 1e10)
PAPER = replace(Mullapudi2016Parameters.of(XEON), row_start=0)
"""As in the paper, whose loads cost the same wherever a row begins."""


def graph_of(*outputs):
    return estimated_graph([f.function for f in outputs])


def groups_of(grouping):
    """By the output: the members and the tile of each group."""
    return {g.output: (set(g.members), dict(g.tiles)) for g in grouping.groups}


def blur(width=3072, height=2046):
    """Figure 2."""
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(8), 2, "in")
    blurx, out = hl.funcs("blurx out")
    blurx[x, y] = (image[x - 1, y] + image[x, y] + image[x + 1, y]) / 3
    out[x, y] = (blurx[x, y - 1] + blurx[x, y] + blurx[x, y + 1]) / 3
    out.set_estimates([(0, width), (1, height)])
    return blurx, out


def product(size=1024):
    """Figure 3."""
    x, y = hl.vars("x y")
    a, b = hl.ImageParam(hl.Float(32), 2, "A"), hl.ImageParam(hl.Float(32), 2, "B")
    for matrix in (a, b):
        matrix.set_estimates([(0, size), (0, size)])
    r = hl.RDom([(0, size)], "r")
    c = hl.Func("C")
    c[x, y] += a[r.x, y] * b[x, r.x]
    c.set_estimates([(0, size), (0, size)])
    return c


def figure_4(term=hl.exp):
    """A, B, C, D, E: vertical stencils of three rows; `term` is what A and B add up of each."""
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    image.set_estimates([(0, 1024), (-4, 1032)])
    a, b, c, d, e = hl.funcs("A B C D E")

    def stencil(f, of):
        return (of(f[x, y - 1]) + of(f[x, y]) + of(f[x, y + 1])) / 3

    a[x, y] = stencil(image, term)
    b[x, y] = stencil(a, term)
    c[x, y] = stencil(b, lambda v: v)
    d[x, y] = stencil(b, lambda v: v * v)
    e[x, y] = stencil(c, lambda v: v) + stencil(d, lambda v: v)
    e.set_estimates([(0, 1024), (0, 1024)])
    return [f.name() for f in (a, b, c, d, e)], e


def test_the_papers_machines_have_the_papers_parameters():
    assert Mullapudi2016Parameters.of(XEON) == Mullapudi2016Parameters(12, 256 << 10, 10, 16)
    assert Mullapudi2016Parameters.of(TEGRA) == Mullapudi2016Parameters(8, 512 << 10, 10, 8)


def test_the_reduced_tuning_has_six_configurations():
    sets = [(p.cache_size >> 10, p.load_cost) for p in reduced_tuning(XEON)]
    assert sets == [(32, 10), (32, 20), (128, 10), (128, 20), (256, 10), (256, 20)]
    assert {(p.parallelism_threshold, p.vector_width) for p in reduced_tuning(XEON)} == {(12, 16)}


def test_bounds_follow_from_the_outputs_as_in_section_3_3():
    blurx, out = blur()
    graph = graph_of(out)
    regions = graph.regions(out.name(), ((5, 10), (10, 20)))
    assert regions[blurx.name()] == ((5, 10), (9, 21))
    assert regions["in"] == ((4, 11), (9, 21))


def test_going_down_reads_blurx_again_and_going_across_does_not_as_in_figure_5():
    _, out = blur()
    assert reuse(graph_of(out), out.name(), ()) == {"x": 0, "y": 2}


def test_going_across_reads_the_image_of_blurx_again():
    blurx, _ = blur()
    blurx.set_estimates([(0, 3072), (0, 2048)])
    assert reuse(graph_of(blurx), blurx.name(), ()) == {"x": 2, "y": 0}


def test_each_loop_of_a_matrix_product_reads_one_value_again():
    c = product()
    found = reuse(graph_of(c), c.name(), ())
    assert found["x"] == found["y"] == 1  # a row of A, a column of B
    assert found["r$x"] == 1  # the sum itself


def test_tiles_are_cubes_or_longer_where_more_is_reused():
    sizes = {"x": 1000, "y": 1000}
    tiles = [(t["x"], t["y"]) for t in tile_sizes(sizes, ["y", "x"], "x", 1)]
    assert (16, 16) in tiles and (16, 64) in tiles and (16, 256) in tiles and (16, 1000) in tiles
    assert (64, 16) in tiles, "rows of a tile are long for prefetchers"
    assert len(tiles) == len(set(tiles))


def test_tiles_are_wide_enough_for_vectors_but_no_wider_than_the_stage():
    assert min(t["x"] for t in tile_sizes({"x": 1000, "y": 1000}, ["y", "x"], "x", 64)) == 64
    assert {t["x"] for t in tile_sizes({"x": 40, "y": 1000}, ["y", "x"], "x", 64)} == {40}


def test_a_product_of_matrices_is_tiled_in_all_three_loops_as_in_figure_3():
    c = product()
    graph = graph_of(c)
    room = replace(PAPER, cache_size=3 * 32 * 32 * 4, vector_width=8)
    found = single_tile(graph, graph.stages[c.name()], room)
    assert found is not None and dict(found.tile) == {"x": 32, "y": 32, "r$x": 32}
    # Each of 32 * 32 * 32 tiles loads one of A, of B and of C.
    assert found.loads == 32**3 * 3 * 32 * 32


@pytest.mark.parametrize("change", [{"cache_size": 64}, {"parallelism_threshold": 1 << 30}])
def test_a_product_is_not_tiled_where_no_tile_fits_or_tiles_are_too_few(change):
    c = product()
    graph = graph_of(c)
    assert single_tile(graph, graph.stages[c.name()], replace(PAPER, **change)) is None


def test_stages_of_one_definition_are_not_tiled_by_themselves():
    _, out = blur()
    graph = graph_of(out)
    assert single_tile(graph, graph.stages[out.name()], PAPER) is None


def test_figure_4_has_two_groups_with_their_own_tiles():
    (a, b, c, d, e), output = figure_4()
    room = replace(PAPER, cache_size=16 << 10, vector_width=8)
    found = mullapudi2016(graph_of(output), XEON, room)
    groups = groups_of(found)
    assert groups.keys() == {b, e}
    assert groups[b] == ({a}, {"x": 32, "y": 32})
    assert groups[e] == ({c, d}, {"x": 32, "y": 16})
    # The temporary buffers of the figure's loop nest.
    graph = found.graph
    for group, tile, member, rows in ((b, (32, 32), a, 34), (e, (64, 16), c, 18)):
        box = middle_tile(graph.stages[group], dict(zip("xy", tile, strict=True)))
        (left, right), (top, bottom) = graph.regions(group, box)[member]
        assert (right - left + 1, bottom - top + 1) == (tile[0], rows)


def test_figure_4_becomes_one_group_where_b_costs_little_to_compute_again():
    (a, b, c, d, e), output = figure_4(term=lambda v: v)
    room = replace(PAPER, cache_size=16 << 10, vector_width=8)
    assert {k: m for k, (m, _) in groups_of(mullapudi2016(graph_of(output), XEON, room)).items()} \
        == {e: {a, b, c, d}}  # fmt: skip


def test_nothing_is_grouped_where_no_tile_fits_the_cache():
    names, output = figure_4()
    found = mullapudi2016(graph_of(output), XEON, replace(PAPER, cache_size=256))
    assert {g.output for g in found.groups} == set(names)
    assert not any(g.members for g in found.groups)


def test_a_tile_costs_its_work_with_the_overlap_and_its_inputs():
    blurx, out = blur()
    graph = graph_of(out)
    box = middle_tile(graph.stages[out.name()], {"x": 32, "y": 32})
    one = tile_cost(graph, out.name(), [blurx.name()], box, row_start=0)
    # Two sums, a division by a constant, and two sums to say where to read.
    assert graph.stages[out.name()].cost == graph.stages[blurx.name()].cost == 2 + 3 + 2
    assert one.work == 7 * 32 * 32 + 7 * 32 * 34
    assert one.loads == 34 * 34
    assert one.footprint == 34 * 34 + 34 * 32 + 32 * 32


def test_a_tile_that_ends_within_rows_pays_for_starting_them():
    blurx, out = blur()
    graph = graph_of(out)
    stage = graph.stages[out.name()]
    tall = tile_cost(graph, stage.name, [blurx.name()], middle_tile(stage, {"x": 32, "y": 128}), 64)
    flat = tile_cost(graph, stage.name, [blurx.name()], middle_tile(stage, {"y": 4}), 64)
    assert tall.loads == 34 * 130 + 64 * (130 + 128)
    assert flat.loads == 3074 * 6


def test_tiles_leave_whole_vectors_to_members_that_are_turned():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    r = hl.RDom([(1, 511)], "r")
    columns, turned = hl.funcs("columns turned")
    columns[x, y] = image[y, x]
    columns[x, r.x] = columns[x, r.x] + columns[x, r.x - 1]
    turned[x, y] = columns[y, x]
    turned.set_estimates([(0, 512), (0, 512)])
    (group,) = mullapudi2016(graph_of(turned), XEON).groups
    assert set(group.members) == {columns.name()} and group.tiles["y"] >= XEON.lanes(32)


def test_a_stage_that_is_not_tiled_is_shared_out_in_strips_of_whole_rows():
    luma = hl.Func("luma")
    x, y = hl.vars("x y")
    luma[x, y] = hl.f32(x + y)
    luma.set_estimates([(0, 1000), (0, 1000)])
    (group,) = mullapudi2016(graph_of(luma), XEON).groups
    assert (group.inter, group.intra, dict(group.tiles)) == (("y",), ("y", "x"), {"y": 42})
    row = hl.Func("row")
    row[x] = hl.f32(x)
    row.set_estimates([(0, 10000)])
    (group,) = mullapudi2016(graph_of(row), XEON).groups
    assert (group.inter, group.intra, dict(group.tiles)) == (("x",), ("x",), {"x": 417})


def test_stages_read_at_one_point_are_inlined_into_all_that_read_them():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    double, left, right, both = hl.funcs("double left right both")
    double[x, y] = image[x, y] * 2
    left[x, y] = double[x, y] + 1
    right[x, y] = double[x, y] - 1
    both[x, y] = left[x, y] * right[x, y]
    both.set_estimates([(0, 64), (0, 64)])
    assert list(inlined(graph_of(both), 10).stages) == [both.name()]


def test_a_costly_stage_that_many_points_read_is_kept_and_a_cheap_one_is_not():
    def kept(of):
        x, y = hl.vars("x y")
        image = hl.ImageParam(hl.Float(32), 2, "image")
        f, g = hl.funcs("f g")
        f[x, y] = of(image[x, y])
        g[x, y] = f[x - 1, y] + f[x, y] + f[x + 1, y]
        g.set_estimates([(0, 64), (0, 64)])
        return f.name() in inlined(graph_of(g), 10).stages

    assert kept(hl.exp) and not kept(lambda v: v * 2)


def test_loops_go_innermost_where_they_read_most_again_but_never_beside_the_first():
    x, y, c = hl.vars("x y c")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    f, g = hl.funcs("f g")
    f[x, y] += hl.exp(image[x, y])
    g[x, y, c] = f[x, y] * (c + 1)
    g.set_estimates([(0, 1024), (0, 1024), (0, 16)])
    image.set_estimates([(0, 1024), (0, 1024)])
    found = mullapudi2016(graph_of(g), XEON)
    group = next(gr for gr in found.groups if gr.output == g.name())
    assert group.intra[-2:] == ("c", "x")


def test_vectors_of_a_sum_whose_values_others_share_are_unrolled_inside_of_the_reduction():
    c = product()
    (group,) = mullapudi2016(graph_of(c), XEON).groups
    assert dict(group.registers[c.name()]) == {"x": 4 * 8}
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    r = hl.RDom([(-1, 3)], "r")
    rows = hl.Func("rows")
    rows[x, y] += image[x + r.x, y]
    rows.set_estimates([(0, 1024), (0, 1024)])
    assert not any(g.registers for g in mullapudi2016(graph_of(rows), XEON).groups)


def test_loops_that_are_unrolled_one_in_another_make_few_copies():
    x, y = hl.vars("x y")
    f = hl.Func("f")
    r = hl.RDom([(0, 64)], "r")
    r.where(r.x <= y)
    f[x, y] += hl.f32(x * r.x)
    f.set_estimates([(0, 64), (0, 64)])
    stage = graph_of(f).stages[f.name()]
    tiles = {"y": 8, "r$x": 8}
    group = Group(stage.name, tiles, ("y", "r$x"), ("y", "r$x", "x"))
    directives = written(graph_of(f), [group], XEON).directives
    unrolled = [d.args[0].name for d in directives if d.name == "unroll" and d.update == 0]
    assert unrolled == ["r$xi"], "64 copies would take long to compile"


def test_what_the_user_scheduled_stays_alone_and_as_it_is():
    blurx, out = blur()
    x = hl.Var("x")
    blurx.compute_root().vectorize(x, 4)
    found = mullapudi2016(graph_of(out), XEON)
    assert groups_of(found)[blurx.name()] == (set(), {})
    assert all(d.stage != blurx.name() for d in found.schedule(XEON).directives)


def made_by(program, estimated, values, size):
    algorithm = program.build(hl)
    estimate(algorithm, values, estimated)
    outputs = [f.function for f in algorithm.outputs]
    found = mullapudi2016(estimated_graph(outputs), XEON)
    found.schedule(XEON).apply(realization_order(outputs))
    return Compiled(hl, algorithm)(program.inputs(size, 0), size)


def is_right(program, size, made):
    reference = program.reference(program.inputs(size, 0))
    difference = max(
        np.abs(a.astype(float) - b.astype(float)).max()
        for a, b in zip(made, reference, strict=True)
    )
    return difference <= program.tolerance


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("name", ["blur", "unsharp", "hist", "iir_blur", "mat_mul", "conv_layer"])
def test_programs_scheduled_for_their_full_size_are_right_at_a_small_one(name):
    program = load(name)
    values = program.inputs(program.test_size, 0)
    assert is_right(
        program, program.test_size, made_by(program, program.size, values, program.test_size)
    )


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("size", [(1, 1), (7, 7), (131, 5)])
def test_a_schedule_for_a_small_image_is_right_for_others(size):
    program = load("blur")
    values = program.inputs((67, 41), 0)
    assert is_right(program, size, made_by(program, (67, 41), values, size))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_all_programs_are_right_under_estimates_of_their_own_size(name):
    program = load(name)
    values = program.inputs(program.test_size, 0)
    made = made_by(program, program.test_size, values, program.test_size)
    assert is_right(program, program.test_size, made)
