"""The generations of NVIDIA's GPUs, by "compute capability" (75 is 7.5), and what each one has."""

from __future__ import annotations

from ...ir.errors import HalideError
from ..target import Target

TRIPLE = "nvptx64-nvidia-cuda"
THREADS = 1024
"""The most that a block has, of all generations."""
THREADS_BY_DIMENSION = (1024, 1024, 64)
STATIC_SHARED = 48 * 1024
"""Bytes of shared memory that a kernel may have without asking for them when it is launched."""
PARAMETERS = 4 * 1024
"""Bytes of a kernel's parameters."""

_KB = 1024
CAPABILITIES: dict[int, int] = {
    50: 48 * _KB, 52: 48 * _KB, 53: 48 * _KB, 60: 48 * _KB, 61: 48 * _KB, 62: 48 * _KB,
    70: 96 * _KB, 72: 96 * _KB, 75: 64 * _KB, 80: 163 * _KB, 86: 99 * _KB, 87: 163 * _KB,
    89: 99 * _KB, 90: 227 * _KB, 100: 227 * _KB, 103: 227 * _KB, 120: 99 * _KB,
}  # fmt: skip
"""The most shared memory that a block has, in bytes (CUDA C++ Programming Guide, "Technical
specifications per compute capability")."""


NEWEST = 90
"""The newest generation whose own instructions are used: later ones run them as they are. For
those LLVM 22 puts two numbers of 32 bits into one register, and ends the process where it has no
instruction for both ("Cannot select ... v2i32 = bswap")."""


def gpu_target(capability: int, contracts_floats: bool = False) -> Target:
    """A machine whose code runs on GPUs of `capability`; `HalideError` for an unknown one."""
    if capability not in CAPABILITIES:
        known = ", ".join(map(str, CAPABILITIES))
        raise HalideError(
            f"no code generator for cuda_capability_{capability}: pass one of {known}"
        )
    processor = f"sm_{min(capability, NEWEST)}"
    return Target(TRIPLE, processor, contracts_floats=contracts_floats)
