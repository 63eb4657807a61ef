"""What runs remember: results by meaning, told for the source as it is, never trusted blindly."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from lifter.batch.driver import FileParsed, Finished, Problem, Run
from lifter.batch.store import Limits, ResultStore, records_of
from lifter.model.diagnostic import LiftError
from lifter.model.record import Record
from lifter.settings.options import RunOptions

ROOT = Path(__file__).parents[2]
FILLS = "".join(
    f"void {name}(unsigned char *d, int n) {{ for (int i = 0; i < n; i++) d[i] = {value}; }}\n"
    for name, value in (("first", 7), ("second", 8))
)
VARIED = """\
#include <cassert>
typedef unsigned char u8;

// Proved, with a note on what it needs.
void blend(u8 *dst, const u8 *src, int rows, int cols, int stride)
{
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < cols; x++)
            dst[x] = (dst[x] + src[x]) / 2;
        dst += stride;
        src += stride;
    }
}

void prefix(u8 *d, const u8 *s, int n)   // refuted: a scan that knows what was there
{
    u8 first = d[0];
    for (int i = 1; i < n; i++)
        d[i] = s[i] + (d[i - 1] ^ first);
}

void outside(u8 *d, const u8 *s, int n)
{
    assert(n > 2);
    u8 t[4] = {1, 2, 3, 4};
    for (int i = 0; i < n; i++)
        d[i] = s[i] + t[i];
}

int counted(u8 *d, int n)
{
    int i = 0;
    while (d[i]) { d[i] = 0; i++; }
    return i;
}
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.cpp").write_text(FILLS)
    return tmp_path


def run(*paths: str, **options: object) -> tuple[list[Finished], list[str]]:
    """The functions of a run, and the codes of what it found about files and itself."""
    wanted = RunOptions(paths or ("a.cpp",), Path("lifted"), jobs=2)
    found: list[Finished] = []
    codes: list[str] = []
    for event in Run(replace(wanted, **options)).events():  # type: ignore[arg-type]
        match event:
            case Finished():
                found.append(event)
            case Problem(diagnostic):
                codes.append(diagnostic.code)
            case FileParsed(_, _, diagnostics):
                codes += [d.code for d in diagnostics]
            case _:
                pass
    return sorted(found, key=lambda f: f.record.line), codes


def cached(*paths: str, **options: object) -> dict[str, bool]:
    found, codes = run(*paths, **options)
    assert codes == []
    return {f.record.name: f.cached for f in found}


def files(folder: Path) -> dict[str, str]:
    return {
        str(p.relative_to(folder)): p.read_text()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and ".lift-cache" not in p.parts
    }


def timeless(record: Record) -> Record:
    return replace(
        record, seconds={}, obligations=tuple(replace(o, seconds=0.0) for o in record.obligations)
    )


def without_times(texts: dict[str, str]) -> dict[str, object]:
    found: dict[str, object] = dict(texts)
    for name in texts:
        if name.endswith("summary.json"):
            data = json.loads(texts[name])
            data["seconds"] = {}
            data.pop("seal", None)
            found[name] = data
    return found


MOVES = {
    "comments": lambda s: "// new\n" * 9 + s.replace("{\n", "{  // why\n\n"),
    "layout": lambda s: s.replace("\n            dst[x]", " dst[x]").replace(
        ", const", ",\n const"
    ),
    "the file": lambda s: s,
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("move", MOVES)
def test_a_hit_is_what_lifting_again_would_give(here, move):
    """Every place, in records and in files, is the one of the source as it is now."""
    (here / "a.cpp").write_text(VARIED)
    run()
    moved = "a.cpp"
    if move == "the file":
        (here / "deep").mkdir()
        moved = "deep/b.cpp"
    (here / moved).write_text(MOVES[move](VARIED))
    hits, _ = run(moved)
    anew, _ = run(moved, out=Path("anew"), cache=False)
    assert [f.record.status for f in hits] == ["proved", "failed", "proved", "failed"]
    assert {f.cached for f in hits} == {True}
    assert {f.cached for f in anew} == {False}
    for old, new in zip(hits, anew, strict=True):
        assert timeless(old.record) == timeless(new.record)
    stem = Path(moved).stem
    assert without_times(files(here / "lifted" / stem)) == without_times(
        files(here / "anew" / stem)
    )
    told = "".join(files(here / "lifted").values())
    assert "lift-source" not in told and "9000000" not in told
    assert [timeless(r) for r in records_of(here / "anew")] == [timeless(f.record) for f in anew]


def test_programs_do_not_change_when_lines_move(here):
    run()
    before = files(here / "lifted")
    (here / "a.cpp").write_text("// one more line\n" + FILLS)
    assert cached() == {"first": True, "second": True}
    after = files(here / "lifted")
    assert {name for name in before if before[name] != after[name]} == {
        "a/first/summary.json",
        "a/second/summary.json",
    }
    assert json.loads(after["a/first/summary.json"])["line"] == 2


def test_another_functions_change_is_no_work(here):
    run()
    (here / "a.cpp").write_text(FILLS.replace("second", "renamed").replace("= 8", "= 9"))
    assert cached() == {"first": True, "renamed": False}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("old", "new"),
    [("= 7", "= 6"), ("first(unsigned", "first(signed"), ("i < n", "i <= n"), ("i = 0", "i = 1")],
)
def test_a_changed_meaning_is_never_told_the_old_proof(here, old, new):
    run()
    (here / "a.cpp").write_text(FILLS.replace(old, new))
    assert cached()["first"] is False


def test_what_was_built_beside_the_files_stays_when_only_places_change(here):
    run()
    (here / "lifted" / "a" / "first" / "first.o").write_text("object")
    (here / "a.cpp").write_text("\n" + FILLS)
    run()
    assert (here / "lifted" / "a" / "first" / "first.o").read_text() == "object"


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("damage", ["gone", "one file gone", "edited"])
def test_files_that_are_missing_or_edited_are_put_back_from_the_store(here, damage):
    run()
    before = files(here / "lifted")
    folder = here / "lifted" / "a" / "first"
    if damage == "gone":
        shutil.rmtree(here / "lifted" / "a")
    elif damage == "one file gone":
        next((folder / "proof").iterdir()).unlink()
    else:
        (folder / "pipeline.py").write_text("wrong")
    assert cached() == {"first": True, "second": True}
    assert files(here / "lifted") == before


def test_the_grammar_is_part_of_the_key_and_its_path_is_not(here):
    for name, text in (("one", "# one\n"), ("same", "# one\n"), ("other", "# other\n")):
        (here / f"{name}.grammar").write_text(text)
    assert cached(grammars=(Path("one.grammar"),)) == {"first": False, "second": False}
    assert cached(grammars=(Path("same.grammar"),)) == {"first": True, "second": True}
    assert cached(grammars=(Path("other.grammar"),)) == {"first": False, "second": False}


def test_another_lift_has_other_results(here, monkeypatch):
    run()
    monkeypatch.setattr("lifter.batch.store.tool_digest", lambda: "another")
    assert cached() == {"first": False, "second": False}


@pytest.mark.slow
def test_without_the_cache_all_is_lifted_again_and_kept(here):
    run()
    assert cached(cache=False) == {"first": False, "second": False}
    assert cached() == {"first": True, "second": True}


@pytest.mark.slow
def test_the_records_of_a_folder_are_the_last_of_each_function(here):
    (here / "b.cpp").write_text(VARIED)
    assert records_of(here / "lifted") == []
    both, _ = run("a.cpp", "b.cpp")
    told = records_of(here / "lifted")
    assert [(r.file, r.name) for r in told] == sorted(
        ((f.record.file, f.record.name) for f in both), key=lambda p: p[0]
    ) or len(told) == len(both)
    (here / "a.cpp").write_text("\n" + FILLS.splitlines()[0])
    run("a.cpp")
    first = records_of(here / "lifted")[0]
    assert (first.name, first.line, first.folder) == ("first", 2, "a/first")
    assert "second" not in {r.name for r in records_of(here / "lifted")}
    run("b.cpp", functions=("blend",))
    assert {"first", "prefix", "counted"} < {r.name for r in records_of(here / "lifted")}


def store(here: Path) -> Path:
    return here / "lifted" / ".lift-cache" / "results.sqlite"


@pytest.mark.slow
def test_a_store_of_another_version_is_set_aside_and_said(here):
    run()
    with sqlite3.connect(store(here)) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(LiftError, match="of version 99"):
        records_of(here / "lifted")
    found, codes = run()
    assert codes == ["cache-set-aside"]
    assert not any(f.cached for f in found)
    assert store(here).with_name("results.sqlite.aside-1").is_file()
    assert cached() == {"first": True, "second": True}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("content", [b"", b"not a database at all" * 500])
def test_a_store_that_is_none_is_set_aside_or_made_anew(here, content):
    run()
    store(here).write_bytes(content)
    found, codes = run()
    assert codes == (["cache-set-aside"] if content else [])
    assert [f.record.status for f in found] == ["proved", "proved"]
    assert cached() == {"first": True, "second": True}


def with_a_broken_page(here: Path, number: int) -> None:
    """Overwrites a page of the store, counted from 1, with random bytes."""
    pages = bytearray(store(here).read_bytes())
    pages[(number - 1) * 4096 : number * 4096] = os.urandom(4096)
    store(here).write_bytes(pages)


def page_of(here: Path, table: str) -> int:
    with sqlite3.connect(store(here)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        return int(connection.execute(query, (table,)).fetchone()[0])


def test_what_can_still_be_read_of_a_broken_store_is_taken_over(here):
    run()
    with_a_broken_page(here, page_of(here, "functions"))
    with pytest.raises(LiftError, match="malformed"):
        records_of(here / "lifted")
    found, codes = run()
    assert codes == ["cache-set-aside"]
    assert all(f.cached for f in found)
    assert len(records_of(here / "lifted")) == 2


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("seed", range(2))
def test_a_store_broken_anywhere_costs_no_more_than_lifting_again(here, seed):
    run()
    with_a_broken_page(here, 1 + (seed * 7) % (store(here).stat().st_size // 4096))
    found, codes = run()
    assert [f.record.status for f in found] == ["proved", "proved"]
    assert set(codes) <= {"cache-set-aside"}
    assert cached() == {"first": True, "second": True}


@pytest.mark.slow
def test_a_bit_of_the_schema_that_has_changed_costs_no_more_than_lifting_again(here):
    """Sqlite takes another column's name, another table's page, for what was meant."""
    run()
    whole = store(here).read_bytes()
    folder = here / "lifted" / ".lift-cache"
    record, rng = records_of(here / "lifted")[0], random.Random(13)
    start = whole.index(b"CREATE INDEX functions_by_key") - 300
    places = [whole.index(b"checksum") + 2, whole.index(b"TABLE results") + 8]
    places += [rng.randrange(start, 4096) for _ in range(60)]
    places += [rng.randrange(100) for _ in range(20)]
    for place in places:
        changed = bytearray(whole)
        changed[place] ^= 1 << rng.randrange(8)
        for old in folder.glob("results*"):
            old.unlink()
        store(here).write_bytes(changed)
        with contextlib.suppress(LiftError):
            records_of(here / "lifted")
        kept = ResultStore(here / "lifted")
        kept.find("key", Limits(1.0, 1.0))
        kept.keep("key", b"content", record, Limits(1.0, 1.0))
        assert {d.code for d in kept.problems()} <= {"cache-set-aside"}
        kept.close()
    assert all(not f.cached or f.record.status == "proved" for f in run()[0])
    assert cached() == {"first": True, "second": True}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("with_log", [False, True])
def test_a_folder_that_nobody_may_write_to_is_read(here, with_log):
    """Also while the log of a run that was killed lies in it; sqlite would write beside that."""
    run()
    with (
        contextlib.closing(sqlite3.connect(store(here))) as connection,
        tempfile.TemporaryDirectory() as place,
    ):
        if with_log:
            connection.execute("UPDATE results SET used = 1")
            connection.commit()
        held = Path(place) / "lifted"
        shutil.copytree(here / "lifted", held)
        assert with_log == (held / ".lift-cache" / "results.sqlite-wal").is_file()
        for path in (held.parent, held, *held.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        before = {p: p.stat().st_mtime_ns for p in held.rglob("*")}
        code = (
            "import os, sys, pathlib; from lifter.batch.store import records_of\n"
            "if os.getuid() == 0: os.setgid(65534), os.setuid(65534)\n"
            "print(len(records_of(pathlib.Path(sys.argv[1]))))\n"
        )
        command = [sys.executable, "-c", code, str(held)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        assert done.stdout == "2\n", done.stderr
        assert {p: p.stat().st_mtime_ns for p in held.rglob("*")} == before
        for path in (held.parent, held, *held.rglob("*")):
            path.chmod(0o755)


@pytest.mark.slow
def test_a_result_that_is_not_what_was_kept_is_lifted_again(here):
    """Two rows that changed places: each is sound, and neither is the other's."""
    run()
    with sqlite3.connect(store(here)) as connection:
        (a, ca), (b, cb) = connection.execute("SELECT number, content FROM results").fetchall()
        connection.execute("UPDATE results SET content = ? WHERE number = ?", (cb, a))
        connection.execute("UPDATE results SET content = ? WHERE number = ?", (ca, b))
    assert records_of(here / "lifted") == []
    assert cached() == {"first": False, "second": False}
    assert cached() == {"first": True, "second": True}


def test_a_folder_where_nothing_can_be_locked_is_said_and_the_run_goes_on(here, monkeypatch):
    def locked(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("locking protocol")

    monkeypatch.setattr("lifter.batch.store_file.sqlite3.connect", locked)
    found, codes = run()
    assert codes == ["cache-unusable"]
    assert [f.record.status for f in found] == ["proved", "proved"]
    assert (here / "lifted" / "a" / "first" / "pipeline.py").is_file()
