"""Runs a piece of a program under the real Halide package and under ours: what comes out?"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import halide
import numpy as np

import compiler

BOTH = (halide, compiler)

Names = Callable[[Any], dict[str, Any]]
"""The names that a text may use besides hl and np, made of one of the packages."""

_NUMBERS = re.compile(r"\$\d+|(?<=\b[a-z])\d+\b")


@dataclass(frozen=True)
class Outcome:
    """The value of the last line in comparable form, or the exception's name and message."""

    value: Any = None
    error: str = ""
    message: str = ""


def names(hl: Any) -> dict[str, Any]:
    """Of most texts: variables, a pipeline f -> g, a stage d that nobody reads, and an update u of
    2 RVars."""
    made: dict[str, Any] = {}
    for name in ["x", "y", "xo", "yo", "xi", "yi", "t"]:
        made[name] = hl.Var(name)
    x, y = made["x"], made["y"]
    d, f, g, u = hl.Func("d"), hl.Func("f"), hl.Func("g"), hl.Func("u")
    d[x, y] = x - y
    f[x, y] = x * 3 + y
    g[x, y] = f[x, y] + f[x + 1, y]
    r = hl.RDom([(0, 10), (0, 10)], "r")
    u[x, y] = x + y
    u[x, r.y] += u[x, r.y] + r.x
    made.update(d=d, f=f, g=g, u=u, r=r, T=hl.TailStrategy)
    return made


def outcome(hl: Any, text: str, names: Names = names) -> Outcome:
    """Executes `text`; its last line, where it is an expression, is the value."""
    known = {"hl": hl, "np": np, **names(hl)}
    *lines, last = text.strip().split("\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec("\n".join(lines), known)
            try:
                code: Any = compile(last, "<text>", "eval")
            except SyntaxError:
                exec(last, known)
                return Outcome()
            return Outcome(plain(eval(code, known)))
        except Exception as error:
            return Outcome(error=type(error).__name__, message=str(error))


def plain(value: Any) -> Any:
    """`value` as something that is equal in both packages: arrays as lists, objects by class."""
    if isinstance(value, (int, float, bool, np.generic, type(None))):
        return repr(value)
    if isinstance(value, str):
        return _NUMBERS.sub("", value)
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    kind = type(value).__name__
    if kind == "Buffer":
        return np.array(value).tolist()
    if kind == "Expr":
        return f"Expr of {value.type()}" if value.defined() else "undefined Expr"
    if kind in ("Var", "RVar"):
        return _NUMBERS.sub("", value.name())
    if kind == "Type":
        return str(value)
    if hasattr(value, "value") and hasattr(value, "name") and not callable(value.value):
        return (kind, value.name, int(value.value))
    return kind


def assert_same(text: str, names: Names = names) -> Outcome:
    """Both packages give the same value, or raise the same kind of exception; ours is returned."""
    theirs, ours = (outcome(hl, text, names) for hl in BOTH)
    if theirs.error or ours.error:
        assert ours.error == theirs.error, f"{text}\nours: {ours}\ntheirs: {theirs}"
        assert ours.message or not theirs.message, f"{text}: {theirs.message}"
    assert ours.value == theirs.value, text
    return ours


def cases(texts: str) -> list[str]:
    """One text for each part between semicolons or ends of lines."""
    return [t.strip() for t in texts.replace("\n", ";").split(";") if t.strip()]
