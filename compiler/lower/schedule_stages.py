"""The loop nests of all stages, each producer placed where its schedule says."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache, partial

from ..ir import Add, Call, Const, Expr, Sub, const, postorder, simplify, substitute
from ..ir import stmts as s
from ..ir.simplify_coordinate import simplify_coordinate
from ..ir.stmt_transform import block, children_of, expressions_of, rebuild
from ..lang import ComputeLevel, HalideError
from .compute_with import fused_nest, groups
from .interval import EVERYTHING, Intervals, constant_limit, larger, smaller
from .legality import check_concurrent, check_levels, misplaced
from .loop_nest import definition_nest, longer_first, needs_constant_extents
from .plan import StagePlan
from .region import (
    ALL,
    NEEDED,
    WITHIN,
    Box,
    Expansion,
    KnownBox,
    Loops,
    LoopView,
    Regions,
    Unbounded,
    extent_of,
    known,
    long_enough,
    needed_fields,
    region_fields,
    union,
    updated_low,
)
from .region_directives import directed, with_directed_outputs
from .relied_on import is_relied_on
from .sliding_window import Step, is_cut, moves_aside, sliding_window, uncut
from .storage_bounds import realized
from .storage_folding import storage_folding

Path = tuple[Step, ...]
"""The loops and lets around a statement, outermost first."""

Place = Callable[[s.Stmt, Path, Expansion], s.Stmt]
"""Rewrites what stands inside of a level, given the path to it."""


def schedule_stages(
    stages: Sequence[StagePlan],
) -> tuple[s.Stmt, list[StagePlan], Regions]:
    """One statement that computes all outputs, with `Realize` around the use of each other stage;
    the plans, which say now what outputs compute; and what is known of the nests.

    Needs producers before consumers. Leaves `f.min.d` and `f.extent.d` of each stage bound by
    `LetStmt`s to the region that its consumers read (halide-2012 section 5.1), those of consumers
    before those of their producers: none is ever expanded into another. `Realize` stands at the
    stage's storage level, its computation at its compute level.

        for y: f(y) = g(y) + g(y+1)   ->   let g.min.0 = f.min.0; let g.extent.0 = f.extent.0 + 1
                                           realize g: produce g: for y: g(y) = ...
                                                      consume g: for y: f(y) = g(y) + g(y+1)
    """
    check_levels(stages)
    plans, checks = with_directed_outputs(stages)
    regions = Regions(Loops(checks=checks))
    levels = {
        (level.func, level.var)
        for p in plans
        for level in (p.schedule.level, p.schedule.store_level, p.schedule.hoist_level)
        if level is not None and level.place == "at"
    }
    for plan in plans:
        _bound_values(plan, regions.loops)
    definitions = {
        (p.name, i): definition_nest(p, i, regions.loops, levels)
        for p in plans
        for i in range(len(p.definitions))
    }
    own = {
        p.name: block(*(x for (name, _), x in definitions.items() if x and name == p.name))
        for p in plans
    }
    together = groups(plans)
    nests: dict[str, s.Stmt] = {}
    for group in together:
        if len(group.plans) == 1:
            nests[group.plans[0].name] = own[group.plans[0].name]
            continue
        fused = fused_nest(group, definitions, regions.loops)
        # The first of them to be placed brings the loops of all.
        bringer = next((p for p in group.plans if p.is_output), group.plans[-1])
        for plan in group.plans:
            nests[plan.name] = fused if plan is bringer else s.Block(())
    ordered = [p for group in together for p in group.plans]
    body = block(*(s.ProducerConsumer(p.name, True, nests[p.name]) for p in ordered if p.is_output))
    for group in reversed(together):
        common = {id(nests[p.name]) for p in group.plans} if len(group.plans) > 1 else set()
        names = frozenset(name for p in group.plans for name in p.value_names())
        for plan in reversed(group.plans):
            if not plan.is_output:
                nest = nests[plan.name]
                placement = _Placement(plan, own[plan.name], nest, common, names, regions)
                body = placement.placed(body)
    return body, plans, regions


def _bound_values(plan: StagePlan, loops: Loops) -> None:
    """Records the ranges of what a stage without updates holds: others may read at its values."""
    if len(plan.definitions) > 1:
        return
    anywhere = dict.fromkeys(plan.args, EVERYTHING)
    of = Intervals(anywhere, loops.values).of
    for name, value in zip(plan.value_names(), plan.definitions[0].values, strict=True):
        if value.type.is_integer and not value.type.is_bool:
            loops.values[name] = of(value)


class _Placement:
    """Puts the computation and the storage of one stage into a statement that reads it."""

    def __init__(
        self,
        plan: StagePlan,
        own: s.Stmt,
        nest: s.Stmt,
        common: Collection[int],
        together: frozenset[str],
        regions: Regions,
    ) -> None:
        """`own` are the stage's loops by themselves, `nest` is what stands where it is computed;
        `common` are the identities of loops that it shares with others, and `together` the names of
        what these and it hold."""
        self.plan, self.own, self.nest, self.regions = plan, own, nest, regions
        self.common, self.together = common, together
        self.outside: Path = ()
        """What stands around the storage."""
        self.ever_needed: Callable[[], Box] = list
        """What is needed of the stage as long as it is stored; few ask."""
        self.names = frozenset(plan.value_names())

    def placed(self, body: s.Stmt) -> s.Stmt:
        """`body` with the stage stored and computed at its levels around all of its uses."""
        if not self.plan.is_output and not self._reads(body):
            return body  # Only points that a predicate never lets through would read it.
        schedule = self.plan.schedule
        store = schedule.store_level or schedule.level
        outer = store if schedule.hoist_level is None else schedule.hoist_level
        if schedule.level.place == "root" and "at" in (store.place, outer.place):
            raise misplaced(self.plan, body, self.names, self.regions)
        if schedule.hoist_level is not None and schedule.hoist_level != store:
            self._check_hoisting(schedule.hoist_level, body)
        try:
            made = self._at_level(store, body, (), self._stored)
        except Unbounded as unbounded:
            raise HalideError(
                f"Func {self.plan.name} is read in an unbounded way in dimension "
                f"{unbounded.dimension}: no limits of it are known. Clamp it.",
                self.plan.definitions[0].source.location,
            ) from None
        if self._is_read_outside(made):
            raise misplaced(self.plan, body, self.names, self.regions)
        return made

    def _check_hoisting(self, hoisted: ComputeLevel, body: s.Stmt) -> None:
        """Memory may be allocated further out than it is used, but not be shared by threads.

        Raises `HalideError` otherwise. The pass `hoist_storage` moves the allocation.
        """
        schedule = self.plan.schedule
        found = False

        def computed(stmt: s.Stmt, between: Path, _: Expansion) -> s.Stmt:
            nonlocal found
            found = True
            loops = [x for x in between if isinstance(x, s.For)]
            check_concurrent(self.plan, loops, "storage is hoisted")
            return stmt

        def within(stmt: s.Stmt, _: Path, __: Expansion) -> s.Stmt:
            return self._at_level(schedule.level, stmt, (), computed)

        if schedule.level.place != "root":
            self._at_level(hoisted, body, (), within)
            if not found:
                raise misplaced(self.plan, body, self.names, self.regions)

    def _at_level(self, level: ComputeLevel, stmt: s.Stmt, around: Path, place: Place) -> s.Stmt:
        """`stmt` with `place` applied inside of each loop that `level` names (or to all of it).

        A stage that nobody placed, but that can't be inlined, stands around each single use.
        """
        if level.place == "root":
            return self._below_prefix(
                stmt, around, self.regions.outside, partial(self._behind_outputs, place)
            )
        loops = self.regions.loops.by_level.get((level.func, level.var), ())

        def inside(x: s.Stmt, around: Path) -> s.Stmt:
            if not self._reads(x):
                return x
            if level.place == "inline" and self._uses(x):
                return place(x, around, self.regions.outside)
            if isinstance(x, s.For):
                around = (*around, x)
                if x.name in loops:
                    body = self._below_prefix(x.body, around, self.regions.outside, place)
                else:
                    body = inside(x.body, around)
                return x if body is x.body else s.For(x.name, x.min, x.extent, x.kind, body)
            if isinstance(x, s.LetStmt):
                around = (*around, x)
            children = tuple(inside(c, around) for c in children_of(x))
            return rebuild(x, children, lambda e: e)

        return inside(stmt, around)

    def _stored(self, stmt: s.Stmt, around: Path, expansion: Expansion) -> s.Stmt:
        """The storage, around the computation further inside."""
        if not self._reads(stmt):
            return stmt
        self.outside = around
        self.ever_needed = cache(partial(self._read_of, stmt, expansion, WITHIN))
        schedule = self.plan.schedule
        if schedule.store_level is None or schedule.store_level == schedule.level:
            return self._computed(stmt, (), expansion)
        made = self._at_level(schedule.level, stmt, (), self._computed)
        if self._is_read_outside(made):
            return stmt
        if made is stmt:
            return stmt
        box = self.regions.box(made, {self.plan.name, *self.names}, expansion)
        assert box is not None
        folded, kept = storage_folding(self.plan, made, known(self.plan.name, box), self.regions)
        return realized(self.plan, folded, kept)

    def _computed(self, stmt: s.Stmt, between: Path, expansion: Expansion) -> s.Stmt:
        """The computation of what `stmt` reads; `between` are the loops since the storage."""
        if not self._reads(stmt):
            return stmt
        plan = self.plan
        check_concurrent(plan, [x for x in between if isinstance(x, s.For)], "is stored")
        reach = self.regions.read(stmt, self.names, expansion, self.common)
        assert reach is not None
        box, within = self._needed_boxes(stmt, expansion, reach)
        needed, checks = directed(plan, self._with_updates(known(plan.name, within)))
        computed = needed
        if box != within:
            computed, _ = directed(plan, self._with_updates(known(plan.name, box)))
        for d, whole in uncut(plan, computed, (*self.outside, *between)).items():
            needed[d] = computed[d] = whole
        required = self._long_enough(computed)
        least = self.regions.loops.least_extents.get(plan.name, {})
        cut = sliding_window(plan, required, between, least)
        region = cut or [(a, extent_of(a, b)) for a, b in required]
        aside = moves_aside(cut, required, between) if cut is not None else set()
        if aside:
            still = {name for d, name in enumerate(plan.args) if d not in aside}
            self.regions.loops.count_all_steps(plan.name, still)
        made: s.Stmt = block(
            s.ProducerConsumer(plan.name, True, self.nest),
            s.ProducerConsumer(plan.name, False, stmt),
        )
        schedule = plan.schedule
        if schedule.store_level is None or schedule.store_level == schedule.level:
            made = realized(plan, made, self._memory(reach if reach != box else None))
        made = block(*checks, made)
        for d in longer_first(plan, self.regions.loops):
            # What is kept from earlier steps is initialized again where regions are longer.
            low = computed[d][0] if cut is None else region_fields(plan.name, d + 1)[d][0]
            made = s.LetStmt(updated_low(plan.name, d).name, low, made)
        for d, (a, b) in enumerate(needed):
            # What is kept from earlier steps, and what shared loops compute, is all needed.
            if (a, b) == required[d] or d in aside or self.common:
                continue
            low, extent = needed_fields(plan.name, d)
            if is_cut(region[d]):
                ends = self._ever_needed_of(d, region[d])
                if ends is not None and not self._is_relied_on(stmt, reach):
                    made = s.LetStmt(low.name, ends[0], s.LetStmt(extent.name, ends[1], made))
            else:
                made = s.LetStmt(low.name, a, s.LetStmt(extent.name, extent_of(a, b), made))
        fields = region_fields(plan.name, len(plan.args))
        for (low, extent), (a, b) in reversed(list(zip(fields, region, strict=True))):
            made = s.LetStmt(low.name, a, s.LetStmt(extent.name, b, made))
        return made

    def _needed_boxes(self, stmt: s.Stmt, expansion: Expansion, reach: Box) -> tuple[Box, Box]:
        """What is computed of the stage for `stmt`, which reads `reach`, and what is needed of it.

        The rest is allocated, but not computed, as long as it makes no difference but in values.
        What only the tail of a tile needs is computed, so that tiles keep a constant size, but
        nothing is asked of other stages for it.
        """
        box = self._read_of(stmt, expansion, NEEDED)
        within = self._read_of(stmt, expansion, WITHIN)
        if within == reach:
            return reach, reach
        if self._is_relied_on(stmt, reach):
            return reach, reach
        if needs_constant_extents(self.plan):
            box = self._constant_where(reach, box)
        return box, within

    def _is_relied_on(self, stmt: s.Stmt, reach: Box) -> bool:
        """Whether what only tails of `stmt` read, of the box `reach`, must have been computed."""
        schedule = self.plan.schedule
        may_fold = schedule.store_level not in (None, schedule.level)
        on_stack = schedule.memory != "heap" and (
            may_fold
            or all(constant_limit(extent_of(*x)) is not None for x in known(self.plan.name, reach))
        )
        return is_relied_on(stmt, self.names, self.regions.loops.values, self._reads, on_stack)

    def _ever_needed_of(self, d: int, pair: tuple[Expr, Expr]) -> tuple[Expr, Expr] | None:
        """(min, extent) of what is ever needed in dimension `d` of what a step of a window computes
        there; None where that isn't known."""
        low, high = self.ever_needed()[d]
        if low is None or high is None:
            return None
        first, extent = pair
        start = larger(first, low)
        end = smaller(simplify(Sub(Add(first, extent), const(1))), high)
        return start, extent_of(start, end)

    def _read_of(self, stmt: s.Stmt, expansion: Expansion, view: LoopView) -> Box:
        """What `stmt` reads of the stage, which it does read."""
        box = self.regions.read(stmt, self.names, expansion, self.common, view)
        assert box is not None
        return box

    def _constant_where(self, wider: Box, box: Box) -> Box:
        """`box`, but `wider` in dimensions where only that one's extent is constant."""
        pairs = zip(known(self.plan.name, box), known(self.plan.name, wider), strict=True)
        return [
            b if isinstance(extent_of(*b), Const) and not isinstance(extent_of(*a), Const) else a
            for a, b in pairs
        ]

    def _memory(self, reach: Box | None) -> KnownBox:
        """The computed region and what is touched beyond it: by the stage's own loops that are
        rounded up, and within `reach`."""
        fields = region_fields(self.plan.name, len(self.plan.args))
        box: Box = [(low, simplify(Sub(Add(low, extent), const(1)))) for low, extent in fields]
        touched = self.regions.touched(self.own)
        for other in touched.all_of({self.plan.name, *self.names}):
            box = union(box, other)
        return known(self.plan.name, box if reach is None else union(box, reach))

    def _with_updates(self, required: KnownBox) -> KnownBox:
        """`required` and what the stage's own updates write or read beyond (a histogram's bins)."""
        plan = self.plan
        if len(plan.definitions) == 1:
            return required
        mapping: dict[Expr, Expr] = {}
        fields = region_fields(plan.name, len(plan.args))
        for (low, extent), (a, b) in zip(fields, required, strict=True):
            mapping[low], mapping[extent] = a, extent_of(a, b)
        for d in longer_first(plan, self.regions.loops):
            mapping[updated_low(plan.name, d)] = required[d][0]
        ranges, on_stack = self.regions.loops.values, plan.schedule.memory != "heap"
        relied_on = is_relied_on(self.own, self.names, ranges, self._reads, on_stack)
        touched = self.regions.touched(self.own, ALL if relied_on else NEEDED)
        for box in touched.all_of({plan.name, *self.names}):
            inside = [
                (
                    simplify(substitute(a, mapping)),
                    simplify_coordinate(simplify(substitute(b, mapping))),
                )
                for a, b in known(plan.name, box)
            ]
            required = known(plan.name, union(list(required), list(inside)))
        return required

    def _long_enough(self, required: KnownBox) -> KnownBox:
        """The region grown to the left, as loops that are shifted inwards need it."""
        least = self.regions.loops.least_extents.get(self.plan.name, {})
        made: KnownBox = []
        for name, (low, high) in zip(self.plan.args, required, strict=True):
            if name in least:
                low = long_enough(low, high, least[name])
            made.append((low, high))
        return made

    def _below_prefix(
        self, stmt: s.Stmt, around: Path, expansion: Expansion, place: Place
    ) -> s.Stmt:
        """`place` applied below the lets, and the guards of splits, that begin a level's body."""
        if isinstance(stmt, s.LetStmt):
            below = expansion.with_let(stmt)
            body = self._below_prefix(stmt.body, (*around, stmt), below, place)
            return stmt if body is stmt.body else s.LetStmt(stmt.name, stmt.value, body)
        if isinstance(stmt, s.IfThenElse) and stmt.condition in self.regions.loops.guards:
            then = self._below_prefix(stmt.then, around, expansion, place)
            return stmt if then is stmt.then else s.IfThenElse(stmt.condition, then)
        return place(stmt, around, expansion)

    def _behind_outputs(
        self, place: Place, stmt: s.Stmt, around: Path, expansion: Expansion
    ) -> s.Stmt:
        """`place` applied behind the outputs in front of the first one that needs the stage, or one
        that is computed with it: these may read what the outputs hold.

        Before: `produce out; produce next`, where `next` reads g, and g reads `out`,
        after: `produce out; realize g: produce g; produce next`.
        """
        stmts = stmt.stmts if isinstance(stmt, s.Block) else (stmt,)
        needed = (not self.together.isdisjoint(self.regions.names_read(x)) for x in stmts)
        count = next((i for i, needs in enumerate(needed) if needs), 0)
        if count == 0:
            return place(stmt, around, expansion)
        rest = block(*stmts[count:])
        made = self._below_prefix(rest, around, expansion, partial(self._behind_outputs, place))
        return stmt if made is rest else block(*stmts[:count], made)

    def _reads(self, stmt: s.Stmt) -> bool:
        """Whether `stmt` reads the stage."""
        return not self.names.isdisjoint(self.regions.names_read(stmt))

    def _uses(self, stmt: s.Stmt) -> bool:
        """Whether `stmt` reads the stage itself, not only what it holds."""
        return self._reads(stmt) and any(
            isinstance(x, Call) and x.name in self.names
            for e in expressions_of(stmt)
            for x in postorder(e)
        )

    def _is_read_outside(self, stmt: s.Stmt) -> bool:
        """Whether the stage is read anywhere but where it has been computed before."""
        if isinstance(stmt, s.ProducerConsumer) and stmt.func == self.plan.name:
            return False
        if id(stmt) in self.common:
            return False
        if not self._reads(stmt):
            return False
        below = children_of(stmt)
        if not below or isinstance(stmt, s.Provide):
            return True
        return any(map(self._is_read_outside, below))
