"""The rewriter: proven rules, applied from the leaves up until none makes anything simpler."""

from __future__ import annotations

from collections import Counter

from compiler.ir import Expr
from compiler.ir import nodes as n
from compiler.ir.rewriting import AnyRule, RuleSet

from ..dag.reduce import Reduce
from .cost import cost
from .grammar import Vocabulary
from .rewrite_arithmetic import ARITHMETIC_RULES
from .rewrite_casts import CAST_RULES, LAST_RULES
from .rewrite_conditions import CONDITION_RULES
from .rewrite_division import DIVISION_RULES
from .rewrite_ranges import Facts, Interval, SymbolRanges
from .rewrite_selects import SELECT_RULES
from .rewrite_words import WORD_RULES

RULES: tuple[AnyRule, ...] = (
    *CAST_RULES,
    *ARITHMETIC_RULES,
    *DIVISION_RULES,
    *CONDITION_RULES,
    *SELECT_RULES,
    *WORD_RULES,
)
"""The rules, in the order in which they are tried at a node."""
ALL_RULES: tuple[AnyRule, ...] = (*RULES, *LAST_RULES)
"""The same, then those that are only tried on what the search leaves."""


_RULES, _ALL_RULES = RuleSet(RULES), RuleSet(ALL_RULES)


class Rewriter:
    """Applies `RULES` to expressions; memoizes, and counts in `fired` what each rule did.

    `facts` gives intervals of symbols (default: their types'). `words` limits what a rewrite may
    introduce: a result with a node that the grammar does not have is not taken. `last` adds the
    rules that only suit an expression that nobody will rewrite any more.
    """

    def __init__(
        self, facts: Facts | None = None, words: Vocabulary | None = None, last: bool = False
    ) -> None:
        self._rules = _ALL_RULES if last else _RULES
        self._ranges = SymbolRanges(facts)
        self._words = words
        self._done: dict[Expr, Expr] = {}
        self._active: set[Expr] = set()
        self._costs: dict[Expr, int] = {}
        self.fired: Counter[str] = Counter()

    def ranges(self, expr: Expr) -> Interval:
        """The interval of an integer expression."""
        return self._ranges(expr)

    def cost(self, expr: Expr) -> int:
        """The reader's cost."""
        return cost(expr, self._costs)

    def simplify(self, expr: Expr) -> Expr:
        """The simple form of `expr`: equal for all values of the symbols, and not dearer.

        Indices of reads and bounds of reductions stay as they are: they belong to the second step.
        """
        found = self._done.get(expr)
        if found is not None:
            return found
        if expr in self._active:
            return expr  # a rule built the node that it looks at: no progress that way
        self._active.add(expr)
        try:
            result = self._improve(self._with_simple_parts(expr))
        finally:
            self._active.discard(expr)
        self._done[expr] = result
        self._done[result] = result
        return result

    def _with_simple_parts(self, expr: Expr) -> Expr:
        if isinstance(expr, n.Load) or (
            isinstance(expr, n.Call) and expr.kind in ("image", "func")
        ):
            return expr
        if isinstance(expr, Reduce):
            return expr.rebuild((expr.extent, self.simplify(expr.body)))
        children = expr.children
        return expr.rebuild(tuple(map(self.simplify, children))) if children else expr

    def _improve(self, expr: Expr) -> Expr:
        known = self._done.get(expr)
        if known is not None:
            return known
        for rule, made in self._rules.all(expr, self):
            if made is expr or not self._admitted(expr, made):
                continue
            before, after = self.cost(expr), self.cost(made)
            if after < before or (rule.canonical and after == before):
                self.fired[rule.name] += 1
                return self.simplify(made)
        return expr

    def _admitted(self, before: Expr, after: Expr) -> bool:
        if self._words is None:
            return True
        old = {(type(e), e.type) for e in n.postorder(before)}
        return all(self._words.admits(e) or (type(e), e.type) in old for e in n.postorder(after))
