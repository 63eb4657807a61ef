"""Sums that a loop adds to several rows of a memory stay in registers while it runs.

The code generator's optimiser keeps one row's sums in registers by itself. It can't tell that two
rows a stride apart are different memory, for it doesn't know the stride: the caller may have given
any. So the loop is written out once for a stride that keeps the rows apart, and once for others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..ir import I64, Const, Expr, Load, Ramp, Type, Variable
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.stmt_transform import block, children_of, map_expressions, rebuild

MOST_SUMS = 32
"""As many vectors as the largest register files hold."""

Monomial = tuple[Expr, ...]
"""Factors of a product, in a fixed order; none for a constant."""


def sums_in_registers(stmt: s.Stmt) -> s.Stmt:
    """Loops that only add to fixed places of one memory, several rows of it, with local sums.

    for k: c[0] = c[0] + a[k] * b[k]; c[stride] = c[stride] + d[k] * b[k]
    ->  if stride >= 1 || stride <= -1:
          sums[0] = c[0]; sums[1] = c[stride]
          for k: sums[0] = sums[0] + a[k] * b[k]; sums[1] = sums[1] + d[k] * b[k]
          c[0] = sums[0]; c[stride] = sums[1]
        else: for k: (as before)

    Needs flat memory and vectors in place; other memories are others, as everywhere after
    flattening.
    """
    if isinstance(stmt, s.For) and stmt.kind == "serial":
        made = _kept(stmt)
        if made is not None:
            return made
    return rebuild(stmt, tuple(map(sums_in_registers, children_of(stmt))), lambda e: e)


@dataclass(frozen=True)
class _Sums:
    """The memory that a loop adds to, and the different places, each of `lanes` elements."""

    buffer: str
    type: Type
    places: tuple[Expr, ...]

    @property
    def lanes(self) -> int:
        return self.type.lanes

    def index(self, place: Expr) -> Expr:
        """Where the local sum of a place lies."""
        first = Const(I64, self.places.index(place) * self.lanes)
        return first if self.lanes == 1 else Ramp(first, Const(I64, 1), self.lanes)


def _kept(loop: s.For) -> s.Stmt | None:
    sums = _sums(loop)
    if sums is None:
        return None
    apart = _apart(sums)
    if apart is None:
        return None
    local = f"{sums.buffer}.sums"

    def keep(e: Expr) -> Expr:
        if isinstance(e, Load) and e.array == sums.buffer:
            return Load(local, (sums.index(e.indices[0]),), e.type)
        return e

    def stored(stmt: s.Stmt) -> s.Stmt:
        made = rebuild(stmt, tuple(map(stored, children_of(stmt))), lambda e: e)
        if isinstance(made, s.Store):
            return s.Store(local, made.value, sums.index(made.index))
        return made

    before = [
        s.Store(local, Load(sums.buffer, (p,), sums.type), sums.index(p)) for p in sums.places
    ]
    after = [s.Store(sums.buffer, Load(local, (sums.index(p),), sums.type), p) for p in sums.places]
    inner = stored(map_expressions(loop, lambda e: n.transform(e, keep)))
    size = Const(I64, len(sums.places) * sums.lanes)
    within = s.Allocate(local, sums.type.element, size, block(*before, inner, *after), "register")
    # A loop without iterations touches nothing: what it would name may not even exist.
    runs = n.GT(loop.extent, Const(loop.extent.type, 0))
    return s.IfThenElse(n.And(runs, apart), within, loop)


def _sums(loop: s.For) -> _Sums | None:
    """What the loop adds to, if it does nothing else."""
    stores: list[s.Store] = []
    variables: set[str] = set()
    for stmt in _straight(loop):
        if isinstance(stmt, s.Store):
            stores.append(stmt)
        elif isinstance(stmt, s.For) and stmt.kind == "serial":
            variables.add(stmt.name)
            if _reads(stmt.extent) or _reads(stmt.min):
                return None
        elif not isinstance(stmt, s.Block):
            return None
    places = tuple(dict.fromkeys(store.index for store in stores))
    if not 2 <= len(places) <= MOST_SUMS:
        return None
    first = stores[0]
    type = first.value.type
    for store in stores:
        if store.buffer != first.buffer or store.value.type is not type or store.predicate:
            return None
        own = [
            x for x in n.postorder(store.value) if isinstance(x, Load) and x.array == first.buffer
        ]
        if not own or any(
            x.indices != (store.index,) or x.type is not type or x.predicate for x in own
        ):
            return None
    if any(_changes(place, variables) for place in places) or type.is_bool:
        return None
    return _Sums(first.buffer, type, places)


def _straight(stmt: s.Stmt) -> Iterator[s.Stmt]:
    yield stmt
    for child in children_of(stmt):
        yield from _straight(child)


def _reads(expr: Expr) -> bool:
    return any(isinstance(x, Load | n.Call) for x in n.postorder(expr))


def _changes(place: Expr, variables: set[str]) -> bool:
    """Whether the place is another one in other iterations, or hard to tell."""
    return _reads(place) or any(
        isinstance(x, Variable) and x.name in variables for x in n.postorder(place)
    )


def _apart(sums: _Sums) -> Expr | None:
    """The condition under which no two places have an element in common.

    None where it isn't a matter of strides alone, or where it always holds: then nothing is gained.
    """
    firsts = [_first(place, sums.lanes) for place in sums.places]
    forms = [_polynomial(first) for first in firsts if first is not None]
    if len(forms) < len(firsts):
        return None
    needed: dict[Monomial, int] = {}
    for i, a in enumerate(forms):
        for b in forms[:i]:
            difference = _difference(a, b)
            constant = difference.pop((), 0)
            if not difference:
                if abs(constant) < sums.lanes:
                    return None
                continue
            if len(difference) > 1:
                return None
            ((monomial, factor),) = difference.items()
            least = -(-(sums.lanes + abs(constant)) // abs(factor))
            needed[monomial] = max(needed.get(monomial, 0), least)
    condition: Expr | None = None
    for monomial, least in needed.items():
        distance = _product(monomial)
        far = n.Or(n.GE(distance, Const(I64, least)), n.LE(distance, Const(I64, -least)))
        condition = far if condition is None else n.And(condition, far)
    return condition


def _first(place: Expr, lanes: int) -> Expr | None:
    """The first element of a dense place, as 64 bits count."""
    if lanes == 1:
        return place if place.type is I64 else None
    if not isinstance(place, Ramp) or place.base.type is not I64:
        return None
    is_dense = isinstance(place.stride, Const) and place.stride.value == 1
    return place.base if is_dense else None


def _polynomial(expr: Expr) -> dict[Monomial, int]:
    """A 64-bit index, which never wraps, multiplied out; what is no sum or product is a factor."""
    match expr:
        case Const(value=value):
            return {(): int(value)}
        case n.Add(a=a, b=b):
            return _plus(_polynomial(a), _polynomial(b), 1)
        case n.Sub(a=a, b=b):
            return _plus(_polynomial(a), _polynomial(b), -1)
        case n.Neg(value=value):
            return _plus({}, _polynomial(value), -1)
        case n.Mul(a=a, b=b):
            made: dict[Monomial, int] = {}
            for p, x in _polynomial(a).items():
                for q, y in _polynomial(b).items():
                    key = tuple(sorted((*p, *q), key=str))
                    made[key] = made.get(key, 0) + x * y
            return made
        case n.Cast(value=Const(value=value)):
            return {(): int(value)}
    return {(expr,): 1}


def _plus(a: Mapping[Monomial, int], b: Mapping[Monomial, int], sign: int) -> dict[Monomial, int]:
    made = dict(a)
    for monomial, factor in b.items():
        made[monomial] = made.get(monomial, 0) + sign * factor
    return made


def _difference(a: Mapping[Monomial, int], b: Mapping[Monomial, int]) -> dict[Monomial, int]:
    return {m: f for m, f in _plus(a, b, -1).items() if f}


def _product(factors: Sequence[Expr]) -> Expr:
    made = factors[0]
    for factor in factors[1:]:
        made = n.Mul(made, factor)
    return made


__all__ = ["sums_in_registers"]
