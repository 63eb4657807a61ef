"""Random programs: compiled code, the real Halide package and the interpreter agree bit for bit."""

from __future__ import annotations

import os
from typing import Any

import halide
import numpy as np
import pytest

import compiler
from compiler.interp import interpret

from .random_programs import IMAGES, MARGIN, Generator

SIZES = [(1, 1), (17, 5), (67, 19), (130, 3)]
FIRST = int(os.environ.get("LIFT_SEED", "0"))


def images_for(seed: int, size: tuple[int, int]) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    shape = (size[1] + 2 * MARGIN * 2, size[0] + 2 * MARGIN * 2)
    made = {}
    for name, dtype in IMAGES.items():
        if dtype.startswith("float"):
            made[name] = rng.standard_normal(shape).astype(dtype)
        else:
            limits = np.iinfo(dtype)
            values = rng.integers(limits.min, int(limits.max) + 1, shape)
            extreme = rng.choice([limits.min, limits.max, 0, 1], shape)
            made[name] = np.where(rng.random(shape) < 0.3, extreme, values).astype(dtype)
    return made


def output_of(hl: Any, text: str, images: dict[str, np.ndarray], parameter: int) -> Any:
    """The output `Func` of a program text under package `hl`."""
    names: dict[str, Any] = {"hl": hl, "p": hl.Param(hl.Int(32), "p", parameter)}
    for name, array in images.items():
        buffer = hl.Buffer(array)
        buffer.set_min([-2 * MARGIN] * 2)
        names[name] = hl.ImageParam(buffer.type(), 2, name)
        names[name].set(buffer)
    exec(text, names)
    return names["out"]


def check(seed: int, with_interpreter: bool) -> None:
    text = Generator(seed).program()
    size = SIZES[seed % len(SIZES)]
    images = images_for(seed, size)
    theirs = np.array(output_of(halide, text, images, seed % 7).realize(list(size)))
    func = output_of(compiler, text, images, seed % 7)
    ours = np.array(func.realize(list(size)))
    message = f"seed {seed}, size {size}:\n{text}"
    np.testing.assert_array_equal(ours, theirs, err_msg=message)
    if with_interpreter:
        plain = interpret(func, [(0, size[0]), (0, size[1])])[0].T
        np.testing.assert_array_equal(plain, theirs, err_msg=message)


@pytest.mark.sampled(every=64)
@pytest.mark.parametrize("seed", range(FIRST, FIRST + 40))
def test_compiled_code_agrees_with_halide(seed: int) -> None:
    check(seed, with_interpreter=seed % len(SIZES) < 2)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(20))
def test_compiled_code_agrees_with_halide_at_length(block: int) -> None:
    for seed in range(1000 + block * 20, 1000 + block * 20 + 20):
        check(seed, with_interpreter=False)
