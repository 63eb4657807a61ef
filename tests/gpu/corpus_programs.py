"""Programs of `corpus/pipelines` with GPU schedules: on the processor, and on what runs kernels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import compiler as hl
from compiler.ir.stmts import LoweredFunction
from corpus.pipelines import load as load_program
from corpus.pipelines.linear import NAMES as LINEAR
from corpus.pipelines.linear import load as load_linear
from corpus.pipelines.program import Algorithm, Program
from tests.ptx import machine

from .device import Counts, Launcher
from .programs import Array, by_ptx, lowered, on_device


def load(name: str) -> Program:
    return load_linear(name) if name in LINEAR else load_program(name)


@dataclass(frozen=True)
class Case:
    """A program with inputs for an output of `size`."""

    name: str
    size: tuple[int, ...]

    def algorithm(self, schedule: str) -> Algorithm:
        """Scheduled; `plain` leaves the choice to the compiler."""
        program = load(self.name)
        made = program.build(hl)
        if schedule != "plain":
            program.schedule(hl, made, schedule)
        return made

    def realized(self, schedule: str, target: str) -> list[Array]:
        """What the program computes in this process."""
        algorithm = self.algorithm(schedule)
        for name, value in self.values().items():
            is_array = isinstance(value, np.ndarray)
            algorithm.inputs[name].set(hl.Buffer(value) if is_array else value)
        made = [np.zeros(self.size[::-1], str(f.type())) for f in algorithm.outputs]
        buffers = [hl.Buffer(array) for array in made]
        hl.Pipeline(list(algorithm.outputs)).realize(buffers, hl.Target(target))
        return made

    def values(self) -> dict[str, Any]:
        given = load(self.name).inputs(self.size, 1)
        return {
            name: np.ascontiguousarray(v) if isinstance(v, np.ndarray) else v
            for name, v in given.items()
        }

    def on_device(
        self,
        schedule: str,
        with_ptx: bool = False,
        counted: dict[str, machine.Counts] | None = None,
    ) -> tuple[list[Array], Counts]:
        """What the device out of numpy makes of the kernels, or of their PTX; `counted` gets what
        each kernel's PTX takes."""
        fn = self.lowered(schedule)
        return self.run(fn, by_ptx(fn, counted=counted) if with_ptx else None)

    def run(
        self, fn: LoweredFunction, launcher: Launcher | None = None
    ) -> tuple[list[Array], Counts]:
        """The same of the program as it was lowered."""
        values = self.values()
        images = {name: v for name, v in values.items() if isinstance(v, np.ndarray)}
        scalars = {name: v for name, v in values.items() if not isinstance(v, np.ndarray)}
        names = [a.name for a in fn.args if a.is_output]
        made, counts = on_device(fn, images, dict.fromkeys(names, self.size), launcher, **scalars)
        return [made[name] for name in names], counts

    def lowered(self, schedule: str) -> LoweredFunction:
        return lowered(*self.algorithm(schedule).outputs)

    def expected(self) -> tuple[Array, ...]:
        """What the processor computes with the schedule that the compiler chooses for it."""
        return _expected(self)


@cache
def _expected(case: Case) -> tuple[Array, ...]:
    return tuple(case.realized("plain", "host"))
