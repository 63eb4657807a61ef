"""The C library's functions in lifted code: its bits, or a refusal where compilers have others."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest

import compiler as hl
from lifter.lift.lift_function import LiftOptions, lift_kernel
from tests.parse.parsing import kernel
from tests.parse.plain_library import assert_equal_to_original, written

_LIBRARY = ctypes.CDLL(None)
SHAPE = "void f(double *d, int n) {{ {0} for (int i = 0; i < n; i++) d[i] = {1}; }}\n"


def of_library(name: str, *arguments: np.ndarray) -> np.ndarray:
    """A function of the C library, element by element."""
    function = getattr(_LIBRARY, name)
    function.argtypes, function.restype = [ctypes.c_double] * len(arguments), ctypes.c_double
    return np.array([function(*map(float, values)) for values in zip(*arguments, strict=True)])


VALUES = np.concatenate(
    [
        np.random.default_rng(7).uniform(0, 60, 4000),
        [0.0, -0.0, np.inf, -np.inf, 1.0, 2.0, 0.5, 1e300, 5e-324],
    ]
)
ALIKE = np.full(VALUES.shape, 1.0)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (lambda x: hl.pow(x, hl.f64(0.5)), lambda v: of_library("pow", v, ALIKE / 2)),
        (lambda x: hl.pow(x, hl.f64(-0.5)), lambda v: of_library("pow", v, -ALIKE / 2)),
        (lambda x: hl.pow(x, hl.f64(0.25)), lambda v: of_library("pow", v, ALIKE / 4)),
        (lambda x: hl.pow(x, hl.f64(3.0)), lambda v: of_library("pow", v, ALIKE * 3)),
        (lambda x: hl.pow(hl.f64(2.0), x), lambda v: of_library("pow", ALIKE * 2, v)),
        (lambda x: hl.pow(hl.f64(10.0), x), lambda v: of_library("pow", ALIKE * 10, v)),
        (lambda x: hl.pow(hl.f64(4.0), x), lambda v: of_library("pow", ALIKE * 4, v)),
        (lambda x: hl.exp(x), lambda v: of_library("exp", v)),
        (
            lambda x: hl.log(hl.pow(hl.f64(2.0), x)),
            lambda v: of_library("log", of_library("pow", ALIKE * 2, v)),
        ),
        (
            lambda x: hl.sin(-x) + hl.cos(-x),
            lambda v: of_library("sin", -v) + of_library("cos", -v),
        ),
    ],
)
def test_compiled_code_has_the_librarys_bits(program, expected) -> None:  # type: ignore[no-untyped-def]
    x, f = hl.Var("x"), hl.Func("f")
    source = hl.Buffer(VALUES)
    f[x] = program(source[x])
    found = np.array(f.realize([VALUES.size]))
    wanted = expected(VALUES)
    same = (found == wanted) | (np.isnan(found) & np.isnan(wanted))
    assert same.all(), (VALUES[~same][:3], found[~same][:3], wanted[~same][:3])


@pytest.mark.slow
def test_powers_that_compilers_write_as_products_are_products(tmp_path: Path) -> None:
    lines = [
        f'extern "C" void f{number}(double *d, const double *s, int n) '
        f"{{ for (int i = 0; i < n; i++) d[i] = {call}; }}\n"
        for number, call in enumerate(
            [
                "std::pow(s[i], 2.0)", "std::pow(s[i], 2)", "std::pow(s[i], 1)",
                "std::pow(s[i], -1.0)", "std::pow(s[i], 0)", "pow(s[i], 2.f)",
                "(double)std::pow((float)s[i], 2.f)", "(double)std::pow((float)s[i], 3)",
            ]
        )
    ]  # fmt: skip
    text = "#include <cmath>\n" + "".join(lines)
    assert len(assert_equal_to_original(written(text, tmp_path)).kernels) == len(lines)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("before", "value", "lifts"),
    [
        ("", "std::pow(d[i], 2.0)", True),
        ("const double e = 2.0;", "std::pow(d[i], e)", True),
        ("double e = 2.0;", "std::pow(d[i], e)", False),
        ("double e = 2.0; e *= 0.5;", "std::pow(d[i], e)", False),
        ("double e = 2.0;", "std::pow(d[i], e * 1.5)", True),
        ("", "std::pow(d[i], (double)n)", True),
        ("", "std::exp(2.0) * d[i]", True),
        ("", "std::exp(5.277337094812512) * d[i]", False),
        ("double s = 5.277337094812512;", "std::exp(s) * d[i]", False),
        ("", "std::sin(2.528152640110336) * d[i]", False),
        ("", "std::pow(3.4919617403155745, 6.541981623509466) * d[i]", False),
        ("", "std::sqrt(2.0) * std::log(3.0) * d[i]", True),
    ],
)
def test_a_call_that_compilers_compute_themselves_is_lifted_where_its_bits_are_certain(
    before: str, value: str, lifts: bool
) -> None:
    found = lift_kernel(kernel("#include <cmath>\n" + SHAPE.format(before, value)), LiftOptions())
    assert found.status == ("proved" if lifts else "failed")
    if not lifts:
        assert found.diagnostic is not None and found.diagnostic.code == "inexact-function"


def test_a_call_in_a_pure_function_is_one_of_its_callers() -> None:
    text = (
        "#include <cmath>\nstatic double power(double v, double e) { return std::pow(v, e); }\n"
        + SHAPE.format("", "power(d[i], {0})")
    )
    assert lift_kernel(kernel(text.replace("{0}", "1.5")), LiftOptions()).status == "proved"
    assert lift_kernel(kernel(text.replace("{0}", "2.0")), LiftOptions()).status == "failed"


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("value", [0, 1, 256, 257, -256])
def test_memset_of_bools_sets_bytes(value: int, tmp_path: Path) -> None:
    text = f"""
        #include <string.h>
        extern "C" void f(bool *d, int n) {{ if (n > 0) memset(d, {value}, n); }}
        """
    assert assert_equal_to_original(written(text, tmp_path)).kernels
