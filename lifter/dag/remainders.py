"""What the remainder of a number decides alone: conditions, and scalars that come back to what they
began as.

    for (x = 0; x < w; x++) {                     for (x = 0; x < w; x++) {
        ... *s & mask ...                             ... s[x / 8] & 128 >> x % 8 ...
        if (!(mask >>= 1)) {                      }
            mask = 128;
            s++;
        }
    }

An iteration makes of such a scalar a function of itself, and it begins as a constant: so its values
are computed here, one after another, until the first one comes back. What then depends on a
remainder of so few values is computed for each of them, too: `!(mask >> 1)` is `x % 8 == 7`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compiler.ir import (
    EQ,
    FALSE,
    GE,
    I64,
    LT,
    NE,
    TRUE,
    Add,
    Binary,
    Cast,
    Comparison,
    Const,
    Expr,
    Mod,
    Mul,
    Select,
    Shl,
    Shr,
    Unary,
    Variable,
    const,
    postorder,
)

from .index import typed
from .polynomial import disjunction, normal
from .refills import LONGEST
from .scalars import fold

_CHOICES = 8
"""Most values of a scalar that have no pattern, and most remainders of a condition."""


def told_by_remainder(condition: Expr) -> Expr | None:
    """A comparison that depends on the remainder of an index expression by a constant and on
    nothing else, as one of the remainder: `(128 >> x % 8) >> 1 == 0` is `x % 8 == 7`. None for
    others."""
    if not isinstance(condition, Comparison) or isinstance(condition.a, Mod):
        return None
    remainder = _only_remainder(condition)
    if remainder is None:
        return None
    holds = [_computed(condition, {remainder: r}) for r in _values_of(remainder)]
    if any(h is not TRUE and h is not FALSE for h in holds):
        return None
    where = [r for r, h in enumerate(holds) if h is TRUE]
    if len(where) in (0, len(holds)):
        return TRUE if where else FALSE
    others = [r for r, h in enumerate(holds) if h is FALSE]
    if len(where) == 1:
        return EQ(remainder, const(where[0], I64))
    if len(others) == 1:
        return NE(remainder, const(others[0], I64))
    if where[-1] == len(where) - 1:
        return LT(remainder, const(len(where), I64))
    if where[0] == len(others):
        return GE(remainder, const(len(others), I64))
    if len(where) > _CHOICES:
        return None
    return disjunction(EQ(remainder, const(r, I64)) for r in where)


def coming_back(value: Expr, head: Variable, entry: Const) -> list[Const]:
    """What a scalar is in iterations 0, 1, 2 and so on that enters the first one as `entry`, and of
    which each makes `value` of `head`; nothing where it doesn't come back to `entry` soon, or where
    anything else matters."""
    if any(node is not head for node in postorder(value) if _is_leaf(node)):
        return []
    found = [entry]
    while len(found) <= LONGEST:
        after = _computed(value, {head: found[-1]})
        if not isinstance(after, Const):
            return []
        if after is entry:
            return found if len(found) > 1 else []
        found.append(after)
    return []


def by_turns(values: Sequence[Const], counter: Variable) -> Expr | None:
    """Values that come back, as a function of the counter; None where they have no pattern and are
    many."""
    type, numbers = values[0].type, [int(v.value) for v in values]
    place = normal(Mod(counter, const(len(values), I64)))
    if type.is_bool:
        return (EQ if numbers[0] else NE)(place, const(0, I64)) if len(numbers) == 2 else None
    first, step = numbers[0], numbers[1] - numbers[0]
    if all(n == first + step * k for k, n in enumerate(numbers)):
        return typed(type, normal(Add(const(first, I64), Mul(place, const(step, I64)))))
    for kind in (Shr, Shl):
        for by in range(1, type.bits // (len(values) - 1) + 1):
            made = kind(values[0], typed(type, normal(Mul(place, const(by, I64)))))
            if _are(made, values, counter):
                return made
    if len(values) > _CHOICES:
        return None
    form: Expr = values[-1]
    for k in range(len(values) - 2, -1, -1):
        form = Select(EQ(place, const(k, I64)), values[k], form)
    return form


def comes_back(value: Expr, values: Sequence[Const], counter: Variable) -> bool:
    """Whether `value` is in iterations 0, 1, 2 and so on what iterations 1, 2, 3 begin with."""
    return _are(value, (*values[1:], values[0]), counter)


def _are(form: Expr, values: Sequence[Const], counter: Variable) -> bool:
    remainder = _only_remainder(form)
    if remainder is None or remainder is not Mod(counter, const(len(values), I64)):
        return False
    return all(_computed(form, {remainder: const(k, I64)}) is v for k, v in enumerate(values))


def _is_leaf(node: Expr) -> bool:
    return not node.children and not isinstance(node, Const)


def _is_remainder(node: Expr) -> bool:
    if not isinstance(node, Mod) or node.type is not I64 or not isinstance(node.b, Const):
        return False
    return 1 < node.b.value <= LONGEST and not isinstance(node.a, Const)


def _values_of(remainder: Mod) -> list[Expr]:
    assert isinstance(remainder.b, Const)
    return [const(r, I64) for r in range(int(remainder.b.value))]


def _only_remainder(expr: Expr) -> Mod | None:
    """The remainder that is all that an expression depends on."""
    found: Mod | None = None
    waiting = [expr]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Mod) and _is_remainder(node):
            if found is not None and found is not node:
                return None
            found = node
        elif not isinstance(node, Const):
            if not isinstance(node, (Unary, Binary, Cast, Select)) or node.type.is_float:
                return None
            waiting += node.children
    return found


def _computed(expr: Expr, known: Mapping[Expr, Expr]) -> Expr:
    done: dict[Expr, Expr] = dict(known)

    def compute(node: Expr) -> Expr:
        if node not in done:
            done[node] = fold(node.rebuild(tuple(map(compute, node.children))))
        return done[node]

    return compute(expr)
