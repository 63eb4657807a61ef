"""Every kernel of the corpus, lifted once a session, with what its proof was made from.

`lifted(file, name)` lifts on first use (a fraction of a second for most) and keeps the result.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from compiler.ir import Expr
from lifter.lift.lift_function import Lifting, LiftOptions
from lifter.lift.stage_context import LiftedStage, StageContext
from lifter.model.kernel import Kernel, ParsedFile
from lifter.model.lifted import FunctionResult
from lifter.model.stage import Stage
from lifter.model.summary import Summary
from lifter.parse import parse_file
from lifter.verify import Produced
from lifter.verify.assumptions import Assumptions
from tests.end_to_end.corpus_list import CORPUS
from tests.end_to_end.original import LENIENT, Original, compile_original, stated_flags

ROOT = CORPUS.parent
MODELS = (CORPUS / "models" / "hash.cpp",)
GRAMMARS = (ROOT / "examples" / "dissolve.grammar",)


@dataclass(frozen=True)
class Step:
    """One proved stage, and what the stages before it had left when it was proved."""

    stage: Stage
    summary: Summary
    produced: dict[str, Produced]


@dataclass(frozen=True)
class Lifted:
    """One kernel's result, and the stages of its proof (also those that nobody reads)."""

    file: str
    kernel: Kernel
    result: FunctionResult
    steps: tuple[Step, ...]
    assumptions: Assumptions | None

    @property
    def proved_assumptions(self) -> Assumptions:
        assert self.assumptions is not None and self.result.status == "proved", self.result
        return self.assumptions

    def formulas(self) -> list[Expr]:
        """The inferred preconditions, as the generator of cases reads them."""
        assert self.result.proof is not None
        return Lifting._formulas(self._lifting(), self.result.proof.preconditions)

    def _lifting(self) -> Lifting:
        lifting = Lifting(self.kernel, LiftOptions())
        lifting.assumptions = self.assumptions
        return lifting


class _Recorded(Lifting):
    """Lifting that keeps each stage with its context."""

    def __init__(self, kernel: Kernel, options: LiftOptions) -> None:
        super().__init__(kernel, options)
        self.steps: list[Step] = []

    def _finish(self, lifted: LiftedStage, context: StageContext) -> None:
        before = dict(context.produced)
        super()._finish(lifted, context)
        self.steps.append(Step(lifted.stage, lifted.summary, before))


@functools.cache
def parsed(file: str) -> ParsedFile:
    return parse_file(CORPUS / file, models=MODELS, clang_args=stated_flags(CORPUS / file))


@functools.cache
def original(file: str, options: tuple[str, ...] = LENIENT) -> Original:
    """The file's kernels, compiled by g++."""
    return compile_original(CORPUS / file, parsed(file).kernels, models(file), options)


def models(file: str) -> tuple[Path, ...]:
    """What defines the functions that the file only declares."""
    return MODELS if file == "blend/basic.cpp" else ()


@functools.cache
def lifted(file: str, name: str) -> Lifted:
    kernel = next(k for k in parsed(file).kernels if k.name == name)
    options = LiftOptions(GRAMMARS) if "dissolve" in name else LiftOptions()
    return lifted_alone(kernel, options, file)


def lifted_alone(kernel: Kernel, options: LiftOptions, file: str = "") -> Lifted:
    """A kernel of any source, as it is read at first."""
    lifting = _Recorded(kernel, options)
    result = lifting.result()
    return Lifted(file, kernel, result, tuple(lifting.steps), lifting.assumptions)
