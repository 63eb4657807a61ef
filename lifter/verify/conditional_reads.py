"""Arrays that the original touches only where parameters say so: elsewhere they may be null.

`use ? mask[x] : 255` is a choice whose sides are both computed in lifted code, which therefore
reads `mask` in every call; that there is one is a precondition.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from compiler.ir import FALSE, TRUE, Expr, Load, Variable, negation, postorder

from ..dag import Ranges, as_formula, conjunction, conjuncts, disjunction, domain
from ..model.parameters import given_of
from ..model.stage import Read, Stage, Write
from .decide import Prover


def conditional_arrays(
    stages: Sequence[Stage],
    arrays: Iterable[str],
    prover: Prover,
    given: Sequence[Expr],
    nullable: Collection[str] = (),
) -> list[str]:
    """Those of `arrays` that are touched for some values of the parameters only, and may be null.

    What the loops around an access or the preconditions `given` imply counts for nothing. Of those
    that are `nullable`, the entry knows whether they are null: where the original touches them only
    if they aren't, nothing has to be there.
    """
    found = []
    for name in arrays:
        accesses: list[Read | Write] = []
        for stage in stages:
            accesses += [r for r in stage.reads if r.array == name]
            accesses += [w for w in stage.writes if w.array == name]
        touched = disjunction(_over_parameters(a, prover, given) for a in accesses)
        if not accesses or touched is TRUE or prover.equal(touched, TRUE).proved:
            continue
        is_given = given_of(name)
        if (
            name in nullable
            and prover.equal(conjunction((touched, negation(is_given))), FALSE).proved
        ):
            continue
        found.append(name)
    return found


def _over_parameters(access: Read | Write, prover: Prover, given: Sequence[Expr]) -> Expr:
    """The part of an access's condition that parameters alone decide."""
    ranges = Ranges(prover.parameters, access.loops)
    known = (*given, *domain(access.loops))
    kept = []
    for part in conjuncts(access.condition):
        nodes = list(postorder(part))
        names = {n.name for n in nodes if isinstance(n, Variable)}
        if any(isinstance(n, Load) for n in nodes) or not names <= prover.parameters.keys():
            continue
        formula = as_formula(part, ranges)
        if formula is None or not prover.integers(formula, known, 2.0).proved:
            kept.append(part)
    return conjunction(kept)
