"""The front end: C++ source to typed kernels (DESIGN section 3)."""

from .assumption import parse_assumption
from .codes import CODES, CodeEntry
from .kernel import (
    Allocate,
    Array,
    Assign,
    Assume,
    Break,
    Declare,
    If,
    Kernel,
    Loop,
    Param,
    ParamKind,
    ParsedFile,
    PureFunction,
    Return,
    Skipped,
    Stmt,
    Store,
    statements,
)
from .kernel_text import body_to_text, kernel_to_text
from .parse_file import parse_file
from .target import knows_flag

__all__ = [
    "Allocate", "Array", "Assign", "Assume", "Break", "CODES", "CodeEntry", "Declare", "If",
    "Kernel", "Loop", "Param", "ParamKind", "ParsedFile", "PureFunction", "Return", "Skipped",
    "Stmt", "Store", "body_to_text", "kernel_to_text", "knows_flag", "parse_assumption",
    "parse_file", "statements",
]  # fmt: skip
