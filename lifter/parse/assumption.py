"""Conditions over parameters, as `// lift: assume(...)` and `--assume` give them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from compiler.ir import (
    BOOL,
    COMPARISON_OF,
    F64,
    I32,
    I64,
    OPERATORS,
    U64,
    And,
    BitNot,
    Const,
    Expr,
    Neg,
    Or,
    Type,
    Variable,
    negation,
)

from ..model.diagnostic import Span
from ..model.kernel import Param
from ..model.parameters import size_of
from .arithmetic import operation, promoted
from .failure import user_error
from .folding import convert, fold, number

_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|\d+\.\d*|\.\d+|\d+)|"
    r"(?P<name>[A-Za-z_]\w*(?:\s*(?:\.|->)\s*(?!size\s*\()[A-Za-z_]\w*)*"
    r"(?:\s*\.\s*size\s*\(\s*\))?)|"
    r"(?P<operator><<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>()]))"
)
_INFIX = [row for row in OPERATORS.values() if row.is_infix]
_LEVELS: tuple[tuple[str, ...], ...] = tuple(
    tuple(row.symbol for row in _INFIX if row.strength == strength)
    for strength in sorted({row.strength for row in _INFIX})
)
"""The symbols of each binding strength, the loosest first."""


def parse_assumption(text: str, params: Sequence[Param], span: Span | None) -> Expr | None:
    """The condition as an expression with C++'s conversions.

    With a `span` (a comment in the function) an unknown name is an error; without one (from the
    command line, for every function) the answer is None where a parameter isn't there.
    Raises `LiftError` (`bad-assumption`) for text that is no condition.
    """
    parser = _Parser(text, params, span)
    try:
        found = parser.level(0)
    except _UnknownName as unknown:
        if span is None:
            return None
        known = ", ".join(p.name for p in params) or "none"
        raise user_error(
            "bad-assumption",
            span,
            f"`{unknown}` in `{text}` isn't a number parameter of this function",
            f"parameters: {known}",
        ) from None
    if parser.position != len(parser.tokens):
        raise parser.wrong()
    return convert(found, BOOL)


class _UnknownName(Exception):
    pass


class _Parser:
    """Precedence climbing over the tokens of one condition."""

    def __init__(self, text: str, params: Sequence[Param], span: Span | None) -> None:
        self.text, self.span = text, span
        self.scalars: dict[str, Expr] = {}
        for param in params:
            if param.kind == "scalar":
                self.scalars[param.name] = Variable(param.name, param.type)
            elif param.kind == "vector":
                size = size_of(param.name)
                self.scalars[f"{param.name}.size()"] = convert(size, U64)
        self.tokens: list[tuple[str, str]] = []
        self.position = 0
        end = 0
        stripped = text.rstrip()
        while end < len(stripped):
            match = _TOKEN.match(stripped, end)
            if match is None:
                raise self.wrong()
            kind = match.lastgroup
            assert kind is not None
            token = re.sub(r"\s", "", match.group(kind))
            self.tokens.append((kind, token.replace("->", ".") if kind == "name" else token))
            end = match.end()

    def wrong(self) -> Exception:
        return user_error(
            "bad-assumption",
            self.span,
            f"`{self.text}` isn't a condition over parameters",
            "write it as in C++, e.g. `cols <= rowBytes && rows >= 0`",
        )

    def _next(self, kind: str, among: Sequence[str] = ()) -> str | None:
        if self.position >= len(self.tokens):
            return None
        found, text = self.tokens[self.position]
        if found != kind or (among and text not in among):
            return None
        self.position += 1
        return text

    def level(self, depth: int) -> Expr:
        if depth == len(_LEVELS):
            return self._unary()
        left = self.level(depth + 1)
        while (operator := self._next("operator", _LEVELS[depth])) is not None:
            left = self._combined(operator, left, self.level(depth + 1))
        return left

    def _combined(self, operator: str, a: Expr, b: Expr) -> Expr:
        if operator in ("&&", "||"):
            kind = And if operator == "&&" else Or
            both: Expr = kind(convert(a, BOOL), convert(b, BOOL))
            return both
        if operator in ("<<", ">>"):
            return operation(operator, convert(a, _promoted(a.type)), b)
        common = common_type(a.type, b.type)
        a, b = convert(a, common), convert(b, common)
        if operator in COMPARISON_OF:
            compared: Expr = COMPARISON_OF[operator](a, b)
            return fold(compared)
        if common.is_float and operator in "%&|^":
            raise self.wrong()
        return operation(operator, a, b)

    def _unary(self) -> Expr:
        operator = self._next("operator", ("-", "+", "!", "~"))
        if operator is not None:
            value = self._unary()
            if operator == "!":
                return negation(convert(value, BOOL))
            value = convert(value, _promoted(value.type))
            if operator == "~" and value.type.is_float:
                raise self.wrong()
            return fold({"-": Neg, "~": BitNot}[operator](value)) if operator != "+" else value
        if self._next("operator", ("(",)):
            inner = self.level(0)
            if not self._next("operator", (")",)):
                raise self.wrong()
            return inner
        digits = self._next("number")
        if digits is not None:
            if "." in digits:
                return Const(F64, float(digits))
            content = int(digits, 0) if digits[:2].lower() == "0x" else int(digits)
            return number(content, I32 if I32.contains(content) else I64)
        name = self._next("name")
        if name is None:
            raise self.wrong()
        if name in ("true", "false"):
            return Const(BOOL, int(name == "true"))
        # In a method, its object's fields have no name before them.
        found = self.scalars.get(name) or self.scalars.get(f"this.{name}")
        if found is None:
            raise _UnknownName(name)
        return found


def _promoted(type: Type) -> Type:
    return promoted(type)


def common_type(a: Type, b: Type) -> Type:
    """C++'s usual arithmetic conversions."""
    if a.is_float or b.is_float:
        floats = [t for t in (a, b) if t.is_float]
        return max(floats, key=lambda t: t.bits)
    a, b = promoted(a), promoted(b)
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return a if a.is_uint else b
