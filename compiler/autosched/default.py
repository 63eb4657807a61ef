"""The default schedule: what happens where nobody scheduled anything.

Cheap stages and stages that are read at one point are inlined; stages that are read a few rows up
and down are computed in the strips of the output that reads them; the rest is computed at the root.
Every loop nest at the root runs its rows in parallel, in strips, and every one its innermost
dimension in vectors; numbers that are reduced over equal domains share their loops. It is made of
the directives that a user could have written. For devices see `gpu_default.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from .. import ir
from ..ir import Call, Const, Expr, Variable
from ..lang import ComputeLevel, Definition, Function, FunctionSchedule
from ..lower import TargetFeatures
from ..lower.expand_reduction import expanded_value
from ..lower.inline import inline
from ..lower.kept_elements import keeps_by_memory
from ..lower.plan import StagePlan, planned
from .common_loops import share_loops
from .gpu_default import schedule_for_device
from .loops import DefinitionLoops, schedule_loops, strip_loop
from .register_tiles import block_loop, block_loops, register_tiles, tile_loops
from .scans import (
    band_loop,
    band_producers,
    is_scan,
    row_producers,
    rows_loop,
    scan_loops,
    scan_of,
)
from .strips import strip_producers

STRIP_ROWS = 16
"""Rows of one parallel task: enough work to pay for handing it out, few enough to share."""

STENCIL_STRIP_ROWS = 32
"""Rows of a task that computes other stages' rows too: a few rows of halo are little beside them,
and 34 rows of 4096 words of 16 bits still fit a second-level cache."""

CHEAP = 4
"""A stage with at most this many operations is computed again rather than stored."""

REPEATABLE = 16
"""A stage with at most this many operations is rather computed again for each channel, say, of the
one point at which it is read than stored."""

MOST_CHOSEN = 4
"""Up to so many values that data picks are computed where they are read, rather than all."""


def default_schedule(
    order: Sequence[Function],
    outputs: Sequence[Function],
    target: TargetFeatures,
    overwritten: Collection[str] = (),
) -> dict[Function, FunctionSchedule]:
    """A schedule for each stage of `order` (producers first), for the vectors of `target`.

    `overwritten` are images in the place of which outputs lie.
    """
    reads = _reads(order)
    made: dict[Function, FunctionSchedule] = {}
    scans = {f.name for f in order if any(is_scan(f, i) for i in range(1, len(f.definitions)))}
    for function in order:
        schedule = function.schedule.copy()
        is_inlined = _should_inline(function, reads) or _is_renamed(function, scans)
        if len(function.definitions) == 1:
            # Of what is left as it was, nothing is read but what others ask for.
            is_inlined |= keeps_by_memory(function.definitions[0], overwritten)
        is_stored = function in outputs or not is_inlined
        schedule.level = ComputeLevel("root" if is_stored else "inline")
        schedule.stream_large = function in outputs and len(function.definitions) == 1
        made[function] = schedule
    if target.has_device:
        schedule_for_device(order, made)
        return made
    plans = inline(order, outputs, made)
    by_name = {f.name: f for f in order}
    in_strips = {name: by_name[rows.output] for name, rows in strip_producers(plans).items()}

    def scanned(found: Mapping[str, tuple[str, int]]) -> dict[str, tuple[Function, int]]:
        """Of stages that lie in no strips, nor hold others there, the scans that read them."""
        return {
            name: (by_name[scan], index)
            for name, (scan, index) in found.items()
            if name not in in_strips and by_name[name] not in in_strips.values()
        }

    in_bands, in_rows = scanned(band_producers(plans)), scanned(row_producers(plans))
    sums = {name: by_name[reader] for name, reader in register_tiles(plans).items()}
    for function in reversed(order):
        schedule, name = made[function], function.name
        if schedule.level.place == "inline":
            continue
        reader, host = sums.get(name), in_strips.get(name)
        if reader is not None:
            blocks = block_loop(reader)
            schedule.level = ComputeLevel("at", reader.name, blocks)
            for index in range(len(schedule.stages)):
                tile_loops(DefinitionLoops(function, index, schedule.stages[index]), target)
            continue
        if host is not None and _has_loop(made[host], strip_loop(host)):
            schedule.level = ComputeLevel("at", host.name, strip_loop(host))
        elif name in in_bands:
            scanner, _ = in_bands[name]
            schedule.level = ComputeLevel("at", scanner.name, band_loop(scanner))
        elif name in in_rows:
            scanner, _ = in_rows[name]
            schedule.level = ComputeLevel("at", scanner.name, rows_loop(scanner))
        is_in_strip = (host is not None or name in in_rows) and schedule.level.place == "at"
        holds_others = function in in_strips.values()
        rows = STENCIL_STRIP_ROWS if holds_others else STRIP_ROWS
        for index, stage in enumerate(schedule.stages):
            loops = DefinitionLoops(
                function, index, stage, function in outputs, is_in_strip, holds_others
            )
            scan = scan_of(loops)
            if scan is not None:
                here = (function, index)
                in_band, with_rows = here in in_bands.values(), here in in_rows.values()
                loops = replace(loops, holds_others=in_band, holds_rows=with_rows)
            if function in sums.values():
                block_loops(loops, target)
            elif scan is not None:
                scan_loops(loops, scan, target)
            else:
                schedule_loops(loops, target, rows)
    share_loops(order, outputs, made)
    return made


def _has_loop(schedule: FunctionSchedule, loop: str) -> bool:
    return any(d.name == loop for d in schedule.stages[0].dimensions)


@dataclass(frozen=True)
class _Read:
    """A call that definition `index` of `reader` makes."""

    reader: Function
    index: int
    call: Call


def _reads(order: Sequence[Function]) -> dict[str, set[_Read]]:
    """For each stage, by its name, what other stages read of it."""
    made: dict[str, set[_Read]] = {}
    for function in order:
        for index, definition in enumerate(function.definitions):
            for node in ir.postorder(*definition.args, *definition.values):
                if isinstance(node, Call) and node.kind == "func":
                    name = node.name
                    if name != function.name and not name.startswith(function.name + "."):
                        made.setdefault(name, set()).add(_Read(function, index, node))
    return made


def _should_inline(function: Function, reads: dict[str, set[_Read]]) -> bool:
    if len(function.types) > 1:
        return False
    found = reads.get(function.name, set())
    at_one_point = len({r.call for r in found}) <= 1 and all(_is_point(r.call) for r in found)
    if len(function.definitions) > 1:
        # A short sum at one point becomes one expression; lowering stores it if it can't be.
        return at_one_point and _is_short(function)
    cost = _cost(function.definitions[0])
    if cost <= CHEAP:
        return True
    if len({r.call for r in found}) <= MOST_CHOSEN and all(map(_is_chosen_by_data, found)):
        return True
    return at_one_point and (cost <= REPEATABLE or not any(map(_is_repeated, found)))


def _is_renamed(function: Function, stored: Collection[str]) -> bool:
    """Whether the stage is an element of one that is `stored`, at a place that costs little."""
    value = function.definitions[0].values[0]
    return (
        len(function.types) == len(function.definitions) == 1
        and isinstance(value, Call)
        and value.name in stored
        and sum(map(_cost_of, value.args)) <= CHEAP
    )


def _is_chosen_by_data(read: _Read) -> bool:
    """Whether the reader's point has a whole row of the stage's, of which data picks one."""
    by_data = [a for a in read.call.args if any(isinstance(n, Call) for n in ir.postorder(a))]
    point = {Variable(a, ir.I32) for a in read.reader.args}
    others = [a for a in read.call.args if a not in by_data]
    return bool(by_data) and point <= set(ir.postorder(*others))


def _is_repeated(read: _Read) -> bool:
    """Whether the reader asks for the same point in many iterations of its outer loops.

    In those of its innermost loop a value that stays is computed once anyway.
    """
    definition = read.reader.definitions[read.index]
    outer = {Variable(a, ir.I32) for a in read.reader.args[1:]} & set(definition.args)
    return not outer <= set(ir.postorder(read.call))


def _is_short(function: Function) -> bool:
    """Whether the stage is a reduction that lowering can write as one expression."""
    definitions = tuple(planned(d) for d in function.definitions)
    return expanded_value(StagePlan(function, definitions, function.schedule, False)) is not None


def _is_point(call: Call) -> bool:
    """Whether a call reads at coordinates, not in a reduction and not at values from memory."""
    for node in ir.postorder(call):
        if node is not call and isinstance(node, Call) and node.kind in ("func", "image"):
            return False
        if isinstance(node, Variable) and "$" in node.name:
            return False
    return True


def _cost(definition: Definition) -> int:
    """Operations of the definition; reading an image is free, for it would be read anyway."""
    return sum(map(_cost_of, definition.values))


def _cost_of(value: Expr) -> int:
    cost = 0
    for node in ir.postorder(value):
        if isinstance(node, (Const, Variable, ir.Cast)):
            continue
        if isinstance(node, Call) and node.kind == "image":
            continue
        cost += 20 if isinstance(node, (Call, ir.Div, ir.Mod)) else 1
    return cost
