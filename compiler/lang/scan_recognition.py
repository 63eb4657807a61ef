"""Which updates are scans that may be cut into tiles: linear recursions, and semigroups.

f(r) = b(r) + a1 f(r - 1) + ... + ak f(r - k)      a_j the same for all r
f(r) = min(b(r), f(r - 1))                         also max, and, or
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np

from .. import ir
from ..ir import Call, Const, Expr, Variable
from ..ir import nodes as n
from ..ir.simplify import linear_terms
from .errors import fail
from .function import Definition, Function

SEMIGROUPS = (n.Min, n.Max, n.BitAnd, n.BitOr)

UNSTABLE = 1e-3
"""How far outside of the unit circle a pole counts as such: roots of a polynomial with several
equal ones are found that badly."""


@dataclass(frozen=True)
class TiledUpdate:
    """An update that hands its value on along one coordinate."""

    function: Function
    index: int
    definition: Definition
    variable: Variable
    """The reduction variable that is scanned."""
    dimension: int
    step: int
    """1 where the coordinate grows with the variable, -1 where it falls."""
    term: Expr
    """What a step adds, or combines: of `function`, it reads the point itself at most."""
    factors: tuple[Expr, ...]
    """a_1, ..., a_k, of the stage's type."""
    combine: type[n.Binary] | None
    """The operation of a semigroup; None for a linear recursion."""

    @property
    def order(self) -> int:
        return len(self.factors)

    def terms(self) -> list[tuple[int, Expr]]:
        """The lags with their factors, but for factors of 0: those of infinity are no number."""
        zero = ir.const(0, self.function.types[0])
        return [(lag, a) for lag, a in enumerate(self.factors, 1) if a is not zero]


def scan_at(function: Function, index: int, name: str, tile: int) -> TiledUpdate:
    """The scan that update `index` is along its reduction variable `name`.

    Raises `HalideError` with what isn't linear, isn't stable, isn't finite, or doesn't fit a tile
    of so many steps.
    """
    definition = function.definitions[index]

    def refuse(why: str) -> NoReturn:
        fail(f"In schedule for {function.stage_name(index)}: can't perform tile_scan(): {why}.")

    domain = definition.domain
    if domain is None or name not in domain.names:
        refuse(f"{name} is no reduction variable of it")
    if len(function.types) > 1:
        refuse("it has several values")
    if domain.predicates:
        refuse("its domain has a condition (RDom.where)")
    variable = Variable(name, ir.I32)
    places = [d for d, a in enumerate(definition.args) if variable in ir.postorder(a)]
    if len(places) != 1:
        refuse(f"{name} must stand in one coordinate, it does in {len(places)}")
    place = places[0]
    for d, arg in enumerate(definition.args):
        if d != place and not isinstance(arg, Variable):
            refuse(f"coordinate {d} is {arg}, which is no variable")
    for other in domain.names:
        if other != name and Variable(other, ir.I32) not in definition.args:
            refuse(f"it reduces over {other}, too")
    position = definition.args[place]
    step = linear_terms(ir.simplify(position))[0].get(variable, 0)
    if step not in (1, -1):
        refuse(f"{position} must grow or fall by 1 with {name}")
    if tile < 1:
        refuse(f"a tile of {tile} steps")
    reader = _Reader(function, definition, place, step, refuse)
    found = reader.scan(index, variable)
    if found.order > tile:
        refuse(f"a recursion of order {found.order} needs tiles of at least as many steps")
    _check_stable(found, refuse)
    return found


@dataclass(frozen=True)
class _Reader:
    function: Function
    definition: Definition
    place: int
    step: int
    refuse: Callable[[str], NoReturn]

    @property
    def names(self) -> Sequence[str]:
        """Of all coordinates and reduction variables."""
        domain = self.definition.domain
        return [*self.function.args, *(domain.names if domain is not None else ())]

    def scan(self, index: int, variable: Variable) -> TiledUpdate:
        value, type = self.definition.values[0], self.function.types[0]
        if not type.is_bool and isinstance(value, SEMIGROUPS):
            sides = [(value.a, value.b), (value.b, value.a)]
            for own, term in sides:
                if self.lag(own) == 1 and not self.reads_before(term):
                    one = (ir.const(1, type),)
                    return self.made(index, variable, term, one, value.__class__)
            self.refuse(f"{value} combines more than the value before with others")
        if type.is_bool:
            self.refuse("it is boolean")
        terms: dict[int, list[Expr]] = {}
        self.add(value, ir.const(1, type), terms)
        lags = [lag for lag in terms if lag > 0]
        if not lags:
            self.refuse("a step reads nothing of the steps before it")
        zero = ir.const(0, type)
        factors = tuple(_sum(terms.get(lag, [zero])) for lag in range(1, max(lags) + 1))
        for factor in factors:
            nodes = set(ir.postorder(factor))
            reads = any(isinstance(x, Call) and x.kind in ("func", "image") for x in nodes)
            if variable in nodes or reads:
                self.refuse(f"the factor {factor} isn't the same for all steps")
            if nodes & {*self.definition.args, *map(_variable, self.names)}:
                self.refuse(f"the factor {factor} isn't the same for all points")
            if isinstance(factor, Const) and not np.isfinite(float(factor.value)):
                self.refuse(f"the factor {factor} isn't finite")
        return self.made(index, variable, _sum(terms.get(0, [zero])), factors, None)

    def made(
        self,
        index: int,
        variable: Variable,
        term: Expr,
        factors: tuple[Expr, ...],
        combine: type[n.Binary] | None,
    ) -> TiledUpdate:
        return TiledUpdate(
            self.function, index, self.definition, variable, self.place, self.step, term,
            factors, combine,
        )  # fmt: skip

    def add(self, e: Expr, factor: Expr, terms: dict[int, list[Expr]]) -> None:
        """Takes apart a sum; `terms` has by lag what stands before it, at 0 all that has none."""
        if not self.reads_before(e):
            terms.setdefault(0, []).append(_product(factor, e))
            return
        lag = self.lag(e)
        if lag is not None:
            terms.setdefault(lag, []).append(factor)
            return
        match e:
            case n.Add():
                self.add(e.a, factor, terms)
                self.add(e.b, factor, terms)
            case n.Sub():
                self.add(e.a, factor, terms)
                self.add(e.b, n.Neg(factor), terms)
            case n.Neg():
                self.add(e.value, n.Neg(factor), terms)
            case n.Mul() if not self.reads_before(e.b):
                self.add(e.a, _product(factor, e.b), terms)
            case n.Mul() if not self.reads_before(e.a):
                self.add(e.b, _product(factor, e.a), terms)
            case _:
                self.refuse(f"{e} isn't linear in {self.function.name}")

    def lag(self, e: Expr) -> int | None:
        """How many steps before this one wrote what `e` reads; None where it is no such read."""
        if not isinstance(e, Call) or e.kind != "func" or e.name != self.function.name:
            return None
        args = self.definition.args
        if any(a is not b for d, (a, b) in enumerate(zip(e.args, args, strict=True))
               if d != self.place):  # fmt: skip
            return None
        difference = ir.simplify(ir.Sub(args[self.place], e.args[self.place]))
        terms, constant = linear_terms(difference)
        lag = constant * self.step
        return lag if not terms and lag >= 1 else None

    def reads_before(self, e: Expr) -> bool:
        """Whether `e` reads another point of the stage than its own."""
        return any(
            isinstance(x, Call)
            and x.kind == "func"
            and x.name == self.function.name
            and x.args != self.definition.args
            for x in ir.postorder(e)
        )


def _variable(name: str) -> Expr:
    return Variable(name, ir.I32)


def _product(a: Expr, b: Expr) -> Expr:
    one = ir.const(1, a.type)
    return b if a is one else a if b is one else ir.simplify(n.Mul(a, b))


def _sum(terms: list[Expr]) -> Expr:
    made = terms[0]
    for term in terms[1:]:
        made = n.Add(made, term)
    return ir.simplify(made)


def largest_pole(factors: Sequence[float]) -> float | None:
    """The magnitude of an unstable filter's largest pole; None of a stable one."""
    poles = np.abs(np.roots([1.0, *(-a for a in factors)]))
    largest = float(max(poles, default=0.0))
    return largest if largest > 1 + UNSTABLE else None


def _check_stable(scan: TiledUpdate, refuse: Callable[[str], NoReturn]) -> None:
    """Of floats with constant factors: whether an impulse's response stays below all bounds."""
    factors = [float(a.value) for a in scan.factors if isinstance(a, Const)]
    if scan.combine is not None or not scan.function.types[0].is_float:
        return
    pole = largest_pole(factors) if len(factors) == scan.order else None
    if pole is not None:
        refuse(f"the filter is unstable: a pole of magnitude {pole:.4g}, outside of 1")


__all__ = ["TiledUpdate", "largest_pole", "scan_at"]
