"""What one kernel is written into: its name, its language, and what must stand before its loops."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tests.fuzz.styles.choices import Choices

Language = Literal["c", "cpp"]


@dataclass
class Scope:
    """All definitions begin with `name`, so that many kernels share a translation unit.

    `scalars` is how the parameters `k`, `mode` and `gain` are spelled inside of the function.
    """

    name: str
    choices: Choices
    language: Language
    scalars: dict[str, str] = field(
        default_factory=lambda: {"k": "k", "mode": "mode", "gain": "gain"}
    )
    definitions: list[str] = field(default_factory=list)
    """At the file's level, in front of the function."""
    opening: list[str] = field(default_factory=list)
    """Statements in front of the loops."""
    blend: str = ""
    """How the kernel's blend function is called, with {a} and {b} for its arguments."""
    least: int = -1
    """The smallest width and height for which the loops end."""

    @property
    def cpp(self) -> bool:
        return self.language == "cpp"

    def own(self, name: str) -> str:
        """A file-level name that no other kernel has."""
        return f"{self.name}_{name}"

    def has(self, text: str) -> bool:
        return any(text in d for d in self.definitions)
