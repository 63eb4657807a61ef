"""A run: parses files, lifts their kernels in other processes, and tells what happens as it does.

The driver prints nothing. `Run.events()` yields what a person or a report wants to know, in the
order in which it happens; the command line turns that into text, a bar, or one JSON document.

A result is kept in this order: its files (a folder moved as a whole), the store, the event. So a
stop at any moment leaves nothing half-written, and what was told is found again.
"""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sqlite3
import threading
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Literal

from ..lift.recorded import failure, record_of_skipped
from ..model.diagnostic import Diagnostic, LiftError
from ..model.kernel import (
    divides_beside_loops,
    has_a_loop_beside_stores,
    has_parts,
    place_among_regions,
    region_above,
    regions_above,
)
from ..model.record import Record
from ..settings.assumptions import check_assumptions, unused_assumption
from ..settings.options import RunOptions
from .agenda import Agenda
from .lift_prepared import Told, lift_prepared, told, unpacked
from .localize import localized
from .one_file import FileRead, Prepared, file_digest, file_stamp, read_file
from .one_function import Lifted, prepare
from .result_folder import ScratchFolder, forget, forget_regions
from .run_problems import (
    is_full,
    lost,
    out_of_order,
    source_changed,
    unmatched_names,
    unusable,
    unwritable,
)
from .sources import Source, find_sources
from .store import KeptResults, Limits, ResultStore, in_folder, last_settings, result_key
from .workers import Pool, Task, TaskOutcome, Workers

if TYPE_CHECKING:
    from ..model.kernel import Kernel, Skipped
    from ..model.lifted import Status
    from ..settings.flags import Flags
    from ..synth import GrammarText

_TICK = 0.2
_WORST = ("failed", "unproved", "proved")
_GRACE = 1.0
"""Seconds beyond the time limit in which a function may still report by itself."""


@dataclass(frozen=True, slots=True)
class FilesFound:
    """The files of the run."""

    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileParsed:
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
    """Nothing new: `running` is at work, and `share` of all work is done (from 0 to 1)."""

    running: tuple[str, ...]
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class Stopped:
    """The run was interrupted; `left` functions and files were not done."""

    signal: int
    left: int


Event = FilesFound | FileParsed | Finished | Problem | Waiting | Stopped


@dataclass(frozen=True, slots=True)
class _Job:
    """What the pool's outcomes are known by."""

    kind: Literal["parse", "lift"]
    source: Source
    alone: tuple[Skipped, ...] = ()
    """Helpers that are read as kernels of their own, or (one) that is lifted as one."""
    stamp: tuple[int, ...] = ()
    """Of the source file when it was read."""
    digest: str = ""
    prepared: Prepared | None = None
    key: str = ""
    split: tuple[str, ...] = ()
    """Functions and regions that are read as what they fall into."""

    @property
    def kernel(self) -> Kernel:
        assert self.prepared is not None
        return self.prepared.kernel

    @property
    def size(self) -> int:
        """An estimate of its work."""
        return self.prepared.size if self.prepared is not None else 0


@dataclass(slots=True)
class _Helpers:
    """Those of one file that were left to their callers, until all of these are finished."""

    held: list[Skipped]
    proved: dict[str, bool]
    """By name: functions and regions of the file that are finished."""
    left: set[str]
    """Those that aren't."""


def _may_fall_apart(record: Record, kernel: Kernel) -> bool:
    """Whether some of what isn't proved as a whole may be lifted by itself. (That a value was never
    set is told of the function: a loop by itself would take it for one that was.)"""
    if has_parts(kernel):
        return True
    is_unset = record.diagnostic is not None and record.diagnostic.code == "uninitialised"
    return not is_unset and (has_a_loop_beside_stores(kernel) or divides_beside_loops(kernel))


@dataclass(slots=True)
class _Whole:
    """A function, or a region, that isn't proved as a whole, until its parts are finished."""

    own: Finished
    left: int
    parts: list[Finished]
    is_read: bool = True
    """Whether it was tried as a whole; of a function that can't be read only the parts were."""
    helper: Skipped | None = None
    """What it is otherwise, where it was read as a kernel of its own since no caller is proved."""

    def outcome(self) -> list[Finished]:
        """What is told of it: itself alone where no part is proved; else its parts and, of a
        function, how many of them."""
        self.parts.sort(key=lambda p: place_among_regions(p.record.name))
        proved = sum(p.record.status == "proved" for p in self.parts)
        if not proved:
            return [self.own if self.is_read else self._by_its_loops()]
        if "#" in self.own.record.name:
            return self.parts
        worst = next(p.record for w in _WORST for p in self.parts if p.record.status == w)
        whole = replace(
            self.own.record,
            status=worst.status,
            diagnostic=worst.diagnostic,
            warnings=(),
            preconditions=(),
            stages=(),
            obligations=(),
            regions=tuple(p.record.name for p in self.parts),
            proved_regions=proved,
            as_a_whole=self.own.record.diagnostic,
        )
        return [replace(self.own, record=whole), *self.parts]

    def _by_its_loops(self) -> Finished:
        """The function with what holds its loops up: what stands around them is no obstacle."""
        tried = [p.record for p in self.parts]
        found = next((r for w in _WORST[::-1] for r in tried if r.status == w), None)
        if found is None:
            return self.own
        own = replace(self.own.record, status=found.status, diagnostic=found.diagnostic)
        return replace(self.own, record=own)


class Run:
    """One run of `lift PATH...`; see `events`."""

    def __init__(
        self,
        options: RunOptions,
        again: bool = False,
        cluster: Callable[[], Workers] | None = None,
    ) -> None:
        """With `again`, the run is of one file, takes the options that its last run had, and
        writes nothing: its results are its events alone. `cluster` connects to workers on other
        machines; it raises `LiftError` where there are none."""
        self._again = again
        self._options = options
        self._pool: Workers = Pool(options.jobs)
        self._cluster = cluster
        self._store: ResultStore | None = None
        self._kept: KeptResults | None = None
        """In place of the store where nothing is to be written."""
        self._scratch: ScratchFolder | None = None
        self._grammars: tuple[GrammarText, ...] = ()
        self._signal = 0
        self._names: set[str] = set()
        self._matched: set[str] = set()
        self._assumed: set[str] = set()
        self._changed: set[str] = set()
        self._same: dict[str, list[_Job]] = {}
        """By key: functions that wait for the result of one that is being lifted."""
        self._configurations: dict[str, set[tuple[str, str]]] = {}
        """By file that is built in several: the functions and what they mean."""
        self._listed: defaultdict[str, deque[str]] = defaultdict(deque)
        """By such a file: the folders of its configurations that weren't taken in yet."""
        self._early: dict[str, tuple[_Job, TaskOutcome]] = {}
        self._helpers: dict[str, _Helpers] = {}
        """By folder of a source."""
        self._wholes: dict[tuple[str, str], _Whole] = {}
        """By folder of a source and name."""
        self._at_work: Counter[str] = Counter()
        """By folder of a source: kernels that are being lifted."""
        self._undivided: defaultdict[str, list[str]] = defaultdict(list)
        """By folder: what is to be read as its parts, once nothing of the file is at work."""
        self._alone: defaultdict[str, dict[str, Skipped]] = defaultdict(dict)
        """By folder: the helpers that are read as kernels of their own."""
        self._agenda: Agenda[_Job]
        self._left = 0
        self._is_prepared = False

    def events(self) -> Iterator[Event]:
        """Runs it all. Raises `LiftError` before any work when the run can't begin.

        While it runs, SIGINT and SIGTERM end it cleanly: what is finished is kept.
        """
        sources, problems = find_sources(self._options)
        if self._again:
            sources = self._as_last_time(sources)
        self._check_inputs()
        if self._cluster is not None:
            self._pool = self._cluster()
        if self._again:
            self._kept = KeptResults(self._options.out)
        else:
            try:
                self._scratch = ScratchFolder(self._options.out)
            except OSError as error:
                raise unwritable(error, self._options.out) from error
        previous = self._catch_signals()
        try:
            if not self._again:
                problems += self._open_store()
            yield from map(Problem, problems)
            yield FilesFound(tuple(s.path for s in sources))
            yield from self._lift(sources)
            if self._signal:
                yield Stopped(self._signal, self._left)
            else:
                unmatched = unmatched_names(self._options.functions, self._matched, self._names)
                yield from map(Problem, unmatched)
                for text in self._options.assumptions:
                    if text not in self._assumed:
                        yield Problem(unused_assumption(text))
        except LiftError as error:  # the cluster is gone
            yield Problem(error.diagnostic)
        except (OSError, sqlite3.Error) as error:
            yield Problem(out_of_order(error, self._options.out, self._left))
        finally:
            self._pool.stop()
            if self._scratch is not None:
                self._scratch.close()
            for results in (self._store, self._kept):
                if results is not None:
                    results.close()
            for number, handler in previous.items():
                signal.signal(number, handler)

    def _lift(self, sources: list[Source]) -> Iterator[Event]:
        self._agenda = Agenda([_Job("parse", s) for s in sources], self._reading)
        for source in sources:
            if source.is_one_of_several:
                self._listed[source.path].append(source.folder)
        self._left = len(sources)
        if sources:
            _import_parser()
            self._agenda.submit(self._pool)
            self._pool.start()
            if self._store is None or self._store.is_empty or not self._options.cache:
                self._prepare()  # while the first files are being parsed
        while (self._pool.busy or not self._agenda.empty) and not self._signal:
            yield Waiting(tuple(self._pool.labels), self._agenda.share)
            for outcome in self._pool.wait(_TICK):
                yield from self._take(outcome)
                self._agenda.submit(self._pool)
                self._pool.start()
                if self._store is not None:
                    yield from map(Problem, self._store.problems())
            yield from map(Problem, self._pool.notices())

    def _prepare(self) -> None:
        """Makes ready to fork children that lift; a run that lifts nothing goes without."""
        if self._is_prepared or self._options.cluster is not None:
            return
        self._is_prepared = True
        prepare()
        gc.collect()
        gc.freeze()  # or each child's collections would copy what it shares with us

    def _as_last_time(self, sources: list[Source]) -> list[Source]:
        """The file with the flags and the options of its last run, in each configuration."""
        found = []
        for source in sources:
            settings: list[tuple[str, Flags, dict[str, Any]]] = []
            with contextlib.suppress(LiftError):  # of what can't be read nothing is known
                settings = last_settings(self._options.out, source.path)
            for folder, flags, more in settings:
                found.append(Source(source.path, folder, flags))
                self._options = replace(
                    self._options,
                    timeout=more["timeout"],
                    memory=more["memory"],
                    grammars=tuple(map(Path, more["grammars"])),
                    models=flags.models,
                    assumptions=flags.assumptions,
                )
            if not settings:
                found.append(source)
        return found

    def _check_inputs(self) -> None:
        for kind, files in (("model", self._options.models), ("grammar", self._options.grammars)):
            for file in files:
                if not file.is_file():
                    message = f"{file}: no such {kind} file"
                    raise LiftError(Diagnostic("file-missing", "error", message))
        check_assumptions(self._options.assumptions)
        if self._options.grammars:
            from ..synth import load_grammar, read_grammar

            self._grammars = tuple(map(read_grammar, self._options.grammars))
            load_grammar(self._grammars)

    def _open_store(self) -> list[Diagnostic]:
        try:
            self._store = ResultStore(self._options.out, reuse=self._options.cache)
        except sqlite3.Error as error:
            if is_full(error):
                raise
            return [unusable(self._options.out, error)]
        return self._store.problems()

    def _catch_signals(self) -> dict[int, Any]:
        if threading.current_thread() is not threading.main_thread():
            return {}

        def stop(number: int, _frame: FrameType | None) -> None:
            if self._signal:  # the second time somebody means it
                self._pool.stop()
                os._exit(128 + number)
            self._signal = number

        return {n: signal.signal(n, stop) for n in (signal.SIGINT, signal.SIGTERM)}

    @property
    def _limits(self) -> Limits:
        return Limits(self._options.timeout, self._options.memory)

    def _reading(self, job: _Job) -> Task:
        source = job.source
        names = tuple(skipped.name for skipped in job.alone)
        if job.split:
            functions = {name.partition("#")[0] for name in job.split}
            names = tuple(sorted(functions & self._alone[source.folder].keys()))
        divided = job.split or self._options.functions
        split = (*regions_above(divided), *job.split)
        return Task(
            label=source.path,
            call=partial(read_file, source.path, source.flags, names, split),
            tag=replace(job, stamp=file_stamp(source.path)),
            limit=self._options.timeout + _GRACE,
            memory=self._options.memory,
            here=True,
        )

    def _take(self, outcome: TaskOutcome) -> Iterator[Event]:
        self._left -= 1
        job: _Job = outcome.task.tag
        if job.kind == "parse":
            self._agenda.file_done()
            if job.alone:
                yield from self._take_alone(job, outcome)
                return
            if job.split:
                yield from self._take_parts(job, outcome)
                return
            for early, its_outcome in self._in_order(job, outcome):
                yield from self._take_read(early, its_outcome)
            return
        found = self._result(job, outcome)
        if self._store is not None:
            self._store.keep(job.key, found.packed, found.here.record, self._limits)
        self._agenda.done(job.size)
        yield from self._finish(job, found.here)
        for other in self._same.pop(job.key, ()):
            self._left -= 1
            lifted = unpacked(found.packed)
            assert lifted is not None
            yield from self._finish(other, _of(other, lifted))

    def _in_order(self, job: _Job, outcome: TaskOutcome) -> Iterator[tuple[_Job, TaskOutcome]]:
        """A file's configurations as they are listed, whichever was read first: the first one that
        has a function is the one that it is lifted for."""
        source = job.source
        if not source.is_one_of_several:
            yield job, outcome
            return
        self._early[source.folder] = job, outcome
        waiting = self._listed[source.path]
        while waiting and waiting[0] in self._early:
            yield self._early.pop(waiting.popleft())

    def _take_read(self, job: _Job, outcome: TaskOutcome) -> Iterator[Event]:
        source = job.source
        if outcome.kind != "done":
            yield FileParsed(
                source.path, 0, (lost(outcome, source.path, "parsing it", self._options),)
            )
            return
        if isinstance(outcome.value, Diagnostic):
            yield FileParsed(source.path, 0, (outcome.value,))
            return
        read: FileRead = outcome.value
        outside: list[tuple[Skipped, Status]] = [(s, "skipped") for s in read.skipped]
        outside += [(s, "failed") for s in read.failed]
        outside = [
            (s, status)
            for s, status in outside
            if self._wants(s.name, s.name.partition("#")[0])
            and self._is_first(source, s.name, f"{status} {s.diagnostic}")
        ]
        held = [s for s, _ in outside if s.callers]
        outside = [(s, status) for s, status in outside if not s.callers]
        parts = [s for s, _ in outside if s.name.partition("#")[1]]
        wholes = [s for s, _ in outside if s.regions]
        aside = [
            record_of_skipped(s, status, source.path)
            for s, status in outside
            if not s.regions and not s.name.partition("#")[1]
        ]
        wanted = [
            p
            for p in read.kernels
            if self._wants(*_names(p.kernel)) and self._is_first(source, p.kernel.name, p.meaning)
        ]
        if self._store is not None:
            names = [r.name for r in aside] + [s.name for s in (*held, *wholes, *parts)]
            names += [p.kernel.name for p in wanted]
            self._store.begin(source, names, not self._options.functions, self._options)
        whole = [p for p in wanted if p.kernel.region is None]
        count = len(aside) + len(held) + len(wholes) + len(whole)
        yield FileParsed(source.path, count, read.diagnostics)
        for record in aside:
            yield self._put_aside(source, record)
        for skipped in wholes:
            if self._scratch is not None:
                forget(self._options.out / source.folder / skipped.name)
            own = Finished(record_of_skipped(skipped, "failed", source.path))
            self._wholes[source.folder, skipped.name] = _Whole(
                own, len(skipped.regions), [], is_read=False
            )
        self._helpers[source.folder] = _Helpers(held, {}, {p.kernel.name for p in wanted})
        yield from self._settle_unread(source, parts)
        yield from self._lift_all(job, read, wanted, outcome.seconds)
        yield from self._after_callers(source)

    def _put_aside(self, source: Source, record: Record) -> Finished:
        """Files one function of which nothing is lifted."""
        if self._scratch is not None:
            forget(self._options.out / source.folder / record.name)
        if self._store is not None:
            self._store.note(source, record)
        return Finished(record)

    def _after_callers(self, source: Source) -> Iterator[Event]:
        """Once all kernels of a file are finished: its helpers that none of them holds in a proof,
        or that were asked for by name, are read once more, as kernels."""
        helpers = self._helpers[source.folder]
        if helpers.left or not helpers.held:
            return
        alone = []
        for skipped in helpers.held:
            callers = [helpers.proved.get(c) for c in skipped.callers]
            if self._options.functions or all(proved is False for proved in callers):
                alone.append(skipped)
            else:
                yield self._put_aside(source, record_of_skipped(skipped, "skipped", source.path))
        helpers.held = []
        self._alone[source.folder] = {skipped.name: skipped for skipped in alone}
        if alone:
            self._agenda.read(_Job("parse", source, alone=tuple(alone)))
            self._left += 1

    def _take_alone(self, job: _Job, outcome: TaskOutcome) -> Iterator[Event]:
        """Lifts helpers as kernels; one that can't be one stays what it was."""
        source = job.source
        read = outcome.value if outcome.kind == "done" else None
        found = read.kernels if isinstance(read, FileRead) else ()
        failed = read.failed if isinstance(read, FileRead) else ()
        kernels = {p.kernel.name for p in found}
        names = {skipped.name for skipped in job.alone}
        divided = {s.name: s for s in failed if s.regions and s.name in names}
        for skipped in job.alone:
            if skipped.name in divided:
                own = Finished(record_of_skipped(divided[skipped.name], "failed", source.path))
                left = len(divided[skipped.name].regions)
                self._wholes[source.folder, skipped.name] = _Whole(own, left, [], False, skipped)
            elif skipped.name not in kernels:
                yield self._put_aside(source, record_of_skipped(skipped, "skipped", source.path))
        if isinstance(read, FileRead):
            yield from self._settle_unread(
                source, [s for s in failed if region_above(s.name) in divided]
            )
            yield from self._lift_all(job, read, read.kernels, outcome.seconds)

    def _take_parts(self, job: _Job, outcome: TaskOutcome) -> Iterator[Event]:
        """Lifts what functions and regions fall into that weren't proved."""
        source = job.source
        read = outcome.value if outcome.kind == "done" else None
        for name in job.split:
            whole = self._wholes[source.folder, name]
            kernels, failed = [], []
            if isinstance(read, FileRead):
                kernels = [p for p in read.kernels if region_above(p.kernel.name) == name]
                failed = [s for s in read.failed if region_above(s.name) == name]
            whole.left = len(kernels) + len(failed)
            if not whole.left:
                yield from self._resolve(source, name)
                continue
            assert isinstance(read, FileRead)
            yield from self._settle_unread(source, failed)
            yield from self._lift_all(job, read, kernels, outcome.seconds)

    def _settle(self, source: Source, name: str, told: Sequence[Finished]) -> Iterator[Event]:
        """Tells of what came of the function or region `name`, or keeps it until all is known of
        what that is a part of."""
        above = self._wholes.get((source.folder, region_above(name)))
        if above is None:
            yield from told
            return
        above.parts += told
        above.left -= 1
        if not above.left:
            yield from self._resolve(source, region_above(name))

    def _resolve(self, source: Source, name: str) -> Iterator[Event]:
        """Tells of a function or region whose parts are finished."""
        whole = self._wholes.pop((source.folder, name))
        told = whole.outcome()
        if whole.helper is not None and not told[0].record.proved_regions:
            idle = record_of_skipped(whole.helper, "skipped", source.path)
            told = [self._put_aside(source, idle)]
        if self._store is not None:
            names = {f.record.name for f in (whole.own, *whole.parts)}
            self._store.drop(source, names - {f.record.name for f in told})
            if "#" not in name:
                self._store.note(source, told[0].record)
        yield from self._settle(source, name, told)

    def _settle_unread(self, source: Source, parts: Sequence[Skipped]) -> Iterator[Event]:
        """Tells of regions that couldn't be read."""
        for skipped in parts:
            record = record_of_skipped(skipped, "failed", source.path)
            yield from self._settle(source, skipped.name, [Finished(record)])

    def _divide(self, source: Source) -> None:
        """Once nothing of a file is at work: what wasn't proved is read as its parts."""
        waiting = self._undivided[source.folder]
        if self._at_work[source.folder] or not waiting:
            return
        self._agenda.read(_Job("parse", source, split=tuple(waiting)))
        self._left += 1
        waiting.clear()

    def _lift_all(
        self, job: _Job, read: FileRead, wanted: Sequence[Prepared], seconds: float
    ) -> Iterator[Event]:
        """Lifts kernels of a file that took `seconds` to read, or finds what they gave before."""
        source = job.source
        self._at_work[source.folder] += len(wanted)
        share = seconds / max(1, len(read.kernels))
        helpers = {s.name: (s,) for s in job.alone}
        for prepared in wanted:
            self._assumed.update(a.text for a in prepared.kernel.preconditions)
            key = result_key(prepared.meaning, self._grammars)
            helper = helpers.get(prepared.kernel.name, ())
            made = _Job("lift", source, helper, job.stamp, read.digest, prepared, key)
            results = self._store or self._kept
            known = results.find(key, self._limits) if results is not None else None
            if known is not None:
                yield from self._finish(made, _of(made, known), cached=True)
            elif key in self._same:
                self._same[key].append(made)
                self._left += 1
            else:
                self._prepare()
                self._same[key] = []
                self._agenda.add(self._lifting(made, share), made.size)
                self._left += 1

    def _is_first(self, source: Source, name: str, meaning: str) -> bool:
        """Whether no earlier configuration of the file has the same function with this meaning."""
        if not source.is_one_of_several:
            return True
        seen = self._configurations.setdefault(source.path, set())
        known = (name, meaning) in seen
        seen.add((name, meaning))
        return not known

    def _wants(self, *names: str) -> bool:
        self._names.update(names)
        # A method or a function of a namespace may be named by the end of its name, too.
        wanted = self._options.functions
        matched = {w for w in wanted for n in names if n == w or n.endswith(f"::{w}")}
        self._matched |= matched
        return bool(matched) or not self._options.functions

    def _lifting(self, job: _Job, share: float) -> Task:
        assert job.prepared is not None
        return Task(
            label=job.kernel.name,
            call=partial(lift_prepared, job.prepared, self._grammars, self._options.timeout, share),
            tag=job,
            limit=self._options.timeout + _GRACE,
            memory=self._options.memory,
        )

    def _result(self, job: _Job, outcome: TaskOutcome) -> Told:
        """What came back, or why nothing did."""
        if outcome.kind == "done":
            found: Told = outcome.value
            return found
        assert job.prepared is not None
        kernel = job.kernel
        why = lost(outcome, kernel.name, "lifting it", self._options)
        why = replace(why, span=kernel.span)
        return told(Lifted(failure(_bare_record(kernel), why, outcome.seconds)), job.prepared)

    def _finish(self, job: _Job, here: Lifted, cached: bool = False) -> Iterator[Event]:
        """Files, store, event."""
        assert job.prepared is not None
        prepared, source = job.prepared, job.source
        folder = self._options.out / source.folder / here.record.name
        if self._scratch is None:
            pass
        elif here.texts:
            self._scratch.refresh(here.texts, folder)
            if job.kernel.region is None:
                forget_regions(folder)
        else:
            # Nobody shall build from a proof that doesn't hold any more.
            forget(folder)
        record = here.record
        if self._scratch is not None or (folder / "summary.json").is_file():
            record = in_folder(record, source.folder, record.name)
        if self._store is not None:
            self._store.note(source, record, job.key, prepared.places)
        yield from self._source_changed(job)
        finished = Finished(record, cached)
        self._at_work[source.folder] -= 1
        helper = job.alone[0] if job.alone and not self._options.functions else None
        if record.status != "proved" and _may_fall_apart(record, job.kernel):
            self._wholes[source.folder, record.name] = _Whole(finished, 0, [], helper=helper)
            self._undivided[source.folder].append(record.name)
        elif record.status != "proved" and helper is not None:
            # Why it isn't lifted is told of its callers.
            yield self._put_aside(source, record_of_skipped(helper, "skipped", source.path))
        else:
            yield from self._settle(source, record.name, [finished])
        self._divide(source)
        helpers = self._helpers[source.folder]
        if not job.alone and job.kernel.name in helpers.left:
            helpers.proved[job.kernel.name] = record.status == "proved"
            helpers.left.remove(job.kernel.name)
            yield from self._after_callers(source)

    def _source_changed(self, job: _Job) -> Iterator[Problem]:
        path = job.source.path
        if path in self._changed or file_stamp(path) == job.stamp:
            return
        if file_digest(path) != job.digest:
            self._changed.add(path)
            yield Problem(source_changed(path))


def _names(kernel: Kernel) -> tuple[str, ...]:
    """What a kernel may be asked for by; a region by its function's name, too."""
    own = (kernel.name, kernel.qualified_name)
    if kernel.region is None:
        return own
    return (*own, kernel.region.function, kernel.qualified_name.partition("#")[0])


def _import_parser() -> None:
    """Loads what every parsing child needs, once, so that children share it and start at once."""
    from .. import parse  # noqa: F401


def _of(job: _Job, lifted: Lifted) -> Lifted:
    """A canonical result for the source of a job."""
    assert job.prepared is not None
    return localized(lifted, job.prepared.places, job.prepared.facts)


def _bare_record(kernel: Kernel) -> Record:
    from ..emit import record_of
    from ..model.lifted import FunctionResult

    return record_of(
        FunctionResult(kernel.name, kernel.span, kernel.signature, "failed", kernel=kernel)
    )
