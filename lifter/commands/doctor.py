"""`lift doctor`."""

from __future__ import annotations

import textwrap

import click


@click.command(
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
)
def command() -> int:
    """Versions, CPU features, what is missing and what it is needed for.

    The exit status is 2 when something is missing without which lifting itself can't work.
    """
    from ..show.json_report import own_version
    from ..show.terminal import paint
    from .doctor_checks import examine

    click.echo(paint(f"lift {own_version()}", bold=True))
    colours = {"ok": "green", "absent": "yellow", "missing": "red"}
    missing = 0
    for finding in examine():
        missing += finding.state == "missing"
        state = paint(f"{finding.state:7}", colours[finding.state])
        first, *more = textwrap.wrap(finding.text, 75)
        click.echo(f"  {state}  {finding.name:12}  {first}")
        for line in more:
            click.echo(f"{' ' * 25}{line}")
        if finding.state != "ok":
            click.echo(f"{' ' * 25}needed for {finding.needed_for}")
    if missing:
        click.echo(f"{missing} missing: lifting can't work before they are there")
    return 2 if missing else 0
