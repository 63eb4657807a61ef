"""Elements that a definition leaves as they are: nothing is stored there.

`undef` at the end of a choice says so (Halide's rule):

    f(x) = select(c(x), v(x), undef)        ->    if c(x): f[x] = v(x)

So does the old value of an element, where the caller has one memory for an input and an output:

    f(x) = select(c(x), v(x), a(x)), f lies where a does    ->    if c(x): f[x] = v(x)
    f(p) += select(c, v, 0)                                 ->    if c: f[p] += v

Another thread may own what a call leaves alone, and it may be memory that can't be written: what
was there isn't stored back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..ir import FALSE, TRUE, Call, Const, Expr, Not, Or, Select, UInt
from ..ir import nodes as n
from ..ir.formula import reinterpreted
from ..ir.nodes import postorder
from ..lang import Definition, is_undef
from .guard_loads import both, read_anyway
from .plan import PlannedDefinition, StagePlan


@dataclass(frozen=True)
class CallersMemory:
    """What the caller of a lowered function says of the memory of its buffers, and asks for."""

    same: Mapping[str, str]
    """The output buffer in the place of which each of these images lies, element for element."""
    changed: frozenset[str] = frozenset()
    """Outputs of which only those elements may be stored that get another value. Each has an image
    in `same`, of which every element of the region may be read."""


NO_MEMORY = CallersMemory({})


def with_kept_elements(plans: Sequence[StagePlan], memory: CallersMemory) -> list[StagePlan]:
    """The plans, `undef` in the place of an output's old elements at the ends of its choices."""
    return [_with_kept(plan, memory) if plan.is_output else plan for plan in plans]


def _with_kept(plan: StagePlan, memory: CallersMemory) -> StagePlan:
    made: list[PlannedDefinition] = []
    for number, definition in enumerate(plan.definitions):
        values = []
        for name, value in zip(plan.value_names(), definition.values, strict=True):
            olds: set[Expr] = set()
            if number > 0:
                own = Call(name, definition.args, value.type, "func")
                olds.add(own)
                value = _where_added(value, own)
            else:
                images = [image for image, output in memory.same.items() if output == name]
                olds |= {Call(image, definition.args, value.type, "image") for image in images}
            if name in memory.changed:
                if not olds:
                    raise ValueError(f"no image has the elements of {name} before")
                old = next(iter(olds))
                value = Select(_differ(value, old), value, _undef(value))
            values.append(_without_old(value, olds))
        made.append(replace(definition, values=tuple(values)))
    return replace(plan, definitions=tuple(made))


def left_to_chance(plans: Sequence[StagePlan], memory: CallersMemory) -> frozenset[str]:
    """Of plans with kept elements, the images in the place of outputs of which some element may be
    neither stored nor read, as a choice has it.

    Where such an output goes says nothing of what a copy of the image may read.
    """
    found: set[str] = set()
    for plan in plans:
        for number, definition in enumerate(plan.definitions):
            for name, value in zip(plan.value_names(), definition.values, strict=True):
                images = [image for image, output in memory.same.items() if output == name]
                olds = [Call(image, definition.args, value.type, "image") for image in images]
                condition, _ = where_stored(value)
                if number > 0:
                    olds.append(Call(name, definition.args, value.type, "func"))
                elif condition is FALSE:
                    continue  # updates alone touch elements
                if condition is not TRUE and read_anyway(condition).isdisjoint(olds):
                    found.update(images)
    return frozenset(found)


def _where_added(value: Expr, old: Expr) -> Expr:
    """`select(c, old + v, old)` for `old + select(c, v, 0)` of integers."""
    if not isinstance(value, n.Add) or not value.type.is_integer:
        return value
    for own, added in ((value.a, value.b), (value.b, value.a)):
        if own is not old or not isinstance(added, Select):
            continue
        a, b = (
            old if _is_zero(side) else _where_added(n.Add(old, side), old)
            for side in (added.a, added.b)
        )
        if a is old or b is old:
            made: Expr = Select(added.condition, a, b)
            return made
    return value


def _is_zero(value: Expr) -> bool:
    return isinstance(value, Const) and value.value == 0


def _differ(a: Expr, b: Expr) -> Expr:
    """Whether two values have other bits: -0.0 is another number than 0.0, and NaN is itself."""
    if a.type.is_float:
        bits = UInt(a.type.bits)
        a, b = (reinterpreted(bits, side) for side in (a, b))
    made: Expr = n.NE(a, b)
    return made


def _undef(value: Expr) -> Expr:
    made: Expr = Call("undef", (), value.type, "pure")
    return made


def _without_old(value: Expr, olds: Collection[Expr]) -> Expr:
    if value in olds:
        return _undef(value)
    if isinstance(value, Select):
        a, b = _without_old(value.a, olds), _without_old(value.b, olds)
        if a is not value.a or b is not value.b:
            return a if a is b else Select(value.condition, a, b)
    return value


def keeps_by_memory(definition: PlannedDefinition | Definition, images: Iterable[str]) -> bool:
    """Whether memory says of which elements a definition has the old values, those of an image: who
    computes it where nobody asks for it reads what may not be there."""
    for value in definition.values:
        olds: set[Expr] = {Call(image, definition.args, value.type, "image") for image in images}
        condition, _ = where_stored(_without_old(value, olds))
        if any(isinstance(n, Call) and n.kind in ("image", "func") for n in postorder(condition)):
            return True
    return False


def is_kept_by_choice(value: Expr) -> bool:
    """Whether `undef` is in `value` at the ends of its choices alone."""
    if is_undef(value):
        return True
    if isinstance(value, Select):
        return not any(map(is_undef, postorder(value.condition))) and all(
            is_kept_by_choice(side) for side in (value.a, value.b)
        )
    return not any(map(is_undef, postorder(value)))


def where_stored(value: Expr) -> tuple[Expr, Expr]:
    """The condition under which `value` isn't `undef`, and the value there.

    Raises nothing: what is `undef` everywhere has the condition FALSE.
    """
    if is_undef(value):
        return FALSE, value
    if not isinstance(value, Select):
        return TRUE, value
    (when_a, a), (when_b, b) = where_stored(value.a), where_stored(value.b)
    condition = value.condition
    if when_a is FALSE:
        return both(Not(condition), when_b), b
    if when_b is FALSE:
        return both(condition, when_a), a
    made = value if a is value.a and b is value.b else Select(condition, a, b)
    if when_a is TRUE and when_b is TRUE:
        return TRUE, made
    either = Or(both(condition, when_a), both(Not(condition), when_b))
    return either, made


__all__ = [
    "NO_MEMORY", "CallersMemory", "is_kept_by_choice", "keeps_by_memory", "left_to_chance",
    "where_stored", "with_kept_elements",
]  # fmt: skip
