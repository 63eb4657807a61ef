"""What a user wants of `lift cc`, and what becomes of one call of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from .compiler_call import CompilerCall

_NOT_STARTED = 126
"""The exit status, as shells have it, for a program that is there and can't be run."""


@dataclass(frozen=True, slots=True)
class Switching:
    """What the user wants of `lift cc`."""

    lift: Callable[[list[str]], int]
    """Runs `lift` with arguments, in this process, and gives its exit status."""
    functions: tuple[str, ...] = ()
    """Only these; all when empty."""
    several: bool = False
    """Whether the names may be those of functions in other sources."""
    required: bool = False
    """Whether a function that isn't switched is an error."""
    lift_options: tuple[str, ...] = ()
    """Passed on to `lift`."""
    jobs: int = 1
    """Processes."""
    parallel: bool = False
    """Whether code that is put into functions may run on several threads."""


@dataclass(slots=True)
class Outcome:
    """What became of each function that could be meant."""

    switched: list[str] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=dict)
    """Why a function keeps its own code, by its name; the whole source, under no name."""
    object: Path | None = None
    """With the lifted code; None for that which the compiler alone makes."""
    warnings: str = ""
    """What the compiler has said about the source."""
    is_lasting: bool = False
    """Whether the same would become of the same source again."""


def plainly(call: CompilerCall, wanted: Switching, outcome: Outcome) -> int:
    """Makes the object that the compiler alone makes; gives the exit status."""
    try:
        done = subprocess.run(call.compiling(call.source, call.output), check=False)
    except OSError as error:
        print(f"lift: error: {call.compiler[0]}: {error.strerror}", file=sys.stderr)
        return _NOT_STARTED
    if done.returncode < 0:
        return 128 - done.returncode  # as shells say of a process that a signal has ended
    return done.returncode or say(call, wanted, outcome)


def say(call: CompilerCall, wanted: Switching, outcome: Outcome) -> int:
    """A line about what was switched and one about what wasn't; the exit status."""
    name = call.source.name
    problems = [f"{one} ({why})" if one else why for one, why in sorted(outcome.kept.items())]
    known = {*outcome.switched, *outcome.kept}
    if not wanted.several:
        problems += [f"{f} (no such function)" for f in wanted.functions if f not in known]
    if outcome.switched:
        print(f"lift: {name}: lifted code for {', '.join(outcome.switched)}", file=sys.stderr)
    if problems:
        print(
            f"lift: {name}: {'C' if call.is_c else 'C++'} as before for {', '.join(problems)}",
            file=sys.stderr,
        )
    elsewhere = wanted.several and wanted.functions
    if wanted.required and (problems or not (outcome.switched or elsewhere)):
        call.output.unlink(missing_ok=True)
        print(
            f"lift: error: {name}: not every function is lifted, and --require asks for that "
            f"(lift explain {call.source}:FUNCTION)",
            file=sys.stderr,
        )
        return 1
    return 0
