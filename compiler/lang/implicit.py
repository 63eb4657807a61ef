"""The placeholder `_` and the implicit coordinates `_0`, `_1`, ... that it stands for.

In a read, `_` stands for as many implicit coordinates as the stage still needs; on the left of a
definition, for those that the right-hand side uses.
"""

from __future__ import annotations

from collections.abc import Iterable

from .. import ir
from ..ir import I32, Variable
from .errors import fail
from .expr import Expr

PLACEHOLDER = "_"


def implicit_index(name: str) -> int | None:
    """i for the name of implicit coordinate i, `_i`; None for other names."""
    digits = name[1:]
    return int(digits) if name.startswith("_") and digits.isdecimal() else None


def _implicit(count: int) -> list[Expr]:
    return [Expr.of(Variable(f"_{i}", I32)) for i in range(count)]


def placeholder_position(args: list[Expr]) -> int | None:
    for i, arg in enumerate(args):
        if isinstance(arg.node, Variable) and arg.node.name == PLACEHOLDER:
            return i
    return None


def expanded_read(args: list[Expr], dimensions: int) -> list[Expr]:
    """`args` of a read of a stage or image of `dimensions`, without the placeholder."""
    place = placeholder_position(args)
    if place is None or dimensions < len(args) - 1:
        return args
    return [*args[:place], *_implicit(dimensions - len(args) + 1), *args[place + 1 :]]


def expanded_definition(
    name: str, args: list[Expr], values: Iterable[Expr], dimensions: int = 0
) -> list[Expr]:
    """`args` of a definition of stage `name` as `values`, without the placeholder.

    An update of a stage of `dimensions` names at least as many coordinates.
    """
    used = [-1]
    for value in values:
        for node in ir.postorder(value.node):
            if isinstance(node, Variable):
                index = implicit_index(node.name)
                used.append(-1 if index is None else index)
    count = max(used) + 1
    place = placeholder_position(args)
    if place is not None:
        count = max(count, dimensions - len(args) + 1)
        return [*args[:place], *_implicit(count), *args[place + 1 :]]
    given = {a.node.name for a in args if isinstance(a.node, Variable)}
    if count and not any(implicit_index(n) is not None for n in given):
        fail(
            f"Right-hand-side of definition of {name} uses implicit variables, but the "
            "left-hand-side does not contain the placeholder symbol '_'."
        )
    return args
