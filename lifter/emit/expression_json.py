"""Expressions over parameters as JSON, for what `lift build` needs of bounds and preconditions.

An index expression's numbers are numbers and its variables names; everything else is a list of the
node's name and operands: `["Sub", "cols", 2]`, `["EQ", ["Variable", "mode", "int32"], ...]`.
"""

from __future__ import annotations

import re
from typing import Any

from compiler.ir import BOOL, I64, OPERATORS, Cast, Const, Expr, Select, Type, Variable

NODES: dict[str, type[Expr]] = {kind.__name__: kind for kind in (*OPERATORS, Select)}


def expression_to_json(expr: Expr) -> Any:
    """Raises `ValueError` for an expression that reads memory or calls something."""
    if isinstance(expr, Const):
        return expr.value if expr.type is I64 else ["Const", str(expr.type), expr.value]
    if isinstance(expr, Variable):
        return expr.name if expr.type is I64 else ["Variable", expr.name, str(expr.type)]
    if isinstance(expr, Cast):
        return ["Cast", str(expr.type), expression_to_json(expr.value)]
    name = type(expr).__name__
    if name not in NODES:
        raise ValueError(f"{expr} is no expression over parameters")
    return [name, *map(expression_to_json, expr.children)]


def expression_from_json(data: Any) -> Expr:
    """Raises `ValueError` or `TypeError` for what `expression_to_json` didn't make."""
    if isinstance(data, int):
        return Const(I64, data)
    if isinstance(data, str):
        made: Expr = Variable(data, I64)
        return made
    match data:
        case ["Const", str(type), int() | float() as value]:
            return Const(type_from_text(type), value)
        case ["Variable", str(name), str(type)]:
            variable: Expr = Variable(name, type_from_text(type))
            return variable
        case ["Cast", str(type), value]:
            cast: Expr = Cast(type_from_text(type), expression_from_json(value))
            return cast
        case [str(name), *operands] if name in NODES:
            node: Expr = NODES[name](*map(expression_from_json, operands))
            return node
    raise ValueError(f"{data!r} is no expression")


def type_from_text(text: str) -> Type:
    """The type that prints as `text`, e.g. `uint8`."""
    if text == "bool":
        return BOOL
    match = re.fullmatch(r"(int|uint|float|bfloat)(8|16|32|64)", text)
    if match is None:
        raise ValueError(f"{text!r} is no type")
    return Type(match[1], int(match[2]))
