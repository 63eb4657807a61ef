"""The result for one function: what emission, building and the command line work from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from .diagnostic import Diagnostic, Span
from .kernel import Kernel
from .stage import StageGraph
from .summary import Summary

if TYPE_CHECKING:
    from .proof import Proof  # the solver stays out of emission

Status = Literal["proved", "unproved", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class FunctionResult:
    """One function of a run; `kernel`, `graph` and `proof` are None when work stopped before them.

    `summaries` has one entry a stage, in the graph's order, as far as synthesis got; `diagnostic`
    says why a function failed or was skipped. `seconds` has keys parse, roi, terminals, expression,
    verify and total.
    """

    name: str
    span: Span
    signature: str
    status: Status
    diagnostic: Diagnostic | None = None
    kernel: Kernel | None = None
    graph: StageGraph | None = None
    summaries: tuple[Summary, ...] = ()
    proof: Proof | None = None
    warnings: tuple[Diagnostic, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
