"""Loops that `break` leaves at one place, and Duff's device, as loops with a condition."""

from __future__ import annotations

import pytest

from lifter.model.kernel import Break, statements

from .parsing import body, failure, kernel, lines

SIGNATURE = "void f(unsigned char *d, const unsigned char *s, int n) "
WITH_M = SIGNATURE.replace("int n", "int n, int m")
DEVICE = """{ int k = (n + 3) / 4; switch (n % 4) {
    case 0: do { *d++ = *s++; case 3: *d++ = *s++; case 2: *d++ = *s++; case 1: *d++ = *s++;
    } while (--k > 0); } }"""


@pytest.mark.parametrize(
    "loop, condition",
    [
        ("for (;;) { if (n <= 0) break; d[--n] = 1; }", "while (n > 0) {"),
        ("while (1) { if (n-- <= 0) break; *d++ = 1; }", "while (n > 0) {"),
        ("while (n > 3) { if (n == 9) break; d[n--] = 1; }", "while (n > 3 && n != 9) {"),
        ("do { d[--n] = 1; if (n == 0) break; } while (1);", "while (n != 0)"),
        ("do { if (n-- <= 0) break; *d++ = *s++; } while (1);", "while (n > 0) {"),
        ("for (;;) { d[n] = 1; if (n == 0) break; n--; }", "while (n != 0)"),
        ("for (int i = 0; ; i++) { d[i] = 1; if (i == n) break; }", "while (i != n)"),
        ("while (1) { if (n <= 0) break; else d[--n] = 1; }", "while (n > 0) {"),
        ("while (1) { if (n > 0) d[--n] = 1; else { d[0] = 2; break; } }", "while (n > 0) {"),
        ("for (;;) { if (n < 4) break; if (n == 9) break; d[--n] = 1; }", "n >= 4 && n != 9"),
        (
            "for (int i = 0;; i++) { d[i] = 1; if (s[i] == 0) break; }",
            "while (int32(s[int64(i)]) != 0)",
        ),
    ],
)
def test_the_way_out_becomes_the_condition(loop: str, condition: str) -> None:
    text = SIGNATURE + "{ " + loop + " }"
    assert condition in body(text), body(text)
    assert not any(isinstance(s, Break) for s in statements(kernel(text).body))


@pytest.mark.parametrize(
    "test, first, second",
    [
        ("n-- > 0 && s[n] != 3", "n > 0", "int32(s[int64(n - 1)]) == 3"),
        ("--n >= m && s[n] != n", "n - 1 >= m", "int32(s[int64(n - 1)]) == n - 1"),
        ("n-- > 0 && s[m] != n", "n > 0", "n - 1"),
    ],
)
def test_what_is_asked_behind_a_step_is_asked_of_what_it_has_made(
    test: str, first: str, second: str
) -> None:
    found = body(WITH_M + "{ while (" + test + ") ; d[0] = n; }")
    assert first in found and (second in found or second.replace("==", "!=") in found), found
    assert "[int64(n)]" not in found


@pytest.mark.parametrize(
    "loop",
    [
        "for (;;) { if (n == 0) { if (d[0]) break; d[1] = 2; } d[n--] = 1; }",
        "for (int i = 0; i < n; i++) { d[i] = 1; if (d[i] == n) break; }",
    ],
)
def test_other_ways_out_stay(loop: str) -> None:
    text = SIGNATURE + "{ " + loop + " }"
    assert any(isinstance(s, Break) for s in statements(kernel(text).body))


BOTH_ENDS = "int l = 0, r = n; while (l < r) { --r; if (l >= r) break; d[l] = d[r]; ++l; }"


def test_a_test_after_the_first_steps_is_asked_with_the_loop_s_own() -> None:
    assert "while (l < r && l < r - 1) {" in body(SIGNATURE + "{ " + BOTH_ENDS + " }")


@pytest.mark.parametrize(
    "text",
    [
        BOTH_ENDS + " d[r] = 1;",  # r is one less where the second test has ended the loop
        BOTH_ENDS.replace("int l = 0, r = n;", "int r = n; for (int l = 0; l < 9; l++)"),
        BOTH_ENDS.replace("(l >= r)", "(d[l] >= r)"),
        BOTH_ENDS.replace("++l;", "++l; if (l == 7) break;"),
        BOTH_ENDS.replace("--r;", "--r; d[n] = 3;"),
    ],
)
def test_a_test_after_steps_that_others_see_stays(text: str) -> None:
    assert "&& l <" not in body(SIGNATURE + "{ " + text + " }")


def test_what_follows_a_test_in_the_middle_runs_before_the_next_round() -> None:
    text = "{ for (int i = 0;; i++) { d[i] = 1; if (i == n) { d[n] = 2; break; } *s++; } }"
    assert body(SIGNATURE + text).endswith(
        lines("""
        do {
          d[int64(i)] = 1
        again while (i != n)
          s = s + 1
          i = i + 1
        }
        d[int64(n)] = 2
        """)
    )


def test_a_way_out_that_no_round_changes_is_asked_before_the_loop() -> None:
    loop = "for (int i = 0; i < n; i++) { int k = i * 2; if (m < 0 || n > 9) return; d[k] = 1; }"
    assert body(WITH_M + "{ " + loop + " }") == lines("""
        i = 0
        if (m < 0 || n > 9) {
          if (i < n) {
            k = i * 2
          }
        } else {
          while (i < n) {
            k = i * 2
            d[int64(k)] = 1
          step
            i = i + 1
          }
        }
    """)


@pytest.mark.parametrize("test", ["s[0] == 0", "i > 5", "n / m > 2", "n + m > 2", "k > 3"])
def test_a_way_out_that_a_round_may_change_or_that_may_be_undefined_stays(test: str) -> None:
    loop = f"for (int i = 0; i < n; i++) {{ if ({test}) return; d[i] = k++; }}"
    found = body(WITH_M + "{ int k = n; " + loop + " }")
    head = next(line for line in found.splitlines() if line.startswith("while"))
    assert "&&" in head and "if" not in found


def test_duffs_device_is_one_loop() -> None:
    text = body(SIGNATURE + DEVICE)
    assert text.count("while") == 1 and text.count("d[d] = s[s]") == 1
    assert "select(" in text and "* 4" in text


@pytest.mark.parametrize(
    "right, wrong",
    [
        ("case 3: *d++ = *s++", "case 3: *d++ = *s--"),
        ("case 3:", "case 4:"),
        ("--k > 0", "k-- > 0"),
        ("--k > 0", "--k > 1"),
    ],
)
def test_what_only_looks_like_duffs_device_is_refused(right: str, wrong: str) -> None:
    assert right in DEVICE
    found = failure(SIGNATURE + DEVICE.replace(right, wrong))
    assert found.code == "unsupported-statement"


MACROS = """
#define KEEP(v) { unsigned char t[2]; t[0] = *s++; *d++ = t[0] ^ (v); }
#define RUN(A, B) switch (n & 3) { \\
    case 0: do { A; case 3: A; case 2: A; case 1: B; } while (--k > 0); }
"""


def test_parts_of_a_device_that_are_one_macro_call_are_one_loop() -> None:
    text = body(f"{MACROS}{SIGNATURE}{{ int k = (n + 3) / 4; RUN(KEEP(1), KEEP(1)) }}")
    assert text.count("while") == 1


def test_parts_of_a_device_may_have_a_switch_of_their_own() -> None:
    part = "{ switch (*s) { case 0: *d = 1; break; default: *d = *s; } d++; s++; }"
    text = body(f"{MACROS}{SIGNATURE}{{ int k = (n + 3) / 4; RUN({part}, {part}) }}")
    assert text.count("while") == 1


def test_parts_that_a_macro_makes_differ_by_what_it_makes() -> None:
    found = failure(f"{MACROS}{SIGNATURE}{{ int k = (n + 3) / 4; RUN(KEEP(1), KEEP(2)) }}")
    assert found.code == "unsupported-statement"
