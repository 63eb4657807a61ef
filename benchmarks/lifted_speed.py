"""How much faster the lifted corpus is than g++ -O3 -march=native, in cache and out of it.

    lift corpus/blend corpus/filter -o lifted && lift build lifted
    python benchmarks/lifted_speed.py lifted --plot lifted_speed.svg --markdown lifted_speed.md

Originals and lifted functions run side by side in one process each (`lift bench`), on an image that
fits the second-level cache and on one that fits none, with one thread and with all, as
dexter-2019 figure 11 shows them. Needs matplotlib for the plot.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
from collections.abc import Mapping, Sequence
from math import exp, log
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lifter.bench import bench

SIZES = {"in cache": (1024, 1024), "out of cache": (8192, 8192)}
Case = tuple[str, int]
"""The name of a size and a number of threads."""
Speeds = Mapping[str, float | None]
"""The speed-ups of functions by name; None where there is no original to run."""


@click.command()
@click.argument("directory", type=click.Path(exists=True, path_type=Path))
@click.option("--seconds", default=0.15, show_default=True, help="Of calls for each function.")
@click.option("--sizes", default=",".join(SIZES), show_default=True, help="Comma-separated.")
@click.option("--threads", default=f"1,{os.cpu_count()}", show_default=True)
@click.option("--plot", type=click.Path(path_type=Path), help="An SVG file to write.")
@click.option("--markdown", type=click.Path(path_type=Path), help="A table to write.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Every figure.")
@click.option(
    "--with",
    "earlier",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="Figures of an earlier run, to be shown too (repeatable).",
)
def main(
    directory: Path, seconds: float, sizes: str, threads: str, plot: Path | None,
    markdown: Path | None, json_file: Path | None, earlier: Sequence[Path],
) -> None:  # fmt: skip
    """Times every built function below DIRECTORY against its original."""
    found: dict[Case, Speeds] = {}
    for path in earlier:
        for case, speeds in json.loads(path.read_text()).items():
            name, count = case.rsplit(", ", 1)
            found[name, int(count)] = speeds
    different = []
    for name in filter(None, sizes.split(",")):
        for count in map(int, threads.split(",")):
            click.echo(f"{name}, {count} threads", err=True)
            rows = bench(directory, size=SIZES[name], threads=count, seconds=seconds)
            found[name, count] = {row.name: row.speedup for row in rows}
            different += [row.name for row in rows if row.equal is False]
            if json_file:
                json_file.write_text(json.dumps(as_json(found), indent=1))
    click.echo(as_markdown(found))
    if markdown:
        markdown.write_text(as_markdown(found))
    if plot:
        draw(found, plot)
    for name in different:
        click.echo(f"{name}: results differ")
    sys.exit(bool(different))


def as_json(found: Mapping[Case, Speeds]) -> dict[str, Speeds]:
    return {f"{name}, {count}": speeds for (name, count), speeds in found.items()}


def as_markdown(found: Mapping[Case, Speeds]) -> str:
    lines = [
        "| image | threads | functions | median | geometric mean | least | most | below 0.95x |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for (name, threads), speeds in found.items():
        ratios = sorted(filter(None, speeds.values()))
        if not ratios:
            continue
        mean = exp(sum(map(log, ratios)) / len(ratios))
        width, height = SIZES[name]
        lines.append(
            f"| {name}, {width} x {height} | {threads} | {len(ratios)} | "
            f"{statistics.median(ratios):.2f}x | {mean:.2f}x | {ratios[0]:.2f}x | "
            f"{ratios[-1]:.2f}x | {sum(r < 0.95 for r in ratios)} |"
        )
    return "\n".join(lines) + "\n"


def draw(found: Mapping[Case, Speeds], path: Path) -> None:
    """Each case as a curve: the functions by their speed-up, slowest first."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    for (name, threads), speeds in found.items():
        ratios = sorted(filter(None, speeds.values()))
        places = [100 * (i + 0.5) / len(ratios) for i in range(len(ratios))]
        axes.plot(places, ratios, label=f"{name}, {threads} thread{'s' * (threads > 1)}")
    axes.axhline(1, color="grey", linewidth=0.8)
    axes.set_yscale("log", base=2)
    axes.set_yticks([0.5, 1, 2, 4, 8, 16, 32], [f"{t:g}x" for t in (0.5, 1, 2, 4, 8, 16, 32)])
    axes.set_xlabel("functions, %")
    axes.set_ylabel("speed-up over g++ -O3 -march=native")
    axes.legend(frameon=False)
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
