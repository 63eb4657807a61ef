"""Writes what was lifted: DSL program, generator, summary, proof (docs/design.md, "Emission")."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from compiler.ir import to_text

from ..model.lifted import FunctionResult
from .from_summaries import build_program
from .function_json import summary_to_json
from .generator_text import generator_text
from .pipeline_text import pipeline_text
from .program import Program
from .round_trip import check_round_trip


@dataclass(frozen=True, slots=True)
class EmittedFiles:
    """The folder of a function, and its files by name below the folder."""

    folder: Path
    files: tuple[str, ...]


def function_folder(result: FunctionResult, out: Path) -> Path:
    """`<out>/<source stem>/<function>`."""
    return out / Path(result.span.file).stem / result.name


def emit(result: FunctionResult, folder: Path) -> EmittedFiles:
    """Writes the function's files to `folder`, as a whole or not at all.

    An existing folder is replaced. Raises `LiftError`: `emit-unsupported` when the summaries don't
    make a program, `internal` when the printed text doesn't say what was proved; and `OSError`.
    """
    texts = emitted_texts(result)
    folder.parent.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        for name, text in texts.items():
            path = partial / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        partial.chmod(0o777 & ~_umask())
        _replace(partial, folder)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    return EmittedFiles(folder, tuple(texts))


def emitted_texts(result: FunctionResult, program: Program | None = None) -> dict[str, str]:
    """The contents of all files by name; checks that the DSL text says what was proved. `program`
    is what `build_program` makes of the result, where it has been asked."""
    program = program or build_program(result)
    description = describe(result, program)
    pipeline = pipeline_text(program, description)
    check_round_trip(program, pipeline, result.span)
    texts = {
        "pipeline.py": pipeline,
        "generator.cpp": generator_text(program, description),
        "summary.json": json.dumps(summary_to_json(result, program), indent=2, ensure_ascii=False)
        + "\n",
    }
    for number, obligation in enumerate(result.proof.obligations if result.proof else (), 1):
        if obligation.smt2 is not None:
            stage = obligation.stage.replace("/", "_")
            texts[f"proof/{number:02}-{obligation.name}-{stage}.smt2"] = obligation.smt2
    return texts


def describe(result: FunctionResult, program: Program) -> list[str]:
    """What a reader must know: where it came from, what it needs, where it holds."""
    # The file and not the line: what is committed shall not change when lines move.
    lines = [f"{result.name}, lifted from {source_name(result.span.file)}."]
    for output in program.outputs:
        vars = next(d.vars for d in program.definitions if d.name == output.func)
        ranges = ", ".join(
            f"{to_text(low)} <= {var.name} < {to_text(high)}"
            for var, (low, high) in zip(vars, output.region.bounds, strict=True)
        )
        what = (
            f"Replaces {output.array}" if output.func != output.array else f"Fills {output.array}"
        )
        lines.append(f"{what} for {ranges}." if ranges else f"{what}.")
    proof = result.proof
    if proof is not None and proof.preconditions:
        lines.append("Requires " + "; ".join(p.text for p in proof.preconditions) + ".")
    if proof is not None and proof.verdict != "proved":
        undecided = [o.text for o in proof.obligations if o.verdict != "proved"]
        lines.append("NOT PROVED: " + "; ".join(undecided) + ".")
    return lines


def source_name(file: str) -> str:
    """A file's own name as the comments of emitted programs tell it: nothing in it ends one."""
    return "".join(c if c.isalnum() or c in "._-+@ " else "?" for c in Path(file).name) or "?"


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def _replace(made: Path, target: Path) -> None:
    """Puts a finished folder in place of an older one."""
    if not target.exists():
        made.rename(target)
        return
    old = made.with_name(made.name + ".old")
    target.rename(old)
    try:
        made.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old)
