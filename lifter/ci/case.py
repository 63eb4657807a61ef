"""`ReportedCase`: one function's line in any report that a CI system reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..model.diagnostic import Span
from ..model.record import Record

Outcome = Literal["pass", "fail", "undecided", "skip"]

_OUTCOMES: dict[str, Outcome] = {
    "proved": "pass",
    "unproved": "undecided",
    "failed": "fail",
    "skipped": "skip",
}


@dataclass(frozen=True, slots=True)
class ReportedCase:
    """What a run says of one function; the same for `lift PATH...` and `lift verify`.

    `verdict` is the run's own word for it (proved, equal, gone, ...), `outcome` what a CI system
    makes of it. A case that fails or is undecided has a `code` of the closed list: `ValueError`
    otherwise. `message` is one line, `detail` may have many; neither has terminal colours.
    """

    name: str
    file: str
    """As the run named it: relative to the working directory, or absolute."""
    line: int
    """Where the function begins."""
    verdict: str
    outcome: Outcome
    end: int | None = None
    """The function's last line, where it is known."""
    code: str | None = None
    message: str = ""
    detail: str = ""
    """Notes, a counterexample, what to do about it; the message isn't repeated."""
    picture: str = ""
    """A counterexample as shades of text, in lines."""
    seconds: float = 0.0
    place: Span | None = None
    """What the message is about, where that is not the whole function."""

    def __post_init__(self) -> None:
        if self.outcome in ("fail", "undecided") and not self.code:
            raise ValueError(f"{self.name} is {self.verdict}, but no code says why")


def picture_of(counterexample: dict[str, Any] | None) -> str:
    """A counterexample's data as pictures of text; empty where there are none."""
    from ..model.counterexample import CounterexampleTables
    from ..show.pictures import pictures_of, shades

    if counterexample is None:
        return ""
    try:
        found = pictures_of(CounterexampleTables.from_json(counterexample))
    except (KeyError, TypeError, ValueError, AttributeError):
        return ""
    return "\n".join(line for picture in found for line in shades(picture))


def case_of(record: Record) -> ReportedCase:
    """The case of a function that `lift PATH...` is done with."""
    diagnostic = record.diagnostic
    detail = list(diagnostic.notes) if diagnostic else []
    if record.counterexample and record.counterexample not in detail:
        detail.append(record.counterexample)
    if diagnostic and diagnostic.help:
        detail.append(f"help: {diagnostic.help}")
    return ReportedCase(
        name=record.name,
        file=record.file,
        line=record.line,
        end=record.line + record.source.count("\n") if record.source else None,
        verdict=record.status,
        outcome=_OUTCOMES[record.status],
        code=diagnostic.code if diagnostic else None,
        message=diagnostic.message if diagnostic else "",
        detail="\n".join(detail),
        picture=picture_of(record.counterexample_data),
        seconds=record.seconds.get("total", 0.0),
        place=diagnostic.span if diagnostic else None,
    )
