"""What `lift twin` finds out about one pair of functions."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

VerdictName = Literal["equal", "not-equal", "undecided", "unreadable"]
"""`unreadable` is bad input: no such function, or two that take other parameters."""

EXPLAINED: dict[str, str] = {
    "equal": "equal",
    "not-equal": "not equal",
    "undecided": "undecided",
    "unreadable": "unreadable",
}


@dataclass(frozen=True, slots=True)
class Function:
    """One function of a pair, where it stands."""

    name: str
    file: str
    line: int = 1
    end: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One pair's verdict; `message` is one line and empty where there is nothing to say."""

    first: Function
    second: Function
    verdict: VerdictName
    message: str = ""
    notes: tuple[str, ...] = ()
    preconditions: tuple[str, ...] = ()
    """Under which they are equal, or were compared."""
    counterexample: dict[str, Any] | None = None
    """`lifter.model.counterexample.CounterexampleTables.to_json()`; its original is the first."""
    input: dict[str, Any] | None = None
    """All of it: `scalars` by name, `arrays` with places and what is there before the call (0 where
    nothing is said), `used` with the first and the last place that either function uses."""
    program: str | None = None
    """A test in C that fails as long as they differ."""
    obligations: int = 0
    """Of the proof."""
    within: float = 0
    seconds: float = 0.0
    cached: bool = False

    @property
    def name(self) -> str:
        return f"{self.second.name} ~ {self.first.name}"

    def to_json(self) -> dict[str, Any]:
        """As in the document of `lift twin --format json`."""
        data = asdict(self)
        data["message"] = self.message or None
        data["seconds"] = round(self.seconds, 4)
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Finding:
        """Raises `KeyError` or `TypeError` when `data` isn't from `to_json`."""
        own = dict(data)
        first, second = (Function(**own.pop(n)) for n in ("first", "second"))
        lists = {n: tuple(own.pop(n)) for n in ("notes", "preconditions")}
        return cls(first, second, **{**own, **lists, "message": own["message"] or ""})
