"""Headers are long and functions many: what isn't needed of them isn't looked at, nor kept."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from lifter.parse import parse_file
from lifter.parse.instances import users_of_templates
from lifter.parse.program import FunctionDefinition
from lifter.parse.syntax import Node, walk_cursors
from lifter.parse.translation_unit import read_source

HEADER = """
#include <stdint.h>
inline int clip(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }
"""
KERNEL = """
void brighten(uint8_t *d, const uint8_t *s, int n) {
  for (int i = 0; i < n; i++) d[i] = clip(s[i] + 10);
}
"""


def searched(folder: Path, header: str, source: str) -> int:
    """How many declarations are searched for uses of templates, of two in the header."""
    (folder / "vendor.h").write_text(HEADER + header)
    path = folder / "a.cpp"
    path.write_text('#include "vendor.h"\n' + source)
    read = read_source(path)
    declarations = [
        c for c in read.parsed.declarations if (c.location.file or path).name != "stdint.h"
    ]
    used = users_of_templates(declarations, read.parsed.own, str(path))
    return sum(str(c.location.file).endswith("vendor.h") for c in used)


def test_headers_are_not_searched_for_templates_of_files_without_any(tmp_path: Path) -> None:
    assert searched(tmp_path, "int other(int);", KERNEL) == 0


def test_headers_before_a_file_s_own_templates_are_not_searched(tmp_path: Path) -> None:
    own = "template <class T> void f(T *d) { *d = 0; }\ntemplate void f<int>(int *);"
    assert searched(tmp_path, "int other(int);", KERNEL + own) == 0


@pytest.mark.parametrize("prefix, suffix", [("", ""), ("namespace a { ", " } using namespace a;")])
def test_templates_that_a_header_declares_and_uses_are_found(
    tmp_path: Path, prefix: str, suffix: str
) -> None:
    user = f"\n{prefix}template <class T> void f(T *, int);{suffix}\n"
    user += "inline void user(uint16_t *d, int n) { f(d, n); }\n"
    name = "a::f" if prefix else "f"
    own = f"template <class T> void {name}(T *d, int n) {{ for (int i = 0; i < n; i++) d[i] = 7; }}"
    assert searched(tmp_path, user, own) > 0
    kernels = parse_file(tmp_path / "a.cpp").kernels
    assert [k.arrays["d"].type.bits for k in kernels] == [16]


def test_nodes_of_a_function_are_let_go_of(tmp_path: Path) -> None:
    path = tmp_path / "a.cpp"
    path.write_text(HEADER + KERNEL)
    unit = read_source(path).unit
    cursor = next(c for c in walk_cursors(unit.cursor) if c.spelling == "brighten")
    gc.collect()
    left = {id(o) for o in gc.get_objects() if isinstance(o, Node)}  # of other tests
    definition = FunctionDefinition(cursor, False)
    before = definition.mutated
    gc.disable()
    try:
        definition.forget()
        found = (o for o in gc.get_objects() if isinstance(o, Node) and id(o) not in left)
        assert [o for o in found if o is not definition.node] == []
    finally:
        gc.enable()
    del definition.__dict__["mutated"]
    assert definition.mutated == before


def test_a_file_of_c_that_is_read_as_cpp_may_have_templates(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text(
        "template <class T> void f(T *d, int n) { for (int i = 0; i < n; i++) d[i] = 7; }\n"
        "void user(unsigned short *d, int n) { f(d, n); }\n"
    )
    kernels = parse_file(path, std="c++17", clang_args=("-x", "c++")).kernels
    assert [k.name for k in kernels] == ["f_uint16", "user"]
