"""One function as the template shows it: plain strings, and HTML that was made and escaped here."""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup

from ..bench import Figure
from ..model.codes import Code, all_codes
from ..model.counterexample import SHOWN_CELLS, CounterexampleTables, ValueTable
from ..model.diagnostic import Diagnostic
from ..model.record import ObligationRecord, Record
from ..show.pictures import pictures_of, rectangles
from .collect import PageEntry
from .plain_text import address, anchor, cut, escaped, visible
from .stage_graph import region_of, stage_graph
from .tokens import coloured, numbered, without_indentation

ORIGINS = {
    "assert": "from an assert in the source",
    "comment": "from a comment in the source",
    "option": "from --assume",
    "inferred": "needed by the proof; the source doesn't say so",
}
DECIDERS = {
    "structural": "by structure",
    "z3": "by Z3",
    "complete": "by all inputs",
}
STEPS = {
    "parse": "parsing",
    "roi": "region",
    "terminals": "terminals",
    "expression": "expression",
    "verify": "proof",
}
_COLUMNS = 118
"""Of the list of obligations."""
_LONGEST = {"source": 200_000, "definition": 1200, "obligation": 400, "note": 8000}
"""Characters of a text that are shown: a definition without names may take megabytes."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The place of a diagnostic: the lines there, and what is marked in the first of them."""

    place: str
    number: int
    before: str
    marked: str
    after: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a function isn't proved."""

    diagnostic: Diagnostic
    notes: tuple[str, ...]
    excerpt: Excerpt | None
    code: Code | None


@dataclass(frozen=True, slots=True)
class Proven:
    """The obligations that one decider settled, one a line."""

    decider: str
    count: int
    text: Markup


@dataclass(frozen=True, slots=True)
class Grid:
    """A counterexample's array: titles of columns and rows, and cells with their classes."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    cut: int
    """Elements that aren't shown."""


@dataclass(frozen=True, slots=True)
class FunctionView:
    """What the template needs of a function."""

    id: str
    record: Record
    explain: str
    """The command that tells its story."""
    place: str
    """Its file's last name, and the line."""
    figure: Figure | None
    has_times: bool
    source: Markup
    program: Markup
    graph: Markup | None
    stages: tuple[tuple[str, str, str, Markup], ...]
    """Output, kind, region, definition."""
    failure: Failure | None
    warnings: tuple[Failure, ...]
    """But for those that say what is assumed, which `record.preconditions` tell better."""
    open_obligations: tuple[ObligationRecord, ...]
    """Those that aren't proved."""
    proven: tuple[Proven, ...]
    counterexample: CounterexampleTables | None
    inputs: tuple[Grid, ...]
    results: tuple[Grid, ...]
    pictures: tuple[tuple[str, Markup, int, int, int], ...]
    """Title, elements of an SVG, its columns and rows, and a pixel's size."""
    files: tuple[tuple[str, str], ...]
    """Names and addresses."""
    steps: tuple[tuple[str, float], ...]
    regions: tuple[tuple[str, str], ...]
    """Of a function that is lifted loop by loop: the names of its loops, and their ids."""

    @property
    def code(self) -> str:
        return self.failure.diagnostic.code if self.failure else ""

    @property
    def seconds(self) -> float:
        return self.record.seconds.get("total", 0.0)


class FunctionViews:
    """Makes views whose ids are unique in one page, of what was lifted into `directory`.

    `root` is the address of that folder.
    """

    def __init__(self, root: str, directory: str) -> None:
        self._root = root
        self._out = "" if directory == "lifted" else f" -o {shlex.quote(directory)}"
        self._taken: set[str] = set()

    def view(self, entry: PageEntry) -> FunctionView:
        record = entry.record
        file = record.file
        own_id = self._unique(
            anchor(file, record.name), anchor(file, record.name, str(record.line))
        )
        source = cut(record.source, _LONGEST["source"])
        text = without_indentation(source) if source.strip() else ""
        lines = coloured(text, "c++") if text else []
        numbers = range(record.line, record.line + len(lines))
        ids = {n: self._line_id(file, n, own_id) for n in numbers}

        def linked(told: str) -> Markup:
            return _linked(told, ids)

        counterexample = _counterexample(record)
        return FunctionView(
            own_id,
            record,
            f"lift explain {shlex.quote(f'{file}:{record.name}')}{self._out}",
            f"{file.rpartition('/')[2]}:{record.line}",
            entry.figure,
            entry.has_times,
            numbered(lines, list(ids.values())),
            _program(entry.program),
            stage_graph(record),
            tuple((s.output, s.kind, region_of(s), _inline(s.definition)) for s in record.stages),
            _failure(record, record.diagnostic) if record.diagnostic else None,
            tuple(_failure(record, w) for w in record.warnings if w.code != "assumed"),
            tuple(o for o in record.obligations if o.verdict != "proved"),
            tuple(_proven(record, entry.has_times, linked)),
            counterexample,
            *_grids(counterexample),
            tuple(_pictures(counterexample)),
            tuple(self._files(record)),
            tuple((step, record.seconds.get(step, 0.0)) for step in STEPS),
            tuple((name, anchor(file, name)) for name in record.regions),
        )

    def _unique(self, wanted: str, otherwise: str) -> str:
        """`wanted`, or else `otherwise` with as many tildes as it takes."""
        name = wanted if wanted not in self._taken else otherwise
        while name in self._taken:
            name += "~"
        self._taken.add(name)
        return name

    def _line_id(self, file: str, line: int, own_id: str) -> str:
        """`file:line` where that is first shown; instances of a template share their lines."""
        return self._unique(anchor(file, str(line)), f"{own_id}:{line}")

    def _files(self, record: Record) -> list[tuple[str, str]]:
        if not record.folder:
            return []
        shown = [name for name in record.files if not name.startswith("proof/")]
        shown += ["proof/"] if len(shown) < len(record.files) else []
        return [(name, address(*filter(None, (self._root, record.folder)), name)) for name in shown]


def _program(text: str) -> Markup:
    text = cut(text.rstrip(), _LONGEST["source"])
    lines = coloured(text, "python") if text else []
    return numbered(lines, [""] * len(lines))


def _inline(text: str) -> Markup:
    return Markup("\n").join(coloured(cut(text, _LONGEST["definition"]), "python"))


def _linked(text: str, ids: dict[int, str]) -> Markup:
    """The text with links to the lines that it names, where the page has them."""
    parts, last = [], 0
    for found in re.finditer(r"\b(?:lines? |(?<=\d and ))(\d+)", text):
        target = ids.get(int(found[1])) if len(found[1]) < 10 else None
        if target is not None:
            parts.append(escaped(text[last : found.start()]))
            link = Markup("<a href=#{}>{}</a>")  # ids have nothing that ends an unquoted value
            parts.append(link.format(target, visible(found[0])))
            last = found.end()
    return Markup("").join([*parts, escaped(text[last:])])


def _failure(record: Record, diagnostic: Diagnostic) -> Failure:
    notes = tuple(cut(n, _LONGEST["note"]) for n in diagnostic.notes if not _is_data(record, n))
    return Failure(diagnostic, notes, _excerpt(record, diagnostic), _code(diagnostic.code))


def _is_data(record: Record, note: str) -> bool:
    """Whether a note is the counterexample as text, which the page shows as tables."""
    return record.counterexample_data is not None and note == record.counterexample


@cache
def _codes() -> dict[str, Code]:
    return all_codes()


def _code(name: str) -> Code | None:
    return _codes().get(name)


def _excerpt(record: Record, diagnostic: Diagnostic) -> Excerpt | None:
    """The line of the diagnostic, from the function's own text."""
    span = diagnostic.span
    if span is None:
        return None
    lines = record.source.split("\n")
    number = span.line - record.line
    here = lines[number] if span.file == record.file and 0 <= number < len(lines) else ""
    # The text begins where the function does; the first line lacks what stands before it.
    start, end = span.column - 1, span.end_column - 1
    if number == 0:
        missing = _first_column(record) - 1
        start, end = max(0, start - missing), max(0, end - missing)
    if span.end_line > span.line:
        end = len(here.rstrip())
    end = max(end, start + 1)
    return Excerpt(
        f"{span.file}:{span.line}:{span.column}",
        span.line,
        here[:start].expandtabs(4).lstrip(),
        here[start:end].expandtabs(4),
        here[end:].rstrip().expandtabs(4),
    )


def _first_column(record: Record) -> int:
    """Where the function's text begins in its line; 1 where nothing tells."""
    spans = (d.span for d in (record.diagnostic, *record.warnings) if d is not None)
    own = (s.column for s in spans if s is not None and s.line == record.line)
    return min(own, default=1)


def _proven(record: Record, has_times: bool, linked: Callable[[str], Markup]) -> Sequence[Proven]:
    """The proved obligations by decider, each with its stage (if there are several) and seconds."""
    found = []
    stages = {o.stage for o in record.obligations}
    for decider in dict.fromkeys((*DECIDERS, *(o.by or "" for o in record.obligations))):
        chosen = [
            o for o in record.obligations if o.verdict == "proved" and (o.by or "") == decider
        ]
        if not chosen:
            continue
        lines = []
        for obligation in chosen:
            head = f"{obligation.name:<10}"
            if len(stages) > 1:
                head += f"{visible(obligation.stage)}: "
            slow = has_times and obligation.seconds >= 0.001
            time = f"  {obligation.seconds:.3f} s" if slow else ""
            told = visible(cut(obligation.text, _LONGEST["obligation"]))
            lines += textwrap.wrap(
                head + told + time, _COLUMNS, subsequent_indent=" " * 10,
                break_long_words=False, break_on_hyphens=False,
            )  # fmt: skip
        found.append(Proven(decider, len(chosen), linked("\n".join(lines))))
    return found


def _counterexample(record: Record) -> CounterexampleTables | None:
    if record.counterexample_data is None:
        return None
    try:
        return CounterexampleTables.from_json(record.counterexample_data)
    except (KeyError, TypeError, ValueError, AttributeError):
        return None  # its text is shown instead


def _grids(
    counterexample: CounterexampleTables | None,
) -> tuple[tuple[Grid, ...], tuple[Grid, ...]]:
    """The inputs, and what the original and the candidate leave."""
    if counterexample is None:
        return (), ()
    first = counterexample.first
    different = frozenset(counterexample.differences())
    inputs = tuple(_grid(t, f"{t.name} before", first, frozenset()) for t in counterexample.inputs)
    output = counterexample.output
    results = (
        _grid(counterexample.original, f"{output} after, by the original", first, different),
        _grid(counterexample.candidate, f"{output} after, by the candidate", first, different),
    )
    return inputs, results


def _pictures(
    counterexample: CounterexampleTables | None,
) -> Iterator[tuple[str, Markup, int, int, int]]:
    """Each picture of the counterexample, some of the screen's pixels an element."""
    for picture in [] if counterexample is None else pictures_of(counterexample):
        size = max(6, min(24, 192 // max(picture.width, picture.height, 1)))
        shown = Markup(rectangles(picture))  # ours: numbers alone
        yield picture.title, shown, picture.width, picture.height, size


def _grid(
    table: ValueTable, title: str, first: tuple[int, ...], different: frozenset[tuple[int, ...]]
) -> Grid:
    """Up to two coordinates as columns and rows, around the first difference where it is in them.

    Of further coordinates the plane of the first difference is shown.
    """
    rank = len(table.coordinates)
    near = first if len(first) == rank else table.origin
    windows = [_window(*corner) for corner in zip(table.origin, table.extents, near, strict=True)]
    columns = windows[0] if rank > 0 else range(1)
    rows = windows[1] if rank > 1 else range(1)
    rest = tuple(
        window[0] if n not in window else n for window, n in zip(windows[2:], near[2:], strict=True)
    )
    made = []
    for y in rows:
        cells = []
        for x in columns:
            point = ((x, y)[:rank] if rank < 3 else (x, y)) + rest
            kind = "differs" if point in different else ""
            cells.append((table.text(table.at(*point)), kind))
        made.append((f"{table.coordinates[1]} = {y}" if rank > 1 else "", tuple(cells)))
    named = [f"{n} = {v}" for n, v in zip(table.coordinates[2:], rest, strict=True)]
    head = f"{title} ({', '.join([table.element, *named])})"
    total = len(table.values) + table.left_out
    titles = tuple(f"{table.coordinates[0]} = {x}" if x == columns[0] else str(x) for x in columns)
    return Grid(head, titles if rank else (), tuple(made), total - len(rows) * len(columns))


def _window(origin: int, extent: int, near: int) -> range:
    """At most `SHOWN_CELLS` places of a coordinate, `near` among them where it lies within."""
    start = max(origin, min(near - SHOWN_CELLS // 2, origin + extent - SHOWN_CELLS))
    return range(start, min(start + SHOWN_CELLS, origin + extent))
