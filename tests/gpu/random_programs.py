"""Random chains of stages with random schedules for GPUs.

python -m tests.gpu.random_programs --seed 0 --count 1000 [--ptx]
"""

from __future__ import annotations

import argparse
import random
from typing import Any

import numpy as np

import compiler as hl
from compiler.codegen.ptx import INDEX_WIDTHS

from .programs import by_ptx, lowered, on_device

X, Y = hl.vars("x y")
Array = np.ndarray[Any, Any]
TYPES = (hl.UInt(8), hl.UInt(16), hl.Int(32), hl.Float(32))
TAILS = (
    hl.TailStrategy.GuardWithIf,
    hl.TailStrategy.GuardWithIf,
    hl.TailStrategy.RoundUp,
    hl.TailStrategy.ShiftInwards,
)


class Program:
    """Stages, the last of which is the output, and the image that they read."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.image = hl.ImageParam(hl.UInt(8), 2, "image")
        self.stages: list[hl.Func] = []
        for number in range(self.random.randint(1, 4)):
            self.stages.append(self._stage(f"s{number}"))

    def _stage(self, name: str) -> hl.Func:
        pick = self.random
        f, type = hl.Func(name), pick.choice(TYPES)
        sources: list[Any] = [self.image, *self.stages]
        value: Any = hl.cast(type, pick.randint(0, 5))
        for _ in range(pick.randint(1, 3)):
            value = value + hl.cast(type, self._read(pick.choice(sources[-2:])))
        f[X, Y] = hl.cast(type, value)
        kind = pick.random()
        if kind < 0.2:
            r = hl.RDom([(0, pick.randint(1, 4))], "r")
            f[X, Y] += hl.cast(type, self._read(pick.choice(sources[-2:]), r.x))
        elif kind < 0.3:
            f[X, pick.randint(0, 3)] = f[X, pick.randint(0, 3)] * 2
        return f

    def _read(self, source: Any, along: Any = 0) -> Any:
        pick = self.random
        x, y = X + pick.randint(-2, 2) + along, Y + pick.randint(-2, 2)
        if source is self.image:
            x = hl.clamp(x, 0, self.image.width() - 1)
            y = hl.clamp(y, 0, self.image.height() - 1)
        return source[x, y]

    def schedule(self) -> str:
        """Schedules all stages; says how."""
        pick = self.random
        said: list[str] = []
        blocks: tuple[hl.Func, Any, Any] | None = None
        for f in reversed(self.stages):
            has_update = f.num_update_definitions() > 0
            ways = ["root"]
            if f is not self.stages[-1]:
                ways += ["inline"] * (not has_update)
                if blocks is not None:
                    ways += ["block", "block", "block", "thread", "nested"]
            way = pick.choice(ways)
            said.append(f"{f.name()}: {way}")
            if way == "root":
                blocks = self._root(f, said)
            elif way == "block":
                assert blocks is not None
                f.compute_at(blocks[0], blocks[1])
                self._stored(f, said, ("Auto", "Auto", "GPUShared", "Heap"))
                self._threads(f, said)
            elif way == "thread":
                assert blocks is not None
                f.compute_at(blocks[0], blocks[2])
                self._stored(f, said, ("Auto", "Auto", "Register", "Heap", "GPUShared"))
            elif way == "nested":
                assert blocks is not None
                self._nested(f, blocks[0], said)
        return "; ".join(said)

    def _nested(self, f: hl.Func, blocks: hl.Func, said: list[str]) -> None:
        """Threads of the stage inside of threads of another one."""
        pick = self.random
        level = pick.choice(("xi", "yi"))
        f.compute_at(blocks, hl.Var(level))
        self._stored(f, said, ("Auto", "Auto", "Heap", "GPUShared"))
        across = pick.choice((X, Y))
        if pick.random() < 0.7:
            f.gpu_threads(across)
        for number in range(f.num_update_definitions()):
            if pick.random() < 0.5:
                f.update(number).gpu_threads(X)
        said.append(f"at {level}, threads {across.name()}")

    def _stored(self, f: hl.Func, said: list[str], kinds: tuple[str, ...]) -> None:
        kind = self.random.choice(kinds)
        f.store_in(hl.MemoryType[kind])
        said.append(f"in {kind}")

    def _root(self, f: hl.Func, said: list[str]) -> tuple[hl.Func, Any, Any]:
        pick = self.random
        xi, yi = hl.vars("xi yi")
        width, height = pick.choice((1, 2, 4, 8)), pick.choice((1, 2, 4))
        updates = f.num_update_definitions() > 0
        tail = hl.TailStrategy.GuardWithIf if updates else pick.choice(TAILS)
        said.append(f"tile {width}x{height} {tail.name}")
        f.compute_root()
        f.gpu_tile(X, Y, xi, yi, width, height, tail)
        if pick.random() < 0.3:
            v = hl.Var("v")
            f.split(xi, xi, v, 2, hl.TailStrategy.GuardWithIf).reorder(v, xi, yi, X, Y)
            f.vectorize(v) if pick.random() < 0.5 else f.unroll(v)
            said.append("two a thread")
        for number in range(f.num_update_definitions()):
            update = f.update(number)
            if pick.random() < 0.7 and self._is_whole(f):
                ux, uy = hl.vars("ux uy")
                update.gpu_tile(X, Y, ux, uy, 4, 2, hl.TailStrategy.GuardWithIf)
            else:
                ux = hl.Var("ux")
                update.gpu_tile(X, ux, 4, hl.TailStrategy.GuardWithIf)
        return f, X, xi

    @staticmethod
    def _is_whole(f: hl.Func) -> bool:
        """Whether the update goes over all points."""
        return len([a for a in f.update_args(0) if str(a) in ("x", "y")]) == 2

    def _threads(self, f: hl.Func, said: list[str]) -> None:
        pick = self.random
        way = pick.choice(("x", "xy", "none", "tiles"))
        said.append(f"threads {way}")
        if way == "x":
            f.gpu_threads(X)
        elif way == "xy":
            f.gpu_threads(X, Y)
        elif way == "tiles":
            xi = hl.Var("xi")
            f.split(X, X, xi, 2, hl.TailStrategy.GuardWithIf).gpu_threads(xi, Y)
        for number in range(f.num_update_definitions()):
            if pick.random() < 0.5:
                f.update(number).gpu_threads(X)


def check(seed: int, with_ptx: bool) -> str:
    """Runs a program on the devices and on the processor; `refused: ...` where it can't run.

    Raises `AssertionError` with the schedule where values differ or threads race.
    """
    pick = random.Random(seed + 1)
    width, height = pick.choice((1, 3, 8, 13)), pick.choice((1, 2, 7))
    image = np.random.default_rng(seed).integers(0, 256, (height + 3, width + 3), np.uint8)
    program = Program(seed)
    said = program.schedule()
    try:
        fn = lowered(program.stages[-1])
        width = INDEX_WIDTHS[seed % len(INDEX_WIDTHS)]
        launcher = by_ptx(fn, width=width) if with_ptx else None
    except hl.HalideError as error:
        return f"refused: {error}"
    plain = Program(seed)
    for f in plain.stages:
        f.compute_root()
    plain.image.set(hl.Buffer(image))
    try:
        expected = np.asarray(plain.stages[-1].realize([width, height]))
    except hl.HalideError as error:
        return f"refused: {error}"
    images = {plain.image.name(): image, program.image.name(): image}
    shape = {fn.args[-1].name: (width, height)}
    try:
        made, _ = on_device(fn, images, shape)
        np.testing.assert_array_equal(made[fn.args[-1].name], expected)
        if launcher is not None:
            made, _ = on_device(fn, images, shape, launcher)
            np.testing.assert_array_equal(made[fn.args[-1].name], expected)
    except AssertionError as error:
        if "Output buffer" in str(error):
            return "refused: an output that is smaller than a tile"
        raise AssertionError(f"seed {seed}: {said}: {error}") from error
    return "equal"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--ptx", action="store_true", help="run PTX, too")
    options = parser.parse_args()
    refused: dict[str, int] = {}
    for seed in range(options.seed, options.seed + options.count):
        try:
            said = check(seed, options.ptx)
        except Exception as error:
            print(f"WRONG {seed}: {type(error).__name__} {error}", flush=True)
            continue
        if said != "equal":
            key = said[:100]
            refused[key] = refused.get(key, 0) + 1
    print(f"{options.count} programs, {sum(refused.values())} refused")
    for reason, count in sorted(refused.items(), key=lambda item: -item[1])[:12]:
        print(count, reason)


if __name__ == "__main__":
    main()
