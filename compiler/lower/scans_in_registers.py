"""Prefix sums, running minima and the like go a vector of steps at a time.

A loop that combines each element with the one before it is serial, and so each step waits for the
last. Integers may be combined in any order: within a vector the prefixes of all lanes take
log2(lanes) shuffles, and only one operation a vector waits for the vector before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..ir import (
    I32,
    I64,
    Add,
    Broadcast,
    Const,
    Div,
    Expr,
    Load,
    Mul,
    Ramp,
    Sub,
    Variable,
    concat_lanes,
    const,
    postorder,
    shuffle_lanes,
    simplify,
    substitute,
)
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.coordinate_sums import is_far
from ..ir.simplify import whole_terms
from ..ir.stmt_transform import block, children_of, rebuild

MOST_LANES = 64

_IDEMPOTENT = (n.Min, n.Max, n.BitAnd, n.BitOr)


def scans_in_registers(stmt: s.Stmt, vector_bits: int) -> s.Stmt:
    """Serial loops that combine each integer with the one before, in vectors and a rest.

    for r in [0, +n): f[r + 1] = f[r] + a[r]
    ->  if n >= 16:
          f.carry[0:16] = f[0] in every lane
          for r.block in [0, n / 16):
            vectorized r in the block: f.terms[lane] = a[r]
            f.terms = f.terms + (its lanes moved by 1); ... by 2; by 4; by 8
            f[of the block] = f.carry + f.terms; f.carry += (the last of f.terms, in every lane)
        for r in the rest: (as before)

    Needs flat memory and loops not yet vectorized, of which those inside of vectors stay as they
    are.
    """
    if isinstance(stmt, s.For):
        if stmt.kind in ("vectorized", "unrolled"):
            return stmt
        made = _in_vectors(stmt, vector_bits) if stmt.kind == "serial" else None
        if made is not None:
            return made
    return rebuild(
        stmt, tuple(scans_in_registers(c, vector_bits) for c in children_of(stmt)), lambda e: e
    )


@dataclass(frozen=True)
class Combination:
    """previous op terms."""

    operation: type[n.Binary]
    previous: Expr
    terms: Expr


def combination(value: Expr, is_previous: Callable[[Expr], bool]) -> Combination | None:
    """`value` as one associative operation on integers, with one operand that `is_previous`."""
    if not value.type.is_integer:
        return None
    for operation in (n.Add, *_IDEMPOTENT):
        operands = _operands(value, operation)
        previous = [e for e in operands if is_previous(e)]
        if len(operands) < 2 or len(previous) != 1:
            continue
        terms = [e for e in operands if e is not previous[0]]
        if len(terms) < len(operands) - 1:
            continue
        made = terms[0]
        for term in terms[1:]:
            made = operation(made, term)
        return Combination(operation, previous[0], made)
    return None


def _operands(value: Expr, operation: type[n.Binary]) -> list[Expr]:
    if operation is n.Add and isinstance(value, n.Sub):
        return [*_operands(value.a, n.Add), n.Neg(value.b)]
    if isinstance(value, operation):
        return [*_operands(value.a, operation), *_operands(value.b, operation)]
    return [value]


def _in_vectors(loop: s.For, vector_bits: int) -> s.Stmt | None:
    store = loop.body
    if not isinstance(store, s.Store) or store.predicate is not None:
        return None
    type, index = store.value.type, store.index
    if type.lanes != 1 or not type.is_integer or index.type is not I64:
        return None
    variable = Variable(loop.name, I32)
    step = _distance(index, substitute(index, {variable: Add(variable, const(1))}))
    if step not in (1, -1):
        return None

    def is_previous(e: Expr) -> bool:
        if not isinstance(e, Load) or e.array != store.buffer or e.predicate is not None:
            return False
        return e.type is type and _distance(e.indices[0], index) == step

    found = combination(store.value, is_previous)
    if found is None or not _reads_its_own(found.terms, store):
        return None
    lanes = min(max(vector_bits // type.bits, 2), MOST_LANES)
    return _blocks(loop, store, found, int(step), lanes)


def _reads_its_own(terms: Expr, store: s.Store) -> bool:
    """Whether the terms read of the memory that is written the element alone that is."""
    for node in postorder(terms):
        if isinstance(node, n.Call) and node.kind != "intrinsic":
            return False
        if isinstance(node, Load) and node.array == store.buffer:
            own = node.predicate is None and node.type is store.value.type
            if not own or _distance(node.indices[0], store.index) != 0:
                return False
    return True


def _distance(a: Expr, b: Expr) -> int | None:
    """b - a, where it is the same for all values of the variables."""
    terms, constant = whole_terms(simplify(Sub(_widened(b), _widened(a))))
    return None if terms or is_far(constant, I64) else constant


def _widened(e: Expr) -> Expr:
    """An index, whose parts of 32 bits don't overflow, as a sum in 64 bits."""
    if isinstance(e, n.Cast) and e.type is I64 and e.value.type is I32:
        inner = e.value
        if isinstance(inner, (Add, Sub, Mul)):
            return type(inner)(_widened(n.Cast(I64, inner.a)), _widened(n.Cast(I64, inner.b)))
        return n.Cast(I64, inner)
    if isinstance(e, (Add, Sub, Mul)):
        return type(e)(_widened(e.a), _widened(e.b))
    return e


def _blocks(loop: s.For, store: s.Store, found: Combination, step: int, lanes: int) -> s.Stmt:
    type, variable = store.value.type, Variable(loop.name, I32)
    wide = type.with_lanes(lanes)
    number, lane = Variable(f"{loop.name}.block", I32), Variable(f"{loop.name}.lane", I32)
    start = Add(loop.min, Mul(number, const(lanes)))

    def at(e: Expr, place: Expr) -> Expr:
        return simplify(substitute(e, {variable: place}))

    terms, carry = f"{store.buffer}.terms", f"{store.buffer}.carry"
    every = Ramp(Const(I64, 0), Const(I64, 1), lanes)
    each = s.Store(terms, at(found.terms, Add(start, lane)), n.Cast(I64, lane))
    prefixes: Expr = Load(terms, (every,), wide)
    distance = 1
    while distance < lanes:
        prefixes = found.operation(prefixes, _moved(prefixes, distance, found.operation))
        distance *= 2
    carried = Load(carry, (every,), wide)
    last = shuffle_lanes(Load(terms, (every,), wide), [lanes - 1] * lanes)
    place = Ramp(at(store.index, start), Const(I64, step), lanes)
    body = block(
        s.For(lane.name, const(0), const(lanes), "vectorized", each),
        s.Store(terms, prefixes, every),
        s.Store(store.buffer, found.operation(carried, Load(terms, (every,), wide)), place),
        s.Store(carry, found.operation(carried, last), every),
    )
    count = simplify(Div(loop.extent, const(lanes)))
    size = Const(I64, lanes)
    vectors: s.Stmt = s.For(number.name, const(0), count, "serial", body)
    begin = s.Store(carry, Broadcast(at(found.previous, loop.min), lanes), every)
    vectors = s.Allocate(carry, type, size, block(begin, vectors), "register")
    vectors = s.Allocate(terms, type, size, vectors, "register")
    done = simplify(Mul(n.Max(count, const(0)), const(lanes)))
    rest = s.For(
        loop.name, simplify(Add(loop.min, done)), simplify(Sub(loop.extent, done)), "serial", store
    )
    return block(s.IfThenElse(n.LT(const(0), count), vectors), rest)


def _moved(value: Expr, distance: int, operation: type[n.Binary]) -> Expr:
    """Lane i has what lane i - distance had; the first ones what changes nothing."""
    lanes = value.type.lanes
    if operation in _IDEMPOTENT:
        return shuffle_lanes(value, [max(lane - distance, 0) for lane in range(lanes)])
    zero = Broadcast(Const(value.type.element, 0), lanes)
    order = [lane if lane < distance else lanes + lane - distance for lane in range(lanes)]
    return shuffle_lanes(concat_lanes(zero, value), order)


__all__ = ["Combination", "combination", "scans_in_registers"]
