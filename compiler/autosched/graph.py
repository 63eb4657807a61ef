"""What schedulers know of a pipeline: its stages, what each reads, and what each costs.

The estimates that users give make every region a box of numbers (autoscheduler-2016 section 4.1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from .. import ir
from ..ir import Call, Expr, Variable
from ..lang import Function, HalideError
from ..lower.plan import PlannedDefinition
from .arithmetic import cost_of, operations, value_operations, varying
from .reach import Box, Range, ReachFacts, compiled, extent, hull, is_far, meet, volume


@dataclass(frozen=True)
class InputImage:
    """An input image: what of it is read lies in memory before the pipeline runs."""

    name: str
    type: ir.Type
    bounds: Box

    @cached_property
    def bytes_per_point(self) -> int:
        return self.type.bytes


MOST_WRITTEN_OUT = 64
"""A reduction of more steps is never written out."""


@dataclass(frozen=True, eq=False)
class DefinitionPart:
    """One definition of a stage."""

    definition: PlannedDefinition
    loops: tuple[str, ...]
    """The variables that it runs over, innermost first: reduction variables, then coordinates."""
    reduction: tuple[str, ...]
    """Those of `loops` that are reduction variables."""
    domain: Box
    """What the reduction variables run over."""
    cost: int
    """Operations for one point (autoscheduler-2016 section 4.1)."""
    reads: Mapping[str, tuple[Call, ...]]
    """By stage or image, also the stage itself: the different calls that read it."""

    @cached_property
    def is_chosen_by_reduction(self) -> bool:
        """Whether the step of a short reduction decides by itself what is computed: written out,
        each step keeps only its own part."""
        if not self.reduction or volume(self.domain) > MOST_WRITTEN_OUT:
            return False
        return self.is_chosen_by(self.reduction)

    def is_chosen_by(self, names: Sequence[str]) -> bool:
        """Whether nothing but these variables decides which of several values a point gets."""
        variables = {Variable(name, ir.I32) for name in names}
        for node in ir.postorder(*self.definition.values):
            if isinstance(node, ir.Select):
                found = {n for n in ir.postorder(node.condition) if isinstance(n, Variable)}
                if found and found <= variables:
                    return True
        return False

    @cached_property
    def value_cost(self) -> int:
        """`cost` without what says where to read and write."""
        return value_operations((*self.definition.values, *self.definition.predicates))

    def shared(self, variable: str) -> tuple[int, int]:
        """Of the operations and of the reads: how many give the same for all values of a variable,
        so that loops that go through these at each point need them once."""
        exprs = (*self.definition.values, *self.definition.predicates)
        moving = varying(exprs, variable)
        reads = sum(call not in moving for calls in self.reads.values() for call in calls)
        return max(0, self.value_cost - cost_of(moving)), reads

    @cached_property
    def bits_read(self) -> tuple[int, ...]:
        """The widths of all values that are read."""
        return tuple(call.type.bits for calls in self.reads.values() for call in calls)

    def ranges(self, stage: StoredStage, box: Box) -> tuple[Range, ...]:
        """What `loops` run over to compute `box` of the stage."""
        places = self._places.get(stage.args)
        if places is None:
            known = (*stage.args, *self.reduction)
            places = self._places[stage.args] = tuple(map(known.index, self.loops))
        every = (*box, *self.domain)
        return tuple([every[place] for place in places])

    @cached_property
    def _places(self) -> dict[tuple[str, ...], tuple[int, ...]]:
        """By the stage's coordinates: where each loop's range is among theirs and the domain's."""
        return {}


@dataclass(frozen=True, eq=False)
class StoredStage:
    """A stage that is stored; what is inlined into it belongs to it."""

    function: Function
    parts: tuple[DefinitionPart, ...]
    is_output: bool
    bounds: Box
    """What of it is computed, by the estimates."""
    is_fixed: bool = False
    """Whether its user scheduled it, or named its loops: that is respected."""
    named_loops: frozenset[str] = frozenset()
    """Of a stage that isn't scheduled: its loops in which the user placed other stages."""

    @property
    def name(self) -> str:
        return self.function.name

    @property
    def args(self) -> tuple[str, ...]:
        return self.function.args

    @cached_property
    def bytes_per_point(self) -> int:
        return sum(t.bytes for t in self.function.types)

    @property
    def is_pure(self) -> bool:
        """Whether each point is computed once, by one definition without a reduction."""
        return len(self.parts) == 1

    @property
    def cost(self) -> int:
        """Operations for a point of the first definition."""
        return self.parts[0].cost

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """By coordinate: how many values of it are computed."""
        return dict(zip(self.args, map(extent, self.bounds), strict=True))

    def widths(self, part: DefinitionPart) -> list[int]:
        """Bits of all values that one of its definitions makes or reads."""
        return [*(t.bits for t in self.function.types), *part.bits_read]

    @cached_property
    def value_names(self) -> frozenset[str]:
        return frozenset(
            [self.name, *(f"{self.name}.{i}" for i in range(len(self.function.types)))]
        )

    @cached_property
    def entangled(self) -> frozenset[str]:
        """Coordinates that can't be cut into tiles computed apart: an update writes where data or
        a reduction says, or reads the stage itself at another point, along them."""
        found = set()
        for part in self.parts[1:]:
            points = [part.definition.args, *(c.args for c in part.reads.get(self.name, ()))]
            for args in points:
                for name, arg in zip(self.args, args, strict=True):
                    if arg is not Variable(name, ir.I32):
                        found.add(name)
        return frozenset(found)

    @cached_property
    def shared_along(self) -> str | None:
        """Of a sum: the coordinate beside the first along which values that are read stay the same,
        while others stay the same along the first, so that a block of sums in registers reads each
        value once for many sums. A product of matrices has one, a blur doesn't."""
        if len(self.parts) != 2 or not self.parts[1].reduction or self.entangled or not self.args:
            return None
        if len(self.function.types) != 1 or self.parts[1].definition.predicates:
            return None
        calls = [c for n, cs in self.parts[1].reads.items() if n != self.name for c in cs]
        read = [{v.name for a in c.args for v in ir.postorder(a) if isinstance(v, Variable)}
                for c in calls]  # fmt: skip
        first, *others = self.args
        if any(first not in names for names in read):
            for other in others:
                if any(other not in names and first in names for names in read):
                    return other
        return None

    @cached_property
    def is_transposed(self) -> bool:
        """Whether something is read whose first coordinate isn't along this stage's first."""
        if not self.args:
            return False
        x = Variable(self.args[0], ir.I32)
        return any(
            x in ir.postorder(*call.args[1:])
            for part in self.parts
            for calls in part.reads.values()
            for call in calls
        )

    def work(self, box: Box) -> int:
        """Operations to compute `box`."""
        return sum(p.cost * volume(p.ranges(self, box)) for p in self.parts)

    def loads(self, box: Box) -> int:
        """Values read to compute `box`, each as often as it is read."""
        return sum(
            sum(map(len, p.reads.values())) * volume(p.ranges(self, box)) for p in self.parts
        )


class PipelineGraph:
    """The stages of a pipeline that are stored, producers first, and the images it reads.

    `inlined` makes the graph in which one more stage is part of its consumers. Raises `HalideError`
    where the sizes of outputs, or of what data reaches into, were not estimated.
    """

    def __init__(
        self, stages: Mapping[str, StoredStage], images: Mapping[str, InputImage], known: ReachFacts
    ) -> None:
        self.stages, self.images = dict(stages), dict(images)
        self._known = known
        # Kept together with all graphs that come from this one by inlining, which have most of
        # their stages in common.
        self._reaches: dict[DefinitionPart, dict[str, Any]] = {}
        self._requires: dict[tuple[StoredStage, Box], dict[str, Box]] = {}
        self._with_inlined: dict[tuple[StoredStage, StoredStage], StoredStage] = {}

    @property
    def outputs(self) -> list[StoredStage]:
        return [s for s in self.stages.values() if s.is_output]

    @cached_property
    def consumers(self) -> dict[str, list[str]]:
        """By stage or image: the stages that read it, in their order, itself not among them."""
        made: dict[str, list[str]] = {name: [] for name in (*self.stages, *self.images)}
        for stage in self.stages.values():
            for name in self.reads_of(stage):
                made[name].append(stage.name)
        return made

    def reads_of(self, stage: StoredStage) -> dict[str, list[Call]]:
        """By stage or image, not the stage itself: the calls of all definitions."""
        made: dict[str, list[Call]] = {}
        for part in stage.parts:
            for name, calls in part.reads.items():
                if name != stage.name:
                    made.setdefault(name, []).extend(calls)
        return made

    def producers(self, name: str) -> list[str]:
        """The stages, not the images, that a stage reads."""
        return [p for p in self.reads_of(self.stages[name]) if p in self.stages]

    def bytes_per_point(self, name: str) -> int:
        return (self.stages.get(name) or self.images[name]).bytes_per_point

    def bounds(self, name: str) -> Box:
        return (self.stages.get(name) or self.images[name]).bounds

    def required(self, name: str, box: Box) -> dict[str, Box]:
        """The box of each stage and image that is read to compute `box` of stage `name`.

        A box never leaves what the estimates say is computed of that stage, or there in that image.
        """
        stage = self.stages[name]
        key = (stage, box)
        found = self._requires.get(key)
        if found is None:
            found = {}
            for part in stage.parts:
                ranges = part.ranges(stage, box)
                if volume(ranges) == 0:
                    continue
                for producer, reach in self._reach(part).items():
                    if producer != name:
                        found[producer] = hull(found.get(producer), reach(ranges))
            found = {p: meet(b, self.bounds(p)) for p, b in found.items()}
            self._requires[key] = found
        return found

    def reached(self, part: DefinitionPart, ranges: Sequence[Range]) -> dict[str, Box]:
        """The box of each stage, the part's own too, and image that a part reads while its loops
        run over `ranges`; within the bounds, as `required`."""
        if volume(tuple(ranges)) == 0:
            return {}
        return {p: meet(r(ranges), self.bounds(p)) for p, r in self._reach(part).items()}

    def regions(
        self, output: str, box: Box, members: Sequence[str] | None = None
    ) -> dict[str, Box]:
        """The box of everything that is needed for `box` of `output`: of the `members` between
        (all stages by default), and of what these read that is no member. Of a stage whose updates
        go along a coordinate, all along it is needed."""
        inside = set(self.stages if members is None else members) | {output}
        made = {output: box}
        for name in reversed(self.stages):
            if name in made and name in inside:
                stage = self.stages[name]
                if stage.entangled:
                    made[name] = tuple(
                        whole if arg in stage.entangled else range
                        for arg, range, whole in zip(
                            stage.args, made[name], stage.bounds, strict=True
                        )
                    )
                for producer, needed in self.required(name, made[name]).items():
                    made[producer] = hull(made.get(producer), needed)
        return made

    def inlined(self, name: str) -> PipelineGraph:
        """The graph in which stage `name`, a pure one, is computed wherever it is read."""
        stage = self.stages[name]
        consumers = set(self.consumers[name])
        made = {
            other.name: self._reading_inlined(other, stage) if other.name in consumers else other
            for other in self.stages.values()
            if other is not stage
        }
        graph = PipelineGraph(made, self.images, self._known)
        graph._reaches, graph._requires = self._reaches, self._requires
        graph._with_inlined = self._with_inlined
        return graph

    def _reading_inlined(self, consumer: StoredStage, stage: StoredStage) -> StoredStage:
        """The consumer with a stage's definition wherever it reads that stage."""
        found = self._with_inlined.get((consumer, stage))
        if found is None:
            visit = _inlining(stage)
            parts = tuple(
                make_part(_mapped(p.definition, visit), consumer.function, self._known)
                for p in consumer.parts
            )
            found = self._with_inlined[consumer, stage] = replace(consumer, parts=parts)
        return found

    def _reach(self, part: DefinitionPart) -> dict[str, Any]:
        """By what is read: from the ranges of the part's loops to the box."""
        found = self._reaches.get(part)
        if found is None:
            found = {}
            for name, calls in part.reads.items():
                found[name] = _union_reach(calls, part.loops, self._known)
            self._reaches[part] = found
        return found


def _inlining(stage: StoredStage) -> Callable[[Expr], Expr]:
    """From a call of a pure stage to what it computes there; other nodes stay."""
    name, values = stage.name, stage.parts[0].definition.values
    names = [name] if len(values) == 1 else [f"{name}.{i}" for i in range(len(values))]
    by_name = dict(zip(names, values, strict=True))

    def visit(node: Expr) -> Expr:
        if isinstance(node, Call) and node.kind == "func" and node.name in by_name:
            arguments = zip(stage.args, node.args, strict=True)
            mapping: dict[Expr, Expr] = {Variable(n, ir.I32): a for n, a in arguments}
            return ir.substitute(by_name[node.name], mapping)
        return node

    return visit


def _union_reach(calls: Sequence[Call], loops: Sequence[str], known: ReachFacts) -> Any:
    reach = compiled([a for c in calls for a in c.args], loops, known)
    rank = len(calls[0].args)
    if len(calls) == 1:
        return reach

    def union(ranges: Sequence[Range]) -> Box:
        ends = reach(ranges)
        return tuple(
            (
                min(low for low, _ in ends[d::rank]),
                max(high for _, high in ends[d::rank]),
            )
            for d in range(rank)
        )

    return union


def _mapped(definition: PlannedDefinition, visit: Any) -> PlannedDefinition:
    def all_of(exprs: Sequence[Expr]) -> tuple[Expr, ...]:
        return tuple(ir.transform(e, visit) for e in exprs)

    return replace(
        definition,
        args=all_of(definition.args),
        values=all_of(definition.values),
        predicates=all_of(definition.predicates),
    )


def make_part(
    definition: PlannedDefinition, function: Function, known: ReachFacts
) -> DefinitionPart:
    """What schedulers know of one definition.

    Raises `HalideError` where the reduction's limits don't follow from what is known.
    """
    own = [a for a, e in zip(function.args, definition.args, strict=True) if _is(e, a)]
    names = tuple(name for name, _, _ in definition.domain)
    ends = compiled([e for _, low, size in definition.domain for e in (low, size)], (), known)(())
    domain = []
    for first, size, name in zip(ends[::2], ends[1::2], names, strict=True):
        if is_far(first) or is_far(size):
            raise HalideError(
                f"The reduction over {name} of {function.name} has limits without an estimate: "
                "give the parameters that they depend on one by set_estimate."
            )
        domain.append((first[0], first[1] + size[1] - 1))
    reads: dict[str, dict[Call, None]] = {}
    for node in ir.postorder(*definition.args, *definition.values, *definition.predicates):
        if isinstance(node, Call) and node.kind in ("func", "image"):
            name = node.name.split(".")[0] if node.kind == "func" else node.name
            reads.setdefault(name, {})[node] = None
    cost = operations((*definition.args, *definition.values, *definition.predicates))
    calls = {name: tuple(found) for name, found in reads.items()}
    return DefinitionPart(definition, (*names, *own), names, tuple(domain), cost, calls)


def _is(expr: Expr, name: str) -> bool:
    return isinstance(expr, Variable) and expr.name == name
