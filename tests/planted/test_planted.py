"""Bugs that are planted in the front end are found: drop a conversion, lose a store, copy instead
of alias. A quick run sees to it that each still fits the code, and that what finds it passes now.
"""

from __future__ import annotations

import pytest

from .find import matching
from .plants import PLANTS, Plant
from .run import fits, is_found


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.name)
def test_a_plant_fits_the_code(plant: Plant) -> None:
    assert fits(plant) and plant.planted != plant.text
    assert bool(plant.cases) != bool(plant.test)


def test_there_are_kernels_for_each() -> None:
    names = len({plant.name for plant in PLANTS})
    assert names == len(PLANTS) >= 30
    assert all(matching(plant.cases) for plant in PLANTS[:3])


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.name)
def test_a_planted_bug_is_found(plant: Plant) -> None:
    assert is_found(plant)
