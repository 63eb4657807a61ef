"""Several arrays that one call writes: compiled code writes all of them or none.

    for (k = 0; k < 256; k++) table[k] = ...;      with n = 0 there is still a table to fill
    for (x = 0; x < n; x++) d[x] = ...;

Where one of the arrays has no elements to write, the compiled function leaves at once
(`compiler/codegen/entry.py`): that this happens only where nothing at all is written is assumed.

    for (x = 0; x < n; x++) for (j = 0; j < m; j++) d[x] += d[n + k + j];

Of an array that is overwritten and read elsewhere too, it copies all from the least element to the
greatest before it begins: that sums over such elements have terms is assumed, as those of an empty
sum may lie anywhere.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from compiler.ir import GT, I64, LE, LT, Call, Expr, Variable, const, postorder

from ..dag import Reduce, conjunction, normal
from ..model.diagnostic import Diagnostic, LiftError
from ..model.summary import Dimension, Summary
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
                raise _undecided(text, assumptions)


def assume_terms_of_sums(
    summaries: Sequence[Summary], outputs: Collection[str], assumptions: Assumptions
) -> None:
    """Assumes that sums over old elements of `outputs`, which are read from a copy, have terms.

    Raises `LiftError` (`undecided`) where nobody can tell.
    """
    for number, summary in enumerate(summaries):
        earlier = {s.output for s in summaries[:number] if s.nest != summary.nest or s.nest < 0}
        copied = set(outputs) - earlier
        place = [
            bound
            for d in summary.roi
            for at in (Variable(d.variable.name, I64),)
            for bound in (LE(d.lower, at), LT(at, d.upper))
        ]
        for node in postorder(summary.expression):
            if not isinstance(node, Reduce):
                continue
            reads = (n.name for n in postorder(node.body) if isinstance(n, Call))
            array = next((name for name in reads if name in copied), None)
            has_terms = normal(GT(node.extent, const(0, I64)))
            if array and not assumptions.decide(has_terms, place, (has_terms,)).proved:
                text = f"whether a sum over elements of {array}, which is overwritten, has terms"
                raise _undecided(text, assumptions)


def _undecided(text: str, assumptions: Assumptions) -> LiftError:
    span = assumptions.kernel.span
    return LiftError(Diagnostic("undecided", "error", text, span, family="undecided"))


def _has_points(dimensions: Sequence[Dimension]) -> Expr:
    return conjunction(normal(GT(d.upper, d.lower)) for d in dimensions)
