"""A run: parses files, lifts their kernels in child processes, and tells what happens as it does.

The driver prints nothing. `Run.events()` yields what a person or a report wants to know, in the
order in which it happens; the command line turns that into text, a bar, or one JSON document.
"""

from __future__ import annotations

import difflib
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Literal

from .assumptions import check_assumptions, unused_assumption
from .cache import Cache
from .diagnostic import Diagnostic, LiftError
from .last_run import recall, remember
from .one_function import forget, lift_one
from .options import CACHE_FOLDER, RunOptions
from .record import Record, failure, record_of, record_of_skipped
from .sources import Source, find_sources
from .workers import Outcome, Pool, Task

if TYPE_CHECKING:
    from .parse import Kernel, ParsedFile

_TICK = 0.2
_GRACE = 1.0
"""Seconds beyond the time limit in which a function may still report by itself."""


@dataclass(frozen=True, slots=True)
class Found:
    """The files of the run."""

    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Parsed:
    """One file was read: `functions` of it are in the run; the diagnostics are about the file."""

    file: str
    functions: int
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """One function is done, now or (`cached`) in an earlier run."""

    record: Record
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """Something is wrong with the run as a whole, not with one file."""

    diagnostic: Diagnostic


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing new: `running` is at work."""

    running: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Stopped:
    """The run was interrupted; `left` functions and files were not done."""

    signal: int
    left: int


Event = Found | Parsed | Finished | Problem | Waiting | Stopped


@dataclass(frozen=True, slots=True)
class _Job:
    """What the pool's outcomes are known by."""

    kind: Literal["parse", "lift"]
    source: Source
    kernel: Kernel | None = None
    key: str = ""


class Run:
    """One run of `lift PATH...`; see `events`."""

    def __init__(self, options: RunOptions, again: bool = False) -> None:
        """With `again`, the run is of one file and takes the options that its last run had."""
        self._again = again
        self._options = options
        self._pool = Pool(options.jobs)
        self._cache: Cache
        self._signal = 0
        self._names: set[str] = set()
        self._matched: set[str] = set()
        self._assumed: set[str] = set()
        self._left = 0
        self._partials: Path | None = None

    def events(self) -> Iterator[Event]:
        """Runs it all. Raises `LiftError` before any work when the run can't begin.

        While it runs, SIGINT and SIGTERM end it cleanly: what is finished is kept.
        """
        sources, problems = find_sources(self._options.paths)
        if self._again and sources:
            self._options, sources[0] = recall(self._options, sources[0])
        self._check_inputs()
        self._cache = Cache(self._options)
        self._partials = _scratch_folder(self._options.out)
        if not self._again:
            remember(self._options, sources)
        previous = self._catch_signals()
        try:
            for problem in problems:
                yield Problem(problem)
            yield Found(tuple(s.path for s in sources))
            for source in sources:
                self._submit_parse(source)
            if sources:
                _import_parser()
                self._pool.start()
                _import_rooms()  # while the first files are being parsed
            while self._pool.busy and not self._signal:
                yield Waiting(tuple(self._pool.labels))
                for outcome in self._pool.wait(_TICK):
                    yield from self._take(outcome)
            if self._signal:
                yield Stopped(self._signal, self._left)
            else:
                yield from map(Problem, self._unmatched_names())
                for text in self._options.assumptions:
                    if text not in self._assumed:
                        yield Problem(unused_assumption(text))
        finally:
            self._pool.stop()
            shutil.rmtree(self._partials, ignore_errors=True)
            self._cache.tidy()
            for number, handler in previous.items():
                signal.signal(number, handler)

    def _check_inputs(self) -> None:
        for kind, files in (("model", self._options.models), ("grammar", self._options.grammars)):
            for file in files:
                if not file.is_file():
                    message = f"{file}: no such {kind} file"
                    raise LiftError(Diagnostic("file-missing", "error", message))
        check_assumptions(self._options.assumptions)
        if self._options.grammars:
            from .synth import load_grammar

            load_grammar(self._options.grammars)

    def _catch_signals(self) -> dict[int, Any]:
        if threading.current_thread() is not threading.main_thread():
            return {}

        def stop(number: int, _frame: FrameType | None) -> None:
            if self._signal:  # the second time somebody means it
                self._pool.stop()
                os._exit(128 + number)
            self._signal = number

        return {n: signal.signal(n, stop) for n in (signal.SIGINT, signal.SIGTERM)}

    def _submit_parse(self, source: Source) -> None:
        self._left += 1
        self._pool.submit(
            Task(
                label=source.path,
                call=lambda: _parse(source.path, self._options),
                tag=_Job("parse", source),
                limit=self._options.timeout + _GRACE,
            )
        )

    def _take(self, outcome: Outcome) -> Iterator[Event]:
        self._left -= 1
        job: _Job = outcome.task.tag
        if job.kind == "parse":
            yield from self._take_parsed(job.source, outcome)
        else:
            yield self._take_lifted(job, outcome)

    def _take_parsed(self, source: Source, outcome: Outcome) -> Iterator[Event]:
        if outcome.kind != "done":
            yield Parsed(source.path, 0, (self._lost(outcome, source.path, "parsing it"),))
            return
        if isinstance(outcome.value, Diagnostic):
            yield Parsed(source.path, 0, (outcome.value,))
            return
        parsed: ParsedFile = outcome.value
        aside = [record_of_skipped(s, "skipped") for s in parsed.skipped if self._wants(s.name)]
        aside += [record_of_skipped(s, "failed") for s in parsed.failed if self._wants(s.name)]
        kernels = [k for k in parsed.kernels if self._wants(k.name, k.qualified_name)]
        yield Parsed(source.path, len(aside) + len(kernels), parsed.diagnostics)
        for record in aside:
            forget(self._options.out / source.folder / record.name)
            yield Finished(record)
        share = outcome.seconds / max(1, len(parsed.kernels))
        tasks = []
        for kernel in kernels:
            self._assumed.update(a.text for a in kernel.preconditions)
            key = self._cache.key(kernel, source.folder)
            known = self._cache.find(key)
            if known is not None:
                yield Finished(known, cached=True)
            else:
                tasks.append(self._lift_task(kernel, source, key, share))
        # Functions go before files that are still to be parsed: results come early, in file order.
        for task in reversed(tasks):
            self._pool.submit_first(task)
        self._left += len(tasks)

    def _wants(self, *names: str) -> bool:
        self._names.update(names)
        matched = {n for n in names if n in self._options.functions}
        self._matched |= matched
        return bool(matched) or not self._options.functions

    def _lift_task(self, kernel: Kernel, source: Source, key: str, share: float) -> Task:
        assert self._partials is not None
        partial = self._partials / key
        return Task(
            label=kernel.name,
            call=lambda: lift_one(kernel, self._options, source.folder, partial, share),
            tag=_Job("lift", source, kernel, key),
            limit=self._options.timeout + _GRACE,
        )

    def _take_lifted(self, job: _Job, outcome: Outcome) -> Finished:
        kernel = job.kernel
        assert kernel is not None
        if outcome.kind == "done":
            record: Record = outcome.value
        else:
            record = failure(
                _bare_record(kernel),
                replace(self._lost(outcome, kernel.name, "lifting it"), span=kernel.span),
                outcome.seconds,
            )
            forget(self._options.out / job.source.folder / kernel.name)
        self._cache.keep(job.key, record)
        return Finished(record)

    def _lost(self, outcome: Outcome, what: str, doing: str) -> Diagnostic:
        """Why a child didn't come back with a result."""
        if outcome.kind == "timeout":
            return Diagnostic(
                "timeout",
                "error",
                f"{what}: {doing} took longer than {self._options.timeout:g} s",
                help="give it more time with --timeout SECONDS",
                family="undecided",
            )
        what_kind, *where = outcome.text.strip().splitlines() or ["unknown"]
        return Diagnostic(
            "internal",
            "error",
            f"{what}: {doing} ended in an error of lift's own: {what_kind}",
            notes=("\n".join(["it came from", *where]),) if where else (),
            help="this is a bug in lift; the rest of the run isn't touched by it",
            family="internal",
        )

    def _unmatched_names(self) -> Iterator[Diagnostic]:
        for name in self._options.functions:
            if name in self._matched:
                continue
            near = difflib.get_close_matches(name, sorted(self._names), n=3)
            known = ", ".join(near) if near else None
            yield Diagnostic(
                "unknown-function",
                "error",
                f"--function {name}: no function of this name in the files of the run",
                help=f"did you mean {known}?" if known else "names are case sensitive",
            )


def _scratch_folder(out: Path) -> Path:
    """A fresh folder for half-written results; raises `LiftError` when `out` can't be written."""
    cache = out / CACHE_FOLDER
    try:
        cache.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix="partial-", dir=cache))
    except OSError as error:
        raise LiftError(
            Diagnostic(
                "output-folder",
                "error",
                f"{out}: can't write results here: {error.strerror or error}",
                help="name another folder with -o DIR",
            )
        ) from error


def _parse(path: str, options: RunOptions) -> ParsedFile | Diagnostic:
    """Parses one file, in a child process."""
    from .parse import parse_file

    try:
        return parse_file(
            path,
            std=options.std,
            include_dirs=options.includes,
            defines=options.defines,
            clang_args=options.clang_arguments,
            models=options.models,
            assumptions=options.assumptions,
        )
    except LiftError as error:
        return error.diagnostic


def _import_parser() -> None:
    """Loads what every parsing child needs, once, so that children share it and start at once."""
    from . import parse  # noqa: F401


def _import_rooms() -> None:
    """Loads what every lifting child needs."""
    from . import emit, lift_function  # noqa: F401


def _bare_record(kernel: Kernel) -> Record:
    from .lifted import FunctionResult

    return record_of(
        FunctionResult(kernel.name, kernel.span, kernel.signature, "failed", kernel=kernel)
    )
