"""`F.schedule.py`: read and never run, kept, and refused where a call would fail or differ."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import compiler as hl
from compiler.codegen import Target
from lifter.batch.result_folder import ScratchFolder, forget
from lifter.build.build import Scheduling, build_function, lowered
from lifter.build.schedule_file import (
    apply_schedule,
    given_schedule,
    is_written,
    schedule_path,
    written,
)
from lifter.emit import emit
from lifter.emit.interface import load_interface
from lifter.model.diagnostic import LiftError
from tests.emit import samples

FILE = Path("f.schedule.py")


def blur():
    x, y = hl.vars("x y")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    wide, out = hl.Func("wide"), hl.Func("out")
    wide[x, y] = hl.u16(image[x, y]) + image[x + 1, y]
    out[x, y] = hl.u8((wide[x, y] + wide[x, y + 1]) / 4)
    return hl.Pipeline([out]), {"wide": wide, "out": out}


def total(type):
    x = hl.Var("x")
    image = hl.ImageParam(type, 2, "image")
    r = hl.RDom([(0, 8), (0, 8)], "r")
    out = hl.Func("out")
    out[x] = hl.cast(type, 0)
    out[x] += image[x + r.x, r.y]
    return hl.Pipeline([out])


def refusal(text, pipeline=None):
    with pytest.raises(LiftError) as caught:
        apply_schedule(text, pipeline or blur()[0], FILE)
    assert caught.value.diagnostic.code == "schedule-file"
    return caught.value.diagnostic


def test_stages_and_coordinates_have_the_names_that_the_program_has():
    pipeline, stages = blur()
    text = (
        '"""By hand."""\n'
        'yo, yi = hl.vars("yo yi")\n'
        "out.split(y, yo, yi, 8, hl.TailStrategy.GuardWithIf).parallel(yo).vectorize(x, 16)\n"
        "(wide\n    .store_at(out, yo)\n    .compute_at(out, yi)\n)\n"
    )
    apply_schedule(text, pipeline, FILE)
    out = stages["out"].function.schedule.stages[0]
    assert [d.kind for d in out.dimensions] == ["vectorized", "serial", "serial", "parallel"]
    assert stages["wide"].function.schedule.level.var == "yi"


def test_what_a_method_writes_is_read_back():
    pipeline, _ = blur()
    out = pipeline.get_func(1)
    out.set_estimates([(0, 640), (0, 480)])
    text = pipeline.apply_autoscheduler(
        hl.get_host_target(), hl.AutoschedulerParams("Mullapudi2016")
    ).schedule_source
    other, stages = blur()
    apply_schedule(text, other, FILE)
    mine = {f.name.split("$")[0]: f.schedule.stages for f in (s.function for s in stages.values())}
    assert mine["out"][0].touched
    assert [d.kind for d in mine["out"][0].dimensions] == [
        d.kind for d in out.function.schedule.stages[0].dimensions
    ]


STRANGE = {
    "import os": (1, 1),
    "\nopen('x', 'w')": (2, 1),
    "out.parallel(y); exec('1')": (1, 18),
    "out.parallel(__import__('os').getpid())": (1, 14),
    "out.function.schedule.clear()": (1, 1),
    "out.__class__": (1, 1),
    "x = [v for v in range(9)]": (1, 5),
    "hl.load_plugin('evil')": (1, 1),
    "out.debug_to_file('/tmp/x')": (1, 1),
    "out.allow_race_conditions()": (1, 1),
    "out.bound(x, 0, 8)": (1, 1),
    "out[x, y] = 0": (1, 1),
    "out.vectorize(x, 1 << 30)": (1, 18),
    "out.unroll(x, 100000)": (1, 1),
    "out.split(x, xo, xi, True)": (1, 14),
    "out.compute_root(": (1, 17),
    "f = pipeline.get_func(0).function": (1, 5),
    "hl = out": (1, 6),
    "out.atomic(1)": (1, 1),
    "def f():\n  pass": (1, 1),
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("text", STRANGE)
def test_what_is_no_directive_is_refused_with_its_place(text):
    found = refusal(text)
    assert found.span is not None and found.span.file == str(FILE)
    line, column = STRANGE[text]
    assert found.span.line == line
    assert text.startswith(("out.compute_root(", "hl =")) or found.span.column == column


def test_a_directive_that_makes_no_sense_says_so_in_the_languages_words():
    found = refusal("\n\nout.vectorize(z, 8)".replace("z", "y").replace("y", "x") + ".parallel(x)\n"
                    "out.reorder(y, y)")  # fmt: skip
    assert found.span.line in (3, 4)


@pytest.mark.parametrize(
    "text",
    [
        "out.update(0).atomic()",
        "rx = out.rvars(0)[0]\nry = out.rvars(0)[1]\nout.update(0).reorder(ry, rx)",
        'rx = out.rvars(0)[0]\no, i = hl.RVar("o"), hl.RVar("i")\n'.replace(
            "o, i = hl.RVar(\"o\"), hl.RVar(\"i\")", 'o = hl.RVar("o")\ni = hl.RVar("i")')
        + "out.update(0).split(rx, o, i, 4).reorder(o, i)",
    ],
)  # fmt: skip
def test_floats_are_added_in_the_order_of_the_original(text):
    assert "adds floats" in refusal(text, total(hl.Float(32))).message
    apply_schedule(text, total(hl.UInt(32)), FILE)


def test_loops_over_what_is_summed_may_be_cut_without_a_change_of_order():
    text = (
        'rx, ry = hl.vars("a b")\nrx = out.rvars(0)[0]\nry = out.rvars(0)[1]\n'
        'o = hl.RVar("o")\ni = hl.RVar("i")\n'
        "out.update(0).split(rx, o, i, 4).unroll(i).vectorize(x, 8, hl.TailStrategy.GuardWithIf)\n"
    )
    apply_schedule(text, total(hl.Float(32)), FILE)


def test_only_what_nobody_edited_counts_as_written_by_a_build(tmp_path):
    text = written("Measured", "# by Measured\nout.parallel(y)\n")
    assert is_written(text) and not is_written(text + "\n") and not is_written("out.parallel(y)\n")
    schedule_path(tmp_path, "f").write_text(text)
    assert given_schedule(tmp_path, "f", None) == text
    assert given_schedule(tmp_path, "f", "Measured") is None
    schedule_path(tmp_path, "f").write_text(text + "# mine\n")
    assert given_schedule(tmp_path, "f", "Measured") == text + "# mine\n"
    assert given_schedule(tmp_path, "f", "default") is None


@pytest.fixture(scope="module")
def emitted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lifted") / "MultiplyBlend8"
    emit(samples.multiply(), folder)
    return folder


@pytest.fixture
def folder(emitted, tmp_path):
    shutil.copytree(emitted, tmp_path / "MultiplyBlend8")
    return tmp_path / "MultiplyBlend8"


GUARDED = "dst_out.vectorize(x, 8, hl.TailStrategy.GuardWithIf).parallel(y)\n"


def test_a_function_is_built_under_its_schedule_until_it_is_left_aside(folder):
    path = schedule_path(folder, "MultiplyBlend8")
    path.write_text(GUARDED)
    built = build_function(folder)
    assert built.schedule == path and "written by hand" in str(built.note)
    again = build_function(folder, None, Scheduling("Mullapudi2016"))
    assert path.read_text() == GUARDED and again.note == built.note
    left_aside = build_function(folder, None, Scheduling("default"))
    assert left_aside.schedule is None and left_aside.note is None
    assert path.read_text() == GUARDED


@pytest.mark.parametrize(
    "directive", ["vectorize(x, 8)", "vectorize(x, 8, hl.TailStrategy.RoundUp)", "unroll(y, 4)"]
)
def test_a_schedule_under_which_small_images_fail_is_refused(directive, folder):
    path = schedule_path(folder, "MultiplyBlend8")
    path.write_text(f"dst_out.{directive}\n")
    with pytest.raises(LiftError) as caught:
        build_function(folder)
    found = caught.value.diagnostic
    assert found.code == "schedule-file" and "not every call" in found.message
    assert str(found.span) == f"{path}:1:1" and "GuardWithIf" in str(found.help)


def test_a_program_with_statements_of_its_own_is_not_run(folder, tmp_path):
    program = folder / "pipeline.py"
    mark = tmp_path / "was-run"
    program.write_text(program.read_text() + f"\nopen({str(mark)!r}, 'w')\n")
    with pytest.raises(LiftError) as caught:
        build_function(folder)
    found = caught.value.diagnostic
    assert (found.code, found.span.line) == ("edited", len(program.read_text().splitlines()))
    assert found.span.column == 1 and not mark.exists()


def test_schedules_survive_when_a_function_is_lifted_again_or_fails(folder, tmp_path):
    path = schedule_path(folder, "MultiplyBlend8")
    path.write_text(GUARDED)
    scratch = ScratchFolder(tmp_path)
    try:
        scratch.put({"summary.json": "{}", "pipeline.py": "pass"}, folder)
    finally:
        scratch.close()
    assert sorted(p.name for p in folder.iterdir()) == [path.name, "pipeline.py", "summary.json"]
    forget(folder)
    assert [p.name for p in folder.iterdir()] == [path.name] and path.read_text() == GUARDED


def test_no_method_asks_for_more_than_calls_have(tmp_path):
    """Also of programs with tables, whose automatic names are others each time."""
    emit(samples.constant_table(), tmp_path / "f")
    interface, machine = load_interface(tmp_path / "f"), Target.host()
    for name in ("Mullapudi2016", "Sioutas2018", "Sioutas2019"):
        made = lowered(tmp_path / "f", interface, machine, Scheduling(name))
        assert made.chosen is not None
        path = schedule_path(tmp_path / "f", interface.name)
        path.write_text(made.chosen)
        assert lowered(tmp_path / "f", interface, machine).directives == made.chosen
        path.unlink()
