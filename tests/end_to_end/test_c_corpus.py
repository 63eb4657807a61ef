"""The corpus's C files: packed pixels and loops made by macros, proved and equal to gcc's code."""

from __future__ import annotations

import pytest

from tests.end_to_end.lifted_corpus import lifted, parsed
from tests.end_to_end.test_lifted_equals_original import LARGE, SIZES, compare

FILES = {"blend/argb32.c": 23, "blend/macros.c": 21}
KERNELS = [(file, k.name) for file in FILES for k in parsed(file).kernels]


@pytest.mark.parametrize("file", FILES)
def test_every_function_is_a_kernel_and_proved(file: str) -> None:
    assert not parsed(file).failed
    names = [k.name for k in parsed(file).kernels]
    assert len(names) == FILES[file]
    results = [lifted(file, name).result for name in names]
    assert [r.diagnostic for r in results if r.status != "proved"] == []


@pytest.mark.parametrize("file, name", KERNELS, ids=lambda part: part)
def test_small_and_odd_spans(file: str, name: str) -> None:
    calls, changed = compare(file, name, SIZES)
    assert calls and changed


@pytest.mark.slow
@pytest.mark.parametrize("file, name", KERNELS, ids=lambda part: part)
def test_spans_for_several_threads(file: str, name: str) -> None:
    calls, changed = compare(file, name, LARGE)
    assert calls and changed
