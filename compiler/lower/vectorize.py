"""The iterations of vectorized loops become lanes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..ir import (
    BOOL,
    I32,
    And,
    Broadcast,
    Const,
    Expr,
    Load,
    Mul,
    Select,
    Variable,
    const,
    shuffle_lanes,
    simplify,
    substitute,
    transform,
)
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.stmt_transform import block, children_of, map_expressions, prune, rebuild
from ..lang import HalideError
from .associative_store import Combination, combination
from .flatten import replacing
from .lane_values import (
    LaneDimension,
    Loops,
    Wide,
    combined,
    each_lane,
    last_of,
    number,
    spread,
    together,
)
from .widen import Lanes, SerialEffect, pieces_of, rows_of, start_of


def vectorize(stmt: s.Stmt, masked: bool = False) -> s.Stmt:
    """Every `vectorized` loop (of constant extent) as vector statements.

    Vectorized loops inside of each other make one vector over all their iterations. A condition
    that differs between lanes becomes a mask of the loads and stores under it; no lane that is off
    is read or written. A loop with bounds that differ between lanes runs as long as any lane needs.
    Scratch memory inside gets a place for each lane. What `Atomic` marks as an associative update
    of fewer places than there are lanes is combined across lanes first. Only calls with effects,
    and updates of places that several lanes may share, run lane by lane. `masked` says that the
    machine loads some lanes of a vector as fast as all.

        vectorized i in [0, +8): f[i] = a[i] + c   ->   f[ramp(0, 1, 8)] = a[ramp(0, 1, 8)] + x8(c)
        vectorized i in [0, +8): if i < n: f[i] = a[i]
        ->  f[ramp(0, 1, 8)] = (a[ramp(0, 1, 8)] if m) if m, for m = ramp(0, 1, 8) < x8(n)
    """
    if isinstance(stmt, s.For) and stmt.kind == "vectorized":
        return _Vectorizer(masked).loop(stmt, Lanes((), masked=masked))
    children = tuple(vectorize(child, masked) for child in children_of(stmt))
    return rebuild(stmt, children, lambda e: e)


class _Vectorizer:
    """Statements inside of an outermost vectorized loop; names what it binds apart."""

    def __init__(self, masked: bool) -> None:
        self.bound, self.masked = 0, masked

    def fresh(self, name: str) -> str:
        self.bound += 1
        return f"{name}.lanes{self.bound}"

    def loop(self, stmt: s.For, at: Lanes) -> s.Stmt:
        """A vectorized loop: one more dimension of lanes."""
        if not isinstance(stmt.extent, Const):
            raise HalideError(
                "Can only vectorize for loops over a constant extent.\n"
                f"Loop over {stmt.name} has extent {stmt.extent}."
            )
        lanes = int(stmt.extent.value)
        if lanes <= 0:
            return s.Block(())
        variable: Expr = Variable(stmt.name, I32)
        if lanes == 1:
            return self.statement(_replaced(stmt.body, variable, stmt.min), at)
        start, body = at.wide(stmt.min), stmt.body
        if not start.is_uniform:
            body = _replaced(body, variable, n.Add(variable, stmt.min))
            start = Wide(I32, (), at.sizes, const(0))
        loops = (*at.loops, LaneDimension(stmt.name, start.expr, lanes))
        sizes = tuple(d.lanes for d in loops)
        variables = {k: _resized(w, sizes) for k, w in at.variables.items()}
        mask = None if at.mask is None else _resized(at.mask, sizes)
        variables[variable] = start_of(loops[-1], len(loops) - 1, sizes)
        return self.statement(body, Lanes(loops, variables, mask, at.own, self.masked))

    def statement(self, stmt: s.Stmt, at: Lanes) -> s.Stmt:
        if not at.loops:
            return vectorize(stmt, self.masked)
        try:
            return self._statement(stmt, at)
        except SerialEffect:
            return self.serially(stmt, at)

    def _statement(self, stmt: s.Stmt, at: Lanes) -> s.Stmt:
        match stmt:
            case s.Block(stmts):
                return block(*(self.statement(x, at) for x in stmts)) if stmts else stmt
            case s.Store():
                return self.store(stmt, at)
            case s.For(kind="vectorized"):
                return self.loop(stmt, at)
            case s.For():
                return self.inner_loop(stmt, at)
            case s.IfThenElse():
                return self.branch(stmt, at)
            case s.LetStmt(name, value, body):
                made = at.wide(value)
                variable = Variable(name, value.type)
                if made.is_uniform:
                    inside = replace(at, variables=_without(at.variables, variable), done={})
                    let: s.Stmt = s.LetStmt(name, made.expr, self.statement(body, inside))
                else:
                    let = self.bind(name, made, variable, body, at)
                return self.where_any(let, at, value)
            case s.Allocate():
                return self.allocate(stmt, at)
            case s.Atomic(_, body):
                return self.atomic(stmt, body, at)
            case s.Prefetch(buffer, type, index, count):
                first = {v: w.base for v, w in at.variables.items() if w.base is not None}
                return s.Prefetch(buffer, type, _first(index, first), _first(count, first))
            case s.Evaluate(value):
                made = at.wide(value)
                return stmt if made.is_uniform and at.mask is None else s.Block(())
            case s.ProducerConsumer(func, is_producer, body):
                return s.ProducerConsumer(func, is_producer, self.statement(body, at))
        return self.serially(stmt, at)

    def bind(self, name: str, value: Wide, variable: Expr, body: s.Stmt, at: Lanes) -> s.Stmt:
        """`body` where `variable` stands for a value that differs between lanes."""
        if value.strides is not None:
            inside = replace(at, variables={**at.variables, variable: value}, done={})
            return self.statement(body, inside)
        fresh = self.fresh(name)
        bound = Wide(value.type, value.loops, at.sizes, Variable(fresh, value.expr.type))
        inside = replace(at, variables={**at.variables, variable: bound}, done={})
        return s.LetStmt(fresh, value.expr, self.statement(body, inside))

    def where_any(self, stmt: s.Stmt, at: Lanes, *reads: Expr) -> s.Stmt:
        """`stmt`, not run where no lane is on if it reads something that lanes share."""
        if at.mask is None or not at.reads_unmasked(*reads):
            return stmt
        return s.IfThenElse(_any(at.mask), stmt)

    def store(self, stmt: s.Store, at: Lanes) -> s.Stmt:
        index, value = at.place(stmt.buffer, at.wide(stmt.index)), at.wide(stmt.value)
        reads = (stmt.index, stmt.value)
        mask = at.mask
        if mask is None:
            if not set(value.loops) <= set(index.loops):
                # Lanes that store to one place: the last of them stays.
                value = Wide(value.type, *_kept(value, index.loops))
            made = self.written(stmt.buffer, value, index, None)
            return made
        loops = together(index, value)
        if loops == index.loops:
            some = tuple(loop for loop in mask.loops if loop in loops)
            if not some:
                one = self.written(stmt.buffer, value, index, None)
                return s.IfThenElse(_any(mask), one)
            where = spread(Wide(mask.type, some, at.sizes, combined("or", mask, some)), loops)
            made = self.written(stmt.buffer, value, index, where)
        else:
            loops = together(index, value, mask)
            made = s.Store(
                stmt.buffer, spread(value, loops), spread(index, loops), spread(mask, loops)
            )
        return self.where_any(made, at, *reads)

    def written(self, buffer: str, value: Wide, index: Wide, mask: Expr | None) -> s.Stmt:
        """The store of `value` to the places `index`, row by row where they are rows."""
        vector = spread(value, index.loops)
        access = rows_of(index) if index.loops else None
        if access is None or len(access.starts) == 1:
            place = index.expr
            if access is not None and access.order == index.loops:
                place = n.Ramp(access.starts[0], access.stride, access.lanes)
            return s.Store(buffer, vector, place, mask)
        name = self.fresh(f"{buffer}.rows")
        bound: Expr = Variable(name, vector.type)
        parts = pieces_of(bound, index.loops, access, index.sizes)
        masks = pieces_of(mask, index.loops, access, index.sizes)
        stores = [
            s.Store(buffer, part, n.Ramp(start, access.stride, access.lanes), on)
            for start, part, on in zip(access.starts, parts, masks, strict=True)
            if part is not None
        ]
        return s.LetStmt(name, vector, block(*stores))

    def branch(self, stmt: s.IfThenElse, at: Lanes) -> s.Stmt:
        condition, then, otherwise = stmt.condition, stmt.then, stmt.otherwise
        made = at.wide(condition)
        if made.is_uniform:
            rest = None if otherwise is None else self.statement(otherwise, at)
            one = s.IfThenElse(made.expr, self.statement(then, at), rest)
            return self.where_any(one, at, condition)
        bound = _reads(made.expr) or otherwise is not None
        name = self.fresh("mask")
        if bound:
            held = Wide(made.type, made.loops, at.sizes, Variable(name, made.expr.type))
        else:
            held = made
        body = self.under(then, held, at)
        if otherwise is not None:
            off = Wide(made.type, made.loops, at.sizes, n.Not(held.expr))
            body = block(body, self.under(otherwise, off, at))
        if bound:
            body = s.LetStmt(name, made.expr, body)
        return self.where_any(body, at, condition)

    def under(self, body: s.Stmt, condition: Wide, at: Lanes) -> s.Stmt:
        """`body` where `condition` is on, beside the mask there is."""
        mask = condition
        if at.mask is not None:
            loops = together(at.mask, condition)
            both = And(spread(at.mask, loops), spread(condition, loops))
            mask = Wide(condition.type, loops, at.sizes, both)
        # What was read in lanes that the condition now leaves out may be read there again.
        done: dict[Expr, Wide] = {k: w for k, w in at.done.items() if isinstance(k, Load)}
        inside = self.statement(body, replace(at, mask=mask, done=done))
        if isinstance(body, (s.For, s.Allocate)):
            return s.IfThenElse(_any(mask), inside)
        return inside

    def inner_loop(self, stmt: s.For, at: Lanes) -> s.Stmt:
        """A loop that runs once for all lanes; for as many steps as some lane has."""
        variable: Expr = Variable(stmt.name, I32)
        low, extent, body = at.wide(stmt.min), at.wide(stmt.extent), stmt.body
        # Threads don't see each other's vectors.
        kind: s.ForKind = "serial" if at.mask or len(at.variables) > len(at.loops) else stmt.kind
        first = low.expr
        if not low.is_uniform:
            body = _replaced(body, variable, n.Add(variable, stmt.min))
            first = const(0)
        inside = replace(at, variables=_without(at.variables, variable), done={})
        if extent.is_uniform:
            made = s.For(stmt.name, first, extent.expr, kind, self.statement(body, inside))
            return self.where_any(made, at, stmt.min, stmt.extent)
        steps = extent
        if at.mask is not None:
            loops = together(at.mask, extent)
            none = Broadcast(const(0), Wide(I32, loops, at.sizes).lanes)
            chosen = Select(spread(at.mask, loops), spread(extent, loops), none)
            steps = Wide(I32, loops, at.sizes, chosen)
        name = self.fresh(f"{stmt.name}.extent")
        held = Wide(I32, extent.loops, at.sizes, Variable(name, extent.expr.type))
        step = n.Sub(variable, first)
        lanes = extent.lanes
        running = n.LT(Broadcast(step, lanes), held.expr)
        on = Wide(BOOL, extent.loops, at.sizes, running)
        most = simplify(combined("max", steps, ()))
        loop = s.For(stmt.name, first, most, kind, self.under(body, on, inside))
        made_let = s.LetStmt(name, extent.expr, loop)
        return self.where_any(made_let, at, stmt.min, stmt.extent)

    def allocate(self, stmt: s.Allocate, at: Lanes) -> s.Stmt:
        """Each lane has its own memory: lanes lie next to each other."""
        size = at.wide(stmt.size)
        most = size.expr if size.is_uniform else combined("max", size, ())
        loops = tuple(range(len(at.loops)))
        total = simplify(Mul(most, const(Wide(I32, loops, at.sizes).lanes, most.type)))
        inside = replace(at, own={**at.own, stmt.buffer: loops}, done={})
        body = self.statement(stmt.body, inside)
        made = s.Allocate(stmt.buffer, stmt.type, total, body, stmt.memory)
        return self.where_any(made, at, stmt.size)

    def atomic(self, stmt: s.Atomic, body: s.Stmt, at: Lanes) -> s.Stmt:
        found = combination(body) if isinstance(body, s.Store) else None
        if found is not None and isinstance(body, s.Store):
            made = self.combined_store(body, found, at)
            if made is not None:
                return s.Atomic(stmt.buffer, made)
        return self.serially(stmt, at)

    def combined_store(self, stmt: s.Store, found: Combination, at: Lanes) -> s.Stmt | None:
        """`f[i] = f[i] + b` with b summed over the lanes that share a place first."""
        index, value = at.place(stmt.buffer, at.wide(stmt.index)), at.wide(found.operand)
        if not _is_injective(index):
            return None
        mask = at.mask
        everything = tuple(range(len(at.loops)))
        if found.operation in ("add", "mul") or mask is not None:
            vector = spread(value, everything)
            if mask is not None:
                neutral = const(found.neutral, vector.type)
                vector = Select(spread(mask, everything), vector, neutral)
            value = Wide(value.type, everything, at.sizes, vector)
        kept = tuple(loop for loop in value.loops if loop in index.loops)
        less = Wide(value.type, kept, at.sizes, combined(found.operation, value, kept))
        old = at.wide(Load(stmt.buffer, (stmt.index,), found.type))
        loops = index.loops
        # Every place that is named is read and written, so that a mask must not leave any out.
        where = at.mask_over(loops) if mask is not None else None
        new = found.rebuilt(spread(old, loops), spread(less, loops))
        made = self.written(stmt.buffer, Wide(new.type.element, loops, at.sizes, new), index, where)
        if mask is not None and (where is None or at.reads_unmasked(stmt.value, stmt.index)):
            return s.IfThenElse(_any(mask), made)
        return made

    def serially(self, stmt: s.Stmt, at: Lanes) -> s.Stmt:
        """`stmt` for one lane after the other."""
        loops = tuple(range(len(at.loops)))
        if at.mask is None and len(at.variables) == len(at.loops):
            body = self.for_lane(stmt, at, {}, None)
            for d in reversed(at.loops):
                body = s.For(d.variable, d.start, const(d.lanes), "serial", body)
            return body
        copies = []
        for lanes in each_lane(loops, at.sizes):
            here = {v: _value_at(w, lanes) for v, w in at.variables.items()}
            one = self.for_lane(stmt, at, here, lanes)
            if at.mask is not None:
                one = s.IfThenElse(_value_at(at.mask, lanes), one)
            copies.append(one)
        return block(*copies)

    def for_lane(
        self, stmt: s.Stmt, at: Lanes, here: dict[Expr, Expr], lanes: dict[int, int] | None
    ) -> s.Stmt:
        """The scalar statement in one lane, with that lane's part of its own memory."""
        offsets: dict[str, tuple[int, Expr]] = {}
        for buffer, loops in at.own.items():
            offset: Expr = const(0)
            count = 1
            for loop in reversed(loops):
                d = at.loops[loop]
                lane: Expr = n.Sub(Variable(d.variable, I32), d.start)
                if lanes is not None:
                    lane = const(lanes[loop])
                offset = n.Add(offset, Mul(lane, const(count)))
                count *= d.lanes
            offsets[buffer] = count, simplify(offset)

        def place(buffer: str, index: Expr) -> Expr:
            if buffer not in offsets:
                return index
            count, offset = offsets[buffer]
            scaled = Mul(index, const(count, index.type))
            return n.Add(scaled, n.Cast(index.type, offset) if index.type is not I32 else offset)

        def visit(e: Expr) -> Expr:
            def own(node: Expr) -> Expr:
                if isinstance(node, Load) and node.array in offsets:
                    index = place(node.array, node.indices[0])
                    return Load(node.array, (index,), node.type, node.predicate)
                return node

            moved = transform(e, own) if offsets else e
            return simplify(substitute(moved, here))

        def walk(x: s.Stmt) -> s.Stmt:
            made = rebuild(x, tuple(map(walk, children_of(x))), visit)
            if isinstance(made, s.Store) and made.buffer in offsets:
                index = simplify(substitute(place(made.buffer, _index_of(x)), here))
                return s.Store(made.buffer, made.value, index, made.predicate)
            return made

        return vectorize(prune(walk(stmt)), self.masked)


def _index_of(stmt: s.Stmt) -> Expr:
    assert isinstance(stmt, s.Store)
    return stmt.index


def _replaced(body: s.Stmt, variable: Expr, value: Expr) -> s.Stmt:
    mapping = replacing(variable, value)
    return map_expressions(body, lambda e: simplify(substitute(e, mapping)))


def _resized(wide: Wide, sizes: tuple[int, ...]) -> Wide:
    made = Wide(wide.type, wide.loops, sizes, None, wide.base, wide.strides)
    return made if wide.strides is not None else Wide(wide.type, wide.loops, sizes, wide.expr)


def _without(variables: Mapping[Expr, Wide], variable: Expr) -> dict[Expr, Wide]:
    return {k: w for k, w in variables.items() if k is not variable}


def _kept(value: Wide, loops: Loops) -> tuple[Loops, tuple[int, ...], Expr]:
    kept = tuple(loop for loop in value.loops if loop in loops)
    return kept, tuple(value.sizes), last_of(value, kept)


def _any(mask: Wide) -> Expr:
    return combined("or", mask, ())


def _reads(expr: Expr) -> bool:
    return any(isinstance(x, Load) for x in n.postorder(expr))


def _first(expr: Expr, first: dict[Expr, Expr]) -> Expr:
    return simplify(substitute(expr, first))


def _value_at(wide: Wide, lanes: dict[int, int]) -> Expr:
    """The scalar that `wide` is in the lane with the iterations `lanes`."""
    if wide.strides is not None and wide.base is not None:
        value: Expr = wide.base
        for loop, stride in wide.strides.items():
            value = n.Add(value, Mul(stride, const(lanes[loop], wide.type)))
        return simplify(value)
    return shuffle_lanes(wide.expr, [number(lanes, wide.loops, wide.sizes)])


def _is_injective(index: Wide) -> bool:
    """Whether lanes that differ in the loops of `index` have different places."""
    if index.strides is None:
        return index.is_uniform
    steps: list[tuple[int, int]] = []
    unknown = 0
    for loop, stride in index.strides.items():
        if isinstance(stride, Const):
            steps.append((abs(int(stride.value)), index.sizes[loop]))
        else:
            unknown += 1
    reach = 0
    for step, lanes in sorted(steps):
        if step <= reach:
            return False
        reach += step * (lanes - 1)
    # A stride of the caller's buffer keeps its rows apart.
    return unknown <= 1
