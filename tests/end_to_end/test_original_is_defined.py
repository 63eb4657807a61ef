"""The originals run clean under the address and the undefined-behaviour sanitizer on the images
that the lifted code is compared on: what they leave is what C++ says, not what one compiler does.

One sanitized library a file, called in a child. Of each array, only what `summary.json` says may be
read or written isn't poisoned.
"""

from __future__ import annotations

import functools
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lifter.bench.memory import UnknownAccesses, extent_of
from lifter.emit.interface import load_interface
from lifter.emit.source_call import identifier
from lifter.parse import parse_file
from tests.end_to_end.built_corpus import emitted
from tests.end_to_end.calls import Call
from tests.end_to_end.corpus_list import CORPUS, each, listed
from tests.end_to_end.images import PATTERNS, Arguments, arguments, possible_arguments
from tests.end_to_end.lifted_corpus import ROOT, lifted, models, parsed
from tests.end_to_end.original import original_library
from tests.end_to_end.test_lifted_equals_original import SIZES, UNDEFINED

SANITIZED = ("-O1", "-g", "-fsanitize=address,undefined,float-cast-overflow")
FILES = sorted({file for file, _ in listed()})
QUICK = ("blend/macros.c", "blend/photoshop_modes.cpp")
"""In C; in C++ with floats."""


@functools.cache
def preloaded() -> str:
    """What must be loaded before Python, since Python isn't sanitized."""
    found = subprocess.run(
        ["g++", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    )
    path = found.stdout.strip()
    if not Path(path).is_absolute():
        pytest.skip("g++ has no address sanitizer here")
    return path


def calls(file: str, name: str) -> Iterator[Call]:
    subject = lifted(file, name)
    sizes = [(width, height, pattern) for width, height in SIZES for pattern in PATTERNS]
    for made in possible_arguments(subject.kernel, sizes, subject.formulas()):
        yield as_call(f"lift_test_{name}", made, allowed(file, name, made))


def as_call(function: str, made: Arguments, may_be_touched: dict[str, tuple[int, int]]) -> Call:
    return Call(function, made.text, made.passed(), made.contents, may_be_touched)


def allowed(file: str, name: str, made: Arguments) -> dict[str, tuple[int, int]]:
    """By array, the elements of its buffer that the summary says are read or written."""
    interface = load_interface(emitted(file, name))
    params = list(zip(made.kernel.params, interface.params, strict=True))
    values = {identifier(n): v for n, v in made.scalars.items()}
    for ours, param in params:
        if param.kind == "vector":
            values[f"{param.name}.size"] = made.scalars[f"{ours.name}.size"]
    found = {}
    for ours, param in params:
        if param.kind in ("scalar", "rows"):
            continue
        try:
            extent = extent_of(interface, param, values)
        except UnknownAccesses:
            continue
        origin = made.origins[ours.name]
        found[ours.name] = (origin + extent.low, origin + extent.high + 1)
    return found


def complaints(library: Path, made: list[Call], folder: Path) -> list[str]:
    """What the sanitizers say, each after the call that it is about."""
    path = folder / "calls.pickle"
    path.write_bytes(pickle.dumps(made))
    environment = {
        **os.environ,
        "LD_PRELOAD": preloaded(),
        "ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1:abort_on_error=0",
    }
    command = [sys.executable, "-m", "tests.end_to_end.calls", str(library), str(path)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    found, call = [], ""
    for line in done.stderr.splitlines():
        if line.startswith("== "):
            call = line
        elif re.search(r"runtime error|ERROR: AddressSanitizer", line):
            found.append(f"{call}\n  {line}")
    assert found or done.returncode == 0, done.stderr[-2000:]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_the_originals_of_a_file_run_clean(file: str, tmp_path: Path) -> None:
    check(file, [n for f, n in listed() if f == file and n not in UNDEFINED], tmp_path)


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("file", QUICK)
def test_some_originals_of_a_file_run_clean(file: str, tmp_path: Path) -> None:
    check(file, [n for f, n in each(listed()) if f == file], tmp_path)


def check(file: str, names: list[str], folder: Path) -> None:
    made = [call for name in names for call in calls(file, name)]
    assert {c.function for c in made} == {f"lift_test_{n}" for n in names}
    library = original_library(CORPUS / file, parsed(file).kernels, models(file), SANITIZED)
    found = complaints(library, made, folder)
    assert not found, "\n".join(found[:10])


# Negative twins: both sanitizers are at work.

WRONG = """
#include <stdint.h>
void sound(uint8_t *d, int n) { for (int i = 0; i < n; i++) d[i] = 255 - d[i]; }
void one_more(uint8_t *d, int n) { for (int i = 0; i <= n; i++) d[i] = 255 - d[i]; }
void one_before(uint8_t *d, int n) { for (int i = 0; i < n; i++) d[i] = d[i - 9]; }
void wraps(uint8_t *d, int n) { for (int i = 0; i < n; i++) d[i] = (d[i] * 2147483647) >> 8; }
void too_large(uint8_t *d, int n) { for (int i = 0; i < n; i++) d[i] = (uint8_t)(d[i] + 300.0f); }
void local(uint8_t *d, int n) { uint8_t t[4]; for (int i = 0; i < n; i++) d[i] = t[i] = d[i]; }
"""


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("sound", ""),
        ("one_more", "heap-buffer-overflow|use-after-poison"),
        ("one_before", "heap-buffer-overflow|use-after-poison"),
        ("wraps", "signed integer overflow"),
        ("too_large", "outside the range of representable values"),
        ("local", "out of bounds|stack-buffer-overflow"),
    ],
)
def test_what_is_undefined_is_complained_of(name: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.c"
    path.write_text(WRONG)
    kernels = parse_file(path).kernels
    (kernel,) = (k for k in kernels if k.name == name)
    made = arguments(kernel, 16, 1, "most")
    origin = made.origins["d"]
    fence = {"d": (origin, origin + int(made.scalars["n"]))}
    found = complaints(
        original_library(path, kernels, (), SANITIZED),
        [as_call(f"lift_test_{name}", made, fence)],
        tmp_path,
    )
    assert bool(found) == bool(complaint)
    assert re.search(complaint, "\n".join(found)), found
