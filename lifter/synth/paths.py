"""What lifted code reads and stores of the caller's memory at a point, and under which conditions.

Compiled code decides `select`, `&&` and `||` from the left and reads nothing that a choice doesn't
take (`compiler/lower/guard_loads.py`); where a choice ends in the old value it stores nothing
(`compiler/lower/kept_elements.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compiler.ir import FALSE, TRUE, Add, And, Call, Cast, Const, Expr, Or, Select, postorder

from ..dag import Reduce, conjunction, conjuncts, negate

MOST_TERMS = 1000
"""A condition with more comparisons isn't worked out: the read counts as one in any case."""


@dataclass(frozen=True, slots=True)
class PathRead:
    """An image read, and when its value counts."""

    call: Call
    condition: Expr
    """A typed boolean over the coordinates."""
    reductions: tuple[Reduce, ...] = ()
    """Those around it wherever it stands, outermost first: it is made in their iterations alone."""


def reads_of(*expressions: tuple[Expr, Expr]) -> list[PathRead]:
    """All image reads of expressions, each given with the condition under which it is computed."""
    return [
        PathRead(node, *where)
        for node, where in _computed(*expressions)
        if isinstance(node, Call) and node.kind == "image"
    ]


def computed_where(expression: Expr) -> dict[Expr, tuple[Expr, tuple[Reduce, ...]]]:
    """For each node of an expression, the typed condition and the reductions under which alone it
    is computed."""
    return dict(_computed((expression, TRUE)))


def _computed(
    *expressions: tuple[Expr, Expr],
) -> Iterator[tuple[Expr, tuple[Expr, tuple[Reduce, ...]]]]:
    roots = [e for pair in expressions for e in pair]
    order = list(postorder(*roots))
    when: dict[Expr, Expr] = dict.fromkeys(order, FALSE)
    for expression, condition in expressions:
        when[condition] = TRUE
        when[expression] = either(when[expression], condition)
    for node in reversed(order):
        here = when[node]
        for child, choice in steps(node):
            needed = here if choice is None else both(here, choice)
            when[child] = either(when[child], needed)
            if _terms(when[child]) > MOST_TERMS:
                when[child] = TRUE
    around = _reductions_around(*roots)
    for node in order:
        yield node, (when[node], around[node])


def _reductions_around(*roots: Expr) -> dict[Expr, tuple[Reduce, ...]]:
    """For each node of expressions, the reductions whose bodies hold it wherever it stands,
    outermost first; of several over the same iterations, one."""
    around: dict[Expr, tuple[Reduce, ...]] = dict.fromkeys(roots, ())
    for node in reversed(list(postorder(*roots))):
        for child in node.children:
            here = around[node]
            if isinstance(node, Reduce) and child is node.body:
                here = (*here, node)
            iterations = {(r.counter, r.extent) for r in here}
            before = around.get(child, here)
            around[child] = tuple(r for r in before if (r.counter, r.extent) in iterations)
    return around


def _terms(condition: Expr) -> int:
    """Comparisons of a condition, counted as often as they are written; not far beyond the most."""
    found, pending = 0, [condition]
    while pending and found <= MOST_TERMS:
        node = pending.pop()
        if isinstance(node, (And, Or)):
            pending += (node.a, node.b)
        else:
            found += 1
    return found


def steps(node: Expr) -> Iterator[tuple[Expr, Expr | None]]:
    """The operands of a node, each with the condition under which it is computed (None: always)."""
    match node:
        case Select():
            yield node.condition, None
            yield node.a, node.condition
            yield node.b, negate(node.condition)
        case And():
            yield node.a, None
            yield node.b, node.a
        case Or():
            yield node.a, None
            yield node.b, negate(node.a)
        case _:
            for child in node.children:
                yield child, None


def both(a: Expr, b: Expr) -> Expr:
    """`a && b`, without what is said twice."""
    if a is TRUE or b is FALSE or a is b:
        return b
    if b is TRUE or a is FALSE:
        return a
    if b in conjuncts(a):
        return a
    made: Expr = And(a, b)
    return made


def either(a: Expr, b: Expr) -> Expr:
    """`a || b`; of one condition in both cases of another one, the one alone. What both say stands
    in front."""
    if a is TRUE or b is FALSE or a is b:
        return a
    if b is TRUE or a is FALSE:
        return b
    if negate(a) is b:
        return TRUE
    for one, other in ((a, b), (b, a)):
        if isinstance(other, And) and other.a is one:
            return one
        if isinstance(other, Or) and other.a is negate(one):
            return TRUE
    ours, theirs = conjuncts(a), conjuncts(b)
    shared = [part for part in ours if part in theirs]
    if shared:
        rest = (conjunction(p for p in parts if p not in shared) for parts in (ours, theirs))
        return both(conjunction(shared), either(*rest))
    made: Expr = Or(a, b)
    return made


def where_stored(expression: Expr, old: Expr) -> tuple[Expr, Expr]:
    """The condition under which something is stored, and what: see `kept_elements`.

    `old` is the element's value before. Something that is added to it is no store where it is 0.
    """
    if expression is old:
        return FALSE, expression
    if isinstance(expression, Add) and expression.type.is_integer:
        for own, added in ((expression.a, expression.b), (expression.b, expression.a)):
            if own is old and isinstance(added, Select):
                for side, other, holds in (
                    (added.b, added.a, added.condition),
                    (added.a, added.b, negate(added.condition)),
                ):
                    if isinstance(side, Const) and side.value == 0:
                        inner, value = where_stored(Add(old, other), old)
                        return both(holds, inner), value
    if isinstance(expression, Select):
        condition = expression.condition
        (when_a, a), (when_b, b) = (where_stored(e, old) for e in (expression.a, expression.b))
        if when_a is FALSE:
            return both(negate(condition), when_b), b
        if when_b is FALSE:
            return both(condition, when_a), a
        made: Expr = Select(condition, a, b)
        if when_a is TRUE and when_b is TRUE:
            return TRUE, made
        stored = either(both(condition, when_a), both(negate(condition), when_b))
        return TRUE if _terms(stored) > MOST_TERMS else stored, made
    return TRUE, expression


def reads_by_pixels(expressions: Iterable[Expr], output: str) -> Iterator[PathRead]:
    """What a stage with these expressions reads of other arrays than its output where pixels say
    so. Of these arrays no build makes a copy: it would read what the original doesn't."""
    for read in reads_of(*((e, TRUE) for e in expressions)):
        if read.call.name != output and is_of_data(read.condition):
            yield read


def is_of_data(expr: Expr) -> bool:
    """Whether an integer is made of what is read, or of floats: its bounds are what conditions
    say."""
    return any(
        (isinstance(n, Call) and n.kind == "image")
        or (isinstance(n, Cast) and n.value.type.is_float and not n.type.is_float)
        for n in postorder(expr)
    )
