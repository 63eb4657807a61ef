"""The DSL's type rules for operators between operands of different types.

They decide which of the C++ source's many casts say nothing in the DSL, because its operators
convert by themselves. Source: the observed behaviour of the Halide package (tests/emit replays
each rule on the real one).
"""

from __future__ import annotations

from compiler.ir import Float, Int, Type, UInt


def arithmetic(a: Type, b: Type) -> Type:
    """The type of `a + b`, and the type in which `a < b` compares.

    Floats win over integers; the wider of two of a kind; a signed one of the wider width when
    signs differ (so uint32 with int32 is int32).
    """
    if a is b:
        return a
    if a.is_float and b.is_float:
        return Float(max(a.bits, b.bits))
    if a.is_float or b.is_float:
        return a if a.is_float else b
    bits = max(a.bits, b.bits)
    return UInt(bits) if a.is_uint and b.is_uint else Int(bits)


def bitwise(a: Type, b: Type) -> Type | None:
    """The type of `a & b`: the wider one; None where the DSL refuses (signs differ)."""
    if a is b:
        return a
    if not a.is_integer or not b.is_integer or a.code != b.code:
        return None
    return a if a.bits > b.bits else b
