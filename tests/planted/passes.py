"""Bugs in every pass but the front end's: which text becomes what, and the test that fails."""

from __future__ import annotations

from .plants import Plant

PASSES: tuple[Plant, ...] = ()
