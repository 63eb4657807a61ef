"""LIFT_SHADOW: code that is put back runs beside the original, and differences are told."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from tests.build.programs import lift, need, run

TEXT = """int told(void);
int region(unsigned char *d, int n) { told(); for (int i = 0; i < n; i++) d[i] = d[i] / 3; return d[0]; }
int call(unsigned char *d, int n, int k) { for (int i = 0; i < n; i++) d[i] = d[i] / 5 + k; return n; }
long moved(unsigned char *d, int n)
{
    unsigned char *p = d;
    told();
    for (int i = 0; i < n; i++) *p++ = i / 7;
    return p - d;
}
int sum(const unsigned char *d, int n) { int s = 0; told(); for (int i = 0; i < n; i++) s += d[i] / 9; return s; }
"""  # noqa: E501
MAIN = r"""
#include <stdio.h>
int told(void) { return 0; }
int region(unsigned char *, int); int call(unsigned char *, int, int);
long moved(unsigned char *, int); int sum(const unsigned char *, int);
int main(void)
{
    unsigned char d[40]; int r = 0;
    for (int times = 0; times < 2; times++) {
        for (int i = 0; i < 40; i++) d[i] = i * 6 + 3;
        r = r * 31 + sum(d, 40);
        r = r * 31 + region(d, 40) + call(d, 20, 7); r = r * 31 + moved(d + 3, 30);
        for (int i = 0; i < 40; i++) r = r * 31 + d[i];
    }
    printf("%d\n", r);
    return 0;
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    need("gcc")
    (tmp_path / "k.c").write_text(TEXT)
    (tmp_path / "m.c").write_text(MAIN)
    return tmp_path


def test_differences_are_told_and_the_originals_result_is_used(folder: Path) -> None:
    """The compiler here changes what stands in the place of the originals, but not the guards."""
    changes = "s,/ 3,/ 4,; s,/ 5,/ 6,; s,/ 7,/ 8,; s,/ 9,/ 10,"
    compiler = folder / "changing-gcc"
    compiler.write_text(
        f"#!/bin/sh\nfor w; do case $w in */source/k.c) sed -i '{changes}' $w;; esac; done\n"
        'exec gcc "$@"\n'
    )
    compiler.chmod(compiler.stat().st_mode | stat.S_IXUSR)
    made = lift("cc", str(compiler), "-O2", "-c", "k.c", "-o", "k.o", cwd=folder)
    assert "lifted code for region#1, call, moved#1, sum#1" in made.err, made.err
    (folder / "changed.c").write_text((folder / "k.o.lifted" / "source" / "k.c").read_text())
    said = {}
    for name, source in (("lifted", "k.o"), ("original", "k.c")):
        if name == "original":
            (folder / "k.c").write_text(_changed(TEXT))
        assert run(["gcc", "m.c", source, "-o", name, "-lm", "-lpthread"], folder).status == 0
        said[name] = run([folder / name])
    assert said["lifted"].out != said["original"].out and said["lifted"].err == ""
    log = folder / "log"
    both = run([folder / "lifted"], env={"LIFT_SHADOW": "1", "LIFT_SHADOW_LOG": str(log)})
    assert both.out == said["original"].out
    told = [json.loads(line) for line in log.read_text().splitlines()]
    assert {(t["function"], t["array"]) for t in told} == {
        ("region#1", "d"), ("call", "d"), ("moved#1", "p"), ("sum#1", "s")
    }  # fmt: skip
    first = next(t for t in told if t["function"] == "call")
    assert first["arguments"] == {"n": 20, "k": 7} and first["compared"] == 20
    assert "lift: region#1: d(" in both.err
    second = run([folder / "lifted"], env={"LIFT_SHADOW": "2"})
    assert second.out not in (said["original"].out, said["lifted"].out)


def _changed(text: str) -> str:
    for old, new in (("/ 3", "/ 4"), ("/ 5", "/ 6"), ("/ 7", "/ 8"), ("/ 9", "/ 10")):
        text = text.replace(old, new)
    return text


@pytest.mark.slow
def test_equal_results_are_not_told(folder: Path) -> None:
    assert lift("cc", "gcc", "-O2", "-c", "k.c", "-o", "k.o", cwd=folder).status == 0
    said = []
    for source in ("k.c", "k.o"):
        assert run(["gcc", "m.c", source, "-o", "m", "-lm", "-lpthread"], folder).status == 0
        said.append(run([folder / "m"], env={"LIFT_SHADOW": "1"}))
    assert said[0] == said[1] and said[1].err == ""
