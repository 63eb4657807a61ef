"""One kernel the whole way: its status, and what a person reads when it fails, with the place."""

from __future__ import annotations

import pytest
import z3

from compiler.ir import Call, postorder
from lifter.emit import emitted_texts
from lifter.lift import dsl_terms
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.verify import decide
from tests.parse.parsing import kernel

HEADER = "#include <cassert>\n#include <cstdint>\n"
LINE = "uint8_t* d, const uint8_t* s, int w"


def lift(body, parameters=LINE, before="", **options):
    """The result for `void f(parameters) {`, whose body begins in column 1 of line 4."""
    text = f"{HEADER}{before}void f({parameters}) {{\n{body}\n}}\n"
    return lift_kernel(kernel(text), LiftOptions(**options))


def place(result):
    return result.diagnostic.span.line, result.diagnostic.span.column


def preconditions(result):
    return [p.text for p in result.proof.preconditions]


def test_a_proved_kernel_has_summaries_obligations_and_preconditions():
    result = lift("for (int i = 0; i < w; i++) d[i] = s[i] / 2;")
    assert (result.status, result.diagnostic) == ("proved", None)
    assert [repr(s.expression) for s in result.summaries] == ["s(x) / 2"]
    assert {o.verdict for o in result.proof.obligations} == {"proved"}
    assert preconditions(result) == ["d and s don't overlap"]
    assert set(result.seconds) == {"parse", "roi", "terminals", "expression", "verify", "total"}


def test_a_precondition_that_nobody_stated_is_a_note_and_a_stated_one_is_none():
    body = "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) d[y * p + x] = 1;"
    parameters = "uint8_t* d, int w, int h, int p"
    silent = lift(body, parameters)
    assert silent.status == "proved"
    (note,) = silent.warnings
    assert (note.code, note.severity) == ("assumed", "note")
    assert "`w <= p`" in note.message and "assert(w <= p)" in note.help
    stated = lift("assert(w <= p);\n" + body, parameters)
    assert (stated.status, list(stated.warnings)) == ("proved", [])
    assert preconditions(stated) == preconditions(silent) == ["w <= p"]


BOUNDS = {
    "break": ("for (int i = 0; i < w; i++) {\n  if (d[i] == 0) break;\n  d[i] = 1; }",
              (4, 1), "the loop writes to d, which its bound is read from"),
    "doubling": ("for (int i = 1; i < w; i *= 2) d[i] = 1;",
                 (4, 1), "isn't known at its beginning"),
    "sentinel": ("int i = 0;\nwhile (s[i]) { d[i] = 1; i++; }", (5, 1),
                 "what this loop reads decides how many iterations it runs"),
    "no end": ("for (int i = 0; i < w; i--) d[i] = 1;", (4, 1), "runs away from its bound"),
}  # fmt: skip


@pytest.mark.parametrize("name", BOUNDS)
def test_a_loop_without_a_plain_bound_is_named(name):
    body, where, message = BOUNDS[name]
    result = lift(body)
    assert (result.status, result.diagnostic.code) == ("failed", "loop-bound")
    assert message in result.diagnostic.message
    assert place(result) == where


def test_a_value_that_rounds_hand_on_is_named():
    result = lift(
        "int v = 0, u = 1;\nfor (int i = 0; i < w; i++) {\n int t = v; v = u; u = t;\n d[i] = v; }"
    )
    assert (result.status, result.diagnostic.code) == ("failed", "loop-carried")
    assert result.diagnostic.message.startswith("u carries a value from one iteration")
    assert place(result) == (7, 2)


def test_a_sum_that_rounds_hand_on_is_a_reduction():
    result = lift(
        "for (int i = 0; i < w; i++) {\n int v = 0;\n"
        "for (int k = 0; k < 3; k++) v += s[i + k];\n d[i] = v / 3; }"
    )
    assert result.status == "proved"


def test_memory_that_every_round_allocates_is_an_unsupported_stage():
    result = lift(
        "for (int i = 0; i < w; i++) {\n int* t = new int[40];\n t[0] = s[i]; d[i] = t[0]; }"
    )
    assert (result.status, result.diagnostic.code) == ("failed", "unsupported-stage")
    assert result.diagnostic.help == "move the allocation out of the loop"
    assert place(result) == (5, 2)


def test_a_scalar_without_a_value_is_uninitialised():
    result = lift("int v;\nfor (int i = 0; i < w; i++)\n d[i] = v;")
    assert (result.status, result.diagnostic.code) == ("failed", "uninitialised")
    assert result.diagnostic.message == "v is used before it has a value"
    assert place(result) == (6, 2)


@pytest.mark.parametrize(
    "body",
    [
        "for (int i = 0; i < w; i++) d[s[i]] = 1;",
        "for (int i = 0; i < w; i++) for (int j = 0; j <= i; j++) d[i * w + j] = 1;",
    ],
    ids=["places from data", "triangle"],
)
def test_what_is_no_box_has_no_region(body):
    result = lift(body)
    assert (result.status, result.diagnostic.code) == ("failed", "no-roi")
    assert "must form a box" in result.diagnostic.notes[0]
    assert place(result) == (4, 1)


HASH = "static int hash(int a, int b) { return (a * 7919 + b) & 255; }\n"
HASHED = "for (int i = 0; i < w; i++) d[i] = s[hash(i, w)];"


def test_a_terminal_that_the_grammar_lacks_comes_with_the_rule_to_add(tmp_path):
    result = lift(HASHED, before=HASH)
    assert (result.status, result.diagnostic.code) == ("failed", "no-terminal")
    assert result.diagnostic.message == "the grammar has no terminal for `s(hash(x, w))`"
    rule = "Index := ... | hash(Index, Index)"
    assert f"`{rule}`" in result.diagnostic.help and "--grammar FILE" in result.diagnostic.help
    assert place(result) == (5, 1)
    grammar = tmp_path / "hash.grammar"
    grammar.write_text(rule + "\n")
    assert lift(HASHED, before=HASH, grammar_files=(grammar,)).status == "proved"


OVERWRITTEN = "for (int i = 1; i < w; i++) { if (w > 40) d[i] = 1; d[i] = d[i - 1] + 1; }"


def test_a_refuted_candidate_is_shown_with_a_small_counterexample():
    result = lift(OVERWRITTEN)
    assert (result.status, result.diagnostic.code) == ("failed", "refuted")
    assert "isn't overwritten before it is read" in result.diagnostic.message
    assert place(result) == (4, 1)
    candidate, example = result.diagnostic.notes
    assert candidate == "candidate: d = d(x - 1) + 1"
    sizes, before, original, ours = example.splitlines()
    assert sizes.startswith("with w = ")
    assert before.startswith("  before: d[0] = ")
    assert original.startswith("  original leaves:  d[2] = ")
    assert ours.startswith("  candidate leaves: d[2] = ")


def test_the_counterexample_is_what_the_two_really_leave():
    found = lift(OVERWRITTEN).proof.counterexample
    assert found.output == "d"
    before = found.arrays["d"]
    for (place,), value in found.expected.items():
        assert value == (before[(0,)] + place) % 256
    for (place,), value in found.actual.items():
        assert value == (before[(place - 1,)] + 1) % 256
    assert found.expected != found.actual


def test_an_assumption_that_no_call_meets_is_false():
    result = lift("assert(w > 5 && w < 3);\nfor (int i = 0; i < w; i++) d[i] = 1;")
    assert (result.status, result.diagnostic.code) == ("failed", "assumption-false")
    assert "`w > 5 && w < 3` is false for every call" in result.diagnostic.message
    assert place(result) == (4, 1)


VACUOUS = {
    "a clash": ("assert(w > 5); assert(w < 3);\nfor (int i = 0; i < w; i++) d[i] = 1;",
                "contradict each other: w > 5, w < 3"),
    "an empty region": ("assert(w < 0);\nfor (int i = 0; i < w; i++) d[i] = 1;",
                        "nothing is ever written to d where `w < 0`"),
    "a dead store": ("for (int i = 0; i < w; i++) if (i > w) d[i] = 1;",
                     "nothing is ever written to d"),
    "a dead update": ("assert(w < 0);\nfor (int i = 0; i < w; i++) d[s[i]]++;",
                      "nothing is ever written to d where `w < 0`"),
}  # fmt: skip


@pytest.mark.parametrize("name", VACUOUS)
def test_a_proof_that_would_say_nothing_is_none(name):
    body, message = VACUOUS[name]
    result = lift(body)
    assert (result.status, result.diagnostic.code) == ("failed", "vacuous")
    assert message in result.diagnostic.message


def test_reading_outside_of_an_array_is_warned_about_with_the_place():
    result = lift("uint8_t t[4] = {1, 2, 3, 4};\nfor (int i = 0; i < w; i++)\n d[i] = t[i];")
    assert result.status == "proved"
    (warning,) = result.warnings
    assert (warning.code, warning.severity) == ("out-of-bounds", "warning")
    assert warning.span.line == 6
    assert "t[4], which has 4 elements" in warning.message


def test_the_size_of_an_objects_container_is_its_class_s_affair():
    text = """
#include <vector>
struct Mat {{ std::vector<unsigned char> data; int rows, cols; }};
void f({0}const Mat &s, Mat &d)
{{
    for (int y = 0; y < s.rows; y++)
        for (int x = 0; x < s.cols; x++)
            d.data[y * s.cols + x] = {1}s.data[y * s.cols + x]{2};
}}
"""
    own = lift_kernel(kernel(text.format("", "255 - ", "")), LiftOptions())
    assert (own.status, own.warnings) == ("proved", ())
    given = text.format("const std::vector<unsigned char> &t, ", "t[", "]")
    (warning,) = lift_kernel(kernel(given), LiftOptions()).warnings
    assert warning.code == "out-of-bounds" and "of the array: t[" in warning.message


def test_a_time_out_proves_nothing(monkeypatch):
    """No answer to any query: what is not structural stays undecided."""

    def nothing_in_time(formulas, timeout):
        solver = z3.Solver()
        solver.add(*formulas)
        return z3.unknown, solver

    monkeypatch.setattr(decide, "_check", nothing_in_time)
    body = (
        "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) d[y * p + x] = s[y * p + x] / 3;"
    )
    result = lift(body, "uint8_t* d, const uint8_t* s, int w, int h, int p")
    assert result.status == "unproved"
    assert result.diagnostic.code == "undecided"
    assert any(o.verdict == "undecided" for o in result.proof.obligations)


def test_the_second_opinion_is_about_the_functions_that_are_emitted(monkeypatch):
    """A planted bug: half() rounds down for all arguments, and nobody is asked whether it may."""
    rounded = "static int half(int v) { return v / 2; }\n"
    body = "for (int i = 0; i < w; i++) d[i] = half(d[i]);"
    assert lift(body, "int16_t* d, int w", rounded).status == "proved"
    plain = lift(
        "for (int i = 0; i < w; i++) d[i] = half(d[i] & 255);", "int16_t* d, int w", rounded
    )
    functions = plain.kernel.functions
    monkeypatch.setattr(dsl_terms, "dsl_functions", lambda *_: functions)
    monkeypatch.setattr(dsl_terms, "_same_with", lambda *_: [])
    assert lift(body, "int16_t* d, int w", rounded).diagnostic.code == "internal"


def test_a_function_that_reads_a_table_is_lifted_with_the_table() -> None:
    """Pure functions of the DSL read no images; the table is read in the stage."""
    text = """
        #include <cstdint>
        static const uint8_t gamma[4] = {3, 1, 4, 1};
        static uint8_t corrected(uint8_t v) { return gamma[v & 3]; }
        static int twice(uint8_t v) { return corrected(v) * 2; }
        void f(uint8_t *d, const uint8_t *s, int n) {
            for (int i = 0; i < n; i++) d[i] = twice(s[i]);
        }
    """
    result = lift_kernel(kernel(text), LiftOptions())
    assert result.status == "proved", result.diagnostic
    assert "gamma[s[x] % 4]" in emitted_texts(result)["pipeline.py"].replace("hl.i32(s[x])", "s[x]")


BLEND_WITH_SHORTCUTS = """
    for (int i = 0; i < w; i++, d += 4, s += 4) {
        int a = s[3] * level / 255;
        if (a == 0) continue;
        if (a == 255) { *(uint32_t*)d = *(const uint32_t*)s; continue; }
        for (int c = 0; c < 3; c++) d[c] = d[c] + ((s[c] - d[c]) * a) / 255;
        d[3] = a + d[3] - a * d[3] / 255;
    }
"""


@pytest.mark.slow
def test_a_copied_word_and_a_loop_over_channels_are_one_formula() -> None:
    result = lift(BLEND_WITH_SHORTCUTS, "uint8_t* d, const uint8_t* s, int w, int level")
    assert result.status == "proved"
    (summary,) = result.summaries
    read = {repr(n) for n in postorder(summary.expression) if isinstance(n, Call)}
    assert {"s(0, y)", "s(1, y)", "s(2, y)"}.isdisjoint(read)
    assert {"s(x, y)", "s(3, y)"} <= read


@pytest.mark.slow
def test_a_shortcut_for_three_channels_of_four_is_one_of_its_own() -> None:
    """`d[3]` isn't copied: alpha's formula is another's, though it reads alpha as theirs do."""
    body = BLEND_WITH_SHORTCUTS.replace(
        "*(uint32_t*)d = *(const uint32_t*)s;", "d[0] = s[0]; d[1] = s[1]; d[2] = s[2];"
    )
    assert lift(body, "uint8_t* d, const uint8_t* s, int w, int level").status == "proved"


@pytest.mark.slow
def test_stages_at_two_sizes_see_an_array_in_one_way() -> None:
    """Luma reads `rgb` pixel by pixel, chroma two by two: both by channel, column and row."""
    body = """
        assert(w % 2 == 0);
        for (int i = 0; i < w; i += 2) {
            int sum = 0;
            for (int k = 0; k < 2; k++) {
                luma[i + k] = (uint8_t)((rgb[(i + k) * 3] + 2 * rgb[(i + k) * 3 + 1]) / 3);
                sum += rgb[(i + k) * 3 + 2];
            }
            chroma[i / 2] = (uint8_t)(sum / 2);
        }
    """
    result = lift(body, "uint8_t* luma, uint8_t* chroma, const uint8_t* rgb, int w")
    assert result.status == "proved"
    one, other = (summary.layouts["rgb"].strides for summary in result.summaries)
    assert list(map(repr, one)) == list(map(repr, other)) == ["1", "3"]
    text = emitted_texts(result)["pipeline.py"]
    assert "rgb[2, x * 2]" in text and "rgb[0, x]" in text


def test_updates_are_as_many_as_parameters_say() -> None:
    parameters = "uint32_t* h, const uint8_t* s, int n, const int* m"
    body = "for (int i = 0; i < {}; i++) h[s[i]]++;"
    assert lift(body.format("n"), parameters).status == "proved"
    result = lift(body.format("*m"), parameters)
    assert result.status == "failed"
    assert result.diagnostic.message == "numbers in memory say how often h is updated"
