"""Runs programs in processes of their own: a crash or an endless loop is a finding, not an end."""

from __future__ import annotations

import multiprocessing
import os
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from tests.fenced import fenced, fenced_copy

from .autoscheduled import autoscheduler
from .program import INPUTS, Program

TIMEOUT = 20.0
"""Seconds of processor time for one program, compiling included: on a busy machine a process may
wait much longer than it works."""
REAL_TIMEOUT = 6.0
"""The same for the real package, which needs a second, or hangs."""
MOST_IDLE = 40.0
"""Seconds without any work after which a process waits for something that never comes."""

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Outcome:
    """What came of one program: its values, or how it ended without."""

    values: Array | None = None
    error: str | None = None
    """`TypeName: message` of an exception; `crash` or `timeout` of the process."""
    is_refusal: bool = False
    """Whether the package refused the program with its own `HalideError`."""


def inputs_for(program: Program) -> dict[str, Array]:
    """Images, a little larger than the output, with many extreme values."""
    rng = np.random.default_rng(program.seed)
    shape = (program.size[1] + 5, program.size[0] + 7)
    made: dict[str, Array] = {}
    for name, dtype in INPUTS.items():
        if dtype.startswith("float"):
            made[name] = np.clip(rng.standard_normal(shape) * 2, -8, 8).astype(dtype)
            continue
        limits = np.iinfo(dtype)
        values = rng.integers(limits.min, int(limits.max) + 1, shape)
        extreme = rng.choice([limits.min, limits.max, 0, 1], shape)
        made[name] = np.where(rng.random(shape) < 0.3, extreme, values).astype(dtype)
    return made


def build(hl: Any, program: Program, images: dict[str, Array]) -> Any:
    """The output `Func` of the program under the package `hl`; `images` must outlive its use."""
    names: dict[str, Any] = {"hl": hl, "p": hl.Param(hl.Int(32), "p", program.parameter)}
    for name, array in images.items():
        names[name] = hl.ImageParam(hl.Buffer(array).type(), 2, name)
        names[name].set(hl.Buffer(array))
    # The stages are known when the directive runs.
    names["autoschedule"] = lambda *given: autoscheduler(
        hl,
        {stage.name: names[stage.name] for stage in program.stages},
        [names[name] for name in images],
    )(*given)
    exec(program.text(), names)
    return names["out"]


def run_here(package: str, program: Program) -> Outcome:
    """The program under `halide`, `compiler` or `interpreter`, in this process."""
    import importlib

    images = inputs_for(program)
    hl = importlib.import_module("compiler" if package == "interpreter" else package)
    try:
        if package == "interpreter":
            from compiler.interp import interpret

            func = build(hl, program.with_directives(()), images)
            made = interpret(func, [(0, n) for n in program.size])
            return Outcome(_joined([values.T for values in made]))
        if package == "compiler":
            images = {n: fenced_copy(a, at_end=bool(program.seed % 2)) for n, a in images.items()}
            return Outcome(_joined(_realized_in_fences(hl, build(hl, program, images), program)))
        made = build(hl, program, images).realize(list(program.size))
        return Outcome(
            _joined(list(map(np.array, made if isinstance(made, (list, tuple)) else [made])))
        )
    except hl.HalideError as error:
        return Outcome(error=f"HalideError: {error}", is_refusal=True)
    except Exception:
        return Outcome(error=traceback.format_exc(limit=-3))


def _joined(parts: list[Array]) -> Array:
    """One array of all values; of several parts, their bytes."""
    if len(parts) == 1:
        return parts[0]
    return np.frombuffer(b"".join(part.tobytes() for part in parts), np.uint8)


GAP = 3
"""Elements after each row of an output, which nobody may write."""


def _realized_in_fences(hl: Any, func: Any, program: Program) -> list[Array]:
    """What `func` computes into rows with gaps, in memory between pages that nobody may touch."""
    width, height = program.size
    types = [b.type() for b in func.output_buffers()]
    wholes, parts = [], []
    for type in types:
        dtype = np.array(hl.Buffer(type, [1])).dtype
        whole = fenced((height * (width + GAP) - GAP,), dtype, at_end=not program.seed % 2)
        whole.view(np.uint8)[...] = 77
        steps = ((width + GAP) * dtype.itemsize, dtype.itemsize)
        wholes.append(whole)
        parts.append(np.lib.stride_tricks.as_strided(whole, (height, width), steps))
    try:
        func.realize([hl.Buffer(part) for part in parts])
    except hl.HalideError as error:
        if "accessed at" not in str(error):
            raise
        # Loops that are rounded up need more than was asked for.
        made = func.realize([width, height])
        return list(map(np.array, made if isinstance(made, (list, tuple)) else [made]))
    made = [part.copy() for part in parts]
    for whole, part in zip(wholes, parts, strict=True):
        part.view(np.uint8)[...] = 77
        if (whole.view(np.uint8) != 77).any():
            raise AssertionError("something between the rows of the output was written")
    return made


Run = Callable[[str, Program], Outcome]


def _serve(package: str, channel: Connection, first: Callable[[], None] | None, run: Run) -> None:
    # Warnings of the real package about schedules would drown everything else.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.environ["HL_JIT_TARGET"] = "host-strict_float"
    os.environ.setdefault("HL_NUM_THREADS", "2")
    if first is not None:
        first()
    while True:
        channel.send(run(package, channel.recv()))


class Worker:
    """A process that runs programs under one package, started anew after a crash."""

    def __init__(
        self, package: str, first: Callable[[], None] | None = None, run: Run = run_here
    ) -> None:
        """`first` is called in the process before anything runs (to plant a bug); `run` is what
        runs a program there, known by its name."""
        self.package = package
        self.first = first
        self._run_there = run
        self._process: Any = None
        self._channel: Any = None

    def run(self, program: Program) -> Outcome:
        if self._process is None:
            context = multiprocessing.get_context("spawn")
            self._channel, other = context.Pipe()
            self._process = context.Process(
                target=_serve, args=(self.package, other, self.first, self._run_there), daemon=True
            )
            self._process.start()
            other.close()
        try:
            self._channel.send(program)
            if not self._answers():
                return self._ended("timeout")
            outcome: Outcome = self._channel.recv()
        except (EOFError, OSError):
            return self._ended("crash")
        return outcome

    def _answers(self) -> bool:
        """Whether an answer comes before the process has worked, or done nothing, for too long."""
        began = worked = self._worked()
        last = time.monotonic()
        most = REAL_TIMEOUT if self.package == "halide" else TIMEOUT
        while not self._channel.poll(1.0):
            now = self._worked()
            if now > worked:
                worked, last = now, time.monotonic()
            if worked - began > most or time.monotonic() - last > MOST_IDLE:
                return False
        return True

    def _worked(self) -> float:
        """Seconds of processor time that the process has used, all its threads together."""
        try:
            with open(f"/proc/{self._process.pid}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _ended(self, how: str) -> Outcome:
        self.stop()
        return Outcome(error=how)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None


@dataclass
class Finding:
    """A program on which somebody differs."""

    program: Program
    what: str
    flags: str = ""
    """What the replaying command needs besides the seed."""

    def __str__(self) -> str:
        return f"{self.what}\nreplay: {self.program.replay()}{self.flags}\n{self.program.text()}"


@dataclass
class Counts:
    """How the programs of a run ended."""

    equal: int = 0
    refused: int = 0
    """By both packages."""
    only_they_refuse: int = 0
    peer_failed: int = 0

    def __str__(self) -> str:
        return (
            f"{self.equal} equal, {self.refused} refused by both, {self.only_they_refuse} by "
            f"Halide alone, {self.peer_failed} on which Halide crashed, hung or contradicted itself"
        )


class Comparison:
    """Three ways to run a program, side by side."""

    def __init__(self, first: Callable[[], None] | None = None) -> None:
        """`first` is called in the process that runs our compiler (to plant a bug)."""
        self.ours, self.theirs = Worker("compiler", first), Worker("halide")
        self.plain = Worker("interpreter")
        self.counts = Counts()

    def __enter__(self) -> Comparison:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in (self.ours, self.theirs, self.plain):
            worker.stop()

    def check(self, program: Program) -> Finding | None:
        """Runs `program` every way; what is wrong with ours, if anything."""
        theirs, ours = self.theirs.run(program), self.ours.run(program)
        if ours.values is None and not ours.is_refusal:
            return Finding(program, f"ours fails: {ours.error}")
        if theirs.error in ("crash", "timeout"):
            self.counts.peer_failed += 1
            theirs = Outcome()
        elif theirs.values is None:
            if ours.values is None:
                self.counts.refused += 1
                return None
            self.counts.only_they_refuse += 1
        elif ours.values is None:
            return Finding(program, f"ours refuses what Halide takes: {ours.error}")
        if ours.values is None:
            return None
        plain = self.plain.run(program)
        if plain.values is None:
            return Finding(program, f"the interpreter fails: {plain.error}")
        for name, other in (("Halide", theirs.values), ("the interpreter", plain.values)):
            if other is not None and not same(ours.values, other):
                if other is theirs.values and self._contradicts_itself(program, ours, plain):
                    self.counts.peer_failed += 1
                    return None
                return Finding(program, difference(ours.values, other, name))
        if theirs.values is not None:
            self.counts.equal += 1
        return None

    def _contradicts_itself(self, program: Program, ours: Outcome, plain: Outcome) -> bool:
        """Whether Halide without the schedule gives our value and the interpreter's, or comes to no
        end: its windows that slide in two dimensions lose points."""
        unscheduled = self.theirs.run(program.with_directives(()))
        assert ours.values is not None and plain.values is not None
        if unscheduled.values is not None:
            agree = same(ours.values, unscheduled.values)
        else:
            agree = unscheduled.error in ("crash", "timeout")
        return agree and same(ours.values, plain.values)


def same(a: Array, b: Array) -> bool:
    """Whether two results have the same bits."""
    return a.dtype == b.dtype and a.shape == b.shape and bool(np.array_equal(a, b))


def difference(ours: Array, other: Array, name: str) -> str:
    if ours.dtype != other.dtype or ours.shape != other.shape:
        return f"ours is {ours.dtype}{ours.shape}, {name}'s {other.dtype}{other.shape}"
    where = np.argwhere(ours != other)
    first = tuple(int(i) for i in where[0])
    return (
        f"{len(where)} of {ours.size} values differ from {name}'s; the first at "
        f"(y, x) = {first}: {ours[first]}, not {other[first]}"
    )
