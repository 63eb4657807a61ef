"""Runs a PTX entry for all threads of a grid at once: a register is an array with a lane a thread.

Lanes go on by their program counters, the least first, so that lanes of one warp are as far apart
as a program allows. Whatever would have no meaning on a GPU is an error: reading a register or a
byte that nobody wrote, an address outside of every memory, or not a multiple of what is accessed,
two lanes that meet in memory without a barrier between them, lanes of a block at different
barriers. An instruction that is not in the tables is one as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .arithmetic import OPERATIONS, width_of
from .memory import Access, Memory, Sparse
from .text import Entry, IllegalAddress, Instruction, Misaligned, PtxError

WARP = 32
SECTOR = 32
BANKS = 32
LOCAL = np.uint64(1 << 62)
"""What a thread's own memory begins with among the addresses of all spaces."""
WINDOW = 40
"""Bits of an address within one memory of the device."""


class TooLong(PtxError):
    """A run takes more instructions than it may."""


@dataclass
class Counts:
    """What a run took; of memory, by requests of warps as they come."""

    instructions: int = 0
    barriers: int = 0
    sectors_read: int = 0
    """Of 32 bytes, of the device's memory, before all caches."""
    sectors_written: int = 0
    least_sectors: int = 0
    """What as many different bytes, of each request, would take if they lay in a row."""
    requests: int = 0
    """Of the device's memory."""
    shared_passes: int = 0
    """How often the banks of a block's memory were asked, of 4 bytes each."""
    shared_requests: int = 0
    """How often they had to be."""
    local_accesses: int = 0


def run(
    entry: Entry,
    blocks: tuple[int, int, int],
    threads: tuple[int, int, int],
    arguments: Sequence[np.ndarray | Sparse | int | float | np.generic],
    dynamic_shared: int = 0,
    unwritten: Sequence[int] = (),
    offsets: Mapping[int, int] | None = None,
    reads_are_atomic: bool = False,
    most_instructions: int | None = None,
    written: dict[int, np.ndarray] | None = None,
    spreads: bool = False,
) -> Counts:
    """Runs the entry; arrays are memories, which it may write.

    Arguments whose numbers are in `unwritten` are memories that hold nothing yet; `offsets` says by
    how many bytes the address of one is off a multiple of 256. With `reads_are_atomic` all reads
    may meet what other lanes change atomically. After `most_instructions` it is `TooLong`. Which
    bytes of an argument that is an array have been written goes into `written`, by its number.
    If what nobody wrote `spreads`, lanes may read it, and compute with it and store what comes of
    it, as long as no address and no branch depends on it; where `reads_are_atomic`, too, nobody
    asks who wrote what.
    """
    if len(arguments) != len(entry.parameters):
        raise PtxError(f"{len(arguments)} arguments for {len(entry.parameters)} parameters")
    memories: dict[int, Memory] = {}
    values: list[int] = []
    for place, ((name, size), given) in enumerate(zip(entry.parameters, arguments, strict=True)):
        if isinstance(given, np.ndarray):
            content = given.reshape(-1).view(np.uint8)
            memory = Memory(f"argument {place}", content, len(content))
            memory.known[:] = place not in unwritten
            values.append((len(memories) + 1 << WINDOW) + (offsets or {}).get(place, 0))
            memories[values[-1]] = memory
            if written is not None:
                written[place] = memory.written
        elif isinstance(given, Sparse):
            values.append(len(memories) + 1 << WINDOW)
            for first, piece in given.pieces:
                content = piece.view(np.uint8)
                at = values[-1] + first * piece.itemsize
                memories[at] = Memory(f"argument {place}", content, len(content))
        else:
            number = np.asarray(given)
            if number.dtype.itemsize != size:
                raise PtxError(f"{name} has {size} bytes, {number.dtype} given")
            values.append(int.from_bytes(number.tobytes(), "little"))
    made = _Run(entry, blocks, threads, values, memories, dynamic_shared)
    made.reads_are_atomic, made.spreads = reads_are_atomic, spreads
    if reads_are_atomic and spreads:
        # A part of a word is changed by way of all of it.
        for memory in (*made.memories, made.shared):
            memory.known[:] = True
    if most_instructions is not None:
        made.most_instructions = most_instructions
    return made.all()


def run_at(
    entry: Entry,
    blocks: tuple[int, int, int],
    threads: tuple[int, int, int],
    values: Sequence[int],
    memories: Mapping[int, Memory],
    dynamic_shared: int = 0,
) -> Counts:
    """Runs the entry on memories at addresses of the device; `values` are its parameters' bits."""
    if len(values) != len(entry.parameters):
        raise PtxError(f"{len(values)} values for {len(entry.parameters)} parameters")
    return _Run(entry, blocks, threads, values, memories, dynamic_shared).all()


@dataclass
class _Copy:
    """A copy that lanes have asked for."""

    lanes: np.ndarray
    access: Access
    data: np.ndarray
    group: np.ndarray
    """Of each lane of the run, the group that it has put the copy in; -1 before that."""
    is_there: np.ndarray


class _Run:
    def __init__(
        self,
        entry: Entry,
        blocks: tuple[int, int, int],
        threads: tuple[int, int, int],
        values: Sequence[int],
        memories: Mapping[int, Memory],
        dynamic_shared: int,
    ) -> None:
        if entry.threads is not None and int(np.prod(threads)) > int(np.prod(entry.threads)):
            raise PtxError(f"{threads} threads of at most {entry.threads}")
        self.entry = entry
        per_block = int(np.prod(threads))
        self.lanes = int(np.prod(blocks)) * per_block
        lane = np.arange(self.lanes)
        self.block, thread = lane // per_block, lane % per_block
        self.warp = self.block * -(-per_block // WARP) + thread // WARP
        self.special: dict[str, np.ndarray] = {}
        for names, shape, number in (("ctaid", blocks, self.block), ("tid", threads, thread)):
            for dimension, extent in zip("xyz", shape, strict=True):
                self.special[f"%{names}.{dimension}"] = (number % extent).astype(np.uint64)
                number = number // extent
        self.parameters = dict(zip((n for n, _ in entry.parameters), values, strict=True))
        self.bases = np.array(sorted(memories), np.int64)
        self.memories = [memories[int(base)] for base in self.bases]
        ends = self.bases + np.array([len(m.bytes) for m in self.memories], np.int64)
        # What is next to a memory, but not in it, is told of that memory.
        between = ends[:-1] + (self.bases[1:] - ends[:-1]) // 2
        first = self.bases[:1] - (1 << WINDOW - 1)
        self.borders = np.concatenate([first, between, ends[-1:] + (1 << WINDOW - 1)])
        self.shared_at: dict[str, int] = {}
        end = 0
        for name, (alignment, size) in sorted(
            entry.shared.items(), key=lambda item: item[1][1] == 0
        ):
            end = -(-end // alignment) * alignment
            self.shared_at[name] = end
            end += size or dynamic_shared
        if not entry.shared:
            end = dynamic_shared  # Some begin at address 0 without a name for it.
        self.shared = Memory("shared memory", None, end * int(np.prod(blocks)), end)
        self.local_at: dict[str, int] = {}
        own = 0
        for name, size in entry.local.items():
            self.local_at[name] = own
            own += -(-size // 16) * 16
        self.local = Memory("local memory", None, own * self.lanes, own, of_lane=True)
        self.copying: list[_Copy] = []
        self.groups = np.zeros(self.lanes, np.int64)
        """How many groups of copies each lane has."""
        self.registers: dict[str, np.ndarray] = {}
        self.written: dict[str, np.ndarray] = {}
        self.at = np.zeros(self.lanes, int)
        self.epochs = np.zeros(self.lanes, int)
        self.waiting = np.zeros(self.lanes, bool)
        self.counts = Counts()
        self.times: dict[int, np.ndarray] = {}
        """How often each lane has run an instruction that asks for memory, by its place."""
        self.asked: dict[tuple[int, int], np.ndarray] = {}
        """By an instruction's place, and by warp and time: the bytes that some lanes asked for."""
        self.has_shuffles = any(step.opcode[0] == "shfl" for step in entry.code)
        self.spreads = False
        self.reads_are_atomic = False
        self.most_instructions = 1 << 60

    def all(self) -> Counts:
        """Runs all lanes to their ends."""
        end = len(self.entry.code)
        last = self.entry.code[-1]
        if last.opcode[0] not in ("ret", "bra") or last.guard:
            raise PtxError("the last instruction leads on to nowhere")
        while True:
            running = (self.at < end) & ~self.waiting
            if not running.any():
                if not self.waiting.any():
                    return self.counts
                self._meet()
                continue
            here = int(self.at[running].min())
            on = np.flatnonzero(running & (self.at == here))
            self._step(self.entry.code[here], on)

    def _meet(self) -> None:
        """Lets the lanes of all blocks go on that wait at one barrier together."""
        for block in np.unique(self.block[self.waiting]):
            own = self.block == block
            places = np.unique(self.at[own])
            if len(places) > 1 or not self.waiting[own].all():
                lines = {self.entry.code[p].line for p in places if p < len(self.entry.code)}
                raise PtxError(f"block {block} is torn apart at {', '.join(sorted(lines))}")
        self.counts.barriers += 1
        self.at[self.waiting] += 1
        self.epochs[self.waiting] += 1
        self.waiting[:] = False

    def _step(self, instruction: Instruction, on: np.ndarray) -> None:
        self.counts.instructions += 1
        if self.counts.instructions > self.most_instructions:
            raise TooLong(f"more than {self.most_instructions} instructions")
        if instruction.guard:
            holds = self._read(instruction.guard.removeprefix("!"), 0, on)
            taken = ~holds if instruction.guard.startswith("!") else holds
            self.at[on[~taken]] += 1
            on = on[taken]
            if not len(on):
                return
        first = instruction.opcode[0]
        if first == "bra":
            self.at[on] = self.entry.labels[instruction.operands[0]]
        elif first == "ret":
            self.at[on] = len(self.entry.code)
        elif first == "trap":
            raise PtxError("a lane comes to a trap")
        elif first in ("bar", "barrier"):
            if instruction.guard or instruction.operands != ("0",):
                raise PtxError(f"no such barrier: {instruction.line}")
            self.waiting[on] = True
        else:
            self._do(instruction, on)
            self.at[on] += 1

    def _do(self, instruction: Instruction, on: np.ndarray) -> None:
        first = instruction.opcode[0]
        try:
            if first in ("ld", "st"):
                self._move(instruction, on)
            elif first in ("atom", "red"):
                self._update(instruction, on)
            elif first in ("fence", "membar"):
                return
            elif first == "mov":
                self._copy(instruction, on)
            elif first == "cvta":
                self._convert(instruction, on)
            elif first == "shfl":
                self._shuffle(instruction, on)
            elif first == "cp":
                self._copy_later(instruction, on)
            else:
                self._compute(instruction, on)
        except KeyError as error:
            raise PtxError(f"unknown {error} in {instruction.line}") from error

    def _compute(self, instruction: Instruction, on: np.ndarray) -> None:
        operation = OPERATIONS[instruction.opcode[0]]
        target, *sources = instruction.operands
        if instruction.opcode[0] == "selp":
            self._select(instruction, on)
            return
        is_open = np.zeros(len(on), bool)
        if self.has_shuffles or self.spreads:
            # Lanes that have nothing to do calculate with what nobody wrote, and use nothing of it.
            for source in sources:
                is_open |= self._is_open(source, on)
        read = self._any if is_open.any() else self._read
        results = operation(
            instruction.opcode[1:], [lambda size, s=s: read(s, size, on) for s in sources]
        )
        self._write(target, results, on)
        self.written[target][on] = ~is_open

    def _select(self, instruction: Instruction, on: np.ndarray) -> None:
        """One of two operands, of which the other may be what nobody wrote."""
        size = width_of(instruction.opcode[1])
        target, a, b, condition = instruction.operands
        chosen = (self._any if self.spreads else self._read)(condition, 0, on)
        self._write(target, np.where(chosen, self._any(a, size, on), self._any(b, size, on)), on)
        is_open = np.where(chosen, self._is_open(a, on), self._is_open(b, on))
        self.written[target][on] = ~(is_open | self._is_open(condition, on))

    def _copy(self, instruction: Instruction, on: np.ndarray) -> None:
        size = width_of(instruction.opcode[-1])
        target, source = instruction.operands
        is_open = np.zeros(len(on), bool)
        if source.startswith("{"):
            parts = [p.strip() for p in source[1:-1].split(",")]
            each = size // len(parts)
            value = np.zeros(len(on), np.uint64)
            for number, part in enumerate(parts):
                value |= self._any(part, each, on) << np.uint64(8 * each * number)
        else:
            # Where nobody wrote it nobody reads what comes of it, or else the copy is found.
            is_open, value = self._is_open(source, on), self._any(source, size, on)
        names = [p.strip() for p in target.strip("{}").split(",")]
        each = size // len(names)
        for number, name in enumerate(names):
            if name != "_":
                part = value >> np.uint64(8 * each * number) if number else value
                self._write(name, part if len(names) == 1 else part & _low(each), on)
                self.written[name][on] = ~is_open

    def _convert(self, instruction: Instruction, on: np.ndarray) -> None:
        """The address of a space as one of all spaces, or the other way round."""
        *words, _ = instruction.opcode[1:]
        target, source = instruction.operands
        if words not in (["to", "global"], ["to", "local"], ["local"]):
            raise KeyError(instruction.line)
        address = self._read(source, 8, on)
        if "local" in words:
            address = address - LOCAL if words[0] == "to" else address + LOCAL
        self._write(target, address, on)

    def _copy_later(self, instruction: Instruction, on: np.ndarray) -> None:
        """Copies that are there when a lane waits for the group that it has put them in."""
        words, operands = ".".join(instruction.opcode[1:]), instruction.operands
        if words == "async.commit_group":
            for copy in self.copying:
                open_ = on[copy.group[on] < 0]
                copy.group[open_] = self.groups[open_]
            self.groups[on] += 1
            return
        if words == "async.wait_group":
            last = self.groups - int(operands[0])
            for copy in self.copying:
                group = copy.group[copy.lanes]
                is_done = (group >= 0) & (group < last[copy.lanes])
                arrives = np.isin(copy.lanes, on) & is_done & ~copy.is_there
                if arrives.any():
                    rows = np.flatnonzero(arrives)
                    self.shared.arrive(copy.access.of(rows), copy.data[rows])
                    copy.is_there |= arrives
            self.copying = [copy for copy in self.copying if not copy.is_there.all()]
            return
        size = int(operands[2])
        if words != f"async.{'cg' if size == 16 else 'ca'}.shared.global" or size not in (4, 8, 16):
            raise KeyError(instruction.line)
        data = np.zeros((len(on), size), np.uint8)
        for memory, access, rows in self._accesses(
            "global", operands[1], size, on, instruction, False
        ):
            data[rows] = memory.read(access)
        self._count("global", True, operands[1], size, on)
        ((_, access, _),) = self._accesses("shared", operands[0], size, on, instruction, False)
        self.shared.leave(access, data)
        self.copying.append(_Copy(on, access, data, np.full(self.lanes, -1), on < 0))

    def _shuffle(self, instruction: Instruction, on: np.ndarray) -> None:
        """What lanes offer one another: all of each warp have to come together."""
        sync, way, type = instruction.opcode[1:]
        target, source, operand, last, lanes = instruction.operands
        if (sync, type) != ("sync", "b32") or lanes != "-1":
            raise KeyError(instruction.line)
        for warp in np.unique(self.warp[on]):
            if np.count_nonzero(self.warp[on] == warp) != WARP:
                raise PtxError(f"lanes of warp {warp} are torn apart at {instruction.line}")
        by = self._read(operand, 4, on).astype(np.int64)
        own = np.arange(len(on)) % WARP
        ways = {"idx": by % WARP, "down": own + by, "up": own - by, "bfly": own ^ by}
        if int(last) != (0 if way == "up" else WARP - 1):
            raise KeyError(instruction.line)
        lane = ways[way]
        lane = np.where((lane >= 0) & (lane < WARP), lane, own)
        there = np.arange(len(on)) - own + lane
        is_open, value = self._is_open(source, on)[there], self._any(source, 4, on)[there]
        self._write(target, value, on)
        self.written[target][on] = ~is_open

    def _is_open(self, text: str, on: np.ndarray) -> np.ndarray:
        """Where nobody has written the operand, a register, yet."""
        if not text.startswith("%") or text in self.special:
            return np.zeros(len(on), bool)
        return ~self.written[text][on] if text in self.written else np.ones(len(on), bool)

    def _any(self, text: str, size: int, on: np.ndarray) -> np.ndarray:
        """The operand; some other number where nobody has written it."""
        is_open = self._is_open(text, on)
        if not is_open.any():
            return self._read(text, size, on)
        value = self.registers[text][on] if text in self.registers else np.zeros(len(on), np.uint64)
        if value.dtype == bool:
            return value
        if self.spreads and text in self.registers:
            return value & _low(size)  # A part of it may be known.
        other = np.uint64(0xA5C3A5C3A5C3A5C3) & _low(size)
        return np.where(is_open, other, value)

    def _read(self, text: str, size: int, on: np.ndarray) -> np.ndarray:
        """The operand's bits, the low `size` bytes; for size 0 a predicate."""
        if text in self.special:
            value = self.special[text][on]
        elif text.startswith("%"):
            if text not in self.registers or not self.written[text][on].all():
                raise PtxError(f"{text} is read before it is written")
            value = self.registers[text][on]
            if value.dtype == bool:
                return value
        elif text in self.local_at:
            value = np.full(len(on), self.local_at[text], np.uint64)
        elif text in self.shared_at:
            value = np.full(len(on), self.shared_at[text], np.uint64)
        elif text.startswith(("0f", "0F", "0d", "0D")):
            value = np.full(len(on), int(text[2:], 16), np.uint64)
        else:
            number = int(text.rstrip("U"), 0)
            if size == 0:
                return np.full(len(on), bool(number))
            value = np.full(len(on), number & 0xFFFFFFFFFFFFFFFF, np.uint64)
        return value & np.uint64((1 << 8 * size) - 1)

    def _write(self, name: str, value: np.ndarray, on: np.ndarray) -> None:
        letters = name.rstrip("0123456789")
        size = self.entry.registers[letters]
        if (size == 0) != (value.dtype == bool):
            raise PtxError(f"{value.dtype} written to {name}")
        if name not in self.registers:
            self.registers[name] = np.zeros(self.lanes, bool if size == 0 else np.uint64)
            self.written[name] = np.zeros(self.lanes, bool)
        self.registers[name][on] = value if size == 0 else value & np.uint64((1 << 8 * size) - 1)
        self.written[name][on] = True

    def _address(self, text: str, on: np.ndarray) -> np.ndarray:
        base, _, offset = text[1:-1].partition("+")
        return np.asarray(
            self._read(base, 8, on).astype(np.int64) + int(offset or 0), dtype=np.int64
        )

    def _accesses(
        self,
        space: str,
        text: str,
        size: int,
        on: np.ndarray,
        instruction: Instruction,
        atomic: bool,
    ) -> list[tuple[Memory, Access, np.ndarray]]:
        """By memory: the access, and which of `on` make it."""
        address = self._address(text, on)
        if space == "generic":
            is_local = address >= int(LOCAL)
            if is_local.any() and not is_local.all():
                raise PtxError(f"addresses of two spaces in {instruction.line}")
            space = "local" if is_local.all() else "global"
            address = address - int(LOCAL) if is_local.all() else address
        if (address % size).any():
            raise Misaligned(f"the address is no multiple of {size} in {instruction.line}")
        if space in ("shared", "local"):
            made = Access(
                address, size, on, self.block[on], self.epochs[on], atomic, instruction.line
            )
            memory = self.shared if space == "shared" else self.local
            return [(memory, made, np.arange(len(on)))]
        if space != "global":
            raise PtxError(f"no memory {space} in {instruction.line}")
        which = np.searchsorted(self.borders, address, "right") - 1
        found = []
        for number in np.unique(which):
            if not 0 <= number < len(self.memories):
                raise IllegalAddress(f"an address outside of all memories in {instruction.line}")
            rows = np.flatnonzero(which == number)
            places = address[rows] - self.bases[number]
            own = on[rows]
            made = Access(
                places, size, own, self.block[own], self.epochs[own], atomic, instruction.line
            )
            found.append((self.memories[number], made, rows))
        return found

    def _move(self, instruction: Instruction, on: np.ndarray) -> None:
        kind, *words = instruction.opcode
        size = width_of(words[-1])
        space = "generic" if words[0] in (words[-1], "v2", "v4") else words[0]
        is_atomic = space in ("relaxed", "volatile") or (self.reads_are_atomic and kind == "ld")
        if space == "relaxed":
            space = words[2]
        elif space == "volatile":
            space = words[1]
        lanes = next((int(w[1:]) for w in words if w in ("v2", "v4", "v8")), 1)
        is_load = kind == "ld"
        target, source = instruction.operands if is_load else reversed(instruction.operands)
        names = [n.strip() for n in target.strip("{}").split(",")]
        if len(names) != lanes:
            raise PtxError(f"not {lanes} registers in {instruction.line}")
        if space == "param":
            value = self.parameters[source[1:-1]]
            made = np.full(len(on), value, np.uint64)
            self._write(target, _extended(made, words[-1]), on)
            return
        self._count(space, is_load, source, size * lanes, on)
        unknown = set(words[1:-1]) - {"nc", "v2", "v4", "v8", "global", "shared", "gpu", "cta"}
        if unknown:
            raise KeyError(*unknown)
        accesses = self._accesses(space, source, size * lanes, on, instruction, is_atomic)
        if is_load:
            data = np.zeros((len(on), size * lanes), np.uint8)
            known = np.ones((len(on), size * lanes), bool)
            used = [n for n, name in enumerate(names) if name in self.entry.used]
            for memory, access, rows in accesses:
                # Of memory that is there for certain LLVM reads what nobody uses.
                if space == "global" or len(used) == lanes:
                    strict = space == "global" and not self.spreads
                    data[rows], known[rows] = memory.read_any(access, strict)
                    continue
                for number in used:
                    own = slice(number * size, (number + 1) * size)
                    data[rows, own], known[rows, own] = memory.read_any(access.part(own))
            for number, name in enumerate(names):
                if name != "_":
                    own = slice(number * size, (number + 1) * size)
                    self._write(name, _extended(_numbers(data[:, own]), words[-1]), on)
                    self.written[name][on] = known[:, own].all(1)
            return
        read = self._any if self.spreads else self._read
        data = np.concatenate([_bytes(read(name, size, on), size) for name in names], axis=1)
        known = np.repeat([~self._is_open(name, on) for name in names], size, axis=0).T
        for memory, access, rows in accesses:
            memory.write(access, data[rows], known[rows])

    def _count(self, space: str, is_load: bool, place: str, size: int, on: np.ndarray) -> None:
        """Counts what one instruction asks of the memory.

        Lanes of a warp that run it one after the other, though each for as many times as the
        others, would do it at once on a GPU, which lets them go on together where they can.
        """
        if space in ("local", "generic"):
            self.counts.local_accesses += 1
            return
        here = int(self.at[on[0]])
        if here not in self.times:
            self.times[here] = np.zeros(self.lanes, np.int32)
        self.times[here][on] += 1
        # By warp and turn, each group of lanes in a row.
        keys = self.warp[on] * (1 << 32) + self.times[here][on]
        order = np.argsort(keys, kind="stable")
        keys, address = keys[order], self._address(place, on)[order, None] + np.arange(size)
        ends = np.append(np.flatnonzero(np.diff(keys)) + 1, len(keys))
        first = 0
        for end in ends:
            asked, key = address[first:end], (here, int(keys[first]))
            before = self.asked.get(key)
            if before is not None:
                self._ask(space, is_load, before, -1)
                asked = np.concatenate([before, asked])
            if len(asked) < WARP:
                self.asked[key] = asked
            self._ask(space, is_load, asked, 1)
            first = end

    def _ask(self, space: str, is_load: bool, bytes: np.ndarray, sign: int) -> None:
        """Adds what a warp asks for, by lane, to the counts; or takes it away."""
        counts = self.counts
        if space == "shared":
            # Of vectors, as many lanes at a time as ask for all banks once.
            turns = np.array_split(bytes, max(bytes.size // (4 * BANKS), 1))
            counts.shared_requests += sign * len(turns)
            for turn in turns:
                words = np.unique(turn // 4)
                counts.shared_passes += sign * int(np.bincount(words % BANKS).max())
            return
        sectors = len(np.unique(bytes // SECTOR))
        counts.requests += sign
        counts.least_sectors += sign * -(-len(np.unique(bytes)) // SECTOR)
        if is_load:
            counts.sectors_read += sign * sectors
        else:
            counts.sectors_written += sign * sectors

    def _update(self, instruction: Instruction, on: np.ndarray) -> None:
        """One lane after the other at each place, in an order that nobody may rely on."""
        words = [w for w in instruction.opcode[1:] if w not in ("relaxed", "gpu", "cta")]
        space, name, kind = words
        if space == "global" and "cta" in instruction.opcode and self.block.any():
            raise PtxError(f"no update as a whole for other blocks: {instruction.line}")
        operands = list(instruction.operands)
        target = operands.pop(0) if instruction.opcode[0] == "atom" else "_"
        place, *sources = operands
        size = width_of(kind)
        values = [self._read(s, size, on) for s in sources]
        old = np.zeros(len(on), np.uint64)
        for memory, access, rows in self._accesses(space, place, size, on, instruction, True):
            left = np.random.default_rng(len(on)).permutation(len(rows))
            while len(left):
                begins = access.places[left] + access.blocks[left] * (memory.piece or 0)
                now = left[np.unique(begins, return_index=True)[1]]
                left = left[~np.isin(left, now)]
                made, chosen = access.of(now), rows[now]
                before = _numbers(memory.read(made))
                given = [v[chosen] for v in values]
                if space == "global" and (name, kind) == ("add", "f32"):
                    _check_normal(before, *given)
                memory.write(made, _bytes(_updated(name, kind, before, given), size))
                old[chosen] = before
        if target != "_":
            self._write(target, old, on)


def _updated(name: str, kind: str, before: np.ndarray, given: list[np.ndarray]) -> np.ndarray:
    if name == "cas":
        return np.where(before == given[0], given[1], before)
    if name == "exch":
        return given[0]
    rounding = ("rn",) if kind.startswith("f") else ()
    return OPERATIONS[name]((*rounding, kind), [lambda _, v=v: v for v in (before, *given)])


def _check_normal(*values: np.ndarray) -> None:
    """Numbers that this sum doesn't take for zero (PTX ISA, "atom")."""
    for value in values:
        single = value.astype(np.uint32).view(np.float32)
        if ((single != 0) & (np.abs(single) < np.finfo(np.float32).tiny)).any():
            raise PtxError("atom.global.add.f32 of a subnormal number")


def _low(size: int) -> np.uint64:
    """The bits of so many bytes."""
    return np.uint64((1 << 8 * size) - 1)


def _numbers(data: np.ndarray) -> np.ndarray:
    """Rows of bytes as numbers."""
    wide = np.zeros((len(data), 8), np.uint8)
    wide[:, : data.shape[1]] = data
    return wide.view(np.uint64).ravel()


def _bytes(value: np.ndarray, size: int) -> np.ndarray:
    return value.astype(np.uint64).view(np.uint8).reshape(-1, 8)[:, :size]


def _extended(value: np.ndarray, type: str) -> np.ndarray:
    """What a load of a narrow signed number leaves in a wider register."""
    bits = 8 * width_of(type)
    if not type.startswith("s") or bits == 64:
        return value
    shift = np.int64(64 - bits)
    return np.asarray(((value.astype(np.int64) << shift) >> shift).astype(np.uint64))
