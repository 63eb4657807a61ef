"""Statements of the loop-nest IR that lowering works on (halide-2012 section 5).

    stmt ::= Block(stmts)
           | For(name, min, extent, kind, body)          name is an int32 variable in the body
           | Provide(func, values, args)                 a point of a stage; gone after flattening
           | Realize(func, types, bounds, body)          storage of a stage; gone after flattening
           | ProducerConsumer(func, is_producer, body)   marks who makes what, for people
           | Store(buffer, value, index, predicate)      flat memory; index counts elements
           | Allocate(buffer, type, size, body, memory)  scratch memory of `size` elements
           | Atomic(buffer, body)                        what body does to buffer is not torn apart
           | AtOnce(buffer, body)                        body reads before it writes to buffer
           | Prefetch(buffer, type, index, count)        `count` elements from `index` on are wanted
           | IfThenElse(condition, then, otherwise)
           | LetStmt(name, value, body)
           | AssertStmt(condition, message, args)        a run-time check; {} in message for args
           | Evaluate(value)
           | Barrier(device)                             threads of a block meet; gone from hosts
           | Ahead(loop, iterations, body)               body may run so many iterations early
           | AsyncCopy(store)                            a store that its thread doesn't wait for
           | CommitCopies()                              what the thread has asked for is a group
           | AwaitCopies(pending)                        it waits for all but the last groups
           | Fail(number, values)                        a check of a kernel is broken
           | Launch(kernel, blocks, threads, values)     runs a kernel; made by the last pass
           | DeviceState(action, buffer)                 of a buffer in two memories; likewise

Before flattening, stages are read by `Call(kind="func" | "image")`; after it, memory is read by
`Load(buffer, (index,), type)`. The buffer `b` of the caller has int32 variables `b.min.0`,
`b.extent.0`, `b.stride.0`, `b.min.1`, ...; element (i, j) lies at
(i - b.min.0) * b.stride.0 + (j - b.min.1) * b.stride.1 from its host pointer. Vector statements
have `Ramp`s in their indices and masks as predicates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .nodes import Expr
from .types import Type

ForKind = Literal[
    "serial", "parallel", "vectorized", "unrolled", "gpu_block", "gpu_thread", "gpu_lane"
]
MemoryKind = Literal["auto", "heap", "stack", "register", "shared", "async", "device", "both"]
"""Where scratch memory lies; `auto` lets code generation choose by size. `shared` memory is common
to the threads of a block, and so is `async` memory, into which they copy while they go on. The host
asks for `device` memory, and kernels alone access it; of what lies in `both` memories
`DeviceState`s say where it is newest."""
DeviceAction = Literal["copy_to_device", "copy_to_host", "malloc", "host_changed", "device_changed"]


@dataclass(frozen=True, slots=True, eq=False)
class Stmt:
    """Base of all statements: immutable; equality is identity."""


@dataclass(frozen=True, slots=True, eq=False)
class Block(Stmt):
    stmts: tuple[Stmt, ...]


@dataclass(frozen=True, slots=True, eq=False)
class For(Stmt):
    name: str
    min: Expr
    extent: Expr
    kind: ForKind
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class Provide(Stmt):
    func: str
    values: tuple[Expr, ...]
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Realize(Stmt):
    func: str
    types: tuple[Type, ...]
    bounds: tuple[tuple[Expr, Expr], ...]
    """(min, extent) of each dimension, innermost first."""
    body: Stmt
    memory: MemoryKind = "auto"


@dataclass(frozen=True, slots=True, eq=False)
class ProducerConsumer(Stmt):
    func: str
    is_producer: bool
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class Store(Stmt):
    buffer: str
    value: Expr
    index: Expr
    predicate: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Allocate(Stmt):
    buffer: str
    type: Type
    size: Expr
    body: Stmt
    memory: MemoryKind = "auto"


@dataclass(frozen=True, slots=True, eq=False)
class Atomic(Stmt):
    """Before flattening `buffer` is a stage's name."""

    buffer: str
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class Ahead(Stmt):
    """What `body` stores in an iteration of `loop` is stored where no iteration reads that comes up
    to `iterations` before it. Gone when kernels are made."""

    loop: str
    iterations: int
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class AtOnce(Stmt):
    """All that `body` reads is as it was before `body` wrote anything to `buffer`.

    Before flattening `buffer` is a stage's name. Gone after the pass `at_once`.
    """

    buffer: str
    body: Stmt
    extents: tuple[tuple[str, int], ...] = ()
    """The most steps that each loop in `body` takes."""


@dataclass(frozen=True, slots=True, eq=False)
class Prefetch(Stmt):
    """A hint without effect on values; the elements may lie outside of the buffer."""

    buffer: str
    type: Type
    index: Expr
    count: Expr


@dataclass(frozen=True, slots=True, eq=False)
class IfThenElse(Stmt):
    condition: Expr
    then: Stmt
    otherwise: Stmt | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LetStmt(Stmt):
    name: str
    value: Expr
    body: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class AssertStmt(Stmt):
    condition: Expr
    message: str
    args: tuple[Expr, ...] = ()
    code: int = -1
    """What the pipeline returns where the condition does not hold: a `halide_error_code_t`."""


@dataclass(frozen=True, slots=True, eq=False)
class Evaluate(Stmt):
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Barrier(Stmt):
    """No thread of a block goes on before all have come here; what they stored to the block's
    shared memory is seen by all then, and, if `device`, what they stored elsewhere."""

    device: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class AsyncCopy(Stmt):
    """Elements of the device's memory, which nobody writes, come to the block's memory at some time
    between this and the thread's next `AwaitCopies`: 4, 8 or 16 bytes at a multiple of that."""

    store: Stmt


@dataclass(frozen=True, slots=True, eq=False)
class CommitCopies(Stmt):
    """The copies that the thread has asked for and that are in no group yet are its next group: it
    may be empty."""


@dataclass(frozen=True, slots=True, eq=False)
class AwaitCopies(Stmt):
    """The thread waits for all copies that it has asked for but those of its last groups."""

    pending: int = 0
    """So many groups may go on; where it is none, the thread waits for copies in no group, too."""


FAILURE = "kernel.failure"
"""The memory of int64 numbers in which kernels leave the number of a check that is broken, which
isn't 0, and the values that its message tells."""


@dataclass(frozen=True, slots=True, eq=False)
class Fail(Stmt):
    """Check `number` of a kernel is broken: of all threads that find one broken, the first leaves
    the number and the values in `FAILURE`, the others nothing."""

    number: int
    values: tuple[Expr, ...] = ()
    """int64 each."""


@dataclass(frozen=True, slots=True, eq=False)
class Launch(Stmt):
    """Runs a kernel for all its blocks and threads, and waits for nothing.

    None runs where one of the numbers is 0 or less.
    """

    kernel: str
    blocks: tuple[Expr, Expr, Expr]
    """How many, by dimension (int32)."""
    threads: tuple[Expr, Expr, Expr]
    """Of each block."""
    values: tuple[Expr, ...]
    """Of the kernel's scalar parameters, in order."""


@dataclass(frozen=True, slots=True, eq=False)
class DeviceState(Stmt):
    """What becomes of a buffer that has memory on the host and on the device.

    Copies are made where the other memory is newer; `malloc` gives it memory on the device, and
    what it held on the host no longer counts. The others say where it was stored to.
    """

    action: DeviceAction
    buffer: str


BLOCKS = ("block.x", "block.y", "block.z")
THREADS = ("thread.x", "thread.y", "thread.z")
"""The int32 variables that say in a kernel which block of a launch, and which thread of that, runs
it."""
DEVICE_ALIGNMENT = 256
"""Bytes of which the addresses of memory are multiples that a device hands out."""
WARP = 32
"""Threads of a block with numbers that follow one another, which run together: its lanes."""


@dataclass(frozen=True, slots=True)
class KernelParameter:
    """A scalar, or the address of a memory's element 0."""

    name: str
    type: Type
    is_memory: bool = False
    is_written: bool = False
    multiple_of: int = 1
    """A power of two that the number, or the address in bytes, is known to be a multiple of."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """What each thread of each block of a device runs.

    In the body the variables `BLOCKS` and `THREADS` say which one it is. Memories that aren't
    parameters are allocated in the body: `shared` ones are common to a block's threads, of constant
    size, where all threads come together, and hold nothing when they are allocated again; all
    others are a thread's own.
    """

    name: str
    parameters: tuple[KernelParameter, ...]
    threads: tuple[Expr, Expr, Expr]
    """How many threads a block has, by dimension: constants, or values over the scalars."""
    body: Stmt


@dataclass(frozen=True, slots=True)
class Argument:
    """One parameter of a lowered function: a buffer of `dimensions`, or a scalar."""

    name: str
    type: Type
    dimensions: int | None = None
    """None for a scalar."""
    is_output: bool = False
    alignment: int = 1
    """The number of bytes that the address of a buffer's memory must be a multiple of."""

    @property
    def is_buffer(self) -> bool:
        return self.dimensions is not None


@dataclass(frozen=True, slots=True)
class RequiredRegions:
    """What a call touches of its buffers, over its scalars and its buffers' fields."""

    lets: tuple[tuple[str, Expr], ...] = ()
    """int32 variables that later ones and the boxes refer to, in order."""
    boxes: tuple[tuple[str, tuple[tuple[Expr, Expr], ...]], ...] = ()
    """(min, max) by dimension of each buffer that is read or written, outputs first."""
    promised: tuple[tuple[str, Expr], ...] = ()
    """Fields of buffers with the values that the program promises of them."""


@dataclass(frozen=True, slots=True)
class ConstantBuffer:
    """The contents of an input buffer that is part of the code: dimension 0 first."""

    name: str
    mins: tuple[int, ...]
    extents: tuple[int, ...]
    strides: tuple[int, ...]
    """In elements; may be below 0."""
    content: bytes
    """All memory from the element with the lowest address to that with the highest."""
    origin: int
    """Where in it the element at the mins begins, in bytes."""


@dataclass(frozen=True, slots=True)
class LateFailures:
    """What may fail when outputs have been written already."""

    reserves: tuple[tuple[str, Type, Expr], ...] = ()
    """Scratch memories by name, with the most elements that one of them ever has, in terms of the
    function's arguments: where one such block of each is taken before the first store, none of
    them is ever missing."""
    others: bool = False
    """Whether anything else may fail then."""


@dataclass(frozen=True, slots=True)
class LoweredFunction:
    """What code generation takes: a name, the arguments in order, the flattened body."""

    name: str
    args: tuple[Argument, ...]
    body: Stmt
    stream_stores: frozenset[str] = frozenset()
    """Buffers that are written past the caches: what is stored there is not read soon."""
    stream_loads: frozenset[str] = frozenset()
    """Buffers that are read past the caches."""
    required: RequiredRegions = RequiredRegions()
    """What the run-time checks ask for; a bounds query answers with it."""
    constants: tuple[ConstantBuffer, ...] = ()
    """Arguments of the body that nobody passes."""
    stream_large: frozenset[str] = frozenset()
    """Output buffers that are written past the caches where they are too large for them."""

    in_place: frozenset[tuple[str, str]] = frozenset()
    """(input, output) buffers that may be one memory: elements are read before they are replaced.

    Only where the elements at all coordinates that are read or written are different ones.
    """
    read_exactly: frozenset[str] = frozenset()
    """Input buffers of which nothing is read but the elements that values need."""
    read_by_pixels: frozenset[str] = frozenset()
    """Those of them of which what is read depends on what memory holds."""
    left_to_chance: frozenset[str] = frozenset()
    """Those in whose place some element may be neither stored nor read, as a choice has it."""
    late_failures: LateFailures = LateFailures()
    kernels: tuple[Kernel, ...] = ()
    """What the body launches on a device."""

    @property
    def parameters(self) -> tuple[Argument, ...]:
        """The arguments that a caller passes, in order."""
        constant = {c.name for c in self.constants}
        return tuple(a for a in self.args if a.name not in constant)
