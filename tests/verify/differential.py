"""Lifts C++ text without the concrete second opinion, and compares the proof with concrete runs."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from unittest.mock import patch

from lifter.lift import lift_function
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.kernel import Kernel
from lifter.model.lifted import FunctionResult
from lifter.model.proof import Counterexample
from lifter.parse import parse_file
from lifter.synth.functions import inlined
from lifter.verify.assumptions import typed_formula
from lifter.verify.cases import Case
from lifter.verify.interpret import RunOutcome, run
from lifter.verify.screen import Screening, screen

STEPS = 20_000
"""Iterations of loops after which a concrete run is given up."""
INPUTS = 32
"""Inputs that a proved result is compared on: of each small size two or three, of each large one
one."""

SEARCH = 20_000
"""Expressions built to find a shorter one for a stage, a twelfth of what users get: nobody reads it
here, and `tests/synth` is about that."""

PRELUDE = """
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
typedef uint8_t u8;
"""


def parsed(source: str) -> Kernel:
    """The one kernel of some C++ text, `PRELUDE` before it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.cpp"
        path.write_text(PRELUDE + source)
        (kernel,) = parse_file(str(path)).kernels
    return kernel


def lifted(source: str, timeout: float = 60.0) -> FunctionResult:
    """What the symbolic proof alone says."""
    with patch.object(lift_function, "screen", lambda *_, **__: Screening()):
        return lift_kernel(parsed(source), LiftOptions(timeout=timeout, search_budget=SEARCH))


def _short_run(kernel: Kernel, case: Case, _: int) -> RunOutcome:
    memories = case.memories()
    return run(kernel.body, case.scalars, memories, kernel.arrays, kernel.functions, STEPS)


def difference(result: FunctionResult, count: int = INPUTS) -> Counterexample | None:
    """An input within the preconditions on which a proved result is wrong, if one is met."""
    kernel = result.kernel
    assert kernel is not None and result.proof is not None
    names = lift_function.parameters(kernel)
    given = [
        typed_formula(p.formula, names)
        for p in result.proof.preconditions
        if p.formula is not None and p.origin == "inferred"
    ]
    with patch.object(sys.modules[screen.__module__], "run_case", _short_run):
        seen = screen(
            kernel, result.summaries, given, lambda e: inlined(e, kernel.functions), count
        )
    assert seen.tried > 0, "no input satisfies the preconditions"
    return seen.counterexample
