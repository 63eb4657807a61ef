"""Texts of messages in which each `{}` is the place of a value."""

from __future__ import annotations

_BRACES = "\ue000"
"""Stands for `{}` that is no value's place: a character of no script, which no text has."""


def literal(text: str) -> str:
    """`text` as a part of a message in which its `{}` mean themselves."""
    return text.replace("{}", _BRACES)


def pieces_of(message: str) -> list[str]:
    """What stands before, between and after the values of `message`."""
    return [piece.replace(_BRACES, "{}") for piece in message.split("{}")]
