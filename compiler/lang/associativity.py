"""Whether an update combines what is there with something new by an associative operation.

`combine(combine(a, b), c) == combine(a, combine(b, c))`, and `combine(identity, a) == a`: then the
steps of a reduction may be taken in groups. Sums and products of floats count, as in the real
package: the user who asks for groups accepts another rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .. import ir
from ..ir import Expr, Type
from ..ir import nodes as n
from ..ir.multi_point import point_counts
from ..ir.operators import ASSOCIATIVE, neutral

Values = tuple[Expr, ...]


@dataclass(frozen=True)
class AssociativeOperation:
    """How the values of a stage (one, or a tuple's) are combined, and what changes nothing."""

    identities: Values
    combine: Callable[[Values, Values], Values]
    """From the values of earlier steps and of later ones."""
    is_commutative: bool = True
    needs_steps: bool = False
    """Whether the identities change nothing only before a step, not in the place of none: an index
    that goes with the smallest value there is."""


def associative_operation(own: Values, values: Values) -> AssociativeOperation | None:
    """The operation of the update `own = values`, where `own` are the reads of what is there.

    None where it isn't known to be associative: the steps' own parts must not read the stage, and
    a step must be of one point.
    """
    if point_counts((*own, *values)):
        return None
    if len(own) == 2:
        pair = _extreme_with_index(own, values) or _complex_product(own, values)
        if pair is not None:
            return pair
    names = {o.name for o in own if isinstance(o, ir.Call)}
    parts: list[tuple[type[Expr] | str, Expr]] = []
    for mine, value in zip(own, values, strict=True):
        if value is mine:
            parts.append(("kept", ir.const(0, mine.type)))
            continue
        found = _single(mine, value, names)
        if found is None:
            return None
        parts.append(found)
    kinds = [kind for kind, _ in parts]

    def combine(a: Values, b: Values) -> Values:
        return tuple(_apply(kind, x, y) for kind, x, y in zip(kinds, a, b, strict=True))

    return AssociativeOperation(tuple(identity for _, identity in parts), combine)


def _apply(kind: type[Expr] | str, a: Expr, b: Expr) -> Expr:
    if isinstance(kind, str):
        return a if kind == "kept" else ir.intrinsic(kind, a, b)
    return kind(a, b)


def _single(own: Expr, value: Expr, names: set[str]) -> tuple[type[Expr] | str, Expr] | None:
    """The operation of `own = own op something`, and its identity."""
    value = _as_one_sum(own, _without_choice(own, value))
    kind = type(value)
    if isinstance(value, ir.Call) and value.name == "saturating_add" and value.type.is_uint:
        others = [a for a in value.args if a is not own]
        if len(others) == 1 and not _reads(others[0], names):
            return "saturating_add", ir.const(0, value.type)
        return None
    if not isinstance(value, ASSOCIATIVE):
        return None
    operands: list[Expr] = []
    pending: list[Expr] = [value]
    while pending:
        node = pending.pop()
        if type(node) is kind and isinstance(node, n.Binary):
            pending += [node.a, node.b]
        else:
            operands.append(node)
    if operands.count(own) != 1:
        return None
    if any(_reads(o, names) for o in operands if o is not own):
        return None
    return kind, identity_of(kind, value.type)


def _without_choice(own: Expr, value: Expr) -> Expr:
    """`select(own < x, x, own)` as `max(own, x)`, and `select(c, own + x, own)` as
    `own + select(c, x, 0)`; other values as they are."""
    if not isinstance(value, n.Select):
        return value
    extreme = _extreme_of(value)
    if extreme is not None:
        return extreme
    kept, changed = (value.a, value.b) if value.a is own else (value.b, value.a)
    if kept is not own or not isinstance(changed, ASSOCIATIVE) or not changed.type.is_integer:
        return value
    if own not in (changed.a, changed.b):
        return value
    step = changed.b if changed.a is own else changed.a
    nothing = identity_of(type(changed), changed.type)
    parts = (nothing, step) if value.a is own else (step, nothing)
    return type(changed)(own, n.Select(value.condition, *parts))


def _as_one_sum(own: Expr, value: Expr) -> Expr:
    """`max(own, own + x)` as `own + max(x, 0)`, and with min; other values as they are.

    Only of types whose sums are taken not to wrap.
    """
    keeps_order = value.type.is_float or (value.type.is_int and value.type.bits >= 32)
    if not isinstance(value, (n.Min, n.Max)) or not keeps_order or own not in (value.a, value.b):
        return value
    total = value.b if value.a is own else value.a
    if not isinstance(total, n.Add) or own not in (total.a, total.b):
        return value
    step = total.b if total.a is own else total.a
    return n.Add(own, type(value)(step, ir.const(0, value.type)))


def _extreme_of(value: Expr) -> Expr | None:
    """The integer `min` or `max` that `value` is, or that it chooses by a comparison; NaNs make a
    difference."""
    if isinstance(value, (n.Min, n.Max)):
        return value
    if not isinstance(value, n.Select) or not value.type.is_integer:
        return None
    condition = value.condition
    if not isinstance(condition, (n.LT, n.LE, n.GT, n.GE)):
        return None
    sides = (value.a, value.b)
    if sides not in ((condition.a, condition.b), (condition.b, condition.a)):
        return None
    smaller = isinstance(condition, (n.LT, n.LE)) == (value.a is condition.a)
    return n.Min(*sides) if smaller else n.Max(*sides)


def identity_of(kind: type[Expr], type: Type) -> Expr:
    """What changes nothing under an operator."""
    return ir.const(neutral(kind, type), type)


def _reads(e: Expr, names: set[str]) -> bool:
    return any(
        isinstance(x, ir.Call) and x.kind == "func" and x.name in names for x in ir.postorder(e)
    )


def _extreme_with_index(own: Values, values: Values) -> AssociativeOperation | None:
    """`(min(x0, y0), select(x0 < y0, x1, y1))`, and with max: the extreme and where it is.

    Among equal ones the first (`<=`) or the last (`<`) stays, whichever way they are grouped, if
    groups stay in order. The real package takes the latter for commutative, and refuses the former.
    """
    extreme, chosen = _extreme_of(values[0]), values[1]
    if not isinstance(extreme, (n.Min, n.Max)) or not isinstance(chosen, n.Select):
        return None
    if own[0] not in (extreme.a, extreme.b):
        return None
    new = extreme.b if extreme.a is own[0] else extreme.a
    condition = chosen.condition
    if not isinstance(condition, (n.LT, n.LE, n.GT, n.GE)):
        return None
    if own[1] not in (chosen.a, chosen.b) or {condition.a, condition.b} != {own[0], new}:
        return None
    names = {o.name for o in own if isinstance(o, ir.Call)}
    index = chosen.b if chosen.a is own[1] else chosen.a
    if _reads(new, names) or _reads(index, names):
        return None
    # Does the old index stay where the old value is smaller, or where it is larger?
    smaller = isinstance(condition, (n.LT, n.LE)) == (condition.a is own[0])
    strict = isinstance(condition, (n.LT, n.GT))
    if chosen.a is not own[1]:
        smaller, strict = not smaller, not strict
    if smaller != isinstance(extreme, n.Min):
        return None
    kind = type(extreme)
    better: type[n.Comparison] = (
        (n.LT if strict else n.LE) if smaller else (n.GT if strict else n.GE)
    )

    def combine(a: Values, b: Values) -> Values:
        return kind(a[0], b[0]), n.Select(better(a[0], b[0]), a[1], b[1])

    identities = (identity_of(kind, own[0].type), ir.const(0, own[1].type))
    return AssociativeOperation(identities, combine, is_commutative=strict, needs_steps=strict)


def _complex_product(own: Values, values: Values) -> AssociativeOperation | None:
    """`(x0*y0 - x1*y1, x0*y1 + x1*y0)`."""
    real, imaginary = values
    if not isinstance(real, n.Sub) or not isinstance(imaginary, n.Add):
        return None
    a, b = _factor(real.a, own[0]), _factor(real.b, own[1])
    if a is None or b is None:
        return None
    names = {o.name for o in own if isinstance(o, ir.Call)}
    crossed = [(_factor(p, own[0]), _factor(q, own[1])) for p, q in _both_ways(imaginary)]
    if not any(p is b and q is a for p, q in crossed) or _reads(a, names) or _reads(b, names):
        return None

    def combine(x: Values, y: Values) -> Values:
        return (
            n.Sub(n.Mul(x[0], y[0]), n.Mul(x[1], y[1])),
            n.Add(n.Mul(x[0], y[1]), n.Mul(x[1], y[0])),
        )

    type = own[0].type
    return AssociativeOperation((ir.const(1, type), ir.const(0, type)), combine)


def _factor(product: Expr, own: Expr) -> Expr | None:
    """The other factor of a product with `own`."""
    if not isinstance(product, n.Mul) or own not in (product.a, product.b):
        return None
    return product.b if product.a is own else product.a


def _both_ways(e: n.Binary) -> Sequence[tuple[Expr, Expr]]:
    return (e.a, e.b), (e.b, e.a)
