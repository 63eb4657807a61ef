"""`tile_scan`: a recursion in tiles that run at once (recursive-filters-2015, section 4).

    f(r) = b(r) + a f(r - 1)

becomes, after `f.update().tile_scan(r, t)`,

    local(i, o)   = b(o t + i) + a local(i - 1, o)
    tails(m, o)   = local(t - 1 - m, o)
    carried(m, o) = tails(m, o - 1) + P carried(., o - 1)
    f(o t + i)    = b(o t + i) + a (i > 0 ? f(o t + i - 1) : carried(0, o))
    f(r)          = (as it was)                                       for what is no whole tile

`local` begins each tile with zeros and is made for its last values alone. `carried` is what enters
a tile: it is serial, and short. `growth` has what a state adds t steps later (P above), in exact
integers, or in float64.
"""

from __future__ import annotations

from dataclasses import dataclass

from .. import ir
from ..ir import Expr as Node
from ..ir import Variable
from ..ir import nodes as n
from .expr import Expr, Sources
from .function import Definition, Function
from .loop_changes import apply_split
from .names import fresh_name
from .scan_recognition import TiledUpdate, scan_at
from .schedule import ComputeLevel, LoopDimension, Split, StageSchedule, TailStrategy
from .variables import ReductionDomain

LANES = 16
"""Tiles in a vector, of elements of up to 32 bits."""


@dataclass(frozen=True)
class TiledFunctions:
    """The stages that a scan in tiles is made of, beside the scanned one."""

    local: Function
    tails: Function
    carried: Function
    growth: Function | None
    """None for semigroups, whose states go on as they are."""


def tile_scan(function: Function, index: int, name: str, tile: int) -> TiledFunctions:
    """Cuts update `index` into tiles of `tile` steps along its reduction variable `name`.

    The definition becomes two: whole tiles, which run in parallel and as lanes, and the rest.
    Integers are exact; floats are added in another order, which calling this permits. Raises
    `HalideError` where the update is no scan.
    """
    return _Tiling(scan_at(function, index, name, tile), tile).run()


class _Tiling:
    def __init__(self, scan: TiledUpdate, tile: int) -> None:
        self.scan, self.tile = scan, tile
        self.function, self.definition = scan.function, scan.definition
        self.type = self.function.types[0]
        domain = self.definition.domain
        assert domain is not None
        self.domain = domain
        at = domain.names.index(scan.variable.name)
        self.low, self.extent = domain.bounds[at]
        self.sources: Sources = self.definition.sources - {domain} | domain.sources
        self.full = ir.simplify(n.Div(n.Max(self.extent, ir.const(0)), ir.const(tile)))
        self.lanes = LANES if self.type.bits <= 32 else LANES // 2
        others = [d for d in range(len(self.function.args)) if d != scan.dimension]
        self.others = [self.function.args[d] for d in others]
        self.free: dict[Node, Node] = {
            self.definition.args[d]: Variable(self.function.args[d], ir.I32) for d in others
        }
        """What counts the other coordinates here, by those of the stages before."""
        self.reads_own = any(
            isinstance(e, ir.Call) and e.kind == "func" and e.name == self.function.name
            for e in ir.postorder(scan.term)
        )
        self.state = ir.F64 if self.type.is_float else self.type

    def run(self) -> TiledFunctions:
        before = self.before()
        local = self.local(before)
        tails = self.tails(local)
        growth = None if self.scan.combine is not None else self.growth()
        carried = self.carried(before, tails, growth)
        self.replace(carried)
        return TiledFunctions(local, tails, carried, growth)

    def expr(self, node: Node, *extra: object) -> Expr:
        return Expr.of(node, extra=self.sources | frozenset(extra))

    def before(self) -> Function:
        """The stage without this update and those behind it.

        Where steps read what earlier updates left, the function begins with its values; where only
        the first do, both compute what they need.
        """
        function, index = self.function, self.scan.index
        made = Function(f"{function.name}_before")
        made.args, made.types = function.args, function.types
        made.make_outputs()

        def renamed(node: Node) -> Node:
            if isinstance(node, ir.Call) and node.kind == "func" and node.name == function.name:
                return ir.Call(made.name, node.args, node.type, "func")
            return node

        for definition in function.definitions[:index]:
            args, values = (
                tuple(ir.transform(e, renamed) for e in part)
                for part in (definition.args, definition.values)
            )
            sources, domain, where = definition.sources, definition.domain, definition.location
            made.definitions.append(Definition(args, values, sources, domain, where))
        made.schedule.stages = function.schedule.stages[:index]
        made.frozen = True
        if index > 1:
            made.schedule.level = ComputeLevel("root")
        if index > 1 and self.reads_own:
            here = tuple(Variable(a, ir.I32) for a in function.args)
            value = ir.Call(made.name, here, self.type, "func")
            start = function.definitions[0]
            function.definitions[:index] = [
                Definition(here, (value,), frozenset({made}), None, start.location)
            ]
            loops = [LoopDimension(a) for a in function.args]
            function.schedule.stages[:index] = [StageSchedule(loops)]
        return made

    def term(self, position: Node, before: Function | None) -> Node:
        """What the step `position`, counted from 0, adds; of earlier updates' values in `before`,
        or in the function itself."""
        place = n.Add(self.low, position)
        mapping: dict[Node, Node] = {self.scan.variable: place}
        if before is not None:
            mapping |= self.free

        def moved(node: Node) -> Node:
            if before is None or not isinstance(node, ir.Call) or node.kind != "func":
                return node
            if node.name == self.function.name:
                return ir.Call(before.name, node.children, node.type, "func")
            return node

        return ir.transform(ir.substitute(self.scan.term, mapping), moved)

    def at(self, position: Node) -> Node:
        """The scanned coordinate in the step `position`."""
        args = self.definition.args
        place = n.Add(self.low, position)
        return ir.simplify(ir.substitute(args[self.scan.dimension], {self.scan.variable: place}))

    def stage(self, name: str, *coordinates: str) -> tuple[Function, list[Expr]]:
        made = Function(f"{self.function.name}_{name}")
        names = [*coordinates, *self.others]
        return made, [Expr.of(Variable(a, ir.I32)) for a in names]

    def variable(self, name: str) -> str:
        while name in self.function.args:
            name += "_"
        return name

    def combined(self, before: Node, term: Node) -> Node:
        """One step of a semigroup."""
        assert self.scan.combine is not None
        return self.scan.combine(before, term)

    def local(self, before: Function) -> Function:
        made, (i, o, *rest) = self.stage("local", self.variable("i"), self.variable("tile"))
        made.define([i, o, *rest], [Expr.of(ir.Call("undef", (), self.type, "pure"))])
        domain = ReductionDomain(
            (fresh_name("r") + "$x",), ((Expr.of(ir.const(0)), Expr.of(ir.const(self.tile))),)
        )
        step = Variable(domain.names[0], ir.I32)
        position = n.Add(n.Mul(o.node, ir.const(self.tile)), step)
        value = self.term(position, before)

        def lagging(lag: int) -> Node:
            place = n.Max(n.Sub(step, ir.const(lag)), ir.const(0))
            return ir.Call(made.name, (place, o.node, *(e.node for e in rest)), self.type, "func")

        if self.scan.combine is not None:
            value = ir.Select(n.GE(step, ir.const(1)), self.combined(lagging(1), value), value)
        else:
            zero = ir.const(0, self.type)
            for lag, factor in self.scan.terms():
                inside = n.GE(step, ir.const(lag))
                value = n.Add(value, n.Mul(factor, ir.Select(inside, lagging(lag), zero)))
        args = [self.expr(step, domain), o, *rest]
        made.define(args, [self.expr(value, domain, made, before)])
        _vectors(made.schedule.stages[1], made.stage_name(1), step.name, o.node.name, self.lanes)  # type: ignore[attr-defined]
        return made

    def tails(self, local: Function) -> Function:
        m, o = self.variable("m"), self.variable("tile")
        made, args = self.stage("tails", m, o)
        last = n.Sub(ir.const(self.tile - 1), args[0].node)
        read = (last, *(e.node for e in args[1:]))
        made.define(
            args, [Expr.of(ir.Call(local.name, read, self.type, "func"), extra=frozenset({local}))]
        )
        schedule = made.schedule
        schedule.level = ComputeLevel("root")
        stage = schedule.stages[0]
        group, lane = self.variable("group"), self.variable("lane")
        _apply(stage, made.stage_name(0), o, group, lane, self.lanes)
        _order(stage, [m, lane, group, *self.others])
        stage.dimensions[-1].kind = "parallel"
        local.schedule.level = ComputeLevel("at", made.name, group)
        return made

    def growth(self) -> Function:
        """growth(m, i): what a state's element m has become in the step i."""
        made = Function(f"{self.function.name}_growth")
        element, i = (Expr.of(Variable(self.variable(name), ir.I32)) for name in ("m", "i"))
        made.define([element, i], [Expr.of(ir.const(0, self.state))])
        domain = ReductionDomain(
            (fresh_name("r") + "$x",), ((Expr.of(ir.const(0)), Expr.of(ir.const(self.tile))),)
        )
        step = Variable(domain.names[0], ir.I32)
        value: Node = ir.const(0, self.state)
        for lag, factor in self.scan.terms():
            place = n.Max(n.Sub(step, ir.const(lag)), ir.const(0))
            earlier = ir.Call(made.name, (element.node, place), self.state, "func")
            is_own = n.EQ(element.node, n.Sub(ir.const(lag - 1), step))
            one, zero = (ir.const(v, self.state) for v in (1, 0))
            start = ir.Select(is_own, one, zero)
            before = ir.Select(n.GE(step, ir.const(lag)), earlier, start)
            value = n.Add(value, n.Mul(_cast(factor, self.state), before))
        made.define([element, self.expr(step, domain)], [self.expr(value, domain, made)])
        made.schedule.level = ComputeLevel("root")
        return made

    def carried(self, before: Function, tails: Function, growth: Function | None) -> Function:
        """carried(m, o): the value m steps before the tile o begins, and one more."""
        made, (m, o, *rest) = self.stage("carried", self.variable("m"), self.variable("tile"))
        others = tuple(e.node for e in rest)
        start = self.at(n.Sub(ir.const(-1), m.node))
        point = list(others)
        point.insert(self.scan.dimension, ir.substitute(start, self.free))
        first = ir.Call(before.name, tuple(point), self.type, "func")
        made.define([m, o, *rest], [self.expr(_cast(first, self.state), before)])
        count = Expr.of(self.full, extra=self.sources)
        domain = ReductionDomain((fresh_name("r") + "$x",), ((Expr.of(ir.const(1)), count),))
        tile = Variable(domain.names[0], ir.I32)
        last = n.Sub(tile, ir.const(1))
        value = _cast(ir.Call(tails.name, (m.node, last, *others), self.type, "func"), self.state)
        if growth is None:
            own = ir.Call(made.name, (m.node, last, *others), self.state, "func")
            value = _cast(self.combined(_cast(own, self.type), _cast(value, self.type)), self.state)
        for element in range(self.scan.order if growth is not None else 0):
            assert growth is not None
            step = n.Sub(ir.const(self.tile - 1), m.node)
            weight = ir.Call(growth.name, (ir.const(element), step), self.state, "func")
            own = ir.Call(made.name, (ir.const(element), last, *others), self.state, "func")
            value = n.Add(value, n.Mul(weight, own))
        extra = [tails, domain, made, *([growth] if growth is not None else [])]
        # Each point of the state reads all of the one before: m is no coordinate of its own.
        states = ReductionDomain(
            (fresh_name("r") + "$x", domain.names[0]),
            (
                (Expr.of(ir.const(0)), Expr.of(ir.const(self.scan.order))),
                (Expr.of(ir.const(1)), count),
            ),
        )
        which = Variable(states.names[0], ir.I32)
        value = ir.substitute(value, {m.node: which})
        extra = [states if x is domain else x for x in extra]
        made.define(
            [self.expr(which, states), self.expr(tile, states), *rest], [self.expr(value, *extra)]
        )
        made.schedule.level = ComputeLevel("root")
        return made

    def replace(self, carried: Function) -> None:
        """Puts whole tiles, and what is left, in the place of the update."""
        function, scan = self.function, self.scan
        index = 1 if self.reads_own else scan.index
        name = scan.variable.name
        step, tile = (fresh_name("r") + "$x" for _ in range(2))
        names: list[str] = []
        bounds: list[tuple[Node, Node]] = []
        for other, bound in zip(self.domain.names, self.domain.bounds, strict=True):
            if other == name:
                names += [step, tile]
                bounds += [(ir.const(0), ir.const(self.tile)), (ir.const(0), self.full)]
            else:
                names.append(other)
                bounds.append(bound)
        i, o = Variable(step, ir.I32), Variable(tile, ir.I32)
        position = n.Add(n.Mul(o, ir.const(self.tile)), i)
        args = list(self.definition.args)
        args[scan.dimension] = self.at(position)
        value = self.term(position, None)
        rest = [a for d, a in enumerate(args) if d != scan.dimension]
        for lag, factor in scan.terms():
            there = list(args)
            there[scan.dimension] = self.at(n.Sub(position, ir.const(lag)))
            own = ir.Call(function.name, tuple(there), self.type, "func")
            # Where it counts, it is in range; elsewhere in any range.
            state = n.Mod(n.Sub(ir.const(lag - 1), i), ir.const(scan.order))
            entering = ir.Call(carried.name, (state, o, *rest), self.state, "func")
            earlier = ir.Select(n.GE(i, ir.const(lag)), own, _cast(entering, self.type))
            if scan.combine is not None:
                value = self.combined(earlier, value)
            else:
                value = n.Add(value, n.Mul(factor, earlier))
        whole = _domain_of(names, bounds, self.sources)
        tiles = Definition(
            tuple(args), (value,), self.sources | {carried, whole}, whole, self.definition.location
        )
        done = ir.simplify(n.Mul(self.full, ir.const(self.tile)))
        left = [
            (n.Add(low, done), n.Sub(extent, done)) if other == name else (low, extent)
            for other, (low, extent) in zip(self.domain.names, self.domain.bounds, strict=True)
        ]
        remainder = _domain_of(
            self.domain.names, [(ir.simplify(a), ir.simplify(b)) for a, b in left], self.sources
        )
        ending = Definition(
            self.definition.args, self.definition.values,
            (self.definition.sources - {self.domain}) | {remainder}, remainder,
            self.definition.location,
        )  # fmt: skip
        function.definitions[index : index + 1] = [tiles, ending]
        pure = [LoopDimension(a.name) for f, a in zip(function.args, args, strict=True)
                if isinstance(a, Variable) and a.name == f]  # fmt: skip
        loops = [LoopDimension(x, is_pure=False, is_independent=x not in (step,)) for x in names]
        first = StageSchedule([*loops, *pure], touched=True, allow_races=True)
        old = [LoopDimension(x, is_pure=False, is_independent=x != name) for x in self.domain.names]
        function.schedule.stages[index : index + 1] = [
            first,
            StageSchedule([*old, *[LoopDimension(d.name) for d in pure]], touched=True),
        ]
        _vectors(first, function.stage_name(index), step, tile, self.lanes)
        first.dimensions[-1].kind = "parallel"


def _cast(node: Node, type: ir.Type) -> Node:
    return node if node.type is type else n.Cast(type, node)


def _domain_of(
    names: list[str] | tuple[str, ...], bounds: list[tuple[Node, Node]], sources: Sources
) -> ReductionDomain:
    made = ReductionDomain((), ())
    made.names, made.bounds, made.sources = tuple(names), tuple(bounds), sources
    made.frozen = True
    return made


def _vectors(stage: StageSchedule, name: str, step: str, tile: str, lanes: int) -> None:
    """Tiles as lanes, as many steps unrolled, so that blocks are transposed; tiles outermost."""
    _apply(stage, name, tile, f"{tile}_group", f"{tile}_lane", lanes)
    _apply(stage, name, step, f"{step}_block", f"{step}_step", lanes)
    first = [f"{tile}_lane", f"{step}_step", f"{step}_block"]
    rest = [d.name for d in stage.dimensions if d.name not in (*first, f"{tile}_group")]
    _order(stage, [*first, *rest, f"{tile}_group"])
    stage.dimensions[0].kind, stage.dimensions[1].kind = "vectorized", "unrolled"


def _apply(stage: StageSchedule, name: str, old: str, outer: str, inner: str, factor: int) -> None:
    apply_split(stage, name, Split(old, outer, inner, factor, TailStrategy.GuardWithIf))


def _order(stage: StageSchedule, names: list[str]) -> None:
    by_name = {d.name: d for d in stage.dimensions}
    stage.dimensions[:] = [by_name[x] for x in names]


__all__ = ["TiledFunctions", "tile_scan"]
