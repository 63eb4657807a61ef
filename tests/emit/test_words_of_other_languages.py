"""C's names are free to be words of Python, of C++ or of the language, or names of libc's."""

from __future__ import annotations

import ctypes
import keyword
import shutil
import subprocess
from dataclasses import fields
from pathlib import Path

import pytest

from lifter.bench import bench
from lifter.build.build import build
from lifter.emit import c_names, emit, function_folder, interface, load_pipeline, read_pipeline
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model import kernel as kernel_ir
from lifter.model.reserved import CPP_WORDS
from lifter.parse import parse_file

_C = """
    auto break case char const continue default do double else enum extern float for goto if inline
    int long register restrict return short signed sizeof static struct switch typedef union
    unsigned void volatile while
"""
WORDS = sorted(
    ({*keyword.kwlist, "hl", "np", "print", "min", "Func", "_x", "__clip", "__init__"} | CPP_WORDS)
    - {*_C.split()}
)
HELPER = (
    "static unsigned char {0}(unsigned char v)\n"
    "{{ for (int i = 0; i < 3; i++) if (v & 128) v ^= 7; else v <<= 1; return v; }}\n"
)


def lifted(source: str, folder: Path) -> list[Path]:
    path = folder / "words.c"
    path.write_text(source)
    parsed = parse_file(path)
    assert not parsed.failed, parsed.failed
    results = [lift_kernel(kernel, LiftOptions()) for kernel in parsed.kernels]
    assert [r.status for r in results] == ["proved"] * len(results), [r.diagnostic for r in results]
    return [emit(result, function_folder(result, folder / "lifted")).folder for result in results]


@pytest.mark.slow
def test_functions_and_parameters_have_any_name(tmp_path: Path) -> None:
    names = zip(WORDS, WORDS[1:] + WORDS[:1], WORDS[2:] + WORDS[:2], strict=True)
    source = "".join(
        f"void {f}(unsigned char *{a}, int {n}) {{ for (int x = 0; x < {n}; x++) {a}[x] = 1; }}\n"
        for f, a, n in names
    )
    folders = lifted(source, tmp_path)
    assert sorted(folder.name for folder in folders) == WORDS
    for folder in folders:
        read_pipeline((folder / "pipeline.py").read_text(), folder.name)
        load_pipeline(folder / "pipeline.py", folder.name)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("name", ["from", "class", "hl", "lambda", "_x", "__clip", "__x__"])
def test_functions_that_are_kept_by_name_have_any_name(name: str, tmp_path: Path) -> None:
    call = f"void f(unsigned char *d, int n) {{ for (int x = 0; x < n; x++) d[x] = {name}(d[x]); }}"
    (folder,) = lifted(HELPER.format(name) + call, tmp_path)
    read_pipeline((folder / "pipeline.py").read_text(), "f")
    load_pipeline(folder / "pipeline.py", "f")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is missing")
def test_a_function_named_like_one_of_libc_is_itself(tmp_path: Path) -> None:
    (folder,) = lifted(
        "void raise(float *d, const float *class, int n, float yield)\n"
        "{ for (int x = 0; x < n; x++) d[x] = class[x] * yield; }",
        tmp_path,
    )
    build(folder.parent)
    (row,) = bench(folder.parent, size=(64, 64), seconds=0.01)
    assert row.equal and row.note is None and row.dsl_lines > 4
    library = next(folder.glob("*.so"))
    assert ctypes.CDLL(str(library))["raise_lifted"]
    (tmp_path / "header.cpp").write_text(f'#include "{next(folder.glob("*.h"))}"\n')
    subprocess.run(["g++", "-fsyntax-only", str(tmp_path / "header.cpp")], check=True)


@pytest.mark.slow
def test_operators_of_the_source_have_names(tmp_path: Path) -> None:
    """Of enumerations and of literals: they are kept by name as other pure functions are."""
    operators = {"!": "(F)s[i]", "~": "(F)s[i]"}
    head = "enum F { A, B };\n" + "".join(
        f"static F operator{o}(F a) {{ return (F)(a ^ {n}); }}\n" for n, o in enumerate(operators)
    )
    binary = ("&", "|", "^", "%", "!=", ">", ">=", "<=", "&&", "||", "->*", ",")
    head += "".join(
        f"static F operator{o}(F a, F b) {{ return (F)((int)a * {n} + (int)b); }}\n"
        for n, o in enumerate(binary)
    )
    head += 'static int operator""_more(unsigned long long v) { return (int)v + 1; }\n'
    uses = [f"{o}{v}" for o, v in operators.items()]
    uses += [f"((F)s[i] {o} (F)(s[i] / 2))" for o in binary] + ["s[i] + 5_more"]
    loop = "for (int i = 0; i < n; i++)"
    path = tmp_path / "operators.cpp"
    path.write_text(
        head
        + "".join(
            f"void k{n}(unsigned char *d, const unsigned char *s, int n) {{ {loop} d[i] = {u}; }}\n"
            for n, u in enumerate(uses)
        )
    )
    kernels = parse_file(path).kernels
    assert len(kernels) == len(uses)
    for kernel in kernels:
        result = lift_kernel(kernel, LiftOptions())
        assert result.status == "proved", result.diagnostic
        emit(result, function_folder(result, tmp_path))
    assert len(build(tmp_path)) == len(uses)


def test_every_place_where_parameters_are_named_is_one_of_an_interface() -> None:
    for place in c_names._NAMES:
        kind, _, field = place.partition(".")
        found = vars(interface).get(kind) or vars(kernel_ir).get(kind)
        assert found is not None, place
        assert field in {f.name for f in fields(found)}, place
