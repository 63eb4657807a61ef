"""Random kernels of vectors the whole way to machine code equal g++'s code of the original."""

from __future__ import annotations

import shutil

import pytest

from tests.fuzz.calls import compared
from tests.fuzz.vector_kernels import vector_kernel
from tests.fuzz.whole_path import WholePath

CALLS = 40
BATCH = 10


def check(seeds: range) -> None:
    path = WholePath()
    try:
        for seed in seeds:
            path.lift(vector_kernel(seed))
        libraries = path.link()
        taken = 0
        for built in path.built:
            found = compared(built.kernel, libraries, 0, CALLS)
            assert found.wrong is None, f"{built.kernel.source}\n{found.wrong}"
            taken += found.calls
    finally:
        shutil.rmtree(path.folder)
    # Neither is refusing everything a success, nor leaving every call to the original.
    assert len(path.built) > len(seeds) // 2, path.refused
    assert taken > 10 * len(path.built)


def test_random_vector_kernels_leave_what_the_original_leaves() -> None:
    check(range(2))


@pytest.mark.slow
@pytest.mark.parametrize("begin", range(0, 1000, BATCH))
def test_more_random_vector_kernels_leave_what_the_original_leaves(begin: int) -> None:
    check(range(begin, begin + BATCH))
