"""Sizes of images that show a difference which small ones don't have: `x > 300` is `x >= 300` up to
300 columns.

A refuted obligation comes with numbers: the solver's model has the coordinate at which the two
sides part. An image that has this coordinate may show it. Where there is no model, the numbers that
both sides compare coordinates with say where to look.
"""

from __future__ import annotations

from collections.abc import Iterable

from compiler.ir import Call, Const, Expr, Load, Variable, postorder

from ..model.proof import Obligation

LEAST, MOST = 8, 4096
"""Smaller sizes are tried anyway; larger ones take too long to run."""
_TRIED = 6


def telling_sizes(exprs: Iterable[Expr], obligations: Iterable[Obligation]) -> tuple[int, ...]:
    """A few sizes, those of models first."""
    found: dict[int, None] = {}
    for obligation in obligations:
        if obligation.verdict != "proved":
            for value in sorted(_whole(obligation.model.values())):
                found[value + 1] = None
    of_models = list(found)[:_TRIED]
    for number in sorted({n for e in exprs for n in _numbers(e)}):
        found[number + 2] = None
    return tuple(of_models + [n for n in found if n not in of_models][:_TRIED])


def _whole(values: Iterable[object]) -> set[int]:
    numbers = set()
    for value in values:
        item = value.item() if hasattr(value, "item") else value
        if isinstance(item, int) and LEAST <= abs(item) < MOST:
            numbers.add(abs(item))
    return numbers


def _numbers(expr: Expr) -> set[int]:
    """The constants beside coordinates and parameters, where no pixel is involved."""
    kinds: dict[Expr, tuple[bool, bool, frozenset[int]]] = {}
    found: set[int] = set()
    for node in postorder(expr):
        if isinstance(node, Const):
            own = int(node.value) if node.type.is_integer else 0
            numbers = frozenset({own} if LEAST <= own < MOST else ())
            kinds[node] = (False, False, numbers)
            continue
        below = [kinds[c] for c in node.children if c in kinds]
        is_pixel = isinstance(node, (Load, Call)) or any(b[0] for b in below)
        has_name = isinstance(node, Variable) or any(b[1] for b in below)
        numbers = frozenset().union(*(b[2] for b in below))
        kinds[node] = (is_pixel, has_name, numbers)
        if has_name and not is_pixel:
            found |= numbers
    return found
