"""`lift explain`: a function's whole story, the functions of a file, or the page of a code."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..batch.driver import FileParsed, Finished, Problem, Run, Stopped
from ..batch.store import last_settings, records_of
from ..model.codes import Code, all_codes
from ..model.diagnostic import Diagnostic, LiftError
from ..model.record import Record
from ..settings.options import RunOptions
from ..show.terminal import STATUSES, WIDTH, paint, shorten
from ..show.visible import visible_line

if TYPE_CHECKING:
    from ..model.kernel import ParsedFile
    from ..settings.flags import Flags
    from . import Question


def explain_code(name: str) -> str | None:
    """The page entry of the code `name`; None when there is no such code."""
    code = all_codes().get(name)
    return code_to_text(code) if code else obligation_to_text(name)


def obligation_to_text(name: str) -> str | None:
    """What a kind of obligation claims; None when there is no such kind."""
    from . import OBLIGATIONS

    if name not in OBLIGATIONS:
        return None
    lines = [paint(name, bold=True) + "  (an obligation: one claim of a proof)", ""]
    lines += textwrap.wrap(f"It says: {OBLIGATIONS[name]}.", WIDTH)
    lines += ["", *textwrap.wrap(_REFUTED[name], WIDTH)]
    others = ", ".join(o for o in OBLIGATIONS if o != name)
    lines += [
        "",
        *textwrap.wrap(f"The others are {others}; docs/proofs.md has the argument.", WIDTH),
    ]
    return "\n".join(lines)


_REFUTED = {
    "coverage": "Where it is refuted, the loops write elements outside of the box that was found, "
    "or leave some of it out. Undecided, how far they run is hard to say: state sizes with "
    "--assume.",
    "unique": "Where it is refuted, two iterations may write one element, as rows do that overlap "
    "when the stride is smaller than the width: state `cols <= rowBytes`.",
    "reads": "Where it is refuted, the original reads another element than the formula does.",
    "value": "Where it is refuted, there is an input on which the formula gives another number; it "
    "is shown.",
    "frame": "Where it is refuted, an iteration reads what an earlier one has overwritten, as "
    "`d[i] = d[i - 1]` does.",
    "induction": "Where it is refuted, a counter leaves the range of its type, or moves otherwise "
    "than was found.",
    "order": "Where it is refuted, the order of the updates decides the result.",
    "compose": "Where it is refuted, a stage reads elements that no stage before it has written.",
    "vacuity": "Where it is refuted, the assumptions contradict each other, or nothing is ever "
    "stored: anything would be true then.",
}
"""What follows where an obligation doesn't hold."""


def code_to_text(code: Code) -> str:
    """An entry of the closed list, as `lift explain CODE` shows it."""
    lines = [paint(code.name, bold=True) + f"  (from {code.room})", ""]
    lines += textwrap.wrap(code.meaning, WIDTH)
    lines += ["", "example:", textwrap.indent(code.example, "    ")]
    lines += ["", "ways out:"]
    for way in code.ways_out:
        lines += textwrap.wrap(way, WIDTH, initial_indent="  * ", subsequent_indent="    ")
    return "\n".join(lines)


def explain_function(file: str, function: str, out: Path) -> str:
    """Why `function` of `file` failed, or how it was proved, with the options of its last run.

    Lifts the function unless the store in `out` has it. Raises `LiftError` when there is no such
    function or file.
    """
    from . import investigate, tell

    records, problems = _lifted(file, function, out)
    if not records:
        errors = [d for d in problems if d.severity == "error"]
        raise LiftError(_not_found(file, function, errors[0]))
    whole = next((r for r in records if r.regions), None)
    if whole is not None:
        return _loop_by_loop(whole, records)
    # A file may be built in several configurations: the one that fails is what is asked about.
    record = next((r for r in records if r.status != "proved"), records[0])
    question = _question(record, out)
    failed = record.status in ("failed", "unproved")
    told = tell(record, out, investigate(question, record) if failed else None, question)
    if len(records) > 1:
        told += f"\n\nThe file is built in {len(records)} configurations: "
        told += ", ".join(r.status for r in records)
    return told


def _loop_by_loop(whole: Record, records: Sequence[Record]) -> str:
    """A function whose loops are lifted by themselves: a line for each."""
    place = visible_line(f"{whole.file}:{whole.line}")
    head = f"{paint(whole.name, bold=True)}: {whole.status}   {place}"
    count = len(whole.regions)
    few = (
        f"{whole.proved_regions} of {count} loops are proved; as a whole the function isn't lifted"
    )
    parts = {r.name: r for r in records}
    rows = [_row(*_ended(parts[n], parts[n].line)) for n in whole.regions if n in parts]
    open_ones = [n for n in whole.regions if n in parts and parts[n].status != "proved"]
    one = (*open_ones, *whole.regions)[0]
    more = f"lift explain '{visible_line(whole.file)}:{one}' tells the story of one"
    why = _why_not_as_a_whole(whole)
    return "\n".join([head, f"  {whole.signature}", "", few, *why, *rows, "", more])


def _why_not_as_a_whole(whole: Record) -> list[str]:
    """What is in the way of a function whose loops are lifted by themselves."""
    found = whole.as_a_whole
    if found is None:
        return []
    place = "" if found.span is None else f"line {found.span.line}: "
    return textwrap.wrap(
        visible_line(f"{place}{_one_line(found)}"),
        WIDTH,
        initial_indent="  since ",
        subsequent_indent="        ",
    )


def _lifted(file: str, function: str, out: Path) -> tuple[list[Record], list[Diagnostic]]:
    records: list[Record] = []
    problems: list[Diagnostic] = []
    flags = _flags(file, out)
    options = RunOptions(
        (file,), out, flags.std, flags.includes, flags.defines, flags.clang_arguments, (function,),
        flags.models, assumptions=flags.assumptions,
    )  # fmt: skip
    for event in Run(options, again=True).events():
        match event:
            case Finished(found, cached):
                records.append(found)
                if not cached and not found.regions:
                    print(f"lift: {visible_line(found.name)} was lifted anew", file=sys.stderr)
            case FileParsed(_, _, diagnostics):
                problems += diagnostics
            case Problem(diagnostic):
                problems.append(diagnostic)
            case Stopped():
                raise KeyboardInterrupt
            case _:
                pass
    return records, problems


def _not_found(file: str, function: str, error: Diagnostic) -> Diagnostic:
    if error.code != "unknown-function":
        return error
    known = error.help if error.help and error.help.startswith("did you mean") else None
    return replace(
        error,
        message=f"{visible_line(file)} has no function `{visible_line(function)}`",
        help=known or f"lift explain {visible_line(file)} lists its functions",
    )


def _question(record: Record, out: Path) -> Question:
    from . import Question

    file = record.read_from
    settings = last_settings(out, file)
    grammars = settings[0][2]["grammars"] if settings else []
    return Question(file, record.name, _flags(file, out), tuple(map(Path, grammars)))


def _flags(file: str, out: Path) -> Flags:
    """How the file was read last: as the store says, or, where only results were committed, their
    summaries."""
    from ..checking.committed import committed_folders, read_committed
    from ..settings.flags import Flags

    try:
        settings = last_settings(out, file)
    except LiftError:
        settings = []
    if settings:
        return settings[0][1]
    here = Path(file).resolve()
    for committed in map(read_committed, committed_folders(out)):
        if committed.problem is None and Path(committed.file).resolve() == here:
            return committed.flags
    return Flags()


def _resolved(path: str) -> Path | None:
    return Path(path).resolve() if path else None


def explain_file(file: str, out: Path) -> str:
    """The functions of `file`, a line each: how its last run into `out` ended.

    Functions that no run has seen are told as `new`. Raises `LiftError` when the file can't be
    read.
    """
    from .investigate import answers_of

    flags = _flags(file, out)
    # In a child process: the file may crash the parser.
    parsed = answers_of({"parsed": partial(_parsed, file, flags)}).get("parsed")
    if parsed is None:
        message = f"{visible_line(file)}: reading it took too long, or crashed the parser"
        raise LiftError(Diagnostic("timeout", "error", message, family="undecided"))
    if isinstance(parsed, Diagnostic):
        raise LiftError(parsed)
    here = Path(file).resolve()
    known = {r.name: r for r in records_of(out) if here in map(_resolved, (r.file, r.unit))}
    rows: list[tuple[int, str, str, str]] = []
    for kernel in parsed.kernels:
        record, line = known.get(kernel.name), kernel.span.line
        new = (line, "new", kernel.name, "not lifted yet")
        rows.append(new if record is None else _ended(record, line))
    for group, status in ((parsed.failed, "failed"), (parsed.skipped, "skipped")):
        rows += [
            _ended(known[s.name], s.span.line)
            if (s.callers or s.regions) and s.name in known
            else (s.span.line, status, s.name, _one_line(s.diagnostic))
            for s in group
        ]
    rows.sort()
    lines = [_row(*row) for row in rows] or ["there is no function in it"]
    counts = [(s, sum(row[1] == s for row in rows)) for s in (*STATUSES, "new")]
    total = ", ".join(f"{n} {s}" for s, n in counts if n)
    more = f"lift explain {visible_line(file)}:FUNCTION tells the story of one of them"
    return "\n".join([*lines, "", *([total] if total else []), more])


def _ended(record: Record, line: int) -> tuple[int, str, str, str]:
    """A line about a function's last run: what it became, or why not."""
    message = _one_line(record.diagnostic)
    if record.regions:
        message = f"{record.proved_regions} of {len(record.regions)} loops proved"
    elif record.status == "proved" and record.stages:
        message = record.stages[-1].definition
    return line, record.status, record.name, message


def _parsed(file: str, flags: Flags) -> ParsedFile | Diagnostic:
    from ..settings.flags import parse_source

    try:
        return parse_source(file, flags)
    except LiftError as error:
        return error.diagnostic


def _one_line(diagnostic: Diagnostic | None) -> str:
    return f"{diagnostic.message} [{diagnostic.code}]" if diagnostic else ""


def _row(line: int, status: str, name: str, message: str) -> str:
    colour = {"proved": "green", "failed": "red", "unproved": "yellow"}.get(status)
    head = f"{line:6}  {status:8}  {name:24}  "
    shown = shorten(visible_line(message), max(20, WIDTH - len(head)))
    return f"{line:6}  {paint(f'{status:8}', colour)}  {name:24}  {shown}".rstrip()
