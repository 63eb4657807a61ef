"""`lift bench --target cuda`, on a driver without a GPU: what is compared, and what is shown."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from lifter.bench import measure
from lifter.bench.device import Cuda, pays_from
from tests.build.programs import environment
from tests.build.programs import lift as lift_apart
from tests.calling_lift import Ran, lift
from tests.gpu.emulated_driver import Driver, emulated_driver
from tests.nursery import NURSERY

SOURCE = """
#include <stdint.h>
void faded(const uint8_t *s, uint8_t *d, int w, int h, int ss, int sd)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) d[y * sd + x] = (s[y * ss + x] * 3 + d[y * sd + x]) / 4;
}
void keyed(const uint8_t *s, uint8_t *d, int n)
{
    for (int i = 0; i < n; i++) if (s[i] != 0) d[i] = s[i];
}
void smeared(uint8_t *d, int n)
{
    for (int i = 1; i < n; i++) d[i] = (d[i - 1] + d[i]) / 2;
}
"""
__all__ = ["lift"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bench_on_device")
    (folder / "f.c").write_text(SOURCE)
    for command in (("f.c", "-o", "out"), ("build", "out", "--target", "cuda", "--no-library")):
        run = lift_apart(*command, "-j1", cwd=folder)
        assert run.status == 0, run.out + run.err
    return folder


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    """The emulated driver, whose kernels run in this process alone: so does what is measured."""
    start = subprocess.run

    def run(command: list[str], **options: Any) -> Any:
        if "lifter.bench.measure" not in command:
            return start(command, **options)
        said = StringIO()
        *words, seconds, target = command[command.index("lifter.bench.measure") + 1 :]
        with redirect_stdout(said):
            status = measure.main([*words, str(float(seconds) / 100), target])
        return subprocess.CompletedProcess(command, status, said.getvalue(), "")

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(measure, "SIZES", ((0, 0), (17, 9)))
    monkeypatch.setattr(Cuda, "LEAD_BYTES", 64)
    # This process's own runtime keeps to the driver that it opens first, which others bring.
    found = (13000, 90, "Emulated device of 9.0")
    monkeypatch.setattr("compiler.runtime.device.describe", lambda: found)
    with emulated_driver() as driver:
        yield driver


def timed(folder: Path, lift: Callable[..., Ran], *more: str) -> tuple[Ran, dict[str, Any]]:
    out = folder / "out"
    ran = lift("bench", str(out), "--target", "cuda", "--size", "20x12", *more)
    return ran, json.loads((out / "bench.json").read_text())


def test_a_call_is_told_in_its_parts(built: Path, driver: Driver, lift: Callable[..., Ran]) -> None:
    ran, kept = timed(built, lift)
    assert ran.status == 0, ran.said
    assert ran.out.startswith("on Emulated device of 9.0, sm_90, images of 20 x 12\n")
    rows = {row["name"]: row for row in kept["functions"]}
    assert kept["device"].endswith(", sm_90")
    faded, keyed = rows["faded"]["device"], rows["keyed"]["device"]
    assert faded["launches"] == keyed["launches"] == 1
    assert all(faded[part] >= 0 for part in ("kernels_ms", "launch_ms", "there_ms", "in_ms"))
    assert faded["copied_ms"] > 0 and keyed["copied_ms"] is None
    assert rows["faded"]["equal"] and rows["keyed"]["equal"]
    assert rows["faded"]["compared"] > rows["keyed"]["compared"] > 4
    assert rows["smeared"]["device"] is None
    assert "smeared: it has no kernels for such images: the processor alone runs it" in ran.out
    assert driver.live()["memories"] == driver.live()["events"] == 0


def test_a_wrong_kernel_is_found(built: Path, driver: Driver, lift: Callable[..., Ran]) -> None:
    driver.register("faded_pipeline$2e_kernel0", lambda launch: 0)
    ran, kept = timed(built, lift)
    assert ran.status == 1
    assert [row["equal"] for row in kept["functions"]] == [False, True, True]
    assert "faded: on the GPU, " in ran.out and "in the original" in ran.out


def test_the_table_as_markdown(built: Path, driver: Driver, lift: Callable[..., Ran]) -> None:
    ran, _ = timed(built, lift, "--markdown")
    head, rule, *rows = ran.out.splitlines()
    assert head.startswith("| function | equal | original | processor | kernels | launch |")
    assert {line.count("|") for line in (head, rule, *rows)} == {12}
    assert [row.split("|")[1].strip() for row in rows][-2:] == ["`smeared`", "geometric mean"]


def test_a_launch_that_fails_is_told_beside_the_others(
    built: Path, driver: Driver, lift: Callable[..., Ran]
) -> None:
    driver.inject("cuLaunchKernel", 701, times=-1)
    ran, kept = timed(built, lift)
    assert ran.status == 0
    assert [row["device"] for row in kept["functions"]] == [None] * 3
    assert all(row["equal"] and row["original_ms"] for row in kept["functions"])
    assert "faded, keyed: the call failed on the GPU (code -23)" in ran.out


@pytest.mark.slow
def test_a_library_for_the_processor_has_nothing_to_time(
    built: Path, driver: Driver, lift: Callable[..., Ran], tmp_path: Path
) -> None:
    shutil.copytree(built, tmp_path / "own")
    assert lift_apart("build", "out", "-j1", cwd=tmp_path / "own").status == 0
    ran, kept = timed(tmp_path / "own", lift)
    assert ran.status == 0 and [row["device"] for row in kept["functions"]] == [None] * 3
    assert "it was built for the processor alone: lift build DIR --target cuda" in ran.out


@pytest.mark.parametrize(
    ("small", "large", "bytes"),
    (
        ((100, 1.0, 3.0), (1100, 11.0, 8.0), 500),
        ((100, 1.0, 3.0), (1100, 3.0, 6.0), None),
        ((100, 5.0, 3.0), (1100, 15.0, 8.0), 1),
        ((100, 1.0, 3.0), (100, 1.0, 3.0), None),
    ),
)
def test_from_where_on_copies_pay(
    small: tuple[int, float, float], large: tuple[int, float, float], bytes: int | None
) -> None:
    assert pays_from(small, large) == bytes


def test_without_a_device_nothing_is_timed(built: Path) -> None:
    (built / "out" / "bench.json").unlink(missing_ok=True)
    command = ["bench", "out", "--target", "cuda"]
    without = environment() | {"LIFT_CUDA_LIBRARY": "no_such.so"}
    status, out, err = NURSERY.lift(command, built, without)
    assert (status, out) == (2, "")
    assert err.startswith("error: --target cuda needs a GPU: There is no CUDA driver here: ")
    assert "[missing-tool]" in err and not (built / "out" / "bench.json").exists()
    status, out, _ = NURSERY.lift(["doctor"], built, without)
    assert "absent   GPU           There is no CUDA driver here: " in out
