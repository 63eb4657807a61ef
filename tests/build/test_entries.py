"""Guarded entries and the code behind them: what they read, and which original they call."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import lift, run

ROWS = """\
#include <stdint.h>
// lift: assume(the rows of dst are evenly spaced)
// lift: assume(the rows of src are evenly spaced)
void rows(uint8_t **dst, uint8_t *const *src, int w, int h)
{ for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) dst[y][x] = 255 - src[y][x]; }
// lift: assume(the rows of dst are evenly spaced)
// lift: assume(the rows of src are evenly spaced)
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


@pytest.mark.slow
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


def test_arrays_that_are_not_there_are_the_originals_affair(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(
        "void hist(const unsigned char *p, int n, int *h)\n"
        "{ for (int i = 0; i < n; i++) h[p[i]]++; }\n"
        "void turn(unsigned char *p, int n)\n"
        "{ for (int i = 0; i < n / 2; i++)\n"
        "  { unsigned char t = p[i]; p[i] = p[n - 1 - i]; p[n - 1 - i] = t; } }\n"
    )
    (tmp_path / "m.cpp").write_text(
        "void hist(const unsigned char *, int, int *); void turn(unsigned char *, int);\n"
        "int main() { hist(0, 0, 0); turn(0, 1); turn(0, 0); int h[256] = {};\n"
        "unsigned char p[3] = {1, 2, 1}; hist(p, 3, h); turn(p, 2); return 10 * h[1] + p[0]; }\n"
    )
    made = lift("cc", "g++", "-O2", "-c", "k.cpp", "-o", "k.o", cwd=tmp_path)
    assert made.err == "lift: k.cpp: lifted code for hist, turn\n"
    assert run(["g++", "m.cpp", "k.o", "-o", "m", "-lpthread", "-lm"], tmp_path).status == 0
    for shadow in ("0", "1"):
        done = run([tmp_path / "m"], env={"LIFT_SHADOW": shadow})
        assert (done.status, done.err) == (22, "")


NAMES = """\
#include <stdint.h>
#include <vector>
void hist(const uint8_t *p, int n, int *hist) { for (int i = 0; i < n; i++) hist[p[i]]++; }
void counts(uint8_t *p, int counts) { for (int i = 0; i < counts; i++) p[i] = p[i] * 2; }
int result(uint8_t *regions, int result, int lift_counted)
{ for (int i = 0; i < result; i++) regions[i] = regions[i] * lift_counted; return result; }
void sized(std::vector<uint8_t> &v, int v_size)
{ for (int i = 0; i < (int)v.size(); i++) v[i] = v[i] + v_size; }
// lift: assume(the rows of dst are evenly spaced)
// lift: assume(the rows of src are evenly spaced)
void rows(uint8_t **dst, uint8_t *const *src, int w, int h, int dst_low)
{ for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) dst[y][x] = dst_low - src[y][x]; }
struct Image { uint8_t *data; int width; };
void two(Image &image, uint8_t *image_data, int image_width)
{ for (int i = 0; i < image.width; i++) image_data[i] = image.data[i] + image_width; }
struct Blend { static void half(uint8_t *p, int n); };
void Blend::half(uint8_t *p, int n) { for (int i = 0; i < n; i++) p[i] = p[i] / 2; }
typedef char pixel;
void add(pixel *d, const pixel *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i] + 1; }
void add(signed char *d, const signed char *s, int n)
{ for (int i = 0; i < n; i++) d[i] = s[i] + 2; }
namespace outer { inline namespace v1 {
void inner(uint8_t *p, int n) { for (int i = 0; i < n; i++) p[i] = p[i] + 3; }
} }
"""
C_NAMES = """\
void words(unsigned char *new, int class)
{ for (int i = 0; i < class; i++) new[i] = new[i] + 1; }
"""
CALLS = """
#include <cstdio>
int main()
{
    uint8_t p[4] = {1, 2, 3, 4}, q[4] = {}; int h[256] = {};
    hist_guarded(p, 4, h); counts_guarded(p, 4);
    int many = result_guarded(p, 3, 5);
    std::vector<uint8_t> v(3, 1); sized_guarded(v, 6);
    uint8_t *rows_of_p[1] = {p}, *rows_of_q[1] = {q}; rows_guarded(rows_of_q, rows_of_p, 4, 1, 100);
    Blend_half_guarded(p, 4); inner_guarded(p, 4); words_guarded(p, 4);
    Image image = {p, 3}; uint8_t wide[4] = {}; two_guarded(image, wide, 1000);
    signed char s[3] = {1, 7, 9};
    add_guarded((int8_t *)s + 1, (int8_t *)s, 2);  // they overlap: the original runs
    for (int n : {+wide[2], +wide[3], h[2], many, +v[2], +q[1], +p[0], +s[0], +s[1], +s[2]})
        std::printf("%d ", n);
}
"""


@pytest.mark.slow
def test_no_name_of_the_source_is_in_the_way_and_the_right_original_is_called(
    tmp_path: Path,
) -> None:
    (tmp_path / "n.cpp").write_text(NAMES)
    (tmp_path / "w.c").write_text(C_NAMES)
    assert lift("n.cpp", "w.c", "-j", "2", cwd=tmp_path).status == 0
    made = lift("build", "lifted", "-j", "2", cwd=tmp_path)
    assert made.status == 0, made.out
    (tmp_path / "w.o.c").write_text('#include "lifted/lifted.h"\n')
    for words in (["gcc", "-Werror", "-c", "w.o.c"], ["gcc", "-c", "w.c"]):
        done = run([words[0], "-Wall", *words[1:]], tmp_path)
        assert done.status == 0, done.err
    # The source before the header and after it: neither declares what the other does.
    (tmp_path / "m.cpp").write_text(
        f'{NAMES}#define LIFT_WITH_ORIGINAL_two\n#include "lifted/lifted.h"\n{CALLS}'
    )
    (tmp_path / "after.cpp").write_text(f'#include "lifted/lifted.h"\n{NAMES}')
    assert run(["g++", "-Wall", "-Werror", "-c", "after.cpp"], tmp_path).err == ""
    words = ["g++", "-Wall", "m.cpp", "w.o", "lifted/liblifted.a", "-o", "m", "-lpthread", "-lm"]
    linked = run(words, tmp_path)
    assert linked.status == 0, linked.err
    expected = "251 0 1 3 7 80 9 1 2 3 "
    assert run([tmp_path / "m"]).out == expected
    compared = run([tmp_path / "m"], env={"LIFT_SHADOW": "1"})
    assert (compared.out, compared.err) == (expected, "")
