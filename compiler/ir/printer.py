"""Text of expressions, in C++-like notation for people who debug; not parsed back."""

from __future__ import annotations

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


def to_text(expr: Expr, strength: int = 0) -> str:
    """`expr` as text, in parentheses when an operator of `strength` around it binds tighter."""
    kind = type(expr)
    if isinstance(expr, Const):
        if expr.type.is_bool:
            return "true" if expr.value else "false"
        if expr.type.is_float:
            return repr(expr.value) + ("f" if expr.type.bits == 32 else "")
        return str(expr.value)
    if isinstance(expr, Variable):
        return expr.name
    if isinstance(expr, Cast):
        return f"{expr.type}({to_text(expr.value)})"
    if kind in _INFIX:
        assert isinstance(expr, Binary)
        symbol, own = _INFIX[kind]
        text = f"{to_text(expr.a, own)} {symbol} {to_text(expr.b, own + 1)}"
        return f"({text})" if own < strength else text
    if kind in _PREFIX:
        return _PREFIX[kind] + to_text(expr.children[0], 11)
    if isinstance(expr, (Min, Max)):
        return f"{kind.__name__.lower()}({to_text(expr.a)}, {to_text(expr.b)})"
    if isinstance(expr, Select):
        return f"select({', '.join(map(to_text, expr.children))})"
    if isinstance(expr, Load):
        text = expr.array + "".join(f"[{to_text(i)}]" for i in expr.indices)
        return text if expr.predicate is None else f"({text} if {to_text(expr.predicate)})"
    if isinstance(expr, Call):
        return f"{expr.name}({', '.join(map(to_text, expr.args))})"
    if isinstance(expr, Let):
        return f"(let {expr.name} = {to_text(expr.value)} in {to_text(expr.body)})"
    if isinstance(expr, Ramp):
        return f"ramp({to_text(expr.base)}, {to_text(expr.stride)}, {expr.lanes})"
    if isinstance(expr, Broadcast):
        return f"x{expr.lanes}({to_text(expr.value)})"
    if kind.__repr__ is not Expr.__repr__:
        return repr(expr)  # a node of another room, which prints itself
    raise AssertionError(f"no text for {kind.__name__}")
