"""Compiles what run_there.py times, on a machine that needs no GPU: `python build_here.py FOLDER`.

For each program of corpus/pipelines under its schedule by hand for GPUs: OURS/NAME.so, and
HALIDE/NAME.so where the real package is installed; for blends.cpp a library of lifted functions.
The folder goes to the machine with the GPU as it is, beside this repository's corpus.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from corpus.pipelines import NAMES, load

ROOT = Path(__file__).resolve().parents[2]
HOST = "x86-64-linux-sse41-avx-avx2-f16c-fma"
SIDES = {"ours": "compiler", "halide": "halide"}
BLENDS = "benchmarks/gpu/blends.cpp"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--programs", default="all", help="Comma-separated; default all.")
@click.option("--capability", default=80, show_default=True, help="GPUs from 8.0 on; for both.")
@click.option("--blends/--no-blends", default=True, help=f"Lift {BLENDS}, too.")
def main(folder: Path, programs: str, capability: int, blends: bool) -> None:
    """Compiles programs by us and by the real Halide; a product may go unrounded into a sum."""
    names = NAMES if programs == "all" else programs.split(",")
    made: dict[str, list[str]] = {}
    for side, module in SIDES.items():
        try:
            hl = importlib.import_module(module)
        except ImportError:
            print(f"{module} isn't installed: {side} is left out")
            continue
        (folder / side).mkdir(parents=True, exist_ok=True)
        made[side] = []
        for name in names:
            contracts = "-contract_floats" if side == "ours" else ""
            text = f"{HOST}-cuda-cuda_capability_{capability}{contracts}"
            try:
                _compile(hl, name, folder / side / f"{name}.so", text)
            except Exception as error:
                print(f"{side:7} {name:18} {type(error).__name__}: {str(error)[:200]}")
                continue
            made[side].append(name)
            print(f"{side:7} {name}", flush=True)
    if blends:
        _lift(folder / "blends")
    (folder / "built.json").write_text(json.dumps(made, indent=1))


def _compile(hl: Any, name: str, library: Path, target: str) -> None:
    program = load(name)
    algorithm = program.build(hl)
    program.schedule(hl, algorithm, "gpu")
    pipeline = hl.Pipeline(list(algorithm.outputs))
    with tempfile.TemporaryDirectory() as folder:
        made = str(Path(folder) / "made.o")
        arguments = list(algorithm.inputs.values())
        pipeline.compile_to_object(made, arguments, "program", hl.Target(target))
        command = ["g++", "-shared", "-o", str(library), made, "-ldl", "-lpthread", "-lm"]
        subprocess.run(command, check=True)


def _lift(folder: Path) -> None:
    lift = [sys.executable, "-m", "lifter"]
    for command in ([str(ROOT / BLENDS), "-o", folder], ["build", folder, "--target", "cuda"]):
        subprocess.run([*lift, *map(str, command)], cwd=ROOT, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
