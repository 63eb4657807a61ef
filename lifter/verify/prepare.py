"""What every proof begins with, done once before processes are forked that prove."""

from __future__ import annotations

import numpy.random  # noqa: F401  loaded at its first use otherwise
import z3


def prepare() -> None:
    """Makes the solver's context, which takes a process longer than a short proof.

    It starts no thread, so children have it as if they had made it themselves.
    """
    z3.main_ctx()
