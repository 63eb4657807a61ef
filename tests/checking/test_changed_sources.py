"""What `lift verify` says when the C++ has changed since it was lifted."""

from __future__ import annotations

import json

import pytest

from tests.checking.conftest import NAMES


@pytest.mark.slow
def test_an_untouched_library_is_equal_and_nothing_is_proved_again(project):
    status, document = project.verify()
    assert status == 0
    assert [(f["verdict"], f["proved_again"]) for f in document["functions"]] == [
        ("equal", None)
    ] * len(NAMES)
    assert document["totals"]["equal"] == len(NAMES)


def test_for_what_is_unchanged_no_solver_is_loaded(project, monkeypatch):
    def load():
        raise AssertionError("the prover was loaded")

    monkeypatch.setattr("lifter.checking.run._import_prover", load)
    assert project.verify()[0] == 0
    with pytest.raises(AssertionError, match="was loaded"):
        project.verify("--all")


def test_comments_and_moved_lines_change_nothing(project):
    project.edit("void average", "// the mean of two\n\n\nvoid average")
    project.edit("int i = 0; i < n; i++)", "int i = 0;  /* all */ i < n; i++)")
    status, document = project.verify()
    assert status == 0
    assert {f["proved_again"] for f in document["functions"]} == {None}
    lines = {f["name"]: f["line"] for f in document["functions"]}
    assert lines["average"] == 15


REFACTORED = {
    "a loop from the other end": (
        "average",
        "for (int i = 0; i < n; i++)\n        dst[i] = (uint8_t)((src[i] + dst[i] + 1) / 2);",
        "for (int i = n - 1; i >= 0; i--)\n        dst[i] = (uint8_t)((dst[i] + src[i] + 1) >> 1);",
    ),
    "pointers that move": (
        "lighten",
        "for (int y = 0; y < h; y++)\n        for (int x = 0; x < w; x++)\n"
        "            dst[y * stride + x] = (uint8_t)(src[y * stride + x] / 2 + 3);",
        "while (h-- > 0) {\n        uint8_t *d = dst;\n        const uint8_t *s = src;\n"
        "        for (int k = w; k > 0; --k) *d++ = (uint8_t)((*s++ >> 1) + 3);\n"
        "        dst += stride;\n        src += stride;\n    }",
    ),
    "an unrolled loop with a rest": (
        "average",
        "for (int i = 0; i < n; i++)\n        dst[i] = (uint8_t)((src[i] + dst[i] + 1) / 2);",
        "int i = 0;\n    for (; i + 2 <= n; i += 2) {\n"
        "        dst[i] = (uint8_t)((src[i] + dst[i] + 1) / 2);\n"
        "        dst[i + 1] = (uint8_t)((src[i + 1] + dst[i + 1] + 1) / 2);\n    }\n"
        "    for (; i < n; i++) dst[i] = (uint8_t)((src[i] + dst[i] + 1) / 2);",
    ),
    "a helper that is written out": (
        "blend",
        "mul255(src[i], src[i])",
        "(src[i] * src[i] + 127) / 255",
    ),
    "counting with pointers": (
        "histogram",
        "for (int i = 0; i < n; i++) bins[p[i]]++;",
        "for (const uint8_t *e = p + n; p < e; ++p) bins[*p] += 1;",
    ),
}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("how", REFACTORED)
def test_a_refactored_body_is_changed_but_still_equal(project, how):
    name, old, new = REFACTORED[how]
    project.edit(old, new)
    status, document = project.verify()
    found = {f["name"]: (f["verdict"], f["proved_again"]) for f in document["functions"]}
    assert found.pop(name) == ("changed", "source")
    assert set(found.values()) == {("equal", None)}
    assert status == 0


@pytest.mark.slow
def test_a_helper_with_other_names_and_another_body_is_still_equal(project):
    project.edit(
        "static inline int mul255(int a, int b) { return (a * b + 127) / 255; }",
        "static inline int divide(int t) { return t / 255; }\n"
        "static inline int mul255(int b, int a) { int t = 127 + b * a; return divide(t); }",
    )
    status, document = project.verify()
    found = {f["name"]: f["verdict"] for f in document["functions"]}
    assert (found["blend"], found["shade"], status) == ("changed", "changed", 0), document


def test_a_broken_body_is_refuted_by_an_input_that_is_right(project):
    project.edit("(src[i] + dst[i] + 1) / 2", "(src[i] + dst[i]) / 2")
    status, document = project.verify()
    assert status == 1
    found = next(f for f in document["functions"] if f["name"] == "average")
    assert found["verdict"] == "not-equal"
    example = found["counterexample"]
    inputs = {t["name"]: t["values"] for t in example["inputs"]}
    size = example["scalars"]["n"]
    dst, src = inputs["dst"][:size], inputs["src"][:size]
    # Both by hand: what the source says now, and what the summary was lifted from.
    assert example["original"]["values"] == [(s + d) // 2 for s, d in zip(src, dst, strict=True)]
    assert example["candidate"]["values"] == [
        (s + d + 1) // 2 for s, d in zip(src, dst, strict=True)
    ]
    text = project.lift("verify", "lifted")[1]
    assert "not-equal   average" in text
    assert "dst after, by the original" in text and "dst after, by the candidate" in text


def test_writing_more_than_before_is_not_equal(project):
    project.edit("bins[p[i]]++;", "bins[p[i]]++;\n    if (n > 0) bins[0] = 7;")
    found = project.verdict("histogram")
    assert found["verdict"] == "not-equal"
    assert found["counterexample"]["original"]["name"] == "bins"


def test_a_call_that_needs_more_than_is_claimed_is_not_equal(project):
    """The committed claim holds for all n; the changed loop is only right for even ones."""
    project.edit(
        "for (int i = 0; i < n; i++)\n        dst[i] = (uint8_t)((src[i] + dst[i] + 1) / 2);",
        "for (int i = 0; i + 1 < n; i += 2) {\n"
        "        dst[i] = (uint8_t)((src[i] + dst[i] + 1) / 2);\n"
        "        dst[i + 1] = (uint8_t)((src[i + 1] + dst[i + 1] + 1) / 2);\n    }",
    )
    assert project.verdict("average")["verdict"] == "not-equal"


def test_a_lost_assertion_stays_a_precondition_of_what_is_committed(project):
    project.edit("    assert(level >= 0 && level <= 255);\n", "")
    found = project.verdict("shade")
    assert found["verdict"] == "changed", (found["message"], found["notes"])


def test_a_new_assertion_that_is_not_needed_changes_nothing(project):
    project.edit(
        "int n)\n{\n    for (int i = 0; i < 256",
        "int n)\n{\n    assert(n < 9999);\n    for (int i = 0; i < 256",
    )
    assert project.verdict("histogram")["verdict"] == "changed"


RENAMED = {
    "one by one": (
        "void lighten(uint8_t *dst, const uint8_t *src, int w, int h, int stride)",
        "void lighten(uint8_t *out, const uint8_t *in, int width, int rows, int pitch)",
        {"dst": "out", "src": "in", "w": "width", "h": "rows", "stride": "pitch"},
    ),
    "exchanged": (
        "void lighten(uint8_t *dst, const uint8_t *src, int w, int h, int stride)",
        "void lighten(uint8_t *src, const uint8_t *dst, int h, int w, int stride)",
        {"dst": "src", "src": "dst", "w": "h", "h": "w"},
    ),
    "to what a local was": (
        "void lighten(uint8_t *dst, const uint8_t *src, int w, int h, int stride)",
        "void lighten(uint8_t *x, const uint8_t *y, int stride, int h, int w)",
        {"dst": "x", "src": "y", "w": "stride", "stride": "w", "x": "dst", "y": "src"},
    ),
}


def _in_other_names(project, how):
    import re

    head, new, names = RENAMED[how]
    text = (project.folder / "lib.cpp").read_text()
    start = text.index(head)
    end = text.index("}", start)
    body = text[start + len(head) : end]
    body = re.sub(r"\b[a-z]+\b", lambda m: names.get(m[0], m[0]), body)
    (project.folder / "lib.cpp").write_text(text[:start] + new + body + text[end:])


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("how", RENAMED)
def test_parameters_with_other_names_are_still_equal(project, how):
    _in_other_names(project, how)
    found = project.verdict("lighten")
    assert (found["verdict"], found["message"]) == ("changed", None), found
    assert "other names" in found["notes"][0]


def test_parameters_in_another_order_are_not_equal(project):
    """Their types are the same, so every caller still compiles."""
    project.edit("int w, int h, int stride)", "int h, int w, int stride)")
    assert project.verdict("lighten")["verdict"] == "not-equal"


def test_deleted_renamed_and_new_functions(project):
    project.edit("void average(", "void mean(")
    status, document = project.verify()
    found = {f["name"]: f for f in document["functions"]}
    assert status == 1
    assert found["average"]["verdict"] == "gone"
    assert "no function average any more" in found["average"]["message"]
    assert found["mean"]["verdict"] == "new"


def test_a_new_function_is_told_and_fails_only_who_asks_for_that(project):
    source = project.folder / "lib.cpp"
    source.write_text(source.read_text() + "void zero(uint8_t *d, int n)\n{\n"
                      "    for (int i = 0; i < n; i++) d[i] = 0;\n}\n")  # fmt: skip
    status, document = project.verify()
    assert status == 0
    assert [f["name"] for f in document["functions"] if f["verdict"] == "new"] == ["zero"]
    assert project.verify("--new-is-error")[0] == 1
    assert "1 without a summary: zero" in project.lift("verify", "lifted")[1]


def test_an_overload_beside_a_function_is_no_other_version_of_it(project):
    project.edit(
        "void average(uint8_t *dst",
        "void average(float *dst, const float *src, int n)\n{\n"
        "    for (int i = 0; i < n; i++) dst[i] = src[i];\n}\n\nvoid average(uint8_t *dst",
    )
    status, document = project.verify()
    found = [(f["name"], f["verdict"]) for f in document["functions"]]
    assert ("average", "equal") in found
    assert status == 0


@pytest.mark.slow
def test_of_other_parameters_nobody_can_tell(project):
    project.edit("void average(uint8_t *dst, const uint8_t *src, int n)",
                 "void average(uint8_t *dst, const uint8_t *src, long n)")  # fmt: skip
    found = project.verdict("average")
    assert found["verdict"] == "undecided"
    assert "its parameters were" in found["message"]


def test_a_function_that_is_no_longer_understood_is_undecided(project):
    project.edit("bins[p[i]]++;", 'bins[p[i]]++;\n    asm volatile("" : : "r"(bins));')
    status, document = project.verify()
    found = next(f for f in document["functions"] if f["name"] == "histogram")
    assert (found["verdict"], status) == ("undecided", 3), found


def test_a_source_that_is_no_cpp_is_bad_input(project):
    (project.folder / "lib.cpp").write_text("This is a letter, not a program.\n")
    status, document = project.verify()
    assert status == 2
    assert {f["verdict"] for f in document["functions"]} == {"unreadable"}


def test_without_its_source_everything_is_gone_and_the_way_out_is_said(project):
    (project.folder / "lib.cpp").unlink()
    status, out, _ = project.lift("verify", "lifted")
    assert status == 2
    assert "5 gone" in out and "--root DIR" in out


def test_the_sources_may_be_looked_for_elsewhere(project, monkeypatch):
    monkeypatch.chdir(project.folder / "lifted")
    status, out, _ = project.lift("verify", ".", "--root", "..", "--format", "json")
    assert status == 0, out
    assert json.loads(out)["totals"]["equal"] == len(NAMES)


def test_flags_are_those_of_the_lifting_unless_the_command_line_says_otherwise(project):
    project.edit("+ 1) / 2", "+ ROUND) / 2")
    project.edit("#include <cassert>", "#ifndef ROUND\n#define ROUND 1\n#endif\n#include <cassert>")
    assert project.verify()[0] == 0
    status, document = project.verify("-D", "ROUND=0")
    assert status == 1
    assert document["totals"]["not-equal"] == 1


def test_a_folder_without_summaries_is_bad_usage(project):
    assert project.lift("verify", "nowhere")[0] == 2
    (project.folder / "empty").mkdir()
    status, _, err = project.lift("verify", "empty")
    assert status == 2 and "no lifted functions here" in err


def _database(project, *commands):
    entries = [
        {"directory": str(project.folder), "file": "lib.cpp", "command": f"g++ {c} -c lib.cpp"}
        for c in commands
    ]
    (project.folder / "build").mkdir()
    (project.folder / "build" / "compile_commands.json").write_text(json.dumps(entries))


def test_flags_may_come_from_the_build(project):
    project.edit("+ 1) / 2", "+ ROUND) / 2")
    project.edit("#include <cassert>", "#ifndef ROUND\n#define ROUND 1\n#endif\n#include <cassert>")
    _database(project, "-DROUND=0 -fplugin=./evil.so")
    status, document = project.verify("-p", "build")
    assert (status, document["totals"]["not-equal"]) == (1, 1)


def test_of_several_configurations_nobody_guesses(project):
    _database(project, "-DROUND=0", "-DROUND=1")
    status, document = project.verify("-p", "build")
    assert (status, document["totals"]["undecided"]) == (3, len(NAMES))


@pytest.mark.slow
def test_odd_names_are_only_names(project):
    odd = "we \"ird'; $(touch HERE) <b>.cpp"
    (project.folder / "lib.cpp").rename(project.folder / odd)
    assert project.lift(odd, "-o", "odd", "--function", "average", "--no-cache")[0] == 0
    assert project.lift("verify", "odd")[0] == 0
    text = (project.folder / odd).read_text()
    (project.folder / odd).write_text(text.replace("+ 1) / 2", "+ 2) / 2"))
    status, out, _ = project.lift("verify", "odd")
    assert status == 1
    assert "$(touch HERE) <b>.cpp:12" in out
    assert not (project.folder / "HERE").exists()


def test_what_a_stranger_wrote_doesnt_command_the_terminal(project):
    project.edit_summary("average", lambda d: d.update(file="\x1b[2J\nlib.cpp"))
    out = project.lift("verify", "lifted")[1]
    assert "\x1b[2J" not in out
    assert "?[2J?lib.cpp" in out


def test_loops_that_nobody_can_compare_are_undecided_with_a_way_out(project):
    """A row for each pass of an outer loop: equal, but the new loops have no summary."""
    project.edit(
        "for (int i = 0; i < n; i++)\n        dst[i] = (uint8_t)((src[i] + dst[i] + 1) / 2);",
        "for (int k = 0; k < 1; k++) {\n        int *sum = new int[n > 0 ? n : 1];\n"
        "        for (int i = 0; i < n; i++) sum[i] = src[i] + dst[i] + 1;\n"
        "        for (int i = 0; i < n; i++) dst[i] = (uint8_t)(sum[i] / 2);\n"
        "        delete[] sum;\n    }",
    )
    status, document = project.verify()
    found = next(f for f in document["functions"] if f["name"] == "average")
    assert (found["verdict"], status) == ("undecided", 3)
    assert "lift it again" in found["notes"][-1]


@pytest.mark.slow
def test_two_loops_for_one_are_still_equal(project):
    project.edit(
        "dst[i] = (uint8_t)((src[i] + dst[i] + 1) / 2);",
        "dst[i] = (uint8_t)((src[i] + dst[i] + 1) / 2 + 1);\n"
        "    for (int i = 0; i < n; i++)\n        dst[i] = (uint8_t)(dst[i] - 1);",
    )
    assert project.verdict("average")["verdict"] == "changed"


@pytest.mark.slow
def test_a_source_that_needs_more_than_is_committed_has_other_preconditions(project):
    """Where n is negative, the tail begins below it."""
    project.edit(
        "for (int i = 0; i < n; i++)\n        dst[i] = (uint8_t)((src[i] + dst[i] + 1) / 2);",
        "int whole = n & ~7;\n"
        "    for (int i = 0; i < whole; i++) dst[i] = (uint8_t)((src[i] + dst[i] + 1) / 2);\n"
        "    for (int i = whole; i < n; i++) dst[i] = (uint8_t)((src[i] + dst[i] + 1) / 2);",
    )
    found = project.verdict("average")
    assert found["verdict"] == "undecided"
    assert "needs also `n >= 0`" in found["message"]


def test_a_loop_that_writes_behind_its_new_buffer_is_no_refactoring(project):
    """All that it leaves in dst is right."""
    project.edit(
        "for (int i = 0; i < n; i++)\n        dst[i] = (uint8_t)((src[i] + dst[i] + 1) / 2);",
        "int *sum = new int[n];\n"
        "    for (int i = 0; i <= n; i++) sum[i] = 1;\n"
        "    for (int i = 0; i < n; i++) dst[i] = (uint8_t)((src[i] + dst[i] + sum[i]) / 2);\n"
        "    delete[] sum;",
    )
    found = project.verdict("average")
    assert found["verdict"] == "undecided", found
    assert "as it is now it writes outside of the array: sum[" in found["message"]


def test_a_summary_over_names_that_the_source_has_lost_is_undecided(project):
    """No image shows a difference, since nothing can be computed."""
    project.edit_summary(
        "average",
        lambda d: d["lifted"].update(
            nodes=[n.replace("src", "gone") for n in d["lifted"]["nodes"]],
            summaries=json.loads(json.dumps(d["lifted"]["summaries"]).replace("src", "gone")),
        ),
    )
    assert project.verdict("average")["verdict"] == "not-equal"
    project.edit("(src[i] + dst[i] + 1) / 2", "(src[i] + dst[i] + 1) >> 1")
    found = project.verdict("average")
    assert (found["verdict"], found["counterexample"]) == ("undecided", None)
    assert "gone" in found["message"]
