"""Groups of stages under one tiled loop nest, and the directives that make them.

Every method here decides on the same things (autoscheduler-2016 section 4.2, thesis section 5.4):
which stages share the loops of a group's output, how these are cut into tiles and ordered, and in
which of them each other stage is computed and stored. What follows from that (vectors, threads,
small loops unrolled) is written down here once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import ir
from ..lang import TailStrategy
from .cases import written_out
from .graph import DefinitionPart, PipelineGraph, StoredStage
from .machine import Machine
from .partial import are_stored_within
from .reach import Box, extent
from .schedule import Argument, At, Directive, Schedule, ScheduleLoop

MOST_UNROLLED = 8
"""Innermost loops, beside that of vectors, are unrolled up to so many copies of their body."""

FEW = 4
"""Values of a coordinate that a step of a reduction goes through, written out."""

WORTH_SHARING = 100_000
"""Operations of a group: fewer are done before another thread wakes up."""

TASKS_PER_THREAD = 4
"""So many parallel tasks a thread keep threads busy that started late or were interrupted."""


TASK = "task"
"""The loop over tiles that was fused from several."""


@dataclass(frozen=True)
class MemberPlace:
    """Where a member of a group is computed: in the loop `compute` of the group's output, and kept
    for the iterations of the loops inside of `store` (the same one by default)."""

    compute: str
    store: str | None = None


@dataclass(frozen=True)
class Group:
    """A stage whose loops are tiled, and the stages that are computed in them.

    `inter` and `intra` name the variables of the loops over tiles and of those inside of a tile,
    outermost first: a variable in both is cut into tiles of `tiles[v]`, and its loops are `vo` and
    `vi`; one in `inter` alone runs whole outside of the tile, one in `intra` alone inside. What is
    in neither stays where the definition has it: a reduction variable innermost, a coordinate
    outside of all.
    """

    output: str
    tiles: Mapping[str, int] = field(default_factory=dict)
    inter: tuple[str, ...] = ()
    intra: tuple[str, ...] = ()
    members: Mapping[str, MemberPlace] = field(default_factory=dict)
    stream: bool = False
    """Whether the output is written past the caches."""
    registers: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By stage, the output or a member that is a sum: so many values along a coordinate make a
    block that stays in registers while the sum runs, around which all reductions go."""

    def outer(self, variable: str) -> str:
        """The loop over tiles of a variable."""
        return self._split_name(variable, "o") if variable in self.intra else variable

    def inner(self, variable: str) -> str:
        """The loop inside of a tile."""
        return self._split_name(variable, "i") if variable in self.inter else variable

    def _split_name(self, variable: str, end: str) -> str:
        name = variable + end
        while name in self.inter or name in self.intra:
            name += "_"
        return name

    def tile_box(self, stage: StoredStage) -> Box:
        """The box of the output's first tile."""
        box = []
        for name, (low, high) in zip(stage.args, stage.bounds, strict=True):
            if name in self.inter and name in self.intra:
                high = min(high, low + self.tiles[name] - 1)
            elif name in self.inter:
                high = low
            box.append((low, high))
        return tuple(box)

    def iteration_box(self, stage: StoredStage, loop: str) -> Box:
        """What of the output one iteration of a loop computes, in the first tile."""
        box = dict(zip(stage.args, self.tile_box(stage), strict=True))
        inside = [self.inner(v) for v in self.intra]
        for v in self.intra[: inside.index(loop) + 1] if loop in inside else ():
            if v in box:
                box[v] = (box[v][0], box[v][0])
        return tuple(box.values())


def written(graph: PipelineGraph, groups: Sequence[Group], machine: Machine) -> Schedule:
    """The directives of `groups`, which hold all stages of `graph` that nobody scheduled."""
    directives: list[Directive] = []
    for group in groups:
        writer = _Writer(graph, group, machine)
        directives += writer.output()
        for name in group.members:
            directives += writer.member(name)
    for stage in graph.stages.values():
        if stage.named_loops:
            directives += _Writer(graph, Group(stage.name), machine).as_it_is()
    return Schedule(tuple(directives))


@dataclass
class _Writer:
    graph: PipelineGraph
    group: Group
    machine: Machine

    def __post_init__(self) -> None:
        self.stage = self.graph.stages[self.group.output]
        self.shared = self._shared()

    def output(self) -> Iterator[Directive]:
        """The stage whose loops the group shares."""
        stage = self.stage
        if stage.is_fixed:
            return
        yield Directive(stage.name, "compute_root")
        if self.group.stream:
            yield Directive(stage.name, "stream_stores")
        for index, part in enumerate(stage.parts):
            update = None if index == 0 else index - 1
            yield from _or_unscheduled(stage, update, list(self._nest(part, update)))

    def member(self, name: str) -> Iterator[Directive]:
        """A stage that is computed in the group's loops."""
        stage = self.graph.stages[name]
        placement = self.group.members[name]
        if stage.is_fixed:
            return
        if placement.store is not None and placement.store != placement.compute:
            yield Directive(name, "store_at", self._level(placement.store))
        yield Directive(name, "compute_at", self._level(placement.compute))
        here = self.group.iteration_box(self.stage, placement.compute)
        box = self.graph.regions(self.stage.name, here, self._inside())
        for index, part in enumerate(stage.parts):
            update = None if index == 0 else index - 1
            made = list(self._rows(stage, part, update, box.get(name, stage.bounds)))
            yield from _or_unscheduled(stage, update, made)

    def _rows(
        self, stage: StoredStage, part: DefinitionPart, update: int | None, box: Box
    ) -> Iterator[Directive]:
        """The directives for the loops of one definition of a member."""
        block = self.group.registers.get(stage.name)
        if block:
            loops = {v: ScheduleLoop(v) for v in part.loops if v not in part.reduction}
            yield from self._block(stage, part, update, block, loops)
            return
        vector = self._vector(stage, part, box)
        if part.reduction and stage.entangled and vector is not None:
            # A scan: vectors side by side go along together, not one after the other.
            order = (ScheduleLoop(vector[0].name), *(ScheduleLoop(r, True) for r in part.reduction))
            yield Directive(stage.name, "reorder", order, update)
        elif part.reduction:
            yield from self._side_by_side(stage, part, update, box)
        else:
            yield from self._cases(stage, part, update, box)
        if vector is not None:
            yield Directive(stage.name, "vectorize", vector, update)
        if part.is_chosen_by_reduction:
            for r in part.reduction:
                yield Directive(stage.name, "unroll", (ScheduleLoop(r, True),), update)

    def _side_by_side(
        self, stage: StoredStage, part: DefinitionPart, update: int | None, box: Box
    ) -> Iterator[Directive]:
        """The directives that go through the few values of a coordinate (the channels of a pixel)
        at each step of a reduction: what doesn't depend on it is computed once for all of them."""
        names = [{v.name for a in c.args for v in ir.postorder(a) if isinstance(v, ir.Variable)}
                 for n, calls in part.reads.items() if n != stage.name for c in calls]  # fmt: skip
        inner = []
        for v, range in zip(stage.args[1:], box[1:], strict=True):
            if v not in part.loops or v in stage.entangled or not 1 < extent(range) <= FEW:
                continue
            if any(v not in found for found in names):
                args = (
                    ScheduleLoop(v),
                    ScheduleLoop(v),
                    ScheduleLoop(f"{v}_u"),
                    extent(range),
                    TailStrategy.GuardWithIf,
                )
                yield Directive(stage.name, "split", args, update)
                inner.append(ScheduleLoop(f"{v}_u"))
        if inner:
            order = (*inner, *(ScheduleLoop(r, True) for r in part.reduction))
            yield Directive(stage.name, "reorder", order, update)
        for loop in inner:
            yield Directive(stage.name, "unroll", (loop,), update)

    def _cases(
        self, stage: StoredStage, part: DefinitionPart, update: int | None, box: Box
    ) -> Iterator[Directive]:
        """The directives that write out a coordinate of few values which alone decides what is
        computed: each value keeps only its own case."""
        v = written_out(stage, part, box)
        if v is not None:
            inner, size = ScheduleLoop(f"{v}_u"), extent(box[stage.args.index(v)])
            args = (ScheduleLoop(v), ScheduleLoop(v), inner, size, TailStrategy.GuardWithIf)
            yield Directive(stage.name, "split", args, update)
            yield Directive(stage.name, "reorder", (inner, ScheduleLoop(stage.args[0])), update)
            yield Directive(stage.name, "unroll", (inner,), update)

    def _block(
        self,
        stage: StoredStage,
        part: DefinitionPart,
        update: int | None,
        block: Mapping[str, int],
        loops: Mapping[str, ScheduleLoop],
    ) -> Iterator[Directive]:
        """The directives that cut `loops`, by their variables and innermost first, into blocks of
        registers with the reductions around them."""
        here = {v: loops[v] for v in block if v in loops}
        inner = {v: ScheduleLoop(f"{loop.name}_r") for v, loop in here.items()}
        for v, loop in here.items():
            args = (loop, loop, inner[v], block[v], TailStrategy.GuardWithIf)
            yield Directive(stage.name, "split", args, update)
        around = [
            ScheduleLoop(self.group.inner(r), True)
            for r in part.reduction
            if stage is not self.stage or r in self.group.intra or r not in self.group.inter
        ]
        order = (*inner.values(), *around, *loops.values())
        if len(order) > 1:
            yield Directive(stage.name, "reorder", order, update)
        first = stage.args[0]
        if first in inner:
            lanes = self.machine.lanes(max(stage.widths(part)))
            if lanes > 1 and block[first] % lanes == 0:
                yield Directive(stage.name, "vectorize", (inner[first], lanes), update)
        for loop in inner.values():
            yield Directive(stage.name, "unroll", (loop,), update)

    def as_it_is(self) -> Iterator[Directive]:
        """Vectors and threads for a stage that keeps all of its loops, since others are in them."""
        stage = self.stage
        yield Directive(stage.name, "compute_root")
        for index, part in enumerate(stage.parts):
            update = None if index == 0 else index - 1
            made = []
            vector = self._vector(stage, part, stage.bounds)
            if vector is not None:
                made.append(Directive(stage.name, "vectorize", vector, update))
            outermost = stage.args[-1] if len(stage.args) > 1 else ""
            is_free = outermost in part.loops and outermost not in stage.entangled
            if is_free and are_stored_within(self.graph, stage.name):
                made.append(Directive(stage.name, "parallel", (ScheduleLoop(outermost),), update))
            yield from _or_unscheduled(stage, update, made)

    def _inside(self) -> list[str]:
        return [self.stage.name, *self.group.members]

    def _level(self, loop: str) -> tuple[At, ScheduleLoop]:
        if len(self.shared) > 1 and loop == self.group.outer(self.shared[-1]):
            return At(self.stage.name), ScheduleLoop(TASK)
        group = self.group
        reductions = {
            name
            for part in self.stage.parts
            for v in part.reduction
            for name in (v, group.outer(v), group.inner(v))
        }
        return At(self.stage.name), ScheduleLoop(loop, loop in reductions)

    def _nest(self, part: DefinitionPart, update: int | None) -> Iterator[Directive]:
        """The directives for the loops of one definition of the output."""
        group, stage = self.group, self.stage

        def directive(name: str, *args: Argument) -> Directive:
            return Directive(stage.name, name, args, update)

        def loop(name: str, variable: str) -> ScheduleLoop:
            return ScheduleLoop(name, variable in part.reduction)

        inter = [v for v in group.inter if v in part.loops]
        intra = [v for v in group.intra if v in part.loops]
        for v in intra:
            if v in inter:
                outer, inner = loop(group.outer(v), v), loop(group.inner(v), v)
                tail = TailStrategy.GuardWithIf
                yield directive("split", loop(v, v), outer, inner, group.tiles[v], tail)
        order = [loop(group.outer(v), v) for v in inter] + [loop(group.inner(v), v) for v in intra]
        self._add_reductions(part, order)
        first = stage.args[0] if stage.args else ""
        is_scan = part.reduction and stage.entangled and first not in stage.entangled
        if is_scan and intra[-1:] == [first] and not any(loop.is_reduction for loop in order):
            # As in a member: vectors side by side go along together.
            order[-1:-1] = [ScheduleLoop(r, True) for r in reversed(part.reduction)]
        if len(order) > 1:
            yield directive("reorder", *reversed(order))
        block = group.registers.get(stage.name)
        if block:
            loops = {
                v: ScheduleLoop(group.inner(v)) for v in reversed(intra) if v not in part.reduction
            }
            for v in part.loops:
                if v not in loops and v not in inter and v not in part.reduction:
                    loops[v] = ScheduleLoop(v)
            yield from self._block(stage, part, update, block, loops)
            for name, *args in self._parallel():
                yield directive(name, *args)
            return
        vector = self._vector(stage, part, group.tile_box(stage))
        lane = None
        if vector is not None:
            lane = vector[0].name
            inner = ScheduleLoop(group.inner(lane) if lane in intra else lane)
            yield directive("vectorize", inner, *vector[1:])
        copies = 1
        for v in reversed(intra):
            if v != lane:
                iterations = group.tiles[v] if v in inter else MOST_UNROLLED + 1
                copies *= iterations
                if copies > MOST_UNROLLED:
                    break
                if iterations > 1:
                    yield directive("unroll", loop(group.inner(v), v))
        if part.is_chosen_by_reduction:
            for r in part.reduction:
                if r not in inter and r not in intra:
                    yield directive("unroll", ScheduleLoop(r, True))
        for name, *args in self._parallel():
            yield directive(name, *args)

    def _add_reductions(self, part: DefinitionPart, order: list[ScheduleLoop]) -> None:
        """Adds the reduction variables that a reordering leaves out, where it has others: what
        isn't named keeps its place, and others might change sides with it."""
        names = list(reversed(part.reduction))
        placed = [r for r in names if r in self.group.inter or r in self.group.intra]
        for number, r in enumerate(names if placed else ()):
            if r in placed:
                continue
            outer = [p for p in placed if names.index(p) < number]
            near = outer[-1] if outer else placed[0]
            own = {
                ScheduleLoop(self.group.outer(near), True),
                ScheduleLoop(self.group.inner(near), True),
            }
            places = [i for i, loop in enumerate(order) if loop in own]
            index = places[-1] + 1 if outer else places[0]
            order.insert(index, ScheduleLoop(r, True))
            placed.insert(len(outer), r)

    def _shared(self) -> list[str]:
        """The variables whose loops over tiles, as one, are shared out to threads: the outermost
        ones, up to where there are enough tasks, or where a member is computed."""
        group, stage = self.group, self.stage
        enough = self.machine.threads * TASKS_PER_THREAD
        held = {loop for p in group.members.values() for loop in (p.compute, p.store)}
        inside = [self.graph.stages[name] for name in self._inside()]
        if sum(s.work(s.bounds) for s in inside) < WORTH_SHARING:
            return []
        sizes = stage.sizes
        tasks, found = 1, []
        for v in group.inter:
            everywhere = v in sizes and all(v in part.loops for part in stage.parts)
            if not everywhere or v in stage.entangled or tasks >= enough:
                break
            found.append(v)
            tasks *= -(-sizes[v] // (group.tiles[v] if v in group.intra else 1))
            if group.outer(v) in held:
                break
        return found

    def _parallel(self) -> Iterator[tuple[Any, ...]]:
        """The directives, name and arguments, that hand tiles out to threads."""
        if not self.shared:
            return
        loops = [ScheduleLoop(self.group.outer(v)) for v in self.shared]
        inner = loops.pop()
        for outer in reversed(loops):
            yield "fuse", inner, outer, ScheduleLoop(TASK)
            inner = ScheduleLoop(TASK)
        yield "parallel", inner

    def _vector(
        self, stage: StoredStage, part: DefinitionPart, box: Box
    ) -> tuple[ScheduleLoop, int, TailStrategy] | None:
        """The loop whose iterations become lanes, for a box of the stage; None where there is
        none."""
        variable = stage.args[0] if stage.args else ""
        is_entangled = variable in stage.entangled and part is not stage.parts[0]
        if variable not in part.loops or is_entangled:
            return None
        lanes = self.machine.lanes(min(stage.widths(part)))
        size = extent(box[0])
        while lanes > size:
            lanes //= 2
        return (ScheduleLoop(variable), lanes, TailStrategy.GuardWithIf) if lanes > 1 else None


def _or_unscheduled(
    stage: StoredStage, update: int | None, made: list[Directive]
) -> list[Directive]:
    """An update for which nothing is to be said is said to be so: that is no oversight."""
    if made or update is None:
        return made
    return [Directive(stage.name, "unscheduled", (), update)]


@dataclass(frozen=True)
class Grouping:
    """What a method decided: the stages that are left when others were inlined, and their groups.

    `costs` has what the method's own model predicts for each group, by its output.
    """

    method: str
    graph: PipelineGraph
    groups: tuple[Group, ...]
    costs: Mapping[str, float] = field(default_factory=dict)

    def schedule(self, machine: Machine) -> Schedule:
        return written(self.graph, self.groups, machine)


def root_group(stage: StoredStage, machine: Machine) -> Group:
    """A stage by itself: strips of its outermost coordinate for the threads, rows as they are."""
    free = [a for a in stage.args if a not in stage.entangled]
    if not free:
        return Group(stage.name)
    outermost = free[-1]
    size = extent(stage.bounds[stage.args.index(outermost)])
    strip = -(-size // (machine.threads * TASKS_PER_THREAD))
    if outermost == stage.args[0]:
        strip = max(strip, machine.lanes(8))
    return Group(stage.name, {outermost: strip}, (outermost,), (outermost,))


__all__ = ["Group", "Grouping", "MemberPlace", "root_group", "written"]
