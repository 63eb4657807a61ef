"""What machine to generate code for: triple, processor, features."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from .errors import TargetError

_AVX2 = "+sse4.1,+sse4.2,+avx,+avx2,+f16c,+fma,+bmi,+bmi2,+popcnt"
_AVX512 = _AVX2 + ",+avx512f,+avx512bw,+avx512vl,+avx512dq,+avx512cd"
_NAMED: dict[str, tuple[str, str, str]] = {
    "x86-64": ("x86_64-unknown-linux-gnu", "x86-64-v2", "+sse4.1"),
    "x86-64-avx2": ("x86_64-unknown-linux-gnu", "x86-64-v3", _AVX2),
    "x86-64-avx512": ("x86_64-unknown-linux-gnu", "x86-64-v4", _AVX512),
    "aarch64": ("aarch64-unknown-linux-gnu", "generic", "+neon"),
}


_CUDA = "cuda-sm_"
OLDEST_CAPABILITY = 75
"""Of the GPUs that kernels are compiled for where nobody says which."""


class Effort:
    """How much LLVM does for speed, 0 to 3, in this process; what code computes is the same."""

    passes = 2
    """Its passes."""
    code = 3
    """Its code generator."""


HIDDEN = ("avx512vnni", "avxvnni", "avxvnniint8", "avxvnniint16")
"""Features that LLVM learns of only in functions that name their instructions.

LLVM 22 finds sums of products of bytes by itself and forgets most of the sum where the vector is
wider than a register.
"""


@lru_cache(maxsize=1)
def _initialized_llvm() -> Any:
    """llvmlite's binding with all targets registered, once a process."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


def llvm_binding() -> Any:
    """`llvmlite.binding`, ready to compile for every target that it was built with."""
    return _initialized_llvm()


@dataclass(frozen=True)
class Target:
    """A machine: LLVM's triple, processor name, and features (`+avx2,-avx512f` notation)."""

    triple: str
    processor: str = ""
    features: str = ""
    contracts_floats: bool = False
    """Whether a product may go into a sum unrounded (FMA); else floats are exact as written."""
    capability: int = 0
    """Of the NVIDIA device beside the processor, as in `sm_75`; 0 for none."""
    emulates_device: bool = False
    """Whether the processor does what the device would: for tests where there is none."""

    @staticmethod
    def parse(text: str) -> Target:
        """The target that `text` names.

        `text` is `host`, `cuda` or `cuda-sm_90` for this machine with an NVIDIA GPU, a name of the
        table above, or a triple with features after it: `x86_64-unknown-linux-gnu+avx2+bmi`.
        Raises `TargetError` for anything else.
        """
        if text == "host":
            return Target.host()
        if text == "cuda" or text.startswith(_CUDA):
            return replace(Target.host(), capability=_capability(text))
        if text in _NAMED:
            return Target(*_NAMED[text])
        triple, *features = text.split("+")
        if triple in _NAMED:
            base = Target(*_NAMED[triple])
        elif "-" in triple:
            base = Target(triple)
        else:
            known = ", ".join(["host", "cuda", *_NAMED])
            raise TargetError(f"unknown target '{text}': pass one of {known}, or TRIPLE+features")
        if not all(features):
            raise TargetError(f"target '{text}' has an empty feature between its '+' signs")
        extra = [f"+{feature}" for feature in features]
        parts = [part for part in [base.features, *extra] if part]
        target = Target(base.triple, base.processor, ",".join(parts))
        target.machine()
        return target

    @staticmethod
    @lru_cache(maxsize=1)
    def host() -> Target:
        """This machine, with every feature that its processor has."""
        llvm = llvm_binding()
        features = llvm.get_host_cpu_features().flatten()
        return Target(llvm.get_process_triple(), llvm.get_host_cpu_name(), features)

    @property
    def architecture(self) -> str:
        """The first part of the triple: `x86_64`, `aarch64`, ..."""
        return self.triple.split("-")[0]

    @property
    def is_x86(self) -> bool:
        return self.architecture in ("x86_64", "amd64")

    def has(self, feature: str) -> bool:
        """Whether the features switch `feature` on (the last word about it counts)."""
        words = [word for word in self.features.split(",") if word[1:] == feature]
        return bool(words) and words[-1][0] == "+"

    def llvm_features(self, used: Collection[str] = ()) -> str:
        """The features as LLVM is to know them, of the hidden ones those in `used` alone."""
        if not self.is_x86:
            return self.features
        words = [f"{'+' if feature in used else '-'}{feature}" for feature in HIDDEN]
        if not self.has("avx512vl"):
            # LLVM would widen every mask to 512 bits, by the moves that `narrow_masks` tells of.
            words += [f"-{feature}" for feature in ("avx512bw", "avx512dq")]
        return ",".join(filter(None, [self.features, *words]))

    @property
    def natural_vector_bits(self) -> int:
        """The widest register that pays: 512 with byte-wise AVX-512, 256 with AVX2, else 128."""
        if self.is_x86 and self.has("avx512bw"):
            return 512
        if self.is_x86 and self.has("avx2"):
            return 256
        return 128

    @property
    def permutes_bytes(self) -> bool:
        """Whether one instruction picks bytes from anywhere in a register (AVX-512 VBMI)."""
        return self.is_x86 and self.has("avx512vbmi")

    @property
    def sums_bytes(self) -> bool:
        """Whether one instruction adds eight bytes to one number, in each lane (PSADBW)."""
        return self.is_x86

    @property
    def byte_products(self) -> str | None:
        """The feature by which one instruction adds four products of bytes to a sum, if any."""
        if self.is_x86 and self.has("avx512vnni") and self.has("avx512vl"):
            return "avx512vnni"
        return "avxvnni" if self.has("avxvnni") and not self.has("avx512bw") else None

    @property
    def masks_lanes(self) -> bool:
        """Whether loads and stores of bytes and up take a mask (AVX-512 BW)."""
        return self.is_x86 and self.has("avx512bw") and self.has("avx512vl")

    @property
    def is_gpu(self) -> bool:
        """Whether a vector is a few registers of one of many threads, not one wide register."""
        return self.architecture == "nvptx64"

    def masks_lanes_of(self, bits: int) -> bool:
        """Whether loads and stores of elements of `bits` take a mask; on GPUs each lane asks."""
        return (
            self.is_gpu
            or self.masks_lanes
            or (self.is_x86 and self.has("avx") and bits in (32, 64))
        )

    @property
    def widens_masks_by_moves(self) -> bool:
        """Whether LLVM widens masks in mask registers; see `narrow_masks`."""
        return self.is_x86 and self.has("avx512dq") and self.has("avx512vl")

    @property
    def has_device(self) -> bool:
        """Whether there is a device for loops over blocks and threads."""
        return self.capability > 0

    def machine(self, jit: bool = False, level: int | None = None) -> Any:
        """LLVM's target machine, for code that may lie anywhere; raises `TargetError`.

        `level` is how much its code generator optimises, 0 to 3; `Effort.code` where it is None.
        """
        llvm = llvm_binding()
        try:
            description = llvm.Target.from_triple(self.triple)
        except RuntimeError as error:
            raise TargetError(f"no code generator for target '{self.triple}': {error}") from None
        return description.create_target_machine(
            cpu=self.processor,
            features=self.llvm_features(),
            opt=Effort.code if level is None else level,
            reloc="pic",
            codemodel="jitdefault" if jit else "default",
            jit=jit,
        )


def _capability(text: str) -> int:
    """Of `cuda` or `cuda-sm_90`; raises `TargetError` for one that there is no code for."""
    from .ptx.capabilities import CAPABILITIES

    if text == "cuda":
        return OLDEST_CAPABILITY
    number = text.removeprefix(_CUDA)
    if not number.isdigit() or int(number) not in CAPABILITIES:
        known = ", ".join(f"{_CUDA}{capability}" for capability in CAPABILITIES)
        raise TargetError(f"unknown target '{text}': of GPUs there are {known}")
    return int(number)


def resolved(target: Target | str | None) -> Target:
    """`target` as a Target: the host where it is None, parsed where it is text."""
    if target is None:
        return Target.host()
    return Target.parse(target) if isinstance(target, str) else target
