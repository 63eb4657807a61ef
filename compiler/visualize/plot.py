"""Measured against predicted time: how well a model ranks what it proposes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from . import svg

WIDTH, HEIGHT = 720.0, 604.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 86.0, 190.0, 98.0, 62.0
_SERIES = 5


class Point(Protocol):
    """A candidate: `autosched.measured.Candidate` is one. Times in seconds, `measured` infinite
    where it wasn't run."""

    @property
    def method(self) -> str: ...
    @property
    def predicted(self) -> float: ...
    @property
    def measured(self) -> float: ...


def candidates_plot(points: Sequence[Point], title: str = "Candidates") -> str:
    """A point for each candidate that was timed, as SVG text: predicted to the right, measured
    upwards, both logarithmic; on the dashed line, prediction and measurement are the same.

    The fastest has a ring. Says how well the ranks agree (Spearman's coefficient: 1 where the model
    ranks as the machine does, 0 where it knows nothing).
    """
    run = [p for p in points if _is_time(p.measured) and _is_time(p.predicted)]
    left_out = len(points) - len(run)
    body = [svg.text(svg.MARGIN, 36, title, 17, "ink", "sans", bold=True)]
    body.append(svg.text(svg.MARGIN, 57, _summary(run, left_out), 12, "soft", "sans"))
    if run:
        body += _axes(run)
    return svg.document(WIDTH, HEIGHT, title, body)


def _is_time(seconds: float) -> bool:
    return math.isfinite(seconds) and seconds > 0


def _summary(run: Sequence[Point], left_out: int) -> str:
    words = [f"{len(run)} timed"]
    if left_out:
        words.append(f"{left_out} not run")
    agreement = rank_agreement([(p.predicted, p.measured) for p in run])
    if agreement is not None:
        words.append(f"ranks agree to {agreement:.2f}")
    if run:
        best = min(run, key=lambda p: p.measured)
        words.append(f"fastest {svg.time_text(best.measured)} by {best.method}")
    return " · ".join(words)


def rank_agreement(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Spearman's rank correlation, -1 to 1; None for less than three pairs, or where one side has
    no order."""
    if len(pairs) < 3:
        return None
    a, b = (_ranks([pair[side] for pair in pairs]) for side in (0, 1))
    mean = (len(pairs) - 1) / 2
    spread = [sum((r - mean) ** 2 for r in ranks) for ranks in (a, b)]
    if not all(spread):
        return None
    together = sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    return together / math.sqrt(spread[0] * spread[1])


def _ranks(values: Sequence[float]) -> list[float]:
    """The place of each value in their order; equal ones share the mean of their places."""
    order = sorted(values)
    first = {v: i for i, v in reversed(list(enumerate(order)))}
    last = {v: i for i, v in enumerate(order)}
    return [(first[v] + last[v]) / 2 for v in values]


class _Scale:
    """From seconds to a place along an axis, by the logarithm."""

    def __init__(self, values: Sequence[float], start: float, end: float) -> None:
        low, high = math.log10(min(values)), math.log10(max(values))
        space = max(0.08, (high - low) * 0.08)
        self.low, self.high = low - space, high + space
        self.start, self.end = start, end

    def __call__(self, seconds: float) -> float:
        part = (math.log10(seconds) - self.low) / (self.high - self.low)
        return self.start + part * (self.end - self.start)

    def ticks(self) -> list[float]:
        """1, 2 and 5 times powers of ten; finer where there would be less than three."""
        for steps in ((1,), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9)):
            found = [
                step * 10.0**power
                for power in range(math.floor(self.low), math.ceil(self.high) + 1)
                for step in steps
            ]
            shown = [t for t in found if self.low <= math.log10(t) <= self.high]
            if len(shown) >= 3:
                return shown
        return shown


def _axes(run: Sequence[Point]) -> list[str]:
    right, bottom = WIDTH - _RIGHT, HEIGHT - _BOTTOM
    # One range for both, so that what is as predicted lies on the diagonal.
    times = [t for p in run for t in (p.predicted, p.measured)]
    x, y = _Scale(times, _LEFT, right), _Scale(times, bottom, _TOP)
    drawn = []
    for tick in x.ticks():
        drawn.append(svg.line(x(tick), _TOP, x(tick), bottom, "bar"))
        words = svg.time_text(tick)
        drawn.append(svg.text(x(tick), bottom + 18, words, 11, "soft", "sans", "middle"))
    for tick in y.ticks():
        drawn.append(svg.line(_LEFT, y(tick), right, y(tick), "bar"))
        words = svg.time_text(tick)
        drawn.append(svg.text(_LEFT - 8, y(tick) + 4, words, 11, "soft", "sans", "end"))
    drawn.append(svg.line(_LEFT, bottom, right, bottom, "line"))
    drawn.append(svg.line(_LEFT, _TOP, _LEFT, bottom, "line"))
    middle = (_LEFT + right) / 2
    drawn.append(svg.text(middle, HEIGHT - 18, "predicted", 12, "ink", "sans", "middle"))
    drawn.append(svg.text(_LEFT, _TOP - 10, "measured", 12, "ink", "sans", "end"))
    drawn.append(svg.line(_LEFT, bottom, right, _TOP, "line", "5 4"))
    drawn.append(svg.text(right + 6, _TOP + 4, "as predicted", 11, "soft", "sans"))
    methods = list(dict.fromkeys(p.method for p in run))
    colours = {m: f"series{min(i, _SERIES - 1)}" for i, m in enumerate(methods)}
    best = min(run, key=lambda p: p.measured)
    for point in run:
        place = x(point.predicted), y(point.measured)
        hint = (
            f"{point.method}: predicted {svg.time_text(point.predicted)}, measured "
            f"{svg.time_text(point.measured)}"
        )
        drawn.append(svg.circle(*place, 4.5, colours[point.method], "page", hint))
    ring = f'<circle cx="{x(best.predicted):.1f}" cy="{y(best.measured):.1f}" r="9"'
    drawn.append(f'{ring} fill="none" stroke-width="1.6" class="s-ink"/>')
    for number, method in enumerate(methods):
        line = _TOP + 40 + 20 * number
        count = sum(p.method == method for p in run)
        drawn.append(svg.circle(right + 24, line - 4, 4.5, colours[method]))
        drawn.append(svg.text(right + 36, line, f"{method} ({count})", 12, "ink", "sans"))
    return drawn


__all__ = ["Point", "candidates_plot", "rank_agreement"]
