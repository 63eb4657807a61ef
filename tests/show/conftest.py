"""Running `lift` as a person does, in this process or in one of its own."""

from __future__ import annotations

from tests.calling_lift import lift, planted, start_lift

__all__ = ["lift", "planted", "start_lift"]
