"""A test in C that calls both functions with the input on which they differ, and fails so long.

    cc -w -ffp-contract=off twin.c blend.c blend_sse2.c -msse2 -o twin -lm && ./twin
    dst[3] is 17 by blend_row_c and 16 by blend_row_sse2

All that either leaves in any array is compared, what it shouldn't have touched included.
"""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from compiler.ir import Type

from ..bench.original import is_c
from ..model.beside import Linked
from ..model.kernel import Kernel, Param
from ..model.parameters import PAGE, address_of
from ..settings.flags import Flags
from .finding import Finding
from .pair import Pair, needed_files

PROGRAM = "@PROGRAM@"
"""Stands for the program's own file, without its ending, as long as nobody has placed it."""
_C_TYPES = {
    "bool": "_Bool", "uint1": "_Bool", "float32": "float", "float64": "double",
    **{f"{sign}int{bits}": f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)},
}  # fmt: skip


class NoProgram(ValueError):
    """A pair of which no test in C can be written, with the reason."""


def test_program(finding: Finding, pair: Pair, first: Kernel, second: Kernel) -> str:
    """The test's text; files are named as they are from the working directory, `first` and
    `second` are the functions as they were read. Raises `NoProgram`."""
    if finding.input is None:
        raise NoProgram("there is no input")
    sides = (pair.first, pair.second)
    kernels = (first, second)
    if not all(is_c(Path(s.file)) for s in sides):
        raise NoProgram("the functions aren't C")
    if any(s.passing != "plain" for k in kernels for s in k.source_params):
        raise NoProgram("they take objects")
    if any(p.kind not in ("scalar", "array", "reference") for p in first.params):
        raise NoProgram("they take tables of rows")
    return "\n".join(_lines(finding, pair, kernels)) + "\n"


def _lines(finding: Finding, pair: Pair, kernels: tuple[Kernel, Kernel]) -> Iterator[str]:
    sides = (pair.first, pair.second)
    names = [k.name for k in kernels]
    included = list(
        dict.fromkeys(s.file for s, k in zip(sides, kernels, strict=True) if not k.symbol)
    )
    yield "/*"
    yield f"Fails as long as {names[1]} ({sides[1].file})"
    yield f"leaves something else on this input than {names[0]} ({sides[0].file}):"
    yield ""
    yield f"    {_command(pair, included)}"
    yield "*/"
    yield "#include <math.h>"
    yield "#include <stdint.h>"
    yield "#include <stdio.h>"
    yield "#include <string.h>"
    yield from (f'#include "{os.path.abspath(path)}"' for path in included)
    yield ""
    for kernel in kernels:
        if kernel.symbol:
            yield f"{_declaration(kernel)};"
    yield ""
    arrays = [p for p in kernels[0].params if p.kind != "scalar"]
    for param in arrays:
        yield (
            f"static {_c_type(param.type)} {param.name}_memory[2][{_size(finding, param)}] "
            "__attribute__((aligned(4096)));"
        )
    yield ""
    yield "static int differ(int which, long place, double a, double b)"
    yield "{"
    told = ", ".join(f'"{p.name}"' for p in arrays) or '""'
    yield f"    static const char *const arrays[] = {{{told}}};"
    yield (
        '    printf("%s[%ld] is %.17g by '
        f'{names[0]} and %.17g by {names[1]}\\n", arrays[which], place, a, b);'
    )
    yield "    return 1;"
    yield "}"
    yield ""
    yield "int main(void)"
    yield "{"
    yield "    int wrong = 0, k;"
    yield "    long i;"
    for param in arrays:
        start = f"{param.name}_start"
        yield f"    enum {{ {start} = {_start(finding, param)} }};"
    yield "    for (k = 0; k < 2; k++) {"
    for param in arrays:
        for place, value in _cells(finding, param):
            written = _number(value, param.type)
            yield f"        {param.name}_memory[k][{param.name}_start + {place}] = {written};"
    yield "    }"
    for number, kernel in enumerate(kernels):
        yield f"    {_call(finding, kernel, kernels[0], number)}"
    for number, param in enumerate(arrays):
        yield from _comparison(finding, number, param)
    if kernels[0].return_type is not None:
        told = f"%.17g by {names[0]} and %.17g by {names[1]}\\n"
        yield "    if (memcmp(&result_0, &result_1, sizeof result_0))"
        yield f'        wrong += printf("{told}", result_0, result_1);'
    yield "    return wrong != 0;"
    yield "}"


def _call(finding: Finding, kernel: Kernel, first: Kernel, number: int) -> str:
    assert finding.input is not None
    arguments = []
    for param in first.params:
        if param.kind == "scalar":
            arguments.append(_number(finding.input["scalars"].get(param.name, 0), param.type))
        else:
            arguments.append(f"{param.name}_memory[{number}] + {param.name}_start")
    called = f"{kernel.name}({', '.join(arguments)})"
    if kernel.return_type is None:
        return f"{called};"
    shown = f"(double){called}"
    return f"double result_{number} = {shown};"


def _comparison(finding: Finding, number: int, param: Param) -> Iterator[str]:
    a, b = (f"{param.name}_memory[{k}][i]" for k in (0, 1))
    same = f"{a} == {b}"
    if param.type.is_float:
        same = f"(!memcmp(&{a}, &{b}, sizeof {a}) || ({a} != {a} && {b} != {b}))"
    if finding.within:
        same = f"({same} || fabs((double){a} - (double){b}) <= {float(finding.within)!r})"
    yield f"    for (i = 0; i < (long)(sizeof {param.name}_memory[0] / sizeof {a}); i++)"
    yield f"        if (!({same}))"
    place = f"i - {param.name}_start"
    yield f"            wrong += differ({number}, {place}, (double){a}, (double){b});"


def _declaration(kernel: Kernel) -> str:
    params = []
    for p in kernel.params:
        stars = "" if p.kind == "scalar" else "*"
        const = "const " if stars and p.is_const else ""
        params.append(f"{const}{_c_type(p.type)} {stars}{p.name}")
    result = "void" if kernel.return_type is None else _c_type(kernel.return_type)
    return f"{result} {kernel.name}({', '.join(params) or 'void'})"


def _c_type(type: Type) -> str:
    found = _C_TYPES.get(str(type))
    if found is None:
        raise NoProgram(f"C has no {type}")
    return found


def _start(finding: Finding, param: Param) -> int:
    """Where in its memory an array begins: a page and more behind the memory's own beginning, and
    as far behind that of a page as the input says."""
    assert finding.input is not None
    address = int(finding.input["scalars"].get(address_of(param.name).name, 0))
    return PAGE * (1 + -_used(finding, param)[0] // PAGE) + address % PAGE


def _size(finding: Finding, param: Param) -> int:
    """How much memory there is for an array, a page and more behind what is used included: whole
    pages, so that the second copy lies as the first one does."""
    return PAGE * (2 + (_start(finding, param) + _used(finding, param)[1]) // PAGE)


def _used(finding: Finding, param: Param) -> tuple[int, int]:
    """The least and the largest place that is used, 0 among them."""
    assert finding.input is not None
    places = [0, *(place for place, _ in _cells(finding, param))]
    places += [int(p) for p in finding.input["used"].get(param.name, ())]
    return min(places), max(places)


def _cells(finding: Finding, param: Param) -> list[tuple[int, int | float | str]]:
    assert finding.input is not None
    return [(int(p), v) for p, v in finding.input["arrays"].get(param.name, ())]


def _command(pair: Pair, included: list[str]) -> str:
    """Compiles the test and runs it: in one step where all files are read in one way, or else each
    file in its own. Raises `NoProgram` where one file would have to be read in two ways."""
    files = needed_files(pair)
    ways = {s.file: set[tuple[str, ...]]() for s in (pair.first, pair.second)}
    for side in (pair.first, pair.second):
        ways[side.file].add(_options(side.flags))
    own = set().union(*(ways[path] for path in included))
    if len(own) > 1 or any(len(way) > 1 for way in ways.values()):
        raise NoProgram("what would be one file in the test is read in two ways")
    more = _options_of_all(files)
    sources = [file for file in files if file.path not in included]
    every = {_options(file) for file in files}
    if len(every) == 1:
        paths = [file.path for file in sources]
        steps = [["cc", "-w", *every.pop(), *more, f"{PROGRAM}.c", *paths]]
    else:
        objects = [f"{PROGRAM}.{number}.o" for number in range(len(sources))]
        steps = [
            ["cc", "-w", *_options(file), *more, "-c", file.path, "-o", made]
            for file, made in zip(sources, objects, strict=True)
        ]
        steps.append(["cc", "-w", *(own.pop() if own else ()), *more, f"{PROGRAM}.c", *objects])
    steps[-1] += ["-o", PROGRAM, "-lm"]
    return " && ".join([*map(shlex.join, steps), PROGRAM])


def _options(flags: Flags | Linked) -> tuple[str, ...]:
    """How a file is read."""
    includes, defines = (f"-I{i}" for i in flags.includes), (f"-D{d}" for d in flags.defines)
    return (*includes, *defines, *flags.clang_arguments)


def _options_of_all(files: Sequence[Linked]) -> list[str]:
    """What the options of the files leave open."""
    given = [option for file in files for option in _options(file)]
    more = []
    if any(_uses_intrinsics(f.path) for f in files) and not any(o.startswith("-m") for o in given):
        more.append("-march=native")
    if not any(option.startswith("-ffp-contract") for option in given):
        more.append("-ffp-contract=off")  # as they are read: each product and each sum is rounded
    return more


def _uses_intrinsics(file: str) -> bool:
    try:
        return b"mmintrin.h" in Path(file).read_bytes()
    except OSError:
        return False


def _number(value: int | float | str, type: Type) -> str:
    """A number as C reads it."""
    if type.is_float:
        number = float(value)
        if math.isnan(number):
            return "NAN"
        if math.isinf(number):
            return "-INFINITY" if number < 0 else "INFINITY"
        return f"{number.hex()}{'f' if type.bits == 32 else ''}"
    number = int(value)
    if number == -(1 << 63):
        return "(-9223372036854775807LL - 1)"
    return f"{number}ULL" if number > (1 << 63) - 1 else f"{number}LL"
