"""Rules about what is known where: a condition that was tested is not tested again below."""

from __future__ import annotations

from compiler.ir import EQ, FALSE, NE, TRUE, Const, Expr, negation
from compiler.ir import nodes as n
from compiler.ir.rewriting import AnyRule, Context, coded

from .cost import is_terminal
from .rewrite_rule import number

CONDITION_RULES: list[AnyRule] = []


@coded(
    CONDITION_RULES,
    "known-condition",
    "select(c, select(c && d, x, y), z) = select(c, select(d, x, y), z); c || (!c && d) = c || d",
    n.Select,
    n.And,
    n.Or,
)
def _known(expr: Expr, context: Context) -> Expr | None:
    if isinstance(expr, n.Select):
        a = _assume(expr.a, expr.condition, True)
        b = _assume(expr.b, expr.condition, False)
        if a is expr.a and b is expr.b:
            return None
        parts = (expr.condition, context.simplify(a), context.simplify(b))
        return context.simplify(n.Select(*parts))
    holds = isinstance(expr, n.And)
    first, second = expr.children
    rest = _assume(second, first, holds)
    if rest is not second:
        return context.simplify(expr.rebuild((first, context.simplify(rest))))
    rest = _assume(first, second, holds)
    if rest is not first:
        return context.simplify(expr.rebuild((context.simplify(rest), second)))
    return None


def _assume(expr: Expr, condition: Expr, holds: bool) -> Expr:
    """`expr` where `condition` holds (or does not), with what follows from that filled in."""
    known: dict[Expr, Expr] = {}
    _learn(condition, holds, known)
    done: dict[Expr, Expr] = dict(known)

    def walk(node: Expr) -> Expr:
        found = done.get(node)
        if found is None:
            decided = _follows(node, known)
            if decided is None and not is_terminal(node):
                decided = node.rebuild(tuple(map(walk, node.children)))
            found = done[node] = decided or node
        return found

    return walk(expr)


def _learn(condition: Expr, holds: bool, known: dict[Expr, Expr]) -> None:
    if isinstance(condition, Const):
        return
    known[condition] = TRUE if holds else FALSE
    if isinstance(condition, n.Not):
        _learn(condition.value, not holds, known)
    elif isinstance(condition, n.And if holds else n.Or):
        _learn(condition.a, holds, known)
        _learn(condition.b, holds, known)
    elif isinstance(condition, n.Comparison):
        known[negation(condition)] = FALSE if holds else TRUE


def _follows(node: Expr, known: dict[Expr, Expr]) -> Expr | None:
    """x == 3 where x == 1 is known, as in the arms of a switch."""
    if not isinstance(node, (EQ, NE)) or number(node.b) is None:
        return None
    for fact, truth in known.items():
        if isinstance(fact, EQ) and truth is TRUE and fact.a is node.a:
            value = number(fact.b)
            if value is not None:
                return TRUE if (value == number(node.b)) == isinstance(node, EQ) else FALSE
    return None


@coded(
    CONDITION_RULES,
    "split-condition",
    "select(c || x < y, x, y) = select(c, x, min(x, y)), and such, where the inner choice has a"
    " name; the same for &&",
    n.Select,
)
def _split(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Select)
    condition, x, y = expr.children
    if not isinstance(condition, (n.And, n.Or)):
        return None
    for outer, inner in (condition.children, condition.children[::-1]):
        made = context.simplify(n.Select(inner, x, y))
        if not isinstance(made, n.Select):
            arms = (made, y) if isinstance(condition, n.And) else (x, made)
            return context.simplify(n.Select(outer, *arms))
    return None


@coded(
    CONDITION_RULES,
    "equal-first",
    "select(x != k, a, b) = select(x == k, b, a), as the cases of a switch are written",
    n.Select,
    canonical=True,
)
def _equal_first(expr: Expr, context: Context) -> Expr | None:
    assert isinstance(expr, n.Select)
    test = expr.condition
    if not isinstance(test, NE) or number(test.b) is None or is_terminal(expr.b):
        return None
    return context.simplify(n.Select(EQ(test.a, test.b), expr.b, expr.a))
