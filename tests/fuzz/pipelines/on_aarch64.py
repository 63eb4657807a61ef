"""Random pipelines as AArch64 code under qemu, against the same pipelines as this machine's code.

What this machine's code gives is compared with the real Halide elsewhere. Programs are compiled in
two processes, then linked into one and run in one start of the emulator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from compiler.codegen.target import Effort
from tests.codegen.aarch64 import CompiledJob, RunFailed, compiled, job_of, missing, run_compiled

from .generate import generate
from .program import Program
from .run import Array, Finding, Outcome, Worker, build, difference, inputs_for, run_here, same

__all__ = ["ComparisonOnAArch64", "CountsOnAArch64", "findings_on_aarch64", "missing"]

PROCESSES = 2
FLAG = " --aarch64"
Plant = Callable[[], None]


@dataclass(frozen=True)
class Prepared(Outcome):
    """What this machine's code gives, and the code for the other."""

    job: CompiledJob | None = None


@dataclass
class CountsOnAArch64:
    """How the programs of a run ended."""

    equal: int = 0
    refused: int = 0

    def __str__(self) -> str:
        return f"{self.equal} equal, {self.refused} refused"


def prepare(package: str, program: Program) -> Outcome:
    """Runs the program in this process, and compiles it for AArch64."""
    import compiler

    # What LLVM makes of code for this machine is compared with the real Halide elsewhere.
    passes, code = Effort.passes, Effort.code
    Effort.passes = Effort.code = 0
    here = run_here(package, program)
    Effort.passes, Effort.code = passes, code
    if here.values is None:
        return here
    images = inputs_for(program)
    try:
        output = build(compiler, program, images)
        job = compiled(job_of(output, images, program.size), f"program{program.seed}")
    except Exception as error:
        return Outcome(error=f"for AArch64: {type(error).__name__}: {error}")
    return Prepared(here.values, job=job)


class ComparisonOnAArch64:
    """Two ways to run a program, side by side."""

    def __init__(self, first: Plant | None = None) -> None:
        """`first` is called in the processes that compile (to plant a bug)."""
        self.workers = [Worker("compiler", first, prepare) for _ in range(PROCESSES)]
        self.counts = CountsOnAArch64()

    def __enter__(self) -> ComparisonOnAArch64:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.stop()

    def check(self, program: Program) -> Finding | None:
        """What is wrong with the program's AArch64 code, if anything."""
        return next(iter(self.check_all([program])), None)

    def check_all(self, programs: Sequence[Program]) -> list[Finding]:
        """Compiles all, runs all that were compiled; what is wrong, in the order of `programs`."""
        outcomes = self._outcomes(programs)
        findings: dict[int, Finding] = {}
        ready: list[tuple[int, CompiledJob]] = []
        for number, outcome in enumerate(outcomes):
            if isinstance(outcome, Prepared) and outcome.job is not None:
                ready.append((number, outcome.job))
            elif outcome.is_refusal:
                self.counts.refused += 1
            else:
                findings[number] = Finding(programs[number], f"ours fails: {outcome.error}", FLAG)
        for number, got in _ran(ready, programs, findings).items():
            wanted = outcomes[number].values
            assert wanted is not None
            if same(got, wanted):
                self.counts.equal += 1
            else:
                what = difference(got, wanted, "this machine's code")
                findings[number] = Finding(programs[number], what, FLAG)
        return [findings[number] for number in sorted(findings)]

    def _outcomes(self, programs: Sequence[Program]) -> list[Outcome]:
        """Each process takes the next program when it is done with one."""
        outcomes: list[Outcome] = [Outcome()] * len(programs)
        waiting = iter(enumerate(programs))

        def serve(worker: Worker) -> None:
            for number, program in waiting:
                outcomes[number] = worker.run(program)

        with ThreadPoolExecutor(PROCESSES) as pool:
            list(pool.map(serve, self.workers))
        return outcomes


def _ran(
    ready: list[tuple[int, CompiledJob]], programs: Sequence[Program], findings: dict[int, Finding]
) -> dict[int, Array]:
    """The values of each; one that crashes is a finding, and the others run without it."""
    while ready:
        try:
            made = run_compiled([job for _, job in ready])
        except RunFailed as error:
            if error.number is None:
                raise
            number, _ = ready.pop(error.number)
            findings[number] = Finding(programs[number], f"AArch64 crash: {error}", FLAG)
            continue
        return {number: out for (number, _), (out,) in zip(ready, made, strict=True)}
    return {}


def findings_on_aarch64(
    seeds: Sequence[int], first: Plant | None = None
) -> tuple[list[Finding], CountsOnAArch64]:
    """What is wrong with the programs of these seeds on AArch64."""
    with ComparisonOnAArch64(first) as comparison:
        return comparison.check_all([generate(seed) for seed in seeds]), comparison.counts
