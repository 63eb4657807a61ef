"""Pictures of schedules and of candidates: complete, well-formed, readable."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from xml.etree import ElementTree

import pytest

import compiler as hl
from compiler.autosched import Machine, available
from compiler.visualize import candidates_plot, schedule_picture
from compiler.visualize.layers import Size, laid_out, layers_of
from compiler.visualize.plot import rank_agreement

SVG = "{http://www.w3.org/2000/svg}"


def words(picture):
    """The lines of text in a picture, which must be XML without references to anything outside."""
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    assert "href" not in picture and "url(" not in picture and "<script" not in picture
    return [node.text for node in root.iter(f"{SVG}text")]


def boxes(picture):
    """(x, y, width, height) of the groups' boxes."""
    found = re.findall(r'<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)" rx="10"', picture)
    return [tuple(map(float, box)) for box in found]


def sharpened(name="sharp"):
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    rows, columns, sharp = hl.Func("rows"), hl.Func("columns"), hl.Func(name)
    rows[x, y] = hl.u16(image[x, y]) + image[x + 1, y] + image[x + 2, y]
    columns[x, y] = rows[x, y] + rows[x, y + 1] + rows[x, y + 2]
    sharp[x, y] = hl.u16(image[x, y]) * 18 - columns[x, y]
    sharp.set_estimates([(0, 1000), (0, 800)])
    return sharp, rows


def decided(sharp, method="Mullapudi2016", **settings):
    settings = {"budget": "0", **settings} if method == "Measured" else settings
    pipeline = hl.Pipeline(sharp)
    params = hl.AutoschedulerParams(method, settings)
    return pipeline.apply_autoscheduler(hl.Target("host"), params).decision


@pytest.mark.parametrize("method", available())
def test_a_picture_tells_of_groups_tiles_places_and_costs(method):
    sharp, rows = sharpened()
    rows.compute_root()
    decision = decided(sharp, method)
    lines = words(schedule_picture(decision.grouping, decision.machine))
    assert lines[0] == f"{sharp.name()}: the schedule of {decision.grouping.method}"
    assert "image  1002 × 802  uint8" in lines
    assert "by hand" in lines and rows.name() in lines
    assert any(line.startswith(("tiles ", "one tile")) for line in lines)
    assert any(line.startswith("a tile touches ") for line in lines)
    assert any(line.startswith("fits L") or line == "no cache holds it" for line in lines)
    has_costs = bool(decision.grouping.costs)
    assert any(line.startswith("expects ") for line in lines) is has_costs


def test_stages_that_are_computed_where_they_are_read_are_named():
    x = hl.Var("x")
    image, twice, out = hl.ImageParam(hl.UInt(8), 1, "image"), hl.Func("twice"), hl.Func("out")
    twice[x] = image[x] * hl.u8(2)
    out[x] = twice[x] + hl.u8(1)
    out.set_estimates([(0, 1000)])
    decision = decided(out)
    lines = words(schedule_picture(decision.grouping, decision.machine))
    assert f"computed where they are read: {twice.name()}" in lines


def test_where_a_member_is_computed_and_kept_is_said():
    sharp, _ = sharpened()
    decision = decided(sharp)
    group = next(g for g in decision.grouping.groups if g.members)
    lines = words(schedule_picture(decision.grouping, decision.machine))
    for placement in group.members.values():
        assert any(line.startswith(f"in {placement.compute}") for line in lines)


def test_the_cache_that_holds_a_tile_depends_on_the_machine():
    sharp, _ = sharpened()
    decision = decided(sharp)
    small = Machine.read(
        "cortex-a76,l1.size=1K,l1.ways=1,l2.size=1K,l2.ways=1,l3.size=1K,l3.ways=1"
    )
    assert "no cache holds it" in words(schedule_picture(decision.grouping, small))
    assert "no cache holds it" not in words(schedule_picture(decision.grouping, decision.machine))


def test_a_schedule_without_groups_is_refused_in_words():
    with pytest.raises(hl.HalideError, match=r'no groups to draw.*\{"keep": "0"\}'):
        schedule_picture(None, Machine.named("cortex-a76"))


def test_names_are_escaped():
    sharp, _ = sharpened()
    decision = decided(sharp)
    machine = Machine.read("cortex-a76,name=<b>&\"'")
    assert any("<b>&\"'" in line for line in words(schedule_picture(decision.grouping, machine)))


def test_boxes_of_groups_do_not_overlap():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    stages = []
    for number in range(6):
        stage = hl.Func(f"stage{number}")
        source = image if number < 3 else stages[number - 3]
        stage[x, y] = (
            hl.sqrt(source[x, y]) + source[x, y + 40] + (stages[-1][x, y] if stages else 0)
        )
        stage.compute_root()
        stages.append(stage)
    out = hl.Func("out")
    out[x, y] = sum((stage[x, y] for stage in stages), hl.f32(0))
    out.set_estimates([(0, 500), (0, 400)])
    decision = decided(out)
    found = boxes(schedule_picture(decision.grouping, decision.machine))
    assert len(found) == 7
    for i, (x1, y1, w1, h1) in enumerate(found):
        for x2, y2, w2, h2 in found[:i]:
            assert x1 + w1 <= x2 or x2 + w2 <= x1 or y1 + h1 <= y2 or y2 + h2 <= y1


def test_a_box_stands_below_all_that_it_reads():
    above = {"a": [], "b": ["a"], "c": ["a", "b"], "late": [], "d": ["c", "late"]}
    assert layers_of(list(above), above) == [["a"], ["b"], ["c", "late"], ["d"]]
    assert layers_of(list(above), above, ["late"])[0] == ["late"]
    layout = laid_out(dict.fromkeys(above, Size(30, 10)), above)
    assert all(layout.places[u][1] < layout.places[n][1] for n, us in above.items() for u in us)
    assert set(layout.ways) == {("a", "c")}


def test_nothing_takes_no_room():
    assert laid_out({}, {}).size == Size(0, 0)


@dataclass
class Timed:
    predicted: float
    measured: float
    method: str = "search"


def test_a_plot_shows_what_was_timed_and_says_how_well_the_model_ranks():
    points = [Timed(1e-3 * n, 2e-3 * n) for n in (1, 2, 3, 4)]
    points += [Timed(5e-3, 1.5e-3, "Mullapudi2016"), Timed(1e-3, math.inf)]
    picture = candidates_plot(points, "blur <1>")
    lines = words(picture)
    assert lines[0] == "blur <1>"
    assert lines[1].startswith("5 timed · 1 not run · ranks agree to 0.")
    assert lines[1].endswith("fastest 1.5 ms by Mullapudi2016")
    assert "search (4)" in lines and "Mullapudi2016 (1)" in lines
    hints = [t.text for t in ElementTree.fromstring(picture).iter(f"{SVG}title")]
    assert "Mullapudi2016: predicted 5 ms, measured 1.5 ms" in hints


@pytest.mark.parametrize("points", [[], [Timed(1, math.inf)], [Timed(1e-3, 1e-3)],
                                    [Timed(1e-3, 1e-3), Timed(1e-3, 1e-3)]])  # fmt: skip
def test_a_plot_of_next_to_nothing_is_still_one(points):
    lines = words(candidates_plot(points))
    assert lines[1].startswith(f"{sum(math.isfinite(p.measured) for p in points)} timed")


def test_ranks_agree_by_spearmans_coefficient():
    assert rank_agreement([(1, 10), (2, 30), (3, 90)]) == pytest.approx(1)
    assert rank_agreement([(1, 90), (2, 30), (3, 10)]) == pytest.approx(-1)
    # Of places (0, 1, 2, 3) and (1, 0, 3, 2): 1 - 6 * 4 / (4 * 15).
    assert rank_agreement([(1, 2), (2, 1), (3, 4), (4, 3)]) == pytest.approx(0.6)
    assert rank_agreement([(1, 1), (2, 2)]) is None
    assert rank_agreement([(1, 1), (2, 1), (3, 1)]) is None
