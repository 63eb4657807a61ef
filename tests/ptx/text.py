"""PTX text as entries of instructions, as far as LLVM writes it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

BYTES = {"b8": 1, "b16": 2, "b32": 4, "b64": 8, "pred": 0}


class PtxError(Exception):
    """The text is no PTX that this machine knows, or does what a GPU must not do."""


class IllegalAddress(PtxError):
    """What is accessed lies in no memory."""


class Misaligned(PtxError):
    """The address is no multiple of what is accessed."""


@dataclass(frozen=True)
class Instruction:
    opcode: tuple[str, ...]
    """`ld`, `global`, `nc`, `v4`, `b32`."""
    operands: tuple[str, ...]
    guard: str = ""
    """The predicate's name, after `!` where it must be false; empty for none."""
    line: str = ""


@dataclass
class Entry:
    name: str
    parameters: list[tuple[str, int]] = field(default_factory=list)
    """Names with their bytes."""
    threads: tuple[int, int, int] | None = None
    registers: dict[str, int] = field(default_factory=dict)
    """The bytes of registers by their names' letters; 0 for predicates."""
    shared: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Alignment and bytes of each memory of a block."""
    local: dict[str, int] = field(default_factory=dict)
    """Bytes of each memory of a thread's own."""
    code: list[Instruction] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)

    @cached_property
    def used(self) -> frozenset[str]:
        """The registers that instructions do anything with but load them."""
        operands = (
            x
            for i in self.code
            for x in (i.operands[1:] if i.opcode[0] == "ld" else i.operands, (i.guard,))
        )
        return frozenset(re.findall(r"%\w+", " ".join(map(" ".join, operands))))


_ENTRY = re.compile(r"^\.visible \.entry (\S+?)\(\)?$")
_PARAMETER = re.compile(
    r"^\.param \.[bfus](\d+) (?:\.ptr (?:\.global )?)?(?:\.align \d+ )?(\S+?),?$"
)
_REGISTERS = re.compile(r"^\.reg \.(b\d+|pred)\s+(%[a-z]+)<\d+>;$")
_SHARED = re.compile(r"^(?:\.extern |\.visible )?\.shared \.align (\d+) \.b8 (\S+?)\[(\d*)\];$")
_LOCAL = re.compile(r"^\.local \.align (\d+) \.b8 (\S+?)\[(\d+)\];$")
_STACK = re.compile(r"^\.reg \.b64 (%SPL?);$")
_LABEL = re.compile(r"^(\$\w+):$")
_INSTRUCTION = re.compile(r"^(?:@(!?%p\d+)\s+)?([a-z][\w.:]*)(?:\s+(.*))?;$")
_HIGH = re.compile(r"^\{ \.reg \.b(?:16|32) tmp; (mov\.b(?:32|64) )\{tmp, (%\w+)\}(, %\w+;) \}$")
_LOW = re.compile(r"^\{ \.reg \.b(?:16|32) tmp; (mov\.b(?:32|64) )\{(%\w+), tmp\}(, %\w+;) \}$")
_IGNORED = re.compile(r"^(\.version|\.target|\.address_size|\)$|\{$|\}$|$)")


def entries(text: str) -> dict[str, Entry]:
    """The kernels of a module by name; a line that nobody knows is an error."""
    found: dict[str, Entry] = {}
    common: dict[str, tuple[int, int]] = {}
    entry: Entry | None = None
    for raw in text.splitlines():
        line = " ".join(raw.split("//")[0].split())
        line = _HIGH.sub(r"\1{_, \2}\3", line)
        line = _LOW.sub(r"\1{\2, _}\3", line)
        if match := _ENTRY.match(line):
            entry = found[match[1]] = Entry(match[1], shared=dict(common))
        elif match := _SHARED.match(line):
            place = common if entry is None else entry.shared
            place[match[2]] = (int(match[1]), int(match[3] or 0))
        elif _IGNORED.match(line):
            entry = None if line == "}" else entry
        elif entry is None:
            raise PtxError(f"outside of all entries: {line}")
        elif match := _PARAMETER.match(line):
            entry.parameters.append((match[2], int(match[1]) // 8))
        elif line.startswith(".maxntid"):
            x, y, z = map(int, line.removeprefix(".maxntid").split(","))
            entry.threads = (x, y, z)
        elif match := _REGISTERS.match(line):
            entry.registers[match[2]] = BYTES[match[1]]
        elif match := _LOCAL.match(line):
            entry.local[match[2]] = int(match[3])
        elif match := _STACK.match(line):
            entry.registers[match[1]] = 8
        elif match := _LABEL.match(line):
            entry.labels[match[1]] = len(entry.code)
        elif match := _INSTRUCTION.match(line):
            operands = re.findall(r"\{[^}]*\}|\[[^\]]*\]|[^,\s][^,]*", match[3] or "")
            entry.code.append(
                Instruction(
                    tuple(match[2].split(".")), tuple(o.strip() for o in operands), match[1] or "",
                    line,
                )
            )  # fmt: skip
        else:
            raise PtxError(f"unknown line: {line}")
    for made in found.values():
        operands = [operand.strip("[]") for step in made.code for operand in step.operands]
        named = {operand.partition("+")[0] for operand in operands}
        made.shared = {name: size for name, size in made.shared.items() if name in named}
    return found
