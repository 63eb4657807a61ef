"""`lift init`: finds how a project is built, and writes what it needs to be lifted and verified."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from ..batch.sources import SUFFIXES
from ..show.json_report import DISTRIBUTION, own_version

_DATABASE = "compile_commands.json"
_SOURCES = ("src", "source", "sources", "lib", "libs", "kernels")
_HEADERS = ("include", "inc", "includes", "headers")
_BUILDS = ("build*", "out*", "cmake-build-*", "_build", "builddir", ".")
_IGNORED = (
    ".lift-cache/",
    ".lift-build/",
    "*.o",
    "*.a",
    "*.so",
    "*.h",
    "report.html",
    "bench.json",
)
_PLACEHOLDER = "OWNER/lift@v1"
_LOOKED_AT = 5000


@dataclass(frozen=True, slots=True)
class Project:
    """What was found of a project; paths are relative to its root."""

    root: Path
    database: str | None
    """The folder of its compile_commands.json."""
    paths: tuple[str, ...]
    includes: tuple[str, ...]
    build: str | None
    """The file that says how it is built, where nothing has written compile commands yet."""
    on_github: bool


@dataclass(frozen=True, slots=True)
class Written:
    """One file of `lift init`: `done` says what became of it."""

    path: Path
    done: str


def look_at(root: Path) -> Project:
    """Finds the build, the sources and the headers of the project in the folder `root`."""
    found = [f for pattern in _BUILDS for f in sorted(root.glob(f"{pattern}/{_DATABASE}"))]
    if (root / _DATABASE).is_file():
        found.insert(0, root / _DATABASE)
    database = next((f.parent for f in found if _has_commands(f)), None)
    builds = ("CMakeLists.txt", "meson.build", "Makefile", "makefile", "configure")
    build = next((name for name in builds if (root / name).is_file()), None)
    paths = tuple(name for name in _SOURCES if _has_sources(root / name))
    includes = tuple(name for name in _HEADERS if (root / name).is_dir())
    if not paths and _has_sources(root):
        paths = (".",)
    shown = None if database is None else os.path.relpath(database, root)
    return Project(root, shown, paths, includes, build, _is_on_github(root))


def set_up(project: Project, out: str = "lifted") -> list[Written]:
    """Writes what isn't there yet, and changes nothing that is. Raises `OSError`."""
    files = {
        "lift.toml": _settings(project, out),
        f"{out}/.gitignore": "\n".join(
            ["# Made again from what is committed here.", *_IGNORED, ""]
        ),
    }
    if project.on_github:
        files[".github/workflows/lift.yml"] = _workflow(out)
    written = []
    for name, text in files.items():
        path = project.root / name
        if path.exists():
            written.append(Written(path, "is there already, and stays as it is"))
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        written.append(Written(path, "written"))
    return written


def next_steps(project: Project) -> list[str]:
    """What is left for a person to do, in order."""
    steps = []
    if project.database is None:
        make = {
            "CMakeLists.txt": "cmake -S . -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
            "meson.build": "meson setup build",
            "Makefile": "bear -- make",
            "makefile": "bear -- make",
            "configure": "./configure && bear -- make",
        }.get(project.build or "")
        if make is not None:
            steps.append(
                f'{make}    # then database = "build" in lift.toml: the flags of the build'
            )
    if not project.paths and project.database is None:
        steps.append('name your sources in lift.toml: paths = ["..."]')
    steps += ["lift", "git add lift.toml lifted"]
    if project.on_github:
        steps[-1] += " .github/workflows/lift.yml"
        if action() == _PLACEHOLDER:
            steps.append(f"in the workflow, say where you have lift from, not {_PLACEHOLDER}")
    else:
        steps.append("lift verify --all    # in CI; docs/ci.md has GitLab and others")
    return steps


def action() -> str:
    """The action that this `lift` was installed from, where pip says, pinned to its commit."""
    try:
        told = distribution(DISTRIBUTION).read_text("direct_url.json")
        origin = json.loads(told or "{}")
    except (PackageNotFoundError, ValueError):
        return _PLACEHOLDER
    url, commit = str(origin.get("url")), origin.get("vcs_info", {}).get("commit_id")
    found = re.search(r"github\.com[/:]([\w.-]+/[\w.-]+?)(\.git)?/?$", url)
    return f"{found[1]}@{commit}" if found and commit else _PLACEHOLDER


def _settings(project: Project, out: str) -> str:
    lines = [
        f"# Written by `lift init` of lift {own_version()}. Every option of every command can",
        "# stand here under its long name; `lift --show-config` tells what is in force.",
    ]
    if project.database is not None:
        lines.append(f"database = {_toml(project.database)}    # -p: each file with its own flags")
    if project.paths and not (project.database is not None and project.paths == (".",)):
        lines.append(f"paths = {_toml(project.paths)}")
    if project.includes and project.database is None:
        lines.append(f"includes = {_toml(project.includes)}")
    lines += [f"out = {_toml(out)}", "", "[verify]", f"directory = {_toml(out)}"]
    return "\n".join([*lines, ""])


def _workflow(out: str) -> str:
    return f"""\
# Written by `lift init`: on every push, {out}/ still equals the C++ that it came from.
name: lift
on: [push, pull_request]
permissions:
  contents: read
jobs:
  verify:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@34e114876b0b11c390a56381ad16ebd13914f8d5  # v4.3.1
      - uses: {action()}
        with:
          command: verify
          paths: {json.dumps(out)}
"""


def _toml(value: str | Sequence[str]) -> str:
    """JSON's texts and lists are TOML's."""
    return json.dumps(value if isinstance(value, str) else list(value), ensure_ascii=False)


def _has_commands(file: Path) -> bool:
    try:
        data = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(data, list) and len(data) > 0


def _has_sources(folder: Path) -> bool:
    left = _LOOKED_AT
    for _, inner, names in os.walk(folder):
        inner[:] = [
            n for n in inner if not n.startswith(".") and n not in ("node_modules", "lifted")
        ]
        left -= len(names) + 1
        if any(Path(name).suffix in SUFFIXES for name in names):
            return True
        if left < 0:
            break
    return False


def _is_on_github(root: Path) -> bool:
    if (root / ".github").is_dir():
        return True
    try:
        return "github.com" in (root / ".git" / "config").read_text("utf-8", "replace")
    except OSError:
        return False
