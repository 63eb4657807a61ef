"""One form for what the original and the DSL spell differently, before the two are compared.

Every rule is an identity of typed expressions, for all values (`tests/verify/test_canonical.py`
proves each). They aren't the rewrites of the search: those are proposals, these are trusted.

    f32(i32(x: u8))                               ->  f32(x): a widened integer is the same number
    u8(select(c, i32(x), y))                      ->  select(c, x, u8(y)), and to floats
    (n + select(n < 0, c - 1, 0)) / c             ->  n /t c, toward zero (c a positive constant)
    i64(a: i32) * i64(b: i32), within 32 bits      ->  i64(a * b), and so of leaves within 32 bits
    i32(a + b: i64)                               ->  i32(a) + i32(b): the low bits are the same
    i32(a + b: u16), within 16 bits               ->  i32(a) + i32(b)
    select(i32(a) < i32(b), a, b)                 ->  min(a, b), for integers
    select(a != b, x, y)                          ->  select(a == b, y, x)
    min(b, min(a, b))                             ->  min(a, b), for integers
    select(x < 0, 0, min(x, 255))                 ->  max(min(x, 255), 0), as min(max(x, 0), 255)
    n /t d, neither ever negative                 ->  n / d, and the same for the remainder
    n /t d, d never negative                      ->  (n + select(n < 0, d - 1, 0)) / d
    n /t d, signs unknown                         ->  select(n < 0 && n % d != 0, select(d < 0,
                                                      n / d - 1, n / d + 1), n / d)
    b + a                                         ->  a + b, in an order that is theirs
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from weakref import WeakKeyDictionary

from compiler.ir import (
    COMMUTATIVE,
    COMPARISONS,
    EQ,
    GE,
    GT,
    I32,
    I64,
    LE,
    LT,
    NE,
    U32,
    Add,
    And,
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
from compiler.ir.bounds_of_values import never_wraps, value_range
from compiler.ir.formula import select
from compiler.ir.operators import Range
from compiler.ir.rewriting import AnyRule, Context, Rule, RuleSet, coded

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


class LeafIntervals:
    """Bounds of integers, from their types and from what is known of leaves."""

    def __init__(self, known: Mapping[Expr, Range]) -> None:
        self.known = known
        self._done: dict[Expr, Range] = {}

    def __call__(self, expr: Expr) -> Range:
        return value_range(expr, self.known, self._done)


def canonical(expr: Expr, intervals: LeafIntervals) -> Expr:
    """`expr` in the form above; what stands in reads (below leaves) stays as it is."""
    context = _Canonical(intervals)
    done: dict[Expr, Expr] = {}
    for node in value_postorder(expr):
        if is_leaf(node) or not node.children:
            done[node] = node
        else:
            done[node] = context.simplify(node.rebuild(tuple(done[c] for c in node.children)))
    return done[expr]


class _Canonical:
    """The strategy: the first rule that fits, once; a rule's own nodes are put in form likewise."""

    def __init__(self, intervals: LeafIntervals) -> None:
        self.ranges = intervals

    def simplify(self, expr: Expr) -> Expr:
        return CANONICAL_RULES.first(expr, self) or expr


def _chain_of(node: Min | Max) -> Expr:
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
            return _chain_of(Max(_chain_of(Min(x, high)), lows[0]))
    return _joined(Min, (a, b))


def _clamp(node: Select, context: Context) -> Expr | None:
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
    least, most = context.ranges(bound)
    if for_less and all(context.ranges(p)[0] >= most for p in others):
        return _chain_of(Max(inner, bound))
    if not for_less and all(context.ranges(p)[1] <= least for p in others):
        return _chain_of(Min(inner, bound))
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


def _in_32_bits(node: Expr, context: Context) -> Expr | None:
    """An int64 operation in int32, where its operands and its result are numbers of 32 bits."""
    if not node.children or node.children[-1].type is not I64:
        return None
    shifts = isinstance(node, Shr)
    last = node.children[-1]
    if shifts and not (isinstance(last, Const) and 0 <= last.value < 32):
        return None
    if node.type is I64 and not _is_within(I32, context.ranges(node)):
        return None
    parts: list[Expr] = []
    for child in node.children:
        if isinstance(child, Const) and I32.contains(int(child.value)):
            parts.append(Const(I32, int(child.value)))
        elif isinstance(child, Cast) and child.value.type.is_integer:
            inner = child.value.type
            if inner.is_bool or not I32.contains_all(inner):
                return None
            parts.append(_cast(I32, child.value, context))
        elif is_leaf(child) and _is_within(I32, context.ranges(child)):
            parts.append(_cast(I32, child, context))
        else:
            return None
    return node.rebuild(tuple(parts))


def _is_within(type: Type, interval: Range) -> bool:
    return type.contains(interval[0]) and type.contains(interval[1])


_EXACT, _DIVISIONS = (Add, Sub, Mul, Min, Max, Neg), (Div, Mod, TruncDiv, TruncMod)


def _cast(type: Type, value: Expr, context: Context) -> Expr:
    """`type(value)`, converted once where the steps between change nothing."""
    if value.type is type:
        return value
    if isinstance(value, Const) and value.value is not None and _is_plain(type, value.type):
        return Const(type, evaluate(Cast(type, value), {}).item())
    if isinstance(value, Cast) and value.type.is_integer and value.value.type.is_integer:
        inner = value.value
        if not (value.type.is_bool or inner.type.is_bool) and value.type.contains_all(inner.type):
            return _cast(type, inner, context)
    if type in (I32, U32) and value.type is I64 and isinstance(value, (Add, Sub, Mul, Neg)):
        narrow: Expr = value.rebuild(tuple(_cast(type, c, context) for c in value.children))
        return context.simplify(narrow)
    if type is I32 and _is_exact(value, context):
        wide: Expr = value.rebuild(tuple(_cast(type, c, context) for c in value.children))
        return context.simplify(wide)
    if isinstance(value, Select):
        a, b = (_cast(type, arm, context) for arm in (value.a, value.b))
        chosen: Expr = Select(value.condition, a, b)
        return chosen
    made: Expr = Cast(type, value)
    return made


def _is_exact(value: Expr, context: Context) -> bool:
    """Whether a narrow sum, difference or product is the mathematical one, in 32 bits too."""
    if not isinstance(value, Add | Sub | Mul) or value.type.is_bool:
        return False
    if not value.type.is_integer or value.type.bits > 16:
        return False
    return never_wraps(value, *map(context.ranges, value.children))


def _is_plain(target: Type, source: Type) -> bool:
    """Whether a constant of one type may be converted to the other at once."""
    usual = target.is_float and target.code == "float" and target.bits in (32, 64)
    whole = target.is_integer and not target.is_bool
    return source.is_integer and not source.is_bool and (whole or usual)


_LIST: list[AnyRule] = []


@coded(
    _LIST,
    "conversion",
    "f32(i32(x: u8)) = f32(x), u8(select(c, i32(x), y)) = select(c, x, u8(y))",
    Cast,
)
def _converted(node: Expr, context: Context) -> Expr | None:
    assert isinstance(node, Cast)
    return _cast(node.type, node.value, context)


@coded(_LIST, "32-bits", "i64(a: i32) * i64(b: i32) = i64(a * b), within 32 bits",
       *_EXACT, *_DIVISIONS, Shr, *COMPARISONS)  # fmt: skip
def _narrowed(node: Expr, context: Context) -> Expr | None:
    narrow = _in_32_bits(node, context)
    if narrow is None or node.type is not I64:
        return narrow
    return _cast(I64, context.simplify(narrow), context)


_LIST += [
    Rule("euclidean", "iu", lambda w: [
        (w.of(TruncDiv, w.x, w.y), w.x / w.y), (w.of(TruncMod, w.x, w.y), w.x % w.y),
    ], lambda f: f.low("y") >= 0 and f.low("x") >= 0),
    # Below zero, rounding up instead of down is what truncation does, and x + c overflows for no
    # negative x.
    Rule("toward-zero-by-constant", "i", lambda w: [
        ((w.x + select(w.x < 0, w.c, 0)) / w.d, w.of(TruncDiv, w.x, w.d)),
        ((select(w.x < 0, w.c, 0) + w.x) / w.d, w.of(TruncDiv, w.x, w.d)),
    ], lambda f: f["d"] > 0 and f["c"] == f["d"] - 1),
]  # fmt: skip


@coded(
    _LIST,
    "divisors",
    "n /t d = (n + select(n < 0, d - 1, 0)) / d, d never negative",
    TruncDiv,
    TruncMod,
)
def _by_what_is_no_constant(node: Expr, context: Context) -> Expr | None:
    """What a candidate says for it. A division by 0 is undefined, so that it may be the DSL's; the
    other way round, what is defined there would be lost."""
    n, d = node.children
    if isinstance(d, Const):
        return None

    def made(kind: type[Expr], *operands: Expr) -> Expr:
        return context.simplify(kind(*operands))

    zero, one = Const(node.type, 0), Const(node.type, 1)
    is_below = made(LT, n, zero)
    any_sign = context.ranges(d)[0] < 0
    if isinstance(node, TruncDiv) and not any_sign:
        return made(Div, made(Add, n, made(Select, is_below, made(Sub, d, one), zero)), d)
    rest = made(Mod, n, d)
    if isinstance(node, TruncDiv):
        plain = made(Div, n, d)
        below, above = made(Sub, plain, one), made(Add, plain, one)
    else:
        plain = rest
        below, above = made(Add, rest, d), made(Sub, rest, d)
    moved = made(Select, made(LT, d, zero), below, above) if any_sign else above
    return made(Select, made(And, is_below, made(NE, rest, zero)), moved, plain)


@coded(_LIST, "chosen-extreme", "select(i32(a) < i32(b), a, b) = min(a, b)", Select)
def _chosen(node: Expr, context: Context) -> Expr | None:
    assert isinstance(node, Select)
    found = _extremum(node) or _clamp(node, context)
    return None if found is None else context.simplify(found)


@coded(_LIST, "choice-by-equality", "select(a != b, x, y) = select(a == b, y, x)", Select)
def _by_equality(node: Expr, context: Context) -> Expr | None:
    assert isinstance(node, Select)
    test = node.condition
    return Select(EQ(test.a, test.b), node.b, node.a) if isinstance(test, NE) else None


@coded(_LIST, "chain-of-extremes", "min(b, min(a, b)) = min(a, b), min(max(x, 0), 255) ="
       " max(min(x, 255), 0)", Min, Max)  # fmt: skip
def _chain(node: Expr, context: Context) -> Expr | None:
    assert isinstance(node, Min | Max)
    return _chain_of(node) if node.type.is_integer else None


@coded(_LIST, "float-extreme", "min(f, g) = select(g < f, g, f), of floats", Min, Max)
def _by_comparison(node: Expr, context: Context) -> Expr | None:
    assert isinstance(node, Min | Max)
    if not node.type.is_float:
        return None
    is_other = LT(node.b, node.a) if isinstance(node, Min) else LT(node.a, node.b)
    return context.simplify(Select(is_other, node.b, node.a))


@coded(_LIST, "order", "b + a = a + b, in an order that is theirs", *COMMUTATIVE)
def _ordered(node: Expr, context: Context) -> Expr | None:
    a, b = node.children
    return node.rebuild((b, a)) if commutes(node) and _order(b) < _order(a) else None


CANONICAL_RULES = RuleSet(_LIST)
