"""`add_requirement`: what must hold when a pipeline is run, checked before anything is computed."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from .. import ir
from ..ir import Variable
from ..ir.message_text import literal
from ..ir.stmt_transform import block
from ..ir.stmts import AssertStmt, LoweredFunction
from .argument import name_of
from .errors import fail
from .expr import Convertible, Expr, as_expr
from .names import is_pure_variable_name, parameter_variable
from .overloads import expression, mismatch
from .params import InputImageParam, Parameter
from .variables import ReductionDomain


@dataclass(frozen=True)
class Requirement:
    """`condition` must hold; else the call fails with `message`, its `{}` filled by `values`."""

    condition: Expr
    message: str
    values: tuple[Expr, ...]

    def parameters(self) -> list[Any]:
        """The images and parameters that it refers to."""
        sources = self.condition.sources.union(*(v.sources for v in self.values))
        found = [s for s in sources if isinstance(s, (InputImageParam, Parameter))]
        return sorted(found, key=name_of)


def requirement(what: str, condition: Any, parts: Sequence[Any]) -> Requirement:
    """The requirement that a user's call says: texts and expressions make up the message."""
    e = expression(what, condition)
    if not e.node.type.is_bool:
        fail(f"The condition of {what} must be a bool; {e} is {e.node.type}.")
    reductions = {n for s in e.sources if isinstance(s, ReductionDomain) for n in s.names}
    for node in ir.postorder(e.node):
        if isinstance(node, Variable) and (
            is_pure_variable_name(node.name) or node.name in reductions
        ):
            fail(f"Requirement {e} refers to Var or RVar {node.name}")
    message, values = message_of(what, parts)
    return Requirement(e, f"Requirement Failed: ({literal(str(e))}) {message}", values)


def message_of(what: str, parts: Sequence[Any]) -> tuple[str, tuple[Expr, ...]]:
    """A text with `{}` for each expression among `parts`, which are separated by blanks."""
    words: list[str] = []
    values: list[Expr] = []
    for part in parts:
        if isinstance(part, str):
            words.append(literal(part))
        elif isinstance(part, (Convertible, numbers.Real)):
            words.append("{}")
            values.append(as_expr(part))
        else:
            mismatch(what, part)
    return " ".join(words), tuple(values)


def with_requirements(
    fn: LoweredFunction, requirements: Sequence[Requirement], inputs: Sequence[Any]
) -> LoweredFunction:
    """`fn` with the requirements checked first."""
    if not requirements:
        return fn
    names: dict[ir.Expr, ir.Expr] = {
        parameter_variable(p.name, p.type): Variable(p.name, p.type)
        for p in inputs
        if isinstance(p, Parameter)
    }
    checks = [
        AssertStmt(
            ir.simplify(ir.substitute(r.condition.node, names)),
            r.message,
            tuple(ir.simplify(ir.substitute(v.node, names)) for v in r.values),
        )
        for r in requirements
    ]
    return replace(fn, body=block(*checks, fn.body))
