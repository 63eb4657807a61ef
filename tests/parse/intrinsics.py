"""What our headers say of intrinsics, beside what the processor does."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from compiler.ir import U8, Const, Expr, Type, evaluate, lane_dtype
from lifter.parse.folding import number
from lifter.parse.lane_functions import LaneFunction, lane_function
from lifter.parse.lanes import Lanes
from lifter.parse.older_headers import HEADERS
from lifter.parse.program import FunctionDefinition, SourceProgram
from lifter.parse.translation_unit import read_source
from lifter.parse.types import is_pointer, is_record, is_simd, lanes_of_type, scalar_type

_RANGE = re.compile(r"(?:const )?__(?:(\d+)_)?to_(\d+)")
"""The type of a number that has to be a constant: `__to_255`, `__1_to_8`."""
WIDEST = 64
"""Bytes of the widest vector."""


@dataclass(frozen=True)
class Intrinsic:
    """A function of vectors and numbers of a header."""

    name: str
    definition: FunctionDefinition

    @property
    def parameters(self) -> list[tuple[str, Any]]:
        return [(p.spelling, p.type) for p in self.definition.parameters]

    @property
    def result(self) -> Any:
        return self.definition.result_type

    @cached_property
    def written_types(self) -> list[str]:
        """The parameters' types as the header has them."""
        return list(map(public_name, self.definition.node.cursor.type.argument_types()))

    @cached_property
    def immediates(self) -> dict[str, range]:
        """The parameters that are constants, and what each of them may be."""
        found: dict[str, range] = {}
        for (name, _), written in zip(self.parameters, self.written_types, strict=True):
            if ends := _RANGE.fullmatch(written):
                found[name] = range(int(ends[1] or 0), int(ends[2]) + 1)
            elif name == "n" and written == "int":
                # A distance: any number, but compilers want to know it.
                found[name] = range(256)
        return found

    @property
    def element(self) -> Type:
        """What numbers its arguments are made of: the widest floats, or else integers."""
        types = [lanes_of_type(t)[0] if is_simd(t) else scalar_type(t) for _, t in self.parameters]
        floats = [type for type in types if type is not None and type.is_float]
        return max(floats, key=lambda type: type.bits, default=U8)

    def model(self, immediates: Sequence[int] = ()) -> LaneFunction:
        """What the header says, as an expression a lane."""
        constants: dict[str, Const | Lanes] = {}
        types: dict[str, Type] = {}
        given = dict(zip(self.immediates, immediates, strict=True))
        for name, type in self.parameters:
            if is_simd(type):
                types[name] = lanes_of_type(type)[0]
            elif name in given:
                own = scalar_type(type)
                assert own is not None
                constants[name] = number(given[name], own)
        found = lane_function(SourceProgram(), self.definition, constants, types)
        assert found is not None, self.name
        return found


def public_name(type: Any) -> str:
    """A type as a user of the vendor's header says it."""
    named = type.get_declaration()
    if named.kind.name != "TYPEDEF_DECL":
        return str(type.spelling)
    of = str(named.underlying_typedef_type.spelling)
    return of if of.endswith("_t") or of.startswith("__mmask") else str(type.spelling)


@cache
def intrinsics(header: str, prefix: str) -> dict[str, Intrinsic]:
    """The functions that a header defines, or what it includes, without those that touch memory."""
    text = HEADERS.parent / "include" / header
    unit = read_source(text).parsed
    found: dict[str, Intrinsic] = {}
    for cursor in unit.declarations:
        name = str(cursor.spelling)
        if cursor.kind.name != "FUNCTION_DECL" or not name.startswith(prefix):
            continue
        one = Intrinsic(name, FunctionDefinition(cursor, False))
        types = [*(type for _, type in one.parameters), one.result]
        is_pure = cursor.is_definition() and not any(is_pointer(x) or is_record(x) for x in types)
        if is_pure and one.result.kind.name != "VOID" and any(map(is_simd, types)):
            found[name] = one
    return found


@dataclass(frozen=True)
class Pool:
    """Bytes of arguments: `count` of each parameter."""

    count: int
    vectors: np.ndarray
    """[parameter, sample, byte]."""

    @staticmethod
    def drawn(count: int, seed: int, element: Type) -> Pool:
        pick = np.random.default_rng(seed)
        made = pick.integers(0, 256, (4, count, WIDEST), dtype=np.uint8)
        extremes = np.array([0, 1, 2, 15, 16, 31, 127, 128, 129, 254, 255], np.uint8)
        third = count // 3
        made[:, :third] = pick.choice(extremes, (4, third, WIDEST))
        words = np.array([0, 1, 0x7FFF, 0x8000, 0xFFFF, 0x7FFE, 0x8001, 255, 256], "<u2")
        several = pick.choice(words, (4, third, WIDEST // 2)).view(np.uint8)
        made[:, third : 2 * third] = several.reshape(4, third, WIDEST)
        if element.is_float:
            size, dtype = WIDEST // element.bytes, lane_dtype(element).newbyteorder("<")
            ends = [0.0, 0.5, 1.5, 2.5, 255.5, 32767.5, 65519.9, 1e-40, 1e30, np.inf, 2147483648.0,
                    2147483647.5, 9223372036854775808.0, 2147483520.0, 6e-8, np.nan]  # fmt: skip
            special = np.array([*ends, *(-e for e in ends)]).astype(dtype)
            floats = pick.choice(special, (4, count // 2, size))
            made[:, : count // 2] = floats.view(np.uint8).reshape(4, count // 2, WIDEST)
            rest = count - count // 2
            usual = (pick.standard_normal((4, rest, size)) * 1000).astype(dtype)
            made[:, count // 2 :] = usual.view(np.uint8).reshape(4, rest, WIDEST)
        return Pool(count, made)

    def lanes(self, parameter: int, type: Type) -> np.ndarray:
        """[sample, lane] of a parameter's bytes seen as numbers."""
        whole = np.ascontiguousarray(self.vectors[parameter % 4][:, parameter // 4 * 8 :])
        return whole.view(lane_dtype(type).newbyteorder("<"))


def modelled(
    one: Intrinsic, pool: Pool, immediates: Sequence[int] = ()
) -> Iterator[np.ndarray | None]:
    """What the model gives, a lane after the other (bytes [sample, byte]); None where that is
    anything."""
    function = one.model(immediates)
    places = {name: i for i, (name, _) in enumerate(one.parameters)}
    values: dict[str, np.ndarray] = {}
    for variable, (name, type, lane) in function.used.items():
        values[variable.name] = pool.lanes(places[name], type)[:, lane]  # type: ignore[attr-defined]
    for name, variable in function.numbers.items():
        values[variable.name] = pool.lanes(places[name], variable.type)[:, 0]  # type: ignore[attr-defined]
    lanes = [function.result] if isinstance(function.result, Expr) else function.result.numbers
    for lane in lanes:
        if lane is None:
            yield None
            continue
        found = np.broadcast_to(evaluate(lane, values), (pool.count,))
        dtype = lane_dtype(lane.type)
        yield np.ascontiguousarray(found.astype(dtype)).view(np.uint8).reshape(pool.count, -1)


PROGRAM = """
#include <{header}>
#include <cstdio>
#include <cstring>
#include <cstdlib>
static unsigned char *pool[4];
static FILE *out;
enum {{ COUNT = {count}, WIDEST = {widest} }};
template <class T> static T at(int parameter, int sample)
{{
    T v;
    memcpy(&v, pool[parameter % 4] + (size_t)sample * WIDEST + parameter / 4 * 8, sizeof v);
    return v;
}}
template <class F> static void each(F f)
{{
    for (int i = 0; i < COUNT; i++) {{
        auto r = f(i);
        fwrite(&r, sizeof r, 1, out);
    }}
}}
int main(int, char **argv)
{{
    FILE *in = fopen(argv[1], "rb");
    out = fopen(argv[2], "wb");
    for (auto &p : pool) {{
        p = (unsigned char *)malloc((size_t)COUNT * WIDEST);
        if (fread(p, WIDEST, COUNT, in) != COUNT) return 1;
    }}
{calls}
    fclose(out);
}}
"""


def _call(one: Intrinsic, immediates: Sequence[int]) -> str:
    given = dict(zip(one.immediates, immediates, strict=True))
    # The one constant that isn't a number for all compilers.
    is_places = re.fullmatch(r"_mm(512|\d*_maskz?)\w*_shuffle_epi32", one.name)
    cast = "(_MM_PERM_ENUM)" if is_places else ""
    arguments = [
        f"{cast}{given[name]}" if name in given else f"at<{written}>({place}, i)"
        for place, ((name, _), written) in enumerate(
            zip(one.parameters, one.written_types, strict=True)
        )
    ]
    return f"    each([](int i) {{ return {one.name}({', '.join(arguments)}); }});"


Case = tuple[Intrinsic, tuple[int, ...]]
"""A function, and its constants."""


def cases_of(one: Intrinsic, among: Collection[int] | None = None) -> list[Case]:
    """A function with each of its constants, or those of them that are `among` some."""
    ranges = [[n for n in r if among is None or n in among] for r in one.immediates.values()]
    return [(one, constants) for constants in product(*ranges)]


def on_processor(
    cases: Sequence[Case], pool: Pool, header: str, command: Sequence[str], folder: Path,
    runner: Sequence[str] = (),
) -> list[np.ndarray]:  # fmt: skip
    """What the processor gives for each case: bytes [sample, byte]."""
    calls = "\n".join(_call(one, immediates) for one, immediates in cases)
    text = PROGRAM.format(header=header, count=pool.count, widest=WIDEST, calls=calls)
    (folder / "program.cpp").write_text(text)
    program = folder / "program"
    subprocess.run([*command, "-w", str(folder / "program.cpp"), "-o", str(program)], check=True)
    (folder / "in").write_bytes(np.ascontiguousarray(pool.vectors).tobytes())
    subprocess.run([*runner, str(program), str(folder / "in"), str(folder / "out")], check=True)
    raw = np.frombuffer((folder / "out").read_bytes(), np.uint8)
    found: list[np.ndarray] = []
    place = 0
    for one, _ in cases:
        size = int(one.result.get_size())
        found.append(raw[place : place + size * pool.count].reshape(pool.count, size))
        place += size * pool.count
    assert place == raw.size
    return found


def differences(one: Intrinsic, pool: Pool, given: np.ndarray, immediates: Sequence[int]) -> int:
    """In how many samples the model says something else."""
    lanes = list(modelled(one, pool, immediates))
    size = given.shape[1] // len(lanes)
    parts = [given[:, i * size : (i + 1) * size] if e is None else e for i, e in enumerate(lanes)]
    expected = np.concatenate(parts, axis=1)
    own = lanes_of_type(one.result)[0] if is_simd(one.result) else scalar_type(one.result)
    assert own is not None and expected.shape == given.shape, one.name
    same = expected == given
    if one.name.startswith(("_mm_comi", "_mm_ucomi")):
        # GCC before 13 looks at one flag alone: to it what isn't ordered is equal, and less.
        first = lanes_of_type(one.parameters[0][1])[0]
        same |= np.isnan([pool.lanes(i, first)[:, 0] for i in (0, 1)]).any(axis=0)[:, None]
    if own.is_float:
        dtype = lane_dtype(own)
        a, b = (np.ascontiguousarray(x).view(dtype) for x in (expected, given))
        both = np.repeat(np.isnan(a) & np.isnan(b), own.bytes, axis=1)
        same = same | both
    return int(np.count_nonzero(~same.all(axis=1)))
