"""Which target a machine is, by what its processor says: tables of answers, not this machine's.

`data/processors.txt` has, for processors of the last ten years, the words that CPUID answers and
the target that the real package made of those very words (it was run with CPUID trapped and the
answers put in its place).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import compiler
from compiler.frontend import host as rules
from compiler.frontend import target as targets
from compiler.frontend.host import Cpuid, Host, arm_host, x86_host
from compiler.frontend.target_features import TUNES, TargetArch
from tests.lang.both import assert_same

DATA = Path(__file__).parent / "data" / "processors.txt"
VENDORS = {
    "intel": "GenuineIntel",
    "amd": "AuthenticAMD",
    "hygon": "HygonGenuine",
    "zhaoxin": "  Shanghai  ",
}


@dataclass(frozen=True)
class Processor:
    name: str
    vendor: str
    version: int
    c1: int
    b7: int
    a71: int
    target: str

    def cpuid(self, leaf: int, subleaf: int) -> tuple[int, int, int, int]:
        if leaf == 0:
            b, d, c = (
                int.from_bytes(VENDORS[self.vendor].encode()[i : i + 4], "little")
                for i in (0, 4, 8)
            )
            return 0x20, b, c, d
        answers = {
            (1, 0): (self.version, 0, self.c1, 0x178BFBFF),
            (7, 0): (1, self.b7, 0, 0),
            (7, 1): (self.a71, 0, 0, 0),
        }
        return answers[leaf, subleaf]


def processors() -> Iterator[Processor]:
    for line in DATA.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        words, _, name = line.partition("  # ")
        vendor, *numbers, target = words.split()
        version, c1, b7, a71 = (int(n, 16) for n in numbers)
        yield Processor(name, vendor, version, c1, b7, a71, target)


PROCESSORS = list(processors())


def as_target(monkeypatch: pytest.MonkeyPatch, found: Host, arch: TargetArch) -> compiler.Target:
    monkeypatch.setattr(targets, "_host", lambda: (found, arch))
    return compiler.get_host_target()


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("processor", PROCESSORS, ids=lambda p: p.name)
def test_a_processor_is_the_target_that_halide_makes_of_it(
    processor: Processor, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = as_target(monkeypatch, x86_host(processor.cpuid), TargetArch.X86)
    assert str(made) == processor.target
    assert str(compiler.Target("host")) == processor.target
    assert str(compiler.Target("host-no_asserts")) == str(
        made.with_feature(compiler.TargetFeature.NoAsserts)
    )
    assert made.supported()


@pytest.mark.parametrize("text", sorted({p.target for p in PROCESSORS}))
def test_vectors_are_as_long_as_halides(text: str) -> None:
    sizes = "[t.natural_vector_size(k) for k in (hl.UInt(8), hl.Int(16), hl.Float(32))]"
    assert not assert_same(f"t = hl.Target('{text}')\nstr(t), {sizes}").error


def test_the_table_has_the_processors_of_ten_years() -> None:
    names = " ".join(p.name for p in PROCESSORS)
    for family in ("Haswell", "Skylake", "Ice Lake", "Alder Lake", "Sapphire Rapids", "Tremont"):
        assert family in names
    for family in ("(Zen)", "(Zen+)", "(Zen 2)", "(Zen 3)", "(Zen 4)", "(Zen 5)", "Jaguar"):
        assert family in names
    assert len(PROCESSORS) > 50


SWEEP = {
    0x0F: [(0x00, 0xFF, "k8_sse3")],
    0x10: [(0x00, 0xFF, "amdfam10")],
    0x12: [(0x00, 0xFF, "generic")],
    0x14: [(0x00, 0xFF, "btver1")],
    0x15: [(0x00, 0x01, "bdver1"), (0x02, 0x02, "bdver2"), (0x03, 0x0F, "bdver1"),
           (0x10, 0x1F, "bdver2"), (0x20, 0x2F, "generic"), (0x30, 0x3F, "bdver3"),
           (0x40, 0x5F, "generic"), (0x60, 0x7F, "bdver4"), (0x80, 0xFF, "generic")],
    0x16: [(0x00, 0xFF, "btver2")],
    0x17: [(0x00, 0x0F, "znver1"), (0x10, 0x2F, "generic"), (0x30, 0x3F, "znver2"),
           (0x40, 0x70, "generic"), (0x71, 0x71, "znver2"), (0x72, 0xFF, "generic")],
    0x18: [(0x00, 0xFF, "generic")],
    0x19: [(0x00, 0x0F, "znver3"), (0x10, 0x1F, "znver4"), (0x20, 0x5F, "znver3"),
           (0x60, 0x7F, "znver4"), (0x80, 0x9F, "generic"), (0xA0, 0xAF, "znver4"),
           (0xB0, 0xFF, "generic")],
    0x1A: [(0x00, 0xFF, "znver5")],
    0x1B: [(0x00, 0xFF, "generic")],
}  # fmt: skip
"""What the real package said to every model of these families of AMD's."""


@pytest.mark.parametrize("family", SWEEP)
def test_every_model_of_amds_families_is_tuned_for_as_by_halide(family: int) -> None:
    base = min(family, 0xF)
    for first, last, wanted in SWEEP[family]:
        for model in range(first, last + 1):
            version = (family - base) << 20 | model >> 4 << 16 | base << 8 | (model & 15) << 4
            one = Processor("", "amd", version, 0x7ED8320B, 0x219C97A9, 0, "")
            assert x86_host(one.cpuid).tune is TUNES[f"tune_{wanted}"], hex(model)


def test_a_processor_with_few_leaves_is_not_asked_for_others() -> None:
    plain = Processor("", "intel", 0x306A9, 0x7FBAE3FF, 0, 0, "")

    def cpuid(leaf: int, subleaf: int) -> tuple[int, int, int, int]:
        assert leaf < 7
        answer = plain.cpuid(leaf, subleaf)
        return (6, *answer[1:]) if leaf == 0 else answer

    asked: Cpuid = cpuid
    assert x86_host(asked).features == {"sse41", "avx", "f16c"} | (
        {"fma"} if plain.c1 >> 12 & 1 else set()
    )


ARM = {
    "Cortex-A53": (0x000000FF, set()),
    "Cortex-A72 (Graviton)": (0x000000FF, set()),
    "Cortex-A55": (0x001007FF, {"arm_dot_prod", "arm_fp16"}),
    "Cortex-A76": (0x0010_FFFF, {"arm_dot_prod", "arm_fp16"}),
    "Neoverse N1 (Graviton 2, Altra)": (0x119FFFFF, {"arm_dot_prod", "arm_fp16"}),
    "Neoverse V1 (Graviton 3)": (0xFBFFFFFF, {"arm_dot_prod", "arm_fp16"}),
    "ThunderX2": (0x000011FB, set()),
    "Kirin 960 (Cortex-A73)": (0x000008FF, set()),
}
"""AT_HWCAP as Linux has it."""


@pytest.mark.parametrize("name", ARM)
def test_an_arm_is_told_by_what_the_kernel_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    capabilities, wanted = ARM[name]
    made = as_target(monkeypatch, arm_host(capabilities), TargetArch.ARM)
    assert str(made) == "-".join(["arm-64-linux", *sorted(wanted)])
    assert made.supported()


def test_a_wrong_rule_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "_ZEN4", frozenset({"avx"}))
    wrong = [p for p in PROCESSORS if x86_host(p.cpuid).features - set(p.target.split("-"))]
    fewer = [p for p in PROCESSORS if len(x86_host(p.cpuid).features) == 1 and "Zen 4" in p.name]
    assert not wrong
    assert fewer
