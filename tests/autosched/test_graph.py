"""What schedulers know of a pipeline: boxes, costs, what can be cut into tiles."""

from __future__ import annotations

import random

import pytest

import compiler as hl
from compiler import ir
from compiler.autosched import estimated_graph
from compiler.autosched.reach import FAR, ReachFacts, compiled, hull, is_far, meet, volume

X, Y = ir.Variable("x", ir.I32), ir.Variable("y", ir.I32)


def number(value):
    return ir.Const(ir.I32, value)


def at_random(r, depth):
    """An expression over x and y."""
    if depth == 0:
        return r.choice([X, Y, number(r.randint(-9, 9))])
    a, b = at_random(r, depth - 1), at_random(r, depth - 1)
    factor = number(r.choice([1, 2, 3, 5]))
    match r.randrange(9):
        case 0:
            return ir.Add(a, b)
        case 1:
            return ir.Sub(a, b)
        case 2:
            return ir.Mul(a, r.choice([factor, number(-2), b]))
        case 3:
            return ir.Div(a, factor)
        case 4:
            return ir.Mod(a, factor)
        case 5:
            return ir.Min(a, b)
        case 6:
            return ir.Max(a, b)
        case 7:
            return ir.Shr(a, number(r.randint(0, 3)))
        case _:
            return ir.Select(ir.LT(a, b), a, b)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("seed", range(150))
def test_no_value_lies_outside_of_the_range(seed):
    r = random.Random(seed)
    expr = at_random(r, r.randint(1, 4))
    ranges = [(low, low + r.randint(0, 6)) for low in (r.randint(-8, 8), r.randint(-8, 8))]
    ((least, most),) = compiled([expr], ["x", "y"], ReachFacts())(ranges)
    for x in range(ranges[0][0], ranges[0][1] + 1):
        for y in range(ranges[1][0], ranges[1][1] + 1):
            assert least <= ir.evaluate(expr, {"x": x, "y": y}) <= most


def test_a_single_point_has_a_single_value():
    expr = ir.Add(ir.Mul(X, number(3)), ir.Mod(Y, number(4)))
    shifted = ir.Shr(ir.Mul(X, number(3)), number(1))
    assert compiled([expr, shifted], ["x", "y"], ReachFacts())([(5, 5), (7, 7)]) == (
        (18, 18),
        (7, 7),
    )


def test_what_nobody_knows_is_far_away_and_stays_there():
    unknown = ir.Variable("n", ir.I32)
    exprs = [unknown, ir.Div(unknown, number(1000)), ir.Add(unknown, X)]
    assert all(map(is_far, compiled(exprs, ["x"], ReachFacts())([(0, 3)])))
    assert not is_far((0, 1 << 40)) and is_far((0, FAR))


def test_boxes_are_joined_cut_and_counted():
    a, b = ((0, 9), (0, 4)), ((5, 12), (2, 3))
    assert hull(a, b) == ((0, 12), (0, 4)) and meet(a, b) == ((5, 9), (2, 3))
    assert volume(a) == 50 and volume(((3, 2), (0, 5))) == 0


class Pyramid:
    """An image, halved, and a blur of that; read at twice its size."""

    def __init__(self):
        x, y = hl.vars("x y")
        self.image = hl.ImageParam(hl.UInt(8), 2, "image")
        self.half, self.blur, self.full = hl.funcs("half blur full")
        self.half[x, y] = hl.u16(self.image[2 * x, 2 * y]) + self.image[2 * x + 1, 2 * y + 1]
        self.blur[x, y] = self.half[x - 1, y] + self.half[x + 1, y]
        self.full[x, y] = self.blur[x / 2, y / 2] + 1
        self.full.set_estimates([(0, 100), (0, 60)])
        self.graph = estimated_graph([self.full.function])
        self.names = [f.name() for f in (self.half, self.blur, self.full)]


def test_estimates_of_the_output_give_every_box():
    p = Pyramid()
    half, blur, full = (p.graph.bounds(n) for n in p.names)
    assert full == ((0, 99), (0, 59)) and blur == ((0, 49), (0, 29))
    assert half == ((-1, 50), (0, 29))
    assert p.graph.bounds("image") == ((-2, 101), (0, 59))


def test_a_tile_needs_what_its_own_points_read():
    p = Pyramid()
    half, blur, full = p.names
    regions = p.graph.regions(full, ((10, 19), (4, 7)))
    assert regions[blur] == ((5, 9), (2, 3)) and regions[half] == ((4, 10), (2, 3))
    assert regions["image"] == ((8, 21), (4, 7))
    assert half not in p.graph.regions(full, ((10, 19), (4, 7)), [])


def test_an_inlined_stage_is_part_of_what_read_it():
    p = Pyramid()
    half, blur, full = p.names
    graph = p.graph.inlined(half)
    assert list(graph.stages) == [blur, full] and list(p.graph.stages) == p.names
    assert graph.required(blur, ((0, 0), (0, 0)))["image"] == ((-2, 3), (0, 1))
    assert graph.stages[blur].cost > p.graph.stages[blur].cost


def test_reductions_multiply_the_work():
    x, r = hl.Var("x"), hl.RDom([(0, 10)], "r")
    image = hl.ImageParam(hl.UInt(8), 1, "image")
    total = hl.Func("total")
    total[x] = hl.u32(0)
    total[x] += hl.u32(image[x + r.x])
    total.set_estimates([(0, 100)])
    stage = estimated_graph([total.function]).stages[total.name()]
    assert stage.work(((0, 99),)) == 10 * stage.work(((0, 9),)) >= 1000
    assert not stage.is_pure and not stage.entangled


def test_scans_and_histograms_cannot_be_cut_where_they_go_along():
    x, y = hl.vars("x y")
    r = hl.RDom([(1, 20)], "r")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    scan, counts = hl.funcs("scan counts")
    scan[x, y] = hl.u32(image[x, y])
    scan[x, r.x] += scan[x, r.x - 1]
    counts[x, y] = hl.u32(0)
    counts[image[r.x, y], y] += hl.u32(1)
    scan.set_estimates([(0, 50), (0, 21)])
    counts.set_estimates([(0, 256), (0, 10)])
    assert estimated_graph([scan.function]).stages[scan.name()].entangled == {"y"}
    assert estimated_graph([counts.function]).stages[counts.name()].entangled == {"x"}


def test_only_products_share_what_they_read_along_two_coordinates():
    x, y, k = *hl.vars("x y"), hl.RDom([(0, 30)], "k")
    a, b = (hl.ImageParam(hl.Float(32), 2, n) for n in "ab")
    product, blur = hl.funcs("product blur")
    product[x, y] = 0.0
    product[x, y] += a[k.x, y] * b[x, k.x]
    blur[x, y] = 0.0
    blur[x, y] += a[x + k.x, y]
    for func in (product, blur):
        func.set_estimates([(0, 64), (0, 64)])
    assert estimated_graph([product.function]).stages[product.name()].shared_along == "y"
    assert estimated_graph([blur.function]).stages[blur.name()].shared_along is None


def test_data_that_was_clamped_reaches_no_further_than_the_clamp():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    table, level, out = hl.funcs("table level out")
    table[x] = x * x
    level[x, y] = hl.clamp(image[x, y], 0.0, 1.0)
    out[x, y] = table[hl.i32(level[x, y] * 10.0)]
    out.set_estimates([(0, 64), (0, 64)])
    graph = estimated_graph([out.function])
    assert graph.bounds(table.name()) == ((0, 10),)


def test_lowering_reads_no_more_than_the_graph_says():
    p = Pyramid()
    for func in (p.half, p.blur):
        func.compute_root()
    (left, right), (top, bottom) = p.graph.bounds("image")
    for spare, is_enough in ((0, True), (1, False)):
        image = hl.Buffer(hl.UInt(8), [right - left + 1 - spare, bottom - top + 1])
        image.set_min([left, top])
        p.image.set(image)
        if is_enough:
            p.full.realize([100, 60])
        else:
            with pytest.raises(hl.HalideError):
                p.full.realize([100, 60])
