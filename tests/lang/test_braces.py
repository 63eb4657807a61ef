"""`{}` in a user's own text is two characters, wherever the text is shown."""

from __future__ import annotations

import re
from typing import Any

import halide
import pytest

import compiler
from compiler.ir.message_text import literal, pieces_of

TEXTS = ["{}", "{} {}", "a{}b {{}} {x} 100%d", "}{"]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("text", TEXTS)
def test_braces_in_a_requirement_are_shown(text: str) -> None:
    said = []
    for hl in (halide, compiler):
        x, p, f = hl.Var("x"), hl.Param(hl.Int(32), "p", 3), hl.Func("f")
        f[x] = x
        pipeline = hl.Pipeline(f)
        pipeline.add_requirement(p > 7, "needs", text, p, text)
        with pytest.raises(hl.HalideError) as caught:
            pipeline.realize([2])
        said.append(str(caught.value).strip().split(") ", 1)[1])
    assert said[0] == said[1] == f"needs {text} 3 {text}"


@pytest.mark.parametrize("text", TEXTS)
def test_braces_in_a_message_of_specialize_fail_are_shown(text: str) -> None:
    for hl in (halide, compiler):
        x, f = hl.Var("x"), hl.Func("f")
        f[x] = x
        f.specialize_fail(text)
        with pytest.raises(hl.HalideError, match=re.escape(text)):
            f.realize([2])


@pytest.mark.parametrize("text", TEXTS)
def test_braces_in_a_tag_are_shown(text: str, capfd: pytest.CaptureFixture[str]) -> None:
    lines: list[Any] = []
    for hl in (halide, compiler):
        x, f, g = hl.Var("x"), hl.Func("f"), hl.Func("g")
        f[x] = x
        g[x] = f[x] + 1
        f.compute_root().trace_loads().add_trace_tag(text)
        g.realize([2])
        captured = capfd.readouterr()
        lines.append(re.findall(r'tag = "(?!func_type)(.*)"', captured.out + captured.err))
    assert lines == [[text], [text]]


def test_values_stand_in_the_places_that_are_left() -> None:
    assert pieces_of(f"a {{}} {literal('b {} c')} {{}}") == ["a ", " b {} c ", ""]
