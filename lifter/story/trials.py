"""Assumptions that a user could state, each tried: only those under which it is proved are told."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..model.counterexample import Number
from ..model.diagnostic import LiftError
from .question import Question

if TYPE_CHECKING:
    from ..model.kernel import Kernel, Param

TRIALS = 20
"""How many assumptions are tried."""

_STRIDE = re.compile(r"stride|rowbytes|pitch|step|linesize", re.IGNORECASE)
_WIDTH = re.compile(r"^(w|n|nx)$|width|cols?$|columns|count|len|size", re.IGNORECASE)
_NUMBERS = 4
"""Number parameters that conditions are made of."""
_SCALARS = 6


@dataclass(frozen=True, slots=True)
class Trials:
    """`holding` are the assumptions under which the function was proved, the weakest first."""

    holding: tuple[str, ...]
    tried: int


def try_assumptions(question: Question, scalars: dict[str, Number] | None) -> Trials:
    """Tries plain conditions over the number parameters, up to the first that helps.

    `scalars` are those of a counterexample: a condition that allows them can't help.
    """
    from ..lift.lift_function import lift_kernel

    kernel = question.kernel()
    if kernel is None:
        return Trials((), 0)
    tried = 0
    for condition in itertools.islice(_conditions(kernel, scalars), TRIALS):
        tried += 1
        try:
            assumed = question.kernel(condition)
        except LiftError:
            continue
        if assumed is None or len(assumed.preconditions) <= len(kernel.preconditions):
            continue  # the condition wasn't taken
        if lift_kernel(assumed, question.trial_options()).status == "proved":
            return Trials((condition,), tried)
    return Trials((), tried)


def _conditions(kernel: Kernel, scalars: dict[str, Number] | None) -> Iterator[str]:
    for text, holds in _all_conditions(kernel):
        if scalars is None or not holds(scalars):
            yield text


def _all_conditions(kernel: Kernel) -> Iterator[tuple[str, _Holds]]:
    """Conditions that code often relies on, the weakest first."""
    params = [p for p in kernel.params if p.kind == "scalar" and p.type.is_integer][:_SCALARS]
    params = [p for p in params if not p.type.is_bool and p.name.isidentifier()]
    names = [p.name for p in params]
    for narrow, wide in itertools.permutations(params, 2):
        if _WIDTH.search(narrow.name) and _STRIDE.search(wide.name):
            yield f"{narrow.name} <= {wide.name}", _Holds("<=", narrow.name, wide.name)
    for least in (0, 1, 2):
        for p in params[:_NUMBERS]:
            if least or not _is_unsigned(p):
                yield f"{p.name} >= {least}", _Holds(">=", p.name, least)
    for a, b in itertools.permutations(names[:_NUMBERS], 2):
        yield f"{a} <= {b}", _Holds("<=", a, b)
    for unit in (2, 4, 8, 16):
        for p in params[:2]:
            yield f"{p.name} % {unit} == 0", _Holds("%", p.name, unit)
    for a, b in itertools.combinations(names[:_NUMBERS], 2):
        yield f"{a} == {b}", _Holds("==", a, b)


def _is_unsigned(param: Param) -> bool:
    return not param.type.is_int


@dataclass(frozen=True, slots=True)
class _Holds:
    """Whether a condition holds for the scalars of a counterexample."""

    operator: str
    name: str
    other: str | int

    def __call__(self, scalars: dict[str, Number]) -> bool:
        if self.name not in scalars or (isinstance(self.other, str) and self.other not in scalars):
            return False
        a = int(scalars[self.name])
        b = int(scalars[self.other]) if isinstance(self.other, str) else self.other
        match self.operator:
            case "<=":
                return a <= b
            case ">=":
                return a >= b
            case "%":
                return a % b == 0
        return a == b


def try_rule(question: Question, rule: str) -> bool:
    """Whether the function is proved when the search's grammar has this rule, too."""
    from ..lift.lift_function import lift_kernel
    from ..synth import GrammarText

    kernel = question.kernel()
    if kernel is None:
        return False
    wider = replace(question, grammars=(*question.grammars, GrammarText("wider.grammar", rule)))
    return lift_kernel(kernel, wider.trial_options()).status == "proved"
