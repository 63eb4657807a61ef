"""The short way into machine code takes the same arguments, and notices what has changed."""

from __future__ import annotations

import numpy as np
import pytest

import compiler as hl
from compiler.lang import changes


def pipeline() -> tuple[hl.Func, hl.ImageParam, hl.Param]:
    x, y = hl.Var("x"), hl.Var("y")
    source, amount = hl.ImageParam(hl.UInt(8), 2), hl.Param(hl.UInt(8), 3)
    f = hl.Func("f")
    f[x, y] = source[x, y] + amount
    return f, source, amount


@pytest.fixture
def image() -> np.ndarray:
    return np.arange(256, dtype=np.uint8).reshape(16, 16)


def test_a_second_call_compares_no_schedules(image: np.ndarray) -> None:
    f, source, amount = pipeline()
    source.set(hl.Buffer(image))
    out = hl.Buffer(hl.UInt(8), [16, 16])
    f.realize(out)
    before = changes.count
    for value in (5, 0, 255):
        amount.set(value)
        f.realize(out)
        assert (np.array(out) == image + np.uint8(value)).all()
    assert changes.count == before


@pytest.mark.parametrize("several", [list, tuple])
def test_a_second_call_with_several_buffers_looks_at_no_stage(
    several: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, y = hl.Var("x"), hl.Var("y")
    f = hl.Func("f")
    f[x, y] = hl.Tuple([x, y])
    outs = several(hl.Buffer(hl.Int(32), [16, 16]) for _ in range(2))
    f.realize(outs)
    with pytest.raises(hl.HalideError):
        f.realize(outs[0])
    with pytest.raises(hl.HalideError):
        f.realize([outs[0], hl.Buffer(hl.UInt(8), [16, 16])])
    monkeypatch.delattr(hl.Func, "_outputs")
    for out in outs:
        out.fill(77)
    f.realize(outs)
    y_values, x_values = np.mgrid[:16, :16]
    assert (np.array(outs[0]) == x_values).all() and (np.array(outs[1]) == y_values).all()


def test_inputs_and_outputs_may_be_others(image: np.ndarray) -> None:
    f, source, _ = pipeline()
    first, second = hl.Buffer(image), hl.Buffer(image[:, ::-1].copy())
    outs = [hl.Buffer(hl.UInt(8), [16, 16]) for _ in range(2)]
    for given, out in ((first, outs[0]), (second, outs[1]), (first, outs[1])):
        source.set(given)
        f.realize(out)
        assert (np.array(out) == np.array(given) + np.uint8(3)).all()


def test_a_buffer_that_moves_is_seen_where_it_is(image: np.ndarray) -> None:
    f, source, _ = pipeline()
    given, out = hl.Buffer(image), hl.Buffer(hl.UInt(8), [8, 8])
    source.set(given)
    f.realize(out)
    out.set_min([4, 2])
    f.realize(out)
    assert (np.array(out) == image[2:10, 4:12] + np.uint8(3)).all()
    given.set_min([4, 2])
    f.realize(out)
    assert (np.array(out) == image[:8, :8] + np.uint8(3)).all()
    out.transpose(0, 1)
    with pytest.raises(hl.HalideError):
        f.realize(out)


def test_a_changed_schedule_is_followed(image: np.ndarray, tmp_path) -> None:  # type: ignore[no-untyped-def]
    f, source, _ = pipeline()
    source.set(hl.Buffer(image))
    out = hl.Buffer(hl.UInt(8), [16, 16])
    f.realize(out)
    f.realize(out)
    x = f.args()[0]
    f.bound(x, 0, 8)
    with pytest.raises(hl.HalideError):
        f.realize(out)


def test_a_changed_promise_is_kept(image: np.ndarray) -> None:
    f, source, _ = pipeline()
    source.set(hl.Buffer(image))
    out = hl.Buffer(hl.UInt(8), [16, 16])
    f.realize(out)
    source.dim(0).set_extent(99)
    with pytest.raises(hl.HalideError, match="Constraint violated"):
        f.realize(out)


@pytest.mark.parametrize("wrong", ["type", "dimensions", "size", "read only", "no image"])
def test_what_does_not_fit_is_refused_as_in_the_first_call(wrong: str, image: np.ndarray) -> None:
    f, source, _ = pipeline()
    source.set(hl.Buffer(image))
    f.realize(hl.Buffer(hl.UInt(8), [16, 16]))
    out = hl.Buffer(hl.UInt(8), [16, 16])
    if wrong == "type":
        out = hl.Buffer(hl.UInt(16), [16, 16])
    elif wrong == "dimensions":
        out = hl.Buffer(hl.UInt(8), [16])
    elif wrong == "size":
        out = hl.Buffer(hl.UInt(8), [17, 16])
    elif wrong == "read only":
        f.realize(out)
        out.array.flags.writeable = False
    else:
        source.reset()
    with pytest.raises((hl.HalideError, ValueError, TypeError)):
        f.realize(out)


def test_a_callable_takes_buffers_arrays_and_numbers(image: np.ndarray) -> None:
    f, source, amount = pipeline()
    call = f.compile_to_callable([source, amount])
    given, out = hl.Buffer(image), hl.Buffer(hl.UInt(8), [16, 16])
    for _ in range(3):
        call(given, 9, out)
        assert (np.array(out) == image + np.uint8(9)).all()
    array = np.zeros((16, 16), np.uint8)
    call(image, 8, array)
    assert (array == image + np.uint8(8)).all()
    for number in (256, -1, 1.5):
        with pytest.raises(hl.HalideError):
            call(given, number, out)
