"""Operators, selection, clamping and literals are the real Halide package's, mistakes too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import compiler

from .both import BOTH, assert_same, cases

TEXTS = cases("""
x + 2147483648; u8 + 256; u8 + (-1); u8 - 256; u8 * 1.5; x + 1.5; f32 + 3; f32 + 16777217
u8 + np.uint8(3); u8 + np.int64(300); u8 + np.float32(1.5); x + np.float64(1.5)
hl.Expr(np.uint8(3)); hl.Expr(np.float64(3)); hl.Expr(np.bool_(True)); hl.Expr(True)
u8 + True; True + u8; x & True; (x < 3) & True; (x < 3) + 1; (x < 3) * u8; -(x < 3); ~f32
u8 & 300; u8 | -1; u8 << 9; u8 << -1; u8 >> 3; u8 << 300; x << 32; u8 << u8; u8 >> x
x + "s"; x + None; x // 0; x % 0; f32 / 0; 2 ** x; x ** 2.5; divmod(x, 2); abs(x); hl.Expr() + 1
bool(x + 1); (x < 1) and (x < 2); x.logical_not(); (x < 3).logical_not()
hl.select(x, 1, 2); hl.select(x < 3, 1, u8); hl.select(x < 3, 300, u8); hl.select(x < 3, 1, 2.0)
hl.select(x < 3, f32, 2); hl.select(x < 3, u8, f32); hl.select(x < 3, 1); hl.select(True, 1, 2)
hl.select(x < 3, 1, x < 4, 2); hl.select(x < 3, True, False); hl.select(x < 3, (1, 2), 3)
hl.select(x < 3, (1, 2), (3, 4, 5)); hl.select((x < 3, x < 4), (1, 2), (3, 4))
hl.select(x < 3, hl.Tuple((x, f32)), x < 4, hl.Tuple((x, f32)), hl.Tuple((x, f32)))
hl.mux(x, [1, 2, 3]); hl.mux(x, [1]); hl.mux(x, []); hl.mux(x, [1, 2.0]); hl.mux(f32, [1, 2])
hl.mux(u8, [1, u8]); hl.mux(x, (1, 2)); hl.mux(x, [hl.Tuple((x, f32)), hl.Tuple((x, f32))])
hl.clamp(x, 0, 2.5); hl.clamp(u8, 0, 300); hl.clamp(u8, x, 3); hl.clamp(f32, 0, 1)
hl.min(x, 2.5); hl.min(x); hl.min(); hl.min(1, 2); hl.max(u8, 300); hl.max(u8, 3); hl.max(x, y, 3)
hl.cast(hl.UInt(8), 300); hl.cast(hl.Bool(), 2); hl.cast(hl.Float(16), 1); hl.cast(8, x)
hl.u8(300); hl.u8(3.7); hl.u64(-1); hl.u64(2 ** 64); hl.i64(2 ** 63); hl.f32(True); hl.u8_sat(x)
hl.likely(x); hl.likely_if_innermost(f32); hl.strict_float(u8); hl.undef(hl.UInt(8))
hl.memoize_tag(x, y); hl.unsafe_promise_clamped(x, 0, 5); hl.unsafe_promise_clamped(u8, 0, 300)
hl.Tuple([]); hl.Tuple([1, x]); hl.vars("a b"); hl.Var(3); x.same_as(hl.Var("x")); hl._3.name()
hl._.is_placeholder(); hl._3.implicit_index(); x.implicit_index(); hl.Var.outermost().name()
hl.Var.implicit(3).name(); x.is_implicit()
hl.evaluate(hl.Expr(3) + 4); hl.evaluate((hl.Expr(1), hl.Expr(2.0))); hl.evaluate(x)
hl.evaluate(hl.Expr(1) < 2); hl.evaluate(hl.u8(300)); hl.evaluate("a"); hl.evaluate(3)
""")


def names(hl: Any) -> dict[str, Any]:
    x = hl.Var("x")
    return {"x": x, "y": hl.Var("y"), "u8": hl.u8(x), "f32": hl.f32(x)}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("text", TEXTS)
def test_an_expression_is_halides(text: str) -> None:
    assert_same(text, names)


@pytest.mark.slow
def test_operators_on_numbers_are_halides() -> None:
    """All values of a small range, negative ones too, in one pipeline for each package."""
    results = []
    for hl in BOTH:
        v, w, f = hl.Var("v"), hl.Var("w"), hl.Func("f")
        a, b = v - 20, w - 20
        u, s = hl.u8(v * 7), hl.i8(w * 5)
        f[v, w] = (
            a / b, a % b, a // b, u / hl.u8(w), u % hl.u8(w), s / hl.i8(b), s % hl.i8(a),
            a << hl.clamp(b, -31, 31), a >> hl.clamp(b, -31, 31), u << hl.clamp(s, -7, 7),
            a & b, a | b, a ^ b, ~a, -s, u + u, s * s, u - hl.u8(w), a ** 3, hl.abs(s),
            hl.min(u, s), hl.max(u, s), hl.clamp(a, -3, 9), hl.select(a < b, a, a > 5, b, 7),
            hl.mux(v, [b, a, 3]), hl.mux(u, [a, b]), hl.u8((a < b) & (b < 9) | ~(a == b)),
            hl.u8((a < 3) ^ (b < 3)), hl.u8((a < 3) + (b < 3)), hl.u8((a < 3) * (b < 3)),
            hl.f32(a) % 7.0, hl.f32(a) // 3.0, hl.i32(hl.f32(a) * 1.5), hl.u8(a), hl.i64(u) * s,
        )  # fmt: skip
        results.append([np.array(r) for r in f.realize([41, 41])])
    for i, (theirs, ours) in enumerate(zip(*results, strict=True)):
        assert theirs.dtype == ours.dtype
        np.testing.assert_array_equal(ours, theirs, err_msg=f"value {i}")


def test_a_promise_to_be_clamped_holds_where_it_is_kept() -> None:
    hl = compiler
    v, f = hl.Var("v"), hl.Func("f")
    table = hl.Buffer(np.arange(10, dtype=np.uint8))
    f[v] = table[hl.unsafe_promise_clamped(v % 10, 0, 9)]
    np.testing.assert_array_equal(np.array(f.realize([30])), np.arange(30) % 10)


def test_an_expression_of_ten_thousand_operators_is_no_matter() -> None:
    hl = compiler
    e = hl.i32(hl.Var("x"))
    for i in range(10_000):
        e = e * 3 + i if i % 2 else e ^ i
    assert len(str(e)) > 10_000
    f = hl.Func("f")
    f[hl.Var("x")] = e


def test_text_of_an_expression_that_shares_its_operands_ends() -> None:
    e = compiler.f32(compiler.Var("x"))
    for _ in range(200):
        e = e * e
    assert str(e).endswith("...")
