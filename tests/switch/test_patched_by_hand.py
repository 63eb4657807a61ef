"""A patched source that somebody has edited: where a call of lifted code no longer is around its
loops, or has other arguments, it is another program. `lift verify` and `lift patch` say so."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lifter.switch.patch import Patched, write_patched
from tests.build.programs import lift

SOURCE = """#include <stdio.h>
int told(void);

int shift(unsigned char *p, int n, int k)
{
    if (told() < 0) return -1;
    for (int i = 0; i < n; i++)
        p[i] = p[i] + k;
    told();
    for (int i = 0; i < n; i++) p[i] = p[i] / 3;
    return n;
}
void all(unsigned char *p, int n) { for (int i = 0; i < n; i++) p[i] = 255 - p[i]; }
unsigned char *moved(unsigned char *p, int n)
{
    told();
    for (int i = 0; i < n; i++) *p++ = i * 3;
    return p;
}
"""
CALL = "if (!shift_loops1_lifted_here(p, n, k)) {"
LOOP = "        for (int i = 0; i < n; i++)\n            p[i] = p[i] + k;\n"
EDITS = {
    "another argument": (CALL, CALL.replace("n, k", "n - 1, k")),
    "a test of something else": ("if (!shift_loops1", "if (n > 3 && !shift_loops1"),
    "a statement more inside": (LOOP, LOOP + '        puts("x");\n'),
    "loops more inside": (LOOP, LOOP + "        for (int i = 0; i < n; i++) p[i] ^= 1;\n"),
    "loops behind it": (LOOP + "    }", LOOP + "    }\n    for (int i = 0; i < n; i++) p[i] ^= 1;"),
    "a second call": (CALL, f"shift_loops1_lifted_here(p, n, k);\n    {CALL}"),
    "another prototype": ("_loops1_lifted_here(void *, int", "_loops1_lifted_here(void *, long"),
    "the call of other loops": (CALL, CALL.replace("loops1", "loops2").replace(", k", "")),
    "of a whole function": ("if (all_lifted_here(p, n))", "if (all_lifted_here(p + 1, n))"),
    "of a pointer that moves": ("p += lift_moved_0;", "p += lift_moved_0 + 1;"),
}  # fmt: skip
HARMLESS = {
    "comments and blanks": (LOOP, LOOP.replace(";\n", ';  /* { "*/\n\n')),
    "lines above": ("int told(void);", "int told(void);\n\n/* shift_loops1_lifted_here(p) */\n"),
    "layout": (CALL, CALL.replace(" {", "\n    {").replace("p, n", "p,\n  n")),
}


@pytest.fixture(scope="module")
def patched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("patched")
    (folder / "k.c").write_text(SOURCE)
    assert lift("patch", "k.c", "--write", cwd=folder).status == 0
    assert lift("patch", "k.c", cwd=folder).out == ""
    (folder / "original.c").write_text((folder / "k.c").read_text())
    return folder


def edited(folder: Path, old: str, new: str) -> None:
    text = (folder / "original.c").read_text()
    assert text.count(old) == 1
    (folder / "k.c").write_text(text.replace(old, new))


def test_an_untouched_patched_source_is_equal(patched: Path) -> None:
    (patched / "k.c").write_text((patched / "original.c").read_text())
    done = lift("verify", "lifted", cwd=patched)
    assert done.status == 0 and "4 equal" in done.out


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("what", EDITS)
def test_a_call_that_was_edited_is_not_equal(patched: Path, what: str) -> None:
    edited(patched, *EDITS[what])
    done = lift("verify", "lifted", cwd=patched)
    assert done.status == 1 and "not-equal" in done.out, done.out
    assert ("isn't what belongs there" in done.out) == (what != "loops more inside")


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("what", HARMLESS)
def test_what_no_compiler_sees_is_no_edit(patched: Path, what: str) -> None:
    edited(patched, *HARMLESS[what])
    done = lift("verify", "lifted", cwd=patched)
    assert done.status == 0 and "4 equal" in done.out, done.out


@pytest.mark.slow
def test_a_second_patch_doesnt_build_on_an_edited_call(patched: Path) -> None:
    edited(patched, *EDITS["another argument"])
    before = (patched / "k.c").read_text()
    done = lift("patch", "k.c", "--write", cwd=patched)
    assert done.status == 1 and "shift_loops1_lifted_here isn't what belongs there" in done.err
    assert (patched / "k.c").read_text() == before


def sources(folder: Path) -> list[Patched]:
    made = []
    for name in ("a.c", "b.c"):
        (folder / name).write_text(f"old {name}")
        made.append(Patched(folder / name, f"old {name}".encode(), b"new"))
    return made


def texts(folder: Path) -> set[str]:
    return {f"{p.name}: {p.read_text()}" for p in folder.iterdir()}


def test_all_sources_are_written_and_stay_what_they_are(tmp_path: Path) -> None:
    made = sources(tmp_path)
    (tmp_path / "b.c").rename(tmp_path / "real.c")
    (tmp_path / "real.c").chmod(0o755)
    (tmp_path / "b.c").symlink_to("real.c")
    write_patched(made, tmp_path / "calls.c")
    assert (tmp_path / "b.c").is_symlink() and os.access(tmp_path / "real.c", os.X_OK)
    assert (tmp_path / "a.c").read_text() == (tmp_path / "real.c").read_text() == "new"
    assert len(list(tmp_path.iterdir())) == 4


@pytest.mark.parametrize("what", ["read-only", "changed", "full"])
def test_where_one_source_cant_be_written_none_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    made = sources(tmp_path)
    match what:
        case "read-only":  # who runs as root may write to all files
            monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith("b.c"))
        case "changed":
            (tmp_path / "b.c").write_text("edited")
        case "full":
            own = Path.write_bytes

            def full(path: Path, text: bytes) -> int:
                own(path, text[:1])
                if path.name.startswith("b.c"):
                    raise OSError(28, "No space left on device", str(path))
                return len(text)

            monkeypatch.setattr(Path, "write_bytes", full)
    before = texts(tmp_path)
    with pytest.raises(OSError) as error:
        write_patched(made, tmp_path / "calls.c")
    assert "b.c" in str(error.value.filename)
    assert texts(tmp_path) == before
