"""Asserts on float parameters: shown, and tested by the guarded entry, also for a NaN."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lifter.emit import emit
from lifter.emit.header import header_text
from lifter.emit.interface import load_interface
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.parse.parsing import kernel

HEADER = "#include <cassert>\n#include <cmath>\n#include <cstdint>\n"
FADE = "for (int i = 0; i < n; i++) d[i] = s[i] * t;"
PARAMETERS = "float *d, const float *s, int n, float t, double u"


def lift(*conditions: str) -> FunctionResult:
    asserts = " ".join(f"assert({c});" for c in conditions)
    text = f"{HEADER}void f({PARAMETERS}) {{ {asserts} {FADE} }}\n"
    return lift_kernel(kernel(text), LiftOptions())


def admitted(result: FunctionResult, calls: list[tuple[str, str, str]], folder: Path) -> list[bool]:
    """What `f_admits` says for each (n, t, u)."""
    emit(result, folder / "out")
    header = header_text(load_interface(folder / "out"))
    lines = "".join(f'printf("%d", f_admits(a, b, {n}, {t}, {u}));' for n, t, u in calls)
    text = f"#include <math.h>\n#include <stdio.h>\n{header}\nstatic float a[9], b[9];\n"
    text += "int lift_default_float_modes(void) { return 1; }\n"  # the library's
    (folder / "main.c").write_text(f"{text}int main(void) {{ {lines} return 0; }}\n")
    program = folder / "main"
    command = ["gcc", "-O1", "-Wall", "-Werror", str(folder / "main.c"), "-o", str(program)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    found = subprocess.run([str(program)], check=True, capture_output=True, text=True)
    return [c == "1" for c in found.stdout]


def preconditions(result: FunctionResult) -> list[str]:
    assert result.status == "proved", result.diagnostic
    assert result.proof is not None
    return [p.text for p in result.proof.preconditions if p.kind == "formula"]


def test_a_range_of_a_float_is_shown_and_a_nan_leads_to_the_original(tmp_path: Path) -> None:
    result = lift("t >= 0.0f && t <= 1.0f")
    assert preconditions(result) == ["t >= 0.0f && t <= 1.0f"]
    calls = [("4", t, "0") for t in ("0.f", "-0.f", "1.f", "0.5f", "-1e-30f", "1.0000002f", "NAN")]
    assert admitted(result, calls, tmp_path) == [True] * 4 + [False] * 3


def test_a_negated_comparison_admits_a_nan_as_the_source_does(tmp_path: Path) -> None:
    result = lift("!(t < 0) || u != u")
    calls = [("4", "NAN", "0"), ("4", "-1.f", "0"), ("4", "-1.f", "NAN")]
    assert admitted(result, calls, tmp_path) == [True, False, True]


@pytest.mark.slow
def test_a_float_is_compared_as_a_float_and_a_double_as_a_double(tmp_path: Path) -> None:
    calls = [("4", "0.1f", "0.1"), ("4", "0.1f", "0.1f")]
    assert admitted(lift("t == 0.1f && u == 0.1"), calls, tmp_path) == [True, False]
    # 16777217 is no float: the sum and the converted integer are rounded as in the source.
    calls = [("4", "16777216.f", "1"), ("-16777217", "1.f", "-16777216")]
    assert admitted(lift("t + 1.0f == 16777216.0f || (float)n == u"), calls, tmp_path) == [
        True, True,
    ]  # fmt: skip


def test_the_integers_of_a_mixed_condition_are_used_by_proofs(tmp_path: Path) -> None:
    result = lift("n <= 16 && t > 0")
    assert result.proof is not None
    (found,) = [p for p in result.proof.preconditions if p.origin == "assert"]
    assert str(found.formula) == "n <= 16" and found.tested is not None
    calls = [("16", "1.f", "0"), ("17", "1.f", "0"), ("16", "0.f", "0")]
    assert admitted(result, calls, tmp_path) == [True, False, False]


@pytest.mark.parametrize(
    ("conditions", "code"),
    [
        (["t > 1 && t < 0"], "assumption-false"),
        (["t != t && t > 0"], "assumption-false"),
        (["t > 1", "t < 0"], "vacuous"),
        (["n > 3 && t > 1", "n < 2"], "vacuous"),
        (["std::sqrt(t) < 1"], "assumption-false"),
    ],
)
def test_what_no_call_meets_or_no_guard_tests_is_refused(conditions: list[str], code: str) -> None:
    found = lift(*conditions).diagnostic
    assert found is not None and (found.code, found.span and found.span.line) == (code, 4)
