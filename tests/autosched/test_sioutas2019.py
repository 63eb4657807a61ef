"""Sioutas2019 decides as the thesis says on its own blur (section 5.3); windows really slide."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import compiler as hl
from compiler.autosched import Cache, Machine, estimated_graph
from compiler.autosched.fusion import Fused, FusionSpace, inlined_where_free
from compiler.autosched.groups import Group, Grouping
from compiler.autosched.nests import Nests, TiledNest
from compiler.autosched.sioutas2019 import Sioutas2019Parameters, sioutas2019
from compiler.autosched.tiling_analysis import TilingAnalysis
from compiler.lower.environment import realization_order
from corpus.pipelines import NAMES, load
from corpus.pipelines.program import Compiled, estimate

I7_6700 = Machine(
    "i7-6700", 4, 2, 256, (Cache(32 << 10), Cache(256 << 10), Cache(8 << 20, shared_by=8)), 3e10
)
"""Thesis table 5.2."""

WIDTH, HEIGHT, ACROSS, DOWN, BYTES = 1024, 1024, 256, 32, 2
"""Bx, By, Tx, Ty and the size of a value (thesis section 5.3)."""

XI, YI, XO, YO = range(4)
"""The loops of the blur, as places in its nest: (xi, yi, xo, yo)."""


def graph_of(*outputs):
    return estimated_graph([f.function for f in outputs])


def blur(width=WIDTH, height=HEIGHT):
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(16), 2, "image")
    blur_x, blur_y = hl.funcs("blur_x blur_y")
    blur_x[x, y] = (image[x - 1, y] + image[x, y] + image[x + 1, y]) / 3
    blur_y[x, y] = (blur_x[x, y - 1] + blur_x[x, y] + blur_x[x, y + 1]) / 3
    blur_y.set_estimates([(0, width), (0, height)])
    return image, blur_x, blur_y


def costs(compute, store, intra=("y", "x")):
    """What blur_x costs in the thesis' tiles, computed and stored at these places."""
    _, blur_x, blur_y = blur()
    graph = graph_of(blur_y)
    analysis = TilingAnalysis(graph, tuple(graph.stages), Sioutas2019Parameters().limits(I7_6700))
    group = Group(blur_y.name(), {"x": ACROSS, "y": DOWN}, ("y", "x"), intra)
    nest = TiledNest(graph.stages[blur_y.name()], group, 1, ())
    return analysis.evaluate(nest, {blur_x.name(): Fused(compute, store)}).stages[blur_x.name()]


TILES = (WIDTH // ACROSS) * (HEIGHT // DOWN)


def test_overlapping_tiles_cost_what_the_thesis_says():
    found = costs(XO, XO)
    assert found.buffer == ACROSS * (DOWN + 2) * BYTES  # equation 5.1
    assert found.computed == ACROSS * (DOWN + 2) * TILES  # 5.3
    assert found.root == WIDTH * (HEIGHT + 2)  # 5.4
    assert found.loads == (DOWN + 2) * TILES  # 5.6
    assert not found.is_folded


def test_a_window_inside_of_tiles_computes_the_same_in_three_rows():
    found, overlapping = costs(YI, XO), costs(XO, XO)
    assert found.buffer == 3 * ACROSS * BYTES  # equation 5.9
    assert found.allocated == 4 * ACROSS * BYTES  # rings have a power of two of rows
    assert found.is_folded
    assert (found.computed, found.loads) == (overlapping.computed, overlapping.loads)


def test_a_window_down_columns_folds_further_and_begins_many_more_rows():
    found = costs(0, 1, intra=("x", "y"))  # xi outside of yi: computed at yi, stored at xi
    assert found.buffer == 3 * BYTES  # equation 5.12
    assert found.loads == 3 * (DOWN + 2) * WIDTH * HEIGHT // DOWN  # 5.13
    assert found.computed == costs(YI, XO).computed


def test_of_the_ten_schedules_of_figure_5_6_one_is_left():
    _, blur_x, blur_y = blur()
    graph = graph_of(blur_y)
    group = Group(blur_y.name(), {"x": ACROSS, "y": DOWN}, ("y", "x"), ("y", "x"))
    nest = TiledNest(graph.stages[blur_y.name()], group, 8, ())
    assert [level.loop for level in nest.levels] == ["xi", "yi", "xo", "yo"]
    assert len(list(nest.pairs())) == 10
    fused = FusionSpace(graph, tuple(graph.stages)).fuse(nest)
    assert fused == {blur_x.name(): Fused(YI, XO)}


def test_what_is_pruned_computes_more_in_the_same_buffer_or_the_same_in_a_larger_one():
    chosen, row, tile = costs(YI, XO), costs(YI, YI), costs(XO, XO)
    assert row.buffer == chosen.buffer and row.computed > chosen.computed
    assert tile.computed == chosen.computed and tile.buffer > chosen.buffer


def test_overlap_along_the_innermost_loop_moves_one_loop_out():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(16), 2, "image")
    first, second = hl.funcs("first second")
    first[x, y] = image[x, y - 1] * 3 + image[x, y] * 5 + image[x, y + 1] * 7
    second[x, y] = first[x - 1, y] + first[x, y] + first[x + 1, y]
    second.set_estimates([(0, WIDTH), (0, HEIGHT)])
    graph = graph_of(second)
    group = Group(second.name(), {"x": ACROSS, "y": DOWN}, ("y", "x"), ("y", "x"))
    nest = TiledNest(graph.stages[second.name()], group, 8, ())
    assert FusionSpace(graph, tuple(graph.stages)).fuse(nest) == {first.name(): Fused(YI, YI)}


def test_stages_of_which_nothing_is_used_twice_are_inlined_and_others_stay():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    point, wide, output = hl.funcs("point wide output")
    point[x, y] = hl.sqrt(image[x, y]) * 3 + 1
    wide[x, y] = hl.sqrt(point[x, y]) + image[x + 1, y]
    output[x, y] = wide[x, y - 1] + wide[x, y + 1]
    output.set_estimates([(0, 640), (0, 480)])
    assert set(inlined_where_free(graph_of(output)).stages) == {wide.name(), output.name()}


def turned(reads):
    """An image turned over, then read so many times along its rows."""
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    over, output = hl.Func("over"), hl.Func("output")
    over[x, y] = image[y, x]
    output[x, y] = sum((over[x + 5 * k, y] for k in range(1, reads)), over[x, y])
    output.set_estimates([(0, 2000), (0, 1000)])
    return graph_of(output), over.name()


def test_a_transposition_is_stored_where_its_values_are_read_several_times_only():
    once, name = turned(1)
    assert name not in inlined_where_free(once).stages
    often, name = turned(4)
    assert name in inlined_where_free(often).stages


@pytest.mark.parametrize("rows, streams", [(1000, False), (4000, True)])
def test_outputs_that_the_last_level_holds_are_not_written_past_it(rows, streams):
    _, _, blur_y = blur(4096, rows)
    (group,) = sioutas2019(graph_of(blur_y), replace(I7_6700, cores=1)).groups
    assert group.stream is streams


def test_scans_by_themselves_keep_vectors_side_by_side():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    down = hl.RDom([(1, 999)], "down")
    sums = hl.Func("sums")
    sums[x, y] = image[x, y]
    sums[x, down.x] = sums[x, down.x] + sums[x, down.x - 1]
    sums.set_estimates([(0, 2000), (0, 1000)])
    group = Group(sums.name(), {}, (), ("x",))
    directives = Grouping("test", graph_of(sums), (group,)).schedule(I7_6700).directives
    (order,) = [d.args for d in directives if d.name == "reorder" and d.update == 0]
    assert [loop.name for loop in order] == ["x", down.x.name()]


def strips(height):
    """Cycles for pages while a buffer whose rows are `height` values long is turned over."""
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    rows, output = hl.Func("rows"), hl.Func("output")
    rows[x, y] = image[x, y] * image[x + 1, y]
    output[x, y] = rows[y, x]
    output.set_estimates([(0, 1536), (0, 2560)])
    graph = graph_of(output)
    analysis = TilingAnalysis(graph, tuple(graph.stages), Sioutas2019Parameters().limits(I7_6700))
    group = Group(output.name(), {"y": height}, ("y",), ("y", "x"))
    nest = TiledNest(graph.stages[output.name()], group, 8, ())
    fused = {rows.name(): Fused(nest.innermost_outer, nest.innermost_outer)}
    tiling = analysis.evaluate(nest, fused)
    boxes = {nest.innermost_outer: graph.regions(output.name(), nest.box(nest.innermost_outer))}
    return analysis.page_cycles(fused, tiling.stages, boxes)


def test_columns_of_a_buffer_cost_more_than_its_bytes_where_they_lie_in_many_pages():
    assert strips(32) == 0 < strips(64)


def test_tiles_are_whole_vectors_longer_than_the_overlap_and_enough_for_all_threads():
    _, _, blur_y = blur(1000, 700)
    graph = graph_of(blur_y)
    nests = Nests(FusionSpace(graph, tuple(graph.stages)), 16, I7_6700)
    assert all(width % 32 == 0 or width == 1000 for width in nests.widths)  # a line, two vectors
    assert min(nests.heights) >= 2  # equation 5.15
    few = nests.nest(nests.orders[0], 1000, 350)
    assert few is None  # equation 5.14: two tiles for eight threads
    assert nests.nest(nests.orders[0], 1000, 32) is not None


def lowered(tmp_path, outputs, inputs):
    path = tmp_path / "lowered.stmt"
    hl.Pipeline(outputs).compile_to_lowered_stmt(str(path), inputs)
    return path.read_text()


@pytest.mark.parametrize("slides", [True, False])
def test_the_compiler_slides_the_window_over_a_ring_of_rows(tmp_path, slides):
    image, blur_x, blur_y = blur()
    order = realization_order([blur_y.function])
    grouping = sioutas2019(graph_of(blur_y), I7_6700)
    (group,) = grouping.groups
    placement = group.members[blur_x.name()]
    assert (placement.compute, placement.store) == ("yi", "yo")
    grouping.schedule(I7_6700).apply(order)
    if not slides:
        blur_x.store_at(blur_y, hl.Var("yi"))
    text = lowered(tmp_path, [blur_y], [image])
    name = re.escape(blur_x.name())
    (rows,) = set(re.findall(rf"for {name}\.s0\.y in \[(.*)\):", text))
    # Three rows at first, then one at a time; each goes where row - 4 was.
    assert ("<= 0, 3, 1)" in rows) == slides
    assert bool(re.search(rf"{name}\[.*{name}\.s0\.y % 4", text)) == slides


def chain(stages):
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    made = [image]
    for k in range(stages):
        before, stage = made[-1], hl.Func(f"stage_{k}")
        stage[x, y] = hl.sqrt(before[x, y - 1] + before[x, y] * 2 + before[x, y + 1]) + 1
        made.append(stage)
    made[-1].set_estimates([(0, 4096), (0, 4096)])
    return made[1:]


def test_a_pipeline_whose_rings_do_not_fit_is_cut_into_segments():
    whole = sioutas2019(graph_of(chain(8)[-1]), I7_6700)
    least = 4 << 10
    parts = sioutas2019(graph_of(chain(8)[-1]), I7_6700, Sioutas2019Parameters(last_level=least))
    assert len(whole.groups) < len(parts.groups) < 8
    for group in parts.groups:  # rings of four rows, of floats
        assert len(group.members) * 4 * group.tiles.get("x", 4096) * 4 <= least


def test_what_data_reaches_into_is_stored_whole():
    x, y, i = hl.vars("x y i")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    table, output = hl.funcs("table output")
    table[i] = hl.u8(hl.exp(hl.f32(i) / 256) * hl.sin(hl.f32(i)) * 16)
    output[x, y] = table[hl.i32(image[x, y])]
    output.set_estimates([(0, 640), (0, 480)])
    grouping = sioutas2019(graph_of(output), I7_6700)
    assert [g.output for g in grouping.groups] == [table.name(), output.name()]


def test_what_its_user_scheduled_stays_as_it_is():
    _, blur_x, blur_y = blur()
    blur_x.compute_root().parallel(hl.Var("y"))
    grouping = sioutas2019(graph_of(blur_y), I7_6700)
    assert all(blur_x.name() not in g.members for g in grouping.groups)
    directives = grouping.schedule(I7_6700).directives
    assert {d.stage for d in directives} == {blur_y.name()}


def test_missing_estimates_are_named():
    x, y = hl.vars("x y")
    output = hl.Func("output")
    output[x, y] = x + y
    with pytest.raises(hl.HalideError, match=r"set_estimate\(x, min, extent\)"):
        graph_of(output)


def scheduled(program, values, size) -> tuple[Grouping, Compiled]:
    algorithm = program.build(hl)
    estimate(algorithm, values, size)
    outputs = [f.function for f in algorithm.outputs]
    grouping = sioutas2019(estimated_graph(outputs), I7_6700)
    grouping.schedule(I7_6700).apply(realization_order(outputs))
    return grouping, Compiled(hl, algorithm)


def check(program, compiled, size):
    values = program.inputs(size, 0)
    for got, wanted in zip(compiled(values, size), program.reference(values), strict=True):
        np.testing.assert_allclose(got, wanted, rtol=0, atol=program.tolerance)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("name", ["blur", "harris", "hist", "iir_blur"])
def test_results_are_right_also_far_from_the_estimates(name):
    program = load(name)
    large = tuple(n if n <= 4 else 4 * n for n in program.test_size)
    _, compiled = scheduled(program, program.inputs(large, 0), large)
    for size in (program.test_size, _sized(program, 7)):
        check(program, compiled, size)


def _sized(program, n):
    return tuple(extent if extent <= 4 else n for extent in program.test_size)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_all_programs_are_right(name):
    program = load(name)
    size = program.test_size
    _, compiled = scheduled(program, program.inputs(size, 0), size)
    check(program, compiled, size)
