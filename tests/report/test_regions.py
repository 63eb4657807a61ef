"""The page of functions that are lifted loop by loop."""

from __future__ import annotations

import re
from pathlib import Path

from lifter.command_line import run

TEXT = """void out(int);
void both(int *d, int n) {
    for (int i = 0; i < n; i++) d[i] = 1;
    out(n);
    for (int i = 0; d[i]; i++) d[i] = 2;
}
"""


def test_a_function_leads_to_its_loops(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.cpp").write_text(TEXT)
    run(["a.cpp", "-o", "lifted"])
    assert run(["report", "lifted", "-o", "page.html"]) == 0
    page = Path("page.html").read_text("utf-8")
    assert "1 of 2 loops proved" in page
    ids = re.findall(r'<a href="#(a\.cpp:both%23\d)"><code>both#(\d)', page)
    assert [number for _, number in ids] == ["1", "2"]
    assert all(f'id="{id}"' in page for id, _ in ids)
