"""Reading one large file: headers of 40,000 lines and 300 functions, up to kernels.

    python -m benchmarks.reading [--lines 40000] [--functions 300] [--runs 5] [--keep FOLDER]

The file is made here, with what headers of vendors are made of: registers as macros, structures,
enumerations, inline functions that call one another. Functions are kernels over pixels, helpers
of theirs and code that is none. libclang's own parse (with the options that lift gives it) and
reading up to kernels run in turns, each in a process of its own; times are of their processors.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

_BAR = 3.0
_MS_A_FUNCTION = 20.0

_PARSE = """
import json, sys, time
from pathlib import Path
from lifter.parse.translation_unit import read_source
begin = time.process_time()
read_source(Path(sys.argv[1]), std=None, include_dirs=(), defines=(), clang_args=())
print(json.dumps({"seconds": time.process_time() - begin}))
"""
_READ = """
import json, sys, time
from lifter.parse import parse_file
begin = time.process_time()
found = parse_file(sys.argv[1])
print(json.dumps({"seconds": time.process_time() - begin, "kernels": len(found.kernels),
    "skipped": len(found.skipped), "failed": len(found.failed)}))
"""


def header(number: int, lines: int, random: random.Random) -> str:
    """A header of about `lines` lines, as vendors write them."""
    out = [f"#ifndef VENDOR_{number}_H", f"#define VENDOR_{number}_H", "#include <stdint.h>"]
    block = 0
    while len(out) < lines - 2:
        name = f"v{number}_{block}"
        out += [f"/* Block {block} of module {number}. */"]
        for i in range(24):
            out.append(f"#define {name.upper()}_REG_{i} (0x{random.randrange(1 << 16):04x}u)")
            out.append(f"#define {name.upper()}_SHIFT_{i}(v) (((v) & 0xff) << {i % 24})")
        out += ["typedef enum {", *(f"    {name.upper()}_MODE_{i}," for i in range(8))]
        out += [f"}} {name}_mode;", "typedef struct {"]
        out += [f"    volatile uint32_t reg{i};" for i in range(12)]
        out += [f"    uint8_t data[{random.randrange(8, 64)}];", f"}} {name}_block;"]
        for i in range(6):
            out += [
                f"static inline uint32_t {name}_get{i}(const {name}_block *b)",
                "{",
                f"    uint32_t v = b->reg{i};",
                f"    v = (v >> {i}) & {name.upper()}_SHIFT_{i}(0x{random.randrange(255):02x});",
                f"    if (v > {name.upper()}_REG_{i}) v = {name.upper()}_REG_{i};",
                "    return v;",
                "}",
                f"static inline int {name}_clip{i}(int a, int b)",
                "{",
                f"    int v = a * {i + 3} + b;",
                "    return v < 0 ? 0 : v > 255 ? 255 : v;",
                "}",
                f"extern int {name}_call{i}({name}_block *b, int a, void *context);",
            ]
        block += 1
    return "\n".join([*out[: lines - 1], "#endif"]) + "\n" if len(out) <= lines else _closed(out)


def _closed(out: list[str]) -> str:
    return "\n".join([*out, "#endif"]) + "\n"


def source(headers: int, functions: int, random: random.Random) -> str:
    """`functions` functions: kernels, helpers, and code that is none."""
    out = [f'#include "vendor{i}.h"' for i in range(headers)]
    out += ["#define CLAMP8(v) ((v) < 0 ? 0 : (v) > 255 ? 255 : (v))"]
    out += ["#define MUL8(a, b) (((a) * (b) + 128 + (((a) * (b) + 128) >> 8)) >> 8)"]
    for i in range(functions):
        a, b = random.randrange(1, 200), random.randrange(1, 8)
        module = random.randrange(headers)
        form = i % 6
        if form == 0:
            out += [
                f"void blend{i}(uint8_t *d, const uint8_t *s, int n) {{",
                "    for (int i = 0; i < n; i++)",
                f"        d[i] = CLAMP8(MUL8(s[i], {a}) + d[i] - {b});",
                "}",
            ]
        elif form == 1:
            out += [
                f"static uint8_t mix{i}(int a, int b) {{ return (a * {a} + b) >> {b}; }}",
                f"void rows{i}(uint8_t *d, const uint8_t *s, int w, int h, int ds, int ss) {{",
                "    for (int y = 0; y < h; y++, d += ds, s += ss)",
                "        for (int x = 0; x < w; x++)",
                f"            d[x] = mix{i}(s[x], d[x]);",
                "}",
            ]
        elif form == 2:
            out += [
                f"void rgba{i}(uint8_t *d, const uint8_t *s, int n) {{",
                "    for (int i = 0; i < n; i++, s += 4, d += 4) {",
                "        int a = s[3];",
                *(
                    f"        d[{c}] = (uint8_t)CLAMP8(MUL8(s[{c}], a) + MUL8(d[{c}], 255 - a));"
                    for c in range(3)
                ),
                "        d[3] = (uint8_t)CLAMP8(a + MUL8(d[3], 255 - a));",
                "    }",
                "}",
            ]
        elif form == 3:
            out += [
                f"int setup{i}(v{module}_0_block *b, int mode) {{",
                f"    if (mode > {a}) return v{module}_0_call1(b, mode, 0);",
                f"    b->reg1 = v{module}_0_get2(b) | V{module}_0_SHIFT_3(mode);",
                f"    return v{module}_0_clip1(mode, {b});",
                "}",
            ]
        elif form == 4:
            out += [
                f"void blur{i}(float *d, const float *s, int w, int h) {{",
                "    for (int y = 1; y < h - 1; y++)",
                "        for (int x = 1; x < w - 1; x++) {",
                "            float t = 0;",
                "            for (int k = -1; k <= 1; k++)",
                "                t += s[(y + k) * w + x - 1] + s[(y + k) * w + x + 1];",
                f"            d[y * w + x] = t / {a}.0f;",
                "        }",
                "}",
            ]
        else:
            out += [
                f"void level{i}(uint16_t *d, const uint16_t *s, int n, int mode) {{",
                "    for (int i = 0; i < n; i++) {",
                f"        int v = v{module}_0_clip{i % 6}(s[i], mode);",
                "        switch (mode) {",
                f"        case 0: v = v * {a}; break;",
                f"        case 1: v = v + {a}; break;",
                f"        default: v = v >> {b}; break;",
                "        }",
                "        d[i] = (uint16_t)v;",
                "    }",
                "}",
            ]
    return "\n".join(out) + "\n"


def write(folder: Path, lines: int, functions: int) -> Path:
    """Writes the file and its headers; gives the file."""
    random_ = random.Random(20)
    headers = 8
    for i in range(headers):
        (folder / f"vendor{i}.h").write_text(header(i, lines // headers, random_))
    path = folder / "vendor.cpp"
    path.write_text(source(headers, functions, random_))
    return path


def _run(code: str, path: Path) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    return dict(json.loads(done.stdout))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=40_000)
    parser.add_argument("--functions", type=int, default=300)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--keep", type=Path, help="write the file here and leave it")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        path = write(folder, chosen.lines, chosen.functions)
        total = sum(len(f.read_text().splitlines()) for f in folder.glob("vendor*.h"))
        parses, reads = [], []
        for _ in range(chosen.runs):
            parses.append(_run(_PARSE, path)["seconds"])
            read = _run(_READ, path)
            reads.append(read["seconds"])
    parse, whole = statistics.median(parses), statistics.median(reads)
    count = int(read["kernels"] + read["skipped"] + read["failed"])
    allowed = _BAR * parse + count * _MS_A_FUNCTION / 1000
    print(f"{total:,} lines of headers, {count} functions: {int(read['kernels'])} kernels, "
          f"{int(read['skipped'])} skipped, {int(read['failed'])} failed")  # fmt: skip
    print(f"libclang alone {parse:.2f} s, reading {whole:.2f} s of one core; "
          f"bar {allowed:.2f} s ({_BAR:g} x parse + {_MS_A_FUNCTION:g} ms a function), "
          f"{whole / allowed:.2f} of it")  # fmt: skip


if __name__ == "__main__":
    main()
