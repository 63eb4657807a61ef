"""Files: every kind that this compiler writes is there and is what its name says."""

from __future__ import annotations

from pathlib import Path

import pytest

import compiler
from compiler import OutputFileType, StmtOutputFormat

Program = tuple[compiler.Func, list[object]]


@pytest.fixture
def program() -> Program:
    x, y = compiler.vars("x y")
    image = compiler.ImageParam(compiler.UInt(8), 2, "image")
    factor = compiler.Param(compiler.UInt(8), "factor")
    f = compiler.Func("scaled")
    f[x, y] = image[x, y] * factor
    return f, [image, factor]


STARTS = {
    "object": b"\x7fELF",
    "bitcode": b"BC\xc0\xde",
    "static_library": b"!<arch>\n",
}
CONTAINS = {
    "assembly": "scale:",
    "llvm_assembly": "define",
    "c_header": "int scale(",
    "stmt": "scaled",
    "stmt_html": "<summary>",
    "conceptual_stmt": "scaled",
    "conceptual_stmt_html": "<summary>",
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("kind", [*STARTS, *CONTAINS])
def test_a_file_of_each_kind_is_written(program: Program, kind: str, tmp_path: Path) -> None:
    f, arguments = program
    path = tmp_path / "file"
    f.compile_to({OutputFileType[kind]: str(path)}, arguments, "scale")
    if kind in STARTS:
        assert path.read_bytes().startswith(STARTS[kind])
    else:
        assert CONTAINS[kind] in path.read_text()


METHODS = {
    "compile_to_object": ("o", ["o"]),
    "compile_to_assembly": ("s", ["s"]),
    "compile_to_bitcode": ("bc", ["bc"]),
    "compile_to_llvm_assembly": ("ll", ["ll"]),
    "compile_to_header": ("h", ["h"]),
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("method", METHODS)
def test_a_method_takes_a_name_and_a_target_in_each_way(
    program: Program, method: str, tmp_path: Path
) -> None:
    f, arguments = program
    target = compiler.Target("arm-64-linux")
    write = getattr(f, method)
    path = tmp_path / "out"
    for more in ([], ["scale"], ["scale", target]):
        write(str(path), arguments, *more)
        assert path.stat().st_size > 0
        path.unlink()
    if method != "compile_to_header":
        write(str(path), arguments, target)
        assert path.stat().st_size > 0


def test_pairs_of_files_have_their_suffixes(program: Program, tmp_path: Path) -> None:
    f, arguments = program
    f.compile_to_file(str(tmp_path / "a"), arguments, "scale")
    compiler.Pipeline(f).compile_to_static_library(str(tmp_path / "b"), arguments, "scale")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.h", "a.o", "b.a", "b.h"]


def test_statements_are_written_as_text_and_as_a_page(program: Program, tmp_path: Path) -> None:
    f, arguments = program
    f.compile_to_lowered_stmt(str(tmp_path / "t"), arguments)
    f.compile_to_lowered_stmt(str(tmp_path / "h"), arguments, StmtOutputFormat.HTML)
    f.compile_to_conceptual_stmt(str(tmp_path / "c"), arguments, fmt=StmtOutputFormat.Text)
    assert "factor" in (tmp_path / "t").read_text()
    assert (tmp_path / "h").read_text().startswith("<!DOCTYPE html>")
    assert "produce scaled" in (tmp_path / "c").read_text()


def test_a_module_is_compiled_later(program: Program, tmp_path: Path) -> None:
    f, arguments = program
    module = f.compile_to_module(arguments, "scale")
    assert module.name() == "scale"
    path = tmp_path / "m.o"
    module.compile({OutputFileType.object: str(path)})
    assert path.read_bytes().startswith(b"\x7fELF")


def test_inferred_arguments_may_be_given_back(program: Program, tmp_path: Path) -> None:
    f, _ = program
    f.compile_to_object(str(tmp_path / "x.o"), f.infer_arguments(), "scale")
    assert (tmp_path / "x.o").exists()


def test_a_missing_argument_is_named(program: Program, tmp_path: Path) -> None:
    f, arguments = program
    with pytest.raises(compiler.HalideError, match="parameter factor, which was not found"):
        f.compile_to_object(str(tmp_path / "x.o"), arguments[:1], "scale")


def test_a_file_that_cannot_be_written_is_named(program: Program, tmp_path: Path) -> None:
    f, arguments = program
    with pytest.raises(compiler.HalideError, match="Error opening output"):
        f.compile_to_object(str(tmp_path / "none" / "x.o"), arguments, "scale")


@pytest.mark.parametrize("target", ["hexagon-32-qurt", "x86-64-linux-opencl", "x86-64-windows"])
def test_a_target_without_a_code_generator_is_refused(
    program: Program, target: str, tmp_path: Path
) -> None:
    f, arguments = program
    with pytest.raises(compiler.HalideError, match="not supported"):
        f.compile_to_object(str(tmp_path / "x.o"), arguments, "scale", compiler.Target(target))


@pytest.mark.parametrize("method", ["compile_to_c", "compile_to_multitarget_static_library"])
def test_a_kind_of_file_that_is_not_written_is_refused_by_name(
    program: Program, method: str, tmp_path: Path
) -> None:
    f, arguments = program
    with pytest.raises(compiler.HalideError, match=f"{method} is not supported"):
        getattr(f, method)(str(tmp_path / "x"), arguments, [compiler.Target("host")])


def test_wrong_types_of_arguments_are_type_errors(program: Program, tmp_path: Path) -> None:
    f, _ = program
    for wrong in (["image"], [3], "image", None):
        with pytest.raises(TypeError):
            f.compile_to_object(str(tmp_path / "x.o"), wrong, "scale")
