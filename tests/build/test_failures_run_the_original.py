"""A guarded entry runs the original where the lifted code can't: without memory, and where floats
are computed otherwise than programs begin to."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from lifter.build.build import build_function
from lifter.emit import emit
from lifter.lift.lift_function import LiftOptions, lift_kernel
from tests.parse.parsing import kernel

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")

SHIFT = """#include <stdint.h>
extern "C" void shift(uint8_t *d, int n)
{ for (int i = 0; i < n; i++) d[i] = i + 1 < n ? d[i + 1] : 0; }
"""
HALVE = """
extern "C" void halve(float *d, int n) { for (int i = 0; i < n; i++) d[i] = d[i] * 0.1f; }
"""
COUNTED = "static int originals; int lift_originals(void) {{ return originals; }}\n{}"
WITHOUT_MEMORY = r"""
#include "shift.h"
#include <cstdio>
#include <cstdlib>
int lift_originals(void);
static bool fails;
extern "C" void *__libc_malloc(size_t);
extern "C" void *malloc(size_t size) { return fails ? 0 : __libc_malloc(size); }
extern "C" void *aligned_alloc(size_t alignment, size_t size) {
    void *made = 0;
    return fails || posix_memalign(&made, alignment, size) ? 0 : made;
}
int main() {
    static uint8_t d[5000];
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < 5000; i++) d[i] = (uint8_t)(i * 7);
        fails = turn == 1;
        shift_guarded(d, 5000);
        fails = false;
        for (int i = 0; i < 4999; i++) if (d[i] != (uint8_t)((i + 1) * 7)) return 1;
        if (lift_originals() != turn) return 2 + turn;
    }
    return 0;
}
"""
OTHER_MODES = r"""
#include "halve.h"
#include <cfenv>
int lift_originals(void);
int main() {
    static float d[500], e[500];
    const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    int expected = 0;
    for (int mode : modes) {
        for (int i = 0; i < 500; i++) d[i] = e[i] = i / 7.0f;
        fesetround(mode);
        halve_guarded(d, 500);
        for (int i = 0; i < 500; i++) { volatile float x = e[i]; e[i] = x * 0.1f; }
        fesetround(FE_TONEAREST);
        for (int i = 0; i < 500; i++) if (d[i] != e[i]) return 1;
        expected += mode != FE_TONEAREST;
        if (lift_originals() != expected) return 2;
    }
    return 0;
}
"""


def run(source: str, name: str, program: str, folder: Path) -> int:
    """The exit status of `program`, in which each run of the original is counted."""
    result = lift_kernel(kernel(source), LiftOptions())
    assert result.status == "proved", result.diagnostic
    emit(result, folder)
    build_function(folder)
    counted = COUNTED.format(source.replace("{ for", "{ originals++; for", 1))
    (folder / "original.cpp").write_text(counted)
    (folder / "main.cpp").write_text(program)
    parts = [folder / "main.cpp", folder / "original.cpp", folder / f"lib{name}.a"]
    flags = ["-O1", "-frounding-math", "-fno-builtin", "-pthread", f"-I{folder}"]
    command = ["g++", *flags, *map(str, parts), "-lm", "-o", str(folder / "main")]
    subprocess.run(command, check=True)
    return subprocess.run([str(folder / "main")], check=False).returncode


def test_without_memory_the_original_runs(tmp_path: Path) -> None:
    assert run(SHIFT, "shift", WITHOUT_MEMORY, tmp_path) == 0


def test_where_floats_are_rounded_otherwise_the_original_runs(tmp_path: Path) -> None:
    assert run(HALVE, "halve", OTHER_MODES, tmp_path) == 0
