"""The tests in C of differences: what they are compiled with, and where they place memory."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from lifter.settings.flags import Flags
from lifter.twins.check import TwinOptions, check_pair
from lifter.twins.finding import Finding, Function
from lifter.twins.pair import Pair, Side, needed_files, neighbours
from tests.twins.running import agrees

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
FILES = {
    "rows.c": """#include <stdint.h>
void f(uint8_t *d, int n) { for (int i = 0; i < n; i++) d[i] = 1; }
""",
    "rows_simd.c": """#include <stdint.h>
#include "inline.h"
void tail(uint8_t *d, int n);
void unrelated(uint8_t *d);
void (*const table[])(uint8_t *) = {unrelated};
static void helper(uint8_t *d, int n) { if (n > 0) tail(d, clip(n)); }
void g(uint8_t *d, int n) { helper(d, n); }
""",
    "inline.h": "static int clip(int n) { return n > 9 ? 9 : n; }\n",
    "tail.c": """#include <stdint.h>
int last(int n);
/* not static */ void tail(uint8_t *d, int n) { for (int i = 0; i < last(n); i++) d[i] = 1; }
""",
    "last.c": "int last(int n) { return n - 1; }\n",
    "unrelated.c": "void unrelated(unsigned char *d) { *d = 5; }\n",
    # None of these is needed, and each of them breaks what it is compiled with.
    "aside.c": """static void tail(int n) { }
#define tail(d, n) (d[n])
static int last(int n);
int last(int n) { return 3; }
int clip(int n) { return n; }
void f(void) { broken }
""",
    "check.cpp": """int main() {
    for (int tail(0); tail < 3;) { if (tail(1)) { } }
}
""",
}


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    sides = [
        Side(str(tmp_path / n), f, Flags()) for n, f in (("rows.c", "f"), ("rows_simd.c", "g"))
    ]
    library = neighbours([side.file for side in sides])
    assert len(library) == 5
    return Pair(*sides, tuple((path, Flags()) for path in library))


def test_files_are_compiled_that_are_needed_alone(pair: Pair, tmp_path: Path) -> None:
    needed = {Path(file.path).name for file in needed_files(pair)}
    assert needed == {"rows.c", "rows_simd.c", "tail.c", "last.c", "unrelated.c"}
    found = check_pair(pair, TwinOptions(20.0))
    assert found.verdict == "not-equal" and found.input is not None
    assert found.input["scalars"]["n"] == 1
    assert not agrees(found, pair, tmp_path)
    (tmp_path / "last.c").write_text("int last(int n) { return n; }\n")
    assert agrees(found, pair, tmp_path)


@pytest.mark.parametrize("place", [0, 1, 8, 4095])
@pytest.mark.parametrize("used", [(0, 0), (-1, 4096), (-4097, 3), (-4096, 8192)])
def test_both_copies_lie_where_the_input_says(
    tmp_path: Path, place: int, used: tuple[int, int]
) -> None:
    sides = []
    for name, otherwise in (("f", 1), ("g", 2)):
        file = tmp_path / f"{name}.c"
        file.write_text(
            "#include <stdint.h>\n"
            f"void {name}(uint8_t *d, int n)\n"
            f"{{ d[n] = ((uintptr_t)d & 4095) == {place} ? 7 : {otherwise}; }}\n"
        )
        sides.append(Side(str(file), name, Flags()))
    pair = Pair(*sides)
    here, there = (Function(s.function, s.file) for s in sides)
    for address, does in ((place, True), (place + 1, False)):
        scalars = {"d.address": address, "n": used[1]}
        given = {"scalars": scalars, "arrays": {}, "used": {"d": list(used)}}
        shown = Finding(here, there, "not-equal", input=given)
        assert agrees(shown, pair, tmp_path) == does


@pytest.mark.parametrize("kind", ["", "static "])
def test_each_file_is_compiled_as_it_is_read(tmp_path: Path, kind: str) -> None:
    sides = []
    for name, made in (("f", "1"), ("g", "2")):
        file = tmp_path / f"{name}.c"
        own = kind if name == "g" else ""
        file.write_text(f"{own}void {name}(unsigned char *d) {{ d[0] = MADE; }}\n")
        arguments = ("-D", f"MADE={made}", "-D", "OTHER=3")
        sides.append(Side(str(file), name, Flags(clang_arguments=arguments)))
    pair = Pair(*sides)
    found = check_pair(pair, TwinOptions(20.0))
    assert found.verdict == "not-equal" and not agrees(found, pair, tmp_path)
    alike = Pair(sides[0], replace(sides[1], flags=sides[0].flags))
    assert agrees(found, alike, tmp_path)


def test_a_file_that_is_read_in_two_ways_isnt_compiled(tmp_path: Path) -> None:
    file = tmp_path / "f.c"
    file.write_text("void f(unsigned char *d) { d[0] = MADE; }\n")
    sides = [Side(str(file), "f", Flags(defines=(f"MADE={made}",))) for made in (1, 2)]
    found = check_pair(Pair(*sides), TwinOptions(20.0))
    assert found.verdict == "not-equal" and found.program is None
    assert "no test in C shows it: what would be one file in the test is read in two ways" in (
        found.notes
    )
