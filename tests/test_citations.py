"""Whatever a docstring or a page sends its reader to is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_CITED = re.compile(r"\b[a-z]+(?:-[a-z]+)*-(?:19|20)\d\d\b")
_PAGE = re.compile(r"\b(?:docs|benchmarks|examples)/[\w.-]+\.(?:md|py)\b|\b[A-Z]{4,}\.md\b")
_LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
_HEADING = re.compile(r"^#+ +(?P<text>.+)$", re.MULTILINE)


def texts() -> dict[Path, str]:
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "benchmarks").glob("*.md")]
    for folder in ("lifter", "compiler", "corpus", "benchmarks", "examples"):
        found += (ROOT / folder).rglob("*.py")
        found += (ROOT / folder).rglob("README.md")
    return {p: p.read_text("utf-8") for p in found}


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def anchor(heading: str) -> str:
    """A heading as links to it are written."""
    words = re.sub(r"[^\w\s-]", "", heading.lower())
    return re.sub(r"\s", "-", words.strip())


def test_every_citation_is_in_the_bibliography() -> None:
    entries = (ROOT / "docs/bibliography.md").read_text("utf-8")
    known = set(re.findall(r"^\*\*([\w-]+)\*\*", entries, re.MULTILINE))
    cited = {(w, p) for p, text in texts().items() for w in _CITED.findall(text)}
    assert {w for w, _ in cited} <= known, cited
    assert known <= {w for w, p in cited if p.name != "bibliography.md"}


def test_every_page_that_is_named_is_there() -> None:
    lost = {
        (page, str(path.relative_to(ROOT)))
        for path, text in texts().items()
        for page in _PAGE.findall(text)
        if not any((folder / page).is_file() for folder in (ROOT, path.parent, ROOT / "benchmarks"))
    }
    assert lost == set()


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("page", [p for p in texts() if p.suffix == ".md"], ids=lambda p: p.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    lost = []
    for target in _LINK.findall(without_code(page.read_text("utf-8"))):
        if "://" in target or target.startswith("mailto:"):
            continue
        file, _, place = target.partition("#")
        other = page.parent / file if file else page
        if not other.exists():
            lost.append(target)
        elif place and other.suffix == ".md":
            headings = map(anchor, _HEADING.findall(without_code(other.read_text("utf-8"))))
            if place not in headings:
                lost.append(target)
    assert lost == []
