"""`lift verify DIR`."""

from __future__ import annotations

from pathlib import Path

import click

from ..ci.report_option import PROGRAMS, ReportFile, report_option
from ..model.diagnostic import Diagnostic, LiftError
from ..settings.options import available_cores
from .shared_options import form_option, limit_options, quiet_option


@click.command(
    options_metavar="[OPTIONS]",
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
)
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--recheck", is_flag=True, help="Replay all stored certificates, too, with a solver.")
@click.option(
    "--solver",
    type=click.Choice(["z3", "cvc5"]),
    metavar="z3|cvc5",
    help="Which one: Z3, or cvc5 from the extra `recheck`.  [z3]",
)
@click.option("--all", "every", is_flag=True, help="Prove all again, whatever their seals say.")
@form_option
@report_option(PROGRAMS)
@click.option(
    "--new-is-error", is_flag=True, help="Fail for kernels that have no summary yet, too."
)
@click.option("-j", "jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [all cores]")
@limit_options("function that is proved again")
@quiet_option
@click.option(
    "--root",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="DIR",
    help="What the sources' paths count from.  [.]",
)
@click.option("--std", metavar="STD", help="C++ standard, instead of the recorded one.")
@click.option("-I", "includes", multiple=True, metavar="DIR", help="Instead of the recorded ones.")
@click.option(
    "-D", "defines", multiple=True, metavar="NAME[=VALUE]", help="Instead of the recorded ones."
)
@click.option(
    "-p",
    "database",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Read sources with the flags of DIR/compile_commands.json.",
)
def command(
    directory: Path,
    recheck: bool,
    solver: str | None,
    every: bool,
    form: str,
    reports: tuple[ReportFile, ...],
    new_is_error: bool,
    jobs: int | None,
    timeout: float,
    quiet: bool,
    memory: float,
    root: Path | None,
    std: str | None,
    includes: tuple[str, ...],
    defines: tuple[str, ...],
    database: Path | None,
) -> int:
    """Checks that the lifted functions below DIR still equal their C++ sources.

    Nothing is proved again where the source means what it meant and nobody edited the files. For
    any other function the committed summary is proved of the source as it is now: it is equal, or
    changed but still equal, or not equal, with a small input and both results. Nothing of the
    sources and nothing in DIR is ever run. Start it in the folder where lift ran.

    The exit status is 0 when all are equal, 1 when some are not or their functions are gone, 2 for
    bad input, 3 when nobody can tell for some.
    """
    from ..checking.run import VerifyOptions
    from .verify_reporting import report

    if solver is not None and not recheck:
        raise click.UsageError("--solver is for --recheck.")
    if solver == "cvc5":
        _need_cvc5()
    options = VerifyOptions(
        directory=directory,
        jobs=jobs or available_cores(),
        timeout=timeout,
        memory=memory,
        root=root,
        std=std,
        includes=includes,
        defines=defines,
        database=database,
        every=every,
        solver=(solver or "z3") if recheck else None,
        new_is_error=new_is_error,
    )
    return report(options, form, reports, quiet)


def _need_cvc5() -> None:
    """Raises `LiftError` (`missing-tool`) where the extra isn't installed."""
    try:
        import cvc5  # noqa: F401
    except ImportError as error:
        raise LiftError(
            Diagnostic(
                "missing-tool",
                "error",
                "the solver cvc5 isn't installed",
                help="pip install 'kernel-lift[recheck]'",
            )
        ) from error
