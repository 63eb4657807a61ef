"""Intrinsics that read and write memory: each in a function of its own, beside g++'s.

Each such function of our headers is called with arrays for its pointers and vectors. Where it
loads or stores at aligned addresses alone, g++ is given the form for any address: which one it is
changes nothing but whether the processor traps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from lifter.parse import body_to_text, parse_file
from lifter.parse.older_headers import HEADERS
from lifter.parse.program import FunctionDefinition
from lifter.parse.translation_unit import read_source
from lifter.parse.types import is_pointer
from lifter.verify.cases import cases, run_case
from tests.end_to_end.original import LENIENT, compile_original, may_be_called

from .intrinsics import public_name
from .parsing import kernel

_INSTRUCTIONS = ("-march=native",)
_ALIGNED = re.compile(
    r"(?P<head>_mm\d*_(?:maskz?_)?)(?P<verb>load|store|stream|stream_load)_(?P<rest>p[sd]|si128|si256|si512|epi32|epi64)"
)
_UNALIGNED = {"load": "loadu", "stream_load": "loadu", "store": "storeu", "stream": "storeu"}
_ELEMENTS = (("epi8", "signed char"), ("epi16", "short"), ("epi32", "int"), ("epi64", "long long"),
             ("ps", "float"), ("ph", "float"), ("pd", "double"), ("ss", "float"), ("sd", "double"),
             ("pi", "float"))  # fmt: skip
_LOADS = {
    "__m64": "*(const __m64 *){}", "__m128i": "_mm_loadu_si128((const __m128i *){})",
    "__m128": "_mm_loadu_ps((const float *){})", "__m128d": "_mm_loadu_pd((const double *){})",
    "__m256i": "_mm256_loadu_si256((const __m256i *){})",
    "__m256": "_mm256_loadu_ps((const float *){})",
    "__m256d": "_mm256_loadu_pd((const double *){})",
    "__m512i": "_mm512_loadu_si512((const __m512i *){})",
    "__m512": "_mm512_loadu_ps((const float *){})",
    "__m512d": "_mm512_loadu_pd((const double *){})",
}  # fmt: skip
_STORES = {
    "__m64": "*(__m64 *)d = {};", "__m128i": "_mm_storeu_si128((__m128i *)d, {});",
    "__m128": "_mm_storeu_ps((float *)d, {});", "__m128d": "_mm_storeu_pd((double *)d, {});",
    "__m256i": "_mm256_storeu_si256((__m256i *)d, {});",
    "__m256": "_mm256_storeu_ps((float *)d, {});",
    "__m256d": "_mm256_storeu_pd((double *)d, {});",
    "__m512i": "_mm512_storeu_si512((__m512i *)d, {});",
    "__m512": "_mm512_storeu_ps((float *)d, {});",
    "__m512d": "_mm512_storeu_pd((double *)d, {});",
}  # fmt: skip


@cache
def in_memory() -> dict[str, FunctionDefinition]:
    """The functions of our headers that take pointers, by name."""
    declared = read_source(HEADERS / "immintrin.h").parsed.declarations
    found = {}
    for cursor in declared:
        if cursor.kind.name == "FUNCTION_DECL" and cursor.is_definition():
            one = FunctionDefinition(cursor, False)
            if str(cursor.spelling).startswith("_") and any(
                is_pointer(p.type) for p in one.parameters
            ):
                found[str(cursor.spelling)] = one
    return found


def _element(name: str, type: str) -> str:
    """What the arrays of a function are made of that has this name."""
    plain = type.replace("const", "").replace("*", "").replace("_u", "").strip()
    if plain in ("int", "float", "double", "long long", "char"):
        return "signed char" if plain == "char" else plain
    ends = [element for end, element in _ELEMENTS if name.endswith(end)]
    return ends[0] if ends else "unsigned char"


def _whole(name: str, definition: FunctionDefinition, scale: int) -> str:
    """A function that calls an intrinsic."""
    parameters, arguments = [], []
    element = "unsigned char"
    for place, parameter in enumerate(definition.parameters):
        written = public_name(parameter.cursor.type)
        own = f"p{place}"
        if is_pointer(parameter.type):
            element = _element(name, written)
            const = "const " if "const" in written else ""
            parameters.append(f"{const}{element} *{own}")
            arguments.append(f"({written}){own}")
        elif written in _LOADS:
            kind = "int" if written.endswith("i") else _element(name, "")
            if "gather" in name and parameter.spelling.startswith(("at", "mask")):
                kind = "long long" if "i64gather" in name and "at" in parameter.spelling else "int"
            if "mask" in name and parameter.spelling.startswith("mask"):
                kind = "signed char" if "maskmov" in name else kind
            parameters.append(f"const {kind} *{own}")
            value = _LOADS[written].format(own)
            if parameter.spelling.startswith("at"):
                size = {"int": 4, "float": 4}.get(element, 8)
                few = max(size, scale) // scale * 7 if scale < size else 7
                wide = "64x" if kind == "long long" else "32"
                width = written.strip("_mi")
                head = "_mm" if width == "128" else f"_mm{width}"
                wide = wide.replace("x", "") if width == "512" else wide
                bits = f"si{width}"
                value = f"{head}_and_{bits}({value}, {head}_set1_epi{wide}({few}))"
            arguments.append(value)
        elif parameter.spelling == "scale":
            arguments.append(str(scale))
        else:
            parameters.append(f"{written} {own}")
            arguments.append(own)
    result = str(definition.result_type.spelling)
    call = f"{name}({', '.join(arguments)})"
    if result == "void":
        body = f"{call};"
    else:
        parameters.insert(0, f"{_element(name, '')} *d")
        body = _STORES[str(definition.node.cursor.result_type.spelling)].format(call)
    return f"void f_{name}_{scale}({', '.join(parameters)}) {{ {body} }}\n"


def _wholes() -> Iterator[str]:
    for name, definition in in_memory().items():
        # Of floats none begins in the middle of another one: such a view isn't understood.
        least = {"ps": 4, "pd": 8}.get(name[-2:], 1)
        for scale in (1, 2, 4, 8) if "gather" in name else (1,):
            if "gather" in name and scale < least:
                continue
            yield _whole(name, definition, scale)


@pytest.mark.slow
def test_memory_is_what_the_processor_makes_of_it(tmp_path: Path) -> None:
    aliases = "".join(
        f"#define {name} {found['head']}{_UNALIGNED[found['verb']]}_{found['rest']}\n"
        for name in in_memory()
        if (found := _ALIGNED.fullmatch(name))
    )
    path = tmp_path / "memory.cpp"
    head = f"#include <immintrin.h>\n#ifndef __clang__\n{aliases}#endif\n"
    path.write_text(head + "".join(_wholes()))
    found = parse_file(path)
    assert not found.failed, "\n".join(str(f.diagnostic) for f in found.failed)
    original = compile_original(path, found.kernels, options=(*LENIENT, *_INSTRUCTIONS))
    called = 0
    for one in found.kernels:
        for case in cases(one, 7, 12):
            outcome = run_case(one, case)
            if not may_be_called(outcome):
                continue
            differences = original.differences(one, case, outcome)
            assert not differences, f"{one.source}\n{case}\n{differences[0]}"
            called += 1
    assert called > 10 * len(found.kernels)


MASK = "_mm_setr_epi32(-1, 0, 0x7fffffff, -2147483647)"


@pytest.mark.parametrize(
    ("body", "touched"),
    [
        (f"_mm_storeu_ps(d, _mm_maskload_ps(s, {MASK}));", {"s[0]", "s[3]"}),
        (f"_mm_maskstore_ps(d, {MASK}, _mm_set1_ps(2.0f));", {"d[0]", "d[3]"}),
        (f"_mm_storeu_ps(d, _mm_mask_i32gather_ps(_mm_set1_ps(1), s, _mm_setr_epi32(5, 6, 7, 8), "
         f"_mm_castsi128_ps({MASK}), 4));", {"s[5]", "s[8]"}),
    ],
)  # fmt: skip
def test_what_a_mask_leaves_out_is_not_touched(body: str, touched: set[str]) -> None:
    text = body_to_text(
        kernel(f"#include <immintrin.h>\nvoid f(float *d, const float *s) {{ {body} }}").body
    )
    named = set(re.findall(r"\b[sd]\[\d+\]", text))
    assert {name for name in named if name[0] == min(touched)[0]} == touched, text
