"""What a definition can gain from tiles: reuse over time, reuse of cache lines, or nothing.

After thesis section 4.3, figure 4.2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from math import prod

from .. import ir
from ..ir import Call, Expr, Variable
from .graph import DefinitionPart, PipelineGraph, StoredStage
from .reach import Box, extent


class Reuse(Enum):
    """What tiles of a definition are for."""

    TEMPORAL = "temporal"
    """Inputs have other indices than the output: what is read is read again later."""
    SPATIAL = "spatial"
    """An input is transposed: of a cache line that was read, the rest is wanted later."""
    NONE = "none"
    """Rows are read as they lie in memory: prefetchers do best when left alone."""


@dataclass(frozen=True)
class AccessPattern:
    """An array that a definition reads or writes: the loops that each of its coordinates, the one
    that is contiguous in memory first, goes along with."""

    name: str
    coordinates: tuple[tuple[str, ...], ...]
    element: int
    """Bytes of an element."""
    pitch: int
    """Elements from one row to the next."""

    @cached_property
    def loops(self) -> frozenset[str]:
        return frozenset(v for loops in self.coordinates for v in loops)

    @property
    def columns(self) -> tuple[str, ...]:
        """The loops along which it is contiguous."""
        return self.coordinates[0] if self.coordinates else ()

    def volume(self, sizes: Mapping[str, int]) -> int:
        """The elements that loops of `sizes` iterations touch."""
        return prod(_reached(loops, sizes) for loops in self.coordinates)

    def rows(self, sizes: Mapping[str, int]) -> int:
        """The contiguous pieces among them."""
        return prod(_reached(loops, sizes) for loops in self.coordinates[1:])

    def misses(self, sizes: Mapping[str, int], prefetched: float) -> float:
        """Lines that have to be waited for: the first of each contiguous piece, and `prefetched` of
        each other one, which prefetchers bring."""
        lines = _reached(self.columns, sizes) * self.element / LINE
        return self.rows(sizes) * (1 + prefetched * (abs(lines - 1) + lines - 1) / 2)


LINE = 64
"""Bytes of a cache line."""


def _reached(loops: Sequence[str], sizes: Mapping[str, int]) -> int:
    """Values of a sum of loop variables."""
    return 1 + sum(sizes[v] - 1 for v in loops)


@dataclass(frozen=True)
class LoopNest:
    """One definition as the optimizers see it."""

    output: AccessPattern
    inputs: tuple[AccessPattern, ...]
    """Without the stage itself, whose element that is written is the only one it reads."""
    sizes: Mapping[str, int]
    """Rounds of each loop (B_i)."""
    pure: tuple[str, ...]
    """The loops over coordinates, the contiguous one first."""
    reductions: tuple[str, ...]
    """The loops over reduction variables, the innermost first."""

    @property
    def column(self) -> str:
        """The loop along which the output is contiguous, the one of vectors."""
        return self.pure[0]

    @property
    def accesses(self) -> tuple[AccessPattern, ...]:
        return (self.output, *self.inputs)

    @cached_property
    def transposed(self) -> tuple[AccessPattern, ...]:
        """The inputs that are contiguous along another loop than the output."""
        return tuple(
            a
            for a in self.inputs
            if self.column in a.loops and a.columns and self.column not in a.columns
        )

    @cached_property
    def reuse(self) -> Reuse:
        read = frozenset(v for a in self.inputs for v in a.loops)
        if not self.inputs:
            return Reuse.NONE
        if read != self.output.loops:
            return Reuse.TEMPORAL
        return Reuse.SPATIAL if self.transposed else Reuse.NONE

    @staticmethod
    def of(graph: PipelineGraph, stage: StoredStage, part: DefinitionPart) -> LoopNest | None:
        """The definition `part` of a stage; None where it writes, or reads the stage itself, at
        other points than those of its coordinates, or has none."""
        here = tuple(Variable(a, ir.I32) for a in stage.args)
        own = part.reads.get(stage.name, ())
        if not here or part.definition.args != here or any(c.args != here for c in own):
            return None
        sizes = dict(stage.sizes)
        sizes.update(zip(part.reduction, map(extent, part.domain), strict=True))
        if any(size < 1 for size in sizes.values()):
            return None
        loops = frozenset(part.loops)
        inputs = [
            _access(name, call, loops, graph.bounds(name), call.type.bytes)
            for name, calls in part.reads.items()
            if name != stage.name
            for call in calls
        ]
        output = AccessPattern(
            stage.name,
            tuple((a,) for a in stage.args),
            stage.bytes_per_point,
            _pitch(stage.bounds),
        )
        return LoopNest(output, tuple(dict.fromkeys(inputs)), sizes, stage.args, part.reduction)


def _access(
    name: str, call: Call, loops: frozenset[str], bounds: Box, element: int
) -> AccessPattern:
    """Calls a few pixels apart are one access: the loops are the same."""
    return AccessPattern(name, tuple(_loops(a, loops) for a in call.args), element, _pitch(bounds))


def _loops(expr: Expr, loops: frozenset[str]) -> tuple[str, ...]:
    """The loops that a coordinate goes along with; where data decides, there is no telling."""
    nodes = list(ir.postorder(expr))
    if any(isinstance(node, Call) and node.kind in ("func", "image") for node in nodes):
        return ()
    names = {node.name for node in nodes if isinstance(node, Variable)}
    return tuple(sorted(names & loops))


def _pitch(bounds: Box) -> int:
    return extent(bounds[0]) if bounds else 1


__all__ = ["LINE", "AccessPattern", "LoopNest", "Reuse"]
