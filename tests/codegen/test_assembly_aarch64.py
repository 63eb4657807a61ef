"""On AArch64 the instructions that a person would have used are there."""

from __future__ import annotations

from typing import Any

import pytest

from compiler import ir
from compiler.ir import F32, I8, I16, I32, U8, U16, Type, intrinsic

from .assembly import clamp, instructions, of_kernel, of_sums, to
from .test_assembly_x86 import above, average, below, rounded, scaled

KERNELS: dict[str, tuple[Any, list[Type], Type, str, str]] = {
    "saturating sum": (below, [U8, U8], U8, "uqadd", "umin"),
    "saturating difference": (above, [U8, U8], U8, "uqsub", "smax"),
    "average": (average, [U8, U8], U8, "urhadd", "uaddl"),
    "average in a sum": (lambda a, b: ir.Add(a, intrinsic("rounding_halving_add", a, b)),
                         [I16, I16], I16, "srhadd", "eor"),
    "average rounded down": (lambda a, b: ir.Add(a, intrinsic("halving_add", a, b)), [U8, U8], U8,
                             "uhadd", "eor"),
    "half difference": (lambda a, b: intrinsic("halving_sub", a, b), [I16, I16], I16, "shsub",
                        "eor"),
    "rounding shift": (rounded, [U8], U8, "urshr", "ushll"),
    "rounded product": (lambda a, b: to(I16, clamp(scaled(a, b), -32768, 32767)), [I16, I16], I16,
                        "sqrdmulh", "smull"),
    "wide product": (lambda a, b: ir.Mul(to(U16, a), to(U16, b)), [U8, U8], U16, "umull", "ushll"),
    "distance": (lambda a, b: intrinsic("absd", a, b), [U8, U8], U8, "uabd", "umax"),
    "narrowed with saturation": (lambda a: to(I16, clamp(a, -32768, 32767)), [I32], I16, "sqxtn",
                                 "smin"),
    "narrowed to unsigned": (lambda a: to(U8, clamp(a, 0, 255)), [I16], U8, "sqxtun", "smin"),
    "narrowed by two steps": (lambda a: to(U8, clamp(a, 0, 255)), [I32], U8, "sqxtun", "smin"),
    "clamped float": (lambda a: to(U8, clamp(a, 0.0, 255.0)), [F32], U8, "fmin", "fcmgt"),
}  # fmt: skip


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_has_its_instruction(name: str) -> None:
    make, inputs, output, wanted, unwanted = KERNELS[name]
    text = of_kernel(make, inputs, output, "aarch64")
    vector = "\n".join(line for line in text.splitlines() if ".16b" in line or ".8" in line
                       or ".4s" in line)  # fmt: skip
    found = {name.removesuffix(".v").removesuffix("2") for name in instructions(vector)}
    assert wanted in found
    assert unwanted not in found


@pytest.mark.parametrize(("types", "wanted"), [((U8, U8), "udot"), ((I8, I8), "sdot")], ids=str)
def test_products_of_bytes_are_summed_in_fours(types: tuple[Type, Type], wanted: str) -> None:
    def make(a: Any, b: Any) -> Any:
        return ir.Mul(to(I32, a), to(I32, b))

    assert wanted in instructions(of_sums(make, list(types), I32, 4, "aarch64+dotprod"))
    assert wanted not in instructions(of_sums(make, list(types), I32, 4, "aarch64"))


def test_signed_times_unsigned_needs_the_matrix_extension() -> None:
    def make(a: Any, b: Any) -> Any:
        return ir.Mul(to(I32, a), to(I32, b))

    assert "usdot" in instructions(of_sums(make, [U8, I8], I32, 4, "aarch64+dotprod+i8mm"))
    assert "usdot" not in instructions(of_sums(make, [U8, I8], I32, 4, "aarch64+dotprod"))


def test_floats_that_are_stored_keep_the_rule_for_nan() -> None:
    """Negative twin of the clamped float: `fmin` would give NaN where the language gives b."""
    text = of_kernel(lambda a: clamp(a, 0.0, 255.0), [F32], F32, "aarch64")
    assert "fmin" not in instructions(text)
