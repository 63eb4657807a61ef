"""Stores and reads under conditions on pixels: lifted code, which touches nothing else, beside g++.

    python benchmarks/masked.py

Prints microseconds for 2^20 bytes on one thread, the least of fifteen calls in turn, for each kind
of processor; `random` masks change from byte to byte, `runs` every 256 bytes, as images' do.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from lifter.build.build import build_function
from lifter.emit.emit import emit
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.parse import parse_file

PIXELS, TURNS = 1 << 20, 15
TARGETS = {"host": None, "avx2": "x86-64-avx2", "sse4.1": "x86-64"}
COMPILED = {"g++ -march=native": "-march=native", "g++ -mavx2": "-mavx2"}
KERNELS = {
    "if (s < d) d = s": "if (s[i] < d[i]) d[i] = s[i];",
    "if (m) d = s": "if (m[i]) d[i] = s[i];",
    "d = m ? s : 7": "d[i] = m[i] ? s[i] : 7;",
    "if (m) d = blend": "if (m[i]) d[i] = (u8)((d[i] * (255 - m[i]) + s[i] * m[i]) / 255);",
}
FRAME = """#include <stdint.h>
typedef uint8_t u8;
extern "C" void f(u8 *d, const u8 *s, const u8 *m, int n) {{ for (int i = 0; i < n; i++) {} }}
"""


def functions(body: str, folder: Path) -> dict[str, Any]:
    """The kernel, lifted for each target and compiled by g++."""
    source = folder / "f.cpp"
    source.write_text(FRAME.format(body))
    (kernel,) = parse_file(source).kernels
    result = lift_kernel(kernel, LiftOptions())
    made: dict[str, Any] = {}
    for name, target in TARGETS.items():
        own = folder / name
        emit(result, own)
        built = build_function(own, target)
        made[f"lifted {name}"] = ctypes.CDLL(str(built.shared)).f_lifted
    for name, option in COMPILED.items():
        library = folder / f"{option}.so"
        flags = ["-O3", option, "-shared", "-fPIC"]
        subprocess.run(["g++", *flags, str(source), "-o", str(library)], check=True)
        made[name] = ctypes.CDLL(str(library)).f
    return made


def times(made: dict[str, Any], pattern: str) -> dict[str, float]:
    """Microseconds of each function, called in turn on the same contents."""
    random = np.random.default_rng(1)
    d, s, m = (random.integers(0, 256, PIXELS).astype(np.uint8) for _ in range(3))
    if pattern == "runs":
        m = np.repeat(random.integers(0, 2, PIXELS // 256).astype(np.uint8) * 200, 256)
    else:
        m[m < 128] = 0
    best = dict.fromkeys(made, float("inf"))
    for _ in range(TURNS):
        for name, function in made.items():
            own = d.copy()
            places = [ctypes.c_void_p(a.ctypes.data) for a in (own, s, m)]
            began = time.perf_counter()
            function(*places, PIXELS)
            best[name] = min(best[name], (time.perf_counter() - began) * 1e6)
    return best


def main() -> None:
    os.environ["LIFT_NUM_THREADS"] = "1"
    folder = Path(tempfile.mkdtemp(prefix="lift_masked_"))
    try:
        for number, (name, body) in enumerate(KERNELS.items()):
            own = folder / str(number)
            own.mkdir()
            made = functions(body, own)
            for pattern in ("random", "runs"):
                found = "  ".join(f"{k} {v:.0f}" for k, v in times(made, pattern).items())
                print(f"{name:18} {pattern:7} {found}", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
