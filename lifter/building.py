"""Builds every lifted function below a folder, each in a process of its own."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import click

from .build import Scheduling
from .command_line import FAILED, PROVED
from .diagnostic import Diagnostic, LiftError
from .progress import open_progress
from .show import WIDTH, diagnostic_to_text, paint
from .workers import Outcome, Pool, Task


def lifted_folders(directory: Path) -> list[Path]:
    """The folders of lifted functions below `directory`, in order.

    Raises `LiftError` (`file-missing`, `nothing-to-build`) when there is none.
    """
    if not directory.is_dir():
        raise LiftError(Diagnostic("file-missing", "error", f"{directory}: no such folder"))
    found = sorted(path.parent for path in directory.rglob("summary.json"))
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


def build_all(directory: Path, target: str | None, jobs: int, scheduling: Scheduling) -> int:
    """Prints a line a function; the exit status is 1 when some couldn't be built."""
    folders = lifted_folders(directory)
    began = time.monotonic()
    _load_compiler()
    pool = Pool(jobs)
    for folder in folders:
        pool.submit(Task(folder.name, partial(_build, folder, target, scheduling), folder))
    progress = open_progress("building")
    progress.add(len(folders))
    failed: list[Diagnostic] = []
    try:
        while pool.busy:
            progress.running(tuple(pool.labels))
            for outcome in pool.wait(0.2):
                with progress.aside():
                    failed += _show(outcome)
                progress.advance()
    finally:
        pool.stop()
        progress.close()
    for diagnostic in failed:
        click.echo()
        click.echo(diagnostic_to_text(diagnostic))
    click.echo()
    built = len(folders) - len(failed)
    click.echo(f"{built} built, {len(failed)} failed in {time.monotonic() - began:.1f} s")
    return FAILED if failed else PROVED


def _load_compiler() -> None:
    """Loads the compiler once, so that children share it and start at once."""
    import compiler.codegen.library
    import compiler.lang.pipeline
    import compiler.lower.pipeline  # noqa: F401


def _build(
    folder: Path, target: str | None, scheduling: Scheduling
) -> tuple[list[str], str | None] | Diagnostic:
    """The names of the files that were made and what is to be said of them, in a child process."""
    from .build import build_function

    try:
        made = build_function(folder, target, scheduling)
    except LiftError as error:
        return error.diagnostic
    files = (made.object, made.header, made.archive, made.shared, made.schedule)
    return [f.name for f in files if f is not None], made.note


def _show(outcome: Outcome) -> list[Diagnostic]:
    """Prints the function's line; gives why it failed, if it did."""
    name, folder = outcome.task.label, outcome.task.tag
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
    status = paint("failed  ", "red") if problem else paint("built   ", "green")
    files, note = ([], None) if problem is not None else outcome.value
    kinds = "  " + " ".join(Path(f).suffix for f in files)
    head = f"{status}  {paint(f'{name:22}', bold=True)}  {folder}{kinds}".rstrip()
    spent = f"{outcome.seconds:.2f} s"
    used = 10 + max(22, len(name)) + 2 + len(f"{folder}{kinds}".rstrip())
    click.echo(head + " " * max(1, WIDTH - used - len(spent)) + spent)
    if note:
        click.echo(f"{' ' * 10}{note}")
    return [problem] if problem is not None else []
