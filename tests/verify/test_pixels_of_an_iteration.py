"""Loops that make several pixels of several elements in an iteration, and the last ones behind an
`if`.

Each kernel has twins that differ in one place: its summary is no summary of theirs.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from compiler.ir import I64, Add, Sub, Variable, const
from lifter.dag import build_stage_graph
from lifter.lift.nests import groups, joined
from lifter.verify import PureProof
from tests.verify.differential import difference, lifted, parsed
from tests.verify.proving import assumptions_of

LINE = "void f(u8 *d, const u8 *s, int n)"
AT = "d[2 * (#)] = s[2 * (#) + 1]; d[2 * (#) + 1] = (u8)(s[2 * (#)] >> 1);"
FIRST, SECOND, THIRD = (AT.replace("#", place) for place in ("x", "x + 1", "x + 2"))
BUMPED = """for (int k = n / 2; k > 0; k--) {
    d[0] = s[1]; d[1] = (u8)(s[0] >> 1); d[2] = s[3]; d[3] = (u8)(s[2] >> 1); d += 4; s += 4; }"""
TWO = f"int x = 0; for (; x + 1 < n; x += 2) {{ {FIRST} {SECOND} }}"
THREE = f"int x = 0; for (; x + 2 < n; x += 3) {{ {FIRST} {SECOND} {THIRD} }}"
SWAPPED = "select(x == 0, s(y * 2 + 1), s(y * 2) >> 1)"
KERNELS = {
    "an if for the last": (f"{TWO} if (x < n) {{ {FIRST} }}", SWAPPED, ()),
    "an if for an odd size": (f"{TWO} if (n & 1) {{ {FIRST} }}", SWAPPED, ("n >= 0",)),
    "an if for what isn't done": (f"{TWO} if (x != n) {{ {FIRST} }}", SWAPPED, ("n >= 0",)),
    "pointers": (
        f"{BUMPED} if (n & 1) {{ d[0] = s[1]; d[1] = (u8)(s[0] >> 1); }}", SWAPPED,
        ("n >= 0", "n <= 1073741823"),
    ),
    "three, and two ifs": (
        f"{THREE} if (x < n) {{ {FIRST} }} if (x + 1 < n) {{ {SECOND} }}", SWAPPED, ()
    ),
    "three, and a loop": (f"{THREE} for (; x < n; x++) {{ {FIRST} }}", SWAPPED, ()),
    "two channels of four": (
        f"{TWO} if (x < n) {{ {FIRST} }}".replace("2 * (", "4 * (").replace(") + 1]", ") + 3]"),
        "select(x == 0, s(3, y), select(x == 3, s(0, y) >> 1, d(x, y)))", (),
    ),
}  # fmt: skip


def _is_proved_of(body: str, summary: object) -> bool:
    kernel = parsed(f"{LINE} {{ {body} }}")
    (group,) = groups(build_stage_graph(kernel).order)
    (stage,) = joined(group)
    try:
        proof = PureProof(stage, summary, assumptions_of(kernel), {})  # type: ignore[arg-type]
    except ValueError:
        return False  # not even the same number of stores
    return proof.run()


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("body, expected, needed", KERNELS.values(), ids=KERNELS)
def test_all_pixels_of_a_round_are_one_definition(
    body: str, expected: str, needed: tuple[str, ...]
) -> None:
    result = lifted(f"{LINE} {{ {body} }}")
    assert result.status == "proved" and result.proof is not None, result.diagnostic
    (summary,) = result.summaries
    assert repr(summary.expression) == expected
    assert [p.text for p in result.proof.preconditions if not p.arrays] == list(needed)
    assert difference(result) is None


LAST = f"if (x < n) {{ {FIRST} }}"
TWINS = {
    "none": (f"{TWO} {LAST}", True),
    "the last reads another element": (f"{TWO} {LAST.replace('+ 1] =', '+ 1] = 1 +')}", False),
    "the last is stored elsewhere": (
        f"{TWO} {LAST.replace('d[2 * (x)]', 'd[2 * (x) + 2]')}", False,
    ),
    "the second reads the first": (f"{TWO.replace('s[2 * (x + 1)]', 's[2 * x]')} {LAST}", False),
    "the second is stored elsewhere": (
        f"{TWO.replace('d[2 * (x + 1)] ', 'd[2 * (x + 1) + 2] ')} {LAST}", False,
    ),
    "the last is another's": (f"{TWO} {LAST.replace('x < n', 'x == n')}", False),
    "the last isn't always stored": (f"{TWO} {LAST.replace('x < n', 'x < n && n > 9')}", False),
    "the last is stored by what is read": (
        f"{TWO} {LAST.replace('x < n', 'x < n && s[2 * x] > 9')}", False,
    ),
    "the loop ends too early": (f"{TWO.replace('x + 1 < n', 'x + 2 < n')} {LAST}", False),
    "the loop steps too far": (f"{TWO.replace('x += 2', 'x += 3')} {LAST}", False),
}  # fmt: skip


@pytest.mark.sampled(every=12)
@pytest.mark.parametrize("twin, same", TWINS.values(), ids=TWINS)
def test_what_looks_alike_has_not_the_same_summary(twin: str, same: bool) -> None:
    (summary,) = lifted(f"{LINE} {{ {TWO} {LAST} }}").summaries
    assert _is_proved_of(twin, summary) == same
    own = lifted(f"{LINE} {{ {twin} }}", timeout=5.0)
    assert own.status != "proved" or difference(own) is None


@pytest.mark.slow
def test_a_summary_with_other_bounds_is_refused() -> None:
    body = f"{TWO} {LAST}"
    (summary,) = lifted(f"{LINE} {{ {body} }}").summaries
    pixel, line = summary.roi
    size, one = Variable("n", I64), const(1, I64)
    for upper in (Add(size, one), Sub(size, one)):
        wrong = replace(summary, roi=(pixel, replace(line, upper=upper)))
        assert not _is_proved_of(body, wrong)
    assert _is_proved_of(body, summary)


TWO_OUTPUTS = """void f(u8 *d, u8 *e, const u8 *s, int n) {
    int x = 0;
    for (; x + 1 < n; x += 2) {
        d[2 * x] = s[x]; d[2 * x + 1] = 7; e[x] = (u8)(s[x] + 1);
        d[2 * x + 2] = s[x + 1]; d[2 * x + 3] = 7; e[x + 1] = (u8)(s[x + 1] + 1); }
    if (x < n) { d[2 * x] = s[x]; d[2 * x + 1] = 7; e[x] = (u8)(s[x] + 1); } }"""


@pytest.mark.slow
def test_every_output_of_a_round_is_a_stage() -> None:
    result = lifted(TWO_OUTPUTS)
    assert result.status == "proved", result.diagnostic
    assert [repr(s.expression) for s in result.summaries] == [
        "select(x == 0, s(y), 7)", "s(x) + 1"
    ]  # fmt: skip
    assert difference(result) is None


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize(
    "wrong, other",
    [
        ("e[x] = (u8)(s[x] + 1); } }", "e[x] = (u8)(s[x] + 2); } }"),
        ("e[x] = (u8)(s[x] + 1); } }", "e[x] = (u8)(d[0] + 1); } }"),
        ("e[x] = (u8)(s[x] + 1); } }", "e[x] = (u8)(d[2 * x] + 1); } }"),
        ("e[x] = (u8)(s[x] + 1); } }", "e[x + 1] = (u8)(s[x] + 1); } }"),
        ("if (x < n) { d[2 * x] = s[x];", "if (x < n) { d[2 * x] = e[0];"),
        ("if (x < n) { d[2 * x] = s[x];", "if (x < n) { d[2 * x] = d[0];"),
        ("if (x < n) { d[2 * x] = s[x];", "if (x < e[0]) { d[2 * x] = s[x];"),
        ("e[x + 1] = (u8)(s[x + 1] + 1); }", "e[x + 1] = (u8)(d[2 * x] + 1); }"),
        ("e[x + 1] = (u8)(s[x + 1] + 1); }", "e[x + 1] = (u8)(d[2 * x + 2] + 1); }"),
    ],
)
def test_outputs_that_a_later_store_changes_are_never_taken_for_what_was_there(
    wrong: str, other: str
) -> None:
    assert TWO_OUTPUTS.count(wrong) == 1
    result = lifted(TWO_OUTPUTS.replace(wrong, other), timeout=5.0)
    assert result.status != "proved" or difference(result, 200) is None


@pytest.mark.slow
def test_a_store_without_a_loop_changes_what_the_next_one_reads() -> None:
    result = lifted("""void f(u8 *d, const u8 *s, int n) {
        assert(n >= 3); d[0] = s[0]; d[n - 1] = (u8)(d[0] + 1);
        for (int i = 1; i < n - 1; i++) d[i] = s[i]; }""")
    assert result.status != "proved"
    result = lifted("""void f(u8 *d, const u8 *s, int n) {
        assert(n >= 3); d[n - 1] = (u8)(d[0] + 1); d[0] = s[0];
        for (int i = 1; i < n - 1; i++) d[i] = s[i]; }""")
    assert result.status == "proved" and difference(result) is None


@pytest.mark.slow
def test_a_gap_of_a_pixel_is_left_alone_only_under_the_stores_condition() -> None:
    body = "if (n > 3) for (int x = 0; x < n; x++) { d[4 * x] = s[x]; d[4 * x + 3] = 9; }"
    (summary,) = lifted(f"{LINE} {{ {body} }}").summaries
    assert _is_proved_of(body, summary)
    assert not _is_proved_of(body.replace("= 9", "= 8"), summary)
    assert not _is_proved_of(body.replace("x + 3", "x + 2"), summary)
    assert not _is_proved_of(body.replace("n > 3", "n > 2"), summary)


KEYED = """void f(u8 *d, const u8 *s, int n) {
    for (int x = 0; x < n; x++, d += 4, s += 4) {
        int a = s[3];
        if (a == 0) continue;
        for (int c = 0; c < 3; c++) d[c] = (u8)(255 - a);
        d[3] = 255; } }"""


@pytest.mark.slow
def test_channels_under_one_condition_are_kept_together_where_it_doesnt_hold() -> None:
    result = lifted(KEYED)
    assert result.status == "proved", result.diagnostic
    (summary,) = result.summaries
    assert difference(result) is None
    for wrong, other in (("c < 3", "c < 2"), ("a == 0", "a == 1"), ("d[3] = 255", "d[3] = 254")):
        body = KEYED.replace(wrong, other).partition("{")[2].rpartition("}")[0]
        assert not _is_proved_of(body, summary)
