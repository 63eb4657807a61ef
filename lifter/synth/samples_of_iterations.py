"""Running the reduced program on small sizes: which points do the stores of a stage touch?

The reduced program of dexter-2019 section 4.1.2 has only loops, counters and stores; here it runs
on concrete small parameter values, and what it touches screens candidates for the region.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from compiler.ir import Expr, Variable, postorder

from ..dag import NotConcrete, concrete, concrete_points
from ..model.stage import Loop

ROUND_LIMIT = 20_000
ATTEMPTS = 5_000


class TooManyIterations(ValueError):
    """The nest has more iterations than a sample may have."""


def parameter_samples(
    names: Sequence[str],
    assumptions: Sequence[Expr],
    count: int,
    seed: int = 1,
    *,
    signed: bool,
    turns: Mapping[str, Sequence[int]] | None = None,
) -> Iterator[dict[str, int]]:
    """`count` small values of the parameters that satisfy the assumptions; fewer where rare. They
    are 0 or more, unless `signed`: an offset may be left of the image. Every other one is `turns`'
    of the parameters that it names."""
    source = random.Random(seed)
    tests = []
    for assumption in assumptions:
        used = {n.name for n in postorder(assumption) if isinstance(n, Variable)}
        try:
            if used <= set(names):
                tests.append(concrete(assumption))
        except NotConcrete:
            continue
    found = 0
    for attempt in range(ATTEMPTS):
        # Tiled and unrolled loops need multiples of their tiles, now and then of all sizes at once.
        unit, high = ((1, 40), (1, 9), (source.choice((2, 4, 8, 16)), 40), (1, 9))[attempt % 4]
        values = {name: unit * source.randint(0, high // unit) for name in names}
        if signed:
            values = {name: source.choice((1, 1, -1)) * value for name, value in values.items()}
        if turns and attempt % 2:
            name = source.choice([*turns])
            values[name] = source.choice(turns[name])
        if all(test(values) for test in tests):
            yield values
            found += 1
            if found == count:
                return


def touched(
    loops: Sequence[Loop], condition: Expr, coordinates: Sequence[Expr], values: Mapping[str, int]
) -> set[tuple[int, ...]]:
    """The points of those iterations of a nest where `condition` holds.

    Raises `TooManyIterations` when the nest is too long for a sample.
    """
    extents = [concrete(loop.extent) for loop in loops]
    names = [loop.counter.name for loop in loops]
    points_of_row = concrete_points(names[-1] if names else "", condition, tuple(coordinates))
    env = dict(values)
    left = ROUND_LIMIT
    found: set[tuple[int, ...]] = set()

    def descend(depth: int) -> None:
        nonlocal left
        count = max(0, extents[depth](env)) if names else 1
        if depth >= len(names) - 1:
            left -= count
            if left < 0:
                raise TooManyIterations
            found.update(points_of_row(env, count))
            return
        for i in range(count):
            env[names[depth]] = i
            descend(depth + 1)

    descend(0)
    return found
