"""`lift cc` puts lifted code only where the compiler takes the lines that were lifted."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lifter.parse import chosen_lines
from lifter.switch.same_lines import read_otherwise
from tests.build.programs import need
from tests.switch.test_put_back import put, same

KERNEL = "void f(unsigned char *d, int n) { for (int i = 0; i < n; i++) d[i] = d[i] / 2 + K; }\n"
MAIN = """\
#include <stdio.h>
void f(unsigned char *d, int n);
int main(void) { unsigned char d[40] = {8}; f(d, 40); printf("%d %d\\n", d[0], d[1]); return 0; }
"""


MODES = pytest.mark.parametrize("mode", ["-fdirectives-only", "-dD"])


def differs(folder: Path, text: str, *theirs: str) -> str | None:
    """What is said of a text whose compiler has further options."""
    need("gcc")
    source = folder / "k.c"
    source.write_text(text)
    (folder / "x.h").write_text("#ifdef A\nint A;\n#else\nextern int b;\n#endif\n")
    (folder / "y.h").write_text("int y;\n")
    command = ["gcc", "-E", "-w", "-DBOTH", *theirs, str(source)]
    written = subprocess.run(command, capture_output=True, check=True).stdout
    return read_otherwise(written, chosen_lines(source, ["-DBOTH"]), folder / "made")


OTHER = {
    "more": "#ifdef THEIRS\nint a;\n#endif\n",
    "less": "#ifndef THEIRS\nint a;\n#endif\n",
    "value": "#ifdef THEIRS\n#define K 3\n#else\n#define K 5\n#endif\nint a = K;\n",
    "again": "#define K 5\n#ifdef THEIRS\n#undef K\n#define K 3\n#endif\nint a = K;\n",
    "then": "#ifdef THEIRS\n#undef BOTH\n#endif\n#ifdef BOTH\nint a;\n#endif\n",
    "function": "#ifdef THEIRS\n#define K(a) a\n#endif\nint a = K(3);\n",
    "pasted": "#ifdef THEIRS\n#define IJ 3\n#endif\n#define P(a, b) a##b\nint a = P(I, J);\n",
    "continued": "#ifdef THEIRS\n#define K \\\n 3\n#endif\n",
    "inside": "#if 1\n#if defined THEIRS\nint a;\n#endif\n#endif\n",
    "second time": '#define A 1\n#include "x.h"\n#undef A\n#ifdef THEIRS\n#define A 1\n#endif\n'
    '#include "x.h"\n',
    "another file": '#ifdef THEIRS\n#include "y.h"\n#endif\n',
}


@pytest.mark.sampled(every=8)
@MODES
@pytest.mark.parametrize("text", OTHER.values(), ids=OTHER.keys())
def test_other_lines_are_told(tmp_path: Path, mode: str, text: str) -> None:
    assert differs(tmp_path, text, mode) is None
    assert differs(tmp_path, text, mode, "-DTHEIRS") is not None


def test_other_lines_are_told_of_digraphs(tmp_path: Path) -> None:
    text = "%:ifdef THEIRS\nint a;\n%:endif\n"
    assert differs(tmp_path, text, "-dD") is None
    assert differs(tmp_path, text, "-dD", "-DTHEIRS") is not None


SAME = {
    "unused": "#ifdef THEIRS\n#define UNUSED 1\n#endif\nint a;\n",
    "the same value": "#include <math.h>\n#ifndef M_PI\n#define M_PI 3.14159265358979323846\n"
    "#endif\ndouble a = M_PI;\n",
    "comments": "#ifdef THEIRS\n/* nothing\n here */ // at all\n#endif\nint a;\n",
    "the library's": "#ifdef THEIRS\n#include <ctype.h>\n#endif\nint a;\n",
    "three times": '#define A 1\n#include "x.h"\n#undef A\n#include "x.h"\n#include "x.h"\n',
}


@pytest.mark.sampled(every=4)
@MODES
@pytest.mark.parametrize("text", SAME.values(), ids=SAME.keys())
def test_what_makes_no_difference_is_none(tmp_path: Path, mode: str, text: str) -> None:
    assert differs(tmp_path, text, mode, "-DTHEIRS", "-std=c99") is None


def test_the_program_is_the_compilers(tmp_path: Path) -> None:
    """glibc's own macros, which ours don't have, choose: the object is the compiler's alone."""
    need("gcc")
    theirs = (
        "#include <stdlib.h>\n#ifdef __GLIBC_MINOR__\n#define K 3\n#else\n#define K 5\n#endif\n"
    )
    done = put(tmp_path, "gcc", "k.c", theirs + KERNEL, "-std=c99")
    assert done.status == 0 and "takes other lines at" in done.err and "k.c:3" in done.err


def test_what_reads_the_same_is_put_back(tmp_path: Path) -> None:
    need("gcc")
    own = "#include <stdlib.h>\n#ifdef __GLIBC_MINOR__\n#define GNU 3\n#endif\n#define K 5\n"
    own += "#if 0\nwhat GCC doesn't give as it is written\n#endif\n"
    done = put(tmp_path, "gcc", "k.c", own + KERNEL, "-std=c99")
    assert done.status == 0 and "lifted code for f" in done.err
    same(tmp_path, "gcc", "k.c", MAIN)
