"""What only a kernel can find out is wrong is told by the host, when the kernels are done."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.ir import F32, F64, I32, I64, LT, U64, Expr, Mul, Variable, const
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import walk
from compiler.lower.emulation import emulated
from compiler.lower.kernel_checks import KernelChecks

from .device import Memory, run
from .programs import by_ptx, lowered, on_device

X, Y, XI, YI = hl.vars("x y xi yi")
SIZE = (9, 5)


def checked(limit: int) -> hl.Func:
    """An image of which each pixel has to be below `limit`."""
    a, f = hl.ImageParam(hl.UInt(8), 2, "a"), hl.Func("f")
    f[X, Y] = hl.require(a[X, Y] < limit, a[X, Y] + 1, "pixel", a[X, Y], X, "is too bright")
    f.gpu_tile(X, Y, XI, YI, 4, 2, hl.TailStrategy.GuardWithIf)
    return f


IMAGE = np.arange(SIZE[0] * SIZE[1], dtype=np.uint8).reshape(SIZE[::-1])


@pytest.mark.parametrize("how", ("numpy", "ptx", "emulated"))
def test_a_pixel_that_a_kernel_finds_wrong_is_told(how: str) -> None:
    for limit in (50, 44):
        fn = lowered(checked(limit))
        launcher = by_ptx(fn) if how == "ptx" else None
        if how == "emulated":
            fn = replace(fn, body=emulated(fn.body, fn.kernels), kernels=())
        name = fn.args[-1].name
        if limit == 50:
            made, _ = on_device(fn, {"a": IMAGE}, {name: SIZE}, launcher)
            np.testing.assert_array_equal(made[name], IMAGE + 1)
            continue
        with pytest.raises(AssertionError, match=r"pixel 44 8 is too bright"):
            on_device(fn, {"a": IMAGE}, {name: SIZE}, launcher)


def test_a_program_that_runs_in_this_process_tells_it() -> None:
    a, f = hl.ImageParam(hl.UInt(8), 2, "a"), hl.Func("f")
    f[X, Y] = hl.require(a[X, Y] < 44, a[X, Y] + 1, "pixel", a[X, Y])
    f.gpu_tile(X, Y, XI, YI, 4, 2, hl.TailStrategy.GuardWithIf)
    a.set(hl.Buffer(IMAGE))
    with pytest.raises(hl.HalideError, match="pixel 44"):
        f.realize(list(SIZE), hl.Target("host-cuda_emulated"))


def test_one_thread_of_all_tells_of_itself() -> None:
    """Each of many is wrong: the values are those of one of them."""
    fn = lowered(checked(0))
    name = fn.args[-1].name
    for launcher in (None, by_ptx(fn)):
        with pytest.raises(AssertionError) as raised:
            on_device(fn, {"a": IMAGE}, {name: SIZE}, launcher)
        following, pixel, x = map(int, re.findall(r"\b\d+\b", str(raised.value))[1:])
        assert following == pixel + 1 and pixel % SIZE[0] == x


def test_what_stands_behind_a_check_is_not_run() -> None:
    """And neither does anybody wait for a barrier for ever, or read what isn't there."""
    a, f, g = hl.ImageParam(hl.Int(32), 1, "a"), hl.Func("f"), hl.Func("g")
    n = hl.Param(hl.Int(32), "n")
    f[X] = a[X] * 2
    g[X] = hl.require(n < 4, f[X] + f[X + 1], "n is", n)
    g.gpu_tile(X, XI, 4, hl.TailStrategy.GuardWithIf)
    f.compute_at(g, X).gpu_threads(X).bound_storage(X, 4)
    fn = lowered(g)
    data, name = np.arange(10, dtype=np.int32), fn.args[-1].name
    (kernel,) = fn.kernels
    assert [x for x in walk(kernel.body) if isinstance(x, s.Fail)]
    for launcher in (None, by_ptx(fn)):
        with pytest.raises(AssertionError, match=r"memory|storage|bound"):
            on_device(fn, {"a": data}, {name: (9,)}, launcher, n=1)


MEMORIES = {"out": I32, s.FAILURE: I64}
KINDS: tuple[tuple[Expr, Any], ...] = (
    (const(-3), -3),
    (const(2.5, F32), 2.5),
    (const(-1e300, F64), -1e300),
    (const(2**64 - 5, U64), 2**64 - 5),
    (LT(Variable("thread.x", I32), const(9)), True),
)


@pytest.mark.parametrize("number", range(len(KINDS)))
def test_values_of_all_types_arrive(number: int) -> None:
    value, expected = KINDS[number]
    checks = KernelChecks()
    broken = LT(Variable("thread.x", I32), const(2))
    made = checks.guarded(
        s.Block((
            s.AssertStmt(LT(Variable("thread.x", I32), const(8)), "never"),
            s.AssertStmt(broken, "{} and {}", (Mul(Variable("thread.x", I32), const(0)), value)),
            s.Store("out", const(1), Variable("thread.x", I32)),
        ))
    )  # fmt: skip
    one = const(1)
    parameters = [s.KernelParameter(n, t, True, True) for n, t in MEMORIES.items()]
    kernel = s.Kernel("k", tuple(parameters), (const(4), one, one), made)
    launch = s.Launch("k", (one, one, one), kernel.threads, ())
    fn = s.LoweredFunction("f", (), checks.reported(launch), kernels=(kernel,))
    for launcher in (None, by_ptx(fn)):
        out = Memory.unwritten(np.int32, 4)
        with pytest.raises(AssertionError) as raised:
            run(fn, {"out": out}, {}, launcher)
        assert str(raised.value) == f"0 and {expected}"
        if launcher is None:
            assert out.is_known.tolist() == [True, True, False, False]
