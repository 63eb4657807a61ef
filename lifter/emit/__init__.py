"""Proven summaries as a DSL program, a Halide generator and a C interface: the door of the room."""

from .accesses import Box, Scanned, scanned_accesses
from .copied_rows import copied_rows
from .emit import EmittedFiles, emit, emitted_texts, function_folder, source_name
from .from_summaries import build_program
from .function_json import summary_to_json
from .function_record import record_of
from .generator_text import generator_text
from .inline_reduction import InlineReduction
from .lifted_json import Assumed, FunctionBody, LiftedData, lifted_from_json
from .load import LoadedPipeline, load_pipeline
from .pipeline_text import pipeline_text
from .program import Domain, Program
from .read_pipeline import Unreadable, read_pipeline, refuse_other_encodings
from .round_trip import Shape, check_round_trip, read_definitions
from .same_program import promises, same_program
from .source_reads import source_reads
from .tabulate import tabulate

__all__ = [
    "Box",
    "Scanned",
    "scanned_accesses",
    "source_reads",
    "Assumed",
    "Domain",
    "EmittedFiles",
    "FunctionBody",
    "InlineReduction",
    "LiftedData",
    "LoadedPipeline",
    "Program",
    "Shape",
    "Unreadable",
    "build_program",
    "copied_rows",
    "check_round_trip",
    "emit",
    "emitted_texts",
    "function_folder",
    "generator_text",
    "lifted_from_json",
    "load_pipeline",
    "pipeline_text",
    "promises",
    "read_definitions",
    "record_of",
    "read_pipeline",
    "refuse_other_encodings",
    "same_program",
    "source_name",
    "summary_to_json",
    "tabulate",
]
