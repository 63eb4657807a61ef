"""Sliding window: what an earlier step has computed is not computed again (halide-2012, 5.2).

Where a stage is stored outside of a serial loop in which it is computed, and what a step needs
moves one way, a step computes only what lies beyond what the step before needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .. import ir
from ..ir import I32, LE, Add, Call, Expr, Max, Select, Sub, Variable, const, simplify, substitute
from ..ir import stmts as s
from ..ir.simplify import linear_terms
from ..lang import Fuse, Once, Rename, Split, StageSchedule, TailStrategy
from .interval import SLID, extent_of
from .monotonic import direction
from .plan import StagePlan
from .region import KnownBox, long_enough, part_of, whole_of
from .splits import GUARDED, SHIFTED, is_multiple, resolved_tail, split_factor

Step = s.For | s.LetStmt
"""What is passed on the way down to where a stage is computed."""

Region = list[tuple[Expr, Expr]]
"""(min, extent) by dimension."""


def sliding_window(
    plan: StagePlan, required: KnownBox, path: Sequence[Step], least: Mapping[str, Expr]
) -> Region | None:
    """The region to compute in one step of the loops on `path`; None where nothing is saved.

    `required` is what a step reads; `path` leads from the storage to the computation, outermost
    first; `least` is how long regions must be, by coordinate. Each cut end is `slid(part, whole)`,
    so that bounds inference goes on with the whole.

        for y: let f.min.0 = y; let f.extent.0 = 3
        ->  let f.min.0 = select(y <= 0, y, y + 2); let f.extent.0 = select(y <= 0, 3, 1)
    """
    path = _settled(path)
    box: KnownBox = [(_resolved(a, path), _resolved(b, path)) for a, b in required]
    loops = [x for x in path if isinstance(x, s.For)]
    movable = {d for d in range(len(plan.args)) if _is_pointwise(plan, d)}
    region: Region = [(a, extent_of(a, b)) for a, b in box]
    slid: dict[int, s.For] = {}
    once: list[s.For] = []
    for place in reversed(range(len(loops))):
        loop = loops[place]
        if loop.kind not in ("serial", "unrolled"):
            continue
        variable: Expr = Variable(loop.name, I32)
        inner, with_it = _inside(loops[place:], path)
        moving = [d for d, pair in enumerate(box) if ir.mentions(pair, with_it)]
        if not moving:
            once.append(loop)
            continue
        (d, *more) = moving
        if more or d in slid or d not in movable or ir.mentions(box[d], inner):
            continue
        cut = _cut(box[d], variable, _first(loop, path), least.get(plan.args[d]))
        if cut is not None:
            region[d] = cut
            slid[d] = loop
    for loop in once if movable else ():
        # Nothing depends on this loop: its first step computes all. In the others the stage has no
        # points, which keeps only loops over a coordinate from running: where an update has none
        # (a histogram's), it would add to what is there.
        first = LE(Variable(loop.name, I32), _first(loop, path))
        d = min(movable)
        low, extent = region[d]
        region[d] = low, Select(first, extent, const(0))
    if not slid and not (once and movable):
        return None
    # The whole keeps its names: of some it is known that they end before their value would.
    return [
        (_marked(low, a, c), _marked(extent, extent_of(a, b), extent_of(c, d)))
        for (low, extent), (a, b), (c, d) in zip(region, box, required, strict=True)
    ]


def _settled(path: Sequence[Step]) -> list[Step]:
    """`path` with regions that were cut written out: as the whole, of which a step needs no less;
    as what is left of them where loops on the path run over that, for a place counted from the
    beginning of the whole is another one."""
    cut: set[Expr] = set()
    chosen = whole_of
    for step in path:
        if isinstance(step, s.For):
            if ir.mentions((step.min, step.extent), cut):
                chosen = part_of
        elif _is_cut_value(step, cut):
            cut.add(Variable(step.name, step.value.type))
    return [
        s.LetStmt(x.name, chosen(x.value), x.body) if isinstance(x, s.LetStmt) else x for x in path
    ]


def _inside(loops: Sequence[s.For], path: Sequence[Step]) -> tuple[set[Expr], set[Expr]]:
    """The variables of all loops inside of the first one, and those (with its own) that move with
    it: the inner ones that run over other steps in each of its steps."""
    outer, *inside = loops
    inner: set[Expr] = {Variable(x.name, I32) for x in inside}
    moved: set[Expr] = {Variable(outer.name, I32)}
    for loop in inside:
        before = path[: list(path).index(loop)]
        if ir.mentions((_resolved(loop.min, before), _resolved(loop.extent, before)), moved):
            moved.add(Variable(loop.name, I32))
    return inner, moved


def _first(loop: s.For, path: Sequence[Step]) -> Expr:
    """The loop's first step, over what is fixed outside of it."""
    return _resolved(loop.min, path[: list(path).index(loop)])


def _resolved(expr: Expr, path: Sequence[Step]) -> Expr:
    """`expr` with all that `path` binds, but for loops, written out."""
    for step in reversed(path):
        if isinstance(step, s.LetStmt) and step.value.type is I32:
            variable: Expr = Variable(step.name, I32)
            expr = substitute(expr, {variable: step.value})
    return simplify(expr)


def _cut(
    pair: tuple[Expr, Expr], variable: Expr, first: Expr, least: Expr | None
) -> tuple[Expr, Expr] | None:
    """(min, extent) of what [low, high] has beyond the same of the step before; None if all."""
    low, high = pair
    before = {variable: Sub(variable, const(1))}
    at_first = LE(variable, first)
    whole = extent_of(low, high)
    if direction(low, variable) == "rising":
        start = simplify(Add(substitute(high, before), const(1)))
        overlap = linear_terms(Sub(start, low))
        if not overlap[0] and overlap[1] <= 0:
            return None
        if overlap[0]:
            start = simplify(Max(start, low))
        if least is not None:
            start = long_enough(start, high, least)
            if start is low:
                return None
        return Select(at_first, low, start), Select(at_first, whole, extent_of(start, high))
    if direction(high, variable) == "falling" and least is None:
        end = simplify(Sub(substitute(low, before), const(1)))
        overlap = linear_terms(Sub(high, end))
        if not overlap[0] and overlap[1] <= 0:
            return None
        if overlap[0]:
            end = simplify(ir.Min(end, high))
        return low, Select(at_first, whole, extent_of(low, end))
    return None


def _is_pointwise(plan: StagePlan, dimension: int) -> bool:
    """Whether each point of the stage is computed from points of the same coordinate alone."""
    name = plan.args[dimension]
    own: Expr = Variable(name, I32)
    if not all(_stays_inside(schedule, name) for schedule in plan.schedule.stages):
        return False
    names = set(plan.value_names())
    for definition in plan.definitions[1:]:
        if definition.args[dimension] is not own:
            return False
        for node in ir.postorder(*definition.expressions):
            reads = isinstance(node, Call) and node.kind == "func" and node.name in names
            if reads and node.children[dimension] is not own:
                return False
    return True


def _stays_inside(schedule: StageSchedule, name: str) -> bool:
    """Whether the loops over coordinate `name` leave its region nowhere, whatever the region is."""
    return all(
        (change.tail is TailStrategy.ShiftInwards and change.old == name)
        or resolved_tail(change) in GUARDED
        for change in _splits_with_tails(schedule, name)
    )


def _splits_with_tails(schedule: StageSchedule, name: str) -> Iterator[Split]:
    """The splits of the loops over coordinate `name`, but for those that surely divide them."""
    sizes: dict[str, Expr | None] = {name: None}
    for change in schedule.splits:
        if isinstance(change, Fuse):
            if change.inner in sizes or change.outer in sizes:
                sizes[change.fused] = None
        elif isinstance(change, Once) or change.old not in sizes:
            continue
        elif isinstance(change, Rename):
            sizes[change.new] = sizes[change.old]
        else:
            size, factor = sizes[change.old], split_factor(change)
            if size is None or not is_multiple(size, factor):
                yield change
            sizes[change.outer], sizes[change.inner] = None, factor


def uncut(plan: StagePlan, box: KnownBox, path: Sequence[Step]) -> dict[int, tuple[Expr, Expr]]:
    """The dimensions of `box` in which less than the whole must not be asked of the stage, and what
    its consumers on `path` need there before sliding windows cut their regions.

    Loops that are shifted inwards begin further to the left in a shorter region: before the whole
    one, which is what memory is there for. Where only one split does so, the region's end tells how
    far, and a window that moves to the right leaves it where it is.
    """
    lets: list[s.LetStmt] = []
    falls, cut = False, set[Expr]()
    for step in path:
        if isinstance(step, s.LetStmt) and _is_cut_value(step, cut):
            lets.append(step)
            cut.add(Variable(step.name, I32))
            begin: Expr = Variable(step.name.replace(".extent.", ".min."), I32)
            falls |= is_cut((step.value,)) and begin not in cut
    found: dict[int, tuple[Expr, Expr]] = {}
    for d, name in enumerate(plan.args if cut else ()):
        shifts = [
            sum(resolved_tail(x) in SHIFTED for x in _splits_with_tails(schedule, name))
            for schedule in plan.schedule.stages
        ]
        if max(shifts) > (0 if falls else 1) and ir.mentions(box[d], cut):
            low, high = box[d]
            for let in reversed(lets):
                whole: dict[Expr, Expr] = {Variable(let.name, I32): whole_of(let.value)}
                low, high = substitute(low, whole), substitute(high, whole)
            found[d] = simplify(low), simplify(high)
    return found


def _marked(part: Expr, uncut: Expr, whole: Expr) -> Expr:
    return whole if part is uncut else Call(SLID, (part, whole), I32, "pure")


def is_cut(pair: tuple[Expr, ...]) -> bool:
    """Whether less than what a step needs is computed in a dimension of what is left."""
    return any(whole_of(x) is not x for x in pair)


def _is_cut_value(let: s.LetStmt, cut: set[Expr]) -> bool:
    """Whether `let` names an end of a region that was cut, or what is made of such, the names
    `cut`."""
    return is_cut((let.value,)) or ir.mentions((let.value,), cut)


def moves_aside(region: Region, required: KnownBox, path: Sequence[Step]) -> set[int]:
    """The dimensions other than those in which `region` is cut in which what the loops on `path`
    compute moves: what tails add there may have been computed by an earlier step, and kept.

    Not where only loops outside of all windows move it: in each of their steps the windows begin
    anew, and nothing that was kept before is read any more.
    """
    settled = _settled(path)
    loops = [Variable(x.name, I32) for x in path if isinstance(x, s.For)]

    def movers(pair: tuple[Expr, Expr]) -> list[int]:
        ends = [_resolved(x, settled) for x in pair]
        return [place for place, loop in enumerate(loops) if ir.mentions(ends, {loop})]

    windows = [place for pair in region if is_cut(pair) for place in movers(pair)]
    outermost = min(windows, default=len(loops))
    return {
        d
        for d, (part, whole) in enumerate(zip(region, required, strict=True))
        if not is_cut(part) and any(place >= outermost for place in movers(whole))
    }


__all__ = ["Step", "is_cut", "moves_aside", "sliding_window", "uncut"]
