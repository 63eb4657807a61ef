"""Which stages share a loop nest: the pipeline cut into segments (thesis section 5.4).

A segment is a stage that is stored whole, its output, and stages that only it and each other read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..ir import Max, Min, postorder
from .fusion import can_inline, is_table, reads_all, turns
from .graph import PipelineGraph
from .stage_work import MachineLimits
from .tiling_analysis import EvaluatedTiling, TilingAnalysis

Members = tuple[str, ...]
"""A segment's stages, producers first, the output last."""


SWEEPS = 2
"""How often each segment is tried to be joined with the one that reads it: the first time, and once
more since that one may have changed."""


@dataclass(frozen=True)
class Segment:
    members: Members
    tiling: EvaluatedTiling

    @property
    def output(self) -> str:
        return self.members[-1]


class Segmentation:
    """Finds the segments; each that was ever tried is analysed once."""

    def __init__(self, graph: PipelineGraph, limits: MachineLimits, max_split: int) -> None:
        self.graph, self.limits, self.max_split = graph, limits, max_split
        self._order = {name: place for place, name in enumerate(graph.stages)}
        self._tilings: dict[Members, EvaluatedTiling | None] = {}
        self._splits: dict[Members, tuple[Segment, ...] | None] = {}

    def best(self) -> tuple[Segment, ...]:
        """The cheapest of what is found: everything in as few segments as there can be (one for
        each output); one for each stage with several consumers (Algorithm 7), divided where it
        doesn't fit (Algorithm 8); and these joined again where that costs less."""
        stored = {name for name in self.graph.stages if self._must_store(name)}
        several = {n for n in self.graph.stages if len(self.graph.consumers[n]) > 1}
        alone: list[Members] = [(name,) for name in self.graph.stages]
        found = [
            self._fitting(self._gathered(stored)),
            self._split_all(self._gathered(stored | several)),
            self._fitting(alone),
        ]
        return min((self._joined(f, stored) for f in found if f is not None), key=_total)

    def _must_store(self, name: str) -> bool:
        """Whether no loop of another stage can hold this one."""
        graph = self.graph
        stage, consumers = graph.stages[name], graph.consumers[name]
        if stage.is_output or stage.is_fixed or any(graph.stages[c].is_fixed for c in consumers):
            return True
        return is_table(stage) or reads_all(graph, name)

    def _may_hold(self, output: str) -> bool:
        """Whether the loops of a stage can hold what it reads: all of it is read in one of its
        definitions, whose loops run over all coordinates."""
        stage = self.graph.stages[output]
        reading = [
            p for p in stage.parts if any(r in self.graph.stages for r in p.reads if r != output)
        ]
        return len(reading) <= 1 and all(set(stage.args) <= set(p.loops) for p in reading)

    def _gathered(self, outputs: set[str]) -> list[Members]:
        """The segments with these outputs: every other stage joins its consumers' one, or is an
        output itself if they lie in several."""
        where: dict[str, str] = {}
        for name in reversed(self.graph.stages):
            homes = {where[c] for c in self.graph.consumers[name]}
            alone = name in outputs or len(homes) != 1 or not all(map(self._may_hold, homes))
            where[name] = name if alone else homes.pop()
        return _members(where, self._order)

    def _fitting(self, segments: Sequence[Members]) -> tuple[Segment, ...] | None:
        """The segments as they are; None where one doesn't fit."""
        made = []
        for members in segments:
            tiling = self.tiling(members)
            if tiling is None or tiling.working_set > self.limits.last_level:
                return None
            made.append(Segment(members, tiling))
        return tuple(made)

    def _split_all(self, segments: Sequence[Members]) -> tuple[Segment, ...] | None:
        made: list[Segment] = []
        for members in segments:
            found = self.split(members)
            if found is None:
                return None
            made += found
        return tuple(made)

    def split(self, members: Members) -> tuple[Segment, ...] | None:
        """Algorithm 8: the segment as it is if its buffers fit; else cut in two where that is
        cheapest, and the rest cut on."""
        if members not in self._splits:
            self._splits[members] = self._split(members)
        return self._splits[members]

    def _split(self, members: Members) -> tuple[Segment, ...] | None:
        whole = self._fitting([members])
        if whole is not None:
            return whole
        best: tuple[Segment, ...] | None = None
        for first, rest in self._cuts(members):
            tiling = self.tiling(first)
            if tiling is None or tiling.working_set > self.limits.last_level:
                break
            others = self.split(rest)
            if others is not None:
                made = (Segment(first, tiling), *others)
                if best is None or _total(made) < _total(best):
                    best = made
        return best

    def _cuts(self, members: Members) -> Iterator[tuple[Members, Members]]:
        """The parts that may be stored whole, smaller ones first, each with what is left."""
        seen = set()
        for name in members[:-1]:
            above = self._above(name, set(members))
            read = {p for m in above for p in self.graph.producers(m) if p in members}
            if not read <= above or (len(above) > 1 and not self._may_hold(name)):
                continue
            if len(above) >= min(self.max_split, len(members) - 1) and name not in seen:
                seen.add(name)
                rest = tuple(m for m in members if m not in above)
                yield tuple(sorted(above, key=self._order.__getitem__)), rest

    def _above(self, name: str, inside: set[str]) -> set[str]:
        """The stage and those of its producers that nothing else reads."""
        above = {name}
        for producer in reversed(list(self.graph.stages)[: self._order[name]]):
            consumers = self.graph.consumers[producer]
            if producer in inside and consumers and set(consumers) <= above:
                above.add(producer)
        return above

    def _joined(self, segments: tuple[Segment, ...], stored: set[str]) -> tuple[Segment, ...]:
        """Segments become part of the one that alone reads their output, while that costs less."""
        by_output = {s.output: s for s in segments}
        where = {m: s.output for s in segments for m in s.members}
        for _ in range(SWEEPS):
            for name in sorted(by_output, key=self._order.__getitem__, reverse=True):
                homes = {where[c] for c in self.graph.consumers[name]}
                if name in stored or len(homes) != 1 or not all(map(self._may_hold, homes)):
                    continue
                home = by_output[homes.pop()]
                members = sorted(
                    {*by_output[name].members, *home.members}, key=self._order.__getitem__
                )
                tiling = self.tiling(tuple(members))
                if tiling is None or tiling.working_set > self.limits.last_level:
                    continue
                if tiling.cycles < home.tiling.cycles + by_output[name].tiling.cycles:
                    by_output[home.output] = Segment(tuple(members), tiling)
                    where.update(dict.fromkeys(members, home.output))
                    del by_output[name]
        return tuple(sorted(by_output.values(), key=lambda s: self._order[s.output]))

    def tiling(self, members: Members) -> EvaluatedTiling | None:
        if members not in self._tilings:
            self._tilings[members] = TilingAnalysis(self.graph, members, self.limits).best()
        return self._tilings[members]


def with_stored_inlined(
    graph: PipelineGraph, segments: tuple[Segment, ...], limits: MachineLimits
) -> tuple[PipelineGraph, tuple[Segment, ...]]:
    """Stages that are stored only because several segments read them are inlined where computing
    them again in each costs less than the memory does."""
    for name in reversed(list(graph.stages)):
        alone = next((s for s in segments if s.members == (name,)), None)
        if alone is None or not can_inline(graph, name) or turns(graph.stages[name]):
            continue
        if _clamps_in_reductions(graph, name):
            continue
        readers = [s for s in segments if set(s.members) & set(graph.consumers[name])]
        without = graph.inlined(name)
        made: dict[Members, Segment] = {}
        for segment in readers:
            tiling = TilingAnalysis(without, segment.members, limits).best()
            if tiling is None or tiling.working_set > limits.last_level:
                break
            made[segment.members] = Segment(segment.members, tiling)
        if len(made) == len(readers) and _total([*made.values()]) < _total([alone, *readers]):
            graph = without
            segments = tuple(made.get(s.members, s) for s in segments if s is not alone)
    return graph, segments


def _clamps_in_reductions(graph: PipelineGraph, name: str) -> bool:
    """Whether a stage reads at clamped places and a reduction reads it: at each of its steps the
    clamps would be made again, and vectors collected value by value."""
    is_clamped = any(
        isinstance(node, Min | Max)
        for calls in graph.reads_of(graph.stages[name]).values()
        for call in calls
        for node in postorder(call)
    )
    return is_clamped and any(not graph.stages[c].is_pure for c in graph.consumers[name])


def _total(segments: Sequence[Segment]) -> float:
    return sum(s.tiling.cycles for s in segments)


def _members(where: dict[str, str], order: dict[str, int]) -> list[Members]:
    made: dict[str, list[str]] = {}
    for name in sorted(where, key=order.__getitem__):
        made.setdefault(where[name], []).append(name)
    return sorted(map(tuple, made.values()), key=lambda m: order[m[-1]])


__all__ = ["Segment", "Segmentation", "with_stored_inlined"]
