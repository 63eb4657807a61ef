"""Objects, templates and lambdas: what is interpreted equals what g++ makes of the original."""

from __future__ import annotations

import pytest

from lifter.model.kernel import Kernel

from .galleries import Gallery

GALLERY = Gallery("objects.cpp")


def test_all_of_the_gallery_is_understood() -> None:
    assert not GALLERY.parsed.diagnostics
    assert [str(s.diagnostic) for s in GALLERY.parsed.failed] == []
    assert {s.diagnostic.code for s in GALLERY.parsed.skipped} == {"not-a-kernel"}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("kernel", GALLERY.parsed.kernels, ids=lambda kernel: kernel.name)
def test_interpreting_the_kernel_leaves_what_the_original_leaves(kernel: Kernel) -> None:
    GALLERY.check(kernel)
