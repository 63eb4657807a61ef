"""The few of many cases that a quick run takes: together they have all that any has."""

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
    left = {number: set(features(item)) for number, item in enumerate(items)}
    seen: Counter[str] = Counter()
    taken: list[int] = []
    while left and len(taken) < count:
        number = max(left, key=lambda n: (sum(0.25 ** seen[f] for f in left[n]), -n))
        taken.append(number)
        seen.update(left.pop(number))
    return [items[number] for number in sorted(taken)]


def complete(items: Sequence[Item], features: Callable[[Item], Iterable[str]]) -> list[Item]:
    """The smallest such sample that has every feature."""
    every = {f for item in items for f in features(item)}
    for count in range(1, len(items)):
        sample = covering(items, features, count)
        if every == {f for item in sample for f in features(item)}:
            return sample
    return list(items)
