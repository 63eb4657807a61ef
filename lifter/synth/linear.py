"""Addresses as sums of strides times counters: the analysis that suggests regions and layouts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from types import MappingProxyType

from compiler.ir import I64, Add, Expr, Mul, Sub, Variable, const, postorder, substitute

from ..dag import from_polynomial, normal, polynomial, structural_key

StrideKey = tuple[Expr, ...]
"""A product of scalar parameters; () is 1."""


@dataclass(frozen=True)
class LinearForm:
    """sum over keys of key * (sum of coefficient * variable) + sum over keys of key * constant."""

    terms: dict[StrideKey, dict[Expr, int]]
    offsets: dict[StrideKey, int]

    def keys(self) -> list[StrideKey]:
        """Keys that some variable is multiplied with, smallest stride first."""
        return sorted(self.terms, key=key_order)


def key_order(key: StrideKey) -> tuple[int, tuple[str, ...]]:
    return len(key), tuple(map(structural_key, key))


def by_size(
    keys: Collection[StrideKey],
    forms: Iterable[LinearForm],
    place: Callable[[Expr], int],
    extents: Mapping[Expr, Expr] = MappingProxyType({}),
    lesser: Collection[StrideKey] = (),
) -> list[StrideKey]:
    """Strides by size, as far as that shows; what parameters are called says nothing of it.

    Constants, parameters, products. Of several parameters, one that is as many as what moves along
    a smaller stride goes to (`for (c = 0; c < size; c++)` in `x * size + c`) comes next; the others
    come as they are nested: those first along which what is further inside moves, by its `place`.
    What is the `lesser` one of another array's strides is that here, too: an image that is turned
    (`d[x * pitch + y * size] = s[y * rows + x * size]`) has its pixels in columns.
    """
    moving: dict[StrideKey, dict[Expr, None]] = {key: {} for key in keys}
    for form in forms:
        for key, row in form.terms.items():
            moving.setdefault(key, {}).update(dict.fromkeys(row))

    def order(key: StrideKey) -> tuple[object, ...]:
        return len(key), key not in lesser, *_nested(map(place, moving[key])), key_order(key)

    left = sorted(keys, key=order)
    found: list[StrideKey] = []
    while left:
        ends = {extents[m] for key in found for m in moving[key] if m in extents}
        alike = (key for key in left if len(key) == len(left[0]))
        following = next((key for key in alike if len(key) == 1 and key[0] in ends), left[0])
        found.append(following)
        left.remove(following)
    return found


def _nested(places: Iterable[int]) -> tuple[int, int]:
    """How far outside something moves: by what is outermost, then by what is innermost."""
    known = list(places)
    return max(known, default=0), min(known, default=0)


def key_expr(key: StrideKey, factor: int = 1) -> Expr:
    """A stride as an index expression."""
    return from_polynomial({key: factor}) if factor else const(0, I64)


def linear_form(expr: Expr, variables: Collection[Expr]) -> LinearForm | None:
    """`expr` as a linear form over `variables`; atoms with one of them or data inside count as one.

    None when a product has two of them.
    """
    terms: dict[StrideKey, dict[Expr, int]] = {}
    offsets: dict[StrideKey, int] = {}
    for monomial, coefficient in polynomial(expr).items():
        moving = [a for a in monomial if not is_parameter(a, variables)]
        key = tuple(a for a in monomial if is_parameter(a, variables))
        if len(moving) > 1:
            return None
        if moving:
            row = terms.setdefault(key, {})
            row[moving[0]] = row.get(moving[0], 0) + coefficient
        else:
            offsets[key] = offsets.get(key, 0) + coefficient
    return LinearForm(terms, offsets)


@dataclass(frozen=True)
class Stride:
    """Numbers that leave `remainder`, 0 <= remainder < step, when they are divided by `step`."""

    step: int
    remainder: int


def stride_of(expr: Expr) -> Stride | None:
    """The steps by which an index goes through a dimension, where they're greater than 1 and
    parameters are added in multiples of them alone."""
    atoms_of = polynomial(expr)
    steps = [abs(coefficient) for monomial, coefficient in atoms_of.items() if monomial]
    step = gcd(*steps)
    return Stride(step, atoms_of.get((), 0) % step) if step > 1 else None


@dataclass(frozen=True)
class Pitch:
    """A stride that is a sum (`width + skip`, `2 * radius + 1`), under a name of its own.

    Rows that are walked by one pointer (`p++` in a row, `p += skip` after it) lie `width + skip`
    apart; the address `i0*width + i0*skip + i1` is `i0*pitch + i1` when `skip` is written as
    `pitch - width`.
    """

    symbol: Variable
    lead: Expr
    """The parameter that the symbol takes the place of."""
    factor: int
    """How often it is in the sum."""
    sum: Expr

    def named(self, index: Expr) -> Expr:
        """An index expression with the symbol for the sum."""
        rest = normal(Sub(self.sum, Mul(const(self.factor, I64), self.lead)))
        replaced: Expr = Sub(self.symbol, rest)
        if self.factor == 1:
            return normal(substitute(index, {self.lead: replaced}))
        total: Expr = const(0, I64)
        for monomial, coefficient in polynomial(index).items():
            others = divide(monomial, (self.lead,))
            if others is None or coefficient % self.factor:
                term = from_polynomial({monomial: coefficient})
            else:
                term = Mul(replaced, from_polynomial({others: coefficient // self.factor}))
            total = Add(total, term)
        return normal(total)

    def spelled(self, index: Expr) -> Expr:
        """An index expression with the sum for the symbol."""
        return normal(substitute(index, {self.symbol: self.sum}))


def pitch_of(
    indices: Sequence[Expr], variables: Collection[Expr], sizes: Collection[Expr] = ()
) -> Pitch | None:
    """The sum that some variables are multiplied with in all of the addresses, if there is one.

    `sizes` are parameters that bound loops: the other ones are rather a distance between rows.
    """
    forms = [linear_form(index, variables) for index in indices]
    known = [f for f in forms if f is not None]
    keys = sorted({k for f in known for k in f.terms}, key=key_order)
    leads = [k[0] for k in keys if len(k) == 1]
    for lead in sorted(leads, key=lambda a: (a in sizes, _goes_down(a, known), structural_key(a))):
        rows = [f.terms.get((lead,), {}) for f in known]
        for factor in sorted({1, gcd(*(step for row in rows for step in row.values()))}):
            alone = normal(Mul(const(factor, I64), lead))
            total: Expr = alone
            for key in (k for k in keys if k != (lead,)):
                ratio = _ratio([f.terms.get(key, {}) for f in known], rows, factor)
                if ratio:
                    total = Add(total, Mul(const(ratio, I64), from_polynomial({key: 1})))
            total = normal(total)
            if total is not alone:
                return Pitch(Variable(f"{lead!r}+", I64), lead, factor, total)
    return None


def _goes_down(lead: Expr, forms: Iterable[LinearForm]) -> bool:
    """Whether a parameter is taken away from the distance between rows, `width - 2 * radius`."""
    return any(step < 0 for form in forms for step in form.terms.get((lead,), {}).values())


def _ratio(
    rows: Sequence[dict[Expr, int]], leading: Sequence[dict[Expr, int]], factor: int
) -> int | None:
    """r such that each row has r times the coefficients of the leading one, divided by `factor`,
    for its variables."""
    found: int | None = None
    for row, base in zip(rows, leading, strict=True):
        for variable, step in base.items():
            ratio, left = divmod(row.get(variable, 0), step // factor)
            if left or found not in (None, ratio):
                return None
            found = ratio
    return found


def is_parameter(atom: Expr, variables: Collection[Expr]) -> bool:
    """Whether an atom depends on scalar parameters alone."""
    return all(
        node not in variables and not hasattr(node, "indices") and not hasattr(node, "args")
        for node in postorder(atom)
    )


def lies_before(coordinate: Expr) -> bool:
    """Whether a coordinate is negative in every iteration: it counts from the end of the row
    before."""
    terms = polynomial(coordinate)
    return () in terms and all(coefficient < 0 for coefficient in terms.values())


def divide(monomial: StrideKey, key: StrideKey) -> StrideKey | None:
    """monomial / key as a product of parameters; None when it doesn't divide."""
    rest = list(monomial)
    for atom in key:
        if atom not in rest:
            return None
        rest.remove(atom)
    return tuple(rest)


def atoms(exprs: Iterable[Expr]) -> set[Expr]:
    """The variables in index expressions."""
    return {n for e in exprs for n in postorder(e) if isinstance(n, Variable)}
