"""Definitions of several points at once: `f(scatter(a, b)) = gather(v, w)`.

`Call("scatter_gather", (e0, e1, ...), type, "pure")` stands for `e0` in the first point's
coordinates and value, for `e1` in the second's, and so on; all of one definition have as many.
All values, and all coordinates, are read before any is written; of points that are the same the
last counts.
"""

from __future__ import annotations

from collections.abc import Iterable

from .nodes import Call, Expr, reads_in, transform

SCATTER_GATHER = "scatter_gather"


def is_multi_point(e: Expr) -> bool:
    """Whether `e` itself is another expression for each point."""
    return isinstance(e, Call) and e.kind == "pure" and e.name == SCATTER_GATHER


def point_counts(parts: Iterable[Expr]) -> list[int]:
    """The different numbers of points that `parts` have values for."""
    found = {len(x.children) for part in parts for x in reads_in(part) if is_multi_point(x)}
    return sorted(found)


def at_point(e: Expr, point: int) -> Expr:
    """`e` for one of the points."""

    def part(node: Expr) -> Expr:
        return node.children[point] if is_multi_point(node) else node

    return transform(e, part)
