"""Which stages are computed where they are read, each time (autoscheduler-2016 section 4.3)."""

from __future__ import annotations

from .graph import PipelineGraph, StoredStage


def inlined(graph: PipelineGraph, load_cost: float) -> PipelineGraph:
    """The graph without the stages that cost less where they are read than in memory.

    Greedy: as long as one inlining saves something, the one that saves most is made. A stage is
    inlined into all of its consumers or into none; what consumers cost afterwards is counted in
    the expressions that they then have, not by bounds.
    """
    judge = _Judge(load_cost)
    while True:
        best, saved = None, 0.0
        for stage in graph.stages.values():
            if is_inlinable(graph, stage):
                found = judge.saved(graph, stage)
                if found > saved:
                    best, saved = stage.name, found
        if best is None:
            return graph
        graph = graph.inlined(best)


def is_inlinable(graph: PipelineGraph, stage: StoredStage) -> bool:
    """Whether definition and readers allow it: one definition, no directives, no output."""
    readers = graph.consumers[stage.name]
    return (
        stage.is_pure
        and not stage.is_output
        and not stage.is_fixed
        and bool(readers)
        and not any(graph.stages[r].is_fixed for r in readers)
    )


class _Judge:
    """What inlinings save. It is remembered: one of them changes it for few of the others."""

    def __init__(self, load_cost: float) -> None:
        self.load_cost = load_cost
        self.known: dict[tuple[StoredStage, ...], float] = {}

    def saved(self, graph: PipelineGraph, stage: StoredStage) -> float:
        readers = [graph.stages[name] for name in graph.consumers[stage.name]]
        key = (stage, *readers)
        if key not in self.known:
            after = graph.inlined(stage.name)
            before = self.cost(stage) + sum(map(self.cost, readers))
            self.known[key] = before - sum(self.cost(after.stages[r.name]) for r in readers)
        return self.known[key]

    def cost(self, stage: StoredStage) -> float:
        """Of all points of a stage that isn't tiled: each value that is read is a load."""
        return stage.work(stage.bounds) + self.load_cost * stage.loads(stage.bounds)


__all__ = ["inlined", "is_inlinable"]
