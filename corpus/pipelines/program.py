"""The frame in which every program of this folder stands: an algorithm, its inputs, its reference.

An algorithm is a function of the module `hl`, so that the same lines run with the real Halide
package and with ours. Schedules are functions too, of `hl` and of the algorithm whose stages they
order; a program has one by hand for each kind of machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Size = tuple[int, ...]
Values = Mapping[str, Any]  # input's name -> array, indexed [..., y, x], or number


class Algorithm:
    """What to compute: inputs (ImageParams, Params), outputs (Funcs), and parts by name.

    A part is whatever a schedule needs to reach: a Func, a list of Funcs (a pyramid), an RDom.
    `algorithm.blur_x` is the part that was given as `blur_x=...`.
    """

    def __init__(self, inputs: Sequence[Any], outputs: Sequence[Any], **parts: Any) -> None:
        self.inputs = {one.name(): one for one in inputs}
        self.outputs = tuple(outputs)
        self.parts = parts

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["parts"][name]
        except KeyError:
            raise AttributeError(f"the algorithm has no part {name!r}") from None

    @property
    def stages(self) -> dict[str, Any]:
        """Every Func among the parts: a pyramid's levels are `pyramid[0]`, `pyramid[1]`, ..."""
        found = {}
        for name, part in self.parts.items():
            if isinstance(part, list | tuple):
                found |= {f"{name}[{i}]": one for i, one in enumerate(part) if _is_func(one)}
            elif _is_func(part):
                found[name] = part
        return found


def _is_func(part: Any) -> bool:
    return hasattr(part, "compute_root")


Schedule = Callable[[ModuleType, Algorithm], None]


@dataclass(frozen=True)
class Program:
    """A program of the corpus.

    Sizes are the outputs' extents in the order of their coordinates, `(width, height, channels)`;
    numpy arrays have the axes the other way round. `size` is that of autoscheduler-2016 table 1,
    `test_size` small and odd.

    `inputs(size, seed)` gives a value to each input; `reference(inputs)` computes the outputs
    with numpy, independently of the DSL. An output's value differs from the reference by at most
    `tolerance`: 0 for integer programs, the bound on rounding that the file derives for others.

    Schedules by name: those by hand, `x86`, `arm` and `gpu`; `root`, each stage stored whole;
    `default`, no directive at all, which leaves the choice to the compiler; and `plain`, where all
    is inlined that a definition doesn't forbid, or `root` if code would grow beyond all measure (a
    chain of stencils, a pyramid: then `inlinable` is false).
    """

    name: str
    build: Callable[[ModuleType], Algorithm]
    inputs: Callable[[Size, int], dict[str, Any]]
    reference: Callable[[Values], tuple[Array, ...]]
    size: Size
    test_size: Size
    schedules: Mapping[str, Schedule]
    tolerance: float = 0
    inlinable: bool = True

    def schedule(self, hl: ModuleType, algorithm: Algorithm, name: str) -> None:
        """Gives the algorithm one of the schedules above."""
        if name == "root" or (name == "plain" and not self.inlinable):
            for stage in algorithm.stages.values():
                stage.compute_root()
        elif name not in ("plain", "default"):
            self.schedules[name](hl, algorithm)

    def compile(self, hl: ModuleType, schedule: str, target: Any = None) -> Compiled:
        """The program under one of the schedules above."""
        algorithm = self.build(hl)
        self.schedule(hl, algorithm, schedule)
        return Compiled(hl, algorithm, target)


class Compiled:
    """An algorithm with the schedule that it has now, compiled for this process.

    Several sizes and values may be given to one: `bind` them, then call what it returns.
    """

    def __init__(self, hl: ModuleType, algorithm: Algorithm, target: Any = None) -> None:
        self.hl, self.algorithm = hl, algorithm
        self.target = hl.get_jit_target_from_environment() if target is None else target
        self.pipeline = hl.Pipeline(list(algorithm.outputs))
        self.pipeline.compile_jit(self.target)

    def bind(self, values: Values, size: Size) -> Bound:
        """A call with these inputs, that writes into arrays of its own."""
        return Bound(self, values, size)

    def __call__(self, values: Values, size: Size) -> tuple[Array, ...]:
        bound = self.bind(values, size)
        bound()
        return bound.outputs


class Bound:
    """One call, ready to be repeated: its inputs are set and its outputs' arrays are there.

    The arrays stay referenced here, since a buffer over an array doesn't keep it alive. Inputs
    belong to the algorithm, so a later `bind` of the same one ends the use of this.
    """

    def __init__(self, compiled: Compiled, values: Values, size: Size) -> None:
        hl, algorithm = compiled.hl, compiled.algorithm
        assert values.keys() == algorithm.inputs.keys(), (values.keys(), algorithm.inputs.keys())
        self.pipeline, self.target = compiled.pipeline, compiled.target
        self.values = values
        self.outputs = tuple(
            np.zeros(size[::-1], str(kind)) for func in algorithm.outputs for kind in func.types()
        )
        self.buffers = [hl.Buffer(array) for array in self.outputs]
        for name, value in values.items():
            array = isinstance(value, np.ndarray)
            algorithm.inputs[name].set(hl.Buffer(value) if array else value)

    def __call__(self) -> None:
        self.pipeline.realize(self.buffers, self.target)


def autoschedule(
    hl: ModuleType, algorithm: Algorithm, name: str, values: Values, size: Size, **parameters: Any
) -> Any:
    """Schedules the algorithm by a method of the engine's, for calls of this size; what it says.

    The real package has its methods in plugins, which are loaded when first asked for.
    """
    folder = Path(hl.__file__).parent / "lib64"
    plugin = folder / f"libautoschedule_{name.lower()}.so"
    if plugin.exists():
        hl.load_plugin(str(plugin))
    estimate(algorithm, values, size)
    pipeline = hl.Pipeline(list(algorithm.outputs))
    chosen = hl.AutoschedulerParams(name, {k: str(v) for k, v in parameters.items()})
    return pipeline.apply_autoscheduler(hl.get_jit_target_from_environment(), chosen)


def single(value: float) -> float:
    """The float32 nearest to a number, so that the reference has the same constants as `hl`."""
    return float(np.float32(value))


def stream(output: Any) -> None:
    """Writes an output past the caches, where the package can: the real one, at 21, cannot.

    For kernels that memory bounds, and whose output is larger than the caches.
    """
    if hasattr(output, "stream_stores"):
        output.stream_stores()


def estimate(algorithm: Algorithm, values: Values, size: Size) -> None:
    """Tells an autoscheduler the sizes and numbers that such a call has."""
    for name, value in values.items():
        given = algorithm.inputs[name]
        if isinstance(value, np.ndarray):
            given.set_estimates([(0, extent) for extent in value.shape[::-1]])
        else:
            given.set_estimate(value)
    for output in algorithm.outputs:
        output.set_estimates([(0, extent) for extent in size])
