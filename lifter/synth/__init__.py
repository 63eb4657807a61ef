"""Candidate summaries: region, terminals, expression (docs/design.md): the door of the room."""

from .boxes import box_of
from .combine import RegionStore, combined
from .expression import SEARCH_BUDGET, find_expression
from .functions import dsl_functions, inlined, occurring_arguments
from .grammar import Grammar, GrammarText, derives, load_grammar, read_grammar
from .reduction import ReductionUpdate, find_update
from .rewrite_ranges import SymbolRanges
from .rewrite_to_dsl import to_dsl
from .roi import Region, coordinate_names, index_condition, regions
from .scan import (
    Scan,
    beside_the_store,
    find_scan,
    hands_on,
    iterations_as_points,
    with_what_is_read,
)
from .terminals import Imager, Mapping, NoTerminal, infer_layouts, mappings
from .tested_places import as_tested

__all__ = [
    "coordinate_names",
    "SEARCH_BUDGET",
    "Grammar",
    "GrammarText",
    "Imager",
    "Mapping",
    "NoTerminal",
    "SymbolRanges",
    "Region",
    "RegionStore",
    "ReductionUpdate",
    "Scan",
    "as_tested",
    "beside_the_store",
    "box_of",
    "combined",
    "derives",
    "dsl_functions",
    "find_expression",
    "find_scan",
    "find_update",
    "hands_on",
    "index_condition",
    "infer_layouts",
    "inlined",
    "iterations_as_points",
    "load_grammar",
    "read_grammar",
    "mappings",
    "occurring_arguments",
    "regions",
    "to_dsl",
    "with_what_is_read",
]
