"""Guarded entries call the original wherever the preconditions fail: in one sanitized program."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.end_to_end.built_corpus import built
from tests.end_to_end.lifted_corpus import CORPUS, MODELS

SOURCE = Path(__file__).with_name("guarded.cpp")
KERNELS = (
    ("blend/basic.cpp", "MultiplyBlend8"),
    ("filter/basic.cpp", "Histogram8"),
    ("filter/basic.cpp", "ThresholdKeep"),
    ("filter/basic.cpp", "FlipHorizontal"),
    ("filter/basic.cpp", "brightness_contrast"),
    ("filter/basic.cpp", "planar_to_interleaved"),
    ("filter/basic.cpp", "downsample_2x"),
    ("filter/basic.cpp", "Convert16To8"),
)


def run(folder: Path, change: tuple[str, str] = ("", "")) -> subprocess.CompletedProcess[str]:
    """Runs the program on the corpus's headers, in which a text may be replaced by another."""
    sources = [*(CORPUS / f for f in dict.fromkeys(f for f, _ in KERNELS)), *MODELS]
    includes = [f'#include "{source}"\n' for source in sources]
    archives = []
    for file, name in KERNELS:
        made = built(file, name)
        header = folder / made.header.name
        header.write_text(made.header.read_text().replace(*change))
        includes.append(f'#include "{header}"\n')
        archives.append(str(made.archive))
    (folder / "headers.h").write_text("".join(includes))
    program = str(folder / "guarded")
    command = [
        "g++", "-std=c++17", "-O1", "-w", "-DNDEBUG", "-I", str(folder), str(SOURCE), *archives,
        "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined",
        # Pointers of hostile calls lie outside of what they point into, and not at integers.
        "-fno-sanitize=pointer-overflow,alignment", "-lpthread", "-lm", "-o", program,
    ]  # fmt: skip
    made_ = subprocess.run(command, capture_output=True, text=True, check=False)
    if "cannot find -lasan" in made_.stderr:
        pytest.skip("g++ has no address sanitizer here")
    assert made_.returncode == 0, made_.stderr
    return subprocess.run([program], capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_hostile_calls_end_as_the_original_ends_them(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    counts = re.search(r"(\d+) admitted, (\d+) refused, 0 failures", done.stdout)
    assert counts and int(counts[1]) > 100 and int(counts[2]) > 100, done.stdout


@pytest.mark.slow
def test_a_guard_that_never_finds_an_overlap_is_found(tmp_path: Path) -> None:
    done = run(tmp_path, ("return p_end <= q_low || q_end <= p_low;", "return 1;"))
    assert "guarded differs from the original" in done.stdout


@pytest.mark.slow
def test_an_element_that_only_lifted_code_touches_ends_the_program(tmp_path: Path) -> None:
    """The guard itself reads the element behind the counts, which no call of the original does."""
    reads = "(void)*(volatile const int *)(hist + 256);"
    before = "static inline int Histogram8_admits("
    header = built("filter/basic.cpp", "Histogram8").header.read_text()
    begin = header.index("{", header.index(before)) + 1
    head = header[header.index(before) : begin]
    done = run(tmp_path, (head, f"{head} {reads}"))
    assert done.returncode != 0 and "SEGV" in done.stderr
