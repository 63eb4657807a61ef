"""One function as it was read in its last run: what every look at it begins from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..settings.flags import Flags, parse_source

if TYPE_CHECKING:
    from ..lift.lift_function import LiftOptions
    from ..model.kernel import Kernel, ParsedFile
    from ..synth import GrammarText

TRIAL_TIMEOUT = 20.0
"""Seconds, of which one query of a trial gets a tenth at most."""


@dataclass(frozen=True, slots=True)
class Question:
    """Function `name` of the file `path`, read with `flags`, searched with `grammars`."""

    path: str
    name: str
    flags: Flags
    grammars: tuple[Path | GrammarText, ...] = ()

    def parsed(self, assumption: str | None = None) -> ParsedFile:
        """The file with no other function in it, maybe under one more assumption."""
        flags = self.flags
        if assumption is not None:
            flags = replace(flags, assumptions=(*flags.assumptions, assumption))
        return parse_source(self.path, flags, functions=(self.name,), alone=(self.name,))

    def kernel(self, assumption: str | None = None) -> Kernel | None:
        """The kernel, when the function can be parsed to one."""
        kernels = self.parsed(assumption).kernels
        return next((k for k in kernels if k.name == self.name), None)

    def trial_options(self) -> LiftOptions:
        """Options for a quick look: no search for a shorter formula than the first."""
        from ..lift.lift_function import LiftOptions

        return LiftOptions(self.grammars, TRIAL_TIMEOUT, search_budget=0)
