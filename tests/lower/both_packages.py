"""Runs one program under the real Halide package and under this one."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import halide
import numpy as np

import compiler

Program = Callable[[Any, SimpleNamespace], Any]
"""From the package and what `inputs` makes for it to what `realize` returned, or a list of that."""

_RNG = np.random.default_rng(1)
BYTES = _RNG.integers(0, 255, (48, 64), dtype=np.uint8)
WORDS = _RNG.integers(-100, 100, (48, 64), dtype=np.int32)
FLOATS = _RNG.standard_normal((48, 64)).astype(np.float32)


def inputs(hl: Any) -> SimpleNamespace:
    """Images a (bytes), b (32-bit integers), g (floats) of 64 by 48, and variables."""
    made = SimpleNamespace(a=hl.Buffer(BYTES), b=hl.Buffer(WORDS), g=hl.Buffer(FLOATS))
    for name in ("x", "y", "c", "u", "v", "xo", "yo", "xi", "yi"):
        setattr(made, name, hl.Var(name))
    return made


def result(hl: Any, program: Program) -> Any:
    """The values as nested lists, or the kind of the exception and its message."""
    try:
        made = program(hl, inputs(hl))
    except (hl.HalideError, RuntimeError) as error:
        return type(error).__name__, str(error)
    if isinstance(made, (list, tuple)):
        return [np.array(part).tolist() for part in made]
    return np.array(made).tolist()


def assert_same(program: Program) -> None:
    """Both packages give the same values, to the bit."""
    theirs = result(halide, program)
    assert not isinstance(theirs, tuple), theirs
    assert result(compiler, program) == theirs


def assert_same_refusal(program: Program, words: str) -> None:
    """Both packages raise, and both say `words`."""
    for hl in (halide, compiler):
        made = result(hl, program)
        assert isinstance(made, tuple), f"{hl.__name__} takes it"
        assert words in made[1], f"{hl.__name__}: {made[1]}"
