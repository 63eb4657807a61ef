"""`benchmarks/pipelines.py` says what it measured: ratios, differences, and what failed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import pipelines

    module: ModuleType = pipelines
    return module


def row(benchmark: ModuleType, **given: Any) -> Any:
    return benchmark.Row("blur", "hand", (67, 41), **given)


def test_a_ratio_is_ours_by_the_better_one_of_halides(benchmark: ModuleType) -> None:
    times = {"ours": [3.0, 2.0], "Halide": [9.0, 8.0], "Halide, pooled": [4.0, 6.0]}
    measured = row(benchmark, runs={1: times})
    assert measured.ratio(1, min) == 0.5
    assert measured.ratio(1, np.median) == 0.5


def test_without_one_side_there_is_no_ratio(benchmark: ModuleType) -> None:
    assert row(benchmark, runs={1: {"ours": [2.0]}}).ratio(1, min) is None
    assert row(benchmark, runs={1: {"Halide": [2.0]}}).ratio(1, min) is None


def test_a_difference_above_the_tolerance_is_told(benchmark: ModuleType) -> None:
    assert row(benchmark, difference=0.0).verdict == "equal"
    assert row(benchmark, difference=1.0, tolerance=2.0).verdict == "within 2"
    assert row(benchmark, difference=1.0).verdict == "DIFFERENT by 1"
    assert row(benchmark).verdict == "not compared"
    assert row(benchmark, difference=0.0, failures=["ours: it broke"]).verdict == "FAILED"


def test_results_of_other_values_shapes_or_numbers_differ(
    benchmark: ModuleType, tmp_path: Path
) -> None:
    def saved(name: str, array: Any) -> Path:
        np.savez(tmp_path / name, array)
        return tmp_path / f"{name}.npz"

    one = saved("one", np.float32([1, 2]))
    assert benchmark.difference(one, saved("same", np.float32([1, 2]))) == 0
    assert benchmark.difference(one, saved("other", np.float32([1, 2.5]))) == 0.5
    assert benchmark.difference(one, saved("shape", np.float32([1, 2, 3]))) == np.inf
    assert benchmark.difference(one, saved("type", np.float64([1, 2]))) == np.inf
    assert benchmark.difference(one, saved("nan", np.float32([1, np.nan]))) == np.inf


@pytest.mark.slow
def test_a_worker_that_dies_or_is_late_is_a_failure_in_words(benchmark: ModuleType) -> None:
    with benchmark.Process(benchmark.OURS, 1, limit=60) as process:
        with pytest.raises(benchmark.Failure, match="nothing is prepared"):
            process.ask(do="run", seconds=0)
        process.process.kill()
        with pytest.raises(benchmark.Failure, match="SIGKILL"):
            process.ask(do="run", seconds=0)
    with (
        benchmark.Process(benchmark.OURS, 1, limit=0.01) as process,
        pytest.raises(benchmark.Failure, match=r"no answer in 0\.01 s"),
    ):
        process.ask(do="compile", program="blur", schedule="plain")


@pytest.mark.slow
def test_a_small_run_measures_both_engines(tmp_path: Path) -> None:
    file = tmp_path / "blur.json"
    options = "--programs blur --size test --rounds 1 --seconds 0.01 --compiles 1 --threads 1"
    subprocess.run(
        [sys.executable, BENCHMARKS / "pipelines.py", *options.split(), "--json", file],
        check=True,
        capture_output=True,
        timeout=120,
    )
    (measured,) = json.loads(file.read_text())
    assert measured["verdict"] == "equal"
    assert measured["runs"]["1"].keys() == {"ours", "Halide", "Halide, pooled"}
    assert measured["compile_ratio"] > 0
