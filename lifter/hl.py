"""The language, for the programs that `lift` writes: `from lifter import hl`.

It is our compiler, wherever that is found, or the package that LIFT_HL names: with LIFT_HL=halide
the same programs run under the real one.
"""

from __future__ import annotations

import importlib
import os
import sys

OWN = "compiler"

sys.modules[__name__] = importlib.import_module(os.environ.get("LIFT_HL") or OWN)
