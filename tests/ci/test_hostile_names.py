"""Names of strangers' files, through the whole tool: shown, never obeyed."""

from __future__ import annotations

import json
import os
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.ci.hostile import HOSTILE

KERNEL = (
    "#include <stdint.h>\n"
    "void {0}(uint8_t *d, const uint8_t *s, int n)\n"
    "{{ for (int i = 0; i < n; i++) d[i] = s[i] / 2; }}\n"
)
SHOWN = [name for name in HOSTILE if name.isprintable()]
REFUSED = [name for name in HOSTILE if not name.isprintable()]
OUT = "lif ted;'$(touch owned)\"<b>"


@pytest.fixture
def sources(repository):
    """A kernel of its own in a file of each name that can be shown, and in a folder like that."""
    for number, name in enumerate(SHOWN):
        (repository / name).write_text(KERNEL.format(f"f{number}"))
    folder = repository / "d && touch owned; $(touch owned) `touch owned`"
    folder.mkdir()
    (folder / "x*y?.cpp").write_text(KERNEL.format("star"))
    return repository


class _Page(HTMLParser):
    """The elements of a page that only a name could have brought in, and its handlers."""

    def __init__(self, text):
        super().__init__()
        self.strange: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.strange += [tag] if tag in ("img", "iframe") else []
        self.strange += [name for name, _ in attrs if name.startswith("on")]
        self.strange += [v for n, v in attrs if n == "href" and (v or "").startswith("javascript")]


@pytest.mark.slow
def test_files_of_any_name_are_lifted_verified_explained_and_shown_on_a_page(lift, sources):
    status, out, err = lift(".", "-o", OUT, "--format", "json")
    functions = json.loads(out)["functions"]
    assert status == 0, err
    assert {os.path.normpath(f["file"]) for f in functions} >= set(SHOWN)
    assert {f["status"] for f in functions} == {"proved"}
    status, out, _ = lift("verify", OUT, "--format", "json")
    assert status == 0
    assert json.loads(out)["totals"]["equal"] == len(SHOWN) + 1
    for number, name in enumerate(SHOWN[:3]):
        assert "proved" in lift("explain", f"{name}:f{number}", "-o", OUT)[1]
    assert lift("report", OUT)[0] == 0
    text = Path(OUT, "report.html").read_text("utf-8")
    assert _Page(text).strange == []
    assert OUT not in text
    assert "&lt;img src=x onerror=alert(1)&gt;" in text
    assert not list(sources.rglob("owned"))


def test_names_that_steer_a_terminal_are_refused_and_the_others_lifted(lift, repository):
    for name in REFUSED:
        (repository / name).write_text(KERNEL.format("f"))
    (repository / "good.cpp").write_text(KERNEL.format("g"))
    status, out, err = lift(".")
    assert status == 2
    assert out.count("[file-name]") == len(REFUSED)
    assert "1 proved" in out
    told = (out + err).replace("\n", "")
    assert told.isprintable()


def test_text_of_a_source_steers_no_terminal(lift, repository):
    (repository / "a.cpp").write_text(
        "void f(int *d) { d[0] = undeclared; /* \x1b]0;owned\x07 */ }\n"
    )
    _, out, err = lift("a.cpp")
    assert "undeclared" in out
    assert (out + err).replace("\n", "").isprintable()


def test_a_name_that_looks_like_a_flag_is_a_file(lift, repository):
    folder = repository / "-fplugin=."
    folder.mkdir()
    (folder / "x.cpp").write_text(KERNEL.format("f"))
    (repository / "--version.cpp").write_text(KERNEL.format("g"))
    status, out, _ = lift(".", "--format", "json")
    assert status == 0
    assert [f["status"] for f in json.loads(out)["functions"]] == ["proved", "proved"]


@pytest.mark.slow
def test_what_was_lifted_under_any_name_is_built_and_timed(lift, sources):
    assert lift(".", "-o", OUT)[0] == 0
    assert lift("build", OUT)[0] == 0
    status, out, _ = lift("bench", OUT, "--size", "64x64")
    assert status == 0
    assert out.count("yes, ") == len(SHOWN) + 1
    assert not list(sources.rglob("owned"))
