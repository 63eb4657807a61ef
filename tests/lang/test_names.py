"""Names that collide are made unique, or refused: one name is never two memories."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import compiler as hl

X = hl.Var("x")
BYTES = np.arange(8, dtype=np.uint8)


def constant(name: str | None, value: int = 1) -> hl.Func:
    f = hl.Func() if name is None else hl.Func(name)
    f[X] = hl.u8(value)
    f.compute_root()
    return f


def both(image: Any, stage: hl.Func) -> list[int]:
    f = hl.Func("both")
    f[X] = image[X] + 2 * stage[X]
    return [int(v) for v in np.array(f.realize([8]))]


WANTED = [int(v) + 2 for v in BYTES]


def test_a_stage_named_like_an_unnamed_buffer_is_another() -> None:
    image = hl.Buffer(BYTES)
    assert both(image, constant(image.name())) == WANTED


def test_buffers_made_after_stages_of_their_names_are_others() -> None:
    number = int(hl.Buffer(BYTES).name()[1:])
    stages = [constant(f"b{number + n}") for n in range(40)]
    images = [hl.Buffer(BYTES) for _ in range(20)]
    assert not {s.name() for s in stages} & {i.name() for i in images}
    for image, stage in zip(images, stages[1:], strict=False):
        assert both(image, stage) == WANTED


def test_a_stage_named_like_an_image_that_is_read_is_another() -> None:
    image = hl.ImageParam(hl.UInt(8), 1, "named_image")
    image.set(hl.Buffer(BYTES))
    stage = constant("named_image")
    assert stage.name() != image.name() == "named_image"
    assert both(image, stage) == WANTED


def test_an_output_may_be_named_like_the_image_that_it_reads() -> None:
    image = hl.ImageParam(hl.UInt(8), 1, "named_input")
    f = hl.Func("named_input")
    f[X] = image[X] + 1
    out = hl.Buffer(hl.UInt(8), [8])
    f.compile_to_callable([image])(hl.Buffer(BYTES), out)
    assert (np.array(out) == BYTES + 1).all()


def test_a_stage_named_like_a_numbered_one_is_another() -> None:
    one, two = constant("numbered", 1), constant("numbered", 2)
    three = constant(two.name(), 3)
    assert len({one.name(), two.name(), three.name()}) == 3
    f = hl.Func("f")
    f[X] = one[X] + 10 * two[X] + 100 * three[X]
    assert np.array(f.realize([1])).tolist() == [(1 + 20 + 300) % 256]


def test_wrappers_of_many_stages_of_one_name_are_apart() -> None:
    stages = [constant("wrapped", n) for n in range(20)]
    f = hl.Func("f")
    total = hl.u8(0)
    for stage in stages:
        total = total + stage[X]
    f[X] = total
    names = {stage.in_(f).compute_root().name() for stage in stages}
    assert len(names) == 20
    assert np.array(f.realize([1])).tolist() == [sum(range(20))]


def test_unnamed_stages_keep_clear_of_named_ones() -> None:
    number = int(hl.Func().name()[1:])
    named = [hl.Func(f"f{number + n}") for n in range(30)]
    unnamed = [hl.Func() for _ in range(30)]
    assert len({f.name() for f in (*named, *unnamed)}) == 60


def test_a_parameter_a_stage_and_a_variable_of_one_name_are_three_things() -> None:
    p = hl.Param(hl.Int(32), "x")
    p.set(5)
    g, f = hl.Func("x"), hl.Func("f")
    g[X] = X + 100
    g.compute_root()
    f[X] = p * 1000 + g[X]
    assert np.array(f.realize([3])).tolist() == [5100, 5101, 5102]


def image_after_stage() -> Any:
    stage = constant("later_image")
    image = hl.ImageParam(hl.UInt(8), 1, "later_image")
    image.set(hl.Buffer(BYTES))
    return both(image, stage)


def buffer_after_stage() -> Any:
    stage = constant("later_buffer")
    return both(hl.Buffer(BYTES, "later_buffer"), stage)


def buffer_named_like_a_value() -> Any:
    g, f = hl.Func("pair"), hl.Func("f")
    g[X] = (hl.u8(1), hl.u8(2))
    g.compute_root()
    image = hl.Buffer(BYTES, f"{g.name()}.0")
    f[X] = image[X] + g[X][0] + g[X][1]
    return f.realize([8])


def two_buffers() -> Any:
    f = hl.Func("f")
    f[X] = hl.Buffer(BYTES, "same")[X] + hl.Buffer(BYTES + 9, "same")[X]
    return f.realize([8])


def renamed_buffer() -> Any:
    f, one, two = hl.Func("f"), hl.Buffer(BYTES), hl.Buffer(BYTES + 9)
    two.set_name(one.name())
    f[X] = one[X] + two[X]
    return f.realize([8])


def two_parameters() -> Any:
    f = hl.Func("f")
    f[X] = hl.Param(hl.Int(32), "twice", 1) * 10 + hl.Param(hl.Int(32), "twice", 2)
    return f.realize([8])


@pytest.mark.parametrize(
    "program",
    [
        image_after_stage, buffer_after_stage, buffer_named_like_a_value, two_buffers,
        renamed_buffer, two_parameters,
    ],
)  # fmt: skip
def test_names_that_users_chose_twice_are_refused(program: Any) -> None:
    with pytest.raises(hl.HalideError, match=r"named|same name"):
        program()
