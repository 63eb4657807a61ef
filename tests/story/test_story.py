"""`lift explain FILE:FUNC` of a failure: how far, what stands in the way, what to do about it."""

from __future__ import annotations

import shlex
from functools import cache
from pathlib import Path

import click
import pytest

from lifter.batch.driver import Run
from lifter.command_line import run
from lifter.emit import record_of
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.diagnostic import Diagnostic, LiftError
from lifter.parse import parse_file
from lifter.settings.flags import Flags
from lifter.settings.options import RunOptions
from lifter.story import OBLIGATIONS, Question, investigate, tell
from lifter.story.cuts import find_cuts
from lifter.story.explain import explain_file, explain_function
from lifter.story.reasons import reasons

SOURCE = """\
#include <cstdint>
int vendor(int a, int level);

void shifted(uint8_t *d, int n, int k) {
    uint8_t a = d[0]; for (int i = 0; i < n; i++) d[i] = d[i + k] ^ a;
}
void carried(uint8_t *d, const uint8_t *s, int n) {
    int error = 0;
    for (int i = 0; i < n; i++) {
        int v = s[i] + error;
        d[i] = s[v & 7];
        error = v - d[i];
    }
}
void three(uint8_t *d, uint8_t *e, const uint8_t *s, int n) {
    for (int i = 0; i < n; i++) d[i] = s[i];
    for (int i = 1; i < n; i++) { if (n > 40) e[i] = 1; e[i] = e[i - 1] / 2; }
    for (int i = 0; i < n; i++) s ? d[i] = 255 - d[i] : d[i];
}
void missing(uint8_t *d, int t, int n) {
    for (int i = 0; i < n; i++) d[i] = vendor(d[i], t);
}
void jumps(int *d, int n) { again: d[n] = 0; if (n-- > 0) goto again; }
int Hash(int a, int b) { return ((a * 7) ^ b) & 63; }
void grain(uint8_t *d, const uint8_t *noise, int w, int h) {
    for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) d[y * w + x] = noise[Hash(y, x)];
}
void sound(uint8_t *d, int n) {
    for (int i = 0; i < n; i++) d[i] = 255 - d[i];
}
"""


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    folder = tmp_path_factory.mktemp("story")
    path = folder / "k.cpp"
    path.write_text(SOURCE)

    @cache
    def tell(function):
        return click.unstyle(explain_function(str(path), function, folder / "out"))

    tell.path, tell.out = path, folder / "out"
    return tell


def section(text, title):
    """The lines of one section, without their indentation."""
    _, _, rest = text.partition(f"\n\n{title}\n")
    assert rest, f"no section {title}"
    return [line.strip() for line in rest.split("\n\n")[0].splitlines()]


def joined(lines):
    return " ".join(lines)


@pytest.mark.slow
def test_an_assumption_is_proposed_that_was_tried_and_works_when_pasted(story, tmp_path):
    todo = section(story("shifted"), "what you can do")
    assert "tried: with it, the function is proved" in joined(todo)
    comment = next(line for line in todo if line.startswith("// lift:"))
    assert comment == "// lift: assume(k >= 0)"
    lines = SOURCE.splitlines()
    lines.insert(3, comment)
    (tmp_path / "k.cpp").write_text("\n".join(lines))
    assert run([str(tmp_path / "k.cpp"), "-o", str(tmp_path / "o"), "--function", "shifted"]) == 0


def test_the_command_that_is_proposed_runs_and_proves_it(story, tmp_path):
    todo = section(story("shifted"), "what you can do")
    command = next(line for line in todo if line.startswith("lift "))
    words = shlex.split(command)[1:]
    words[words.index("-o") + 1] = str(tmp_path / "o")
    assert run(words) == 0


@pytest.mark.slow
def test_no_assumption_is_proposed_where_none_was_seen_to_help(story):
    assert "assume(" not in joined(section(story("carried"), "what you can do"))


def test_the_counterexample_is_a_small_table(story):
    lines = section(story("shifted"), "counterexample")
    assert "with n = 2, k = -1" in lines
    assert any(
        "d after, by the original" in line and "d after, by the candidate" in line for line in lines
    )


def test_the_statement_without_which_the_rest_is_proved_is_found(story):
    lines = section(story("carried"), "what stands in the way")
    assert "line 12       error = v - d[i]" in lines
    assert any(
        line.startswith("the value for the next iteration is made here: line 12") for line in lines
    )
    caret = next(i for i, line in enumerate(lines) if line.startswith("|") and "^~" in line)
    assert lines[caret - 1].startswith(">   11 |         d[i] = s[v & 7]")


@pytest.mark.slow
def test_stages_that_work_are_told_from_the_one_that_does_not(story, tmp_path):
    path = tmp_path / "k.cpp"
    path.write_text(SOURCE)
    (kernel,) = parse_file(path, functions=["three"]).kernels
    record = record_of(lift_kernel(kernel, LiftOptions()))
    question = Question(str(path), "three", Flags())
    told = click.unstyle(tell(record, tmp_path, investigate(question, record), question))
    lines = section(told, "how far it came")
    assert "ok  d (line 16): formula found and proved" in lines
    (stopped,) = [line for line in lines if line.startswith("X ")]
    assert "e (line 17)" in stopped
    assert "-   not looked at yet: d (line 18)" in lines
    assert "of 4 loops are proved" in story("three")


def test_a_function_that_cannot_be_parsed_stops_at_the_first_step(story):
    lines = section(story("jumps"), "how far it came")
    assert lines[0].startswith("X   reading the C++")
    assert "[goto]" in joined(section(story("jumps"), "what stands in the way"))


@pytest.mark.slow
def test_a_model_is_proposed_with_the_right_signature_and_works(story, tmp_path):
    todo = section(story("missing"), "what you can do")
    declared = "int vendor(int a, int level)"
    assert declared in todo
    start = todo.index("// model.cpp")
    model = "\n".join(["#include <cstdint>", *todo[start : todo.index("}") + 1]])
    (tmp_path / "model.cpp").write_text(model.replace("// what it", "return a / 2; // what it"))
    words = shlex.split(next(line for line in todo if line.startswith("lift ")))[1:]
    words[words.index("-o") + 1] = str(tmp_path / "o")
    words[words.index("--model") + 1] = str(tmp_path / "model.cpp")
    assert run(words) == 0


@pytest.mark.slow
def test_a_grammar_rule_is_proposed_that_was_tried(story, tmp_path):
    todo = section(story("grain"), "what you can do")
    assert "tried: with it, the function is proved" in joined(todo)
    rule = "Index := ... | Hash(Index, Index)"
    assert rule in todo
    (tmp_path / "wider.grammar").write_text(rule)
    grammar = ["--grammar", str(tmp_path / "wider.grammar")]
    assert run([str(story.path), "-o", str(tmp_path / "o"), "--function", "grain", *grammar]) == 0


def test_a_proved_function_says_in_words_why_it_is_believed(story):
    lines = section(story("sound"), "why this is believed")
    assert OBLIGATIONS["value"] in joined(lines)
    assert "how far it came" not in story("sound")


def test_an_unknown_function_gets_near_names(story):
    with pytest.raises(LiftError) as caught:
        explain_function(str(story.path), "shiftet", story.out)
    assert caught.value.diagnostic.message.endswith("has no function `shiftet`")
    assert caught.value.diagnostic.help == "did you mean shifted?"


@pytest.mark.slow
def test_hostile_names_and_text_are_quoted_for_the_shell_and_written_out(tmp_path):
    path = Path(tmp_path, "a b;$(x)'.cpp")
    path.write_text(
        "// \x1b[31m\nvoid f(int *d, int n, int k)\n"
        "{ int a = d[0]; for (int i = 0; i < n; i++) d[i] = d[i + k] ^ a; }\n"
    )
    text = click.unstyle(explain_function(str(path), "f", tmp_path / "o"))
    assert "\\x1b[31m" in text
    assert "\x1b" not in text
    command = next(line.strip() for line in text.splitlines() if line.strip().startswith("lift '"))
    assert shlex.split(command)[1] == str(path)


@pytest.mark.slow
def test_a_file_is_listed_with_what_became_of_each_function(story):
    for _ in Run(RunOptions((str(story.path),), story.out, functions=("shifted",))).events():
        pass
    lines = explain_file(str(story.path), story.out).splitlines()
    rows = {
        words[2]: words[1] for words in map(str.split, map(click.unstyle, lines)) if len(words) > 2
    }
    assert rows["shifted"] == "failed"
    assert rows["jumps"] == "failed"
    assert rows["Hash"] == "skipped"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("for (unsigned i = n - 1; i >= 0; i--) d[i] = s[i];", "`i` is unsigned: count down"),
        (
            "int i = 0; while (i < n) d[i] = s[i];",
            "Nothing in the loop at line 2 changes `i` and `n`",
        ),
        (
            "for (int i = 0; i < n; i++) d[s[i]] = 1;",
            "Where line 2 stores depends on what `s` holds",
        ),
        (
            "for (int y = 0; y < n; y++) for (int x = 0; x < y; x++) d[y * n + x] = s[x];",
            "How far the loop at line 2 runs depends on `y`",
        ),
        ("for (int i = 0; i < n; i++) d[(i + 3) % n] = s[i];", "wraps around (`%`)"),
        (
            "int a = 0, b = 1; for (int i = 0; i < n; i++)"
            " { int t = a + b; a = s[i] ^ t; b = t * 3; d[a & 15] = b; }",
            "uses what `a` is in each",
        ),
        (
            "int b = 0; for (int i = 1; i < n; i++) { if (s[i] > s[b / 2]) b = i; d[i] = b; }",
            "Line 2 tests `b` in each iteration",
        ),
    ],
)
def test_known_shapes_of_trouble_are_named_with_their_line(tmp_path, source, told):
    (tmp_path / "k.cpp").write_text(f"void f(int *d, const int *s, int n) {{\n{source} }}\n")
    kernel = parse_file(str(tmp_path / "k.cpp")).kernels[0]
    result = lift_kernel(kernel, LiftOptions(timeout=30))
    assert result.status == "failed"
    assert told in joined(reasons(kernel, result.diagnostic))


def test_a_kernel_without_trouble_has_no_reasons(tmp_path):
    (tmp_path / "k.cpp").write_text(
        "void f(int *d, const int *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i]; }\n"
    )
    kernel = parse_file(str(tmp_path / "k.cpp")).kernels[0]
    for code in ("no-roi", "loop-bound", "loop-carried"):
        assert reasons(kernel, Diagnostic(code, "error", "`i` carries a value")) == ()


@pytest.mark.slow
def test_a_missing_header_is_looked_for_and_its_folder_named(tmp_path):
    (tmp_path / "lib" / "include").mkdir(parents=True)
    (tmp_path / "lib" / "include" / "two.h").write_text("inline int two(int a) { return 2 * a; }\n")
    path = tmp_path / "k.cpp"
    path.write_text(
        '#include "two.h"\nvoid f(int *d, int n) { for (int i = 0; i < n; i++) d[i] = two(i); }\n'
    )
    text = click.unstyle(explain_function(str(path), "f", tmp_path / "o"))
    assert "a header is missing" in joined(section(text, "how far it came"))
    todo = section(text, "what you can do")
    command = next(line for line in todo if line.startswith("lift "))
    assert run(shlex.split(command)[1:]) == 0


def test_a_cut_never_leaves_a_value_without_an_origin(tmp_path):
    path = tmp_path / "k.cpp"
    path.write_text(
        "void f(int *d, const int *s, int n) {\n  int sum = 0;\n  int c[64];\n"
        "  for (int i = 0; i < 64; i++) {\n    sum += s[i];\n    c[i] = sum;\n  }\n"
        "  for (int i = 0; i < n; i++)\n    d[i] = c[i & 63];\n}\n"
    )
    cuts = find_cuts(Question(str(path), "f", Flags()))
    assert [cut.first for cut in cuts.helping] == [5]  # neither `sum = 0` nor `c[i] = sum`
