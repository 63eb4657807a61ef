"""In which loop of a segment's output each stage is computed, and in which it is stored.

Thesis section 5.4: one point of the fusion space is chosen without evaluating the others, since
those are dominated (section 5.3): storing one loop further out than computing lets a window slide,
so nothing is computed twice along that loop, in a buffer that folds to the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from .. import ir
from ..ir import Call, Variable
from .arithmetic import value_operations
from .graph import PipelineGraph, StoredStage
from .nests import SMALL, TiledNest
from .reach import Box, extent, hull, meet, volume
from .stage_work import part_work, reads_by_data


@dataclass(frozen=True)
class Overlap:
    """What of a producer two neighbouring points of a consumer, along a coordinate, both read."""

    consumer: str
    coordinate: int
    amount: int
    """Points of the producer along the coordinate in which it moves; 0 where it doesn't move, and
    the consumer reads the same at both points."""


def regions(graph: PipelineGraph, output: str, box: Box, members: Sequence[str]) -> dict[str, Box]:
    """What of each member and of what the members read is needed for `box` of the output.

    `members` lists the segment's stages, the output too, producers first. Where an update scatters,
    or goes through a coordinate in order, all of that coordinate is computed, whatever is read.
    """
    made = {output: box}
    for name in reversed(members):
        if name not in made:
            continue
        stage = graph.stages[name]
        if stage.entangled and name != output:
            made[name] = tuple(
                whole if arg in stage.entangled else part
                for arg, part, whole in zip(stage.args, made[name], stage.bounds, strict=True)
            )
        for producer, needed in graph.required(name, made[name]).items():
            made[producer] = hull(made.get(producer), needed)
    return made


def overlaps(graph: PipelineGraph, producer: str) -> list[Overlap]:
    """The tuples W of a stage (thesis section 5.4): by consumer and coordinate of it."""
    found = []
    for consumer in graph.consumers[producer]:
        stage = graph.stages[consumer]
        for coordinate in range(len(stage.args)):
            amount = _overlap(graph, producer, stage, coordinate)
            if amount is not None:
                found.append(Overlap(consumer, coordinate, amount))
    return found


def _overlap(
    graph: PipelineGraph, producer: str, consumer: StoredStage, coordinate: int
) -> int | None:
    low, high = consumer.bounds[coordinate]
    if low >= high:
        return None
    # Where a consumer is finer than its producer, only every second neighbour moves on.
    middle = [(a + b) // 2 for a, b in consumer.bounds]
    steps = [middle[coordinate] + i for i in (0, 1, 2)]
    boxes = []
    for step in steps:
        if step <= high:
            point = [(m, m) for m in middle]
            point[coordinate] = (step, step)
            boxes.append(graph.required(consumer.name, tuple(point)).get(producer))
    most: int | None = None
    for before, after in pairwise(boxes):
        if before is None or after is None:
            continue
        both = meet(before, after)
        if volume(both) == 0:
            continue
        moved = [d for d, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
        amount = max((extent(both[d]) for d in moved), default=0)
        most = amount if most is None else max(most, amount)
    return most


def reads_all(graph: PipelineGraph, producer: str) -> bool:
    """Whether some consumer reads the whole stage, whatever small part of itself it computes: a
    table, or what data reaches into."""
    whole = graph.bounds(producer)
    if volume(whole) <= 1:
        return True
    for consumer in graph.consumers[producer]:
        stage = graph.stages[consumer]
        middle = [(a + b) // 2 for a, b in stage.bounds]
        parts = [
            graph.required(consumer, tuple((m + i, m + i) for m in middle)).get(producer)
            for i in (0, 1)
        ]
        if all(part == whole for part in parts) and any(extent(r) > 1 for r in stage.bounds):
            return True
    return False


@dataclass(frozen=True)
class Fused:
    """Where a member is computed and stored, as places in the nest (thesis, the tuple S)."""

    compute: int
    store: int


class FusionSpace:
    """A segment of which the overlaps are known, for all nests of its output."""

    def __init__(self, graph: PipelineGraph, members: Sequence[str]) -> None:
        self.graph, self.output = graph, members[-1]
        self.members = tuple(members)
        """All stages of the segment, producers first, the output last."""
        self.stage = graph.stages[self.output]
        self._moves = self._moved_by()
        self.overlaps = {m: overlaps(graph, m) for m in self.members if m != self.output}

    def most_overlap(self, variable: str) -> int:
        """The longest overlap along a variable of the output (equation 5.15)."""
        return max(
            (
                overlap.amount
                for found in self.overlaps.values()
                for overlap in found
                if overlap.coordinate in self.moves(variable, overlap.consumer)
            ),
            default=0,
        )

    def _moved_by(self) -> dict[str, dict[str, set[int]]]:
        """By variable of the output: which coordinates of each member move with it."""
        stage = self.graph.stages[self.output]
        middle = [(a + b) // 2 for a, b in stage.bounds]
        here = regions(self.graph, self.output, tuple((m, m) for m in middle), self.members)
        made: dict[str, dict[str, set[int]]] = {}
        for d, variable in enumerate(stage.args):
            made[variable] = {}
            for other in {stage.bounds[d][0], stage.bounds[d][1], middle[d] + 1}:
                point = [(m, m) for m in middle]
                point[d] = (other, other)
                there = regions(self.graph, self.output, tuple(point), self.members)
                for name, box in there.items():
                    moved = {
                        i for i, (a, b) in enumerate(zip(here[name], box, strict=True)) if a != b
                    }
                    made[variable].setdefault(name, set()).update(moved)
        return made

    def moves(self, variable: str, name: str) -> set[int]:
        """The coordinates of `name` that move with a variable of the output."""
        return self._moves[variable].get(name, set())

    def fuse(self, nest: TiledNest) -> dict[str, Fused]:
        """Algorithm 4 for one nest; stages without overlap were inlined, or can't be."""
        made: dict[str, Fused] = {}
        for name in reversed(self.members[:-1]):
            # What a stage reads is there before it: computed in its loop, or further out.
            readers = [made[c].compute for c in self.graph.consumers[name] if c in made]
            made[name] = self._fuse(nest, name, max(readers, default=0))
        return made

    def _fuse(self, nest: TiledNest, name: str, lowest: int) -> Fused:
        intra, last = nest.innermost_outer, nest.root - 1
        chosen = -1
        for overlap in self.overlaps[name]:
            for place in range(intra):
                variable = nest.levels[place].variable
                if overlap.coordinate in self.moves(variable, overlap.consumer):
                    chosen = max(chosen, place)
        lowest = min(max(lowest, 1), last)  # The innermost loop becomes vectors.
        if chosen < lowest or not self._slides(nest, name, chosen):
            # No window slides along the output's loops: a row at a time, or a tile of what goes
            # through rows in order, or whose blocks stay in registers.
            stage = self.graph.stages[name]
            wanted = intra if stage.entangled or stage.shared_along is not None else lowest
            place = min(max(wanted, chosen, lowest), last)
            return Fused(place, place)
        return Fused(chosen, min(chosen + 1, last))

    def _slides(self, nest: TiledNest, name: str, place: int) -> bool:
        stage = self.graph.stages[name]
        moved = self.moves(nest.levels[place].variable, name)
        return bool(moved) and not any(stage.args[d] in stage.entangled for d in moved)


def inlined_where_free(graph: PipelineGraph) -> PipelineGraph:
    """The graph without the stages that Algorithms 4 and 5 inline: those of which no value is used
    twice, and those that cost no more than reading them would."""
    while True:
        for name in reversed(graph.stages):
            stage = graph.stages[name]
            if can_inline(graph, name) and _should_inline(graph, stage):
                graph = graph.inlined(name)
                break
        else:
            return graph


def can_inline(graph: PipelineGraph, name: str) -> bool:
    """Whether a stage may be computed wherever it is read, at no more than a few times its cost."""
    stage = graph.stages[name]
    if not stage.is_pure or stage.is_output or stage.is_fixed or not graph.consumers[name]:
        return False
    # A stage that is read by what its user scheduled stays what that schedule was made for.
    if any(graph.stages[c].is_fixed for c in graph.consumers[name]):
        return False
    own = value_operations(stage.parts[0].definition.values)
    for consumer in map(graph.stages.__getitem__, graph.consumers[name]):
        calls = graph.reads_of(consumer)[name]
        if own * len(calls) + _operations(consumer) > MOST_OPERATIONS:
            return False
    return True


TRIVIAL = 3
"""Operations and loads of a stage that isn't worth storing: one operation on two values."""

MOST_TRIVIAL = 9
"""So often, at most, a trivial stage is computed for each point that it would be stored for."""

MOST_OPERATIONS = 600
"""An expression larger than this is not made larger still by inlining into it."""


def _should_inline(graph: PipelineGraph, stage: StoredStage) -> bool:
    consumers = [graph.stages[c] for c in graph.consumers[stage.name]]
    calls = [(c, call) for c in consumers for call in graph.reads_of(c)[stage.name]]
    work, points = part_work(stage.parts[0], stage), volume(stage.bounds)
    few = 1 if reads_by_data(stage) else SMALL
    computed = sum(_evaluations(consumer, call, few) for consumer, call in calls)
    if computed <= 1.05 * points:
        return True
    if turns(stage):
        return False
    if work <= TRIVIAL and computed <= MOST_TRIVIAL * points:
        return True
    return computed * work <= points * (work + 1) + computed


def _operations(stage: StoredStage) -> int:
    return sum(value_operations(p.definition.values) for p in stage.parts)


def _evaluations(consumer: StoredStage, call: Call, few: int) -> int:
    """How often the consumer computes an inlined call: at each point of the loops that it depends
    on, and of those among the others that have more than `few` iterations."""
    mentioned = {n.name for n in ir.postorder(call) if isinstance(n, Variable)}
    count = 0
    for part in consumer.parts:
        if call in part.reads.get(call.name.split(".")[0], ()):
            ranges = part.ranges(consumer, consumer.bounds)
            sizes = dict(zip(part.loops, map(extent, ranges), strict=True))
            points = 1
            for name, size in sizes.items():
                if name in mentioned or name in part.reduction or size > few:
                    points *= size
            count += points
    return count


def turns(stage: StoredStage) -> bool:
    """Whether rows of the stage are columns of what it reads: collecting them is worth storing,
    unless each value is read once."""
    if len(stage.args) < 2:
        return False
    first = Variable(stage.args[0], ir.I32)
    for part in stage.parts:
        for producer, calls in part.reads.items():
            if producer == stage.name:
                continue
            for call in calls:
                across = [d for d, a in enumerate(call.args) if first in ir.postorder(a)]
                if across and 0 not in across:
                    return True
    return False


def is_table(stage: StoredStage) -> bool:
    """Whether no part of the stage can be computed alone."""
    large = [a for a, r in zip(stage.args, stage.bounds, strict=True) if extent(r) > 1]
    return set(large) <= stage.entangled
