"""The entry point `lift`: picks the subcommand and turns whatever happens into an exit status.

Nothing heavy is imported before a subcommand needs it: `lift --help` answers in under 0.3 s.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import click

    from .model.diagnostic import Diagnostic

COMMANDS = {
    "build": "compile the lifted functions in DIR to .o, .h, .a and .so",
    "cc": "before a compiler: lifted code in place of a source's kernels, in any build",
    "patch": "the calls of lifted code as a diff of the sources",
    "verify": "check that lifted code still equals its sources, in CI",
    "twin": "A B: do a portable function and its SIMD twin compute the same?",
    "bench": "time the original against the lifted code, side by side",
    "report": "one HTML page of all that was lifted into DIR",
    "explain": "FILE:FUNC, FILE or CODE: why a function failed, what a code means",
    "init": "write lift.toml, lifted/.gitignore and the workflow for a project",
    "doctor": "versions, CPU features, what is missing and what it is needed for",
}
_FOR_CLANG = ("lift", "twin")
"""The commands of which clang gets what stands behind `--`."""
PROVED, FAILED, BAD_USAGE, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs `lift` with `arguments` (default: the process's own) and ends the process."""
    sys.exit(run(list(sys.argv[1:] if arguments is None else arguments)))


def run(arguments: list[str]) -> int:
    """Runs `lift` and gives its exit status: 0, 1, 2, 3 (docs/design.md), or 130 on Ctrl-C."""
    import click

    from .model.diagnostic import LiftError

    if "_LIFT_COMPLETE" in os.environ:
        from .commands.completion import complete

        return complete()
    clang_arguments: tuple[str, ...] = ()
    name = arguments[0] if arguments else ""
    if name in COMMANDS:
        arguments = arguments[1:]
    else:
        name = "lift"
    if name in _FOR_CLANG and "--" in arguments:
        cut = arguments.index("--")
        arguments, clang_arguments = arguments[:cut], tuple(arguments[cut + 1 :])
    try:
        unusable: LiftError | None = None
        try:
            defaults, configured = _configured(name, arguments)
        except LiftError as error:
            if name != "cc":
                raise
            # A build goes on, with the compiler alone.
            defaults, configured, unusable = {}, (), error
        if name == "lift" and not (arguments or defaults.keys() & {"paths", "database"}):
            arguments = ["--help"]
        command: click.Command = importlib.import_module(f"lifter.commands.{name}").command
        title = "lift" if name == "lift" else f"lift {name}"
        status = command.main(
            arguments,
            prog_name=title,
            standalone_mode=False,
            obj=unusable or clang_arguments or configured,
            default_map=defaults,
            color=colours(),
        )
    except click.exceptions.Exit as done:
        return int(done.exit_code)
    except click.UsageError as error:
        error.show()
        return BAD_USAGE
    except click.ClickException as error:
        error.show()
        return BAD_USAGE
    except LiftError as error:
        return _say(error.diagnostic)
    except (KeyboardInterrupt, click.Abort):
        click.echo("lift: stopped", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output (`head`, a pager) has gone; there is nobody to tell.
        sys.stderr.close()
        return INTERRUPTED
    return int(status or 0)


def colours() -> bool | None:
    """False where the environment wants none (NO_COLOR, TERM=dumb); None: as the output is."""
    no = os.environ.get("NO_COLOR") or os.environ.get("TERM") in ("dumb", "unknown")
    return False if no else None


def _configured(name: str, arguments: list[str]) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """A command's defaults and clang's arguments, from the project's file.

    Help and `lift doctor` work whatever the file is like.
    """
    if name == "doctor" or {"--help", "-h", "--version"} & set(arguments):
        return {}, ()
    from pathlib import Path

    from .settings.configuration import load_configuration

    found = load_configuration(Path.cwd(), COMMANDS)
    if found is None:
        return {}, ()
    return found.of(name), found.clang_arguments if name in _FOR_CLANG else ()


def _say(diagnostic: Diagnostic) -> int:
    import click

    from .show.terminal import diagnostic_to_text

    click.echo(diagnostic_to_text(diagnostic), err=True, color=colours())
    return BAD_USAGE
