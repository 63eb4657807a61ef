"""The rewriting engine: rules are named data; who uses them says how often they are tried.

Most rules are equations between patterns, written with `Formula`'s operators over wildcards:

    Rule("min-of-max", "iu", lambda w: (w.x.max(w.y).min(w.y), w.y))
    Rule("div-div", "iu", lambda w: (w.x / w.c / w.d, w.x / (w.c * w.d)),
         when=lambda f: f["c"] > 0 and f["d"] > 0 and f.type.contains(f["c"] * f["d"]))

`w.x`, `w.y`, `w.z` stand for any expressions of the rule's type, `w.c` and `w.d` for constants of
it, `w.p` and `w.q` for booleans. What no pattern can say (how wide a thing must be, what is known
inside of a choice) is a `CodedRule`. Both are looked up by the kind of node at their root, and
tests prove each, show that it fires, and that a wrong one is found.

Who rewrites: `simplify` until no rule fits (a fixpoint), `lifter.synth` where the result is cheaper
to read, `lifter.verify` to a canonical form, `lifter.emit` before it prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar, Protocol

from . import nodes as n
from .fold import fold
from .formula import Formula
from .nodes import Call, Const, Expr, Variable
from .operators import Range
from .types import BOOL, Type


class Wildcard(Variable):
    """A variable of a pattern: it stands for an expression, or for a constant alone."""

    __slots__ = ("constant",)
    fields: ClassVar[tuple[str, ...]] = ("name", "type", "constant")
    constant: bool

    @classmethod
    def _check(cls, name: str, type: Type, constant: bool) -> Type:  # type: ignore[override]
        return type


class Wildcards:
    """What patterns of a rule for operands of `type` are made of."""

    def __init__(self, type: Type) -> None:
        self.type = type
        self.x, self.y, self.z = (Formula(Wildcard(name, type, False)) for name in "xyz")
        self.c, self.d = (Formula(Wildcard(name, type, True)) for name in "cd")
        self.p, self.q = (Formula(Wildcard(name, BOOL, False)) for name in "pq")

    def constant(self, value: int | float) -> Formula:
        return Formula(n.const(value, self.type))

    def of(self, kind: type[n.Binary], a: Formula, b: Formula | int) -> Formula:
        """A node that Python has no operator for."""
        return Formula(kind(a.node, b.node if isinstance(b, Formula) else a.like(b).node))

    def same_type(self, value: Formula) -> Formula:
        """The conversion to the type of the rule, which `Formula.to` leaves out of its own type."""
        return Formula(n.Cast(self.type, value.node))


class Context(Protocol):
    """What a rule may ask while it looks at a node whose operands are rewritten already."""

    def ranges(self, expr: Expr) -> Range:
        """An interval that holds the integer `expr`."""

    def simplify(self, expr: Expr) -> Expr:
        """The simple form of an expression that the rule is about to build."""


@cache
def _wildcards(type: Type) -> Wildcards:
    """Those of all rules for a type."""
    return Wildcards(type)


class Match:
    """What the wildcards of a pattern were found to stand for, for a rule's side condition."""

    def __init__(
        self,
        type: Type,
        values: Mapping[str, int | float],
        ranges: Callable[[str], Range] | None = None,
    ) -> None:
        self.type = type
        self._values = values
        self._ranges = ranges

    def __getitem__(self, name: str) -> int | float:
        """The number that the constant `name` is."""
        return self._values[name]

    def low(self, name: str) -> int:
        """A number that what `name` stands for is never below."""
        return self._range(name)[0]

    def high(self, name: str) -> int:
        """A number that what `name` stands for is never above."""
        return self._range(name)[1]

    def _range(self, name: str) -> Range:
        if self._ranges is None:
            raise TypeError("nothing is known of ranges here")
        return self._ranges(name)


Side = Formula | int | float
Equation = tuple[Formula, Side]


@dataclass(frozen=True)
class Rule:
    """Where operands are of a type in `kinds` and `when` holds, each left side equals its right.

    `kinds` is any of `i` (signed), `u` (unsigned), `f` (float), `b` (boolean).
    """

    name: str
    kinds: str
    build: Callable[[Wildcards], Equation | Sequence[Equation]]
    when: Callable[[Match], bool] | None = None
    canonical: bool = False
    """Whether it is worth while where the two sides cost the same (such a rule must not undo
    another's work, or rewriting would not end)."""
    _instances: dict[Type, tuple[tuple[Expr, Expr], ...]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def applies_to(self, type: Type) -> bool:
        if type.lanes != 1 or type.code == "bfloat":
            return False
        return ("b" if type.is_bool else type.code[0]) in self.kinds

    def instances(self, type: Type) -> tuple[tuple[Expr, Expr], ...]:
        """The rule's equations for operands of `type`: (left, right)."""
        found = self._instances.get(type)
        if found is None:
            built = self.build(_wildcards(type))
            equations = [built] if isinstance(built, tuple) else built
            made = [(left.node, _node(right, left.type)) for left, right in equations]
            found = self._instances[type] = tuple(made)
        return found

    @property
    def roots(self) -> frozenset[type[Expr]]:
        """The kinds of node that the left sides are."""
        return frozenset(
            left.__class__
            for type in (Type("int", 8), Type("uint", 8), Type("float", 32), BOOL)
            if self.applies_to(type)
            for left, _ in self.instances(type)
        )

    def apply(self, node: Expr, context: Context | None = None) -> Expr | None:
        """What the rule makes of `node`, or None where it doesn't fit."""
        type = operand_type(node)
        if not self.applies_to(type):
            return None
        for left, right in self.instances(type):
            if left.__class__ is node.__class__:
                made = instance_at(self, left, right, node, context)
                if made is not None:
                    return made
        return None


@dataclass(frozen=True)
class CodedRule:
    """A rule that no pattern can say: `meaning` is an example of what `rewrite` does."""

    name: str
    meaning: str
    roots: frozenset[type[Expr]]
    rewrite: Callable[[Expr, Context], Expr | None]
    canonical: bool = False

    def apply(self, node: Expr, context: Context) -> Expr | None:
        """What the rule makes of `node`, or None where it doesn't fit."""
        return self.rewrite(node, context)


AnyRule = Rule | CodedRule


def coded(
    into: list[AnyRule], name: str, meaning: str, *roots: type[Expr], canonical: bool = False
) -> Callable[[Callable[[Expr, Context], Expr | None]], Callable[[Expr, Context], Expr | None]]:
    """Decorates the function of a new `CodedRule` at the end of `into`."""

    def add(rewrite: Callable[[Expr, Context], Expr | None]) -> Callable[..., Expr | None]:
        into.append(CodedRule(name, meaning, frozenset(roots), rewrite, canonical))
        return rewrite

    return add


class RuleSet:
    """Rules in the order in which they are tried, found by the node and the type that they fit."""

    def __init__(self, rules: Sequence[AnyRule]) -> None:
        self.rules = tuple(rules)
        self._at: dict[tuple[type[Expr], Type], tuple[_Attempt, ...]] = {}
        self._over: dict[tuple[object, ...], tuple[_Attempt, ...]] = {}

    def first(self, node: Expr, context: Context | None = None) -> Expr | None:
        """What the first rule that fits makes of `node`; coded rules need a context."""
        for attempt in self._attempts(node):
            made = attempt.tried(node, context)
            if made is not None:
                return made
        return None

    def all(self, node: Expr, context: Context) -> Iterator[tuple[AnyRule, Expr]]:
        """Each rule that fits, and what it makes of `node`."""
        for attempt in self._attempts(node):
            made = attempt.tried(node, context)
            if made is not None:
                yield attempt.rule, made

    def _attempts(self, node: Expr) -> tuple[_Attempt, ...]:
        """The rules for nodes of this kind and type, over operands of these kinds."""
        kind, type = node.__class__, operand_type(node)
        operands = [child.__class__ for child in node.children]
        over = (kind, type, *operands)
        found = self._over.get(over)
        if found is None:
            every = self._at.get((kind, type))
            if every is None:
                every = self._at[kind, type] = tuple(self._made(kind, type))
            found = self._over[over] = tuple(x for x in every if x.may_fit(operands))
        return found

    def _made(self, kind: type[Expr], type: Type) -> Iterator[_Attempt]:
        for rule in self.rules:
            if isinstance(rule, CodedRule):
                if kind in rule.roots:
                    yield _Attempt(rule)
            elif rule.applies_to(type):
                for left, right in rule.instances(type):
                    if left.__class__ is kind:
                        yield _Attempt(rule, left, right)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A rule at nodes of one kind and type; of an equation the two sides."""

    rule: AnyRule
    left: Expr | None = None
    right: Expr | None = None

    def may_fit(self, operands: Sequence[type[Expr]]) -> bool:
        """Whether the rule may fit a node whose operands are of these kinds."""
        if self.left is None:
            return True
        parts = self.left.children
        return len(parts) == len(operands) and all(map(_may_be, parts, operands))

    def tried(self, node: Expr, context: Context | None) -> Expr | None:
        rule = self.rule
        if isinstance(rule, CodedRule):
            assert context is not None
            return rule.rewrite(node, context)
        assert self.left is not None and self.right is not None
        return instance_at(rule, self.left, self.right, node, context)


def operand_type(node: Expr) -> Type:
    """The type that rules on `node` are written for: that of what it, or the comparison in its
    `Not`, works on."""
    if isinstance(node, n.Select | n.Cast) or not node.children:
        return node.type
    first = node.children[0]
    through = isinstance(node, n.Not) and isinstance(first, n.Comparison)
    return first.children[0].type if through else first.type


def instance_at(
    rule: Rule, left: Expr, right: Expr, node: Expr, context: Context | None
) -> Expr | None:
    """`right` with what the wildcards of `left` stand for in `node`; None where it doesn't fit."""
    binding: dict[Expr, Expr] = {}
    if not matches(left, node, binding):
        return None
    if rule.when is not None and not rule.when(_found(operand_type(node), binding, context)):
        return None
    return built(right, binding, _itself if context is None else context.simplify)


def matches(pattern: Expr, node: Expr, binding: dict[Expr, Expr]) -> bool:
    """Whether `node` is of the pattern's form; fills in what its wildcards stand for."""
    if pattern.__class__ is Wildcard:
        bound = binding.get(pattern)
        if bound is not None:
            return bound is node
        if pattern.type is not node.type:
            return False
        if pattern.constant and not isinstance(node, Const):
            return False
        binding[pattern] = node
        return True
    if isinstance(pattern, Const):
        return pattern is node
    if pattern.__class__ is not node.__class__ or pattern.type is not node.type:
        return False
    if isinstance(pattern, Call) and isinstance(node, Call) and pattern.name != node.name:
        return False
    for part, child in zip(pattern.children, node.children, strict=True):
        if not matches(part, child, binding):
            return False
    return True


def _may_be(pattern: Expr, kind: type[Expr]) -> bool:
    """Whether some node of a kind is of the pattern's form."""
    if isinstance(pattern, Wildcard):
        return issubclass(kind, Const) or not pattern.constant
    return pattern.__class__ is kind


def built(right: Expr, binding: dict[Expr, Expr], finish: Callable[[Expr], Expr]) -> Expr:
    """A rule's right side over what was found; `finish` sees each node that is made and no
    constant."""
    if right.__class__ is Wildcard:
        return binding[right]
    if not right.children:
        return right
    made = right.rebuild(tuple([built(c, binding, finish) for c in right.children]))
    folded = fold(made)
    return finish(made) if folded is made else folded


def _itself(node: Expr) -> Expr:
    return node


def _found(type: Type, binding: dict[Expr, Expr], context: Context | None) -> Match:
    named = {w.name: e for w, e in binding.items() if isinstance(w, Wildcard)}
    values = {name: e.value for name, e in named.items() if isinstance(e, Const)}
    if context is None:
        return Match(type, values)
    ranges = context.ranges
    return Match(type, values, lambda name: ranges(named[name]))


def _node(side: Side, like: Type) -> Expr:
    return side.node if isinstance(side, Formula) else n.const(side, like)
