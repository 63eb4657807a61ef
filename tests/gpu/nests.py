"""Random nests of loops over blocks, threads and lanes, of which few make sense.

python -m tests.gpu.nests FIRST LAST      says of each what the real package says
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

NAMES = "x y z w"


def nest(hl: ModuleType, seed: int) -> Any:
    """A stage that reads another one, scheduled; raises what the package says of it."""
    pick = random.Random(seed)
    variables = hl.vars(NAMES)
    x, y, z, w = variables
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y, z, w] = x + 10 * y + 100 * z + w
    g[x, y, z, w] = f[x, y, z, w] + f[x + 1, y, z, w]
    for variable in variables:
        g.bound(variable, 0, pick.choice((2, 4, 8)))
    _loops(pick, g, variables)
    where = pick.choice(("root", "inline", "at", "at", "at"))
    if where == "root":
        f.compute_root()
    elif where == "at":
        f.compute_at(g, pick.choice(variables))
    if where != "inline":
        if where == "at" and pick.random() < 0.3:
            f.store_in(pick.choice((hl.MemoryType.GPUShared, hl.MemoryType.Heap)))
        _loops(pick, f, variables)
    return g


def _loops(pick: random.Random, stage: Any, variables: list[Any]) -> None:
    """Kinds of loops, mostly blocks outside of threads."""
    kinds: tuple[Callable[[Any], Any], ...] = (
        stage.gpu_blocks, stage.gpu_threads, stage.gpu_lanes, stage.parallel, stage.vectorize,
        stage.unroll,
    )  # fmt: skip
    if pick.random() < 0.2:
        stage.reorder(*pick.sample(variables, len(variables)))
    if pick.random() < 0.7:
        blocks, threads = pick.randint(0, 3), pick.randint(0, 3)
        if blocks:
            stage.gpu_blocks(*variables[-blocks:])
        left = variables[: len(variables) - blocks]
        if threads:
            stage.gpu_threads(*left[:threads])
        return
    for variable in variables:
        if pick.random() < 0.5:
            pick.choice(kinds)(variable)


def main() -> None:
    import halide

    target = halide.Target("x86-64-linux-cuda-cuda_capability_75-no_runtime")
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        try:
            g = nest(halide, seed)
            module = halide.Pipeline(g).compile_to_module([], "f", target)
            module.compile({halide.OutputFileType.llvm_assembly: "/dev/null"})
        except Exception as error:
            print(seed, " ".join(str(error).split()), flush=True)
        else:
            print(seed, "ok", flush=True)


if __name__ == "__main__":
    main()
