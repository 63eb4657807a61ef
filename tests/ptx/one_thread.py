"""Lowered pipelines as kernels of one thread: all that lowering makes of programs, as PTX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from compiler import ir
from compiler.codegen.buffer_checks import fields
from compiler.codegen.ptx import gpu_target
from compiler.frontend.lowering import schedule_and_lower
from compiler.frontend.pipeline import Pipeline
from compiler.ir import I32, Const, Type
from compiler.ir.stmt_transform import children_of, rebuild, without_threads
from compiler.ir.stmts import (
    Allocate,
    AssertStmt,
    Block,
    Kernel,
    KernelParameter,
    LoweredFunction,
    Stmt,
)

from .machine import Counts
from .running import launch

SCRATCH = 1 << 18
"""Elements of each memory that the pipeline would take from the pool."""
MOST = 20_000
"""Instructions of a run, which the machine needs two seconds for."""
OWN = 1024
"""Bytes of the largest memory that stays the thread's own."""


def kernel_of(fn: LoweredFunction) -> Kernel:
    """`fn` without its checks; scratch memory is a parameter each, after the function's own."""
    scratch: dict[str, Type] = {}

    def visit(stmt: Stmt) -> Stmt:
        if isinstance(stmt, AssertStmt):
            return Block(())
        made = rebuild(stmt, tuple(map(visit, children_of(stmt))), lambda e: e)
        if isinstance(made, Allocate) and not _is_own(made):
            scratch[made.buffer] = made.type
            return made.body
        return made

    body = visit(without_threads(fn.body))
    parameters: list[KernelParameter] = []
    for argument in fn.args:
        parameters.append(
            KernelParameter(argument.name, argument.type, argument.is_buffer, argument.is_output)
        )
        if argument.is_buffer:
            parameters += [KernelParameter(field, I32) for field in fields(argument)]
    parameters += [KernelParameter(name, type, True, True) for name, type in scratch.items()]
    one = Const(I32, 1)
    return Kernel(fn.name, tuple(parameters), (one, one, one), body)


def _is_own(node: Allocate) -> bool:
    if not isinstance(node.size, Const) or node.memory == "heap":
        return False
    return int(node.size.value) * node.type.bytes * node.type.lanes <= OWN


def lowered(output: Any) -> LoweredFunction:
    """The loop nests of a `Func`, for vectors that a thread has in registers."""
    return schedule_and_lower(Pipeline([output])._outputs(), "body", gpu_target(75))


def run_in_one_thread(
    fn: LoweredFunction,
    images: Mapping[str, np.ndarray],
    numbers: Mapping[str, int | float],
    sizes: Sequence[int],
) -> tuple[list[np.ndarray], Counts]:
    """The outputs, of `sizes` (dimension 0 first), for images by name and parameters by name."""
    kernel = kernel_of(fn)
    arguments: list[np.ndarray | np.generic] = []
    outputs: list[np.ndarray] = []
    constants = {c.name: c for c in fn.constants}
    for argument in fn.args:
        dtype = ir.dtype_of(argument.type)
        if not argument.is_buffer:
            arguments.append(np.asarray(numbers[argument.name]).astype(dtype)[()])
            continue
        if argument.name in constants:
            raise NotImplementedError("constant buffers")
        if argument.is_output:
            array = np.zeros(tuple(reversed(sizes)), dtype)
            outputs.append(array)
        else:
            array = images[argument.name]
        arguments.append(np.ascontiguousarray(array))
        stride = 1
        for extent in reversed(array.shape):
            arguments += [np.int32(0), np.int32(extent), np.int32(stride)]
            stride *= extent
    for parameter in kernel.parameters[len(arguments) :]:
        arguments.append(np.zeros(SCRATCH, ir.dtype_of(parameter.type)))
    written = [p.name for p in kernel.parameters if p.is_written]
    counts = launch(
        kernel, 1, *arguments, filled=written, reads_are_atomic=True, most_instructions=MOST
    )
    return outputs, counts
