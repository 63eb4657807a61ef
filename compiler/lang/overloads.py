"""Arguments of directives: what the real bindings accept, and `TypeError` for the rest."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from .. import ir
from ..ir import I32, Call, Const, Variable
from .errors import fail
from .expr import Convertible, Expr, Sources, as_expr
from .names import is_pure_variable_name
from .type_matching import cast_node
from .variables import RDom, ReductionDomain, RVar, Var

if TYPE_CHECKING:
    from collections.abc import Iterable

Wanted = TypeVar("Wanted")


def mismatch(what: str, *given: Any) -> NoReturn:
    """Raises the `TypeError` that the real package's bindings raise."""
    kinds = ", ".join(repr(g) for g in given)
    raise TypeError(f"{what}(): incompatible function arguments. Invoked with: {kinds}")


class VarOrRVar:
    """A loop's variable: a `Var`, an `RVar`, or an `RDom` of one dimension."""

    __slots__ = ("is_rvar", "rvar", "var")

    def __init__(self, source: Any, is_rvar: bool | None = None) -> None:
        self.var, self.rvar = Var(), RVar()
        if isinstance(source, str) and is_rvar is not None:
            source = RVar(source) if is_rvar else Var(source)
        source = only_variable(source)
        if isinstance(source, RVar):
            self.is_rvar, self.rvar = True, source
        elif isinstance(source, Var):
            self.is_rvar, self.var = False, source
        else:
            mismatch("VarOrRVar", source)

    def name(self) -> str:
        return self.rvar.name() if self.is_rvar else self.var.name()


def only_variable(value: Any) -> Any:
    """The `RVar` of an `RDom` of one dimension, which stands for it; any other value as it is."""
    return value[0] if isinstance(value, RDom) and value.dimensions() == 1 else value


def loop_variable(what: str, value: Any) -> VarOrRVar:
    """`value` as the variable of a loop."""
    if isinstance(value, VarOrRVar):
        return value
    if isinstance(value, (Var, RVar, RDom)):
        return VarOrRVar(value)
    mismatch(what, value)


def loop_variables(what: str, values: Any) -> list[VarOrRVar]:
    """`values`, a sequence, as variables of loops."""
    if isinstance(values, RDom):
        # The real bindings take it for a sequence, whose end they meet with a KeyError.
        values = [values[i] for i in range(values.dimensions() + 1)]
    if not isinstance(values, (list, tuple)):
        mismatch(what, values)
    return [loop_variable(what, v) for v in values]


def pure_variable(what: str, value: Any) -> Var:
    return instance(what, value, Var)


def instance(what: str, value: Any, wanted: type[Wanted]) -> Wanted:
    """`value` when it is a `wanted`."""
    if not isinstance(value, wanted):
        mismatch(what, value)
    return value


def expression(what: str, value: Any) -> Expr:
    """`value` as an `Expr`: one, or a number."""
    if not isinstance(value, (Convertible, numbers.Real)):
        mismatch(what, value)
    return as_expr(value)


def whole_number(what: str, value: Any) -> int:
    """An index: a Python or numpy integer."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        mismatch(what, value)
    return int(value)


def int32(what: str, meaning: str, value: Any) -> Expr:
    """`value` as an int32 expression; `meaning` names it in the error for other types."""
    e = expression(what, value)
    if e.node.type is I32:
        return e
    if not e.node.type.is_integer or (
        isinstance(e.node, Const) and not I32.contains(int(e.node.value))
    ):
        fail(f"Can't represent {meaning} in int32: {e} is {e.node.type}.")
    return Expr.of(as_int32(e), e)


def as_int32(e: Expr) -> Any:
    return cast_node(I32, e.node)


def split_factor(what: str, old: str, value: Any) -> tuple[int | ir.Expr, Sources]:
    """A loop's factor, and what it refers to: a constant above 0, or an expression over
    parameters."""
    e = expression(what, value)
    if e.node.type is not I32:
        fail(f"Can't split {old} by {e}: a split factor must be an int32, not {e.node.type}.")
    if isinstance(e.node, Const):
        if e.node.value < 1:
            fail(f"Can't split {old} by {e}. Split factors must be strictly positive.")
        return int(e.node.value), frozenset()
    reductions = {n for s in e.sources if isinstance(s, ReductionDomain) for n in s.names}
    for node in ir.postorder(e.node):
        if isinstance(node, Variable) and (
            is_pure_variable_name(node.name) or node.name in reductions
        ):
            fail(f"Can't split {old} by {e}, which depends on {node.name}: a factor is one number.")
        if isinstance(node, Call) and node.kind in ("func", "image", "effect"):
            fail(f"Can't split {old} by {e}, which reads {node.name}: only parameters may be read.")
    return e.node, e.sources


def names_of(variables: Iterable[VarOrRVar]) -> list[str]:
    return [v.name() for v in variables]
