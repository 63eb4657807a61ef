"""Every program of `corpus/pipelines/` computes its numpy reference, by the real package and ours.

Each schedule by hand, the plain one and the compiler's own choice, with pictures of an odd size.
The two packages agree with each other too: integers exactly, floats within both their bounds.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

import halide
import numpy as np
import pytest

import compiler
from corpus.pipelines import NAMES, load

Outputs = tuple[np.ndarray[Any, Any], ...]
SCHEDULES = ("x86", "arm", "plain", "default")
SLOW = {  # to compile, for seconds each
    "bilateral_grid",
    "camera_pipe",
    "interpolate",
    "lens_blur",
    "local_laplacian",
    "max_filter",
    "nl_means",
    "stencil_chain",
}


def marks(name: str, schedule: str = "") -> Any:
    """Slow ones: those programs, and a histogram inlined into its own normalization."""
    return pytest.mark.slow if name in SLOW or (name, schedule) == ("hist", "plain") else ()


def programs() -> list[Any]:
    return [pytest.param(name, marks=marks(name)) for name in NAMES]


def scheduled(*schedules: str) -> list[Any]:
    return [pytest.param(n, s, marks=marks(n, s)) for n in NAMES for s in schedules]


@cache
def given(name: str) -> dict[str, Any]:
    program = load(name)
    return program.inputs(program.test_size, 1)


@cache
def expected(name: str) -> Outputs:
    return load(name).reference(given(name))


def computed(hl: ModuleType, name: str, schedule: str) -> Outputs:
    program = load(name)
    return program.compile(hl, schedule)(given(name), program.test_size)


@cache
def computed_by_halide(name: str, schedule: str) -> Outputs:
    return computed(halide, name, schedule)


def differences(found: Outputs, wanted: Outputs) -> list[float]:
    """The greatest difference of each output; types and shapes must be equal."""
    assert [one.shape for one in found] == [one.shape for one in wanted]
    return [
        float(np.max(np.abs(one.astype(np.float64) - other.astype(np.float64))))
        for one, other in zip(found, wanted, strict=True)
    ]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(("name", "schedule"), scheduled("x86", "arm", "plain"))
def test_the_real_package_computes_the_reference(name: str, schedule: str) -> None:
    found = computed_by_halide(name, schedule)
    assert max(differences(found, expected(name))) <= load(name).tolerance


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize(("name", "schedule"), scheduled(*SCHEDULES))
def test_ours_computes_the_reference_and_what_the_real_package_does(
    name: str, schedule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if schedule == "plain":
        monkeypatch.setenv("LIFT_DEFAULT_SCHEDULE", "off")
    found = computed(compiler, name, schedule)
    assert max(differences(found, expected(name))) <= load(name).tolerance
    peer = computed_by_halide(name, "x86" if schedule == "default" else schedule)
    assert [one.dtype for one in found] == [one.dtype for one in peer]
    assert max(differences(found, peer)) <= 2 * load(name).tolerance


@pytest.mark.parametrize("name", programs())
def test_a_wrong_pixel_would_be_noticed(name: str) -> None:
    broken = tuple(one.copy() for one in expected(name))
    pixel = np.unravel_index(np.argmax(np.abs(broken[-1])), broken[-1].shape)
    broken[-1][pixel] = broken[-1][pixel] * 0.95
    assert max(differences(broken, expected(name))) > load(name).tolerance


@pytest.mark.parametrize("name", programs())
def test_other_pictures_have_other_results(name: str) -> None:
    program = load(name)
    other = program.reference(program.inputs(program.test_size, 2))
    assert max(differences(other, expected(name))) > program.tolerance
