"""Functions that overwrite what they read: in place where that is right, and copied elsewhere."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import compiler as hl
from compiler.codegen import Target
from compiler.ir import I64, U8, Const, Expr, Mul, Sub, Variable
from lifter.build.build import _ends_with_reads, lowered
from lifter.build.same_memory import promise_origins, same_memory
from lifter.build.together import together
from lifter.emit.emit import emit
from lifter.emit.interface import ImageView, OutputView, load_interface
from lifter.lift.lift_function import Lifting, LiftOptions
from lifter.model.diagnostic import LiftError
from lifter.parse import parse_file
from tests.end_to_end.built_corpus import emitted

W, H, PITCH = (Variable(n, I64) for n in ("w", "h", "pitch"))


def number(value: int) -> Expr:
    made: Expr = Const(I64, value)
    return made


def view(strides: tuple[Expr, ...], offset: int = 0) -> ImageView:
    return ImageView("dst", "dst", U8, strides, number(offset), rows=False)


def output(strides: tuple[Expr, ...], sizes: tuple[Expr, ...]) -> OutputView:
    return OutputView(view(strides), tuple((number(0), size) for size in sizes), None, False)


def is_in_place(image: ImageView, written: OutputView, ends: tuple[Expr, ...]) -> bool:
    """Whether an image that is read from 0 to `ends` may lie where `written` is stored."""
    interface: Any = SimpleNamespace(images=[image], outputs=[written])
    buffer: Any = SimpleNamespace(name=lambda: "out")
    hull = tuple((number(0), end) for end in ends)
    return same_memory(interface, [buffer], {"dst": hull}) == {"dst": "out"}


ROWS = (number(1), PITCH)
LAST_X, LAST_Y = Sub(W, number(1)), Sub(H, number(1))


def test_what_is_read_inside_of_the_region_is_told_apart_by_the_proof() -> None:
    assert is_in_place(view(ROWS), output(ROWS, (W, H)), (LAST_X, LAST_Y))
    assert is_in_place(view(ROWS), output(ROWS, (W, H)), (Sub(W, number(2)), LAST_Y))


def test_what_is_read_beyond_the_region_may_be_in_the_next_row() -> None:
    assert not is_in_place(view(ROWS), output(ROWS, (W, H)), (W, LAST_Y))


def test_the_fourth_channel_is_none_of_the_first_three_where_strides_say_so() -> None:
    run, image = (number(1), number(4)), (number(1), number(4), PITCH)
    assert is_in_place(view(run), output(run, (number(3), W)), (number(3), LAST_X))
    overlapping = (number(1), number(3))
    assert not is_in_place(
        view(overlapping), output(overlapping, (number(3), W)), (number(3), LAST_X)
    )
    assert not is_in_place(
        view(image), output(image, (number(3), W, H)), (number(3), LAST_X, LAST_Y)
    )


def test_another_layout_is_another_matter() -> None:
    written = output(ROWS, (W, H))
    assert not is_in_place(view(ROWS, offset=1), written, (LAST_X, LAST_Y))
    assert not is_in_place(view((number(1), Mul(PITCH, number(2)))), written, (LAST_X, LAST_Y))


def outputs(*sizes: Expr) -> tuple[Any, list[hl.Func]]:
    """Outputs over rows of these sizes, each of which adds another number to an image."""
    x = hl.Var("x")
    image = hl.ImageParam(hl.UInt(8), 1, "image")
    made = []
    for i, _ in enumerate(sizes):
        f = hl.Func(f"out{i}")
        f[x] = image[x] + i
        made.append(f)
    views = [output((number(1),), (size,)) for size in sizes]
    return SimpleNamespace(outputs=views, images=[]), made


def test_outputs_over_one_region_are_computed_together() -> None:
    interface, funcs = outputs(W, W)
    (both,), buffers = together(interface, funcs)
    assert len(both.output_buffers()) == 2
    assert [b.name() for b in buffers] == [b.name() for b in both.output_buffers()]


def test_outputs_over_other_regions_or_with_schedules_are_not() -> None:
    interface, funcs = outputs(W, H)
    assert together(interface, funcs)[0] == funcs
    interface, funcs = outputs(W, W)
    funcs[1].vectorize(hl.Var("x"), 8)
    assert together(interface, funcs)[0] == funcs


def test_origins_are_promised_unless_somebody_said_otherwise() -> None:
    interface, (first, second) = outputs(W, W)
    second.output_buffer().dim(0).set_min(0)
    buffers = [first.output_buffer(), second.output_buffer()]
    promise_origins(interface, buffers, [], {})
    assert all(str(b.dim(0).promised["min"]) == "0" for b in buffers)


IN_PLACE = (
    ("blend/macros.c", "line_exchange"),
    ("blend/argb32.c", "argb_swap_rb_bytes"),
    ("blend/porter_duff16.c", "pd16_premultiply"),
    ("blend/porter_duff16.c", "pd16_out"),
    ("blend/porter_duff16.c", "pd16_in_rect"),
    ("blend/modern.cpp", "swap_layers"),
    ("blend/modern.cpp", "over_pixels"),
)


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize(("file", "name"), IN_PLACE)
@pytest.mark.parametrize("target", ["x86-64-avx2", "aarch64"])
def test_pixels_need_no_copy(file: str, name: str, target: str) -> None:
    assert not copied(file, name, target)


def test_a_row_that_is_turned_round_does() -> None:
    assert copied("blend/macros.c", "line_reverse", "x86-64-avx2") == ["line"]


BEGUN_INSIDE = (
    "void f(unsigned char *d, const unsigned char *s, int n, int k) {"
    " for (int i = 0; i < n + k; i++) if (i >= k) {"
    " int t = START; for (int j = 0; j < k; j++) t += s[i + j]; d[i - k] = t; } }"
)
"""Nothing before `d` is the function's, but the loop's region begins there; stores of sums are no
vectors at once where no lane can be masked."""


@pytest.mark.parametrize("start", ["0", "d[i - k]"])
def test_what_lies_before_what_is_stored_is_never_copied(tmp_path: Path, start: str) -> None:
    (tmp_path / "f.cpp").write_text(BEGUN_INSIDE.replace("START", start))
    (kernel,) = parse_file(tmp_path / "f.cpp").kernels
    result = Lifting(kernel, LiftOptions()).result()
    assert result.status == "proved"
    emit(result, tmp_path / "f")
    if start == "0":
        assert not copied_in(tmp_path / "f", "x86-64")
        return
    with pytest.raises(LiftError, match="reads d and leaves some of its elements alone"):
        copied_in(tmp_path / "f", "x86-64")


@pytest.mark.parametrize(("first", "holds"), [(0, True), (1, False)])
def test_a_copy_may_end_where_reads_at_other_places_do(first: int, holds: bool) -> None:
    own, other = ((number(0), LAST_X),), ((number(first), LAST_X),)
    region: Any = SimpleNamespace(
        outputs=[output((number(1),), (W,))], accesses={"dst": [own, other]}
    )
    assert _ends_with_reads(region, "dst") is holds


def copied(file: str, name: str, target: str) -> list[str]:
    return copied_in(emitted(file, name), target)


def copied_in(folder: Path, target: str) -> list[str]:
    made = lowered(folder, load_interface(folder), Target.parse(target))
    return [image for image, binding in made.entry.buffers.items() if binding.copied is not None]
