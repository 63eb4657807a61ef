"""`lift bench DIR`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from ..command_line import FAILED, INTERRUPTED, PROVED
from ..model.diagnostic import Diagnostic, LiftError


def _size(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, int]:
    width, _, height = value.partition("x")
    if not (width.isdigit() and height.isdigit() and int(width) and int(height)):
        raise click.BadParameter(f"{value!r} is no size; write it as 1024x1024", ctx, param)
    return int(width), int(height)


def _device() -> str:
    """What the GPU is; raises `LiftError` (`missing-tool`) where none can be used."""
    from .doctor_checks import device

    found = device()
    if found.state == "ok":
        return found.text.partition(";")[0]
    raise LiftError(
        Diagnostic(
            "missing-tool",
            "error",
            f"--target cuda needs a GPU: {found.text}",
            help="`lift doctor` says what it finds; without --target the processor is timed",
        )
    )


@click.command(
    options_metavar="[OPTIONS]",
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
)
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--size", callback=_size, default="1024x1024", metavar="WxH", help="Pixels.  [1024x1024]"
)
@click.option(
    "--threads", type=click.IntRange(min=1), default=1, metavar="N", help="Of the lifted code.  [1]"
)
@click.option(
    "--target",
    type=click.Choice(["host", "cuda"]),
    default="host",
    help="cuda: on the GPU, too, after lift build DIR --target cuda.  [host]",
)
@click.option("--markdown", is_flag=True, help="The table as Markdown.")
def command(
    directory: Path,
    size: tuple[int, int],
    threads: int,
    target: Literal["host", "cuda"],
    markdown: bool,
) -> int:
    """Times the original against the lifted code, side by side in one run.

    The original is compiled with the machine's C++ compiler (CXX, or c++, g++, clang++) with -O3
    -march=native, and with the -I, -D and --std that it was lifted with; both run on the same
    images, and their results are compared bit for bit before they are timed. Build first: lift
    build DIR. The exit status is 1 when any results differ. The figures stay in DIR/bench.json, for
    lift report; Ctrl-C keeps those that there are.

    For cuda results on the GPU are compared, too, and a call's time is told in its parts: the
    kernels by the GPU's own clock, the launch, copies of the images, for images that lie there and
    for images on the host. Where no GPU can be used the exit status is 2.
    """
    from ..bench import (
        DEVICE_LEGEND,
        bench_markdown,
        bench_notes,
        bench_table,
        device_markdown,
        device_table,
        measured,
        save_figures,
    )
    from ..show.progress import open_progress
    from .building import lifted_folders

    folders = lifted_folders(directory)
    device = _device() if target == "cuda" else None
    progress = open_progress("timing")
    progress.add(len(folders))

    def follow(text: str) -> None:
        doing, _, name = text.partition(" ")
        progress.running((name,))
        if doing == "timing":
            progress.advance()

    rows = []
    stopped = False
    try:
        for row in measured(directory, size=size, threads=threads, target=target, progress=follow):
            rows.append(row)
    except KeyboardInterrupt:
        stopped = True
    finally:
        progress.close()
    if stopped and not rows:
        raise KeyboardInterrupt
    if markdown:
        click.echo((device_markdown if device else bench_markdown)(rows), nl=False)
    else:
        from rich.console import Console

        console = Console()
        if not console.is_terminal:
            console = Console(width=120 if device else 100)
        if device:
            click.echo(f"on {device}, images of {size[0]} x {size[1]}")
        console.print((device_table if device else bench_table)(rows))
        if device:
            click.echo("\n".join(DEVICE_LEGEND))
    for note in bench_notes(rows):
        click.echo(note, err=markdown)
    try:
        kept = save_figures(directory, rows, size, threads, device)
    except OSError as error:
        click.echo(f"lift: the figures can't be kept in {directory}: {error.strerror}", err=True)
    else:
        click.echo(f"the figures are in {kept}; `lift report` shows them", err=True)
    if stopped:
        click.echo("lift: stopped; the others aren't measured", err=True)
        return INTERRUPTED
    return FAILED if any(row.equal is False for row in rows) else PROVED
