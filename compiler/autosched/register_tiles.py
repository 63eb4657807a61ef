"""Which sums are kept in registers: products of matrices, convolutions over channels.

A value that is read for such a sum serves a whole row or column of results. A block of results
that stay in registers while the sum runs reads each value once for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .. import ir
from ..ir import Call, Variable
from ..lang import Function, StageSchedule
from ..lower import TargetFeatures
from ..lower.plan import StagePlan
from .loops import DefinitionLoops, fuse, reads_of, strip_loop, unused

MOST_NODES = 64
"""A larger expression is not written out for every vector of a block."""

STRIP_BLOCKS = 4
"""Blocks one above the other in a strip, which share what lies beside them in cache."""


@dataclass(frozen=True)
class RegisterBlock:
    """So many vectors by so many rows of results stay in registers."""

    lanes: int
    across: int
    down: int


def block_of(function: Function, target: TargetFeatures) -> RegisterBlock:
    """The largest block that leaves registers for what is read: 24 of 32, or 8 of 16."""
    lanes = max(1, target.natural_vector_bits // function.types[0].bits)
    return (
        RegisterBlock(lanes, 4, 6)
        if target.natural_vector_bits >= 512
        else RegisterBlock(lanes, 2, 4)
    )


def register_tiles(plans: Sequence[StagePlan]) -> dict[str, str]:
    """For each stage that is such a sum, by its name, the stage whose blocks compute it.

    That is the only one that reads it, point by point.
    """
    found: dict[str, str] = {}
    for plan in plans:
        if not plan.is_output and _is_contraction(plan):
            reader = _point_reader(plan, plans)
            if reader is not None:
                found[plan.name] = reader
    return found


def _is_contraction(plan: StagePlan) -> bool:
    if len(plan.definitions) != 2 or len(plan.types) != 1 or len(plan.args) < 2:
        return False
    start, update = plan.definitions
    here = tuple(Variable(a, ir.I32) for a in plan.args)
    if update.args != here or update.predicates or not update.domain:
        return False
    nodes = [n for value in update.values for n in ir.postorder(value)]
    own = [n for n in nodes if isinstance(n, Call) and n.name == plan.name]
    if len(nodes) > MOST_NODES or any(call.args != here for call in own):
        return False
    if any(n for v in start.values for n in ir.postorder(v) if _is_read(n) and n in own):
        return False
    read = [set(ir.postorder(n)) for n in nodes if _is_read(n) and n not in own]
    return any(here[0] not in r for r in read) and any(here[1] not in r for r in read)


def _is_read(node: ir.Expr) -> bool:
    return isinstance(node, Call) and node.kind in ("func", "image")


def _point_reader(plan: StagePlan, plans: Sequence[StagePlan]) -> str | None:
    readers: set[str] = set()
    for reader in plans:
        if reader is plan:
            continue
        for definition in reader.definitions:
            for call in reads_of(plan.value_names(), *definition.expressions):
                here = tuple(Variable(a, ir.I32) for a in reader.args)
                if call.args != here or len(reader.definitions) > 1:
                    return None
                readers.add(reader.name)
    return readers.pop() if len(readers) == 1 else None


def block_loop(function: Function) -> str:
    """The loop of the reader in each of whose iterations one block is made."""
    return unused("block_row", function)


def block_loops(loops: DefinitionLoops, target: TargetFeatures) -> None:
    """The reader's loops: blocks, in parallel strips unless it lies in a strip itself."""
    function, stage = loops.function, loops.stage
    block = block_of(function, target)
    x, y, *others = function.args
    tasks: list[str] = []
    rows = y
    if not loops.is_in_strip:
        rows, strip = loops.unused("row"), strip_loop(function)
        loops.split(y, strip, rows, STRIP_BLOCKS * block.down)
        # Threads share what the strips hold of other stages only if a strip is one iteration.
        tasks = [strip, *([] if loops.holds_others else others[-1:])]
    inner = _split_block(loops, block, x, rows)
    _ordered(stage, [*inner, *(o for o in others if o not in tasks), *tasks])
    if len(tasks) == 2:
        fuse(stage, tasks[0], tasks[1], loops.unused("task"))
    if tasks:
        stage.dimensions[-1].kind = "parallel"


def tile_loops(loops: DefinitionLoops, target: TargetFeatures) -> None:
    """The loops of a sum inside of one block: written out, around them the reduction."""
    function, stage = loops.function, loops.stage
    x, y, *others = function.args
    reduction = [d.name for d in stage.dimensions if not d.is_pure]
    lane, vector, row, *outer = _split_block(loops, block_of(function, target), x, y)
    _ordered(stage, [lane, vector, row, *reduction, *outer, *others])
    for dimension in stage.dimensions[1:3]:
        dimension.kind = "unrolled"


def _split_block(loops: DefinitionLoops, block: RegisterBlock, x: str, y: str) -> list[str]:
    """The loops of a block and those over blocks, innermost first."""
    names = ("lane", "vector", "block_y", "block_row", "block_column", "block_x")
    lane, vector, inner_y, row, column, inner_x = map(loops.unused, names)
    loops.split(y, row, inner_y, block.down)
    loops.split(x, column, inner_x, block.lanes * block.across)
    loops.split(inner_x, vector, lane, block.lanes)
    return [lane, vector, inner_y, row, column]


def _ordered(stage: StageSchedule, names: Sequence[str]) -> None:
    by_name = {d.name: d for d in stage.dimensions}
    stage.dimensions = [by_name[n] for n in names]
    stage.dimensions[0].kind = "vectorized"


__all__ = ["RegisterBlock", "block_loop", "block_loops", "register_tiles", "tile_loops"]
