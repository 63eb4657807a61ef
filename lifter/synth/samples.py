"""Sampled inputs of expressions, and where an expression is defined on them.

The samples tell candidates apart before a proof is tried. They hold the extremes of each type, the
boundaries of signs, equal and neighbouring operands, and the neighbourhood of the constants that
the expression compares with; the rest is random with a fixed seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from compiler.ir import Const, Expr, Type, Variable, dtype_of, evaluate
from compiler.ir import nodes as n

from .cost import is_terminal, read_parts

SEED = 20190
Samples = dict[str, "np.ndarray[Any, Any]"]


def parts(expr: Expr) -> Iterator[Expr]:
    """The distinct nodes of the computation, operands first; indices of reads are left out."""
    seen: set[Expr] = set()
    stack = [(expr, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            yield node
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((p, False) for p in reversed(read_parts(node)) if p not in seen)


def symbols(expr: Expr) -> tuple[Expr, ...]:
    """The free symbols of `expr`, from left to right; a call of a source function is one symbol."""
    return tuple(node for node in computation(expr) if is_terminal(node))


def computation(expr: Expr, most: int | None = None) -> tuple[Expr, ...]:
    """The distinct nodes from the root down to the free symbols, from left to right; of more than
    `most` the first ones alone."""
    found: dict[Expr, None] = {}
    stack = [expr]
    while stack and (most is None or len(found) <= most):
        node = stack.pop()
        if node not in found:
            found[node] = None
            if not is_terminal(node):
                stack.extend(reversed(node.children))
    return tuple(found)


def named(found: Sequence[Expr]) -> dict[Expr, Expr]:
    """A variable of the same type for each symbol, so that the evaluator can take it."""
    made: dict[Expr, Expr] = {s: Variable(f"${i}", s.type) for i, s in enumerate(found)}
    return made


def with_names(expr: Expr, names: Mapping[Expr, Expr]) -> Expr:
    """`expr` over the variables of `names`. Raises `KeyError` for a symbol without one."""
    done: dict[Expr, Expr] = {}

    def walk(node: Expr) -> Expr:
        if node not in done:
            if is_terminal(node):
                done[node] = names[node]
            else:
                done[node] = node.rebuild(tuple(map(walk, node.children)))
        return done[node]

    return walk(expr)


def constants(expr: Expr) -> tuple[Const, ...]:
    """The distinct integer constants of the computation, in order."""
    found = (p for p in parts(expr) if isinstance(p, Const) and p.type.is_integer)
    return tuple(dict.fromkeys(found))


def extremes(type: Type, near: Sequence[int] = ()) -> list[int]:
    """The telling values of an integer type, and those of `near` (with neighbours) that it has."""
    middle = type.max // 2
    values = [0, type.max, 1, middle, middle + 1, type.max - 1, type.min, type.min + 1, -1, 2]
    values += [v + d for v in near for d in (0, -1, 1)]
    return list(dict.fromkeys(v for v in values if type.contains(v)))


def _random(type: Type, count: int, random: np.random.Generator) -> Any:
    if type.is_float:
        special = np.array([0.0, -0.0, 1.0, 0.5, -1.0, np.nan, np.inf, -np.inf, 1e-40, 255.0])
        values = np.where(
            random.random(count) < 0.3, random.choice(special, count), random.random(count)
        )
        return values.astype(dtype_of(type))
    if type.bits <= 16:
        return random.integers(type.min, type.max, count, endpoint=True).astype(dtype_of(type))
    # Wide integers: small numbers as often as large ones.
    signs = np.where(random.random(count) < 0.5, -1, 1) if type.is_int else np.ones(count, int)
    size = random.integers(0, type.bits - 1, count)
    large = (random.random(count) * np.exp2(size)).astype(np.int64)
    return (signs * large).astype(dtype_of(type))


def sample(types: Sequence[Type], near: Sequence[int], count: int, seed: int = SEED) -> Samples:
    """`count` inputs for the variables `$0`, `$1`, ... of `types`; the same for the same arguments.

    The first inputs walk through the extremes of every type; two variables meet in all pairs of the
    first five. Then come equal operands, neighbours, and random values.
    """
    random = np.random.default_rng(seed)
    columns: Samples = {}
    for index, type in enumerate(types):
        column = _random(type, count, random)
        if type.is_integer:
            telling = extremes(type, near)
            walk = min(count // 2, 5 ** min(len(types), 2))
            places = np.arange(walk) // 5 ** (index % 2) % 5
            if index > 1:
                places = random.integers(0, 5, walk)
            column[:walk] = np.array(telling, dtype_of(type))[places % len(telling)]
            some = random.integers(0, len(telling), count // 4)
            column[walk : walk + len(some)] = np.array(telling, dtype_of(type))[some][
                : count - walk
            ]
        if index and types[0] is type and not type.is_bool:
            close = slice(count - count // 8, count)
            steps = random.integers(-1, 2, count // 8)
            column[close] = columns["$0"][close] + steps.astype(column.dtype)
        columns[f"${index}"] = column
    return columns


_EXACT: dict[type[Expr], Callable[..., Any]] = {
    n.Add: np.add, n.Sub: np.subtract, n.Mul: np.multiply, n.Neg: np.negative, n.Shl: np.left_shift,
}  # fmt: skip


def wraps(node: Expr, operands: Sequence[Any], value: Any) -> Any:
    """Where the arithmetic of `node` left its type's range; never, for other nodes and 64 bits."""
    exact = _EXACT.get(type(node))
    if exact is None or not node.type.is_integer or node.type.bits > 32:
        return np.asarray(False)
    with np.errstate(all="ignore"):
        return exact(*(x.astype(np.int64) for x in operands)) != value.astype(np.int64)


def overflows(expr: Expr, values: Mapping[str, Any]) -> Any:
    """Where some arithmetic of `expr` at 32 bits wraps."""
    found = np.asarray(False)
    done = _all_values(expr, values)
    for node in done:
        if type(node) in _EXACT and node.type.is_integer and node.type.bits == 32:
            found = found | wraps(node, [done[c] for c in node.children], done[node])
    return found


def _all_values(expr: Expr, values: Mapping[str, Any]) -> dict[Expr, Any]:
    """The value of every node of `expr`, each computed once."""
    done: dict[Expr, Any] = {}
    for node in n.postorder(expr):
        children = node.children
        if children:
            names = [f"${i}" for i in range(len(children))]
            slots = tuple(Variable(name, c.type) for name, c in zip(names, children, strict=True))
            inputs = dict(zip(names, (done[c] for c in children), strict=True))
            done[node] = evaluate(node.rebuild(slots), inputs)
        else:
            done[node] = evaluate(node, values)
    return done


def defined(expr: Expr, values: Mapping[str, Any]) -> Any:
    """Where `expr` has a meaning: no truncating division by zero, no shift out of range, in what is
    chosen."""
    done: dict[Expr, Any] = {}
    value_of = _all_values(expr, values)
    for node in value_of:
        if isinstance(node, n.Select):
            chosen = value_of[node.condition]
            good = done[node.condition] & np.where(chosen, done[node.a], done[node.b])
        else:
            good = np.asarray(True)
            for child in node.children:
                good = good & done[child]
            if isinstance(node, (n.TruncDiv, n.TruncMod)):
                good = good & (value_of[node.b] != 0)
            elif isinstance(node, (n.Shl, n.Shr)):
                amount = value_of[node.b].astype(np.int64)
                good = good & (amount >= 0) & (amount < node.type.bits)
        done[node] = good
    return done[expr]
