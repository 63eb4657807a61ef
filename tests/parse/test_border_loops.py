"""Loops that bring a place inside of a size: what they leave, against their steps one by one."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from compiler.ir import Mod, TruncMod, evaluate, postorder
from tests.parse.parsing import kernel

STEPS = 200
MIRROR = "while (i < 0 || i >= n) { if (i < 0) i = -i - 1; if (i >= n) i = 2 * n - 1 - i; }"
INNER = "while (i < 0 || i >= n) { if (i < 0) i = -i; else i = 2 * n - 2 - i; }"


def body(text: str):
    """What `i` is behind some statements, as an expression of `i` and `n`; None where they are no
    expression."""
    found = kernel(
        f"static int at(int i, int n) {{ {text} return i; }}\n"
        "void f(int *d, const int *s, int n) { for (int x = 0; x < n; x++) d[x] = at(s[x], n); }"
    )
    return found.functions["at"].body if "at" in found.functions else None


def mirrored(edge: int) -> Callable[[int, int], int]:
    def step(i: int, n: int) -> int:
        if i < 0:
            return -i - edge
        return 2 * n - 2 + edge - i if i >= n else i

    return step


LOOPS: dict[str, tuple[str, Callable[[int, int], bool], Callable[[int, int], int]]] = {
    "up": ("while (i < 0) i += n;", lambda i, _: i < 0, lambda i, n: i + n),
    "down": ("while (i >= n) i -= n;", lambda i, n: i >= n, lambda i, n: i - n),
    "by a constant": ("while (i < 0) i += 12;", lambda i, _: i < 0, lambda i, _: i + 12),
    "both": (
        "while (i < 0 || i >= n) { if (i < 0) i += n; else i -= n; }",
        lambda i, n: not 0 <= i < n,
        lambda i, n: i + n if i < 0 else i - n,
    ),
    "mirrored with its edge": (MIRROR, lambda i, n: not 0 <= i < n, mirrored(1)),
    "mirrored without it": (INNER, lambda i, n: not 0 <= i < n, mirrored(0)),
    "mirrored in turn": (
        "while (i < 0 || i >= n) i = i < 0 ? -1 - i : n - 1 - (i - n);",
        lambda i, n: not 0 <= i < n,
        mirrored(1),
    ),
}


@pytest.mark.parametrize("way", LOOPS)
def test_what_a_loop_leaves(way: str) -> None:
    text, goes_on, step = LOOPS[way]
    found = body(text)
    assert found is not None
    ended = 0
    for i, n in product(range(-40, 41), range(-3, 9)):
        place = i
        for _ in range(STEPS):
            if not goes_on(place, n):
                assert evaluate(found, {"i": i, "n": n}) == place, (i, n)
                ended += 1
                break
            place = step(place, n)
    assert ended > 500


OTHERS = {
    "a size that isn't the bound": "while (i >= n) i -= n + 1;",
    "one is left": "while (i > 0) i -= n;",
    "a negative step": "while (i < 0) i += -4;",
    "another edge": MIRROR.replace("-i - 1", "-i"),
    "two of an edge": MIRROR.replace("-i - 1", "-i - 2"),
    "a shorter row": MIRROR.replace("2 * n - 1", "2 * n - 3"),
    "no mirror": MIRROR.replace("-i - 1", "i + 1"),
    "halves": "while (i >= n) i = i / 2;",
    "a size that changes": "while (i >= n) { i -= n; n++; }",
    "a test at the end": "do i += n; while (i < 0);",
    "of itself": "while (i < 0) i += i;",
}


@pytest.mark.parametrize("way", OTHERS)
def test_other_loops_are_none(way: str) -> None:
    try:
        found = body(OTHERS[way])
    except AssertionError:
        return
    assert found is None or not any(isinstance(n, (Mod, TruncMod)) for n in postorder(found))
