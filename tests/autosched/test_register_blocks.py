"""What the model says of sums in blocks of registers: the sets of a cache that strided rows share,
rows that are waited for, values beyond the last block."""

from __future__ import annotations

import pytest

import compiler as hl
from compiler.autosched import estimated_graph
from compiler.autosched.cost_model import CostModel
from compiler.autosched.features import GroupNest
from compiler.autosched.levels import strided_bytes
from compiler.autosched.machine import Cache, Machine
from compiler.autosched.register_blocks import Blocks
from compiler.autosched.search import Search
from compiler.autosched.shapes import Shape

SECOND = Cache(2 << 20, ways=16)
MACHINE = Machine("test", 1, 1, 512, (Cache(48 << 10, ways=12), SECOND, Cache(32 << 20)), 2e10)


def test_rows_that_follow_each_other_take_their_own_bytes():
    assert strided_bytes(SECOND, 100, 256, 256) == 100 * 256


def test_rows_a_power_of_two_apart_take_all_between_them():
    # 16 ways of 128 KB: 16 starts in each, so 256 rows fill all places of their sets.
    assert strided_bytes(SECOND, 256, 256, 8192) == SECOND.size
    assert strided_bytes(SECOND, 257, 256, 8192) > SECOND.size


def test_rows_an_odd_number_of_lines_apart_share_no_sets_before_the_cache_is_full():
    assert strided_bytes(SECOND, 256, 256, 8192 + 64) == 256 * 256


def test_parts_of_lines_take_whole_ones():
    assert strided_bytes(SECOND, 10, 4, 8192 + 64) == 10 * 64


def product(size):
    """A product of square matrices, and its graph's stage."""
    x, y = hl.vars("x y")
    a, b = (hl.ImageParam(hl.Float(32), 2, name) for name in "ab")
    k = hl.RDom([(0, size)], "k")
    sums = hl.Func("sums")
    sums[x, y] = hl.f32(0)
    sums[x, y] += a[k.x, y] * b[x, k.x]
    sums.set_estimates([(0, size), (0, size)])
    graph = estimated_graph([sums.function])
    (stage,) = graph.stages.values()
    return graph, stage


def work(size, across, steps, block=(64, 6)):
    """Of blocks in tiles `across` columns wide, with so many steps of the sum at a time."""
    graph, stage = product(size)
    k = stage.parts[1].reduction[0]
    width, height = block
    tiles = (("x", across), ("y", height), (k, steps))
    shape = Shape(tiles, ("x", k, "y"), ("y", k, "x"), (("x", width), ("y", height)))
    nest = GroupNest(graph, shape.group(stage.name, {}), MACHINE)
    return Blocks(nest, stage, stage.parts[1]).work()


def test_every_tile_of_the_reduction_loads_and_stores_the_sums_again():
    long, short = work(2048, 64, 256), work(2048, 64, 64)
    assert short.iterations == 4 * long.iterations
    vectors = 2048**3 / 16
    # A block of 4 by 6 vectors: 4 loads of b and 6 of a for 24 products.
    assert long.loads == pytest.approx(vectors * (10 / 24 + 2 / 256), rel=0.01)
    assert short.loads == pytest.approx(vectors * (10 / 24 + 2 / 64), rel=0.01)


def test_wider_tiles_wait_for_fewer_rows():
    assert work(2048, 512, 128).waiting_cycles < work(2048, 64, 128).waiting_cycles / 3


def test_a_panel_whose_rows_share_sets_comes_from_beyond_for_each_block():
    apart, shared = work(2048 + 16, 512, 256), work(2048, 512, 256)
    assert shared.waiting_cycles > 4 * apart.waiting_cycles


def test_values_beyond_the_last_block_go_one_by_one():
    even, odd = work(1920, 48, 128, (48, 8)), work(1930, 48, 128, (48, 8))
    assert odd.operation_cycles > 1.2 * even.operation_cycles


def test_steps_go_at_the_full_rate_without_loads_for_each():
    found = work(2048, 512, 128)
    # A product and an addition for each step, two at a time.
    assert found.operation_cycles == pytest.approx(2048**3 / 16, rel=0.02)


def test_the_search_cuts_a_large_product_into_wide_tiles_of_few_steps():
    graph, _ = product(2048)
    state = Search(graph, MACHINE).states()[0]
    (group,) = Search(graph, MACHINE).grouping(state).groups
    (k,) = (v for v in group.tiles if v not in ("x", "y"))
    assert group.tiles["x"] >= 256 and group.tiles[k] < 256
    # What is waited for is a small part of it.
    features = CostModel(graph, MACHINE).cost(group).features
    assert features.cached_bytes < 0.2 * features.steady_cycles
