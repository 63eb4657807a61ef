"""The compiler's own functions: what they mean stands as C++ in `include/lift/builtins.h`, but for
those that are about how code is compiled, which say nothing of values.
"""

from __future__ import annotations

from functools import cache

from .bindings import Nothing, Result
from .dispatch import do, pointer_of, value_of
from .older_headers import HEADERS
from .program import FunctionDefinition, arguments_of
from .syntax import Node
from .translation import Translation
from .translation_unit import read_source

PREFIX = "__builtin_"


@cache
def builtin(name: str) -> FunctionDefinition | None:
    """The body of a function of the compiler's, by its whole name."""
    return _bodies().get(name.removeprefix(PREFIX))


@cache
def _bodies() -> dict[str, FunctionDefinition]:
    declared = read_source(HEADERS / "lift" / "builtins.h").parsed.own
    functions = (c for c in declared if c.kind.name == "FUNCTION_DECL")
    return {str(c.spelling): FunctionDefinition(c, False) for c in functions}


def hint(t: Translation, node: Node, name: str) -> Result | None:
    """What a call gives that only tells the compiler something; None for any other."""
    arguments = arguments_of(node)
    if name in ("__builtin_expect", "__builtin_expect_with_probability"):
        return value_of(t, arguments[0])
    if name == "__builtin_assume_aligned":
        return pointer_of(t, arguments[0])
    if name == "__builtin_prefetch":
        for argument in arguments:
            do(t, argument)
        return Nothing()
    return Nothing() if name == "__builtin_unreachable" else None
