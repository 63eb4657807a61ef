"""What the page says of the run as a whole: totals, files, deciders, reasons of failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..model.codes import Code
from ..show.terminal import STATUSES
from ..story import OBLIGATIONS
from .function_view import DECIDERS, STEPS, FunctionView
from .plain_text import anchor
from .speedups import SpeedupPoint, SpeedUps, speed_ups


@dataclass(frozen=True, slots=True)
class BarPart:
    """A part of a bar: from where to where, of 100."""

    kind: str
    """The class that gives it its colour."""
    label: str
    amount: float
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class FileRow:
    """One source file."""

    name: str
    id: str
    statuses: tuple[BarPart, ...]
    functions: tuple[FunctionView, ...]
    obligations: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Reason:
    """A code that functions failed with."""

    code: str
    entry: Code | None
    functions: tuple[FunctionView, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """The head of the page."""

    count: int
    statuses: tuple[BarPart, ...]
    obligations: int
    open_obligations: int
    deciders: tuple[BarPart, ...]
    kinds: tuple[tuple[str, int, str], ...]
    """Of obligations: name, how many, and what such a one says."""
    seconds: float
    steps: tuple[BarPart, ...]
    files: tuple[FileRow, ...]
    reasons: tuple[Reason, ...]
    codes: tuple[str, ...]
    """Those of the skipped functions too."""
    speed_ups: SpeedUps | None


def overview(views: Sequence[FunctionView]) -> Overview:
    """Of functions that are sorted by file."""
    deciders = Counter[str]()
    steps = Counter[str]()
    for view in views:
        for proven in view.proven:
            deciders[proven.decider] += proven.count
        steps.update(dict(view.steps))
    still_open = sum(len(view.open_obligations) for view in views)
    amounts = [(k, DECIDERS.get(k, k), deciders[k]) for k in (*DECIDERS, *sorted(deciders))]
    return Overview(
        len(views),
        _statuses(views),
        sum(deciders.values()) + still_open,
        still_open,
        parts(dict.fromkeys(amounts)),
        tuple(_kinds(views)),
        sum(view.seconds for view in views),
        parts([(f"step{n}", label, steps[k]) for n, (k, label) in enumerate(STEPS.items())]),
        tuple(_files(views)),
        tuple(_reasons(views)),
        tuple(sorted({view.code for view in views if view.code})),
        speed_ups([p for view in views if (p := _point(view)) is not None]),
    )


def parts(amounts: Iterable[tuple[str, str, float]]) -> tuple[BarPart, ...]:
    """(kind, label, amount) as parts of a bar of 100; parts without an amount have no width."""
    amounts = list(amounts)
    total = sum(amount for _, _, amount in amounts) or 1.0
    made, start = [], 0.0
    for kind, label, amount in amounts:
        width = 100 * amount / total
        made.append(BarPart(kind, label, amount, start, width))
        start += width
    return tuple(made)


def _kinds(views: Iterable[FunctionView]) -> Iterable[tuple[str, int, str]]:
    counts = Counter[str](o.name for view in views for o in view.record.obligations)
    for name, count in counts.most_common():
        yield name, count, OBLIGATIONS.get(name, "")


def _statuses(views: Iterable[FunctionView]) -> tuple[BarPart, ...]:
    counts = Counter[str](view.record.status for view in views)
    return parts((status, status, counts[status]) for status in STATUSES)


def _files(views: Sequence[FunctionView]) -> Iterable[FileRow]:
    by_file: dict[str, list[FunctionView]] = {}
    for view in views:
        by_file.setdefault(view.record.file, []).append(view)
    for file, here in by_file.items():
        yield FileRow(
            file,
            anchor("file", file),
            _statuses(here),
            tuple(here),
            sum(len(view.record.obligations) for view in here),
            sum(view.seconds for view in here),
        )


def _reasons(views: Iterable[FunctionView]) -> Iterable[Reason]:
    by_code: dict[str, list[FunctionView]] = {}
    for view in views:
        if view.failure is not None and view.record.status != "skipped":
            by_code.setdefault(view.code, []).append(view)
    for code, here in sorted(by_code.items(), key=lambda item: (-len(item[1]), item[0])):
        assert here[0].failure is not None
        yield Reason(code, here[0].failure.code, tuple(here))


def _point(view: FunctionView) -> SpeedupPoint | None:
    figure = view.figure
    if figure is None or figure.speedup is None:
        return None
    return SpeedupPoint(view.record.name, view.id, figure.speedup, figure.equal)
