"""Normal form of index expressions: polynomials over atoms with integer coefficients.

Index expressions have type int64 and stand for unbounded integers (see stage.py), so ring laws hold
without side conditions. `normal` gives equal polynomials one node, so identity decides equality.
Atoms are variables, reads, and operators other than `+ - *`; their operands are normal too.

These aren't `compiler.ir.coordinate_sums.Sum`: strides multiply counters here, so that a term is a
product of atoms, and the order of terms is that of texts, which proofs and programs are written in;
there terms are single nodes, ordered by what is quick to compare, since lowering adds up sums all
the time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from hashlib import blake2b
from weakref import WeakKeyDictionary

from compiler.ir import (
    FALSE,
    GE,
    GT,
    I64,
    LE,
    LT,
    OPERATORS,
    TRUE,
    Add,
    And,
    Binary,
    Comparison,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Not,
    Or,
    Select,
    Sub,
    TruncDiv,
    TruncMod,
    const,
    negation,
    postorder,
    transform,
)

Monomial = tuple[Expr, ...]
Polynomial = dict[Monomial, int]

ZERO = const(0, I64)
ONE = const(1, I64)

_LONGEST_TEXT = 200
"""Nodes of an expression, shared ones counted as often as they are read, whose text is its key."""
_keys: WeakKeyDictionary[Expr, str] = WeakKeyDictionary()
_sizes: WeakKeyDictionary[Expr, int] = WeakKeyDictionary()
_digests: WeakKeyDictionary[Expr, bytes] = WeakKeyDictionary()


def structural_key(expr: Expr) -> str:
    """A text that orders expressions the same way in every run.

    A network that sorts nine pixels has fifty nodes, and a text of millions of letters: what is
    longer than a person would write is told by a digest.
    """
    found = _keys.get(expr)
    if found is None:
        is_short = _size(expr) <= _LONGEST_TEXT
        found = _keys[expr] = repr(expr) if is_short else f"~{_digest(expr).hex()}"
    return found


def _size(expr: Expr) -> int:
    """Nodes of the tree, at most one more than a text may have."""
    for node in postorder(expr):
        if node not in _sizes:
            size = 1 + sum(_sizes[c] for c in node.children)
            _sizes[node] = min(size, _LONGEST_TEXT + 1)
    return _sizes[expr]


def _digest(expr: Expr) -> bytes:
    for node in postorder(expr):
        if node not in _digests:
            state = blake2b(f"{type(node).__name__} {node.type}".encode(), digest_size=16)
            for field in node.fields:
                value = getattr(node, field)
                if not isinstance(value, Expr) and not _has_expressions(value):
                    state.update(f" {value!r}".encode())
            for child in node.children:
                state.update(_digests[child])
            _digests[node] = state.digest()
    return _digests[expr]


def _has_expressions(value: object) -> bool:
    return isinstance(value, tuple) and any(isinstance(part, Expr) for part in value)


def polynomial(expr: Expr) -> Polynomial:
    """`expr` as a map from products of atoms to coefficients; atoms are in normal form."""
    if isinstance(expr, Const):
        return {(): int(expr.value)} if expr.value else {}
    if isinstance(expr, Add):
        return _sum(polynomial(expr.a), polynomial(expr.b), 1)
    if isinstance(expr, Sub):
        return _sum(polynomial(expr.a), polynomial(expr.b), -1)
    if isinstance(expr, Neg):
        return {m: -c for m, c in polynomial(expr.value).items()}
    if isinstance(expr, Mul):
        return _product(polynomial(expr.a), polynomial(expr.b))
    atom = _normal_atom(expr)
    if isinstance(atom, (Const, Add, Sub, Mul, Neg)):
        return polynomial(atom)
    return {(atom,): 1}


def _sum(a: Polynomial, b: Polynomial, sign: int) -> Polynomial:
    result = dict(a)
    for monomial, coefficient in b.items():
        total = result.get(monomial, 0) + sign * coefficient
        if total:
            result[monomial] = total
        else:
            result.pop(monomial, None)
    return result


def _product(a: Polynomial, b: Polynomial) -> Polynomial:
    result: Polynomial = {}
    for left, c in a.items():
        for right, d in b.items():
            monomial = tuple(sorted(left + right, key=structural_key))
            result[monomial] = result.get(monomial, 0) + c * d
    return {m: c for m, c in result.items() if c}


def from_polynomial(terms: Polynomial) -> Expr:
    """The expression of a polynomial, highest degree first, the constant last."""
    result: Expr | None = None
    order = sorted(terms, key=lambda m: (-len(m), tuple(map(structural_key, m))))
    order.sort(key=lambda m: terms[m] < 0 and bool(m))
    for monomial in order:
        coefficient = terms[monomial]
        size = abs(coefficient)
        term: Expr | None = None
        for atom in monomial:
            term = atom if term is None else Mul(term, atom)
        if term is None:
            term = const(coefficient if result is None else size, I64)
        elif size != 1:
            term = Mul(term, const(size, I64))
        if result is None:
            result = Neg(term) if coefficient < 0 and monomial else term
        else:
            result = Add(result, term) if coefficient > 0 else Sub(result, term)
    return result if result is not None else ZERO


@lru_cache(maxsize=1 << 15)
def normal(expr: Expr) -> Expr:
    """The normal form of an index expression, or of a boolean over index expressions."""
    return _normal_bool(expr) if expr.type.is_bool else from_polynomial(polynomial(expr))


def _normal_atom(expr: Expr) -> Expr:
    if expr.type is not I64:
        return expr
    if isinstance(expr, (Min, Max)):
        return _normal_extremum(expr)
    if isinstance(expr, (Div, Mod)):
        return _normal_division(expr)
    if isinstance(expr, (TruncDiv, TruncMod)):
        a, b = normal(expr.a), normal(expr.b)
        if isinstance(a, Const) and isinstance(b, Const) and b.value:
            return const(OPERATORS[type(expr)].on_integers(int(a.value), int(b.value)), I64)
        return expr.rebuild((a, b))
    if isinstance(expr, Select):
        condition, a, b = (normal(c) for c in expr.children)
        if condition is TRUE or a is b:
            return a
        return b if condition is FALSE else Select(condition, a, b)
    return expr.rebuild(
        tuple(normal(c) if c.type is I64 or c.type.is_bool else c for c in expr.children)
    )


def _normal_extremum(expr: Binary) -> Expr:
    a, b = sorted((normal(expr.a), normal(expr.b)), key=structural_key)
    difference = normal(Sub(a, b))
    if isinstance(difference, Const):
        return a if (difference.value <= 0) == isinstance(expr, Min) else b
    return expr.rebuild((a, b))


def _normal_division(expr: Binary) -> Expr:
    """Euclidean division by a constant takes out the multiples of the divisor, and a remainder has
    none of any divisor's."""
    divisor = normal(expr.b)
    terms = polynomial(expr.a)
    if isinstance(expr, Mod):
        terms = _without_remainders(terms, divisor)
    if not terms:
        return ZERO
    if not isinstance(divisor, Const) or divisor.value == 0:
        if isinstance(expr, Mod):
            terms = _without_multiples(terms, divisor)
        return expr.rebuild((from_polynomial(terms), divisor))
    size = int(divisor.value)
    whole = {m: c // size for m, c in terms.items() if m and c % size == 0}
    rest = {m: c for m, c in terms.items() if m and c % size}
    left = terms.get((), 0)
    if size > 0:
        whole[()] = left // size
        rest[()] = left % size
    else:
        rest[()] = left
    rest = {m: c for m, c in rest.items() if c}
    whole = {m: c for m, c in whole.items() if c}
    is_div = isinstance(expr, Div)
    if set(rest) <= {()}:
        value = rest.get((), 0)
        remainder = value % abs(size)
        if not is_div:
            return const(remainder, I64)
        whole[()] = whole.get((), 0) + (value - remainder) // size
        return from_polynomial({m: c for m, c in whole.items() if c})
    inner = expr.rebuild((from_polynomial(rest), divisor))
    return inner if not is_div or not whole else from_polynomial(_sum({(inner,): 1}, whole, 1))


def _without_multiples(terms: Polynomial, divisor: Expr) -> Polynomial:
    """A number that leaves the same remainder, which is 0 where the divisor is."""
    by = polynomial(divisor)
    if len(by) == 1:
        ((factors, size),) = by.items()
        terms = {m: c for m, c in terms.items() if c % size or not _divides(factors, m)}
    return terms


def _without_remainders(terms: Polynomial, divisor: Expr) -> Polynomial:
    """The same: `(a % n + b) % n` is `(a + b) % n`."""
    whole: Polynomial = {}
    for monomial, coefficient in terms.items():
        atom = monomial[0] if len(monomial) == 1 else None
        if isinstance(atom, Mod) and atom.b is divisor:
            part = {m: c * coefficient for m, c in polynomial(atom.a).items()}
        else:
            part = {monomial: coefficient}
        whole = _sum(whole, part, 1)
    return whole


def _divides(factors: Monomial, monomial: Monomial) -> bool:
    return all(monomial.count(f) >= factors.count(f) for f in factors)


def negate(condition: Expr) -> Expr:
    """The opposite of a boolean, without a `Not` above anything that has an opposite."""
    if isinstance(condition, And):
        return Or(negate(condition.a), negate(condition.b))
    if isinstance(condition, Or):
        return And(negate(condition.a), negate(condition.b))
    return negation(condition)


def _normal_bool(expr: Expr) -> Expr:
    if isinstance(expr, And):
        return conjunction((normal(expr.a), normal(expr.b)))
    if isinstance(expr, Or):
        return negate(conjunction((negate(normal(expr.a)), negate(normal(expr.b)))))
    if isinstance(expr, Not):
        return negate(normal(expr.value))
    if isinstance(expr, Comparison) and expr.a.type is I64:
        a, b = normal(expr.a), normal(expr.b)
        difference = polynomial(Sub(a, b))
        if difference.keys() <= {()}:
            value = difference.get((), 0)
            return TRUE if OPERATORS[type(expr)].on_integers(value, 0) else FALSE
        return expr.rebuild((a, b))
    return expr


def conjuncts(condition: Expr) -> tuple[Expr, ...]:
    """The parts of a conjunction, from left to right."""
    if isinstance(condition, And):
        return conjuncts(condition.a) + conjuncts(condition.b)
    return () if condition is TRUE else (condition,)


def conjunction(conditions: Iterable[Expr]) -> Expr:
    """`conditions` joined by `&&`, each once; TRUE for none."""
    parts: dict[Expr, None] = {}
    for condition in conditions:
        parts.update(dict.fromkeys(conjuncts(condition)))
    if FALSE in parts or any(negate(p) in parts for p in parts):
        return FALSE
    result: Expr = TRUE
    for part in parts:
        result = part if result is TRUE else And(result, part)
    return result


def decided(expr: Expr, known: Collection[Expr]) -> Expr:
    """An index expression, in normal form, where the formulas in `known` hold: without the choices
    that they decide."""
    if not any(isinstance(n, Select) for n in postorder(expr)):
        return expr

    parts = {part for formula in known for part in conjuncts(formula)}

    def visit(node: Expr) -> Expr:
        if isinstance(node, Select):
            own = conjuncts(node.condition)
            if parts.issuperset(own):
                return node.a
            if not parts.isdisjoint(map(negate, own)):
                return node.b
            if parts.issuperset(conjuncts(negate(node.condition))):
                return node.b
        return node

    return normal(transform(expr, visit))


def choices(expr: Expr) -> tuple[Expr, ...]:
    """The conditions of the choices in an index expression, each once."""
    return tuple(dict.fromkeys(n.condition for n in postorder(expr) if isinstance(n, Select)))


def disjunction(conditions: Iterable[Expr]) -> Expr:
    """`conditions` joined by `||`; FALSE for none."""
    return negate(conjunction(negate(c) for c in conditions))


def with_extremes(expr: Expr) -> Expr:
    """With `a < b ? a : b`, and `a < n ? a : n - 1`, as the least of the two."""

    def visit(node: Expr) -> Expr:
        if not isinstance(node, Select) or node.type is not I64:
            return node
        asked = node.condition
        if not isinstance(asked, (LT, LE, GT, GE)):
            return node
        a, b = (asked.a, asked.b) if isinstance(asked, (LT, LE)) else (asked.b, asked.a)
        one = ZERO if isinstance(asked, (LT, GT)) else ONE
        below_zero = normal(Sub(Sub(a, b), one))  # where the first one is taken
        difference = normal(Sub(node.a, node.b))
        if below_zero in (difference, normal(Sub(difference, ONE))):
            return Min(node.a, node.b)
        opposite = normal(Neg(difference))
        if below_zero in (opposite, normal(Sub(opposite, ONE))):
            return Max(node.a, node.b)
        return node

    made: Expr = transform(expr, visit)
    return normal(made)
