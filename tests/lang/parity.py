"""One text evaluated under the real Halide package and under ours: the same value or mistake."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import halide
import numpy as np

import compiler

Names = Callable[[Any], dict[str, Any]]
"""The names that a text may use, made of one of the packages."""


def outcome(hl: Any, text: str, names: Names) -> Any:
    """What `text` gives, in a form that can be compared: the type of an expression or of a
    mistake, the text of a number, a type or a list of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return shown(hl, eval(text, {"hl": hl, "np": np, **names(hl)}))
        except Exception as mistake:
            return f"refused: {type(mistake).__name__}"


def shown(hl: Any, value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [shown(hl, v) for v in value]
    if isinstance(value, hl.Expr):
        return f"Expr of {value.type()}" if value.defined() else "undefined Expr"
    if isinstance(value, (bool, int, float, str, np.generic, type(None))):
        return repr(value)
    if isinstance(value, hl.Type):
        return str(value)
    return type(value).__name__


def assert_alike(text: str, names: Names) -> None:
    assert outcome(compiler, text, names) == outcome(halide, text, names), text


def cases(texts: str) -> list[str]:
    return [t.strip() for t in texts.replace("\n", ";").split(";") if t.strip()]
