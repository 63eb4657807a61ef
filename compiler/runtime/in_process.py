"""The runtime in this process: all functions compiled here share its threads and its memory."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any

from ..codegen.launches import CALLED
from ..codegen.optimise import linked
from ..codegen.runtime_library import cuda, errors, locks, memory_pool, thread_pool
from ..codegen.target import Target, llvm_binding

_THREADS = ("lift_parallel_for", "lift_num_threads", "lift_set_num_threads")
_MEMORY = (
    "lift_allocate",
    "lift_free",
    "lift_release_memory",
    "lift_memory_held",
    "lift_memory_limit",
    "lift_set_memory_limit",
)
_LOCKS = ("lift_lock", "lift_unlock")
_CUDA = (
    *CALLED,
    "lift_cuda_free",
    "lift_cuda_wait",
    "lift_cuda_wait_for",
    "lift_cuda_wait_for_all",
    "lift_cuda_ordinal",
    "lift_cuda_identity",
    "lift_cuda_describe",
    "lift_cuda_use_stream",
    "lift_cuda_stream",
    "lift_cuda_device_interface",
)
SYMBOLS = ("lift_parallel_for", "lift_allocate", "lift_free", *_LOCKS)
"""What compiled code may call."""


@lru_cache(maxsize=1)
def _addresses() -> dict[str, int]:
    """Compiles the runtime, once; where each of its functions lies."""
    llvm, host = llvm_binding(), Target.host()
    # Not optimised: it waits and hands out work, and each process would spend 0.1 s on it.
    machine = host.machine(jit=True, level=0)
    module = linked((thread_pool(host.triple), memory_pool(host.triple), locks()), host, machine)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    addresses = {s: int(engine.get_function_address(s)) for s in (*_THREADS, *_MEMORY, *_LOCKS)}
    # Workers may still wait in this code when the interpreter tears its objects down.
    engine.detach()
    return addresses


@lru_cache(maxsize=1)
def _cuda_addresses() -> dict[str, int]:
    """Compiles the runtime for GPUs, once; where each of its functions lies."""
    llvm, host = llvm_binding(), Target.host()
    machine = host.machine(jit=True, level=1)
    engine = llvm.create_mcjit_compiler(
        linked((cuda(host.triple), errors()), host, machine), machine
    )
    engine.finalize_object()
    addresses = {s: int(engine.get_function_address(s)) for s in _CUDA}
    # Memory on the device is given back when the interpreter tears its objects down.
    engine.detach()
    return addresses


def cuda_address(symbol: str) -> int:
    """Where a function of the runtime for GPUs lies; see runtime_library/cuda.c."""
    return _cuda_addresses()[symbol]


@lru_cache(maxsize=1)
def provide_cuda() -> None:
    """Makes the runtime for GPUs known to code that is loaded into this process from now on."""
    for symbol in CALLED:
        llvm_binding().add_symbol(symbol, cuda_address(symbol))


@lru_cache(maxsize=1)
def provide() -> None:
    """Makes the runtime known to code that is loaded into this process from now on."""
    for symbol in SYMBOLS:
        llvm_binding().add_symbol(symbol, _addresses()[symbol])


def set_num_threads(count: int) -> None:
    """Lets `count` threads work on each parallel loop of code compiled in this process."""
    _function("lift_set_num_threads", None, ctypes.c_int32)(count)


def num_threads() -> int:
    """How many threads work on a parallel loop: `LIFT_NUM_THREADS`, or all cores."""
    return int(_function("lift_num_threads", ctypes.c_int32)())


def held_memory() -> int:
    """Bytes that the pool of intermediates keeps although no pipeline uses them."""
    return int(_function("lift_memory_held", ctypes.c_int64)())


def release_memory() -> None:
    """Gives the memory that no pipeline uses back to the C library."""
    _function("lift_release_memory", None)()


def memory_limit() -> int:
    """The most bytes that the pool keeps: `LIFT_POOL_BYTES`, or a quarter of all memory."""
    return int(_function("lift_memory_limit", ctypes.c_int64)())


def set_memory_limit(size: int) -> None:
    """Lets the pool keep at most `size` bytes; a negative `size` asks the environment again."""
    _function("lift_set_memory_limit", None, ctypes.c_int64)(size)


def _function(symbol: str, result: Any, *parameters: Any) -> Any:
    return ctypes.CFUNCTYPE(result, *parameters)(_addresses()[symbol])
