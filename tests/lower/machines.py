"""Machines that tests lower programs for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Machine:
    """One that has nothing but vectors, where nothing else is said."""

    natural_vector_bits: int = 128
    permutes_bytes: bool = False
    sums_bytes: bool = False
    masks_lanes: bool = False
    has_device: bool = False
    emulates_device: bool = False


PLAIN = Machine()
WIDE = Machine(512, permutes_bytes=True, masks_lanes=True)
