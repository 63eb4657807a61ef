"""Whether each thread has elements of its own, against all threads of small blocks."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

from compiler.ir import I32, Add, Expr, Load, Mod, Mul, Variable, const, evaluate
from compiler.ir import stmts as s
from compiler.lower.own_elements import are_own, places

NAMES = ("thread.x", "thread.y", "thread.z")
X, Y, _ = (Variable(name, I32) for name in NAMES)
ROW = Variable("row", I32)


def index(seed: random.Random) -> Expr:
    """A place as loops over threads have them, and some as they don't."""
    made: Expr = const(seed.choice((0, 0, 1, 4, 16)))
    factors = (0, 1, 1, 2, 3, 4, 8, -1)
    for term in (X, Y, ROW, Mod(ROW, const(4)), Mod(X, const(2))):
        by = seed.choice(factors if term in (X, Y) else (0, 0, 4, 8, 16, 1))
        made = Add(made, Mul(term, const(by)))
    return made


def elements(place: Expr, x: int, y: int) -> Iterator[int]:
    for row in range(6):
        yield int(evaluate(place, {"thread.x": x, "thread.y": y, "row": row}))


def test_elements_that_are_taken_for_own_ones_are_no_other_threads() -> None:
    seed = random.Random(5)
    own = 0
    for _ in range(3000):
        extents = seed.choice(((4, 1), (4, 2), (2, 3), (8, 1)))
        stored, read = index(seed), index(seed)
        if seed.random() < 0.6:
            read = Add(stored, const(seed.choice((0, 4, 8, 16, 1))))
        stmt = s.Store("f", Load("f", (read,), I32), stored)
        of = dict(zip(NAMES, (const(extents[0]), const(extents[1]), const(1)), strict=True))
        if not are_own(places(stmt, NAMES)["f"], of):
            continue
        own += 1
        by_thread = {
            (x, y): {e for place in (stored, read) for e in elements(place, x, y)}
            for x, y in itertools.product(*map(range, extents))
        }
        for a, b in itertools.combinations(by_thread.values(), 2):
            assert not a & b, (stored, read, extents)
    assert own > 30
