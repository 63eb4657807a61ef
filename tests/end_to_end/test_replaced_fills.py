"""What a later loop replaces is proved and left out; the language's own words may be names."""

from __future__ import annotations

import pytest

from lifter.emit import emitted_texts
from tests.build.programs import lift as run_lift
from tests.lift.test_lift_function import lift

LUT = "static const uint8_t lut[4] = {1, 2, 3, 4};\nstatic int twice(int a) { return 2 * a; }\n"
FILL = "for (int i = 0; i < w; i++) d[i] = "
REPLACED = {
    "a constant": (FILL + "1;\n" + FILL + "7;", "d[x] = hl.u8(7)"),
    "a copy": (FILL + "1;\n" + FILL + "s[i];\n" + FILL + "9;", "d[x] = hl.u8(9)"),
    "tables and functions": (FILL + "twice(s[i]) + lut[s[i] & 3];\n" + FILL + "3;",
                             "d[x] = hl.u8(3)"),
    "itself": (FILL + "d[i] + 1;\n" + FILL + "s[i];", "d[x] = s[x]"),
    "within an iteration": ("for (int i = 0; i < w; i++) { d[i] = 1; d[i] = 7; }",
                            "d[x] = hl.u8(7)"),
}  # fmt: skip


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("case", REPLACED)
def test_a_fill_that_a_later_one_replaces_is_not_in_the_program(case):
    body, wanted = REPLACED[case]
    result = lift(body, before=LUT)
    assert result.status == "proved", result.diagnostic
    text = emitted_texts(result)["pipeline.py"]
    assert wanted in text and text.count("hl.Func(") == 1
    assert "twice" not in text and "lut" not in text and "_out" not in text and "d_1" not in text


def test_a_fill_that_a_later_one_reads_or_keeps_in_part_stays():
    read = lift(FILL + "s[i] / 2;\n" + FILL + "d[i] + 1;")
    assert emitted_texts(read)["pipeline.py"].count("hl.Func(") == 2
    partly = lift(FILL + "1;\nif (w > 5) " + FILL + "7;")
    if partly.status == "proved":
        assert "hl.u8(1)" in emitted_texts(partly)["pipeline.py"]


NAMES = {
    "sum": "void {0}(const uint8_t *in, int n, int *sum)\n"
    "{{ int s = 0; for (int i = 0; i < n; i++) s += in[i]; *sum = s; }}\n",
    "maximum": "void {0}(const uint8_t *in, int n, int *maximum)\n"
    "{{ int s = 0; for (int i = 0; i < n; i++) s = std::max(s, (int)in[i]); *maximum = s; }}\n",
    "as": "void {0}(uint8_t *as, const uint8_t *in, int n, int is)\n"
    "{{ for (int i = 0; i < n; i++) as[i] = in[i] + is; }}\n",
    "product": "void {0}(uint8_t *product, const uint8_t *sum, int n)\n"
    "{{ for (int i = 0; i < n; i++) product[i] = sum[i] * 2; }}\n",
}


@pytest.mark.slow
def test_parameters_may_have_words_of_the_language_as_names_through_verify_and_build(tmp_path):
    text = "#include <algorithm>\n#include <cstdint>\n" + "".join(
        t.format(f"f_{n}") for n, t in NAMES.items()
    )
    (tmp_path / "a.cpp").write_text(text)
    lifted = run_lift("a.cpp", cwd=tmp_path)
    assert lifted.status == 0 and f"{len(NAMES)} proved" in lifted.out, lifted.out
    again = run_lift("verify", "lifted", "--all", cwd=tmp_path)
    assert again.status == 0 and f"{len(NAMES)} equal" in again.out, again.out
    (tmp_path / "a.cpp").write_text(text.replace("*sum = s;", "*sum = s + 1;"))
    changed = run_lift("verify", "lifted", cwd=tmp_path)
    assert changed.status == 1 and "sum is 1 in the original, 0 in the candidate" in changed.out


@pytest.mark.slow
def test_such_functions_can_be_built(tmp_path):
    text = "".join(t.format(f"f_{n}") for n, t in NAMES.items())
    (tmp_path / "a.cpp").write_text(f"#include <algorithm>\n#include <cstdint>\n{text}")
    assert run_lift("a.cpp", cwd=tmp_path).status == 0
    built = run_lift("build", "lifted", "--no-library", cwd=tmp_path)
    assert built.status == 0, built.out


@pytest.mark.slow
def test_windows_that_shrink_at_the_edges_are_no_fault_of_ours():
    result = lift(
        "for (int i = 0; i < w; i++) {\n  int t = 0;\n  for (int k = i; k < w; k++) t += s[k];\n"
        "  d[i] = t; }",
        timeout=3,
    )
    assert result.status in ("proved", "unproved")
    clamped = lift(
        "for (int i = 0; i < w; i++) {\n  int t = 0, low = i < 2 ? 0 : i - 2;\n"
        "  int high = i + 2 >= w ? w - 1 : i + 2;\n"
        "  for (int k = low; k <= high; k++) t += s[k];\n  d[i] = t; }",
        timeout=3,
    )
    assert clamped.status in ("proved", "unproved")
