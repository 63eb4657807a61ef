"""A counterexample as a C or C++ program that includes the source and fails until it is mended.

    g++ -std=c++17 Invert.cpp -o Invert && ./Invert
    dst(0) is 254, and should be 255

It gives the function the elements that it read, and compares what it leaves with what the lifted
program leaves: with that the two agree again, or the source was right and is to be lifted anew.
"""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from compiler.ir import Expr

from ..bench.original import is_c, original_symbol, shim_text
from ..dag.concrete import integer
from ..emit.interface import Interface, Parameter
from ..emit.source_call import identifier
from ..model.counterexample import Cell, CounterexampleTables, Number, ValueTable
from ..settings.flags import Flags

_MARGIN = 4096
"""Elements before and behind an array: a source that is wrong may reach beyond it."""


def program_suffix(source: str) -> str:
    """`.c` for a source in C, `.cpp` otherwise."""
    return ".c" if is_c(Path(source)) else ".cpp"


def program_text(
    example: CounterexampleTables, interface: Interface, source: Path, file: Path, flags: Flags
) -> str:
    """The program, for the place `file`; `source` is the function's file.

    Raises `ValueError` for what it can't say: a result that is returned, rows behind pointers.
    """
    if not example.original.coordinates:
        raise ValueError("a single value that is returned")
    calls = _Calls(example, interface)
    there = Path(os.path.relpath(source.resolve(), file.resolve().parent))
    entry = shim_text(there, [interface])
    compiler = "cc" if is_c(source) else "c++"
    options = [f"-std={flags.std}" if flags.std else "", *(f"-D{d}" for d in flags.defines)]
    options += [f"-I{os.path.relpath(i, file.resolve().parent)}" for i in flags.includes]
    if not is_c(source):
        options.append("-fno-access-control")
    words = [compiler, "-w", *filter(None, options), file.name, "-o", file.stem, "-lm"]
    # What else the source only declares isn't called here.
    words += ["-no-pie", "-Wl,--unresolved-symbols=ignore-all"]
    head = [
        f"/* Fails as long as {_plain(interface.qualified_name)} in {_plain(interface.file)}",
        "   leaves something else on this input than the program that was lifted from it:",
        "",
        f"       {_plain(shlex.join(words))} && ./{_plain(file.stem)}",
        "*/",
    ]
    return "\n".join([*head, entry.rstrip(), "", *calls.main(), ""])


class _Calls:
    """The arrays of the program, and its `main`."""

    def __init__(self, example: CounterexampleTables, interface: Interface) -> None:
        self.example = example
        self.interface = interface
        self.scalars: dict[str, Number] = dict(example.scalars)
        self.scalars |= {identifier(n): v for n, v in example.scalars.items()}
        self.before = {identifier(t.name): t for t in example.inputs}

    def main(self) -> list[str]:
        lines = ["#include <math.h>", "#include <stdio.h>", "#include <string.h>", ""]
        body: list[str] = []
        arguments: list[str] = []
        for parameter in self.interface.params:
            if parameter.kind == "scalar":
                value = self.scalars[parameter.name]
                arguments.append(f"({parameter.element}){_number(value, str(parameter.type))}")
            else:
                memory, filling = self._array(parameter)
                lines += memory
                body += filling
                arguments.append(parameter.name)
        body.append(f"{original_symbol(self.interface)}({', '.join(arguments)});")
        output = self.interface.parameter(identifier(self.example.output))
        if output.kind == "vector":
            made = f"lift_vector_data_{output.element.replace(' ', '_')}({output.name})"
            body.append(f"{output.memory} *{output.name}_after = ({output.memory} *){made};")
        body += self._comparisons(output)
        body.append("return wrong != 0;")
        return [*lines, "", "int main(void)", "{", "    int wrong = 0;",
                *(f"    {line}" for line in body), "}"]  # fmt: skip

    def _array(self, parameter: Parameter) -> tuple[list[str], list[str]]:
        """The declarations of an array, and the statements that fill it."""
        name = parameter.name
        if parameter.kind == "rows":
            raise ValueError("rows behind pointers")
        cells = dict(self._cells(parameter, self.before.get(name)))
        used = [*cells, *(i for i, _ in self._expected(parameter))]
        low, high = min(used, default=0), max(used, default=0)
        if parameter.kind == "vector":
            size = max(high + 1, int(self.scalars.get(f"{name}.size", 0)))
            element = parameter.element.replace(" ", "_")
            data = f"(({parameter.memory} *)lift_vector_data_{element}({name}))"
            filling = [f"void *{name} = lift_vector_make_{element}({size});"]
            return [], [*filling, *_filled(data, cells, parameter)]
        length = high - low + 1 + 2 * _MARGIN
        declared = [f"static {parameter.memory} {name}_memory[{length}];"]
        start = f"{parameter.memory} *{name} = {name}_memory + {_MARGIN - low};"
        return declared, [start, *_filled(name, cells, parameter)]

    def _expected(self, parameter: Parameter) -> Iterator[tuple[int, Cell]]:
        if parameter.name == identifier(self.example.output):
            yield from self._cells(parameter, self.example.candidate)

    def _cells(self, parameter: Parameter, table: ValueTable | None) -> Iterator[tuple[int, Cell]]:
        """The elements of a table, by their places in memory."""
        if table is None:
            return
        for (place, _), value in zip(self._places(parameter, table), table.values, strict=True):
            if value is not None:
                yield place, value

    def _places(
        self, parameter: Parameter, table: ValueTable
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        if None in table.strides or len(table.strides) != len(table.coordinates):
            raise ValueError("rows behind pointers")
        offset = self._offset(parameter)
        for point in table.points():
            steps = zip(point, table.strides, strict=True)
            yield offset + sum(p * (s or 0) for p, s in steps), point

    def _offset(self, parameter: Parameter) -> int:
        try:
            offset: Expr = self.interface.view_of(parameter.name).offset
            return integer(offset, self.scalars)
        except KeyError:
            return 0

    def _comparisons(self, output: Parameter) -> Iterator[str]:
        table = self.example.candidate
        array = f"{output.name}_after" if output.kind == "vector" else output.name
        shown = "%.9g" if output.type.is_float else "%lld"
        kind = "double" if output.type.is_float else "long long"
        for (place, point), value in zip(self._places(output, table), table.values, strict=True):
            if value is None:
                continue
            wanted = _number(value, str(output.type))
            differs = f"{array}[{place}] != ({output.memory}){wanted}"
            if isinstance(value, float) and math.isnan(value):
                differs = f"{array}[{place}] == {array}[{place}]"
            where = ", ".join(map(str, point))
            said = f"{_plain(self.example.output)}({where}) is {shown}, and should be {shown}\\n"
            yield f"if ({differs})"
            yield f'    wrong += printf("{said}", ({kind}){array}[{place}], ({kind}){wanted});'


def _filled(array: str, cells: Mapping[int, Cell], parameter: Parameter) -> Iterator[str]:
    for place, value in sorted(cells.items()):
        if value:
            yield f"{array}[{place}] = ({parameter.memory}){_number(value, str(parameter.type))};"


def _number(value: Cell, type: str) -> str:
    """A number as C reads it."""
    if value is None:
        return "0"
    if isinstance(value, float):
        if math.isnan(value):
            return "NAN"
        if math.isinf(value):
            return "-INFINITY" if value < 0 else "INFINITY"
        return value.hex() if type == "float64" else f"{value.hex()}f"
    number = int(value)
    if number == -(1 << 63):
        return "(-9223372036854775807LL - 1)"
    return f"{number}ULL" if number > (1 << 63) - 1 else f"{number}LL"


def _plain(text: str) -> str:
    """A name as it may stand in a comment or a text of C."""
    return "".join(c if c.isprintable() and c not in '"\\%' else "?" for c in text).replace(
        "*/", "* /"
    )
