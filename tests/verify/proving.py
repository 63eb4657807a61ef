"""Stages of C++ snippets with their summaries, and proofs of those or of altered ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from lifter.dag import build_stage_graph
from lifter.lift.lift_stage import lift_stage
from lifter.lift.stage_context import StageContext, Stopwatch
from lifter.model.kernel import Kernel
from lifter.model.parameters import parameters
from lifter.model.stage import Stage
from lifter.model.summary import Summary
from lifter.synth import load_grammar
from lifter.verify import (
    Assumptions,
    Produced,
    Prover,
    PureProof,
    ReductionProof,
    ScanProof,
    stated,
)
from tests.parse.parsing import kernel as parsed


@dataclass(frozen=True)
class Step:
    """One lifted stage: what was found for it, and what it may take from the stages before."""

    kernel: Kernel
    stage: Stage
    summary: Summary
    produced: Mapping[str, Produced]

    def proof(self, **changes: Any) -> PureProof | ReductionProof | ScanProof:
        """All obligations for the summary with `changes`, tried under no more than is stated."""
        summary = replace(self.summary, **changes)
        known = assumptions_of(self.kernel)
        kinds = {"reduction": ReductionProof, "scan": ScanProof}
        proof = kinds.get(summary.kind, PureProof)(self.stage, summary, known, self.produced)
        proof.run()
        return proof

    def refused(self, **changes: Any) -> tuple[str, str]:
        """(obligation, verdict) of the one that stops the proof of an altered summary."""
        failed = self.proof(**changes).failed
        assert failed is not None, "the altered summary was proved"
        return failed.name, failed.verdict


def assumptions_of(kernel: Kernel) -> Assumptions:
    """What the source states."""
    return stated(kernel, Prover(parameters(kernel), None, 5.0), set(parameters(kernel)))


def steps(text: str) -> list[Step]:
    """The stages of the last kernel of `text`, each with the summary that was found."""
    graph = build_stage_graph(parsed(text))
    kernel = graph.kernel
    context = StageContext(load_grammar(()), assumptions_of(kernel), Stopwatch())
    made = []
    for stage in graph.order:
        before = dict(context.produced)
        lifted = lift_stage(stage, context)
        is_fresh = kernel.arrays[stage.output].origin == "local" and stage.output not in before
        context.finish([(lifted, is_fresh)])
        made.append(Step(kernel, stage, lifted.summary, before))
    return made


def step(text: str) -> Step:
    """The only stage of the last kernel of `text`."""
    (only,) = steps(text)
    return only
