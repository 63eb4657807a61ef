"""One small pipeline under schedules given as text, run by this compiler and by the real Halide."""

from __future__ import annotations

import re
from typing import Any

import halide
import numpy as np

import compiler

MARGIN = 50
IMAGE = np.random.default_rng(0).integers(0, 1000, (200, 200)).astype(np.uint16)
SIZES = ((50, 40), (16, 8), (5, 3))


def pipeline(hl: Any, schedule: str) -> Any:
    """e -> f -> g -> h over an image with margins, under the directives of `schedule`.

    `e` and `f` look right, `g` looks down, `h` reads `g` in both directions, and `e` again.
    """
    names: dict[str, Any] = {n: hl.Var(n) for n in ("x", "y", "xo", "xi", "yo", "yi", "z", "u")}
    image = hl.ImageParam(hl.UInt(16), 2, "image")
    buffer = hl.Buffer(IMAGE)
    buffer.set_min([-MARGIN, -MARGIN])
    image.set(buffer)
    e, f, g, h = (hl.Func(n) for n in "efgh")
    x, y = names["x"], names["y"]
    e[x, y] = image[x, y] * 3 + 1
    f[x, y] = e[x, y] + e[x + 1, y]
    g[x, y] = f[x, y] + f[x, y + 1] * 2 + f[x, y + 2]
    h[x, y] = g[x, y] + g[x + 1, y - 1] + e[x, y]
    names |= {"hl": hl, "T": hl.TailStrategy, "e": e, "f": f, "g": g, "h": h}
    exec(schedule, names)
    return h


def expected(size: tuple[int, int]) -> np.ndarray:
    """The pipeline's values by numpy, without any schedule."""
    width, height = size
    e = IMAGE * 3 + 1
    f = e[:, :-1] + e[:, 1:]
    g = f[:-2] + f[1:-1] * 2 + f[2:]
    h = g[1:, :-1] + g[:-1, 1:] + e[1 : g.shape[0], : g.shape[1] - 1]
    return h[MARGIN - 1 : MARGIN - 1 + height, MARGIN : MARGIN + width]


def outcomes(hl: Any, schedule: str) -> list[np.ndarray | str]:
    """For each of SIZES what `realize` gives, or the name of the exception; compiled once."""
    errors = (compiler.HalideError, halide.HalideError)
    try:
        h = pipeline(hl, schedule)
    except errors as error:
        return [type(error).__name__] * len(SIZES)
    made: list[np.ndarray | str] = []
    for size in SIZES:
        try:
            made.append(np.array(h.realize(list(size))))
        except errors as error:
            made.append(type(error).__name__)
    return made


def message(hl: Any, schedule: str, size: tuple[int, int] = (10, 8)) -> str:
    """The first line of the error that `schedule` raises, without numbers of names or places."""
    try:
        pipeline(hl, schedule).realize(list(size))
    except (compiler.HalideError, halide.HalideError) as error:
        text = re.sub(r"\$\w+", "", str(error)).strip().splitlines()[0]
        return re.sub(r"^(\S*:\d+|Error): ", "", text)
    return "no error"


def check(schedule: str) -> None:
    """Our values are right, and Halide accepts and refuses the same sizes."""
    both = (outcomes(compiler, schedule), outcomes(halide, schedule))
    for size, ours, theirs in zip(SIZES, *both, strict=True):
        if isinstance(theirs, str) or isinstance(ours, str):
            assert isinstance(ours, str) and isinstance(theirs, str), (size, ours, theirs)
        else:
            np.testing.assert_array_equal(ours, expected(size), f"{schedule} at {size}")
            np.testing.assert_array_equal(theirs, ours)


def statement(schedule: str, after: str) -> str:
    """The text of the pipeline after the pass `after`."""
    return lowered_text(pipeline(compiler, schedule), after)


def lowered_text(func: Any, after: str) -> str:
    """The text of what computes `func`, after the pass `after`; names without their numbers."""
    from compiler.ir.stmt_printer import stmt_to_text

    seen: dict[str, str] = {}
    func.lowered("", None, None, lambda name, body: seen.update({name: stmt_to_text(body)}))
    return re.sub(r"\$\d+", "", seen[after])
