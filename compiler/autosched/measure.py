"""Builds schedules for the machine at hand and times them there, in this process."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..ir import Const
from ..lang import Buffer, Function, InputImageParam, Parameter
from ..lower import infer_arguments, lower, realization_order, users_schedules
from .cost_model import THREAD_SHARE
from .default import default_schedule
from .graph import PipelineGraph
from .machine import Machine
from .reach import Box, extent
from .running_sums import with_running_sums
from .schedule import Schedule

COPIED = 48 << 20
"""Bytes that are copied to measure the bandwidth."""

FIRST = 3
"""Calls after the first one, until a candidate is known to be slower than the best."""


class Bench:
    """A pipeline with made-up inputs of the estimated sizes.

    `time(schedule)` compiles and runs; what users' stages are scheduled as stays untouched.
    """

    def __init__(self, outputs: Sequence[Function], graph: PipelineGraph) -> None:
        self.outputs, self.graph = list(outputs), graph
        self.order = realization_order(self.outputs)
        self.sources = infer_arguments(self.outputs)
        random = np.random.default_rng(0)
        self.values = [_value(s, graph, random) for s in self.sources]
        self.buffers: list[Any] = []
        for function in self.outputs:
            self.buffers += [_buffer(o, graph.bounds(function.name)) for o in function.outputs]

    def compiled(self, schedule: Schedule) -> Compiled:
        """The pipeline under a schedule; raises `HalideError` for one that makes no sense."""
        from ..codegen import Target
        from ..runtime import compile_in_process

        kept = [(f, f.schedule) for f in self.order]
        try:
            schedule.apply(self.order)
            target = Target.host()
            chosen = users_schedules(self.order)
            outputs: Sequence[Function] = self.outputs
            if chosen is None:  # a candidate without directives is what would be compiled then
                order, outputs = with_running_sums(self.order, self.outputs)
                chosen = default_schedule(order, outputs, target)
            lowered = lower(outputs, chosen, "candidate", target, self.sources)
        finally:
            for function, own in kept:
                function.schedule = own
        run = compile_in_process(lowered, Target.host())
        return Compiled(run, [*self.values, *self.buffers])


class Compiled:
    """Machine code for one schedule, with what it is called with."""

    def __init__(self, run: Any, values: list[Any]) -> None:
        self.run, self.values = run, values
        self.best = math.inf

    def once(self) -> float:
        """Seconds of one call; the least so far is kept in `best`."""
        began = time.perf_counter()
        self.run(*self.values)
        taken = time.perf_counter() - began
        self.best = min(self.best, taken)
        return taken

    def time(self, limit: float = math.inf, calls: int = FIRST, least: float = 0.02) -> float:
        """The least seconds of some calls: more while they are short, fewer when far above
        `limit`."""
        self.once()
        if self.best > 4 * limit:
            return self.best
        made, spent = 0, 0.0
        while made < calls or (spent < least and made < 50):
            spent += self.once()
            made += 1
            if self.best > 1.5 * limit:
                break
        return self.best


def copy_bandwidth(machine: Machine) -> float:
    """Bytes a second that all cores read and write while they copy, from what one core does."""
    source = np.ones(COPIED, np.uint8)
    target = np.empty_like(source)
    best = math.inf
    for _ in range(4):
        began = time.perf_counter()
        np.copyto(target, source)
        best = min(best, time.perf_counter() - began)
    alone = 2 * COPIED / best
    return alone if machine.threads == 1 else alone / THREAD_SHARE


def _value(source: Any, graph: PipelineGraph, random: np.random.Generator) -> Any:
    """An input of the estimated size, full of noise; a parameter's estimate."""
    if isinstance(source, Parameter):
        if source.estimate is not None:
            return source.estimate.value
        return source.value if source.value is not None else 1
    if not isinstance(source, InputImageParam):
        return source
    image = graph.images.get(source.name())
    made = _buffer(source, image.bounds if image is not None else ((0, 0),) * source.dimensions())
    array = made.array
    picture = _picture(array.shape, random)
    if source.element_type.is_integer:
        array[...] = (picture * min(source.element_type.max, (1 << 16) - 1)).astype(array.dtype)
    else:
        array[...] = picture
    return made


def _picture(shape: tuple[int, ...], random: np.random.Generator) -> Any:
    """Values in [0, 1] that vary as pictures do: slowly, with noise on them. What data decides
    (which bin, which table entry) then repeats from pixel to pixel as it does in practice."""
    made: Any = np.zeros(shape, np.float32)
    for axis, size in enumerate(shape):
        wave = np.sin(np.linspace(random.random(), 7.0, max(1, size), dtype=np.float32))
        made += wave.reshape([-1 if i == axis else 1 for i in range(len(shape))])
    made = (made / max(1, len(shape)) + 1) * np.float32(0.45)
    return made + random.random(shape, np.float32) * np.float32(0.05)


def _buffer(image: Any, box: Box) -> Buffer:
    """Memory for `box`, laid out as is promised of the image."""
    strides = []
    for d in range(image.dimensions()):
        promised = image.dim(d).promised.get("stride")
        known = promised.value if isinstance(promised, Const) else 1 << 40
        strides.append((known, d))
    order = [d for _, d in sorted(strides)]
    made = Buffer(image.type(), [extent(r) for r in box], order)
    made.set_min([low for low, _ in box])
    return made


__all__ = ["Bench", "Compiled", "copy_bandwidth"]
