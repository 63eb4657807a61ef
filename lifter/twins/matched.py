"""Two kernels brought together: parameters by position, under the names that the first has.

Names that each has for itself are kept apart: a table of the second that the first calls by the
same name holds other numbers, or is the same.
"""

from __future__ import annotations

from dataclasses import replace

from ..checking.renaming import in_names_of, names_of, with_new_names
from ..model.kernel import Array, Kernel


class NotTwins(ValueError):
    """Two functions that no call of the one could be a call of the other, with the reason."""


def matched(first: Kernel, second: Kernel) -> tuple[Kernel, Kernel]:
    """Both with the parameters' names of the first, and with all that either states.

    Raises `NotTwins` where their parameters or results have other types.
    """
    mine, yours = ([(p.kind, p.type) for p in k.params] for k in (first, second))
    if mine != yours or first.return_type is not second.return_type:
        raise NotTwins(f"`{first.signature}` isn't `{second.signature}`")
    told = [{"name": p.name, "kind": p.kind, "type": str(p.type)} for p in first.params]
    renamed = in_names_of(second, {"params": told})
    if [p.name for p in renamed.params] != [p.name for p in first.params]:
        raise NotTwins("what their objects hold has other names")
    pairs = list(zip(first.params, renamed.params, strict=True))
    has_address = [a.has_address or b.has_address for a, b in pairs]
    may_be_null = [a.may_be_null or b.may_be_null for a, b in pairs]
    stated = {a.condition: a for k in (renamed, first) for a in k.preconditions}
    preconditions = tuple(reversed(stated.values()))
    texts = tuple(dict.fromkeys((*first.stated_texts, *renamed.stated_texts)))
    made = []
    for kernel in (first, renamed):
        params = tuple(
            replace(p, has_address=placed, may_be_null=nullable)
            for p, placed, nullable in zip(kernel.params, has_address, may_be_null, strict=True)
        )
        made.append(replace(kernel, params=params, preconditions=preconditions, stated_texts=texts))
    return made[0], made[1]


def with_arrays_of(first: Kernel, second: Kernel) -> Kernel:
    """The second with the first's own arrays beside its own: summaries of the first name them."""
    own = {n: a for n, a in first.arrays.items() if a.origin != "param"}
    other = {
        n
        for n, a in own.items()
        if n in names_of(second) and not (n in second.arrays and _is_same(a, second.arrays[n]))
    }
    apart = with_new_names(second, other)
    missing = {n: a for n, a in own.items() if n not in apart.arrays}
    return replace(apart, arrays={**apart.arrays, **missing})


def _is_same(a: Array, b: Array) -> bool:
    """Whether two tables hold the same."""
    constant = a.values is not None and a.origin == b.origin
    return constant and (a.type, a.rank, a.values) == (b.type, b.rank, b.values)
