"""Which reduction loops may run in another order, or at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .. import ir
from ..ir import Expr, Variable
from ..ir import nodes as n
from ..ir.multi_point import point_counts
from ..ir.operators import ASSOCIATIVE
from .associativity import associative_operation

if TYPE_CHECKING:
    from .function import Function


def independent_variables(
    function: str, args: Sequence[Expr], values: Sequence[Expr], names: Sequence[str]
) -> set[str]:
    """The reduction variables whose iterations write to, and read of `function`, different points.

    Such a variable stands alone in some coordinate that is written, times a constant and plus a
    constant, and every read of the function itself has the same coordinate there.
    """
    reads = list(_self_reads(function, [*args, *values]))
    found = set()
    for name in names:
        variable = Variable(name, ir.I32)
        for place, arg in enumerate(args):
            if _is_injective(arg, variable) and all(r.args[place] is arg for r in reads):
                found.add(name)
    return found


def _is_injective(e: Expr, variable: Expr) -> bool:
    """Whether `e` is `variable`, plus or minus constants, times constants other than 0."""
    while e is not variable:
        if not isinstance(e, (n.Add, n.Sub, n.Mul)):
            return False
        a, b = e.a, e.b
        if isinstance(b, ir.Const) and not (isinstance(e, n.Mul) and b.value == 0):
            e = a
        elif isinstance(a, ir.Const) and not (isinstance(e, n.Mul) and a.value == 0):
            e = b
        else:
            return False
    return True


def _self_reads(function: str, expressions: Sequence[Expr]) -> Iterator[ir.Call]:
    for e in expressions:
        for node in ir.postorder(e):
            if isinstance(node, ir.Call) and node.kind == "func" and _stem(node.name, function):
                yield node


def _stem(name: str, function: str) -> bool:
    """Whether `name` names a value of `function`: `f`, or `f.0`, `f.1`, ..."""
    if name == function:
        return True
    head, dot, tail = name.rpartition(".")
    return bool(dot) and head == function and tail.isdigit()


def reductions_commute(function: Function, index: int) -> bool:
    """Whether the definition gives the same values for every order of its reduction loops.

    So it does where each value is `itself op e`, op commutative and associative, and e does not
    read the function. (The sum of floats counts, as in the real package: rounding may differ.)
    """
    definition = function.definitions[index]
    if point_counts((*definition.args, *definition.values)):
        return False
    for place, value in enumerate(definition.values):
        name = function.name if len(function.types) == 1 else f"{function.name}.{place}"
        itself = ir.Call(name, definition.args, value.type, "func")
        if value is itself:
            continue
        terms = _operands(value)
        if terms.count(itself) != 1:
            return False
        others = [t for t in terms if t is not itself]
        if any(True for _ in _self_reads(function.name, [*others, *definition.args])):
            return False
    return not any(True for _ in _self_reads(function.name, definition.predicates))


def combines(function: Function, index: int) -> bool:
    """Whether the steps of the definition may be taken at once, each as a whole (`atomic`).

    Each value is the stage's own combined with something by an associative operation, perhaps
    only where a condition on something else holds.
    """
    definition = function.definitions[index]
    own = tuple(
        ir.Call(function.value_name(i), definition.args, t, "func")
        for i, t in enumerate(function.types)
    )
    if reductions_commute(function, index):
        return True
    if associative_operation(own, definition.values) is not None:
        return True
    if point_counts((*definition.args, *definition.values)):
        return False
    return all(
        _combines_where(function.name, mine, value)
        for mine, value in zip(own, definition.values, strict=True)
    )


def _combines_where(name: str, own: Expr, value: Expr) -> bool:
    """Whether `value` is `own`, or one operation on it, depending on what does not read it."""
    kinds: set[type[Expr]] = set()
    pending = [value]
    while pending:
        e = pending.pop()
        if isinstance(e, n.Select):
            if any(True for _ in _self_reads(name, [e.condition])):
                return False
            pending += [e.a, e.b]
        elif e is not own:
            if associative_operation((own,), (e,)) is None:
                return False
            kinds.add(type(e))
    return len(kinds) <= 1


def _operands(value: Expr) -> list[Expr]:
    """The operands of a tree of one commutative operator; what is subtracted is in a `Neg`-like
    node of its own, so that it is never taken for an operand."""
    if not isinstance(value, (*ASSOCIATIVE, n.Sub)):
        return []
    sums = isinstance(value, (n.Add, n.Sub))
    found: list[Expr] = []
    pending: list[Expr] = [value]
    while pending:
        e = pending.pop()
        if sums and isinstance(e, n.Sub):
            pending.append(e.a)
            found.append(n.Sub(ir.const(0, e.type), e.b))
        elif isinstance(e, n.Binary) and isinstance(e, n.Add if sums else type(value)):
            pending += [e.a, e.b]
        else:
            found.append(e)
    return found
