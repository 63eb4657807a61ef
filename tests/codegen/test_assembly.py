"""The instructions that a person would have used are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler import ir
from compiler.codegen import Target, TargetError, emit
from compiler.ir import U8, U16, Cast, Expr, intrinsic

from .kernels import elementwise, splat


def multiply(a: Expr, b: Expr) -> Expr:
    lanes = a.type.lanes
    wide = U16.with_lanes(lanes)
    product = ir.Mul(Cast(wide, a), Cast(wide, b))
    return Cast(U8.with_lanes(lanes), ir.Div(product, splat(255, wide)))


def saturating(a: Expr, b: Expr) -> Expr:
    return intrinsic("saturating_sub", intrinsic("saturating_add", a, b), splat(3, a.type))


def quotient(a: Expr, b: Expr) -> Expr:
    return ir.Div(a, b)


KERNELS = {"multiply": multiply, "saturating": saturating, "quotient": quotient}


def assembly(kernel: str, target: str, folder: Path, lanes: int = 64) -> str:
    fn = elementwise("f", {"a": U8, "b": U8}, U8, KERNELS[kernel], lanes)
    emit(fn, "assembly", folder / "f.s", target)
    return (folder / "f.s").read_text()


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("kernel", "target", "wanted", "unwanted"),
    [
        ("multiply", "x86-64", ["pmullw", "pmulhuw", "packuswb"], ["pmulld", "pmuludq"]),
        ("multiply", "x86-64-avx2", ["vpmullw", "vpmulhuw", "vpackuswb"], ["vpmulld"]),
        ("multiply", "x86-64-avx512", ["vpmullw", "vpmulhuw", "vpmovwb", "zmm"], ["vpmulld"]),
        ("multiply", "aarch64", ["umull", "umull2"], ["udiv"]),
        ("saturating", "x86-64", ["paddusb", "psubusb"], ["pminuw"]),
        ("saturating", "x86-64-avx2", ["vpaddusb", "vpsubusb", "ymm"], []),
        ("saturating", "x86-64-avx512", ["vpaddusb", "vpsubusb", "zmm"], []),
        ("saturating", "aarch64", ["uqadd", "uqsub"], []),
        ("quotient", "x86-64-avx2", ["vdivps"], []),
    ],
)
def test_vector_code_uses_the_right_instructions(
    kernel: str, target: str, wanted: list[str], unwanted: list[str], tmp_path: Path
) -> None:
    text = assembly(kernel, target, tmp_path)
    missing = [w for w in wanted if w not in text]
    assert not missing, f"{missing} missing"
    assert not [w for w in unwanted if w in text]


def test_scalar_code_has_none_of_them_before_it_is_vectorised(tmp_path: Path) -> None:
    assert "vdivps" not in assembly("quotient", "x86-64-avx2", tmp_path, lanes=1)


def test_floats_are_never_contracted(tmp_path: Path) -> None:
    fn = elementwise("f", {"a": ir.F32}, ir.F32, lambda a: ir.Add(ir.Mul(a, a), a), lanes=16)
    emit(fn, "assembly", tmp_path / "f.s", "x86-64-avx512")
    text = (tmp_path / "f.s").read_text()
    assert "vmulps" in text and "vaddps" in text and "vfmadd" not in text


def test_targets_are_parsed_with_their_features() -> None:
    assert Target.parse("x86-64-avx512").natural_vector_bits == 512
    assert Target.parse("x86-64-avx2").natural_vector_bits == 256
    assert Target.parse("x86-64").natural_vector_bits == 128
    assert Target.parse("aarch64").natural_vector_bits == 128
    assert Target.parse("x86_64-unknown-linux-gnu+avx2").natural_vector_bits == 256
    assert Target.parse("x86-64+avx2").has("avx2")
    assert Target.parse("aarch64-unknown-linux-gnu+dotprod").architecture == "aarch64"
    assert Target.parse("host") is Target.host()


@pytest.mark.parametrize("text", ["vax", "", "x86-64+", "nosuch-unknown-linux-gnu"])
def test_unknown_targets_are_refused(text: str) -> None:
    with pytest.raises(TargetError):
        Target.parse(text)


def test_an_unknown_kind_of_file_is_refused(tmp_path: Path) -> None:
    fn = elementwise("f", {"a": U8}, U8, lambda a: a)
    with pytest.raises(ValueError, match="kinds are object"):
        emit(fn, "fortran", tmp_path / "f", "host")  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["llvm", "llvm_assembly", "bitcode", "assembly"])
def test_every_kind_of_file_is_written_whole(kind: str, tmp_path: Path) -> None:
    fn = elementwise("f", {"a": U8}, U8, lambda a: a)
    emit(fn, kind, tmp_path / "f")  # type: ignore[arg-type]
    content = (tmp_path / "f").read_bytes()
    assert content.startswith(b"BC") if kind == "bitcode" else b"f" in content
    assert [p.name for p in tmp_path.iterdir()] == ["f"]
