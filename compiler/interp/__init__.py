"""The slow, obviously right meaning of whole pipelines: the oracle of differential tests."""

from .interpreter import interpret
from .table import Effort, TooMuch

__all__ = [
    "Effort",
    "TooMuch",
    "interpret",
]
