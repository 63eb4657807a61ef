"""`--recheck`: the obligations of a function, made anew, are replayed by a solver of choice.

What must be shown is what proving the summary of the source as it is now gives, so that is what the
solver gets; stored certificates are compared with it. A certificate that was edited or renamed, or
that is another function's, is none of these obligations, however true it may be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..batch.sealing import text_digest
from ..model.proof import Obligation
from ..verify import replay
from .committed import Committed
from .finding import Recheck

SECONDS = 60.0
"""For one certificate."""


def recheck(
    committed: Committed, obligations: Sequence[Obligation], solver: str, is_same: bool
) -> Recheck:
    """Replays what must be shown, and says what is wrong with the stored certificates.

    `is_same` says that source and `lift` are those of the lifting, so that the obligations must be,
    too; otherwise the certificates are of what was.
    """
    stored = committed.certificates()
    wrong = [*_broken(committed, stored)]
    asked = [o for o in obligations if o.by == "z3" and o.smt2 is not None]
    needed = Counter(text_digest(o.smt2 or "") for o in obligations if o.smt2 is not None)
    for name, text in stored.items():
        if text is None:
            continue
        digest = text_digest(text)
        if needed[digest]:
            needed[digest] -= 1
        elif is_same:
            wrong.append(f"{name} is no obligation of the source and the summary as they are")
    replayed, unanswered = 0, []
    answers: dict[str, str] = {}
    for obligation in asked:
        text = obligation.smt2 or ""
        if text not in answers:
            answer, why = replay(text, solver, SECONDS)
            answers[text] = f"error: {why}" if answer == "error" else answer
        answer_ = answers[text]
        what = f"{obligation.name} of {obligation.stage}: {obligation.text}"
        if answer_ == "unsat":
            replayed += 1
        elif answer_ == "sat":
            wrong.append(f"{solver} refutes {what}")
        elif answer_ == "unknown":
            unanswered.append(what)
        else:
            wrong.append(f"{solver} can't read {what}: {answer_}")
    return Recheck(
        solver,
        replayed,
        sum(o.by == "structural" for o in obligations),
        sum(o.by == "complete" for o in obligations),
        tuple(unanswered),
        tuple(wrong),
    )


def _broken(committed: Committed, stored: dict[str, str | None]) -> list[str]:
    files = committed.data.get("files")
    told = files if isinstance(files, dict) else {}
    found = []
    for name, text in stored.items():
        if text is None:
            found.append(f"{name} isn't there or can't be read")
        elif name not in told:
            found.append(f"{name} is none of the certificates that summary.json lists")
        elif text_digest(text) != told[name]:
            found.append(f"{name} was edited")
    return found
