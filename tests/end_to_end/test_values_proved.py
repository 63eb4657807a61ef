"""Values that legacy code computes in other words than the DSL, lifted as they read best."""

from __future__ import annotations

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.parse.parsing import kernel

HEADER = """\
#include <cassert>
#include <cstdint>
#include <cstdlib>
static inline int div255(int x) { return (x + 128 + ((x + 128) >> 8)) >> 8; }
static inline int mix(int a, int b, int t) { return div255(a * (255 - t) + b * t); }
static inline int dodge(int b, int s) {
    return s == 255 ? 255 : b * 255 / (255 - s) > 255 ? 255 : b * 255 / (255 - s);
}
"""
PLANES = "uint8_t *d, const uint8_t *s, const uint8_t *m, int n, int a"


def lift(value: str, parameters: str = PLANES, before: str = "") -> FunctionResult:
    body = f"{before} for (int i = 0; i < n; i++) d[i] = {value};"
    return lift_kernel(kernel(f"{HEADER}void f({parameters}) {{ {body} }}\n"), LiftOptions())


def shown(result: FunctionResult) -> str:
    assert result.status == "proved", result.diagnostic
    return str(result.summaries[-1].expression)


def test_pixels_become_floats_and_bytes_again() -> None:
    text = shown(lift("(uint8_t)(d[i] / 255.0f * (s[i] / 255.0f) * 255.0f + 0.5f)"))
    assert text == "uint8(float32(d(x)) / 255.0f * (float32(s(x)) / 255.0f) * 255.0f + 0.5f)"
    # What lies outside of a byte is undefined in the one and cut off in the other.
    assert "uint8(int32(" in shown(lift("(uint8_t)(int)(s[i] * 1.5f)"))


@pytest.mark.slow
def test_a_stated_range_leaves_a_plain_division() -> None:
    value = "(uint8_t)((d[i] * (255 - a) + s[i] * a) / 255)"
    text = shown(lift(value, before="assert(a >= 0 && a <= 255);"))
    assert text == "uint8((int32(d(x)) * (255 - a) + int32(s(x)) * a) / 255)"
    assert "/t 255" in shown(lift(value))  # toward zero
    assert "/t 255" in shown(lift(value, before="assert(a >= 0 && a <= 256);"))


def test_functions_are_compared_one_by_one() -> None:
    result = lift(
        "mix(d[i], dodge(d[i], s[i]), div255(m[i] * a))", before="assert(a >= 0 && a <= 255);"
    )
    assert "dodge(" in shown(result)
    assert result.proof is not None
    texts = [o.text for o in result.proof.obligations]
    assert "`dodge`, which d calls, keeps its meaning in the DSL" in texts


@pytest.mark.slow
def test_64_bits_stay_where_32_do_not_hold_the_value() -> None:
    value = "(uint8_t)((labs(c[i]) > 65536 ? 65536 : labs(c[i])) * 255 >> 16)"
    assert "int64" in shown(lift(value, "uint8_t *d, const int *c, int n"))
    value = "(uint8_t)((2 * d[i] * s[i] * 257L) >> 17)"
    assert "int64" not in shown(lift(value))


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("bias", [126, 127, 128])
def test_sums_of_rounded_products(bias: int) -> None:
    value = f"(uint8_t)((s[i] * m[i] + {bias}) / 255 + div255(d[i] * (255 - m[i])))"
    assert f"+ {bias}) / 255" in shown(lift(value))


def test_a_refuted_proposal_gives_way_to_what_the_original_says(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    from dataclasses import replace

    from compiler.ir import U8, Add, const
    from lifter.lift import lift_stage

    search = lift_stage.find_expression

    def wrong(target, *args, **kwargs):  # type: ignore[no-untyped-def]
        found = search(target, *args, **kwargs)
        return replace(found, expression=Add(found.expression, const(1, U8)))

    monkeypatch.setattr(lift_stage, "find_expression", wrong)
    assert shown(lift("(uint8_t)(255 - s[i])")) == "uint8(255 - int32(s(x)))"
