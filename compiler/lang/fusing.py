"""`compute_with`: two definitions whose outer loops are the same loops."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import fail
from .loop_level import LoopLevel
from .overloads import VarOrRVar, loop_variable, mismatch
from .schedule import ComputeWith, LoopAlignStrategy

if TYPE_CHECKING:
    from .handles import DefinitionHandle


def compute_with(
    stage: DefinitionHandle, leader: Any, arguments: tuple[Any, ...], named: dict[str, Any]
) -> None:
    """Records in `stage` that it is computed with `leader`, whichever overload was called."""
    if leader is None and "loop_level" in named:
        leader = named.pop("loop_level")
    keys = ("align",) if isinstance(leader, LoopLevel) else ("var", "align")
    given = dict(zip(keys, arguments, strict=False))
    if len(arguments) > len(keys) or given.keys() & named.keys():
        mismatch("compute_with", leader, *arguments)
    given.update(named)
    if given.keys() - set(keys):
        mismatch("compute_with", leader, *given)
    if isinstance(leader, LoopLevel):
        level = leader.compute_level
        if level.place != "at":
            fail(f"Undefined loop level for {stage.name()}: compute_with needs a loop of a Func.")
        name, index, var = level.func, max(0, leader.stage_index()), level.var
    else:
        is_stage = hasattr(leader, "function") and leader.function.defined
        if not is_stage or "var" not in given:
            mismatch("compute_with", leader, *arguments)
        name, index = leader.function.name, getattr(leader, "index", 0)
        var = loop_variable("compute_with", given["var"]).name()
    if name == stage.function.name:
        fail(f"Cannot schedule {stage.name()} to be computed with {name}.s{index}.{var}")
    aligned = _alignments(stage, given.get("align", LoopAlignStrategy.Auto), var)
    stage.schedule.fused = ComputeWith(name, index, var, aligned)
    stage.schedule.touched = True


def _alignments(
    stage: DefinitionHandle, align: Any, var: str
) -> tuple[tuple[str, LoopAlignStrategy], ...]:
    """How each loop is aligned: one strategy counts for the loop `var` and all outside of it."""
    if isinstance(align, LoopAlignStrategy):
        names = [d.name for d in stage.schedule.dimensions]
        outer = names[names.index(var) :] if var in names else [var]
        return tuple((name, align) for name in outer)
    if not isinstance(align, (list, tuple)):
        mismatch("compute_with", align)
    made: dict[str, LoopAlignStrategy] = {}
    for pair in align:
        if not (isinstance(pair, (list, tuple)) and len(pair) == 2):
            mismatch("compute_with", align)
        loop: VarOrRVar = loop_variable("compute_with", pair[0])
        if not isinstance(pair[1], LoopAlignStrategy):
            mismatch("compute_with", align)
        if made.setdefault(loop.name(), pair[1]) is not pair[1]:
            fail(
                f"{stage.name()} has two different alignments for the loop {loop.name()}: "
                f"{made[loop.name()].name} and {pair[1].name}."
            )
    return tuple(made.items())
