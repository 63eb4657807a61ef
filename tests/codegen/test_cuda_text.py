"""The runtime for GPUs that pipelines are linked with is what its C source gives."""

from __future__ import annotations

import pytest

from .cuda_text import CLANG, FOLDER, is_clang_there, made_text


@pytest.mark.skipif(not is_clang_there(), reason=f"{CLANG} is missing")
def test_the_text_is_made_of_the_source() -> None:
    assert (FOLDER / "cuda.ll").read_text("utf-8") == made_text()
