"""Two files with a function each, compared as `lift twin` does it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lifter.settings.flags import Flags
from lifter.twins.check import TwinOptions, check_pair
from lifter.twins.finding import Finding
from lifter.twins.pair import Pair, Side
from tests.calling_lift import lift

__all__ = ["lift"]

HEAD = "#include <stdint.h>\n"
Compare = Callable[..., Finding]


@pytest.fixture
def compare(tmp_path: Path) -> Compare:
    """Compares the functions `f` and `g` of two texts in C; `within` and `assume` as options."""

    def compare(
        first: str, second: str, within: float = 0, assume: tuple[str, ...] = (), suffix: str = "c"
    ) -> Finding:
        sides = []
        for name, text in (("f", first), ("g", second)):
            file = tmp_path / f"{name}.{suffix}"
            file.write_text(HEAD + text)
            sides.append(Side(str(file), name, Flags(assumptions=assume)))
        return check_pair(Pair(sides[0], sides[1]), TwinOptions(20.0, within))

    return compare
