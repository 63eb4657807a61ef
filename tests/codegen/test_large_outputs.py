"""Unscheduled outputs that are too large for the caches go past them, and hold the same values."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import compiler as hl
from compiler.codegen import streams


@pytest.fixture
def _everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LARGE_BYTES", 2048)


def average(type: hl.Type) -> tuple[hl.Func, hl.ImageParam, hl.ImageParam]:
    x, y = hl.vars("x y")
    a, b = hl.ImageParam(type, 2, "a"), hl.ImageParam(type, 2, "b")
    f = hl.Func("f")
    f[x, y] = hl.cast(type, (hl.u32(a[x, y]) + b[x, y]) / 2)
    return f, a, b


@pytest.mark.usefixtures("_everything_is_large")
@pytest.mark.parametrize("bits", [8, 16])
def test_rows_of_every_width_hold_what_they_would(bits: int) -> None:
    f, a, b = average(hl.UInt(bits))
    type = np.dtype(f"u{bits // 8}")
    rng = np.random.default_rng(0)
    for width, height in ((1, 5000), (1023, 9), (1024, 3), (1031, 21), (4096, 2), (5003, 40)):
        left, right = rng.integers(0, 1 << bits, (2, height, width)).astype(type)
        a.set(hl.Buffer(left))
        b.set(hl.Buffer(right))
        memory = np.full((height + 2, width + 7), 77, type)
        f.realize(hl.Buffer(memory[1:-1, 3:-4]))
        assert (memory[1:-1, 3:-4] == (left.astype(int) + right) // 2).all(), (width, height)
        memory[1:-1, 3:-4] = 77
        assert (memory == 77).all(), "nothing beside the image is touched"


@pytest.mark.usefixtures("_everything_is_large")
def test_an_image_is_overwritten_in_place() -> None:
    f, a, b = average(hl.UInt(8))
    image = np.random.default_rng(1).integers(0, 256, (40, 3001), np.uint8)
    wanted = ((image.astype(int) + image) // 2).astype(np.uint8)
    a.set(hl.Buffer(image))
    b.set(hl.Buffer(image))
    f.realize(hl.Buffer(image))
    assert (image == wanted).all()


@pytest.mark.usefixtures("_everything_is_large")
def test_pixels_of_three_channels_hold_what_they_would() -> None:
    c, x, y = hl.vars("c x y")
    a, f = hl.ImageParam(hl.UInt(8), 3, "a"), hl.Func("f")
    f[c, x, y] = 255 - a[2 - c, x, y]
    for image in (a, f.output_buffer()):
        image.dim(0).set_bounds(0, 3)
        image.dim(1).set_stride(3)
    given = np.random.default_rng(2).integers(0, 256, (17, 801, 3), np.uint8)
    a.set(hl.Buffer(given))
    out = np.zeros_like(given)
    f.realize(hl.Buffer(out))
    assert (out == 255 - given[:, :, ::-1]).all()


def test_both_loops_are_there_and_a_schedule_by_hand_has_one(tmp_path: Path) -> None:
    f, a, b = average(hl.UInt(8))
    past = re.compile(r"v?movnt")
    path = tmp_path / "f.s"

    def text() -> str:
        f.compile_to_assembly(str(path), [a, b], "f", hl.Target("x86-64-linux-avx2"))
        return path.read_text()

    assert past.search(text())
    x, _ = f.args()
    f.vectorize(x, 32)
    assert not past.search(text())
