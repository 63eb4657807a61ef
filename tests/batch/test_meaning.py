"""A result is kept under the meaning of its kernel: what changes it, and what doesn't."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from lifter.batch.meaning import CANONICAL_FILE, canonical, meaning, tool_digest
from lifter.model.diagnostic import Span
from lifter.model.kernel import Kernel, statements
from lifter.settings.flags import Flags, parse_source
from tests.verify import source_mutants

ROOT = Path(__file__).parents[2]
SOURCE = """\
typedef unsigned char u8;

static u8 half(u8 v) { return v / 2; }

void other(u8 *d, int n)
{
    for (int i = 0; i < n; i++) d[i] = 1;
}

void dim(u8 *dst, const u8 *src, int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = half(src[i]) + 3;
}
"""


def dim(folder: Path, source: str, file: str = "a.cpp", flags: Flags | None = None) -> Kernel:
    """The kernel `dim` of this source."""
    path = folder / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(source)
    (found,) = (k for k in parse_source(str(path), flags or Flags()).kernels if k.name == "dim")
    return found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("void dim", "// a comment above\nvoid dim"),
        ("    for (int i = 0; i < n; i++)\n", "    for (int i = 0; i < n; i++) // inside\n"),
        ("int n)\n{\n    for", "int n) {\n\n\n  for"),
        ("i++)\n        dst", "i++) dst"),
        ("other", "renamed"),
        ("d[i] = 1", "d[i] = 2"),
        ("typedef", "#define UNUSED 7\ntypedef"),
        ("half(src[i]) + 3", "(half( src[i] ) + (3))"),
        ("half(src[i]) + 3", "half(src[i]) + 0x3"),
        ("", ""),
    ],
)
def test_layout_comments_and_other_functions_are_no_part_of_it(tmp_path, old, new):
    changed = SOURCE.replace(old, new)
    assert meaning(dim(tmp_path, changed)) == meaning(dim(tmp_path, SOURCE))


def test_nor_are_the_files_name_and_place(tmp_path):
    assert meaning(dim(tmp_path, SOURCE, "deep/other.cpp")) == meaning(dim(tmp_path, SOURCE))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("+ 3", "+ 4"),
        ("+ 3", "- 3"),
        ("v / 2", "v / 3"),  # in a callee
        ("const u8 *src", "const signed char *src"),
        ("const u8 *src", "u8 *src"),
        ("(u8 *dst, const u8 *src", "(const u8 *src, u8 *dst"),
        ("int n)\n{\n    for (int i = 0; i < n; i++)\n        dst", "long n)\n{\n    for "
         "(int i = 0; i < n; i++)\n        dst"),
        ("src[i]", "src[n - 1 - i]"),
        ("i < n; i++)\n        dst", "i <= n; i++)\n        dst"),
        ("int i = 0; i < n; i++)\n        dst", "int i = 1; i < n; i++)\n        dst"),
        ("void dim(u8 *dst, const u8 *src, int n)\n{", "#include <cassert>\n"
         "void dim(u8 *dst, const u8 *src, int n)\n{\n    assert(n > 4);"),
        ("void dim", "// lift: assume(n > 4)\nvoid dim"),
        ("half(src[i]) + 3", "half(src[i]) + 3u"),  # the sum's type
        ("dst[i] = half(src[i]) + 3;", "{ dst[i] = 0; dst[i] = half(src[i]) + 3; }"),
    ],
)  # fmt: skip
def test_whatever_could_change_the_result_is_part_of_it(tmp_path, old, new):
    assert old in SOURCE
    assert meaning(dim(tmp_path, SOURCE.replace(old, new))) != meaning(dim(tmp_path, SOURCE))


def test_so_are_flags_models_and_assumptions_where_they_change_the_kernel(tmp_path):
    source = SOURCE.replace("+ 3", "+ noise(i)\n#ifdef WIDE\n + 1\n#endif\n").replace(
        "typedef", "u8 noise(int);\ntypedef"
    )
    source = source.replace("u8 noise", "unsigned char noise")

    def model(text: str) -> Path:
        path = tmp_path / f"model{len(list(tmp_path.iterdir()))}.cpp"
        path.write_text(text)
        return path

    one = model("unsigned char noise(int i) { return i * 3; }")
    same = model("// a comment\nunsigned char noise(int i) {\n  return i * 3;\n}")
    two = model("unsigned char noise(int i) { return i * 5; }")

    def found(**flags: object) -> str:
        return meaning(dim(tmp_path, source, flags=Flags(**flags)))  # type: ignore[arg-type]

    base = found(models=(one,))
    assert found(models=(same,)) == base
    assert found(models=(two,)) != base
    assert found(models=(one,), defines=("WIDE",)) != base
    assert found(models=(one,), defines=("NARROW",)) == base
    assert found(models=(one,), includes=("/nowhere",)) == base
    assert found(models=(one,), assumptions=("n > 3",)) != base
    assert found(models=(one,), assumptions=("absent > 3",)) == base


def test_the_canonical_kernel_has_an_ordinal_for_each_place_and_no_text(tmp_path):
    kernel = dim(tmp_path, SOURCE)
    bare, places = canonical(kernel)
    assert bare.source == ""
    assert places[0] == kernel.span
    assert len(set(places)) == len(places) > 5

    def spans(kernel: Kernel) -> list[Span]:
        return [kernel.span, *(s.span for s in statements(kernel.body))]

    for old, new in zip(spans(kernel), spans(bare), strict=True):
        assert new.file == CANONICAL_FILE
        assert places[new.line - 9_000_000_000] == old
    assert canonical(bare)[0] == bare
    assert str(tmp_path) not in repr(bare)


def test_a_result_has_no_source_but_the_kernel_it_came_from(tmp_path):
    """What is digested is what is lifted: nothing else of a kernel can reach a result."""
    left_out = {"source"}
    bare, _ = canonical(dim(tmp_path, SOURCE))
    for field in dataclasses.fields(Kernel):
        if field.name in left_out:
            continue
        value = getattr(bare, field.name)
        other = {**value, "x": value} if isinstance(value, dict) else (value, value)
        assert meaning_of(dataclasses.replace(bare, **{field.name: other})) != meaning_of(bare)


def meaning_of(kernel: Kernel) -> str:
    from lifter.batch.meaning import digest

    return digest(kernel)


def test_it_is_the_same_in_every_process_and_folder(tmp_path):
    here = meaning(dim(tmp_path, SOURCE))
    program = (
        "import sys; from lifter.settings.flags import *; from lifter.batch.meaning import *\n"
        "found = parse_source('there/a.cpp', Flags()).kernels\n"
        "print([meaning(k) for k in found if k.name == 'dim'][0], tool_digest())"
    )
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "a.cpp").write_text(SOURCE)
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    there, tool = done.stdout.split()
    assert there == here
    assert len(tool) == 32


def test_the_tools_digest_covers_every_file_that_lifting_loads(tmp_path):
    """Whatever code a result comes from is in its key."""
    program = (
        "import sys; from lifter.batch.meaning import _INSTALLED, _own_files\n"
        "from lifter.batch.one_file import read_file\n"
        "from lifter.batch.one_function import lift_one\n"
        "from lifter.batch.localize import localized; from lifter.settings.flags import Flags\n"
        "read = read_file('a.cpp', Flags())\n"
        "for p in read.kernels: localized(lift_one(p.kernel), p.places, p.facts)\n"
        f"ours = {tuple(f'{ROOT}/{package}/' for package in ('lifter', 'compiler'))!r}\n"
        "known = {str(_INSTALLED / name) for name in _own_files(_INSTALLED)}\n"
        "used = [m.__file__ for m in sys.modules.values() if getattr(m, '__file__', None)]\n"
        "used = [f for f in used if f.startswith(ours)]\n"
        "assert len(used) > 100\n"
        "print(*sorted(set(used) - known))"
    )
    (tmp_path / "a.cpp").write_text(SOURCE)
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ""


def test_the_tools_digest_is_of_contents(tmp_path, monkeypatch):
    from lifter.batch import meaning as room

    for name in ("lifter/a.py", "compiler/b.py", "lifter/report/page.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")
    monkeypatch.setattr(room, "_INSTALLED", tmp_path)

    def digest() -> str:
        tool_digest.cache_clear()
        return tool_digest()

    try:
        first = digest()
        (tmp_path / "lifter" / "a.py").touch()
        (tmp_path / "lifter" / "report" / "page.py").write_text("x = 2\n")
        assert digest() == first
        (tmp_path / "compiler" / "b.py").write_text("x = 2\n")
        assert digest() != first
    finally:
        monkeypatch.undo()
        tool_digest.cache_clear()


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    ("file", "generations"), [("macros.c", 2), ("policies.cpp", 2)], ids=["c", "c++"]
)
def test_two_mutants_have_one_meaning_only_where_they_are_the_same_kernel(
    tmp_path, file, generations
):
    """Constants, operators, comparisons, casts and arrays, changed in one place of each kernel."""
    text = (ROOT / "corpus" / "blend" / file).read_text()
    by_meaning: dict[str, Kernel] = {}
    by_name: dict[str, set[str]] = {}
    for number, made in enumerate(source_mutants.generations(text, "meaning")):
        if number == generations:
            break
        path = tmp_path / file
        path.write_text(source_mutants.applied(text, made))
        for kernel in parse_source(str(path), Flags()).kernels:
            bare, _ = canonical(kernel)
            found = meaning(kernel)
            assert by_meaning.setdefault(found, bare) == bare
            by_name.setdefault(kernel.name, set()).add(found)
    assert len(by_meaning) > 10
    assert sum(len(found) > 1 for found in by_name.values()) >= len(by_name) // 2
