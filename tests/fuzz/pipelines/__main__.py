"""Replays one seed, or runs many."""

from __future__ import annotations

import sys

import click

from .generate import generate
from .run import Comparison, Finding
from .shrink import shrunk


@click.command()
@click.option("--seed", default=0, show_default=True, help="The first program's seed.")
@click.option("--count", default=1, show_default=True, help="How many programs to run.")
@click.option("--shrink/--no-shrink", default=True, help="Make a failing program small.")
@click.option("--show", is_flag=True, help="Print each program before it runs.")
@click.option("--most", default=10, show_default=True, help="Stop after this many findings.")
def main(seed: int, count: int, shrink: bool, show: bool, most: int) -> None:
    """Runs random pipelines under ours, the real Halide and the interpreter, and compares."""
    findings: list[Finding] = []
    with Comparison() as comparison:
        for number in range(seed, seed + count):
            program = generate(number)
            if show:
                click.echo(program.text())
            found = comparison.check(program)
            if found is None:
                continue
            if shrink:
                found = shrunk(found, comparison)
            click.echo(f"seed {number}: {found}\n")
            findings.append(found)
            if len(findings) >= most:
                break
        click.echo(f"{comparison.counts}, {len(findings)} wrong")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
