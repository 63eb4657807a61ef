"""One form for what the original and the DSL spell differently, before the two are compared.

Every rule is an identity of typed expressions, for all values (`tests/verify/test_canonical.py`
proves each). They aren't the rewrites of the search: those are proposals, these are trusted.

    f32(i32(x: u8))                               ->  f32(x): a widened integer is the same number
    u8(select(c, i32(x), y))                      ->  select(c, x, u8(y)), and to floats
    (n + select(n < 0, d - 1, 0)) / d             ->  n /t d, toward zero (d positive)
    i64(a: i32) * i64(b: i32), within 32 bits      ->  i64(a * b)
    i32(a + b: i64)                               ->  i32(a) + i32(b): the low bits are the same
    i32(a + b: u16), within 16 bits               ->  i32(a) + i32(b)
    select(i32(a) < i32(b), a, b)                 ->  min(a, b), for integers
    min(b, min(a, b))                             ->  min(a, b), for integers
    select(x < 0, 0, min(x, 255))                 ->  max(min(x, 255), 0), as min(max(x, 0), 255)
    n /t d, n never negative, d positive          ->  n / d, and the same for the remainder
    b + a                                         ->  a + b, in an order that is theirs
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from weakref import WeakKeyDictionary

from compiler.ir import (
    GE,
    GT,
    I32,
    I64,
    LE,
    LT,
    U32,
    Add,
    Cast,
    Comparison,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Select,
    Shr,
    Sub,
    TruncDiv,
    TruncMod,
    Type,
    commutes,
    evaluate,
)
from compiler.ir.bounds_of_values import value_range
from compiler.ir.operators import Range

from ..dag import structural_key
from .encode import is_leaf, value_postorder

_orders: WeakKeyDictionary[Expr, bytes] = WeakKeyDictionary()


def _order(expr: Expr) -> bytes:
    """What operands are put in order by: the same in every run, and as short for a large operand.

    The order itself means nothing, so that two operands might have one digest is no matter.
    """
    found = _orders.get(expr)
    if found is None:
        inside = b"" if is_leaf(expr) else b"".join(map(_order, expr.children))
        own = structural_key(expr) if not inside else getattr(expr, "name", "")
        text = f"{type(expr).__name__} {expr.type} {own} ".encode()
        found = _orders[expr] = blake2b(text + inside, digest_size=16).digest()
    return found


class Intervals:
    """Bounds of integers, from their types and from what is known of leaves."""

    def __init__(self, known: Mapping[Expr, Range]) -> None:
        self.known = known
        self._done: dict[Expr, Range] = {}

    def __call__(self, expr: Expr) -> Range:
        return value_range(expr, self.known, self._done)


def canonical(expr: Expr, intervals: Intervals) -> Expr:
    """`expr` in the form above; what stands in reads (below leaves) stays as it is."""
    done: dict[Expr, Expr] = {}
    for node in value_postorder(expr):
        if is_leaf(node) or not node.children:
            done[node] = node
        else:
            done[node] = _simple(node.rebuild(tuple(done[c] for c in node.children)), intervals)
    return done[expr]


def _simple(node: Expr, intervals: Intervals) -> Expr:
    if isinstance(node, Cast):
        return _cast(node.type, node.value, intervals)
    narrow = _in_32_bits(node, intervals)
    if narrow is not None:
        return _cast(I64, _simple(narrow, intervals), intervals) if node.type is I64 else narrow
    if isinstance(node, (TruncDiv, TruncMod)) and node.type.is_integer:
        divisor = node.b
        if intervals(divisor)[0] > 0 and intervals(node.a)[0] >= 0:
            made: Expr = (Div if isinstance(node, TruncDiv) else Mod)(node.a, divisor)
            return made
    if isinstance(node, Div) and node.type.is_int:
        return _toward_zero(node, intervals)
    if isinstance(node, Select):
        node = _extremum(node) or _clamp(node, intervals) or node
    if isinstance(node, (Min, Max)) and node.type.is_integer:
        return _chain(node)
    if commutes(node):
        a, b = node.children
        if _order(b) < _order(a):
            return node.rebuild((b, a))
    return node


def _chain(node: Min | Max) -> Expr:
    """The extremum of all that `node` is the extremum of, each once, in one order."""
    parts = _parts(node)
    if len(parts) == 2 and isinstance(node, Min):
        return _clamped(*parts)
    return _joined(type(node), parts)


def _parts(node: Min | Max) -> dict[Expr, None]:
    """What `node` is the extremum of."""
    parts: dict[Expr, None] = {}
    pending = [*reversed(node.children)]
    while pending:
        part = pending.pop()
        if type(part) is type(node):
            pending.extend(reversed(part.children))
        else:
            parts[part] = None
    return parts


def _joined(kind: type[Min] | type[Max], parts: Iterable[Expr]) -> Expr:
    first, *others = sorted(parts, key=_order)
    for other in others:
        first = kind(first, other)
    return first


def _clamped(a: Expr, b: Expr) -> Expr:
    """The minimum of two, where one is max(x, low) and the other a greater constant: max(min(x,
    high), low)."""
    for one, high in ((a, b), (b, a)):
        if not isinstance(one, Max) or not isinstance(high, Const):
            continue
        inner = _parts(one)
        lows = [p for p in inner if isinstance(p, Const)]
        if len(lows) == 1 and len(inner) == 2 and lows[0].value <= high.value:
            (x,) = inner.keys() - {lows[0]}
            return _chain(Max(_chain(Min(x, high)), lows[0]))
    return _joined(Min, (a, b))


def _clamp(node: Select, intervals: Intervals) -> Expr | None:
    """select(x < low, low, min(x, high)) is max(min(x, high), low), and so it is upside down."""
    test = node.condition
    kinds = _CHOSEN.get(type(test))
    if kinds is None or not node.type.is_integer or node.type.is_bool:
        return None
    assert isinstance(test, Comparison)
    for_less = kinds[0] is Min
    inner, bound = node.b, node.a
    if not isinstance(inner, Min if for_less else Max):
        return None
    if not _is_same_number(test.b, bound):
        return None
    others = [p for p in _parts(inner) if not _is_same_number(p, test.a)]
    if len(others) == len(_parts(inner)):
        return None
    least, most = intervals(bound)
    if for_less and all(intervals(p)[0] >= most for p in others):
        return _chain(Max(inner, bound))
    if not for_less and all(intervals(p)[1] <= least for p in others):
        return _chain(Min(inner, bound))
    return None


def _extremum(node: Select) -> Expr | None:
    """min(a, b) or max(a, b), where `node` chooses between integers by a comparison of the two."""
    test = node.condition
    kinds = _CHOSEN.get(type(test))
    if kinds is None or not node.type.is_integer or node.type.is_bool:
        return None
    assert isinstance(test, Comparison)
    a, b = test.children
    if _is_same_number(a, node.a) and _is_same_number(b, node.b):
        return kinds[0](node.a, node.b)
    if _is_same_number(b, node.a) and _is_same_number(a, node.b):
        return kinds[1](node.a, node.b)
    return None


_CHOSEN: dict[type[Expr], tuple[type[Expr], type[Expr]]] = {
    LT: (Min, Max), LE: (Min, Max), GT: (Max, Min), GE: (Max, Min),
}  # fmt: skip
"""What `select(a < b, a, b)` is, and `select(b < a, a, b)`."""


def _is_same_number(a: Expr, b: Expr) -> bool:
    """Whether two integers, perhaps of two types, are always the same number."""
    a, b = _narrowest(a), _narrowest(b)
    if isinstance(a, Const) and isinstance(b, Const):
        return a.value == b.value
    return a is b


def _narrowest(expr: Expr) -> Expr:
    """What stands under casts that keep every integer's value."""
    while isinstance(expr, Cast) and expr.type.is_integer and expr.value.type.is_integer:
        inner = expr.value
        if inner.type.is_bool or not expr.type.contains_all(inner.type):
            break
        expr = inner
    return expr


def _in_32_bits(node: Expr, intervals: Intervals) -> Expr | None:
    """An int64 operation in int32, where its operands and its result are numbers of 32 bits."""
    if not node.children or node.children[-1].type is not I64:
        return None
    divides = isinstance(node, (Div, Mod, TruncDiv, TruncMod))
    shifts = isinstance(node, Shr)
    if not (divides or shifts or isinstance(node, (*_EXACT, Comparison))):
        return None
    last = node.children[-1]
    if divides and intervals(last)[0] <= 0:
        return None  # the least number divided by -1 isn't one of 32 bits
    if shifts and not (isinstance(last, Const) and 0 <= last.value < 32):
        return None
    if node.type is I64:
        low, high = intervals(node)
        if low < I32.min or high > I32.max:
            return None
    parts: list[Expr] = []
    for child in node.children:
        if isinstance(child, Const) and I32.contains(int(child.value)):
            parts.append(Const(I32, int(child.value)))
        elif isinstance(child, Cast) and child.value.type.is_integer:
            inner = child.value.type
            if inner.is_bool or not I32.contains_all(inner):
                return None
            parts.append(_cast(I32, child.value, intervals))
        else:
            return None
    return node.rebuild(tuple(parts))


_EXACT = (Add, Sub, Mul, Min, Max, Neg)


def _cast(type: Type, value: Expr, intervals: Intervals) -> Expr:
    """`type(value)`, converted once where the steps between change nothing."""
    if value.type is type:
        return value
    if isinstance(value, Const) and value.value is not None and _is_plain(type, value.type):
        return Const(type, evaluate(Cast(type, value), {}).item())
    if isinstance(value, Cast) and value.type.is_integer and value.value.type.is_integer:
        inner = value.value
        if not (value.type.is_bool or inner.type.is_bool) and value.type.contains_all(inner.type):
            return _cast(type, inner, intervals)
    if type in (I32, U32) and value.type is I64 and isinstance(value, (Add, Sub, Mul, Neg)):
        narrow: Expr = value.rebuild(tuple(_cast(type, c, intervals) for c in value.children))
        return _simple(narrow, intervals)
    if type is I32 and _is_exact(value, intervals):
        wide: Expr = value.rebuild(tuple(_cast(type, c, intervals) for c in value.children))
        return _simple(wide, intervals)
    if isinstance(value, Select):
        a, b = (_cast(type, arm, intervals) for arm in (value.a, value.b))
        chosen: Expr = Select(value.condition, a, b)
        return chosen
    made: Expr = Cast(type, value)
    return made


def _is_exact(value: Expr, intervals: Intervals) -> bool:
    """Whether a narrow sum, difference or product is the mathematical one, in 32 bits too."""
    if not isinstance(value, Add | Sub | Mul) or value.type.is_bool:
        return False
    if not value.type.is_integer or value.type.bits > 16:
        return False
    (a, b), (c, d) = map(intervals, value.children)
    if isinstance(value, Add):
        low, high = a + c, b + d
    elif isinstance(value, Sub):
        low, high = a - d, b - c
    else:
        low, *_, high = sorted((a * c, a * d, b * c, b * d))
    return value.type.min <= low and high <= value.type.max


def _is_plain(target: Type, source: Type) -> bool:
    """Whether a constant of one type may be converted to the other at once."""
    usual = target.is_float and target.code == "float" and target.bits in (32, 64)
    whole = target.is_integer and not target.is_bool
    return source.is_integer and not source.is_bool and (whole or usual)


def _toward_zero(node: Div, intervals: Intervals) -> Expr:
    """n /t d, where `node` is (n + select(n < 0, d - 1, 0)) / d: below zero, rounding up instead of
    down is what truncation does, and n + d - 1 overflows for no negative n."""
    total, divisor = node.a, node.b
    if not isinstance(total, Add) or intervals(divisor)[0] <= 0:
        return node
    for n, moved in ((total.a, total.b), (total.b, total.a)):
        if (
            isinstance(moved, Select)
            and isinstance(moved.condition, LT)
            and moved.condition.a is n
            and _is(moved.condition.b, 0)
            and _is_one_less(moved.a, divisor)
            and _is(moved.b, 0)
        ):
            made: Expr = TruncDiv(n, divisor)
            return made
    return node


def _is_one_less(expr: Expr, than: Expr) -> bool:
    if isinstance(than, Const):
        return _is(expr, int(than.value) - 1)
    return isinstance(expr, Sub) and expr.a is than and _is(expr.b, 1)


def _is(expr: Expr, value: int) -> bool:
    return isinstance(expr, Const) and expr.value == value
