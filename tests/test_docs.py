"""The pages of docs/ show what the commands in them print."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


COMMAND = "```console\n$ "
PAGES = sorted(
    (p for p in (ROOT / "docs").glob("*.md") if COMMAND in p.read_text("utf-8")),
    key=lambda p: (p.read_text("utf-8").count(COMMAND), p.name),
)
"""Those with the fewest commands first."""


@pytest.mark.sampled(every=5)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_shows_what_its_commands_print_now(page: Path) -> None:
    done = subprocess.run(
        [sys.executable, "docs/refresh.py", "--check", str(page)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"run `python docs/refresh.py`: {done.stdout}{done.stderr}"


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda p: p.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
    targets = [part.split(")")[0].split("#")[0] for part in text.split("](")[1:]]
    missing = [t for t in targets if t and "://" not in t and not (page.parent / t).exists()]
    assert not missing
