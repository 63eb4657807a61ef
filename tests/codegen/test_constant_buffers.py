"""Constant images in compiled files: part of the code, as the real Halide makes them."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import halide
import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import compiler
from compiler.codegen.buffers import BufferArgument

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")

TABLE = np.arange(48, dtype=np.uint16).reshape(6, 8) * 37 % 251
WINDOW: Callable[[Any], Any] = lambda hl: hl.Buffer(TABLE)  # noqa: E731
TABLES: dict[str, Callable[[Any], Any]] = {
    "whole": WINDOW,
    "every other": lambda hl: hl.Buffer(TABLE[:, ::2]),
    "backwards": lambda hl: hl.Buffer(TABLE[::-1, ::-1]),
    "repeated": lambda hl: hl.Buffer(as_strided(TABLE, (6, 8), (0, 2))),
    "transposed": lambda hl: hl.Buffer(TABLE.T),
    "moved": lambda hl: _moved(hl.Buffer(TABLE)),
}


def _moved(buffer: Any) -> Any:
    buffer.set_min([1, -1])
    return buffer


def pipeline(hl: Any, table: Callable[[Any], Any]) -> tuple[Any, Any]:
    """`scaled(x, y) = image(x, y) * table(x, y)` over 4 by 4 points from (1, 1)."""
    x, y = hl.Var("x"), hl.Var("y")
    image, f = hl.ImageParam(hl.UInt(16), 2, "image"), hl.Func("scaled")
    f[x, y] = image[x, y] * table(hl)[x % 3 + 1, y % 4]
    return f, image


IMAGE = np.arange(16, dtype=np.uint16).reshape(4, 4) + 1


def expected(table: Callable[[Any], Any]) -> np.ndarray:
    f, image = pipeline(halide, table)
    image.set(halide.Buffer(IMAGE))
    return np.array(f.realize([4, 4]))


def loaded(folder: Path) -> ctypes.CDLL:
    command = ["gcc", "-shared", "-Wl,--no-undefined", "f.o", "-o", "f.so"]
    subprocess.run(command, cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "f.so"))


def called(library: ctypes.CDLL) -> tuple[int, np.ndarray]:
    """The code and the output of a call with `IMAGE`."""
    out = np.zeros((4, 4), np.uint16)
    type = compiler.UInt(16)
    records = [BufferArgument.of(a, "").record(type) for a in (IMAGE, out)]
    code = library.scale(*(ctypes.byref(r) for r in records))
    return code, out


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("table", TABLES)
def test_a_constant_image_is_part_of_the_code(table: str, tmp_path: Path) -> None:
    f, image = pipeline(compiler, TABLES[table])
    f.compile_to_object(str(tmp_path / "f.o"), [image], "scale")
    code, out = called(loaded(tmp_path))
    assert code == 0
    np.testing.assert_array_equal(out, expected(TABLES[table]))


def test_code_keeps_what_the_image_held_when_it_was_compiled(tmp_path: Path) -> None:
    memory = TABLE.copy()
    f, image = pipeline(compiler, lambda hl: hl.Buffer(memory))
    f.compile_to_object(str(tmp_path / "f.o"), [image], "scale")
    memory[...] = 0
    assert (called(loaded(tmp_path))[1] == expected(WINDOW)).all()
    image.set(compiler.Buffer(IMAGE))
    assert not np.array(f.realize([4, 4])).any(), "in this process its memory is shared"


def test_nobody_passes_a_constant_image(tmp_path: Path) -> None:
    f, image = pipeline(compiler, WINDOW)
    f.compile_to_header(str(tmp_path / "f.h"), [image], "scale")
    assert (
        "scale(struct halide_buffer_t *_image_buffer, struct halide_buffer_t *_scaled"
        in (tmp_path / "f.h").read_text()
    )
    module = f.compile_to_module([image], "scale")
    assert [b.dimensions() for b in module.buffers()] == [2]
    assert [a.name.split("$")[0] for a in module.functions()[0].parameters] == ["image", "scaled"]


def test_an_image_among_the_arguments_is_passed(tmp_path: Path) -> None:
    made = []
    for hl in (halide, compiler):
        buffer = hl.Buffer(TABLE)
        f, image = pipeline(hl, lambda _, buffer=buffer: buffer)
        f.compile_to_header(str(tmp_path / "f.h"), [image, buffer], "scale")
        (line,) = [t for t in (tmp_path / "f.h").read_text().splitlines() if "scale(s" in t]
        made.append(line.count("halide_buffer_t"))
    assert made == [3, 3]


def test_what_a_constant_image_does_not_cover_is_refused_when_called(tmp_path: Path) -> None:
    small: Callable[[Any], Any] = lambda hl: hl.Buffer(TABLE[:2])  # noqa: E731
    f, image = pipeline(compiler, small)
    f.compile_to_object(str(tmp_path / "f.o"), [image], "scale")
    library = loaded(tmp_path)
    said: list[str] = []
    handler = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(lambda m: said.append(m.decode()))
    library.lift_set_error_handler(handler)
    assert called(library)[0] == -4
    assert "is accessed at 3, which is beyond the max (1) in dimension 1" in said[0]
    with pytest.raises(halide.HalideError, match=r"accessed at 3, which is beyond the max \(1\)"):
        expected(small)


def test_objects_for_other_machines_have_constant_images(tmp_path: Path) -> None:
    f, image = pipeline(compiler, WINDOW)
    f.compile_to_object(str(tmp_path / "f.o"), [image], "scale", compiler.Target("arm-64-linux"))
    assert TABLE.tobytes() in (tmp_path / "f.o").read_bytes()
