"""Equality of what minima and maxima alone make of the same numbers.

The zero-one principle (Knuth, The Art of Computer Programming, volume 3, section 5.3.4): for any
bound t, min and max commute with the question whether a number is at least t. So two expressions of
minima and maxima are equal for all numbers if they are equal where each number is 0 or 1. A median
of nine, sorted by a network, is proved by its 512 cases.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from compiler.ir import Expr, Max, Min

MOST_NUMBERS = 16


def same_extremes(a: Expr, b: Expr) -> bool:
    """Whether two integer expressions are equal as minima and maxima of the parts that are neither,
    whatever those are. That they aren't says nothing: the parts may depend on each other."""
    if a.type is not b.type or not a.type.is_integer or a.type.is_bool:
        return False
    order = _bottom_up(a, b)
    numbers = [node for node in order if not isinstance(node, Min | Max)]
    if len(numbers) == len(order) or len(numbers) > MOST_NUMBERS:
        return False
    cases = np.arange(1 << len(numbers), dtype=np.uint32)
    values: dict[Expr, Any] = {n: (cases >> i & 1).astype(bool) for i, n in enumerate(numbers)}
    for node in order:
        if isinstance(node, Min):
            values[node] = values[node.a] & values[node.b]
        elif isinstance(node, Max):
            values[node] = values[node.a] | values[node.b]
    return bool(np.array_equal(values[a], values[b]))


def _bottom_up(*roots: Expr) -> list[Expr]:
    """Minima, maxima and the parts between, operands before what they are operands of."""
    found: dict[Expr, None] = {}
    pending = [(root, False) for root in reversed(roots)]
    while pending:
        node, is_ready = pending.pop()
        if node in found:
            continue
        if is_ready or not isinstance(node, Min | Max):
            found[node] = None
        else:
            pending += [(node, True), (node.b, False), (node.a, False)]
    return list(found)
