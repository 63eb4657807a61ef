"""What the front end writes anew does what it did: random functions, filters, code of projects."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from unittest.mock import patch

import pytest

from lifter.parse import first_hits, functions
from tests.fuzz.rewritten import Rewritten, program, rewritten

ROOT = Path(__file__).parents[2]
FILTERS = sorted((ROOT / "corpus" / "filter").glob("*.c*"))
PROJECTS = sorted(
    path for path in (ROOT / "corpus" / "legacy").rglob("*") if path.suffix in (".c", ".cpp", ".cc")
)
QUICK = range(40)
BATCH = 250


def written(seeds: Iterable[int], folder: Path) -> list[Rewritten]:
    path = folder / "random.cpp"
    path.write_text("\n".join(map(program, seeds)))
    return rewritten(path)


def wrong(found: Iterable[Rewritten], count: int) -> list[str]:
    return [text for one in found for text in one.differences(7, count)]


def test_a_few_functions(tmp_path: Path) -> None:
    found = written(QUICK, tmp_path)
    assert {"with_first_hits", "with_plain_exits"} <= {s.step for one in found for s in one.steps}
    assert not wrong(found, 8)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 9000, BATCH))
def test_functions_by_the_hundred(first: int, tmp_path: Path) -> None:
    found = written(range(first, first + BATCH), tmp_path)
    assert sum(bool(one.steps) for one in found) > BATCH // 3
    assert not wrong(found, 20)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILTERS, ids=lambda path: path.name)
def test_filters(path: Path) -> None:
    assert not wrong(rewritten(path, parts=True), 30)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("path", PROJECTS[::4], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_code_of_projects(path: Path) -> None:
    project = next(p for p in path.parents if p.parent.name == "legacy")
    folders = {str(header.parent) for header in project.rglob("*.h*")} | {str(project)}
    assert not wrong(rewritten(path, include_dirs=sorted(folders)), 12)


# Negative twins: what passes get wrong is found.

HEAD = "int f(const unsigned char *s, unsigned char *d, int *r, int n, int k)"
SEARCH = (
    f"{HEAD} {{ int i, v = 0; for (i = 2; i < n; i++) {{ if (s[i] == k) break; v += s[i]; }}"
    " r[0] = v; return i; }"
)


def found_wrong(text: str, folder: Path) -> str:
    path = folder / "one.cpp"
    path.write_text(text)
    return "\n".join(wrong(rewritten(path), 30))


@pytest.mark.parametrize(
    ("name", "wrongly", "said"),
    [
        ("_value_at_hit", lambda self, name, one, place: first_hits.Cast(one.type, place), "gave"),
        ("_done_before", lambda *_: [], "gave"),
    ],
    ids=["where a hit is", "what is done before a hit"],
)
def test_a_wrong_search_is_found(name: str, wrongly: object, said: str, tmp_path: Path) -> None:
    with patch.object(first_hits._Search, name, wrongly):
        assert said in found_wrong(SEARCH, tmp_path)
    assert not found_wrong(SEARCH, tmp_path)


def test_what_looks_on_behind_a_hit_is_found(tmp_path: Path) -> None:
    with patch.object(first_hits._Writer, "_while_going", lambda self, body: self._guarded(body)):
        assert "is read, and wasn't" in found_wrong(SEARCH, tmp_path)


def test_a_loop_that_ends_and_did_not_is_found(tmp_path: Path) -> None:
    text = f"{HEAD} {{ int i = 0; while (s[i] != k) {{ if (n == 7) break; }} return i; }}"
    with patch.object(functions, "with_first_hits", lambda body, *_: body[-1:]):
        assert "it ends, and didn't" in found_wrong(text, tmp_path)
    assert not found_wrong(text, tmp_path)
