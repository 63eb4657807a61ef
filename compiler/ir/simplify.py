"""The simplifier: rewrites an expression to a smaller one with exactly the same value.

Exact means: for every value of every variable, in wrap-around and IEEE arithmetic as nodes.py
defines them. The rules are data in `simplify_rules`; integer sums are put together by
`linear_terms` (arithmetic modulo 2**bits is a ring, so that is exact too).
"""

from __future__ import annotations

from collections.abc import Callable

from . import nodes as n
from .fold import fold
from .nodes import Cast, Const, Expr, Variable, const
from .simplify_rules import RULES
from .types import Int

_SUMS = (n.Add, n.Sub, n.Neg, n.Mul)


_simplified: dict[Expr, Expr] = {}
"""What nodes have become: they are shared, and lowering simplifies the same ones many times."""

MOST_REMEMBERED = 1 << 17


def simplify(expr: Expr) -> Expr:
    """An expression equal to `expr`: constants folded, the rules applied until none fits."""
    known = _simplified.get(expr)
    if known is not None:
        return known
    if len(_simplified) > MOST_REMEMBERED:
        _simplified.clear()
    return rewritten(expr, _simplified, _simplify_node)


def rewritten(expr: Expr, known: dict[Expr, Expr], visit: Callable[[Expr], Expr]) -> Expr:
    """`expr` with `visit` applied to each node over rewritten operands; `known` remembers all."""
    found = known.get(expr)
    if found is not None:
        return found
    # Beside `known`, which `visit` may empty.
    done: dict[Expr, Expr] = {}
    stack = [expr]
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        children = node.children
        waiting = []
        for child in children:
            if child not in done:
                made = known.get(child)
                if made is None:
                    waiting.append(child)
                else:
                    done[child] = made
        if waiting:
            stack.extend(waiting)
            continue
        stack.pop()
        made = visit(node.rebuild(tuple([done[c] for c in children])) if children else node)
        done[node] = known[node] = made
    return done[expr]


def _simplify_node(node: Expr) -> Expr:
    known = _simplified.get(node)
    if known is not None:
        return known
    start = node
    for _ in range(16):
        simpler = _step(node)
        if simpler is node:
            break
        # What a rule builds below its root may be simplified once more.
        children = tuple(_simplify_node(c) for c in simpler.children)
        node = simpler.rebuild(children) if children else simpler
    _simplified[start] = node
    return node


def _step(node: Expr) -> Expr:
    folded = fold(node)
    if folded is not node:
        return folded
    if isinstance(node, n.Let):
        return n.substitute(node.body, {Variable(node.name, node.value.type): node.value})
    if isinstance(node, n.Select):
        return _simplify_select(node)
    cast = _simplify_cast(node)
    if cast is not node:
        return cast
    made = RULES.first(node) if node.children else None
    if made is not None:
        return made
    if isinstance(node, _SUMS) and node.type.is_integer and node.type.lanes == 1:
        return _simplify_sum(node)
    return node


def _simplify_select(node: n.Select) -> Expr:
    """A select with both values alike, of a known condition, or of a negated one."""
    condition = node.condition
    if node.a is node.b:
        return node.a
    if isinstance(condition, Const):
        return node.a if condition.value else node.b
    if isinstance(condition, n.Not):
        return n.Select(condition.value, node.b, node.a)
    if node.type.is_bool and isinstance(node.a, Const) and isinstance(node.b, Const):
        return condition if node.a.value else n.Not(condition)
    return node


def _simplify_cast(node: Expr) -> Expr:
    """Casts that change nothing, and casts of casts of integers where the middle one may go."""
    if not isinstance(node, Cast):
        return node
    inner = node.value
    if inner.type is node.type:
        return inner
    if isinstance(inner, Cast) and node.type.is_integer and not node.type.is_bool:
        source, middle = inner.value.type, inner.type
        # The low bits survive a middle type that is at least as wide as the target, or a middle
        # type that holds every value of the source.
        if source.is_integer and middle.is_integer and not middle.is_bool:
            keeps = middle.contains_all(source)
            if keeps or middle.bits >= node.type.bits:
                return inner.value if source is node.type else Cast(node.type, inner.value)
    if isinstance(inner, Cast) and node.type.is_float and inner.type.is_integer:
        source, middle = inner.value.type, inner.type
        if middle.contains_all(source) and not middle.is_bool:
            return Cast(node.type, inner.value)
    return node


def linear_terms(node: Expr) -> tuple[dict[Expr, int], int]:
    """An integer expression as sum of coefficient * term + constant, modulo 2**bits."""
    terms, constant = _linear_form(node)
    return dict(terms), constant


def whole_terms(node: Expr) -> tuple[dict[Expr, int], int]:
    """The same over whole numbers, for sums that are taken not to overflow: what is modulo 2**bits
    a small constant may be a large one."""
    terms, constant = whole_form(node)
    return dict(terms), constant


_Form = tuple[dict[Expr, int], int]
_linear_forms: dict[Expr, _Form] = {}
_whole_forms: dict[Expr, _Form] = {}
"""What `linear_terms` and `whole_terms` gave: a long sum is built, and looked at, term by term."""


def _linear_form(node: Expr) -> _Form:
    """`linear_terms`, not to be changed by who asks."""
    found = _linear_forms.get(node)
    if found is None:
        if len(_linear_forms) > MOST_REMEMBERED:
            _linear_forms.clear()
        (terms, constant), type = whole_form(node), node.type
        if any(type.wrap(c) != c for c in terms.values()):
            wrapped = {t: type.wrap(c) for t, c in terms.items()}
            terms = {t: c for t, c in wrapped.items() if c}
        found = terms, type.wrap(constant)
        _linear_forms[node] = found
    return found


def whole_form(node: Expr) -> _Form:
    """`whole_terms`, not to be changed by who asks."""
    found = _whole_forms.get(node)
    if found is not None:
        return found
    if len(_whole_forms) > MOST_REMEMBERED:
        _whole_forms.clear()
    terms: dict[Expr, int] = {}
    constant = 0
    stack: list[tuple[Expr, int]] = [(node, 1)]
    while stack:
        e, factor = stack.pop()
        known = _whole_forms.get(e)
        if known is not None:
            constant += factor * known[1]
            if not terms and factor == 1:
                terms = dict(known[0])
            else:
                for term, count in known[0].items():
                    terms[term] = terms.get(term, 0) + factor * count
            continue
        if isinstance(e, n.Add):
            stack += ((e.b, factor), (e.a, factor))
        elif isinstance(e, n.Sub):
            stack += ((e.b, -factor), (e.a, factor))
        elif isinstance(e, n.Neg):
            stack.append((e.value, -factor))
        elif isinstance(e, Const):
            constant += factor * int(e.value)
        elif isinstance(e, n.Mul) and isinstance(e.b, Const):
            stack.append((e.a, factor * int(e.b.value)))
        elif isinstance(e, n.Mul) and isinstance(e.a, Const):
            stack.append((e.b, factor * int(e.a.value)))
        else:
            terms[e] = terms.get(e, 0) + factor
    terms = _rejoined(terms)
    if 0 in terms.values():
        terms = {t: c for t, c in terms.items() if c}
    made = terms, constant
    _whole_forms[node] = made
    return made


def _rejoined(terms: dict[Expr, int]) -> dict[Expr, int]:
    """x % c and c * (x / c), widened or not, as x: the way a fused loop's index is put together."""
    for term, factor in list(terms.items()):
        inner = term.value if isinstance(term, Cast) else term
        if not (isinstance(inner, n.Mod) and isinstance(inner.b, Const) and inner.b.value > 0):
            continue
        if isinstance(term, Cast) and not term.type.contains_all(inner.type):
            continue
        quotient: Expr = n.Div(inner.a, inner.b)
        whole: Expr = inner.a
        if isinstance(term, Cast):
            quotient, whole = Cast(term.type, quotient), Cast(term.type, whole)
        if terms.get(quotient, 0) == factor * int(inner.b.value) and factor:
            del terms[quotient], terms[term]
            terms[whole] = terms.get(whole, 0) + factor
    return terms


def _simplify_sum(node: Expr) -> Expr:
    terms, constant = _linear_form(node)
    if isinstance(node, (n.Add, n.Sub)) and _is_apart(node, len(terms)):
        return node
    made = _sum_of(terms, constant, node)
    if _size(made) < _size(node):
        return made
    # A joined quotient and remainder is worth a longer sum: it makes an index dense again.
    remainders = _remainders(node)
    return made if remainders and remainders > sum(map(_remainders, terms)) else node


def _is_apart(node: n.Binary, count: int) -> bool:
    """Whether nothing in the simplified operands of a sum of `count` terms meets: no sum of the
    same terms is shorter."""
    (a, first), (b, second) = _linear_form(node.a), _linear_form(node.b)
    if count != len(a) + len(b) or (first and second):
        return False
    return not (_starts_negative(node.a) or _starts_negative(node.b))


def _starts_negative(node: Expr) -> bool:
    while isinstance(node, (n.Add, n.Sub)):
        node = node.a
    return isinstance(node, n.Neg)


def _remainders(node: Expr) -> int:
    """How many terms of the sum at the top of `node` are remainders, widened or not."""
    if isinstance(node, _SUMS):
        return sum(map(_remainders, node.children))
    return int(isinstance(node.value if isinstance(node, Cast) else node, n.Mod))


def _sum_of(terms: dict[Expr, int], constant: int, like: Expr) -> Expr:
    made: Expr | None = None
    type = like.type
    signed_type = Int(type.bits)
    # Positive terms first, so that no sum starts with a negation.
    for term, factor in sorted(terms.items(), key=lambda item: signed_type.wrap(item[1]) < 0):
        signed = signed_type.wrap(factor)
        magnitude = abs(signed)
        part = term if magnitude == 1 else n.Mul(term, const(type.wrap(magnitude), type))
        if made is None:
            made = part if signed > 0 else n.Neg(part)
        else:
            made = n.Add(made, part) if signed > 0 else n.Sub(made, part)
    if made is None:
        return const(constant, type)
    signed = signed_type.wrap(constant)
    if signed == 0:
        return made
    if signed > 0 or signed == -(1 << (type.bits - 1)):
        return n.Add(made, const(type.wrap(signed), type))
    return n.Sub(made, const(-signed, type))


def _size(node: Expr) -> int:
    """Operators and operands of the sum at the top of `node`, its terms counting one each."""
    if isinstance(node, _SUMS):
        if isinstance(node, n.Mul) and not any(isinstance(c, Const) for c in node.children):
            return 1
        return 1 + sum(_size(c) for c in node.children)
    return 1
