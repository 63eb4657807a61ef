"""What a program writes while it runs, under the real package and under ours."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import compiler

from .both import BOTH, names

PROGRAMS = {
    "print": "h = hl.Func('h')\n"
    "h[x] = hl.print(x, 'and', x * 2, 1.5, hl.f32(x) / 3, hl.u8(x), hl.f64(x) / 7, x > 1, 'end')\n"
    "h.realize([3])",
    "print of wide integers": "h = hl.Func('h')\n"
    "h[x] = hl.print(hl.cast(hl.UInt(64), x - 1), hl.i64(x) - 1)\nh.realize([2])",
    "print in vectors": "h = hl.Func('h')\nh[x] = hl.print(x * 3)\nh.vectorize(x, 4)\n"
    "h.realize([4])",
    "print with percent signs": "h = hl.Func('h')\nh[x] = hl.print(x, '100% %d')\nh.realize([2])",
    "print_when": "h = hl.Func('h')\nh[x] = hl.print_when(x == 1, x, 'one')\nh.realize([3])",
    "trace_stores": "d.trace_stores()\nd.realize([2, 2])",
    "trace_stores of updates": "d[x, 0] += 1\nd.trace_stores()\nd.realize([2, 2])",
    "trace_loads": "h = hl.Func('h')\nh[x] = d[x, 3]\nd.compute_root().trace_loads()\n"
    "h.realize([2])",
    "trace_realizations": "f.compute_at(g, y).trace_realizations()\ng.trace_realizations()\n"
    "g.realize([2, 2])",
    "trace of tuples": "h = hl.Func('h')\nh[x] = (x, hl.f32(x))\nh.trace_stores()\nh.realize([2])",
    "trace tags": "f.compute_root().trace_loads().add_trace_tag('a tag')\ng.realize([1, 1])",
    "trace tags without reads": "d.trace_stores().add_trace_tag('a tag')\nd.realize([1, 1])",
    "print_loop_nest": "f.compute_at(g, y)\ng.vectorize(x, 4).parallel(y)\ng.print_loop_nest()",
}


def written(hl: Any, text: str, capfd: pytest.CaptureFixture[str]) -> list[str]:
    """What goes to stdout, a line that is no output, and what goes to stderr."""
    capfd.readouterr()
    exec(text, {"hl": hl, **names(hl)})
    made = capfd.readouterr()
    lines = f"{made.out}\n-- stderr\n{made.err}".split("\n")
    # The overall region of a stage that is not an output is Halide's alone to know.
    kept = [line for line in lines if line.strip() and "func_type_and_dim" not in line]
    return [re.sub(r"\$\d+|_\d+(?=[.(])", "", line) for line in kept]


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_writes_what_it_writes_with_halide(
    name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    theirs, ours = (written(hl, PROGRAMS[name], capfd) for hl in BOTH)
    number = r"\b([a-z])\d+\b"
    assert [re.sub(number, r"\1", x) for x in ours] == [re.sub(number, r"\1", x) for x in theirs]
    assert len(ours) > 1


def test_tracing_changes_no_value(capfd: pytest.CaptureFixture[str]) -> None:
    values = []
    for trace in (False, True):
        known = names(compiler)
        f, g = known["f"], known["g"]
        f.compute_at(g, known["y"])
        g.vectorize(known["x"], 4).parallel(known["y"])
        if trace:
            f.trace_loads().trace_stores().trace_realizations()
            g.trace_loads().trace_stores().trace_realizations()
        image = g.realize([8, 4])
        values.append([image[i, j] for i in range(8) for j in range(4)])
    assert values[0] == values[1]
    assert "Store" in capfd.readouterr().out


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("suffix", ["npy", "tmp", "anything"])
@pytest.mark.parametrize("type", ["hl.UInt(16)", "hl.UInt(8)", "hl.Float(32)", "hl.Int(64)"])
def test_a_stage_is_written_to_a_file_byte_for_byte_as_by_halide(
    suffix: str, type: str, tmp_path: Path
) -> None:
    contents = []
    for hl in BOTH:
        path = tmp_path / f"{hl.__name__}.{suffix}"
        text = f"""
h, k = hl.Func("h"), hl.Func("k")
h[x, y] = hl.cast({type}, x + 10 * y)
k[x, y] = h[x, y] + 1
h.compute_root().debug_to_file({str(path)!r})
k.realize([3, 2])
"""
        exec(text, {"hl": hl, **names(hl)})
        contents.append(path.read_bytes())
    assert contents[0] == contents[1] != b""


def test_a_kind_of_file_that_is_not_written_is_refused() -> None:
    x = compiler.Var("x")
    f = compiler.Func("f")
    f[x] = x
    f.debug_to_file("values.mat")
    with pytest.raises(compiler.HalideError, match="not supported"):
        f.realize([3])


def test_require_fails_with_its_message() -> None:
    x = compiler.Var("x")
    f = compiler.Func("f")
    f[x] = compiler.require(x < 2, x * 3, "too far:", x)
    assert f.realize([2])[1] == 3
    with pytest.raises(compiler.HalideError, match=r"Requirement Failed.*6 too far: 2"):
        f.realize([3])


@pytest.mark.parametrize("schedule", ["vectorize(x, 4)", "parallel(x)", "unroll(x, 2)"])
def test_require_is_checked_under_every_schedule(schedule: str) -> None:
    x = compiler.Var("x")
    f = compiler.Func("f")
    f[x] = compiler.require(x < 6, x, "too far")
    eval(f"f.{schedule}", {"f": f, "x": x})
    assert f.realize([4])[3] == 3
    with pytest.raises(compiler.HalideError, match="too far"):
        f.realize([8])


@pytest.mark.parametrize(
    "text", ["hl.print()", "hl.print('a', x)", "hl.print(x, None)", "hl.print_when(x > 1)",
             "hl.require(x > 1)", "hl.require(x > 1, x, None)"],
)  # fmt: skip
def test_what_cannot_be_printed_is_a_type_error(text: str) -> None:
    with pytest.raises(TypeError):
        eval(text, {"hl": compiler, "x": compiler.Var("x")})


def test_a_condition_must_be_one() -> None:
    x = compiler.Var("x")
    for text in ("hl.print_when(x, x)", "hl.require(x, x)"):
        with pytest.raises(compiler.HalideError, match="boolean"):
            eval(text, {"hl": compiler, "x": x})
