"""`Measured`: candidates under a cost model, the best of them timed, the winner kept on disk."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import compiler as hl
from compiler.autosched import estimated_graph
from compiler.autosched.cost_model import CostModel
from compiler.autosched.groups import Group, MemberPlace
from compiler.autosched.kept import Kept
from compiler.autosched.machine import Cache, Machine
from compiler.autosched.measured import MeasuredParameters, measured
from compiler.autosched.methods import decide, proposals
from compiler.autosched.search import Search
from compiler.lower.environment import realization_order
from corpus.pipelines import load
from corpus.pipelines.program import Compiled, estimate

CACHES = (Cache(48 << 10), Cache(2 << 20), Cache(32 << 20))
MACHINE = Machine("test", 2, 1, 256, CACHES, 4e10)
UNKEPT = MeasuredParameters(0, keep=False)


def program(name, size=None):
    """A program of the corpus with estimates, its outputs, and what it is called with."""
    found = load(name)
    size = found.test_size if size is None else size
    algorithm = found.build(hl)
    values = found.inputs(size, 0)
    estimate(algorithm, values, size)
    return found, algorithm, [f.function for f in algorithm.outputs], values, size


def blur(width=1000, height=800):
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(16), 2, "image")
    across, down = hl.Func("across"), hl.Func("down")
    across[x, y] = (image[x, y] + image[x + 1, y] + image[x + 2, y]) / 3
    down[x, y] = (across[x, y] + across[x, y + 1] + across[x, y + 2]) / 3
    down.set_estimates([(0, width), (0, height)])
    return image, down


# -- the model ---------------------------------------------------------------------------------


def seconds(graph, group):
    return CostModel(graph, MACHINE).cost(group).seconds


@pytest.fixture
def graph():
    """Of a blur so large that no cache holds it."""
    return estimated_graph([blur(8000, 6000)[1].function])


def fused(graph, rows, *placement):
    """The blur in strips of so many rows, its first stage at the given place in them."""
    across, down = graph.stages
    members = {across: MemberPlace(*placement)} if placement else {}
    return Group(down, {"y": rows}, ("y",), ("y", "x"), members)


def test_rows_that_slide_cost_less_than_rows_computed_again_for_each(graph):
    assert seconds(graph, fused(graph, 32, "yi", "yo")) < seconds(graph, fused(graph, 32, "yi"))


def test_taller_strips_compute_less_again(graph):
    assert seconds(graph, fused(graph, 64, "yo")) < seconds(graph, fused(graph, 2, "yo"))


def test_what_is_stored_whole_goes_through_memory(graph):
    apart = [Group(name, {"y": 32}, ("y",), ("y", "x")) for name in graph.stages]
    assert seconds(graph, fused(graph, 32, "yi", "yo")) < sum(seconds(graph, g) for g in apart)


def test_one_task_is_slower_than_many(graph):
    many, one = fused(graph, 32, "yi", "yo"), fused(graph, 6000, "yi", "yo")
    assert seconds(graph, many) < seconds(graph, one)


def test_streamed_outputs_move_fewer_bytes(graph):
    group = fused(graph, 32)
    assert seconds(graph, replace(group, stream=True)) < seconds(graph, group)


# -- the search --------------------------------------------------------------------------------


def test_the_search_lets_a_blurs_rows_slide_or_inlines_them():
    _, down = blur(8000, 6000)
    graph = estimated_graph([down.function])
    best = Search(graph, MACHINE).states()[0]
    (group,) = best.groups.values()
    assert not group.kinds or group.kinds[0][1] == "slide"


def test_the_search_puts_the_sums_of_a_product_into_registers():
    _, _, outputs, _, _ = program("mat_mul", (512, 512))
    states = Search(estimated_graph(outputs), MACHINE).states()
    assert any(group.shape.block for group in states[0].groups.values())


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("name", ["blur", "unsharp", "iir_blur", "hist", "mat_mul", "nl_means"])
def test_all_that_the_search_likes_best_is_right(name):
    found, algorithm, outputs, values, size = program(name)
    graph = estimated_graph(outputs)
    search = Search(graph, MACHINE, beam=3)
    expected = found.reference(values)
    order = realization_order(outputs)
    plain = [f.schedule for f in order]
    for state in search.states()[:3]:
        for function, schedule in zip(order, plain, strict=True):
            function.schedule = schedule
        search.grouping(state).schedule(MACHINE).apply(order)
        made = Compiled(hl, algorithm)(values, size)
        for ours, theirs in zip(made, expected, strict=True):
            apart = np.abs(ours.astype(np.float64) - theirs.astype(np.float64)).max()
            assert apart <= found.tolerance


def test_neighbours_differ_in_one_group():
    _, down = blur()
    search = Search(estimated_graph([down.function]), MACHINE)
    state = search.states()[0]
    for other in search.neighbours(state):
        changed = [o for o, g in other.groups.items() if state.groups[o] != g]
        assert len(changed) == 1


# -- measuring ---------------------------------------------------------------------------------


def test_without_a_budget_the_model_alone_decides():
    _, down = blur()
    outcome = measured([down.function], MACHINE, UNKEPT)
    assert outcome.winner is outcome.candidates[0]
    assert all(c.measured == math.inf for c in outcome.candidates)


def test_where_nothing_is_timed_methods_propose_what_they_usually_do():
    program = load("mat_mul")
    algorithm = program.build(hl)
    estimate(algorithm, program.inputs((300, 300)), (300, 300))
    outputs = [f.function for f in algorithm.outputs]
    usual = proposals(("Sioutas2018",), outputs, MACHINE, tuned=False)
    assert [g.method for g in usual] == ["Sioutas2018"]
    # Sums in memory, not in registers, are worth timing, too.
    assert len(proposals(("Sioutas2018",), outputs, MACHINE)) > 1


def test_a_window_that_moves_beyond_all_that_is_read_has_a_cost():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    padded = hl.BoundaryConditions.repeat_edge(image)
    down, up, largest = hl.funcs("down up largest")
    down[x, y] = hl.i16((hl.i32(padded[x, y - 1]) * 3 + hl.i32(padded[x, y]) * 3) >> 4)
    up[x, y] = hl.u16((hl.i32(down[x, y - 1]) + hl.i32(down[x, y]) + hl.i32(down[x, y + 1])) >> 2)
    r = hl.RDom([(-1, 4)], "r")
    largest[x, y] = hl.i8(hl.maximum(hl.i32(up[x + r.x, y])))
    largest.set_estimates([(100, 5), (0, 5)])
    image.set_estimates([(0, 64), (0, 48)])
    machine = Machine.named("neoverse-n1")
    decision = decide("Measured", [largest.function], machine, {"budget": "0"})
    assert all(0 < c.predicted < math.inf for c in decision.candidates)


def test_for_another_machine_nothing_is_timed():
    _, down = blur()
    parameters = MeasuredParameters(5, keep=False)
    outcome = measured([down.function], MACHINE, parameters, is_here=False)
    assert all(c.measured == math.inf for c in outcome.candidates)


def test_the_fastest_that_was_timed_wins():
    _, down = blur(300, 200)
    said = []
    parameters = MeasuredParameters(600, candidates=4, keep=False)
    outcome = measured([down.function], MACHINE, parameters, progress=said.append)
    assert len(said) == len(outcome.candidates) == 4
    assert outcome.winner.measured == min(c.measured for c in outcome.candidates)


def test_what_users_scheduled_stays_as_it_was():
    _, down = blur(100, 50)
    order = realization_order([down.function])
    before = [f.schedule.key() for f in order]
    measured([down.function], MACHINE, MeasuredParameters(600, candidates=1, keep=False))
    assert [f.schedule.key() for f in order] == before


def test_where_nothing_runs_the_model_decides_and_says_so():
    x = hl.Var("x")
    count, out = hl.Param(hl.Int(32), "count"), hl.Func("out")
    out[x] = hl.require(count > 0, x, "count is above 0")
    count.set_estimate(0)
    out.set_estimates([(0, 100)])
    with pytest.warns(UserWarning, match="model alone"):
        outcome = measured([out.function], MACHINE, MeasuredParameters(600, 3, keep=False))
    assert outcome.winner is outcome.candidates[0] and outcome.winner.measured == math.inf


@pytest.mark.parametrize("budget", [-1.0, math.nan])
def test_a_budget_below_zero_is_refused(budget):
    _, down = blur()
    with pytest.raises(hl.HalideError, match="time budget"):
        measured([down.function], MACHINE, MeasuredParameters(budget))


# -- what is kept ------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("LIFT_SCHEDULES", str(tmp_path / "kept"))
    return tmp_path / "kept"


def timed(down):
    return measured([down.function], MACHINE, MeasuredParameters(600, candidates=2))


def test_a_winner_is_timed_once_for_a_pipeline_whatever_its_stages_are_called(folder):
    first = timed(blur(120, 80)[1])
    again = timed(blur(120, 80)[1])
    assert again.winner.method == "kept" and len(again.candidates) == 1
    assert len(first.winner.schedule.directives) == len(again.winner.schedule.directives)
    assert [d.name for d in first.winner.schedule.directives] == [
        d.name for d in again.winner.schedule.directives
    ]


def test_other_methods_are_not_asked_where_the_winner_is_known(folder):
    asked = []

    def others(graph):
        asked.append(1)
        return []

    parameters = MeasuredParameters(600, candidates=1)
    for _ in range(2):
        _, down = blur(120, 80)
        measured([down.function], MACHINE, parameters, proposals=others)
    assert len(asked) == 1


@pytest.mark.slow
def test_other_sizes_are_timed_anew(folder):
    timed(blur(120, 80)[1])
    assert timed(blur(120, 90)[1]).winner.method != "kept"
    assert len(list(folder.iterdir())) == 2


@pytest.mark.slow
def test_a_kept_schedule_runs_and_is_right(folder):
    for _ in range(2):
        image, down = blur(64, 48)
        timed(down).winner.schedule.apply(realization_order([down.function]))
        values = np.arange(66 * 50, dtype=np.uint16).reshape(50, 66) * 7
        image.set(hl.Buffer(values))
        rows = (values[:, :-2] + values[:, 1:-1] + values[:, 2:]) // 3
        assert np.array_equal(
            np.asarray(down.realize([64, 48])), (rows[:-2] + rows[1:-1] + rows[2:]) // 3
        )


def test_loops_of_reductions_are_kept_by_their_places(folder):
    _, _, outputs, _, _ = program("mat_mul", (128, 128))
    graph = estimated_graph(outputs)
    schedule = Search(graph, MACHINE).states()[0]
    written = Search(graph, MACHINE).grouping(schedule).schedule(MACHINE)
    kept = Kept(outputs, graph, MACHINE, "")
    kept.keep(written, 1.0)
    assert kept.find() == (written, 1.0)
    _, _, others, _, _ = program("mat_mul", (128, 128))
    found = Kept(others, estimated_graph(others), MACHINE, "").find()
    assert found is not None
    found[0].apply(realization_order(others))


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("text", ["", "{", '{"seconds": 1, "directives": [{"stage": "@9"}]}',
                                  '{"seconds": 1, "directives": [{"stage": "@1", '
                                  '"name": "__class__", "args": []}]}'])  # fmt: skip
def test_a_damaged_entry_counts_for_nothing(folder, text):
    _, down = blur(120, 80)
    timed(down)
    (file,) = folder.iterdir()
    file.write_text(text)
    assert timed(blur(120, 80)[1]).winner.method != "kept"


def test_a_folder_that_cannot_be_written_is_told_and_no_failure(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LIFT_SCHEDULES", str(tmp_path / "file" / "kept"))
    with pytest.warns(UserWarning, match="LIFT_SCHEDULES"):
        outcome = timed(blur(120, 80)[1])
    assert outcome.winner.measured < math.inf
