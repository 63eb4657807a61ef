"""What loops leave in scalars, as strangers write it: sums, counts, extremes, flags, positions.

Each is proved without the concrete second opinion, which is then asked by itself; each twin below
differs from one of them in what decides whether it is an accumulation at all, and isn't proved as
one.
"""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

PARAMETERS = "const short *p, const u8 *m, int n, int w, int h"


def over(body: str, start: int = 0) -> str:
    return f"for (int i = {start}; i < n; i++) {{ {body} }}"


def over_image(body: str) -> str:
    return f"for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {{ {body} }}"


def function(text: str, *results: str) -> str:
    """A function that runs `text` and gives out variables of it."""
    outs = "".join(f", {r.split()[0]} *out{k}" for k, r in enumerate(results))
    stores = "".join(f" *out{k} = {r.split()[1]};" for k, r in enumerate(results))
    return f"void f({PARAMETERS}{outs}) {{ {text}{stores} }}"


ACCUMULATIONS = {
    "maximum": function("int a = p[0];" + over("if (p[i] > a) a = p[i];", 1), "int a"),
    "maximum of bytes": function(
        "int a = 0;" + over("int v = m[i]; a = v > a ? v : a;"), "int a"
    ),
    "minimum under a mask": function(
        "int a = 40000;" + over("if (!m[i]) continue; if (p[i] < a) a = p[i];"), "int a"
    ),
    "both extremes": function(
        "short a = p[0], b = p[0];" + over("if (p[i] < a) a = p[i]; if (p[i] > b) b = p[i];", 1),
        "short a", "short b",
    ),
    "the other extreme in the other branch": function(
        "int a = p[0], b = p[0];" + over("if (p[i] < a) a = p[i]; else if (p[i] > b) b = p[i];"),
        "int a", "int b",
    ),
    "sums and counts under conditions": function(
        "long a = 3; int b = 0;"
        + over("if (m[i]) { a += p[i]; b++; if (p[i] > 9) a -= 2; } else a -= m[i] + 1;"),
        "long a", "int b",
    ),
    "all alike": function("int a = 1;" + over("if (p[i] != p[0]) a = 0;", 1), "int a"),
    "any, by bits": function("u8 a = 0;" + over("a |= p[i] == 7;"), "u8 a"),
    "all, by words": function("bool a = true;" + over("a = m[i] != 3 && a;"), "bool a"),
    "the last place": function("int a = -1;" + over("if (m[i]) a = i;"), "int a"),
    "the last value": function("int a = -1;" + over("if (m[i]) a = p[i];"), "int a"),
    "the first greatest": function(
        "int a = p[0], b = 0;" + over("if (p[i] > a) { a = p[i]; b = i; }", 1), "int a", "int b"
    ),
    "the last least": function(
        "int a = 300, b = -1;" + over("if (m[i] <= a) { a = m[i]; b = i; }"), "int a", "int b"
    ),
    "from the end": function(
        "int a = 0, b = 0; for (int i = n - 1; i >= 0; i--)"
        " if (m[i] > a) { a = m[i]; b = i; }",
        "int a",
        "int b",
    ),
    "a box around what is set": function(
        "int a = w, b = -1, c = h, d = -1;"
        + over_image(
            "if (m[y * w + x]) { if (x < a) a = x; if (x > b) b = x;"
            " if (y < c) c = y; if (y > d) d = y; }"
        ),
        "int a", "int b", "int c", "int d",
    ),
}  # fmt: skip


@pytest.mark.sampled(every=32)
@pytest.mark.parametrize("name", ACCUMULATIONS)
def test_an_accumulation_is_proved(name: str) -> None:
    result = lifted(ACCUMULATIONS[name])
    assert result.status == "proved", result.diagnostic
    assert difference(result, 20) is None


@pytest.mark.slow
def test_a_position_that_is_computed_of_what_rows_leave_is_no_place() -> None:
    body = (
        "long b = -1; for (int x = 0; x < w; x++) if (m[y * w + x]) b = x; if (b >= 0) a = b + y;"
    )
    text = f"long a = -1; for (int y = 0; y < h; y++) {{ {body} }}"
    result = lifted(function(text, "long a"))
    assert result.diagnostic is None or result.diagnostic.code != "internal"
    assert result.status != "proved" or difference(result, 20) is None


IN_PLACE = {
    "a count of what changes": "if (d[i] != s[i]) a++; d[i] = s[i];",
    "a sum before": "a += d[i]; d[i] = 255 - d[i];",
    "a sum after": "d[i] = d[i] / 2; a += d[i];",
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("name", IN_PLACE)
def test_a_sum_is_made_while_its_array_changes(name: str) -> None:
    body = over(IN_PLACE[name])
    result = lifted(
        f"void f(u8 *d, const u8 *s, int n, int *out) {{ int a = 0; {body} *out = a; }}"
    )
    assert result.status == "proved", result.diagnostic
    assert {s.output for s in result.summaries} == {"d", "out"}
    assert difference(result) is None


TWINS = {
    "the opposite extreme isn't below at first": function(
        "int a = 32767, b = -32768;" + over("if (p[i] < a) a = p[i]; else if (p[i] > b) b = p[i];"),
        "int a",
        "int b",
    ),
    "the branches compare different numbers": function(
        "int a = p[0], b = p[0];" + over("if (p[i] < a) a = p[i]; else if (m[i] > b) b = m[i];"),
        "int a",
        "int b",
    ),
    "equal is enough in the first branch": function(
        "int a = p[0], b = p[0];" + over("if (p[i] <= a) a = p[i]; else if (p[i] >= b) b = p[i];"),
        "int a",
        "int b",
    ),
    "a position of another extreme": function(
        "int a = 0, b = 0;" + over("if (p[i] > a) b = i; if (m[i] > a) a = m[i];"),
        "int a",
        "int b",
    ),
    "a limit that falls": function(
        "int a = 100, b = 0;" + over("if (p[i] > a) { a--; b = i; }"), "int a", "int b"
    ),
    "a sum that is read on the way": function(
        "int a = 0, b = 0;" + over("a += m[i]; if (a > 9) b++;"), "int a", "int b"
    ),
    "a limit of the row before": function(
        "int a = 0; for (int y = 0; y < h; y++) { int t = a;"
        " for (int x = 0; x < w; x++) if (m[y * w + x] > t) a = m[y * w + x]; }",
        "int a",
    ),
    "a row that does anything, and then a sum": function(
        "int a = 0, b = 1; for (int y = 0; y < h; y++) {"
        " for (int x = 0; x < w; x++) { int t = a; a = b; b = t + m[x]; } a += y; }",
        "int a",
    ),
    "a row that does anything with two": function(
        "bool a = w, b = false;"
        + over_image("if (1 > b) b = m[y * w + x]; if (x < a) a = m[y * w + x]; else b += m[x];"),
        "bool a",
        "bool b",
    ),
    "rows of rows that do anything": function(
        "int a = 0, b = 1; for (int z = 0; z < n; z++) { for (int y = 0; y < h; y++) {"
        " for (int x = 0; x < w; x++) { int t = a; a = b; b = t + m[x]; } a += y; }"
        " a = a * 3 ^ z; }",
        "int a",
    ),
    "two that hand on to each other": function(
        "int a = 0, b = 1;" + over("int t = a; a = b; b = t + m[i];"), "int a", "int b"
    ),
}


FOLDS = {
    "the greatest float": function(
        "float a = p[0];" + over("float v = p[i] * 0.1f; if (v > a) a = v;"), "float a"
    ),
    "floats that go on over rows": function(
        "float a = 1;" + over_image("a += m[y * w + x] * 0.3f;"), "float a"
    ),
    "a checksum": function("unsigned a = 5381;" + over("a = a * 33 ^ m[i];"), "unsigned a"),
    "a checksum of some, by a table": function(
        "unsigned a = ~0u;" + over("if (m[i]) a = p[(a ^ m[i]) & 255] ^ a >> 8;"), "unsigned a"
    ),
    "a sum that stops growing": function("int a = 0;" + over("if (a < 1000) a += m[i];"), "int a"),
    "another number is kept": function("int a = 0;" + over("if (p[i] > a) a = p[i] + 1;"), "int a"),
    "cut off before it is kept": function(
        "u8 a = 0;" + over("if (p[i] > a) a = (u8)p[i];"), "u8 a"
    ),
    "bits that are more than one": function("int a = 0;" + over("a |= m[i];"), "int a"),
    "a flag that began as 2": function("int a = 2;" + over("a &= m[i] != 3;"), "int a"),
    "a flag that was never a bit": function("int a = n;" + over("a |= m[i] != 3;"), "int a"),
    "two of them": function(
        "float a = 1e9f, b = -1e9f;" + over("if (p[i] < a) a = p[i]; if (p[i] > b) b = p[i];"),
        "float a",
        "float b",
    ),
}


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("name", FOLDS)
def test_any_function_of_a_scalar_itself_is_an_update(name: str) -> None:
    result = lifted(FOLDS[name])
    assert result.status == "proved", result.diagnostic
    assert {s.kind for s in result.summaries} == {"pure", "reduction"}
    assert difference(result, 20) is None


BY_TABLE = "unsigned a = ~0u;" + over("a = p[%s] ^ a >> 8;")


def test_a_table_is_looked_up_where_what_is_handed_on_says() -> None:
    """Where it leads is bounded by what it is made of, whatever the iterations have made of it."""
    result = lifted(function(BY_TABLE % "(a ^ m[i]) & 255", "unsigned a"))
    assert result.status == "proved", result.diagnostic
    assert difference(result, 40) is None


@pytest.mark.parametrize("place", ["a ^ m[i]", "m[a & 255] + i"])
def test_a_table_that_is_looked_up_anywhere_is_not_proved(place: str) -> None:
    assert lifted(function(BY_TABLE % place, "unsigned a")).status != "proved"


@pytest.mark.parametrize(
    "body",
    [
        "a = a * 3 + d[i]; d[i] = 0;",
        "a = a * 3 + d[i]; d[n - i] = 7;",
    ],
)
def test_an_update_of_what_the_loop_changes_is_none(body: str) -> None:
    result = lifted(f"void f(u8 *d, int n, int *out) {{ int a = 1; {over(body)} *out = a; }}")
    assert result.status != "proved"


def test_an_update_of_what_is_changed_before_it_is_stored_is_none() -> None:
    text = f"int a = 1; {over('a = a * 3 + d[i];')} d[0] = 9; *out = a;"
    result = lifted(f"void f(u8 *d, int n, int *out) {{ {text} }}")
    assert result.status != "proved"


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("name", TWINS)
def test_what_is_no_accumulation_isnt_taken_for_one(name: str) -> None:
    """It is the update of several scalars, in the loop's order, or nothing is said."""
    result = lifted(TWINS[name])
    if result.status == "proved":
        assert any(s.is_fold for s in result.summaries)
        assert difference(result, 20) is None


@pytest.mark.parametrize(
    "body",
    [
        "d[i] = n; a += d[n - 1 - i];",
        "a += d[i]; d[n - 1 - i] = 0;",
        "a += d[i + 1]; d[i + 2] = 1;",
    ],
)
def test_a_sum_of_what_the_loop_has_changed_isnt_one_of_what_was_there(body: str) -> None:
    text = over(body)
    result = lifted(f"void f(u8 *d, int n, int *out) {{ int a = 0; {text} *out = a; }}")
    assert result.status != "proved"
