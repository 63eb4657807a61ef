"""From stages to loop nests, with a schedule for those that nobody scheduled."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..ir.stmts import LoweredFunction
from ..lang.function import Function

if TYPE_CHECKING:
    from ..lower.kept_elements import CallersMemory
    from ..lower.pipeline import Observer, TargetFeatures


def schedule_and_lower(
    outputs: Sequence[Function],
    name: str,
    target: TargetFeatures,
    arguments: Sequence[Any] | None = None,
    observe: Observer | None = None,
    same_memory: Mapping[str, str] | None = None,
    memory: CallersMemory | None = None,
    vouched: Collection[str] = (),
) -> LoweredFunction:
    """The loop nests of `outputs` under their users' schedules; where no stage has a directive, the
    default schedule for `target` decides for all.

    The parameters are those of `compiler.lower.lower`. Raises `HalideError` as it does.
    """
    # For load time: many programs compile nothing, and most that compile bring schedules.
    from ..lower import lower, realization_order, users_schedules

    order = realization_order(outputs)
    schedules = users_schedules(order)
    if schedules is None:
        from ..autosched import default_schedule, with_running_sums

        order, outputs = with_running_sums(order, outputs)
        overwritten = [] if memory is None else list(memory.same)
        schedules = default_schedule(order, outputs, target, overwritten)
    return lower(outputs, schedules, name, target, arguments, observe, same_memory, memory, vouched)
