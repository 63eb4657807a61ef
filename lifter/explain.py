"""`lift explain`: a function's whole story, or the page of a code."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

from .codes import Code, all_codes
from .diagnostic import Diagnostic, LiftError
from .driver import Finished, Parsed, Problem, Run, Stopped
from .options import RunOptions
from .record import ObligationRecord, Record, StageRecord
from .show import WIDTH, diagnostic_to_text, paint, shorten, wrapped

_ORIGINS = {
    "assert": "an assert in the source",
    "comment": "a `lift: assume` comment in the source",
    "option": "--assume",
    "inferred": "inferred: the proof needs it, nothing in the source says it",
}


def explain_code(name: str) -> str | None:
    """The page entry of the code `name`; None when there is no such code."""
    code = all_codes().get(name)
    return code_to_text(code) if code else None


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

    Lifts the function unless the cache in `out` has it. Raises `LiftError` when there is no such
    function or file.
    """
    options = RunOptions((file,), out, functions=(function,))
    record: Record | None = None
    problems: list[Diagnostic] = []
    for event in Run(options, again=True).events():
        match event:
            case Finished(found, cached):
                record = found
                if not cached:
                    print(f"lift: {function} was lifted anew", file=sys.stderr)
            case Parsed(_, _, diagnostics):
                problems += diagnostics
            case Problem(diagnostic):
                problems.append(diagnostic)
            case Stopped():
                raise KeyboardInterrupt
            case _:
                pass
    if record is None:
        errors = [d for d in problems if d.severity == "error"]
        raise LiftError(errors[0])
    return record_to_text(record, out)


def record_to_text(record: Record, out: Path) -> str:
    """All that is known of one function, whose files are below `out`."""
    parts = [_head(record)]
    if record.diagnostic is not None:
        parts.append(diagnostic_to_text(record.diagnostic))
        parts.append(f"  `lift explain {record.diagnostic.code}` says what the code means")
    if record.stages:
        title = "stages" if record.status == "proved" else "best candidate"
        parts.append(_section(title, "\n".join(map(_stage, record.stages))))
    noted = record.diagnostic.notes if record.diagnostic else ()
    if record.counterexample and record.counterexample not in noted:
        parts.append(_section("counterexample", record.counterexample))
    if record.preconditions:
        lines = [f"{p.text:34}  {_ORIGINS[p.origin]}" for p in record.preconditions]
        parts.append(_section("assumes", "\n".join(lines)))
    if record.obligations:
        parts.append(_obligations(record))
    parts += [diagnostic_to_text(warning) for warning in record.warnings]
    spent = ", ".join(f"{step} {s:.2f}" for step, s in record.seconds.items() if step != "total")
    if record.seconds.get("total"):
        total = f"{record.seconds['total']:.2f} s"
        parts.append(_section("time", f"{total} ({spent})"))
    if record.folder:
        proofs = sum(file.startswith("proof/") for file in record.files)
        files = [file for file in record.files if not file.startswith("proof/")]
        told = f"{out / record.folder}/: {', '.join(files)}, proof/ ({proofs} certificates)"
        parts.append(_section("files", told))
    return "\n\n".join(parts)


def _head(record: Record) -> str:
    first = f"{paint(record.name, bold=True)}: {record.status}   {record.file}:{record.line}"
    lines = [first, f"  {record.signature}"]
    lines += [f"  {p['role']:6}  {p['type']} {p['name']}" for p in record.params]
    return "\n".join(lines)


def _section(title: str, text: str) -> str:
    return f"{paint(title, bold=True)}\n{textwrap.indent(text, '  ')}"


def _stage(stage: StageRecord) -> str:
    region = " x ".join(f"[{low}, {high})" for low, high in stage.roi) or "one point"
    lines = [f"{stage.name} ({stage.kind}) over {region}"]
    if stage.terminals:
        lines += wrapped("reads " + ", ".join(stage.terminals), "  ", " " * 6)
    lines += wrapped(stage.definition, "  ", "    ")
    return "\n".join(lines)


def _obligations(record: Record) -> str:
    by = ", ".join(f"{count} {decider}" for decider, count in record.proved_by.items() if count)
    proved = sum(o.verdict == "proved" for o in record.obligations)
    title = f"obligations: {proved} of {len(record.obligations)} proved{f' ({by})' if by else ''}"
    return _section(title, "\n".join(map(_obligation, record.obligations)))


def _obligation(obligation: ObligationRecord) -> str:
    head = (
        f"{obligation.verdict:9}  {obligation.name:9}  {obligation.by or '':10}  "
        f"{obligation.seconds:6.2f} s  {obligation.stage}: "
    )
    return head + shorten(obligation.text, max(30, WIDTH - 2 - len(head)))
