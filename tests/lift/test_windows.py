"""Windows: sums that a loop keeps by adding what enters and taking away what leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from operator import add, eq, ge, gt, le, lt, mul, ne, sub
from pathlib import Path
from random import Random

import pytest

from compiler.ir import (
    BOOL,
    EQ,
    GE,
    GT,
    I64,
    LE,
    LT,
    NE,
    Add,
    And,
    Cast,
    Const,
    Expr,
    Load,
    Max,
    Min,
    Mul,
    Not,
    Or,
    Select,
    Sub,
    TruncDiv,
    Variable,
    const,
    postorder,
    substitute,
)
from lifter.dag import Reduce, build_stage_graph
from lifter.emit.emit import emitted_texts
from lifter.emit.from_summaries import build_program
from lifter.emit.pipeline_text import pipeline_text
from lifter.model.lifted import FunctionResult
from lifter.model.parameters import parameters
from lifter.model.stage import Claim
from lifter.verify import Assumptions, Prover, equal_sums, stated
from tests.verify.differential import difference, lifted, parsed

HEAD = "void f(int *d, const u8 *s, int n, int r)"
BOUNDS = "assert(r >= 0 && r < 1000 && n < 100000);"

WINDOWS = {
    "clamped": "int t = (r + 1) * s[0]; for (int i = 1; i <= r; i++) t += s[std::min(i, n - 1)];"
    " for (int i = 0; i < n; i++) { d[i] = t / 3;"
    " t += s[std::min(i + r + 1, n - 1)]; t -= s[std::max(i - r, 0)]; }",
    "clamped, by choices": "int t = 0; for (int i = -r; i <= r; i++)"
    " t += s[i < 0 ? 0 : i < n ? i : n - 1]; for (int i = 0; i < n; i++) { d[i] = t;"
    " t += s[i + r + 1 < n ? i + r + 1 : n - 1] - s[i < r ? 0 : i - r]; }",
    "zeros outside": "int t = 0; for (int i = -r; i < n; i++) { if (i + r < n) t += s[i + r];"
    " if (i - r - 1 >= 0) t -= s[i - r - 1]; if (i >= 0) d[i] = t; }",
    "shrinking": "int t = 0; for (int i = 0; i < n && i < r; i++) t += s[i];"
    " for (int i = 0; i < n; i++) { if (i < n - r) t += s[i + r];"
    " if (i > r) t -= s[i - r - 1]; d[i] = t; }",
    "inside alone": "if (r > (n - 1) / 2) return; int t = r; const u8 *p = s, *q = s;"
    " for (int i = 0; i < 2 * r + 1; i++) t += *p++; for (int i = r; i < n - r - 1; i++)"
    " { d[i] = t; t += *p++ - *q++; }",
    "of three": "if (n < 3) return; int t = s[0] + s[1]; for (int i = 1; i < n - 1; i++)"
    " { t += s[i + 1]; d[i] = t; t -= s[i - 1]; }",
    "backwards": "int t = 0; for (int i = n - 1; i >= 0; i--) { t += s[i];"
    " if (i + r < n) t -= s[i + r]; d[i] = t; }",
    "the last few": "int t = 0; for (int i = 0; i < n; i++) { t += s[i];"
    " if (i >= r) t -= s[i - r]; d[i] = t; }",
    "of squares, wraps": "unsigned short t = 0; for (int i = 0; i < n; i++) {"
    " t += s[i] * s[i]; if (i >= r) t -= s[i - r] * s[i - r]; d[i] = t; }",
    "in bytes": "u8 t = 0; for (int i = 0; i < n; i++) { t += s[i];"
    " if (i >= r) t -= s[i - r]; d[i] = t + 1; }",
    "of bright pixels": "int t = 0; for (int i = 0; i < n; i++) { if (s[i] > 99) t += s[i];"
    " if (i >= r && s[i - r] > 99) t -= s[i - r]; d[i] = t * 2; }",
    "three times": "int t = 0; for (int i = 0; i < n; i++) { t += 3 * s[i];"
    " if (i >= r) t -= 3 * s[i - r]; d[i] = t; }",
    "in rows": "for (int y = 0; y < 3; y++) { const u8 *p = s + y * n; int t = p[0] * (r + 1);"
    " for (int i = 0; i < r; i++) t += p[std::min(i + 1, n - 1)];"
    " for (int x = 0; x < n; x++) { d[y * n + x] = t / (2 * r + 1);"
    " t += p[std::min(x + r + 1, n - 1)] - p[std::max(x - r, 0)]; } }",
    "down columns": "for (int x = 0; x < 5; x++) { unsigned t = 7; for (int y = -r; y < n; y++)"
    " { if (y + r < n) t += s[(y + r) * 5 + x]; if (y > r) t -= s[(y - r - 1) * 5 + x];"
    " if (y >= 0) d[y * 5 + x] = t; } }",
    "interleaved": "for (int c = 0; c < 3; c++) { int t = 0; for (int i = 0; i < n; i++)"
    " { t += s[3 * i + c]; if (i >= r) t -= s[3 * (i - r) + c]; d[3 * i + c] = t; } }",
    "of columns": "for (int y = r; y < n - r; y++) { int t = 0; for (int x = 0; x < n; x++) {"
    " for (int j = -r; j <= r; j++) t += s[(y + j) * n + x];"
    " if (x > 2 * r) for (int j = -r; j <= r; j++) t -= s[(y + j) * n + x - 2 * r - 1];"
    " d[y * n + x] = t; } }",
    "two at once": "int t = 0; unsigned q = 0; for (int i = 0; i < n; i++)"
    " { t += s[i]; q += s[i] * s[i]; if (i >= r) { t -= s[i - r]; q -= s[i - r] * s[i - r]; }"
    " d[i] = (int)q - t; }",
    "and a state": "int t = 0; u8 m = 0; for (int i = 0; i < n; i++) { t += s[i];"
    " if (i >= r) t -= s[i - r]; m = m * 3 + s[i]; d[i] = t + m; }",
}


def lift(body: str, head: str = HEAD) -> FunctionResult:
    return lifted(f"{head} {{ {BOUNDS if ' r)' in head else ''} {body} }}")


def kinds(result: FunctionResult) -> set[str]:
    return {s.kind for s in result.summaries}


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("way", WINDOWS)
def test_a_window_is_the_sum_that_it_keeps(way: str) -> None:
    result = lift(WINDOWS[way])
    assert result.status == "proved", result.diagnostic
    assert "window" in kinds(result)
    assert "scan" not in kinds(result) or way == "and a state"
    assert difference(result, 40) is None
    assert emitted_texts(result)


def test_what_is_stored_is_the_sum_itself() -> None:
    (summary,) = lift(WINDOWS["shrinking"]).summaries
    assert summary.kind == "window" and summary.output == "d"
    reduce = next(n for n in postorder(summary.expression) if isinstance(n, Reduce))
    assert str(reduce.extent) == "r * 2 + 1"


def test_more_than_the_sum_is_made_of_an_array_of_sums() -> None:
    first, second = lift(WINDOWS["clamped"]).summaries
    assert (first.kind, first.output, second.kind) == ("window", "t", "pure")


STEP = "t += s[i]; if (i >= r) t -= s[i - r];"
NO_WINDOWS = {
    "one too late": "int t = 0; for (int i = 0; i < n; i++)"
    " { t += s[i]; if (i > r) t -= s[i - r]; d[i] = t; }",
    "another start": f"int t = s[0]; for (int i = 0; i < n; i++) {{ {STEP} d[i] = t; }}",
    "a term too many before": "int t = 0; for (int i = 0; i <= r; i++) t += s[i];"
    " for (int i = 0; i < n; i++)"
    " { if (i < n - r) t += s[i + r]; if (i > r) t -= s[i - r - 1]; d[i] = t; }",
    "bounds that differ": "int t = (r + 1) * s[0]; for (int i = 1; i <= r; i++)"
    " t += s[std::min(i, n - 1)]; for (int i = 0; i < n; i++) { d[i] = t;"
    " t += s[std::min(i + r + 1, n)]; t -= s[std::max(i - r, 0)]; }",
    "a wrong corner": "int t = r * s[0]; for (int i = 1; i <= r; i++)"
    " t += s[std::min(i, n - 1)]; for (int i = 0; i < n; i++) { d[i] = t;"
    " t += s[std::min(i + r + 1, n - 1)]; t -= s[std::max(i - r, 0)]; }",
    "saturated": "int t = 0; for (int i = 0; i < n; i++)"
    " { t = std::min(t + s[i], 255); if (i >= r) t -= s[i - r]; d[i] = t; }",
    "kept in a byte on the way": "int t = 0; for (int i = 0; i < n; i++)"
    " { t = (u8)(t + s[i]); if (i >= r) t -= s[i - r]; d[i] = t; }",
    "decayed": "int t = 0; for (int i = 0; i < n; i++)"
    " { t += s[i]; if (i >= r) t -= s[i - r]; t -= t >> 3; d[i] = t; }",
    "twice what leaves": "int t = 0; for (int i = 0; i < n; i++)"
    " { t += s[i]; if (i >= r) t -= 2 * s[i - r]; d[i] = t; }",
    "what a pixel tells": "int t = 0; for (int i = 0; i < n; i++)"
    " { if (s[i] > 9) t += s[i]; if (i >= r && s[i - r] > 8) t -= s[i - r]; d[i] = t; }",
    "not set again in each row": "int t = 0; for (int y = 0; y < 3; y++)"
    " for (int i = 0; i < n; i++)"
    " { t += s[y * n + i]; if (i >= r) t -= s[y * n + i - r]; d[y * n + i] = t; }",
    "by another step": "int t = 0; for (int i = 0; i < n; i++)"
    " { t += s[2 * i]; if (i >= r) t -= s[i - r]; d[i] = t; }",
}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("way", NO_WINDOWS)
def test_what_is_no_window_is_not_taken_for_one(way: str) -> None:
    result = lift(NO_WINDOWS[way])
    assert "window" not in kinds(result)
    assert result.status != "proved" or difference(result, 60) is None


IN_PLACE = [
    "int t = 0; for (int i = 0; i < n; i++) { t += d[i]; if (i >= r) t -= d[i - r]; d[i] = t; }",
    "int t = (r + 1) * d[0]; for (int i = 1; i <= r; i++) t += d[std::min(i, n - 1)];"
    " for (int i = 0; i < n; i++) { int v = t; t += d[std::min(i + r + 1, n - 1)];"
    " t -= d[std::max(i - r, 0)]; d[i] = v; }",
]


@pytest.mark.parametrize("body", IN_PLACE, ids=["the last few", "clamped"])
def test_what_leaves_may_be_overwritten_by_then(body: str) -> None:
    result = lift(body)
    assert "window" not in kinds(result)
    assert result.status != "proved" or difference(result, 60) is None


@pytest.mark.parametrize("type", ["float", "double"])
def test_floats_are_not_added_in_another_order(type: str) -> None:
    head = f"void f({type} *d, const {type} *s, int n, int r)"
    result = lift(WINDOWS["the last few"].replace("int t", f"{type} t"), head)
    assert result.status == "proved", result.diagnostic
    assert "window" not in kinds(result) and "scan" in kinds(result)


def test_another_array_may_be_what_is_stored_to() -> None:
    """The elements that have entered are read again by a sum: they must not have changed."""
    result = lift(WINDOWS["the last few"])
    assert result.proof is not None
    texts = [p.text for p in result.proof.preconditions]
    assert any("overlap" in text for text in texts)


def test_a_radius_that_may_be_negative_is_excluded() -> None:
    body = WINDOWS["clamped"]
    result = lifted(f"{HEAD} {{ assert(r < 1000 && n < 100000); {body} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result, 60) is None


def _claims(body: str) -> tuple[list[Claim], Assumptions]:
    graph = build_stage_graph(parsed(f"{HEAD} {{ {BOUNDS} {body} }}"))
    found = dict.fromkeys(c for s in graph.order for c in s.claims if c.name == "window")
    return [*found], stated(graph.kernel, Prover(parameters(graph.kernel)), ())


def _mutants(claim: Claim) -> Iterator[Claim]:
    """The same with one number of one side another one."""
    formula = claim.formula
    assert isinstance(formula, EQ)
    for expr in dict.fromkeys(postorder(formula.a)):
        changed: list[Expr] = []
        if isinstance(expr, Reduce):
            for by in (-1, 1):
                extent = Add(expr.extent, const(by, I64))
                changed.append(Reduce(expr.operator, expr.counter, extent, expr.body))
        elif isinstance(expr, Load):
            places = (Add(expr.indices[0], const(by, I64)) for by in (-1, 1))
            changed += [Load(expr.array, (place,), expr.type) for place in places]
        elif isinstance(expr, Const) and expr.type.is_integer and not expr.type.is_bool:
            changed.append(Const(expr.type, expr.type.wrap(int(expr.value) + 1)))
        elif isinstance(expr, Cast) and isinstance(expr.value, Load):
            changed.append(Add(expr, Const(expr.type, 1)))
            changed.append(Sub(expr, expr))
        for other in changed:
            a = substitute(formula.a, {expr: other})
            if a is not formula.a:
                yield replace(claim, formula=EQ(a, formula.b))


def _number(expr: Expr, known: dict[Expr, int], pixels: Random) -> int:
    """An expression with these numbers for variables, over arrays of any size."""

    def of(node: Expr) -> int:
        return _number(node, known, pixels)

    match expr:
        case Const():
            return int(expr.value)
        case Variable():
            return known[Variable(expr.name, I64)]
        case Load():
            return hash((expr.array, of(expr.indices[0]), id(pixels))) % 256
        case Reduce():
            terms = ({**known, expr.counter: i} for i in range(of(expr.extent)))
            return sum(_number(expr.body, k, pixels) for k in terms)
        case Select():
            return of(expr.a) if of(expr.condition) else of(expr.b)
        case Cast():
            return expr.type.wrap(of(expr.value))
        case And() | Or() | Not():
            values = [bool(of(c)) for c in expr.children]
            if isinstance(expr, Not):
                return not values[0]
            return all(values) if isinstance(expr, And) else any(values)
        case _:
            found = _PLAIN[type(expr)](*map(of, expr.children))
            return found if expr.type in (I64, BOOL) else expr.type.wrap(found)


_PLAIN = {
    Add: add,
    Sub: sub,
    Mul: mul,
    Min: min,
    Max: max,
    LT: lt,
    LE: le,
    GT: gt,
    GE: ge,
    EQ: eq,
    NE: ne,
    TruncDiv: lambda a, b: int(a / b),
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("way", WINDOWS)
def test_what_is_proved_of_another_sum_is_so(way: str) -> None:
    claims, assumptions = _claims(WINDOWS[way])
    random, proved = Random(3), 0
    mutants = [m for claim in claims for m in (claim, *_mutants(claim))]
    for mutant in mutants:
        if not equal_sums(replace(mutant, remedies=()), assumptions.fork()).proved:
            continue
        proved += 1
        formula = mutant.formula
        assert isinstance(formula, EQ)
        given = (*assumptions.formulas, *mutant.given)
        names = [n for n in postorder(formula, *given) if isinstance(n, Variable)]
        for _ in range(60):
            known: dict[Expr, int] = {Variable(n.name, I64): random.randint(0, 6) for n in names}
            if all(_number(g, known, random) for g in given):
                a, b = (_number(side, known, random) for side in (formula.a, formula.b))
                assert formula.a.type.wrap(a) == formula.b.type.wrap(b), (known, formula)
    assert len(claims) <= proved < len(mutants) / 2


def test_the_readme_shows_what_a_running_box_blur_becomes() -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    source, _, rest = text.partition("void BoxRow(")[2].partition("```")
    result = lifted("void BoxRow(" + source)
    assert result.status == "proved", result.diagnostic
    shown = pipeline_text(build_program(result), [result.name])
    domain = "r = " + rest.partition("`r = ")[2].partition("`")[0]
    lines = rest.partition("```python\n")[2].partition("```")[0].splitlines()
    assert len(lines) == 2
    for line in (*lines, domain.replace("])", '], "r")')):
        assert line.strip() in shown, shown


def test_a_window_of_a_constant_width_is_shown_by_numbers() -> None:
    """The text says what was proved, also where the window begins at a negative number."""
    result = lift(
        "int t = 0; for (int i = 0; i < n; i++)"
        " { t += s[i]; if (i >= 4) t -= s[i - 4]; d[i] = t >> 1; }"
    )
    assert result.status == "proved"
    assert "hl.RDom([(-3, 4)]" in emitted_texts(result)["pipeline.py"]


@pytest.mark.parametrize(("type", "sum_type"), [("u8", "int32"), ("short", "uint32")])
def test_numbers_with_a_sign_are_added_up_without_one(type: str, sum_type: str) -> None:
    """In another order than the original's they might overflow on the way."""
    result = lift(
        "int t = 0; for (int i = 0; i < n; i++)"
        " { t += s[i]; if (i >= r) t -= s[i - r]; d[i] = t; }",
        f"void f(int *d, const {type} *s, int n, int r)",
    )
    summary = result.summaries[-1]
    sums = [e for e in postorder(summary.expression) if isinstance(e, Reduce)]
    assert summary.kind == "window" and [str(e.type) for e in sums] == [sum_type]
    assert difference(result, 40) is None
