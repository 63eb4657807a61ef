"""Masked loads whose masks passes have found to be constant.

LLVM 22 ends the process for NVPTX where such a load has zeros in its other lanes, so that these are
chosen behind it:

    %v = load(%p, <true, false>, zeros)    ->    %some = load(%p, <true, false>, poison)
                                                 %v = select <true, false>, %some, zeros
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count

_LOAD = "llvm.masked.load."
_CONSTANT = r"<\d+ x i1> (?:<[^<>]*>|splat \(i1 \w+\)|zeroinitializer)"
_WITH_ZEROS = re.compile(
    rf"^(?P<indent> *)(?P<name>%[\w.]+) = (?P<call>(?:tail )?call) (?P<type><\d+ x \w+>)"
    rf" @{re.escape(_LOAD)}(?P<suffix>[\w.]+)\((?P<place>.*?), (?P<mask>{_CONSTANT}),"
    rf" (?P=type) (?P<others>zeroinitializer|<[^<>]*>)\)(?P<rest>.*)$",
    re.MULTILINE,
)


def loads_by_masks(names: Iterable[str]) -> bool:
    """Whether functions of these names are among the declarations of a module with such loads."""
    return any(name.startswith(_LOAD) for name in names)


def with_chosen_zeros(text: str) -> str:
    """LLVM text with the zeros of constant masks chosen behind the loads."""
    numbers = count()

    def chosen(found: re.Match[str]) -> str:
        some = f"%masked.{next(numbers)}"
        indent, type = found["indent"], found["type"]
        call = f"{found['call']} {type} @{_LOAD}{found['suffix']}"
        operands = f"{found['place']}, {found['mask']}, {type} poison"
        choice = f"select {found['mask']}, {type} {some}, {type} {found['others']}"
        return (
            f"{indent}{some} = {call}({operands}){found['rest']}\n"
            f"{indent}{found['name']} = {choice}"
        )

    return _WITH_ZEROS.sub(chosen, text)


__all__ = ["loads_by_masks", "with_chosen_zeros"]
