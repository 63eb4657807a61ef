"""Where a page comes from: the store of a run, summaries without one, and what is refused."""

from __future__ import annotations

import json
import shutil

import pytest

from lifter.command_line import run
from lifter.model.diagnostic import LiftError
from lifter.report import collect

SOURCE = """#include <stdint.h>
// turns an image into its negative
void invert(uint8_t *dst, const uint8_t *src, int n) {
    for (int x = 0; x < n; x++) dst[x] = 255 - src[x];
}

void until_zero(uint8_t *dst) {
    while (*dst != 0) *dst++ = 0;
}

int add(int a, int b) { return a + b; }
"""


_ALONE = "so the page is made from the summaries alone"


@pytest.fixture(scope="module")
def lifted_once(tmp_path_factory):
    """A folder that `lift` wrote to, and the status that it ended with."""
    folder = tmp_path_factory.mktemp("run")
    (folder / "neg.cpp").write_text(SOURCE)
    status = run([str(folder / "neg.cpp"), "-o", str(folder / "lifted"), "-j1"])
    assert status == 1
    return folder / "lifted"


@pytest.fixture
def lifted(lifted_once, tmp_path):
    shutil.copytree(lifted_once, tmp_path / "lifted")
    return tmp_path / "lifted"


@pytest.mark.slow
def test_the_store_has_every_function_of_a_run_with_its_text(lifted):
    found = collect(lifted)
    assert [(e.record.name, e.record.status) for e in found.entries] == [
        ("invert", "proved"), ("until_zero", "failed"), ("add", "skipped"),
    ]  # fmt: skip
    invert, until_zero, _ = found.entries
    assert invert.record.source.startswith("void invert(") and invert.record.source.endswith("}")
    assert "while (*dst != 0)" in until_zero.record.source
    assert "def invert():" in invert.program
    assert invert.has_times
    assert found.notes == ()


def test_committed_summaries_alone_make_a_page_that_says_so(lifted):
    shutil.rmtree(lifted / ".lift-cache")
    found = collect(lifted)
    assert [e.record.name for e in found.entries] == ["invert"]
    (entry,) = found.entries
    assert entry.record.source.startswith("void invert(")
    assert "def invert():" in entry.program
    assert entry.record.proved_by["structural"] > 0
    assert not entry.has_times
    assert any("no store of a run" in note for note in found.notes)


def planted(lifted, change):
    """The folder without a store and with a changed summary beside the good one."""
    shutil.rmtree(lifted / ".lift-cache")
    (summary,) = lifted.rglob("summary.json")
    data = json.loads(summary.read_text())
    change(data)
    other = summary.parent.with_name("other") / "summary.json"
    other.parent.mkdir()
    other.write_text(json.dumps(data))
    return lifted


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.clear(),
        lambda data: data.update(schema=2),
        lambda data: data.update(name=["x"]),
        lambda data: data.update(status="perfect"),
        lambda data: data.update(line="many"),
        lambda data: data.update(obligations=7),
        lambda data: data.update(stages=[{"output": "x"}]),
        lambda data: data.update(entry=None),
        lambda data: data.update(seconds={"total": "long"}),
        lambda data: data.update(warnings=["by hand"]),
        lambda data: data.update(seconds={"total": float("nan")}),
    ],
)
def test_a_summary_of_another_kind_is_set_aside_and_said(lifted, change):
    found = collect(planted(lifted, change))
    assert [e.record.name for e in found.entries] == ["invert"]
    assert any("other/summary.json was set aside" in note for note in found.notes)


def test_a_summary_as_it_should_be_is_not_set_aside(lifted):
    found = collect(planted(lifted, lambda data: data.update(name="second", line=99)))
    assert [e.record.name for e in found.entries] == ["invert", "second"]
    assert not any("set aside" in note for note in found.notes)


def test_text_that_is_no_json_is_set_aside(lifted):
    shutil.rmtree(lifted / ".lift-cache")
    for name, data in (("a", b"\xff\xfe"), ("b", b"[" * 100_000), ("c", b"")):
        (lifted / name).mkdir()
        (lifted / name / "summary.json").write_bytes(data)
    found = collect(lifted)
    assert [e.record.name for e in found.entries] == ["invert"]
    assert sum("was set aside" in note for note in found.notes) == 3


def test_a_link_out_of_the_folder_is_not_followed(lifted, tmp_path):
    secret = tmp_path / "secret.py"
    secret.write_text("the secret")
    (program,) = lifted.rglob("pipeline.py")
    program.unlink()
    program.symlink_to(secret)
    assert collect(lifted).entries[0].program == ""


def test_a_store_that_cannot_be_read_is_said_and_the_summaries_are_shown(lifted):
    (lifted / ".lift-cache" / "results.sqlite").write_bytes(b"no database" * 1000)
    found = collect(lifted)
    assert [e.record.name for e in found.entries] == ["invert"]
    assert any("results.sqlite" in note and _ALONE in note for note in found.notes)
    shutil.rmtree(lifted / "neg")
    with pytest.raises(LiftError, match=r"results\.sqlite"):
        collect(lifted)


def test_a_folder_without_results_is_refused(tmp_path):
    with pytest.raises(LiftError, match="nothing-to-report"):
        collect(tmp_path)
    with pytest.raises(LiftError, match="is no folder"):
        collect(tmp_path / "absent")


def test_figures_are_those_of_the_folder_or_those_that_are_named(lifted, tmp_path):
    row = {
        "name": "invert", "folder": "neg/invert", "equal": True, "compared": 3,
        "original_ms": 4.0, "lifted_ms": 2.0, "speedup": 2.0, "note": None,
    }  # fmt: skip
    figures = {"schema": 1, "size": [8, 8], "threads": 1, "machine": "m", "functions": [row]}
    (lifted / "bench.json").write_text(json.dumps(figures))
    own = collect(lifted).entries[0].figure
    assert own is not None and own.speedup == 2.0
    named = tmp_path / "mine.json"
    named.write_text(json.dumps({**figures, "functions": [{**row, "folder": "", "speedup": 9.0}]}))
    other = collect(lifted, named).entries[0].figure
    assert other is not None and other.speedup == 9.0
    with pytest.raises(LiftError, match="has no figures"):
        collect(lifted, tmp_path / "absent.json")
    (lifted / "bench.json").write_text("{}")
    found = collect(lifted)
    assert found.figures is None
    assert any("has no figures" in note for note in found.notes)


def test_the_command_writes_one_file_and_says_where(lifted, tmp_path, capfd):
    assert run(["report", str(lifted)]) == 0
    page = lifted / "report.html"
    assert f"{page}: 1 proved, 1 failed, 1 skipped" in capfd.readouterr().out
    assert "until_zero" in page.read_text()
    assert [p.name for p in lifted.iterdir() if "partial" in p.name] == []
    assert run(["report", str(lifted), "-o", str(tmp_path / "x.html")]) == 0
    assert (tmp_path / "x.html").is_file()


def test_a_page_that_cannot_be_written_is_said(lifted, capfd):
    assert run(["report", str(lifted), "-o", str(lifted / "absent" / "x.html")]) == 2
    assert "the page can't be written" in capfd.readouterr().err


def test_an_empty_folder_is_bad_usage(tmp_path, capfd):
    assert run(["report", str(tmp_path)]) == 2
    assert "has no results of a run [nothing-to-report]" in capfd.readouterr().err
