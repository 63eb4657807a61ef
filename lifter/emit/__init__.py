"""Proven summaries as a DSL program, a Halide generator and a C interface: the door of the room."""

from .emit import EmittedFiles, emit, emitted_texts, function_folder, source_name
from .from_summaries import build_program
from .function_json import function_to_json, stages_to_json
from .load import LoadedPipeline, load_pipeline
from .program import Program

__all__ = [
    "EmittedFiles",
    "LoadedPipeline",
    "Program",
    "build_program",
    "emit",
    "emitted_texts",
    "function_folder",
    "function_to_json",
    "load_pipeline",
    "source_name",
    "stages_to_json",
]
