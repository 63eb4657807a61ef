"""Plants the bugs one after the other: `python -m tests.planted [WORDS OF A NAME]`."""

from __future__ import annotations

import sys

from .plants import PLANTS
from .run import is_found

missed = 0
for plant in PLANTS:
    if " ".join(sys.argv[1:]) in plant.name:
        found = is_found(plant)
        missed += not found
        print("found " if found else "MISSED", plant.name, flush=True)
sys.exit(1 if missed else 0)
