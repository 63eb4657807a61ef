"""Running `lift` over whole trees as a person does, in processes of their own."""

from __future__ import annotations

from tests.calling_lift import lift, planted, start_lift

__all__ = ["lift", "planted", "start_lift"]
