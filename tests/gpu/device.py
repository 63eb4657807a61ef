"""A device out of numpy: lowered functions with kernels run, and what threads may not do is found.

All threads of all blocks run as one array, statement by statement. That is one order of many: that
others give the same is known from what threads access between two barriers. An element that one
thread writes and another one accesses is a race.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from compiler.ir import Call, Expr, Load, evaluate
from compiler.ir import stmts as s
from compiler.ir.evaluate import dtype_of
from compiler.ir.stmt_transform import walk

Array = np.ndarray[Any, Any]
Values = dict[str, Any]


class Race(AssertionError):
    """Two threads access an element, and one writes to it, with no barrier between."""


class Unready(AssertionError):
    """What nobody has written is read, or what isn't there is accessed."""


@dataclass
class Memory:
    """Elements from `first` on."""

    elements: Array
    first: int = 0
    is_shared: bool = False
    is_known: Array = field(init=False)
    """Which elements have been written."""
    length: int = field(init=False)
    """How many elements one block has of it, or all."""

    def __post_init__(self) -> None:
        self.length = len(self.elements)
        self.is_known = np.ones(len(self.elements), np.bool_)

    @staticmethod
    def unwritten(dtype: Any, size: int, is_shared: bool = False) -> Memory:
        made = Memory(np.empty(size, dtype), is_shared=is_shared)
        made.elements.view(np.uint8)[:] = 0xCD
        made.is_known[:] = False
        return made

    def places(self, index: Array, name: str) -> Array:
        places = index - self.first
        size = self.length
        outside = (places < 0) | (places >= size)
        if outside.any():
            raise Unready(f"{name}[{index[outside].flat[0]}] of {size} elements")
        return places


@dataclass
class Counts:
    """What kernels did."""

    launches: int = 0
    barriers: int = 0
    """Of all blocks."""


Launcher = Callable[
    [s.Kernel, list[int], list[int], Mapping[str, Any], Mapping[str, "Memory"]], None
]
"""Runs a kernel: for how many blocks and threads, with which scalars and memories."""


def run(
    fn: s.LoweredFunction,
    memories: Mapping[str, Memory],
    scalars: Mapping[str, Any],
    launcher: Launcher | None = None,
) -> Counts:
    """Runs a lowered function; `scalars` has its parameters and its buffers' fields.

    Kernels are run by `launcher`, or here. Raises `Race`, `Unready`, or `AssertionError` with the
    message of a check that fails.
    """
    host = _Host(dict(memories), dict(scalars), {k.name: k for k in fn.kernels}, launcher)
    if not any(isinstance(x, s.DeviceState) for x in walk(fn.body)):
        host.sides.are_one()
    host.run(fn.body)
    for name in memories:
        host.sides.copy(name, to_device=False)
    return host.counts


class _Sides:
    """The memories that the host and the device have of one buffer, and which of them is newer."""

    def __init__(self, host: dict[str, Memory]) -> None:
        self.host = host
        self.device: dict[str, Memory] = {}
        self.newer_on_host, self.newer_on_device = set(host), set[str]()

    def are_one(self) -> None:
        """Says that the device accesses the host's memories."""
        self.device = self.host
        self.newer_on_host.clear()

    def copy(self, name: str, to_device: bool) -> None:
        newer = self.newer_on_host if to_device else self.newer_on_device
        if name not in newer:
            return
        assert name not in (self.newer_on_host & self.newer_on_device), f"{name} is newer twice"
        host = self.host[name]
        if to_device and name not in self.device:
            self.malloc(name)
        there = self.device[name]
        made, given = (there, host) if to_device else (host, there)
        # What nobody has written, as what lies between rows, is copied or not.
        known = np.ones(len(given.elements), np.bool_) if to_device else given.is_known
        made.elements[known], made.is_known[known] = given.elements[known], given.is_known[known]
        newer.discard(name)

    def malloc(self, name: str) -> None:
        host = self.host[name]
        self.device.setdefault(name, Memory.unwritten(host.elements.dtype, host.elements.size))
        self.newer_on_host.discard(name)

    def begin(self, name: str, is_there: bool) -> None:
        """Of memory that the host has allocated."""
        if self.device is not self.host:
            self.device.pop(name, None)
            if is_there:
                self.malloc(name)

    def end(self, name: str) -> None:
        self.newer_on_device.discard(name)
        self.newer_on_host.discard(name)

    def act(self, action: s.DeviceAction, name: str) -> None:
        match action:
            case "copy_to_device" | "copy_to_host":
                self.copy(name, action == "copy_to_device")
            case "malloc":
                self.malloc(name)
            case "host_changed":
                self.newer_on_host.add(name)
            case "device_changed":
                self.newer_on_device.add(name)


class _Host:
    def __init__(
        self,
        memories: dict[str, Memory],
        values: Values,
        kernels: Mapping[str, s.Kernel],
        launcher: Launcher | None,
    ) -> None:
        self.memories, self.values, self.kernels = memories, values, kernels
        self.launcher = launcher
        self.counts = Counts()
        self.sides = _Sides(memories)

    def value(self, e: Expr) -> Any:
        def read(node: Any, indices: Sequence[Any]) -> Any:
            assert node.array not in self.sides.newer_on_device, f"{node.array} is old on the host"
            memory = self.memories[node.array]
            return memory.elements[memory.places(np.asarray(indices[0]), node.array)]

        return evaluate(e, self.values, read)

    def run(self, stmt: s.Stmt) -> None:
        match stmt:
            case s.Block(stmts):
                for part in stmts:
                    self.run(part)
            case s.For(name, low, extent, _, body):
                first = int(self.value(low))
                for step in range(first, first + int(self.value(extent))):
                    self.values[name] = step
                    self.run(body)
            case s.LetStmt(name, value, body):
                self.values[name] = self.value(value)
                self.run(body)
            case s.IfThenElse(condition, then, otherwise):
                taken = then if bool(self.value(condition)) else otherwise
                if taken is not None:
                    self.run(taken)
            case s.Allocate(buffer, type, size, body):
                self.memories[buffer] = Memory.unwritten(dtype_of(type), int(self.value(size)))
                self.sides.begin(buffer, stmt.memory in ("device", "both"))
                self.run(body)
                self.sides.end(buffer)
            case s.DeviceState(action, buffer):
                self.sides.act(action, buffer)
            case s.Store(buffer, value, index, None):
                assert buffer not in self.sides.newer_on_device, f"{buffer} is old on the host"
                memory = self.memories[buffer]
                places = memory.places(np.asarray(self.value(index)), buffer)
                memory.elements[places] = self.value(value)
                memory.is_known[places] = True
            case s.AssertStmt(condition, message, arguments):
                shown = [self.value(a).item() for a in arguments]
                assert bool(self.value(condition)), message.format(*shown)
            case s.Launch():
                self.launch(stmt)
            case s.Evaluate() | s.Prefetch():
                pass
            case _:
                raise TypeError(f"a host can't do this: {stmt}")

    def launch(self, launch: s.Launch) -> None:
        kernel = self.kernels[launch.kernel]
        self.counts.launches += 1
        scalars = [p for p in kernel.parameters if not p.is_memory]
        values = {p.name: self.value(v) for p, v in zip(scalars, launch.values, strict=True)}
        grid = [int(self.value(e)) for e in launch.blocks]
        threads = [int(self.value(e)) for e in launch.threads]
        names = [p.name for p in kernel.parameters if p.is_memory]
        for name in names:
            assert name not in self.sides.newer_on_host, f"{name} is old on the device"
        memories = {name: self.sides.device[name] for name in names}
        read_only = {p.name for p in kernel.parameters if p.is_memory and not p.is_written}
        assert np.prod(threads) <= 1024, f"{np.prod(threads)} threads in a block"
        if self.launcher is not None:
            if min(*grid, *threads) > 0:
                self.launcher(kernel, grid, threads, values, memories)
            return
        if min(*grid, *threads) > 0:
            made = _Grid(values, memories, grid, threads, read_only)
            made.run(kernel.body, np.ones(made.count, np.bool_))
            made.finish()
            self.counts.barriers += made.barriers


@dataclass(frozen=True)
class _Accesses:
    """Of one memory: who has accessed which elements, and what was written there."""

    threads: Array
    places: Array
    values: Array
    """As bits; 0 where a thread has read."""
    reads: Array
    atomic: Array

    @staticmethod
    def of(threads: Array, places: Array, values: Array | None, is_atomic: bool) -> _Accesses:
        count = len(threads)
        stored = np.zeros(count, np.uint64) if values is None else _bits(values)
        reads = np.full(count, values is None)
        return _Accesses(threads, places, stored, reads, np.full(count, is_atomic))

    @staticmethod
    def all_of(several: Sequence[_Accesses]) -> _Accesses:
        names = ("threads", "places", "values", "reads", "atomic")
        return _Accesses(*(np.concatenate([getattr(x, n) for x in several]) for n in names))

    def rows(self, chosen: Array) -> _Accesses:
        parts = (self.threads, self.places, self.values, self.reads, self.atomic)
        return _Accesses(*(part[chosen] for part in parts))

    def check(self, name: str, what: str, who: Array, keys: Array) -> None:
        """Raises `Race` where two of `who` meet, at one of `keys`, and one of them writes: what all
        write may be the same, if nobody reads it, and atomic updates may meet one another."""
        if self.reads.all():
            return
        order = np.argsort(keys, kind="stable")
        who, keys = who[order], keys[order]
        reads, values, plain = self.reads[order], self.values[order], ~self.atomic[order]
        first = np.flatnonzero(np.diff(keys, prepend=keys[:1] - 1))
        several = np.minimum.reduceat(who, first) != np.maximum.reduceat(who, first)
        is_read = np.logical_or.reduceat(reads, first)
        is_written = np.logical_or.reduceat(~reads, first)
        least = np.where(reads, np.uint64(0xFFFFFFFFFFFFFFFF), values)
        differs = np.minimum.reduceat(least, first) != np.maximum.reduceat(values, first)
        meets = several & is_written & (is_read | differs) & np.logical_or.reduceat(plain, first)
        if meets.any():
            here = keys == keys[first[np.flatnonzero(meets)[0]]]
            place = self.places[order][here][0]
            readers, writers = (sorted({*map(int, who[here & x])}) for x in (reads, ~reads))
            raise Race(f"{name}[{place}]: written by {what} {writers}, read by {readers}")


def _bits(values: Array) -> Array:
    """Numbers as the bits that they have."""
    whole = np.ascontiguousarray(values)
    if whole.dtype == np.bool_:
        return whole.astype(np.uint64)
    return whole.view(f"u{whole.dtype.itemsize}").astype(np.uint64)


@dataclass(frozen=True)
class _Copying:
    """What threads copy: elements of a memory, and their values."""

    memory: Memory
    places: Array
    values: Array
    threads: Array
    groups: Array
    """Which one of its thread's groups each element is in."""

    def arrived(self, which: Array) -> _Copying:
        """What is left when some elements have come."""
        places, left = self.places[which], ~which
        self.memory.elements[places] = self.values[which]
        self.memory.is_known[places] = True
        parts = (self.places, self.values, self.threads, self.groups)
        return _Copying(self.memory, *(part[left] for part in parts))


class _Grid:
    """The threads of all blocks, a place in arrays for each."""

    def __init__(
        self,
        values: Values,
        memories: Mapping[str, Memory],
        grid: Sequence[int],
        threads: Sequence[int],
        read_only: set[str],
    ) -> None:
        self.blocks, self.per_block = int(np.prod(grid)), int(np.prod(threads))
        self.count = self.blocks * self.per_block
        number = np.arange(self.count, dtype=np.int32)
        self.block, thread = number // self.per_block, number % self.per_block
        self.values: Values = {name: self._of_all(np.asarray(v), 1) for name, v in values.items()}
        for kind, shape, rest in (("block", grid, self.block), ("thread", threads, thread)):
            for letter, extent in zip("xyz", shape, strict=True):
                self.values[f"{kind}.{letter}"], rest = rest % extent, rest // extent
        self.memories, self.read_only = dict(memories), read_only
        self.copying: list[_Copying] = []
        """What threads have not waited for."""
        self.groups = np.zeros(self.count, np.int64)
        """How many groups of copies each thread has."""
        self.barriers = 0
        self.unready = ""
        """Of what that nobody has written an expression has loaded some."""
        self.is_other = False
        """Whether what nobody has written has its other value."""
        self.is_atomic = False
        """Whether the statement that runs is one update as a whole."""
        self.since: dict[str, list[_Accesses]] = {}
        """By memory, since the last barrier of a thread's block."""
        self.done: dict[str, list[_Accesses]] = {}
        """Of the device's memory, before."""

    def wait(self, blocks: Array, device: bool = True) -> None:
        """All threads of `blocks` meet: what they have done to the block's memory is done, and what
        they have done to the `device`'s if the barrier is about that, too."""
        for name, accesses in list(self.since.items()):
            is_shared = self.memories[name].is_shared
            if not device and not is_shared:
                continue
            met = _Accesses.all_of(accesses)
            here = blocks[self.block[met.threads]]
            self.since[name] = [] if here.all() else [met.rows(~here)]
            if not self.since[name]:
                del self.since[name]
            met = met.rows(here)
            if len(met.threads):
                own = self.block[met.threads].astype(np.int64) * self.memories[name].length
                met.check(name, "threads", met.threads, met.places + (0 if is_shared else own))
            if not is_shared:
                self.done.setdefault(name, []).append(met)

    def finish(self) -> None:
        """Looks at what blocks have done to the same elements: they run in any order."""
        self.wait(np.ones(self.blocks, np.bool_))
        for name, accesses in self.done.items():
            met = _Accesses.all_of(accesses)
            block = self.block[met.threads].astype(np.int64)
            # Of what a block writes to an element the last stays.
            backwards = np.flatnonzero(~met.reads)[::-1]
            keys = block[backwards] * self.memories[name].length + met.places[backwards]
            last = backwards[np.unique(keys, return_index=True)[1]]
            chosen = np.concatenate([np.flatnonzero(met.reads), last])
            met.rows(chosen).check(name, "blocks", block[chosen], met.places[chosen])

    def value(self, e: Expr, active: Array) -> Array:
        """The value of `e` for each thread, which doesn't depend on what nobody has written."""
        made, known = self.value_if_known(e, active)
        if not (known | ~active).all():
            raise Unready(self.unready)
        return made

    def value_if_known(self, e: Expr, active: Array) -> tuple[Array, Array]:
        """The value of `e`, and where it is the same whatever stands where nobody has written: a
        stage may compute more than is needed of it, from what isn't there."""
        self.unready = ""
        made = self._value(e, active)
        if not self.unready:
            return made, np.ones(made.shape, np.bool_)
        self.is_other = True
        other = self._value(e, active)
        self.is_other = False
        return made, _bits(made) == _bits(other)

    def _value(self, e: Expr, active: Array) -> Array:
        def read(node: Any, indices: Sequence[Any]) -> Array:
            if isinstance(node, Call):
                return self.shuffled(indices[0], np.asarray(indices[1]), active)
            return self.load(node, np.asarray(indices[0]), active)

        return self._of_all(np.asarray(evaluate(e, self.values, read)), e.type.lanes)

    def _loaded(self, values: Array, known: Array, name: str) -> Array:
        if known.all():
            return values
        self.unready = f"{name} is read where nobody has written it"
        if not self.is_other:
            return values
        raw = np.ascontiguousarray(values)
        flipped = ~raw if raw.dtype == np.bool_ else (~_bits(raw)).astype(f"u{raw.dtype.itemsize}")
        return np.where(known, raw, flipped.view(raw.dtype))

    def _of_all(self, value: Array, lanes: int) -> Array:
        """A value for each thread, in each of its lanes if there are several."""
        if lanes == 1:
            return np.broadcast_to(value, (self.count,))
        shared = value[:, None] if value.ndim == 1 else value
        return np.broadcast_to(shared, (lanes, self.count))

    def shuffled(self, value: Array, lane: Array, active: Array) -> Array:
        """What other lanes of each warp have; of one that isn't there, its own."""
        value, lane = self._of_all(value, 1), self._of_all(lane, 1)
        for first in range(0, self.count, s.WARP):
            on = active[first : first + s.WARP]
            assert on.all() or not on.any(), "a shuffle that not all lanes of a warp come to"
            assert not on.any() or len(on) == s.WARP, "a shuffle in a warp with too few lanes"
        number = np.arange(self.count)
        own = number % s.WARP
        there = (lane >= 0) & (lane < s.WARP)
        return value[number - own + np.where(there, lane, own)]

    def load(self, node: Load, index: Array, active: Array, may_be_unknown: bool = False) -> Array:
        memory = self.memories[node.array]
        index = self._of_all(index, node.type.lanes)
        shape = index.shape
        runs = np.broadcast_to(active, shape)
        if node.predicate is not None:
            runs = runs & self.value(node.predicate, active)
        own = self._own(memory)
        if own:
            threads = np.broadcast_to(np.arange(self.count), shape)
            made = np.zeros(shape, memory.elements.dtype)
            places = memory.places(index[runs], node.array)
            at = threads[runs], places
            made[runs] = self._loaded(memory.elements[at], memory.is_known[at], node.array)
            return made
        places = memory.places(index[runs], node.array)
        threads = np.broadcast_to(np.arange(self.count), shape)[runs]
        if memory.is_shared:
            places = places + self.block[threads] * memory.length
        if node.array not in self.read_only and not self.is_other:
            self._note(node.array, threads, places, None)
        made = np.zeros(shape, memory.elements.dtype)
        made[runs] = self._loaded(memory.elements[places], memory.is_known[places], node.array)
        return made

    def _note(self, name: str, threads: Array, places: Array, values: Array | None) -> None:
        made = _Accesses.of(threads, places, values, self.is_atomic)
        self.since.setdefault(name, []).append(made)

    @staticmethod
    def _own(memory: Memory) -> bool:
        return memory.elements.ndim == 2

    def run(self, stmt: s.Stmt, active: Array) -> None:
        if not active.any():
            return
        match stmt:
            case s.Block(stmts):
                for part in stmts:
                    self.run(part, active)
            case s.Barrier(device):
                by_block = active.reshape(self.blocks, self.per_block)
                blocks = by_block.any(1)
                assert (by_block.all(1) == blocks).all(), (
                    "a barrier that not all threads of a block come to"
                )
                self.barriers += int(blocks.sum())
                self.wait(blocks, device)
            case s.For(name, low, extent, _, body):
                first = self.value(low, active)
                count = self.value(extent, active)
                for step in range(int(count[active].max(initial=0))):
                    self.values[name] = first + np.int32(step)
                    self.run(body, active & (step < count))
            case s.LetStmt(name, Call(kind="shuffle") as value, body):
                # Lanes that have nothing to do may fetch what nobody has written.
                self.values[name], _ = self.value_if_known(value, active)
                self.run(body, active)
            case s.LetStmt(name, value, body):
                self.values[name] = self.value(value, active)
                self.run(body, active)
            case s.IfThenElse(condition, then, otherwise):
                holds = self.value(condition, active)
                self.run(then, active & holds)
                if otherwise is not None:
                    self.run(otherwise, active & ~holds)
            case s.Allocate(buffer, type, size, body, memory):
                length = int(self.value(size, active)[active].max())
                is_shared = memory == "shared"
                size = length * self.blocks if is_shared else length
                made = Memory.unwritten(dtype_of(type), size, is_shared)
                made.length = length
                if not is_shared:
                    made.elements = np.tile(made.elements, (self.count, 1))
                    made.is_known = np.zeros((self.count, length), np.bool_)
                self.memories[buffer] = made
                self.run(body, active)
            case s.Store():
                self.store(stmt, active)
            case s.Atomic(_, body):
                self.atomic(body, active)
            case s.AsyncCopy(s.Store() as store):
                assert isinstance(store.value, Load) and store.predicate is None
                assert store.value.array in self.read_only
                self.store(store, active)
                self.copying.append(self.taken_back(store, active))
            case s.CommitCopies():
                self.groups[active] += 1
            case s.AwaitCopies(pending):
                self.groups[active] += not pending
                last = np.where(active, self.groups - pending, 0)
                self.copying = [x.arrived(last[x.threads] > x.groups) for x in self.copying]
                self.copying = [x for x in self.copying if len(x.threads)]
            case s.Fail(number, values):
                self.fail(number, [self.value(v, active) for v in values], active)
            case _:
                raise TypeError(f"a thread can't do this: {stmt}")

    def taken_back(self, store: s.Store, active: Array) -> _Copying:
        """What a store has left, which nobody finds there before it is waited for."""
        memory = self.memories[store.buffer]
        index = self.value(store.index, active)
        runs = np.broadcast_to(active, index.shape)
        places = memory.places(index[runs], store.buffer)
        threads = np.broadcast_to(np.arange(self.count), index.shape)[runs]
        if memory.is_shared:
            places = places + self.block[threads] * memory.length
        values = memory.elements[places].copy()
        for other in (x for x in self.copying if x.memory is memory):
            _, own, others = np.intersect1d(places, other.places, return_indices=True)
            if (_bits(values[own]) != _bits(other.values[others])).any():
                raise Race(f"{store.buffer}: something else is being copied to the same place")
        memory.is_known[places] = False
        return _Copying(memory, places, values, threads, self.groups[threads])

    def fail(self, number: int, values: Sequence[Array], active: Array) -> None:
        failure = self.memories[s.FAILURE].elements
        if failure[0] == 0:
            thread = np.flatnonzero(active)[0]
            numbers = [number, *(value[thread] for value in values)]
            failure[: len(numbers)] = numbers

    def atomic(self, body: s.Stmt, active: Array) -> None:
        """Each thread runs `body` as a whole, one after the other."""
        self.is_atomic = True
        for thread in np.flatnonzero(active):
            self.run(body, np.arange(self.count) == thread)
        self.is_atomic = False

    def store(self, stmt: s.Store, active: Array) -> None:
        memory = self.memories[stmt.buffer]
        value, known = self.value_if_known(stmt.value, active)
        index = self.value(stmt.index, active)
        runs = np.broadcast_to(active, value.shape)
        if stmt.predicate is not None:
            runs = runs & self.value(stmt.predicate, active)
        threads = np.broadcast_to(np.arange(self.count), value.shape)[runs]
        if self._own(memory):
            places = index[runs] - memory.first
            assert ((places >= 0) & (places < memory.length)).all(), stmt.buffer
            memory.elements[threads, places] = value[runs]
            memory.is_known[threads, places] = known[runs]
            return
        places = memory.places(index[runs], stmt.buffer)
        if memory.is_shared:
            places = places + self.block[threads] * memory.length
        assert stmt.buffer not in self.read_only
        stored = value[runs].astype(memory.elements.dtype)
        self._note(stmt.buffer, threads, places, stored)
        memory.elements[places] = stored
        memory.is_known[places] = known[runs]
