"""Pure functions of the source get bodies that the DSL's operators can say."""

from __future__ import annotations

from compiler.ir import I32, U8, Add, Call, Cast, TruncDiv, TruncMod, Variable, const, postorder
from lifter.model.diagnostic import Span
from lifter.model.kernel import PureFunction
from lifter.synth import dsl_functions, inlined
from lifter.verify import Prover

SPAN = Span("f.cpp", 1, 1, 1, 2)
X = Variable("x", I32)
PIXEL = Call("src", (X,), U8, "image")


def pure(name, *args):
    return Call(name, args, I32, "pure")


def half():
    """int half(int x) { return (x + 1) / 2; }"""
    body = TruncDiv(Add(X, const(1, I32)), const(2, I32))
    return PureFunction("half", (X,), body, SPAN)


def quarter():
    """int quarter(int x) { return half(half(x)); }"""
    return PureFunction("quarter", (X,), pure("half", pure("half", X)), SPAN)


def whole_range(symbol):
    return symbol.type.min, symbol.type.max


def called(*expressions):
    return [(expression, whole_range) for expression in expressions]


def truncates(expr):
    return any(isinstance(n, (TruncDiv, TruncMod)) for n in postorder(expr))


def test_where_no_caller_passes_a_negative_number_division_is_the_dsl_s():
    functions = {"half": half()}
    made = dsl_functions(functions, called(pure("half", Cast(I32, PIXEL))))
    assert repr(made["half"].body) == "(x + 1) / 2"
    assert not truncates(made["half"].body)


def test_where_one_may_the_sign_is_kept():
    functions = {"half": half()}
    signed = pure("half", Call("src", (X,), I32, "image"))
    body = dsl_functions(functions, called(signed))["half"].body
    assert repr(body) != "(x + 1) / 2"
    assert Prover({}).equal(body, half().body).proved


def test_one_careless_caller_is_enough():
    functions = {"half": half()}
    careful, careless = pure("half", Cast(I32, PIXEL)), pure("half", const(-9, I32))
    body = dsl_functions(functions, called(careful, careless))["half"].body
    assert repr(body) != "(x + 1) / 2"


def test_callers_inside_of_other_functions_count():
    """int above(int x) { return half(x + 1); }"""
    above = PureFunction("above", (X,), pure("half", Add(X, const(1, I32))), SPAN)
    functions = {"half": half(), "above": above}
    made = dsl_functions(functions, called(pure("above", Cast(I32, PIXEL))))
    assert repr(made["half"].body) == "(x + 1) / 2"
    made = dsl_functions(functions, called(pure("above", const(-9, I32))))
    assert repr(made["half"].body) != "(x + 1) / 2"


def test_without_callers_a_body_is_right_for_all_arguments():
    body = dsl_functions({"half": half()}, None)["half"].body
    assert truncates(body)
    assert Prover({}).equal(body, half().body).proved


def test_inlining_goes_through_calls_of_calls():
    functions = {"half": half(), "quarter": quarter()}
    flat = inlined(pure("quarter", Cast(I32, PIXEL)), functions)
    assert not any(isinstance(n, Call) and n.kind == "pure" for n in postorder(flat))
    by_hand = half().body
    once = inlined(pure("half", Cast(I32, PIXEL)), functions)
    twice = inlined(pure("half", once), functions)
    assert flat is twice
    assert inlined(by_hand, functions) is by_hand
