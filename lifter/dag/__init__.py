"""Loop nests to stages (docs/design.md, "The way through the rooms"): the door of the room."""

from .concrete import NotConcrete, concrete, concrete_points
from .counted import bound_of
from .distribution import can_be_distributed
from .graph import Reading, build_stage_graph
from .index import (
    GUARD_LIMIT,
    MOST_IN_A_GUARD,
    Indexer,
    Ranges,
    StrictIndexer,
    as_formula,
    bounds_of_atoms,
    domain,
    normalize_indices,
    replace,
    typed,
    value_range,
)
from .polynomial import (
    choices,
    conjunction,
    conjuncts,
    disjunction,
    from_polynomial,
    negate,
    normal,
    polynomial,
    structural_key,
    with_extremes,
)
from .reduce import COMBINED_BY, Reduce, ReduceOperator, reduce_operator
from .summands import Term, summands
from .zeros_and_ones import ZerosAndOnes

__all__ = [
    "bound_of",
    "GUARD_LIMIT",
    "MOST_IN_A_GUARD",
    "Indexer",
    "NotConcrete",
    "Ranges",
    "Reduce",
    "COMBINED_BY",
    "Reading",
    "ReduceOperator",
    "reduce_operator",
    "StrictIndexer",
    "Term",
    "ZerosAndOnes",
    "as_formula",
    "bounds_of_atoms",
    "build_stage_graph",
    "can_be_distributed",
    "choices",
    "concrete",
    "concrete_points",
    "conjunction",
    "conjuncts",
    "disjunction",
    "domain",
    "from_polynomial",
    "negate",
    "normal",
    "normalize_indices",
    "polynomial",
    "replace",
    "structural_key",
    "summands",
    "typed",
    "value_range",
    "with_extremes",
]
