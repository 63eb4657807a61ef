"""A status beside the output: what the original returns, the guarded entry returns too."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lifter.emit import emit
from lifter.emit.header import header_text
from lifter.emit.interface import load_interface
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from lifter.verify.screen import screen
from tests.parse.parsing import failure, kernel

HEADER = "#include <cstdint>\n#include <cstddef>\nstruct Image { uint8_t *data; int n; };\n"
PLANES = "uint8_t *d, const uint8_t *s, int n, int mode"
COPY = "for (int i = 0; i < n; i++) d[i] = s[i] / 2;"


def lift(body: str, result: str = "int", parameters: str = PLANES) -> FunctionResult:
    text = f"{HEADER}{result} f({parameters}) {{ {body} }}\n"
    return lift_kernel(kernel(text), LiftOptions())


def returned(result: FunctionResult) -> str:
    assert result.status == "proved" and result.graph is not None, result.diagnostic
    return str(result.graph.returned)


def called(result: FunctionResult, calls: list[str], folder: Path, result_type: str) -> list[str]:
    """What the guarded entry gives, and which of the two functions ran."""
    emit(result, folder / "out")
    interface = load_interface(folder / "out")
    assert result.kernel is not None
    flat = ", ".join(f"{p.element} *" if p.kind == "array" else p.element for p in interface.params)
    flat = flat.replace("uint8_t *, uint8_t *", "uint8_t *, const uint8_t *")
    own = result.kernel.signature.split("(", 1)[1]
    text = f"""
        #include <stdio.h>
        {HEADER}
        #define LIFT_ORIGINAL_F
        #define LIFT_WITH_ORIGINAL
        {result_type} f({own};
        {header_text(interface)}
        extern "C" int f_try({flat}) {{ printf("lifted "); return 0; }}
        {result_type} f({own} {{ printf("original "); return 77; }}
        static uint8_t a[9], b[9];
        int main() {{ {" ".join(f'printf("%d,", (int)f_guarded({c}));' for c in calls)} }}
    """
    (folder / "main.cpp").write_text(text)
    program = folder / "main"
    subprocess.run(["g++", "-O0", "-w", str(folder / "main.cpp"), "-o", str(program)], check=True)
    found = subprocess.run([str(program)], check=True, capture_output=True, text=True)
    return found.stdout.removesuffix(",").split(",")


def test_a_constant_status_is_returned_after_the_lifted_code(tmp_path: Path) -> None:
    result = lift(f"{COPY} return 0;")
    assert returned(result) == "0"
    calls = ["a, b, 4, 0", "a, a + 1, 4, 0"]
    assert called(result, calls, tmp_path, "int") == ["lifted 0", "original 77"]


@pytest.mark.slow
def test_a_status_that_parameters_decide_is_returned(tmp_path: Path) -> None:
    body = f"if (n < 0) return -1; if (mode > 3 || mode == n) return 1 + 1; {COPY} return 0;"
    result = lift(body)
    calls = ["a, b, -4, 0", "a, b, 4, 7", "a, b, 4, 4", "a, b, 4, 0"]
    expected = ["lifted -1", "lifted 2", "lifted 2", "lifted 0"]
    assert called(result, calls, tmp_path, "int") == expected


@pytest.mark.slow
def test_bits_and_sums_that_wrap_decide_as_their_types_have_them(tmp_path: Path) -> None:
    test = (
        "unsigned last = (unsigned)n - 1; if (n & last) return last > 9; if (last > 40) return 3;"
    )
    result = lift(f"{test} {COPY} return mode ^ n;")
    calls = ["a, b, 6, 0", "a, b, 12, 0", "a, b, 8, 3", "a, b, 0, 0", "a, b, -8, 0"]
    expected = ["lifted 0", "lifted 1", "lifted 11", "lifted 3", "lifted 1"]
    assert called(result, calls, tmp_path, "int") == expected


def test_null_pointers_keep_the_status_of_the_original(tmp_path: Path) -> None:
    result = lift(f"if (!d || !s) return false; {COPY} return true;", "bool")
    calls = ["a, b, 4, 0", "nullptr, b, 4, 0"]
    assert called(result, calls, tmp_path, "bool") == ["lifted 1", "original 1"]


def test_a_status_of_another_value_is_found_by_a_run() -> None:
    right = lift(f"if (mode == 2) return 5; {COPY} return 0;")
    wrong = lift(f"if (mode == 3) return 5; {COPY} return 0;")
    assert right.graph is not None and wrong.graph is not None and right.kernel is not None

    def tried(status: FunctionResult) -> bool:
        assert right.kernel is not None and status.graph is not None
        found = screen(
            right.kernel, right.summaries, (), lambda e: e, 60, (), status.graph.returned
        )
        return found.counterexample is None

    assert tried(right) and not tried(wrong)


@pytest.mark.parametrize(
    "body",
    [
        f"{COPY} return d[0];",
        f"if (s[0] == 0) return 1; {COPY} return 0;",
        "int c = 0; for (int i = 0; i < n; i++) { d[i] = 1; c += s[i]; } return c;",
        f"{COPY} return n * mode;",
    ],
)
def test_what_pixels_or_arithmetic_decide_is_refused(body: str) -> None:
    found = lift(body).diagnostic
    assert found is not None and found.code == "unsupported-stage" and found.help
    assert found.span is not None and found.span.line == 4


def test_an_unsigned_64_bit_comparison_is_refused_but_for_equality() -> None:
    parameters = "uint8_t *d, const uint8_t *s, size_t n"
    assert lift(f"if (n > 5) return 1; {COPY} return 0;", "int", parameters).diagnostic is not None
    assert returned(lift(f"if (n == 0) return 1; {COPY} return 0;", "int", parameters))


def test_an_enumeration_is_refused() -> None:
    found = failure("enum E { Good, Bad };\nE f(int *d) { d[0] = 1; return Good; }")
    assert (found.code, found.span and found.span.line) == ("unsupported-type", 2)
