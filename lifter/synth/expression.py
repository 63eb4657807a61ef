"""The third step of synthesis: a simpler expression that provably equals the suggested one.

Analysis suggests the value that is stored, in C++'s terms (dexter-2019 section A.2). Proven
rewrites bring it into the DSL's; then bottom-up enumeration looks for something that reads better,
for the whole and for its parts, the smallest first. `prove` decides on what the search proposes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from compiler.ir import BOOL, Const, Expr, Type, evaluate
from compiler.ir import nodes as n

from .cost import constant_weight, cost, is_terminal, read_parts
from .enumerate import Enumeration, operators
from .grammar import Grammar, derives, outside
from .rewrite import Rewriter
from .rewrite_ranges import Facts
from .rewrite_to_dsl import to_dsl
from .samples import (
    computation,
    constants,
    defined,
    named,
    overflows,
    parts,
    sample,
    symbols,
    with_names,
)

__all__ = ["ExpressionResult", "find_expression", "replace_part", "to_dsl"]

Prove = Callable[[Expr, Expr], bool]

SEARCH_BUDGET = 250_000
"""Expressions that may be built for one search: a tenth of a second's work."""
_PRICE_OF_PART = 1_000
_PRICE_OF_PROOF = 5_000
"""What beginning with a part, and a proof, cost in expressions."""
_MOST_SECONDS = 10.0
"""When a search ends although the budget isn't spent: the machine is very slow, or a proof."""
_MOST_SYMBOLS = 4
_MOST_NODES = 100
_SAMPLES = 64
_SECOND_LOOK = 4096
_MOST_PROOFS = 4
"""Proofs that may fail for one part: each can take as long as all of the search."""
_WORTH_A_SEARCH = 5
_WORTH_A_COMPARISON = 4
_MOST_ARMS = 16
_GAIN = (2, 3)
"""A candidate must cost no more than this share: the last symbol saved is not worth it to someone
who compares the result with the original (`saturating_add(a, b)` is)."""
_GAIN_OF_CONDITION = (1, 2)
"""`min(mode, 3) < max(mode, 1)` is shorter than three comparisons, and harder to read."""


@dataclass(frozen=True)
class ExpressionResult:
    """What the third step found, and how."""

    expression: Expr
    """Equal to the target; the target itself when nothing better is known."""
    outside: Expr | None
    """The part of `expression` that the grammar does not derive; None: it is inside."""
    cost_before: int
    cost_after: int
    rules: tuple[tuple[str, int], ...]
    """The rewrites that fired, with how often, by name."""
    accepted: tuple[tuple[Expr, Expr], ...]
    """(part, what replaced it) of each proof that held, in order."""
    refused: tuple[tuple[Expr, Expr], ...]
    """(part, candidate) of each proof that failed."""
    enumerated: int
    """Expressions that the search built."""
    seconds: float


def find_expression(
    target: Expr,
    terminals: Sequence[Expr],
    grammar: Grammar,
    prove: Prove,
    facts: Facts | None = None,
    budget: int = SEARCH_BUDGET,
    identity: Expr | None = None,
) -> ExpressionResult:
    """The simplest expression found that equals `target` for all values of its symbols.

    `terminals` are those of step 2 (the grammar's `terms`), `identity` its `iden`. `prove(a, b)`
    says whether a equals b wherever a is defined; it is asked only about candidates that agree on
    thousands of samples. `facts` gives intervals of integer symbols, by default their types'.
    The search ends when it has done the work of building `budget` expressions: the answer doesn't
    depend on the machine, unless it takes longer than `_MOST_SECONDS`.
    """
    search = _Search(terminals, grammar, prove, facts, budget, identity)
    return search.run(target)


class _Search:
    def __init__(
        self,
        terminals: Sequence[Expr],
        grammar: Grammar,
        prove: Prove,
        facts: Facts | None,
        budget: int,
        identity: Expr | None,
    ) -> None:
        self.start = time.perf_counter()
        self.deadline = time.process_time() + _MOST_SECONDS
        self.left = budget
        self.grammar = grammar
        self.terminals = tuple(terminals)
        self.identity = identity
        self.words = grammar.expression_vocabulary
        self.prove = prove
        self.rewriter = Rewriter(facts, self.words)
        self.last = Rewriter(facts, self.words, last=True)
        self.accepted: list[tuple[Expr, Expr]] = []
        self.refused: list[tuple[Expr, Expr]] = []
        self.enumerated = 0
        self.compared: dict[tuple[Expr, Expr], bool] = {}
        self.worth: dict[Expr, bool] = {}
        self.costs: dict[Expr, int] = {}

    def run(self, target: Expr) -> ExpressionResult:
        best = self.rewriter.simplify(self.with_arms_joined(self.rewriter.simplify(target)))
        searched: set[Expr] = set()
        while self.left > 0 and time.process_time() < self.deadline:
            waiting = [p for p in self.parts_worth_a_search(best) if p not in searched]
            if not waiting:
                break
            part = waiting[0]
            searched.add(part)
            better = self.improve(part, max(1, self.left // len(waiting)))
            if better is not None:
                best = self.rewriter.simplify(replace_part(best, part, better))
        best = self.last.simplify(best)
        if self.outside(best) is not None and self.outside(target) is None:
            best = target
        return ExpressionResult(
            expression=best,
            outside=self.outside(best),
            cost_before=cost(target),
            cost_after=cost(best),
            rules=tuple(sorted((self.rewriter.fired + self.last.fired).items())),
            accepted=tuple(self.accepted),
            refused=tuple(self.refused),
            enumerated=self.enumerated,
            seconds=time.perf_counter() - self.start,
        )

    def with_arms_joined(self, expr: Expr) -> Expr:
        """`expr` without choices between what is the same, as the body of a loop and what is left
        behind it are mostly: the shorter one stands for all."""
        done: dict[Expr, Expr] = {}
        for node in parts(expr):
            below = read_parts(node)
            if is_terminal(node) or not below:
                done[node] = node
                continue
            made = node.rebuild(tuple(done[part] for part in below))
            done[node] = self._arms_joined(made) if isinstance(made, n.Select) else made
        return done[expr]

    def _arms_joined(self, choice: n.Select) -> Expr:
        arms = sorted(_arms(choice), key=self.cost)
        if len(arms) > _MOST_ARMS:
            return choice
        same: dict[Expr, Expr] = {}
        for number, arm in enumerate(arms):
            for shorter in arms[:number]:
                if shorter not in same and self._are_one(shorter, arm):
                    same[arm] = shorter
                    break
        return _with_arms(choice, same) if same else choice

    def _are_one(self, a: Expr, b: Expr) -> bool:
        if self.cost(b) < _WORTH_A_COMPARISON or not symbols(a):
            return False
        if (a, b) not in self.compared:
            self.compared[a, b] = self.prove(b, a)
        return self.compared[a, b]

    def outside(self, expr: Expr) -> Expr | None:
        known = self.terminals or None
        return outside(self.grammar, "Expr", expr, known, self.identity)

    def parts_worth_a_search(self, expr: Expr) -> list[Expr]:
        """The integer parts with few symbols, the smallest first, the whole last."""
        found = [part for part in parts(expr) if self.is_worth_a_search(part)]
        return sorted(found, key=self.cost)  # stable: equals stay in order

    def is_worth_a_search(self, part: Expr) -> bool:
        if part not in self.worth:
            self.worth[part] = self._is_worth_a_search(part)
        return self.worth[part]

    def _is_worth_a_search(self, part: Expr) -> bool:
        if is_terminal(part) or isinstance(part, Const) or not part.type.is_integer:
            return False
        inner = computation(part, _MOST_NODES)
        if len(inner) > _MOST_NODES or not 1 <= sum(map(is_terminal, inner)) <= _MOST_SYMBOLS:
            return False
        if self.cost(part) < _WORTH_A_SEARCH and self.derived(part):
            return False
        return not any(p.type.is_float for p in inner)

    def cost(self, part: Expr) -> int:
        return cost(part, self.costs)

    def improve(self, part: Expr, budget: int) -> Expr | None:
        """Something equal to `part` that costs less (or that is in the grammar at last).

        Takes what it spends from `left`, about `budget` at most.
        """
        self.left -= _PRICE_OF_PART
        free = symbols(part)
        names = named(free)
        back = {variable: symbol for symbol, variable in names.items()}
        goal = with_names(part, names)
        near = [int(c.value) for c in constants(part)]
        types = [s.type for s in free]
        inputs = sample(types, near, _SAMPLES)
        good = np.broadcast_to(defined(goal, inputs), (_SAMPLES,))
        if not good.any():
            return None
        inputs = {name: values[good] for name, values in inputs.items()}
        values = np.broadcast_to(evaluate(goal, inputs), (int(good.sum()),))
        used = _types(part)
        searching = operators(self.words, used, {type(p) for p in computation(part)})
        leaves = [(variable, cost(symbol)) for symbol, variable in names.items()]
        enumeration = Enumeration(
            leaves + _constant_leaves(near, used),
            goal,
            values,
            inputs,
            searching,
            overflows(goal, inputs),
        )
        must = not self.derived(part)
        numerator, denominator = _GAIN_OF_CONDITION if part.type.is_bool else _GAIN
        limit = cost(part) + 4 if must else cost(part) * numerator // denominator
        second = sample(types, near, _SECOND_LOOK, seed=1)
        good = np.broadcast_to(defined(goal, second), (_SECOND_LOOK,))
        expected = np.where(good, evaluate(goal, second), 0)
        failed = 0
        result = None
        for found in enumeration.candidates(limit, budget, self.deadline):
            if not np.array_equal(np.where(good, evaluate(found, second), 0), expected):
                continue
            candidate = with_names(found, back)
            if cost(candidate) > limit or not self.derived(candidate):
                continue
            self.left -= _PRICE_OF_PROOF
            if self.prove(part, candidate):
                self.accepted.append((part, candidate))
                result = candidate
                break
            self.refused.append((part, candidate))
            failed += 1
            if failed == _MOST_PROOFS:
                break
        self.enumerated += enumeration.tried
        self.left -= enumeration.spent
        return result

    def derived(self, expr: Expr) -> bool:
        return derives(self.grammar, "Expr", expr, self.terminals or None, self.identity)


def _arms(choice: Expr) -> dict[Expr, None]:
    """What a choice, of choices perhaps, is between."""
    if not isinstance(choice, n.Select):
        return {choice: None}
    return {**_arms(choice.a), **_arms(choice.b)}


def _with_arms(choice: Expr, others: dict[Expr, Expr]) -> Expr:
    if not isinstance(choice, n.Select):
        return others.get(choice, choice)
    a, b = _with_arms(choice.a, others), _with_arms(choice.b, others)
    return a if a is b else n.Select(choice.condition, a, b)


def _types(part: Expr) -> list[Type]:
    """The integer types that the search computes in, in a fixed order: those of the part."""
    found = {p.type for p in computation(part)} | {BOOL}
    return sorted(found, key=lambda t: (t.bits, t.code))


def _constant_leaves(near: Sequence[int], types: Sequence[Type]) -> list[tuple[Expr, int]]:
    """Constants of the part at their cost; its neighbours and the usual ones a little dearer."""
    found: list[tuple[Expr, int]] = []
    usual = (0, 1, 255, 65535)
    for type in types:
        if type.is_bool:
            continue
        prices: dict[int, int] = {}
        for value in near:
            prices[value] = constant_weight(value)
        for value in (*usual, *(v + d for v in near for d in (-1, 1))):
            prices.setdefault(value, constant_weight(value) + (0 if value in (0, 1) else 1))
        found += [(Const(type, v), price) for v, price in prices.items() if type.contains(v)]
    return found


def replace_part(expr: Expr, part: Expr, by: Expr) -> Expr:
    """`expr` with `part` replaced in the computation; indices of reads stay as they are."""
    done: dict[Expr, Expr] = {part: by}

    def walk(node: Expr) -> Expr:
        if node not in done:
            kept = isinstance(node, n.Load) or (
                isinstance(node, n.Call) and node.kind in ("image", "func")
            )
            done[node] = node if kept else node.rebuild(tuple(map(walk, node.children)))
        return done[node]

    return walk(expr)
