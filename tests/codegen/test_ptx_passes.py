"""Which of LLVM's passes kernels go through, so that it shows in nothing but time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import compiler as hl
from compiler.codegen.ptx import kernels_ptx
from compiler.codegen.ptx.passes import effort_for
from tests.gpu.programs import lowered
from tests.gpu.random_programs import check
from tests.ptx import text

x, y, xi, yi = hl.vars("x y xi yi")


def of_image(step: int = 1) -> hl.Func:
    """Sums of two elements beside one another of an image, which may begin anywhere."""
    image, f = hl.ImageParam(hl.Int(32), 1, "image"), hl.Func("f")
    f[x] = image[step * x] + image[step * x + 1]
    f.gpu_tile(x, xi, 32)
    return f


def of_stage(step: int) -> hl.Func:
    """The same of a stage that a kernel before has written, at an address that is known."""
    first, f = hl.funcs("first f")
    first[x] = x * x
    f[x] = first[step * x] + first[step * x + 1]
    first.bound(x, 0, 1024).compute_root().gpu_tile(x, xi, 32)
    f.gpu_tile(x, xi, 32)
    return f


def with_loop() -> hl.Func:
    f, r = hl.Func("f"), hl.RDom([(0, 100)], "r")
    f[x] = 0
    f[x] += r.x * x
    f.gpu_tile(x, xi, 32)
    f.update().gpu_tile(x, xi, 32)
    return f


def with_array() -> hl.Func:
    """Each thread keeps three numbers, at places that are constants once all is put together."""
    image = hl.ImageParam(hl.Int(32), 2, "image")
    rows, f = hl.funcs("rows f")
    rows[x, y] = image[x, y] * image[x, y]
    f[x, y] = rows[x, y] + rows[x, y + 1] + rows[x, y + 2]
    f.gpu_tile(x, y, xi, yi, 32, 4)
    rows.compute_at(f, xi)
    return f


@pytest.mark.parametrize(
    ("program", "narrow", "wide"),
    [
        (of_image, 1, 0),
        (lambda: of_stage(step=2), 1, 0),
        (with_loop, 1, 0),
        (with_array, 2, 2),
    ],
    ids=["short", "two at once", "loop", "array"],
)
def test_kernels_go_through_the_passes_that_they_need(
    program: Callable[[], hl.Func], narrow: int, wide: int
) -> None:
    *_, kernel = lowered(program()).kernels
    assert (effort_for(kernel, True), effort_for(kernel, False)) == (narrow, wide)


@pytest.mark.parametrize("step", [2, 3])
def test_elements_are_read_two_at_once_where_the_first_lies_at_an_even_place(step: int) -> None:
    *_, entry = text.entries(kernels_ptx(lowered(of_stage(step)).kernels, widths=(32,))).values()
    loads = [x.opcode for x in entry.code if x.opcode[0] == "ld" and "global" in x.opcode]
    assert ["v2" in load for load in loads] == ([True] if step == 2 else [False, False])


def test_arrays_of_threads_lie_in_registers_in_both_entries() -> None:
    found = text.entries(kernels_ptx(lowered(with_array()).kernels))
    assert len(found) == 2
    assert not any(entry.local for entry in found.values())


def test_a_kernel_with_many_equal_values_is_compiled() -> None:
    """LLVM's `new_gvn` ended the process for it."""
    assert check(1255, with_ptx=True) == "equal"
