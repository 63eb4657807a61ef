"""`lift report DIR`."""

from __future__ import annotations

import os
from pathlib import Path

import click

from ..command_line import PROVED


@click.command(
    options_metavar="[OPTIONS]",
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
)
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where the page goes.  [DIR/report.html]",
)
@click.option(
    "--bench",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Figures of lift bench.  [DIR/bench.json, if it is there]",
)
def command(directory: Path, out: Path | None, bench: Path | None) -> int:
    """Makes one HTML page of all that was lifted into DIR.

    Totals; for each function the C++ beside the DSL, its stages as a picture, what is assumed, how
    each obligation was proved, why it failed and what can be done; speed-ups, once lift bench DIR
    has measured them. The page is one file that needs neither network nor scripts.
    """
    from collections import Counter

    from ..report import collect, page

    collection = collect(directory, bench)
    target = out or directory / "report.html"
    text = page(collection, directory, target)
    write(target, text)
    counts = Counter(entry.record.status for entry in collection.entries)
    size = target.stat().st_size / 1e6
    told = ", ".join(f"{count} {status}" for status, count in counts.items())
    click.echo(f"{target}: {told} ({size:.1f} MB)")
    return PROVED


def write(target: Path, text: str) -> None:
    """Writes the page as a whole or not at all. Raises `LiftError` where that can't be."""
    from ..model.diagnostic import Diagnostic, LiftError

    partial = target.with_name(f"{target.name}.{os.getpid()}.partial")
    try:
        partial.write_text(text, "utf-8")
        os.replace(partial, target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise LiftError(
            Diagnostic(
                "output-folder",
                "error",
                f"the page can't be written to {target}: {error.strerror}",
                help="name another file with -o FILE",
            )
        ) from error
