"""Makes a failing program small enough to read."""

from __future__ import annotations

import time
from dataclasses import replace

from .generate import needed
from .program import Program, Stage
from .run import Comparison, Finding

MOST_TRIALS = 200
MOST_SECONDS = 120.0
"""After which what was found by then must do: a trial may hang."""
_PLAIN = {"f32": "G[x, y]"}


def shrunk(finding: Finding, comparison: Comparison) -> Finding:
    """The same kind of finding on a smaller program: fewer directives, simpler stages.

    What takes too long stays as it is: each smaller one would take as long.
    """
    kind = _kind(finding)
    best = finding
    if kind == "timeout":
        return finding
    trials = 0
    ends = time.monotonic() + MOST_SECONDS

    def is_over() -> bool:
        return trials > MOST_TRIALS or time.monotonic() > ends

    def fails(program: Program) -> bool:
        nonlocal best, trials
        trials += 1
        if is_over():
            return False
        found = comparison.check(program)
        if found is None or _kind(found) != kind:
            return False
        best = found
        return True

    changed = True
    while changed and not is_over():
        changed = _fewer_directives(best.program, fails)
        changed = _simpler_stages(best.program, fails) or changed
    return best


def _kind(finding: Finding) -> str:
    for word in ("differ", "refuses", "crash", "timeout"):
        if word in finding.what.split("\n")[0]:
            return word
    return finding.what.strip().split("\n")[-1].split(":")[0]


def _fewer_directives(program: Program, fails: object) -> bool:
    assert callable(fails)
    changed = False
    number = 0
    while number < len(program.directives):
        fewer = program.with_directives(
            [d for i, d in enumerate(program.directives) if i != number]
        )
        if fails(fewer):
            program, changed = fewer, True
        else:
            number += 1
    return changed


def _simpler_stages(program: Program, fails: object) -> bool:
    """Replaces stages, one at a time, by a plain read of an image."""
    assert callable(fails)
    changed = False
    for number in range(len(program.stages)):
        if number >= len(program.stages):
            break
        stage = program.stages[number]
        plain = _plain(stage)
        if plain is None or plain.lines == stage.lines:
            continue
        stages = [plain if s is stage else s for s in program.stages]
        kept = needed(stages)
        names = {s.name for s in kept}
        gone = {s.name for s in program.stages} - names
        directives = [d for d in program.directives if not any(g in _words(d) for g in gone)]
        directives = [d for d in directives if not d.startswith(f"{stage.name}.update")]
        smaller = replace(program, stages=kept, directives=tuple(directives))
        if fails(smaller):
            program, changed = smaller, True
    return changed


def _words(text: str) -> set[str]:
    for mark in "().,[]":
        text = text.replace(mark, " ")
    return set(text.split())


def _plain(stage: Stage) -> Stage | None:
    if stage.kind not in ("pure", "update", "scan"):
        return None
    value = _PLAIN.get(stage.type, f"hl.{stage.type}(A[x, y])")
    lines = (stage.lines[0], f"{stage.name}[x, y] = {value}")
    low, high = (stage.low, stage.high)
    return Stage(stage.name, lines, stage.type, "pure", low, high)
