"""What corpus/README.md says of the corpus: the kernels of each file, and those not proved yet.

Every table whose heading names a source file, and that has a column `kernel`, lists that file's
kernels. The one table with the column `not proved yet` names the code of each kernel that fails.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

CORPUS = Path(__file__).resolve().parents[2] / "corpus"
BROKEN = "blend/broken.cpp"
"""Wrong on purpose: `test_broken_kernels.py` says what becomes of its kernels."""

_HEADING = re.compile(r"#{2,3} (?P<file>\S+\.(?:cpp|c))?\b")


@dataclass(frozen=True)
class Row:
    """One row of a table: the file that its heading names, its cells by their columns' names."""

    file: str
    cells: dict[str, str]

    @property
    def kernel(self) -> str:
        return self.cells["kernel"].strip("`")


def rows(text: str) -> Iterator[Row]:
    """The rows of all tables in Markdown, in order; `file` is empty under other headings."""
    file, columns = "", []
    for line in text.splitlines():
        if heading := _HEADING.match(line):
            file = heading["file"] or ""
        if not line.startswith("|"):
            columns = []
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)[|]", line.strip("|"))]
        if not columns:
            columns = cells
        elif not cells[0].startswith("---"):
            yield Row(file, dict(zip(columns, cells, strict=True)))


@functools.cache
def _rows() -> tuple[Row, ...]:
    return tuple(rows((CORPUS / "README.md").read_text("utf-8")))


def in_readme() -> dict[str, list[str]]:
    """The kernels of every source file of the corpus, by file, as the README lists them."""
    found: dict[str, list[str]] = {}
    for row in _rows():
        if row.file and "kernel" in row.cells:
            found.setdefault(row.file, []).append(row.kernel)
    return found


def not_proved() -> dict[tuple[str, str], str]:
    """The code that each kernel fails with which should be proved and isn't yet."""
    return {
        (row.cells["file"].strip("`"), row.kernel): row.cells["not proved yet"].strip("`")
        for row in _rows()
        if "not proved yet" in row.cells
    }


def liftable() -> list[tuple[str, str]]:
    """(file, kernel) of all that isn't wrong on purpose."""
    return [(file, n) for file, names in in_readme().items() if file != BROKEN for n in names]


def listed() -> list[tuple[str, str]]:
    """(file, kernel) of all that is proved."""
    return [kernel for kernel in liftable() if kernel not in not_proved()]


BASIC = ("blend/basic.cpp", "filter/basic.cpp")
EVERY = 40
"""Of each file every so many-th kernel is in the quick run; all are in the slow one."""


def sampled(
    kernels: Sequence[tuple[str, str]], every: int = EVERY, *, files: int = 1
) -> list[ParameterSet]:
    """Test parameters; only each `every`-th kernel of each `files`-th file is in the quick run."""
    taken = set(list(in_readme())[::files])
    quick = {kernel for kernel in each(listed(), every) if kernel[0] in taken}
    return [
        pytest.param(
            *kernel, marks=() if kernel in quick else pytest.mark.slow, id="-".join(kernel)
        )
        for kernel in kernels
    ]


def each(kernels: Sequence[tuple[str, str]], every: int = EVERY) -> list[tuple[str, str]]:
    """The first kernel of each file, and every `every`-th after it."""
    ranks: dict[str, int] = {}
    found = []
    for file, name in kernels:
        rank = ranks[file] = ranks.get(file, -1) + 1
        if rank % every == 0:
            found.append((file, name))
    return found
