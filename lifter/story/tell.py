"""A function's record and what was found out about it, as text for a terminal."""

from __future__ import annotations

import textwrap
from pathlib import Path

from ..model.counterexample import CounterexampleTables
from ..model.record import ObligationRecord, Record, StageRecord
from ..show.counterexample_text import counterexample_to_text
from ..show.terminal import WIDTH, diagnostic_to_text, paint, shorten, wrapped
from ..show.visible import visible, visible_line
from .advice import Advice, advice
from .cuts import Cut, Cuts
from .investigate import Findings
from .place import excerpt, line_of
from .question import Question
from .words import deciders_in_words, obligations_in_words, steps

_ORIGINS = {
    "assert": "an assert in the source",
    "comment": "a `lift: assume` comment in the source",
    "option": "--assume",
    "inferred": "inferred: the proof needs it, nothing in the source says it",
}
MESSAGE_LINES = 5
"""Lines of a message that are shown; what is proved of real code can fill pages."""
_MARKS = {"done": ("ok", "green"), "stopped": ("X ", "red"), "open": ("- ", None)}
_KINDS = {
    "pure": "each element by itself",
    "reduction": "updated in several iterations",
    "scan": "each element from those before it",
    "window": "each element by itself, as a sum over a window",
}


def tell(record: Record, out: Path, findings: Findings | None, question: Question) -> str:
    """All that is known of one function, whose files are below `out`."""
    parts = [_head(record)]
    if record.diagnostic is not None and findings is not None:
        parts += _failure(record, out, findings, question)
    elif record.diagnostic is not None:
        parts.append(diagnostic_to_text(record.diagnostic))
        parts.append(f"  `lift explain {record.diagnostic.code}` says what the code means")
    if record.status == "proved":
        parts += _proved(record)
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
        parts.append(_section("files", visible_line(told)))
    return "\n\n".join(parts)


def _head(record: Record) -> str:
    place = visible_line(f"{record.file}:{record.line}")
    first = f"{paint(record.name, bold=True)}: {record.status}   {place}"
    lines = [first, f"  {record.signature}"]
    lines += [f"  {p['role']:6}  {p['type']} {p['name']}" for p in record.params]
    return "\n".join(lines)


def _section(title: str, text: str) -> str:
    return f"{paint(title, bold=True)}\n{textwrap.indent(text, '  ')}"


def _failure(record: Record, out: Path, findings: Findings, question: Question) -> list[str]:
    parts = [_section("how far it came", "\n".join(_steps(record, findings)))]
    parts.append(_section("what stands in the way", "\n".join(_place(record, findings))))
    if record.stages and _has_candidate(record):
        words = "The formula that came closest, in the notation of the results:"
        candidate = record.stages[-1]
        parts.append(_section("best candidate", f"{words}\n{_stage(candidate)}"))
    if record.counterexample_data is not None:
        found = CounterexampleTables.from_json(record.counterexample_data)
        words = "The smallest input found on which original and candidate differ:"
        # Names in it are C++'s identifiers, numbers are ours: nothing acts on a terminal.
        parts.append(
            _section("counterexample", f"{words}\n{counterexample_to_text(found, WIDTH - 2)}")
        )
    elif record.counterexample:
        parts.append(_section("counterexample", visible(record.counterexample)))
    lines: list[str] = []
    for item in advice(record, findings, question, out):
        lines += _advice(item)
    assert record.diagnostic is not None
    lines.append(f"`lift explain {record.diagnostic.code}` says what the code means")
    parts.append(_section("what you can do", "\n".join(lines)))
    return parts


def _has_candidate(record: Record) -> bool:
    """Whether the last stage of the record is what failed, not one that was proved."""
    return (
        any(o.verdict != "proved" for o in record.obligations) or record.counterexample is not None
    )


def _steps(record: Record, findings: Findings) -> list[str]:
    lines = []
    for step in steps(record, findings):
        mark, colour = _MARKS[step.mark]
        text = textwrap.wrap(step.text, WIDTH - 8)
        lines.append(f"{paint(mark, colour)}  {text[0]}")
        lines += [f"      {line}" for line in text[1:]]
    return lines


def _place(record: Record, findings: Findings) -> list[str]:
    diagnostic = record.diagnostic
    assert diagnostic is not None
    place = f"{visible_line(str(diagnostic.span))}: " if diagnostic.span else ""
    head = f"{place}error: {visible(diagnostic.message)} [{diagnostic.code}]"
    lines = textwrap.wrap(
        head, WIDTH - 2, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    if len(lines) > MESSAGE_LINES:
        lines[MESSAGE_LINES - 1 :] = [f"  ... [{diagnostic.code}]"]
    if diagnostic.span:
        lines += excerpt(diagnostic.span, _last_line(findings, diagnostic.span.line))
    for note in diagnostic.notes:
        if not note.startswith("candidate:") and note != record.counterexample:
            lines += [f"note: {line}" for line in visible(note).splitlines()]
    for reason in findings.reasons if diagnostic.code == "loop-carried" else ():
        lines += textwrap.wrap(visible(reason), WIDTH - 2)
    for line in findings.changes:
        text = shorten(visible_line(line_of(record.file, line).strip()), WIDTH - 60)
        lines.append(f"the value for the next iteration is made here: line {line}  {text}")
    if findings.cuts is not None:
        lines += _cuts(findings.cuts, diagnostic.span.file if diagnostic.span else record.file)
    return lines


def _last_line(findings: Findings, line: int) -> int | None:
    """The end of the loop nest that begins at `line`, when that is what failed."""
    found = [s.last for s in findings.stages or () if s.line == line]
    return max(found, default=None)


def _cuts(cuts: Cuts, file: str) -> list[str]:
    if not cuts.helping:
        return []
    several = len(cuts.helping) > 1
    head = "Without one of these parts" if several else "Without this part"
    lines = [f"{head} the rest is proved ({_parts(cuts.tried)}):"]
    for cut in cuts.helping:
        text = line_of(file, cut.first).rstrip()
        if cut.first == cut.last and cut.end > cut.column:
            text = text[cut.column - 1 : cut.end - 1]
        lines.append(f"  {_lines_of(cut):12}  {shorten(visible_line(text.strip()), WIDTH - 20)}")
    return lines


def _parts(count: int) -> str:
    return "1 part was cut out" if count == 1 else f"{count} parts were cut out, one at a time"


def _lines_of(cut: Cut) -> str:
    return f"line {cut.first}" if cut.first == cut.last else f"lines {cut.first}-{cut.last}"


def _advice(item: Advice) -> list[str]:
    lines = textwrap.wrap(
        visible(item.text), WIDTH - 6, initial_indent="* ", subsequent_indent="  "
    )
    return [*lines, *(f"      {visible_line(line)}" for line in item.lines)]


def _proved(record: Record) -> list[str]:
    parts = [_section("stages", "\n".join(map(_stage, record.stages)))] if record.stages else []
    words = obligations_in_words(record)
    if words:
        lines = [
            f"Equal to the original for all inputs that satisfy what is assumed, since "
            f"{sum(int(n) for n, _ in words)} claims were proved ({deciders_in_words(record)}):",
        ]
        lines = textwrap.wrap(lines[0], WIDTH - 2)
        lines += [f"{count:>4} x  {text}" for count, text in words]
        lines.append("A second opinion, running both on small inputs, found no difference.")
        parts.append(_section("why this is believed", "\n".join(lines)))
    return parts


def _stage(stage: StageRecord) -> str:
    region = " x ".join(f"[{low}, {high})" for low, high in stage.roi) or "one point"
    kind = _KINDS.get(stage.kind)
    lines = [f"{stage.name} ({stage.kind}{f': {kind}' if kind else ''}) over {region}"]
    if stage.terminals:
        lines += wrapped("reads " + ", ".join(stage.terminals), "  ", " " * 6)
    lines += wrapped(stage.definition, "  ", "    ")
    return "\n".join(lines)


def _obligations(record: Record) -> str:
    """All of a proof; of one that failed only those that weren't proved."""
    shown = [o for o in record.obligations if record.status == "proved" or o.verdict != "proved"]
    by = ", ".join(f"{count} {decider}" for decider, count in record.proved_by.items() if count)
    proved = sum(o.verdict == "proved" for o in record.obligations)
    title = f"obligations: {proved} of {len(record.obligations)} proved{f' ({by})' if by else ''}"
    return _section(title, "\n".join(map(_obligation, shown)))


def _obligation(obligation: ObligationRecord) -> str:
    head = (
        f"{obligation.verdict:9}  {obligation.name:9}  {obligation.by or '':10}  "
        f"{obligation.seconds:6.2f} s  {obligation.stage}: "
    )
    return head + shorten(obligation.text, max(30, WIDTH - 2 - len(head)))
