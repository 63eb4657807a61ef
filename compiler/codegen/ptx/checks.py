"""What a kernel must not hold, because no GPU has it, or not with the same bits as the host."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...ir import C_FUNCTIONS, INTRINSICS, LANE_OPERATIONS, Call, Const, postorder, stmts
from ...ir.errors import HalideError
from ...ir.stmt_transform import expressions_of, walk
from .. import atomics
from ..intrinsics import TRANSLATIONS
from .capabilities import CAPABILITIES, PARAMETERS, THREADS, THREADS_BY_DIMENSION
from .shared_memory import bytes_of, packed

REGISTER_BYTES = 1024
"""The most of an array that one thread has in registers, of which there are 255 of 4 bytes."""
MOST_LANES = REGISTER_BYTES
STACK_BYTES = 16 * 1024
"""The most of an array that the schedule puts on a thread's stack."""
_OTHERS = ("strict_float", "reinterpret")


def check_kernel(kernel: stmts.Kernel, capability: int) -> None:
    """Raises `HalideError` where the kernel needs something that the GPU hasn't."""
    _check_threads(kernel)
    _check_shared(kernel, capability)
    if sum(8 if p.is_memory else p.type.bytes for p in kernel.parameters) > PARAMETERS:
        raise HalideError(f"{kernel.name}: a kernel's parameters have at most {PARAMETERS} bytes")
    for stmt in walk(kernel.body):
        refuse = _REFUSED.get(type(stmt))
        if refuse is not None:
            refuse(kernel, stmt)
        for expr in postorder(*expressions_of(stmt)):
            if expr.type.bits > 64:
                raise HalideError(f"{kernel.name}: no {expr.type} on the device")
            if expr.type.lanes > MOST_LANES:
                raise HalideError(
                    f"{kernel.name}: a vector of {expr.type.lanes} lanes; a thread has registers "
                    f"for {MOST_LANES} at most: vectorize by less, or make lanes threads"
                )
            if isinstance(expr, Call):
                _check_call(kernel, expr)


def _check_threads(kernel: stmts.Kernel) -> None:
    counts = [int(n.value) if isinstance(n, Const) else 1 for n in kernel.threads]
    total = counts[0] * counts[1] * counts[2]
    if total > THREADS or any(
        count > most for count, most in zip(counts, THREADS_BY_DIMENSION, strict=True)
    ):
        shape = " x ".join(map(str, counts))
        most = " x ".join(map(str, THREADS_BY_DIMENSION))
        raise HalideError(
            f"{kernel.name}: {shape} threads in a block; a GPU has at most {most}, "
            f"and {THREADS} in all: make the tile smaller"
        )


def _check_shared(kernel: stmts.Kernel, capability: int) -> None:
    packing, most = packed(kernel), CAPABILITIES[capability]
    if packing.size > most:
        largest = sorted(packing.places, key=lambda node: -bytes_of(kernel, node))[:3]
        shown = ", ".join(f"{node.buffer}: {bytes_of(kernel, node)}" for node in largest)
        raise HalideError(
            f"{kernel.name}: {packing.size} bytes of shared memory in a block ({shown}); GPUs of "
            f"capability {capability} have {most}: make the tile smaller, or compute less of it "
            "there"
        )


def _check_allocation(kernel: stmts.Kernel, node: stmts.Allocate) -> None:
    size = bytes_of(kernel, node)
    if node.memory == "shared":
        return
    if node.memory == "heap":
        raise HalideError(
            f"{kernel.name}: {node.buffer} is on the heap, and threads of a GPU can't ask for "
            "memory: store it in shared memory or registers, or compute it outside of the kernel"
        )
    most = STACK_BYTES if node.memory == "stack" else REGISTER_BYTES
    if size > most:
        raise HalideError(
            f"{kernel.name}: {node.buffer} takes {size} bytes of each thread's own memory, of "
            f"which there are {most}: store it in shared memory, or compute less of it there"
        )


def _check_atomic(kernel: stmts.Kernel, node: stmts.Atomic) -> None:
    if atomics.needs_lock(node):
        raise HalideError(
            f"{kernel.name}: the atomic update of {node.buffer} is no function of one element "
            "alone and would hold a lock, which threads of a GPU can't wait for"
        )


def _check_loop(kernel: stmts.Kernel, node: stmts.For) -> None:
    if node.kind == "parallel":
        raise HalideError(
            f"{kernel.name}: the loop over {node.name} is parallel inside of a kernel: "
            "make it one of gpu_blocks or gpu_threads"
        )


_REFUSED: Mapping[type[stmts.Stmt], Callable[[stmts.Kernel, Any], None]] = {
    stmts.Allocate: _check_allocation,
    stmts.Atomic: _check_atomic,
    stmts.For: _check_loop,
}


def _check_call(kernel: stmts.Kernel, node: Call) -> None:
    name = node.name.partition(":")[0]
    if node.kind == "effect":
        what = "a file" if name.startswith("file_") else name
        raise HalideError(f"{kernel.name}: {what} inside of a kernel: do it on the host")
    if (
        node.kind == "shuffle"
        or node.name in LANE_OPERATIONS
        or node.name in _OTHERS
        or _has_formula(node)
    ):
        return
    type = node.args[0].type.element if node.args else node.type
    if node.name in C_FUNCTIONS:
        raise HalideError(
            f"{kernel.name}: {name} of {type} is the C library's, which can't be matched bit for "
            f"bit on the device: compute it on the host{_INSTEAD.get(name, '')}"
        )
    if node.kind != "intrinsic" or node.name not in TRANSLATIONS:
        raise HalideError(f"{kernel.name}: no {name} of {type} on the device")


_INSTEAD = {
    "sin": ", or as float32 by fast_sin",
    "cos": ", or as float32 by fast_cos",
    "exp": ", or as float32",
    "log": ", or as float32",
    "pow": ", or as float32",
}


def _has_formula(node: Call) -> bool:
    entry = INTRINSICS.get(node.name)
    return entry is not None and entry.formula(*node.args) is not None
