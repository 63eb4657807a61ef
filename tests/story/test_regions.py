"""`lift explain` of functions that are lifted loop by loop."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from lifter.story.explain import explain_file, explain_function

TEXT = """void out(int);
void both(int *d, int n) {
    for (int i = 0; i < n; i++) d[i] = 1;
    out(n);
    for (int i = 0; d[i]; i++) d[i] = 2;
}
"""


def test_a_function_lists_its_loops(tmp_path: Path) -> None:
    source = tmp_path / "a.cpp"
    source.write_text(TEXT)
    told = click.unstyle(explain_function(str(source), "both", tmp_path / "lifted"))
    assert "1 of 2 loops are proved; as a whole the function isn't lifted\n" in told
    assert "  since line 4: the body of `out` isn't seen [unmodelled-call]\n" in told
    first, second = (line for line in told.split("\n") if "both#" in line and "explain" not in line)
    assert first.split()[:3] == ["3", "proved", "both#1"]
    assert second.split()[:3] == ["5", "failed", "both#2"]


@pytest.mark.slow
def test_a_region_has_a_story_of_its_own(tmp_path: Path) -> None:
    source = tmp_path / "a.cpp"
    source.write_text(TEXT)
    told = click.unstyle(explain_function(str(source), "both#1", tmp_path / "lifted"))
    assert told.startswith("both#1: proved")
    failed = click.unstyle(explain_function(str(source), "both#2", tmp_path / "lifted"))
    assert failed.startswith("both#2: failed") and "what stands in the way" in failed


def test_a_file_says_how_many_loops_are_proved(tmp_path: Path) -> None:
    source = tmp_path / "a.cpp"
    source.write_text(TEXT)
    assert "not lifted yet" in explain_file(str(source), tmp_path / "lifted")
