"""The runtime in this process: one thread pool for every function that is compiled here."""

from __future__ import annotations

import ctypes
from functools import lru_cache

from .sources import thread_pool

_SYMBOLS = ("lift_parallel_for", "lift_num_threads", "lift_set_num_threads")


@lru_cache(maxsize=1)
def _addresses() -> dict[str, int]:
    """Compiles the runtime, once; where each of its functions lies."""
    from ..codegen.optimise import optimised
    from ..codegen.target import Target, llvm_binding

    llvm, host = llvm_binding(), Target.host()
    machine = host.machine(jit=True)
    engine = llvm.create_mcjit_compiler(optimised(thread_pool(host.triple), host, machine), machine)
    engine.finalize_object()
    addresses = {symbol: int(engine.get_function_address(symbol)) for symbol in _SYMBOLS}
    # Workers may still wait in this code when the interpreter tears its objects down.
    engine.detach()
    return addresses


def provide() -> None:
    """Makes `lift_parallel_for` known to code that is loaded into this process from now on."""
    from ..codegen.target import llvm_binding

    llvm_binding().add_symbol("lift_parallel_for", _addresses()["lift_parallel_for"])


def set_num_threads(count: int) -> None:
    """Lets `count` threads work on each parallel loop of code compiled in this process."""
    ctypes.CFUNCTYPE(None, ctypes.c_int32)(_addresses()["lift_set_num_threads"])(count)


def num_threads() -> int:
    """How many threads work on a parallel loop: `LIFT_NUM_THREADS`, or all cores."""
    return int(ctypes.CFUNCTYPE(ctypes.c_int32)(_addresses()["lift_num_threads"])())
