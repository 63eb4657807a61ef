"""`lift twin`: pairs of functions in child processes, each to its verdict."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from ..batch.sources import find_sources
from ..batch.workers import Pool, Task, TaskOutcome
from ..checking.database import flags_by_path
from ..model.diagnostic import Diagnostic, LiftError
from ..settings.flags import Flags
from ..settings.options import CACHE_FOLDER, MEMORY, TIMEOUT, RunOptions
from .finding import Finding, Function
from .naming import pairs_of, rule_of
from .pair import Pair, Side, neighbours, side_of, with_flags

_TICK = 0.2
_GRACE = 2.0


@dataclass(frozen=True, slots=True)
class Options:
    """The options of `lift twin`; `timeout` is in seconds a pair."""

    paths: tuple[str, ...]
    """Two functions, `FILE:FUNC`; with `twins` files and folders."""
    twins: tuple[str, ...] = ()
    """Rules of names."""
    jobs: int = 1
    timeout: float = TIMEOUT
    memory: float = MEMORY
    """Megabytes a pair."""
    within: float = 0
    flags: Flags = field(default_factory=Flags)
    first_flags: tuple[str, ...] = ()
    second_flags: tuple[str, ...] = ()
    """More arguments for clang, for the file of the first function, of the second one."""
    database: Path | None = None
    """Read sources with the flags of this `compile_commands.json`."""
    out: Path = Path("lifted")
    cache: bool = True


@dataclass
class Report:
    """All that a run found; findings in the order of the pairs."""

    findings: list[Finding] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    alone: list[str] = field(default_factory=list)
    """Portable functions of a rule of which there are no twins."""


@dataclass(frozen=True, slots=True)
class _Unproved:
    """A pair of which no proof came to an end: why, and what that took."""

    pair: Pair
    why: str
    seconds: float


def _pair_of(task: Task) -> Pair:
    pair: Pair = task.tag if isinstance(task.tag, Pair) else task.tag.pair
    return pair


class Twinning:
    """One run; `report` is complete when `findings` is exhausted."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.report = Report()
        self.total = 0
        self._pool = Pool(options.jobs)

    @property
    def running(self) -> tuple[str, ...]:
        return tuple(self._pool.labels)

    def findings(self) -> Iterator[Finding | None]:
        """Each finding as it comes; None where there is nothing new for a while.

        Raises `LiftError` when there is nothing to compare.
        """
        from . import check  # noqa: F401  children share what it loads

        pairs = self._by_rules() if self.options.twins else [self._named()]
        self.total = len(pairs)
        for pair in pairs:
            self._submit(pair)
        order = {pair: number for number, pair in enumerate(pairs)}
        found: dict[int, Finding] = {}
        try:
            self._pool.start()
            while self._pool.busy:
                for outcome in self._pool.wait(_TICK):
                    finding = self._taken(outcome)
                    if finding is not None:
                        found[order[_pair_of(outcome.task)]] = finding
                        yield finding
                yield None
        finally:
            self._pool.stop()
            self.report.findings = [found[number] for number in sorted(found)]

    def _submit(self, pair: Pair, unproved: _Unproved | None = None) -> None:
        from .check import TwinOptions, check_pair

        own = self.options
        saved = os.path.join(own.out, CACHE_FOLDER, "twins") if own.cache else None
        options = TwinOptions(own.timeout, own.within, saved)
        call = partial(check_pair, pair, options, lift=unproved is None)
        tag = unproved or pair
        self._pool.submit(Task(pair.label, call, tag, own.timeout + _GRACE, own.memory))

    def _taken(self, outcome: TaskOutcome) -> Finding | None:
        """What a task has found; None where another task goes on without a proof."""
        tag = outcome.task.tag
        if isinstance(tag, Pair):
            if outcome.kind == "done":
                done: Finding = outcome.value
                return replace(done, seconds=outcome.seconds)
            self._submit(tag, _Unproved(tag, _lost(outcome, self.options.timeout), outcome.seconds))
            return None
        seconds = tag.seconds + outcome.seconds
        message = f"comparing them {tag.why}"
        if outcome.kind == "done":
            found: Finding = outcome.value
            if found.verdict == "undecided":
                found = replace(found, message=message)
            return replace(found, seconds=seconds)
        first, second = (Function(s.function, s.file) for s in (tag.pair.first, tag.pair.second))
        return Finding(first, second, "undecided", message, seconds=seconds)

    # What is compared.

    def _named(self) -> Pair:
        if len(self.options.paths) != 2:
            message = "two functions are compared, or those of --twins"
            help = "lift twin scalar.c:f simd.c:f_avx2"
            raise LiftError(Diagnostic("no-twins", "error", message, help=help))
        places = [side_of(text) for text in self.options.paths]
        flags = self._flags()
        own = self.options
        sides = [
            Side(file, function, with_flags(flags(file), more))
            for (file, function), more in zip(
                places, (own.first_flags, own.second_flags), strict=True
            )
        ]
        others = neighbours([file for file, _ in places])
        return Pair(sides[0], sides[1], tuple((path, flags(path)) for path in others))

    def _flags(self) -> Callable[[str], Flags]:
        """How each file is read: as the database says, else as the command line does."""
        if self.options.database is None:
            return lambda path: self.options.flags
        database, problems = flags_by_path(self.options.database)
        self.report.diagnostics += problems
        own = self.options.flags

        def of(path: str) -> Flags:
            ways = database.get(os.path.realpath(path))
            if not ways:
                return own
            return replace(ways[0], models=own.models, assumptions=own.assumptions)

        return of

    def _by_rules(self) -> list[Pair]:
        from ..parse import function_names

        rules = [rule_of(text) for text in self.options.twins]
        own = self.options
        sources, problems = find_sources(
            RunOptions(
                paths=own.paths or (".",),
                database=None if own.database is None else str(own.database),
                std=own.flags.std,
                includes=own.flags.includes,
                defines=own.flags.defines,
                clang_arguments=own.flags.clang_arguments,
                models=own.flags.models,
                assumptions=own.flags.assumptions,
            )
        )
        self.report.diagnostics += problems
        functions: dict[str, list[str]] = {}
        flags: dict[str, Flags] = {}
        for source in sources:
            known = replace(source.flags, beside=())
            path = os.path.normpath(source.path)
            try:
                functions[path] = function_names(
                    path,
                    std=known.std,
                    include_dirs=known.includes,
                    defines=known.defines,
                    clang_args=known.clang_arguments,
                )
            except LiftError as error:
                self.report.diagnostics.append(error.diagnostic)
                continue
            flags.setdefault(path, known)
        pairs, self.report.alone = pairs_of(rules, functions, flags)
        if not pairs:
            message = f"no two functions are named as {' or '.join(self.options.twins)} says"
            raise LiftError(Diagnostic("no-twins", "error", message))
        return pairs


def _lost(outcome: TaskOutcome, timeout: float) -> str:
    if outcome.kind == "timeout":
        return f"took longer than {timeout:g} s (--timeout)"
    if outcome.kind == "memory":
        return "took more memory than it may (--memory)"
    what = (outcome.text.strip().splitlines() or [outcome.kind])[0]
    return f"ended in an error of lift's own: {what}"
