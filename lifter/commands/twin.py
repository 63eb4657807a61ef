"""`lift twin A B`."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ..ci.report_option import PROGRAMS, ReportFile, report_option
from ..settings.flags import Flags
from ..settings.options import available_cores
from .shared_options import form_option, limit_options, quiet_option, reading_options

_FILE = click.Path(path_type=Path)


@click.command(
    options_metavar="[OPTIONS]",
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
)
@click.argument("paths", metavar="FILE:FUNC FILE:FUNC|PATH... [-- CLANG_ARGS]", nargs=-1)
@click.option(
    "--twins",
    multiple=True,
    metavar="RULE",
    help="Pair all functions below PATH by name: '{}_c={}_sse41,{}_avx2' (repeatable).",
)
@click.option(
    "--within",
    type=click.FloatRange(min=0),
    default=0,
    metavar="N",
    help="How far numbers may be apart.  [0: equal to the bit]",
)
@click.option(
    "--assume",
    "assumptions",
    multiple=True,
    metavar="EXPR",
    help="What callers keep to, over the parameters, as 'alpha <= 255' (repeatable).",
)
@reading_options
@click.option(
    "--first-flags", default="", metavar="ARGS", help="More for the file of the first function."
)
@click.option(
    "--second-flags", default="", metavar="ARGS", help="More for the file of the second: '-DSIMD'."
)
@click.option(
    "-p",
    "database",
    type=_FILE,
    metavar="DIR",
    help="Read sources with the flags of DIR/compile_commands.json.",
)
@click.option(
    "--model",
    "models",
    type=_FILE,
    multiple=True,
    metavar="FILE",
    help="C++ that gives meaning to functions whose source isn't there.",
)
@form_option
@report_option(PROGRAMS)
@click.option("-j", "jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [all cores]")
@limit_options("pair")
@quiet_option
@click.option(
    "-o", "--out", type=_FILE, default=Path("lifted"), metavar="DIR",
    help="Where earlier runs' results are kept.  [lifted]",
)  # fmt: skip
@click.option("--no-cache", is_flag=True, help="Compare again what an earlier run has compared.")
@click.pass_obj
def command(
    clang_arguments: tuple[str, ...],
    /,
    paths: tuple[str, ...],
    twins: tuple[str, ...],
    within: float,
    assumptions: tuple[str, ...],
    std: str | None,
    includes: tuple[str, ...],
    defines: tuple[str, ...],
    first_flags: str,
    second_flags: str,
    database: Path | None,
    models: tuple[Path, ...],
    form: str,
    reports: tuple[ReportFile, ...],
    jobs: int | None,
    timeout: float,
    memory: float,
    quiet: bool,
    out: Path,
    no_cache: bool,
) -> int:
    """Says whether two functions compute the same: a portable one and its SIMD twin.

    Both are proved to leave the same for all inputs and all sizes, under preconditions that are
    shown; or a small input is shown on which they differ, both having been run on it. With --twins
    all functions of files and folders are paired by their names.

    The exit status is 0 when all pairs are equal, 1 when some are not, 2 for bad input, 3 when
    nobody can tell for some.
    """
    from ..settings.assumptions import check_assumptions
    from ..twins.run import Options
    from .twin_reporting import report

    check_assumptions(assumptions)
    flags = Flags(
        std=std,
        includes=includes,
        defines=defines,
        clang_arguments=clang_arguments,
        models=models,
        assumptions=assumptions,
    )
    options = Options(
        paths=paths,
        twins=twins,
        jobs=jobs or available_cores(),
        timeout=timeout,
        memory=memory,
        within=within,
        flags=flags,
        first_flags=_words(first_flags),
        second_flags=_words(second_flags),
        database=database,
        out=out,
        cache=not no_cache,
    )
    return report(options, form, reports, quiet)


def _words(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise click.UsageError(f"{text!r} can't be read as arguments: {error}") from error
