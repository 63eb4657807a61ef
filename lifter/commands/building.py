"""Builds every lifted function below a folder, each in a process of its own, and their library."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..batch.workers import Pool, Task, TaskOutcome
from ..build.build import Scheduling, load_compiler
from ..build.whole_library import (
    OBJECTS,
    LibraryPart,
    WholeLibrary,
    compile_part,
    content_digest,
    library_variants,
    object_paths,
    parts_of,
    tools_digest,
    write_whole_library,
)
from ..checking.committed import committed_folders, read_committed
from ..command_line import FAILED, PROVED
from ..model.diagnostic import Diagnostic, LiftError, Span
from ..show.progress import open_progress
from ..show.terminal import WIDTH, diagnostic_to_text, paint

if TYPE_CHECKING:
    from compiler.codegen.variants import Variant

    from ..checking.finding import Finding


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be built: for which machine, by which schedule, and whether as a library, too."""

    target: str | None = None
    scheduling: Scheduling = field(default_factory=Scheduling)
    library: bool = True
    every: bool = False
    """Prove all again before anything of it is built, whatever the seals say."""


def lifted_folders(directory: Path) -> list[Path]:
    """The folders of lifted functions below `directory`, in order.

    Raises `LiftError` (`file-missing`, `nothing-to-build`) when there is none.
    """
    if not directory.is_dir():
        raise LiftError(Diagnostic("file-missing", "error", f"{directory}: no such folder"))
    found = committed_folders(directory)  # those that `lift verify` looks at, and no other
    if not found:
        raise LiftError(
            Diagnostic(
                "nothing-to-build",
                "error",
                f"{directory}: no lifted functions here (no summary.json in it or below)",
                help=f"lift something first: lift SOURCE -o {directory}",
            )
        )
    return found


def build_all(directory: Path, wanted: Wanted, jobs: int) -> int:
    """Prints a line a function and one for the library; the exit status is 1 when some couldn't be
    built, or aren't what was proved. Raises `LiftError`, and `TargetError` for a target that isn't
    known."""
    folders = lifted_folders(directory)
    began = time.monotonic()
    load_compiler()
    # A function's own folder is no run that a library could be made of.
    library = wanted.library and not (directory / "summary.json").is_file()
    variants = library_variants(wanted.target) if library else ()
    parts = _parts(directory, folders)
    failed: list[tuple[LibraryPart, Diagnostic]] = []
    due: list[tuple[LibraryPart, str | None]] = []
    for part in parts:
        try:
            objects = object_paths(directory, part, variants, wanted.scheduling)
            digest = _own_digest(part.folder, wanted)
        except LiftError as error:
            failed.append((part, error.diagnostic))
            continue
        own = None if _is_current(directory, part.folder, digest) else digest
        if own is not None or not all(path.is_file() for path in objects):
            due.append((part, own))
    again = [p for p in parts if wanted.every or not read_committed(p.folder).is_as_lifted]
    refused = _proved_again(directory, [p for p in again if wanted.every or _is_due(p, due)], jobs)
    failed += [(part, refused[part.folder]) for part in parts if part.folder in refused]
    for part, problem in failed:
        _show_part(part, problem, [], None, 0.0)
    due = [(part, own) for part, own in due if part.folder not in refused]
    pool = Pool(jobs)
    waiting = len(due) + len(failed)
    for part, own in due:
        call = partial(_build, directory, part, variants, wanted, own)
        pool.submit(Task(part.interface.name, call, part))
    failed += _run(pool, len(due))
    for _, diagnostic in failed:
        click.echo()
        click.echo(diagnostic_to_text(diagnostic))
    lost = {part.folder for part, _ in failed}
    made = [part for part in parts if part.folder not in lost]
    if waiting:
        click.echo()
    if library and made:
        missing = [(f"{p.interface.name} ({p.folder})", d.message) for p, d in failed]
        whole = write_whole_library(directory, made, variants, wanted.scheduling, missing)
        _show_library(whole)
    kept = len(parts) - waiting
    counts = [f"{waiting - len(failed)} built", *([f"{kept} unchanged"] if kept else [])]
    counts.append(f"{len(failed)} failed")
    click.echo(f"{', '.join(counts)} in {time.monotonic() - began:.1f} s")
    return FAILED if failed else PROVED


def _is_due(part: LibraryPart, due: Sequence[tuple[LibraryPart, str | None]]) -> bool:
    return any(one is part for one, _ in due)


def _proved_again(
    directory: Path, parts: Sequence[LibraryPart], jobs: int
) -> dict[Path, Diagnostic]:
    """Proves the programs of `parts` of their sources, as `lift verify` does; why some aren't
    proved, by their folders."""
    if not parts:
        return {}
    from ..checking.run import Verification, VerifyOptions

    refused: dict[Path, Diagnostic] = {}
    by_root: dict[Path | None, list[Path]] = {}
    for part in parts:
        by_root.setdefault(_root_of(directory, part.interface.file), []).append(part.folder)
    progress = open_progress("proving again")
    progress.add(len(parts))
    try:
        for root, folders in by_root.items():
            options = VerifyOptions(directory, jobs, root=root, every=True, only=frozenset(folders))
            run = Verification(options)
            for finding in run.findings():
                if finding is None or finding.folder is None:
                    progress.running(run.running)
                    continue
                progress.advance()
                if finding.verdict not in ("equal", "changed"):
                    refused[finding.folder] = _refusal(finding)
    finally:
        progress.close()
    return refused


def _root_of(directory: Path, file: str) -> Path | None:
    """What a recorded path counts from: the working directory, or a folder above the results."""
    bases = (base for base in directory.resolve().parents if (base / file).is_file())
    return None if Path(file).is_file() else next(bases, None)


def _refusal(finding: Finding) -> Diagnostic:
    what = {
        "not-equal": "aren't equal to their source",
        "gone": "have no source any more of which they could be proved",
    }.get(finding.verdict, "couldn't be proved again")
    line = re.match(r"pipeline\.py, line (\d+)", finding.message)
    number = 1 if line is None else int(line[1])
    return Diagnostic(
        "edited",
        "error",
        f"{finding.name} isn't built: its files aren't as lift wrote them, and {what}"
        + (f": {finding.message}" if finding.message else ""),
        Span(f"{finding.folder}/pipeline.py", number, 1, number, 1),
        notes=finding.notes,
        help="`lift verify` shows more; take the edit back, or lift the source again; a schedule "
        f"belongs into {finding.name}.schedule.py",
    )


def _parts(directory: Path, folders: Sequence[Path]) -> list[LibraryPart]:
    try:
        return parts_of(directory, folders)
    except ValueError as error:
        raise LiftError(
            Diagnostic(
                "build-unsupported",
                "error",
                str(error),
                help="remove that folder, and lift its source again",
                family="unsupported",
            )
        ) from None


def _run(pool: Pool, count: int) -> list[tuple[LibraryPart, Diagnostic]]:
    """Runs what the pool has; the functions that failed, in the order of their ends."""
    failed: list[tuple[LibraryPart, Diagnostic]] = []
    progress = open_progress("building")
    progress.add(count)
    try:
        while pool.busy:
            progress.running(tuple(pool.labels))
            for outcome in pool.wait(0.2):
                with progress.aside():
                    problem = _show(outcome)
                if problem is not None:
                    failed.append((outcome.task.tag, problem))
                progress.advance()
    finally:
        pool.stop()
        progress.close()
    return failed


def _note(directory: Path, folder: Path) -> Path:
    """The file that says what the files in `folder` were made from."""
    name = hashlib.sha256(folder.relative_to(directory).as_posix().encode()).hexdigest()[:32]
    return directory / OBJECTS / f"{name}.own"


def _is_current(directory: Path, folder: Path, digest: str) -> bool:
    """Whether the folder has the files of exactly this build."""
    try:
        return _note(directory, folder).read_text("utf-8") == digest and _is_built(folder)
    except OSError:
        return False


def _own_digest(folder: Path, wanted: Wanted) -> str:
    made_of = content_digest(folder, wanted.scheduling)
    return f"{tools_digest(True)} {made_of} {wanted.target} {wanted.scheduling}"


def _is_built(folder: Path) -> bool:
    """Whether the files that always come are there."""
    names = {path.suffix for path in folder.iterdir()}
    return {".o", ".h", ".a"} <= names


def _build(
    directory: Path, part: LibraryPart, variants: Sequence[Variant], wanted: Wanted, own: str | None
) -> tuple[list[str], str | None] | Diagnostic:
    """The names of the files that were made and what is to be said of them, in a child process.

    `own` is the digest of the files in the function's folder where those are to be made.
    """
    from compiler.codegen.library import write_changed

    from ..build.build import build_function

    files: list[Path | None] = []
    note = None
    try:
        if own is not None:
            note_file = _note(directory, part.folder)
            note_file.parent.mkdir(exist_ok=True)
            note_file.unlink(missing_ok=True)
            made = build_function(part.folder, wanted.target, wanted.scheduling)
            files = [made.object, made.header, made.archive, made.shared, made.schedule]
            note = made.note
            write_changed(note_file, own.encode())
        if variants:
            compile_part(directory, part, variants, wanted.scheduling)
    except LiftError as error:
        return error.diagnostic
    except OSError as error:
        return Diagnostic(
            "output-folder", "error", f"{directory} can't be written: {error.strerror}"
        )
    return [f.name for f in files if f is not None], note


def _show_library(whole: WholeLibrary) -> None:
    size = whole.archive.stat().st_size / 1e6
    kinds = f", for {', '.join(whole.variants)}" if whole.variants else ""
    noun = "function" if whole.functions == 1 else "functions"
    files = "  ".join(
        path.name for path in (whole.archive, whole.shared, whole.header) if path is not None
    )
    click.echo(
        f"{paint('library ', 'green')}  {paint(f'{whole.archive.parent}', bold=True)}  {files}: "
        f"{whole.functions} {noun}{kinds}, {size:.1f} MB"
    )
    if whole.note:
        click.echo(f"{' ' * 10}{whole.note}")


def _show(outcome: TaskOutcome) -> Diagnostic | None:
    """Prints the function's line; gives why it failed, if it did."""
    part: LibraryPart = outcome.task.tag
    name, folder = outcome.task.label, part.folder
    problem: Diagnostic | None = None
    if outcome.kind != "done":
        what, *where = outcome.text.splitlines() or ["unknown"]
        problem = Diagnostic(
            "internal",
            "error",
            f"{name}: building it ended in an error of lift's own: {what}",
            notes=("\n".join(["it came from", *where]),) if where else (),
            help=f"the lifted program is in {folder}; the other functions aren't touched by this",
            family="internal",
        )
    elif isinstance(outcome.value, Diagnostic):
        problem = outcome.value
    files, note = ([], None) if problem is not None else outcome.value
    _show_part(part, problem, files, note, outcome.seconds)
    return problem


def _show_part(
    part: LibraryPart,
    problem: Diagnostic | None,
    files: Sequence[str],
    note: str | None,
    seconds: float,
) -> None:
    """The line of a function that was built, or wasn't."""
    name, folder = part.interface.name, part.folder
    status = paint("failed  ", "red") if problem else paint("built   ", "green")
    kinds = "  " + " ".join(Path(f).suffix for f in files)
    head = f"{status}  {paint(f'{name:22}', bold=True)}  {folder}{kinds}".rstrip()
    spent = f"{seconds:.2f} s"
    used = 10 + max(22, len(name)) + 2 + len(f"{folder}{kinds}".rstrip())
    click.echo(head + " " * max(1, WIDTH - used - len(spent)) + spent)
    if note:
        click.echo(f"{' ' * 10}{note}")
