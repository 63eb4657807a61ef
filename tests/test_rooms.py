"""Who imports whom: no circles, and each room loads only the tools that are its own.

A room is a folder of `lifter` or `compiler`; `lifter/command_line.py` belongs to the commands.
Imports inside of functions count, those for type checkers alone don't.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parents[1]
HEAVY = ("clang", "jinja2", "llvmlite", "networkx", "numpy", "z3")

LOADS = {
    "compiler": {"numpy"},
    "compiler.ir": {"numpy"},
    "compiler.lang": {"numpy"},
    "compiler.lower": {"numpy"},
    "compiler.codegen": {"numpy"},  # llvmlite when something is first compiled
    "compiler.runtime": {"numpy"},
    "compiler.autosched": {"numpy"},
    "compiler.frontend": {"numpy"},
    "compiler.interp": {"numpy"},
    "compiler.visualize": {"numpy"},
    "lifter.model.kernel": {"numpy"},
    "lifter.model.record": set(),
    "lifter.model.diagnostic": set(),
    "lifter.settings.configuration": set(),
    "lifter.settings.flags": set(),
    "lifter.show.terminal": set(),
    "lifter.ci": set(),
    "lifter.command_line": set(),
    "lifter.parse": {"clang", "numpy"},
    "lifter.dag": {"numpy"},
    "lifter.synth": {"numpy"},
    "lifter.verify": {"numpy", "z3"},
    "lifter.emit": {"numpy"},
    "lifter.build.build": {"numpy"},
    "lifter.bench": {"numpy"},
}
"""The heavy packages that come with a room, or with a module where a room has no door."""


@cache
def modules() -> dict[str, Path]:
    found = {}
    for package in ("lifter", "compiler"):
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def room(module: str) -> str:
    if module in ("lifter.command_line", "lifter.__main__"):
        return "lifter.commands"
    return ".".join(module.split(".")[:2])


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Absolute names of the modules that a file imports when it runs.

    What stands under `if TYPE_CHECKING:` is left out.
    """
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    pending: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while pending:
        node = pending.pop()
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                pending += node.orelse
                continue
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom():
                base = package[: len(package) - node.level + 1] if node.level else ()
                module = ".".join([*base, *([node.module] if node.module else [])])
                for alias in node.names:
                    within = f"{module}.{alias.name}"
                    yield within if within in modules() else module
        pending += [n for n in ast.iter_child_nodes(node) if not isinstance(n, ast.expr)]


def tied(graph: nx.DiGraph) -> Iterator[frozenset[str]]:
    return (frozenset(c) for c in nx.strongly_connected_components(graph) if len(c) > 1)


@cache
def graphs() -> tuple[nx.DiGraph, nx.DiGraph]:
    """Of rooms, and of files inside of rooms and across them."""
    rooms: nx.DiGraph = nx.DiGraph()
    files: nx.DiGraph = nx.DiGraph()
    known = modules()
    for module, path in known.items():
        for name in imports(path):
            if name in known and name != module:
                if name not in ("lifter", "compiler"):
                    files.add_edge(module, name)
                if room(name) != room(module):
                    rooms.add_edge(room(module), room(name))
    return rooms, files


def test_rooms_import_one_another_one_way() -> None:
    assert set(tied(graphs()[0])) == set()


def test_few_files_import_one_another() -> None:
    assert [sorted(files) for files in tied(graphs()[1]) if len(files) > 3] == []


def test_a_circle_would_be_found() -> None:
    graph = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")])
    assert list(tied(graph)) == [frozenset("abc")]
    assert "lifter.dag" in set(imports(modules()["lifter.synth.roi"]))


COMPILER = (
    "compiler.lang",
    "compiler.lower",
    "compiler.codegen",
    "compiler.runtime",
    "compiler.autosched",
    "compiler.frontend",
)
"""Rooms above `ir`, in the order in which they may know of one another."""

FORBIDDEN = {
    "compiler": ("lifter", "clang", "z3"),
    "compiler.ir": COMPILER,
    "compiler.lang": COMPILER[1:],
    "compiler.lower": COMPILER[2:],
    "compiler.codegen": ("compiler.lang", "compiler.lower", *COMPILER[3:]),
    "compiler.runtime": ("compiler.lang", "compiler.lower", *COMPILER[4:]),
    "compiler.autosched": ("compiler.frontend",),
    "lifter.model": ("lifter.parse", "lifter.dag", "lifter.lift", "clang", "z3"),
    "lifter.parse": ("lifter.dag", "lifter.synth", "lifter.verify", "lifter.emit", "z3"),
    "lifter.dag": ("lifter.parse", "lifter.synth", "lifter.verify", "lifter.emit", "clang", "z3"),
    "lifter.synth": (
        "lifter.parse",
        "lifter.verify",
        "lifter.emit",
        "compiler.frontend",
        "compiler.lang",
        "clang",
        "z3",
    ),
    "lifter.verify": ("lifter.parse", "lifter.emit", "lifter.lift", "clang"),
    "lifter.emit": ("lifter.parse", "lifter.verify", "lifter.lift", "clang", "z3"),
}


@pytest.mark.parametrize("own", FORBIDDEN)
def test_a_room_does_not_reach_over_its_neighbours(own: str) -> None:
    reached = [
        (module, name)
        for module, path in modules().items()
        if belongs(module, own)
        for name in imports(path)
        if any(belongs(name, f) for f in FORBIDDEN[own])
    ]
    assert reached == []


def belongs(name: str, prefix: str) -> bool:
    return name == prefix or name.startswith(prefix + ".")


def test_each_heavy_tool_is_known_to_one_room() -> None:
    talking: dict[str, set[str]] = {"z3": set(), "clang": set(), "llvmlite": set()}
    for module, path in modules().items():
        for name in imports(path):
            if name.split(".")[0] in talking:
                talking[name.split(".")[0]].add(module)
    # One says whether a tool is there, the other asks for its version.
    looking = {"lifter.commands.doctor_checks", "lifter.build.whole_library"}
    assert {room(m) for m in talking["z3"] - looking} == {"lifter.verify"}
    assert {room(m) for m in talking["clang"] - looking} == {"lifter.parse"}
    assert {room(m) for m in talking["llvmlite"] - looking} == {"compiler.codegen"}


@pytest.mark.sampled(every=12)
@pytest.mark.parametrize("module", LOADS)
def test_a_room_loads_what_is_its_own(module: str) -> None:
    code = f"import sys, {module}; print(*[m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) == LOADS[module]


ACROSS = {"conformance", "end_to_end", "errors", "fuzz", "gpu", "planted", "ptx"}
"""Folders of tests that are of no room alone."""


def test_tests_lie_where_the_rooms_do() -> None:
    rooms = {room(module).rpartition(".")[2] for module in modules()}
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/__init__.py")}
    assert folders - rooms == ACROSS
