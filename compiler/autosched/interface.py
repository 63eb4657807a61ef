"""An autoscheduler by its name, for a target: what `Pipeline.apply_autoscheduler` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..lang import Function, HalideError
from ..lower.environment import realization_order
from .machine import Machine
from .methods import MACHINE, ScheduleDecision, decide

USUAL = {"x86_64": "core-i7-6700", "amd64": "core-i7-6700", "aarch64": "cortex-a76"}
"""The machine that is planned for where one of another architecture is compiled for, and nobody
says which it is."""


def autoschedule(
    outputs: Sequence[Function],
    target: Any,
    name: str,
    settings: Mapping[str, str],
    progress: Callable[[str], None] | None = None,
) -> tuple[ScheduleDecision, str]:
    """Schedules the stages that `outputs` need and that nobody scheduled; gives what was decided,
    and the directives as Python text.

    `target` is code generation's (None: this machine); its registers' width is that of the vectors.
    `settings` has the method's parameters as texts, and maybe `machine` (as `Machine.read`);
    without it, the machine is this one, or a usual one of the target's architecture. Raises
    `HalideError`, with nothing changed.
    """
    rest = dict(settings)
    described = rest.pop(MACHINE, None)
    machine, is_here = machine_for(target, described)
    order = realization_order(outputs)
    decision = decide(name, outputs, machine, rest, is_here, progress)
    text = decision.schedule.source(order)
    decision.schedule.apply(order)
    return decision, text


def machine_for(target: Any, described: str | None) -> tuple[Machine, bool]:
    """The machine to plan for, and whether it is this one."""
    from ..codegen import Target

    host = Target.host()
    wanted = host if target is None else target
    if described is not None:
        machine = Machine.read(described)
    elif wanted.architecture == host.architecture:
        machine = Machine.host()
    elif wanted.architecture in USUAL:
        machine = Machine.named(USUAL[wanted.architecture])
    else:
        known = ", ".join(Machine.names())
        raise HalideError(
            f"Which machine has the architecture {wanted.architecture}? Pass machine=NAME or a "
            f"file; known are {known}."
        )
    is_host = described is None or described.split(",")[0].strip() == "host"
    words = [word for word in wanted.features.split(",") if word[:1] == "+"]
    can_run = wanted.architecture == host.architecture and all(host.has(w[1:]) for w in words)
    return machine.with_vectors(wanted.natural_vector_bits), is_host and can_run


__all__ = ["autoschedule", "machine_for"]
