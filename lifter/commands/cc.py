"""`lift cc COMPILER ...`: a compiler that puts lifted code in place of kernels."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import click

from ..model.diagnostic import LiftError
from ..settings.options import available_cores


@click.command(
    options_metavar="[OPTIONS]",
    context_settings={
        "max_content_width": 100,
        "help_option_names": ["-h", "--help"],
        "ignore_unknown_options": False,
        "allow_interspersed_args": False,
    },
)
@click.argument("words", metavar="COMPILER [ARGUMENTS]...", nargs=-1, required=True,
                type=click.UNPROCESSED)  # fmt: skip
@click.option(
    "--source",
    "sources",
    multiple=True,
    metavar="FILE",
    help="Only these files; others are compiled as ever (repeatable).  [all]",
)
@click.option(
    "--function", "functions", multiple=True, metavar="NAME", help="Only these (repeatable)."
)
@click.option("--require", is_flag=True, help="Fail where a function can't be switched.")
@click.option(
    "--parallel",
    is_flag=True,
    help="Let code that is put into a function's loops run on several threads.",
)
@click.option(
    "--watched",
    is_flag=True,
    help="Also in builds with a sanitizer, coverage, -O0 or -Og.",
)
@click.option("--assume", "assumptions", multiple=True, metavar="EXPR", help="As for lift.")
@click.option("--model", "models", multiple=True, metavar="FILE", help="As for lift.")
@click.option("--timeout", type=float, metavar="SECONDS", help="As for lift, per function.  [300]")
@click.option(
    "-j",
    "jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes.  [all cores, shared with the other jobs of make -j]",
)
def command(
    words: tuple[str, ...],
    sources: tuple[str, ...],
    functions: tuple[str, ...],
    require: bool,
    parallel: bool,
    watched: bool,
    assumptions: tuple[str, ...],
    models: tuple[str, ...],
    timeout: float | None,
    jobs: int | None,
) -> int:
    """Compiles like COMPILER, with proved lifted code in place of the source's kernels.

    Put it before the compiler of any build: make CC="lift cc gcc" CXX="lift cc g++". Where a C or
    C++ source is compiled to an object, its functions are lifted, or their loops, each where it
    stands, and run the lifted code where its proof holds, and the original elsewhere. No file of
    yours changes. What can't be lifted, and all other uses of the compiler (linking, -E, other
    languages), are as ever. So are builds that look at the code as it is written: with a sanitizer,
    coverage, -O0 or -Og.

    The results are in OBJECT.lifted, and serve the next time, also those of a call that was
    interrupted. A terminal shows how far it is.
    """
    from ..switch.compiler_call import read_call

    if shutil.which(words[0]) is None:
        raise click.UsageError(f"{words[0]}: no such compiler on PATH")
    try:
        call = read_call(words)
    except (OSError, ValueError, RecursionError):
        call = None  # a response file that is none: the compiler's to tell
    meant = {Path(source).resolve() for source in sources}
    unusable = click.get_current_context().obj
    if isinstance(unusable, LiftError):
        if require:
            raise unusable
        _say_once(f"{unusable.diagnostic}\nlift: C++ as before: the settings can't be read")
        return _replace_process(words)
    if call is None or (meant and call.source.resolve() not in meant):
        return _replace_process(words)
    if call.watches is not None and not watched:
        _say_once(f"lift: C++ as before with {call.watches}: such a build looks at it")
        return _replace_process(words)
    from ..command_line import run
    from ..switch import Switching, compile_switched

    more: list[str] = []
    if timeout is not None:
        more += ["--timeout", str(timeout)]
    for option, values in (("--assume", assumptions), ("--model", models)):
        for value in values:
            more += [option, value]
    several = len(meant) != 1
    own = jobs or _own_share()
    wanted = Switching(run, functions, several, require, tuple(more), own, parallel)
    return compile_switched(call, wanted)


def _say_once(text: str) -> None:
    from ..switch.said import is_news

    if is_news(text):
        click.echo(text, err=True)


def _own_share() -> int:
    """The cores that are left for each compiler call that `make` runs at once."""
    told = re.search(r"(?:^|\s)-j(\d+)", os.environ.get("MAKEFLAGS", ""))
    return max(1, available_cores() // max(1, int(told[1]) if told else 1))


def _replace_process(words: tuple[str, ...]) -> int:
    """Becomes the compiler."""
    os.execvp(words[0], words)
