"""`Target`: the machine to compile for, in the real package's words.

`x86-64-linux-avx2-fma`: architecture, bits, system, features in any order; `host` is this machine.
Floats are exact as written unless a target asks otherwise: with our feature `contract_floats`
(`host-contract_floats`, `Target.Feature.ContractFloats`), a product that is added or subtracted
needn't be rounded first, so that machines with fused multiply-adds use them. The real package
does so without being asked, and reorders, too; its `strict_float` is what we always do.
Code generation has its own words (compiler/codegen/target.py); `machine_target` translates.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ..lang.enums import DeviceAPI
from ..lang.errors import fail
from ..lang.expr import Type
from ..lang.overloads import mismatch
from .host import Host, arm_host, x86_host
from .target_features import (
    ARCHES,
    FEATURES,
    SYSTEMS,
    TUNES,
    TargetArch,
    TargetFeature,
    TargetOS,
    TargetProcessorTune,
)

_GPUS = ("cuda", "opencl", "metal", "vulkan", "d3d12compute", "webgpu")
_WIDE_INTEGERS = ("avx512_skylake", "avx512_cannonlake", "avx512_zen4", "avx512_zen5",
                  "avx512_sapphirerapids")  # fmt: skip
_TEXT_OF = {feature: text for text, feature in FEATURES.items()}


class Target:
    """A machine: `arch`, `bits`, `os`, `processor_tune` and features; mutable, as the real one is.

    `Target(text)`, `Target(os, arch, bits[, tune][, features])`, or `Target()`: nothing yet.
    Raises `HalideError` for text that names no target.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, *arguments: Any) -> None:
        self.arch, self.os, self.bits = TargetArch.ArchUnknown, TargetOS.OSUnknown, 0
        self.processor_tune = TargetProcessorTune["TuneGeneric"]
        self._features: set[str] = set()
        if not arguments:
            return
        if len(arguments) == 1 and isinstance(arguments[0], str):
            self._parse(arguments[0])
            return
        if len(arguments) not in (3, 4, 5) or not isinstance(arguments[2], int):
            mismatch("Target", *arguments)
        self.os, self.arch, self.bits = arguments[:3]
        if not isinstance(self.os, TargetOS) or not isinstance(self.arch, TargetArch):
            mismatch("Target", *arguments)
        for more in arguments[3:]:
            if isinstance(more, TargetProcessorTune):
                self.processor_tune = more
            elif isinstance(more, (list, tuple)):
                self.set_features(more)
            else:
                mismatch("Target", *arguments)

    def _parse(self, text: str) -> None:
        words = text.split("-") if text else ["host"]
        if not _understood(words):
            fail(
                f"Did not understand Halide target {text}\n"
                "Expected format is arch-bits-os-processor-feature1-feature2-...\n"
                f"Where arch is: {', '.join(sorted(ARCHES))}.\nbits is either 32 or 64.\n"
                f"os is: {', '.join(sorted(SYSTEMS))}.\nprocessor is: {', '.join(sorted(TUNES))}.\n"
                f"features are: {', '.join(sorted(FEATURES))}.\n"
                "The target can also begin with 'host', which sets the host's architecture, "
                "os, and feature set."
            )
        if words[0] == "host":
            host = get_host_target()
            self.arch, self.os, self.bits = host.arch, host.os, host.bits
            self._features, self.processor_tune = set(host._features), host.processor_tune
        for word in words:
            if word in ARCHES:
                self.arch = ARCHES[word]
            elif word in SYSTEMS:
                self.os = SYSTEMS[word]
            elif word in ("32", "64"):
                self.bits = int(word)
            elif word in TUNES:
                self.processor_tune = TUNES[word]
            elif word in FEATURES:
                self._features.add(_TEXT_OF[FEATURES[word]])

    @staticmethod
    def validate_target_string(name: str) -> bool:
        """Whether `Target(name)` would succeed; the empty text is no target's."""
        return bool(name) and _understood(name.split("-"))

    def to_string(self) -> str:
        arch = next(text for text, a in ARCHES.items() if a is self.arch)
        system = next(text for text, s in SYSTEMS.items() if s is self.os)
        parts = [arch, str(self.bits), system]
        if self.processor_tune is not TargetProcessorTune["TuneGeneric"]:
            parts.append(next(t for t, tune in TUNES.items() if tune is self.processor_tune))
        return "-".join([*parts, *sorted(self._features)])

    __str__ = to_string

    def __repr__(self) -> str:
        return f"<Target {self.to_string()}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Target) and self.to_string() == other.to_string()

    def has_feature(self, feature: Any) -> bool:
        return _text(feature) in self._features

    def features_any_of(self, features: Iterable[Any]) -> bool:
        return any(self.has_feature(f) for f in features)

    def features_all_of(self, features: Iterable[Any]) -> bool:
        return all(self.has_feature(f) for f in features)

    def set_feature(self, f: Any, value: bool = True) -> None:
        (self._features.add if value else self._features.discard)(_text(f))

    def set_features(self, features: Iterable[Any], value: bool = True) -> None:
        for feature in features:
            self.set_feature(feature, value)

    def _copy(self) -> Target:
        made = Target()
        made.arch, made.os, made.bits = self.arch, self.os, self.bits
        made.processor_tune, made._features = self.processor_tune, set(self._features)
        return made

    def with_feature(self, feature: Any) -> Target:
        made = self._copy()
        made.set_feature(feature)
        return made

    def without_feature(self, feature: Any) -> Target:
        made = self._copy()
        made.set_feature(feature, False)
        return made

    def has_gpu_feature(self) -> bool:
        return any(f in self._features for f in _GPUS)

    def has_large_buffers(self) -> bool:
        return self.bits == 64 and "large_buffers" in self._features

    def maximum_buffer_size(self) -> int:
        """How many elements a buffer of this target's code may have."""
        return 2**63 - 1 if self.has_large_buffers() else 2**31 - 1

    def natural_vector_size(self, type: Type) -> int:
        """How many values of `type` a vector register of this machine holds."""
        if not isinstance(type, Type):
            mismatch("natural_vector_size", type)
        size = max(1, type.bits // 8)
        return max(1, self._vector_bytes(type) // size)

    def _vector_bytes(self, type: Type) -> int:
        has = self._features.__contains__
        if self.arch is TargetArch.X86:
            if not type.is_float:
                return 64 if any(map(has, _WIDE_INTEGERS)) else 32 if has("avx2") or any(
                    f.startswith("avx512") for f in self._features) else 16  # fmt: skip
            wide = any(f.startswith("avx512") for f in self._features)
            return 64 if wide else 32 if has("avx") or has("avx2") else 16
        if self.arch is TargetArch.WebAssembly:
            return 16 if has("wasm_simd128") else 1
        if self.arch is TargetArch.Hexagon:
            return 128 if has("hvx") and not type.is_float else 1
        return 16 if self.arch in (TargetArch.ARM, TargetArch.POWERPC) else 1

    def supported(self) -> bool:
        """Whether this compiler generates code for it."""
        return _why_not(self) is None

    def supports_type(self, type: Type, device: Any = None) -> bool:
        return device is None or device in (DeviceAPI["Host"], DeviceAPI["None"])

    def supports_device_api(self, device: Any) -> bool:
        on_device = (DeviceAPI["CUDA"], DeviceAPI["Default_GPU"])
        if "cuda" in self._features and device in on_device:
            return True
        return device in (DeviceAPI["Host"], DeviceAPI["None"])


def _understood(words: list[str]) -> bool:
    if words[0] == "host":
        # After it, features alone.
        return all(w in FEATURES or w in TUNES for w in words[1:])
    has_bits = "32" in words or "64" in words
    known = all(w in ("32", "64", *ARCHES, *SYSTEMS, *TUNES, *FEATURES) for w in words)
    return known and has_bits and any(w in ARCHES for w in words) and any(
        w in SYSTEMS for w in words)  # fmt: skip


def _text(feature: Any) -> str:
    if not isinstance(feature, TargetFeature):
        mismatch("has_feature", feature)
    return _TEXT_OF[feature]


def get_host_target() -> Target:
    """This machine, with the features that its processor has."""
    found, arch = _host()
    made = Target()
    made.os, made.bits, made.arch = TargetOS.Linux, 64, arch
    made.processor_tune, made._features = found.tune, set(found.features)
    return made


@lru_cache(maxsize=1)
def _host() -> tuple[Host, TargetArch]:
    from ..codegen import Target as Machine
    from ..runtime.processor import cpuid, hardware_capabilities

    if Machine.host().is_x86:
        return x86_host(cpuid), TargetArch.X86
    return arm_host(hardware_capabilities()), TargetArch.ARM


def get_target_from_environment() -> Target:
    """The target that `HL_TARGET` names; this machine where it is not set."""
    return Target(os.environ.get("HL_TARGET", "") or "host")


def get_jit_target_from_environment() -> Target:
    """The target of code for this process: `HL_JIT_TARGET`, or this machine."""
    feature = TargetFeature["JIT"]
    host = get_host_target().with_feature(feature)
    text = os.environ.get("HL_JIT_TARGET", "")
    if not text:
        return host
    made = Target(text).with_feature(feature)
    if (made.os, made.arch, made.bits) != (host.os, host.arch, host.bits):
        fail(
            "HL_JIT_TARGET must match the host OS, architecture, and bit width.\n"
            f"HL_JIT_TARGET was {text}. Host is {host}."
        )
    return made


_LLVM_FEATURES: dict[str, tuple[str, ...]] = {
    "sse41": ("sse4.1",),
    "avx": ("avx",),
    "avx2": ("avx2",),
    "fma": ("fma",),
    "fma4": ("fma4",),
    "f16c": ("f16c",),
    "avxvnni": ("avxvnni",),
    "avx512": ("avx512f", "avx512cd"),
    "avx512_knl": ("avx512f", "avx512cd"),
    "avx512_skylake": ("avx512f", "avx512cd", "avx512vl", "avx512bw", "avx512dq"),
    "avx512_cannonlake": (
        "avx512f", "avx512cd", "avx512vl", "avx512bw", "avx512dq", "avx512ifma", "avx512vbmi",
    ),
    "avx512_sapphirerapids": (
        "avx512f", "avx512cd", "avx512vl", "avx512bw", "avx512dq", "avx512ifma", "avx512vbmi",
        "avx512bf16", "avx512vnni", "avxvnni",
    ),
    "avx512_zen4": (
        "avx512f", "avx512cd", "avx512vl", "avx512bw", "avx512dq", "avx512ifma", "avx512vbmi",
        "avx512vbmi2", "avx512bitalg", "avx512vpopcntdq", "avx512bf16", "avx512vnni",
    ),
    "avx512_zen5": (
        "avx512f", "avx512cd", "avx512vl", "avx512bw", "avx512dq", "avx512ifma", "avx512vbmi",
        "avx512vbmi2", "avx512bitalg", "avx512vpopcntdq", "avx512bf16", "avx512vnni", "avxvnni",
        "avx512vp2intersect",
    ),
    "arm_dot_prod": ("dotprod",),
    "arm_fp16": ("fullfp16",),
}  # fmt: skip
"""LLVM's features behind one of the real package's."""
_IMPLIED = {
    "avx2": ("sse4.1", "sse4.2", "avx", "popcnt"),
    "avx512": ("sse4.1", "sse4.2", "avx", "avx2", "fma", "f16c", "popcnt", "bmi", "bmi2"),
}
_HARMLESS = frozenset({
    "jit", "no_asserts", "no_bounds_query", "enable_backtraces", "debug", "user_context",
    "no_runtime", "large_buffers", "strict_float", "enable_llvm_loop_opt", "armv8a", "armv81a",
    "armv82a", "contract_floats",
})  # fmt: skip
"""Features that ask for nothing that this compiler's code lacks."""


_CAPABILITY = "cuda_capability_"
OLDEST = 75
"""The capability of the oldest GPUs that a kernel is compiled for where nobody says which."""


def _is_of_cuda(feature: str) -> bool:
    return feature in ("cuda", "cuda_emulated") or feature.startswith(_CAPABILITY)


def _capability(target: Target) -> int:
    """That of the GPUs that kernels are compiled for (75 is 7.5); 0 without CUDA."""
    named = [int(f[len(_CAPABILITY) :]) for f in target._features if f.startswith(_CAPABILITY)]
    has_device = not target._features.isdisjoint(("cuda", "cuda_emulated"))
    return max(named, default=OLDEST) if has_device else 0


def _why_not(target: Target) -> str | None:
    """Why no code can be generated for `target`; None where it can."""
    if target.os is not TargetOS.Linux or target.bits != 64:
        return f"{target.bits} bits on {target.os.name}"
    if target.arch not in (TargetArch.X86, TargetArch.ARM):
        return f"the architecture {target.arch.name}"
    x86 = target.arch is TargetArch.X86
    for text in sorted(target._features):
        known = text in _LLVM_FEATURES and text.startswith("arm") is not x86
        if not known and text not in _HARMLESS and not _is_of_cuda(text):
            return f"the feature {text}"
    return None


def machine_target(target: Any) -> Any:
    """Code generation's words for `target`: None and `Target()` mean this machine.

    Raises `HalideError` for what this compiler has no code generator for.
    """
    from ..codegen import Target as Machine
    from ..codegen import TargetError

    if target is None or isinstance(target, Machine):
        return target
    if isinstance(target, str):
        try:
            return Machine.parse(target)
        except TargetError:
            target = Target(target)
    if not isinstance(target, Target):
        mismatch("target", target)
    contracts = "contract_floats" in target._features
    if target.arch is TargetArch.ArchUnknown and target.os is TargetOS.OSUnknown:
        return replace(Machine.host(), contracts_floats=True) if contracts else None
    why = _why_not(target)
    if why is not None:
        fail(f"The target {target} is not supported by this compiler: {why}.")
    capability = _capability(target)
    speed = {f for f in target._features - _HARMLESS if not _is_of_cuda(f)}
    emulates = "cuda_emulated" in target._features
    more: dict[str, Any] = {
        "contracts_floats": contracts,
        "capability": capability,
        "emulates_device": emulates,
    }
    if (target.arch, speed) == ((host := get_host_target()).arch, host._features):
        return replace(Machine.host(), **more) if any(more.values()) else None
    if target.arch is TargetArch.ARM:
        wanted = ["neon", *(f for t in sorted(speed) for f in _LLVM_FEATURES[t])]
        return Machine("aarch64-unknown-linux-gnu", "generic", _plus(wanted), **more)
    wanted = ["sse2", *(f for t in sorted(speed) for f in _LLVM_FEATURES[t])]
    for text, implied in _IMPLIED.items():
        if any(f == text or f.startswith(text + "_") for f in speed):
            wanted += implied
    return Machine("x86_64-unknown-linux-gnu", "x86-64", _plus(wanted), **more)


def chosen_in_process(target: Any) -> Any:
    """`target`, or what `HL_JIT_TARGET` names where there is none."""
    unknown = target is None or (isinstance(target, Target) and target == Target())
    if unknown and "HL_JIT_TARGET" in os.environ:
        return get_jit_target_from_environment()
    return target


def in_process_target(target: Any) -> Any:
    """As `machine_target`, for code that runs here: raises `HalideError` where it could not."""
    from ..codegen import Target as Machine

    machine = machine_target(target)
    if machine is None:
        return None
    host = Machine.host()
    lacking = [f[1:] for f in machine.features.split(",") if f[:1] == "+" and not host.has(f[1:])]
    if machine.architecture != host.architecture or lacking:
        what = f"it lacks {', '.join(lacking)}" if lacking else f"it is {host.architecture}"
        fail(f"Code for {target} cannot run on this machine: {what}.")
    return machine


def _plus(features: Iterable[str]) -> str:
    return ",".join(f"+{f}" for f in dict.fromkeys(features))
