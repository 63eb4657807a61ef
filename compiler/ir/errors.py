"""Mistakes of the user's program, each with the place in that program."""

from __future__ import annotations

import os
import sys

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class HalideError(Exception):
    """A mistake in the user's program; `location` is its `file:line`, None where unknown."""

    def __init__(self, message: str, location: str | None = None) -> None:
        self.location = location if location is not None else user_location()
        super().__init__(f"{self.location}: {message}" if self.location else message)


def user_location() -> str | None:
    """`file:line` of the innermost frame outside this package; None when there is none."""
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not os.path.abspath(file).startswith(_PACKAGE + os.sep) and not file.startswith(
            "<frozen"
        ):
            return f"{file}:{frame.f_lineno}"
        frame = frame.f_back  # type: ignore[assignment]
    return None
