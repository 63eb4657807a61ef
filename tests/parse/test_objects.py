"""Objects, templates and lambdas: what is interpreted equals what g++ makes of the original."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from lifter.parse import Kernel, ParsedFile, parse_file
from lifter.verify.cases import cases
from lifter.verify.interpret import run
from tests.end_to_end.original import Original, compile_original, may_be_called

GALLERY = Path(__file__).with_name("objects.cpp")
COUNT = 12
STEPS = 100_000


@functools.cache
def parsed() -> ParsedFile:
    return parse_file(GALLERY)


@functools.cache
def original() -> Original:
    return compile_original(GALLERY, parsed().kernels, ())


def test_all_of_the_gallery_is_understood() -> None:
    assert not parsed().diagnostics
    assert [str(s.diagnostic) for s in parsed().failed] == []
    assert {s.diagnostic.code for s in parsed().skipped} == {"not-a-kernel"}


@pytest.mark.parametrize("kernel", parsed().kernels, ids=lambda kernel: kernel.name)
def test_interpreting_the_kernel_leaves_what_the_original_leaves(kernel: Kernel) -> None:
    called, wrote = 0, False
    for case in cases(kernel, 7, COUNT):
        memories = case.memories()
        outcome = run(kernel.body, case.scalars, memories, kernel.arrays, kernel.functions, STEPS)
        if not may_be_called(outcome):
            continue
        differences = original().differences(kernel, case, outcome)
        assert not differences, f"{case}\n" + "\n".join(map(str, differences[:5]))
        called += 1
        wrote = wrote or outcome.result is not None
        wrote = wrote or any(m.written for m in outcome.arrays.values())
    assert called >= COUNT // 3 and wrote
