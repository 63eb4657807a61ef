"""Random chains of stages with random schedules for GPUs.

python -m tests.gpu.random_programs --seed 0 --count 1000 [--ptx]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import compiler as hl
from compiler.interp import interpret
from tests.ptx.text import PtxError

from .programs import by_ptx, lowered, on_device, updates_parts_of_words

X, Y, XI, YI, V, T = hl.vars("x y xi yi v t")
Array = np.ndarray[Any, Any]
TYPES = (hl.UInt(8), hl.UInt(16), hl.Int(32), hl.Float(32))
Tail = hl.TailStrategy
GUARD = Tail.GuardWithIf
BINS = 4


@dataclass(eq=False)
class Stage:
    """A stage, and where it is computed."""

    func: hl.Func
    kind: str
    """Of its update: `sum` over a domain, `row` in place, `counts` at places that data says, or
    none."""
    domain: Any = None
    readers: set[tuple[Stage, bool]] = field(default_factory=set)
    """Who reads it, and whether an update does."""
    way: str = "root"
    nest: Nest | None = None
    """The loops over blocks around it."""


@dataclass(eq=False)
class Nest:
    """Loops of a stage that is computed at the root: those that others can be computed at."""

    stage: Stage
    block: Any
    thread: Any
    between: Any = None
    """A loop inside of the blocks around the threads."""


class Program:
    """Stages, the last of which is the output, and the image that they read."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.image = hl.ImageParam(hl.UInt(8), 2, "image")
        self.stages: list[Stage] = []
        self.said: list[str] = []
        for number in range(self.random.randint(1, 4)):
            self.stages.append(self._stage(f"s{number}"))
        self.multiple, self.least = [1, 1], [1, 1]
        """Of the output's extents."""

    @property
    def output(self) -> hl.Func:
        return self.stages[-1].func

    def _stage(self, name: str) -> Stage:
        pick = self.random
        type = pick.choice(TYPES)
        made = Stage(hl.Func(name), pick.choice(("", "", "", "sum", "sum", "row", "counts")))
        if made.kind == "counts":
            type = pick.choice(TYPES[:3])
        f, sources = made.func, [None, *self.stages][-2:]
        value: Any = hl.cast(type, pick.randint(0, 5))
        for _ in range(pick.randint(1, 3)):
            value = value + hl.cast(type, self._read(made, pick.choice(sources)))
        f[X, Y] = hl.cast(type, value)
        if made.kind == "sum":
            made.domain = hl.RDom([(0, pick.randint(1, 4))], "r")
            r = made.domain.x
            f[X, Y] += hl.cast(type, self._read(made, pick.choice(sources), r, in_update=True))
        elif made.kind == "row":
            row = pick.randint(0, 3)
            f[X, row] = f[X, row] * 2
        elif made.kind == "counts":
            made.domain = hl.RDom([(0, pick.randint(1, 6))], "r")
            source = pick.choice(sources)
            place = self._read(made, source, made.domain.x, at_x=False, in_update=True)
            f[hl.clamp(hl.i32(place) % BINS, 0, BINS - 1), Y] += hl.cast(type, 1)
        return made

    def _read(
        self,
        by: Stage,
        source: Stage | None,
        along: Any = 0,
        at_x: bool = True,
        in_update: bool = False,
    ) -> Any:
        pick = self.random
        x, y = pick.randint(-2, 2) + along, Y + pick.randint(-2, 2)
        if at_x:
            x = X + x
        if source is None:
            x = hl.clamp(x, 0, self.image.width() - 1)
            return self.image[x, hl.clamp(y, 0, self.image.height() - 1)]
        source.readers.add((by, in_update))
        return source.func[x, y]

    def schedule(self) -> str:
        """Schedules all stages; says how."""
        for stage in reversed(self.stages):
            self._schedule(stage)
        return "; ".join(self.said)

    def size(self) -> tuple[int, int]:
        """Of the output, as its loops need it."""
        pick = self.random
        given = pick.choice((1, 3, 8, 13)), pick.choice((1, 2, 7))
        w, h = (
            max(-(-max(n, least) // multiple) * multiple, least)
            for n, least, multiple in zip(given, self.least, self.multiple, strict=True)
        )
        return w, h

    def _schedule(self, stage: Stage) -> None:
        pick = self.random
        is_output = stage is self.stages[-1]
        ways = ["root", "root"]
        nest = None if is_output else self._nest_of(stage)
        if not is_output and not stage.kind:
            ways += ["inline"]
        if nest is not None:
            ways += ["block"] * 6
            if nest.between is not None:
                ways += ["slides"] * 4
            if all(r is nest.stage or r.way == "thread" for r, _ in self._readers(stage)):
                ways += ["thread"] * 3
        stage.way = pick.choice(ways)
        self.said.append(f"{stage.func.name()}: {stage.way}")
        if stage.way == "root":
            stage.func.compute_root()
            stage.nest = self._root(stage)
            return
        stage.nest = nest
        if stage.way == "inline":
            return
        assert nest is not None
        of = nest.stage.func
        if stage.way == "thread":
            stage.func.compute_at(of, nest.thread)
            self._in_thread(stage)
        else:
            slides = stage.way == "slides"
            stage.func.compute_at(of, nest.between if slides else nest.block)
            if slides and pick.random() < 0.7:
                stage.func.store_at(of, nest.block)
                self._say("stored in the block")
            self._in_block(stage)

    def _readers(self, stage: Stage) -> set[tuple[Stage, bool]]:
        """Those in whose loops the stage is needed."""
        found: set[tuple[Stage, bool]] = set()
        for reader, in_update in stage.readers:
            found |= self._readers(reader) if reader.way == "inline" else {(reader, in_update)}
        return found

    def _nest_of(self, stage: Stage) -> Nest | None:
        """The only loops over blocks in which the stage is needed, if it can be computed there."""
        readers = self._readers(stage)
        nests = {reader.nest for reader, _ in readers}
        if len(nests) != 1:
            return None
        (nest,) = nests
        if nest is None or any(r is nest.stage and in_update for r, in_update in readers):
            return None
        return nest

    def _say(self, what: str) -> None:
        self.said[-1] += f", {what}"

    def _choice(self, *several: Any) -> Any:
        return self.random.choice(several)

    def _tail(self, stage: Stage, is_update: bool = False) -> Tail:
        return self._choice(GUARD, Tail.RoundUp) if is_update else self._choice(
            GUARD, GUARD, Tail.RoundUp, Tail.ShiftInwards, Tail.Predicate
        )  # fmt: skip

    def _root(self, stage: Stage) -> Nest | None:
        form = self._choice("tile", "tile", "tile", "rows", "rows", "line", "once", "host")
        made = getattr(self, f"_{form}")(stage)
        if stage is self.stages[-1]:
            if stage.kind == "row":
                self.least[1] = max(self.least[1], BINS)
            if stage.kind == "counts":
                self.least[0] = max(self.least[0], BINS)
        if stage.kind:
            self._update(stage, form)
        if form in ("tile", "rows") and self.random.random() < 0.1:
            stage.func.specialize(self.image.width() > self._choice(4, 8))
            self._say("specialized")
        return made if isinstance(made, Nest) else None

    def _needs(self, stage: Stage, sizes: Sequence[int], tail: Tail) -> None:
        """Notes what a stage's tiles need of its extents, if it is the output."""
        if stage is self.stages[-1]:
            for d, size in enumerate(sizes):
                if tail == Tail.RoundUp:
                    self.multiple[d] = size
                if tail == Tail.ShiftInwards:
                    self.least[d] = size

    def _tile(self, stage: Stage) -> Nest:
        width, height = self._choice(1, 2, 4, 8), self._choice(1, 2, 4)
        tail = self._tail(stage)
        self._needs(stage, (width, height), tail)
        self._say(f"tile {width}x{height} {tail.name}")
        f = stage.func.gpu_tile(X, Y, XI, YI, width, height, tail)
        if self.random.random() < 0.5:
            factor = self._choice(2, 4)
            own = self._choice(GUARD, GUARD, Tail.Predicate)
            if width % factor == 0:
                own = self._choice(own, Tail.RoundUp, Tail.ShiftInwards)
            f.split(XI, XI, V, factor, own).reorder(V, XI, YI, X, Y)
            is_vector = self.random.random() < 0.6
            f.vectorize(V) if is_vector else f.unroll(V)
            self._say(f"{factor} a thread {own.name}, {'vector' if is_vector else 'unrolled'}")
        if self.random.random() < 0.2:
            f.reorder(YI, XI)
        return Nest(stage, X, XI)

    def _rows(self, stage: Stage) -> Nest:
        width, height, tail = self._choice(2, 4, 8), self._choice(2, 3), self._tail(stage)
        self._needs(stage, (width, height), tail)
        self._say(f"rows of {width}, {height} a block, {tail.name}")
        f = stage.func.split(X, X, XI, width, tail).split(Y, Y, YI, height, tail)
        f.reorder(XI, YI, X, Y).gpu_blocks(X, Y)
        f.gpu_lanes(XI) if self.random.random() < 0.3 else f.gpu_threads(XI)
        return Nest(stage, X, XI, YI)

    def _line(self, stage: Stage) -> Nest:
        count = self._choice(3, 4, 8)
        self._say(f"line of {count}")
        stage.func.fuse(X, Y, T).split(T, T, XI, count, GUARD).gpu_blocks(T).gpu_threads(XI)
        return Nest(stage, T, XI)

    def _once(self, stage: Stage) -> None:
        self._say("single thread")
        stage.func.gpu_single_thread()

    def _host(self, stage: Stage) -> None:
        self._say("host")
        if self.random.random() < 0.3:
            stage.func.parallel(Y)

    def _update(self, stage: Stage, form: str) -> None:
        """Of a stage at the root."""
        update, pick = stage.func.update(), self.random
        if form == "host" and pick.random() < 0.5:
            return
        ux, uy = hl.vars("ux uy")
        if stage.kind == "row":
            update.gpu_tile(X, ux, 4, GUARD)
        elif stage.kind == "sum":
            r = stage.domain.x
            update.tile(X, Y, ux, uy, self._choice(2, 4), 2, GUARD)
            is_outside = pick.random() < 0.4
            update.reorder(*((ux, uy, r) if is_outside else (r, ux, uy)), X, Y)
            update.gpu_blocks(X, Y).gpu_threads(ux, uy)
            self._say("the sum around threads" if is_outside else "the sum in threads")
            if not is_outside and pick.random() < 0.3:
                update.unroll(r)
        elif pick.random() < 0.6:
            ro, ri = hl.RVar("ro"), hl.RVar("ri")
            update.atomic().split(stage.domain.x, ro, ri, 2, GUARD)
            update.reorder(ri, ro, Y).gpu_blocks(Y).gpu_threads(ri)
            self._say("counts atomically")
        else:
            update.gpu_tile(Y, uy, 4, GUARD)

    def _in_block(self, stage: Stage) -> None:
        f, pick = stage.func, self.random
        form = self._choice("x", "xy", "xy", "none", "tiles", "vectors", "turned", "lanes")
        memory = self._choice("Auto", "Auto", "GPUShared", "Heap")
        self._say(f"threads {form}, {memory}")
        f.store_in(hl.MemoryType[memory])
        if pick.random() < 0.2:
            f.reorder_storage(Y, X)
        if form == "x":
            f.gpu_threads(X)
        elif form == "xy":
            f.gpu_threads(X, Y)
        elif form == "turned":
            f.reorder(Y, X).gpu_threads(Y, X)
        elif form in ("tiles", "lanes"):
            f.split(X, X, XI, self._choice(2, 4), self._tail(stage))
            f.gpu_threads(XI, Y) if form == "tiles" else f.gpu_lanes(XI)
        elif form == "vectors":
            f.split(X, X, V, self._choice(2, 4), self._tail(stage))
            f.vectorize(V) if pick.random() < 0.6 else f.unroll(V)
            f.gpu_threads(X, Y)
        if not stage.kind:
            return
        update = f.update()
        if stage.kind == "counts" and pick.random() < 0.5:
            update.atomic().gpu_threads(stage.domain.x)
            self._say("counts atomically")
        elif stage.kind != "counts" and pick.random() < 0.6:
            if stage.kind == "sum" and pick.random() < 0.5:
                update.reorder(X, stage.domain.x, Y)
            update.gpu_threads(X)
        elif stage.kind != "row" and pick.random() < 0.6:
            update.gpu_threads(Y)

    def _in_thread(self, stage: Stage) -> None:
        memory = self._choice("Auto", "Auto", "Register", "Stack", "Heap")
        self._say(memory)
        stage.func.store_in(hl.MemoryType[memory])
        if self.random.random() < 0.4:
            factor = self._choice(2, 4)
            stage.func.split(X, X, V, factor, self._tail(stage))
            is_vector = self.random.random() < 0.5
            stage.func.vectorize(V) if is_vector else stage.func.unroll(V)
            self._say(f"{'vector' if is_vector else 'unrolled'} {factor}")


def check(seed: int, with_ptx: bool) -> str:
    """Runs a program on the devices and by its definitions; `refused: ...` where it can't run.

    Stages may compute more than is needed of them, from what nobody has written. `not by PTX`: an
    update of a part of a word reads all of it, which the machine takes for a race with the others.

    Raises `AssertionError` with the schedule where values differ or threads race.
    """
    program = Program(seed)
    try:
        said = program.schedule()
        fn = lowered(program.output)
        launcher = by_ptx(fn, spreads=True) if with_ptx else None
    except hl.HalideError as error:
        return f"refused: {error}"
    width, height = program.size()
    image = np.random.default_rng(seed).integers(0, 256, (height + 3, width + 3), np.uint8)
    plain = Program(seed)
    plain.image.set(hl.Buffer(image))
    (expected,) = interpret(plain.output, [(0, width), (0, height)])
    images = {program.image.name(): image}
    name = fn.args[-1].name
    try:
        for one in (None, launcher) if launcher else (None,):
            made, _ = on_device(fn, images, {name: (width, height)}, one)
            np.testing.assert_array_equal(made[name], expected.T)
    except Exception as error:
        is_of_parts = isinstance(error, PtxError) and any(map(updates_parts_of_words, fn.kernels))
        if is_of_parts and "has a race" in str(error):
            return "not by PTX"
        raise AssertionError(f"seed {seed}: {width}x{height}: {said}: {error!r}") from error
    return "equal"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--ptx", action="store_true", help="run PTX, too")
    options = parser.parse_args()
    refused: dict[str, int] = {}
    wrong = 0
    for seed in range(options.seed, options.seed + options.count):
        try:
            said = check(seed, options.ptx)
        except Exception as error:
            print(f"WRONG {seed}: {type(error).__name__} {error}", flush=True)
            wrong += 1
            continue
        if said != "equal":
            key = said[:100]
            refused[key] = refused.get(key, 0) + 1
    print(f"{options.count} programs, {sum(refused.values())} refused, {wrong} wrong")
    for reason, count in sorted(refused.items(), key=lambda item: -item[1])[:12]:
        print(count, reason)


if __name__ == "__main__":
    main()
