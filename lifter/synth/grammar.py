"""Grammars as data, and the question whether an expression can be derived from a rule.

The default grammars of the three steps stand in grammars/*.grammar; a user's file replaces the
rules that it names and adds new ones (dexter-2019 sections 5.3.2 and 5.3.3). Open words stand for
whatever a kernel has:

    intvar, floatvar, boolvar   a scalar parameter, coordinate or counter, converted or not
    const                       a number
    arrvar(i, ...)              a read of any array; `name(i, ...)` reads or calls that one alone
    terms                       the terminals of step 2, and constants
    iden                        the output's own value at the point
    arrfun(e, ...)              a pure function of the source, of what an array holds
    f(e, ...)                   any pure function of the source, any function of the DSL, any sum

Two things need no rule. A widening integer conversion that keeps all values is implicit.
`/` and `%` stand for both kinds of division (the signs decide which is written), `±` for + and -.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from compiler.ir import COMMUTATIVE, OPERATORS, Expr, Type
from compiler.ir import nodes as n
from compiler.ir.types import BOOL, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64

from ..dag.reduce import Reduce
from ..model.diagnostic import Diagnostic, LiftError, Span
from .notation import (
    Apply,
    CastTo,
    GroupPattern,
    Infix,
    Inherited,
    Number,
    OperatorPattern,
    Pattern,
    Prefix,
    Production,
    Ternary,
    Word,
    parse_productions,
    syntax_error,
)  # fmt: skip

DEFAULT_FILES = tuple(
    Path(__file__).parent / "grammars" / f"{name}.grammar"
    for name in ("roi", "terminals", "expression")
)

TYPES: dict[str, Type] = {
    "bool": BOOL, "float": F32, "double": F64, "float16_t": F16,
    "uint8_t": U8, "uint16_t": U16, "uint32_t": U32, "uint64_t": U64,
    "int8_t": I8, "int16_t": I16, "int32_t": I32, "int64_t": I64,
}  # fmt: skip
_OPEN_WORDS = {"intvar", "floatvar", "boolvar", "const", "terms", "iden"}
_HEADS = {"arrvar", "arrfun", "f"}
_REDUCTIONS = {"sum": "add", "product": "mul", "minimum": "min", "maximum": "max"}


def _kinds_of(symbol: str) -> tuple[type[Expr], ...]:
    return tuple(k for k, row in OPERATORS.items() if row.is_infix and row.symbol == symbol)


INFIXES: dict[str, tuple[type[Expr], ...]] = {
    **{row.symbol: _kinds_of(row.symbol) for row in OPERATORS.values() if row.is_infix},
    "±": (n.Add, n.Sub),
    "×": (n.Mul,),
}
"""The nodes that each infix symbol stands for."""
PREFIXES: dict[str, type[Expr]] = {OPERATORS[k].symbol: k for k in (n.Neg, n.BitNot, n.Not)}
"""The node that each prefix symbol stands for."""
_FUNCTIONS: dict[str, type[Expr]] = {"min": n.Min, "max": n.Max, "select": n.Select}


@dataclass(frozen=True, slots=True)
class GrammarText:
    """A grammar file that was read: other processes and machines get its text."""

    path: str
    text: str


@dataclass(frozen=True)
class Grammar:
    """Productions by name. `load_grammar` makes one and checks that every name is known."""

    productions: dict[str, Production]
    files: tuple[str, ...] = ()
    _closures: dict[str, tuple[Pattern, ...]] = field(default_factory=dict, repr=False)

    def alternatives(self, rule: str) -> tuple[Pattern, ...]:
        """What `rule` can be, with rules that stand alone replaced by their own alternatives."""
        found = self._closures.get(rule)
        if found is None:
            found = tuple(self._expand(rule, set()))
            self._closures[rule] = found
        return found

    def _expand(self, rule: str, seen: set[str]) -> Iterator[Pattern]:
        seen.add(rule)
        for alternative in self.productions[rule].alternatives:
            if isinstance(alternative, Word) and alternative.name in self.productions:
                if alternative.name not in seen:
                    yield from self._expand(alternative.name, seen)
            else:
                yield alternative

    def operators(self, name: str) -> tuple[type[Expr], ...]:
        """The nodes of an infix operator's symbol, or of all symbols that a rule lists."""
        if name not in self.productions:
            return INFIXES[name]
        symbols = [a.symbol for a in self.alternatives(name) if isinstance(a, OperatorPattern)]
        return tuple(kind for symbol in symbols for kind in INFIXES.get(symbol, ()))

    def prefixes(self, name: str) -> tuple[type[Expr], ...]:
        """The nodes of a prefix operator's symbol, or of all symbols that a rule lists."""
        if name not in self.productions:
            return (PREFIXES[name],)
        symbols = [a.symbol for a in self.alternatives(name) if isinstance(a, OperatorPattern)]
        return tuple(PREFIXES[symbol] for symbol in symbols if symbol in PREFIXES)

    def types(self, name: str) -> tuple[Type, ...]:
        """The type of that name, or all types that a rule lists."""
        if name not in self.productions:
            return (TYPES[name],)
        listed = self.alternatives(name)
        return tuple(TYPES[a.name] for a in listed if isinstance(a, Word) and a.name in TYPES)

    @cached_property
    def expression_vocabulary(self) -> Vocabulary:
        """What `Expr` can be made of: see `vocabulary`."""
        return vocabulary(self, "Expr")


@dataclass(frozen=True)
class Vocabulary:
    """The nodes, functions and types that can occur in what a rule derives, at any depth."""

    nodes: frozenset[type[Expr]]
    functions: frozenset[str]
    """Names of intrinsics and of the source's functions that are named in the grammar."""
    any_function: bool
    casts: frozenset[Type]

    def admits(self, expr: Expr) -> bool:
        """Whether the root of `expr` may occur at all. Leaves and reads always may."""
        if isinstance(expr, n.Cast):
            return expr.type in self.casts or _widens(expr)
        if isinstance(expr, n.Call) and expr.kind in ("pure", "intrinsic"):
            return self.any_function or expr.name in self.functions
        if isinstance(expr, (n.Binary, n.Unary, n.Select)):
            return type(expr) in self.nodes
        return True


def vocabulary(grammar: Grammar, rule: str) -> Vocabulary:
    """What the patterns that can be reached from `rule` are made of."""
    nodes: set[type[Expr]] = set()
    functions: set[str] = set()
    casts: set[Type] = set()
    reached: set[str] = set()
    pending: list[Pattern] = list(grammar.alternatives(rule))
    while pending:
        pattern = pending.pop()
        if isinstance(pattern, Word) and pattern.name in grammar.productions:
            if pattern.name not in reached:
                reached.add(pattern.name)
                pending.extend(grammar.alternatives(pattern.name))
        elif isinstance(pattern, Infix):
            nodes.update(grammar.operators(pattern.operator))
        elif isinstance(pattern, Prefix):
            nodes.update(grammar.prefixes(pattern.operator))
        elif isinstance(pattern, Ternary):
            nodes.add(n.Select)
        elif isinstance(pattern, Apply):
            functions.add(pattern.head)
            if pattern.head in _FUNCTIONS:
                nodes.add(_FUNCTIONS[pattern.head])
            if pattern.head == "clamp":
                nodes.update((n.Min, n.Max))
        elif isinstance(pattern, CastTo):
            casts.update(grammar.types(pattern.type))
        pending.extend(_operands(pattern))
    if "f" in functions:
        nodes.update((n.Min, n.Max))
    return Vocabulary(frozenset(nodes), frozenset(functions), "f" in functions, frozenset(casts))


def load_grammar(paths: Sequence[Path | GrammarText] = ()) -> Grammar:
    """The default grammars of all three steps, changed by the files of `paths` in order.

    A file replaces the rules that it names and adds new ones; `...` as an alternative stands for
    the alternatives that the rule had before. Raises `LiftError` with code `grammar-syntax` and
    file:line:column for anything that is not in the notation or names what nobody defines.
    """
    productions: dict[str, Production] = {}
    files = [p if isinstance(p, GrammarText) else read_grammar(p) for p in (*DEFAULT_FILES, *paths)]
    for file in files:
        for rule in parse_productions(file.text, file.path):
            productions[rule.name] = _inherit(rule, productions.get(rule.name))
    grammar = Grammar(productions, tuple(f.path for f in files[len(DEFAULT_FILES) :]))
    for rule in productions.values():
        _check_rule(grammar, rule)
    return grammar


def read_grammar(path: Path) -> GrammarText:
    """Reads one file; raises `LiftError` with code `grammar-syntax` when it can't be read."""
    try:
        return GrammarText(str(path), Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8"
        syntax_error(f"cannot read the grammar: {reason}", Span(str(path), 1, 1, 1, 1))


def _inherit(rule: Production, before: Production | None) -> Production:
    alternatives: list[Pattern] = []
    for alternative in rule.alternatives:
        if not isinstance(alternative, Inherited):
            alternatives.append(alternative)
        elif before is None:
            syntax_error(f"`...` has nothing to stand for: {rule.name} is new", alternative.span)
        else:
            alternatives.extend(before.alternatives)
    return Production(rule.name, tuple(alternatives), rule.span)


def _check_rule(grammar: Grammar, rule: Production) -> None:
    if rule.name in _OPEN_WORDS | _HEADS | TYPES.keys() | {"cast"}:
        syntax_error(f"{rule.name} is a word of the notation, not a rule's name", rule.span)
    if not grammar.alternatives(rule.name):
        syntax_error(f"{rule.name} never ends: its alternatives only name each other", rule.span)
    pending = list(rule.alternatives)
    while pending:
        pattern = pending.pop()
        if isinstance(pattern, Word):
            if pattern.name not in grammar.productions.keys() | _OPEN_WORDS | TYPES.keys():
                syntax_error(
                    f"`{pattern.name}` is neither a rule nor a word of the notation",
                    pattern.span,
                    f"words: {', '.join(sorted(_OPEN_WORDS))}; a function needs its arguments",
                )
        elif isinstance(pattern, Infix) and pattern.operator not in INFIXES:
            _check_listed(grammar, pattern.operator, INFIXES.keys(), "an infix operator", pattern)
        elif isinstance(pattern, Prefix) and pattern.operator not in PREFIXES:
            _check_listed(grammar, pattern.operator, PREFIXES.keys(), "a prefix operator", pattern)
        elif isinstance(pattern, CastTo) and pattern.type not in TYPES:
            _check_listed(grammar, pattern.type, TYPES.keys(), "a type", pattern)
        elif isinstance(pattern, Apply) and not pattern.args:
            syntax_error(f"`{pattern.head}()` has no arguments", pattern.span)
        pending.extend(_operands(pattern))


def _check_listed(
    grammar: Grammar, name: str, known: Collection[str], what: str, pattern: Pattern
) -> None:
    if name not in grammar.productions:
        syntax_error(f"`{name}` is neither {what} nor a rule that lists some", pattern.span)
    for item in grammar.alternatives(name):
        text = item.symbol if isinstance(item, OperatorPattern) else getattr(item, "name", "")
        if text not in known:
            syntax_error(f"the rule {name} is used as {what}, but this is none", item.span)


def _operands(pattern: Pattern) -> tuple[Pattern, ...]:
    if isinstance(pattern, Infix):
        return (pattern.left, pattern.right)
    if isinstance(pattern, Prefix):
        return (pattern.operand,)
    if isinstance(pattern, Ternary):
        return (pattern.condition, pattern.then, pattern.otherwise)
    if isinstance(pattern, Apply):
        return pattern.args
    if isinstance(pattern, CastTo):
        return (pattern.value,)
    return pattern.items if isinstance(pattern, GroupPattern) else ()


def _widens(expr: Expr) -> bool:
    """Whether this is an integer conversion that keeps every value."""
    if not isinstance(expr, n.Cast) or not (expr.type.is_integer and expr.value.type.is_integer):
        return False
    narrow, wide = expr.value.type, expr.type
    return not narrow.is_bool and wide.contains_all(narrow)


def derives(
    grammar: Grammar,
    rule: str,
    expr: Expr,
    terminals: Collection[Expr] | None = None,
    identity: Expr | None = None,
) -> bool:
    """Whether `expr` is one of the expressions of `rule`.

    `terminals` are what `terms` stands for (None: all that the rule `Term` derives), `identity`
    what `iden` stands for.
    """
    return outside(grammar, rule, expr, terminals, identity) is None


def outside(
    grammar: Grammar,
    rule: str,
    expr: Expr,
    terminals: Collection[Expr] | None = None,
    identity: Expr | None = None,
) -> Expr | None:
    """None when `rule` derives `expr`, else the smallest part of `expr` that is to blame."""
    known = None if terminals is None else frozenset(terminals)
    return _Derivation(grammar, known, identity).rule(rule, expr)


def require_derived(
    grammar: Grammar,
    rule: str,
    expr: Expr,
    span: Span | None,
    terminals: Collection[Expr] | None = None,
    identity: Expr | None = None,
) -> None:
    """Raises `LiftError` (code `outside-grammar`) that shows the part that no rule derives."""
    blamed = outside(grammar, rule, expr, terminals, identity)
    if blamed is not None:
        whole = "" if blamed is expr else f", a part of `{expr}`,"
        raise LiftError(
            Diagnostic(
                "outside-grammar",
                "error",
                f"`{blamed}`{whole} is outside the grammar's rule {rule}",
                span,
                help=f"widen it with --grammar FILE, as in `{rule} := ... | ALTERNATIVE`",
                family="unsupported",
            )
        )


class _Derivation:
    """One question; answers are memoized. Each match returns the part to blame, or None."""

    def __init__(
        self, grammar: Grammar, terminals: frozenset[Expr] | None, identity: Expr | None
    ) -> None:
        self.grammar = grammar
        self.terminals = terminals
        self.identity = identity
        self.done: dict[tuple[str, Expr], Expr | None] = {}

    def rule(self, name: str, expr: Expr) -> Expr | None:
        key = (name, expr)
        if key not in self.done:
            self.done[key] = self.first(self.grammar.alternatives(name), expr)
        return self.done[key]

    def first(self, patterns: Sequence[Pattern], expr: Expr) -> Expr | None:
        # An alternative whose head fits but not its operands explains more than one whose head
        # doesn't fit: it blames a smaller part.
        blamed = expr
        for pattern in patterns:
            found = self.match(pattern, expr)
            if found is None:
                return None
            if blamed is expr:
                blamed = found
        if _widens(expr):
            return self.first(patterns, expr.children[0])
        return blamed

    def match(self, pattern: Pattern, expr: Expr) -> Expr | None:
        if isinstance(pattern, Word):
            if pattern.name in self.grammar.productions:
                return self.rule(pattern.name, expr)
            return None if self.word(pattern.name, expr) else expr
        if isinstance(pattern, Number):
            fits = isinstance(expr, n.Const) and expr.value == pattern.value
            return None if fits else expr
        if isinstance(pattern, Infix):
            return self.infix(pattern, expr)
        if isinstance(pattern, Prefix):
            if type(expr) not in self.grammar.prefixes(pattern.operator):
                return expr
            return self.match(pattern.operand, expr.children[0])
        if isinstance(pattern, Ternary):
            if not isinstance(expr, n.Select):
                return expr
            return self.all((pattern.condition, pattern.then, pattern.otherwise), expr.children)
        if isinstance(pattern, CastTo):
            if not isinstance(expr, n.Cast) or expr.type not in self.grammar.types(pattern.type):
                return expr
            return self.match(pattern.value, expr.value)
        if isinstance(pattern, Apply):
            return self.apply(pattern, expr)
        return expr

    def all(self, patterns: Sequence[Pattern], exprs: Sequence[Expr]) -> Expr | None:
        for pattern, expr in zip(patterns, exprs, strict=True):
            blamed = self.first((pattern,), expr)
            if blamed is not None:
                return blamed
        return None

    def infix(self, pattern: Infix, expr: Expr) -> Expr | None:
        if type(expr) not in self.grammar.operators(pattern.operator):
            return expr
        sides = (pattern.left, pattern.right)
        blamed = self.all(sides, expr.children)
        swapped = blamed is not None and isinstance(expr, COMMUTATIVE)
        return None if swapped and self.all(sides, expr.children[::-1]) is None else blamed

    def apply(self, pattern: Apply, expr: Expr) -> Expr | None:
        args = self.arguments(pattern.head, expr)
        if args is None:
            return expr
        if pattern.repeats:
            if not args and pattern.head == "arrvar":
                return None  # an array that is one number
            if len(args) < len(pattern.args):
                return expr
            extra = len(args) - len(pattern.args)
            return self.all((*pattern.args, *pattern.args[-1:] * extra), args)
        if len(args) != len(pattern.args):
            return expr
        return self.all(pattern.args, args)

    def arguments(self, head: str, expr: Expr) -> tuple[Expr, ...] | None:
        """The arguments of `expr` seen as `head(...)`, or None when it is no such thing."""
        if isinstance(expr, Reduce):
            fits = head == "f" or _REDUCTIONS.get(head) == expr.operator
            return (expr.body,) if fits else None
        if isinstance(expr, n.Load):
            return expr.indices if head in ("arrvar", expr.array) else None
        if isinstance(expr, n.Call):
            if head == "arrfun":
                return expr.args if _is_of_data(expr) else None
            general = "arrvar" if expr.kind in ("image", "func") else "f"
            return expr.args if head in (general, expr.name) else None
        if head == "clamp":
            return _clamp(expr)
        kind = _FUNCTIONS.get(head)
        is_function = isinstance(expr, (n.Min, n.Max)) if head == "f" else type(expr) is kind
        return expr.children if is_function else None

    def word(self, word: str, expr: Expr) -> bool:
        inner = expr.children[0] if isinstance(expr, (n.Cast, n.Neg)) else expr
        if word == "const":
            return isinstance(inner, n.Const)
        if word == "iden":
            return self.identity is not None and expr is self.identity
        if word == "terms":
            if isinstance(inner, n.Const) or (self.terminals and expr in self.terminals):
                return True
            return self.terminals is None and self.rule("Term", expr) is None
        variable = expr.value if isinstance(expr, n.Cast) else expr
        if not isinstance(variable, n.Variable):
            return False
        type = variable.type
        if word == "intvar":
            return type.is_integer and not type.is_bool and expr.type.is_integer
        return type.is_float if word == "floatvar" else type.is_bool


def _is_of_data(expr: n.Call) -> bool:
    """Whether this is a call of a pure function, with an argument that is read from an array."""
    if expr.kind != "pure":
        return False
    return any(
        isinstance(node, n.Load) or (isinstance(node, n.Call) and node.kind in ("image", "func"))
        for node in n.postorder(*expr.args)
    )


def _clamp(expr: Expr) -> tuple[Expr, ...] | None:
    """(value, lowest, highest) of a clamp written with min and max."""
    for outer, inner in ((n.Max, n.Min), (n.Min, n.Max)):
        if isinstance(expr, outer) and isinstance(expr.a, inner):
            bounds = (expr.b, expr.a.b)
            return (expr.a.a, *(bounds if outer is n.Max else bounds[::-1]))
    return None
