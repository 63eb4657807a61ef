"""What users say to autoschedulers and what they are told, as with the real package."""

from __future__ import annotations

import numpy as np
import pytest

import compiler as hl
from compiler.autosched import available

METHODS = available()
QUICK = {"Measured": {"budget": "0"}}
"""Settings under which a method times nothing."""


def params(method, settings=None):
    return hl.AutoschedulerParams(method, {**QUICK.get(method, {}), **(settings or {})})


class Stencil:
    """Two stages of sums along x and y of three times the image, with a factor."""

    def __init__(self, estimates=((0, 200), (0, 150))):
        x, y = hl.vars("x y")
        self.image = hl.ImageParam(hl.UInt(8), 2, "image")
        self.factor = hl.Param(hl.Int(32), "factor", 3)
        self.f, self.g, self.h = hl.Func("f"), hl.Func("g"), hl.Func("h")
        self.f[x, y] = hl.u16(self.image[x, y]) * hl.u16(self.factor)
        self.g[x, y] = self.f[x, y] + self.f[x + 1, y] + self.f[x + 2, y]
        self.h[x, y] = self.g[x, y] + self.g[x, y + 1] + self.g[x, y + 2]
        self.x, self.y = x, y
        self.pipeline = hl.Pipeline(self.h)
        if estimates is not None:
            self.h.set_estimates(list(estimates))

    def apply(self, method="Mullapudi2016", settings=None, target="host"):
        return self.pipeline.apply_autoscheduler(hl.Target(target), params(method, settings))

    def is_right(self, width=61, height=37):
        values = np.arange((width + 2) * (height + 2)).reshape(height + 2, width + 2)
        self.image.set(hl.Buffer(values.astype(np.uint8)))
        made = np.asarray(self.h.realize([width, height]))
        whole = values.astype(np.uint8).astype(np.uint16) * 3
        rows = whole[:, :-2] + whole[:, 1:-1] + whole[:, 2:]
        return np.array_equal(made, rows[:-2] + rows[1:-1] + rows[2:])


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("method", METHODS)
def test_each_method_schedules_by_its_name_and_tells_what_it_did(method):
    program = Stencil()
    results = program.apply(method)
    assert isinstance(results, hl.AutoSchedulerResults)
    assert results.target == hl.Target("host") and results.featurization == []
    assert results.autoscheduler_params.name == method
    assert "compute_root" in results.schedule_source
    assert program.is_right()


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("method", METHODS)
def test_the_text_makes_the_same_schedule_where_it_is_pasted(method):
    one, other = Stencil(), Stencil(None)
    text = one.apply(method).schedule_source
    exec(text, {"hl": hl, "pipeline": other.pipeline})
    assert other.is_right()
    assert loops(one.h) == loops(other.h)


def loops(func):
    """The kinds of a stage's loops, innermost first, and the factors of its splits."""
    schedule = func.function.schedule.stages[0]
    factors = [split.factor for split in schedule.splits if hasattr(split, "factor")]
    return [dimension.kind for dimension in schedule.dimensions], factors


def test_a_schedule_is_used_by_what_was_compiled_before():
    program = Stencil()
    assert program.is_right()
    program.apply()
    assert program.h.function.schedule.any_touched
    assert program.is_right()


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("method", METHODS)
def test_estimates_far_from_what_comes_are_no_mistake(method):
    for estimates, sizes in (
        (((0, 3), (0, 2)), [(300, 200)]),
        (((0, 4000), (0, 3000)), [(1, 1), (7, 5), (61, 37)]),
        (((-50, 20), (1000, 20)), [(61, 37)]),
    ):
        program = Stencil(estimates)
        program.apply(method)
        for width, height in sizes:
            assert program.is_right(width, height)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("method", METHODS)
def test_outputs_may_read_each_other_and_have_several_values(method):
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    pair, one, two, both = (hl.Func(name) for name in ("pair", "one", "two", "both"))
    pair[x, y] = hl.u16(image[x, y]) + image[x + 1, y + 1]
    one[x, y] = pair[x, y] * 2 + pair[x + 1, y]
    two[x, y] = one[x, y] + pair[x, y + 1]
    both[x, y] = (two[x, y] + 1, hl.f32(one[x, y]))
    for output in (one, two, both):
        output.set_estimates([(0, 300), (0, 200)])
    pipeline = hl.Pipeline([one, two, both])
    pipeline.apply_autoscheduler(hl.Target("host"), params(method))
    values = np.random.default_rng(0).integers(0, 256, (39, 63)).astype(np.uint8)
    image.set(hl.Buffer(values))
    types = (np.uint16, np.uint16, np.uint16, np.float32)
    made = [np.zeros((37, 61), type) for type in types]
    pipeline.realize([hl.Buffer(array) for array in made])
    pairs = values[:-1, :-1].astype(np.uint16) + values[1:, 1:]
    first = pairs[:37, :61] * 2 + pairs[:37, 1:]
    second = first + pairs[1:, :61]
    for array, expected in zip(made, (first, second, second + 1, first), strict=True):
        assert np.array_equal(array, expected.astype(array.dtype))


@pytest.mark.parametrize("method", METHODS)
def test_an_output_may_be_a_single_value(method):
    image, total = hl.ImageParam(hl.UInt(8), 1, "image"), hl.Func("total")
    r = hl.RDom([(0, 50)], "r")
    total[()] = 0
    total[()] += hl.i32(image[r])
    hl.Pipeline(total).apply_autoscheduler(hl.Target("host"), params(method))
    image.set(hl.Buffer(np.arange(50, dtype=np.uint8)))
    assert int(np.asarray(total.realize([]))) == sum(range(50))


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("method", METHODS)
def test_images_without_pixels_are_computed_too(method):
    program = Stencil()
    program.apply(method)
    program.image.set(hl.Buffer(np.zeros((9, 9), np.uint8)))
    for size in ([0, 5], [5, 0], [0, 0]):
        assert np.asarray(program.h.realize(size)).shape == tuple(reversed(size))


def test_settings_of_the_real_mullapudi2016_are_understood():
    few = Stencil().apply(settings={"last_level_cache_size": 2000}).decision.grouping
    many = Stencil().apply(settings={"last_level_cache_size": 1 << 24}).decision.grouping
    assert few.groups != many.groups
    Stencil().apply(settings={"parallelism": 16, "balance": 40.0, "experimental_gpu_schedule": 0})


@pytest.mark.parametrize("method", METHODS)
def test_a_machine_may_be_named_and_the_target_says_how_wide_its_vectors_are(method, tmp_path):
    board = tmp_path / "board.toml"
    board.write_text('like = "cortex-a76"\ncores = 2')
    decision = Stencil().apply(method, {"machine": str(board)}).decision
    assert decision.machine.cores == 2
    assert decision.machine.vector_bits == hl.Target("host").natural_vector_size(hl.UInt(8)) * 8
    narrow = Stencil().apply(method, {"machine": "neoverse-n1"}, "arm-64-linux").decision
    assert (narrow.machine.vector_bits, narrow.machine.cores) == (128, 16)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_can_be_told_how_many_threads_there_are(method):
    text = Stencil(((0, 4000), (0, 3000))).apply(method, {"parallelism": "64"})
    assert "parallel" in text.schedule_source


def test_another_architecture_is_planned_for_by_a_usual_machine_of_it():
    assert "A76" in Stencil().apply(target="arm-64-linux").decision.machine.name
    assert Stencil().apply(target="x86-64-linux-avx2").decision.machine.vector_bits == 256


# -- schedules that are partly by hand ------------------------------------------------------


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("method", METHODS)
def test_what_was_scheduled_by_hand_stays_and_the_rest_is_completed(method):
    program = Stencil()
    program.g.compute_root().vectorize(program.x, 4)
    kept = program.g.function.schedule.key()
    text = program.apply(method).schedule_source
    assert program.g.function.schedule.key() == kept
    assert "g." not in text.replace("pipeline.get_func", "") and "h" in text
    assert program.h.function.schedule.any_touched
    assert program.is_right()


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("loop", ["x", "y"])
def test_a_loop_in_which_somebody_placed_a_stage_stays(method, loop):
    program = Stencil()
    program.g.compute_at(program.h, getattr(program, loop))
    program.apply(method)
    assert program.h.function.schedule.any_touched
    assert program.is_right()


@pytest.mark.parametrize("method", METHODS)
def test_what_stands_between_a_stage_and_the_loop_it_was_placed_in_stays_there(method):
    program = Stencil()
    program.f.compute_at(program.h, program.y)
    program.apply(method)
    assert program.g.function.schedule.level.place == "inline"
    assert program.f.function.schedule.level.place == "at"
    assert program.is_right()


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("method", METHODS)
def test_windows_that_slide_by_hand_stay(method):
    program = Stencil()
    program.g.store_root().compute_at(program.h, program.y)
    program.apply(method)
    assert program.is_right()


@pytest.mark.parametrize("method", METHODS)
def test_a_stage_that_is_inlined_by_hand_stays_inlined(method):
    program = Stencil()
    program.f.compute_inline()
    program.g.compute_inline()
    program.apply(method)
    assert program.g.function.schedule.level.place == "inline"
    assert program.is_right()


def test_nothing_is_left_to_do_where_all_is_scheduled():
    program = Stencil()
    program.apply()
    kept = [f.function.schedule.key() for f in (program.g, program.h)]
    program.apply()
    assert [f.function.schedule.key() for f in (program.g, program.h)] == kept


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("method", METHODS)
def test_promises_about_an_output_are_no_schedule(method):
    program = Stencil()
    program.h.bound(program.x, 0, 61).align_bounds(program.y, 1)
    program.apply(method)
    assert program.h.function.schedule.any_touched and program.h.function.schedule.bounds
    assert program.is_right()


# -- estimates ------------------------------------------------------------------------------


def copied(extents):
    """One stage that copies an image of `extents`; the image, and the stage."""
    names = hl.vars(" ".join("xyz"[: len(extents)]))
    image, out = hl.ImageParam(hl.UInt(8), len(extents), "image"), hl.Func("out")
    out[names] = image[names]
    return image, out


def give_by_func(image, out):
    out.set_estimates([(0, 64), (0, 32)])


def give_one_by_one(image, out):
    x, y = (hl.Var(name) for name in "xy")
    out.set_estimate(x, 0, 64).set_estimate(y, 0, 32)


def give_by_ranges(image, out):
    out.set_estimates([hl.Range(0, 64), hl.Range(0, 32)])


def give_by_output_buffer(image, out):
    out.output_buffer().set_estimates([(0, 64), (0, 32)])


def give_by_dimension(image, out):
    out.output_buffer().dim(0).set_estimate(0, 64)
    out.output_buffers()[0].dim(1).set_estimate(0, 32)


def give_by_a_promise(image, out):
    out.output_buffer().dim(0).set_bounds(0, 64)
    out.bound(hl.Var("y"), 0, 32)


def give_by_the_images_size(image, out):
    image.set_estimates([(0, 64), (0, 32)])
    out.set_estimates([(0, image.width()), (0, image.height())])


@pytest.mark.parametrize(
    "give",
    [give_by_func, give_one_by_one, give_by_ranges, give_by_output_buffer, give_by_dimension,
     give_by_a_promise, give_by_the_images_size],
)  # fmt: skip
def test_estimates_are_taken_wherever_they_are_given(give):
    image, out = copied([64, 32])
    give(image, out)
    results = hl.Pipeline(out).apply_autoscheduler(hl.Target("host"), params("Mullapudi2016"))
    bounds = results.decision.grouping.graph.stages["out" + out.name()[3:]].bounds
    assert bounds == ((0, 63), (0, 31))


def test_a_parameters_estimate_says_how_far_a_reduction_goes():
    x = hl.Var("x")
    size = hl.Param(hl.Int(32), "size")
    image, out = hl.ImageParam(hl.Float(32), 1, "image"), hl.Func("out")
    r = hl.RDom([(0, size)], "r")
    out[x] = hl.f32(0)
    out[x] += image[x + r.x]
    out.set_estimates([(0, 100)])
    with pytest.raises(hl.HalideError, match=r"reduction over r.*limits without an estimate"):
        hl.Pipeline(out).apply_autoscheduler(hl.Target("host"), params("Mullapudi2016"))
    size.set_estimate(9)
    hl.Pipeline(out).apply_autoscheduler(hl.Target("host"), params("Mullapudi2016"))
    size.set(5)
    image.set(hl.Buffer(np.ones(40, np.float32)))
    assert np.asarray(out.realize([36])).tolist() == [5.0] * 36


# -- bad input ------------------------------------------------------------------------------


def refused(program, match, method="Mullapudi2016", settings=None, error=hl.HalideError):
    """The program is refused, and nothing of it is scheduled."""
    with pytest.raises(error, match=match):
        program.apply(method, settings)
    assert not any(f.function.schedule.any_touched for f in (program.f, program.g, program.h))


@pytest.mark.parametrize("method", METHODS)
def test_missing_estimates_are_named(method):
    refused(Stencil(None), r"Missing: h\S*\.set_estimate\(x, .*; h\S*\.set_estimate\(y, ", method)
    half = Stencil(None)
    half.h.set_estimate(half.x, 0, 100)
    refused(half, r"Missing: h\S*\.set_estimate\(y, min, extent\)$", method)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("extent", [0, -3])
def test_an_empty_estimate_is_refused(method, extent):
    refused(
        Stencil(((0, extent), (0, 10))), r"estimated extent of x of h\S* is not above 0", method
    )


@pytest.mark.parametrize("method", METHODS)
def test_what_data_reaches_into_needs_an_estimate_or_a_clamp(method):
    def gather(index):
        x = hl.Var("x")
        where = hl.ImageParam(hl.Int(32), 1, "where")
        values, table, out = (
            hl.ImageParam(hl.UInt(8), 1, "values"),
            hl.Func("table"),
            hl.Func("out"),
        )
        table[x] = hl.u16(values[x]) * 3
        out[x] = table[index(where[x])]
        out.set_estimates([(0, 1000)])
        return where, values, table, out

    where, values, table, out = gather(lambda data: data)
    with pytest.raises(
        hl.HalideError, match=r"table\S* along x depends on data.*table\S*\.set_est"
    ):
        hl.Pipeline(out).apply_autoscheduler(hl.Target("host"), params(method))
    for index, estimated in (
        (lambda data: hl.clamp(data, 0, 255), False),
        (lambda data: data, True),
    ):
        where, values, table, out = gather(index)
        if estimated:
            table.set_estimates([(0, 256)])
            values.set_estimates([(0, 256)])
        hl.Pipeline(out).apply_autoscheduler(hl.Target("host"), params(method))
        if not estimated:
            where.set(hl.Buffer(np.arange(-20, 300, dtype=np.int32)))
            values.set(hl.Buffer(np.arange(256, dtype=np.uint8)))
            assert np.array_equal(
                np.asarray(out.realize([320])), np.clip(np.arange(-20, 300), 0, 255) * 3
            )


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("method", METHODS)
def test_sizes_that_decide_what_is_read_need_an_estimate(method):
    x = hl.Var("x")
    image, out = hl.ImageParam(hl.UInt(8), 1, "image"), hl.Func("out")
    shift = hl.Param(hl.Int(32), "shift")
    out[x] = hl.BoundaryConditions.repeat_edge(image)[x + shift]
    out.set_estimates([(0, 1000)])
    pipeline = hl.Pipeline(out)
    for missing, give in (
        (r"shift\.set_estimate\(value\)$", lambda: shift.set_estimate(100)),
        (r"image\.dim\(0\)\.set_estimate\(min, extent\)$", lambda: image.set_estimates([(0, 500)])),
    ):
        with pytest.raises(
            hl.HalideError, match=rf"sizes that nobody estimated\. Missing: {missing}"
        ):
            pipeline.apply_autoscheduler(hl.Target("host"), params(method))
        assert not out.function.schedule.any_touched
        give()
    pipeline.apply_autoscheduler(hl.Target("host"), params(method))
    shift.set(3)
    image.set(hl.Buffer(np.arange(9, dtype=np.uint8)))
    assert np.asarray(out.realize([12])).tolist() == [3, 4, 5, 6, 7, 8, 8, 8, 8, 8, 8, 8]


@pytest.mark.parametrize(
    "machine, match",
    [
        ("cortex-a76,cores=0", r"cores = '0': expected a whole number from 1"),
        ("cortex-a76,l1.size=64M", r"l1\.size = 67108864 is larger than l2\.size"),
        ("host,bandwidth=-3", r"bandwidth = '-3': expected bytes a second"),
        ("cray-1", r"machine 'cray-1': there is neither.*cortex-a76"),
    ],
)
def test_a_machine_that_makes_no_sense_is_refused(machine, match):
    for method in METHODS:
        refused(Stencil(), match, method, {"machine": machine})


@pytest.mark.parametrize("method", METHODS)
def test_settings_that_a_method_does_not_have_are_refused(method):
    refused(
        Stencil(), rf"{method} has no parameter 'turbo'; it has machine, ", method, {"turbo": 1}
    )
    refused(Stencil(), r"parallelism = 'many': expected a whole number above 0", method,
            {"parallelism": "many"})  # fmt: skip
    refused(Stencil(), r"parallelism = '0'", method, {"parallelism": "0"})


def test_settings_of_a_wrong_kind_are_refused():
    refused(Stencil(), r"balance = 'nan': expected a number from 0", settings={"balance": "nan"})
    refused(Stencil(), r"no schedules for GPUs", settings={"experimental_gpu_schedule": 1})
    refused(Stencil(), r"budget = '-1': expected a number from 0 up", "Measured", {"budget": -1})


def test_unknown_names_are_answered_with_the_known_ones():
    known = r"\n    Mullapudi2016\n(.*\n)*    Measured"
    refused(Stencil(), rf"Unknown autoscheduler name 'Mulla'; known names are:{known}", "Mulla")
    refused(Stencil(), rf"no Autoscheduler specified.*{known}", "")
    for other in ("Adams2019", "Li2018"):
        refused(Stencil(), rf"{other} is the real package's; this compiler has:{known}", other)


def test_arguments_of_wrong_types_are_refused_as_pybind_does():
    program = Stencil()
    for arguments in (("host", params("Mullapudi2016")), (hl.Target("host"), "Mullapudi2016")):
        with pytest.raises(TypeError, match="apply_autoscheduler"):
            program.pipeline.apply_autoscheduler(*arguments)
    with pytest.raises(hl.HalideError, match="undefined"):
        hl.Pipeline().apply_autoscheduler(hl.Target("host"), params("Mullapudi2016"))


def test_settings_become_text_as_in_the_real_package():
    made = hl.AutoschedulerParams("M", {"a": 1.5, "b": True, 3: None})
    assert (made.name, made.extra) == ("M", {"a": "1.5", "b": "True", "3": "None"})
    assert (hl.AutoschedulerParams().name, hl.AutoschedulerParams().extra) == ("", {})


def test_the_real_packages_plugins_may_be_loaded_and_no_others():
    hl.load_plugin("autoschedule_mullapudi2016")
    hl.load_plugin("/lib64/libautoschedule_adams2019.so")
    with pytest.raises(hl.HalideError, match="Failed to load: nonexistent"):
        hl.load_plugin("nonexistent")
