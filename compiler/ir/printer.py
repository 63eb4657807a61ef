"""Text of expressions, in C++-like notation for people who debug; not parsed back."""

from __future__ import annotations

from collections.abc import Sequence

from .nodes import (
    EQ,
    GE,
    GT,
    LE,
    LT,
    NE,
    Add,
    And,
    Binary,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Broadcast,
    Call,
    Cast,
    Const,
    Div,
    Expr,
    Let,
    Load,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Not,
    Or,
    Ramp,
    Select,
    Shl,
    Shr,
    Sub,
    TruncDiv,
    TruncMod,
    Variable,
)

# Symbol and binding strength (C++'s; higher binds tighter). Euclidean and truncating division
# print alike but for the mark: `/` and `%` are Euclid's, `/t` and `%t` truncate.
_INFIX: dict[type[Expr], tuple[str, int]] = {
    Mul: ("*", 10), Div: ("/", 10), Mod: ("%", 10), TruncDiv: ("/t", 10), TruncMod: ("%t", 10),
    Add: ("+", 9), Sub: ("-", 9), Shl: ("<<", 8), Shr: (">>", 8),
    LT: ("<", 7), LE: ("<=", 7), GT: (">", 7), GE: (">=", 7), EQ: ("==", 6), NE: ("!=", 6),
    BitAnd: ("&", 5), BitXor: ("^", 4), BitOr: ("|", 3), And: ("&&", 2), Or: ("||", 1),
}  # fmt: skip
_PREFIX: dict[type[Expr], str] = {Neg: "-", BitNot: "~", Not: "!"}


LONGEST = 1_000_000
"""Text beyond so many characters is left out: a shared operand is written wherever it is used, and
that can be exponentially often."""

_Piece = str | tuple[Expr, int]
"""Text as it is, or a node with the strength of the operator around it."""


def to_text(expr: Expr, strength: int = 0, longest: int = LONGEST) -> str:
    """`expr` as text, in parentheses when an operator of `strength` around it binds tighter.

    What comes after about `longest` characters is left out.
    """
    written: list[str] = []
    length = 0
    waiting: list[_Piece] = [(expr, strength)]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            written.append(piece)
            length += len(piece)
            if length > longest:
                written.append(" ...")
                break
        else:
            waiting.extend(reversed(_pieces(*piece)))
    return "".join(written)


def _pieces(expr: Expr, strength: int) -> list[_Piece]:
    kind = type(expr)
    if isinstance(expr, Const):
        if expr.type.is_bool:
            return ["true" if expr.value else "false"]
        if expr.type.is_float:
            return [repr(expr.value) + ("f" if expr.type.bits == 32 else "")]
        return [str(expr.value)]
    if isinstance(expr, Variable):
        return [expr.name]
    if isinstance(expr, Cast):
        return [f"{expr.type}(", (expr.value, 0), ")"]
    if kind in _INFIX:
        assert isinstance(expr, Binary)
        symbol, own = _INFIX[kind]
        made: list[_Piece] = [(expr.a, own), f" {symbol} ", (expr.b, own + 1)]
        return ["(", *made, ")"] if own < strength else made
    if kind in _PREFIX:
        return [_PREFIX[kind], (expr.children[0], 11)]
    if isinstance(expr, (Min, Max)):
        return _listed(kind.__name__.lower(), expr.children)
    if isinstance(expr, Select):
        return _listed("select", expr.children)
    if isinstance(expr, Load):
        made = [expr.array]
        for index in expr.indices:
            made += ["[", (index, 0), "]"]
        return made if expr.predicate is None else ["(", *made, " if ", (expr.predicate, 0), ")"]
    if isinstance(expr, Call):
        return _listed(expr.name, expr.args)
    if isinstance(expr, Let):
        return [f"(let {expr.name} = ", (expr.value, 0), " in ", (expr.body, 0), ")"]
    if isinstance(expr, Ramp):
        return ["ramp(", (expr.base, 0), ", ", (expr.stride, 0), f", {expr.lanes})"]
    if isinstance(expr, Broadcast):
        return [f"x{expr.lanes}(", (expr.value, 0), ")"]
    if kind.__repr__ is not Expr.__repr__:
        return [repr(expr)]  # a node of another room, which prints itself
    raise AssertionError(f"no text for {kind.__name__}")


def _listed(name: str, args: Sequence[Expr]) -> list[_Piece]:
    made: list[_Piece] = [name + "("]
    for i, arg in enumerate(args):
        made += [", ", (arg, 0)] if i else [(arg, 0)]
    return [*made, ")"]
