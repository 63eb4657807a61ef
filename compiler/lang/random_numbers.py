"""Random numbers: hashes of a stage's coordinates, so that every schedule gives the same ones.

A call stands in the expression as `random(number[, seed])`, its number being its own; when a stage
is defined by it, the stage's coordinates and reduction variables take part in the hash.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from .. import ir
from ..ir import F32, I32, U32
from ..ir.formula import Formula
from .errors import fail
from .expr import Expr, as_expr

_calls = itertools.count()
_definitions = itertools.count()


def random_uint(seed: Any = None) -> Expr:
    """A uint32, each of them as likely as another; `seed` is an integer expression of 32 bits."""
    return _random("random_int", seed, (I32, U32))


def random_int(seed: Any = None) -> Expr:
    """An int32, each of them as likely as another."""
    e = _random("random_int", seed, (I32, U32))
    return Expr.of(ir.Cast(I32, e.node), e)


def random_float(seed: Any = None) -> Expr:
    """A float32 in [0, 1), a multiple of 2**-23, each of them as likely as another."""
    e = _random("random_float", seed, (I32,))
    fraction = (Formula(e.node) >> 9) | 0x3F800000
    return Expr.of((fraction.bits_as(F32) - 1.0).node, e)


def _random(name: str, seed: Any, types: tuple[ir.Type, ...]) -> Expr:
    parts = [Expr.of(ir.const(next(_calls)))]
    if seed is not None:
        given = as_expr(seed)
        if given.node.type not in types:
            wanted = "Int(32)" if len(types) == 1 else "Int(32) or UInt(32)"
            fail(
                f"The seed passed to {name} must have type {wanted}, "
                f"but instead is {given} of type {given.node.type}"
            )
        parts.append(given)
    return Expr.of(ir.Call("random", tuple(p.node for p in parts), U32, "pure"), *parts)


def with_coordinates(nodes: Sequence[ir.Expr], coordinates: Sequence[str]) -> list[ir.Expr]:
    """`nodes` with each random call hashed with the variables `coordinates` and with a number of
    the definition's own, so that two stages made from one expression differ."""
    if not any(_is_random(x) for node in nodes for x in ir.reads_in(node)):
        return list(nodes)
    number = next(_definitions)
    variables: list[ir.Expr] = [ir.Variable(name, I32) for name in coordinates]

    def visit(node: ir.Expr) -> ir.Expr:
        if not _is_random(node):
            return node
        assert isinstance(node, ir.Call)
        return _hash([ir.const(number), *node.args, *variables])

    return [ir.transform(node, visit) for node in nodes]


def _is_random(node: ir.Expr) -> bool:
    return isinstance(node, ir.Call) and node.kind == "pure" and node.name == "random"


def _hash(values: Sequence[ir.Expr]) -> ir.Expr:
    """A number in which every bit of every value changes about half of the bits."""
    h = Formula(ir.const(0x2545F491, U32))
    for value in values:
        h = h + Formula(value).to(U32) * 0x9E3779B1
        h = (h ^ (h >> 16)) * 0x7FEB352D
        h = (h ^ (h >> 15)) * 0x846CA68B
        h = h ^ (h >> 16)
    return h.node
