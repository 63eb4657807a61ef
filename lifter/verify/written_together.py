"""Several arrays that one call writes: compiled code writes all of them or none.

    for (k = 0; k < 256; k++) table[k] = ...;      with n = 0 there is still a table to fill
    for (x = 0; x < n; x++) d[x] = ...;

Where one of the arrays has no elements to write, the compiled function leaves at once
(`compiler/codegen/entry.py`): that this happens only where nothing at all is written is assumed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from compiler.ir import GT, Expr

from ..dag import conjunction, normal
from ..diagnostic import Diagnostic, LiftError
from ..synth.summary import Dimension, Summary
from .assumptions import Assumptions


def assume_written_together(
    summaries: Sequence[Summary], outputs: Collection[str], assumptions: Assumptions
) -> None:
    """Assumes that all `outputs` have elements where one of them is written.

    Raises `LiftError` (`undecided`) where nobody can tell.
    """
    regions: dict[str, Expr] = {}
    for summary in summaries:
        if summary.output in outputs:
            regions.setdefault(summary.output, _has_points(summary.roi))
    for summary in summaries:
        if summary.output not in outputs:
            continue
        written = _has_points(summary.domain or summary.roi)
        for output, region in regions.items():
            if output == summary.output:
                continue  # what is written lies inside, as was proved
            if not assumptions.decide(region, (written,), (region,)).proved:
                text = f"whether {output} has elements wherever {summary.output} is written"
                span = assumptions.kernel.span
                raise LiftError(Diagnostic("undecided", "error", text, span, family="undecided"))


def _has_points(dimensions: Sequence[Dimension]) -> Expr:
    return conjunction(normal(GT(d.upper, d.lower)) for d in dimensions)
