"""Kernels compiled to PTX and run by the machine in numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from compiler.codegen.ptx import IndexWidth, dynamic_shared_bytes, kernel_ptx, kernel_symbol
from compiler.ir import Const
from compiler.ir.stmts import Kernel

from .machine import Counts, run
from .memory import Sparse
from .text import entries

Given = np.ndarray | np.generic | Sparse


def launch(
    kernel: Kernel,
    blocks: tuple[int, int, int] | int,
    *arguments: Given,
    capability: int = 75,
    contracts_floats: bool = False,
    in_place: Sequence[tuple[str, str]] = (),
    offsets: Mapping[int, int] | None = None,
    filled: Sequence[str] = (),
    reads_are_atomic: bool = False,
    most_instructions: int | None = None,
    width: IndexWidth = 32,
) -> Counts:
    """Runs the kernel; memories that it writes hold nothing before, but for those in `filled`.

    With `reads_are_atomic` all reads may meet what other lanes change atomically.
    """
    text = kernel_ptx(kernel, capability, contracts_floats, in_place, (width,))
    assert all(isinstance(n, Const) for n in kernel.threads)
    threads = [int(n.value) for n in kernel.threads if isinstance(n, Const)]
    unwritten = [
        place
        for place, parameter in enumerate(kernel.parameters)
        if parameter.is_written and parameter.name not in filled
    ]
    return run(
        entries(text)[kernel_symbol(kernel, width)],
        (blocks, 1, 1) if isinstance(blocks, int) else blocks,
        (threads[0], threads[1], threads[2]),
        arguments,
        dynamic_shared_bytes(kernel),
        unwritten,
        offsets,
        reads_are_atomic,
        most_instructions,
    )
