"""What Measured's model expected of its candidates, and what they took: a plot for each program.

python benchmarks/candidates.py --programs blur,harris --folder benchmarks/plots
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import compiler
from compiler.autosched import Machine, decide
from compiler.visualize import candidates_plot, schedule_picture
from corpus.pipelines import load
from corpus.pipelines.program import estimate


@click.command()
@click.option("--programs", default="blur,unsharp,harris", show_default=True, metavar="NAMES")
@click.option("--budget", default=20.0, show_default=True, help="Seconds for each program.")
@click.option("--folder", default="benchmarks/plots", show_default=True, type=click.Path())
def main(programs: str, budget: float, folder: str) -> None:
    """Writes PROGRAM.candidates.svg and PROGRAM.schedule.svg, the winner's picture."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    machine = Machine.host()
    for name in programs.split(","):
        program = load(name)
        algorithm = program.build(compiler)
        estimate(algorithm, program.inputs(program.size, 0), program.size)
        outputs = [func.function for func in algorithm.outputs]
        settings = {"budget": str(budget), "keep": "0"}
        decision = decide("Measured", outputs, machine, settings)
        plot = candidates_plot(decision.candidates, f"{name}: candidates of Measured")
        (place / f"{name}.candidates.svg").write_text(plot, "utf-8")
        if decision.grouping is not None:
            picture = schedule_picture(decision.grouping, machine)
            (place / f"{name}.schedule.svg").write_text(picture, "utf-8")
        timed = [c for c in decision.candidates if c.measured < float("inf")]
        best = min(timed, key=lambda c: c.measured)
        click.echo(
            f"{name}: {len(timed)} timed, the fastest {best.measured * 1e3:.2f} ms "
            f"(predicted {best.predicted * 1e3:.2f}) by {best.method}"
        )


if __name__ == "__main__":
    main()
