"""What putting lifted code back costs: sizes of objects, and the time of `lift cc`.

    python benchmarks/put_back.py                            # all projects of corpus/legacy
    python benchmarks/put_back.py cimage vidkit              # some
    python benchmarks/put_back.py vidkit --work build/sizes  # what was lifted there is taken again

Each file of a project is compiled by its compiler alone, then by `lift cc` (once, to lift it, and
again, when nothing has changed). `size` sums what a program loads (`.text` and its like, `.data`),
which is what a person pays for: symbols and notes aren't in it; `file` is the object as it lies on
the disk. The project's exercise, which prints hashes of all that its functions compute, is linked
with both kinds of objects and has to say the same.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LEGACY = Path(__file__).resolve().parents[1] / "corpus" / "legacy"
AGAIN = 3
"""How often each compilation is timed; the least counts."""


@dataclass
class Sizes:
    """One file's sizes in bytes, and seconds."""

    name: str
    loaded: list[int] = field(default_factory=list)
    """With the compiler alone, with `lift cc`."""
    stored: list[int] = field(default_factory=list)
    alone: float = 0.0
    lifting: float = 0.0
    again: float = 0.0
    put_back: int = 0
    """Functions and regions with lifted code."""


def compiler_of(manifest: dict[str, Any], file: str) -> list[str]:
    """The command of the project's own build for one of its files."""
    is_c = file.endswith(".c")
    standard = manifest["standard"]
    if is_c != (manifest["language"] == "c"):
        standard = "c99" if is_c else manifest.get("cxx_standard", "c++11")
    flags = ["-O2", "-ffp-contract=off", f"-std={standard}", *manifest["flags"]]
    return ["gcc" if is_c else "g++", *flags]


def loaded(object: Path) -> int:
    """The bytes of an object that a program loads."""
    done = subprocess.run(["size", str(object)], capture_output=True, text=True, check=True)
    text, data = done.stdout.splitlines()[1].split()[:2]
    return int(text) + int(data)


def timed(command: list[str], folder: Path) -> tuple[float, str]:
    """Runs a command that has to succeed; its seconds and what it says."""
    began = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - began
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr[-2000:]}")
    return seconds, done.stderr


def measured(project: str, work: Path, more: list[str]) -> list[Sizes]:
    """Compiles a project both ways. Raises `SystemExit` where the two programs differ."""
    folder = LEGACY / project
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    work.mkdir(parents=True, exist_ok=True)
    files: list[Sizes] = []
    objects: dict[str, list[Path]] = {"plain": [], "lifted": []}
    for number, file in enumerate(manifest["files"]):
        found = Sizes(file)
        plain, switched = (work / f"{number}.{kind}.o" for kind in objects)
        alone = [*compiler_of(manifest, file), *more, "-c", file, "-o", str(plain)]
        found.alone = min(timed(alone, folder)[0] for _ in range(AGAIN))
        lift = [sys.executable, "-m", "lifter", "cc", "--watched", *alone[:-1], str(switched)]
        found.lifting, said = timed(lift, folder)
        found.again = min(timed(lift, folder)[0] for _ in range(AGAIN))
        for names in re.findall(r"lifted code for (.*)", said):
            found.put_back += len(names.split(", "))
        print(f"{project}: {said.strip()}", file=sys.stderr)
        found.loaded = [loaded(plain), loaded(switched)]
        found.stored = [plain.stat().st_size, switched.stat().st_size]
        objects["plain"].append(plain)
        objects["lifted"].append(switched)
        files.append(found)
    said_by = [_exercise(manifest, folder, work, made, more) for made in objects.values()]
    if said_by[0] != said_by[1]:
        raise SystemExit(f"{project}: its exercise says something else with lifted code")
    return files


def _exercise(
    manifest: dict[str, Any], folder: Path, work: Path, objects: list[Path], more: list[str]
) -> str:
    """What the project's exercise says with these objects."""
    own = work / "exercise.o"
    source = manifest["exercise"]
    timed([*compiler_of(manifest, source), *more, "-c", source, "-o", str(own)], folder)
    program = work / "exercise"
    linking = [*map(str, objects), str(own), *more, "-o", str(program), "-lm", "-lpthread"]
    timed(["g++", *linking], folder)
    done = subprocess.run([str(program)], cwd=folder, capture_output=True, text=True, check=False)
    return f"{done.returncode} {done.stdout} {done.stderr}"


def line(name: str, files: list[Sizes]) -> str:
    """A line of the table."""
    alone, lifting, again = (
        sum(getattr(f, k) for f in files) for k in ("alone", "lifting", "again")
    )
    sizes = [sum(f.loaded[i] for f in files) / 1000 for i in (0, 1)]
    stored = [sum(f.stored[i] for f in files) / 1000 for i in (0, 1)]
    return (
        f"| {name} | {sum(f.put_back for f in files)} "
        f"| {sizes[0]:.0f} | {sizes[1]:.0f} | {sizes[1] / sizes[0]:.1f}x "
        f"| {stored[0]:.0f} | {stored[1]:.0f} | {stored[1] / stored[0]:.1f}x "
        f"| {alone:.2f} | {lifting:.1f} | {again:.2f} "
        f"| {max(f.again - 2 * f.alone - 0.5 for f in files):+.2f} |"
    )


def main() -> None:
    """Prints a table in Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("projects", nargs="*", metavar="PROJECT")
    parser.add_argument("--work", type=Path, metavar="DIR", help="where objects and results stay")
    parser.add_argument("--each", action="store_true", help="a line for each file, too")
    parser.add_argument("--with", dest="more", action="append", default=[], metavar="OPTION",
                        help="one more of the compiler's options")  # fmt: skip
    arguments = parser.parse_args()
    projects = arguments.projects or sorted(p.parent.name for p in LEGACY.glob("*/manifest.json"))
    print(
        "| | put back | KB loaded | with | | KB stored | with | "
        "| s alone | lifting | again | over |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as temporary:
        for project in projects:
            work = (arguments.work or Path(temporary)).resolve() / project
            files = measured(project, work, arguments.more)
            if arguments.each:
                for one in files:
                    print(line(f"{project}: {one.name}", [one]))
            print(line(project, files), flush=True)


if __name__ == "__main__":
    main()
