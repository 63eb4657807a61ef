"""`lift build DIR`."""

from __future__ import annotations

from pathlib import Path

import click

from ..options import available_cores


@click.command(
    options_metavar="[OPTIONS]",
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
)
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--target",
    metavar="TARGET",
    help="host, x86-64, aarch64, cuda, or TRIPLE+features.  [host]",
)
@click.option("-j", "jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [all cores]")
def command(directory: Path, target: str | None, jobs: int | None) -> int:
    """Compiles the lifted functions below DIR, each into its own folder.

    A function F gets F.o, F.h, libF.a and, where a linker is on the machine, libF.so. The entry
    F_lifted takes exactly the original's parameters; the inline F_guarded in F.h tests the
    preconditions at run time and calls the original where they don't hold.
    """
    from ..building import build_all

    return build_all(directory, None if target == "host" else target, jobs or available_cores())
