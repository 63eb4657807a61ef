"""The plot of speed-ups, and the file that `lift bench` leaves for it."""

from __future__ import annotations

import json

import pytest

from lifter.bench import BenchRow, read_figures, save_figures
from lifter.model.diagnostic import LiftError
from lifter.report.speedups import SpeedupPoint, speed_ups


def point(speed, equal=True):
    return SpeedupPoint(f"f{speed}", f"a:f{speed}", speed, equal)


def test_the_mean_is_geometric_and_the_slower_ones_are_counted():
    found = speed_ups([point(8.0), point(0.5), point(2.0)])
    assert found is not None
    assert found.mean == pytest.approx(2.0)
    assert (found.count, found.slower, found.differing) == (3, 1, 0)
    assert str(found.plot).count("<circle") == 3
    assert str(found.plot).count("class=p-s") == 1
    assert (
        str(found.plot).index("f0.5")
        < str(found.plot).index("f2.0")
        < str(found.plot).index("f8.0")
    )


def test_functions_whose_results_differ_stand_out():
    found = speed_ups([point(8.0, equal=False), point(4.0, equal=None)])
    assert found is not None and found.differing == 1
    assert str(found.plot).count("class=p-x") == 1


def test_nothing_measured_is_no_plot():
    assert speed_ups([]) is None
    assert speed_ups([point(0.0)]) is None


def test_extreme_ratios_stay_in_the_picture():
    found = speed_ups([point(1e-6), point(1e6)])
    assert found is not None and "nan" not in found.plot and "inf" not in found.plot


def row(name, folder, speedup):
    return BenchRow(name, 9, 3, 14, True, 24, True, 3.0, 1.0, 2.9, 0.9, speedup, None, folder)


def test_bench_leaves_figures_that_are_read_again(tmp_path):
    path = save_figures(tmp_path, [row("f", "a/f", 3.0), row("g", "a/g", None)], (64, 32), 2)
    assert [p.name for p in tmp_path.iterdir()] == ["bench.json"]
    found = read_figures(path)
    assert (found.size, found.threads) == ((64, 32), 2)
    assert [(f.folder, f.speedup) for f in found.functions] == [("a/f", 3.0), ("a/g", None)]


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "null", "[" * 9000, '{"schema": 2}', '{"schema": 1, "size": 3}']
)
def test_a_file_of_another_kind_is_refused(tmp_path, text):
    path = tmp_path / "bench.json"
    path.write_text(text)
    with pytest.raises(LiftError, match="has no figures"):
        read_figures(path)
    with pytest.raises(LiftError, match="No such file"):
        read_figures(tmp_path / "none.json")


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), -1.0, "fast"])
def test_a_figure_that_is_no_time_is_refused(tmp_path, odd):
    path = save_figures(tmp_path, [row("f", "a/f", 3.0)], (64, 32), 2)
    data = json.loads(path.read_text())
    data["functions"][0]["speedup"] = odd
    path.write_text(json.dumps(data))
    with pytest.raises(LiftError, match="has no figures"):
        read_figures(path)


def test_a_figure_without_a_name_is_refused(tmp_path):
    path = save_figures(tmp_path, [row("f", "a/f", 3.0)], (64, 32), 2)
    data = json.loads(path.read_text())
    del data["functions"][0]["name"]
    path.write_text(json.dumps(data))
    with pytest.raises(LiftError, match="KeyError"):
        read_figures(path)
