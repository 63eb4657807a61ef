"""Pages, and a browser that shows them where there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lifter.report import Collection, page

from .browser import CHROMIUM, Browser
from .parsed import Parsed


@pytest.fixture
def parsed(tmp_path: Path) -> Callable[[Collection], Parsed]:
    """Makes a page and reads it as HTML."""
    return lambda made: Parsed(page(made, tmp_path, tmp_path / "report.html"))


@pytest.fixture
def written(tmp_path: Path) -> Callable[[Collection], Path]:
    """Makes a page and writes it to a file."""

    def write(made: Collection) -> Path:
        path = tmp_path / "report.html"
        path.write_text(page(made, tmp_path, path), "utf-8")
        return path

    return write


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no chromium on this machine")
    with Browser() as running:
        yield running
