"""The notation of grammars: figure 4 of dexter-2019 as text, parsed into patterns.

    file        ::= rule*                         # starts a comment; lines break anywhere
    rule        ::= NAME ':=' alternative ('|' alternative)*
    alternative ::= '...'                         the default's alternatives of this rule
                  | OPERATOR | QUOTED             in a rule that lists operators: + << '|'
                  | pattern
    pattern     ::= pattern OPERATOR pattern      C++'s precedences; ± is + or -, × is *
                  | pattern NAME pattern          NAME is a rule that lists operators: Expr BOp Expr
                  | NAME pattern                  the same, before its operand: UOp Expr
                  | primary
    primary     ::= NAME | NUMBER | ('-' | '~' | '!') primary
                  | NAME '(' pattern (',' pattern)* [',' '...'] ')'   a read or a call
                  | 'cast' '<' NAME '>' '(' pattern ')'
                  | '(' pattern '?' pattern ':' pattern ')'
                  | '(' pattern ')' | '(' pattern (',' pattern)+ ')' | '[' pattern ... ']'

`, ...` after the last argument means that it may be repeated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn

from compiler.ir import OPERATORS, BitNot, Not

from ..model.diagnostic import Diagnostic, LiftError, Span


@dataclass(frozen=True, slots=True)
class Pattern:
    """Base of what stands right of `:=`; `span` says where, and plays no part in equality."""

    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Word(Pattern):
    """A rule's name, an open word (`intvar`, `const`, ...) or a type's name."""

    name: str


@dataclass(frozen=True, slots=True)
class Number(Pattern):
    value: int


@dataclass(frozen=True, slots=True)
class OperatorPattern(Pattern):
    """An operator by itself, in a rule that lists operators."""

    symbol: str


@dataclass(frozen=True, slots=True)
class Infix(Pattern):
    """`left operator right`; the operator is a symbol, or the name of a rule that lists some."""

    operator: str
    left: Pattern
    right: Pattern


@dataclass(frozen=True, slots=True)
class Prefix(Pattern):
    operator: str
    operand: Pattern


@dataclass(frozen=True, slots=True)
class Ternary(Pattern):
    condition: Pattern
    then: Pattern
    otherwise: Pattern


@dataclass(frozen=True, slots=True)
class Apply(Pattern):
    """`head(args)`: a read of an array or a call; `repeats`: the last argument may repeat."""

    head: str
    args: tuple[Pattern, ...]
    repeats: bool


@dataclass(frozen=True, slots=True)
class CastTo(Pattern):
    type: str
    value: Pattern


@dataclass(frozen=True, slots=True)
class GroupPattern(Pattern):
    """`(a, b)` or `[a, ...]`: bounds and lists of bounds in the grammar of regions."""

    items: tuple[Pattern, ...]
    repeats: bool


@dataclass(frozen=True, slots=True)
class Inherited(Pattern):
    """`...` as an alternative: the alternatives that the rule had before this file."""


@dataclass(frozen=True, slots=True)
class Production:
    """One rule: its name and its alternatives in the order of the file."""

    name: str
    alternatives: tuple[Pattern, ...]
    span: Span = field(compare=False, repr=False)


_SYMBOLS = {row.symbol: row.strength for row in OPERATORS.values() if row.is_infix}
_STRENGTH: dict[str, int] = {
    **{symbol: strength for symbol, strength in _SYMBOLS.items() if symbol != "|"},
    "×": _SYMBOLS["*"],
    "±": _SYMBOLS["+"],
}
"""How tightly infix symbols bind; `|` alone stands between alternatives."""
_QUOTABLE = {**_STRENGTH, "|": _SYMBOLS["|"]} | {
    OPERATORS[kind].symbol: OPERATORS[kind].strength for kind in (BitNot, Not)
}
_PREFIXES = ("-", "~", "!")
_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+|\#[^\n]*)|(?P<name>[A-Za-z_][A-Za-z_0-9]*)|(?P<number>[0-9]+)"
    r"|(?P<quoted>'[^'\n]*')|(?P<symbol>\.\.\.|:=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&^~!<>±×()\[\],?:|])"
)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    span: Span


def syntax_error(message: str, span: Span, help: str | None = None) -> NoReturn:
    """Raises the `LiftError` of a bad grammar, code `grammar-syntax`."""
    raise LiftError(Diagnostic("grammar-syntax", "error", message, span, help=help))


def _tokens(text: str, file: str) -> list[_Token]:
    found: list[_Token] = []
    line, start, at = 1, 0, 0
    while at < len(text):
        column = at - start + 1
        match = _TOKEN.match(text, at)
        if match is None:
            syntax_error(
                f"{text[at]!r} is no part of the grammar notation",
                Span(file, line, column, line, column + 1),
                "operators that the notation uses itself are quoted, as in '|'",
            )
        kind, piece = str(match.lastgroup), match.group()
        if kind != "space":
            found.append(_Token(kind, piece, Span(file, line, column, line, column + len(piece))))
        at = match.end()
        if "\n" in piece:
            line += piece.count("\n")
            start = match.start() + piece.rindex("\n") + 1
    end = Span(file, line, at - start + 1, line, at - start + 2)
    return [*found, _Token("end", "the end of the file", end)]


class _Parser:
    def __init__(self, text: str, file: str) -> None:
        self.tokens = _tokens(text, file)
        self.at = 0

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def take(self) -> _Token:
        token = self.next
        self.at += 1
        return token

    def accept(self, text: str) -> bool:
        if self.next.kind == "symbol" and self.next.text == text:
            self.at += 1
            return True
        return False

    def expect(self, text: str, why: str) -> None:
        if not self.accept(text):
            syntax_error(f"expected `{text}` {why}, not `{self.next.text}`", self.next.span)

    def at_rule(self) -> bool:
        after = self.tokens[min(self.at + 1, len(self.tokens) - 1)]
        return self.next.kind == "name" and after.kind == "symbol" and after.text == ":="

    def at_end_of_alternative(self) -> bool:
        token = self.next
        bar = token.kind == "symbol" and token.text == "|"
        return bar or token.kind == "end" or self.at_rule()

    def rule(self) -> Production:
        if self.next.kind != "name":
            syntax_error(f"expected the name of a rule, not `{self.next.text}`", self.next.span)
        name = self.take()
        self.expect(":=", f"after the rule's name `{name.text}`")
        alternatives = [self.alternative()]
        while self.accept("|"):
            alternatives.append(self.alternative())
        if not self.at_end_of_alternative():
            syntax_error(f"`{self.next.text}` does not continue this alternative", self.next.span)
        return Production(name.text, tuple(alternatives), name.span)

    def alternative(self) -> Pattern:
        token = self.next
        if self.at_end_of_alternative():
            syntax_error("an alternative is empty", token.span)
        operator = self.operator_text(token)
        if token.text == "..." or operator is not None:
            self.at += 1
            if self.at_end_of_alternative():
                if operator is not None:
                    return OperatorPattern(token.span, operator)
                return Inherited(token.span)
            self.at -= 1
        return self.pattern()

    def operator_text(self, token: _Token) -> str | None:
        if token.kind == "quoted":
            text = token.text[1:-1]
            if text not in _QUOTABLE:
                syntax_error(f"{token.text} is no operator", token.span)
            return text
        if token.kind == "symbol" and (token.text in _STRENGTH or token.text in _PREFIXES):
            return token.text
        return None

    def pattern(self) -> Pattern:
        first = self.infix(0)
        if not self.starts_primary():
            return first
        second = self.infix(0)
        if not self.starts_primary():
            if not isinstance(first, Word):
                syntax_error("an operator must be the name of a rule", first.span)
            return Prefix(first.span, first.name, second)
        third = self.infix(0)
        if not isinstance(second, Word):
            syntax_error("an operator must be the name of a rule", second.span)
        if self.starts_primary():
            syntax_error(f"`{self.next.text}` does not continue this alternative", self.next.span)
        return Infix(first.span, second.name, first, third)

    def starts_primary(self) -> bool:
        token = self.next
        if token.kind == "name":
            return not self.at_rule()
        return token.kind == "number" or (token.kind == "symbol" and token.text in "([")

    def infix(self, strength: int) -> Pattern:
        left = self.primary()
        while True:
            operator = self.operator_text(self.next)
            own = _QUOTABLE.get(operator or "", 0)
            if operator is None or own <= strength or operator in ("~", "!"):
                return left
            self.at += 1
            left = Infix(left.span, operator, left, self.infix(own))

    def primary(self) -> Pattern:
        token = self.take()
        if token.kind == "number":
            return Number(token.span, int(token.text))
        if token.kind == "symbol" and token.text in _PREFIXES:
            return Prefix(token.span, token.text, self.primary())
        if token.kind == "symbol" and token.text == "(":
            return self.parenthesis(token.span)
        if token.kind == "symbol" and token.text == "[":
            items, repeats = self.items("]")
            return GroupPattern(token.span, items, repeats)
        if token.kind != "name":
            syntax_error(f"expected an expression, not `{token.text}`", token.span)
        if token.text == "cast" and self.accept("<"):
            if self.next.kind != "name":
                syntax_error("expected a type, or the name of a rule of types", self.next.span)
            type = self.take().text
            self.expect(">", "after the type")
            self.expect("(", "after `cast<...>`")
            value = self.pattern()
            self.expect(")", "after the value")
            return CastTo(token.span, type, value)
        if self.accept("("):
            items, repeats = self.items(")")
            return Apply(token.span, token.text, items, repeats)
        return Word(token.span, token.text)

    def parenthesis(self, span: Span) -> Pattern:
        first = self.pattern()
        if self.accept("?"):
            then = self.pattern()
            self.expect(":", "between the two values of `?`")
            otherwise = self.pattern()
            self.expect(")", "after `? :`")
            return Ternary(span, first, then, otherwise)
        if self.accept(")"):
            return first
        self.expect(",", "or `)`")
        items, repeats = self.items(")")
        return GroupPattern(span, (first, *items), repeats)

    def items(self, close: str) -> tuple[tuple[Pattern, ...], bool]:
        if self.accept(close):
            return (), False
        items = [self.pattern()]
        while self.accept(","):
            if self.accept("..."):
                self.expect(close, "after `...`")
                return tuple(items), True
            items.append(self.pattern())
        self.expect(close, "or `,`")
        return tuple(items), False


def parse_productions(text: str, file: str) -> tuple[Production, ...]:
    """The rules of one grammar file, in order; raises `LiftError` (`grammar-syntax`) with a place.

    A rule may stand only once in a file. Names are not resolved here: rules of other files count.
    """
    parser = _Parser(text, file)
    rules: dict[str, Production] = {}
    while parser.next.kind != "end":
        rule = parser.rule()
        if rule.name in rules:
            first = rules[rule.name].span
            syntax_error(f"the rule {rule.name} stands here twice, first at {first}", rule.span)
        rules[rule.name] = rule
    return tuple(rules.values())
