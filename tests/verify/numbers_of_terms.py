"""Z3 terms on numpy arrays: an evaluator that shares nothing with the encoder under test.

Z3 itself takes minutes to substitute every pair of bytes; this takes milliseconds, and the tests
compare it with Z3's own simplifier on a sample. Bit-vectors are unsigned object arrays of Python
integers, booleans are boolean arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import z3


def numbers(term: Any, values: Mapping[str, Any]) -> Any:
    """The value of a bit-vector or boolean term where its symbols have `values`."""
    done: dict[int, Any] = {}

    def walk(node: Any) -> Any:
        found = done.get(node.get_id())
        if found is None:
            found = done[node.get_id()] = _node(node, [walk(c) for c in node.children()], values)
        return found

    return walk(term)


def _node(node: Any, args: list[Any], values: Mapping[str, Any]) -> Any:
    kind = node.decl().kind()
    if z3.is_bv_value(node):
        return node.as_long()
    if kind == z3.Z3_OP_UNINTERPRETED:
        return values[node.decl().name()]
    if kind in _ON_BITS:
        bits = node.children()[0].size()
        return _ON_BITS[kind](bits, *args)
    if kind in (z3.Z3_OP_SIGN_EXT, z3.Z3_OP_ZERO_EXT):
        bits, wider = node.children()[0].size(), node.size()
        value = _signed(bits, args[0]) if kind == z3.Z3_OP_SIGN_EXT else args[0]
        return value % (1 << wider)
    if kind == z3.Z3_OP_EXTRACT:
        high, low = node.params()
        return (args[0] >> low) % (1 << (high - low + 1))
    return _LOGIC[kind](*args)


def _signed(bits: int, a: Any) -> Any:
    half = 1 << (bits - 1)
    return (a + half) % (1 << bits) - half


def _quotient(a: Any, b: Any) -> Any:
    """Toward zero; `b` is not zero."""
    return np.abs(a) // np.abs(b) * np.where((a < 0) == (b < 0), 1, -1)


def _by_signed_division(bits: int, a: Any, b: Any, *, remainder: bool) -> Any:
    a, b = _signed(bits, a), _signed(bits, b)
    safe = np.where(b == 0, 1, b)
    quotient = _quotient(a, safe)
    result = a - quotient * safe if remainder else quotient
    by_zero = a if remainder else np.where(a < 0, 1, -1)
    return np.where(b == 0, by_zero, result) % (1 << bits)


def _by_unsigned_division(bits: int, a: Any, b: Any, *, remainder: bool) -> Any:
    safe = np.where(b == 0, 1, b)
    by_zero = a if remainder else (1 << bits) - 1
    return np.where(b == 0, by_zero, a % safe if remainder else a // safe)


def _shifted(bits: int, a: Any, b: Any) -> Any:
    return a >> np.minimum(b, bits)


_ON_BITS: dict[int, Callable[..., Any]] = {
    z3.Z3_OP_BNEG: lambda bits, a: -a % (1 << bits),
    z3.Z3_OP_BNOT: lambda bits, a: (1 << bits) - 1 - a,
    z3.Z3_OP_BADD: lambda bits, *a: sum(a) % (1 << bits),
    z3.Z3_OP_BSUB: lambda bits, a, b: (a - b) % (1 << bits),
    z3.Z3_OP_BMUL: lambda bits, a, b: a * b % (1 << bits),
    z3.Z3_OP_BAND: lambda bits, a, b: a & b,
    z3.Z3_OP_BOR: lambda bits, a, b: a | b,
    z3.Z3_OP_BXOR: lambda bits, a, b: a ^ b,
    z3.Z3_OP_BSHL: lambda bits, a, b: (a << np.minimum(b, bits)) % (1 << bits),
    z3.Z3_OP_BLSHR: _shifted,
    z3.Z3_OP_BASHR: lambda bits, a, b: _shifted(bits, _signed(bits, a), b) % (1 << bits),
    z3.Z3_OP_BSDIV: lambda bits, a, b: _by_signed_division(bits, a, b, remainder=False),
    z3.Z3_OP_BSREM: lambda bits, a, b: _by_signed_division(bits, a, b, remainder=True),
    z3.Z3_OP_BUDIV: lambda bits, a, b: _by_unsigned_division(bits, a, b, remainder=False),
    z3.Z3_OP_BUREM: lambda bits, a, b: _by_unsigned_division(bits, a, b, remainder=True),
    z3.Z3_OP_SLT: lambda bits, a, b: _signed(bits, a) < _signed(bits, b),
    z3.Z3_OP_SLEQ: lambda bits, a, b: _signed(bits, a) <= _signed(bits, b),
    z3.Z3_OP_SGT: lambda bits, a, b: _signed(bits, a) > _signed(bits, b),
    z3.Z3_OP_SGEQ: lambda bits, a, b: _signed(bits, a) >= _signed(bits, b),
    z3.Z3_OP_ULT: lambda bits, a, b: a < b,
    z3.Z3_OP_ULEQ: lambda bits, a, b: a <= b,
    z3.Z3_OP_UGT: lambda bits, a, b: a > b,
    z3.Z3_OP_UGEQ: lambda bits, a, b: a >= b,
}

_LOGIC: dict[int, Callable[..., Any]] = {
    z3.Z3_OP_TRUE: lambda: np.bool_(True),
    z3.Z3_OP_FALSE: lambda: np.bool_(False),
    z3.Z3_OP_EQ: lambda a, b: np.equal(a, b).astype(bool),
    z3.Z3_OP_DISTINCT: lambda a, b: np.not_equal(a, b).astype(bool),
    z3.Z3_OP_NOT: lambda a: np.logical_not(a).astype(bool),
    z3.Z3_OP_AND: lambda a, b: np.logical_and(a, b).astype(bool),
    z3.Z3_OP_OR: lambda a, b: np.logical_or(a, b).astype(bool),
    z3.Z3_OP_XOR: lambda a, b: np.not_equal(a, b).astype(bool),
    z3.Z3_OP_ITE: lambda c, a, b: np.where(c, a, b),
}
