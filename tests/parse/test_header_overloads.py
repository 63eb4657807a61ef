"""The shipped headers resolve each call to the overload that g++'s own headers have for it."""

from __future__ import annotations

import itertools
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import clang.cindex as ci
import pytest

import lifter.parse
from lifter.parse.older_headers import HEADERS as INCLUDE
from lifter.parse.translation_unit import read_source

from .plain_library import assert_equal_to_original, written


def _words(text: str) -> list[str]:
    return text.split()


TYPES = (
    "bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int",
    "unsigned int", "long", "unsigned long", "long long", "unsigned long long", "float", "double",
    "long double",
)  # fmt: skip
FEW = ("unsigned char", "int", "unsigned long", "float", "double", "long double")
ONE = _words(
    "abs labs llabs acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 "
    "fabs floor ilogb lgamma llrint llround log log10 log1p log2 logb lrint lround nearbyint rint "
    "round sin sinh sqrt tan tanh tgamma trunc isnan isinf isfinite isnormal signbit fpclassify"
)
OLD = _words("gamma j0 y1 exp10 significand finite isnanf drem scalb jn llogb roundeven fadd")
TWO = _words(
    "atan2 copysign fdim fmax fmin fmod hypot nextafter nexttoward pow remainder ldexp scalbn "
    "scalbln isgreater isless isunordered div"
)
THREE = ("fma", "hypot")
SUFFIXED = [n + s for n in ("sqrt", "floor", "fabs", "pow", "fmin", "lround") for s in "fl"]

CONTEXTS = {
    "math.h": ["math.h"],
    "cmath": ["cmath"],
    "stdlib.h": ["stdlib.h"],
    "cstdlib": ["cstdlib"],
    "cmath and stdlib.h": ["cmath", "stdlib.h"],
    "cmath and math.h": ["cmath", "math.h"],
    "algorithm": ["algorithm"],
    "vector": ["vector"],
    "complex": ["complex"],
}
_PRELUDE = """
struct nothing;
template <class T> T lift_some();
template <class A, class B> struct same { static const bool value = false; };
template <class A> struct same<A, A> { static const bool value = true; };
"""


def _calls() -> Iterator[tuple[str, tuple[str, ...]]]:
    for name in (*ONE, *OLD):
        yield from ((name, (t,)) for t in TYPES)
    for name in (*TWO, *OLD):
        yield from ((name, pair) for pair in itertools.product(FEW, repeat=2))
    for name in THREE:
        yield from ((name, triple) for triple in itertools.product(("int", *FEW[3:]), repeat=3))
    for name in SUFFIXED:
        yield from ((name, (t,) * n) for t in FEW for n in (1, 2))


def _probes(calls: Sequence[tuple[str, tuple[str, ...]]]) -> str:
    """For each call the type `r<number>` of its result, or `nothing`: by its name alone and, in
    `with_std`, as under `using namespace std`."""
    lines = [_PRELUDE]
    spaces = (("alone", ""), ("with_std", "namespace std {} using namespace std;"))
    for space, directive in spaces:
        lines.append(f"namespace {space} {{ {directive}")
        for name in dict.fromkeys(n for n, _ in calls):
            lines.append(
                f"struct of_{name} {{ template <class... A> static auto f(int, A... a) "
                f"-> decltype({name}(a...));"
                " template <class... A> static nothing f(long, A...); };"
            )
        for number, (name, types) in enumerate(calls):
            arguments = ", ".join(f"lift_some<{t}>()" for t in types)
            lines.append(f"typedef decltype(of_{name}::f(0, {arguments})) r{number};")
        lines.append("}")
    return "\n".join(lines) + "\n"


def _types_here(text: str, folder: Path) -> dict[str, str]:
    """The probes' types with the headers of ours, by `namespace::name`."""
    source = read_source(written(text, folder, "probes.cpp"), std="c++17")
    assert not source.errors, source.errors[0]
    return {
        f"{space.spelling}::{c.spelling}": c.underlying_typedef_type.get_canonical().spelling
        for space in source.unit.cursor.get_children()
        if space.kind.name == "NAMESPACE" and space.spelling in ("alone", "with_std")
        for c in space.get_children()
        if c.kind.name == "TYPEDEF_DECL"
    }


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    "context",
    [pytest.param(c, marks=() if c in ("math.h", "cmath") else pytest.mark.slow) for c in CONTEXTS],
)
def test_each_call_has_the_type_that_gcc_gives_it(context: str, tmp_path: Path) -> None:
    calls = list(_calls())
    text = "".join(f"#include <{h}>\n" for h in CONTEXTS[context]) + _probes(calls)
    types = _types_here(text, tmp_path)
    assert len(types) == 2 * len(calls)
    if context != "vector":
        assert len(set(types.values())) > 3
    checks = "".join(
        f'static_assert(same<{probe}, {type}>::value, "{probe.split("::")[0]} '
        f'{_shown(calls[int(probe.split("::r")[1])])}: {type}");\n'
        for probe, type in types.items()
    )
    found = _errors("g++", ["-std=c++17"], text + checks, tmp_path / "checks.cpp")
    assert not found, f"{len(found)} differ: " + "\n".join(found[:20])


def _shown(call: tuple[str, tuple[str, ...]]) -> str:
    return f"{call[0]}({', '.join(call[1])})"


def _errors(compiler: str, flags: list[str], text: str, path: Path) -> list[str]:
    path.write_text(text)
    done = subprocess.run(
        [compiler, "-fsyntax-only", "-fmax-errors=0", "-w", *flags, str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    return [line for line in done.stderr.splitlines() if "error:" in line]


def test_each_call_in_c_has_the_type_that_gcc_gives_it(tmp_path: Path) -> None:
    names = [n for n in (*ONE, *SUFFIXED) if not n.startswith(("is", "signbit", "fpclass", "pow"))]
    names = [n for n in names if not n.startswith("fmin")]
    calls = [(n, (t,)) for n in names for t in FEW]
    calls += [(n, (t, t)) for n in ("pow", "fmod", "fmin", "fmaxf", "ldexp") for t in FEW]
    text = "#include <math.h>\n#include <stdlib.h>\n" + "".join(
        f"__typeof__({name}({', '.join(f'({t})0' for t in types)})) r{number};\n"
        for number, (name, types) in enumerate(calls)
    )
    source = read_source(written(text, tmp_path, "probes.c"))
    assert not source.errors
    types = {
        int(c.spelling[1:]): c.type.get_canonical().spelling
        for c in source.unit.cursor.get_children()
        if c.kind.name == "VAR_DECL"
    }
    assert len(types) == len(calls)
    checks = "".join(
        f"_Static_assert(__builtin_types_compatible_p(__typeof__(r{number}), {type}), "
        f'"{_shown(calls[number])}: {type}");\n'
        for number, type in types.items()
    )
    found = _errors("gcc", ["-std=c11"], text + checks, tmp_path / "checks.c")
    assert not found, "\n".join(found[:20])


def _folders_of_gcc() -> list[str]:
    done = subprocess.run(
        ["g++", "-E", "-v", "-x", "c++", "/dev/null"], capture_output=True, text=True, check=True
    )
    listed = done.stderr.partition("search starts here:\n#include <")[2]
    return [line.strip() for line in listed.splitlines() if line.startswith(" ")]


NAMES = _words(
    "abs labs sqrt floor fmin pow isnan memcpy memset memmove free malloc printf min max swap fill "
    "fill_n copy clamp minmax isdigit strlen qsort lround toupper div exit"
)


def _visible(header: str, folders: Sequence[str]) -> set[str]:
    """Which of `NAMES` are declared with one header, globally and in std."""
    uses = [f"{scope}{n}" for n in NAMES for scope in ("::", "std::")]
    text = f"#include <{header}>\n" + "".join(f"namespace t {{ using {u}; }}\n" for u in uses)
    unit = ci.Index.create().parse(
        "uses.cpp",
        args=["-x", "c++", "-std=c++17", "-nostdinc", "-nostdinc++", "-ferror-limit=0"]
        + [part for folder in folders for part in ("-isystem", folder)],
        unsaved_files=[("uses.cpp", text)],
    )
    errors = [d for d in unit.diagnostics if d.severity >= 3]
    own = {d.location.line - 2 for d in errors if d.location.file.name == "uses.cpp"}
    assert len(own) == len(errors), f"<{header}>: {[str(d) for d in errors][:3]}"
    return {u for number, u in enumerate(uses) if number not in own}


HEADERS = sorted(
    str(p.relative_to(INCLUDE))
    for p in INCLUDE.rglob("*")
    if p.is_file() and p.parent.name != "lift"
)


@pytest.mark.slow
@pytest.mark.parametrize("header", HEADERS)
def test_a_header_declares_the_functions_that_gccs_does(header: str) -> None:
    assert _visible(header, [str(INCLUDE)]) == _visible(header, _folders_of_gcc())


KERNEL = (
    'extern "C" void k({0} *d, const {0} *s, int n) {{ for (int i = 0; i < n; i++) d[i] = {1}; }}\n'
)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("header", ["stdlib.h", "math.h", "cmath", "cstdlib"])
@pytest.mark.parametrize("call", ["abs(s[i])", "std::abs(s[i])", "abs(i - 3L)"])
def test_absolute_values_are_those_of_gcc(header: str, call: str, tmp_path: Path) -> None:
    text = f"#include <{header}>\n" + KERNEL.format("float", call)
    assert assert_equal_to_original(written(text, tmp_path)).kernels


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize(
    ("header", "type", "call"),
    [
        ("math.h", "float", "sqrt(s[i] + 1e-30)"),
        ("math.h", "float", "sqrt(s[i]) * 3"),
        ("cmath", "float", "sqrt(s[i]) * 3"),
        ("cmath", "float", "std::sqrt(s[i]) * 3"),
        ("cmath", "float", "std::sqrt((int)i) / 3"),
        ("math.h", "float", "floor(s[i]) + fmin(s[i], i)"),
        ("math.h", "double", "lround(s[i] / 1e300) + lrint((float)i / 2) + lround(i)"),
        ("cmath", "float", "std::fmax(s[i], 1) / 3"),
        ("cmath", "double", "std::isnan(s[i]) + std::isfinite(s[i]) * 2 + std::isinf(s[i]) * 4"),
        ("math.h", "float", "isnan(s[i]) + isfinite(s[i]) * 2 + isinf(s[i]) * 4"),
    ],
)
def test_overloads_compute_in_the_type_that_gcc_takes(
    header: str, type: str, call: str, tmp_path: Path
) -> None:
    text = f"#include <{header}>\n" + KERNEL.format(type, call)
    assert assert_equal_to_original(written(text, tmp_path)).kernels


def test_a_power_of_a_float_and_an_int_is_doubles(tmp_path: Path) -> None:
    text = "#include <cmath>\n" + KERNEL.format("float", "std::pow(s[i], 3)")
    assert assert_equal_to_original(written(text, tmp_path)).kernels


def test_another_type_than_gccs_would_be_found(tmp_path: Path) -> None:
    text = f"#include <cmath>\n{_PRELUDE}"
    right = 'static_assert(same<decltype(abs(1.f)), int>::value, "");\n'
    wrong = 'static_assert(same<decltype(std::abs(1.f)), int>::value, "");\n'
    assert len(_errors("g++", [], text + right + wrong, tmp_path / "checks.cpp")) == 1


def test_the_headers_may_stand_in_extern_c(tmp_path: Path) -> None:
    text = 'extern "C" {\n#include <math.h>\n#include <stdlib.h>\n}\n'
    assert lifter.parse.parse_file(
        written(text + KERNEL.format("float", "abs(s[i])"), tmp_path)
    ).kernels
