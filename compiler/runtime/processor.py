"""What the processor says of itself: CPUID on x86, the auxiliary vector on AArch64."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import lru_cache

from ..codegen import runtime_library
from ..codegen.target import Target
from .jit import LoadedModule

Registers = tuple[int, int, int, int]
"""EAX, EBX, ECX, EDX."""

_AT_HWCAP = 16


@lru_cache(maxsize=1)
def _cpuid() -> Callable[[int, int], Registers]:
    loaded = LoadedModule(runtime_library.cpuid(), Target.host(), with_passes=False)
    kind = ctypes.CFUNCTYPE(None, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_void_p)
    function = kind(loaded.address("lift_cpuid"))

    def ask(leaf: int, subleaf: int) -> Registers:
        answer = (ctypes.c_uint32 * 4)()
        function(leaf, subleaf, ctypes.addressof(answer))
        assert loaded is not None  # the code lives as long as this function
        return answer[0], answer[1], answer[2], answer[3]

    return ask


def cpuid(leaf: int, subleaf: int = 0) -> Registers:
    """CPUID's answer on this machine, an x86."""
    return _cpuid()(leaf, subleaf)


def hardware_capabilities() -> int:
    """AT_HWCAP of this process; 0 where the C library doesn't tell."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "getauxval"):
        return 0
    library.getauxval.restype = ctypes.c_ulong
    library.getauxval.argtypes = (ctypes.c_ulong,)
    return int(library.getauxval(_AT_HWCAP))
