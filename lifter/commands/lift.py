"""`lift PATH...`: lifts all kernels in files and folders."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

import click

from ..ci.report_option import BASELINE, ReportFile, report_option
from ..command_line import COMMANDS
from ..settings.options import RunOptions, available_cores
from .shared_options import form_option, limit_options, quiet_option, reading_options


class _Teaching(click.Command):
    """Help that shows what to type first, and what else there is."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        formatter.write(
            "  Lifts legacy C++ image-processing kernels to short DSL programs that are proven\n"
            "  equal to the original for all inputs and all sizes.\n"
        )
        with formatter.section("First steps"):
            formatter.write_dl(
                [
                    ("lift blend.cpp", "lift every kernel in a file into lifted/"),
                    ("lift src/ -j 4", "a whole folder, on four processes"),
                    ("lift -p build/", "a whole project, with the flags that it is built with"),
                    ("lift init", "write the settings and the workflow for a project"),
                    ("lift explain blend.cpp:Add", "why it failed, or how it was proved"),
                    ("lift build lifted", "compile what was lifted"),
                    ("lift bench lifted", "time it against the original"),
                ]
            )

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Other commands (lift COMMAND --help)"):
            formatter.write_dl(list(COMMANDS.items()))
        with formatter.section("Exit status"):
            formatter.write_dl(
                [
                    ("0", "every kernel is proved"),
                    ("1", "some failed"),
                    ("2", "bad usage or input"),
                    ("3", "nothing failed, but some are undecided"),
                    ("130", "stopped by Ctrl-C; what is finished is kept"),
                ]
            )


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from ..show.json_report import own_version

        click.echo(f"lift {own_version()}")
        ctx.exit(0)


def _show_cmake_folder(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(Path(__file__).resolve().parent.parent / "cmake")
        ctx.exit(0)


_FILE = click.Path(path_type=Path)


@click.command(
    cls=_Teaching,
    options_metavar="[OPTIONS]",
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
)
@click.argument("paths", metavar="PATH... [-- CLANG_ARGS]", nargs=-1)
@click.option(
    "-o", "--out", type=_FILE, default=Path("lifted"), metavar="DIR", help="Results.  [lifted]"
)
@click.option(
    "-p",
    "database",
    metavar="DIR",
    help="Flags from DIR/compile_commands.json; without PATH, all its files.",
)
@reading_options
@click.option(
    "--function", "functions", multiple=True, metavar="NAME", help="Only these (repeatable)."
)
@click.option(
    "--model",
    "models",
    type=_FILE,
    multiple=True,
    metavar="FILE",
    help="C++ that gives meaning to functions whose source isn't there (assembly, libraries).",
)
@click.option(
    "--grammar",
    "grammars",
    type=_FILE,
    multiple=True,
    metavar="FILE",
    help="Rules that widen or replace the search's grammars.",
)
@click.option(
    "--assume",
    "assumptions",
    multiple=True,
    metavar="EXPR",
    help="A precondition over the parameters, as 'cols <= rowBytes'.",
)
@click.option(
    "-j",
    "jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Processes.  [all cores: {available_cores()}]",
)
@limit_options("function")
@form_option
@report_option(BASELINE)
@click.option(
    "--baseline",
    type=_FILE,
    metavar="FILE",
    help="Accepted failures: fail only when it gets worse. Made by --write baseline=FILE.",
)
@quiet_option
@click.option("--no-cache", is_flag=True, help="Lift again what an earlier run has finished.")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Lift on the workers of the Dask scheduler there; -j is for parsing.",
)
@click.option(
    "--show-config",
    is_flag=True,
    help="Show which options are in force, and from where; lift nothing.",
)
@click.option(
    "--cmake-dir",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_show_cmake_folder,
    help="Show the folder for CMake's lift_DIR.",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_show_version,
    help="Show the version.",
)
@click.pass_obj
def command(
    clang_arguments: tuple[str, ...],
    /,
    paths: tuple[str, ...],
    form: str,
    reports: tuple[ReportFile, ...],
    jobs: int | None,
    no_cache: bool,
    show_config: bool,
    baseline: Path | None,
    quiet: bool,
    **given: Any,
) -> int:
    if show_config:
        from .show_configuration import show_configuration

        return show_configuration(click.get_current_context())
    if not paths and given["database"] is None:
        raise click.UsageError("name files or folders to lift, or a database with -p DIR.")
    if paths and Path(paths[0]).name in COMMANDS and not Path(paths[0]).exists():
        raise click.UsageError(f"put the subcommand first: lift {paths[0]} ...")
    if paths and not Path(paths[0]).exists():
        near = difflib.get_close_matches(paths[0], COMMANDS, n=1, cutoff=0.7)
        if near:
            raise click.UsageError(
                f"{paths[0]} is neither a file nor a command; did you mean lift {near[0]}?"
            )
    options = RunOptions(
        paths=paths,
        jobs=jobs or available_cores(),
        cache=not no_cache,
        clang_arguments=clang_arguments,
        **given,
    )
    from .lift_reporting import report

    return report(options, form, reports, baseline, quiet)
