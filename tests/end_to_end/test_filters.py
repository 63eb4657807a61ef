"""The filters of corpus/filter: what isn't proved of them is what their README says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lifter.batch.store import records_of
from tests.end_to_end.corpus_list import CORPUS, Row, rows

FOLDER = CORPUS / "filter"


def _rows() -> list[Row]:
    return list(rows((FOLDER / "README.md").read_text("utf-8")))


def test_each_file_has_a_table_and_says_how_many_there_are() -> None:
    text = (FOLDER / "README.md").read_text("utf-8")
    files: dict[str, list[str]] = {}
    for row in _rows():
        if row.file:
            files.setdefault(row.file, []).append(row.kernel)
    sources = {p.name for p in FOLDER.iterdir() if p.suffix in (".c", ".cpp")}
    assert set(files) == sources - {"basic.cpp"}
    for file, names in files.items():
        (heading,) = (x for x in text.splitlines() if x.startswith(f"## {file}:"))
        assert f"({len(names)} kernels)" in heading and len(set(names)) == len(names)
    listed = {name for names in files.values() for name in names}
    assert len(listed) >= 150 and {r.kernel for r in _rows() if not r.file} <= listed


@pytest.mark.slow
def test_what_is_not_proved_is_what_the_readme_says(tmp_path: Path) -> None:
    """A kernel that is proved now, or fails in another way, wants another row."""
    files = sorted({row.file for row in _rows() if row.file})
    command = [sys.executable, "-m", "lifter", *files, "-o", str(tmp_path), "-j2"]
    subprocess.run(command, cwd=FOLDER, capture_output=True, check=False)
    codes = {
        r.name.split("::")[-1]: getattr(r.diagnostic, "code", "")
        for r in records_of(tmp_path)
        if r.status != "proved" and "#" not in r.name
    }
    wanted = {r.kernel: r.cells["not proved yet"] for r in _rows() if not r.file}
    listed = {r.kernel for r in _rows() if r.file}
    assert {k: c for k, c in codes.items() if k in listed} == wanted
