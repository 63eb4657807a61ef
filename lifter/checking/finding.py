"""What `lift verify` finds out about one function."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

VerdictName = Literal["equal", "changed", "not-equal", "undecided", "gone", "new", "unreadable"]
"""`changed` is *changed but still equal*; `unreadable` is bad input: the exit status is 2."""
Reason = Literal["source", "tool", "edited", "asked"]
"""Why a summary was proved again: the source means something else by now, another `lift` sealed it,
its files were edited by hand, or `--all` and `--recheck` wish so."""

EXPLAINED: dict[str, str] = {
    "equal": "equal",
    "changed": "changed but still equal",
    "not-equal": "not equal",
    "undecided": "undecided",
    "gone": "gone",
    "new": "new",
    "unreadable": "unreadable",
}


@dataclass(frozen=True, slots=True)
class Recheck:
    """What replaying a function's stored obligations gave."""

    solver: str
    replayed: int
    """Obligations that the solver found unsatisfiable, so proved."""
    structural: int
    """Obligations that need no solver: equal normal forms."""
    enumerated: int
    """Obligations that were decided by trying all states, or part by part: done again by `lift`."""
    unanswered: tuple[str, ...] = ()
    """Certificates on which the solver gave up in its time."""
    wrong: tuple[str, ...] = ()
    """What is wrong with certificates, a line each."""

    def to_json(self) -> dict[str, Any]:
        return {
            "solver": self.solver,
            "replayed": self.replayed,
            "structural": self.structural,
            "enumerated": self.enumerated,
            "unanswered": list(self.unanswered),
            "wrong": list(self.wrong),
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """One function's verdict; `message` is one line and empty where there is nothing to say."""

    name: str
    file: str
    line: int
    verdict: VerdictName
    message: str = ""
    notes: tuple[str, ...] = ()
    end: int | None = None
    folder: Path | None = None
    reason: Reason | None = None
    """Why it was proved again; None where it wasn't."""
    counterexample: dict[str, Any] | None = None
    """`lifter.model.counterexample.Counterexample.to_json()`."""
    seconds: float = 0.0
    recheck: Recheck | None = field(default=None)

    def to_json(self) -> dict[str, Any]:
        """As in the document of `lift verify --format json`."""
        return {
            "name": self.name,
            "file": self.file,
            "line": self.line,
            "verdict": self.verdict,
            "message": self.message or None,
            "notes": list(self.notes),
            "proved_again": self.reason,
            "counterexample": self.counterexample,
            "recheck": None if self.recheck is None else self.recheck.to_json(),
            "folder": None if self.folder is None else str(self.folder),
            "seconds": round(self.seconds, 4),
        }
