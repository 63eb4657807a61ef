"""Generators whose context, or command line, names an autoscheduler."""

from __future__ import annotations

import numpy as np
import pytest

import compiler as hl
from compiler.frontend.generator import Generator
from compiler.frontend.generator_main import main

HOST = hl.Target("host")


def summed(name):
    """A generator of its own name that adds up neighbours."""

    class Summed:
        image = hl.InputBuffer(hl.UInt(8), 2)
        out = hl.OutputBuffer(hl.UInt(8), 2)

        def generate(self):
            x, y = hl.vars("x y")
            pairs = hl.Func("pairs")
            pairs[x, y] = self.image[x, y] + self.image[x + 1, y]
            self.out[x, y] = pairs[x, y] + pairs[x, y + 1]
            self.image.set_estimates([(0, 101), (0, 81)])
            self.out.set_estimates([(0, 100), (0, 80)])

    return hl.generator(name=name)(Summed)


def test_the_contexts_autoscheduler_schedules_what_is_compiled():
    made = summed("summed_in_context")
    assert issubclass(made, Generator)
    params = hl.AutoschedulerParams("Mullapudi2016", {"parallelism": 4})
    context = hl.GeneratorContext(HOST, params)
    run = hl.create_callable_from_generator(context, "summed_in_context")
    image = np.arange(30, dtype=np.uint8).reshape(5, 6)
    out = np.zeros((4, 5), np.uint8)
    run(hl.Buffer(image), hl.Buffer(out))
    rows = image[:, :-1] + image[:, 1:]
    assert np.array_equal(out, rows[:-1] + rows[1:])
    with context:
        built = hl.generator("summed_here")(type("Here", (made,), {}))()
        assert built.using_autoscheduler()
        assert "compute_root" in built.autoschedule(built.build_pipeline())


def test_the_command_line_names_an_autoscheduler_and_asks_for_its_schedule(tmp_path):
    summed("summed_by_main")
    words = ["-g", "summed_by_main", "-o", str(tmp_path), "target=host", "-e", "h,schedule"]
    main([*words, "-p", "autoschedule_mullapudi2016", "autoscheduler=Mullapudi2016",
          "autoscheduler.last_level_cache_size=4096"])  # fmt: skip
    text = (tmp_path / "summed_by_main.schedule.py").read_text()
    assert "pipeline.get_func" in text and "compute_root" in text
    assert (tmp_path / "summed_by_main.h").exists()
    main(words)
    assert (tmp_path / "summed_by_main.schedule.py").read_text() == ""


@pytest.mark.parametrize(
    "wrong, message",
    [
        ("autoscheduler=Mulla", "Unknown autoscheduler name 'Mulla'"),
        ("autoscheduler.parallelism=4", "autoscheduler.parallelism needs autoscheduler=NAME"),
    ],
)
def test_a_command_line_that_makes_no_sense_is_refused(wrong, message, tmp_path, capsys):
    name = f"summed_{abs(hash(wrong))}"
    summed(name)
    with pytest.raises(RuntimeError):
        main(["-g", name, "-o", str(tmp_path), "target=host", "-e", "h", wrong])
    assert message in capsys.readouterr().err


def test_a_generator_parameter_is_not_where_an_autoscheduler_is_named():
    summed("summed_by_parameter")
    with pytest.raises(hl.HalideError, match="belongs to the context"):
        hl.create_callable_from_generator(
            HOST, "summed_by_parameter", {"autoscheduler": "Measured"}
        )
