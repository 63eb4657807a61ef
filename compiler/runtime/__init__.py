"""Machine code in this process: loads it, calls it, and gives it threads and memory."""

from .in_process import (
    held_memory,
    memory_limit,
    num_threads,
    release_memory,
    set_memory_limit,
    set_num_threads,
)
from .jit import CompiledFunction, compile_in_process

__all__ = [
    "CompiledFunction",
    "compile_in_process",
    "held_memory",
    "memory_limit",
    "num_threads",
    "release_memory",
    "set_memory_limit",
    "set_num_threads",
]
