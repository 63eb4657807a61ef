"""What a scheduler needs to know of a machine: cores, vectors, caches, bandwidth.

A description comes from the machine at hand (`Machine.host`), from those that are shipped
(`Machine.named`; `machines/*.toml`), from text (`Machine.parse`), or from whatever a user may write
on a command line (`Machine.read`). All raise `MachineError` for one that makes no sense. What reads
text and what asks the system are imported when first asked, for load time: the default schedule
needs neither.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from .machine_facts import PREFETCH_DISTANCE, Cache, MachineError


@dataclass(frozen=True)
class Machine:
    """A machine with its caches, the first level first (thesis table 4.1)."""

    name: str
    cores: int
    threads_per_core: int
    vector_bits: int
    caches: tuple[Cache, ...]
    bandwidth: float
    """Bytes a second that all cores together copy from and to memory."""
    clock: float = 3e9
    """Cycles a second."""
    prefetch_distance: int = PREFETCH_DISTANCE
    """Lines that the second level's prefetcher runs ahead (thesis section 4.3)."""
    next_line_prefetch: bool = True
    """Whether the first level fetches the line after each one that is read."""
    level_costs: tuple[float, ...] = (4.0, 14.0, 50.0, 200.0)
    """Cycles to read from each level, then from memory."""
    guesses: tuple[str, ...] = ()
    """The keys (as `text` writes them) that nobody stated and nothing measured."""

    @property
    def threads(self) -> int:
        return self.cores * self.threads_per_core

    def lanes(self, bits: int) -> int:
        """How many values of `bits` bits one vector holds."""
        return max(1, self.vector_bits // max(8, bits))

    def with_vectors(self, bits: int) -> Machine:
        """The same machine, for code whose vectors have `bits` bits."""
        return self if bits == self.vector_bits else replace(self, vector_bits=bits)

    def text(self) -> str:
        """The description as TOML; `Machine.parse` makes the same machine of it."""
        from .machine_text import written

        return written({f.name: getattr(self, f.name) for f in fields(self)})

    @staticmethod
    def parse(text: str, origin: str = "machine") -> Machine:
        """The machine that TOML text describes; `origin` is what errors call the text.

        `like = "NAME"` begins with a shipped machine, or with `host`, and replaces what follows.
        """
        from .machine_text import parsed

        return Machine(**parsed(text, origin))

    @staticmethod
    def named(name: str) -> Machine:
        """A shipped machine; `host` is this one."""
        from .machine_text import named

        return Machine(**named(name))

    @staticmethod
    def names() -> list[str]:
        """What `named` knows."""
        from .machine_text import names

        return names()

    @staticmethod
    def read(text: str) -> Machine:
        """What a user wrote: `NAME` or `FILE`, and any number of `,KEY=VALUE` behind it.

        `host,cores=1` and `cortex-a76.toml,l2.size=256K,bandwidth=9 GB/s` are such.
        """
        from .machine_text import read

        return Machine(**read(text))

    @staticmethod
    def host(measure: bool = False) -> Machine:
        """The machine that this process runs on, with the cores that it may use.

        Where the system doesn't say something, a usual value stands, and `guesses` names it. The
        bandwidth is among these unless `measure` asks for a copy to be timed (a fifth of a second).
        """
        from .machine_host import host

        return Machine(**host(measure))


__all__ = ["Cache", "Machine", "MachineError"]
