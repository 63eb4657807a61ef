"""Candidates for the whole pipeline: a beam search under the cost model, from the outputs back.

Each stage in turn is inlined, stored by itself, or computed in the tiles of the stage that reads
it: whole tiles, or rows that slide (thesis section 5.3); the shape of the tiles is chosen anew with
each stage that joins. The states that the model likes best go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from .cost_model import CostModel
from .graph import PipelineGraph, StoredStage
from .groups import Group, Grouping
from .levels import last_level
from .machine import Machine
from .reach import volume
from .shapes import Shape, blocks, shapes

BEAMS = ((12, 8), (20, 6), (40, 3))
"""Up to so many stages, so many states go on: about a second's search."""

LARGEST = 6
"""States of pipelines with more stages, which may take some seconds: with few, what is good for
the last stages leaves nothing good for the first."""

MOST_OPERATIONS = 400
"""A stage is inlined only as long as its consumer's expression stays below this."""


BY_ROW = ("slide", "row")
"""The kinds of members that are computed a row after the other."""


@dataclass(frozen=True)
class _Symbolic:
    """A group whose shape may still change."""

    output: str
    shape: Shape
    kinds: tuple[tuple[str, str], ...] = ()
    stream: bool = False

    @property
    def group(self) -> Group:
        return self.shape.group(self.output, self.members, self.stream)

    @property
    def members(self) -> dict[str, str]:
        return dict(self.kinds)


@dataclass(frozen=True)
class SearchState:
    """What is decided of the stages so far."""

    graph: PipelineGraph
    groups: Mapping[str, _Symbolic]
    costs: Mapping[str, float]
    where: Mapping[str, str]
    """The group, by its output, that each decided stage is in."""

    @property
    def cost(self) -> float:
        return sum(self.costs.values())

    def with_group(self, group: _Symbolic, cost: float) -> SearchState:
        where = {**self.where, group.output: group.output}
        where.update(dict.fromkeys(group.members, group.output))
        return replace(
            self,
            groups={**self.groups, group.output: group},
            costs={**self.costs, group.output: cost},
            where=where,
        )


class Search:
    """All that the search keeps: graphs by what is inlined, costs by group."""

    def __init__(self, graph: PipelineGraph, machine: Machine, beam: int | None = None) -> None:
        self.start, self.machine = graph, machine
        usual = next((states for stages, states in BEAMS if len(graph.stages) <= stages), LARGEST)
        self.beam = usual if beam is None else beam
        self._inlined: dict[tuple[PipelineGraph, str], PipelineGraph] = {}
        self._costs: dict[tuple[_Symbolic, tuple[StoredStage, ...]], float] = {}

    def states(self) -> list[SearchState]:
        """The best states found, the best first, with all stages decided."""
        states = [SearchState(self.start, {}, {}, {})]
        for name in reversed(self.start.stages):
            following: list[SearchState] = []
            for state in states:
                following += self._decided(state, name)
            following.sort(key=lambda s: s.cost)
            states = _distinct(following, self.beam)
        return states

    def neighbours(self, state: SearchState) -> list[SearchState]:
        """States that differ in one decision about one group, the best first by the model."""
        made = []
        for group in state.groups.values():
            stage = state.graph.stages[group.output]
            others = []
            for shape in self._shapes_like(group, stage):
                others.append(replace(group, shape=shape))
            if stage.is_output:
                others.append(replace(group, stream=not group.stream))
            for name, kind in group.kinds:
                if kind == "sum":
                    continue
                by_row = "slide" if state.graph.stages[name].is_pure else "row"
                other = by_row if kind == "tile" else "tile"
                kinds = tuple((n, other if n == name else k) for n, k in group.kinds)
                if self._is_legal(state.graph, group.shape, kinds):
                    others.append(replace(group, kinds=kinds))
            made += [self._with(state, g) for g in others]
        return sorted(made, key=lambda s: s.cost)

    def _shapes_like(
        self, group: _Symbolic, stage: StoredStage, scaled: bool = True
    ) -> list[Shape]:
        """Other shapes in which the group's members still have their places; with `scaled`, also
        its own with larger and smaller tiles."""
        sums = [name for name, kind in group.kinds if kind == "sum"]
        if group.shape.block:
            along = group.shape.block[1][0]
            return [
                s for s in blocks(stage, along, self.machine, is_own=not sums) if s != group.shape
            ]
        found = shapes(stage, self.machine)
        sizes = stage.sizes
        for variable, size in group.shape.tiles if scaled else ():
            if size < sizes.get(variable, size + 1):
                found += [group.shape.scaled(variable, f) for f in (0.5, 0.75, 1.5, 2)]
        slides = _goes_by_row(group.members)
        return [
            s
            for s in dict.fromkeys(found)
            if s != group.shape
            and (not group.kinds or (s.inter and s.intra))
            and (s.slides or not slides)
        ]

    def _is_legal(
        self, graph: PipelineGraph, shape: Shape, kinds: tuple[tuple[str, str], ...]
    ) -> bool:
        """Whether members are computed no further in than what reads them."""
        by_name = dict(kinds)
        return (shape.slides or not _goes_by_row(by_name)) and not any(
            kind in BY_ROW and by_name.get(c) == "tile"
            for name, kind in kinds
            for c in graph.consumers[name]
        )

    def grouping(self, state: SearchState) -> Grouping:
        """What the state decides, with the model's costs."""
        groups = tuple(g.group for g in state.groups.values())
        return Grouping("Measured", state.graph, groups, dict(state.costs))

    def _decided(self, state: SearchState, name: str) -> Iterator[SearchState]:
        stage = state.graph.stages[name]
        consumers = state.graph.consumers[name]
        if stage.is_fixed:
            yield self._with(state, _Symbolic(name, Shape()))
            return
        if not stage.is_output:
            if stage.is_pure:
                yield from self._inline(state, name)
            if stage.is_pure or not stage.entangled or len(stage.args) > len(stage.entangled):
                homes = {state.where[c] for c in consumers}
                if len(homes) == 1:
                    yield from self._join(state, name, homes.pop())
        # What nobody here reads again, and no cache would hold, need not pass through them.
        size = volume(stage.bounds) * stage.bytes_per_point
        stream = stage.is_output and stage.is_pure and size > last_level(self.machine)
        found = shapes(stage, self.machine)
        if stage.shared_along is not None:
            found += blocks(stage, stage.shared_along, self.machine, is_own=True)
        alone = [_Symbolic(name, s, (), stream) for s in found]
        yield min((self._with(state, group) for group in alone), key=lambda s: s.cost)

    def _with(self, state: SearchState, group: _Symbolic) -> SearchState:
        return state.with_group(group, self._cost(state.graph, group))

    def _cost(self, graph: PipelineGraph, group: _Symbolic) -> float:
        # What is inlined elsewhere makes another graph, of which the group sees nothing.
        inside = (group.output, *(name for name, _ in group.kinds))
        key = (group, tuple(graph.stages[name] for name in inside))
        found = self._costs.get(key)
        if found is None:
            model = CostModel(graph, self.machine)
            found = self._costs[key] = model.cost(group.group).seconds
        return found

    def _inline(self, state: SearchState, name: str) -> Iterator[SearchState]:
        consumers = state.graph.consumers[name]
        if self._copies(state.graph, name) > 2 * MOST_OPERATIONS:
            return
        key = (state.graph, name)
        graph = self._inlined.get(key)
        if graph is None:
            graph = self._inlined[key] = state.graph.inlined(name)
        largest = max((p.cost for c in consumers for p in graph.stages[c].parts), default=0)
        if largest > MOST_OPERATIONS:
            return
        made = replace(state, graph=graph)
        for home in {state.where[c] for c in consumers}:
            group = made.groups[home]
            output = graph.stages[home]
            alike = [group]
            if len(output.args) > 2 and not output.is_fixed:
                # What channels have in common is computed once only in some shapes.
                alike += [replace(group, shape=s) for s in self._shapes_like(group, output, False)]
            made = min((self._with(made, g) for g in alike), key=lambda s: s.cost)
        yield made

    def _copies(self, graph: PipelineGraph, name: str) -> int:
        """Operations of all that would be computed where a stage is read, some of it the same; to
        write out the expressions takes longer than to count these."""
        own = graph.stages[name].cost
        parts = (p for c in graph.consumers[name] for p in graph.stages[c].parts)
        return max((own * len(p.reads.get(name, ())) for p in parts), default=0)

    def _join(self, state: SearchState, name: str, home: str) -> Iterator[SearchState]:
        """The states in which `name` is computed in the group of its only consumers."""
        group = state.groups[home]
        output = state.graph.stages[home]
        if output.is_fixed:
            return
        consumers = state.graph.consumers[name]
        kinds = group.members
        stage = state.graph.stages[name]
        along = stage.shared_along
        if along is not None and not kinds and along in output.args and output.is_pure:
            found = [
                self._with(state, replace(group, shape=shape, kinds=((name, "sum"),)))
                for shape in blocks(output, along, self.machine, is_own=False)
                if stage.args[0] == output.args[0]
            ]
            if found:
                yield min(found, key=lambda s: s.cost)
        # What is computed tile by tile needs its producers whole for the tile.
        whole = any(kinds.get(c) in ("tile", "sum") for c in consumers)
        alone = whole or not output.is_pure
        by_row = "slide" if stage.is_pure else "row"
        for kind in ("tile",) if alone else ("tile", by_row):
            found = []
            for shape in [group.shape] if group.shape.block else shapes(output, self.machine):
                if not shape.inter or not shape.intra:
                    continue
                if not shape.slides and (kind in BY_ROW or _goes_by_row(kinds)):
                    continue
                joined = replace(group, shape=shape, kinds=(*group.kinds, (name, kind)))
                found.append(self._with(state, joined))
            if found:
                yield min(found, key=lambda s: s.cost)


def resized(grouping: Grouping) -> Iterator[Grouping]:
    """Groupings that differ in one size of one group's tiles, or in whether its output is streamed;
    for those that no search made."""
    for i, group in enumerate(grouping.groups):
        stage = grouping.graph.stages[group.output]
        others = [replace(group, stream=not group.stream)] if stage.is_output else []
        for variable, size in group.tiles.items():
            for changed in (size // 2, 2 * size):
                if changed > 0 and not group.registers:
                    others.append(replace(group, tiles={**group.tiles, variable: changed}))
        for other in others:
            groups = (*grouping.groups[:i], other, *grouping.groups[i + 1 :])
            yield replace(grouping, groups=groups, costs={})


def _goes_by_row(kinds: Mapping[str, str]) -> bool:
    return any(kind in BY_ROW for kind in kinds.values())


def _distinct(states: list[SearchState], most: int) -> list[SearchState]:
    """The first `most` states, of those that cost the same one alone."""
    made: list[SearchState] = []
    for state in states:
        if all(abs(state.cost - other.cost) > 1e-6 * other.cost for other in made):
            made.append(state)
            if len(made) == most:
                break
    return made


__all__ = ["Search", "SearchState", "resized"]
