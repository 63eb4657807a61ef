"""One function in a process of its own: are the outputs equal, and how long do the two take?"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from ..dag.concrete import Number
from ..emit.interface import Interface, Parameter, load_interface
from .device import (
    Cuda,
    DeviceTimes,
    NoKernels,
    call_on_device,
    image_bytes,
    pays_from,
    several,
)
from .memory import PATTERNS, ArrayMemory, Extent, Pattern, UnknownAccesses, extent_of, fill
from .original import Originals, original_symbol
from .scalars import NoArguments, choose_scalars

SIZES = ((0, 0), (1, 1), (1, 7), (7, 1), (3, 5), (17, 9), (33, 4), (61, 13), (130, 3))
"""(width, height) of the images on which the outputs are compared."""
_PADDINGS = (0, 5)


@dataclass(frozen=True, slots=True)
class Measurement:
    """What a comparison found. Times are milliseconds for one call, None without an original."""

    compared: int
    """Images on which both ran."""
    difference: str | None
    original_ms: float | None
    lifted_ms: float
    original_best_ms: float | None
    lifted_best_ms: float
    speedup: float | None
    """Median of the ratios of neighbouring calls, original over lifted."""


@dataclass(frozen=True, slots=True)
class OnDevice:
    """What a comparison found on the GPU."""

    compared: int
    difference: str | None
    times: DeviceTimes


_CTYPES: dict[str, Any] = {
    "bool": ctypes.c_bool,
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
    **{f"int{b}": getattr(ctypes, f"c_int{b}") for b in (8, 16, 32, 64)},
    **{f"uint{b}": getattr(ctypes, f"c_uint{b}") for b in (8, 16, 32, 64)},
}


class _Lifted:
    """The lifted function, on buffers of its own."""

    def __init__(self, interface: Interface, library: ctypes.CDLL) -> None:
        flat = any(p.kind == "vector" for p in interface.params)
        self.function = library[f"{interface.name}_lifted{'_flat' if flat else ''}"]
        self.function.restype = None
        self.interface = interface

    def argument(self, parameter: Parameter, memory: ArrayMemory) -> list[Any]:
        return self._passed(parameter, memory, memory.argument)

    def _passed(self, parameter: Parameter, memory: ArrayMemory, address: int) -> list[Any]:
        if parameter.kind == "vector":
            return [ctypes.c_void_p(address), ctypes.c_int64(memory.extent.high + 1)]
        return [ctypes.c_void_p(address)]

    def call(self, arguments: Sequence[Any]) -> None:
        self.function(*arguments)

    def before(self, memories: Mapping[str, ArrayMemory]) -> None:
        """Nothing to bring in: the arrays are used where they are."""

    def after(self, memories: Mapping[str, ArrayMemory]) -> None:
        """Nothing to bring back."""

    def release(self, memories: Mapping[str, ArrayMemory]) -> None:
        """Nothing to give up."""


class _Tried(_Lifted):
    """The lifted function, which says where it fails, for images on the host."""

    def __init__(self, interface: Interface, library: ctypes.CDLL) -> None:
        super().__init__(interface, library)
        flat = any(p.kind == "vector" for p in interface.params)
        self.function = library[f"{interface.name}_try{'_flat' if flat else ''}"]

    def call(self, arguments: Sequence[Any]) -> None:
        call_on_device(self.function, arguments)


class _There(_Tried):
    """The same for images on the device, which are brought there outside of the timed part."""

    def __init__(self, interface: Interface, library: ctypes.CDLL, cuda: Cuda) -> None:
        super().__init__(interface, library)
        self.cuda = cuda
        self.places: dict[str, int] = {}

    def argument(self, parameter: Parameter, memory: ArrayMemory) -> list[Any]:
        place = self.places[parameter.name] = self.cuda.allocate(memory.values.nbytes)
        further = place - int(memory.values.ctypes.data)
        return self._passed(parameter, memory, memory.argument_for(further))

    def before(self, memories: Mapping[str, ArrayMemory]) -> None:
        for name, place in self.places.items():
            self.cuda.send(place, memories[name].values)
        self.cuda.wait()

    def after(self, memories: Mapping[str, ArrayMemory]) -> None:
        for name, place in self.places.items():
            self.cuda.fetch(memories[name].values, place)
        self.cuda.wait()

    def release(self, memories: Mapping[str, ArrayMemory]) -> None:
        for place in self.places.values():
            self.cuda.free(place)
        self.places.clear()


class _Original(_Lifted):
    """The original; its vectors are made by the shim and copied outside of the timed part."""

    def __init__(self, interface: Interface, library: ctypes.CDLL) -> None:
        self.function = library[original_symbol(interface)]
        self.function.restype = None
        self.interface = interface
        self.library = library
        self.vectors: dict[str, int] = {}

    def _vector(self, parameter: Parameter, what: str) -> Any:
        function = self.library[f"lift_vector_{what}_{parameter.element.replace(' ', '_')}"]
        function.restype = ctypes.c_void_p
        return function

    def argument(self, parameter: Parameter, memory: ArrayMemory) -> list[Any]:
        if parameter.kind != "vector":
            return super().argument(parameter, memory)
        size = ctypes.c_int64(memory.extent.high + 1)
        handle = self._vector(parameter, "make")(size)
        self.vectors[parameter.name] = handle
        return [ctypes.c_void_p(handle)]

    def _copy(self, memories: Mapping[str, ArrayMemory], back: bool) -> None:
        for name, handle in self.vectors.items():
            memory = memories[name]
            size = (memory.extent.high + 1) * memory.values.itemsize
            data = self._vector(memory.parameter, "data")(ctypes.c_void_p(handle))
            if size > 0:
                here, there = memory.address, data
                ctypes.memmove(here if back else there, there if back else here, size)

    def before(self, memories: Mapping[str, ArrayMemory]) -> None:
        self._copy(memories, back=False)

    def after(self, memories: Mapping[str, ArrayMemory]) -> None:
        self._copy(memories, back=True)

    def release(self, memories: Mapping[str, ArrayMemory]) -> None:
        for name, handle in self.vectors.items():
            self._vector(memories[name].parameter, "drop")(ctypes.c_void_p(handle))
        self.vectors.clear()


class _Call:
    """One side with its arguments ready, to run again and again on the same contents."""

    def __init__(
        self,
        side: _Lifted,
        values: Mapping[str, Number],
        contents: Mapping[str, np.ndarray[Any, Any]],
        extents: Mapping[str, Extent],
    ) -> None:
        self.side, self.contents = side, contents
        self.memories: dict[str, ArrayMemory] = {}
        self.arguments: list[Any] = []
        for parameter in side.interface.params:
            if parameter.kind == "scalar":
                value = values[parameter.name]
                self.arguments.append(_CTYPES[str(parameter.type)](value))
                continue
            name = parameter.name
            memory = ArrayMemory(parameter, extents[name], contents[name])
            self.memories[name] = memory
            self.arguments += side.argument(parameter, memory)
        self.restored = [n for n in self.memories if not side.interface.parameter(n).const]

    def run(self) -> float:
        """Seconds of one call, on fresh contents."""
        self.prepare()
        call, arguments = self.side.call, self.arguments
        start = time.perf_counter()
        call(arguments)
        seconds = time.perf_counter() - start
        self.side.after(self.memories)
        return seconds

    def prepare(self) -> None:
        for name in self.restored:
            self.memories[name].restore(self.contents[name])
        self.side.before(self.memories)

    def release(self) -> None:
        self.side.release(self.memories)


def measure(
    interface: Interface,
    lifted: Path,
    original: Originals | None,
    width: int,
    height: int,
    seconds: float,
) -> Measurement:
    """Compares the two and times them for `seconds`; raises `NoArguments` or `UnknownAccesses`."""
    library = ctypes.CDLL(str(lifted))
    if hasattr(library, "lift_cuda_use"):
        library.lift_cuda_use(0)
    new = _Lifted(interface, library)
    old = _Original(interface, _lazily(original.timed)) if original else None
    values = choose_scalars(interface, width, height)
    compared, difference = 0, None
    if original is not None:
        exact = _Original(interface, _lazily(original.exact))
        compared, difference = _compare_all(interface, exact, new, values)
    calls = _calls(interface, [s for s in (old, new) if s], values, "random", 1)
    times = _interleaved([call.run for call in calls], seconds)
    for call in calls:
        call.release()
    lifted_ms, best = median(times[-1]) * 1e3, min(times[-1]) * 1e3
    if old is None:
        return Measurement(compared, difference, None, lifted_ms, None, best, None)
    ratios = [a / b for a, b in zip(*times, strict=True)]
    return Measurement(
        compared,
        difference,
        median(times[0]) * 1e3,
        lifted_ms,
        min(times[0]) * 1e3,
        best,
        median(ratios),
    )


def measure_there(
    interface: Interface,
    lifted: Path,
    original: Originals | None,
    width: int,
    height: int,
    seconds: float,
) -> OnDevice:
    """Compares the function on the GPU with the original, and times it there; raises `NoKernels`,
    `OSError` and `RuntimeError`, and what `measure` raises."""
    library = ctypes.CDLL(str(lifted))
    if not hasattr(library, "lift_cuda_use"):
        raise NoKernels("it was built for the processor alone: lift build DIR --target cuda")
    library.lift_cuda_launches.restype = ctypes.c_int64
    values = choose_scalars(interface, width, height)
    cuda = Cuda()
    try:
        with _used(library):
            there = _There(interface, library, cuda)
            here = _Tried(interface, library)
            times = _times_there(there, here, library, values, seconds)
            if times.copied_ms is not None:
                smaller = choose_scalars(interface, max(width // 4, 1), max(height // 4, 1))
                times = replace(times, pays_from=_pays_from(here, library, smaller, values))
            compared, difference = 0, None
            if original is not None:
                exact = _Original(interface, _lazily(original.exact))
                sides = [there, *([here] if times.copied_ms is not None else [])]
                for side in sides:
                    count, found = _compare_all(interface, exact, side, values, PATTERNS[:2])
                    compared, difference = compared + count, difference or found
            return OnDevice(compared, difference and f"on the GPU, {difference}", times)
    finally:
        cuda.close()


@contextmanager
def _used(library: ctypes.CDLL) -> Iterator[None]:
    """Lets all calls run on the GPU that can."""
    if library.lift_cuda_use(1):
        raise RuntimeError("the GPU can't be used")
    library.lift_cuda_set_threshold(ctypes.c_int64(1))
    try:
        yield
    finally:
        library.lift_cuda_use(0)


@contextmanager
def _called(side: _Lifted, values: dict[str, Number]) -> Iterator[_Call]:
    """A call that is ready to be timed."""
    (call,) = _calls(side.interface, [side], values, "random", 1)
    try:
        yield call
    finally:
        call.release()


def _times_there(
    there: _There,
    here: _Tried,
    library: ctypes.CDLL,
    values: dict[str, Number],
    seconds: float,
) -> DeviceTimes:
    interface, cuda = there.interface, there.cuda
    read = {v.array for v in interface.images}
    stored = {o.view.array for o in interface.outputs}
    kernels: list[float] = []
    launch: list[float] = []
    whole: list[float] = []
    to_device: list[float] = []
    to_host: list[float] = []

    def run(call: _Call) -> None:
        call.prepare()
        with cuda.timed(kernels):
            start = time.perf_counter()
            there.call(call.arguments)
            launch.append(1e3 * (time.perf_counter() - start))
        with cuda.timed(to_device):
            for name in read:
                cuda.send(there.places[name], call.memories[name].values)
        with cuda.timed(to_host):
            for name in stored:
                cuda.fetch(call.memories[name].values, there.places[name])

    def run_to_its_end(call: _Call) -> None:
        call.prepare()
        start = time.perf_counter()
        there.call(call.arguments)
        cuda.wait()
        whole.append(1e3 * (time.perf_counter() - start))

    with _called(there, values) as call:
        before = library.lift_cuda_launches()
        run_to_its_end(call)
        launches = library.lift_cuda_launches() - before
        several(lambda: run(call), seconds)
        several(lambda: run_to_its_end(call), seconds)
    copied = _copied_ms(here, library, values, seconds)
    return DeviceTimes(
        launches,
        kernels_ms=median(kernels[1:]),
        launch_ms=median(launch[1:]),
        there_ms=median(whole[1:]),
        in_ms=median(to_device[1:]),
        out_ms=median(to_host[1:]),
        copied_ms=copied,
        pays_from=None,
    )


def _copied_ms(
    here: _Tried, library: ctypes.CDLL, values: dict[str, Number], seconds: float
) -> float | None:
    """Milliseconds of a call for images on the host; None where it runs on the processor."""
    times: list[float] = []
    with _called(here, values) as call:
        before = library.lift_cuda_launches()
        call.run()
        if library.lift_cuda_launches() == before:
            return None
        several(lambda: times.append(1e3 * call.run()), seconds)
    return median(times[1:])


def _pays_from(
    here: _Tried, library: ctypes.CDLL, smaller: dict[str, Number], values: dict[str, Number]
) -> int | None:
    """From how many bytes on copies pay, by calls of two sizes, one after the other in turn."""
    found: list[tuple[int, float, float]] = []
    for chosen in (smaller, values):
        times: list[list[float]] = [[], []]
        with _called(here, chosen) as call:
            for number in range(12):
                library.lift_cuda_use(number % 2)
                times[number % 2].append(1e3 * call.run())
        on_processor, copied = (median(t[1:]) for t in times)
        found.append((image_bytes(here.interface, chosen), on_processor, copied))
    library.lift_cuda_use(1)
    return pays_from(*found)


def _lazily(library: Path) -> ctypes.CDLL:
    """The library, though functions that nobody calls here may be missing from it."""
    return ctypes.CDLL(str(library), mode=os.RTLD_LAZY)


def _calls(
    interface: Interface,
    sides: Sequence[_Lifted],
    values: dict[str, Number],
    pattern: Pattern,
    seed: int,
) -> list[_Call]:
    rng = np.random.default_rng(seed)
    arrays = [p for p in interface.params if p.kind != "scalar"]
    values = dict(values)
    for parameter in arrays:
        if parameter.kind == "rows" and f"{parameter.name}.row_stride" not in values:
            values[f"{parameter.name}.row_stride"] = 1 << 12
    extents = {p.name: extent_of(interface, p, values) for p in arrays}
    contents = {p.name: fill(p, extents[p.name], pattern, rng) for p in arrays}
    return [_Call(side, values, contents, extents) for side in sides]


def _compare_all(
    interface: Interface,
    old: _Original,
    new: _Lifted,
    timed: dict[str, Number],
    patterns: Sequence[Pattern] = PATTERNS,
) -> tuple[int, str | None]:
    """How many images both ran on, and the first difference; the image to be timed comes last."""
    compared = 0
    for where, seed, values in (*_images(interface), ("the timed image", 1, timed)):
        for pattern in patterns if values is not timed else patterns[:1]:
            calls = _calls(interface, (old, new), values, pattern, seed)
            for call in calls:
                call.run()
            difference = _difference(calls[0], calls[1], f"{where}, {pattern}, seed {seed}")
            for call in calls:
                call.release()
            compared += 1
            if difference:
                return compared, difference
    return compared, None


def _images(interface: Interface) -> Iterator[tuple[str, int, dict[str, Number]]]:
    """Small images: what to call them, a seed, the scalars."""
    for number, (width, height) in enumerate(SIZES):
        for padding in _PADDINGS:
            seed = number * len(_PADDINGS) + padding
            try:
                values = choose_scalars(interface, width, height, padding=padding, seed=seed)
            except NoArguments:
                continue  # the preconditions exclude this size
            yield f"{width} x {height}, padding {padding}", seed, values


def _difference(old: _Call, new: _Call, where: str) -> str | None:
    """The first element in which the two left different contents, margins included."""
    for name, memory in old.memories.items():
        a, b = memory.values, new.memories[name].values
        if a.tobytes() == b.tobytes():
            continue
        both_nan = (a != a) & (b != b)
        width = a.dtype.itemsize
        bits = (a.view(f"u{width}") != b.view(f"u{width}")) & ~both_nan
        if bits.any():
            index = int(np.argmax(bits))
            shown = index - _origin(memory)
            return f"{where}: {name}[{shown}] is {a[index]} in the original, {b[index]} lifted"
    return None


def _origin(memory: ArrayMemory) -> int:
    """Position of element 0 in the array with its margins."""
    return (memory.address - int(memory.values.ctypes.data)) // memory.values.itemsize


def _interleaved(runs: Sequence[Callable[[], float]], seconds: float) -> list[list[float]]:
    """Times of all runs, one after the other in turn, after one round to warm up."""
    for run in runs:
        run()
    times: list[list[float]] = [[] for _ in runs]
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times[0]) < 5:
        for run, found in zip(runs, times, strict=True):
            found.append(run())
    return times


def main(arguments: Sequence[str]) -> int:
    """`python -m lifter.bench.measure FOLDER LIFTED ORIGINAL EXACT WIDTH HEIGHT SECONDS TARGET`:
    JSON.

    ORIGINAL and EXACT are `-` where there is no original.
    """
    folder, lifted, timed, exact, width, height, seconds, target = arguments
    interface = load_interface(Path(folder))
    library = None if timed == "-" else Originals(Path(timed), Path(exact))
    given = (interface, Path(lifted), library, int(width), int(height), float(seconds))
    try:
        found: dict[str, Any] = asdict(measure(*given))
    except (NoArguments, UnknownAccesses) as error:
        print(json.dumps({"note": str(error)}))
        return 0
    if target == "cuda":
        try:
            there = measure_there(*given)
            found["difference"] = found["difference"] or there.difference
            found["compared"] += there.compared
            found["device"] = asdict(there.times)
        except (NoKernels, OSError, RuntimeError) as error:
            found["note"] = str(error)
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
