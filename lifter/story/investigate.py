"""What can be found out about a function that failed: its stages, cuts, assumptions that help.

Each question is a child process with limits, so that a kernel that takes for ever, or too much
memory, costs its own answer alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ..batch.workers import Pool, Task
from ..model.diagnostic import Diagnostic, LiftError
from ..model.record import Record
from .cuts import Cuts, find_cuts
from .question import Question
from .reasons import reasons
from .trials import Trials, try_assumptions, try_rule

if TYPE_CHECKING:
    from ..model.kernel import Kernel

LOOK_SECONDS = 30.0
"""After which an answer is given up; the numbers of cuts and trials end earlier, as a rule."""
_LOOK_MEMORY = 2048.0
_RULE = re.compile(r"`(\w+ := [^`]+)`")
_NOT_TRIED = frozenset({"internal", "timeout", "memory", "vacuous", "assumption-false", "killed"})


@dataclass(frozen=True, slots=True)
class FoundStage:
    """A loop nest and the array that it writes."""

    name: str
    output: str
    line: int
    last: int


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found; None where it couldn't be looked at, or took too long."""

    looked: bool = True
    """False when the function couldn't be read again: it took too long, or crashed the parser."""
    statements: int | None = None
    """Of the parsed function; None when it can't be parsed."""
    stages: tuple[FoundStage, ...] | None = None
    failing: str | None = None
    """The stage that failed."""
    cuts: Cuts | None = None
    trials: Trials | None = None
    declaration: str | None = None
    """Of the function whose body is missing."""
    changes: tuple[int, ...] = ()
    """Lines in loops that change the scalar which is carried from iteration to iteration."""
    missing: tuple[str, ...] = ()
    """Headers that aren't found; nothing of the file is understood without them."""
    reasons: tuple[str, ...] = ()
    """What is seen in the text; see `reasons`."""
    rule_helps: bool = False
    """Whether the function is proved with the grammar rule that its diagnostic proposes."""


def investigate(question: Question, record: Record) -> Findings:
    """Looks at a function that wasn't proved; at most two child processes at a time."""
    diagnostic = record.diagnostic
    if diagnostic is None:
        return Findings()
    line = diagnostic.span.line if diagnostic.span else 0
    found: Findings | None = answers_of({"look": partial(look, question, diagnostic, line)}).get(
        "look"
    )
    if found is None:
        return Findings(looked=False)
    calls: dict[str, Callable[[], Any]] = {}
    if diagnostic.code == "unmodelled-call":
        calls["declaration"] = partial(find_declaration, question, diagnostic.message)
    if found.statements is not None and diagnostic.code not in _NOT_TRIED:
        data = record.counterexample_data
        scalars = None if data is None else dict(data["scalars"])
        calls["cuts"] = partial(find_cuts, question)
        calls["trials"] = partial(try_assumptions, question, scalars)
    rule = rule_of(diagnostic)
    if rule is not None:
        calls["rule"] = partial(try_rule, question, rule)
    answers = answers_of(calls)
    return replace(
        found,
        cuts=answers.get("cuts"),
        trials=answers.get("trials"),
        declaration=answers.get("declaration"),
        rule_helps=bool(answers.get("rule")),
    )


def rule_of(diagnostic: Diagnostic) -> str | None:
    """The grammar rule that a diagnostic's help proposes."""
    found = _RULE.search(diagnostic.help or "")
    return None if found is None else found.group(1)


def answers_of(calls: dict[str, Callable[[], Any]]) -> dict[str, Any]:
    """What each of the calls gives in a child process of its own; nothing of one that was killed at
    a limit or crashed. Calls are functions of modules, or partials of them."""
    from ..batch.one_function import prepare

    prepare()
    pool = Pool(2)
    answers: dict[str, Any] = {}
    try:
        for name, call in calls.items():
            pool.submit(Task(name, call, name, LOOK_SECONDS, _LOOK_MEMORY, here=True))
        pool.start()
        while pool.busy:
            for outcome in pool.wait(0.2):
                if outcome.kind == "done":
                    answers[outcome.task.tag] = outcome.value
    finally:
        pool.stop()
    return answers


def look(question: Question, diagnostic: Diagnostic, line: int) -> Findings:
    """The function's statements and stages; the failing one is the one around `line`."""
    from ..dag import build_stage_graph
    from ..model.kernel import statements

    parsed = question.parsed()
    kernel = next((k for k in parsed.kernels if k.name == question.name), None)
    if kernel is None:
        headers = (d.message for d in parsed.diagnostics if d.code == "missing-include")
        return Findings(missing=tuple(dict.fromkeys(m.split("`")[1] for m in headers)))
    count = sum(1 for _ in statements(kernel.body))
    seen = reasons(kernel, diagnostic)
    try:
        graph = build_stage_graph(kernel)
    except LiftError:
        return Findings(statements=count, changes=_changes(kernel, diagnostic), reasons=seen)
    stages = tuple(
        FoundStage(
            s.name, s.output, s.span.line, max([s.span.end_line, *(w.span.line for w in s.writes)])
        )
        for s in graph.order
    )
    around = [s for s in stages if s.line <= line <= s.last]
    failing = around[0].name if around else None
    return Findings(statements=count, stages=stages, failing=failing, reasons=seen)


def _changes(kernel: Kernel, diagnostic: Diagnostic) -> tuple[int, ...]:
    """Where the scalar that a `loop-carried` diagnostic is about changes inside of a loop."""
    from ..model.kernel import Assign, WhileLoop, statements

    if diagnostic.code != "loop-carried":
        return ()
    name = diagnostic.message.split(" ", 1)[0].strip("`")
    lines = {
        inside.span.line
        for stmt in kernel.body
        for loop in statements((stmt,))
        if isinstance(loop, WhileLoop)
        for inside in statements(loop.body)
        if isinstance(inside, Assign) and inside.name == name
    }
    return tuple(sorted(lines))


def find_declaration(question: Question, message: str) -> str | None:
    """How the file declares the function that `message` names in backquotes."""
    from ..parse.declared import declaration_of

    name = message.partition("`")[2].partition("`")[0]
    flags = question.flags
    if not name:
        return None
    return declaration_of(
        question.path,
        name,
        std=flags.std,
        include_dirs=flags.includes,
        defines=flags.defines,
        clang_args=flags.clang_arguments,
    )
