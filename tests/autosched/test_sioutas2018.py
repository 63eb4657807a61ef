"""Sioutas2018 decides as chapter 4 of the thesis says, with its numbers, and is right with any."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.autosched import Cache, Machine, PipelineGraph, estimated_graph
from compiler.autosched.accumulators import accumulators
from compiler.autosched.cache_emulation import most_rows
from compiler.autosched.classification import LoopNest, Reuse
from compiler.autosched.groups import Grouping
from compiler.autosched.sioutas2018 import Sioutas2018Parameters, reduced_tuning, sioutas2018
from compiler.autosched.spatial_reuse import l1_working_set as spatial_l1_working_set
from compiler.autosched.spatial_reuse import l2_working_set as spatial_l2_working_set
from compiler.autosched.spatial_reuse import partial_cost, spatial_tiling
from compiler.autosched.temporal_reuse import (
    l1_misses,
    l1_working_set,
    l2_misses,
    l2_working_set,
    order_cost,
    temporal_tiling,
    total_cost,
)
from compiler.lower.environment import realization_order
from corpus import pipelines
from corpus.pipelines import linear
from corpus.pipelines.program import Algorithm, Compiled, Program, estimate

HASWELL = Machine.named("core-i7-5930k")
XEON = Machine("Xeon", 2, 1, 512, (Cache(48 << 10, ways=12), Cache(2 << 20, ways=16)), 2e10)
NEON = Machine("A76", 4, 1, 128, (Cache(64 << 10, ways=4), Cache(512 << 10)), 1e10)
SMALLEST = Machine("small", 1, 1, 128, (Cache(32, ways=1),), 1e9)
N = 2048
SLOW = {  # to compile, for seconds each
    "bilateral_grid",
    "blur",
    "camera_pipe",
    "conv_layer",
    "doitgen",
    "gemm",
    "interpolate",
    "lens_blur",
    "local_laplacian",
    "harris",
    "hist",
    "mat_mul",
    "matmul",
    "max_filter",
    "nl_means",
    "stencil_chain",
    "syr2k",
    "syrk",
    "three_mm",
    "trmm",
    "unsharp",
}
PROGRAMS = [
    pytest.param(name, marks=pytest.mark.slow if name in SLOW else ())
    for name in (*linear.NAMES, *pipelines.NAMES)
]


def program_of(name: str) -> Program:
    return linear.load(name) if name in linear.NAMES else pipelines.load(name)


def outputs_of(algorithm: Algorithm) -> list[Any]:
    return [f.function for f in algorithm.outputs]


@cache
def graph_of(name: str) -> PipelineGraph:
    """Of a program at its test size."""
    program = program_of(name)
    algorithm = program.build(hl)
    estimate(algorithm, program.inputs(program.test_size, 0), program.test_size)
    return estimated_graph(outputs_of(algorithm))


def reuse_of(name: str) -> set[Reuse]:
    """What the heaviest definitions of a kernel reuse."""
    graph = graph_of(name)
    nests = [LoopNest.of(graph, s, s.parts[-1]) for s in graph.stages.values()]
    return {nest.reuse for nest in nests if nest is not None}


def matmul(size: int = N) -> LoopNest:
    j, i = hl.vars("j i")
    a, b = hl.ImageParam(hl.Float(32), 2, "a"), hl.ImageParam(hl.Float(32), 2, "b")
    k = hl.RDom([(0, size)], "k")
    c = hl.Func("c")
    c[j, i] = 0.0
    c[j, i] += a[k.x, i] * b[j, k.x]
    c.set_estimates([(0, size), (0, size)])
    return nest_of(c)


def nest_of(func: hl.Func) -> LoopNest:
    graph = estimated_graph([func.function])
    stage = graph.outputs[0]
    nest = LoopNest.of(graph, stage, stage.parts[-1])
    assert nest is not None
    return nest


def turned_and_masked(size: int = 4096) -> LoopNest:
    """Listing 4.2."""
    x, y = hl.vars("x y")
    a, b = hl.ImageParam(hl.UInt(32), 2, "a"), hl.ImageParam(hl.UInt(32), 2, "b")
    out = hl.Func("out")
    out[x, y] = a[y, x] & b[x, y]
    out.set_estimates([(0, size), (0, size)])
    return nest_of(out)


def tiles_of(nest: LoopNest, j: int, i: int, k: int) -> dict[str, int]:
    return {"j": j, "i": i, nest.reductions[0]: k}


# Classification (figure 4.2).


@pytest.mark.parametrize(
    "name",
    ["convlayer", "doitgen", "matmul", "three_mm", "gemm", "trmm", "syrk", "syr2k"],
)
def test_sums_over_what_is_read_again_have_temporal_reuse(name: str) -> None:
    assert reuse_of(name) == {Reuse.TEMPORAL}


@pytest.mark.parametrize("name", ["tp", "tpm"])
def test_transposed_arrays_have_spatial_reuse(name: str) -> None:
    assert reuse_of(name) == {Reuse.SPATIAL}


@pytest.mark.parametrize("name", ["copy", "mask", "stencil_chain"])
def test_rows_that_are_read_as_they_lie_are_left_alone(name: str) -> None:
    assert reuse_of(name) == {Reuse.NONE}


def test_where_data_says_what_is_read_no_loop_is_seen() -> None:
    x, y = hl.vars("x y")
    table, image = hl.ImageParam(hl.UInt(8), 1, "table"), hl.ImageParam(hl.UInt(8), 2, "image")
    f = hl.Func("f")
    f[x, y] = table[image[x, y]]
    f.set_estimates([(0, 64), (0, 64)])
    assert nest_of(f).reuse is Reuse.NONE


# The cache emulation (algorithm 1).


def test_the_tile_of_listing_4_3_is_the_bound_of_the_emulation() -> None:
    """32 rows of 512 floats of a matrix with 2048 columns: each of the 8 places that they start at
    has 4 ways for each of two threads."""
    assert most_rows(HASWELL.caches[0], 512, N, 4, N) == 32


def test_rows_that_a_cache_really_has_sets_for_are_fewer() -> None:
    """8 KiB apart, all rows lie in the same sets: one a way."""
    assert most_rows(HASWELL.caches[0], 512, N, 4, N, as_printed=False) == 4
    assert most_rows(XEON.caches[0], 64, N, 4, N, as_printed=False) == 12


def test_rows_beside_each_other_fill_the_cache_before_they_collide() -> None:
    first = XEON.caches[0]
    apart = most_rows(first, 16, 16 * 17, 4, N, as_printed=False)
    assert apart > most_rows(first, 16, N, 4, N, as_printed=False)


@pytest.mark.parametrize("narrow", [16, 64, 256, 1024])
def test_wider_rows_are_no_more(narrow: int) -> None:
    for distance in (None, 20):
        cache = HASWELL.caches[1 if distance else 0]
        one, other = (most_rows(cache, w, N, 4, N, distance) for w in (narrow, 2 * narrow))
        assert other <= one


def test_the_bound_is_never_beyond_what_there_is() -> None:
    assert most_rows(HASWELL.caches[1], 16, N, 4, 7, 20) == 7


# The temporal model: the matmul of section 4.3, with tiles of 512 x 32 and 16 of k.


def test_working_sets_are_those_of_equations_4_1_and_4_6() -> None:
    nest = matmul()
    tiles = tiles_of(nest, 512, 32, 16)
    assert l1_working_set(nest, tiles, "i") == 512 + 16 + 512 * 16
    assert l2_working_set(nest, tiles) == 512 * 32 + 16 * 32 + 512 * 16


def test_misses_are_those_of_equations_4_5_and_4_10() -> None:
    nest = matmul()
    tiles = tiles_of(nest, 512, 32, 16)
    assert l1_misses(nest, tiles) == (32 + 32 + 16) * N**3 / (32 * 512 * 16)
    per_row = 32 * N / 512 + 32 + 16 * N / 512
    assert l2_misses(nest, tiles, "j") == per_row * (N / 32) * (N / 16)


def test_the_total_weighs_them_with_the_access_times_of_equation_4_11() -> None:
    nest = matmul()
    tiles = tiles_of(nest, 512, 32, 16)
    machine = replace(HASWELL, level_costs=(4, 12, 55, 210))
    wanted = 12 * l1_misses(nest, tiles) + 55 * l2_misses(nest, tiles, "j")
    assert total_cost(nest, tiles, "j", machine) == wanted


def test_the_order_of_listing_4_1_costs_what_equation_4_12_says() -> None:
    nest = matmul()
    tiles = tiles_of(nest, 512, 32, 16)
    k = nest.reductions[0]
    cost = order_cost(nest.sizes, tiles, ("i", k, "j"), ("i", k, "j"))
    assert cost == N * N / (512 * 16) + N * 32 / 512 + 32 * 16


def test_another_order_costs_something_else() -> None:
    nest = matmul()
    tiles = tiles_of(nest, 512, 32, 16)
    k = nest.reductions[0]
    orders = [("i", k, "j"), ("j", k, "i")]
    costs = [order_cost(nest.sizes, tiles, order, orders[0]) for order in orders]
    assert costs[0] < costs[1]


@pytest.mark.parametrize("machine", [HASWELL, XEON, NEON], ids=lambda m: m.name)
def test_tiles_fit_the_caches_and_occupy_the_threads(machine: Machine) -> None:
    nest = matmul()
    found = temporal_tiling(nest, machine)
    assert found is not None
    first, second = machine.caches[:2]
    u, p = found.intra[0], found.inter[0]
    assert 4 * l1_working_set(nest, found.tiles, u) <= first.size // first.shared_by
    assert 4 * l2_working_set(nest, found.tiles) <= second.size // second.shared_by // 2
    assert N / found.tiles[p] >= machine.threads  # equation 4.13


def test_no_column_is_outermost() -> None:
    found = temporal_tiling(matmul(), HASWELL)
    assert found is not None
    assert found.inter[0] == "i" and found.intra[0] != "j" and found.intra[-1] == "j"


def test_no_other_tiles_that_fit_cost_less() -> None:
    """Against the equations themselves, tile by tile, where interference is no matter."""
    nest = matmul(128)
    machine = replace(XEON, caches=(Cache(8 << 10, ways=512), Cache(64 << 10, ways=4096)))
    found = temporal_tiling(nest, machine)
    assert found is not None
    k = nest.reductions[0]
    costs = [
        total_cost(nest, tiles, w, machine)
        for j in (16, 32, 64, 128)
        for i in (1, 2, 4, 8, 16, 32, 64)
        for depth in (1, 2, 4, 8, 16, 32, 64, 128)
        for u in ("i", k)
        for w in ("j", k)
        if (tiles := tiles_of(nest, j, i, depth))
        and 4 * l1_working_set(nest, tiles, u) <= 8 << 10
        and 4 * l2_working_set(nest, tiles) <= 32 << 10
    ]
    assert found.cost <= min(costs)


def test_a_cache_too_small_for_anything_gets_the_smallest_tiles() -> None:
    found = temporal_tiling(matmul(64), SMALLEST)
    assert found is not None
    assert found.tiles["j"] == SMALLEST.lanes(32)


# The spatial model (listing 4.2).


def test_partial_costs_are_those_of_equations_4_14_to_4_16() -> None:
    nest = turned_and_masked()
    transposed, straight = nest.inputs
    assert nest.transposed == (transposed,)
    assert partial_cost(nest, transposed, 16, 512) == 4096 * 4096 / 512 * (16 / 16)
    assert partial_cost(nest, transposed, 64, 512) == 4096 * 4096 / 512 * (64 / 16)
    assert partial_cost(nest, straight, 64, 512) == 4096 * 4096 / 64


def test_spatial_working_sets_are_those_of_equations_4_18_and_4_19() -> None:
    assert spatial_l1_working_set(64, 16) == 16 * 64 + 64
    assert spatial_l2_working_set(turned_and_masked(), 64, 512) == 2 * 64 * 512


def test_a_transposed_array_alone_has_tiles_of_a_line_and_high_ones() -> None:
    x, y = hl.vars("x y")
    a, out = hl.ImageParam(hl.UInt(32), 2, "a"), hl.Func("out")
    out[x, y] = a[y, x]
    out.set_estimates([(0, 4096), (0, 4096)])
    found = spatial_tiling(nest_of(out), HASWELL)
    assert found is not None
    assert found.tiles["x"] == 16
    assert 16 < found.tiles["y"] <= 4096 / HASWELL.threads


def test_an_array_beside_it_wants_wider_tiles() -> None:
    found = spatial_tiling(turned_and_masked(), HASWELL)
    assert found is not None
    assert found.tiles["x"] > 16


# Blocks of registers.


def test_a_product_keeps_a_block_in_three_quarters_of_the_registers() -> None:
    assert accumulators(matmul(), XEON) == {"j": 64, "i": 6}
    assert accumulators(matmul(), HASWELL) == {"j": 24, "i": 4}


def test_what_is_gathered_is_shared_by_more_rows() -> None:
    j, i = hl.vars("j i")
    a = hl.ImageParam(hl.Float(32), 2, "a")
    k = hl.RDom([(0, N)], "k")
    c = hl.Func("c")
    c[j, i] = 0.0
    c[j, i] += a[k.x, i] * a[k.x, j]
    c.set_estimates([(0, N), (0, N)])
    block = accumulators(nest_of(c), XEON)
    assert block["i"] > accumulators(matmul(), XEON)["i"]


def test_without_a_reduction_there_is_no_block() -> None:
    assert not accumulators(turned_and_masked(), XEON)


# What comes out.


def decided(algorithm: Algorithm, machine: Machine = XEON, **given: Any) -> Grouping:
    graph = estimated_graph(outputs_of(algorithm))
    return sioutas2018(graph, machine, replace(Sioutas2018Parameters.of(machine), **given))


def run(
    name: str,
    size: tuple[int, ...],
    estimated: tuple[int, ...] | None = None,
    machine: Machine = XEON,
    **given: Any,
) -> float:
    """The largest difference from the reference under the method's schedule."""
    program = program_of(name)
    algorithm = program.build(hl)
    estimated = estimated or size
    estimate(algorithm, program.inputs(estimated, 0), estimated)
    schedule = decided(algorithm, machine, **given).schedule(machine)
    schedule.apply(realization_order(outputs_of(algorithm)))
    values = program.inputs(size, 3)
    found = Compiled(hl, algorithm)(values, size)
    return max(
        float(np.abs(one.astype(np.float64) - other).max())
        for one, other in zip(found, program.reference(values), strict=True)
    )


@pytest.mark.sampled(every=12)
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_program_computes_its_reference(name: str) -> None:
    program = program_of(name)
    assert run(name, program.test_size) <= program.tolerance


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("size", [(1, 1), (7, 3), (53, 1), (1, 53)])
@pytest.mark.parametrize("name", ["trmm", "tpm", "copy"])
def test_odd_sizes_are_right_too(name: str, size: tuple[int, ...]) -> None:
    assert run(name, size) == 0


@pytest.mark.parametrize("name", [pytest.param("trmm", marks=pytest.mark.slow), "tpm", "mask"])
def test_estimates_far_from_what_comes_are_only_slower(name: str) -> None:
    assert run(name, (67, 43), estimated=(500, 700), machine=NEON) == 0


@pytest.mark.parametrize("name", ["matmul", "doitgen"])
def test_sums_in_blocks_for_short_vectors_are_right(name: str) -> None:
    assert run(name, program_of(name).test_size, machine=NEON) == 0


def test_a_sum_in_memory_is_right_too() -> None:
    """As in the thesis, without blocks of registers."""
    assert run("matmul", (67, 43), uses_registers=False) == 0


def test_a_sum_keeps_the_order_in_which_it_is_written() -> None:
    """Only the outermost of the reduction's loops is cut; the others stay inside of it."""
    algorithm = linear.load("convlayer").build(hl)
    size = (256, 256, 64, 4)
    estimate(algorithm, {}, size)
    algorithm.inputs["input"].set_estimates([(0, 258), (0, 258), (0, 64), (0, 4)])
    algorithm.inputs["filter"].set_estimates([(0, 3), (0, 3), (0, 64), (0, 64)])
    algorithm.inputs["bias"].set_estimates([(0, 64)])
    for uses_registers in (True, False):
        (group,) = decided(algorithm, uses_registers=uses_registers).groups
        reductions = [v for v in group.intra if v.startswith("r$")]
        assert reductions == ["r$z", "r$y", "r$x"]
        assert not {"r$y", "r$x"} & set(group.inter)


def copied(width: int, height: int) -> Algorithm:
    algorithm = linear.load("copy").build(hl)
    algorithm.inputs["a"].set_estimates([(0, width), (0, height)])
    algorithm.outputs[0].set_estimates([(0, width), (0, height)])
    return algorithm


def test_large_outputs_that_nothing_reads_are_streamed() -> None:
    (group,) = decided(copied(4096, 4096)).groups
    assert group.stream


def test_small_ones_are_not_nor_where_one_asks_not_to() -> None:
    assert not decided(copied(64, 64)).groups[0].stream
    assert not decided(copied(4096, 4096), streams=False).groups[0].stream


def test_measuring_may_try_an_output_that_is_not_streamed() -> None:
    tried = [decided(copied(4096, 4096), **vars(p)).groups[0] for p in reduced_tuning(XEON)]
    assert {group.stream for group in tried} == {True, False}


def test_sums_are_not_streamed_for_they_are_read_again() -> None:
    algorithm = linear.load("matmul").build(hl)
    for matrix in (*algorithm.inputs.values(), *algorithm.outputs):
        matrix.set_estimates([(0, 4096), (0, 4096)])
    assert not decided(algorithm).groups[0].stream


def test_each_stage_is_a_group_of_its_own() -> None:
    groups = decided(three_products()).groups
    assert [len(g.members) for g in groups] == [0, 0, 0]


def three_products() -> Algorithm:
    algorithm = linear.load("three_mm").build(hl)
    for matrix in (*algorithm.inputs.values(), *algorithm.outputs):
        matrix.set_estimates([(0, 512), (0, 512)])
    return algorithm


def test_a_stage_that_its_user_scheduled_is_left_as_it_is() -> None:
    algorithm = three_products()
    algorithm.left.compute_root()
    grouping = decided(algorithm)
    assert algorithm.left.name() not in {g.output for g in grouping.groups}
    assert len(grouping.groups) == 2


def test_the_schedule_can_be_read_and_pasted() -> None:
    algorithm = three_products()
    order = realization_order(outputs_of(algorithm))
    text = decided(algorithm).schedule(XEON).source(order)
    pasted = three_products()
    pipeline = hl.Pipeline(list(pasted.outputs))
    exec(text, {"hl": hl, "pipeline": pipeline})
    assert "rvars(0)" in text and ".unroll(" in text and ".parallel(" in text
