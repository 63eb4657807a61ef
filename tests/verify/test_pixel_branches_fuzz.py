"""Random pixels with branches: what one stores, another reads or stores again.

The concrete second opinion is switched off: whatever is proved must be equal on concrete inputs.
A number makes its kernel again.
"""

from __future__ import annotations

import random
from unittest.mock import patch

import pytest

from lifter.model.proof import Counterexample
from lifter.verify.region_proof import RegionProof
from lifter.verify.touched import Touched
from tests.verify.differential import difference, lifted

PIXELS = "void f(u8 *d, const u8 *s, int n) { for (int i = 0; i < n; i++, d += 4, s += 4) { %s } }"
TESTED = ("s[3]", "d[3]", "s[0]", "d[0]", "(s[3] | d[3])", "d[2]")
VALUES = (
    "7", "s[{0}]", "(u8)(d[{0}] + 1)", "(u8)(d[{0}] / 2 + s[{0}] / 2)", "(u8)(d[{0}] ^ s[3])",
    "(u8)(d[3] + s[{0}])", "d[0]",
)  # fmt: skip
RUNS = 40


class Pixels:
    """One random kernel."""

    def __init__(self, number: int) -> None:
        self.source = random.Random(number)

    def text(self) -> str:
        body = f"if ({self.test()}) {{ {self.stores()} }}"
        if self.source.random() < 0.4:
            body += f" else if ({self.test()}) {{ {self.stores()} }}"
        if self.source.random() < 0.6:
            body += f" else {{ {self.stores()} }}"
        if self.source.random() < 0.2:
            body += f" if ({self.test()}) {{ {self.stores()} }}"
        return PIXELS % body

    def test(self) -> str:
        number = self.source.choice((0, 1, 7, 128, 255))
        return f"{self.source.choice(TESTED)} {self.source.choice(('==', '!=', '<', '>'))} {number}"

    def stores(self) -> str:
        """A loop over colours, or none, and stores to some of the other channels."""
        found, free = [], [0, 1, 2, 3]
        if self.source.random() < 0.6:
            count = self.source.choice((2, 3))
            guard = f"if ({self.test()}) " if self.source.random() < 0.3 else ""
            found.append(f"for (int c = 0; c < {count}; c++) {guard}d[c] = {self.value('c')};")
            free = free[count:]
        self.source.shuffle(free)
        for channel in free[: self.source.randint(0 if found else 1, len(free))]:
            found.append(f"d[{channel}] = {self.value(str(channel))};")
        return " ".join(found)

    def value(self, channel: str) -> str:
        return self.source.choice(VALUES).format(channel)


def wrong(number: int) -> tuple[bool, Counterexample | None]:
    """Whether a kernel is proved, and an input on which that is wrong."""
    result = lifted(Pixels(number).text(), 20.0)
    proved = result.status == "proved"
    return proved, difference(result, RUNS) if proved else None


def check(numbers: range, wanted: int) -> None:
    found = {number: wrong(number) for number in numbers}
    mistakes = {n: str(example) for n, (_, example) in found.items() if example is not None}
    assert not mistakes, {n: (Pixels(n).text(), m) for n, m in mistakes.items()}
    assert sum(proved for proved, _ in found.values()) >= wanted


@pytest.mark.slow
def test_what_is_proved_of_branches_of_a_pixel_is_equal_on_concrete_inputs() -> None:
    check(range(2, 4), 1)


@pytest.mark.slow
def test_what_is_proved_of_many_branches_of_a_pixel_is_equal_on_concrete_inputs() -> None:
    check(range(100, 300), 60)


@pytest.mark.slow
def test_a_proof_that_takes_all_branches_for_exclusive_is_caught() -> None:
    """The kernel reads a channel in one branch that another, not excluded, has overwritten."""
    kernel = PIXELS % (
        "if (s[3] < 200) { d[0] = 0; } "
        "if (s[3] > 50) { for (int c = 1; c < 3; c++) d[c] = (u8)(d[c] + d[3 * c - 3]); }"
    )
    assert lifted(kernel).status != "proved"
    with patch.object(RegionProof, "_exclude", lambda *_: True):
        assert lifted(kernel).status != "proved"  # what is touched tells it, too
        known = {"decide": lambda _: True, "copies": lambda _: True}
        with patch.multiple(Touched, **known):
            result = lifted(kernel)
    assert result.status == "proved" and difference(result, RUNS) is not None
