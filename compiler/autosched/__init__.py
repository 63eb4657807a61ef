"""Schedules that nobody wrote by hand."""

from .default import default_schedule

__all__ = [
    "default_schedule",
]
