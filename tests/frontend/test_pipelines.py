"""Funcs and pipelines, under the real package and under ours: definitions, tuples, runs, calls."""

from __future__ import annotations

import numpy as np
import pytest

import compiler
from tests.lang.both import assert_same

VALUES = [
    "f.name()[:1], f.defined(), f.args(), f.dimensions(), f.types(), f.type(), f.outputs()",
    "hl.Func('h').args(), hl.Func('h').defined(), hl.Func('h').num_update_definitions()",
    "u.num_update_definitions(), u.has_update_definition(), len(u.rvars()), len(u.update_args())",
    "h = hl.Func(hl.UInt(8), 2, 'h')\nh.types(), h.dimensions(), h.defined()",
    "h = hl.Func([hl.UInt(8), hl.Int(32)], 2, 'h')\nh[x, y] = (hl.u8(x), y)\n"
    "h.types(), h.outputs()",
    "h = hl.Func(hl.Buffer(np.arange(12, dtype=np.uint8).reshape(3, 4)))\nh.realize([4, 3])",
    "h = hl.Func(hl._0 + hl._1 * 2)\nh.args(), h.realize([3, 2])",
    "h = hl.lambda_func(x, y, x - y)\nh.realize([3, 2])",
    "[h.name()[:1] for h in hl.funcs('a b c')]",
    "h = hl.Func('h')\nh[hl._] = f[hl._] + 1\nh.args(), h.realize([3, 2])",
    "h = hl.Func('h')\nh[x, hl._] = f[x, hl._] + f[3, hl._]\nh.args(), h.realize([3, 2])",
    "h = hl.Func('h')\nh[hl._] += f[hl._]\nh.realize([3, 2])",
    "h = hl.Func('h')\nh[()] = 7\nh.realize()",
    "h = hl.Func('h')\nh[[x, y]] = x\nh.args()",
    "h = hl.Func('h')\nh[x] = (x, hl.f32(x) / 2)\n[np.array(b).tolist() for b in h.realize([3])]",
    "h = hl.Func('h')\nh[x] = hl.Tuple([x, 2])\nk = hl.Func('k')\nk[x] = h[x]\n"
    "k.types(), len(k[x])",
    "h = hl.Func('h')\nh[x] = (x, 2)\nk = hl.Func('k')\nk[x] = h[x][0] + h[x][1]\nk.realize([3])",
    "h = hl.Func('h')\nh[x] = (x, 2)\nh[x] = (h[x][1], h[x][0])\n"
    "h.realize([3])[0], h.realize([3])[1]",
    "h = hl.Func('h')\nh[x] += r.x * 2\nh.rvars().__len__(), h.realize([2])",
    "h = hl.Func('h')\nh[x] *= hl.f32(2)\nh.types(), h.realize([2])",
    "h = hl.Func('h')\nh[x] = 10 + x\nh[x] -= 3\nh[x] *= 2\nh[x] /= 3\nh[x] %= 5\nh.realize([9])",
    "h = hl.Func('h')\nh[x] = hl.undef(hl.Int(32))\nh[x] = 3\nh.realize([2])",
    "h = hl.Func('h')\nh[x] = x\nh[2] = 9\nh[r.x % 3] += r.y\nh.realize([4])",
    "hl.Pipeline([f, g]).realize([3, 2])",
    "hl.Pipeline(g).outputs().__len__(), hl.Pipeline(g).defined(), hl.Pipeline().defined()",
    "hl.Pipeline(g).get_func(0).name()[:1], hl.Pipeline(g).get_func(1).name()[:1]",
    "b = hl.Buffer(hl.Int(32), [3, 2])\nf.realize(b)\nb",
    "b, c = (hl.Buffer(hl.Int(32), [3, 2]) for _ in range(2))\n"
    "hl.Pipeline([f, d]).realize([b, c])\n(b, c)",
    "f.realize((3, 2))",
    "f.realize(np.array([3, 2]))",
    "f.realize(sizes=[3, 2])",
    "f.realize([0, 2])",
    "f.compile_jit()\nf.realize([2, 2], hl.get_jit_target_from_environment())",
    "p = hl.Pipeline(f)\np.add_requirement(f.output_buffer().width() > 2, 'wide')\n"
    "p.realize([3, 2])",
    "im = hl.ImageParam(hl.Int(32), 1, 'im')\nh = hl.Func('h')\nh[x] = im[x + 2] + im[x]\n"
    "h.infer_input_bounds([5])\n"
    "im.get().dim(0).min(), im.get().dim(0).extent()",
    "im = hl.ImageParam(hl.Int(32), 1, 'aa')\np = hl.Param(hl.Int(32), 'zz')\nh = hl.Func('h')\n"
    "h[x] = im[x] + p\n"
    "[(a.name, a.kind, a.dimensions, a.type) for a in h.infer_arguments()]",
    "p = hl.Param(hl.Int(32), 'p')\nh = hl.Func('h')\nh[x] = x * p\n"
    "c = h.compile_to_callable([p])\nb = hl.Buffer(hl.Int(32), [4])\nc(3, b)\nb",
    "p = hl.Param(hl.Int(32), 'p')\nh = hl.Func('hh')\nh[x] = x * p\n"
    "c = h.compile_to_callable([p])\nb = np.zeros(4, np.int32)\nc(hh=b, p=5)\nb.tolist()",
    "k = hl.Buffer(np.arange(4, dtype=np.int32))\nh = hl.Func('hh')\nh[x] = k[x] * 2\n"
    "c = h.compile_to_callable([])\nb = np.zeros(4, np.int32)\nc(b)\nb.tolist()",
]  # fmt: skip

MISTAKES = {
    "hl.Func('h').dimensions()": "undefined",
    "hl.Func('h').types()": "undefined",
    "hl.Func('h').value()": "undefined",
    "f.update_value()": "no update",
    "f.rvars()": "no update",
    "hl.Func('h').output_buffer()": "undefined",
    "hl.Func('h').realize([1])": "undefined",
    "hl.Func('a.b')": "'.'",
    "hl.Func(f)": "Func",
    "hl.Func(x + y)": "Undefined variable",
    "h = hl.Func('h')\nk = hl.Func('k')\nk[x] = h[x] + 1": "different location",
    "h = hl.Func(hl.UInt(8), 2, 'h')\nh[x, y] = x": "constrained",
    "h = hl.Func(hl.UInt(8), 2, 'h')\nh[x] = hl.u8(x)": "constrained",
    "h = hl.Func('h')\nh[x] = 'a'": "",
    "h = hl.Func('h')\nh[x] = None": "",
    "h = hl.Func('h')\nh[x] = [x, y]": "",
    "h = hl.Func('h')\nh['x'] = 3": "",
    "h = hl.Func('h')\nh[x, x] = 3": "both have the name",
    "h = hl.Func('h')\nh[x, 3] = 3": "not a Var",
    "h = hl.Func('h')\nh[x] = y": "Undefined variable",
    "h = hl.Func('h')\nh[r.x] = 3": "not a Var",
    "h = hl.Func('h')\nh[x] = r.x": "Reduction domain",
    "h = hl.Func('h')\nh[x] = h[x - 1]": "",
    "h = hl.Func('h')\nh[x] = x\nh[x] = h[x - 1]": "same pure variables",
    "d[x, y] = 1.5": "type",
    "d[x] = 1": "2",
    "d[t, y] = 3": "Undefined variable",
    "d[x, y] = (x, y)": "tuple elements",
    "g.realize([3, 3])\ng[x, y] += 1": "already been realized",
    "f[x, y] += 1": "used in the definition",
    "f[x]": "was called with 1 arguments",
    "f[x, 1.5]": "Implicit cast",
    "f['x', y]": "",
    "f[x, y][0]": "does not return a Tuple",
    "h = hl.Func('h')\nh[x] = (x, x)\nh[x][2]": "out of range",
    "h = hl.Func('h')\nh[x] = (x, x)\nh[x] + 1": "Tuple",
    "h = hl.Func('h')\nh[x] = (x, x)\nh[x][0] = 3": "item assignment",
    "h = hl.Func('h')\nh[x] = (x, x)\nh.type()": "Tuple",
    "h = hl.Func('h')\nh[x] = (x, x)\nh.value()": "multiple",
    "h = hl.Func('h')\nh[x] = (x, x)\nh.output_buffer()": "Tuple",
    "h = hl.Func('h')\nh[x] %= 3": "defin",
    "h = hl.Func('h')\nh[x] = f[x, hl._]": "placeholder",
    "hl.Tuple([])": "at least one",
    "hl.Pipeline(3)": "Pipeline",
    "hl.Pipeline().realize([3])": "undefined",
    "hl.Pipeline(hl.Func('h')).realize([])": "undefined",
    "hl.Pipeline(g).get_func(2)": "only 2",
    "f.realize()": "dimensions",
    "f.realize([3])": "dimensions",
    "f.realize(3)": "",
    "f.realize('ab')": "",
    "f.realize([3.5, 3])": "",
    "f.realize([-3, 3])": "negative",
    "f.realize(hl.Buffer(hl.UInt(8), [3, 3]))": "has type int32",
    "f.realize(hl.Buffer(hl.Int(32), [3]))": "dimensions",
    "f.realize([hl.Buffer(hl.Int(32), [3, 3])] * 2)": "output(s)",
    "p = hl.Pipeline(f)\np.add_requirement(f.output_buffer().width() > 4, 'width', 7)\n"
    "p.realize([3, 3])": "width 7",
    "p = hl.Pipeline(f)\np.add_requirement(x > 4)": "Var",
    "p = hl.Param(hl.Int(32), 'p')\nh = hl.Func('h')\nh[x] = x * p\nh.realize([3])": "scalar value",
    "p = hl.Param(hl.Int(32), 'p')\nh = hl.Func('h')\nh[x] = x * p\n"
    "h.compile_to_callable([])": "not found in the argument list",
    "f.compile_to_callable([3])": "",
    "c = f.compile_to_callable([])\nc(3, 4)": "at most 1",
    "c = f.compile_to_callable([])\nc()": "",
    "c = f.compile_to_callable([])\nc(zz=3)": "Unknown argument",
    "c = f.compile_to_callable([])\nc(None)": "buffer",
    "c = f.compile_to_callable([])\nc(np.zeros((3, 3), np.uint8))": "int32",
    "c = f.compile_to_callable([])\nc(np.zeros(3, np.int32))": "dimensions",
    "hl.Argument(3)": "",
}  # fmt: skip


@pytest.mark.sampled(every=64)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("text", VALUES)
def test_a_program_gives_what_halide_gives(text: str) -> None:
    assert not assert_same(text).error


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_raises_as_in_halide(text: str) -> None:
    ours = assert_same(text)
    assert ours.error
    assert MISTAKES[text] in ours.message


def test_a_definition_that_hides_another_is_warned_about() -> None:
    x = compiler.Var("x")
    f = compiler.Func("f")
    f[x] = x
    with pytest.warns(UserWarning, match="hides earlier definitions"):
        f[x] = 3


def test_an_array_of_numpy_is_computed_into() -> None:
    x, y = compiler.vars("x y")
    f = compiler.Func("f")
    f[x, y] = x + 10 * y
    array = np.zeros((2, 3), np.int32)
    f.realize(array)
    np.testing.assert_array_equal(array, [[0, 1, 2], [10, 11, 12]])


def test_a_parameter_that_only_the_schedule_knows_is_an_argument() -> None:
    x = compiler.Var("x")
    p = compiler.Param(compiler.Int(32), "only_schedule")
    f = compiler.Func("f")
    f[x] = x
    f.specialize(p > 3).vectorize(x, 4)
    assert [a.name for a in f.infer_arguments()] == ["only_schedule"]
    with pytest.raises(compiler.HalideError, match="scalar value"):
        f.realize([8])


def test_code_for_another_machine_does_not_run_here() -> None:
    x = compiler.Var("x")
    f = compiler.Func("f")
    f[x] = x
    host = compiler.get_host_target()
    other = "arm-64-linux" if host.arch is compiler.TargetArch.X86 else "x86-64-linux"
    with pytest.raises(compiler.HalideError, match="cannot run on this machine"):
        f.realize([4], compiler.Target(other))
