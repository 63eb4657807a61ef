"""A stage with updates that nobody placed is stored around each of its uses, as by the real one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import halide
import pytest

import compiler

from .both_packages import assert_same, assert_same_refusal


def pipeline(hl: Any, lines: str) -> Any:
    """f, of which `lines` say what it reads of the long sum g, or of h and k."""
    names: dict[str, Any] = {n: hl.Var(n) for n in ("x", "y", "xo", "xi")}
    names |= {n: hl.Func(n) for n in "fghk"} | {"hl": hl}
    x, g, r = names["x"], names["g"], hl.RDom([(0, 90)], "r")
    g[x] = 1
    g[x] += r.x * x
    exec(lines, names)
    return names["f"]


USES = [
    "f[x, y] = g[x + y]",
    "f[x, y] = g[x]; f[x, y] += g[x + 1]",
    "h[x, y] = g[x]; h.compute_root(); f[x, y] = g[x] + h[x, y]",
    "h[x, y] = g[x]; h.compute_at(f, y); f[x, y] = h[x, y] + g[x]",
    "k[x, y] = g[x] + 1; f[x, y] = k[x, y] + k[x + 1, y]",
    "f[x, y] = g[x + y]; f.vectorize(x, 4)",
    "f[x, y] = g[x + y]; f.unroll(x, 4)",
    "f[x, y] = g[x + y]; f.split(x, x, xi, 4).reorder(xi, y, x)",
    "f[x, y] = hl.select(x > 3, g[x], 7)",
]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("lines", USES)
def test_it_has_the_loops_and_the_values_of_the_real_package(
    lines: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LIFT_DEFAULT_SCHEDULE", "off")

    def program(hl: Any, _: SimpleNamespace) -> Any:
        return pipeline(hl, lines).realize([12, 4])

    assert_same(program)
    nests = []
    for hl in (halide, compiler):
        capfd.readouterr()
        pipeline(hl, lines).print_loop_nest()
        text = "".join(capfd.readouterr())
        nests.append([line for line in text.splitlines() if ".v" not in line])
    assert nests[0] == nests[1]


def test_it_can_be_stored_elsewhere_only_if_it_is_computed_somewhere() -> None:
    lines = "f[x, y] = g[x]; g.store_root()"
    words = "is scheduled store_root(), but is inlined"
    assert_same_refusal(lambda hl, _: pipeline(hl, lines).realize([4, 4]), words)


@pytest.mark.parametrize("level", ["compute_at(f, xo)", "store_root().compute_at(f, x)"])
def test_a_short_reduction_has_loops_where_another_stage_stands_in_them(level: str) -> None:
    def program(hl: Any, i: SimpleNamespace) -> Any:
        g, f, h = hl.Func("g"), hl.Func("f"), hl.Func("h")
        r = hl.RDom([(0, 3)], "r")
        g[i.x] = i.x * 3
        f[i.x, i.y] = i.x + i.y
        f[i.x, i.y] += g[hl.clamp(i.x + r, 0, 255)]
        h[i.x, i.y] = f[i.x, i.y] + f[i.x + 1, i.y]
        if "xo" in level:
            f.update(0).split(i.x, i.xo, i.xi, 8)
        eval(f"g.{level}", {"g": g, "f": f, "x": i.x, "xo": i.xo})
        return h.realize([11, 4])

    assert_same(program)
