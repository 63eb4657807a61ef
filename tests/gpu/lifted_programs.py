"""Lifted programs under the schedule that the compiler chooses for devices."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import compiler as hl
from lifter.bench.memory import ArrayMemory
from lifter.dag.concrete import Number
from tests.end_to_end.halide_peer import HalidePeer

from .device import Counts, Memory, run
from .programs import by_ptx, lowered


class LiftedProgram(HalidePeer):
    """The `pipeline.py` of a folder under our own package."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(folder, monkeypatch, hl)
        self.lowered = lowered(*self.loaded.outputs)
        constants = hl.Pipeline(list(self.loaded.outputs))._constants(self.loaded.inputs)
        self.tables = {buffer.name(): buffer for buffer in constants}

    def in_kernels(
        self,
        values: Mapping[str, Number],
        memories: Mapping[str, ArrayMemory],
        with_ptx: bool = False,
    ) -> Counts:
        """The same as `run` by the device out of numpy, or by the kernels' PTX."""
        fn = self.lowered
        outputs = self.outputs(values, memories)
        if outputs is None:
            return Counts()
        given = self.inputs(values, memories)
        names = [a.name for a in fn.args if a.is_output]
        given |= zip(names, outputs, strict=True)
        given |= self.tables
        held: dict[str, Memory] = {}
        scalars: dict[str, Any] = {}
        for argument in fn.args:
            item = given[argument.name]
            if not argument.is_buffer:
                scalars[argument.name] = item
                continue
            array = np.asarray(item)
            strides = [s // array.itemsize for s in array.strides[::-1]]
            extents = array.shape[::-1]
            ends = [max(e - 1, 0) * s for e, s in zip(extents, strides, strict=True)]
            assert min(ends) >= 0, "rows that go backwards"
            span = 1 + sum(ends)
            memory = Memory(np.lib.stride_tricks.as_strided(array, (span,), (array.itemsize,)))
            memory.is_known[:] = not argument.is_output
            held[argument.name] = memory
            for d, (extent, stride) in enumerate(zip(extents, strides, strict=True)):
                scalars[f"{argument.name}.min.{d}"] = item.dim(d).min()
                scalars[f"{argument.name}.extent.{d}"] = extent
                scalars[f"{argument.name}.stride.{d}"] = stride
        return run(fn, held, scalars, by_ptx(fn) if with_ptx else None)
