"""Speed-ups as a plot: every measured function a dot, the slowest at the left."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from .plain_text import escaped

_WIDTH, _HEIGHT = 960.0, 250.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 46.0, 92.0, 14.0, 26.0


@dataclass(frozen=True, slots=True)
class SpeedupPoint:
    """One function's speed-up, and the id in the page that a click leads to."""

    name: str
    id: str
    speedup: float
    equal: bool | None


@dataclass(frozen=True, slots=True)
class SpeedUps:
    """The plot, and what is said beside it."""

    count: int
    mean: float
    """Geometric."""
    slower: int
    differing: int
    plot: Markup


def speed_ups(points: Sequence[SpeedupPoint]) -> SpeedUps | None:
    """None where nothing was measured."""
    measured = sorted((p for p in points if p.speedup > 0), key=lambda p: p.speedup)
    if not measured:
        return None
    mean = math.exp(sum(math.log(p.speedup) for p in measured) / len(measured))
    low = math.floor(math.log2(min(0.5, measured[0].speedup)))
    high = math.ceil(math.log2(max(2.0, measured[-1].speedup)))

    def height(ratio: float) -> float:
        part = (math.log2(ratio) - low) / (high - low)
        return _HEIGHT - _BOTTOM - part * (_HEIGHT - _BOTTOM - _TOP)

    step = 1 if high - low <= 8 else 2
    body = [_rule(height(2.0**n), _ratio(2.0**n), n == 0) for n in range(low, high + 1, step)]
    body.append(_mean_line(height(mean), mean))
    span = (_WIDTH - _LEFT - _RIGHT) / len(measured)
    for number, point in enumerate(measured):
        x = _LEFT + (number + 0.5) * span
        body.append(_dot(x, height(point.speedup), min(5.0, max(2.2, span * 0.4)), point))
    foot = f"{len(measured)} functions, from the least speed-up to the greatest"
    body.append(f'<text x="{_LEFT:.0f}" y="{_HEIGHT - 6:.0f}" class=p-t>{foot}</text>')
    told = f"Speed-ups of {foot}; geometric mean {_ratio(mean)}"
    plot = (
        f'<svg class=plot viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" role=img '
        f'aria-label="{told}">{"".join(body)}</svg>'
    )
    return SpeedUps(
        len(measured),
        mean,
        sum(p.speedup < 1 for p in measured),
        sum(p.equal is False for p in points),
        Markup(plot),  # of numbers and escaped names
    )


def _ratio(value: float) -> str:
    return f"{value:.3g}×"


def _rule(y: float, label: str, is_one: bool) -> str:
    kind = "p-1" if is_one else "p-r"
    return (
        f'<path class={kind} d="M{_LEFT:.0f} {y:.1f}H{_WIDTH - _RIGHT:.0f}"/>'
        f'<text x="{_LEFT - 8:.0f}" y="{y + 4:.1f}" class=p-t text-anchor=end>{label}</text>'
    )


def _mean_line(y: float, mean: float) -> str:
    right = _WIDTH - _RIGHT
    return (
        f'<path class=p-m d="M{_LEFT:.0f} {y:.1f}H{right:.0f}"/>'
        f'<text x="{right + 8:.0f}" y="{y + 4:.1f}" class=p-ml>mean {_ratio(mean)}</text>'
    )


def _dot(x: float, y: float, radius: float, point: SpeedupPoint) -> str:
    kind = "p-x" if point.equal is False else "p-s" if point.speedup < 1 else "p-d"
    return (
        f'<a href="#{escaped(point.id)}" tabindex="-1"><circle class={kind} cx="{x:.1f}" '
        f'cy="{y:.1f}" r="{radius:.1f}"/><title>{escaped(point.name)}: {_ratio(point.speedup)}'
        "</title></a>"
    )
