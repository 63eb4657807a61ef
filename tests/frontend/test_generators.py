"""Generators, under the real package and under ours."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import compiler
from tests.lang.both import assert_same

DECLARED = """
import itertools
n = globals().setdefault("_count", itertools.count())
class Scale:
    factor = hl.GeneratorParam(3)
    fast = hl.GeneratorParam(False)
    image = hl.InputBuffer(hl.UInt(8), 2)
    k = hl.InputScalar(hl.Int(32))
    scaled = hl.OutputBuffer(hl.UInt(8), 2)

    def generate(self):
        self.scaled[x, y] = self.image[x, y] + hl.u8(self.k) * self.factor
        self.scaled.vectorize(x, 16, T.GuardWithIf)

Scale = hl.generator("scale%s" % id(Scale))(Scale)
b = hl.Buffer(np.arange(12, dtype=np.uint8).reshape(3, 4))
context = hl.GeneratorContext(hl.Target("host"))
"""

VALUES = [
    "with context: h = Scale.call(b, 7)\nh.realize([4, 3])",
    "with context: h = Scale.call(b, k=7)\nh.realize([4, 3])",
    "with context: h = Scale.call(b, 7, generator_params={'factor': 9})\nh.realize([4, 3])",
    "with context: h = Scale.call(b, 7, generator_params={'factor': '9'})\nh.realize([4, 3])",
    "with context: t = hl.active_generator_context().target()\nt == hl.Target('host')",
    "issubclass(Scale, hl.Generator), Scale.__name__",
    "with context: c = Scale().compile_to_callable()\no = np.zeros((3, 4), np.uint8)\n"
    "c(np.array(b), 2, o)\no.tolist()",
    "with context: c = Scale().compile_to_callable()\no = np.zeros((3, 4), np.uint8)\n"
    "c(image=np.array(b), k=2, scaled=o)\no.tolist()",
]

MISTAKES = {
    "Scale.call(b, 7)": "no active GeneratorContext",
    "Scale()": "no active GeneratorContext",
    "with context: Scale.call(b)": "requires 2 args",
    "with context: Scale.call(b, 1, 2)": "at most 2",
    "with context: Scale.call(b, zz=3)": "Unknown input",
    "with context: Scale.call(b, 3, k=3)": "multiple times",
    "with context: Scale.call(b, 3, generator_params={'nope': 1})": "no GeneratorParam",
    "with context: Scale.call(b, 3, generator_params=[1])": "dict",
    "with context: Scale.call(hl.Buffer(hl.Int(32), [4, 4]), 3)": "Type mismatch",
    "with context: Scale.call(hl.Buffer(hl.UInt(8), [4]), 3)": "Dimensions mismatch",
    "with context: Scale.call(3, 3)": "Buffer",
    "with context: Scale.call(b, b)": "Param",
    "hl.generator(Scale.__mro__[0].__dict__.get('none', 'twice'))(Scale)\n"
    "hl.generator('twice')(Scale)": "already in use",
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("text", VALUES)
def test_a_generator_gives_what_halides_gives(text: str) -> None:
    assert not assert_same(DECLARED + text).error


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_raises_as_in_halide(text: str) -> None:
    ours = assert_same(DECLARED + text)
    assert ours.error and MISTAKES[text] in ours.message


CLASSES = {
    "scalar output": (
        "p = hl.GeneratorParam(2)\n    o = hl.OutputScalar(hl.Int(32))",
        "self.o[()] = self.p + hl.i32(1)",
        "K.call().realize()",
    ),
    "two outputs": (
        "o = hl.OutputBuffer([hl.Int(32), hl.Float(32)], 1)\n"
        "    q = hl.OutputBuffer(hl.Int(32), 1)",
        "self.o[x] = (x, hl.f32(x)); self.q[x] = x",
        "[h.types() for h in K.call()]",
    ),
    "types that are given later": (
        "i = hl.InputBuffer(None, None)\n    o = hl.OutputBuffer(None, 1)",
        "self.o[x] = self.i[x]",
        "K.call(hl.Buffer(hl.Int(16), [4]), generator_params="
        "{'i.type': hl.Int(16), 'i.dim': 1, 'o.type': 'int16'}).type()",
    ),
    "types that nobody gives": (
        "i = hl.InputBuffer(None, None)\n    o = hl.OutputBuffer(None, 1)",
        "self.o[x] = self.i[x]",
        "K.call(hl.Buffer(hl.Int(16), [4]))",
    ),
    "no output": ("i = hl.InputScalar(hl.Int(32))", "pass", "K.call(3)"),
    "an undefined output": ("o = hl.OutputBuffer(hl.Int(32), 1)", "pass", "K.call()"),
    "an output of another type": (
        "o = hl.OutputBuffer(hl.Int(32), 1)", "self.o[x] = hl.u8(x)", "K.call()",
    ),
    "a bad name": (
        "a__b = hl.InputScalar(hl.Int(32))\n    o = hl.OutputBuffer(hl.Int(32), 1)",
        "self.o[x] = x", "K.call(3)",
    ),
    "an input that is overwritten": (
        "o = hl.OutputBuffer(hl.Int(32), 1)", "self.o = hl.Func()", "K.call()",
    ),
    "a requirement": (
        "o = hl.OutputBuffer(hl.Int(32), 1)\n    def configure(self):\n"
        "        self.add_input('k', hl.InputScalar(hl.Int(32)))",
        "self.o[x] = x + self.k", "K.call(4).realize([3])",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CLASSES)
def test_declarations_mean_what_halides_mean(name: str) -> None:
    declared, body, last = CLASSES[name]
    text = f"class K:\n    {declared}\n    def generate(self):\n        {body}\n"
    assert_same(
        f"{text}K = hl.generator('k%s' % id(K))(K)\n"
        f"with hl.GeneratorContext(hl.Target('host')): made = {last}\nmade"
    )


def test_an_alias_has_other_parameters() -> None:
    @compiler.alias(eleven={"p": 11})
    @compiler.generator("aliased")
    class Aliased:
        p = compiler.GeneratorParam(2)
        o = compiler.OutputScalar(compiler.Int(32))

        def generate(self) -> None:
            self.o[()] = compiler.i32(self.p)  # type: ignore[operator]

    host = compiler.Target("host")
    for name, value in (("aliased", 2), ("eleven", 11)):
        run = compiler.create_callable_from_generator(host, name)
        out = compiler.Buffer(compiler.Int(32), [])
        run(out)
        assert out[()] == value
    with pytest.raises(compiler.HalideError, match="no Generator with the name"):
        compiler.create_callable_from_generator(host, "none_of_that_name")


SCRIPT = """
import halide as hl

x = hl.Var("x")

@hl.generator(name="add")
class Add:
    off = hl.GeneratorParam(1)
    inp = hl.InputBuffer(hl.UInt(8), 1)
    out = hl.OutputBuffer(hl.UInt(8), 1)

    def generate(self):
        self.out[x] = self.inp[x] + self.off

if __name__ == "__main__":
    hl.main()
"""


def run_main(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    script = tmp_path / "add.py"
    script.write_text(SCRIPT)
    command = [sys.executable, "-m", "compiler.as_halide", str(script), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


@pytest.mark.slow
def test_the_command_line_writes_the_files_that_it_is_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    words = ["-g", "add", "-f", "add_four", "-e", "o,h,stmt", "-o", str(out)]
    made = run_main(tmp_path, *words, "target=host-no_runtime", "off=4")
    assert made.returncode == 0, made.stderr
    assert sorted(p.name for p in out.iterdir()) == ["add_four.h", "add_four.o", "add_four.stmt"]
    assert "int add_four(" in (out / "add_four.h").read_text()


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Either -g <name>"),
        (["-g", "nope", "-o", ".", "target=host"], "Generator not found: nope"),
        (["-g", "add", "-o", "."], "Target missing"),
        (["-g", "add", "target=host"], "-o must"),
        (["-g", "add", "-o", ".", "target=host", "zz=3"], "no GeneratorParam"),
        (["-g", "add", "-o", ".", "target=host", "-e", "python_extension"], "Unrecognized emit"),
        (["--what"], "Unknown flag"),
    ],
)
def test_a_wrong_command_line_says_what_is_wrong(
    words: list[str], message: str, tmp_path: Path
) -> None:
    made = run_main(tmp_path, *words)
    assert made.returncode == 1
    assert message in made.stderr
    assert "Generator failed" in made.stderr
