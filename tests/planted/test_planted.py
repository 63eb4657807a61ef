"""Bugs that are planted are found: a conversion dropped, an obligation left out, a bound one off.

A quick run sees to it that each still fits the code, and that what finds it is in the quick run;
`python -m tests.planted` plants them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from .copies import COPIES
from .devices import DEVICES
from .find import matching
from .passes import PASSES
from .plants import PLANTS, Plant
from .regions import REGIONS
from .run import ROOT, copied_tree, fits, is_found
from .twins import TWINS
from .vectors import VECTORS

EVERY = (*PLANTS, *PASSES, *REGIONS, *DEVICES, *COPIES, *VECTORS, *TWINS)


@pytest.mark.parametrize("plant", EVERY, ids=lambda plant: plant.name)
def test_a_plant_fits_the_code(plant: Plant) -> None:
    assert fits(plant) and plant.planted != plant.text
    assert bool(plant.cases) != bool(plant.test)


def test_what_finds_each_is_in_the_quick_run(request: pytest.FixtureRequest) -> None:
    """Of whole files that this run has collected, by the names of tests; of others, by the text."""
    config = request.config
    is_whole = not config.option.keyword and not any("::" in given for given in config.args)
    collected = {item.nodeid for item in request.session.items} if is_whole else set()
    files = {name.split("::")[0] for name in collected}
    for plant in EVERY:
        file, _, test = plant.test.partition("::")
        if test and file in files:
            assert plant.test in collected, plant.name
        elif test:
            assert test.partition("[")[0] in defined(ROOT / file), plant.name
        else:
            assert not file or (ROOT / file).exists(), plant.name


def defined(file: Path) -> set[str]:
    """The names of a file's functions."""
    return {
        node.name
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    }


def test_there_are_plants_for_every_pass() -> None:
    assert len({plant.name for plant in EVERY}) == len(EVERY) >= 100
    rooms = {"/".join(plant.file.split("/")[:2]) for plant in EVERY}
    wanted = "parse dag synth verify emit batch checking report ci show"
    assert rooms >= {f"lifter/{room}" for room in wanted.split()}
    assert rooms >= {f"compiler/{room}" for room in ["ir", "lower", "codegen", "autosched"]}


@pytest.mark.slow
def test_there_are_kernels_for_each() -> None:
    assert all(matching(plant.cases) for plant in PLANTS[:1])


@pytest.fixture(scope="module")
def tree() -> Iterator[Path]:
    with copied_tree() as made:
        yield made


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("plant", EVERY, ids=lambda plant: plant.name)
def test_a_planted_bug_is_found(plant: Plant, tree: Path) -> None:
    assert is_found(plant, tree)
