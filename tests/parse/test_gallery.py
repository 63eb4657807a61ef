"""Every kernel of the gallery, interpreted, leaves what the original, compiled by g++, leaves."""

from __future__ import annotations

import pytest

from lifter.model.kernel import Kernel

from .galleries import Gallery

GALLERY = Gallery("gallery.cpp")
HELPERS = {
    "mul", "lookup", "bits", "grade", "order", "exchange", "row_of", "blend_row",
}  # fmt: skip


def test_all_of_the_gallery_is_understood() -> None:
    assert not GALLERY.parsed.diagnostics
    assert [str(s.diagnostic) for s in GALLERY.parsed.failed] == []
    assert {s.name for s in GALLERY.parsed.skipped} == HELPERS


@pytest.mark.sampled(every=32)
@pytest.mark.parametrize("kernel", GALLERY.parsed.kernels, ids=lambda kernel: kernel.name)
def test_interpreting_the_kernel_leaves_what_the_original_leaves(kernel: Kernel) -> None:
    GALLERY.check(kernel)
