"""Text of expressions, in C++-like notation for people who debug; not parsed back."""

from __future__ import annotations

from collections.abc import Sequence

from .nodes import (
    Binary,
    Broadcast,
    Call,
    Cast,
    Const,
    Expr,
    Let,
    Load,
    Ramp,
    Select,
    Variable,
)
from .operators import OPERATORS

_STRONGEST = max(row.strength for row in OPERATORS.values())
"""That of a prefix."""

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
    row = OPERATORS.get(kind)
    if row is not None and not row.strength:
        return _listed(row.symbol, expr.children)
    if row is not None and isinstance(expr, Binary):
        own = row.strength
        # Euclidean and truncating division print alike but for the mark.
        made: list[_Piece] = [(expr.a, own), f" {row.symbol}{row.mark} ", (expr.b, own + 1)]
        return ["(", *made, ")"] if own < strength else made
    if row is not None:
        return [row.symbol, (expr.children[0], _STRONGEST)]
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
