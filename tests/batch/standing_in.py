"""Python that runs before `lift`, to put something quick and scripted in the place of lifting."""

from __future__ import annotations

QUICK = """
import os, time
import lifter.lift.lift_function as room
import lifter.batch.store
lifter.batch.store.tool_digest = lambda: "nobody edits lift between two runs of one test"
from lifter.model.diagnostic import Diagnostic
from lifter.model.lifted import FunctionResult

def act(kernel):
    pass

def lift_kernel(kernel, options):
    with open("lifted-by", "a") as log:
        log.write(f"{kernel.name} {os.getpid()}\\n")
    act(kernel)
    why = Diagnostic("undecided", "error", "an obligation is undecided", kernel.span)
    return FunctionResult(kernel.name, kernel.span, kernel.signature, "unproved", why, kernel)

room.lift_kernel = lift_kernel
"""
"""Each function is `unproved` at once; `lifted-by` has a line for each that was tried."""

PROVING = """
import lifter.batch.store
lifter.batch.store.tool_digest = lambda: "nobody edits lift between two runs of one test"
"""
"""Real lifting; only what is in the key of a result doesn't change when somebody edits `lift`."""


def acting(body: str) -> str:
    """`QUICK`, with these lines as what happens to each `kernel`."""
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return QUICK.replace("    pass\n", lines)


def fills(count: int, first: int = 0) -> str:
    """A source of `count` kernels that differ: `f0`, `f1`, ..."""
    return "".join(
        f"void f{i}(unsigned char *d, int n) {{ for (int i = 0; i < n; i++) d[i] = {i}; }}\n"
        for i in range(first, first + count)
    )
