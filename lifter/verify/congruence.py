"""Equality part by part: what agrees in its operands agrees, and the rest is decided on its own.

`select(m > 0, div255(a) + div255(b), d)` written in two ways differs in the two quotients alone.
Both expressions are walked together; where their shapes part, what they share there (`a`, say) is
taken as one free number of which only the interval is known, and the two remainders, now small, are
compared for every such number. That only ever proves: the free number may take values that the real
one cannot, so a difference says nothing.

Where the two share little since one part is written in another way (`c != 0 ? 1 : 0`), parts come
first: what has the values of a part of the other one on samples, and is proved to be that, is
exchanged for it, operands before what is made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from compiler.ir import (
    Call,
    Const,
    Expr,
    Type,
    Variable,
    commutes,
    evaluate,
    postorder,
    substitute,
)
from compiler.ir.operators import Range

from ..dag import Reduce
from .assumed import assuming
from .canonical import LeafIntervals, canonical
from .encode import is_leaf, value_postorder
from .extremes import same_extremes
from .states import samples

MOST_CUTS = 24
"""Remainders that are tried in one comparison: each may cost a solver's call."""
_SAMPLES = 256
_MOST_TWINS = 2
"""Parts that are tried for one that has their values."""
_MOST_FAILURES = 4
"""Parts that aren't proved, each of which may cost as much as a question does."""

Settle = Callable[[Expr, Expr, Mapping[Expr, Range]], bool]
"""Whether two expressions are equal for all values of their variables in these intervals."""


class Congruence:
    """One comparison of two expressions, where `hypotheses` hold; `known` follows from those."""

    def __init__(
        self, known: Mapping[Expr, Range], settle: Settle, hypotheses: Sequence[Expr] = ()
    ) -> None:
        self.intervals = LeafIntervals(known)
        self.settle = settle
        self._facts = [canonical(h, self.intervals) for h in hypotheses]
        self._cuts = 0
        self._done: dict[tuple[Expr, Expr], bool] = {}

    def same(self, a: Expr, b: Expr) -> bool:
        """Whether a and b are proved equal for all values of their leaves in the intervals."""
        # A condition that the two spell differently is the hypothesis only now.
        one, other = (assuming(canonical(e, self.intervals), self._facts) for e in (a, b))
        if self._same(one, other):
            return True
        unified = self._in_parts_of(a, b)
        return unified is not b and self._same(a, unified)

    def _in_parts_of(self, a: Expr, b: Expr) -> Expr:
        """`b` with those of its parts that are proved to be parts of `a` exchanged for them."""
        try:
            values = self._on_samples(a, b)
        except TypeError:  # not everything can be evaluated
            return b
        own: dict[tuple[Type, bytes], list[Expr]] = {}
        for node in value_postorder(a):
            if not isinstance(node, Const) and not node.type.is_float:
                own.setdefault((node.type, values[node]), []).append(node)
        known = set(value_postorder(a))
        made: dict[Expr, Expr] = {}
        self._cuts = failures = 0
        for node in value_postorder(b):
            part = node if is_leaf(node) else node.rebuild(tuple(made[c] for c in node.children))
            if part not in known and not isinstance(part, Const) and failures < _MOST_FAILURES:
                twins = own.get((node.type, values[node]), [])[:_MOST_TWINS]
                proved = next((t for t in twins if self._cut(t, part)), None)
                failures += proved is None and bool(twins)
                part = part if proved is None else proved
            made[node] = part
        self._cuts = 0
        self._done.clear()
        return made[b]

    def _on_samples(self, *roots: Expr) -> dict[Expr, bytes]:
        """The values of all parts, on the same samples of the leaves."""
        generator = np.random.default_rng(20190718)
        found: dict[Expr, Any] = {}
        for node in dict.fromkeys(n for root in roots for n in value_postorder(root)):
            if is_leaf(node):
                within = self.intervals(node) if node.type.is_integer else None
                found[node] = samples(node.type, _SAMPLES, generator, within)
                continue
            names = [Variable(f"operand{i}", c.type) for i, c in enumerate(node.children)]
            operands = {v.name: found[c] for v, c in zip(names, node.children, strict=True)}
            found[node] = evaluate(node.rebuild(tuple(names)), operands)
        return {n: np.broadcast_to(v, (_SAMPLES,)).tobytes() for n, v in found.items()}

    def _same(self, a: Expr, b: Expr) -> bool:
        if a is b:
            return True
        if a.type is not b.type or isinstance(a, Const) or isinstance(b, Const):
            return a.type is b.type and self._cut(a, b)
        found = self._done.get((a, b))
        if found is None:
            found = same_extremes(a, b) or self._congruent(a, b) or self._cut(a, b)
            self._done[(a, b)] = found
        return found

    def _congruent(self, a: Expr, b: Expr) -> bool:
        """The same operator, applied to operands that are the same."""
        if isinstance(a, Reduce) and isinstance(b, Reduce):
            return self._same_terms(a, b)
        if type(a) is not type(b) or is_leaf(a) or is_leaf(b):
            return False
        if len(a.children) != len(b.children) or not a.children:
            return False
        if [c.type for c in a.children] != [c.type for c in b.children]:
            return False
        if a.rebuild(b.children) is not b:
            return False  # calls of two functions, say
        if all(self._same(x, y) for x, y in zip(a.children, b.children, strict=True)):
            return True
        if not commutes(a):
            return False
        one, other = a.children
        return self._same(one, b.children[1]) and self._same(other, b.children[0])

    def _same_terms(self, a: Reduce, b: Reduce) -> bool:
        """One operator over the same iterations, of terms that are equal in each of them."""
        if (a.operator, a.counter, a.extent) != (b.operator, b.counter, b.extent):
            return False
        if a.counter in set(postorder(*self._facts, *self.intervals.known)):
            return False  # what is known there is of another iteration
        return self._same(*(canonical(e.body, self.intervals) for e in (a, b)))

    def _with_reductions_of(self, a: Expr, b: Expr) -> Expr:
        """`b` with those of its reductions that are proved to be one of `a`'s replaced by that."""
        known = {n: None for n in value_postorder(a) if isinstance(n, Reduce)}
        mapping: dict[Expr, Expr] = {}
        for node in value_postorder(b) if known else ():
            if isinstance(node, Reduce) and node not in known:
                same = next((k for k in known if self._same_terms(k, node)), None)
                if same is not None:
                    mapping[node] = same
        return substitute(b, mapping) if mapping else b

    def _cut(self, a: Expr, b: Expr) -> bool:
        """The remainders of a and b are equal for all values of what they share."""
        if a.type.is_float or self._cuts >= MOST_CUTS:
            return False
        unified = self._with_reductions_of(a, b)
        if unified is not b:
            return self._same(a, unified)
        shared = {n for n in value_postorder(a) if not isinstance(n, Const)}
        shared &= set(value_postorder(b))
        names: dict[Expr, Expr] = {}
        for root in (a, b):
            self._name(root, shared, names)
        remainders = [substitute(e, names) for e in (a, b)]
        if any(not _is_plain(e, set(names.values())) for e in remainders):
            return False
        self._cuts += 1
        known = {v: self.intervals(n) for n, v in names.items() if n.type.is_integer}
        return self.settle(remainders[0], remainders[1], known)

    def _name(self, root: Expr, shared: set[Expr], names: dict[Expr, Expr]) -> None:
        """Variables for the largest parts of `root` that are shared, and for its leaves."""
        stack = [root]
        seen: set[Expr] = set()
        while stack:
            node = stack.pop()
            if node in seen or node in names:
                continue
            seen.add(node)
            if node in shared or is_leaf(node):
                names[node] = Variable(f"part{len(names)}", node.type)
            else:
                stack.extend(node.children)


def _is_plain(expr: Expr, variables: set[Expr]) -> bool:
    """Whether an expression is computed from the variables by operators on integers alone."""
    for node in value_postorder(expr):
        if isinstance(node, Variable) and node not in variables:
            return False
        if is_leaf(node) and not isinstance(node, Variable):
            return False
        if isinstance(node, Call) and node.kind != "intrinsic":
            return False
        if node.type.is_float and not (isinstance(node, Variable) and node in variables):
            return False
    return True
