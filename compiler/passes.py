"""Shows how a program becomes loops: `python -m compiler.passes SCRIPT.py`.

The script runs as it is, with `halide` and `compiler` both resolved to this package; what it
realizes or compiles is printed after each pass of lowering, or only timed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from .as_halide import run_script
from .ir.stmt_printer import stmt_to_text
from .ir.stmts import Stmt
from .lower.watch import watching


@click.command(context_settings={"ignore_unknown_options": True})
@click.option(
    "--after",
    "names",
    multiple=True,
    metavar="PASS",
    help="Print after this pass only (repeatable); `list` prints the passes' names.",
)
@click.option(
    "--pipeline",
    "pipelines",
    multiple=True,
    metavar="NAME",
    help="Only pipelines whose output has this name (repeatable).",
)
@click.option("--time", "timed", is_flag=True, help="Print the milliseconds of each pass instead.")
@click.option(
    "--target", metavar="TARGET", help="As HL_JIT_TARGET, for instance x86-64-linux-avx2."
)
@click.argument("script", type=click.Path(exists=True, dir_okay=False))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def main(
    names: Sequence[str],
    pipelines: Sequence[str],
    timed: bool,
    target: str | None,
    script: str,
    arguments: Sequence[str],
) -> None:
    """Runs SCRIPT and prints its pipelines after each pass of lowering.

    \b
    python -m compiler.passes examples/blur.py --after bind
    python -m compiler.passes examples/blur.py --time
    """
    if target is not None:
        os.environ["HL_JIT_TARGET"] = target
    seen: list[str] = []
    last: dict[str, str] = {}

    def show(pipeline: str, step: str, body: Stmt, seconds: float) -> None:
        seen.append(step)
        text = "" if timed else stmt_to_text(body)
        is_same = last.get(pipeline) == text
        last[pipeline] = text
        if (pipelines and pipeline not in pipelines) or (names and step not in names):
            return
        if timed:
            click.echo(f"{pipeline:20} {step:24} {seconds * 1000:9.2f} ms")
        elif is_same:
            click.echo(f"--- {pipeline} after {step}: unchanged")
        else:
            click.echo(f"--- {pipeline} after {step}\n{text}")

    with watching(show):
        run_script(script, arguments)
    if names == ("list",):
        click.echo("\n".join(dict.fromkeys(seen)))
    elif unknown := [n for n in names if n not in seen]:
        raise click.UsageError(
            f"no pass is called {unknown[0]!r}; there are: {', '.join(dict.fromkeys(seen))}"
        )


if __name__ == "__main__":
    main()
