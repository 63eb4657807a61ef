"""What users say to autoschedulers, and what they are told (`Pipeline.apply_autoscheduler`)."""

from __future__ import annotations

import re
from typing import Any

from ..lang.errors import fail
from ..lang.overloads import instance, mismatch
from .target import Target


class AutoschedulerParams:
    """The name of an autoscheduler (none: schedules are written by hand) and its settings, all of
    which are text: `AutoschedulerParams("Mullapudi2016", {"parallelism": 8})`."""

    def __init__(self, name: str = "", extra: Any = None) -> None:
        self.name = instance("AutoschedulerParams", name, str)
        if extra is not None and not isinstance(extra, dict):
            mismatch("AutoschedulerParams", name, extra)
        self.extra: dict[str, str] = {str(k): str(v) for k, v in (extra or {}).items()}

    def __repr__(self) -> str:
        return f"<AutoschedulerParams {self.name!r}, {self.extra}>"


class AutoSchedulerResults:
    """What `apply_autoscheduler` did.

    `schedule_source` has the directives as Python text that does the same when it runs, where `hl`
    is this package and `pipeline` the pipeline. Beyond the real package's attributes, `decision`
    says which stages were grouped and why (`compiler.autosched.Decision`).
    """

    def __init__(self) -> None:
        self.target = Target()
        self.autoscheduler_params = AutoschedulerParams()
        self.schedule_source = ""
        self.featurization: list[int] = []
        self.decision: Any = None

    def __repr__(self) -> str:
        return "<AutoSchedulerResults>"


def load_plugin(lib_name: str) -> None:
    """Accepts the real package's autoscheduler plugins by name, so that its scripts run; ours are
    always there. Raises `HalideError` for any other name."""
    name = instance("load_plugin", lib_name, str)
    if (
        re.search(r"autoschedule_(mullapudi2016|adams2019|li2018|anderson2021)(\.so)?$", name)
        is None
    ):
        fail(f"Failed to load: {name}: this compiler has no plugins; its autoschedulers are there.")


__all__ = ["AutoSchedulerResults", "AutoschedulerParams", "load_plugin"]
