"""Sums of bytes into one number add a vector of bytes at a time, eight of them in each lane.

Left to itself, code generation widens each byte to the sum's type before it adds it. Machines that
have an instruction for it (`PSADBW`) add eight bytes to one 64-bit number at once.
"""

from __future__ import annotations

from ..ir import (
    I32,
    I64,
    U8,
    U64,
    Add,
    Broadcast,
    Cast,
    Const,
    Div,
    Expr,
    Load,
    Mul,
    Ramp,
    Sub,
    Variable,
    const,
    intrinsic,
    number_behind,
    postorder,
    reduce_lanes,
    simplify,
    substitute,
)
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.stmt_transform import block, children_of, rebuild

GROUP = 8
"""Bytes of one lane of sums."""


def byte_sums(stmt: s.Stmt, vector_bits: int) -> s.Stmt:
    """Serial loops that add bytes to one integer of at least 16 bits, in vectors and a rest.

    for r in [0, +n): f[0] = f[0] + uint32(a[r])
    ->  if n >= 64:
          f.sums[0:8] = 0
          for r.block in [0, n / 64):
            vectorized r in the block: f.bytes[lane] = a[r]
            f.sums = f.sums + (f.bytes, of which each eight are one sum)
          f[0] = f[0] + uint32(the sum of f.sums)
        for r in the rest: (as before)

    Needs flat memory and loops not yet vectorized, of which those inside of vectors stay as they
    are. The sum wraps as it did: it is a sum modulo a power of two.
    """
    if isinstance(stmt, s.For):
        if stmt.kind in ("vectorized", "unrolled"):
            return stmt
        made = _in_vectors(stmt, vector_bits // 8) if stmt.kind == "serial" else None
        if made is not None:
            return made
    return rebuild(stmt, tuple(byte_sums(c, vector_bits) for c in children_of(stmt)), lambda e: e)


def _in_vectors(loop: s.For, lanes: int) -> s.Stmt | None:
    store = loop.body
    if not isinstance(store, s.Store) or store.predicate is not None:
        return None
    term = _term(store, loop.name)
    if term is None:
        return None
    variable, type = Variable(loop.name, I32), store.value.type
    number, lane = Variable(f"{loop.name}.block", I32), Variable(f"{loop.name}.lane", I32)
    place = Add(Add(loop.min, Mul(number, const(lanes))), lane)
    bytes, sums = f"{store.buffer}.bytes", f"{store.buffer}.sums"
    # Of a distance both sides are bytes in vectors: the instruction takes these.
    parts: tuple[Expr, ...] = (term,)
    if isinstance(term, n.Call) and term.name == "absd" and term.args[0].type is U8:
        parts = term.args
    sides = {f"{bytes}{number or ''}": part for number, part in enumerate(parts)}
    every = Ramp(Const(I64, 0), Const(I64, 1), lanes)
    each = block(
        *(
            s.Store(name, simplify(substitute(side, {variable: place})), Cast(I64, lane))
            for name, side in sides.items()
        )
    )
    groups = Ramp(Const(I64, 0), Const(I64, 1), lanes // GROUP)
    wide = U64.with_lanes(lanes // GROUP)
    loaded: Expr
    loaded, *other = (Load(name, (every,), U8.with_lanes(lanes)) for name in sides)
    if other:
        loaded = intrinsic("absd", loaded, *other)
    grouped = reduce_lanes("add", Cast(U64.with_lanes(lanes), loaded), lanes // GROUP)
    body = block(
        s.For(lane.name, const(0), const(lanes), "vectorized", each),
        s.Store(sums, Add(Load(sums, (groups,), wide), grouped), groups),
    )
    count = simplify(Div(loop.extent, const(lanes)))
    total = Cast(type, reduce_lanes("add", Load(sums, (groups,), wide)))
    vectors: s.Stmt = block(
        s.Store(sums, Broadcast(Const(U64, 0), lanes // GROUP), groups),
        s.For(number.name, const(0), count, "serial", body),
        s.Store(store.buffer, Add(Load(store.buffer, (store.index,), type), total), store.index),
    )
    size = Const(I64, lanes // GROUP)
    vectors = s.Allocate(sums, U64, size, vectors, "register")
    for name in sides:
        vectors = s.Allocate(name, U8, Const(I64, lanes), vectors, "register")
    done = simplify(Mul(n.Max(count, const(0)), const(lanes)))
    rest = s.For(
        loop.name, simplify(Add(loop.min, done)), simplify(Sub(loop.extent, done)), "serial", store
    )
    return block(s.IfThenElse(n.LT(const(0), count), vectors), rest)


def _term(store: s.Store, counter: str) -> Expr | None:
    """The byte that each iteration adds to what the store's place has; None where that isn't it."""
    type, value, index = store.value.type, store.value, store.index
    if type.lanes != 1 or not type.is_integer or type.bits < 16 or not isinstance(value, Add):
        return None
    fixed = (x for x in postorder(index) if isinstance(x, (Load, n.Call)) or _is(x, counter))
    if index.type is not I64 or any(True for _ in fixed):
        return None
    own = Load(store.buffer, (index,), type)
    if own not in (value.a, value.b):
        return None
    term = number_behind(value.b if value.a is own else value.a)
    if term.type is not U8:
        return None
    for node in postorder(term):
        if isinstance(node, Load) and (node.array == store.buffer or node.predicate is not None):
            return None
        if isinstance(node, n.Call) and node.kind != "intrinsic":
            return None
    return term if any(_is(x, counter) for x in postorder(term)) else None


def _is(e: Expr, counter: str) -> bool:
    return isinstance(e, Variable) and e.name == counter


__all__ = ["byte_sums"]
