"""Proofs: a summary's obligations, how each was decided, counterexamples (docs/design.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from compiler.ir import Expr

from .diagnostic import Diagnostic
from .proof_text import counterexample_to_text

ObligationName = Literal[
    "coverage", "unique", "reads", "value", "frame", "induction", "order", "compose", "vacuity"
]
Decider = Literal["structural", "z3", "complete"]
Verdict = Literal["proved", "refuted", "undecided"]


PreconditionKind = Literal["formula", "disjoint", "rows", "not-null", "limit"]


@dataclass(frozen=True, slots=True)
class Obligation:
    """One formula that had to hold, and what became of it."""

    name: ObligationName
    stage: str
    text: str
    """The claim in a sentence or formula that a person can read."""
    verdict: Verdict
    by: Decider | None
    seconds: float
    smt2: str | None = None
    """The query as SMT-LIB 2 (unsat means proved); None for structural ones without a formula."""
    model: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Of a refuted one: numbers of its symbols for which it doesn't hold."""


@dataclass(frozen=True, slots=True)
class Precondition:
    """What a proof assumes about the inputs."""

    text: str
    """As shown and as valid C over the parameters, e.g. `cols <= rowBytes`."""
    formula: Expr | None
    """A boolean over index expressions of the scalar parameters, which proofs use; None for any
    other kind, and for conditions over floats alone."""
    kind: PreconditionKind
    """`disjoint`: two arrays' memory doesn't overlap; `rows`: a row table is evenly spaced;
    `not-null`: a pointer, which the original tests, leads somewhere; `limit`: one of a summary's
    limits on numbers in arrays."""
    origin: Literal["assert", "comment", "option", "inferred"]
    arrays: tuple[str, ...] = ()
    tested: Expr | None = None
    """What the guarded entry tests, where that is more than `formula` says: floats have no part in
    index expressions."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A concrete small input on which the original and a candidate differ."""

    scalars: dict[str, int | float]
    arrays: dict[str, dict[tuple[int, ...], int | float]]
    """The elements that were read or written, before the call."""
    output: str
    expected: dict[tuple[int, ...], int | float]
    """What the original leaves in the output where the two differ."""
    actual: dict[tuple[int, ...], int | float]
    """What the candidate leaves there."""
    after: dict[tuple[int, ...], int | float] = field(default_factory=dict)
    """All that the original leaves in those elements of the output that either of them wrote."""
    candidate_after: dict[tuple[int, ...], int | float] = field(default_factory=dict)
    """All that the candidate leaves there."""

    def __str__(self) -> str:
        return counterexample_to_text(self)


@dataclass(frozen=True, slots=True)
class Proof:
    """The outcome for one kernel."""

    verdict: Literal["proved", "unproved", "failed"]
    obligations: tuple[Obligation, ...]
    preconditions: tuple[Precondition, ...]
    counterexample: Counterexample | None = None
    warnings: tuple[Diagnostic, ...] = ()
