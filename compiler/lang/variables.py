"""Coordinates of stages (`Var`) and of reductions (`RVar`, `RDom`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import ir
from ..ir import I32, Variable
from .errors import fail
from .expr import Convertible, Expr, Sources, as_expr
from .names import fresh_name, is_pure_variable_name
from .type_matching import cast_node


class Var(Convertible):
    """A coordinate of a stage; two of the same name are the same."""

    __slots__ = ("_name",)

    def __init__(self, name: str | None = None) -> None:
        self._name = name if name is not None else fresh_name("v")
        if not is_pure_variable_name(self._name):
            fail(f"A Var's name may not contain '$' or '.': {self._name!r}.")

    def name(self) -> str:
        return self._name

    def _expr(self) -> Expr:
        return Expr.of(Variable(self._name, I32))

    def __repr__(self) -> str:
        return f"<Var '{self._name}'>"


def vars(names: str) -> tuple[Var, ...]:
    """`Var`s of the names in a text, separated by spaces or commas."""
    return tuple(Var(name) for name in names.replace(",", " ").split())


class ReductionDomain:
    """What an `RDom` is: names, bounds and predicates; shared by expressions that use it."""

    def __init__(self, names: Sequence[str], bounds: Sequence[tuple[Expr, Expr]]) -> None:
        self.names = tuple(names)
        self.bounds = tuple((low.node, extent.node) for low, extent in bounds)
        self.predicates: list[ir.Expr] = []
        self.sources: Sources = frozenset().union(
            *(part.sources for pair in bounds for part in pair)
        )


class RVar(Convertible):
    """One coordinate of an `RDom`."""

    __slots__ = ("_domain", "_name")

    def __init__(self, name: str = "", domain: ReductionDomain | None = None) -> None:
        self._name, self._domain = name or fresh_name("r"), domain

    def name(self) -> str:
        return self._name

    def _index(self) -> tuple[ReductionDomain, int]:
        if self._domain is None:
            fail(f"RVar {self._name} belongs to no RDom.")
        return self._domain, self._domain.names.index(self._name)

    def min(self) -> Expr:
        domain, i = self._index()
        return Expr.of(domain.bounds[i][0], extra=domain.sources)

    def extent(self) -> Expr:
        domain, i = self._index()
        return Expr.of(domain.bounds[i][1], extra=domain.sources)

    def _expr(self) -> Expr:
        sources: Sources = frozenset() if self._domain is None else frozenset({self._domain})
        return Expr.of(Variable(self._name, I32), extra=sources)

    def __repr__(self) -> str:
        return f"<RVar {self._name}>"


class Range:
    """A (min, extent) pair of an `RDom`."""

    def __init__(self, min: Any, extent: Any) -> None:
        self.min, self.extent = as_expr(min), as_expr(extent)


class RDom(Convertible):
    """The box that an update or an inline reduction runs over, first coordinate innermost.

    `RDom([(min, extent), ...])`, an image (its whole extent), or nothing. `where` adds a predicate.
    """

    __slots__ = ("_domain", "_variables")

    def __init__(self, region: Any = None, name: str = "") -> None:
        prefix = name or fresh_name("r")
        pairs = _pairs(region)
        letters = "xyzw" if len(pairs) <= 4 else None
        names = [f"{prefix}${letters[i] if letters else i}" for i in range(len(pairs))]
        checked = []
        for low, extent in pairs:
            for part in (low, extent):
                if not part.type().is_integer:
                    fail(f"RDom min and extent must be integers; {part} is {part.type()}.")
            checked.append(tuple(Expr.of(cast_node(I32, e.node), e) for e in (low, extent)))
        self._domain = ReductionDomain(names, checked)  # type: ignore[arg-type]
        self._variables = tuple(RVar(n, self._domain) for n in names)

    def dimensions(self) -> int:
        return len(self._variables)

    def __getitem__(self, index: int) -> RVar:
        if not 0 <= index < len(self._variables):
            fail(f"RDom has {len(self._variables)} dimensions; there is no dimension {index}.")
        return self._variables[index]

    def __getattr__(self, name: str) -> RVar:
        if name in ("x", "y", "z", "w"):
            return self["xyzw".index(name)]
        raise AttributeError(name)

    def __len__(self) -> int:
        return len(self._variables)

    def where(self, predicate: Any) -> None:
        """Runs only where `predicate` holds; several are all required."""
        e = as_expr(predicate)
        if not e.type().is_bool:
            fail(f"An RDom predicate must be a boolean; {e} is {e.type()}.")
        self._domain.predicates.append(e.node)
        self._domain.sources |= e.sources - {self._domain}

    def _expr(self) -> Expr:
        if len(self._variables) != 1:
            fail("Only a one-dimensional RDom can stand for its coordinate.")
        return self._variables[0]._expr()

    def __repr__(self) -> str:
        return f"<RDom {', '.join(v.name() for v in self._variables)}>"


def _pairs(region: Any) -> list[tuple[Expr, Expr]]:
    if region is None:
        return []
    if hasattr(region, "dim") and hasattr(region, "dimensions"):
        dims = [region.dim(i) for i in range(region.dimensions())]
        return [(as_expr(d.min()), as_expr(d.extent())) for d in dims]
    pairs = []
    for item in region:
        if isinstance(item, Range):
            pairs.append((item.min, item.extent))
        else:
            low, extent = item
            pairs.append((as_expr(low), as_expr(extent)))
    return pairs
