"""What a user can do about one failure: concrete lines to write and commands to run.

What was tried says so ("tried: ..."); everything else is the code's general ways out.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..batch.headers import folder_with
from ..model.codes import all_codes
from ..model.record import Record
from ..show.terminal import shorten
from .investigate import Findings, rule_of
from .question import Question


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to do, and the lines to write or to run for it."""

    text: str
    lines: tuple[str, ...] = ()


def advice(record: Record, findings: Findings, question: Question, out: Path) -> list[Advice]:
    """The most concrete first. `out` is the folder of the run's results."""
    diagnostic = record.diagnostic
    if diagnostic is None:
        return []
    again = f"lift {shlex.quote(record.read_from)} --function {shlex.quote(record.name)}"
    if out != Path("lifted"):
        again += f" -o {shlex.quote(str(out))}"
    found = [*_assumption(record, findings, again), *_rule(record, findings, again)]
    match diagnostic.code:
        case "unmodelled-call":
            found += _model(findings, again)
        case "timeout":
            found += _longer(record, again)
    found += _includes(findings.missing, question, again)
    if diagnostic.code != "loop-carried":
        found += map(Advice, findings.reasons)
    found = found or list(_about(record))
    if found:
        return found
    code = all_codes().get(diagnostic.code)
    ways = list(code.ways_out) if code is not None else []
    if diagnostic.help and not any(_says(way, diagnostic.help) for way in ways):
        ways.insert(0, diagnostic.help)
    return [Advice(way) for way in ways]


def _says(way: str, help: str) -> bool:
    """Whether `way` has all words of `help` but for a few."""
    words = set(re.findall(r"\w+", help.lower()))
    return len(words - set(re.findall(r"\w+", way.lower()))) <= len(words) // 3


def _about(record: Record) -> Iterator[Advice]:
    """Advice by the claim that failed."""
    failed = [o for o in record.obligations if o.verdict == "refuted"]
    if failed and failed[-1].name == "induction" and " fits " in failed[-1].text:
        what = shorten(failed[-1].text, 80)
        yield Advice(
            f"a number leaves the range of its type for some inputs ({what}): use a wider or a "
            "signed type, or rule those inputs out with an assert or --assume"
        )
    elif failed and failed[-1].name == "unique":
        yield Advice(
            "two iterations of the loops may store to the same element; only sums into it are "
            "understood then. If they never meet, say why, as in --assume 'cols <= rowBytes'; if "
            "only the last iteration counts, run the loops over the elements instead"
        )


def _assumption(record: Record, findings: Findings, again: str) -> Iterator[Advice]:
    for condition in findings.trials.holding if findings.trials else ():
        yield Advice(
            f"If every caller keeps {condition}, say so (tried: with it, the function is proved). "
            f"Either write it above the function (line {record.line}), or give it as an option:",
            (f"// lift: assume({condition})", f"{again} --assume {shlex.quote(condition)}"),
        )


def _rule(record: Record, findings: Findings, again: str) -> Iterator[Advice]:
    rule = rule_of(record.diagnostic) if record.diagnostic is not None else None
    if rule is None:
        return
    seen = " (tried: with it, the function is proved)" if findings.rule_helps else ""
    yield Advice(
        f"Let the search use this form: put the rule into a file and name it{seen}:",
        ("# wider.grammar", rule, f"{again} --grammar wider.grammar"),
    )


def _model(findings: Findings, again: str) -> Iterator[Advice]:
    if findings.declaration is None:
        return
    yield Advice(
        "Write what the function computes as plain C++, in a file of its own (a \"model\"), and "
        "name it. A model depends on its arguments alone; where the real one keeps a state, pass "
        "its results as a parameter instead.",
        ("// model.cpp", findings.declaration, "{", "    // what it computes, e.g. return ...;",
         "}", f"{again} --model model.cpp"),
    )  # fmt: skip


def _longer(record: Record, again: str) -> Iterator[Advice]:
    spent = max(60.0, record.seconds.get("total", 0.0))
    yield Advice("Give it more time:", (f"{again} --timeout {4 * spent:.0f}",))


def _includes(headers: tuple[str, ...], question: Question, again: str) -> Iterator[Advice]:
    near = {h: folder_with(h, Path(question.path).absolute().parent) for h in headers}
    for header, folder in near.items():
        if folder is None:
            yield Advice(
                f"the header {header} is missing: name the folder that it is in with -I DIR"
            )
    found = dict.fromkeys(str(folder) for folder in near.values() if folder is not None)
    if found:
        names = " and ".join(h for h, folder in near.items() if folder is not None)
        options = " ".join(f"-I {shlex.quote(folder)}" for folder in found)
        yield Advice(f"Name the folder that {names} is in:", (f"{again} {options}",))
