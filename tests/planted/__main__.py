"""Plants the bugs one after the other: `python -m tests.planted [WORDS OF A NAME]`."""

from __future__ import annotations

import sys
import time

from .copies import COPIES
from .devices import DEVICES
from .passes import PASSES
from .plants import PLANTS
from .regions import REGIONS
from .run import copied_tree, is_found
from .twins import TWINS
from .vectors import VECTORS

words = " ".join(sys.argv[1:])
chosen = [
    plant
    for plant in (*PLANTS, *PASSES, *REGIONS, *DEVICES, *COPIES, *VECTORS, *TWINS)
    if words in plant.name
]
missed, began = 0, time.monotonic()
with copied_tree() as tree:
    for plant in chosen:
        start = time.monotonic()
        found = is_found(plant, tree)
        missed += not found
        seconds = time.monotonic() - start
        print(f"{'found ' if found else 'MISSED'} {seconds:5.1f} s  {plant.name}", flush=True)
minutes = (time.monotonic() - began) / 60
print(f"{len(chosen) - missed} of {len(chosen)} found in {minutes:.1f} minutes")
sys.exit(1 if missed else 0)
