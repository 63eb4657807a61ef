"""`lift init`."""

from __future__ import annotations

from pathlib import Path

import click

from ..command_line import PROVED


@click.command(
    options_metavar="[OPTIONS]",
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
)
@click.argument(
    "directory",
    metavar="[DIR]",
    default=Path(),
    type=click.Path(path_type=Path, file_okay=False, exists=True),
)
def command(directory: Path) -> int:
    """Writes what the project in DIR (or here) needs to be lifted and verified.

    Finds compile_commands.json, or else sources and headers, and writes lift.toml; a .gitignore for
    what can be made again; and for GitHub the workflow that verifies each push. Files that are
    there stay as they are. Then it says what to do next. Nothing of the project is run.
    """
    from ..model.diagnostic import Diagnostic, LiftError
    from ..show.visible import visible_line
    from .project_setup import look_at, next_steps, set_up

    project = look_at(directory)
    if project.database is not None:
        click.echo(f"the build: {visible_line(project.database)}/compile_commands.json")
    else:
        click.echo(f"the build: {project.build or 'none found'}, without compile_commands.json")
    try:
        for one in set_up(project):
            click.echo(f"{visible_line(str(one.path))}: {one.done}")
    except OSError as error:
        message = f"{directory} can't be written: {error.strerror}"
        raise LiftError(Diagnostic("output-folder", "error", message)) from error
    click.echo("\nnext:")
    for step in next_steps(project):
        click.echo(f"  {visible_line(step)}")
    return PROVED
