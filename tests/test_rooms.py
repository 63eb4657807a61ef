"""Rooms know only the rooms below them, and the tools that are theirs (DESIGN section 1)."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("parse", "dag", "synth", "verify", "emit")


def imports(path):
    """Absolute names of the modules that a file imports anywhere."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            yield ".".join([*base, *(node.module or "").split(".")]).strip(".")


def of(folder):
    """(file, module) for every import in a folder."""
    return [
        (str(path.relative_to(ROOT)), name)
        for path in sorted((ROOT / folder).rglob("*.py"))
        for name in imports(path)
    ]


def belongs(name, prefix):
    return name == prefix or name.startswith(prefix + ".")


FORBIDDEN = {
    "compiler": ("lifter", "clang", "z3"),
    "lifter/parse": ("z3", "lifter.dag", "lifter.synth", "lifter.verify", "lifter.emit"),
    "lifter/dag": ("z3", "clang", "lifter.synth", "lifter.verify", "lifter.emit"),
    "lifter/synth": ("z3", "clang", "lifter.verify", "lifter.emit", "compiler.lang"),
    "lifter/verify": ("clang", "lifter.emit", "lifter.lift_stage", "lifter.lift_function"),
    "lifter/emit": ("z3", "clang", "lifter.lift_stage", "lifter.lift_function"),
}


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_a_room_does_not_reach_over_its_neighbours(folder):
    found = of(folder)
    assert found
    reached = [(path, name) for path, name in found for f in FORBIDDEN[folder] if belongs(name, f)]
    assert reached == []


def test_only_the_verifier_talks_to_the_solver():
    talking = {path for path, name in of("lifter") if belongs(name, "z3")}
    assert {Path(p).parts[1] for p in talking} <= {"verify", "doctor.py"}
    assert "lifter/verify/encode.py" in talking


def loaded_by(module):
    """Heavy packages in a fresh process that imports `module`."""
    heavy = "z3", "clang", "llvmlite", "numpy", "networkx"
    code = f"import sys, {module}; print(*[m for m in {heavy} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_emission_does_not_load_the_solver_and_the_command_line_loads_nothing_heavy():
    assert "z3" not in loaded_by("lifter.emit")
    assert loaded_by("lifter.command_line") == set()
    assert "z3" in loaded_by("lifter.verify")  # or the two above would say nothing
