"""Several updates of one array in a nest, as nests of their own.

    for (i = 0; i < n; i++) { h[a[i]]++; h[b[i]]--; }

A store that adds to the element that it has just read, an integer that depends on no element of
the array, leaves what was there plus that; where all stores of a nest do, each element is left with
what was there plus all that was added, whichever of them are one and whatever the order, since sums
modulo 2**bits commute. So all iterations of one store may come before those of the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from compiler.ir import I64, Add, Load, Sub, Variable, postorder

from ..model.stage import Loop, Read, Write
from .polynomial import ONE

Access = TypeVar("Access", Read, Write)
_ONCE: Variable = Variable("once", I64)


def updates_apart(
    writes: Sequence[Write], reads: Sequence[Read]
) -> Iterator[tuple[Write, tuple[Read, ...]]]:
    """Each update of an array with what it reads; nothing where these aren't updates of one array
    at places that memory says, or one that is understood as it is."""
    array = writes[0].array
    own = [r for r in reads if r.array == array]
    if not all(w.array == array and _is_update(w) for w in writes):
        return
    if len(writes) < 2 and writes[0].loops:
        return
    if not all(_is_read_before_it(w, own, writes) for w in writes):
        return
    if not all(any(_place(r) == _place(w) for w in writes) for r in own):
        return
    for write in writes:
        kept = (r for r in reads if r.array != array or _place(r) == _place(write))
        yield _repeated(write), tuple(_repeated(r) if r.array == array else r for r in kept)


def _repeated(access: Access) -> Access:
    """An access outside of loops as one of a loop with one iteration, which a domain is made of."""
    return access if access.loops else replace(access, loops=(Loop(_ONCE, ONE, access.span),))


def _place(access: Read | Write) -> object:
    return access.array, access.indices, access.loops


def _is_update(write: Write) -> bool:
    """Whether a store adds what is free of its array to an integer element that memory chooses, or
    takes it away."""
    value, own = write.value, Load(write.array, write.indices, write.value.type)
    if not isinstance(value, (Add, Sub)) or not value.type.is_integer:
        return False
    if value.a is own:
        added = value.b
    elif isinstance(value, Add) and value.b is own:
        added = value.a
    else:
        return False
    rest = postorder(added, write.condition, *write.indices)
    is_free = not any(isinstance(n, Load) and n.array == write.array for n in rest)
    return is_free and any(isinstance(n, Load) for n in postorder(*write.indices))


def _is_read_before_it(write: Write, own: Sequence[Read], writes: Sequence[Write]) -> bool:
    """Whether the element is read right before the store, and nothing is stored between."""
    loads = [r for r in own if _place(r) == _place(write)]
    return bool(loads) and not any(
        r.is_kept
        or r.position > write.position
        or any(r.position < other.position < write.position for other in writes)
        for r in loads
    )
