"""What a run says: text for people, one document of schema 1 for programs."""

from __future__ import annotations

import json

import pytest

from lifter.model.diagnostic import Diagnostic, Span
from lifter.model.record import ObligationRecord, PreconditionRecord, Record, StageRecord
from lifter.show.terminal import WIDTH, diagnostic_to_text, function_to_text
from tests.nursery import NURSERY

BLEND = """\
#include <stdint.h>
static uint8_t mul(uint8_t a, uint8_t b) { return (uint8_t)((a * b) / 255); }
void multiply(uint8_t *dst, const uint8_t *src, int rows, int cols, int rowBytes)
{
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++)
            dst[y * rowBytes + x] = mul(dst[y * rowBytes + x], src[y * rowBytes + x]);
}
"""

RECORD = Record(
    name="blend",
    file="src/blend.cpp",
    line=12,
    signature="void (uint8_t *, int)",
    status="proved",
    params=({"name": "dst", "type": "uint8_t *", "role": "out"},),
    preconditions=(
        PreconditionRecord("cols <= rowBytes", "formula", "inferred"),
        PreconditionRecord("dst and a don't overlap", "disjoint", "inferred", ("dst", "a")),
        PreconditionRecord("dst and b don't overlap", "disjoint", "inferred", ("dst", "b")),
    ),
    stages=(StageRecord("dst", "dst", "pure", (("0", "cols"),), ("src(x)",), "dst(x) = src(x)"),),
    obligations=(ObligationRecord("value", "dst", "equal", "proved", "z3", 0.25),),
    warnings=(Diagnostic("out-of-bounds", "warning", "w", Span("src/blend.cpp", 3, 1, 3, 2)),),
    seconds={"total": 0.5},
    folder="blend/blend",
    files=("summary.json",),
)


def test_a_record_survives_the_way_through_json():
    assert Record.from_json(json.loads(json.dumps(RECORD.to_json()))) == RECORD


def test_a_function_is_one_line_with_its_definition_and_assumptions_below(tmp_path):
    first, definition, assumes = function_to_text(RECORD).replace("\x1b", "").splitlines()
    assert "blend" in first and "src/blend.cpp:12" in first and first.endswith("0.50 s")
    assert definition.strip() == "dst(x) = src(x)"
    assert assumes.strip() == "assumes cols <= rowBytes; dst doesn't overlap a and b"


def test_long_definitions_take_two_lines_and_are_cut():
    stage = StageRecord("d", "d", "pure", (), (), "d(x) = " + " + ".join(["src(x)"] * 40))
    lines = function_to_text(
        Record("f", "f.cpp", 1, "", "proved", stages=(stage,), seconds={"total": 1})
    ).splitlines()
    assert len(lines) == 3
    assert len(lines[1]) <= WIDTH
    assert len(lines[2]) == WIDTH
    assert lines[2].endswith("…")


def test_a_diagnostic_shows_its_line_with_a_caret_below_the_place(tmp_path):
    source = tmp_path / "a.cpp"
    source.write_text("int x;\n\tgoto out;\n")
    shown = diagnostic_to_text(
        Diagnostic(
            "goto", "error", "no", Span(str(source), 2, 2, 2, 6), ("because",), "write a loop"
        )
    )
    plain = _without_colours(shown).splitlines()
    assert plain == [
        f"{source}:2:2: error: no [goto]",
        "    2 |     goto out;",
        "      |     ^~~~",
        "  note: because",
        "  help: write a loop",
    ]


def _without_colours(text: str) -> str:
    import click

    return click.unstyle(text)


@pytest.fixture(scope="module")
def blended(tmp_path_factory):
    """One real run over one kernel, as JSON and as text."""
    import subprocess
    from pathlib import Path

    folder = tmp_path_factory.mktemp("blended")
    (folder / "blend.cpp").write_text(BLEND)

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        env = {"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": "/usr/bin:/bin"}
        return subprocess.CompletedProcess(arguments, *NURSERY.lift(arguments, folder, env))

    return call("blend.cpp", "--format", "json"), call("blend.cpp"), folder, call


def test_the_document_has_exactly_the_keys_of_schema_1(blended):
    done, *_ = blended
    assert done.returncode == 0, done.stdout + done.stderr
    document = json.loads(done.stdout)
    assert document["schema"] == 1
    assert document["tool"] == "lift"
    assert document["totals"] == {"proved": 1, "unproved": 0, "failed": 0, "skipped": 1}
    multiply = next(f for f in document["functions"] if f["name"] == "multiply")
    assert {
        "name", "file", "line", "signature", "params", "status", "code", "message",
        "preconditions", "warnings", "stages", "proof", "seconds",
    } <= set(multiply)  # fmt: skip
    assert multiply["file"] == "blend.cpp"
    assert multiply["line"] == 3
    assert [(p["name"], p["role"]) for p in multiply["params"]] == [
        ("dst", "inout"), ("src", "in"), ("rows", "scalar"), ("cols", "scalar"),
        ("rowBytes", "scalar"),
    ]  # fmt: skip
    (stage,) = multiply["stages"]
    assert stage["output"] == "dst"
    assert stage["roi"] == [["0", "cols"], ["0", "rows"]]
    assert stage["kind"] == "pure"
    assert stage["definition"].startswith("dst(x, y) = mul(")
    assert "src(x, y)" in stage["terminals"]
    assert sum(multiply["proof"]["by"].values()) == multiply["proof"]["obligations"] > 0
    assert set(multiply["seconds"]) == {
        "parse", "roi", "terminals", "expression", "verify", "total",
    }  # fmt: skip


def test_the_text_has_the_function_and_the_totals(blended):
    _, done, folder, _ = blended
    assert done.returncode == 0
    assert "proved    multiply" in done.stdout
    assert "blend.cpp:3" in done.stdout
    assert "dst(x, y) = mul(" in done.stdout
    assert "assumes" in done.stdout
    assert "1 proved, 0 unproved, 0 failed, 1 skipped" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    assert (folder / "lifted" / "blend" / "multiply" / "pipeline.py").is_file()


def test_explain_tells_how_a_function_was_proved(blended):
    *_, call = blended
    done = call("explain", "blend.cpp:multiply")
    assert done.returncode == 0
    for part in ("multiply: proved", "inout   uint8_t * dst", "stages", "obligations:", "coverage"):
        assert part in done.stdout
    assert "inferred: the proof needs it" in done.stdout


@pytest.mark.slow
def test_explain_tells_why_a_function_failed(lift, tmp_path):
    (tmp_path / "a.cpp").write_text(
        "void prefix(unsigned char *d, const unsigned char *s, int n)\n{\n"
        "    for (int i = 1; i < n; i++)\n        d[i] = s[i] + d[i - 1];\n}\n"
    )
    assert lift("a.cpp").status == 1
    ran = lift("explain", "a.cpp:prefix")
    assert ran.status == 0
    for part in (
        "prefix: failed",
        "a.cpp:3:5: error: ",
        "best candidate",
        "d(x) = s(x) + d(x - 1)",
    ):
        assert part in ran.out
    assert ran.out.count("d after, by the original") == 1
    assert "d after, by the candidate" in ran.out
    assert "`lift explain refuted` says what the code means" in ran.out


def test_explain_names_near_functions(blended):
    *_, call = blended
    done = call("explain", "blend.cpp:multiplx")
    assert done.returncode == 2
    assert "did you mean multiply?" in done.stderr


def test_doctor_lists_versions_and_what_they_are_for(blended):
    *_, call = blended
    done = call("doctor")
    assert done.returncode == 0
    for part in ("python", "libclang", "z3-solver", "llvmlite", "processor", "headers", "linker"):
        assert part in done.stdout


def test_doctor_says_what_a_missing_tool_is_needed_for(lift, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    ran = lift("doctor")
    assert "absent   C++ compiler" in ran.out
    assert "needed for lift bench: timing the original" in ran.out
    assert ran.status == 0
