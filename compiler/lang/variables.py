"""Coordinates of stages (`Var`) and of reductions (`RVar`, `RDom`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import ir
from ..ir import I32, Variable
from .errors import fail
from .expr import Convertible, Expr, Sources, as_expr
from .names import chosen_variable, fresh_name, is_pure_variable_name
from .type_matching import cast_node


class Var(Convertible):
    """A coordinate of a stage; two of the same name are the same."""

    __slots__ = ("_name",)

    def __init__(self, name: str | None = None) -> None:
        if name is not None and not isinstance(name, str):
            raise TypeError(f"Var(): incompatible constructor arguments. Invoked with: {name!r}")
        self._name = fresh_name("v") if name is None else chosen_variable(name)
        if not self._name:
            fail("A Var may not have an empty name.")
        if not is_pure_variable_name(self._name):
            fail(f"A Var's name may not contain '$' or '.': {self._name!r}.")

    def name(self) -> str:
        return self._name

    def same_as(self, other: Var) -> bool:
        return self._name == other._name

    @staticmethod
    def implicit(index: int) -> Var:
        """The implicit coordinate `_0`, `_1`, ... that a placeholder stands for."""
        return Var(f"_{index}")

    @staticmethod
    def outermost() -> Var:
        """The place around all loops of a stage, for `compute_at` and the like."""
        return Var("__outermost")

    def is_implicit(self) -> bool:
        return self.implicit_index() >= 0

    def implicit_index(self) -> int:
        """i for `_i`, -1 for other names."""
        digits = self._name[1:]
        return int(digits) if self._name.startswith("_") and digits.isdecimal() else -1

    def is_placeholder(self) -> bool:
        """Whether this is `_`, which stands for the coordinates that aren't written out."""
        return self._name == "_"

    def _expr(self) -> Expr:
        return Expr.of(Variable(self._name, I32))

    def __repr__(self) -> str:
        return f"<Var '{self._name}'>"

    def __str__(self) -> str:
        return self._name


def vars(names: str) -> tuple[Var, ...]:
    """`Var`s of the names in a text, separated by spaces."""
    return tuple(Var(name) for name in names.replace(",", " ").split())


class ReductionDomain:
    """What an `RDom` is: names, bounds and predicates; shared by expressions that use it."""

    def __init__(self, names: Sequence[str], bounds: Sequence[tuple[Expr, Expr]]) -> None:
        self.names = tuple(names)
        self.bounds = tuple((low.node, extent.node) for low, extent in bounds)
        self.predicates: list[ir.Expr] = []
        self.frozen = False
        """Whether an update runs over it, so that it can be given no predicate any more."""
        self.sources: Sources = frozenset().union(
            *(part.sources for pair in bounds for part in pair)
        )


class RVar(Convertible):
    """One coordinate of an `RDom`: `RVar()`, `RVar(name)`, or that of an `RDom` of one."""

    __slots__ = ("_domain", "_name")

    def __init__(self, name: Any = "", domain: ReductionDomain | None = None) -> None:
        if isinstance(name, RDom):
            name, domain = name[0].name(), name.reduction_domain()
        if not isinstance(name, str):
            raise TypeError(f"RVar(): incompatible constructor arguments. Invoked with: {name!r}")
        self._name = chosen_variable(name) if name else fresh_name("r")
        self._domain = domain

    def name(self) -> str:
        return self._name

    def min(self) -> Expr:
        """The first value; undefined for an `RVar` of no `RDom`."""
        return self._bound(0)

    def extent(self) -> Expr:
        """How many values; undefined for an `RVar` of no `RDom`."""
        return self._bound(1)

    def _bound(self, which: int) -> Expr:
        domain = self._domain
        if domain is None or self._name not in domain.names:
            return Expr()
        bounds = domain.bounds[domain.names.index(self._name)]
        return Expr.of(bounds[which], extra=domain.sources)

    def _expr(self) -> Expr:
        sources: Sources = frozenset() if self._domain is None else frozenset({self._domain})
        return Expr.of(Variable(self._name, I32), extra=sources)

    def __repr__(self) -> str:
        return f"<RVar {self._name}({_shown(self.min())}, {_shown(self.extent())})>"


def _shown(e: Expr) -> str:
    return str(e) if e.defined() else "(undefined)"


class Range:
    """A (min, extent) pair: `Range(min, extent)` or `Range((min, extent))`; undefined by itself."""

    def __init__(self, *bounds: Any) -> None:
        given = bounds[0] if len(bounds) == 1 and isinstance(bounds[0], tuple) else bounds
        if len(given) not in (0, 2):
            raise TypeError(f"Range(): incompatible constructor arguments. Invoked with: {bounds}")
        self.min, self.extent = (as_expr(b) for b in given) if given else (Expr(), Expr())


class RDom(Convertible):
    """The box that an update or an inline reduction runs over, first coordinate innermost.

    `RDom([(min, extent), ...], name)`, a `Buffer` or an `ImageParam` (its whole extent), or nothing
    (undefined). `where` adds a predicate.
    """

    __slots__ = ("_domain", "_variables")

    def __init__(self, region: Any = None, name: str = "") -> None:
        prefix = chosen_variable(name) if name else fresh_name("r")
        pairs = _pairs(region)
        letters = "xyzw" if len(pairs) <= 4 else None
        names = [f"{prefix}${letters[i] if letters else i}" for i in range(len(pairs))]
        for i, pair in enumerate(pairs):
            _check_bounds(prefix, i, pair)
            _check_last(prefix, i, pair)
        checked = [(_as_int32(low), _as_int32(extent)) for low, extent in pairs]
        self._domain = ReductionDomain(names, checked) if region is not None else None
        self._variables = tuple(RVar(n, self._domain) for n in names)

    def reduction_domain(self) -> ReductionDomain:
        """What this and its `RVar`s share; raises `HalideError` for an undefined one."""
        if self._domain is None:
            fail("An undefined RDom was used.")
        return self._domain

    def defined(self) -> bool:
        return self._domain is not None

    def same_as(self, other: RDom) -> bool:
        return self._domain is other._domain

    def dimensions(self) -> int:
        return len(self._variables)

    def __getitem__(self, index: int) -> RVar:
        if not 0 <= index < len(self._variables):
            # The real package raises this for an index that is no dimension.
            raise KeyError(f"RDom has {len(self._variables)} dimensions; there is no {index}.")
        return self._variables[index]

    def _letter(self, index: int) -> RVar:
        if index < len(self._variables):
            return self._variables[index]
        return RVar(f"{fresh_name('r')}$undefined")

    @property
    def x(self) -> RVar:
        return self._letter(0)

    @property
    def y(self) -> RVar:
        return self._letter(1)

    @property
    def z(self) -> RVar:
        return self._letter(2)

    @property
    def w(self) -> RVar:
        return self._letter(3)

    def __len__(self) -> int:
        return len(self._variables)

    def where(self, predicate: Any) -> None:
        """Runs only where `predicate` holds; several are all required."""
        domain, e = self.reduction_domain(), as_expr(predicate)
        if not e.node.type.is_bool:
            fail(f"An RDom predicate must be a boolean; {e} is {e.node.type}.")
        if domain.frozen:
            fail(
                f"{self!r} cannot be given a new predicate, because it has already been used in "
                "the update definition of some function."
            )
        others = {n for s in e.sources - {domain} if isinstance(s, ReductionDomain)
                  for n in s.names}  # fmt: skip
        for node in ir.postorder(e.node):
            if isinstance(node, Variable) and node.name in others:
                fail(
                    "An RDom's predicate may only refer to its own RVars, not the RVars of some "
                    f"other RDom. Cannot set the predicate to: {e}"
                )
        domain.predicates.append(e.node)
        domain.sources |= e.sources - {domain}

    def _expr(self) -> Expr:
        if len(self._variables) != 1:
            fail(
                f"Can't treat this multidimensional RDom as an Expr: {self!r}. "
                "Only single-dimensional RDoms can be cast to Expr."
            )
        return self._variables[0]._expr()

    def __repr__(self) -> str:
        if self._domain is None:
            return "<RDom RDom()>"
        lines = "".join(f"  {repr(v)[6:-1]}\n" for v in self._variables)
        return f"<RDom RDom(\n{lines})>"


def _check_bounds(name: str, index: int, pair: tuple[Expr, Expr]) -> None:
    sources = pair[0].sources | pair[1].sources
    reductions = {n for s in sources if isinstance(s, ReductionDomain) for n in s.names}
    bounds = f"The bounds of the RDom {name} in dimension {index} are: {pair[0]} ... {pair[1]}."
    for node in ir.postorder(*(e.node for e in pair)):
        if isinstance(node, Variable) and (
            is_pure_variable_name(node.name) or node.name in reductions
        ):
            fail(
                f"{bounds} These depend on the variable {node.name}. "
                "The bounds of an RDom may not depend on a free variable."
            )
        if isinstance(node, ir.Call) and node.kind == "func":
            fail(
                f"{bounds} These depend on a call to the Func {node.name}. "
                "The bounds of an RDom may not depend on a call to a Func."
            )


def _check_last(name: str, index: int, pair: tuple[Expr, Expr]) -> None:
    """The last coordinate must be an int32, where it is known."""
    low, extent = pair[0].node, pair[1].node
    if isinstance(low, ir.Const) and isinstance(extent, ir.Const):
        last = int(low.value) + int(extent.value) - 1
        if not I32.contains(last):
            fail(
                f"Signed integer overflow: the RDom {name} ends at {last} in dimension {index}, "
                "which is no int32."
            )


def _as_int32(e: Expr) -> Expr:
    return Expr.of(cast_node(I32, e.node), e)


def _pairs(region: Any) -> list[tuple[Expr, Expr]]:
    if region is None:
        return []
    if hasattr(region, "dim") and hasattr(region, "dimensions"):
        dims = [region.dim(i) for i in range(region.dimensions())]
        return [(as_expr(d.min()), as_expr(d.extent())) for d in dims]
    pairs: list[tuple[Expr, Expr]] = []
    for item in region if isinstance(region, (list, tuple)) else [region]:
        if isinstance(item, Range):
            pair = item.min, item.extent
        elif isinstance(item, tuple) and len(item) == 2:
            pair = as_expr(item[0]), as_expr(item[1])
        else:
            raise TypeError(f"RDom(): incompatible constructor arguments. Invoked with: {region!r}")
        for e in pair:
            fits = not isinstance(e.node, ir.Const) or I32.contains(int(e.node.value))
            if not e.node.type.is_integer or not fits:
                raise TypeError(f"RDom(): a bound must be an int32; {e} is {e.node.type}.")
        pairs.append(pair)
    return pairs
