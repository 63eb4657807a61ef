"""Buffers share numpy memory, in the real package's axis order."""

from __future__ import annotations

from typing import Any

import halide
import numpy as np
import pytest

import compiler

BOTH = pytest.mark.parametrize("hl", [halide, compiler])


@BOTH
def test_the_last_numpy_axis_is_dimension_0(hl: Any) -> None:
    array = np.arange(12, dtype=np.uint8).reshape(3, 4)
    buffer = hl.Buffer(array)
    assert (buffer.dim(0).extent(), buffer.dim(1).extent()) == (4, 3)
    assert (buffer.dim(0).stride(), buffer.dim(1).stride()) == (1, 4)
    assert buffer[1, 2] == array[2, 1]
    assert np.array(buffer).shape == (3, 4)


@BOTH
def test_memory_is_shared_and_rows_may_be_padded(hl: Any) -> None:
    padded = np.zeros((3, 8), np.uint8)
    f, x, y = hl.Func("f"), hl.Var("x"), hl.Var("y")
    f[x, y] = hl.u8(x + 10 * y + 1)
    f.realize(hl.Buffer(padded[:, :5]))
    expected = np.add.outer(10 * np.arange(3), np.arange(5)) + 1
    np.testing.assert_array_equal(padded[:, :5], expected)
    assert (padded[:, 5:] == 0).all()


@BOTH
def test_mins_move_the_coordinates(hl: Any) -> None:
    buffer = hl.Buffer(hl.UInt(8), [4, 3])
    buffer.set_min([1, 2])
    f, x, y = hl.Func("f"), hl.Var("x"), hl.Var("y")
    f[x, y] = hl.u8(x + 10 * y)
    f.realize(buffer)
    assert buffer[1, 2] == 21
    assert np.array(buffer)[0, 0] == 21


@BOTH
def test_a_stage_without_coordinates_is_one_number(hl: Any) -> None:
    f, r = hl.Func("f"), hl.RDom([(0, 4)])
    f[()] = 3
    f[()] += r.x
    assert int(np.array(f.realize())) == 9


@BOTH
def test_a_pipeline_realizes_all_its_outputs(hl: Any) -> None:
    f, g, x = hl.Func("f"), hl.Func("g"), hl.Var("x")
    f[x] = x
    g[x] = hl.u8(f[x] * 2)
    made = hl.Pipeline([f, g]).realize([5])
    np.testing.assert_array_equal(np.array(made[0]), np.arange(5))
    np.testing.assert_array_equal(np.array(made[1]), 2 * np.arange(5))


def test_an_output_may_lie_on_an_input() -> None:
    hl = compiler
    for width in (1, 63, 64, 200):
        array = np.random.default_rng(width).integers(0, 256, (5, width), dtype=np.uint8)
        expected = 255 - array
        image = hl.ImageParam(hl.UInt(8), 2, "image")
        f, x, y = hl.Func("f"), hl.Var("x"), hl.Var("y")
        f[x, y] = 255 - image[x, y]
        image.set(hl.Buffer(array))
        f.realize(hl.Buffer(array))
        np.testing.assert_array_equal(array, expected)


def test_empty_outputs_read_nothing() -> None:
    hl = compiler
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    image.set(hl.Buffer(np.zeros((0, 0), np.uint8)))
    f, x, y = hl.Func("f"), hl.Var("x"), hl.Var("y")
    f[x, y] = image[x, y] + image[x + 1, y]
    assert np.array(f.realize([0, 0])).shape == (0, 0)


def test_a_lifted_stride_allows_any_layout() -> None:
    hl = compiler
    array = np.arange(24, dtype=np.uint8).reshape(4, 6)
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    f, x, y = hl.Func("f"), hl.Var("x"), hl.Var("y")
    f[x, y] = image[x, y] * 2
    image.set(hl.Buffer(array[:, ::2]))
    with pytest.raises(hl.HalideError, match="stride"):
        f.realize([3, 4])
    image.dim(0).set_stride(hl.Expr())
    np.testing.assert_array_equal(np.array(f.realize([3, 4])), array[:, ::2] * 2)


def test_import_is_light() -> None:
    import subprocess
    import sys

    code = "import sys, compiler; sys.exit('llvmlite' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_objects_and_headers_are_written(tmp_path: Any) -> None:
    hl = compiler
    image, gain = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Param(hl.Int(32), "gain")
    f, x, y = hl.Func("f"), hl.Var("x"), hl.Var("y")
    f[x, y] = hl.u8(image[x, y] * gain)
    f.compile_to_static_library(str(tmp_path / "scale"), [image, gain], "scale")
    assert "scale" in (tmp_path / "scale.h").read_text()
    assert (tmp_path / "scale.a").stat().st_size > 0
    f.compile_to_lowered_stmt(str(tmp_path / "f.txt"), [image, gain])
    assert "vector" in (tmp_path / "f.txt").read_text()
    with pytest.raises(hl.HalideError, match="gain"):
        f.compile_to_object(str(tmp_path / "f.o"), [image])
