"""The default schedule: what happens where nobody scheduled anything.

Cheap stages and stages that are read at one point are inlined; stages that are read a few rows up
and down are computed in the strips of the output that reads them; the rest is computed at the root.
Every loop nest at the root runs its rows in parallel, in strips, and every one its innermost
dimension in vectors. It is made of the directives that a user could have written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import ir
from ..ir import Call, Const, Expr, Variable
from ..lang import (
    ComputeLevel,
    Definition,
    Dimension,
    Function,
    FunctionSchedule,
    Fuse,
    ImageParam,
    OutputImageParam,
    Split,
    StageSchedule,
    TailStrategy,
)  # fmt: skip
from ..lang.stage import apply_split

if TYPE_CHECKING:
    from ..lower import TargetFeatures

STRIP_ROWS = 16
"""Rows of one parallel task: enough work to pay for handing it out, few enough to share."""

STENCIL_STRIP_ROWS = 32
"""Rows of a task that computes other stages' rows too: a few rows of halo are little beside them,
and 34 rows of 4096 words of 16 bits still fit a second-level cache."""

CHUNK = 1 << 16
"""Elements of one parallel task of a one-dimensional stage."""

CHEAP = 4
"""A stage with at most this many operations is computed again rather than stored."""

MOST_UNROLLED = 4
"""A dimension of constant extent up to this (the channels of a pixel) is unrolled."""


def default_schedule(
    order: Sequence[Function], outputs: Sequence[Function], target: TargetFeatures
) -> dict[Function, FunctionSchedule]:
    """A schedule for each stage of `order` (producers first), for the vectors of `target`."""
    reads = _reads(order)
    made: dict[Function, FunctionSchedule] = {}
    for function in order:
        schedule = function.schedule.copy()
        is_stored = function in outputs or not _should_inline(function, reads)
        schedule.level = ComputeLevel("root" if is_stored else "inline")
        made[function] = schedule
    in_strips = _strip_producers(order, outputs, made)
    for function in reversed(order):
        schedule = made[function]
        if schedule.level.place == "inline":
            continue
        output = in_strips.get(function.name)
        if output is not None and _has_strips(output, made):
            schedule.level = ComputeLevel("at", output, "strip")
        rows = STENCIL_STRIP_ROWS if function.name in in_strips.values() else STRIP_ROWS
        for index, stage in enumerate(schedule.stages):
            loops = _Loops(function, index, stage, function in outputs)
            _schedule_loops(loops, target, None if schedule.level.place == "at" else rows)
    return made


def _strip_producers(
    order: Sequence[Function],
    outputs: Sequence[Function],
    schedules: dict[Function, FunctionSchedule],
) -> dict[str, str]:
    """The stages to compute in the strips of an output, with its name."""
    from ..lower.inline import inline
    from .strips import strip_producers

    found = strip_producers(inline(order, outputs, schedules))
    return {name: rows.output for name, rows in found.items()}


def _has_strips(output: str, schedules: dict[Function, FunctionSchedule]) -> bool:
    (stage,) = (s.stages[0] for f, s in schedules.items() if f.name == output)
    return any(d.name == "strip" for d in stage.dimensions)


def _reads(order: Sequence[Function]) -> dict[str, set[Expr]]:
    """For each stage, by its name, the calls of it that other stages make."""
    made: dict[str, set[Expr]] = {}
    for function in order:
        for definition in function.definitions:
            for node in ir.postorder(*definition.args, *definition.values):
                if isinstance(node, Call) and node.kind == "func":
                    name = node.name
                    if name != function.name and not name.startswith(function.name + "."):
                        made.setdefault(name, set()).add(node)
    return made


def _should_inline(function: Function, reads: dict[str, set[Expr]]) -> bool:
    if len(function.types) > 1:
        return False
    calls = reads.get(function.name, set())
    if len(function.definitions) > 1:
        # A short sum at one point becomes one expression; lowering stores it if it can't be.
        return len(calls) <= 1 and all(_is_point(c) for c in calls) and _is_short(function)
    if _cost(function.definitions[0]) <= CHEAP:
        return True
    return len(calls) <= 1 and all(_is_point(c) for c in calls)


def _is_short(function: Function) -> bool:
    """Whether the stage is a reduction that lowering can write as one expression."""
    from ..lower.expand_reduction import expanded_value
    from ..lower.plan import StagePlan, planned

    definitions = tuple(planned(d) for d in function.definitions)
    return expanded_value(StagePlan(function, definitions, function.schedule, False)) is not None


def _is_point(call: Expr) -> bool:
    """Whether a call reads at coordinates, not in a reduction and not at values from memory."""
    for node in ir.postorder(call):
        if node is not call and isinstance(node, Call) and node.kind in ("func", "image"):
            return False
        if isinstance(node, Variable) and "$" in node.name:
            return False
    return True


def _cost(definition: Definition) -> int:
    """Operations of the definition; reading an image is free, for it would be read anyway."""
    cost = 0
    for value in definition.values:
        for node in ir.postorder(value):
            if isinstance(node, (Const, Variable, ir.Cast)):
                continue
            if isinstance(node, Call) and node.kind == "image":
                continue
            cost += 20 if isinstance(node, (Call, ir.Div, ir.Mod)) else 1
    return cost


@dataclass(frozen=True)
class _Loops:
    """The loops of one definition, to be scheduled."""

    function: Function
    index: int
    stage: StageSchedule
    is_output: bool


def _schedule_loops(loops: _Loops, target: TargetFeatures, strip_rows: int | None) -> None:
    """Vectors along the first coordinate; strips of `strip_rows` of the last one in parallel.

    No strips and one thread for `strip_rows` of None: the stage lies in a strip already.
    """
    function, index, stage = loops.function, loops.index, loops.stage
    name = function.stage_name(index)
    definition = function.definitions[index]
    pure = [d.name for d in stage.dimensions if d.is_pure]
    reduction = [d.name for d in stage.dimensions if not d.is_pure]
    if not pure or not _independent(function, index, pure):
        return
    unrolled = None
    lanes = max(1, target.natural_vector_bits // _narrowest_bits(function, definition))
    channels = interleaved_channels(function.outputs[0]) if loops.is_output else None
    if channels is not None and len(pure) > 1 and tuple(pure[:2]) == function.args[:2]:
        if not reduction and is_uniform_over_channels(function, index, channels):
            pure[:2] = [_fuse_pixels(stage, pure[0], pure[1])]
        else:
            unrolled = pure.pop(0)
            if not target.permutes_bytes:
                # The channels' vectors are shuffled into one dense run: keep that in few registers.
                lanes = max(1, lanes // 2)
    vector = pure[0]
    rows = pure[-1] if len(pure) > 1 else None
    if strip_rows is None:
        rows = None
    elif rows is None:
        apply_split(stage, name, _guarded(vector, "chunk", "within", CHUNK))
        vector = "within"
        rows = "chunk"
    else:
        apply_split(stage, name, _guarded(rows, "strip", "row", strip_rows))
        rows = "strip"
    if lanes > 1:
        apply_split(stage, name, _guarded(vector, "vector", "lane", lanes))
    wanted = ["lane"] if lanes > 1 else []
    wanted += [unrolled] if unrolled else []
    wanted += reduction
    rest = [d.name for d in stage.dimensions if d.name not in wanted]
    by_name = {d.name: d for d in stage.dimensions}
    stage.dimensions = [by_name[n] for n in (*wanted, *rest)]
    if lanes > 1:
        by_name["lane"].kind = "vectorized"
    if unrolled:
        by_name[unrolled].kind = "unrolled"
    if rows is None:
        return
    by_name[rows].kind = "parallel"
    if stage.dimensions[-1] is not by_name[rows]:
        stage.dimensions.remove(by_name[rows])
        stage.dimensions.append(by_name[rows])


def interleaved_channels(image: OutputImageParam) -> int | None:
    """The number of channels that lie next to each other in memory, where that is promised."""
    if image.dimensions() < 2:
        return None
    extent, stride = (image.dim(d).promised.get(f) for d, f in ((0, "extent"), (1, "stride")))
    if not (isinstance(extent, Const) and 2 <= extent.value <= MOST_UNROLLED):
        return None
    return int(extent.value) if stride is extent else None


def is_uniform_over_channels(function: Function, index: int, channels: int) -> bool:
    """Whether a definition treats all channels alike and reads only pixels laid out like its own.

    Then (channel, x) is one dense dimension, and a pixel is no more than a run of elements.
    """
    definition = function.definitions[index]
    images = {s.name(): s for s in definition.sources if isinstance(s, ImageParam)}
    own = tuple(Variable(a, ir.I32) for a in function.args[:2])
    for node in ir.postorder(*definition.values, *definition.predicates):
        if not isinstance(node, Call) or node.kind not in ("func", "image"):
            continue
        if node.kind == "func" and node.name != function.name:
            return False
        if node.kind == "image":
            image = images.get(node.name)
            if image is None or interleaved_channels(image) != channels:
                return False
        if len(node.args) < 2 or node.args[:2] != own:
            return False
    return not any(_mentions(v, own) for v in definition.values)


def _mentions(value: Expr, variables: tuple[Expr, ...]) -> bool:
    """Whether `value` uses the variables anywhere but as the arguments of its reads."""
    if value in variables:
        return True
    if isinstance(value, Call) and value.kind in ("func", "image"):
        return any(_mentions(a, variables) for a in value.args[2:])
    return any(_mentions(c, variables) for c in value.children)


def _fuse_pixels(stage: StageSchedule, channel: str, x: str) -> str:
    """The directive `fuse(channel, x, element)`."""
    names = [d.name for d in stage.dimensions]
    place = names.index(channel)
    stage.dimensions[place : place + 2] = [Dimension("element")]
    stage.splits.append(Fuse(channel, x, "element"))
    return "element"


def _guarded(old: str, outer: str, inner: str, factor: int) -> Split:
    return Split(old, outer, inner, factor, TailStrategy.GuardWithIf)


def _independent(function: Function, index: int, pure: list[str]) -> bool:
    """Whether iterations of the pure dimensions don't touch each other's points.

    A pure definition's never do; an update's do when it reads its own stage elsewhere.
    """
    definition = function.definitions[index]
    if index == 0:
        return True
    names = {function.name} | {f"{function.name}.{i}" for i in range(len(function.types))}
    positions = [function.args.index(p) for p in pure]
    for node in ir.postorder(*definition.args, *definition.values, *definition.predicates):
        if isinstance(node, Call) and node.kind == "func" and node.name in names:
            for p in positions:
                argument = node.args[p]
                if not (isinstance(argument, Variable) and argument.name == function.args[p]):
                    return False
    return True


def _narrowest_bits(function: Function, definition: Definition) -> int:
    bits = [t.bits for t in function.types]
    for value in definition.values:
        for node in ir.postorder(value):
            if isinstance(node, Call) and node.kind in ("func", "image"):
                bits.append(node.type.bits)
    return max(8, min(bits))
