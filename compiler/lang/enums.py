"""Enumerations of the real package that programs pass around."""

from __future__ import annotations

import enum


class MemoryType(enum.Enum):
    """Which memory holds a stage."""

    Auto = 0
    Heap = 1
    Stack = 2
    Register = 3
    GPUShared = 4
    GPUTexture = 5
    LockedCache = 6
    VTCM = 7
