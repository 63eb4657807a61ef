"""Images go to files and come back as planes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import compiler as hl
from compiler import imageio

pytest.importorskip("imageio", reason="the package imageio reads and writes the files")


def test_a_colour_image_comes_back_as_planes(tmp_path: Path) -> None:
    planes = np.random.default_rng(1).integers(0, 256, (3, 8, 12), dtype=np.uint8)
    imageio.imwrite(tmp_path / "a.png", planes)
    back = imageio.imread(tmp_path / "a.png")
    np.testing.assert_array_equal(back, planes)
    assert hl.Buffer(back).width() == 12


def test_a_buffer_is_written_and_a_grey_image_stays_as_it_is(tmp_path: Path) -> None:
    grey = np.random.default_rng(2).integers(0, 256, (8, 12), dtype=np.uint8)
    imageio.imwrite(tmp_path / "a.png", hl.Buffer(grey))
    np.testing.assert_array_equal(imageio.imread(tmp_path / "a.png"), grey)


def test_what_is_interleaved_already_is_written_as_it_is() -> None:
    pixels = np.zeros((8, 12, 3), np.uint8)
    assert imageio.is_interleaved(pixels)
    assert not imageio.is_interleaved(np.zeros((3, 8, 12), np.uint8))
    assert imageio.copy_to_interleaved(pixels) is pixels
