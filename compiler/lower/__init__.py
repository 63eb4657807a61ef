"""Lowering: a pipeline and its schedule become loop nests (halide-2012 section 5)."""

from .environment import infer_arguments, realization_order, schedule_key
from .loop_nest_text import loop_nest_text
from .pipeline import TargetFeatures, lower
from .schedules import users_schedules

__all__ = [
    "TargetFeatures",
    "infer_arguments",
    "loop_nest_text",
    "lower",
    "realization_order",
    "schedule_key",
    "users_schedules",
]
