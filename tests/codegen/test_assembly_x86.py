"""On each level of x86 the instructions that a person would have used are there."""

from __future__ import annotations

from typing import Any

import pytest

from compiler import ir
from compiler.ir import (
    F32,
    I8,
    I16,
    I32,
    U8,
    U16,
    U32,
    Load,
    Mul,
    Ramp,
    Type,
    Variable,
    intrinsic,
)  # fmt: skip
from compiler.ir.stmts import Argument, Block, For, LetStmt, LoweredFunction, Store

from .assembly import clamp, instructions, of, of_kernel, of_sums, to
from .kernels import I, field, int32, splat

SSE, AVX2, AVX512 = "x86-64", "x86-64-avx2", "x86-64-avx512"
LEVELS = [SSE, AVX2, AVX512]


def scaled(a: Any, b: Any) -> Any:
    total = ir.Add(ir.Mul(to(I32, a), to(I32, b)), splat(1 << 14, I32.with_lanes(a.type.lanes)))
    return ir.Shr(total, splat(15, total.type))


def average(a: Any, b: Any) -> Any:
    total = ir.Add(ir.Add(to(U16, a), to(U16, b)), splat(1, U16.with_lanes(a.type.lanes)))
    return to(U8, ir.Shr(total, splat(1, total.type)))


def high(a: Any, b: Any, wide: Type, narrow: Type) -> Any:
    product = ir.Mul(to(wide, a), to(wide, b))
    return to(narrow, ir.Shr(product, splat(16, product.type)))


def rounded(a: Any) -> Any:
    total = ir.Add(to(U16, a), splat(8, U16.with_lanes(a.type.lanes)))
    return to(U8, ir.Shr(total, splat(4, total.type)))


def below(a: Any, b: Any) -> Any:
    total = ir.Add(to(U16, a), to(U16, b))
    return to(U8, ir.Min(total, splat(255, total.type)))


def above(a: Any, b: Any) -> Any:
    difference = ir.Sub(to(I16, a), to(I16, b))
    return to(U8, ir.Max(difference, splat(0, difference.type)))


KERNELS: dict[str, tuple[Any, list[Type], Type, str, str]] = {
    # make, inputs, output, instruction wanted (without the v of AVX), one that must not be there
    "saturating sum": (below, [U8, U8], U8, "paddusb", "pminuw"),
    "saturating difference": (above, [U8, U8], U8, "psubusb", "pmaxsw"),
    "average": (average, [U8, U8], U8, "pavgb", "psrlw"),
    "upper half, unsigned": (lambda a, b: high(a, b, U32, U16), [U16, U16], U16, "pmulhuw",
                             "pmulld"),
    "upper half, signed": (lambda a, b: high(a, b, I32, I16), [I16, I16], I16, "pmulhw", "pmulld"),
    "rounded product": (lambda a, b: to(I16, clamp(scaled(a, b), -32768, 32767)), [I16, I16], I16,
                        "pmulhrsw", "pmulld"),
    "rounded product that wraps": (lambda a, b: to(I16, scaled(a, b)), [I16, I16], I16, "pmulhrsw",
                                   "pcmpeqw"),
    "squares": (lambda a, b: ir.Add(ir.Mul(to(I32, a), to(I32, a)), ir.Mul(to(I32, b), to(I32, b))),
                [I16, I16], I32, "pmaddwd", "pmulld"),
    "distance": (lambda a, b: intrinsic("absd", a, b), [U8, U8], U8, "pmaxub", "pabsw"),
    "smaller float": (lambda a, b: ir.Max(ir.Min(a, b), splat(0.0, a.type)), [F32, F32], F32,
                      "maxps", "cmpltps"),
    "division by a constant": (lambda a: ir.Div(a, splat(7, a.type)), [I16], I16, "pmulhuw",
                               "idivl"),
    "narrowed with saturation": (lambda a: to(I16, clamp(a, -32768, 32767)), [I32], I16, "packssdw",
                                 "pminsd"),
}  # fmt: skip


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("target", LEVELS)
@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_has_its_instruction(name: str, target: str) -> None:
    make, inputs, output, wanted, unwanted = KERNELS[name]
    found = instructions(of_kernel(make, inputs, output, target))
    prefix = "" if target == SSE else "v"
    if (name, target) == ("narrowed with saturation", AVX512):
        wanted = "pmovsdw"
    assert prefix + wanted in found
    assert prefix + unwanted not in found


def test_byte_sums_round_with_a_shift_and_an_average() -> None:
    assert "pmullw" not in instructions(of_kernel(rounded, [U8], U8, AVX2))


@pytest.mark.parametrize("target", LEVELS)
def test_pairs_of_products_are_summed_by_one_instruction(target: str) -> None:
    found = instructions(
        of_sums(lambda a, b: ir.Mul(to(I32, a), to(I32, b)), [I16, I16], I32, 2, target)
    )
    assert ("pmaddwd" if target == SSE else "vpmaddwd") in found
    assert not {"pmulld", "vpmulld"} & found


@pytest.mark.parametrize("types", [(U8, I8), (I8, U8)], ids=str)
def test_products_of_bytes_are_summed_in_fours_where_the_machine_can(
    types: tuple[Type, Type],
) -> None:
    def make(a: Any, b: Any) -> Any:
        return ir.Mul(to(I32, a), to(I32, b))

    with_it = instructions(of_sums(make, list(types), I32, 4, AVX512 + "+avx512vnni"))
    assert "vpdpbusd" in with_it
    without = instructions(of_sums(make, list(types), I32, 4, AVX512))
    assert "vpmaddwd" in without and "vpdpbusd" not in without


def test_sums_to_pairs_are_accumulated_where_the_machine_can() -> None:
    def make(a: Any, b: Any) -> Any:
        return ir.Mul(to(I32, a), to(I32, b))

    found = instructions(of_sums(make, [I16, I16], I32, 2, AVX512 + "+avx512vnni"))
    assert "vpdpwssd" in found and "vpaddd" not in found


def test_a_product_in_too_few_bits_is_not_taken_for_a_pair() -> None:
    """Negative twin: the product wraps at 16 bits before it is widened."""

    def make(a: Any, b: Any) -> Any:
        return to(I32, ir.Mul(a, b))

    assert "vpmullw" in instructions(of_sums(make, [I16, I16], I32, 2, AVX2))


def test_remainders_of_a_vectorized_stage_are_not_vectorized_again() -> None:
    def vectors(name: str, stage: bool) -> int:
        """Averages in a vector loop and in a scalar one, of one stage or of two."""
        index = [Ramp(Mul(I, int32(64)), int32(1), 64), I]
        loops = []
        for number, place in enumerate(index):
            lanes = place.type.lanes
            a, b = (Load(n, (place,), U8.with_lanes(lanes)) for n in "ab")
            loop = f"f.s{0 if stage else number}.x{number}"
            body = LetStmt("i", Variable(loop, I32), Store("out", average(a, b), place))
            loops.append(For(loop, int32(0), field("out", "extent"), "serial", body))
        arguments = (Argument("a", U8, 1), Argument("b", U8, 1), Argument("out", U8, 1, True))
        return of(LoweredFunction(name, arguments, Block(tuple(loops))), AVX2).count("vpavgb")

    assert vectors("f", stage=True) == 2
    assert vectors("f", stage=False) > 2
