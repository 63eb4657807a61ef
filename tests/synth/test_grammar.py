"""Grammars: the notation, what a user's file changes, and what can be derived."""

import pytest

from compiler.ir import (
    F32,
    GT,
    I32,
    I64,
    U8,
    Add,
    Call,
    Cast,
    Const,
    Load,
    Max,
    Min,
    Mul,
    Neg,
    Select,
    Sub,
    TruncDiv,
    Variable,
    intrinsic,
)  # fmt: skip
from compiler.ir import nodes as n
from lifter.dag.reduce import Reduce
from lifter.model.diagnostic import LiftError
from lifter.synth.grammar import derives, load_grammar, outside, require_derived
from lifter.synth.notation import Apply, CastTo, Infix, Prefix, Ternary, Word, parse_productions

X, Y = Variable("x", I32), Variable("y", I32)
COLS = Variable("cols", I32)


def image(name="src", *at, type=U8):
    return Call(name, at or (X, Y), type, "image")


def number(value, type=I32):
    return Const(type, value)


@pytest.fixture(scope="module")
def default():
    return load_grammar()


@pytest.fixture
def extended(tmp_path):
    def load(text):
        path = tmp_path / "mine.grammar"
        path.write_text(text)
        return load_grammar([path])

    return load


def problem(text, file="bad.grammar"):
    with pytest.raises(LiftError) as caught:
        parse_productions(text, file)
    found = caught.value.diagnostic
    assert found.code == "grammar-syntax"
    return found


class TestNotation:
    def test_figure_4c_parses_into_its_alternatives(self):
        (expr, *_) = parse_productions(
            """
            Expr := terms | iden | Expr BOp Expr | UOp Expr
                  | (Expr ? Expr : Expr) | f(Expr, ...)   # a comment
                  | cast<Type>(Expr)
            Type := float | uint8_t
            """,
            "g",
        )
        kinds = [type(a) for a in expr.alternatives]
        assert kinds == [Word, Word, Infix, Prefix, Ternary, Apply, CastTo]
        assert expr.alternatives[2].operator == "BOp"
        assert expr.alternatives[5].repeats

    def test_operators_bind_as_in_c(self):
        (rule,) = parse_productions("A := intvar * const ± const", "g")
        (pattern,) = rule.alternatives
        assert (pattern.operator, pattern.left.operator) == ("±", "*")

    def test_a_bar_is_quoted_to_be_an_operator(self):
        (rule,) = parse_productions("Op := & | '|' | || | -", "g")
        assert [a.symbol for a in rule.alternatives] == ["&", "|", "||", "-"]

    @pytest.mark.parametrize(
        ("text", "line", "column", "words"),
        [
            ("A := intvar @ const", 1, 13, "'@'"),
            ("A = intvar", 1, 3, "'='"),
            ("A := intvar |\nB := const", 2, 1, "empty"),
            ("A := const\nA := intvar", 2, 1, "twice"),
            ("A := f(intvar", 1, 14, "the end of the file"),
            ("A := (intvar ? intvar)", 1, 22, "expected `:`"),
            ("A := cast<>(intvar)", 1, 11, "a type"),
            ("A := 'x' | const", 1, 6, "no operator"),
            ("const | intvar", 1, 7, "expected `:=`"),
        ],
    )
    def test_an_error_shows_its_place(self, text, line, column, words):
        found = problem(text)
        assert (found.span.file, found.span.line, found.span.column) == (
            "bad.grammar",
            line,
            column,
        )
        assert words in found.message


class TestUsersGrammar:
    def test_a_rule_of_the_user_replaces_the_default(self, extended, default):
        pointwise = extended("Index := intvar | const")
        shifted = image("src", Sub(X, number(1)), Y)
        assert derives(default, "Term", shifted)
        assert not derives(pointwise, "Term", shifted)
        assert derives(pointwise, "Term", image())

    def test_dots_keep_what_the_default_has(self, extended, default):
        hashed = image("noise", Call("HashFunction", (X, Y), I32, "pure"))
        wider = extended("Index := ... | HashFunction(Index, Index)")
        assert not derives(default, "Term", hashed)
        assert derives(wider, "Term", hashed)
        assert derives(wider, "Term", image("src", Sub(X, number(1)), Y))
        assert not derives(wider, "Term", image("noise", Call("Other", (X, Y), I32, "pure")))

    def test_section_533_as_it_is_printed(self, extended):
        patched = extended(
            """
            Index := intvar | intvar ± const | const
                   | arrvar(HashFunction(Index, Index), ...)
                   | arrvar(Index, ...)
            Term := intvar | const | Index
            """
        )
        hashed = Call("HashFunction", (Add(X, number(1)), Y), I32, "pure")
        assert derives(patched, "Term", image("noise", hashed))

    @pytest.mark.parametrize(
        ("text", "column", "words"),
        [
            ("Index := ... | Indx", 16, "`Indx` is neither a rule nor a word"),
            ("New := ... | const", 8, "nothing to stand for"),
            ("A := B\nB := A", 1, "never ends"),
            ("intvar := const", 1, "a word of the notation"),
            ("Expr := terms | Expr Ops Expr", 17, "`Ops` is neither an infix operator"),
            ("BOp := + | const", 12, "this is none"),
            ("Type := float | uint9_t", 17, "used as a type, but this is none"),
        ],
    )
    def test_an_unknown_name_is_an_error_with_its_place(self, extended, text, column, words):
        with pytest.raises(LiftError) as caught:
            extended(text)
        found = caught.value.diagnostic
        assert found.code == "grammar-syntax"
        assert found.span.file.endswith("mine.grammar")
        assert (found.span.line, found.span.column) == (1, column)
        assert words in found.message

    def test_a_missing_file_says_so(self, tmp_path):
        with pytest.raises(LiftError) as caught:
            load_grammar([tmp_path / "none.grammar"])
        assert "No such file" in caught.value.diagnostic.message


class TestIndices:
    @pytest.mark.parametrize(
        "index",
        [
            X,
            number(7),
            Add(X, number(3)),
            Sub(X, number(1)),
            Add(number(3), X),
            Add(Mul(X, number(4)), number(2)),
            Mul(number(4), X),
            Sub(Add(X, Y), Variable("radius", I32)),
            Sub(Sub(COLS, number(1)), X),
            Sub(number(255), X),
            Max(Min(X, Sub(COLS, number(1))), number(0)),
            n.Div(X, number(2)),
            Cast(I32, image("in")),
            n.Shr(Cast(I32, image("in")), number(2)),
            Add(Cast(I32, image("in")), Cast(I32, image("in", Add(X, number(1)), Y))),
            Cast(I32, Variable("level", U8)),
            Cast(I32, Mul(Variable("scale", F32), Cast(F32, X))),
            Select(GT(X, number(0)), Sub(X, number(1)), number(0)),
        ],
    )
    def test_a_place_or_a_value_is_an_index(self, default, index):
        assert derives(default, "Term", image("lut", index)), index

    def test_int64_index_expressions_derive_too(self, default):
        counter = Variable("x", I64)
        assert derives(default, "IntExpr", Sub(Mul(counter, Const(I64, 2)), Const(I64, 1)))

    @pytest.mark.parametrize(
        "index",
        [
            Call("HashFunction", (X, Y), I32, "pure"),
            Add(X, Call("offset", (Y,), I32, "pure")),
            Cast(I32, Call("rounded", (Variable("scale", F32),), F32, "pure")),
        ],
    )
    def test_a_call_of_places_or_floats_is_no_index(self, default, index):
        assert not derives(default, "Term", image("lut", index))

    def test_the_smallest_part_outside_is_blamed(self, default):
        call = Call("HashFunction", (X, Y), I32, "pure")
        assert outside(default, "Term", image("noise", call)) is call
        with pytest.raises(LiftError) as caught:
            require_derived(default, "Term", image("noise", call), None)
        assert "`HashFunction(x, y)`" in caught.value.diagnostic.message
        assert caught.value.diagnostic.code == "outside-grammar"

    def test_bounds_of_regions(self, default):
        cols = Variable("cols", I64)
        assert derives(default, "IntExpr", Sub(n.Div(cols, Const(I64, 2)), Const(I64, 1)))
        assert not derives(default, "IntExpr", Load("sizes", (cols,), I64))


class TestExpressions:
    def test_casts_selects_and_calls_derive(self, default):
        a, b = image("a"), image("b")
        product = TruncDiv(Mul(Cast(I32, a), Cast(I32, b)), number(255))
        mixed = Select(GT(a, b), Cast(U8, product), Call("Mul8", (a, b), U8, "pure"))
        assert derives(default, "Expr", mixed)
        assert derives(default, "Expr", intrinsic("absd", Min(a, b), Neg(a)))

    def test_only_the_given_terminals_are_terms(self, default):
        a, b = image("a"), image("b")
        assert derives(default, "Expr", Add(a, b), [a, b])
        assert outside(default, "Expr", Add(a, b), [a]) is b

    def test_iden_stands_for_the_outputs_own_value(self, default):
        own, a = image("dst"), image("a")
        kept = Select(GT(a, Const(U8, 9)), a, own)
        assert derives(default, "Expr", kept, [a], identity=own)
        assert not derives(default, "Expr", kept, [a])

    def test_a_sum_is_a_function(self, default, extended):
        k = Variable("k", I64)
        window = image("src", Add(X, Cast(I32, k)), Y)
        total = Reduce("add", k, Const(I64, 9), Cast(I32, window))
        assert derives(default, "Expr", total)
        only_sums = extended("Expr := terms | sum(Expr)")
        assert derives(only_sums, "Expr", total)
        assert not derives(only_sums, "Expr", Reduce("max", k, Const(I64, 9), Cast(I32, window)))

    def test_a_narrow_grammar_refuses_what_it_does_not_list(self, extended):
        small = extended("BOp := + | -\nUOp := -\nExpr := terms | Expr BOp Expr | min(Expr, Expr)")
        a, b = image("a"), image("b")
        assert derives(small, "Expr", Min(Add(a, b), Sub(a, b)))
        assert not derives(small, "Expr", Max(a, b))
        assert outside(small, "Expr", Add(a, Mul(a, b))) is Mul(a, b)

    def test_a_widening_conversion_is_implicit_and_a_narrowing_one_is_not(self, extended):
        plain = extended("Expr := terms | Expr + Expr")
        a, b = image("a"), image("b")
        wide = Add(Cast(I32, a), Cast(I32, b))
        assert derives(plain, "Expr", wide)
        assert not derives(plain, "Expr", Cast(U8, wide))

    def test_clamp_matches_min_and_max_either_way(self, extended):
        clamped = extended("Expr := terms | clamp(Expr, const, const)")
        a = image("a")
        low, high = Const(U8, 3), Const(U8, 9)
        assert derives(clamped, "Expr", Max(Min(a, high), low))
        assert derives(clamped, "Expr", Min(Max(a, low), high))
        assert not derives(clamped, "Expr", Min(a, high))

    def test_commutative_operators_match_either_order(self, extended):
        scaled = extended("Expr := terms | 2 * Expr")
        a = image("a")
        assert derives(scaled, "Expr", Mul(a, Const(U8, 2)))
        assert not derives(scaled, "Expr", Mul(a, Const(U8, 3)))


def test_the_vocabulary_lists_what_can_occur(default, extended):
    assert default.expression_vocabulary.admits(Min(X, Y))
    small = extended("Expr := terms | Expr + Expr | absd(Expr, Expr)").expression_vocabulary
    assert small.admits(Add(X, Y))
    assert small.admits(intrinsic("absd", X, Y))
    assert not small.admits(intrinsic("abs", X))
    assert not small.admits(Min(X, Y))
