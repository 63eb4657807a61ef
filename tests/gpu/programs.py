"""Programs with schedules for GPUs, lowered and run on the device out of numpy."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen import Target
from compiler.codegen.ptx import (
    IndexWidth,
    dynamic_shared_bytes,
    index_numbers,
    index_width,
    kernel_symbol,
    kernels_ptx,
)
from compiler.frontend.lowering import schedule_and_lower
from compiler.frontend.pipeline import Pipeline
from compiler.ir.evaluate import dtype_of
from compiler.ir.stmt_transform import walk
from compiler.ir.stmts import Atomic, Kernel, LoweredFunction, Store
from tests.ptx import machine, text

from .device import Counts, Launcher, Memory, run

Array = np.ndarray[Any, Any]
DEVICE = replace(Target.parse("x86-64-avx2"), capability=75)


def some_slow(names: Iterable[str], quick: Container[str]) -> list[Any]:
    """Parameters of a test, of which those that aren't `quick` are for the long run."""
    return [pytest.param(n, marks=() if n in quick else pytest.mark.slow) for n in names]


def lowered(*outputs: hl.Func) -> LoweredFunction:
    return schedule_and_lower(Pipeline(list(outputs))._outputs(), "p", DEVICE)


def on_device(
    fn: LoweredFunction,
    images: dict[str, Array],
    shapes: dict[str, tuple[int, ...]],
    launcher: Launcher | None = None,
    **scalars: Any,
) -> tuple[dict[str, Array], Counts]:
    """The outputs, by name, of `shapes` (the first coordinate varies fastest), and what ran."""
    memories: dict[str, Memory] = {}
    values = dict(scalars)
    made: dict[str, Array] = {}
    for argument in fn.args:
        if argument.dimensions is None:
            continue
        if argument.is_output:
            shape = shapes[argument.name]
            array = np.empty(shape[::-1], dtype_of(argument.type))
            made[argument.name] = array
        else:
            array = np.ascontiguousarray(images[argument.name])
        memory = Memory(array.reshape(-1))
        memory.is_known[:] = not argument.is_output
        memories[argument.name] = memory
        stride = 1
        for d, extent in enumerate(array.shape[::-1]):
            values[f"{argument.name}.min.{d}"] = 0
            values[f"{argument.name}.extent.{d}"] = extent
            values[f"{argument.name}.stride.{d}"] = stride
            stride *= extent
    counts = run(fn, memories, values, launcher)
    for name, array in made.items():
        assert launcher or memories[name].is_known.all(), f"{name} is not all written"
        made[name] = memories[name].elements.reshape(array.shape)
    return made, counts


def by_ptx(
    fn: LoweredFunction,
    capability: int = 75,
    width: IndexWidth | None = None,
    counted: dict[str, machine.Counts] | None = None,
    spreads: bool = False,
) -> Launcher:
    """Runs the PTX of the kernels, as it comes out of code generation; its entries with indices of
    `width` bits, if any. What each took goes into `counted`, by the kernel's name. Whether what
    nobody wrote `spreads` is said to the machine."""
    entries = text.entries(kernels_ptx(fn.kernels, capability))

    def launch(
        kernel: Kernel,
        grid: list[int],
        threads: list[int],
        values: Mapping[str, Any],
        memories: Mapping[str, Memory],
    ) -> None:
        arguments: list[Any] = []
        unwritten: list[int] = []
        written: dict[int, Array] = {}
        for place, parameter in enumerate(kernel.parameters):
            if not parameter.is_memory:
                type = np.uint8 if parameter.type.is_bool else dtype_of(parameter.type)
                arguments.append(np.asarray(values[parameter.name]).astype(type)[()])
                continue
            memory = memories[parameter.name]
            arguments.append(_in_whole_words(memory.elements))
            if not memory.is_known.any():
                unwritten.append(place)
        x, y, z = grid
        tx, ty, tz = threads
        shared = dynamic_shared_bytes(kernel)
        sizes = [memories[p.name].elements.size for p in kernel.parameters if p.is_memory]
        numbers = [int(values[p.name]) for p in index_numbers(kernel)]
        entry = entries[kernel_symbol(kernel, width or index_width(sizes, numbers, x))]
        counts = machine.run(
            entry,
            (x, y, z),
            (tx, ty, tz),
            arguments,
            shared,
            unwritten,
            written=written,
            reads_are_atomic=updates_parts_of_words(kernel),
            spreads=spreads,
        )
        for place, parameter in enumerate(kernel.parameters):
            if parameter.is_memory:
                memory = memories[parameter.name]
                count = len(memory.elements)
                memory.elements[:] = arguments[place][:count]
                of_bytes = written[place].reshape(-1, memory.elements.itemsize)
                memory.is_known |= of_bytes.all(1)[:count]
        if counted is not None:
            counted[kernel.name] = counts

    return launch


def _in_whole_words(elements: Array) -> Array:
    """The elements in memory of whole words, as a launch gives it to kernels."""
    left = -elements.nbytes % 4 // elements.itemsize
    return np.concatenate([elements, np.zeros(left, elements.dtype)]) if left else elements


def updates_parts_of_words(kernel: Kernel) -> bool:
    """Whether an atomic update is one of 8 or 16 bits: LLVM begins it with a plain load of the word
    that they are in, which others may change until it is compared."""
    stores = (
        x
        for atomic in walk(kernel.body)
        if isinstance(atomic, Atomic)
        for x in walk(atomic.body)
        if isinstance(x, Store)
    )
    return any(store.value.type.bits < 32 for store in stores)
