"""Buffers share numpy memory, in the real package's axis order."""

from __future__ import annotations

from typing import Any

import halide
import numpy as np
import pytest

import compiler

from .both import assert_same, cases

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


TEXTS = cases("""
hl.Buffer().defined(); hl.Buffer().dimensions(); hl.Buffer(hl.UInt(8), [4, 3], "nm").name()
hl.Buffer(hl.UInt(8), [4, 3], [1, 0]).dim(0).stride(); hl.Buffer(hl.UInt(8), 4)
hl.Buffer([1, 2, 3])
hl.Buffer(np.zeros(3, np.complex64)); hl.Buffer(np.zeros(3, ">i4")); hl.Buffer(np.array(["a"]))
hl.Buffer(np.zeros(3, np.float16)).type(); hl.Buffer(bytearray(5)).type(); hl.Buffer(b"abc")
hl.Buffer(hl.BFloat(16), [3]).type(); hl.Buffer(memoryview(bytearray(5))).width()
hl.Buffer(np.zeros((2, 3))[:, ::2]).dim(0).stride(); hl.Buffer(np.zeros(5)[::-1]).dim(0).stride()
hl.Buffer(np.zeros((3, 4, 5), np.uint8), reverse_axes=False).dim(0).extent()
hl.Buffer(np.float32(3)); hl.Buffer(hl.UInt(8), [2 ** 31]); hl.Buffer(np.zeros(3), "q").name()
b.width(); b.height(); b.channels(); b.left(); b.right(); b.top(); b.bottom(); c.height()
b.number_of_elements(); b.size_in_bytes(); b[1, 2]; b[1]; b[1, 2, 3]; b[4, 0]; b[-1, 0]; b[(1, 2)]
b[[1, 2]]; b[1.5, 0]; c[2]; c[hl.Var("x")]; b[hl.Var("x"), 1]; b[hl.f32(hl.Var("x")), 1]
b.fill(300); b.fill(3.7); b.fill(7); b.all_equal(0); b.all_equal(300); b.contains([1, 2])
b.contains([4, 2]); b.contains([1]); b.contains([1, 2, 3]); put(b, (1, 2), 300); put(b, (1, 2), 9)
put(b, (1, 2), 1.5); put(b, (9, 2), 1); put(b, (1, 2), "a"); put(b, (0, 0), True)
after("crop", 0, 1, 2); after("crop", [(1, 2), (0, 2)]); after("crop", [(1, 2)])
of("cropped", [(1, 2), (1, 1)]); of("cropped", 1, 1, 2); after("slice", 0, 1); after("slice", 1)
of("sliced", 1, 2); of("sliced", 0); after("embed", 0, 5); after("embed", 1); after("embed", 2, 3)
of("embedded", 0, 5); after("translate", 0, 5); after("translate", [5, 6]); after("translate", [5])
of("translated", 1, 2); after("transpose", 0, 1); after("transpose", [1, 0]); of("transposed", 0, 1)
of("reverse_axes"); after("add_dimension"); after("set_min", [3, 4]); after("set_min", [3])
after("set_min", [1, 2, 3]); b.copy_to_host(); b.device_sync(); b.has_device_allocation()
b.host_dirty(); b.same_as(b); b.same_as(hl.Buffer(b)); copied(); visited(); list(c); len(b); bool(b)
hl.Buffer.make_interleaved(hl.UInt(8), 4, 3, 2, "nn").dim(0).stride()
hl.Buffer.make_scalar(hl.UInt(8)).dimensions(); put(hl.Buffer.make_scalar(hl.UInt(8)), (), 3)
hl.Buffer.make_with_shape_of(b.transposed(0, 1)).dim(0).stride()
hl.Buffer.make_bounds_query(hl.UInt(8), [3, 4]).dim(0).extent(); np.array(b.transposed(0, 1)).shape
hl.Buffer(hl.UInt(8), [0, 3]).number_of_elements()
""")


def names(hl: Any) -> dict[str, Any]:
    b = hl.Buffer(np.arange(12, dtype=np.uint8).reshape(3, 4))

    def put(buffer: Any, index: Any, value: Any) -> Any:
        buffer[index] = value
        return buffer[index]

    def layout(buffer: Any) -> Any:
        dims = [buffer.dim(i) for i in range(buffer.dimensions())]
        return [[d.min(), d.extent(), d.stride()] for d in dims], np.array(buffer).tolist()

    def after(method: str, *args: Any) -> Any:
        getattr(b, method)(*args)
        return layout(b)

    def of(method: str, *args: Any) -> Any:
        return layout(getattr(b, method)(*args)), layout(b)

    def copied() -> Any:
        corner = hl.Buffer(hl.UInt(8), [2, 2])
        corner.set_min([1, 1])
        corner.copy_from(b)
        return np.array(corner).tolist()

    def visited() -> Any:
        found: list[list[int]] = []
        b.for_each_element(lambda at: found.append(list(at)))
        return found

    row = hl.Buffer(np.arange(4, dtype=np.uint8))
    return {"b": b, "c": row, "put": put, "after": after, "of": of, "copied": copied,
            "visited": visited}  # fmt: skip


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("text", TEXTS)
def test_a_buffer_is_halides(text: str) -> None:
    assert_same(text, names)


@pytest.mark.parametrize("text", [
    "b.crop(0, 2, 9)", "b.crop(0, -1, 2)", "b.slice(0, 9)", "b.translate(7, 1)", "b.dim(2)",
    "b.transpose([1, 1])", "b.copy_to_device()", "b.copy_from(hl.Buffer(hl.UInt(16), [4, 3]))",
])  # fmt: skip
def test_what_halide_leaves_undefined_is_a_mistake(text: str) -> None:
    with pytest.raises(compiler.HalideError):
        eval(text, {"hl": compiler, **names(compiler)})


@BOTH
def test_views_are_realized_into_and_read_from(hl: Any) -> None:
    memory = np.zeros((6, 10), np.int32)
    x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
    f[x, y] = x + 100 * y
    part = hl.Buffer(memory).cropped([(2, 5), (1, 3)])
    part.translate([-10, 4])
    f.realize(part)
    expected = np.zeros((6, 10), np.int32)
    expected[1:4, 2:7] = np.arange(-8, -3) + 100 * np.arange(5, 8)[:, None]
    np.testing.assert_array_equal(memory, expected)
    g = hl.Func("g")
    g[x, y] = part[x - 8, y + 5] * 2
    np.testing.assert_array_equal(np.array(g.realize([5, 3])), 2 * expected[1:4, 2:7])


def test_a_bfloat16_buffer_holds_rounded_numbers() -> None:
    b = compiler.Buffer(compiler.BFloat(16), [3])
    b[1] = 3.14159
    assert b[1] == 3.140625
    assert list(b) == [0.0, 3.140625, 0.0]


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (0, 0)], ids=str)
def test_what_is_empty_has_dense_rows_too(shape: tuple[int, int]) -> None:
    strides = []
    for hl in (halide, compiler):
        made = hl.Buffer(hl.UInt(8), list(shape))
        strides.append([made.dim(d).stride() for d in (0, 1)])
        x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
        f[x, y] = hl.u8(x + y)
        assert np.array(f.realize(list(shape))).shape == shape[::-1]
        f.realize(hl.Buffer(np.zeros(shape, np.uint8)))
    assert strides[0] == strides[1]
