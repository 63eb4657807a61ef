"""What a test leaves is collected without a look at all that others have left."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def only_what_a_test_makes_is_looked_at() -> Iterator[None]:
    """Objects from before are out of the collector's sight: a look at all takes half a second."""
    gc.freeze()
    yield
    gc.unfreeze()
