"""The ground floor: types, expressions, statements, and their exact meaning."""

from .evaluate import dtype_of, evaluate
from .intrinsics import INTRINSICS, intrinsic
from .nodes import *  # noqa: F403  the whole expression language
from .printer import to_text
from .simplify import simplify
from .types import *  # noqa: F403  the whole type language

__all__ = [  # noqa: PLE0604
    *(name for name in dir() if name[0].isupper()),
    "const", "dtype_of", "evaluate", "intrinsic", "postorder", "simplify", "substitute", "to_text", "transform",
    "INTRINSICS",
]  # fmt: skip
