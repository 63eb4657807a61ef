"""Pairs by how functions are named: `{}_c={}_sse41,{}_avx2` pairs `blend_c` with `blend_avx2`.

`{}` stands for any name, the same on both sides of a rule.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..model.diagnostic import Diagnostic, LiftError
from ..settings.flags import Flags
from .pair import Pair, Side

_HOLE = "{}"


@dataclass(frozen=True, slots=True)
class Rule:
    """How the names of portable functions look, and those of their twins."""

    first: str
    twins: tuple[str, ...]

    def stem(self, name: str) -> str | None:
        """What stands for `{}` in a portable function's name; None for any other name."""
        before, _, behind = self.first.partition(_HOLE)
        found = re.fullmatch(f"{re.escape(before)}(.+){re.escape(behind)}", name)
        return None if found is None else found[1]

    def names(self, stem: str) -> Iterable[str]:
        """The names that twins may have."""
        return (twin.replace(_HOLE, stem) for twin in self.twins)


def rule_of(text: str) -> Rule:
    """Reads `{}_c={}_sse2,{}_avx2`. Raises `LiftError` (`no-twins`)."""
    first, equals, twins = text.partition("=")
    rule = Rule(first.strip(), tuple(t.strip() for t in twins.split(",")))
    if not equals or any(part.count(_HOLE) != 1 for part in (rule.first, *rule.twins)):
        raise LiftError(
            Diagnostic(
                "no-twins",
                "error",
                f"--twins {text!r}: no rule of names",
                help="write {} once in each name: --twins '{}_c={}_sse41,{}_avx2'",
            )
        )
    return rule


def pairs_of(
    rules: Sequence[Rule], functions: Mapping[str, Sequence[str]], flags: Mapping[str, Flags]
) -> tuple[list[Pair], list[str]]:
    """The pairs among `functions`, which are names by file, and the portable ones without a twin.

    Where a name stands in several files, that of a function's own file or folder is its twin, or
    else all of them are.
    """
    places: defaultdict[str, list[str]] = defaultdict(list)
    for file, names in functions.items():
        for name in dict.fromkeys(names):
            places[name].append(file)
    library = tuple((file, flags[file]) for file in functions)
    pairs: dict[Pair, None] = {}
    alone: dict[str, None] = {}
    for rule in rules:
        for name, files in places.items():
            stem = rule.stem(name)
            if stem is None:
                continue
            found = False
            for twin in rule.names(stem):
                for file in files:
                    for other in _nearest(file, places.get(twin, ())):
                        if (name, file) == (twin, other):
                            continue
                        sides = Side(file, name, flags[file]), Side(other, twin, flags[other])
                        pairs[Pair(*sides, library)] = None
                        found = True
            if not found:
                alone[name] = None
    return list(pairs), [n for n in alone if n not in {p.first.function for p in pairs}]


def _nearest(file: str, others: Sequence[str]) -> Sequence[str]:
    """Of several files those that stand nearest to one."""
    if file in others:
        return (file,)
    folder = file.rpartition("/")[0]
    here = [o for o in others if o.rpartition("/")[0] == folder]
    return here or others
