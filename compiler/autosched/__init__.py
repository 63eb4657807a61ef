"""Schedules that nobody wrote by hand.

`Pipeline.apply_autoscheduler` takes a method by its name. What stands behind it: a description of
the machine (`Machine`), the pipeline's stages with their regions and costs (`PipelineGraph`), a
method that groups them (`METHODS`), and the directives that follow (`Schedule`).
"""

from .default import default_schedule
from .estimates import estimated_graph
from .graph import PipelineGraph
from .groups import Group, Grouping, MemberPlace
from .interface import autoschedule, machine_for
from .machine import Cache, Machine, MachineError
from .methods import METHODS, ScheduleDecision, available, decide, proposals, settings_of
from .running_sums import with_running_sums
from .schedule import Schedule

__all__ = [
    "METHODS",
    "Cache",
    "ScheduleDecision",
    "Group",
    "Grouping",
    "Machine",
    "MachineError",
    "MemberPlace",
    "Schedule",
    "PipelineGraph",
    "autoschedule",
    "available",
    "decide",
    "default_schedule",
    "estimated_graph",
    "machine_for",
    "proposals",
    "settings_of",
    "with_running_sums",
]
