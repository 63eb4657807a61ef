"""Scans: what an iteration stores is made of what earlier ones have stored, or handed on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from unittest.mock import patch

import pytest

from compiler.ir import I64, Add, Call, Const, Expr, Select, Sub, const, postorder, substitute
from lifter.checking.reproving import Reproving
from lifter.emit.from_summaries import build_program
from lifter.lift import lift_stage
from lifter.lift.lift_function import LiftOptions
from lifter.model.lifted import FunctionResult
from lifter.model.summary import Dimension, Summary
from lifter.verify import ScanProof
from tests.verify.differential import difference, lifted, parsed

HEAD = "void f(u8 *d, const u8 *s, int n, int w, int k)"

IN_PLACE = {
    "sums": "for (int i = 1; i < n; i++) d[i] += d[i - 1];",
    "backwards": "for (int i = n - 2; i >= 0; i--) d[i] = (d[i] * 3 + d[i + 1]) / 4;",
    "two before": "for (int i = 2; i < n; i++) d[i] = (d[i] + d[i - 1] + d[i - 2]) / 3;",
    "both sides": "for (int i = 1; i + 1 < n; i++) d[i] = (d[i - 1] + 2 * d[i] + d[i + 1]) >> 2;",
    "where a pixel says": "for (int i = 1; i < n; i++) if (d[i - 1] > s[i]) d[i] = s[i] + 1;",
    "channels": "for (int i = 1; i < n; i++) for (int c = 0; c < 3; c++)"
    " d[i * 3 + c] += d[(i - 1) * 3 + c];",
    "down columns": "for (int y = 1; y < n; y++) for (int x = 0; x < w; x++)"
    " d[y * w + x] += d[(y - 1) * w + x];",
    "column by column": "for (int x = 0; x < w; x++) for (int y = 1; y < n; y++)"
    " d[y * w + x] += d[(y - 1) * w + x];",
    "from three sides": "for (int y = 1; y < n; y++) for (int x = 1; x + 1 < w; x++)"
    " d[y * w + x] += d[y * w + x - 1] ^ d[(y - 1) * w + x - 1] ^ d[(y - 1) * w + x];",
    "begun anew in blocks": "assert(k > 0); for (int i = 0; i < n; i++)"
    " if (i % k == 0) d[i] = s[i]; else d[i] = std::max(d[i - 1], s[i]);",
    "in blocks, backwards": "assert(k > 0); for (int i = n - 1; i >= 0; i--)"
    " if (i % k == k - 1) d[i] = s[i]; else d[i] = std::max(d[i + 1], s[i]);",
    "from the last corner": "for (int y = n - 1; y >= 0; y--) for (int x = w - 1; x >= 0; x--)"
    " { int v = d[y * w + x]; if (x < w - 1) v = v / 2 + d[y * w + x + 1] / 4;"
    " if (y < n - 1) { v ^= d[(y + 1) * w + x]; if (x > 0) v += d[(y + 1) * w + x - 1]; }"
    " d[y * w + x] = v; }",
    "any lag": "if (k >= 1) for (int i = k; i < n; i++) d[i] += d[i - k];",
    "through pointers": "u8 *p = d + 1; while (--n > 0) { *p = *p + p[-1]; p++; }",
    "as far as there is one": "assert(k >= 1 && k <= 8); for (int i = 0; i < n; i++)"
    " { if (i < k) d[i] = d[i] + s[i]; else d[i] = d[i] + 3 * d[i - k] + s[i - k]; }",
    "an average over time": "for (int y = 0; y < n; y++) for (int x = 0; x < w; x++)"
    " d[x] = (d[x] * 3 + s[y * w + x]) >> 2;",
}

STATES = {
    "sums": "u8 t = k; for (int i = 0; i < n; i++) { t += s[i]; d[i] = t; }",
    "before the sum": "u8 t = k; for (int i = 0; i < n; i++) { d[i] = t; t = t * 3 + s[i]; }",
    "in place": "u8 t = k; for (int i = 0; i < n; i++) { t = (t + d[i]) / 2; d[i] = t; }",
    "a maximum": "u8 m = 0; for (int i = 0; i < n; i++) { if (s[i] > m) m = s[i]; d[i] = m; }",
    "in rows": "for (int y = 0; y < n; y++) { int t = s[y * w]; for (int x = 0; x < w; x++)"
    " { t = (t * 3 + s[y * w + x]) >> 2; d[y * w + x] = t; } }",
    "in columns": "for (int x = 0; x < w; x++) { int t = 0; for (int y = 0; y < n; y++)"
    " { t = (t * 3 + s[y * w + x]) >> 2; d[y * w + x] = t; } }",
    "backwards": "int t = 0; for (int i = n - 1; i >= 0; i--) { t = (t + s[i]) >> 1; d[i] = t; }",
    "there and back": "int t = 0; for (int i = 0; i < n; i++) { t = (t + d[i]) >> 1; d[i] = t; }"
    " t = 0; for (int i = n - 1; i >= 0; i--) { t = (t + d[i]) >> 1; d[i] = t; }",
    "there and on, back": "int i, t = s[0];"
    " for (i = 0; i < n; i++) { t = (t + s[i]) >> 1; d[i] = t; }"
    " t ^= k; for (i = n - 1; i >= 0; i--) { t = (t * 3 + d[i]) >> 2; d[i] = t; }",
    "left under a condition": "u8 a = w; if (k > 3) for (int i = 0; i < n; i++)"
    " { a = a * 3 + s[i]; d[i] = a + 1; } for (int i = 0; i < n; i++) d[i] = d[i] + a;",
    "a switch": "int on = 0; for (int i = 0; i < n; i++)"
    " { if (s[i] > 200) on = 1; else if (s[i] < 50) on = 0; d[i] = on ? 255 : 0; }",
    "an error": "int e = 0; for (int i = 0; i < n; i++)"
    " { int v = s[i] + e, o = v > 127 ? 255 : 0; e = v - o; d[i] = o; }",
    "of order two": "int a = 0, b = 1; for (int i = 0; i < n; i++)"
    " { int c = (a * 3 + b * 2 + s[i]) & 255; a = b; b = c; d[i] = c; }",
    "of order two, stored": "u8 a = k, b = 1; for (int i = 0; i < n; i++)"
    " { u8 c = a + b * 3 + s[i]; a = b; b = c; d[i] = c; }",
    "of order three": "u8 a = k, b = 1, c = 7; for (int i = 0; i < n; i++)"
    " { u8 t = a + b * 3 + c + s[i]; a = b; b = c; c = t; d[i] = t + a; }",
    "one behind the other": "int a = k, b = 0; for (int i = 0; i < n; i++)"
    " { int t = b; b = (a * 3 + d[i]) & 255; a = t; d[i] = a - b; }",
    "with delayed input": "int x1 = 0, y1 = 0; for (int i = 0; i < n; i++)"
    " { int x = s[i], y = (5 * x + 3 * x1 - y1) & 255; x1 = x; y1 = y; d[i] = y; }",
    "runs": "int c = 0; for (int i = 0; i < n; i++) { c = s[i] > 100 ? c + 1 : 0; d[i] = c; }",
    "some stored": "int c = 0; for (int i = 0; i < n; i++)"
    " { c = (c * 5 + s[i]) & 127; if (c & 1) d[i] = c; }",
    "two outputs": "u8 a = 0; for (int i = 0; i < n; i++)"
    " { a = a * 3 + s[i]; d[2 * i] = a; d[2 * i + 1] = a + 1; }",
    "with the row above": "for (int y = 0; y < n; y++) { u8 r = 0; for (int x = 0; x < w; x++)"
    " { r += s[y * w + x]; d[y * w + x] = r + (y > 0 ? d[(y - 1) * w + x] : 0); } }",
}
ON_AND_ON = {
    "stored": "u8 t = k; for (int y = 0; y < n; y++) for (int x = 0; x < w; x++)"
    " { t = t * 3 + s[y * w + x]; d[y * w + x] = t; }",
    "in place": "u8 t = k; for (int y = 0; y < n; y++) for (int x = 0; x < w; x++)"
    " { t = (t + d[y * w + x]) / 2; d[y * w + x] = t + 1; }",
    "rows apart": "assert(k >= w); u8 t = 7; for (int y = 0; y < n; y++)"
    " for (int x = 0; x < w; x++) { t = t * 3 + s[y * w + x]; d[y * k + x] = t; }",
    "a tuple": "int a = k & 255, b = 1; for (int y = 0; y < n; y++) for (int x = 0; x < w; x++)"
    " { int t = (a + b * 3 + s[y * w + x]) & 511; b = (a ^ t) & 255; a = t; d[y * w + x] = b; }",
    "within planes": "for (int z = 0; z < k; z++) { u8 t = z; for (int y = 0; y < n; y++)"
    " for (int x = 0; x < w; x++) { int i = (z * n + y) * w + x; t = t * 3 + s[i]; d[i] = ~t; } }",
}

BEGUN_OTHERWISE = [
    "u8 t = k; for (int y = 0; y < n; y++) { t ^= y; for (int x = 0; x < w; x++)"
    " { t = t * 3 + s[y * w + x]; d[y * w + x] = t >> 1; } }",
    pytest.param(
        "u8 t = k; for (int y = 0; y < n; y++) { for (int x = 0; x < w; x++)"
        " { t = t * 3 + s[y * w + x]; d[y * w + x] = t; } t /= 2; }",
        id="halved between",
    ),
    "u8 t = k; for (int z = 0; z < 3; z++) for (int y = 0; y < n; y++)"
    " for (int x = 0; x < w; x++) { int i = (z * n + y) * w + x; t = t * 3 + s[i]; d[i] = ~t; }",
    "u8 t = k; for (int y = 0; y < n; y++) if (s[y] > 7) for (int x = 0; x < w; x++)"
    " { t = t * 3 + s[y * w + x]; d[y * w + x] = t; }",
    "u8 t = k; for (int y = 0; y < n; y++) for (int x = 0; x < y; x++)"
    " { t = t * 3 + s[y * w + x]; d[y * w + x] = t; }",
    "u8 t = k; for (int y = 0; y < n; y++) { for (int x = 0; x < w; x++)"
    " { t = t * 3 + s[y * w + x]; d[y * w + x] = t; } for (int x = 0; x < w; x++)"
    " { t = t * 5 + s[y * w + x]; d[y * w + x] ^= t; } }",
    "u8 a = k, b = 1; for (int y = 0; y < n; y++) { b = y; for (int x = 0; x < w; x++)"
    " { u8 t = a + b * 3 + s[y * w + x]; b = a ^ t; a = t; d[y * w + x] = b; } }",
    "u8 a = k, b = 1; for (int y = 0; y < n; y++) for (int x = 0; x < w; x++)"
    " { u8 t = a + b * 3 + s[y * w + x]; b = a; a = t; d[y * w + x] = b; }",
    "u8 t = k; for (int y = 0; y < n; y++) for (int x = 0; x < w; x++)"
    " { t = t * 3 + s[y * w + x]; d[y * k + x] = t; }",
]

TUPLES = {
    "a value and another": "int a = 1, b = 0; for (int i = 0; i < n; i++)"
    " { int t = (a * 3 + b + s[i]) & 1023; b = (b * 5 + a) & 1023; a = t; d[i] = a ^ (b >> 2); }",
    "transposed": "int p = k, q = 0; for (int i = 0; i < n; i++)"
    " { int x = d[i], y = (x + p) & 255; p = (3 * x - y + q) & 255; q = (x ^ y) & 255; d[i] = y; }",
    "in rows": "for (int y = 0; y < n; y++) { int a = y, b = 1; for (int x = 0; x < w; x++)"
    " { int t = (a + b * 3 + s[y * w + x]) & 511; b = (a ^ t) & 255; a = t; d[y * w + x] = a; } }",
    "of two types": "u8 f = 0; int a = k & 255; for (int i = 0; i < n; i++)"
    " { f = f * 3 + a; a = (a * 5 + f + s[i]) & 4095; d[i] = a; }",
    "one made of the other": "int a = 1, b = 0; for (int i = 0; i < n; i++)"
    " { a = (a + s[i]) & 255; b = (b + a) & 511; d[i] = b >> 1; }",
}

LEFT_HEAD = "void f(u8 *d, const u8 *s, int n, int w, int k, int *o)"

LEFT = {
    "in place": "u8 t = k; for (int i = 0; i < n; i++) { t = t * 3 + d[i]; d[i] = t; } *o = t;",
    "stored as it is": "u8 t = k; for (int i = 0; i < n; i++) { t = t * 3 + s[i]; d[i] = t; }"
    " *o = t;",
    "an error": "int e = 0; for (int i = 0; i < n; i++)"
    " { int v = d[i] + e, q = v > 127 ? 255 : 0; e = v - q; d[i] = q; } *o = e;",
    "an element that is overwritten": "int p = k; for (int i = 0; i < n; i++)"
    " { int v = d[i]; d[i] = v - p; p = v; } *o = p;",
    "from number to number": "int t = *o; for (int i = n - 1; i >= 0; i--)"
    " { t = (t * 3 + d[i]) & 255; d[i] = t / 2; } *o = t;",
    "of order two": "int a = k, b = w; for (int i = 0; i < n; i++)"
    " { int c = (a * 3 + b * 2 + d[i]) & 255; a = b; b = c; d[i] = c; } *o = a * 3 + b;",
    "two that are made of each other": "int a = k, b = w; for (int i = 0; i < n; i++)"
    " { int t = (a + b * 3 + d[i]) & 511; b = (a ^ t) & 255; a = t; d[i] = b; } *o = a * 3 + b;",
    "in turn": "int c = 0, e = k & 255, f = 1; for (int i = 0; i < n; i++)"
    " { c = (c * 3 + d[i]) & 255; e = (e * 5 + c) & 255; f = (f * 3 ^ e) & 1023; d[i] = c >> 1; }"
    " *o = e * 4096 + f;",
    "what nothing but the end asks for": "int c = 0, most = k, at = 0; for (int i = 0; i < n; i++)"
    " { c = (c * 3 + d[i]) & 255; if (c > most) { most = c; at = i; } d[i] = c >> 1; }"
    " *o = most * 1000 + at;",
    "of order one, and its input": "int x1 = k, y1 = w; for (int i = 0; i < n; i++)"
    " { int x0 = d[i]; y1 = (x0 - x1 + 3 * y1) & 255; x1 = x0; d[i] = y1 / 2; }"
    " *o = x1; d[n + 3] = y1;",
}

ROWS = {
    "one": "for (int y = 0; y < n; y++) { unsigned p = 7; for (int x = 0; x < w; x++)"
    " p = p * 3 ^ s[y * w + x]; d[y] = p ^ (p >> 8); }",
    "one made of the other": "for (int y = 0; y < n; y++) { unsigned a = 1, b = y;"
    " for (int x = 0; x < w; x++) { a = (a * 5 + s[y * w + x]) & 255; b = (b + (a >> 1)) & 511; }"
    " d[y] = b; }",
    "a place": "for (int y = 0; y < n; y++) { int m = -1, at = 0, t = k & 255;"
    " for (int x = 0; x < w; x++) { t = (t + s[y * w + x]) / 2; if (t > m) { m = t; at = x; } }"
    " d[y] = m + at; }",
    "what each stores, too": "for (int y = 0; y < n; y++) { int t = s[y * w];"
    " for (int x = 0; x < w; x++) { t = (t * 3 + s[y * w + x]) >> 2; d[y * w + x] = t; }"
    " o[y] = t; }",
}


def lift(body: str, head: str = HEAD) -> FunctionResult:
    return lifted(f"{head} {{ {body} }}")


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("way", IN_PLACE)
def test_what_iterations_have_stored_is_read_in_their_order(way: str) -> None:
    result = lift(IN_PLACE[way])
    assert result.status == "proved", result.diagnostic
    assert [s.kind for s in result.summaries] == ["scan"]
    assert difference(result, 40) is None


@pytest.mark.sampled(every=10)
@pytest.mark.parametrize("way", STATES)
def test_what_iterations_hand_on_is_an_array(way: str) -> None:
    result = lift(STATES[way])
    assert result.status == "proved", result.diagnostic
    assert any(s.kind == "scan" for s in result.summaries)
    assert difference(result, 40) is None


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("way", ON_AND_ON)
def test_states_go_on_from_row_to_row(way: str) -> None:
    result = lift(ON_AND_ON[way])
    assert result.status == "proved", result.diagnostic
    (scan, *_) = [s for s in result.summaries if s.kind == "scan"]
    assert len(scan.domain) >= 2
    assert difference(result, 60) is None


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("body", BEGUN_OTHERWISE)
def test_rows_that_begin_with_anything_else(body: str) -> None:
    result = lift(body)
    assert result.status != "proved" or difference(result, 60) is None


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("way", TUPLES)
def test_states_that_are_made_of_each_other_are_a_tuple(way: str) -> None:
    result = lift(TUPLES[way])
    assert result.status == "proved", result.diagnostic
    scans = [s for s in result.summaries if s.kind == "scan"]
    assert len(scans) == 2
    assert all(s.is_fold for s in scans) == (way != "one made of the other")
    assert difference(result, 40) is None


def test_all_values_of_a_tuple_are_computed_before_one_is_stored() -> None:
    result = lift(TUPLES["a value and another"])
    in_turn = tuple(replace(s, is_fold=False, nest=-1) for s in result.summaries)
    moved = [
        replace(
            s, expression=substitute(s.expression, _next(s.expression, {"a", "b"} - {s.output}))
        )
        for s in in_turn
        if s.kind == "scan"
    ]
    summaries = tuple(next((m for m in moved if m.stage == s.stage), s) for s in in_turn)
    assert difference(replace(result, summaries=summaries), 60) is not None


def _next(expression: Expr, names: set[str]) -> dict[Expr, Expr]:
    """Reads of arrays as those of the element behind."""
    reads = [n for n in postorder(expression) if isinstance(n, Call) and n.name in names]
    return {
        n: Call(n.name, tuple(Add(a, const(1, a.type)) for a in n.args), n.type, "image")
        for n in reads
    }


def test_a_tuple_is_one_definition_with_columns_of_its_own() -> None:
    result = lift(TUPLES["in rows"])
    definitions = build_program(result).definitions
    (state,) = [d for d in definitions if len(d.values) == 2]
    (update,) = state.updates
    assert len(update.values) == 2 and len(update.domain.bounds) == 1
    assert [str(p).partition(".")[0] for p in update.point] == ["r", "y"]


@pytest.mark.parametrize(
    "body",
    [
        # One of them isn't the loop's alone.
        "int a = 1; for (int i = 1; i < n; i++) { a = (a + d[i - 1]) & 255; d[i] = a + d[i]; }",
        "int a = 1, b = 0; for (int i = 0; i < n; i++)"
        " { int t = (a + b + d[i]) & 255; b = a; a = t; d[n - 1 - i] = a; }",
        "int a = 1, b = 2; for (int i = 0; i < n; i++)"
        " { int t = a; a = b + d[i]; b = t; if (a > 200) a = d[a & 7]; d[i] = a; }",
    ],
)
def test_what_is_no_tuple(body: str) -> None:
    result = lift(body)
    assert result.status != "proved" or difference(result, 60) is None


@pytest.mark.sampled(every=5)
@pytest.mark.parametrize("way", LEFT)
def test_what_is_left_is_what_one_more_iteration_would_be_handed(way: str) -> None:
    result = lift(LEFT[way], LEFT_HEAD)
    assert result.status == "proved", result.diagnostic
    assert difference(result, 60) is None


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("way", ROWS)
def test_what_a_loop_leaves_in_each_row_is_an_element(way: str) -> None:
    result = lift(ROWS[way], LEFT_HEAD)
    assert result.status == "proved", result.diagnostic
    assert difference(result, 60) is None


@pytest.mark.parametrize(
    "body",
    [
        # From row to row; not the last two; of as many as the row says; of what was stored.
        "unsigned p = 7; for (int y = 0; y < n; y++) { for (int x = 0; x < w; x++)"
        " p = p * 3 ^ s[y * w + x]; d[y] = p; }",
        "for (int y = 0; y < n; y++) { int a = 1, b = 2; for (int x = 0; x < w; x++)"
        " { int t = (a + b + s[y * w + x]) & 63; b = a; a = t; } d[y] = a * b; }",
        "for (int y = 0; y < n; y++) { unsigned p = 7; for (int x = 0; x < y; x++)"
        " p = p * 3 ^ s[y * w + x]; d[y] = p; }",
        "for (int y = 0; y < n; y++) { unsigned p = 7; for (int x = 0; x < w; x++)"
        " p = p * 3 ^ d[x]; d[y] = p; }",
    ],
)
def test_what_is_left_in_no_row_of_its_own(body: str) -> None:
    result = lift(body)
    assert result.status != "proved" or difference(result, 60) is None


def test_what_is_left_without_iterations_is_what_was_there() -> None:
    """The array of a state has an element for what it begins as, whatever the size."""
    result = lift(LEFT["an error"], LEFT_HEAD)
    assert [str(d.upper) for d in result.summaries[0].roi] == ["max(0, n) + 1"]
    wrong = replace(result.summaries[-1], expression=const(0, result.summaries[-1].expression.type))
    summaries = (*result.summaries[:-1], wrong)
    assert difference(replace(result, summaries=summaries), 60) is not None


def test_an_old_element_is_copied_only_where_the_original_reads_it() -> None:
    """Of `d(n - 1)`, which is copied before anything is stored, a call has to have one."""
    result = lift(LEFT["an element that is overwritten"], LEFT_HEAD)
    assert result.proof is not None
    assert "n >= 1" in [p.text for p in result.proof.preconditions]
    beyond = "int p = k; for (int i = 0; i < n; i++) { int v = d[i]; d[i] = v - p; p = d[i + w]; }"
    assert lift(f"{beyond} *o = p;", LEFT_HEAD).status != "proved"
    assert lift("for (int i = 0; i < n; i++) d[i] = s[i] ? d[i + 1] : 0;").status != "proved"


def test_a_state_that_is_stored_needs_no_array_of_its_own() -> None:
    (summary,) = lift(STATES["sums"]).summaries
    assert summary.output == "d"
    assert "select(r.x <= 0, uint8(k), d(max(r.x - 1, 0)))" in str(summary.expression)


def test_a_scan_goes_over_the_elements_that_it_stores() -> None:
    (summary,) = lift(IN_PLACE["sums"]).summaries
    assert str(summary.expression) == "d(r.x) + d(r.x - 1)"
    assert [(str(d.lower), str(d.upper)) for d in (*summary.roi, *summary.domain)] == [
        ("0", "n"),
        ("1", "n"),
    ]


OLD_AND_NEW = [
    # What an element was, and what it is by now, under one name.
    pytest.param(
        "u8 p = 0; for (int i = 1; i < n; i++) { u8 o = d[i]; d[i] = o - p + d[i - 1]; p = o; }",
        id="old and new",
    ),
    "u8 p = d[0]; for (int i = 1; i < n; i++) { u8 o = d[i]; d[i] = o - p + d[i - 1]; p = o; }",
    "u8 q = d[1]; for (int i = 1; i < n; i++) d[i] = d[i - 1] + q;",
    "u8 q = d[5]; for (int i = 1; i < n; i++) d[i] = d[i - 1] + q + d[5];",
    "if (n > 9 && d[3] > 7) for (int i = 1; i < n; i++) d[i] = d[i - 1] + d[3];",
    "u8 p = 0; int i; for (i = 0; i < n; i++) p = d[i]; for (i = 0; i < w; i++) d[n + i] = 1;"
    " for (i = 1; i <= n; i++) d[i] = d[i - 1] + d[n - 1] + p;",
    pytest.param(
        "for (int i = 0; i + 1 < n; i++) { u8 o = d[i + 1]; d[i + 1] = d[i] * 3;"
        " d[i + 1] = d[w + 1] + o; }",
        id="twice",
    ),
    "for (int i = 1; i < n; i++) { d[i] = d[i - 1] * 3; if (s[i] & 1) d[i] = d[i - 1] + d[i]; }",
    "for (int i = 1; i < n; i++) { d[i] = d[i - 1] + 1; d[i - 1] = s[i]; }",
    "u8 a = 1, b = 2; for (int i = 1; i < n; i++) { u8 t = d[i - 1]; d[i] = t + a; a = b; b = t; }",
    "for (int y = 1; y < n; y++) { u8 t = d[(y - 1) * w]; for (int x = 0; x < w; x++)"
    " d[y * w + x] = d[(y - 1) * w] + t + x; }",
    "for (int y = 0; y < n; y++) { u8 t = d[0]; for (int x = 0; x < w; x++) d[x] = d[x] + t; }",
    "u8 t = d[0]; for (int i = 0; i < n; i++) { t = (t + s[i]) / 2; d[i] = t; }",
    "u8 t = k; for (int i = 0; i < n; i++) { t = (t + d[n - 1 - i]) / 2; d[i] = t; }",
    "u8 t = k, o = 1; for (int i = 0; i < n; i++)"
    " { u8 v = d[i]; t = (t + o) / 2; d[i] = t; o = v; }",
]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("body", OLD_AND_NEW)
def test_what_was_there_is_not_taken_for_what_is_there_by_then(body: str) -> None:
    result = lift(body)
    assert result.status != "proved" or difference(result, 60) is None


@pytest.mark.parametrize(
    "read",
    [
        pytest.param("d[y * w + x - 1]", id="beside the row"),
        pytest.param("d[y * w + x - 1] ^ d[y * w + x + 1]", id="on both sides"),
        pytest.param("d[(y - 1) * w + x - 1]", id="above"),
    ],
)
def test_points_of_a_region_are_different_elements(read: str) -> None:
    """The element in front of a row is the last one of the row above, which has been stored."""
    rows = "for (int y = 1; y < n; y++) for (int x = 0; x < w; x++)"
    result = lift(f"{rows} d[y * w + x] += {read};")
    for summary in result.summaries if result.status == "proved" else ():
        assert all(str(d.lower) != "-1" for d in summary.roi), summary


def test_the_corner_that_nobody_touches_is_no_part_of_a_region() -> None:
    rows = "for (int y = 1; y < n; y++) for (int x = 0; x < w; x++)"
    result = lift(f"assert(k > w); {rows} d[y * k + x] += d[(y - 1) * k + x + 1];")
    assert result.status != "proved"


@pytest.mark.parametrize(
    "branches",
    [
        "if (i < k) { d[i] = s[i]; d[i + 1] = 7; } else d[i] = d[i - 1] + s[i];",
        "if (i < k) { d[i] = s[i]; e = d[i - 1]; } else d[i] = d[i - 1] + s[i] + e;",
        "if (i < k) { d[i] = s[i]; e = d[i + 1]; d[i] = e; } else d[i] = d[i + 1] + e;",
        "if (i < k) { d[i] = s[i]; e = d[w]; } else d[i] = d[i - 1] + s[i]; d[i + 1] = e;",
        "if (i < k) d[i] = s[i]; else { e = d[i - 1]; d[i] = e; e = d[w]; } d[i + 1] = e;",
        pytest.param(
            "if (i & 1) { d[i] = s[i]; o[i] = d[n - 1]; } else { o[i] = d[n - 1]; d[i] = 1; }",
            id="read behind and before",
        ),
    ],
)
def test_stores_of_two_branches_are_one_where_nothing_comes_between(branches: str) -> None:
    loop = f"for (int i = 1; i < n; i++) {{ {branches} }}"
    result = lift(f"u8 e = 0; {loop}", LEFT_HEAD)
    assert result.status != "proved" or difference(result, 60) is None


def test_channels_that_are_states_are_seen_as_they_are_stored() -> None:
    body = "unsigned a = d[0], b = d[1]; for (int i = 1; i < n; i++) { d += 2;"
    result = lift(f"{body} a += d[0]; d[0] = a; b += d[1]; d[1] = b; }}")
    assert result.status == "proved", result.diagnostic
    assert len({str(s.layouts["d"]) for s in result.summaries if "d" in s.layouts}) == 1
    assert build_program(result) and difference(result, 40) is None


def test_what_is_copied_needs_no_clamp_that_leaves_its_row() -> None:
    """`d(i)` is read by each iteration, though the first needs it for nothing."""
    body = "u8 m = 0; for (int i = 0; i < n; i++) { u8 v = d[i]; o[i] = i == 0 || v > m;"
    head = LEFT_HEAD.replace("int *o", "u8 *o")
    result = lift(f"{body} if (v > m) m = v; d[i] = m; }}", head)
    assert result.status == "proved", result.diagnostic
    assert difference(result, 40) is None


def test_pixels_do_not_decide_what_is_read() -> None:
    """Of a row of which nothing is chosen the original touches no element."""
    body = "for (int i = 1; i < n; i++) if (s[i] > 9) d[i] = d[i - 1] + 1;"
    assert lift(body).status != "proved"


def test_a_coordinate_is_free_where_all_stages_of_the_array_have_its_bounds() -> None:
    fill = "for (int y = 0; y < n; y++) for (int x = 0; x < w; x++) d[y * w + x] = 0;"
    scan = "for (int y = 1; y < n; y++) for (int x = 1; x < w; x++)"
    result = lift(f"{fill} {scan} d[y * w + x] = d[(y - 1) * w + x] + 1;")
    assert result.status == "proved", result.diagnostic
    (update,) = build_program(result).definitions[0].updates
    assert len(update.domain.bounds) == 2  # columns from the second on, and the fill has all


def test_what_a_state_begins_as_is_read_where_the_loop_runs() -> None:
    result = lift("if (k < 50) return; u8 t = s[w]; for (int i = 0; i < n; i++)"
                  " { t = t * 7 + k; d[i] = t >> 1; }")  # fmt: skip
    definition = next(d for d in build_program(result).definitions if d.name == "t")
    assert isinstance(definition.values[0], Select)


def test_a_coordinate_along_which_elements_depend_is_no_free_one() -> None:
    definitions = build_program(lift(STATES["with the row above"])).definitions
    (update,) = next(d for d in definitions if d.name.startswith("d")).updates
    assert [str(p).partition(".")[0] for p in update.point] == ["x", update.domain.name]
    assert len(update.domain.bounds) == 1


@pytest.mark.parametrize(
    "body",
    [
        "u8 a = 0, b = 1; for (int i = 0; i < n; i++)"
        " { u8 t = a; a = b; b = t; d[i] = a + s[i]; }",  # they change places
        "int i; for (i = 0; i < n; i++) { d[d[i] & 7] = d[i] + 1; }",  # anywhere
        "for (int y = 1; y < n; y++) for (int x = 0; x < y; x++) d[y + x] += d[y + x - 1];",
        "for (int y = 1; y < n; y++) for (int x = 1; x + 1 < w; x++)"
        " d[y * w + x] += d[y * w + x - 1] ^ d[(y - 1) * w + x + 1];",  # nobody touches d[0]
        "int t = 0; for (int i = 0; i < n; i++) { t = (t * 3 + s[i]) & 7; d[t] = i; }",
    ],
)
def test_what_is_no_scan(body: str) -> None:
    assert lift(body).status != "proved"


FLOATS = "void f(float *d, const float *s, int n, float k)"


@pytest.mark.parametrize(
    "body",
    [
        "float t = s[0]; for (int i = 0; i < n; i++) { t += k * (s[i] - t); d[i] = t; }",
        "float t = 0; for (int i = 0; i < n; i++) { t = s[i] > t * k ? s[i] : t * k; d[i] = t; }",
    ],
)
def test_floats_are_computed_in_the_written_order(body: str) -> None:
    result = lift(body, FLOATS)
    assert result.status == "proved", result.diagnostic
    assert difference(result, 30) is None


def _mutants(summary: Summary) -> Iterator[Summary]:
    """The same with one thing wrong."""
    own = [
        n
        for n in postorder(summary.expression)
        if isinstance(n, Call) and n.name == summary.output and n.args != summary.update_point
    ]
    for call in dict.fromkeys(own):
        for number, arg in enumerate(call.args):
            for change in (Add(arg, const(1, arg.type)), Sub(arg, const(1, arg.type))):
                args = (*call.args[:number], change, *call.args[number + 1 :])
                other = Call(call.name, args, call.type, "image")
                yield replace(summary, expression=substitute(summary.expression, {call: other}))
    for number, d in enumerate(summary.domain):
        for low, high in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1)):
            moved = Dimension(d.variable, _moved(d.lower, low), _moved(d.upper, high))
            domain = (*summary.domain[:number], moved, *summary.domain[number + 1 :])
            yield replace(summary, domain=domain)
    if len(summary.domain) > 1:
        yield replace(summary, domain=tuple(reversed(summary.domain)))
    for number, place in enumerate(summary.update_point):
        point = (*summary.update_point[:number], Add(place, const(1, place.type)))
        yield replace(summary, update_point=(*point, *summary.update_point[number + 1 :]))
    for constant in dict.fromkeys(n for n in postorder(summary.expression) if _is_number(n)):
        other = Const(constant.type, constant.type.wrap(int(constant.value) + 1))
        yield replace(summary, expression=substitute(summary.expression, {constant: other}))
    for d in range(len(summary.roi)):
        less = Dimension(
            summary.roi[d].variable, _moved(summary.roi[d].lower, 1), summary.roi[d].upper
        )
        yield replace(summary, roi=(*summary.roi[:d], less, *summary.roi[d + 1 :]))


def _moved(bound: Expr, by: int) -> Expr:
    return Add(bound, const(by, I64)) if by else bound


def _is_number(node: Expr) -> bool:
    return isinstance(node, Const) and node.type.is_integer and not node.type.is_bool


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(
    "body", [*IN_PLACE.values(), *STATES.values(), *TUPLES.values(), *ON_AND_ON.values()]
)
def test_another_scan_is_not_proved(body: str) -> None:
    seen: list[ScanProof] = []
    run = ScanProof.run

    def watched(self: ScanProof) -> bool:
        fine = run(self)
        if fine:
            seen.append(self)
        return fine

    with patch.object(lift_stage.ScanProof, "run", watched):
        result = lift(body)
    assert result.status == "proved" and seen
    tried = 0
    for proof in seen:
        for mutant in _mutants(proof.summary):
            again = ScanProof(proof.stage, mutant, proof.assumptions.fork(), proof.produced)
            tried += 1
            if again.run():  # as where a bound changes nothing that counts
                summaries = tuple(
                    mutant if s.stage == mutant.stage else s for s in result.summaries
                )
                assert difference(replace(result, summaries=summaries), 60) is None, mutant
    assert tried > 5


def test_a_scan_is_proved_again_of_loops_that_begin_elsewhere() -> None:
    """Nothing of the old loops is needed but the summary: an iteration is the point it goes to."""
    (given,) = lift(IN_PLACE["sums"]).summaries
    other = parsed(f"{HEAD} {{ for (int i = 0; i < n - 1; i++) d[i + 1] += d[i]; }}")
    nowhere = replace(given, witnesses=())
    assert Reproving(other, LiftOptions(), (nowhere,)).result().status == "proved"
    late = parsed(f"{HEAD} {{ for (int i = 0; i < n - 2; i++) d[i + 2] += d[i + 1]; }}")
    assert Reproving(late, LiftOptions(), (nowhere,)).result().status != "proved"
