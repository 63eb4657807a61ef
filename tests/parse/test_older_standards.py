"""The languages of before 2011: our headers read in them, and mean what they mean in newer ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lifter.parse.older_headers import headers_for
from lifter.parse.translation_unit import ParsedText, clang_arguments

from .parsing import body, kernel, parse
from .shipped import TOGETHER

C_NAMES = [n for n in TOGETHER if n.endswith(".h")]
LOOP = "void f(unsigned char *d, int n) { int i; for (i = 0; i < n; i++) d[i] = 1; }"


def errors(suffix: str, std: str, names: list[str]) -> list[str]:
    """What clang complains about where a file includes all of these headers."""
    path = Path(f"all.{suffix}")
    text = "".join(f"#include <{name}>\n" for name in names) + LOOP
    unit = ParsedText(str(path), text, clang_arguments(path, std)).unit
    return [f"{d.location.file}: {d.spelling}" for d in unit.diagnostics if d.severity >= 3]


@pytest.mark.parametrize("std", ["c++98", "gnu++03"])
def test_all_headers_read_in_older_cpp(std: str) -> None:
    assert errors("cpp", std, TOGETHER) == []


@pytest.mark.parametrize("std", ["c89", "gnu89", "c99"])
def test_all_headers_of_c_read_in_older_c(std: str) -> None:
    assert errors("c", std, C_NAMES) == []


@pytest.mark.parametrize("options", [{"std": "c++98"}, {"clang_args": ["-ansi"]}])
def test_what_is_declared_there_is_used_as_in_newer_ones(options: dict[str, Any]) -> None:
    text = """
        #include <algorithm>
        #include <cstddef>
        #include <vector>
        #include <limits>
        void f(const std::vector<int> &s, unsigned char *d) {
            for (std::size_t i = 0; i < s.size(); ++i)
                d[i] = (unsigned char)std::min(std::max(s[i], 0),
                                               int(std::numeric_limits<unsigned char>::max()));
        }"""
    assert parse(text, **options).diagnostics == ()
    assert body(text, **options) == body(text)


def test_words_of_newer_standards_are_names_in_older_ones() -> None:
    text = "#include <vector>\nvoid f(int constexpr, int nullptr, int *decltype) { %s }"
    loop = "for (int i = 0; i < constexpr; ++i) decltype[i] = nullptr;"
    assert kernel(text % loop, std="c++98").name == "f"


@pytest.mark.parametrize(
    "arguments",
    [
        ["-x", "c++", "-std=c++11"],
        ["-x", "c++", "-std=c++98", "-std=c++14"],
        ["-x", "c", "-std=c89"],
        ["-x", "c", "-ansi"],
    ],
)
def test_nothing_else_is_changed(arguments: list[str]) -> None:
    assert headers_for(arguments) == []


def test_the_last_language_that_is_stated_counts() -> None:
    assert headers_for(["-x", "c", "-std=c++98", "-x", "c++"])
    assert not headers_for(["-x", "c++", "-ansi", "-x", "c"])
