"""The way of one function in words: steps with marks, obligations by kind."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ..model.record import ObligationRecord, Record

if TYPE_CHECKING:
    from .investigate import Findings

Mark = Literal["done", "stopped", "open"]

OBLIGATIONS: dict[str, str] = {
    "coverage": "exactly the elements of the region are written, no others",
    "unique": "no element is written twice, and different points are different elements",
    "reads": "each read of the result is what the original reads there",
    "value": "the values are equal, for all inputs",
    "frame": "nothing is read after the original has overwritten it",
    "induction": "counters and pointers have, in every iteration, the values that the proof uses",
    "order": "an element that is updated several times ends with the same value",
    "compose": "what one stage reads is what the one before it left",
    "vacuity": "the preconditions can hold and the loops can run, so the claims aren't empty",
}
"""What each kind of obligation says, for people who haven't read docs/proofs.md."""

_FIRST = {
    "loop-bound": "how often each loop runs",
    "loop-carried": "what each iteration of the loops stores",
    "unsupported-stage": "what each iteration of the loops stores",
}
_STAGE_STEPS: tuple[tuple[str, str, frozenset[str]], ...] = (
    ("region", "which elements it writes", frozenset({"no-roi"})),
    ("reads", "what it reads", frozenset({"no-terminal", "outside-grammar"})),
    ("formula", "a formula for the values", frozenset({"no-expression"})),
    ("proof", "the proof that they are equal", frozenset({"refuted", "undecided"})),
)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the way, and whether it was gone."""

    mark: Mark
    text: str


def steps(record: Record, findings: Findings) -> list[Step]:
    """How far a function came that wasn't proved, from its text to the proof."""
    code = record.diagnostic.code if record.diagnostic else ""
    if not findings.looked:
        return [Step("open", "the function couldn't be read again in time: the steps aren't known")]
    if findings.missing:
        return [Step("stopped", _ENDED["missing-include"])]
    if code in _ENDED:
        return [Step("stopped", _ENDED[code])]
    if findings.statements is None:
        rest = Step("open", "loop nests, formulas, proof: not looked at yet")
        return [Step("stopped", "reading the C++: a part of it isn't understood"), rest]
    read = f"the C++ is read: {_many(findings.statements, 'statement')}"
    found = [Step("done", read)]
    if findings.stages is None:
        what = _FIRST.get(code, "what each iteration of the loops stores")
        found.append(Step("stopped", f"running the loops on symbols, to see {what}"))
        found.append(Step("open", "formulas and proof: not looked at yet"))
        return found
    total = len(findings.stages)
    nests = ", ".join(f"{s.output} (line {s.line})" for s in findings.stages)
    found.append(Step("done", f"{_many(total, 'loop nest')} that {_store(total)}: {nests}"))
    done = _lifted(record, findings)
    for stage in findings.stages[: len(done)]:
        words = f"{stage.output} (line {stage.line}): formula found and proved"
        found.append(Step("done", words))
    found += _failing_stage(record, findings, len(done))
    left = findings.stages[len(done) + 1 :]
    if left:
        names = ", ".join(f"{s.output} (line {s.line})" for s in left)
        found.append(Step("open", f"not looked at yet: {names}"))
    return found


def _lifted(record: Record, findings: Findings) -> list[str]:
    """The stages that were proved, in order; the record's last one may be a mere candidate."""
    assert findings.stages is not None
    failing = findings.failing
    names = [stage.name for stage in record.stages]
    if failing is not None and failing in names:
        names = names[: names.index(failing)]
    elif record.diagnostic is not None and record.counterexample is not None:
        names = names[:-1]
    return names[: len(findings.stages)]


def _failing_stage(record: Record, findings: Findings, number: int) -> list[Step]:
    assert findings.stages is not None
    code = record.diagnostic.code if record.diagnostic else ""
    if code in _PRECONDITIONS:
        return [Step("stopped", f"the assumptions: {_PRECONDITIONS[code]}")]
    if number >= len(findings.stages):
        return [Step("stopped", _AFTER.get(code, "putting the stages together"))]
    stage = findings.stages[number]
    place = f"{stage.output} (line {stage.line})"
    told = []
    for _, words, codes in _STAGE_STEPS:
        if code in codes:
            refuted = [o for o in record.obligations if o.verdict != "proved"]
            why = f": {_verdict(refuted[-1])}" if refuted else ""
            told.append(Step("stopped", f"{place}: {words}{why}"))
            return told
        told.append(Step("done", f"{place}: {words}"))
    return [Step("stopped", f"{place}: no summary of it")]


_PRECONDITIONS = {
    "vacuous": "no call satisfies all of them, or nothing is ever stored under them",
    "assumption-false": "one of them can't be used",
}
_ENDED = {
    "internal": "an error in lift itself ended the work: this says nothing about the function",
    "timeout": "the time limit ended the work: this says nothing about the function",
    "memory": "the memory limit ended the work: this says nothing about the function",
    "missing-include": "a header is missing, and the function needs it",
}
_AFTER = {
    "emit-unsupported": "writing the program: everything is proved, but not of a form that can be "
    "written down yet",
    "emit-differs": "running the program: everything is proved, and what was written down of it is "
    "something else",
}


def _verdict(obligation: ObligationRecord) -> str:
    what = OBLIGATIONS.get(obligation.name, obligation.name)
    how = "isn't so" if obligation.verdict == "refuted" else "couldn't be decided"
    return f'"{what}" {how}'


def obligations_in_words(record: Record) -> list[tuple[str, str]]:
    """(how many, what they say) for each kind of obligation that was proved, by kind."""
    counts = Counter(o.name for o in record.obligations if o.verdict == "proved")
    return [(str(counts[k]), words) for k, words in OBLIGATIONS.items() if counts[k]]


def deciders_in_words(record: Record) -> str:
    """Who decided: by form, by the solver, by trying every value."""
    words = {
        "structural": "by their form",
        "z3": "by the solver Z3",
        "complete": "by trying every value",
    }
    parts = [f"{n} {words.get(by, by)}" for by, n in record.proved_by.items() if n]
    return ", ".join(parts)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _store(count: int) -> str:
    return "stores" if count == 1 else "store"
