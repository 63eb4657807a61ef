"""How the language tells its user of mistakes, at the user's line."""

from __future__ import annotations

import warnings
from typing import NoReturn

from ..ir.errors import HalideError, user_location


class HalideWarning(UserWarning):
    """Something that may be a mistake in the user's program."""


def warn(message: str) -> None:
    """Says something to the user at the user's line that is no mistake for certain."""
    file, _, line = (user_location() or "<unknown>:0").rpartition(":")
    warnings.warn_explicit(message, HalideWarning, file, int(line))


def fail(message: str) -> NoReturn:
    """Raises `HalideError(message)` at the user's line."""
    raise HalideError(message)


__all__ = ["HalideError", "HalideWarning", "fail", "user_location", "warn"]
