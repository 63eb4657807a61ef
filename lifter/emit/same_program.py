"""Whether two Python files are the same program, by their syntax: nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Sequence


def same_program(one: str, other: str) -> bool:
    """Whether two texts are the same Python but for comments, layout and docstrings."""
    try:
        return ast.dump(_bare(one)) == ast.dump(_bare(other))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def promises(text: str) -> list[str]:
    """What a readable pipeline promises of strides and bounds, statement by statement.

    Raises `SyntaxError` for what is no Python.
    """
    return [
        ast.dump(node)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    ]


def _bare(text: str) -> ast.Module:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef) and has_docstring(node.body):
            del node.body[0]
    return tree


def has_docstring(body: Sequence[ast.stmt]) -> bool:
    """Whether a module or a function begins with a text."""
    if not body or not isinstance(body[0], ast.Expr):
        return False
    value = body[0].value
    return isinstance(value, ast.Constant) and isinstance(value.value, str)
