"""The few of many random programs that a quick run takes: together they have all that any has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def covering(
    items: Sequence[Item], features: Callable[[Item], Iterable[str]], count: int
) -> list[Item]:
    """`count` of `items`, in their order: each is the one with the most of what is rarest so far.

    The same items give the same sample.
    """
    left = {number: (item, set(features(item))) for number, item in enumerate(items)}
    seen: Counter[str] = Counter()
    taken: list[int] = []
    while left and len(taken) < count:
        number = max(left, key=lambda n: (sum(0.25 ** seen[f] for f in left[n][1]), -n))
        taken.append(number)
        seen.update(left.pop(number)[1])
    return [items[number] for number in sorted(taken)]
