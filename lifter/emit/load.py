"""Runs an emitted `pipeline.py` and gives back what its function returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .names import program_name


@dataclass(frozen=True, slots=True)
class LoadedPipeline:
    """The `ImageParam`s and `Param`s, and the `Func`s to realize, in the module's order."""

    inputs: Sequence[Any]
    outputs: Sequence[Any]
    module: dict[str, Any]
    """The module's names: it keeps the constant tables alive."""


def load_pipeline(path: Path, function: str) -> LoadedPipeline:
    """Executes the file at `path` and calls the function that the source's `function` became.

    Whatever the module raises passes through: an emitted module that fails is a bug of ours, an
    edited one is its editor's business.
    """
    return run_pipeline(path.read_text("utf-8"), function, str(path))


def run_pipeline(text: str, function: str, where: str = "<pipeline>") -> LoadedPipeline:
    """The same from the module's text."""
    module: dict[str, Any] = {"__name__": f"lifted.{function}", "__file__": where}
    exec(compile(text, where, "exec"), module)
    inputs, outputs = module[program_name(function)]()
    return LoadedPipeline(inputs, outputs, module)
