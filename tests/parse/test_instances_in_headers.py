"""Instances of templates in a project's own headers are kernels of the files that use them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.model.kernel import ParsedFile
from lifter.parse import parse_file

HEADER = """
template <class T> struct Row {
    T *p; int n;
    T &at(int i) { return p[i]; }
    void fill(T v);
    void flip() { for (int i = 0; i < n; i++) p[i] = ~p[i]; }
    void clear() { for (int i = 0; i < n; i++) p[i] = 0; }
};
template <class T> void Row<T>::fill(T v) { for (int i = 0; i < n; i++) p[i] = v; }
template <class T> void twice(T *d, int n) { for (int i = 0; i < n; i++) d[i] *= 2; }
template <class T> void idle(T *d, int n) { for (int i = 0; i < n; i++) d[i] = 1; }
template <class T> T half(T v) { return v / 2; }
"""
USER = """
#include "rows.h"
void out(int);
void f(Row<short> &a, Row<unsigned char> &b) {
    out(1); a.fill(7); out(2); b.fill(9); a.flip(); out(half(3)); twice(a.p, a.n); out(a.at(0));
}
"""


def read(tmp_path: Path, text: str, flags: tuple[str, ...] = ()) -> ParsedFile:
    (tmp_path / "rows.h").write_text(HEADER)
    path = tmp_path / "a.cpp"
    path.write_text(text)
    return parse_file(path, clang_args=flags)


def test_each_instance_that_a_file_uses_is_a_kernel_of_its_own(tmp_path: Path) -> None:
    found = read(tmp_path, USER)
    kernels = {k.name: k for k in found.kernels}
    assert kernels.keys() >= {"Row_int16_fill_int16", "Row_uint8_fill_uint8"}
    assert kernels["twice_int16"].arrays["d"].type.bits == 16
    assert kernels["Row_int16_fill_int16"].span.file.endswith("rows.h")
    told = {s.name for s in (*found.skipped, *found.failed)}
    assert "idle" not in told and not any("clear" in n or "at" in n for n in {*told, *kernels})


def test_an_instance_of_a_system_s_header_is_none(tmp_path: Path) -> None:
    system = tmp_path / "system"
    system.mkdir()
    (system / "rows.h").write_text(HEADER)
    path = tmp_path / "a.cpp"
    path.write_text(USER)
    found = parse_file(path, clang_args=("-isystem", str(system)))
    assert not any(k.span.file.endswith("rows.h") for k in found.kernels)


@pytest.mark.parametrize("name", ["Row_fill", "Row_flip", "Row_clear", "twice", "idle"])
def test_templates_that_nothing_uses_are_told(tmp_path: Path, name: str) -> None:
    found = read(tmp_path, HEADER)
    (told,) = (s for s in found.skipped if s.name.startswith(name))
    assert told.diagnostic.code == "template" and not found.kernels


def test_a_method_of_a_header_s_class_that_the_file_itself_defines_is_told(tmp_path: Path) -> None:
    text = '#include "rows.h"\ntemplate <class T> struct Late { T *p; void set(int n); };\n'
    text += "template <class T> void Late<T>::set(int n) { for (int i = 0; i < n; i++) p[i] = 1; }"
    assert [s.diagnostic.code for s in read(tmp_path, text).skipped] == ["template"]
    used = read(tmp_path, text + "\nvoid g(Late<int> &a) { a.set(3); }")
    assert "Late_int32_set_int32" in {k.name for k in used.kernels}
