"""A stage as lowering sees it: definitions with everything inlined, and the schedule to follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .. import ir
from ..ir import Type
from ..lang import Definition, Function, FunctionSchedule
from ..lang.names import buffer_field


@dataclass(frozen=True)
class PlannedDefinition:
    """One definition; its coordinates are still the user's variables."""

    args: tuple[ir.Expr, ...]
    values: tuple[ir.Expr, ...]
    predicates: tuple[ir.Expr, ...]
    domain: tuple[tuple[str, ir.Expr, ir.Expr], ...]
    """(name, min, extent) of each reduction variable, innermost first."""
    source: Definition

    @property
    def expressions(self) -> tuple[ir.Expr, ...]:
        bounds = tuple(e for _, low, extent in self.domain for e in (low, extent))
        return (*self.args, *self.values, *self.predicates, *bounds)


@dataclass(frozen=True)
class Overwritten:
    """Input images that may lie where a stage is stored: see `in_place`."""

    images: Mapping[str, str]
    """With the memory of the stage that each may be."""
    extents: tuple[int, ...]
    """The steps of the stage's block loops, innermost first."""


@dataclass(frozen=True)
class StagePlan:
    """One stage that gets storage of its own (or the caller's)."""

    function: Function
    definitions: tuple[PlannedDefinition, ...]
    schedule: FunctionSchedule
    is_output: bool
    computed: tuple[tuple[ir.Expr, ir.Expr], ...] | None = None
    """(min, extent) of the region that the loops run over, where it is not `f.min.d` and
    `f.extent.d`: an output's that is bounded or aligned."""
    overwritten: Overwritten | None = None

    @property
    def region(self) -> tuple[tuple[ir.Expr, ir.Expr], ...]:
        """(min, extent) of the region that the loops run over, by dimension."""
        if self.computed is not None:
            return self.computed
        return tuple(
            (buffer_field(self.name, "min", d), buffer_field(self.name, "extent", d))
            for d in range(len(self.args))
        )

    @property
    def name(self) -> str:
        return self.function.name

    @property
    def args(self) -> tuple[str, ...]:
        return self.function.args

    @property
    def types(self) -> tuple[Type, ...]:
        return self.function.types

    def value_names(self) -> tuple[str, ...]:
        """The names by which calls read the stage's values, and of the memory they lie in."""
        if len(self.types) == 1:
            return (self.name,)
        return tuple(f"{self.name}.{i}" for i in range(len(self.types)))


def planned(definition: Definition) -> PlannedDefinition:
    """The definition as the user wrote it."""
    domain = definition.domain
    loops = ()
    if domain is not None:
        loops = tuple((n, *b) for n, b in zip(domain.names, domain.bounds, strict=True))  # type: ignore[assignment]
    return PlannedDefinition(
        definition.args, definition.values, definition.predicates, loops, definition
    )
