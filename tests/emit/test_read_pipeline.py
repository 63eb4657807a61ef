"""`read_pipeline`: what `lift` writes is read without running it, and nothing else is."""

from __future__ import annotations

import ast

import pytest

from lifter.emit import emitted_texts
from lifter.emit.from_summaries import build_program
from lifter.emit.lifted_json import lifted_from_json, lifted_to_json
from lifter.emit.read_pipeline import Unreadable, read_pipeline
from lifter.emit.round_trip import check_round_trip
from lifter.emit.same_program import same_program
from tests.end_to_end.corpus_list import listed
from tests.end_to_end.lifted_corpus import lifted

EVERY = 23
TEXT = '''"""pick, lifted from a.cpp."""

import numpy as np

import compiler as hl

table = hl.Buffer(np.array([1, 2, 3], np.uint8))


def half(a):
    return a / 2


def pick():
    x, y = hl.vars("x y")
    src = hl.ImageParam(hl.UInt(8), 2, "src")
    src.dim(0).set_bounds(0, 4).set_stride(1)
    level = hl.Param(hl.Int(32), "level")

    t = hl.i32(src[x, y]) + level
    dst = hl.Func("dst")
    dst[x, y] = hl.u8(half(t)) + table[hl.clamp(x, 0, 2)]

    return [src, level], [dst]
'''


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize(("file", "name"), listed()[::EVERY], ids=[n for _, n in listed()[::EVERY]])
def test_what_is_emitted_is_read_as_what_was_proved(file, name):
    result = lifted(file, name).result
    program = build_program(result)
    check_round_trip(program, emitted_texts(result)["pipeline.py"], load=read_pipeline)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("file", "name"), listed()[::EVERY], ids=[n for _, n in listed()[::EVERY]])
def test_what_is_lifted_comes_back_from_json(file, name):
    result = lifted(file, name).result
    data = lifted_from_json(lifted_to_json(result))
    assert data.summaries == result.summaries
    assert result.proof is not None and result.kernel is not None
    assert [(p.text, p.formula, p.tested) for p in data.preconditions] == [
        (p.text, p.formula, p.tested) for p in result.proof.preconditions
    ]
    assert all(result.kernel.functions[f.name].body is f.body for f in data.functions)


def test_inputs_and_outputs_are_the_languages_own():
    loaded = read_pipeline(TEXT, "pick")
    assert [i.name() for i in loaded.inputs] == ["src", "level"]
    assert loaded.outputs[0].name().startswith("dst")


REFUSED = {
    "another import": ("import numpy as np", "import os"),
    "an import from": ("import numpy as np", "from os import system"),
    "numpy by another name": ("import numpy as np", "import numpy as hl"),
    "a statement at the top": ("\ntable", "\nprint(1)\ntable"),
    "a class": ("\ntable", "\nclass A: pass\ntable"),
    "a table of computed numbers": ("[1, 2, 3]", "[1, 2, 3 ** 99999]"),
    "a table of objects": ("np.uint8", "np.object_"),
    "a table of texts": ("[1, 2, 3]", "['1', 2]"),
    "a function with a default": ("half(a)", "half(a=1)"),
    "a function of any number": ("half(a)", "half(*a)"),
    "an annotation that is evaluated": ("half(a)", "half(a: open('x'))"),
    "a parameter that hides the language": ("half(a)", "half(hl)"),
    "a function that calls itself": ("return a / 2", "return half(a)"),
    "a function that is defined below": ("return a / 2", "return pick()"),
    "a loop": ("    t = ", "    for i in x: pass\n    t = "),
    "a condition": ("    t = ", "    if x: pass\n    t = "),
    "a lambda": ("hl.u8(half(t))", "(lambda: x)()"),
    "a formatted text": ('"level")', 'f"level")'),
    "a name that is no name": ('"level")', '"level; x")'),
    "an unknown function of the language": ("hl.clamp(x, 0, 2)", "hl.print(x)"),
    "a keyword": ("hl.clamp(x, 0, 2)", "hl.clamp(x, 0, max_val=2)"),
    "a method of a value": ("hl.i32(src[x, y])", "src[x, y].type()"),
    "a schedule": ("    return [src", "    dst.parallel(y)\n    return [src"),
    "a private attribute": ("hl.u8", "hl.__class__"),
    "arithmetic of plain numbers": ("+ level", "+ (1 << 99)"),
    "a number beyond all types": ("+ level", "+ 99999999999999999999999"),
    "a comparison in a row": ("+ level", "+ hl.select(0 < x < 2, 1, 2)"),
    "an input twice": (
        'level = hl.Param(hl.Int(32), "level")',
        'level = hl.Param(hl.Int(32), "src")',
    ),
    "an input that stays inside": ("[src, level], [dst]", "[src], [dst]"),
    "an output that is an input": ("[src, level], [dst]", "[src, level], [src]"),
    "one value": ("return [src, level], [dst]", "return dst"),
    "a type of no width": ("hl.UInt(8)", "hl.UInt(7)"),
    "too many dimensions": ("hl.UInt(8), 2", "hl.UInt(8), 1000000"),
    "a walrus": ("hl.u8(half(t))", "(z := x)"),
    "an assertion": ("    t = ", "    assert x\n    t = "),
    "nothing to return": ("    return [src, level], [dst]\n", ""),
    "too deep": ("+ level", "+ " + "~" * 5000 + "level"),
    "no Python": ("def pick", "def def"),
    "another function's name": ("def pick", "def pock"),
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("what", REFUSED)
def test_anything_else_is_refused_with_its_line(what):
    old, new = REFUSED[what]
    assert old in TEXT
    with pytest.raises(Unreadable) as caught:
        read_pipeline(TEXT.replace(old, new, 1), "pick")
    assert caught.value.line >= 1
    assert str(caught.value).startswith("line ")


@pytest.mark.slow
def test_functions_that_double_each_other_dont_take_for_ever():
    functions = "def f0(a):\n    return a + a\n\n\n"
    for number in range(1, 60):
        functions += f"def f{number}(a):\n    return f{number - 1}(a) + f{number - 1}(a)\n\n\n"
    text = TEXT.replace("def half", functions + "def half").replace("half(t)", "f59(t)")
    with pytest.raises(Unreadable, match="too long to read"):
        read_pipeline(text, "pick")


def test_comments_docstrings_and_layout_make_no_other_program():
    other = ast.unparse(ast.parse(TEXT)).replace("lifted from a.cpp", "edited") + "# the end\n"
    assert same_program(TEXT, other)
    assert not same_program(TEXT, TEXT.replace("/ 2", "/ 3"))
    assert not same_program(TEXT, "def def")
