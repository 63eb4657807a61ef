"""Colours never change a text, and mark what they say they mark."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifter.report.plain_text import visible
from lifter.report.tokens import coloured, without_indentation

PIECES = [
    "/*",
    "*/",
    "//",
    '"',
    "'",
    "\\",
    "\n",
    'R"x(',
    ')x"',
    "#",
    "int",
    "x",
    "<",
    "&",
    " ",
    "0x1f",
    '"""',
]


def text_of(lines):
    return html.unescape("\n".join(re.sub(r"<[^>]*>", "", line) for line in lines))


def marks(text, language, kind):
    found = re.findall(rf"<i class={kind}>(.*?)</i>", "\n".join(coloured(text, language)))
    return [html.unescape(part) for part in found]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["c++", "python"])
@given(text=st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_the_text_is_all_there(language, text):
    shown = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    assert text_of(coloured(text, language)) == visible(shown)


def test_cpp():
    text = """#include <x>
const uint8_t k = 0x1Fu; // "no string"
char c = '\\''; auto s = R"(a "quoted" // b)"; /* two
lines */ return intern + 1'000;"""
    assert marks(text, "c++", "p") == ["#include"]
    assert marks(text, "c++", "k") == ["const", "auto", "return"]
    assert marks(text, "c++", "t") == ["uint8_t", "char"]
    assert marks(text, "c++", "n") == ["0x1Fu", "1'000"]
    assert marks(text, "c++", "c") == ['// "no string"', "/* two", "lines */"]
    assert marks(text, "c++", "s") == ["'\\''", 'R"(a "quoted" // b)"']


def test_python():
    text = 'def f(a):\n    """said\n    twice"""\n    return hl.u8(a["x"] >> 8)  # why'
    assert marks(text, "python", "k") == ["def", "return"]
    assert marks(text, "python", "f") == ["f", "hl.u8"]
    assert marks(text, "python", "c") == ['"""said', '    twice"""', "# why"]
    assert marks(text, "python", "s") == ['"x"']
    assert marks(text, "python", "n") == ["8"]


def test_what_is_not_closed_ends_with_the_text():
    assert marks("int a; /* no end", "c++", "c") == ["/* no end"]
    assert marks('x = "no end\nint y;', "c++", "s") == ['"no end']


def test_a_methods_text_loses_the_indentation_of_its_class():
    assert without_indentation("void f() {\n        x();\n    }") == "void f() {\n    x();\n}"
    assert without_indentation("void f() {\n    x();\n}") == "void f() {\n    x();\n}"
    assert without_indentation("    void f() {\n    }") == "void f() {\n}"
    assert without_indentation("one line") == "one line"
