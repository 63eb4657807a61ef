"""Records made by hand: one of each kind of function that a page has to show."""

from __future__ import annotations

from dataclasses import replace

from lifter.bench import Figure, Figures
from lifter.model.counterexample import CounterexampleTables, ValueTable
from lifter.model.diagnostic import Diagnostic, Span
from lifter.model.record import ObligationRecord, PreconditionRecord, Record, StageRecord
from lifter.report import Collection, PageEntry

SOURCE = """void invert(uint8_t *dst, const uint8_t *src, int n) {
    // every pixel
    for (int x = 0; x < n; x++)
        dst[x] = 255 - src[x];
}"""
PROGRAM = '''"""invert, lifted from a.cpp."""

import compiler as hl


def invert():
    x = hl.Var("x")
    return [src], [dst]
'''
SECONDS = {"parse": 0.01, "roi": 0.02, "terminals": 0.0, "expression": 0.0, "verify": 0.5,
           "total": 0.53}  # fmt: skip


def proved(name: str = "invert", file: str = "src/a.cpp", line: int = 10) -> Record:
    """A proved function with a precondition, one stage and three obligations."""
    return Record(
        name=name,
        file=file,
        line=line,
        signature="void (uint8_t *, const uint8_t *, int)",
        status="proved",
        params=(
            {"name": "dst", "type": "uint8_t *", "role": "out"},
            {"name": "src", "type": "const uint8_t *", "role": "in"},
            {"name": "n", "type": "int", "role": "scalar"},
        ),
        warnings=(Diagnostic("signed-overflow", "warning", "n + 1 may overflow"),),
        preconditions=(PreconditionRecord("n < 4096", "formula", "assert"),),
        stages=(
            StageRecord(
                "dst", "dst", "pure", (("0", "n"),), ("src(x)",), "dst(x) = u8(255 - src(x))"
            ),
        ),
        obligations=(
            ObligationRecord("coverage", "dst", "0 <= i0 < n", "proved", "z3", 0.0123),
            ObligationRecord(
                "unique", "dst", f"the store at line {line + 3} is one", "proved", "structural", 0.0
            ),
            ObligationRecord(
                "value", "dst", f"line {line + 3}: 255 - src[i0]", "proved", "complete", 0.2
            ),
        ),
        seconds=SECONDS,
        folder=f"a/{name}",
        files=("pipeline.py", "summary.json", "proof/01-coverage-dst.smt2"),
        source=SOURCE,
    )


def refuted(name: str = "smear", file: str = "src/a.cpp", line: int = 40) -> Record:
    """A function whose closest candidate has a counterexample."""

    def table(values: tuple[int, ...]) -> ValueTable:
        return ValueTable("dst", "uint8", ("x",), (0,), (3,), values)

    data = CounterexampleTables(
        {"n": 3}, (table((1, 2, 3)),), table((7, 8, 9)), table((7, 5, 9)), (1,), 1
    )
    span = Span(file, line + 3, 9, line + 3, 15)
    return replace(
        proved(name, file, line),
        status="failed",
        diagnostic=Diagnostic(
            "refuted", "error", "the summary isn't `dst`", span, ("with n = 3",), "look at it"
        ),
        obligations=(ObligationRecord("value", "dst", "7 = 5", "refuted", None, 0.01),),
        counterexample="with n = 3",
        counterexample_data=data.to_json(),
        folder=None,
        files=(),
        preconditions=(),
    )


def unproved(name: str = "slow", file: str = "src/b.cpp", line: int = 5) -> Record:
    return replace(
        refuted(name, file, line),
        status="unproved",
        diagnostic=Diagnostic("undecided", "error", "no verdict in time"),
        counterexample=None,
        counterexample_data=None,
    )


def skipped(name: str = "main", file: str = "src/b.cpp", line: int = 90) -> Record:
    return Record(
        name,
        file,
        line,
        "int ()",
        "skipped",
        diagnostic=Diagnostic("not-a-kernel", "note", "it has no array"),
    )


def collection(*records: Record, speed: float | None = 3.5) -> Collection:
    """The records by place; those that are proved have a program and, with `speed`, a figure."""
    entries, figures = [], []
    for record in sorted(records, key=lambda r: (r.file, r.line, r.name)):
        program, figure = "", None
        if record.status == "proved":
            program = PROGRAM
            if speed is not None:
                figure = Figure(record.name, record.folder or "", True, 24, 7.0, 2.0, speed, None)
                figures.append(figure)
        entries.append(PageEntry(record, program, figure))
    measured = Figures((640, 480), 1, "a processor", tuple(figures)) if figures else None
    return Collection(tuple(entries), measured, ())


def one_of_each() -> Collection:
    return collection(proved(), refuted(), unproved(), skipped())
