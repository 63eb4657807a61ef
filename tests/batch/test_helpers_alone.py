"""Helpers are lifted inside of their callers, or alone where no caller is proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.batch.store import records_of

SOURCE = """
static void row_invert(unsigned char *d, const unsigned char *s, int n)
{
    for (int x = 0; x < n; x++) d[x] = 255 - s[x];
}
static void row_carry(unsigned char *d, int n)
{
    for (int x = 0, a = 0; x < n; x++) if (d[x] & 1) d[a++] = d[x];
}
static void row_half(unsigned char *d, const unsigned char *s, int n)
{
    for (int x = 0; x < n; x++) d[x] = s[x] >> 1;
}
void pass(unsigned char *d, const unsigned char *s, int n) { row_invert(d, s, n); row_carry(d, n); }
void half(unsigned char *d, const unsigned char *s, int n) { row_half(d, s, n); }
void halves(unsigned char *d, const unsigned char *s, int n) { row_half(d, s, n); row_carry(d, n); }
"""
CARRIES = "row_carry(d, n); }\nvoid half("
WHOLE = {
    "pass": "failed",
    "half": "proved",
    "halves": "failed",
    "row_invert": "proved",  # in no proof
    "row_carry": "skipped",  # can't be a kernel either: its callers say why
    "row_half": "skipped",  # in the proof of `half`
}


def statuses(folder: Path) -> dict[str, str]:
    return {r.name: r.status for r in records_of(folder / "lifted")}


@pytest.mark.slow
def test_a_helper_that_no_proof_holds_is_a_kernel(lift, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(SOURCE)
    first = lift("a.c")
    assert statuses(tmp_path) == WHOLE and "2 proved, 0 unproved, 2 failed, 2 skipped" in first.out
    again = lift("a.c")
    assert statuses(tmp_path) == WHOLE and again.out.count("earlier") == 4
    assert "255 - s(x)" in lift("explain", "a.c").out
    assert "row_invert: proved" in lift("explain", "a.c:row_invert").out
    checked = lift("verify", "--all", "lifted")
    assert "2 equal, 2 new" in checked.out, checked.out


@pytest.mark.slow
def test_it_is_part_of_its_caller_again_when_that_is_proved(lift, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(SOURCE)
    lift("a.c")
    (tmp_path / "a.c").write_text(SOURCE.replace(CARRIES, "}\nvoid half("))
    lift("a.c")
    assert statuses(tmp_path) == WHOLE | {"pass": "proved", "row_invert": "skipped"}
    assert sorted(p.parent.name for p in tmp_path.rglob("summary.json")) == ["half", "pass"]


def test_a_helper_that_is_asked_for_by_name_is_a_kernel(lift, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(SOURCE)
    assert lift("a.c", "--function", "row_half").status == 0
    lift("a.c", "--function", "row_carry")
    assert statuses(tmp_path) == {"row_half": "proved", "row_carry": "failed"}


@pytest.mark.slow
def test_a_change_of_a_helper_that_was_lifted_alone_is_seen(lift, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(SOURCE)
    lift("a.c")
    (tmp_path / "a.c").write_text(SOURCE.replace("255 - s[x]", "254 - s[x]"))
    checked = lift("verify", "lifted")
    assert checked.status == 1 and "row_invert" in checked.out


LOOPS_OF_HELPERS = """
#include <stdlib.h>
static int distance(const unsigned char *a, const unsigned char *b, int n)
{
    int sum = 0;
    for (int x = 0; x < n; x++) sum += abs(a[x] - b[x]);
    return sum;
}
static int last(unsigned char *d, int n)
{
    for (int x = 0, a = 0; x < n; x++) if (d[x] & 1) d[a++] = d[x];
    return d[n - 1];
}
static unsigned char *logged(unsigned char *d, int n)
{
    for (int x = 0; x < n; x++) d[x] = 255 - d[x];
    return (unsigned char *)realloc(d, n);
}
int near(const unsigned char *a, const unsigned char *b) { return distance(a, b, 16) < 9; }
int far(unsigned char *a) { return last(a, 16); }
unsigned char *shown(unsigned char *d, int n) { return logged(d, n) + 1; }
"""


@pytest.mark.slow
def test_loops_of_a_helper_are_lifted_where_it_is_none_as_a_whole(lift, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(LOOPS_OF_HELPERS)
    lift("a.c")
    found = statuses(tmp_path)
    assert {n: s for n, s in found.items() if n.partition("#")[0] not in ("near", "far")} == {
        "distance": "proved",
        "distance#1": "proved",
        "last": "skipped",
        "logged": "proved",
        "logged#1": "proved",
        "shown": "failed",
    }
    lift("a.c")
    assert statuses(tmp_path) == found
    assert "2 equal" in lift("verify", "lifted").out


TEMPLATES = """
static unsigned char invert(unsigned char v) { return 255 - v; }
template <class Op> void each(unsigned char *d, int n, Op op)
{
    for (int x = 0; x < n; x++) d[x] = op(d[x]);
}
template <class Op> void some(unsigned char *d, int n, Op op)
{
    for (int y = 0; y < 9; y++) {
        for (int x = 0; x < n; x++) d[x + y * 99] = op(y);
        for (int x = 1; x < n; x++) d[x + y * 99] = d[x] * d[x - 1];
    }
}
void all_of(unsigned char *d, int n) { if (n < 0) throw 1; each(d, n, invert); }
void some_of(unsigned char *d, int n) { if (n < 0) throw 1; some(d, n, invert); }
"""


@pytest.mark.slow
def test_a_template_is_held_by_the_call_that_is_its_loop(lift, tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(TEMPLATES)
    for _ in range(2):
        lift("a.cpp")
        found = {r.name.partition("_un")[0]: r for r in records_of(tmp_path / "lifted")}
        assert found["all_of#1"].status == "proved"
        assert found["each"].status == "skipped"
        assert found["each"].diagnostic.message == "helper, inlined into its callers"
        assert found["some_of"].status == "failed"
    (tmp_path / "a.cpp").write_text(TEMPLATES.replace("d[x] = op(d[x])", "d[x] = op(d[n - x])"))
    lift("a.cpp")
    found = {r.name.partition("_un")[0]: r for r in records_of(tmp_path / "lifted")}
    assert found["all_of"].status != "proved"
