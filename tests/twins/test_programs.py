"""The tests in C of differences: what they are compiled with, and where they place memory."""

from __future__ import annotations

import shutil
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
    needed = {Path(path).name for path in needed_files(pair)}
    assert needed == {"tail.c", "last.c", "unrelated.c"}
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
