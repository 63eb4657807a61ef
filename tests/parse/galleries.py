"""A file of small kernels, each interpreted beside what g++ makes of it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from lifter.model.kernel import Kernel, ParsedFile
from lifter.parse import parse_file
from lifter.verify.cases import cases
from lifter.verify.interpret import run
from tests.end_to_end.original import Original, compile_original, may_be_called

COUNT = 12
STEPS = 100_000
"""Enough for the largest case; one of the kernels never ends on some."""


class Gallery:
    """The C++ file `name` beside this one, parsed and compiled once."""

    def __init__(self, name: str) -> None:
        self.path = Path(__file__).with_name(name)

    @cached_property
    def parsed(self) -> ParsedFile:
        return parse_file(self.path)

    @cached_property
    def original(self) -> Original:
        return compile_original(self.path, self.parsed.kernels, ())

    def check(self, kernel: Kernel) -> None:
        """Asserts that interpreting `kernel` leaves what the original leaves."""
        called, wrote = 0, False
        for case in cases(kernel, 7, COUNT):
            memories = case.memories()
            outcome = run(
                kernel.body, case.scalars, memories, kernel.arrays, kernel.functions, STEPS
            )
            if not may_be_called(outcome):
                continue
            differences = self.original.differences(kernel, case, outcome)
            assert not differences, f"{case}\n" + "\n".join(map(str, differences[:5]))
            called += 1
            wrote = wrote or outcome.result is not None
            wrote = wrote or any(m.written for m in outcome.arrays.values())
        assert called >= COUNT // 3 and wrote
