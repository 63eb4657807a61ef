"""Outputs that other stages read: whatever reads one is computed behind it."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from .both_packages import assert_same

PROGRAMS = {
    "a sum of an output": """
        f[x] = hl.i32(a[x, 0]) * 3
        g[()] = 0
        g[()] += f[r]
        out[x] = g[()] + x
        results = [f, out]""",
    "a search in a histogram": """
        f[x] = 0
        f[hl.i32(a[r, 0]) % 40] += 1
        g[()] = -1
        g[()] = hl.select((g[()] < 0) & (f[r] != 0), r.x, g[()])
        out[()] = g[()] * 2
        results = [f, out]""",
    "a chain through two outputs": """
        f[x] = hl.i32(a[x, 0])
        g[x] = f[x] + f[39 - x]
        k[x] = g[x] * 3 + g[0]
        h[x] = k[x] - f[x]
        out[x] = h[x] + k[39 - x] + h[0]
        g.compute_root()
        h.compute_root()
        results = [f, k, out]""",
    "the output that reads stands first": """
        f[x] = hl.i32(a[x, 0])
        g[x] = f[39 - x]
        out[x] = g[x] + g[0]
        g.compute_root()
        results = [out, f]""",
    "what one output needs, and another one behind it": """
        h[x] = hl.i32(a[x, 1]) * 5
        f[x] = h[x] + h[0]
        g[x] = f[39 - x] + h[x]
        out[x] = g[x] + h[0] + g[0]
        h.compute_root()
        g.compute_root()
        results = [f, out]""",
    "stored outside, computed within": """
        f[x, y] = hl.i32(a[x, y])
        g[x, y] = f[39 - x, y] + f[x, 39]
        out[x, y] = g[x, y] + g[39 - x, y]
        g.store_root().compute_at(out, y)
        results = [f, out]""",
    "within the loops of one that is read": """
        f[x, y] = hl.i32(a[x, y])
        g[x, y] = f[39 - x, y]
        out[x, y] = g[x, y] + f[x, 39]
        g.compute_at(out, y)
        results = [f, out]""",
    "loops of two outputs together": """
        f[x] = hl.i32(a[x, 0])
        h[x] = hl.i32(a[x, 1])
        h.compute_with(f, x)
        g[()] = 0
        g[()] += f[r] + h[r]
        out[x] = g[()] - x
        results = [f, h, out]""",
}


def program(lines: str, hl: Any, given: SimpleNamespace) -> Any:
    names: dict[str, Any] = {n: hl.Func(n) for n in ("f", "g", "h", "k", "out")}
    names |= {"hl": hl, "a": given.a, "x": given.x, "y": given.y, "r": hl.RDom([(0, 40)], "r")}
    exec("\n".join(line.strip() for line in lines.splitlines()), names)
    results = [hl.Buffer(hl.Int(32), [40] * f.dimensions(), f.name()) for f in names["results"]]
    hl.Pipeline(names["results"]).realize(results)
    return results


@pytest.mark.parametrize("lines", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_what_reads_an_output_is_computed_behind_it(lines: str) -> None:
    assert_same(lambda hl, given: program(lines, hl, given))


def drawn(seed: int) -> str:
    """Stages of which each reads earlier ones at its point, mirrored and at the beginning; some are
    outputs, some are computed whole, the others where the package puts them."""
    chosen = random.Random(seed)
    names = ["f", "g", "h", "k", "out"]
    lines, results = [], []
    for number, name in enumerate(names):
        place = chosen.choice(["x", "39 - x", "0"])
        value = f"hl.i32(a[x, {number}])"
        for earlier in chosen.sample(names[:number], chosen.randint(min(number, 1), number)):
            value += f" + {earlier}[{place}] * {chosen.randint(1, 9)}"
        lines.append(f"{name}[x] = {value}")
        if chosen.random() < 0.4:
            lines.append(f"{name}[r.x] += {name}[39 - r.x]")
        if number + 1 == len(names) or chosen.random() < 0.4:
            results.append(name)
        elif chosen.random() < 0.6:
            lines.append(f"{name}.compute_root()")
    chosen.shuffle(results)
    return "\n".join([*lines, f"results = [{', '.join(results)}]"])


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(i, marks=pytest.mark.slow) for i in range(4, 100))]
)
def test_of_random_programs(seed: int) -> None:
    assert_same(lambda hl, given: program(drawn(seed), hl, given))
