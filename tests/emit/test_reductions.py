"""Reductions in formulas become inline reductions of the program."""

from __future__ import annotations

from compiler.ir import I32, I64, Add, Call, Cast, Const, Div, Expr, Mul, Variable, postorder
from lifter.dag import Reduce
from lifter.emit.inline_reduction import InlineReduction
from lifter.emit.names import Names
from lifter.emit.reductions import inline_reductions
from lifter.emit.sharing import shared


def _sum(counter: str) -> Expr:
    j = Variable(counter, I64)
    element = Call("s", (Cast(I32, Add(Variable("x", I64), j)),), I32, "image")
    return Reduce("add", j, Const(I64, 5), element)


def test_a_sum_that_stands_in_several_places_is_written_once() -> None:
    total = _sum("j")
    expr = Add(Div(total, Const(I32, 5)), Mul(total, total))
    made, domains = inline_reductions(expr, Names(set()), lambda e: e, ())
    found = [n for n in postorder(made) if isinstance(n, InlineReduction)]
    assert len(domains) == 1 and len(found) == 1
    assert shared([made]) == found


def test_two_sums_have_domains_of_their_own() -> None:
    expr = Add(_sum("j"), Mul(_sum("k"), Const(I32, 3)))
    made, domains = inline_reductions(expr, Names(set()), lambda e: e, ())
    assert len(domains) == 2
    assert len({n.domain for n in postorder(made) if isinstance(n, InlineReduction)}) == 2
