"""Modes around loops: one stage with a selection on the mode, which reads what the mode reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.ir import to_text
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.end_to_end.test_null_pointers import HEADER, run_guarded
from tests.parse.parsing import kernel

PARAMETERS = "uint8_t *d, const uint8_t *s, const uint8_t *m, int w, int k, int mode"
ONE_BY_ONE = "for (int x = 0; x < w; x++) d[x] = {0};"
TWO_BY_TWO = """
    int x = 0;
    for (; x + 1 < w; x += 2) {{ d[x] = {0}; d[x + 1] = {1}; }}
    for (; x < w; x++) d[x] = {0};
"""


def two_by_two(value: str) -> str:
    return TWO_BY_TWO.format(value, value.replace("[x]", "[x + 1]"))


def lift(body: str, parameters: str = PARAMETERS) -> FunctionResult:
    return lift_kernel(kernel(f"{HEADER}void f({parameters}) {{ {body} }}\n"), LiftOptions())


def definition(result: FunctionResult) -> str:
    assert result.status == "proved", result.diagnostic
    (summary,) = result.summaries
    return to_text(summary.expression)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("copying", [ONE_BY_ONE.format("s[x]"), two_by_two("s[x]")])
@pytest.mark.parametrize("adding", [ONE_BY_ONE.format("s[x] + m[x]"), two_by_two("s[x] + m[x]")])
def test_a_mode_need_not_read_what_another_reads(copying: str, adding: str) -> None:
    result = lift(f"if (mode == 1) {{ {copying} }} else {{ {adding} }}")
    assert definition(result) == "select(mode == 1, s(x), s(x) + m(x))"
    assert result.proof is not None
    # Lifted code doesn't either: in that mode `m` may be null.
    assert "m isn't null" not in {p.text for p in result.proof.preconditions}


@pytest.mark.slow
def test_a_switch_over_modes_keeps_what_no_mode_writes() -> None:
    cases = [f"case {n}: {{ {two_by_two(v)} }} break;" for n, v in enumerate(["s[x]", "m[x]"])]
    found = definition(lift(f"switch (mode) {{ {' '.join(cases)} }}"))
    assert found == "select(mode == 0, s(x), select(mode == 1, m(x), d(x)))"


@pytest.mark.slow
def test_modes_with_intermediate_arrays_keep_their_order() -> None:
    first, second = "for (int x = 0; x < w; x++) t[x] =", "for (int x = 0; x < w; x++) d[x] ="
    result = lift(
        f"if (mode) {{ {first} s[x]; {second} t[x] + 1; }}"
        f"else {{ {first} s[x] + 7; {second} t[x] ^ s[x]; }}",
        "uint8_t *d, const uint8_t *s, uint8_t *t, int w, int mode",
    )
    assert result.status == "proved"
    assert [s.output for s in result.summaries] == ["t", "d"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        # the second loop of a branch would see another condition than the first
        (
            "if (d[0]) { for (int x = 0; x < w; x++) d[x] = s[x];"
            " for (int x = 0; x < w; x++) d[x] = d[x] + 1; }"
            "else { for (int x = 0; x < w; x++) d[x] = m[x];"
            " for (int x = 0; x < w; x++) d[x] = d[x] ^ 1; }",
            "unsupported-stage",
        ),
        (
            "if (d[0]) { for (int x = 0; x < w; x++) d[x] = s[x]; }"
            "else { for (int x = 0; x < w; x++) d[x] = m[x];"
            " for (int x = 0; x < w; x++) d[x] = d[x] ^ 1; }",
            "unsupported-stage",
        ),
    ],
)
def test_loops_that_change_their_own_condition_are_refused(body: str, code: str) -> None:
    result = lift(body)
    assert result.status != "proved" and result.diagnostic is not None
    assert result.diagnostic.code == code


@pytest.mark.parametrize(
    "adding",
    [
        "for (int x = 0; x < k; x++) d[x] = s[x] + m[x];",
        "for (int x = 0; x < w - 1; x++) d[x] = s[x] + m[x];",
        "for (int x = 0; x < w; x += 2) d[x] = s[x] + m[x];",
    ],
)
def test_a_mode_with_fewer_rounds_does_not_read_for_all(adding: str) -> None:
    result = lift(f"if (mode == 1) {{ {ONE_BY_ONE.format('s[x]')} }} else {{ {adding} }}")
    assert result.status != "proved"


def test_an_element_that_no_mode_reads_is_not_read() -> None:
    adding = ONE_BY_ONE.format("x < w - 1 ? s[x] + m[x] : s[x]")
    result = lift(f"if (mode == 1) {{ {ONE_BY_ONE.format('s[x]')} }} else {{ {adding} }}")
    assert result.status != "proved" and result.diagnostic is not None
    assert "the original doesn't read m" in result.diagnostic.message


FILLED = "uint8_t t[256]; for (int i = 0; i < 256; i++) t[i] = 255 - i;"
CONSTANT = f"static const uint8_t t[256] = {{ {', '.join(str(255 - i) for i in range(256))} }};"


@pytest.mark.parametrize("table", [FILLED, CONSTANT], ids=["filled", "constant"])
def test_a_table_of_the_function_is_looked_up_in_one_mode_alone(table: str) -> None:
    copying, looking = ONE_BY_ONE.format("s[x]"), ONE_BY_ONE.format("t[s[x]]")
    result = lift(f"{table} if (mode == 1) {{ {copying} }} else {{ {looking} }}")
    assert result.status == "proved", result.diagnostic
    assert to_text(result.summaries[-1].expression) == "select(mode == 1, s(x), t(int32(s(x))))"
    # in no iteration of a mode the original reads what the place in the table is made of
    looking = "for (int x = 0; x < k; x++) d[x] = t[m[x]];"
    result = lift(f"{table} if (mode == 1) {{ {copying} }} else {{ {looking} }}")
    assert result.status != "proved"


UNREADABLE = """
#include <sys/mman.h>
static int originals;
void f(uint8_t *d, const uint8_t *s, const uint8_t *m, int w, int k, int mode) {
    originals++;
    for (int x = 0; x < w; x++) d[x] = mode == 1 ? s[x] : s[x] + m[x];
}
int main() {
    uint8_t d[300], s[300];
    for (int i = 0; i < 300; i++) s[i] = i * 7;
    uint8_t *none = (uint8_t *)mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    f_guarded(d, s, none, 300, 0, 1);
    printf("%d:%d\\n", originals, d[299] == s[299]);
    f_guarded(d, s, 0, 300, 0, 1);
    printf("%d:%d\\n", originals, d[299] == s[299]);
    f_guarded(d, s, s, 300, 0, 2);
    printf("%d:%d\\n", originals, d[299] == (uint8_t)(2 * s[299]));
}
"""


@pytest.mark.slow
def test_lifted_code_reads_no_image_that_the_mode_does_not(tmp_path: Path) -> None:
    result = lift(
        f"if (mode == 1) {{ {ONE_BY_ONE.format('s[x]')} }} else {{ {two_by_two('s[x] + m[x]')} }}"
    )
    assert run_guarded(result, UNREADABLE, tmp_path) == ["0:1", "0:1", "0:1"]
