"""The part of an original that a candidate for one of its loop nests is compared with."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..model.kernel import If, Kernel, Stmt, statements

if TYPE_CHECKING:
    from ..model.diagnostic import Span
    from ..model.stage import StageGraph
    from ..model.summary import Summary


def original_until(kernel: Kernel, graph: StageGraph, candidate: Summary) -> Kernel | None:
    """The kernel without what follows the candidate's nest, where that writes its array again:
    what later nests leave there says nothing of the candidate. None when it can't be cut there."""
    names = [stage.name for stage in graph.order]
    place = names.index(candidate.stage)
    stage, later = graph.order[place], graph.order[place + 1 :]
    if all(s.output != stage.output for s in later):
        return kernel
    # An inlined function's loop stands in the body once for each call.
    if sum(s.span == stage.span for s in statements(kernel.body)) != 1:
        return None
    body = _until(kernel.body, stage.span)
    return None if body is None else replace(kernel, body=body)


def _until(body: tuple[Stmt, ...], place: Span) -> tuple[Stmt, ...] | None:
    """The statements up to the one at `place`, which is not in a loop; None when it isn't there."""
    for number, stmt in enumerate(body):
        if stmt.span == place:
            return body[: number + 1]
        if isinstance(stmt, If):
            then = _until(stmt.then, place)
            if then is not None:
                return (*body[:number], replace(stmt, then=then))
            otherwise = _until(stmt.otherwise, place)
            if otherwise is not None:
                return (*body[:number], replace(stmt, otherwise=otherwise))
    return None
