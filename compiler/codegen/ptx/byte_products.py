"""Sums of products of bytes, four of which GPUs add in one instruction (`dp4a`).

    i32(a[x]) * i32(b[y]) + ... + i32(a[x + 3]) * i32(b[y + 3]) + rest
    ->  dp4a(a[x ... x + 3], b[y ... y + 3], rest)

Bytes go together that lie in a row in memory, with others that do, or with constants: packed one by
one they would cost what their products do. In vectors they lie so for each lane.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from ... import ir
from ...ir import I8, I32, U8, Call, Cast, Const, Expr, Load, Ramp, Type, concat_lanes
from ..affine import as_ramp, constant_stride, terms
from ..builder import FunctionBuilder, Value
from ..selection.matching import constant_of, narrowed
from ..selection.products import product_of

OLDEST = 61
"""The first generation that has the instruction."""
GROUP = 4
_KINDS = {(U8, U8): "u.u", (I8, I8): "s.s", (U8, I8): "u.s"}
"""Types of bytes that are multiplied, with the instruction's name for them."""
_SUMS = (I32, ir.U32)
NAME = "ptx_dp4a"


class ByteProducts:
    """Finds such sums in expressions; keeps what it found for shared nodes."""

    def __init__(self) -> None:
        self._done: dict[Expr, Expr] = {}

    def __call__(self, expr: Expr) -> Expr:
        """An expression of the same value, with the instruction where it fits."""
        if expr not in self._done:
            self._select(expr)
        return self._done[expr]

    def _select(self, expr: Expr) -> None:
        nodes = [n for n in _within(expr) if n not in self._done]
        parts: set[Expr] = set()
        sums: dict[Expr, list[Expr]] = {}
        for node in reversed(nodes):
            if isinstance(node, ir.Add) and node.type.element in _SUMS and node not in parts:
                parts |= {n for n in _flat(node) if isinstance(n, ir.Add)}
                sums[node] = [n for n in _flat(node) if not isinstance(n, ir.Add)]
        for node in nodes:
            made = None
            if node in sums:
                made = _summed(sums[node], self._done)
            elif isinstance(node, Call) and node.name == "reduce_add":
                made = _reduced(node)
            if made is None:
                made = node.rebuild(tuple(self._done.get(c, c) for c in node.children))
            self._done[node] = _accumulated(made)


def _within(expr: Expr) -> list[Expr]:
    """Each node once, operands first, without those of addresses."""
    found: dict[Expr, None] = {}
    stack = [expr]
    while stack:
        node = stack[-1]
        waiting = [] if isinstance(node, Load) else [c for c in node.children if c not in found]
        if waiting:
            stack += waiting
        else:
            found[stack.pop()] = None
    return list(found)


def _flat(total: Expr) -> Iterator[Expr]:
    """The sums that a sum is made of, itself included, and what they are sums of."""
    stack = [total]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, ir.Add):
            stack += [node.b, node.a]


@dataclass(frozen=True)
class _Factor:
    """A byte in each lane: in memory, beside others with the same `row`, or a constant."""

    expr: Expr
    row: tuple[object, ...] = ()
    place: int = 0

    @property
    def name(self) -> str:
        """Of the memory."""
        return self.expr.array if isinstance(self.expr, Load) else ""


def _summed(every: Sequence[Expr], done: Mapping[Expr, Expr]) -> Expr | None:
    """The sum of the terms, with groups of four; None where there are none."""
    kind = max(_KINDS, key=lambda kind: len(_groups(every, kind)))
    groups = _groups(every, kind)
    if not groups:
        return None
    taken = {term for group in groups for term, _, _ in group}
    left = [done[term] for term in every if term not in taken]
    type = every[0].type
    total = reduce(ir.Add, left) if left else _splat(0, type.element, type.lanes)
    for group in groups:
        a, b = _packed([a for _, a, _ in group]), _packed([b for _, _, b in group])
        total = Call(f"{NAME}.{_KINDS[kind]}", (a, b, total), type, "intrinsic")
    return total


_Product = tuple[Expr, _Factor, _Factor]


def _groups(every: Sequence[Expr], kind: tuple[Type, Type]) -> list[list[_Product]]:
    """Products of four bytes in a row each; of three where the last one doesn't count."""
    rows: dict[tuple[object, ...], dict[int, _Product]] = {}
    for term, count in Counter(every).items():
        factors = _factors(term, kind) if count == 1 else None
        if factors is not None:
            a, b = factors
            beside = b.place - a.place if a.row and b.row else 0
            place = a.place if a.row else b.place
            rows.setdefault((a.row, b.row, beside), {})[place] = (term, a, b)
    found = []
    for (a_row, b_row, _), row in rows.items():
        # Pixels with a channel that isn't looked at: other vectors have no such gaps.
        is_padded = every[0].type.lanes > 1 and not (a_row and b_row)
        places = sorted(row)
        while places:
            for count in (GROUP, GROUP - 1)[: 2 if is_padded else 1]:
                if places[count - 1 : count] == [places[0] + count - 1]:
                    found.append([row[p] for p in places[:count]])
                    places = places[count:]
                    break
            else:
                places = places[1:]
    return found


def _factors(term: Expr, kind: tuple[Type, Type]) -> tuple[_Factor, _Factor] | None:
    """The two factors of a term, if they are of `kind`, and one at least lies in memory."""
    found = product_of(term, kind)
    if found is None:
        byte = narrowed(term, kind[0]) if isinstance(term, Cast) else None
        if byte is None:
            return None
        found = byte, _splat(1, kind[1], term.type.lanes)
    a, b = (_factor(each) for each in found)
    if a is None or b is None or not (a.row or b.row):
        return None
    same = kind[0] is kind[1]
    return (b, a) if same and a.row and b.row and a.name > b.name else (a, b)


def _factor(byte: Expr) -> _Factor | None:
    if constant_of(byte) is not None:
        return _Factor(byte)
    if not isinstance(byte, Load) or byte.predicate is not None or len(byte.indices) != 1:
        return None
    base = byte.indices[0]
    if byte.type.lanes > 1:
        ramp = as_ramp(base)
        if ramp is None or constant_stride(ramp) != GROUP:
            return None
        base = ramp.base
    if base.type not in (I32, ir.I64):
        return None
    of, place = terms(base)
    return _Factor(byte, (byte.array, byte.type, frozenset(of.items())), place)


def _packed(factors: Sequence[_Factor]) -> Expr:
    """The bytes of the four factors in a row, for each lane; constants as one word for all."""
    first = factors[0].expr
    if not factors[0].row:
        numbers = [constant_of(each.expr) or 0 for each in factors]
        return Const(I32, I32.wrap(sum((n & 255) << 8 * k for k, n in enumerate(numbers))))
    assert isinstance(first, Load)
    base = first.indices[0]
    if first.type.lanes > 1:
        ramp = as_ramp(base)
        assert ramp is not None
        base = ramp.base
    missing = GROUP - len(factors)
    lanes = GROUP * first.type.lanes - missing
    dense: Expr = Ramp(base, Const(base.type, 1), lanes)
    loaded = Load(first.array, (dense,), first.type.with_lanes(lanes))
    return concat_lanes(loaded, *[Const(first.type.element, 0)] * missing)


def _reduced(node: Call) -> Expr | None:
    """A sum of products of all lanes, or of groups of them."""
    (value,) = node.args
    if value.type.lanes // node.type.lanes % GROUP:
        return None
    for kind, suffix in _KINDS.items():
        found = product_of(value, kind)
        if found is not None:
            zero = _splat(0, node.type.element, node.type.lanes)
            return Call(f"{NAME}.{suffix}", (*found, zero), node.type, "intrinsic")
    return None


def _accumulated(total: Expr) -> Expr:
    """A sum with a group in it, to which the instruction adds the rest."""
    if isinstance(total, ir.Add):
        for group, rest in ((total.a, total.b), (total.b, total.a)):
            if isinstance(group, Call) and group.name.startswith(NAME):
                a, b, before = group.args
                if constant_of(before) == 0:
                    return Call(group.name, (a, b, rest), total.type, "intrinsic")
    return total


def _splat(value: int, type: Type, lanes: int) -> Expr:
    constant = Const(type, value)
    return ir.Broadcast(constant, lanes) if lanes > 1 else constant


def dp4a(f: FunctionBuilder, node: Call, args: Sequence[Value]) -> Value:
    """The value of what `ByteProducts` makes: a call on bytes, bytes or a word for all, a sum."""
    lanes, suffix = node.type.lanes, node.name.removeprefix(f"{NAME}.")
    callee = f.module.declare(f"llvm.nvvm.idp4a.{suffix}", "i32", "i32, i32, i32")
    a, b, before = (_words(f, v, arg.type) for v, arg in zip(args, node.args, strict=True))
    b = b * len(a) if len(b) == 1 else b
    a = a * len(b) if len(a) == 1 else a
    made = Value(f"<{lanes} x i32>", "poison")
    for lane, total in enumerate(before):
        each = len(a) // lanes
        for number in range(lane * each, (lane + 1) * each):
            total = f.call("i32", callee, [a[number], b[number], total])
        if lanes == 1:
            return total
        made = f.emit(made.type, f"insertelement {made}, {total}, i32 {lane}")
    return made


def _words(f: FunctionBuilder, value: Value, type: Type) -> list[Value]:
    """The words that a value is made of: four bytes of a vector each, or a number."""
    count = type.lanes // (GROUP if type.bytes == 1 else 1)
    if type.bytes == 1:
        vector = f"<{count} x i32>" if count > 1 else "i32"
        value = f.emit(vector, f"bitcast {value} to {vector}")
    if count == 1:
        return [value]
    return [f.emit("i32", f"extractelement {value}, i32 {word}") for word in range(count)]


INSTRUCTIONS = {f"{NAME}.{suffix}": dp4a for suffix in _KINDS.values()}

__all__ = ["INSTRUCTIONS", "OLDEST", "ByteProducts"]
