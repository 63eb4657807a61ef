"""`lift verify`: reads sources in child processes, and proves again what has no valid seal."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from ..batch.workers import Pool, Task, TaskOutcome
from ..model.diagnostic import Diagnostic, LiftError
from ..settings.flags import Flags
from ..settings.options import MEMORY, TIMEOUT
from .committed import Committed, committed_folders, read_committed
from .database import Database, flags_by_path, flags_now
from .finding import Finding, VerdictName
from .source_check import Checked, Pending, check_source, of

_TICK = 0.2
_GRACE = 2.0


@dataclass(frozen=True, slots=True)
class VerifyOptions:
    """The options of `lift verify`; `timeout` is in seconds a function."""

    directory: Path
    jobs: int
    timeout: float = TIMEOUT
    memory: float = MEMORY
    """Megabytes a function."""
    root: Path | None = None
    """What the paths of sources count from; None for the working directory."""
    std: str | None = None
    includes: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    database: Path | None = None
    """Read sources with the flags of this `compile_commands.json`."""
    every: bool = False
    """Prove all again, seals or not."""
    solver: str | None = None
    """Replay the stored certificates with this solver."""
    new_is_error: bool = False
    only: frozenset[Path] | None = None
    """These folders alone; None for all below `directory`."""


@dataclass
class Report:
    """All that a run found; findings by file and line."""

    findings: list[Finding] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def ordered(self) -> list[Finding]:
        return sorted(self.findings, key=lambda f: (f.file, f.line, f.name, f.verdict))


@dataclass(frozen=True)
class _Group:
    """The summaries of one file that is read with one set of flags."""

    path: str
    flags: Flags | None
    members: tuple[Committed, ...]
    has_more: bool


class Verification:
    """One run; `report` is complete when `findings` is exhausted."""

    def __init__(self, options: VerifyOptions) -> None:
        self.options = options
        self.report = Report()
        self.total = 0
        self._pool = Pool(options.jobs)
        self._database: Database = {}

    @property
    def running(self) -> tuple[str, ...]:
        return tuple(self._pool.labels)

    def findings(self) -> Iterator[Finding | None]:
        """Each finding as it comes; None where there is nothing new for a while.

        Raises `LiftError` when there is nothing to verify.
        """
        if not self.options.directory.is_dir():
            message = f"{self.options.directory}: no such folder"
            raise LiftError(Diagnostic("file-missing", "error", message))
        if self.options.database is not None:
            self._database, problems = flags_by_path(self.options.database)
            self.report.diagnostics += problems
        folders = committed_folders(self.options.directory)
        if self.options.only is not None:
            folders = [folder for folder in folders if folder in self.options.only]
        if not folders:
            raise LiftError(_nothing(self.options.directory))
        committed = [read_committed(folder) for folder in folders]
        self.total = len(committed)
        readable = []
        for one in committed:
            if one.problem is None:
                readable.append(one)
            else:
                yield self._found(of(one, "unreadable", one.problem))
        for twin in _twins(readable):
            message = "another folder has the summary of the same function"
            readable.remove(twin)
            yield self._found(of(twin, "unreadable", message))
        for group in self._groups(readable):
            if group.flags is None:
                message = "compile_commands.json has no command like the recorded one for its file"
                for one in group.members:
                    yield self._found(of(one, "undecided", message))
            else:
                self._submit(group, group.flags)
        _import_parser()
        try:
            self._pool.start()
            while self._pool.busy:
                for outcome in self._pool.wait(_TICK):
                    for finding in self._take(outcome):
                        yield self._found(finding)
                yield None
        finally:
            self._pool.stop()
        self._hint_at_root()

    def _found(self, finding: Finding) -> Finding:
        self.report.findings.append(finding)
        return finding

    def _groups(self, committed: Sequence[Committed]) -> list[_Group]:
        found: dict[tuple[str, Flags | None], list[Committed]] = {}
        for one in committed:
            path = one.file
            if self.options.root is not None:
                path = os.path.join(self.options.root, path)
            found.setdefault((path, self._flags(path, one.flags)), []).append(one)
        files = [path for path, _ in found]
        return [
            _Group(path, flags, tuple(members), files.count(path) > 1)
            for (path, flags), members in found.items()
        ]

    def _flags(self, path: str, told: Flags) -> Flags | None:
        """How a file is read: as its summary says, but for what the command line says."""
        options = self.options
        ways = self._database.get(os.path.realpath(path))
        if ways:
            now = flags_now(told, ways)
            if now is None:
                return None
            told = replace(
                now, models=told.models, assumptions=told.assumptions, beside=told.beside
            )
        if options.root is not None:
            root = options.root
            told = replace(
                told,
                includes=tuple(os.path.join(root, i) for i in told.includes),
                models=tuple(root / m for m in told.models),
                beside=tuple(
                    replace(
                        b,
                        path=os.path.join(root, b.path),
                        includes=tuple(os.path.join(root, i) for i in b.includes),
                    )
                    for b in told.beside
                ),
            )
        if options.std is not None:
            told = replace(told, std=options.std)
        if options.includes:
            told = replace(told, includes=options.includes)
        if options.defines:
            told = replace(told, defines=options.defines)
        return told

    def _submit(self, group: _Group, flags: Flags) -> None:
        again = self.options.every or self.options.solver is not None
        call = partial(check_source, group.path, flags, group.members, again, group.has_more)
        limit = self.options.timeout + _GRACE
        self._pool.submit(Task(group.path, call, group, limit, self.options.memory))

    def _take(self, outcome: TaskOutcome) -> Iterator[Finding]:
        tag = outcome.task.tag
        if isinstance(tag, _Group):
            yield from self._take_checked(tag, outcome)
        else:
            one, pending = tag
            yield self._take_proved(one, pending, outcome)

    def _take_checked(self, group: _Group, outcome: TaskOutcome) -> Iterator[Finding]:
        if outcome.kind != "done":
            message = f"reading {group.path} {_lost(outcome, self.options.timeout)}"
            for one in group.members:
                yield of(one, "undecided", message)
            return
        checked: Checked = outcome.value
        self.report.diagnostics += checked.diagnostics
        yield from checked.findings.values()
        broken = {f.name for f in self.report.findings if f.verdict == "unreadable"}
        yield from (f for f in checked.new if f.name not in broken)
        if checked.pending:
            _import_prover()
        for pending in checked.pending:
            one = group.members[pending.number]
            call: Callable[[], Finding] = partial(_prove, pending, one, self.options)
            limit = self.options.timeout + _GRACE
            task = Task(one.name, call, (one, pending), limit, self.options.memory)
            self._pool.submit(task)

    def _take_proved(self, one: Committed, pending: Pending, outcome: TaskOutcome) -> Finding:
        if outcome.kind == "done":
            found: Finding = outcome.value
            return replace(found, seconds=outcome.seconds)
        message = f"proving it again {_lost(outcome, self.options.timeout)}"
        made = of(one, "undecided", message, pending.kernel)
        return replace(made, reason=pending.reason, seconds=outcome.seconds)

    def _hint_at_root(self) -> None:
        """Where no source is there at all, the run was started from another folder."""
        found = [f for f in self.report.findings if f.folder is not None]
        lost = [f for f in found if f.verdict == "gone" and not os.path.exists(f.file)]
        if self.options.root is None and len(lost) == len(found):
            self.report.diagnostics.append(
                Diagnostic(
                    "file-missing",
                    "error",
                    f"none of the sources is there, seen from {os.getcwd()}",
                    help="run it where lift ran, or name that folder with --root DIR",
                )
            )


def _prove(pending: Pending, committed: Committed, options: VerifyOptions) -> Finding:
    """In a child process: the verdict on one function that has no valid seal."""
    from .prove_again import prove_again

    again = prove_again(pending.kernel, committed, options.timeout)
    verdict: VerdictName = again.verdict
    if verdict == "equal" and pending.source_changed:
        verdict = "changed"
    if again.claims_more and not pending.source_changed:
        verdict = "not-equal"  # what was edited claims more than is true of the source
    made = of(committed, verdict, again.message, pending.kernel)
    made = replace(
        made, notes=again.notes, reason=pending.reason, counterexample=again.counterexample
    )
    if options.solver is None or again.verdict != "equal":
        return made
    from ..batch.meaning import tool_digest
    from .recheck import recheck

    is_same = not pending.source_changed and committed.seal.get("tool") == tool_digest()
    found = recheck(committed, again.obligations, options.solver, is_same)
    return replace(made, recheck=found)


def _twins(committed: Sequence[Committed]) -> list[Committed]:
    """Summaries of functions that have one already; each configuration of a file has its own."""
    seen: dict[tuple[str, str, str, str, Flags], Committed] = {}
    twins = []
    for one in committed:
        data = one.data
        key = (data["file"], data["qualified_name"], data["signature"], data["name"], one.flags)
        if seen.setdefault(key, one) is not one:
            twins.append(one)
    return twins


def _nothing(directory: Path) -> Diagnostic:
    return Diagnostic(
        "nothing-to-build",
        "error",
        f"{directory}: no lifted functions here (no summary.json in it or below)",
        help=f"lift something first: lift SOURCE -o {directory}",
    )


def _lost(outcome: TaskOutcome, timeout: float) -> str:
    if outcome.kind == "timeout":
        return f"took longer than {timeout:g} s (--timeout)"
    if outcome.kind == "memory":
        return "took more memory than it may (--memory)"
    what = (outcome.text.strip().splitlines() or [outcome.kind])[0]
    return f"ended in an error of lift's own: {what}"


def _import_parser() -> None:
    """Loads what every reading child needs, once, so that children share it and start at once."""
    from .. import parse  # noqa: F401


def _import_prover() -> None:
    from . import prove_again  # noqa: F401
