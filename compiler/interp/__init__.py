"""The slow, obviously right meaning of whole pipelines: the oracle of differential tests."""

from .interpreter import OutOfBounds, interpret
from .table import Effort, TooMuch

__all__ = [
    "Effort",
    "OutOfBounds",
    "TooMuch",
    "interpret",
]
