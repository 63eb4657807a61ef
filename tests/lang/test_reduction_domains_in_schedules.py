"""An `RDom` of one dimension stands for its variable wherever a directive takes one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .both import assert_same

TAKEN = [
    "u.update().reorder(y, r, x)",
    "u.update().reorder(x, r)",
    "u.update().reorder(vars=[r, x])",
    "u.update().reorder(hl.VarOrRVar(r), x)",
    "u.update().split(r, hl.RVar('ro'), hl.RVar('ri'), 4)",
    "u.update().split(r, r, hl.RVar('ri'), 4)",
    "u.update().tile(r, x, hl.RVar('ro'), xo, hl.RVar('ri'), xi, 4, 4)",
    "u.update().tile([r, x], [hl.RVar('ro'), xo], [hl.RVar('ri'), xi], [4, 4])",
    "u.update().fuse(r, x, hl.RVar('t'))",
    "u.update().rename(r, hl.RVar('q'))",
    "u.update().unroll(r, 2)",
    "u.update().serial(r)",
    "u.update().atomic().vectorize(r)",
    "u.update().allow_race_conditions().partition(r, hl.Partition.Never)",
    "u.update().never_partition([r, x])",
    "u.update().rfactor(r, xo)",
    "u.update().rfactor([(r, xo)])",
    "u.update().prefetch(g, r, r, 2)",
]
PLACED = [f"f.{where}(u, r)" for where in ("compute_at", "store_at", "hoist_storage")]
REFUSED = [
    *PLACED,
    "f.compute_at(u, rvar=r)",
    "u.update().reorder(r2, x)",
    "u.update().unroll(r2)",
    "u.update().rfactor(r2, xo)",
    "u.update().rfactor(hl.VarOrRVar(r), xo)",
    "u.update().rfactor(x, xo)",
    "f.compute_at(u, r2)",
    "u.update().never_partition(r)",
    "u.reorder(r, x)",
    "u.update().reorder(3, x)",
    "u.update().split(x, r, xi, 4)",
]


def names(hl: Any) -> dict[str, Any]:
    """An update u over the 1-D r, which reads the stages f and g; f in its index alone."""
    made: dict[str, Any] = {n: hl.Var(n) for n in ("x", "y", "xo", "xi")}
    x, y = made["x"], made["y"]
    r, r2 = hl.RDom([(0, 8)], "r"), hl.RDom([(0, 8), (0, 2)], "r2")
    f, g, u = hl.Func("f"), hl.Func("g"), hl.Func("u")
    image = hl.Buffer(np.arange(64, dtype=np.int32))
    f[x] = hl.clamp(x, 0, 20) * 2
    g[x] = image[hl.clamp(x, 0, 63)] + 1
    u[x, y] = x + f[y]
    u[x, y] += g[r] * x + f[r]
    g.compute_root()
    return made | {"f": f, "g": g, "u": u, "r": r, "r2": r2, "hl": hl}


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("directive", TAKEN)
def test_a_directive_takes_it_for_its_variable(directive: str) -> None:
    assert not assert_same(f"{directive}\nu.realize([16, 8])", names).error


@pytest.mark.parametrize("directive", REFUSED)
def test_what_halide_refuses_is_refused_alike(directive: str) -> None:
    assert assert_same(f"{directive}\nu.realize([16, 8])", names).error


def test_a_stage_is_computed_in_its_loop() -> None:
    text = (
        "v = hl.Func('v')\nv[x] = f[x] * 3\nu[x, y] += v[r]\nv.compute_at(u, r)\nf.compute_root()"
    )
    assert not assert_same(f"{text}\nu.realize([16, 8])", names).error
