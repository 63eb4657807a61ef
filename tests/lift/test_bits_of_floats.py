"""Floats whose bytes are copied to integers, and back: `memcpy(&u, &f, 4)`."""

from __future__ import annotations

import pytest

from compiler.ir import EQ, F32, I32, U32, Call, Cast, Mul, Variable, const
from compiler.ir.formula import reinterpreted
from lifter.emit import emitted_texts
from lifter.verify import Prover
from tests.verify.differential import difference, lifted

HEAD = """#include <cstring>
static inline bool is_nan(float f) {
    uint32_t u; memcpy(&u, &f, sizeof u); return (u & 0x7fffffffu) > 0x7f800000u; }
"""
PARAMETERS = "float *d, const float *s, uint32_t *w, u8 *b, const double *e, int n, float v"
BODIES = {
    "a test": "d[i] = is_nan(d[i]) ? v : d[i];",
    "there and back": "uint32_t u; memcpy(&u, &s[i], 4); u &= 0x7fffffff; memcpy(&d[i], &u, 4);",
    "bytes of it": "float f = w[i] / 255.0f; memcpy(b + i * sizeof f, &f, sizeof f);",
    "from bytes": "float f; memcpy(&f, b + i * sizeof f, sizeof f); d[i] = f * 2.0f;",
    "an exponent": "int64_t u; memcpy(&u, e + i, 8); w[i] = (u >> 52 & 2047) - 1023;",
}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("way", BODIES)
def test_the_bits_of_a_float_are_a_number(way: str) -> None:
    text = f"{HEAD}void f({PARAMETERS}) {{ for (int i = 0; i < n; i++) {{ {BODIES[way]} }} }}"
    result = lifted(text)
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None
    texts = emitted_texts(result)
    assert "hl.reinterpret(" in texts["pipeline.py"]
    assert "reinterpret<" in texts["generator.cpp"]


def test_widths_that_differ_are_refused() -> None:
    body = "uint64_t u = 0; memcpy(&u, &s[i], 4); w[i] = u;"
    result_of = f"void f({PARAMETERS}) {{ for (int i = 0; i < n; i++) {{ {body} }} }}"
    with pytest.raises(ValueError, match="unpack"):  # no kernel
        lifted("#include <cstring>\n" + result_of)


def test_equal_floats_may_have_other_bits() -> None:
    """-0.0f == 0.0f, and Z3's floats have one NaN: neither says anything of bits."""
    x, y = Variable("x", F32), Variable("y", F32)
    bits = [reinterpreted(U32, e) for e in (x, y, Mul(x, const(1.0, F32)))]
    prover = Prover({"x": F32, "y": F32})
    assert not prover.equal(bits[0], bits[1], [EQ(x, y)]).proved
    assert not prover.equal(bits[0], bits[2]).proved
    assert prover.equal(Cast(I32, bits[0]), reinterpreted(I32, x)).proved
    back = reinterpreted(F32, bits[0])
    assert isinstance(back, Call) and prover.equal(back, x).proved
