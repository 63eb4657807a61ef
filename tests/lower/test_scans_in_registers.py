"""Each integer combined with the one before it, a vector of steps at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import walk

X = hl.Var("x")
SIZES = [2, 3, 15, 16, 17, 63, 64, 65, 200, 1000]
OPERATIONS: dict[str, tuple[Any, Any]] = {
    "add": (lambda a, b: a + b, np.add),
    "subtract": (lambda a, b: a - b, np.subtract),
    "max": (hl.max, np.maximum),
    "min": (hl.min, np.minimum),
    "and": (lambda a, b: a & b, np.bitwise_and),
    "or": (lambda a, b: a | b, np.bitwise_or),
}


def is_in_vectors(f: hl.Func) -> bool:
    body = f.lowered().body
    return any(isinstance(x, s.Allocate) and x.buffer.endswith(".carry") for x in walk(body))


def scan(kind: str, operation: str, backward: bool, in_place: bool) -> tuple[hl.Func, Any, Any]:
    type = {"u1": hl.UInt(8), "i2": hl.Int(16), "u4": hl.UInt(32), "i8": hl.Int(64)}[kind]
    a, n = hl.ImageParam(type, 1, "a"), hl.Param(hl.Int(32), "n")
    f, r = hl.Func("f"), hl.RDom([(1, hl.max(n - 1, 0))], "r")
    f[X] = a[X]
    here, before = (n - 1 - r.x, n - r.x) if backward else (r.x, r.x - 1)
    combine, _ = OPERATIONS[operation]
    f[here] = combine(f[before], f[here] if in_place else a[here] + 3)
    return f, a, n


@pytest.mark.sampled
@pytest.mark.parametrize("target", ["sse41", "avx2", "avx512_skylake"])
@pytest.mark.parametrize("kind", ["u1", "i2", "u4", "i8"])
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("in_place", [False, True])
def test_a_scan_is_what_its_steps_give(
    target: str, kind: str, operation: str, backward: bool, in_place: bool
) -> None:
    f, a, n = scan(kind, operation, backward, in_place)
    assert is_in_vectors(f)
    for size in SIZES:
        values = np.random.default_rng(size).integers(0, 250, size).astype(kind)
        a.set(hl.Buffer(values))
        n.set(size)
        out = np.zeros_like(values)
        f.realize(hl.Buffer(out), hl.Target(f"x86-64-linux-{target}"))
        wanted = values[::-1].copy() if backward else values.copy()
        with np.errstate(all="ignore"):
            for i in range(1, size):
                term = wanted[i] if in_place else wanted[i] + wanted.dtype.type(3)
                wanted[i] = OPERATIONS[operation][1](wanted[i - 1], term)
        np.testing.assert_array_equal(out, wanted[::-1] if backward else wanted)


def test_a_sum_goes_on_from_vector_to_vector() -> None:
    f, a, n = scan("u4", "add", False, True)
    a.set(hl.Buffer(np.ones(1000, np.uint32)))
    n.set(1000)
    out = np.zeros(1000, np.uint32)
    f.realize(hl.Buffer(out))
    assert (out == np.arange(1, 1001)).all()


def update(make: Any, type: Any = hl.UInt(32)) -> hl.Func:  # noqa: B008
    a, f = hl.ImageParam(type, 1, "a"), hl.Func("f")
    r = hl.RDom([(2, a.width() - 4)], "r")
    f[X] = a[X]
    f[r.x] = make(f, a, r.x)
    return f


def test_the_same_one_after_the_other() -> None:
    assert is_in_vectors(update(lambda f, a, x: f[x - 1] + a[x]))
    assert is_in_vectors(update(lambda f, a, x: a[x] + f[x] + (f[x - 1] + a[x + 2])))


@pytest.mark.parametrize(
    "make",
    [
        lambda f, a, x: f[x - 2] + a[x],  # not the one before
        lambda f, a, x: f[x - 1] + f[x - 2],  # more than one of before
        lambda f, a, x: f[x - 1] + (f[x - 1] >> 1),
        lambda f, a, x: a[x] - f[x - 1],
        lambda f, a, x: f[x - 1] * 3 + a[x],
        lambda f, a, x: hl.max(f[x - 1] + a[x], hl.u32(3)),
        lambda f, a, x: hl.saturating_add(f[x - 1], a[x]),
    ],
)
def test_other_recursions_stay_serial(make: Any) -> None:
    assert not is_in_vectors(update(make))


def test_what_is_not_replaced_yet_is_no_term() -> None:
    assert not is_in_vectors(update(lambda f, a, x: f[x - 1] + f[x + 1]))


def test_floats_are_not_added_in_another_order() -> None:
    assert not is_in_vectors(update(lambda f, a, x: f[x - 1] + a[x], hl.Float(32)))
    assert not is_in_vectors(update(lambda f, a, x: hl.max(f[x - 1], a[x]), hl.Float(32)))
