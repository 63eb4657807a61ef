"""Arrays that the original reads and the summary doesn't: the guard still keeps them apart."""

from __future__ import annotations

import subprocess
from pathlib import Path

from lifter.build.build import build_function
from lifter.emit.emit import emit
from tests.verify.differential import PRELUDE, lifted

# Reading b twice around a store cancels out, unless the store changed it.
FLAT = """
void f(u8 *a, const u8 *b, int n, int step) {
    for (int x = 0; x < n; x++) {
        u8 t = b[step * x + 1];
        a[2 * x] = 1;
        a[2 * x + 1] = (u8)(b[step * x + 1] - t);
    }
}"""
LOOKED_UP = """
void f(u8 *a, const u8 *b, const u8 *c, int n) {
    for (int x = 0; x < n; x++) { u8 t = b[c[x]]; a[2*x] = 1; a[2*x+1] = (u8)(b[c[x]] - t); }
}"""


def admitted(source: str, calls: list[str], folder: Path) -> list[bool]:
    """Whether the guard of `source`'s function admits each list of arguments, `m` an array."""
    result = lifted(source)
    assert result.status == "proved", result.diagnostic
    emit(result, folder / "f")
    assert "b = hl.ImageParam" not in (folder / "f" / "pipeline.py").read_text()
    built = build_function(folder / "f")
    main = folder / "main.cpp"
    tests = "".join(f"std::putchar('0' + f_admits({c})); f_guarded({c});\n" for c in calls)
    main.write_text(
        f'#include <cstdio>\n{PRELUDE}{source}\n#include "{built.header}"\n'
        f"u8 memory[4096], *m = memory + 2048;\nint main() {{ {tests} }}\n"
    )
    program = str(folder / "main")
    command = ["g++", "-w", str(main), str(built.archive), "-lpthread", "-lm", "-o", program]
    subprocess.run(command, check=True)
    printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
    return [c == "1" for c in printed]


def test_elements_read_along_a_step_are_kept_apart(tmp_path: Path) -> None:
    cases = {
        "m, m + 1000, 100, 1": True,
        "m, m + 1000, 100, -1": True,
        "m, m + 199, 100, 1": True,
        "m, m + 198, 100, 1": False,
        "m, m + 250, 100, -1": False,
        "m + 398, m, 100, 4": True,
        "m + 397, m, 100, 4": False,
        "m, m, 0, 1": True,
    }
    assert admitted(FLAT, list(cases), tmp_path) == list(cases.values())


def test_elements_read_through_a_table_are_kept_apart(tmp_path: Path) -> None:
    cases = {
        "m, m + 300, m + 600, 100": True,
        "m + 255, m, m + 600, 100": False,
        "m + 256, m, m + 600, 100": True,
    }
    assert admitted(LOOKED_UP, list(cases), tmp_path) == list(cases.values())
