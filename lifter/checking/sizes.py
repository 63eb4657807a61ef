"""The sizes of a committed program, which its guarded entry tests to fit 32 bits."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from compiler.ir import I64, Call, Expr, Load, Variable, postorder

from ..dag import Reduce
from ..emit.expression_json import expression_from_json
from ..model.summary import Summary


def sizes_of(
    summaries: Sequence[Summary], entry: Any, parameters: Collection[str]
) -> tuple[Expr, ...]:
    """The bounds of the regions that are computed, and the ends of what is read and written, as
    index expressions over parameters. What the `entry` says is compared with what is proved later
    on; what isn't of that form in it is passed over."""
    found = [b for s in summaries for d in s.roi for b in (d.lower, d.upper)]
    try:
        boxes = [box for array in entry["accesses"].values() for box in array]
        found += [expression_from_json(end) for box in boxes for ends in box for end in ends]
    except (KeyError, TypeError, ValueError, AttributeError):
        pass
    return tuple(s for s in dict.fromkeys(found) if _is_size(s, parameters))


def _is_size(expr: Expr, parameters: Collection[str]) -> bool:
    return all(
        n.type is I64
        and not isinstance(n, Call | Load | Reduce)
        and not (isinstance(n, Variable) and n.name not in parameters)
        for n in postorder(expr)
    )
