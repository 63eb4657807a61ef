"""`lift build --schedule NAME`: the same pixels, and the directives beside the object."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import compiler as hl
from compiler.autosched import available
from compiler.codegen import Target
from compiler.ir.stmt_transform import walk
from compiler.ir.stmts import For
from lifter.batch.sealing import sealed
from lifter.bench import bench
from lifter.build.build import Scheduling, build, build_function, lowered
from lifter.build.estimates import parameter_values
from lifter.commands.build import command
from lifter.emit import emit
from lifter.emit.interface import load_interface
from lifter.emit.load import load_pipeline
from lifter.model.diagnostic import LiftError
from tests.emit import samples

SOURCE = Path(samples.__file__).with_name("sample.cpp")


def method(name):
    return Scheduling(name, (("budget", "0"),) if name == "Measured" else ())


def emitted(folder, *chosen):
    """A folder with lifted functions, beside a copy of their source."""
    place = folder / "tests" / "emit"
    place.mkdir(parents=True)
    shutil.copy(SOURCE, place)
    for sample in chosen:
        result = sample()
        emit(result, folder / "lifted" / result.name)
    return folder / "lifted"


@pytest.mark.slow
@pytest.mark.sampled(every=4)
@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is missing")
@pytest.mark.parametrize("name", available())
def test_scheduled_code_equals_what_gpp_makes_of_the_original(name, tmp_path):
    equal_to_the_originals(name, (samples.two_stages, samples.histogram), tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is missing")
@pytest.mark.parametrize("name", available())
def test_every_scheduled_sample_equals_what_gpp_makes_of_it(name, tmp_path):
    equal_to_the_originals(name, samples.SAMPLES, tmp_path)


def equal_to_the_originals(name, chosen, tmp_path):
    directory = emitted(tmp_path, *chosen)
    built = build(directory, None, method(name))
    rows = bench(directory, size=(64, 48), seconds=0.01)
    assert len(rows) == len(chosen)
    assert [(row.name, row.note) for row in rows if not row.equal] == []
    assert all(b.schedule == b.folder / f"{b.name}.schedule.py" for b in built)


@pytest.mark.slow
def test_the_directives_beside_the_object_are_python_and_stay_until_they_are_chosen_anew(tmp_path):
    directory = emitted(tmp_path, samples.multiply)
    folder = directory / "MultiplyBlend8"
    built = build_function(folder, None, method("Mullapudi2016"))
    assert built.schedule is not None
    text = built.schedule.read_text()
    assert text.startswith("# Written by lift build --schedule Mullapudi2016 (")
    assert "\n# The schedule of MultiplyBlend8 by Mullapudi2016, for " in text
    assert "planned for dst 1024 x 1024" in text
    loaded = load_pipeline(folder / "pipeline.py", "MultiplyBlend8")
    pipeline = hl.Pipeline(list(loaded.outputs))
    exec(text, {"hl": hl, "pipeline": pipeline})
    assert loaded.outputs[0].function.schedule.any_touched
    assert build_function(folder).schedule == built.schedule
    build_function(folder, None, method("Sioutas2018"))
    assert "by Sioutas2018" in built.schedule.read_text()
    assert build_function(folder, None, method("default")).schedule is None


def test_parameters_that_bound_a_region_have_ordinary_sizes(tmp_path):
    directory = emitted(tmp_path, samples.multiply)
    interface = load_interface(directory / "MultiplyBlend8")
    assert parameter_values(interface) == {"cols": 1024, "rows": 1024}


def test_estimates_beside_the_program_are_what_a_method_plans_for(tmp_path):
    directory = emitted(tmp_path, samples.multiply)
    folder = directory / "MultiplyBlend8"
    path = folder / "MultiplyBlend8.schedule.py"
    own = "dst_out.set_estimate(x, 0, 50).set_estimate(y, 0, 40)\n"
    path.write_text(own)
    interface, machine = load_interface(folder), Target.host()
    made = lowered(folder, interface, machine, method("Mullapudi2016"))
    assert made.directives == path.read_text() == own
    path.unlink()
    large = lowered(folder, interface, machine, method("Mullapudi2016"))
    assert "1024 x 1024" in str(large.directives)
    kinds = [{s.kind for s in walk(m.fn.body) if isinstance(s, For)} for m in (made, large)]
    assert "parallel" in kinds[1] - kinds[0]  # as it is for an image of ordinary size


def test_a_function_that_cannot_be_scheduled_as_asked_is_not_built(tmp_path):
    directory = emitted(tmp_path, samples.multiply)
    folder = directory / "MultiplyBlend8"
    with pytest.raises(LiftError) as caught:
        build_function(folder, None, Scheduling("Mullapudi2016", (("turbo", "1"),)))
    assert caught.value.diagnostic.code == "build-unsupported"
    assert "no parameter 'turbo'" in caught.value.diagnostic.message
    assert not (folder / "MultiplyBlend8.o").exists()


def seal(folder):
    """Makes the folder one that lift wrote, for all that can be seen of it."""
    texts = {p.name: p.read_text() for p in folder.iterdir() if p.name != "summary.json"}
    content = json.loads((folder / "summary.json").read_text())
    flags = {"clang_arguments": [], "assumptions": [], "models": [], "includes": [], "defines": []}
    content |= {"meaning": "", "qualified_name": folder.name, "flags": {"std": None, **flags}}
    (folder / "summary.json").write_text(sealed(texts, content)["summary.json"])


def run(*arguments):
    return CliRunner().invoke(command, list(map(str, arguments)))


def test_the_command_line_takes_a_method_and_a_machine(tmp_path):
    directory = emitted(tmp_path, samples.multiply)
    seal(directory / "MultiplyBlend8")
    done = run(directory, "--schedule", "mullapudi2016", "--machine", "cortex-a76,cores=2",
               "--target", "aarch64", "-j", 1)  # fmt: skip
    assert done.exit_code == 0 and "1 built" in done.output
    text = (directory / "MultiplyBlend8" / "MultiplyBlend8.schedule.py").read_text()
    assert "2 threads, vectors of 128 bits" in text and ".vectorize(x, 16," in text


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("--schedule", "Adams2019"), "known are default, Mullapudi2016"),
        (("--machine", "cortex-a76"), "--machine needs --schedule NAME"),
        (("--schedule-budget", "3"), "--schedule-budget needs --schedule NAME"),
        (("--schedule", "Mullapudi2016", "--schedule-budget", "3"), "Measured alone"),
        (("--schedule", "Measured", "--schedule-budget", "-1"), "-1.0 is not in the range"),
        (("--schedule", "Measured", "--machine", "cray"), "machine 'cray': there is neither"),
        (("--schedule", "Measured", "--machine", "host,cores=0"), "cores = '0': expected a whole"),
    ],
)
def test_what_makes_no_sense_is_bad_usage(arguments, message, tmp_path):
    done = run(tmp_path, *arguments)
    assert done.exit_code == 2 and message in done.output
