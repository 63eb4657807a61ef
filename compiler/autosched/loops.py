"""The loops of one stage under the default schedule: vectors, and strips of rows in parallel."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from .. import ir
from ..ir import Call, Expr, Variable
from ..lang import (
    Definition,
    Function,
    Fuse,
    InputImageParam,
    LoopDimension,
    Split,
    StageSchedule,
    TailStrategy,
)  # fmt: skip
from ..lang.loop_changes import apply_split
from ..lower import TargetFeatures
from .whole_pixels import Pixel, pays, pixel_of

CHUNK = 1 << 16
"""Elements of one parallel task of a one-dimensional stage."""

SCAN_VECTORS = 4
"""Vectors side by side that a scan keeps going: whole cache lines, more than one step in flight."""


def unused(name: str, function: Function) -> str:
    """`name`, or one like it that no coordinate of `function` has."""
    while name in function.args:
        name += "_"
    return name


def strip_loop(function: Function) -> str:
    """The name of the loop over strips of rows."""
    return unused("strip", function)


def row_coordinate(function: Function) -> int:
    """Which coordinate counts rows: the second, or that after channels that lie side by side."""
    return 2 if pixel_of(function.outputs[0]) and len(function.args) > 2 else 1


@dataclass(frozen=True)
class DefinitionLoops:
    """The loops of one definition, to be scheduled."""

    function: Function
    index: int
    stage: StageSchedule
    is_output: bool = False
    is_in_strip: bool = False
    """Whether the stage is computed in the strips of another: by one thread."""
    holds_others: bool = False
    """Whether other stages are computed in its strips."""
    holds_rows: bool = False
    """Whether other stages are computed with the rows that it scans together."""

    def unused(self, name: str) -> str:
        return unused(name, self.function)

    def split(self, old: str, outer: str, inner: str, factor: int) -> None:
        name = self.function.stage_name(self.index)
        made = Split(old, outer, inner, factor, TailStrategy.GuardWithIf)
        apply_split(self.stage, name, made)


def schedule_loops(loops: DefinitionLoops, target: TargetFeatures, strip_rows: int) -> None:
    """Vectors along the first coordinate; strips of `strip_rows` rows in parallel.

    No strips and one thread where the stage lies in a strip already.
    """
    function, index, stage = loops.function, loops.index, loops.stage
    definition = function.definitions[index]
    pure = [d.name for d in stage.dimensions if d.is_pure]
    reduction = [d.name for d in stage.dimensions if not d.is_pure]
    if not pure or not independent(function, index, pure):
        return
    unrolled = None
    lanes = max(1, target.natural_vector_bits // _narrowest_bits(function, definition))
    pixel = pixel_of(function.outputs[0]) if loops.is_output else None
    pieces: list[str] = []
    """The loops over pieces of a row, where its pixels are one row of elements."""
    if pixel is not None and len(pure) > 1 and tuple(pure[:2]) == function.args[:2]:
        alike = not pixel.has_gap and is_uniform_over_channels(function, index, pixel.channels)
        if not reduction and (alike or pays(function, definition, pixel, lanes, target)):
            if lanes % pixel.step == 0:
                element, pieces = _fuse_pixels(loops, pure[0], pure[1], pixel)
            else:
                element = loops.unused("element")
                fuse(stage, pure[0], pure[1], element)
            pure[:2] = [element]
        else:
            unrolled = pure.pop(0)
            if not target.permutes_bytes:
                # The channels' vectors are shuffled into one dense run: keep that in few registers.
                lanes = max(1, lanes // 2)
    if is_placed_by_data(definition):
        lanes = 1  # Where it writes depends on data: vectors would store lane by lane.
    lane, vector = loops.unused("lane"), pure[0]
    chunk, within, strip = loops.unused("chunk"), loops.unused("within"), strip_loop(function)
    tasks: list[str] = []
    first = [lane] if lanes > 1 else []
    first += [unrolled] if unrolled else []
    if reduction and lanes > 1 and _is_scan(function, index):
        loops.split(vector, chunk, within, SCAN_VECTORS * lanes)
        loops.split(within, loops.unused("vector"), lane, lanes)
        first.append(loops.unused("vector"))
        tasks = [] if loops.is_in_strip else [chunk]
    else:
        if loops.is_in_strip:
            pass
        elif len(pure) == 1 and pieces:
            tasks = pieces[-1:]
        elif len(pure) == 1:
            loops.split(vector, chunk, within, CHUNK)
            vector, tasks = within, [chunk]
        else:
            rows, *others = pure[1:]
            loops.split(rows, strip, loops.unused("row"), strip_rows)
            # Threads share what the strips hold of other stages only if a strip is one iteration.
            tasks = [strip, *([] if loops.holds_others else others[-1:])]
        if lanes > 1:
            loops.split(vector, loops.unused("vector"), lane, lanes)
    first += reduction
    rest = [d.name for d in stage.dimensions if d.name not in (*first, *tasks)]
    by_name = {d.name: d for d in stage.dimensions}
    stage.dimensions = [by_name[n] for n in (*first, *rest, *tasks)]
    if lanes > 1:
        by_name[lane].kind = "vectorized"
    if unrolled:
        by_name[unrolled].kind = "unrolled"
    if len(tasks) == 2:
        fuse(stage, tasks[0], tasks[1], loops.unused("task"))
    if tasks:
        stage.dimensions[-1].kind = "parallel"


def fuse(stage: StageSchedule, inner: str, outer: str, fused: str) -> None:
    """The directive `fuse(inner, outer, fused)` of two neighbours."""
    names = [d.name for d in stage.dimensions]
    place = names.index(inner)
    assert names[place + 1] == outer
    stage.dimensions[place : place + 2] = [LoopDimension(fused)]
    stage.splits.append(Fuse(inner, outer, fused))


def _is_scan(function: Function, index: int) -> bool:
    """Whether a step of the reduction reads what another step wrote, or writes another point."""
    definition = function.definitions[index]
    reads = reads_of(names_of(function), *definition.values, *definition.predicates)
    points = {definition.args} | {call.args for call in reads}
    own = tuple(Variable(a, ir.I32) for a in function.args)
    return points != {own}


def is_uniform_over_channels(function: Function, index: int, channels: int) -> bool:
    """Whether a definition treats all channels alike and reads only pixels laid out like its own.

    Then (channel, x) is one dense dimension, and a pixel is no more than a run of elements.
    """
    definition = function.definitions[index]
    images = {s.name(): s for s in definition.sources if isinstance(s, InputImageParam)}
    own = tuple(Variable(a, ir.I32) for a in function.args[:2])
    for node in ir.postorder(*definition.values, *definition.predicates):
        if not isinstance(node, Call) or node.kind not in ("func", "image"):
            continue
        if node.kind == "func" and node.name != function.name:
            return False
        if node.kind == "image":
            image = images.get(node.name)
            own_pixel = None if image is None else pixel_of(image)
            if own_pixel is None or own_pixel.has_gap or own_pixel.channels != channels:
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


def _fuse_pixels(
    loops: DefinitionLoops, channel: str, x: str, pixel: Pixel
) -> tuple[str, list[str]]:
    """The loop over the elements of a piece of a row, and those around it, innermost first.

        split(channel, pixel, within, step).split(x, chunk, part, CHUNK).fuse(within, part, element)

    A whole row has perhaps more elements than a loop may count.
    """
    stage, outer = loops.stage, []
    if pixel.has_gap:
        within, whole = loops.unused("within"), loops.unused("pixel")
        loops.split(channel, whole, within, pixel.step)
        channel, outer = within, [whole]
    part, piece = loops.unused("part"), loops.unused("chunk")
    loops.split(x, piece, part, CHUNK)
    order = {d.name: d for d in stage.dimensions}
    first = [order.pop(channel), order.pop(part)]
    stage.dimensions = [*first, *order.values()]
    element = loops.unused("element")
    fuse(stage, channel, part, element)
    return element, [*outer, piece]


def is_placed_by_data(definition: Definition) -> bool:
    """Whether what is read says where a definition writes."""
    return any(isinstance(n, Call) for n in ir.postorder(*definition.args))


def independent(function: Function, index: int, pure: list[str]) -> bool:
    """Whether iterations of the pure dimensions don't touch each other's points.

    A pure definition's never do; an update's do when it reads its own stage elsewhere.
    """
    definition = function.definitions[index]
    if index == 0:
        return True
    positions = [function.args.index(p) for p in pure]
    parts = (*definition.args, *definition.values, *definition.predicates)
    for call in reads_of(names_of(function), *parts):
        for p in positions:
            argument = call.args[p]
            if not (isinstance(argument, Variable) and argument.name == function.args[p]):
                return False
    return True


def names_of(function: Function) -> set[str]:
    """The names by which calls read a function's values."""
    return {function.name} | {f"{function.name}.{i}" for i in range(len(function.types))}


def reads_of(names: Collection[str], *parts: Expr) -> list[Call]:
    """The calls in expressions that read values of these names."""
    return [
        node
        for node in ir.postorder(*parts)
        if isinstance(node, Call) and node.kind == "func" and node.name in names
    ]


def _narrowest_bits(function: Function, definition: Definition) -> int:
    bits = [t.bits for t in function.types]
    for value in definition.values:
        for node in ir.postorder(value):
            if isinstance(node, Call) and node.kind in ("func", "image"):
                bits.append(node.type.bits)
    return max(8, min(bits))


__all__ = [
    "DefinitionLoops",
    "fuse",
    "independent",
    "is_placed_by_data",
    "names_of",
    "reads_of",
    "row_coordinate",
    "schedule_loops",
    "strip_loop",
    "unused",
]
