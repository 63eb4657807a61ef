"""`lift build` and `lift bench` on emitted functions: the same numbers as g++, and honest gaps."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from compiler.ir import (
    EQ,
    I64,
    Const,
    Div,
    Mod,
    Mul,
    Neg,
    TruncDiv,
    TruncMod,
    Variable,
    evaluate,
)
from lifter.bench import BenchRow, bench_markdown, bench_notes, bench_table, geometric_mean
from lifter.bench import bench as bench_for
from lifter.bench.bench import code_lines, dsl_lines
from lifter.bench.scalars import NoArguments, choose_scalars
from lifter.build.build import build, build_function
from lifter.dag.concrete import integer, number
from lifter.emit import emit
from lifter.emit.interface import Assumption, load_interface
from lifter.model.diagnostic import LiftError
from lifter.model.lifted import FunctionResult
from tests.emit import samples

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is missing")

SOURCE = Path(samples.__file__).with_name("sample.cpp")


def bench(directory: Path, size: tuple[int, int]) -> list[BenchRow]:
    """Briefly: how long a call takes is of no interest here."""
    return bench_for(directory, size=size, seconds=0.01)


def prepared(folder: Path, *chosen: Callable[[], FunctionResult]) -> Path:
    """A folder with built functions, beside a copy of their source."""
    place = folder / "tests" / "emit"
    place.mkdir(parents=True)
    shutil.copy(SOURCE, place)
    for sample in chosen:
        result = sample()
        emit(result, folder / "lifted" / "sample" / result.name)
    build(folder / "lifted")
    return folder / "lifted"


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_every_second_sample_equals_what_gpp_makes_of_the_original(
    first: int, tmp_path: Path
) -> None:
    chosen = samples.SAMPLES[first::2]
    rows = bench(prepared(tmp_path, *chosen), size=(64, 48))
    assert len(rows) == len(chosen)
    assert [(row.name, row.note) for row in rows if not row.equal] == []
    assert all(row.compared > 60 and row.lifted_ms and row.original_ms for row in rows)
    mean = geometric_mean(rows)
    assert mean is not None
    assert f"| geometric mean | | | | | | | {mean:.2f}x |" in bench_markdown(rows)
    assert bench_table(rows).row_count == len(rows)
    assert bench_notes(rows) == []


@pytest.mark.slow
def test_a_wrong_function_is_found_and_shown(tmp_path: Path) -> None:
    directory = prepared(tmp_path, samples.threshold)
    folder = directory / "sample" / "ThresholdKeep"
    text = (folder / "pipeline.py").read_text()
    (folder / "pipeline.py").write_text(text.replace(">= level", "> level"))
    build_function(folder)
    (row,) = bench(directory, size=(32, 8))
    assert row.equal is False
    assert row.note is not None and "is 255 in the original" in row.note


@pytest.mark.slow
def test_a_write_outside_of_the_region_is_found(tmp_path: Path) -> None:
    directory = prepared(tmp_path, samples.multiply)
    folder = directory / "sample" / "MultiplyBlend8"
    text = (folder / "summary.json").read_text()
    changed = json.loads(text)
    changed["entry"]["outputs"][0]["region"][0][1] = ["Add", "cols", 1]
    changed["entry"]["accesses"] = json.loads(
        json.dumps(changed["entry"]["accesses"]).replace('["Sub", "cols", 1]', '"cols"')
    )
    (folder / "summary.json").write_text(json.dumps(changed))
    build_function(folder)
    (folder / "summary.json").write_text(text)
    (row,) = bench(directory, size=(32, 8))
    assert row.equal is False


@pytest.mark.slow
def test_without_a_compiler_the_original_stays_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = prepared(tmp_path, samples.multiply, samples.opacity)
    monkeypatch.setenv("CXX", "no-such-compiler")
    rows = bench(directory, size=(32, 8))
    assert [row.original_ms for row in rows] == [None, None]
    assert all(row.lifted_ms and row.equal is None for row in rows)
    assert bench_notes(rows) == ["no C++ compiler was found (set CXX): the original was not run"]
    assert geometric_mean(rows) is None


@pytest.mark.slow
def test_a_missing_source_and_a_missing_library_are_named(tmp_path: Path) -> None:
    directory = prepared(tmp_path, samples.multiply)
    elsewhere = replace(samples.opacity(), span=replace(samples.SPAN, file="gone/away.cpp"))
    emit(elsewhere, directory / "away" / "normal_opacity_u8")
    rows = {row.name: row for row in bench(directory, size=(32, 8))}
    assert rows["normal_opacity_u8"].note == (
        "libnormal_opacity_u8.so is missing: run `lift build` first"
    )
    build_function(directory / "away" / "normal_opacity_u8")
    rows = {row.name: row for row in bench(directory, size=(32, 8))}
    assert rows["normal_opacity_u8"].note == (
        "gone/away.cpp was not found: the original was not run"
    )
    assert rows["MultiplyBlend8"].equal


@pytest.mark.slow
def test_a_source_that_gpp_rejects_is_reported_with_its_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = prepared(tmp_path, samples.multiply)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests" / "emit" / "sample.cpp").write_text("void MultiplyBlend8(int x {\n")
    (row,) = bench(directory, size=(32, 8))
    assert row.original_ms is None and row.lifted_ms is not None
    assert row.note is not None and "cannot compile" in row.note and "error:" in row.note


def test_building_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(LiftError, match="no lifted functions") as caught:
        build(tmp_path)
    assert caught.value.diagnostic.code == "nothing-to-build"


def test_sizes_are_solved_from_the_region(tmp_path: Path) -> None:
    emit(samples.interleaved(), tmp_path / "rgba")
    values = choose_scalars(load_interface(tmp_path / "rgba"), 640, 480, padding=7)
    assert values == {"rows": 480, "cols": 640, "rowBytes": 4 * 640 + 7}
    emit(samples.two_stages(), tmp_path / "blur")
    values = choose_scalars(load_interface(tmp_path / "blur"), 640, 480)
    # Rows 1 to rows - 2 are written.
    assert values == {"rows": 482, "cols": 640, "rowBytes": 640}
    emit(samples.histogram(), tmp_path / "histogram")
    values = choose_scalars(load_interface(tmp_path / "histogram"), 640, 480)
    assert values == {"rows": 480, "cols": 640, "rowBytes": 640}
    emit(samples.modes(), tmp_path / "modes")
    assert choose_scalars(load_interface(tmp_path / "modes"), 64, 48)["mode"] in (3, 5)


def test_strides_are_the_multiples_that_preconditions_name(tmp_path: Path) -> None:
    emit(samples.interleaved(), tmp_path / "rgba")
    interface = load_interface(tmp_path / "rgba")
    whole = EQ(Mod(Variable("rowBytes", I64), Const(I64, 8)), Const(I64, 0))
    held = Assumption("rowBytes % 8 == 0", "option", (), whole)
    interface = replace(interface, assumptions=(*interface.assumptions, held))
    for cols, padding, expected in ((5, 1, 24), (5, 4, 24), (5, 5, 32), (6, 0, 24)):
        values = choose_scalars(interface, cols, 4, padding=padding, seed=1)
        assert values == {"rows": 4, "cols": cols, "rowBytes": expected}


def test_preconditions_that_never_hold_are_named(tmp_path: Path) -> None:
    from compiler.ir import LT
    from lifter.model.proof import Precondition

    cols = Variable("cols", I64)
    result = samples.multiply()
    assert result.proof is not None
    impossible = Precondition("cols < cols", LT(cols, cols), "formula", "option")
    proof = replace(result.proof, preconditions=(impossible,))
    emit(replace(result, proof=proof), tmp_path / "out")
    with pytest.raises(NoArguments, match="MultiplyBlend8: no arguments of 8 x 8 pixels"):
        choose_scalars(load_interface(tmp_path / "out"), 8, 8)


def test_integers_divide_as_the_expression_language_does() -> None:
    a, b = Variable("a", I64), Variable("b", I64)
    for kind in (Div, Mod, TruncDiv, TruncMod):
        for x in range(-7, 8):
            for y in (-3, -1, 1, 2, 5):
                assert number(kind(a, b), {"a": x, "b": y}) == evaluate(
                    kind(a, b), {"a": x, "b": y}
                )
    assert integer(Neg(Const(I64, 3)), {}) == -3


def test_lines_with_code_are_counted() -> None:
    assert code_lines("void f()\n{\n\n    // why\n    /* a\n       b */\n    x();\n}\n") == 4
    text = 'import compiler as hl\n\n\ndef f():\n    """Doc."""\n\n    return [], []\n'
    assert dsl_lines(text, "f") == 3
    assert dsl_lines(text, "g") == 0


def test_sizes_that_grow_in_steps_or_must_be_divisible_are_found_at_once(tmp_path: Path) -> None:
    directory = prepared(tmp_path, samples.multiply)
    own = load_interface(directory / "sample" / "MultiplyBlend8")
    cols, sixteen = Variable("cols", I64), Const(I64, 16)
    divisible = Assumption("cols % 16 == 0", "formula", (), EQ(Mod(cols, sixteen), Const(I64, 0)))
    values = choose_scalars(replace(own, assumptions=(*own.assumptions, divisible)), 1000, 7)
    assert int(values["cols"]) % 16 == 0 and values["cols"] >= 1000
    (output,) = own.outputs
    stepped = Mul(TruncDiv(cols, sixteen), sixteen)
    region = ((Const(I64, 0), stepped), *output.region[1:])
    counting = replace(own, outputs=(replace(output, region=region),))
    values = choose_scalars(counting, 1 << 20, 1)
    assert values["cols"] == 1 << 20
    assert choose_scalars(counting, 1 << 20, 1, seed=3)["cols"] == 1 << 20
