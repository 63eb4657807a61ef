"""Matrix multiplication, written as a plain reduction (autoscheduler-2016, table 1)."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from .program import Algorithm, Array, Program, Size, Values


def build(hl: ModuleType) -> Algorithm:
    x, y = hl.vars("x y")
    a, b = hl.ImageParam(hl.Float(32), 2, "a"), hl.ImageParam(hl.Float(32), 2, "b")
    k = hl.RDom([(0, a.width())], "k")
    product, output = hl.funcs("product output")
    product[x, y] += a[k.x, y] * b[x, k.x]
    output[x, y] = product[x, y]
    return Algorithm([a, b], [output], product=product, output=output, k=k)


def inputs(size: Size, seed: int = 0) -> dict[str, Array]:
    """b is square and as wide as the output; a has the output's size.

    Elements are multiples of 1/16 in [-1, 1): products need 8 fractional bits and sums of up to
    2**15 of them fit a float's 24 bits, so that every order of additions gives the same result.
    """
    width, height = size
    rng = np.random.default_rng(seed)
    return {
        "a": (rng.integers(-16, 16, (height, width)) / 16).astype(np.float32),
        "b": (rng.integers(-16, 16, (width, width)) / 16).astype(np.float32),
    }


def reference(values: Values) -> tuple[Array, ...]:
    return ((values["a"].astype(np.float64) @ values["b"]).astype(np.float32),)


def blocked(hl: ModuleType, a: Algorithm, lanes: int, across: int, down: int) -> None:
    """Blocks of `across` vectors by `down` rows stay in registers while k runs.

    A panel of b, as wide as a block, is copied to consecutive memory: it is read once for every
    block of the panel, and would hit another page in each of its rows where it lies.
    """
    x, y, k = *hl.vars("x y"), a.k.x
    panel, strip, column, row = hl.vars("panel strip column row")
    width = lanes * across
    a.output.tile(x, y, panel, strip, column, row, width, down)
    a.output.vectorize(column, lanes).unroll(column).unroll(row).parallel(panel)
    a.output.reorder(column, row, strip, panel)
    a.product.compute_at(a.output, strip).bound_extent(x, width).bound_extent(y, down)
    a.product.vectorize(x, lanes).unroll(x).unroll(y)
    a.product.update().reorder(x, y, k).vectorize(x, lanes).unroll(x).unroll(y)
    packed = a.inputs["b"].in_()
    column = packed.args()[0]
    packed.compute_at(a.output, panel).bound_extent(column, width)
    packed.vectorize(column, lanes).unroll(column)


def x86(hl: ModuleType, a: Algorithm) -> None:
    blocked(hl, a, lanes=16, across=4, down=6)


def arm(hl: ModuleType, a: Algorithm) -> None:
    blocked(hl, a, lanes=4, across=3, down=8)


def gpu(hl: ModuleType, a: Algorithm) -> None:
    """Four rows by four columns a thread, whose sums stay in registers while k runs."""
    x, y, k = *hl.vars("x y"), a.k.x
    panel, strip, column, row, i, j = hl.vars("panel strip column row i j")
    a.output.tile(x, y, panel, strip, column, row, 64, 32)
    a.output.tile(column, row, column, row, i, j, 4, 4).unroll(i).unroll(j)
    a.output.gpu_blocks(panel, strip).gpu_threads(column, row)
    a.product.compute_at(a.output, column).unroll(x).unroll(y)
    a.product.update().reorder(x, y, k).unroll(x).unroll(y)


PROGRAM = Program(
    name="mat_mul",
    build=build,
    inputs=inputs,
    reference=reference,
    size=(2048, 2048),
    test_size=(131, 43),
    schedules={"x86": x86, "arm": arm, "gpu": gpu},
)
