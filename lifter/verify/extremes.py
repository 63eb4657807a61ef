"""Equality of what minima and maxima alone make of the same numbers.

By zeros and ones (`lifter/dag/zeros_and_ones.py`): a median of nine, sorted by a network, is proved
by its 512 cases.
"""

from __future__ import annotations

from compiler.ir import Expr, Max, Min

from ..dag import ZerosAndOnes


def same_extremes(a: Expr, b: Expr) -> bool:
    """Whether two integer expressions are equal as minima and maxima of the parts that are neither,
    whatever those are. That they aren't says nothing: the parts may depend on each other."""
    if a.type is not b.type or not a.type.is_integer or a.type.is_bool:
        return False
    if not isinstance(a, Min | Max) and not isinstance(b, Min | Max):
        return False
    known = ZerosAndOnes(a, b)
    return known.are_few and known.cases(a) == known.cases(b)
