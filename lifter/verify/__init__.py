"""Proofs and counterexamples (docs/design.md, "Verification"): the door of the room.

It imports Z3: who only names a `Proof` in an annotation imports this where types are checked.
"""

from .assumptions import Assumptions, stated, to_c, typed_formula
from .cases_of_sizes import CasesProof, has_cases
from .clamped_reads import Clamps
from .compose import as_int32, inside_producers
from .conditional_reads import conditional_arrays
from .decide import Decision, Prover
from .definedness import definedness
from .fitting_places import limits_of_places
from .flatten import Flattener
from .known_ranges import known_ranges
from .ordinary_calls import Footprint, calls_not_admitted, places_not_admitted
from .prepare import prepare
from .produced import Produced
from .pure import PureProof
from .reduction import ReductionProof, kept_inside
from .replay import replay
from .run_time_test import integer_part, run_time_test
from .scan import ScanProof
from .screen import screen
from .stage_proof import StageProof
from .telling_sizes import telling_sizes
from .touched import Touched
from .updates import UpdatesProof
from .window import equal_sums
from .written_together import assume_terms_of_sums, assume_written_together

__all__ = [
    "Assumptions",
    "CasesProof",
    "Clamps",
    "Decision",
    "Produced",
    "Prover",
    "PureProof",
    "limits_of_places",
    "ReductionProof",
    "ScanProof",
    "StageProof",
    "Touched",
    "UpdatesProof",
    "assume_terms_of_sums",
    "as_int32",
    "assume_written_together",
    "calls_not_admitted",
    "places_not_admitted",
    "Flattener",
    "Footprint",
    "conditional_arrays",
    "definedness",
    "equal_sums",
    "has_cases",
    "inside_producers",
    "kept_inside",
    "integer_part",
    "known_ranges",
    "prepare",
    "replay",
    "run_time_test",
    "screen",
    "stated",
    "telling_sizes",
    "to_c",
    "typed_formula",
]
