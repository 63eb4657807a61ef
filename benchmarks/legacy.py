"""What share of the loops in `corpus/legacy/` is proved: twelve projects as strangers write them.

    python benchmarks/legacy.py                   # all projects
    python benchmarks/legacy.py cimage rasterpp   # some
    python benchmarks/legacy.py --json out.json   # with a line for each function

Each project's `manifest.json`, written by its author, says which functions compute pixels, in how
many loop nests, and what stands around them; loops that carry a value from one iteration to the
next are counted apart. Options of the projects' own build are used; `lift` runs once a project. Of
C++, the program that runs every function of a project is read, too: it says for which types there
are instances of the templates in headers.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LEGACY = Path(__file__).resolve().parents[1] / "corpus" / "legacy"


@dataclass
class Share:
    """Loops that compute pixels, and how many of them are proved; carried ones apart."""

    loops: int = 0
    proved: float = 0.0
    carried: int = 0
    carried_proved: float = 0.0

    def add(self, other: Share) -> None:
        """Counts what another one has."""
        self.loops += other.loops
        self.proved += other.proved
        self.carried += other.carried
        self.carried_proved += other.carried_proved


@dataclass
class Project:
    """One project's results."""

    name: str
    share: Share = field(default_factory=Share)
    functions: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0
    each: list[float] = field(default_factory=list)
    """Seconds of each function or loop that was tried."""


def lifted(folder: Path, manifest: dict[str, Any], out: Path, more: list[str]) -> dict[str, Any]:
    """The report of one run of `lift` over a project's sources."""
    users = [manifest["exercise"]] if manifest["language"] == "c++" else []
    command = [sys.executable, "-m", "lifter", *manifest["files"], *users, "-o", str(out)]
    command += ["--format", "json", *more, "--"]
    standards = {manifest[key] for key in ("standard", "cxx_standard") if key in manifest}
    command += [*(f"-std={name}" for name in sorted(standards)), *manifest["flags"]]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise SystemExit(f"{folder.name}: lift says {done.stderr[-2000:]}") from None
    return found


def measured(folder: Path, more: list[str]) -> Project:
    """Lifts a project and compares with its manifest."""
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    project = Project(folder.name)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as out:
        report = lifted(folder, manifest, Path(out), more)
    project.seconds = time.perf_counter() - began
    for entry in report["functions"]:
        if entry["status"] != "skipped" and not entry.get("regions"):
            project.each.append(entry["seconds"]["total"])
    for function in manifest["functions"]:
        if not function["computes_pixels"]:
            continue
        found = _entries(report["functions"], function)
        share = _proved_share(found)
        own = Share()
        if function["carried"]:
            own.carried, own.carried_proved = function["loops"], share * function["loops"]
        else:
            own.loops, own.proved = function["loops"], share * function["loops"]
        project.share.add(own)
        project.functions.append({**function, "share": share, "why": _obstacles(found)})
    return project


def _entries(entries: list[dict[str, Any]], function: dict[str, Any]) -> list[dict[str, Any]]:
    """A function's own entry, those of its instances, and those of their regions: by its place, or
    by its name in its file where a macro makes it."""

    def own(entry: dict[str, Any]) -> str:
        return str(entry["name"].partition("#")[0])

    here = [e for e in entries if e["file"].endswith(function["file"].rpartition("/")[2])]
    for line in (function["line"], function["line"] - 1):  # `template <...>` stands above
        names = {own(e) for e in here if e["line"] == line and "#" not in e["name"]}
        if names:
            return [e for e in here if own(e) in names]
    *scopes, plain = function["name"].replace("<", " ").split(" ")[0].split("::")
    wanted = {plain, "_".join([*scopes[-1:], plain])}
    exact = [e for e in here or entries if own(e) in wanted]
    return exact or [e for e in here if any(own(e).startswith(f"{w}_") for w in wanted)]


def _proved_share(entries: list[dict[str, Any]]) -> float:
    """Of the loops of a function; helpers that a proof of their callers holds count as proved."""
    if not entries:
        return 0.0
    shares = []
    for entry in (e for e in entries if "#" not in e["name"]):
        parts = [e for e in entries if e["name"] in entry.get("regions", ())]
        if parts:
            shares.append(sum(p["status"] == "proved" for p in parts) / len(parts))
        else:
            held = entry["status"] == "skipped" and "helper" in (entry["message"] or "")
            shares.append(float(entry["status"] == "proved" or held))
    return sum(shares) / len(shares) if shares else 0.0


def _obstacles(entries: list[dict[str, Any]]) -> list[str]:
    return [
        f"{e['name']}: {e['message']} [{e['code']}]"
        for e in entries
        if e["status"] != "proved" and not e.get("regions")
    ]


def _percent(part: float, whole: int) -> str:
    return f"{part:6.1f} of {whole:4} = {100 * part / whole:5.1f} %" if whole else "none"


def main() -> None:
    """Prints a table by project and one by what stands around."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("projects", nargs="*")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--verbose", action="store_true", help="list what isn't proved, with why")
    parser.add_argument("--lift", nargs="*", default=[], help="more options for lift")
    arguments = parser.parse_args()
    folders = sorted(p.parent for p in LEGACY.glob("*/manifest.json"))
    folders = [f for f in folders if not arguments.projects or f.name in arguments.projects]
    total, around, counted = Share(), Counter[str](), Counter[str]()
    found = []
    print(f"{'project':12} {'loops proved':28} {'carried':28} seconds")
    for folder in folders:
        project = measured(folder, arguments.lift)
        found.append(project)
        total.add(project.share)
        one = project.share
        print(
            f"{folder.name:12} {_percent(one.proved, one.loops):28} "
            f"{_percent(one.carried_proved, one.carried):28} {project.seconds:6.1f}",
            flush=True,
        )
        for function in project.functions:
            for word in function["around"]:
                counted[word] += 1
                around[word] += function["share"]
            if arguments.verbose and function["share"] < 1:
                print(f"    {function['name']}{' (carried)' if function['carried'] else ''}")
                for why in function["why"]:
                    print(f"        {why}")
    print(
        f"{'all':12} {_percent(total.proved, total.loops):28} "
        f"{_percent(total.carried_proved, total.carried):28}"
    )
    each = sorted(seconds for project in found for seconds in project.each)
    if each:
        mean, most = sum(each) / len(each), each[-1]
        middle, late = each[len(each) // 2], each[len(each) * 95 // 100]
        print(
            f"{len(each)} functions and loops tried: median {middle:.2f} s, mean {mean:.2f} s, "
            f"95 % within {late:.1f} s, longest {most:.1f} s"
        )
    print("\nby what stands around a function:")
    for word, count in counted.most_common(40):
        print(f"  {word:28} {_percent(around[word], count)}")
    if arguments.json:
        arguments.json.write_text(
            json.dumps({p.name: p.functions for p in found}, indent=1), "utf-8"
        )


if __name__ == "__main__":
    main()
