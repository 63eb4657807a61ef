"""Which iteration of changed loops is which point of a given reduction's domain.

Where an iteration updates depends on what it reads, `bins[src[i]]`; but where it reads is a sum of
counters, and the summary reads there at the point itself, `src(r.x, r.y)`. So the reads are taken
for stores, of which it is known how to find the points that they go to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compiler.ir import I64, Call, Expr, Load, Variable, postorder, substitute

from ..lift.stage_context import StageContext
from ..model.stage import Stage, Write
from ..model.summary import Summary, Witness
from ..synth import regions
from .composition import same_layout

MOST_READS = 3
"""Reads of one array in an iteration that are tried."""


def update_witnesses(
    stage: Stage, given: Summary, context: StageContext
) -> Iterator[tuple[Witness, ...]]:
    """A witness for each store, in the names of the given domain; they are only suggestions."""
    for name in _read_at_the_point(given):
        for number in range(MOST_READS):
            reads = [_read_by(write, name, number) for write in stage.writes]
            if any(read is None for read in reads):
                break
            stores = tuple(
                replace(w, array=name, indices=r.indices)
                for w, r in zip(stage.writes, reads, strict=True)
                if r is not None
            )
            found = regions(
                replace(stage, output=name, writes=stores),
                context.parameters,
                context.assumptions.formulas,
                context.grammar,
            )
            for region in found:
                if same_layout(region.layout, given.layouts[name]):
                    names: dict[Expr, Expr] = {
                        Variable(d.variable.name, I64): Variable(own.variable.name, I64)
                        for d, own in zip(region.dimensions, given.domain, strict=True)
                    }
                    yield tuple(
                        Witness(w.point, tuple(substitute(c, names) for c in w.counters))
                        for w in region.witnesses
                    )


def _read_at_the_point(given: Summary) -> list[str]:
    """The arrays that the summary reads at its domain's own coordinates."""
    point = tuple(d.variable for d in given.domain)
    reads = (
        n
        for n in postorder(*given.update_point, given.expression)
        if isinstance(n, Call) and n.kind == "image"
    )
    return list(dict.fromkeys(r.name for r in reads if r.args == point and r.name != given.output))


def _read_by(write: Write, array: str, number: int) -> Load | None:
    """The store's read of an array, by its number among those."""
    nodes = postorder(*write.indices, write.value)
    loads = list(dict.fromkeys(n for n in nodes if isinstance(n, Load) and n.array == array))
    return loads[number] if number < len(loads) else None
