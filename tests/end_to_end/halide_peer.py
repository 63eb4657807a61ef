"""A lifted function run by the real Halide package, or by ours, on the memory that its C entry
would get."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import halide as hl
import numpy as np
import pytest

from compiler.ir import Expr
from lifter.bench.memory import ArrayMemory, Pattern, extent_of, fill
from lifter.bench.scalars import choose_scalars
from lifter.dag.concrete import Number, integer, number
from lifter.emit.interface import Box, ImageView, Interface, load_interface
from lifter.emit.load import load_pipeline

Array = np.ndarray[Any, Any]


class HalidePeer:
    """The `pipeline.py` of a folder under the real package, or another one."""

    def __init__(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, package: ModuleType = hl
    ) -> None:
        self.interface: Interface = load_interface(folder)
        self.package = package
        with monkeypatch.context() as patched:
            patched.setattr("lifter.hl", package, raising=False)
            self.loaded = load_pipeline(folder / "pipeline.py", self.interface.name)
        # Kept, since it keeps its machine code.
        self.pipeline = package.Pipeline(list(self.loaded.outputs))
        self.kept: list[Any] = []
        """The package doesn't keep the arrays under its buffers alive."""

    def contents(
        self, width: int, height: int, pattern: Pattern, seed: int
    ) -> tuple[dict[str, Number], dict[str, ArrayMemory]]:
        """Arguments of an image of the size, filled."""
        values = choose_scalars(self.interface, width, height, padding=seed % 4, seed=seed)
        rng = np.random.default_rng(seed)
        memories = {}
        for parameter in self.interface.params:
            if parameter.kind != "scalar":
                extent = extent_of(self.interface, parameter, values)
                filled = fill(parameter, extent, pattern, rng)
                memories[parameter.name] = ArrayMemory(parameter, extent, filled)
        return values, memories

    def run(
        self,
        values: Mapping[str, Number],
        memories: Mapping[str, ArrayMemory],
        target: Any = None,
    ) -> None:
        """Realizes the pipeline into the memories' arrays, as the lifted function would."""
        inputs = self.inputs(values, memories)
        outputs = self.outputs(values, memories)
        if outputs is None:
            return
        for item in self.loaded.inputs:
            item.set(inputs[item.name()])
        if target is None:
            # Without strict floats the package contracts multiplications and additions.
            target = hl.get_jit_target_from_environment().with_feature(hl.TargetFeature.StrictFloat)
        self.pipeline.realize(outputs, target)

    def inputs(
        self, values: Mapping[str, Number], memories: Mapping[str, ArrayMemory]
    ) -> dict[str, Any]:
        """Images, copies of what the memories hold, and numbers, by the inputs' names."""
        interface = self.interface
        views = {view.name: view for view in interface.images}
        made: dict[str, Any] = {}
        self.kept = []
        for item in self.loaded.inputs:
            if item.name() in views:
                view = views[item.name()]
                box = _hull(interface.accesses[view.array], values)
                contents = memories[view.array].values.copy()
                made[item.name()] = self._buffer(view, box, values, contents, memories)
                self.kept.append(contents)
            else:
                name = interface.scalars[item.name()]
                is_given = name.removesuffix(".given") in memories
                made[item.name()] = values.get(name, is_given)
        return made

    def outputs(
        self, values: Mapping[str, Number], memories: Mapping[str, ArrayMemory]
    ) -> list[Any] | None:
        """What the outputs are written to; None where nothing is."""
        outputs = []
        for output in self.interface.outputs:
            if output.condition is not None and not number(output.condition, values):
                return None
            region = [(_int(a, values), _int(b, values) - 1) for a, b in output.region]
            if any(high < low for low, high in region):
                return None
            values_ = memories[output.view.array].values
            outputs.append(self._buffer(output.view, region, values, values_, memories))
        return outputs

    def _buffer(
        self,
        view: ImageView,
        box: list[tuple[int, int]],
        values: Mapping[str, Number],
        elements: Array,
        memories: Mapping[str, ArrayMemory],
    ) -> Any:
        memory = memories[view.array]
        origin = (memory.address - int(memory.values.ctypes.data)) // elements.itemsize
        strides = [_int(s, values) for s in view.strides]
        start = origin + _int(view.offset, values)
        start += sum(low * stride for (low, _), stride in zip(box, strides, strict=True))
        shape = [max(high - low + 1, 0) for low, high in box]
        steps = [stride * elements.itemsize for stride in strides]
        # numpy hands an axis of one element on with a stride of its own choice, and pipelines
        # demand theirs: it gets two, of which one is kept.
        room = [max(extent, 2) for extent in shape]
        shaped = np.lib.stride_tricks.as_strided(elements[start:], room[::-1], steps[::-1])
        buffer = self.package.Buffer(shaped)
        for axis, extent in enumerate(shape):
            if extent < room[axis]:
                buffer.crop(axis, 0, extent)
        buffer.set_min([low for low, _ in box])
        return buffer


def _int(expr: Expr, values: Mapping[str, Number]) -> int:
    return integer(expr, values)


def _hull(boxes: tuple[Box, ...], values: Mapping[str, Number]) -> list[tuple[int, int]]:
    ends = [[(_int(a, values), _int(b, values)) for a, b in box] for box in boxes]
    return [(min(a for a, _ in axis), max(b for _, b in axis)) for axis in zip(*ends, strict=True)]
