"""A run of `lift` over two files with functions of every kind, built once for all tests here."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import Done, lift

FIRST = """\
#include <stddef.h>
#include <stdint.h>
#include <vector>
extern "C" void add(uint8_t *dst, const uint8_t *src, int n, int k)
{ for (int i = 0; i < n; i++) dst[i] = (uint8_t)(src[i] + k); }
namespace img {
void scale(uint8_t *dst, const uint8_t *src, int n)
{ for (int i = 0; i < n; i++) dst[i] = (uint8_t)(src[i] * 2); }
void scale(float *dst, const float *src, int n)
{ for (int i = 0; i < n; i++) dst[i] = src[i] * 2.0f; }
void negate(uint8_t *p, int w, int h, int stride) noexcept
{
    for (int y = 0; y < h; y++, p += stride)
        for (int x = 0; x < w; x++) p[x] = 255 - p[x];
}
}
struct Image { uint8_t *data; int width, height; };
void clear(Image &image, uint8_t v)
{ for (int i = 0; i < image.width * image.height; i++) image.data[i] = v; }
void flip(std::vector<uint8_t> &v) { for (size_t i = 0; i < v.size(); i++) v[i] ^= 255; }
int mark(uint8_t *p, int n)
{ if (n < 0) return -1; for (int i = 0; i < n; i++) p[i] |= 1; return 0; }
void total(const uint8_t *p, int n, int *out)
{ int s = 0; for (int i = 0; i < n; i++) s += p[i]; *out = s; }
// lift: assume(the rows of dst are evenly spaced)
// lift: assume(the rows of src are evenly spaced)
void rows(uint8_t **dst, uint8_t *const *src, int w, int h)
{ for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) dst[y][x] = 255 - src[y][x]; }
"""
SECOND = """\
#include <stdint.h>
void scale(uint16_t *p, int n) { for (int i = 0; i < n; i++) p[i] = (uint16_t)(p[i] * 3); }
"""


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `first.cpp`, `second.cpp` and `lifted/`."""
    folder = tmp_path_factory.mktemp("whole run")
    (folder / "first.cpp").write_text(FIRST)
    (folder / "second.cpp").write_text(SECOND)
    done = lift("first.cpp", "second.cpp", "-j", "2", cwd=folder)
    assert done.status == 0, done.out + done.err
    return folder


@pytest.fixture(scope="session")
def built(results: Path) -> tuple[Path, Done]:
    """The same after `lift build`, and what that said."""
    done = lift("build", "lifted", "-j", "2", cwd=results)
    assert done.status == 0, done.out + done.err
    return results, done
