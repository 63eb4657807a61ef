"""Stores that happen for some sizes only: a branch for rows without padding beside one for others.

`PureProof` takes a condition on parameters for one on what is stored. Here it is one on the
iterations, of which there are none where it doesn't hold: what a store's place needs may follow
from it.
"""

from __future__ import annotations

from compiler.ir import Load, postorder

from ..dag import Ranges, as_formula, conjunction, conjuncts, domain
from ..model.stage import Stage, Write
from ..model.summary import Witness
from .pure import PureProof
from .stage_proof import Piece


class CasesProof(PureProof):
    """The obligations of one pure stage, with conditions on sizes as parts of the iterations."""

    def _piece(self, write: Write, witness: Witness) -> Piece:
        return piece_of_iterations(write, witness, Ranges(self.parameters, write.loops))


def piece_of_iterations(write: Write, witness: Witness, ranges: Ranges) -> Piece:
    """A store of which an iteration is one where all conditions hold that aren't over array
    contents."""
    given = list(domain(write.loops))
    rest = []
    for part in conjuncts(write.condition):
        formula = as_formula(part, ranges)
        if formula is None or any(isinstance(n, Load) for n in postorder(formula)):
            rest.append(part)
        else:
            given.append(formula)
    return Piece(write, witness, tuple(given), conjunction(rest))


def has_cases(stage: Stage, parameters: Ranges) -> bool:
    """Whether some store has a condition that is over parameters alone."""
    return any(
        formula is not None and not {loop.counter for loop in write.loops} & set(postorder(formula))
        for write in stage.writes
        for part in conjuncts(write.condition)
        for formula in (as_formula(part, parameters),)
    )
