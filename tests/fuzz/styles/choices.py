"""The decisions of one random kernel, read from bytes: a seed's, or those that hypothesis draws."""

from __future__ import annotations

import random
from typing import TypeVar

T = TypeVar("T")
LENGTH = 160
"""As many decisions as nearly every kernel takes; after the last one the first option is taken."""


class Choices:
    """Reads one decision from each byte. Zero is the first option everywhere: the plainest one."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._taken = 0

    def below(self, count: int) -> int:
        """A number from 0 to `count` - 1."""
        if self._taken >= len(self._data):
            return 0
        self._taken += 1
        return self._data[self._taken - 1] % count

    def pick(self, *options: T) -> T:
        return options[self.below(len(options))]

    def chance(self, percent: int) -> bool:
        return self.below(100) >= 100 - percent


def bytes_of(seed: int) -> bytes:
    return random.Random(f"styles/{seed}").randbytes(LENGTH)
