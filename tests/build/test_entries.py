"""Guarded entries and the code behind them: what they read, and which original they call."""

from __future__ import annotations

from pathlib import Path

from .programs import lift, run

ROWS = """\
#include <stdint.h>
void rows(uint8_t **dst, uint8_t *const *src, int w, int h)
{ for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) dst[y][x] = 255 - src[y][x]; }
void blur(uint8_t **dst, uint8_t *const *src, int w, int h)
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 0; x < w; x++)
            dst[y][x] = (src[y - 1][x] + src[y][x] + src[y + 1][x]) / 3;
}
"""
EMPTY_ROWS = """
#include <cstdio>
int main()
{
    uint8_t *none[5] = {(uint8_t *)8, nullptr, (uint8_t *)16, nullptr, nullptr};
    const int empty[][2] = {{0, 5}, {-1, 5}, {5, 0}, {5, -2147483647}};
    for (auto &size : empty) {
        rows(nullptr, nullptr, size[0], size[1]);
        rows(none, none, size[0], size[1]);
        blur(nullptr, nullptr, size[0], size[1]);
        blur(none, none, size[0], size[1]);
    }
    blur(nullptr, nullptr, 5, 2);
    uint8_t a[5][4], b[5][4] = {}, *pa[5], *pb[5];
    for (int y = 0; y < 5; y++) {
        pa[y] = a[y]; pb[y] = b[y];
        for (int x = 0; x < 4; x++) a[y][x] = (uint8_t)(y * 7 + x);
    }
    blur(pb, pa, 4, 5);
    rows(pb + 3, pa, 3, 2);
    for (int y = 0; y < 5; y++) std::printf("%d %d ", b[y][2], b[y][3]);
}
"""


def test_tables_of_rows_are_not_read_where_no_pixel_is(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(ROWS)
    (tmp_path / "m.cpp").write_text(ROWS.replace("\n{ for", "; //").split("void blur")[0]
                                    + "void blur(uint8_t **, uint8_t *const *, int, int);"
                                    + EMPTY_ROWS)  # fmt: skip
    made = lift("cc", "g++", "-O2", "-c", "k.cpp", "-o", "k.o", cwd=tmp_path)
    assert made.err == "lift: k.cpp: lifted code for rows, blur\n"
    for sources in (["k.cpp"], ["k.o"]):
        linked = run(["g++", "m.cpp", *sources, "-o", "m", "-lpthread", "-lm"], tmp_path)
        assert linked.status == 0, linked.err
        for shadow in ("0", "1"):
            done = run([tmp_path / "m"], env={"LIFT_SHADOW": shadow})
            assert (done.status, done.err) == (0, "")
            assert done.out == "0 0 9 10 16 17 253 24 246 0 "
