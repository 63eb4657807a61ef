"""Values of the leaves of two expressions: all of them, or samples, and where the two differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from compiler.ir import BOOL, Expr, Type, Variable, dtype_of, evaluate, substitute

from ..dag import Reduce
from .encode import is_leaf, value_postorder


def difference(
    a: Expr, b: Expr, given: Sequence[Expr], leaves: Sequence[Expr], values: Sequence[Any]
) -> dict[str, Any] | None:
    """The first row of `values` (an array a leaf) on which a and b differ under `given`.

    Raises `TypeError` when they can't be evaluated.
    """
    symbols: dict[Expr, Expr] = {
        leaf: Variable(f"leaf{i}", leaf.type) for i, leaf in enumerate(leaves)
    }
    env = {f"leaf{i}": v for i, v in enumerate(values)}
    x, y = (evaluate(substitute(e, symbols), env) for e in (a, b))
    wrong = ~_same(x, y)
    for condition in given:
        wrong = wrong & evaluate(substitute(condition, symbols), env)
    if not np.any(wrong):
        return None
    place = int(np.argmax(np.atleast_1d(wrong)))
    return {
        repr(leaf): np.asarray(v).reshape(-1)[place].item()
        for leaf, v in zip(leaves, values, strict=True)
    }


def _same(x: Any, y: Any) -> Any:
    """Equal bit for bit, but any NaN equals any NaN (IEEE leaves its bits open)."""
    if x.dtype.kind == "f":
        bits = np.dtype(f"u{x.dtype.itemsize}")
        return (x.view(bits) == y.view(bits)) | (np.isnan(x) & np.isnan(y))
    return x == y


def leaves_of(*exprs: Expr) -> list[Expr]:
    found: dict[Expr, None] = {}
    for expr in exprs:
        for node in value_postorder(expr):
            if is_leaf(node):
                found[node] = None
    return list(found)


def has_reductions(leaves: Sequence[Expr]) -> bool:
    """Whether some leaf isn't free: values that differ on paper may not occur."""
    return any(isinstance(leaf, Reduce) for leaf in leaves)


def states_of(type: Type) -> int:
    if type.is_float or type.bits > 32:
        return 1 << 64
    return 1 << type.bits


def state_count(leaves: Sequence[Expr]) -> int:
    total = 1
    for leaf in leaves:
        total *= states_of(leaf.type)
    return total


def samples(
    type: Type,
    count: int,
    generator: np.random.Generator,
    within: tuple[int, int] | None = None,
) -> Any:
    """Extremes and random values of a type, or of an interval in it, in a random order."""
    if within is not None and within != (type.min, type.max):
        low, high = within
        drawn = generator.integers(
            low, high, count, endpoint=True, dtype=np.uint64 if low >= 0 else np.int64
        )
        ends = np.array([low, high, min(low + 1, high), max(high - 1, low)]).astype(drawn.dtype)
        drawn[: len(ends)] = ends
        return drawn.astype(dtype_of(type))
    if type is BOOL:
        return generator.integers(0, 2, count).astype(np.bool_)
    if type.is_float:
        special = [0.0, -0.0, 1.0, -1.0, 0.5, 255.0, 1e-3, 1e30, -1e30, np.inf, np.nan]
        usual = generator.uniform(-2, 300, count - len(special))
        mixed = np.concatenate([np.array(special), usual])
    else:
        low, high = type.min, type.max
        near = [low, low + 1, high, high - 1, high // 2, high // 2 + 1, 0, 1, 2, 127, 128, 255, 256]
        special = [v for v in near if low <= v <= high]
        spread = generator.integers(
            low, high, count, endpoint=True, dtype=np.int64 if type.is_int else np.uint64
        )
        small = generator.integers(max(low, -300), min(high, 300), count, endpoint=True)
        pick = generator.integers(0, 4, count)
        chosen = np.array(special, dtype=object)[generator.integers(0, len(special), count)]
        mixed = np.where(pick == 0, chosen, np.where(pick == 1, small, spread.astype(object)))
    generator.shuffle(mixed)
    return mixed.astype(dtype_of(type))
