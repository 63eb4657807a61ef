"""As a user does it, in processes of their own: lift a stranger's file, look at the page."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from lifter.bench import find_compiler

from .parsed import Parsed

ROOT = Path(__file__).parents[2]
NAME = 'it\'s <b>"odd" & so on<!--.cpp'
SOURCE = """#include <stdint.h>
/* </script><script>document.title = 'gone'</script> */
void invert(uint8_t *dst, const uint8_t *src, int n) { // </pre><h1 onclick="x()">\u202e <!--
    for (int x = 0; x < n; x++) dst[x] = 255 - src[x]; // {{ 7 * 7 }}\u2028
}

void until_zero(uint8_t *dst) { // </noscript>
    while (*dst != 0) *dst++ = 0;
}
"""


def lift(folder, *arguments):
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "lifter", *arguments], cwd=folder, env=environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_strangers_file_becomes_a_page_that_reads_and_does_nothing_else(browser, tmp_path):
    (tmp_path / NAME).write_text(SOURCE, "utf-8")
    ran = lift(tmp_path, NAME, "-o", "out put", "-j1")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    ran = lift(tmp_path, "report", "out put")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "1 proved, 1 failed" in ran.stdout
    page = browser.page()
    page.open(tmp_path / "out put" / "report.html")
    assert page.problems() == []
    assert len(page.requests()) == 1
    assert page.run("document.title") == "1 of 2 proved · out put · lift"
    names = "[...document.querySelectorAll('.fn .name')].map(n => n.textContent)"
    assert page.run(names) == ["invert", "until_zero"]
    page.press("x")
    text = page.run("document.querySelector('#list').innerText")
    assert NAME in text
    assert (
        'void invert(uint8_t *dst, const uint8_t *src, int n) { // </pre><h1 onclick="x()">' in text
    )
    assert "⟨U+202E⟩" in text and "⟨U+2028⟩" in text and "{{ 7 * 7 }}" in text
    assert "while (*dst != 0) *dst++ = 0;" in text
    emitted = page.run("document.querySelector('a[href$=\"pipeline.py\"]').href")
    assert Path(unquote(urlsplit(emitted).path)).read_text("utf-8").startswith('"""invert')
    page.close()


@pytest.mark.slow
def test_speed_ups_go_from_lift_bench_to_the_page(tmp_path):
    if find_compiler() is None:
        pytest.skip("there is no C++ compiler on this machine")
    (tmp_path / "a.cpp").write_text(
        "#include <stdint.h>\n"
        "void invert(uint8_t *dst, const uint8_t *src, int n) {\n"
        "    for (int x = 0; x < n; x++) dst[x] = 255 - src[x];\n}\n"
    )
    for arguments in (
        ("a.cpp", "-o", "lifted", "-j1"),
        ("build", "lifted", "-j1"),
        ("bench", "lifted", "--size", "64x64"),
        ("report", "lifted"),
    ):
        ran = lift(tmp_path, *arguments)
        assert ran.returncode == 0, ran.stdout + ran.stderr
    found = Parsed((tmp_path / "lifted" / "report.html").read_text("utf-8"))
    assert "in the geometric mean of 1 function" in found.text
    assert "Images of 64 × 64, 1 thread" in found.text
    assert found.tags.count("circle") == 1
