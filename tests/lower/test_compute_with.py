"""Stages in common loops: values and refusals are the real Halide's."""

from __future__ import annotations

import re
from typing import Any

import halide
import numpy as np
import pytest

import compiler


def pipeline(hl: Any, schedule: str) -> Any:
    """h reads f and g in other rows and columns; both read k."""
    names: dict[str, Any] = {n: hl.Var(n) for n in ("x", "y", "xo", "xi", "yo", "yi")}
    f, g, h, k = (hl.Func(n) for n in "fghk")
    x, y = names["x"], names["y"]
    k[x, y] = 3 * x - y * y
    f[x, y] = x + y + k[x, y]
    g[x, y] = x - y * 2 + k[x - 1, y + 1]
    h[x, y] = f[x, y] + g[x + 1, y + 2] + f[x - 1, y]
    names |= {"hl": hl, "A": hl.LoopAlignStrategy, "f": f, "g": g, "h": h, "k": k, "out": h}
    exec(schedule, names)
    return names["out"]


def outcomes(hl: Any, schedule: str, *sizes: tuple[int, int]) -> list[Any]:
    """For each size the values, or the error's first line; compiled once."""
    made: list[Any] = []
    for size in sizes:
        try:
            if not made:
                func = pipeline(hl, schedule)
            made.append(np.array(func.realize(list(size))))
        except hl.HalideError as error:
            text = re.sub(r"\$\d+", "", str(error)).strip().splitlines()[0]
            made.append(re.sub(r"^(\S*:\d+|Error): ", "", text))
    return made


ROOT = "f.compute_root(); g.compute_root(); "
FUSED = [
    ROOT + "g.compute_with(f, y)",
    ROOT + "g.compute_with(f, x)",
    ROOT + "f.compute_with(g, x)",
    ROOT + "g.compute_with(f, y, A.AlignStart)",
    ROOT + "g.compute_with(f, y, A.AlignEnd)",
    ROOT + "g.compute_with(f, x, A.AlignEnd); k.compute_at(f, y)",
    ROOT + "g.compute_with(f, y); k.compute_at(f, y)",
    ROOT + "g.compute_with(f, y); k.compute_at(f, x)",
    ROOT + "g.compute_with(f, x); k.store_root().compute_at(f, y)",
    ROOT + "k.compute_root(); g.compute_with(f, y); f.compute_with(k, y)",
    ROOT + "f.parallel(y); g.parallel(y).compute_with(f, y)",
    ROOT + "f.vectorize(x, 4); g.vectorize(x, 8).compute_with(f, y)",
    ROOT + "f.split(y, yo, yi, 4); g.split(y, yo, yi, 4).compute_with(f, yo)",
    ROOT + "f.split(y, yo, yi, 4); g.split(y, yo, yi, 4).compute_with(f, yi); k.compute_at(f, yo)",
    "f.compute_at(h, y); g.compute_at(h, y).compute_with(f, x)",
    "f.compute_at(h, y).vectorize(x, 4); g.compute_at(h, y).vectorize(x, 4).compute_with(f, x)",
    "f.compute_at(h, y).store_root(); g.compute_at(h, y).store_root().compute_with(f, y)",
    ROOT + "o, p, out = hl.Func('o'), hl.Func('p'), hl.Func('out')\n"
    "o[x, y] = f[x, y] * g[x, y]; p[x, y] = f[x, y + 1]; out[x, y] = o[x, y] + p[x, y + 2]\n"
    "o.compute_root(); p.compute_root().compute_with(o, y); g.compute_with(f, x)",
]


@pytest.mark.sampled(every=32)
@pytest.mark.parametrize("schedule", FUSED)
def test_common_loops_change_no_value(schedule: str) -> None:
    sizes = ((13, 11), (5, 3))
    ours, theirs = (outcomes(hl, schedule, *sizes) for hl in (compiler, halide))
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(one, other, schedule)


REFUSED = [
    "f.compute_root(); g.compute_at(h, y).compute_with(f, x)",
    "f.compute_root(); g.compute_with(f, x)",
    ROOT + "g.split(x, xo, xi, 4); g.compute_with(f, x)",
    ROOT + "f.parallel(y); g.compute_with(f, y)",
    ROOT + "f.reorder(y, x); g.compute_with(f, y)",
    "f.compute_root(); h.compute_root(); h.compute_with(f, y)",
    ROOT + "g.compute_with(f, xi)",
]


@pytest.mark.parametrize("schedule", REFUSED)
def test_loops_that_do_not_fit_are_refused_in_halides_words(schedule: str) -> None:
    (ours,), (theirs,) = (outcomes(hl, schedule, (9, 7)) for hl in (compiler, halide))
    assert isinstance(theirs, str) and "compute_with" in theirs
    assert ours == theirs


def test_an_output_is_computed_with_another() -> None:
    made = []
    for hl in (compiler, halide):
        x, y = hl.Var("x"), hl.Var("y")
        f, g = hl.Func("f"), hl.Func("g")
        f[x, y], g[x, y] = x + y, x * y
        g.compute_with(f, y)
        made.append([np.array(b) for b in hl.Pipeline([f, g]).realize([9, 7])])
    np.testing.assert_array_equal(made[0][0], made[1][0])
    np.testing.assert_array_equal(made[0][1], made[1][1])


def test_a_step_of_the_common_loop_computes_both() -> None:
    from compiler.ir.stmt_printer import stmt_to_text

    seen: dict[str, str] = {}
    pipeline(compiler, ROOT + "g.compute_with(f, y)").lowered(
        "", None, None, lambda name, body: seen.update({name: stmt_to_text(body)})
    )
    text = re.sub(r"\$\d+", "", seen["schedule_stages"])
    assert text.count("fused in [") == 1
    start = text.index("fused in [")
    assert start < text.index(" f(f.s0") < text.index(" g(g.s0")


def test_what_reads_one_of_them_comes_behind_both() -> None:
    made = []
    for hl in (compiler, halide):
        x, y = hl.Var("x"), hl.Var("y")
        f, g, h, k = (hl.Func(name) for name in "fghk")
        f[x, y], g[x, y] = x + y, x * y
        h[x, y], k[x, y] = f[x, y] + 1, g[x, y] + 2
        f.compute_root()
        g.compute_root().compute_with(f, y)
        made.append([np.array(b) for b in hl.Pipeline([h, k]).realize([9, 7])])
    np.testing.assert_array_equal(made[0][0], made[1][0])
    np.testing.assert_array_equal(made[0][1], made[1][1])
