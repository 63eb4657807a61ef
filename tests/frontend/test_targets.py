"""Targets: text, features and sizes of vectors as the real package has them."""

from __future__ import annotations

import halide
import pytest

import compiler
from tests.lang.both import assert_same

TEXTS = [
    "x86-64-linux", "x86-64-linux-avx2", "x86-64-linux-sse41-avx2-avx", "x86-64-avx2-linux",
    "arm-64-linux", "arm-64-android", "x86-32-linux", "x86-64-linux-cuda",
    "x86-64-linux-no_asserts",
    "x86-64-linux-avx512_cannonlake-no_runtime", "x86-64-linux-tune_znver3",
    "arm-64-osx-arm_dot_prod", "wasm-32-wasmrt", "x86-64-linux-avx512_skylake-f16c",
    "x86-64-linux-avx",
]  # fmt: skip
SHOWN = (
    "str(t), t.bits, t.arch, t.os, t.has_gpu_feature(), t.maximum_buffer_size(), "
    "[t.natural_vector_size(k) for k in (hl.UInt(8), hl.Int(16), hl.Float(32), hl.Float(64))]"
)


@pytest.mark.parametrize("text", TEXTS)
def test_a_target_is_read_and_written_as_by_halide(text: str) -> None:
    assert not assert_same(f"t = hl.Target('{text}')\n{SHOWN}").error
    assert compiler.Target.validate_target_string(text)


@pytest.mark.parametrize("text", ["x86-64", "linux", "x86-64-linux-foo", "bogus"])
def test_what_names_no_target_is_refused(text: str) -> None:
    assert "Did not understand" in assert_same(f"hl.Target('{text}')").message
    assert not compiler.Target.validate_target_string(text)


@pytest.mark.parametrize(
    "text",
    [
        "str(hl.Target())",
        "t = hl.Target('x86-64-linux-avx2')\nstr(t.with_feature(hl.TargetFeature.CUDA)), str(t)",
        "t = hl.Target('x86-64-linux-avx2')\nt.set_feature(hl.TargetFeature.NoAsserts)\nstr(t)",
        "t = hl.Target('x86-64-linux-fma')\nt.set_features([hl.TargetFeature.FMA], False)\nstr(t)",
        "t, F = hl.Target('x86-64-linux-fma'), hl.TargetFeature\nt.has_feature(F.FMA)",
        "hl.Target('x86-64-linux') == hl.Target('x86-64-linux')",
        "str(hl.Target(hl.TargetOS.Linux, hl.TargetArch.X86, 64, [hl.TargetFeature.AVX2]))",
        "hash(hl.Target('x86-64-linux'))",
        "hl.Target(3)",
        "hl.get_jit_target_from_environment().has_feature(hl.TargetFeature.JIT)",
    ],
)  # fmt: skip
def test_a_target_is_changed_and_compared_as_by_halide(text: str) -> None:
    assert_same(text)


def test_the_environment_names_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HL_TARGET", "arm-64-linux")
    monkeypatch.setenv("HL_JIT_TARGET", "host-no_asserts")
    jit = "hl.get_jit_target_from_environment().has_feature(hl.TargetFeature.NoAsserts)"
    assert_same(f"str(hl.get_target_from_environment()), {jit}")
    monkeypatch.setenv("HL_JIT_TARGET", "arm-64-linux")
    assert_same("str(hl.get_jit_target_from_environment())")


ENUMS = ["TargetArch", "TargetOS", "TargetFeature", "TargetProcessorTune", "OutputFileType",
         "StmtOutputFormat", "LinkageType", "ArgumentKind", "ArgInfoKind", "ArgInfoDirection",
         "NameMangling", "DeviceAPI", "MemoryType", "TailStrategy", "Partition",
         "LoopAlignStrategy", "PrefetchBoundStrategy"]  # fmt: skip


@pytest.mark.parametrize("name", ENUMS)
def test_an_enumeration_has_halides_names_and_numbers(name: str) -> None:
    theirs, ours = (getattr(hl, name).__members__ for hl in (halide, compiler))
    missing = {n: int(m) for n, m in theirs.items() if n not in ours}
    assert not missing
    assert {n: ours[n].value for n in theirs} == {n: m.value for n, m in theirs.items()}


def test_every_name_of_halide_is_ours_too() -> None:
    """But for what is another language's, another processor's, or comes later."""
    later = {"Derivative", "propagate_adjoints", "Handle",
             "EvictionKey", "ExternFuncArgument", "deserialize_parameters",
             "deserialize_pipeline", "serialize_pipeline", "host_supports_target_device",
             "install_dir", "target_arch_is", "target_bits", "target_feature_for_device_api",
             "target_has_feature", "target_natural_vector_size", "target_os_is",
             "user_context_value", "halide_", "Dimension"}  # fmt: skip
    names = {n for n in dir(halide) if not n.startswith("__")}
    private = {n for n in names if n.startswith("_") and not n[1:].isdigit() and n != "_"}
    assert sorted(names - private - later - set(dir(compiler))) == []


@pytest.mark.parametrize("cls", ["Func", "Stage", "Pipeline", "Target", "LoopLevel", "Callable"])
def test_every_method_of_halide_is_ours_too(cls: str) -> None:
    methods = {n for n in dir(getattr(halide, cls)) if not n.startswith("_")}
    fields = {"arch", "bits", "os", "processor_tune"} if cls == "Target" else set()
    assert sorted(methods - fields - set(dir(getattr(compiler, cls)))) == []
