"""The loops of updates that hand something on: scans along rows, and down columns.

A scan is serial along what it scans. What else its loops count is free: vectors go there. Where the
free coordinate is the first one, the scan goes down columns and a vector is a piece of a row. Where
the scanned coordinate is the first one, a vector has an element of each of some rows, and as many
steps are unrolled: code generation reads and writes such a block row by row.

    split(y, strip, lane, 16).split(r.x, block, step, 16)
    .reorder(lane, step, block, strip).vectorize(lane).unroll(step).parallel(strip)

Where each integer is only combined with the one before, the steps themselves become vectors
(`lower/scans_in_registers.py`), in rows as they lie in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .. import ir
from ..ir import Call, Expr, Variable
from ..ir.simplify import linear_terms
from ..lang import Definition, Function, StageSchedule
from ..lower import TargetFeatures
from ..lower.plan import StagePlan
from ..lower.scans_in_registers import combination
from .loops import DefinitionLoops, fuse, is_placed_by_data, names_of, reads_of, strip_loop, unused
from .strips import keeps_to_its_row

FEWEST_LANES, MOST_LANES = 4, 32
"""Rows of a block that is transposed: beyond, code grows and registers run out."""

STRIP_ROWS = 16
"""Rows of a task, where each is scanned by itself."""

BAND_ROWS = 16
"""Rows of a band, for which other stages' rows lie in the second cache."""

CHUNK_BYTES = 4096
"""Of a row, for one task that goes down columns: memory is read in pages, and what a step reads of
the step before is in the first cache."""


@dataclass(frozen=True)
class Scan:
    """A definition some of whose loops hand something on."""

    serial: tuple[str, ...]
    """The loops that do, innermost first."""
    free: tuple[str, ...]
    """By coordinate, innermost first, the loops that don't."""
    along: str | None
    """The serial loop along the first coordinate; None where that one is free."""
    combines: bool = False
    """Whether a step only combines an integer with the one before it."""


def scan_of(loops: DefinitionLoops) -> Scan | None:
    """The scan that an update is; None where it is none, or has no free loop."""
    function, index = loops.function, loops.index
    definition = function.definitions[index]
    if index == 0 or not loops.stage.dimensions or not is_scan(function, index):
        return None
    names = [d.name for d in loops.stage.dimensions]
    own = _own_reads(function, definition)
    free: list[str] = []
    for place, arg in enumerate(definition.args):
        if isinstance(arg, Variable) and arg.name in names and arg.name not in free:
            mentioned = sum(arg in ir.postorder(other) for other in definition.args)
            if mentioned == 1 and all(call.args[place] is arg for call in own):
                free.append(arg.name)
    serial = tuple(name for name in names if name not in free)
    first = set(ir.postorder(definition.args[0]))
    along = [name for name in serial if Variable(name, ir.I32) in first]
    if not free or not serial or len(along) > 1:
        return None
    if along and along[0] != serial[0]:
        # It goes innermost; past loops that hand something on themselves, order matters.
        return None
    if not along and definition.args[0] is not Variable(free[0], ir.I32):
        return None
    if is_placed_by_data(definition):
        return None
    combines = bool(along) and _combines(function, definition)
    return Scan(serial, tuple(free), along[0] if along else None, combines)


def is_scan(function: Function, index: int) -> bool:
    """Whether a step of a reduction reads what another step wrote."""
    definition = function.definitions[index]
    return any(call.args != definition.args for call in _own_reads(function, definition))


def scan_loops(loops: DefinitionLoops, scan: Scan, target: TargetFeatures) -> None:
    """Vectors along a free coordinate; tasks around the scan.

    Where the loops hold others (`band_producers`), bands of rows are the outermost ones.
    """
    function, stage = loops.function, loops.stage
    chunk = loops.unused("chunk")
    strip = rows_loop(function) if loops.holds_rows else strip_loop(function)
    others = [name for name in scan.serial if name != scan.along]
    if scan.along is None and loops.holds_others:
        band, row = band_loop(function), loops.unused("row")
        loops.split(scan.serial[0], band, row, BAND_ROWS)
        inner = [*_columns(loops, scan, target), row, *others[1:]]
        tasks = [chunk, *scan.free[1:], band]
    elif scan.along is None:
        inner, tasks = [*_columns(loops, scan, target), *others], [chunk, *scan.free[1:]]
    elif not scan.combines:
        inner, tasks = [*_rows(loops, scan, strip, target), *others], [strip, *scan.free[1:]]
    elif loops.is_in_strip and not loops.holds_rows:
        inner, tasks = [scan.along, *others], [*scan.free]
    else:
        loops.split(scan.free[0], strip, loops.unused("row"), STRIP_ROWS)
        inner = [scan.along, loops.unused("row"), *others]
        tasks = [strip, *scan.free[1:]]
    if loops.holds_rows:
        # Outermost: what is computed with the rows may be a scan along what else is free.
        tasks = [*tasks[1:], strip]
    by_name = {d.name: d for d in stage.dimensions}
    stage.dimensions = [by_name[name] for name in (*inner, *tasks)]
    if not scan.combines:
        stage.dimensions[0].kind = "vectorized"
    if loops.is_in_strip:
        return
    if loops.holds_others:
        by_name[tasks[-2]].kind = "parallel"
        return
    if len(tasks) > 1 and not loops.holds_rows and all(by_name[t].is_pure for t in tasks[:2]):
        fuse(stage, tasks[0], tasks[1], loops.unused("task"))
    stage.dimensions[-1].kind = "parallel"


def band_loop(function: Function) -> str:
    """The loop of a scan down columns over bands of rows."""
    return unused("band", function)


def rows_loop(function: Function) -> str:
    """The loop of a scan along rows over the rows that are scanned together."""
    return unused("rows", function)


def band_producers(plans: Sequence[StagePlan]) -> dict[str, tuple[str, int]]:
    """Stages (by name) whose rows one scan down columns reads, each in the step for that row: the
    scan, and the number of its definition. What a band of rows needs of them is computed with it.
    """
    found: dict[str, tuple[str, int]] = {}
    for plan in plans:
        reading = _only_reader(plan, plans)
        scan = None if reading is None else _scan_of(*reading)
        if reading is None or scan is None or scan.along is not None or len(scan.serial) != 1:
            continue
        reader, index = reading
        definition = reader.definitions[index]
        if definition.predicates or (reader.name, index) in found.values():
            continue
        step = Variable(scan.serial[0], ir.I32)
        row = [d for d, a in enumerate(definition.args) if a is step]
        if len(row) == 1 and _is_read_by_rows(plan, plans, step):
            found[plan.name] = (reader.name, index)
    return found


def row_producers(plans: Sequence[StagePlan]) -> dict[str, tuple[str, int]]:
    """Stages (by name) whose rows one scan along rows reads, each where it scans that row: the
    scan, and the number of its definition. Of the rows that are scanned together they are computed
    with it.
    """
    found: dict[str, tuple[str, int]] = {}
    for plan in plans:
        reading = _only_reader(plan, plans)
        scan = None if reading is None else _scan_of(*reading)
        if reading is None or scan is None or scan.along is None:
            continue
        row = Variable(scan.free[0], ir.I32)
        if reading[0].args[1] == row.name and _is_read_by_rows(plan, plans, row):
            found[plan.name] = (reading[0].name, reading[1])
    return found


def _only_reader(plan: StagePlan, plans: Sequence[StagePlan]) -> tuple[StagePlan, int] | None:
    """The one definition, and its number, that reads a stage which is no output."""
    places = [
        (reader, index)
        for reader in plans
        if reader is not plan
        for index, definition in enumerate(reader.definitions)
        if reads_of(plan.value_names(), *definition.expressions)
    ]
    return places[0] if len(places) == 1 and not plan.is_output and len(plan.args) > 1 else None


def _is_read_by_rows(plan: StagePlan, plans: Sequence[StagePlan], row: Variable) -> bool:
    """Whether a stage whose rows don't depend on one another is read in row `row` alone, or in one
    that lies a number of rows away."""
    calls = [
        call
        for reader in plans
        if reader is not plan
        for definition in reader.definitions
        for call in reads_of(plan.value_names(), *definition.expressions)
    ]
    others = [a for call in calls for place, a in enumerate(call.args) if place != 1]
    rows = [linear_terms(ir.simplify(ir.Sub(call.args[1], row))) for call in calls]
    return (
        all(not terms and distance == rows[0][1] for terms, distance in rows)
        and not ir.mentions(others, {row})
        and keeps_to_its_row(plan, 1)
    )


def _scan_of(plan: StagePlan, index: int) -> Scan | None:
    """The scan that a definition is before anything is scheduled."""
    function = plan.function
    stage = StageSchedule([replace(d) for d in function.schedule.stages[index].dimensions])
    return scan_of(DefinitionLoops(function, index, stage))


def _columns(loops: DefinitionLoops, scan: Scan, target: TargetFeatures) -> list[str]:
    bits = element_bits(loops.function, loops.index)
    lanes = max(1, target.natural_vector_bits // min(bits))
    chunk, within = loops.unused("chunk"), loops.unused("within")
    vector, lane = loops.unused("vector"), loops.unused("lane")
    loops.split(scan.free[0], chunk, within, max(lanes, CHUNK_BYTES * 8 // max(bits)))
    loops.split(within, vector, lane, lanes)
    return [lane, vector]


def _rows(loops: DefinitionLoops, scan: Scan, strip: str, target: TargetFeatures) -> list[str]:
    lanes = scan_lanes(loops.function, loops.index, target)
    block, step, lane = map(loops.unused, ("block", "step", "lane"))
    loops.split(scan.free[0], strip, lane, lanes)
    assert scan.along is not None
    loops.split(scan.along, block, step, lanes)
    next(d for d in loops.stage.dimensions if d.name == step).kind = "unrolled"
    return [lane, step, block]


def scan_lanes(function: Function, index: int, target: TargetFeatures) -> int:
    """Rows of a block."""
    lanes = target.natural_vector_bits // max(element_bits(function, index))
    return min(max(lanes, FEWEST_LANES), MOST_LANES)


def element_bits(function: Function, index: int) -> set[int]:
    """The sizes of what a definition reads and writes."""
    bits = {max(8, t.bits) for t in function.types}
    for node in ir.postorder(*function.definitions[index].values):
        if isinstance(node, Call) and node.kind in ("func", "image"):
            bits.add(max(8, node.type.bits))
    return bits


def _combines(function: Function, definition: Definition) -> bool:
    if len(definition.values) != 1 or definition.predicates:
        return False
    definition = replace(definition, values=tuple(map(ir.simplify, definition.values)))

    def is_previous(e: Expr) -> bool:
        if isinstance(e, ir.Select):
            # The other side is what the scan begins with.
            reads = [reads_of(names_of(function), side) for side in (e.a, e.b)]
            return bool(reads[0]) != bool(reads[1]) and any(map(is_previous, (e.a, e.b)))
        if e not in own:
            return False
        assert isinstance(e, Call)
        return e.args[1:] == definition.args[1:] and _is_next(e.args[0], definition.args[0])

    own = [call for call in _own_reads(function, definition) if call.args != definition.args]
    found = combination(definition.values[0], is_previous)
    return found is not None and len(own) == 1 and own[0] not in ir.postorder(found.terms)


def _is_next(place: Expr, other: Expr) -> bool:
    """Whether two coordinates are neighbours, but for a clamp of the first."""
    if isinstance(place, (ir.Min, ir.Max)):
        return _is_next(place.a, other) or _is_next(place.b, other)
    terms, constant = linear_terms(ir.simplify(ir.Sub(place, other)))
    return not terms and constant in (1, -1)


def _own_reads(function: Function, definition: Definition) -> list[Call]:
    parts = (*definition.args, *definition.values, *definition.predicates)
    return reads_of(names_of(function), *parts)


__all__ = [
    "Scan",
    "band_loop",
    "band_producers",
    "is_scan",
    "row_producers",
    "rows_loop",
    "scan_lanes",
    "scan_loops",
    "scan_of",
]
