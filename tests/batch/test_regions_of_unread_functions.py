"""Of a function that can't be read as a whole the loops are lifted, and their parts, by the names
that the run gives them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lifter.batch.store import records_of

SOURCE = """
struct image { int type, width, height; unsigned char **row; };
int report(int code, const struct image *im);
int invert(struct image *im)
{
    if (im->type != 1)
        return report(-1, im);
    for (int y = 0; y < im->height; y++) {
        unsigned char *p = im->row[y];
        int n = im->width;
        while (n-- > 0) {
            *p = 255 - *p;
            p++;
        }
    }
    return 0;
}
int carry(struct image *im, unsigned char *d, int n)
{
    if (im->type != 1)
        return report(-1, im);
    for (int y = 1; y < n; y++)
        d[y] = d[y - 1] * d[y];
    return 0;
}
"""


@pytest.mark.slow
def test_the_only_loops_of_a_function_that_is_not_read_fall_into_parts(
    lift, tmp_path: Path
) -> None:
    (tmp_path / "a.c").write_text(SOURCE)
    found = lift("a.c")
    records = {r.name: r for r in records_of(tmp_path / "lifted")}
    assert {n: r.status for n, r in records.items()} == {
        "invert": "proved", "invert#1.1": "proved", "carry": "failed",
    }, found.out  # fmt: skip
    told = records["carry"].diagnostic
    assert told is not None and told.code != "unmodelled-call", "what stands around is no obstacle"
    alone = lift("a.c", "--function", "invert#1.1")
    assert alone.status == 0 and "1 proved" in alone.out, alone.out


def test_a_function_that_is_asked_for_tells_of_loops_that_are_not_read(
    lift, tmp_path: Path
) -> None:
    (tmp_path / "a.c").write_text("""
        int report(int code);
        int f(unsigned char *d, const unsigned char *s, int n) {
            report(1);
            for (int i = 0; i < n; i++) { if (s[i]) return report(2); d[i] = 0; }
            for (int i = 0; i < n; i++) d[i] = s[i];
            return 0;
        }""")
    found = lift("a.c", "--function", "f")
    assert "1 of 2 loops proved" in found.out and "[unmodelled-call]" in found.out


def test_loops_that_are_not_read_are_told_of_once(lift, tmp_path: Path) -> None:
    """Though the file is read once more, for a helper that lifts by itself."""
    (tmp_path / "a.c").write_text("""
        int report(int code);
        static void row(unsigned char *d, int n) { for (int i = 0; i < n; i++) d[i] = 1; }
        int g(unsigned char *d, int n) { report(0); row(d, n); return report(1); }
        int f(unsigned char *d, const unsigned char *s, int n) {
            report(1);
            for (int i = 0; i < n; i++) { if (s[i]) return report(2); d[i] = 0; }
            for (int i = 0; i < n; i++) d[i] = s[i];
            return 0;
        }""")
    found = json.loads(lift("a.c", "--format", "json").out)
    names = [f["name"] for f in found["functions"]]
    assert "row" in names and names.count("f#1") == 1, names
