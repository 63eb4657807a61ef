"""Running the reduced program on small sizes: which points do the stores of a stage touch?

The reduced program of dexter-2019 section 4.1.2 has only loops, counters and stores; here it runs
on concrete small parameter values, and what it touches screens candidates for the region.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from compiler.ir import Expr, Variable, postorder

from ..dag import NotConcrete, concrete
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


def iterations(
    loops: Sequence[Loop], condition: Expr, values: dict[str, int]
) -> Iterator[dict[str, int]]:
    """The values of the counters in each iteration of a nest where `condition` holds, in order.

    Raises `TooManyIterations` in the midst of a nest that is too long for a sample.
    """
    extents = [concrete(loop.extent) for loop in loops]
    test = concrete(condition)
    left = ROUND_LIMIT

    def descend(depth: int, env: dict[str, int]) -> Iterator[dict[str, int]]:
        nonlocal left
        if depth == len(loops):
            left -= 1
            if left < 0:
                raise TooManyIterations
            if test(env):
                yield dict(env)
            return
        name = loops[depth].counter.name
        for i in range(max(0, extents[depth](env))):
            env[name] = i
            yield from descend(depth + 1, env)

    yield from descend(0, dict(values))
