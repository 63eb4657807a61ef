"""Loop nests to stages (DESIGN section 1): the door of the room."""

from .concrete import NotConcrete, concrete
from .graph import build_stage_graph
from .index import (
    Indexer,
    Ranges,
    StrictIndexer,
    as_formula,
    domain,
    normalize_indices,
    typed,
    value_range,
)
from .polynomial import (
    conjunction,
    conjuncts,
    disjunction,
    from_polynomial,
    negate,
    normal,
    polynomial,
    replace,
    structural_key,
)  # fmt: skip
from .reduce import Reduce
from .stage import Claim, Loop, Read, Stage, StageGraph, Write
