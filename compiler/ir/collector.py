"""Python's collector of cycles: it has nothing to do while expressions and statements are made."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")


def without_collector(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """`function`, while which runs nobody looks for cycles that nothing leads to.

    Immutable nodes make none, and looking through hundreds of thousands of them, again each time
    that there are a quarter more, takes a tenth of the time in which a large pipeline is lowered.
    """

    @wraps(function)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        if not gc.isenabled():
            return function(*args, **kwargs)
        gc.disable()
        try:
            return function(*args, **kwargs)
        finally:
            gc.enable()

    return run


__all__ = ["without_collector"]
