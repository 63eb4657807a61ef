"""What is known of integers at a place, and what follows from it for conditions and extremes.

A fact bounds a sum of terms: `x - w <= -1` from `x < w`. int32 and int64 numbers are assumed not to
overflow, as in the real package; narrower and unsigned ones are compared as whole expressions only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..ir import FALSE, I32, I64, TRUE, Const, Expr, Max, Min, const, simplify, substitute
from ..ir import nodes as n
from ..ir.bounds_of_values import value_range, whole
from ..ir.coordinate_sums import Sum, sum_of

Bounds = tuple[float, float]
"""(smallest, largest), infinite where unknown."""
_Key = frozenset[tuple[Expr, int]]
_EXACT = 1 << 40
"""Numbers below this, and a few hundred times as much, are exact in a Python float."""
_ANY: Final[Bounds] = (float("-inf"), float("inf"))


class Facts:
    """Immutable: `with_condition` and `with_range` give another one that knows more."""

    def __init__(
        self,
        replaced: Mapping[Expr, Expr] | None = None,
        sums: Mapping[_Key, Bounds] | None = None,
    ) -> None:
        self.replaced: dict[Expr, Expr] = dict(replaced or {})
        self.sums: dict[_Key, Bounds] = dict(sums or {})
        self.done: dict[Expr, Expr] = {}

    def with_condition(self, condition: Expr, holds: bool) -> Facts:
        """The facts where `condition` holds, or where it doesn't."""
        made = Facts(self.replaced, self.sums)
        made._learn(condition, holds)
        return made

    def with_range(self, low: Expr, value: Expr, high: Expr) -> Facts:
        """The facts where low <= value <= high."""
        made = Facts(self.replaced, self.sums)
        made._bound(_difference(value, low), 0, _ANY[1])
        made._bound(_difference(value, high), _ANY[0], 0)
        return made

    def _learn(self, condition: Expr, holds: bool) -> None:
        if isinstance(condition, Const):
            return
        self.replaced[condition] = TRUE if holds else FALSE
        match condition:
            case n.Not(value=value):
                self._learn(value, not holds)
            case n.And(a=a, b=b) if holds:
                self._learn(a, True)
                self._learn(b, True)
            case n.Or(a=a, b=b) if not holds:
                self._learn(a, False)
                self._learn(b, False)
            case n.EQ(a=a, b=b) | n.NE(a=a, b=b) if isinstance(condition, n.EQ) == holds:
                self._equal(a, b)
            case n.LT() | n.LE() | n.GT() | n.GE() if condition.a.type in (I32, I64):
                low, high = _bounds_of_difference(condition, holds)
                self._bound(_difference(condition.a, condition.b), low, high)

    def _equal(self, a: Expr, b: Expr) -> None:
        a, b = self.replaced.get(a, a), self.replaced.get(b, b)
        if isinstance(a, Const):
            a, b = b, a
        if (determines(b) and not isinstance(a, Const)) or (
            isinstance(a, n.Variable) and isinstance(b, n.Variable) and a.type.is_integer
        ):
            self._is(a, b)
        if a.type in (I32, I64):
            self._bound(_difference(a, b), 0, 0)

    def _is(self, known: Expr, value: Expr) -> None:
        """`known` is `value`, and so is what is known to equal it."""
        self.replaced[known] = value
        for other, before in self.replaced.items():
            if before is known:
                self.replaced[other] = value

    def _bound(self, difference: Sum, low: float, high: float) -> None:
        terms, constant = difference
        if not terms:
            return
        if abs(constant) >= _EXACT:
            return
        key, sign = _normal(terms)
        low, high = low - constant, high - constant
        if sign < 0:
            low, high = -high, -low
        old = self.sums.get(key, _ANY)
        low, high = max(old[0], low), min(old[1], high)
        self.sums[key] = low, high
        if low == high and len(key) == 1:
            ((term, factor),) = key
            if factor == 1:
                self._is(term, const(int(low), term.type))

    def range_of(self, total: Sum) -> Bounds:
        """The bounds of a sum of int32 or int64 terms."""
        terms, constant = total
        if max([abs(constant), *map(abs, terms.values())]) >= _EXACT:
            return _ANY
        if not terms:
            return constant, constant
        key, sign = _normal(terms)
        low, high = self.sums.get(key, _ANY)
        if sign < 0:
            low, high = -high, -low
        added: list[float] = [0.0, 0.0]
        for term, factor in terms.items():
            a, b = self._term(term)
            if abs(factor) > 1024:
                a, b = _ANY
            if factor < 0:
                a, b = b, a
            added[0] += a * factor
            added[1] += b * factor
        return max(low, added[0]) + constant, min(high, added[1]) + constant

    def _term(self, term: Expr) -> Bounds:
        low, high = self.sums.get(frozenset([(term, 1)]), _ANY)
        own = value_range(term)
        if own != whole(term.type) and max(map(abs, own)) < _EXACT:
            low, high = max(low, own[0]), min(high, own[1])
        return low, high

    def decide(self, condition: Expr) -> bool | None:
        """Whether a comparison of int32 or int64 numbers holds; None where it isn't known."""
        if not isinstance(condition, n.Comparison) or condition.a.type not in (I32, I64):
            return None
        low, high = self.range_of(_difference(condition.a, condition.b))
        match condition:
            case n.LT():
                return True if high < 0 else False if low >= 0 else None
            case n.LE():
                return True if high <= 0 else False if low > 0 else None
            case n.GT():
                return True if low > 0 else False if high <= 0 else None
            case n.GE():
                return True if low >= 0 else False if high < 0 else None
            case n.EQ():
                return True if low == high == 0 else False if low > 0 or high < 0 else None
            case n.NE():
                return False if low == high == 0 else True if low > 0 or high < 0 else None
        return None

    def simplified(self, e: Expr) -> Expr:
        """`e` with what is known put in."""
        if not self.replaced and not self.sums:
            return e
        known = substitute(e, {k: v for k, v in self.replaced.items() if k.type is v.type})
        for node in n.postorder(known):
            if node in self.done:
                continue
            children = tuple(self.done[c] for c in node.children)
            made = node.rebuild(children) if children else node
            self.done[node] = self._simpler(made)
        made = self.done[known]
        return e if made is e else simplify(made)

    def _simpler(self, node: Expr) -> Expr:
        if isinstance(node, n.Comparison):
            decided = self.decide(node)
            return node if decided is None else TRUE if decided else FALSE
        if isinstance(node, (Min, Max)) and node.type in (I32, I64):
            low, high = self.range_of(_difference(node.a, node.b))
            if high <= 0:
                return node.a if isinstance(node, Min) else node.b
            if low >= 0:
                return node.b if isinstance(node, Min) else node.a
        if isinstance(node, n.Select) and isinstance(node.condition, Const):
            return node.a if node.condition.value else node.b
        return node


def determines(value: Expr) -> bool:
    """Whether what equals `value` is this very constant: 0.0 and -0.0 are equal and differ."""
    return isinstance(value, Const) and not (value.type.is_float and value.value == 0)


def _bounds_of_difference(condition: n.Comparison, holds: bool) -> Bounds:
    """The bounds of a - b where the comparison of a and b is `holds`."""
    infinite = float("inf")
    below = isinstance(condition, (n.LT, n.LE)) == holds
    strict = isinstance(condition, (n.LT, n.GT)) == holds
    if below:
        return -infinite, -1 if strict else 0
    return 1 if strict else 0, infinite


def _difference(a: Expr, b: Expr) -> Sum:
    """a - b over whole numbers, whatever the type's ends are."""
    return sum_of(a).plus(sum_of(b), -1)


def _normal(terms: Mapping[Expr, int]) -> tuple[_Key, int]:
    """The terms as a key that a sum and its negation share, and which of the two it is."""
    first = min(terms, key=lambda t: id(t))
    sign = 1 if terms[first] > 0 else -1
    return frozenset((t, c * sign) for t, c in terms.items()), sign
