"""Directives of the real package that this compiler refuses by name."""

from __future__ import annotations

from typing import Any

from .errors import fail

_WORDS = {
    "async_": "asynchronous stages",
    "define_extern": "stages that are defined by external code",
    "hexagon": "code generator for Hexagon",
    "memoize": "cache of results across calls",
    "ring_buffer": "rings of asynchronous stages",
}
STAGE = ("hexagon",)
FUNC = (*STAGE, "async_", "define_extern", "memoize", "ring_buffer")


def refuse(name: str) -> Any:
    """A method that raises `HalideError` for the directive `name`."""

    def refused(self: Any, *arguments: Any, **named: Any) -> Any:
        fail(f"{name} is not supported by this compiler: it has no {_WORDS[name]}.")

    refused.__name__ = name
    refused.__doc__ = f"Raises `HalideError`: {name} is not supported."
    return refused
