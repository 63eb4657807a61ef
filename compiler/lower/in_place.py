"""Which outputs may be stored where an input lies, and be right for every size.

A caller may have one memory for input `a` and output `f`: the element of `a` at some coordinates is
the element of `f` at the same ones. That leaves what two memories leave if no step of `f` reads an
element that another step has replaced before, or replaces meanwhile.

The innermost loops that are vectors or unrolled, the *block*, read everything before they store
anything (`AtOnce`). The loops outside of them run in any order, and concurrently. So it is enough
that what a point reads is stored by a step of the point's own block, or by none:

    for each read a(q) of the definition of f(p):   O(q) = O(p)   or   q is outside of f's region

where O gives the steps of the outer loops that compute a point. O is a function, and a point is
computed only there, if no split computes a point twice or one outside of the region: others are
refused. Other stages have read what they need by then where all of each is computed before the
output's first step: those by themselves at the root that the output needs, or one before it.
`O(q) = O(p)` is shown by bringing both to the same normal form, for a point
of each channel, or of each remainder by what the reads divide a coordinate by:

    f(c, x) = a(3, x), c in [0, 4), blocks of 16 elements: e = 4 * x + c, O(c, x) = e / 16
        c = 0: x / 4    c = 1: (4 * x + 1) / 16 = x / 4    ...    O(3, x) = (4 * x + 3) / 16 = x / 4
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import gcd, lcm

from .. import ir
from ..ir import I32, Add, Call, Const, Expr, Mul, Sub, Variable, const, postorder, substitute
from ..ir import nodes as n
from ..ir.simplify import linear_terms
from ..ir.simplify_coordinate import simplify_coordinate
from ..lang import Change, Fuse, Once, Rename, TailStrategy
from ..lang.names import buffer_field
from .compute_with import groups
from .kept_elements import keeps_by_memory
from .loop_nest import block_loops
from .plan import Overwritten, PlannedDefinition, StagePlan
from .splits import is_multiple, resolved_tail, split_factor

MOST_CASES = 64
"""Points with so many different channels and remainders are looked at one by one."""
LARGEST_PERIOD = 16

_EXACT = (TailStrategy.GuardWithIf, TailStrategy.Predicate)
Limits = tuple[int, int] | None
"""Minimum and extent of a dimension of the region, where they are promised."""


def with_overwritten(
    plans: Sequence[StagePlan], same_memory: Mapping[str, str], promised: Mapping[Expr, Expr]
) -> list[StagePlan]:
    """The plans, each output with those inputs that its loops read in time.

    `same_memory` names the output (its buffer's name) that an input may lie in the place of;
    `promised` maps buffer fields to constants that a check establishes. Outputs stand behind others
    that don't need them where these need a stage that reads such an input.
    """
    made = []
    plans = _last(plans, same_memory)
    for plan in plans:
        inputs = {a: f for a, f in same_memory.items() if f in plan.value_names()}
        block = _Block.of(plan, plans, promised) if inputs else None
        if block is not None:
            good = {a: f for a, f in inputs.items() if _is_read_in_time(a, plan, plans, block)}
            plan = replace(plan, overwritten=Overwritten(good, block.extents)) if good else plan
        made.append(plan)
    return made


def _is_read_in_time(
    image: str, plan: StagePlan, plans: Sequence[StagePlan], block: _Block
) -> bool:
    if _reads(plan.definitions[1:], image):
        return False
    known = plans[: plans.index(plan) + 1]
    before = {name for p in known if p.is_output for name in _needs(p, plans)}
    readers = [p for p in plans if p is not plan and _reads(p.definitions, image)]
    if not all(p.name in before and _is_done_before(p, plan, plans, image) for p in readers):
        return False
    return all(block.is_own(read) for read in _reads(plan.definitions[:1], image))


def _is_done_before(
    reader: StagePlan, output: StagePlan, plans: Sequence[StagePlan], image: str
) -> bool:
    """Whether all of a stage is computed before an output, and what it reads is what it is asked
    for: not what memory says is left as it was."""
    return (
        reader.schedule.level.place == "root"
        and reader.schedule.store_level in (None, reader.schedule.level)
        and not reader.is_output
        and output.name not in _needs(reader, plans)
        and not _waits_for_outputs(reader, plans)
        and not keeps_by_memory(reader.definitions[0], [image])
    )


def _waits_for_outputs(reader: StagePlan, plans: Sequence[StagePlan]) -> bool:
    """Whether a stage is computed together with another one that needs an output."""
    (together,) = (g.plans for g in groups(plans) if reader in g.plans)
    outputs = {p.name for p in plans if p.is_output}
    return len(together) > 1 and any(_needs(p, plans) & outputs for p in together)


def _last(plans: Sequence[StagePlan], same_memory: Mapping[str, str]) -> list[StagePlan]:
    """The plans, outputs that lie where an input does behind the others that don't need them, if
    any stage but these reads the input."""
    order = list(plans)
    for plan in plans:
        images = [a for a, f in same_memory.items() if f in plan.value_names()]
        others = [d for p in plans if p is not plan for d in p.definitions]
        if plan.is_output and any(_reads(others, image) for image in images):
            at = order.index(plan)
            needing = [p for p in order[at + 1 :] if plan.name in _needs(p, order)]
            free = [p for p in order[at + 1 :] if p not in needing]
            order = [*order[:at], *free, plan, *needing]
    return order


def _needs(plan: StagePlan, plans: Sequence[StagePlan]) -> set[str]:
    """The names of the stages that one needs, itself included."""
    by_value = {v: p for p in plans for v in p.value_names()}
    waiting, found = [plan], set[str]()
    while waiting:
        one = waiting.pop()
        if one.name in found:
            continue
        found.add(one.name)
        nodes = postorder(*(e for d in one.definitions for e in d.expressions))
        names = {n.name for n in nodes if isinstance(n, Call) and n.kind == "func"}
        waiting += [by_value[name] for name in names if name in by_value]
    return found


def _reads(definitions: Sequence[PlannedDefinition], image: str) -> list[Call]:
    made: dict[Call, None] = {}
    for definition in definitions:
        for node in postorder(*definition.expressions):
            if isinstance(node, Call) and node.kind == "image" and node.name == image:
                made[node] = None
    return list(made)


def _limits(plan: StagePlan, dimension: int, promised: Mapping[Expr, Expr]) -> Limits:
    fields = [
        promised.get(buffer_field(plan.value_names()[0], f, dimension)) for f in ("min", "extent")
    ]
    low, extent = (int(f.value) if isinstance(f, Const) else None for f in fields)
    return None if low is None or extent is None else (low, extent)


def _is_outside(coordinate: Expr, limits: Limits) -> bool:
    if limits is None or not isinstance(coordinate, Const):
        return False
    return not limits[0] <= int(coordinate.value) < sum(limits)


def _cases(read: Call, own: Sequence[Expr], region: Sequence[Limits]) -> Iterator[tuple[Expr, ...]]:
    """Points that stand for all: of each channel, and of each remainder, where they matter."""
    choices: list[list[Expr]] = []
    for coordinate, argument, limits in zip(own, read.args, region, strict=True):
        if argument is coordinate:
            choices.append([coordinate])
        elif limits is not None and limits[1] <= LARGEST_PERIOD:
            choices.append([const(limits[0] + c) for c in range(limits[1])])
        else:
            period = _period(argument)
            whole = Mul(coordinate, const(period))
            choices.append([simplify_coordinate(Add(whole, const(c))) for c in range(period)])
    count = 1
    for one in choices:
        count *= len(one)
    yield from product(*choices) if count <= MOST_CASES else [tuple(own)]


def _period(argument: Expr) -> int:
    """A number that all that `argument` is divided by divides; 1 where that is too large."""
    divisors = [
        int(node.b.value)
        for node in postorder(argument)
        if isinstance(node, n.Div | n.Mod) and isinstance(node.b, Const) and node.b.value > 0
    ]
    period = lcm(1, *divisors)
    return period if period <= LARGEST_PERIOD else 1


def _shares_loops(plan: StagePlan, plans: Sequence[StagePlan]) -> bool:
    """Whether loops of an output are those of another stage, too (`compute_with`)."""
    fused = [(p.name, stage.fused) for p in plans for stage in p.schedule.stages]
    return any(f is not None and plan.name in (name, f.func) for name, f in fused)


@dataclass(frozen=True)
class _Block:
    """The block loops of an output, and the loops around them."""

    own: tuple[Expr, ...]
    """A point."""
    outer: tuple[Expr, ...]
    """The steps of the loops around the block in which it is computed."""
    extents: tuple[int, ...]
    """Of the block loops, innermost first."""
    region: tuple[Limits, ...]

    @staticmethod
    def of(
        plan: StagePlan, plans: Sequence[StagePlan], promised: Mapping[Expr, Expr]
    ) -> _Block | None:
        """That of the first definition, whose nest ends before an update's begins; None where a
        point may be computed never or twice, or the block isn't innermost."""
        schedule = plan.schedule.stages[0]
        simple = (
            plan.is_output
            and not plan.definitions[0].domain
            and not plan.definitions[0].predicates
            and not plan.schedule.bounds
            and not schedule.specializations
            and not schedule.atomic
            and not _shares_loops(plan, plans)
        )
        if not simple:
            return None
        inner = block_loops(schedule)
        outside = [d for d in schedule.dimensions if d.name not in inner]
        steps: dict[str, Expr] = {}
        extents: dict[str, Expr] = {}
        for d, name in enumerate(plan.args):
            fields = (buffer_field(plan.value_names()[0], f, d) for f in ("min", "extent"))
            low, extent = (promised.get(field, field) for field in fields)
            steps[name] = _settled(Sub(Variable(name, I32), low))
            extents[name] = extent
        if not all(_undo(change, steps, extents) for change in schedule.splits):
            return None
        sizes = [x for x in (extents[name] for name in inner) if isinstance(x, Const)]
        if len(sizes) < len(inner) or any(d.kind == "vectorized" for d in outside):
            return None
        return _Block(
            tuple(Variable(a, I32) for a in plan.args),
            tuple(steps[d.name] for d in outside),
            tuple(int(size.value) for size in sizes),
            tuple(_limits(plan, d, promised) for d in range(len(plan.args))),
        )

    def is_own(self, read: Call) -> bool:
        """Whether a point's block, or none, stores what `read` reads for the point."""
        if len(read.args) != len(self.own):
            return False
        for case in _cases(read, self.own, self.region):
            here = dict(zip(self.own, case, strict=True))
            there = [simplify_coordinate(substitute(a, here)) for a in read.args]
            if any(_is_outside(a, limits) for a, limits in zip(there, self.region, strict=True)):
                continue
            elsewhere = dict(zip(self.own, there, strict=True))
            for loop in self.outer:
                if _settled(substitute(loop, here)) is not _settled(substitute(loop, elsewhere)):
                    return False
        return True


def _undo(change: Change, steps: dict[str, Expr], extents: dict[str, Expr]) -> bool:
    """Puts the steps of the new loops, counted from 0, in the place of those of the old; whether
    each step of the old loop is one of the new ones, and no other is."""
    if isinstance(change, Once):
        steps[change.loop], extents[change.loop] = const(0), const(1)
        return True
    if isinstance(change, Rename):
        steps[change.new], extents[change.new] = steps.pop(change.old), extents.pop(change.old)
        return True
    if isinstance(change, Fuse):
        size = extents.pop(change.inner)
        inner, outer = steps.pop(change.inner), steps.pop(change.outer)
        steps[change.fused] = _settled(Add(Mul(outer, size), inner))
        extents[change.fused] = simplify_coordinate(Mul(extents.pop(change.outer), size))
        return True
    factor = split_factor(change)
    if not isinstance(factor, Const) or factor.value < 1:
        return False
    old, extent = steps.pop(change.old), extents.pop(change.old)
    if resolved_tail(change) not in _EXACT and not is_multiple(extent, factor):
        return False
    steps[change.outer] = _settled(n.Div(old, factor))
    steps[change.inner] = _settled(n.Mod(old, factor))
    count = n.Div(Sub(Add(extent, factor), const(1)), factor)
    extents[change.outer], extents[change.inner] = simplify_coordinate(count), factor
    return True


def _settled(expr: Expr) -> Expr:
    """An equal expression in normal form, if quotients by constants are of sums with a common
    factor: (g * q + r) / (g * m) = q / m and (g * q + r) % (g * m) = g * (q % m) + r for r < g."""

    def visit(node: Expr) -> Expr:
        if not isinstance(node, n.Div | n.Mod) or not isinstance(node.b, Const):
            return simplify_coordinate(node)
        divisor = int(node.b.value)
        terms, constant = linear_terms(node.a)
        common = gcd(divisor, *terms.values())
        if divisor < 1 or common <= 1:
            return simplify_coordinate(node)
        rest = constant % common
        quotient: Expr = const((constant - rest) // common)
        for term, factor in terms.items():
            quotient = Add(quotient, Mul(term, const(factor // common)))
        quotient = simplify_coordinate(quotient)
        smaller = const(divisor // common)
        if isinstance(node, n.Div):
            return simplify_coordinate(n.Div(quotient, smaller))
        whole = Mul(simplify_coordinate(n.Mod(quotient, smaller)), const(common))
        return simplify_coordinate(Add(whole, const(rest)))

    return simplify_coordinate(ir.transform(expr, visit))


__all__ = ["with_overwritten"]
