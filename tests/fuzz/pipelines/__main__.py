"""Replays one seed, or runs many."""

from __future__ import annotations

import sys

import click

from .generate import generate
from .on_aarch64 import ComparisonOnAArch64, findings_on_aarch64, missing
from .run import Comparison, Finding
from .shrink import shrunk
from .twists import generate_twisted


@click.command()
@click.option("--seed", default=0, show_default=True, help="The first program's seed.")
@click.option("--count", default=1, show_default=True, help="How many programs to run.")
@click.option("--shrink/--no-shrink", default=True, help="Make a failing program small.")
@click.option("--show", is_flag=True, help="Print each program before it runs.")
@click.option("--most", default=10, show_default=True, help="Stop after this many findings.")
@click.option("--method", metavar="NAME", help="Leave all to this autoscheduler; or to `any`.")
@click.option("--twisted", is_flag=True, help="Programs with a last stage at the limits.")
@click.option("--aarch64", is_flag=True, help="AArch64 code under qemu against this machine's.")
def main(
    seed: int,
    count: int,
    shrink: bool,
    show: bool,
    most: int,
    method: str | None,
    twisted: bool,
    aarch64: bool,
) -> None:
    """Runs random pipelines under ours, the real Halide and the interpreter, and compares."""
    if aarch64:
        _run_on_aarch64(range(seed, seed + count), shrink, show)
    findings: list[Finding] = []
    with Comparison() as comparison:
        for number in range(seed, seed + count):
            program = generate_twisted(number) if twisted else generate(number, method)
            if show:
                click.echo(program.text())
            found = comparison.check(program)
            if count > 1 and number % 10 == 9:
                click.echo(f"{number - seed + 1} programs: {comparison.counts}", err=True)
            if found is None:
                continue
            if shrink:
                found = shrunk(found, comparison)
            if method is not None:
                found.flags += f" --method {method}"
            click.echo(f"seed {number}: {found}\n")
            findings.append(found)
            if len(findings) >= most:
                break
        click.echo(f"{comparison.counts}, {len(findings)} wrong")
    sys.exit(1 if findings else 0)


def _run_on_aarch64(seeds: range, shrink: bool, show: bool) -> None:
    absent = missing()
    if absent is not None:
        raise click.ClickException(absent)
    if show:
        for number in seeds:
            click.echo(generate(number).text())
    findings, counts = findings_on_aarch64(seeds)
    with ComparisonOnAArch64() as comparison:
        for found in findings:
            click.echo(f"{shrunk(found, comparison) if shrink else found}\n")
    click.echo(f"{counts}, {len(findings)} wrong")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
