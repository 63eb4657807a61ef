"""The front end: C++ source to typed kernels (docs/design.md, "Kernel IR")."""

from . import forms
from .assumption import parse_assumption
from .kernel_text import body_to_text, kernel_to_text
from .parse_file import parse_file
from .target import knows_flag

__all__ = [ "body_to_text", "kernel_to_text", "knows_flag", "parse_assumption",
    "parse_file",
]  # fmt: skip
