"""`lift patch PATH...`: the calls of lifted code as a change to the sources."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click


@click.command(
    options_metavar="[OPTIONS]",
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
)
@click.argument(
    "paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("lifted"),
    metavar="DIR",
    help="The folder of results.  [lifted/]",
)
@click.option("--write", is_flag=True, help="Change the files, and write DIR/lifted_calls.c.")
@click.option("--function", "functions", multiple=True, metavar="NAME", help="Only these.")
@click.option("--std", metavar="STD", help="As for lift.")
@click.option("-I", "includes", multiple=True, metavar="DIR", help="As for lift.")
@click.option("-D", "defines", multiple=True, metavar="NAME[=VALUE]", help="As for lift.")
@click.option("-p", "database", type=click.Path(), metavar="DIR", help="As for lift.")
@click.option("-j", "jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [all cores]")
def command(
    paths: tuple[Path, ...],
    out: Path,
    write: bool,
    functions: tuple[str, ...],
    std: str | None,
    includes: tuple[str, ...],
    defines: tuple[str, ...],
    database: str | None,
    jobs: int | None,
) -> int:
    """Shows, as a diff, PATH with each proved loop in the else branch of a call of its lifted code.

    With --write the files are changed, and DIR/lifted_calls.c has what is called: compile it with
    the program, and link it with the library of `lift build DIR`. A patched source lifts to the
    same results as before; `lift verify DIR` watches that.
    """
    from ..switch.patch import CALLS, patched, write_patched

    words = [sys.executable, "-m", "lifter", *map(str, paths), "-o", str(out), "--format", "json"]
    given = [("--function", f) for f in functions] + [("-I", i) for i in includes]
    given += [("-D", d) for d in defines]
    given += [(k, str(v)) for k, v in (("--std", std), ("-p", database), ("-j", jobs)) if v]
    words += [word for pair in given for word in pair]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
    try:
        document = json.loads(done.stdout)
    except ValueError:
        return done.returncode or 2
    for problem in document["diagnostics"]:
        click.echo(f"lift: {problem['severity']}: {problem['message']}", err=True)
    proved = [f for f in document["functions"] if f["status"] == "proved" and f.get("folder")]
    folders = [out / f["folder"] for f in proved if (out / f["folder"] / "summary.json").is_file()]
    sources, kept = patched(out, folders)
    misplaced = [(source, call) for source in sources for call in source.misplaced]
    for source, call in misplaced:
        click.echo(f"lift: error: {source.path}: {call.misplaced()}", err=True)
    if misplaced:
        return 1
    if write and sources:
        try:
            write_patched(sources, out / CALLS)
        except OSError as error:
            click.echo(f"lift: error: {error.filename}: {error.strerror}", err=True)
            return 2
    for source in sources:
        if source.after == source.before:
            continue
        if write:
            click.echo(f"{source.path}: {len(source.calls)} calls", err=True)
        else:
            click.echo(source.diff(), nl=False)
    if write and sources:
        click.echo(
            f"{out / CALLS}: what they call; link it with the library of lift build", err=True
        )
    for name, why in sorted(kept.items()):
        click.echo(f"lift: {name} stays as it is: {why}", err=True)
    return 0
