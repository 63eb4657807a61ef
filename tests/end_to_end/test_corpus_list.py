"""corpus/README.md lists the kernels of the sources: all of them, and none that isn't there."""

from __future__ import annotations

import pytest

from tests.end_to_end.corpus_list import (
    BROKEN,
    CORPUS,
    in_readme,
    liftable,
    listed,
    not_proved,
    rows,
)
from tests.end_to_end.lifted_corpus import parsed

SOURCES = sorted(
    str(path.relative_to(CORPUS))
    for path in (*(CORPUS / "blend").iterdir(), CORPUS / "filter" / "basic.cpp")
)
"""The other filters have a list of their own (`test_filters.py`)."""
COLUMNS = {
    "blend/basic.cpp": {"kernel", "element", "exercises"},
    "filter/basic.cpp": {"kernel", "element", "exercises"},
    BROKEN: {"kernel", "gives"},
}
LIBRARY = {"mode", "kernel", "depth", "layout", "mask form"}


def test_every_source_file_has_a_table() -> None:
    assert sorted(in_readme()) == SOURCES


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("file", SOURCES)
def test_the_readme_lists_exactly_the_kernels_of_the_file(file: str) -> None:
    """Those that the front end refuses are kernels too."""
    names = in_readme()[file]
    assert len(names) == len(set(names))
    source = parsed(file)
    found = {k.name for k in source.kernels} | {f.name for f in source.failed}
    assert set(names) == {name for name in found if "#" not in name}


@pytest.mark.parametrize("file", SOURCES)
def test_the_heading_says_how_many_there_are_and_no_cell_is_empty(file: str) -> None:
    text = (CORPUS / "README.md").read_text("utf-8")
    (heading,) = (line for line in text.splitlines() if line.startswith("#") and file in line)
    count = len(in_readme()[file])
    assert f"({count} kernels)" in heading or f"({count - 1} kernels and a sound one)" in heading
    for row in rows(text):
        if row.file == file:
            assert set(row.cells) == COLUMNS.get(file, LIBRARY)
            assert all(row.cells.values()), row


def test_what_is_not_proved_yet_is_a_kernel_of_the_list() -> None:
    assert set(not_proved()) <= set(liftable())
    assert len(listed()) + len(not_proved()) == len(liftable())


def test_a_table_is_read_by_its_columns_names_wherever_they_stand() -> None:
    text = """
## a/first.c: C (1 kernel)
| kernel | depth |
|---|---|
| `f` | u8, `a \\| b` |

## Words
| kernel | not proved yet |
|---|---|
| `g` | `refuted` |

### a/second.cpp
| mode | kernel |
|---|---|
| fill | `h` |
"""
    found = list(rows(text))
    assert [(r.file, r.kernel) for r in found] == [
        ("a/first.c", "f"), ("", "g"), ("a/second.cpp", "h"),
    ]  # fmt: skip
    assert found[0].cells["depth"] == "u8, `a \\| b`"


def test_a_row_with_too_many_cells_is_an_error() -> None:
    with pytest.raises(ValueError):
        list(rows("## a/first.c\n| kernel |\n|---|\n| `f` | more |\n"))
