"""Simplifies coordinates and sizes: arithmetic over whole numbers.

int32 and int64 coordinates are taken not to overflow, as the real package takes them, and extents
not to be negative; so these laws, unlike those of `simplify`, are not for values. What is read
from memory is a value wherever it stands: nothing around it is rewritten but by `simplify`.

This is code, not rules: a sum is looked at as a whole, and what is done depends on all its terms.
The laws that it goes by are written down and proved in tests/ir/coordinate_laws.py; nothing runs
them. What runs is checked against them (both sides of a law that cancels or orders terms become one
node) and on random coordinates, whose simple form Z3 proves equal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import gcd

from . import nodes as n
from .coordinate_range import never_positive, range_of_sum
from .coordinate_sums import SUMS, Sum, expr_of, is_far, rank, sum_of
from .nodes import FALSE, TRUE, Call, Const, Expr, Load
from .simplify import MOST_REMEMBERED, rewritten, simplify
from .types import I32, I64, Type

_COORDINATES = (I32, I64)
_known: dict[Expr, Expr] = {}
_values: dict[Expr, bool] = {}
_quotients: dict[tuple[frozenset[tuple[Expr, int]], int, int, Type], Sum] = {}

_Extreme = type[n.Min] | type[n.Max]


def simplify_coordinate(expr: Expr) -> Expr:
    """An equal coordinate, size or condition on them; the same sum always becomes the same node.

    min(a, a + e - 16) -> a + min(e, 16) - 16        (x * 8 + 7) / 8 -> x
    """
    found = _known.get(expr)
    if found is not None:
        return found
    if len(_known) > MOST_REMEMBERED:
        _known.clear()
        _values.clear()
        _quotients.clear()
    return rewritten(expr, _known, _settled)


def _settled(node: Expr) -> Expr:
    """A node over simplified operands; what comes out is in its last form, and known as such."""
    made = _visited(node)
    _known[made] = made
    return made


def simplify_indices(expr: Expr) -> Expr:
    """A value whose reads have simplified coordinates; its own arithmetic stays exact."""
    done: dict[Expr, Expr] = {}
    for node in n.postorder(expr):
        children = node.children
        if not children:
            done[node] = simplify(node)
        elif isinstance(node, Call) and node.kind in ("func", "image"):
            done[node] = node.rebuild(tuple([simplify_coordinate(done[c]) for c in children]))
        else:
            done[node] = simplify(node.rebuild(tuple([done[c] for c in children])))
    return done[expr]


def _visited(node: Expr) -> Expr:
    """A node over simplified operands."""
    if isinstance(node, SUMS):
        return _simplify_sum(node) if node.type in _COORDINATES else simplify(node)
    step = _STEPS.get(type(node))
    if step is None:
        return simplify(node) if node.children else node
    if node.children[1].type not in _COORDINATES or _is_value(node):
        return simplify(node)
    return step(node)


def _made(total: Sum, type: Type) -> Expr:
    """The expression of a sum; a select of constants alone takes a constant beside it in."""
    total = _merged(total, type)
    if len(total.terms) == 1 and total.constant:
        ((term, factor),) = total.terms.items()
        if factor == 1 and _chooses_constants(term):
            assert isinstance(term, n.Select)
            shift = Sum({}, total.constant)
            a, b = (expr_of(sum_of(x).plus(shift), type) for x in (term.a, term.b))
            return n.Select(term.condition, a, b)
    return expr_of(total, type)


def _chooses_constants(term: Expr) -> bool:
    return isinstance(term, n.Select) and all(isinstance(x, Const) for x in (term.a, term.b))


def _simplify_sum(node: Expr) -> Expr:
    total = sum_of(node)
    if isinstance(node, n.Mul) and node in total.terms:
        a, b = sorted(node.children, key=rank)
        return n.Mul(a, b)
    return _made(total, node.type)


def _is_value(node: Expr) -> bool:
    """Whether anything below `node` is read from memory, or made by a function of the source."""
    found = _values.get(node)
    if found is None:
        for below in n.unknown_in(node, _values):
            _values[below] = (
                isinstance(below, Load)
                or (isinstance(below, Call) and not _is_of_coordinates(below))
                or any(_values[c] for c in below.children)
            )
        found = _values[node]
    return found


def _is_of_coordinates(call: Call) -> bool:
    return call.kind == "intrinsic" or call.name in ("slid", "likely", "likely_if_innermost")


def _merged(total: Sum, type: Type) -> Sum:
    """The sum with terms moved into extremes and selects where they cancel what stands there.

    e - min(e, 16) -> max(e - 16, 0) -> max(e, 16) - 16
    """
    for term, factor in total.terms.items():
        if not isinstance(term, (n.Min, n.Max, n.Select)) or _is_value(term):
            continue
        rest = total.without((term,))
        operands = _operands(term)
        if rest.terms and _chooses_constants(term) and min(x.constant for x in operands):
            assert isinstance(term, n.Select)
            made = _selected(term.condition, operands[0], operands[1], type)
            return _merged(rest.plus(made, factor), type)
        opposite = _opposite(term)
        if opposite is not None and rest.terms.get(opposite) == factor:
            # min(a, b) + max(a, b) = a + b
            both = operands[0].plus(operands[1])
            return _merged(rest.without((opposite,)).plus(both, factor), type)
        inside = Sum({t: c for t, c in rest.terms.items() if _cancels(t, c, operands, factor)}, 0)
        if not inside.terms:
            continue
        parts = [inside.plus(x, factor) for x in operands]
        if isinstance(term, n.Select):
            made = _selected(term.condition, parts[0], parts[1], type)
        else:
            made = _extreme(type_of_extreme(term, factor), parts, type)
        return _merged(rest.without(inside.terms).plus(made), type)
    return total


def _opposite(term: Expr) -> Expr | None:
    """The maximum of what `term` is the minimum of, and the other way round."""
    if isinstance(term, n.Select) or any(isinstance(x, (n.Min, n.Max)) for x in term.children):
        return None
    a, b = term.children
    return n.Max(a, b) if isinstance(term, n.Min) else n.Min(a, b)


def _cancels(term: Expr, count: int, operands: Sequence[Sum], factor: int) -> bool:
    """Whether fewer terms are left when `count * term` goes into each of the operands."""
    held = [x.terms.get(term, 0) for x in operands]
    return sum(c * factor + count != 0 for c in held) < 1 + sum(c != 0 for c in held)


def type_of_extreme(term: n.Min | n.Max, factor: int) -> _Extreme:
    """What `factor * term` is an extreme of: a negative factor makes a minimum a maximum."""
    return n.Min if isinstance(term, n.Min) == (factor > 0) else n.Max


def _operands(term: Expr) -> list[Sum]:
    """What an extreme or a select chooses among."""
    assert isinstance(term, (n.Min, n.Max, n.Select))
    made: list[Sum] = []
    for operand in (term.a, term.b):
        if type(operand) is type(term) and not isinstance(term, n.Select):
            made += _operands(operand)
        else:
            made.append(sum_of(operand))
    return made


def _extreme(kind: _Extreme, given: Sequence[Sum], type: Type) -> Sum:
    """The smallest or largest of sums: what is never the one is left out, what all share goes
    outside."""
    kept: list[Sum] = []
    for operand in _in_reach(kind, _flat(kind, given), type):
        if any(_loses(kind, operand, x) for x in kept):
            continue
        kept = [x for x in kept if not _loses(kind, x, operand)]
        kept.append(operand)
    if len(kept) == 1:
        return kept[0]
    shared, kept = _taken_out(kept, type)
    made, *others = sorted((expr_of(x, type) for x in kept), key=_place)
    for other in others:
        made = kind(made, other)
    _known[made] = made
    return Sum({made: 1}, 0).plus(shared)


def _place(operand: Expr) -> tuple[bool, tuple[int, int, str]]:
    return isinstance(operand, Const), rank(operand)


def _flat(kind: _Extreme, operands: Sequence[Sum]) -> list[Sum]:
    """Operands, with those of such extremes among them (shifted or not) in their place."""
    made: list[Sum] = []
    for operand in operands:
        if len(operand.terms) == 1:
            ((term, factor),) = operand.terms.items()
            if isinstance(term, (n.Min, n.Max)) and type_of_extreme(term, factor) is kind:
                shift = Sum({}, operand.constant)
                made += _flat(kind, [shift.plus(x, factor) for x in _operands(term)])
                continue
        made.append(operand)
    return made


def _in_reach(kind: _Extreme, operands: list[Sum], type: Type) -> list[Sum]:
    """The operands without numbers beyond the type's: what does not overflow is none of those."""
    kept = [
        x
        for x in operands
        if x.terms or (x.constant <= type.max if kind is n.Min else x.constant >= type.min)
    ]
    return kept or operands


def _loses(kind: _Extreme, a: Sum, b: Sum) -> bool:
    """Whether the extreme of `a` and `b` is always `b`."""
    return never_positive(b.plus(a, -1) if kind is n.Min else a.plus(b, -1))


def _taken_out(operands: Sequence[Sum], type: Type) -> tuple[Sum, list[Sum]]:
    """What all operands share (of constants, the smallest), and the operands without it.

    A constant stays where it is if the other operands would come near the type's ends without it.
    """
    first, *others = operands
    terms = {t: c for t, c in first.terms.items() if all(x.terms.get(t) == c for x in others)}
    least = min(x.constant for x in operands)
    if any(is_far(x.constant - least, type) for x in operands):
        least = 0
    shared = Sum(terms, least)
    return shared, [x.plus(shared, -1) for x in operands]


def _simplify_extreme(node: Expr) -> Expr:
    assert isinstance(node, (n.Min, n.Max))
    kind: _Extreme = n.Min if isinstance(node, n.Min) else n.Max
    made = _extreme(kind, [sum_of(node.a), sum_of(node.b)], node.type)
    return _made(made, node.type)


def _selected(condition: Expr, a: Sum, b: Sum, type: Type) -> Sum:
    if a == b:
        return a
    shared, (a, b) = _taken_out([a, b], type)
    made = n.Select(condition, expr_of(a, type), expr_of(b, type))
    _known[made] = made
    return Sum({made: 1}, 0).plus(shared)


def _simplify_select(node: Expr) -> Expr:
    assert isinstance(node, n.Select)
    condition, a, b = node.condition, node.a, node.b
    if isinstance(condition, Const):
        return a if condition.value else b
    if isinstance(condition, n.Not):
        condition, a, b = condition.value, b, a
    made = _selected(condition, sum_of(a), sum_of(b), node.type)
    return _made(made, node.type)


def _simplify_quotient(node: Expr) -> Expr:
    assert isinstance(node, n.Div)
    if not (isinstance(node.b, Const) and node.b.value > 0):
        return simplify(node)
    made = _quotient(sum_of(node.a), int(node.b.value), node.type)
    return _made(made, node.type)


def _quotient(total: Sum, divisor: int, type: Type) -> Sum:
    """total / divisor, multiples of the divisor taken out."""
    if divisor == 1:
        return total
    # Minima within minima are gone through side by side, and have most of their sides in common.
    key = frozenset(total.terms.items()), total.constant, divisor, type
    found = _quotients.get(key)
    if found is None:
        found = _quotients[key] = _divided(total, divisor, type)
    return found


def _divided(total: Sum, divisor: int, type: Type) -> Sum:
    outside = Sum(
        {t: c // divisor for t, c in total.terms.items() if c % divisor == 0},
        total.constant // divisor,
    )
    rest = total.plus(outside, -divisor)
    if not rest.terms:
        return outside
    low, high = range_of_sum(rest)
    if low >= 0 and high < divisor:
        return outside
    shared = gcd(divisor, *rest.terms.values())
    if shared > 1:
        smaller = Sum({t: c // shared for t, c in rest.terms.items()}, rest.constant // shared)
        return outside.plus(_quotient(smaller, divisor // shared, type))
    if len(rest.terms) == 1:
        ((term, factor),) = rest.terms.items()
        if isinstance(term, n.Div) and factor == 1 and _is_positive(term.b):
            assert isinstance(term.b, Const)
            size = int(term.b.value)
            whole = sum_of(term.a).plus(Sum({}, rest.constant * size))
            if type.contains(divisor * size) and not is_far(whole.constant, type):
                return outside.plus(_quotient(whole, divisor * size, type))
        if isinstance(term, (n.Min, n.Max)):
            shift = Sum({}, rest.constant)
            parts = [_quotient(shift.plus(x, factor), divisor, type) for x in _operands(term)]
            if sum(_has_quotient(x) for x in parts) <= 1:
                return outside.plus(_extreme(type_of_extreme(term, factor), parts, type))
    made: Expr = n.Div(expr_of(rest, type), n.const(divisor, type))
    _known[made] = made
    return outside.plus(Sum({made: 1}, 0))


def _is_positive(node: Expr) -> bool:
    return isinstance(node, Const) and node.value > 0


def _has_quotient(total: Sum) -> bool:
    return any(isinstance(t, n.Div) for t in total.terms)


def _simplify_remainder(node: Expr) -> Expr:
    assert isinstance(node, n.Mod)
    if not (isinstance(node.b, Const) and node.b.value > 0):
        return simplify(node)
    divisor, total = int(node.b.value), sum_of(node.a)
    while True:
        terms = {t: c for t, c in total.terms.items() if c % divisor}
        total = Sum(terms, total.constant % divisor)
        inner = next((t for t in terms if _is_remainder_of_multiple(t, divisor)), None)
        if inner is None:
            break
        # (x % 8 + y) % 4 = (x + y) % 4
        total = total.without((inner,)).plus(sum_of(inner.children[0]), terms[inner])
    low, high = range_of_sum(total)
    if low >= 0 and high < divisor:
        return expr_of(total, node.type)
    return simplify(n.Mod(expr_of(total, node.type), node.b))


def _is_remainder_of_multiple(term: Expr, divisor: int) -> bool:
    if not (isinstance(term, n.Mod) and isinstance(term.b, Const)):
        return False
    return term.b.value > 0 and int(term.b.value) % divisor == 0


def _simplify_comparison(node: Expr) -> Expr:
    """Decided where the range of the difference decides it; else without what both sides share."""
    assert isinstance(node, n.Comparison)
    if isinstance(node, (n.GT, n.GE)):
        return _simplify_comparison((n.LT if isinstance(node, n.GT) else n.LE)(node.b, node.a))
    type = node.a.type
    difference = _merged(sum_of(node.a).plus(sum_of(node.b), -1), type)
    if isinstance(node, (n.LT, n.LE)):
        difference = _undecided(difference, int(isinstance(node, n.LT)), type)
    one = Sum({}, 1)
    below, above = difference.plus(one), difference.times(-1).plus(one)
    match node:
        case n.LT():
            if never_positive(below):
                return TRUE
            if never_positive(difference.times(-1)):
                return FALSE
        case n.LE():
            if never_positive(difference):
                return TRUE
            if never_positive(above):
                return FALSE
        case _:
            if not difference.terms and difference.constant == 0:
                return TRUE if isinstance(node, n.EQ) else FALSE
            if never_positive(below) or never_positive(above):
                return FALSE if isinstance(node, n.EQ) else TRUE
    return _sides(node, difference, type) or node


def _undecided(difference: Sum, least: int, type: Type) -> Sum:
    """A sum that is at most -least exactly where `difference` is: without operands of extremes
    that cannot make it false (of a maximum), or true (of a minimum)."""
    for term, factor in difference.terms.items():
        if not isinstance(term, (n.Min, n.Max)):
            continue
        rest = difference.without((term,)).plus(Sum({}, least))
        kind = type_of_extreme(term, factor)
        operands = [x.times(factor) for x in _operands(term)]
        kept = [
            x
            for x in operands
            if not never_positive(
                rest.plus(x) if kind is n.Max else rest.plus(x).times(-1).plus(Sum({}, 1))
            )
        ]
        if 0 < len(kept) < len(operands):
            shift = Sum({}, -least)
            made = _merged(rest.plus(shift).plus(_extreme(kind, kept, type)), type)
            return _undecided(made, least, type)
    return difference


def _sides(node: n.Comparison, difference: Sum, type: Type) -> Expr | None:
    """The comparison of the difference with 0, what is subtracted on the right; None where a side
    could overflow."""
    left = Sum({t: c for t, c in difference.terms.items() if c > 0}, 0)
    right = Sum({t: -c for t, c in difference.terms.items() if c < 0}, 0)
    constant = Sum({}, difference.constant)
    if (left.terms and constant.constant < 0) or not right.terms:
        right = right.plus(constant, -1)
    else:
        left = left.plus(constant)
    for side in (left, right):
        if is_far(side.constant, type) if side.terms else not type.contains(side.constant):
            return None
    if isinstance(node, (n.EQ, n.NE)) and not left.terms:
        left, right = right, left
    if isinstance(node, n.LE) and left.terms and left.constant == 1:
        return n.LT(expr_of(left.plus(constant, -1), type), expr_of(right, type))
    return node.__class__(expr_of(left, type), expr_of(right, type))


_STEPS: dict[type[Expr], Callable[[Expr], Expr]] = {
    n.Min: _simplify_extreme,
    n.Max: _simplify_extreme,
    n.Select: _simplify_select,
    n.Div: _simplify_quotient,
    n.Mod: _simplify_remainder,
    **dict.fromkeys((n.LT, n.LE, n.GT, n.GE, n.EQ, n.NE), _simplify_comparison),
}
