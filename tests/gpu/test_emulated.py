"""Without a device, programs for GPUs run as loops of the processor, and leave the same."""

from __future__ import annotations

import numpy as np
import pytest

import compiler as hl
from compiler.ir import stmts as s
from compiler.ir.stmt_transform import walk
from compiler.lower.emulation import emulated

from .programs import lowered, on_device
from .test_kernels import IMAGE, SCHEDULES, blur, blurred, product

EMULATED = hl.Target("host-cuda_emulated")


@pytest.mark.parametrize("name", ("in shared memory", "before", "rows that slide"))
def test_a_blur_runs_in_this_process(name: str) -> None:
    h, f = blur()
    SCHEDULES[name](h, f)
    (image,) = [x for x in h.function.definitions[0].sources if isinstance(x, hl.ImageParam)]
    image.set(hl.Buffer(IMAGE))
    made = f.realize([IMAGE.shape[1] - 2, IMAGE.shape[0] - 2], EMULATED)
    np.testing.assert_array_equal(np.asarray(made), blurred(IMAGE))


@pytest.mark.parametrize("backwards", (False, True))
def test_threads_may_run_in_either_order(backwards: bool) -> None:
    f, images = product(8)
    fn = lowered(f)
    body = emulated(fn.body, fn.kernels, backwards)
    assert not [x for x in walk(body) if isinstance(x, (s.Launch, s.Barrier))]
    host = type(fn)(fn.name, fn.args, body)
    made, counts = on_device(host, images, {fn.args[-1].name: (8, 8)})
    np.testing.assert_array_equal(made[fn.args[-1].name], images["a"] @ images["b"])
    assert counts.launches == 0


def test_the_plain_schedule_gives_each_point_a_thread() -> None:
    x, y, f, g = hl.Var("x"), hl.Var("y"), hl.Func("f"), hl.Func("g")
    r = hl.RDom([(0, 4)], "r")
    g[x, y] = hl.i32(0)
    g[x, y] += r.x * x + y
    f[x, y] = g[x, y] + g[x + 1, y]
    fn = lowered(f)
    assert [k.threads[0].value for k in fn.kernels] == [32, 32, 32]  # type: ignore[attr-defined]
    made, counts = on_device(fn, {}, {fn.args[-1].name: (37, 5)})
    y_, x_ = np.mgrid[0:5, 0:38]
    whole = 6 * x_ + 4 * y_
    np.testing.assert_array_equal(made[fn.args[-1].name], whole[:, :-1] + whole[:, 1:])
    assert counts.launches == 3
