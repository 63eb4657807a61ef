"""Where arrays lie in memory, as far as code asks: how far a pointer is from an aligned place.

    while (n > 0 && ((uintptr_t)d & 15)) { *d++ = 0; n--; }

An array's address is a number that nobody knows (`model.parameters.address_of`), a whole number of
elements. What is left of it by a power of two is a number like any other; whatever else would be
made of an address is refused where a result depends on it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from compiler.ir import (
    I64,
    Add,
    BitAnd,
    BitOr,
    BitXor,
    Cast,
    Const,
    Expr,
    Mod,
    Mul,
    Neg,
    Sub,
    Type,
    Variable,
    postorder,
)

from ..model.kernel import Stmt, expressions_of, statements
from ..model.parameters import PAGE, address_of
from .bindings import Pointer, PointerValue
from .failure import unsupported
from .folding import add, fold, scale
from .translation import Translation

_ADDRESS = ".address"


def address_as_number(t: Translation, pointer: PointerValue, type: Type) -> Expr | None:
    """The address that a pointer into a parameter's array is, as a number of 64 bits; None for
    another one."""
    if not type.is_integer or type.bits != 64 or not isinstance(pointer, Pointer):
        return None
    own = t.declared.arrays.get(pointer.array)
    if own is None or own.origin != "param" or pointer.level != 1 or pointer.row is not None:
        return None
    t.addresses.add(pointer.array)
    place = add(address_of(pointer.array), pointer.offset)
    return Cast(type, scale(place, pointer.element.bytes))


def remainder_of_address(operator: str, a: Expr, b: Expr) -> Expr | None:
    """`a & b` and `a % b` of an address and a power of two (less one); None for anything else."""
    if operator == "&" and isinstance(a, Const):
        a, b = b, a
    if operator not in ("&", "%") or not isinstance(b, Const) or not a.type.is_integer:
        return None
    modulus = int(b.value) + (operator == "&")
    if modulus < 2 or modulus & (modulus - 1) or not _names_address(a):
        return None
    if operator == "%" and not a.type.is_uint:
        return None
    place = _modulo(a, modulus)
    return None if place is None else Cast(a.type, fold(Mod(place, Const(I64, modulus))))


def refuse_whole_addresses(t: Translation, body: Iterable[Stmt]) -> None:
    """Raises `pointer-cast` where more is used of an address than remainders by powers of two."""
    if not t.addresses:
        return
    names = {address_of(name).name for name in t.addresses}
    for stmt in statements(tuple(body)):
        for e in expressions_of(stmt):
            if _uses_whole(e, names, set()):
                text = "more of an address is used than where it is aligned"
                raise unsupported(
                    "pointer-cast", stmt.span, text,
                    "use its remainder by a power of two alone, as tests of alignment do",
                )  # fmt: skip


def _uses_whole(e: Expr, names: Collection[str], done: set[Expr]) -> bool:
    """Whether an address stands in an expression anywhere but under a remainder."""
    if e in done:
        return False
    done.add(e)
    if isinstance(e, Variable):
        return e.name in names
    if isinstance(e, (Mod, BitAnd)) and isinstance(e.b, Const):
        most = int(e.b.value) - isinstance(e, Mod)
        if 0 <= most < PAGE and _keeps_low_bits(e.a):
            return False
    return any(_uses_whole(child, names, done) for child in e.children)


def _keeps_low_bits(e: Expr) -> bool:
    """Whether the lowest bits of an expression are made of the lowest bits of its leaves alone."""
    if isinstance(e, (Variable, Const)):
        return True
    is_cast = isinstance(e, Cast) and e.value.type.is_integer and e.type.bits >= 16
    is_low = isinstance(e, (Add, Sub, Mul, Neg, BitAnd, BitOr, BitXor)) and e.type.is_integer
    return (is_cast or is_low) and all(map(_keeps_low_bits, e.children))


def _names_address(e: Expr) -> bool:
    return any(isinstance(n, Variable) and n.name.endswith(_ADDRESS) for n in postorder(e))


def _modulo(e: Expr, modulus: int) -> Expr | None:
    """An int64 that differs from `e` by a multiple of `modulus`, which is a power of two."""
    if e.type is I64 and not isinstance(e, Cast):
        return e
    match e:
        case Const(value=value):
            return Const(I64, int(value))
        case Cast(value=value) if value.type.is_integer and not value.type.is_bool:
            narrowest = min(e.type.bits, value.type.bits)
            return _modulo(value, modulus) if 1 << narrowest >= modulus else None
        case Add(a=a, b=b) | Sub(a=a, b=b) | Mul(a=a, b=b):
            one, other = _modulo(a, modulus), _modulo(b, modulus)
            if one is None or other is None:
                return None
            return fold(type(e)(one, other))
        case Neg(value=value):
            inner = _modulo(value, modulus)
            return None if inner is None else fold(Neg(inner))
        case BitAnd(a=a, b=Const(value=mask)) if int(mask) % modulus == modulus - 1:
            return _modulo(a, modulus)
    return None
