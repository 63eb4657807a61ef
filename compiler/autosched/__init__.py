"""Schedules that nobody wrote by hand."""

from .default import default_schedule
