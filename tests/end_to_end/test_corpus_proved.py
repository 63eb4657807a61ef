"""How much of the corpus is proved, under which preconditions, and that no proof is empty."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compiler.ir import FALSE, I64, LT, Variable, const
from lifter.emit import emit
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.diagnostic import LiftError
from lifter.model.lifted import FunctionResult
from lifter.parse import parse_file
from lifter.verify.decide import Prover
from tests.build.programs import lift
from tests.end_to_end.corpus_list import CORPUS, liftable, listed, not_proved, sampled
from tests.end_to_end.lifted_corpus import ROOT, lifted, parsed

WANTED = 0.98
"""The share of the kernels of the corpus that must be proved."""
SECONDS = 30.0
"""What a kernel gets that is known to take longer than it is given."""


def result(file: str, name: str) -> FunctionResult:
    return lifted(file, name).result


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("file, name", sampled(listed()))
def test_a_kernel_is_proved(file: str, name: str) -> None:
    found = result(file, name)
    assert found.status == "proved", found.diagnostic


def test_nearly_all_of_the_corpus_is_proved() -> None:
    assert len(listed()) >= WANTED * len(liftable())


@pytest.mark.slow
def test_what_is_not_proved_yet_has_the_code_that_the_readme_states(tmp_path: Path) -> None:
    """A kernel that is proved now, or fails in another way, wants another row."""
    stated = {kernel: code for kernel, code in not_proved().items() if code != "timeout"}
    found = {(file, name): found_code(file, name, "", tmp_path) for file, name in stated}
    assert found == stated


@pytest.mark.slow
def test_what_takes_too_long_still_does(tmp_path: Path) -> None:
    stated = {kernel: code for kernel, code in not_proved().items() if code == "timeout"}
    found = {(file, name): found_code(file, name, "timeout", tmp_path) for file, name in stated}
    assert found == stated


@pytest.mark.parametrize(
    ("file", "name", "code"),
    [
        ("blend/broken.cpp", "scatter_pixels", "no-roi"),
        ("blend/broken.cpp", "checked_multiply", "exception"),
        ("blend/broken.cpp", "sound", None),
        ("blend/macros.c", "line_add", None),
    ],
)
def test_the_code_of_a_kernel_is_found_wherever_it_fails(
    file: str, name: str, code: str | None, tmp_path: Path
) -> None:
    assert found_code(file, name, "", tmp_path) == code


def found_code(file: str, name: str, expected: str, folder: Path) -> str | None:
    """What `lift` says of a kernel; None when it is proved and emitted."""
    if expected == "timeout":
        options = ["--timeout", str(SECONDS), "--no-cache", "--format", "json", "-o", str(folder)]
        done = lift(CORPUS / file, "--function", name, *options, cwd=ROOT)
        (function,) = (f for f in json.loads(done.out)["functions"] if f["name"] == name)
        return str(function["code"])
    for refused in parsed(file).failed:
        if refused.name == name:
            return refused.diagnostic.code
    found = result(file, name)
    if found.diagnostic is None:
        try:
            emit(found, folder)
        except LiftError as error:
            return error.diagnostic.code
    return None if found.diagnostic is None else found.diagnostic.code


@pytest.mark.parametrize("file, name", sampled(listed(), files=2))
def test_each_proof_has_every_kind_of_obligation_and_none_undecided(file: str, name: str) -> None:
    proof = result(file, name).proof
    assert proof is not None and proof.verdict == "proved" and proof.counterexample is None
    assert {o.verdict for o in proof.obligations} == {"proved"}
    assert {o.by for o in proof.obligations} <= {"structural", "z3", "complete"}
    names = {o.name for o in proof.obligations}
    assert {"coverage", "unique", "value", "vacuity"} <= names
    assert len(result(file, name).summaries) >= 1


@pytest.mark.parametrize("file, name", sampled(listed(), files=2))
def test_preconditions_can_hold_and_false_does_not_follow_from_them(file: str, name: str) -> None:
    """Neither alone nor at a point of the region of each stage."""
    subject = lifted(file, name)
    own = subject.proved_assumptions
    prover = Prover(own.prover.parameters, None, 5.0)
    assert prover.satisfiable(own.formulas) is True
    assert not prover.integers(FALSE, own.formulas).proved
    for step in subject.steps:
        inside = [
            bound
            for d in step.summary.roi
            for v in (Variable(d.variable.name, I64),)
            for bound in (LT(v, d.upper), LT(d.lower, v))
        ]
        assert prover.satisfiable((*own.formulas, *inside)) is True
        assert not prover.integers(FALSE, (*own.formulas, *inside)).proved


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    ("file", "name", "text"),
    [
        ("blend/basic.cpp", "adjustOpacity", "cols <= rowBytes"),
        ("blend/basic.cpp", "adjustOpacityUnchecked", "cols <= rowBytes"),
        ("blend/basic.cpp", "hard_light_row", "count >= 1"),
        ("blend/basic.cpp", "normal_opacity_u8", "opacity >= 0 && opacity <= 256"),
        ("blend/basic.cpp", "screen_rgba_all", "width * 4 <= stride"),
        ("filter/basic.cpp", "brightness_contrast", "src.size() <= dst.size()"),
    ],
)
def test_a_precondition_is_shown(file: str, name: str, text: str) -> None:
    proof = result(file, name).proof
    assert proof is not None and text in [p.text for p in proof.preconditions]


def test_only_the_figure_without_its_assert_is_told_what_was_assumed() -> None:
    codes = {
        name: {w.code for w in result("blend/basic.cpp", name).warnings}
        for name in ("adjustOpacity", "adjustOpacityUnchecked")
    }
    assert "assumed" not in codes["adjustOpacity"]
    assert "assumed" in codes["adjustOpacityUnchecked"]


@pytest.mark.slow
def test_the_blur_of_the_paper_is_warned_of_and_its_repaired_sibling_is_not() -> None:
    codes = {
        name: {w.code for w in result("filter/basic.cpp", name).warnings}
        for name in ("blur", "blur_padded")
    }
    assert "out-of-bounds" in codes["blur"]
    assert "out-of-bounds" not in codes["blur_padded"]


def test_dissolve_needs_its_grammar() -> None:
    kernel = lifted("blend/basic.cpp", "dissolve").kernel
    without = lift_kernel(kernel, LiftOptions())
    assert without.status == "failed" and without.diagnostic is not None
    assert without.diagnostic.code == "no-terminal"
    assert result("blend/basic.cpp", "dissolve").status == "proved"


# What must not be proved.

WRONG = {
    "each pixel depends on the one before it, already changed": """
void f(uint8_t *d, int n) {
    for (int i = 1; i < n; i++) { if (n > 40) d[i] = 1; d[i] = (d[i] + d[i - 1]) / 2; } }""",
    "rows of one plane that the loop itself lets overlap": """
void f(uint8_t *d, int rows, int cols) {
    for (int r = 0; r < rows; r++) for (int c = 0; c < cols; c++) d[r + c] = c; }""",
    "the loop ends where what it writes says": """
void f(uint8_t *d, const uint8_t *s, int n) {
    for (int i = 0; i < n; i++) { if (d[i] == 0) break; d[i + 1] = s[i]; } }""",
    "the last store to an element wins": """
void f(uint8_t *d, const uint8_t *s, const uint8_t *at, int n) {
    for (int i = 0; i < n; i++) d[at[i]] = s[i]; }""",
    "a float sum in another order": """
void f(float *d, const float *s, const uint8_t *at, int n) {
    for (int i = 0; i < n; i++) d[at[i]] = (d[at[i]] + s[i]) * 0.5f; }""",
}


def _lifted_text(text: str, folder: Path) -> FunctionResult:
    path = folder / "kernel.cpp"
    path.write_text("#include <cassert>\n#include <cstdint>\n" + text + "\n")
    (kernel,) = parse_file(path).kernels
    return lift_kernel(kernel, LiftOptions())


@pytest.mark.parametrize("what", WRONG)
def test_what_no_summary_says_is_not_proved(what: str, tmp_path: Path) -> None:
    found = _lifted_text(WRONG[what], tmp_path)
    assert found.status in ("failed", "unproved"), found.summaries
    assert found.diagnostic is not None and found.diagnostic.span is not None


def test_contradicting_preconditions_prove_nothing(tmp_path: Path) -> None:
    text = """
void f(uint8_t *d, int n) {
    assert(n > 4); assert(n < 3);
    for (int i = 0; i < n; i++) d[i] = 1;
}"""
    found = _lifted_text(text, tmp_path)
    assert found.status == "failed" and found.diagnostic is not None
    assert found.diagnostic.code == "vacuous"


def test_a_store_that_never_happens_proves_nothing(tmp_path: Path) -> None:
    text = """
void f(uint8_t *d, int n) {
    assert(n <= 0);
    for (int i = 0; i < n; i++) d[i] = 1;
}"""
    found = _lifted_text(text, tmp_path)
    assert found.status != "proved"


def test_an_assumed_falsehood_would_prove_anything() -> None:
    """So the checks above are worth making: the prover itself has no say in it."""
    n = Variable("n", I64)
    contradiction = [LT(n, const(0, I64)), LT(const(0, I64), n)]
    prover = Prover({})
    assert prover.integers(FALSE, contradiction).proved
    assert not prover.satisfiable(contradiction)
