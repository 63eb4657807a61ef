"""What a call costs from Python: a pipeline on 16 x 16 bytes, ours and the real Halide's in turn.

The real package runs in a process of its own, started and asked for a round by this one, so that
the two never share an interpreter. Prints microseconds a call, the best of all rounds.

    python benchmarks/call_cost.py [rounds]
"""

from __future__ import annotations

import subprocess
import sys
import timeit
from typing import Any

import numpy as np

CALLS = 5000


def prepared(hl: Any) -> dict[str, Any]:
    """The ways to call: `realize` into a Buffer, and a compiled function with its arguments."""
    x, y = hl.Var("x"), hl.Var("y")
    source, amount = hl.ImageParam(hl.UInt(8), 2), hl.Param(hl.UInt(8), 2)
    f = hl.Func("f")
    f[x, y] = source[x, y] + amount
    f.vectorize(x, 16)
    image, out = hl.Buffer(np.zeros((16, 16), np.uint8)), hl.Buffer(hl.UInt(8), [16, 16])
    source.set(image)
    call = f.compile_to_callable([source, amount], hl.get_host_target())
    return {"realize(buffer)": lambda: f.realize(out), "callable": lambda: call(image, 3, out)}


def measured(ways: dict[str, Any]) -> list[float]:
    """Microseconds a call of each way."""
    return [timeit.timeit(way, number=CALLS) / CALLS * 1e6 for way in ways.values()]


def peer() -> None:
    """The real package's side: one line of numbers for each line that comes in."""
    import halide

    ways = prepared(halide)
    for way in ways.values():
        way()
    for _ in sys.stdin:
        print(*measured(ways), flush=True)


def main() -> None:
    if sys.argv[1:] == ["peer"]:
        peer()
        return
    import compiler

    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    ways = prepared(compiler)
    for way in ways.values():
        way()
    ours, theirs = [float("inf")] * len(ways), [float("inf")] * len(ways)
    command = [sys.executable, __file__, "peer"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdin is not None and other.stdout is not None
        for _ in range(rounds):
            ours = [min(a, b) for a, b in zip(ours, measured(ways), strict=True)]
            print(file=other.stdin, flush=True)
            answer = map(float, other.stdout.readline().split())
            theirs = [min(a, b) for a, b in zip(theirs, answer, strict=True)]
        other.stdin.close()
    print(f"microseconds a call, best of {rounds} interleaved rounds of {CALLS}")
    for name, own, real in zip(ways, ours, theirs, strict=True):
        print(f"{name:16} lift {own:5.2f}   Halide {real:5.2f}")


if __name__ == "__main__":
    main()
