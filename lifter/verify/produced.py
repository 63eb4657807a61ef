"""What earlier stages of a kernel left behind, as later ones may rely on it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from compiler.ir import TRUE, Call

from ..model.summary import Summary
from ..synth.paths import where_stored


@dataclass(frozen=True)
class Produced:
    """What earlier stages of the kernel left in an array."""

    summary: Summary
    is_fresh: bool
    """A local array that nothing else has written: its other elements are undefined."""
    interval: tuple[int, int] | None = None
    """Proven bounds of its elements' values."""
    before: Produced | None = None
    """What those before the last one left there."""

    @cached_property
    def is_whole(self) -> bool:
        """Whether the stages have stored all elements of the region. Where they leave some alone,
        what they left is what was there before all of them: memory that nobody may have touched."""
        summary, before = self.summary, self.before
        if before is not None and before.summary.roi == summary.roi and before.is_whole:
            return before.summary.layouts[summary.output] == summary.layouts[summary.output]
        if not summary.is_pure or summary.written_if is not None:
            return False
        point = tuple(d.variable for d in summary.roi)
        old = Call(summary.output, point, summary.expression.type, "image")
        return where_stored(summary.expression, old)[0] is TRUE
