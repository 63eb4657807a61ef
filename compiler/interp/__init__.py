"""The slow, obviously right meaning of whole pipelines: the oracle of differential tests."""

from .interpreter import interpret

__all__ = [
    "interpret",
]
