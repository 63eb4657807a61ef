"""`--assume`: each must be readable, and about the parameters of some function of the run."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..model.diagnostic import Diagnostic

_NAME = re.compile(r"\b([A-Za-z_]\w*)(\s*\.\s*size\b)?")


def check_assumptions(texts: Sequence[str]) -> None:
    """Raises `LiftError` (`bad-assumption`) for a text that is no condition at all.

    Whatever names stand in it count as parameters here: which there are, each function says.
    """
    if not texts:
        return
    from compiler.ir import I32, U8

    from ..model.diagnostic import Span
    from ..model.kernel import Param
    from ..parse.assumption import parse_assumption

    nowhere = Span("--assume", 1, 1, 1, 1)
    for text in texts:
        params = {
            name: Param(name, "vector", U8, "", False, nowhere)
            if size
            else Param(name, "scalar", I32, "", False, nowhere)
            for name, size in _NAME.findall(text)
        }
        parse_assumption(text, tuple(params.values()), None)


def unused_assumption(text: str) -> Diagnostic:
    """The error for an assumption that fits no function of the run."""
    return Diagnostic(
        "bad-assumption",
        "error",
        f"--assume '{text}': no function of the run has parameters of all these names",
        help="check the spelling: it was assumed of no function",
    )
