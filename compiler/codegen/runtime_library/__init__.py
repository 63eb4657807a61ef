"""The runtime's LLVM text for a system: threads, memory and errors.

Nothing but the C library is below it.

It is text and not C because it must be built for any target on a machine without a C compiler; that
of GPUs was C once (`python -m tests.codegen.cuda_text`).
"""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent
_CONSTANTS = {
    # The C headers' numbers for CLOCK_MONOTONIC and _SC_NPROCESSORS_ONLN, _PHYS_PAGES, _PAGESIZE.
    "linux": {
        "$MONOTONIC": "1",
        "$ONLINE": "84",
        "$PHYSICAL_PAGES": "85",
        "$PAGE_BYTES": "30",
    },
    "darwin": {
        "$MONOTONIC": "6",
        "$ONLINE": "58",
        "$PHYSICAL_PAGES": "200",
        "$PAGE_BYTES": "29",
    },
}
# What says that a loop only waits.
_PAUSE = {
    "x86": ("declare void @llvm.x86.sse2.pause()\n", "call void @llvm.x86.sse2.pause()"),
    "arm": ("declare void @llvm.aarch64.hint(i32)\n", "call void @llvm.aarch64.hint(i32 1)"),
}


def system_of(triple: str) -> str:
    """`linux` or `darwin`; raises `ValueError` for a system that the runtime does not know."""
    if "linux" in triple:
        return "linux"
    if "darwin" in triple or "macos" in triple:
        return "darwin"
    raise ValueError(f"the runtime supports Linux and macOS, not '{triple}'")


def thread_pool(triple: str) -> str:
    """LLVM text that defines `lift_parallel_for`."""
    system = system_of(triple)
    cores = "available_cores_linux.ll" if system == "linux" else "available_cores_posix.ll"
    text = _read(cores, system) + _read("thread_pool.ll", system)
    declaration, call = _PAUSE[_machine(triple)]
    text = declaration + text.replace("$PAUSE", call) + float_modes(triple)
    for line in (
        "declare i32 @lift_available_cores()",
        "declare i64 @lift_float_modes()",
        "declare void @lift_set_float_modes(i64)",
    ):
        text = text.replace(f"{line}\n", "")
    return text


def float_modes(triple: str) -> str:
    """LLVM text that defines `lift_default_float_modes`."""
    return _read(f"float_modes_{_machine(triple)}.ll", system_of(triple))


def _machine(triple: str) -> str:
    return "x86" if triple.startswith(("x86_64", "amd64")) else "arm"


def memory_pool(triple: str) -> str:
    """LLVM text that defines `lift_allocate` and `lift_free`."""
    system = system_of(triple)
    pages = "large_pages_linux.ll" if system == "linux" else "large_pages_posix.ll"
    text = _read(pages, system) + _read("memory_pool.ll", system)
    return text.replace("declare void @lift_wish_for_large_pages(ptr, i64)\n", "")


def locks() -> str:
    """LLVM text that defines `lift_lock` and `lift_unlock`."""
    return _read("locks.ll", "linux")


def cuda(triple: str) -> str:
    """LLVM text that defines `lift_cuda_launch` and what else kernels need, made of cuda.c.

    Raises `ValueError` for a system that has no CUDA.
    """
    if system_of(triple) != "linux":
        raise ValueError("the runtime for GPUs supports Linux")
    return _read("cuda.ll", "linux")


def processor_level() -> str:
    """LLVM text that defines `lift_processor_level`, for x86-64."""
    return cpuid() + _read("processor_level_x86.ll", "linux")


def cpuid() -> str:
    """LLVM text that defines `lift_cpuid`, for x86-64."""
    return _read("cpuid_x86.ll", "linux")


def errors() -> str:
    """LLVM text that defines `lift_error`."""
    return _read("errors.ll", "linux")


def _read(name: str, system: str) -> str:
    text = (_FOLDER / name).read_text(encoding="utf-8")
    for constant, number in _CONSTANTS[system].items():
        text = text.replace(constant, number)
    return text
