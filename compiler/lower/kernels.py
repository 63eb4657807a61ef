"""Loops over blocks and threads become kernels, and their launches.

    gpu_block by: gpu_block bx:                 kernel: g.shared
      allocate g:                                 if thread.x < 18: g.shared[...] = ...
        gpu_thread gx in [0, 18): g[...] = ...    barrier
        gpu_thread tx in [0, 16): f[...] = ...    if thread.x < 16: f[...] = ...

What a block computes outside of its loops over threads is common to all of them: loops are walked
and conditions are looked at by each, stores are made by the first one. Loops over threads that have
others inside are taken apart: each statement inside is run by the threads of all. The statements
between which threads wait for one another are found in `barriers.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, prod

from ..ir import (
    I32,
    I64,
    LT,
    TRUE,
    Add,
    And,
    Const,
    Expr,
    Load,
    Mul,
    Type,
    Variable,
    const,
    postorder,
    simplify,
    substitute,
)
from ..ir import nodes as n
from ..ir import stmts as s
from ..ir.bounds_of_values import value_range
from ..ir.stmt_transform import block, children_of, expressions_of, rebuild, walk
from ..lang import CONCURRENT, HalideError
from .async_copies import with_async_copies, with_awaited_copies
from .barriers import Together, with_barriers
from .checks_of_kernels import with_checks_before
from .constant_size import Facts, facts_of, largest_size
from .device_memory import moved, with_pieces, with_places
from .flatten import widened
from .gpu_loops import check_lanes
from .kernel_checks import KernelChecks
from .lane_registers import NoStripes, converged, in_lanes
from .numbers_of_host import with_numbers_of_host
from .rings import with_rings, without_rings
from .thread_registers import NotOwn, in_threads
from .uniform_barriers import check_barriers, check_shuffles

_STRUCTURE = (s.Block, s.For, s.LetStmt, s.IfThenElse, s.Allocate, s.Atomic, s.Ahead)
"""Statements of a block that all of its threads walk together."""
_OF_THREADS = ("register", "stack")
"""Where a memory is each thread's own."""
THREAD_LOOPS = ("gpu_thread", "gpu_lane")
"""Kinds of loops whose iterations are threads of a block."""
MOST_THREADS = 1024
"""Of a block."""
ALIGNMENT = s.DEVICE_ALIGNMENT
"""Bytes of which the addresses of memory are multiples that a device hands out."""
MOST_SHARED = 227 * 1024
"""Bytes of a block on the largest devices."""
REGISTER_BYTES = 1024
"""The most of an array that a thread may have in its registers, of which it has 255 of 4 bytes."""
STACK_BYTES = 16 * 1024
"""The most of an array that lies in a thread's own memory."""
TURN = (32, 8, 1)
"""By dimension, how many threads run loops with any number of iterations, if no others say so."""
TURNS: tuple[Expr, ...] = tuple(Variable(f"{name}.turn", I32) for name in s.THREADS)
"""What stands for that number before it is known."""
_OWN: tuple[tuple[float, s.MemoryKind], ...] = (
    (REGISTER_BYTES, "auto"),
    (STACK_BYTES, "stack"),
    (inf, "heap"),
)
"""Where memory of a thread lies that nobody has put anywhere, by its bytes."""


def offload(
    stmt: s.Stmt, name: str, arguments: Sequence[s.Argument] = ()
) -> tuple[s.Stmt, tuple[s.Kernel, ...]]:
    """`stmt` with launches in the place of its loops over blocks, and the kernels of these, named
    after function `name` and the stage whose loops they are.

    `arguments` are the function's own: of other memories, which it allocates on the device, element
    0 lies at a multiple of `ALIGNMENT` bytes.

    Needs flat memory, vectors in place, and loops that `check_gpu_loops` has seen. Raises
    `HalideError` for memory whose size isn't known, and for what no thread can do.
    """
    kernels: list[s.Kernel] = []
    checks = KernelChecks()
    alignments = {a.name: a.alignment for a in arguments if a.is_buffer}

    def walk_host(stmt: s.Stmt) -> s.Stmt:
        if isinstance(stmt, s.For) and stmt.kind == "gpu_block":
            loop = replace(stmt, body=checks.guarded(stmt.body))
            launch, kernel = _kernel(loop, f"{name}.kernel{len(kernels)}", alignments)
            kernels.append(kernel)
            return launch
        made = rebuild(stmt, tuple(map(walk_host, children_of(stmt))), lambda e: e)
        return made.body if isinstance(made, s.Ahead) else made

    return checks.reported(walk_host(stmt)), tuple(kernels)


def on_host(run: Callable[[s.Stmt], s.Stmt]) -> Callable[[s.Stmt], s.Stmt]:
    """The pass `run`, which is about processors, but for loops over blocks."""

    def outside(stmt: s.Stmt) -> s.Stmt:
        aside: dict[Expr, s.Stmt] = {}

        def put_aside(stmt: s.Stmt) -> s.Stmt:
            if isinstance(stmt, s.For) and stmt.kind == "gpu_block":
                mark: Expr = Variable(f"{stmt.name}.kernel{len(aside)}", I32)
                aside[mark] = stmt
                return s.Evaluate(mark)
            return rebuild(stmt, tuple(map(put_aside, children_of(stmt))), lambda e: e)

        def put_back(stmt: s.Stmt) -> s.Stmt:
            if isinstance(stmt, s.Evaluate) and stmt.value in aside:
                return aside[stmt.value]
            return rebuild(stmt, tuple(map(put_back, children_of(stmt))), lambda e: e)

        return put_back(run(put_aside(stmt)))

    return outside


@dataclass
class _Nest:
    """Loops of one kind around one another, outermost first, and what stands in the innermost."""

    loops: list[s.For]
    body: s.Stmt

    @staticmethod
    def of(stmt: s.For, kinds: Sequence[str]) -> _Nest:
        """The nest that begins with a loop; lets and conditions between its loops go inside."""
        loops: list[s.For] = []
        around: list[s.LetStmt | s.IfThenElse] = []
        at: s.Stmt = stmt
        while True:
            if isinstance(at, s.For) and at.kind in kinds:
                loops.append(at)
                at = at.body
            elif _leads_to_loop(at, kinds):
                assert isinstance(at, (s.LetStmt, s.IfThenElse))
                around.append(at)
                at = children_of(at)[0]
            else:
                break
        for outer in reversed(around):
            at = rebuild(outer, (at,), lambda e: e)
        return _Nest(loops, at)

    def placed(self, names: Sequence[str]) -> s.Stmt:
        """The body, its loops' variables in terms of `names`, that of the innermost one first."""
        made = self.body
        for loop, name in zip(reversed(self.loops), names, strict=False):
            step: Expr = Variable(name, I32)
            made = s.LetStmt(loop.name, simplify(Add(step, loop.min)), made)
        return made

    def extents(self) -> tuple[Expr, Expr, Expr]:
        """Steps by dimension, the innermost loop's first; raises `HalideError` where they depend
        on one another."""
        inside = {loop.name for loop in self.loops} | _bound(self.body)
        for loop in self.loops:
            for e in (loop.min, loop.extent):
                for name in (x.name for x in postorder(e) if isinstance(x, Variable)):
                    if name in inside:
                        raise HalideError(
                            f"The loop over {loop.name} is not a box: where it runs depends on "
                            f"{name}, which is computed inside of it or of a loop around it."
                        )
        sizes = [loop.extent for loop in reversed(self.loops)]
        one: Expr = const(1)
        x, y, z = [*sizes, one, one, one][:3]
        return x, y, z


def _leads_to_loop(stmt: s.Stmt, kinds: Sequence[str]) -> bool:
    """Whether lets and conditions, and nothing else, stand around a loop of one of `kinds`."""
    while isinstance(stmt, s.LetStmt) or (isinstance(stmt, s.IfThenElse) and not stmt.otherwise):
        stmt = children_of(stmt)[0]
        if isinstance(stmt, s.For) and stmt.kind in kinds:
            return True
    return False


def _bound(stmt: s.Stmt) -> set[str]:
    """The variables that loops and lets inside of a statement have."""
    return {x.name for x in walk(stmt) if isinstance(x, (s.For, s.LetStmt))}


def _kernel(loop: s.For, name: str, alignments: Mapping[str, int]) -> tuple[s.Stmt, s.Kernel]:
    """The launch of the kernel that a loop over blocks is, in the memory that it needs, and it."""
    check_lanes(loop)
    nest = _Nest.of(loop, ("gpu_block",))
    blocks = nest.extents()
    inner = (x for x in walk(nest.body) if isinstance(x, s.For))
    body = _Body(loop.name, facts_of(nest.loops, inner), has_warps=_has_warps(nest.body))
    inside = nest.placed(s.BLOCKS)
    body.inside = _bound(inside)
    variables = {*s.BLOCKS, *(each.name for each in nest.loops)}
    inside, checks = with_checks_before(inside, variables, blocks)
    made, threads = body.with_threads(body.common(inside))
    _check_threads(threads, loop.name)
    made = with_async_copies(made, body.copied, alignments, loop.name)
    made = with_rings(made)
    whole = with_barriers(made, frozenset(body.shared), frozenset(body.copied))
    whole, pieces = with_pieces(whole, blocks, threads, loop.name)
    for of_threads in (p for p in pieces if p.memory == "shared"):
        elements = of_threads.elements(blocks, threads)
        whole = s.Allocate(of_threads.name, of_threads.type, elements, whole, "shared")
        whole = replace(whole, size=const(body.size_of_shared(whole)))
    whole = without_rings(with_awaited_copies(_threads_placed(whole, threads)))
    whole, numbers = with_numbers_of_host(whole, name)
    parameters = _parameters(whole, alignments)
    scalars = tuple(
        numbers.get(p.name, Variable(p.name, p.type)) for p in parameters if not p.is_memory
    )
    kernel = s.Kernel(name, parameters, threads, whole)
    check_barriers(kernel)
    check_shuffles(kernel)
    launch: s.Stmt = s.Launch(name, blocks, threads, scalars)
    for each in (p for p in pieces if p.memory == "device"):
        launch = s.Allocate(each.name, each.type, each.elements(blocks, threads), launch, "device")
    return block(*checks, launch), kernel


@dataclass(frozen=True)
class _Around:
    """What stands around a statement and isn't the same for all threads of the block, from
    outside: loops over threads, lets and conditions inside of these."""

    stmts: tuple[s.For | s.LetStmt | s.IfThenElse, ...] = ()
    dimensions: tuple[tuple[str, int], ...] = ()
    """Of the loops: the innermost one's is 0."""

    def inside(self, stmt: s.For | s.LetStmt | s.IfThenElse) -> _Around:
        """What is around the body of `stmt`."""
        made = replace(self, stmts=(*self.stmts, stmt))
        if isinstance(stmt, s.For):
            own = stmt.name, _depth(stmt.body)
            made = replace(made, dimensions=(*self.dimensions, own))
        return made

    @property
    def loops(self) -> list[s.For]:
        return [x for x in self.stmts if isinstance(x, s.For)]

    def differs(self, *expressions: Expr) -> bool:
        """Whether the values may be different ones in threads of a block."""
        names = {x.name for x in self.stmts if not isinstance(x, s.IfThenElse)}
        return any(isinstance(x, Variable) and x.name in names for x in postorder(*expressions))


def _has_threads(stmt: s.Stmt) -> bool:
    return any(isinstance(x, s.For) and x.kind in THREAD_LOOPS for x in walk(stmt))


def _has_warps(stmt: s.Stmt) -> bool:
    """Whether the threads of all innermost loops over threads fit one warp."""
    loops = (x for x in walk(stmt) if isinstance(x, s.For) and x.kind in THREAD_LOOPS)
    extents = [x.extent for x in loops if not _has_threads(x.body)]
    return all(isinstance(e, Const) and e.value <= s.WARP for e in extents)


def _depth(stmt: s.Stmt) -> int:
    """How many loops over threads stand around one another."""
    own = isinstance(stmt, s.For) and stmt.kind in THREAD_LOOPS
    return own + max(map(_depth, children_of(stmt)), default=0)


def _check_threads(threads: tuple[Expr, Expr, Expr], loop: str) -> None:
    counts = [int(count.value) for count in threads if isinstance(count, Const)]
    if len(counts) == len(threads) and prod(counts) > MOST_THREADS:
        shape = " x ".join(map(str, counts))
        raise HalideError(
            f"The kernel of {loop} has {shape} threads in a block; a GPU has at most "
            f"{MOST_THREADS}: make the tile smaller."
        )


@dataclass
class _Body:
    """What a block does, while it is taken apart."""

    loop: str
    """The outermost loop, for messages."""
    facts: Facts
    """What is known inside of the loops over blocks."""
    shared: set[str] = field(default_factory=set)
    """Memories that lie in the block's own."""
    copied: set[str] = field(default_factory=set)
    """Those of them into which threads copy while they go on."""
    inside: set[str] = field(default_factory=set)
    """The variables of blocks, and of loops and lets inside of them."""
    nests: list[tuple[Expr, Expr, Expr]] = field(default_factory=list)
    """The extents of all loop nests over threads."""
    has_warps: bool = False
    """Whether the threads of the innermost loops fit one warp."""

    def common(self, stmt: s.Stmt, around: _Around = _Around()) -> s.Stmt:
        """`stmt`, which stands outside of the innermost loops over threads; what threads do is
        `Together`.

        Inside of loops over threads that have others inside, statements are run by the threads of
        all iterations of the outer ones, one statement after the other.
        """
        if not _has_threads(stmt) and (around.stmts or not isinstance(stmt, _STRUCTURE)):
            return self._together(stmt, around)
        match stmt:
            case s.For(kind="gpu_thread" | "gpu_lane"):
                return self.common(stmt.body, around.inside(stmt))
            case s.For(name, low, extent, "parallel", body) if extent is const(1):
                return self.common(s.LetStmt(name, low, body), around)
            case s.For(kind="parallel" | "vectorized" | "gpu_block"):
                raise HalideError(f"The loop over {stmt.name} can't run inside of a kernel.")
            case s.For():
                return self._loop(stmt, around)
            case s.LetStmt(_, value, inside) if around.differs(value):
                self._check_moved(stmt, value)
                return self.common(inside, around.inside(stmt))
            case s.IfThenElse(condition, then, otherwise) if around.differs(condition):
                self._check_moved(stmt, condition)
                parts = [self.common(then, around.inside(stmt))]
                if otherwise is not None:
                    other = s.IfThenElse(simplify(n.Not(condition)), otherwise)
                    parts.append(self.common(otherwise, around.inside(other)))
                return block(*parts)
            case s.Allocate():
                return self._memory(stmt, around)
        children = tuple(self.common(child, around) for child in children_of(stmt))
        return rebuild(stmt, children, lambda e: e)

    def _loop(self, loop: s.For, around: _Around) -> s.Stmt:
        """A loop that all threads of the block walk; where it begins, each may say for itself."""
        if around.differs(loop.extent):
            raise HalideError(
                f"The loop over {loop.name} is as long as a thread around it says, and has threads "
                f"inside that wait for one another, in the kernel of {self.loop}."
            )
        if not around.differs(loop.min):
            return rebuild(loop, (self.common(loop.body, around),), lambda e: e)
        step = Variable(f"{loop.name}.step", I32)
        place = s.LetStmt(loop.name, simplify(Add(step, loop.min)), loop.body)
        made = self.common(loop.body, around.inside(place))
        return s.For(step.name, const(0), loop.extent, loop.kind, made)

    def _check_moved(self, stmt: s.LetStmt | s.IfThenElse, value: Expr) -> None:
        """What stands around several statements is looked at in each: memory may have changed."""
        several = any(isinstance(x, s.Block) and _has_threads(x) for x in walk(stmt))
        if several and any(isinstance(x, Load) for x in postorder(value)):
            raise HalideError(
                f"What threads do inside of other threads depends on memory ({value}), in the "
                f"kernel of {self.loop}."
            )

    def _together(self, stmt: s.Stmt, around: _Around) -> s.Stmt:
        """What threads do, with what is around it for each of them."""
        made = self.of_thread(stmt)
        extents: list[Expr] = [const(1)] * 3
        dimensions = dict(around.dimensions)
        for outer in reversed(around.stmts):
            match outer:
                case s.For(name, low, extent):
                    dimension = dimensions[name]
                    before, made = made, converged(outer, made) if dimension == 0 else made
                    thread: Expr = Variable(s.THREADS[dimension], I32)
                    if before is made and self._is_any_number(outer, around):
                        extents[dimension] = TURNS[dimension]
                        made = _in_turns(outer, thread, TURNS[dimension], made)
                        continue
                    extents[dimension] = most = self._steps(outer, around)
                    if before is not made:
                        extents[dimension] = const(s.WARP)
                    elif most is not extent:
                        made = s.IfThenElse(LT(thread, extent), made)
                    made = s.LetStmt(name, simplify(Add(thread, low)), made)
                case s.LetStmt(name, value):
                    made = s.LetStmt(name, value, made)
                case s.IfThenElse(condition):
                    made = s.IfThenElse(condition, made)
        x, y, z = extents
        self.nests.append((x, y, z))
        return Together(made, (x, y, z))

    def _is_any_number(self, loop: s.For, around: _Around) -> bool:
        """Whether a loop over threads may have more iterations than a block has threads, for all
        that is known where the kernel begins."""
        names = {x.name for x in postorder(loop.extent) if isinstance(x, Variable)}
        if not names & self.inside or around.differs(loop.extent):
            return False
        return self.most(loop.extent) > MOST_THREADS

    def _steps(self, loop: s.For, around: _Around) -> Expr:
        """How many threads a loop has, of which some may have nothing to do."""
        if not around.differs(loop.extent):
            return loop.extent
        most = self.most(loop.extent)
        if most > MOST_THREADS:
            raise HalideError(
                f"The loop over {loop.name} is not a box: how many threads it has depends on a "
                f"loop over threads around it, without a bound that is known: {loop.extent}."
            )
        return const(most)

    def _memory(self, node: s.Allocate, around: _Around) -> s.Stmt:
        """Memory of the block: a piece for each thread of the loops around, in registers if lanes,
        or threads, have elements of their own."""
        is_wished = node.memory in _OF_THREADS
        no_stripes: NoStripes | None = None
        if is_wished or (node.memory == "auto" and around.loops):
            try:
                made = self._in_lanes(node)
                return replace(made, body=self.common(made.body, around))
            except NoStripes as reason:
                no_stripes = reason
        pieces, first = const(1, I64), const(0, I64)
        for loop in around.loops:
            steps = widened(self._steps(loop, around))
            step = widened(simplify(n.Sub(Variable(loop.name, I32), loop.min)))
            pieces, first = Mul(pieces, steps), Add(Mul(first, steps), step)
        if around.loops:
            most = self.most(node.size)
            if most > I32.max:
                raise HalideError(
                    f"{node.buffer} has no size that is known for each thread of "
                    f"{around.loops[-1].name}, and other threads inside: {node.size} elements. "
                    "Use bound_extent or bound_storage."
                )
            size = const(most, I64)
            first = simplify(Mul(first, size))
            inside = with_places(node.body, node.buffer, lambda i: moved(i, const(1, I64), first))
            node = replace(node, size=simplify(Mul(size, pieces)), body=inside)
        node = replace(node, body=self.common(node.body, around))
        if no_stripes is None:
            return self._of_block(node)
        try:
            return self._in_threads(node)
        except NotOwn as reason:
            if not is_wished:
                return self._of_block(node)
            raise HalideError(
                f"{node.buffer} is stored in {node.memory} memory outside of the loops over "
                f"threads that use it, in the kernel of {self.loop}, so each thread must have "
                f"elements of its own, but {reason}; and it can't be striped over the lanes of a "
                f"warp: {no_stripes}. Use GPUShared, or compute it inside of a thread."
            ) from None

    def _of_block(self, node: s.Allocate) -> s.Allocate:
        """Memory that all threads of a block have in common."""
        if self._is_on_heap(node):
            return replace(node, memory="heap")
        return replace(node, size=const(self.size_of_shared(node)), memory="shared")

    def _in_threads(self, node: s.Allocate) -> s.Allocate:
        made = in_threads(node, self.most)
        assert isinstance(made.size, Const)
        bytes = made.size.value * made.type.bytes
        most = STACK_BYTES if node.memory == "stack" else REGISTER_BYTES
        if bytes > most:
            raise NotOwn(f"each would need {bytes} bytes, of {most} at most")
        return replace(made, memory="stack" if node.memory == "stack" else "register")

    def _in_lanes(self, node: s.Allocate) -> s.Allocate:
        if not self.has_warps:
            raise NoStripes("a block has other threads than lanes in its innermost loops")
        made = in_lanes(node, self.most(node.size))
        assert isinstance(made.size, Const)
        if made.size.value * node.type.bytes > REGISTER_BYTES:
            raise NoStripes(f"each lane would need more than {REGISTER_BYTES} bytes")
        return made

    def _is_on_heap(self, node: s.Allocate) -> bool:
        """Whether memory of a block lies in the device's, as what is too large for a block does, or
        may be for all that is known where somebody wants it in the block's."""
        is_large = self.most(node.size) * node.type.bytes > MOST_SHARED
        is_known = isinstance(node.size, Const)
        return (
            node.memory == "heap"
            or (node.memory == "auto" and is_large)
            or (node.memory == "shared" and is_large and not is_known)
        )

    def size_of_shared(self, node: s.Allocate) -> int:
        """How many elements a memory of the block's own has."""
        if node.memory not in ("auto", "shared", "async"):
            raise HalideError(
                f"{node.buffer} is stored in {node.memory} memory outside of the loops over "
                f"threads that use it, in the kernel of {self.loop}: threads don't share that."
            )
        bound = self.most(node.size)
        if bound * node.type.bytes > MOST_SHARED:
            shown = f"up to {bound} elements"
            raise HalideError(
                f"{node.buffer} has {shown} in the kernel of {self.loop}: the threads of a block "
                f"share {MOST_SHARED} bytes at most. Use bound_storage, compute it in smaller "
                "blocks, store it in Heap, or compute it before the kernel (compute_root)."
            )
        self.shared.add(node.buffer)
        if node.memory == "async":
            self.copied.add(node.buffer)
        return bound

    def of_thread(self, stmt: s.Stmt) -> s.Stmt:
        """`stmt`, which one thread runs, its memories where threads can have some."""
        match stmt:
            case s.Allocate():
                return self._of_thread(stmt)
            case s.For(name, low, extent, "parallel", body) if extent is const(1):
                return self.of_thread(s.LetStmt(name, low, body))
        _check_of_thread(stmt)
        return rebuild(stmt, tuple(map(self.of_thread, children_of(stmt))), lambda e: e)

    def _of_thread(self, node: s.Allocate) -> s.Stmt:
        """What fits is the thread's own, what doesn't is a piece of the device's memory."""
        made = replace(node, body=self.of_thread(node.body))
        if node.memory == "async":
            raise HalideError(
                f"{node.buffer} is stored in GPUSharedAsync memory inside of loops over threads, "
                f"in the kernel of {self.loop}: compute it at a loop around them."
            )
        if node.memory in ("heap", "shared"):
            return made
        elements = self.most(node.size)
        size = elements * node.type.bytes
        if node.memory == "auto":
            made = replace(made, memory=next(kind for most, kind in _OWN if size <= most))
        elif size > STACK_BYTES:
            raise HalideError(
                f"{node.buffer} has {node.size} elements for each thread in the kernel of "
                f"{self.loop}, which isn't known to fit a thread's own {node.memory} memory: "
                f"{STACK_BYTES} bytes. Use bound_extent or bound_storage, or store it in Heap."
            )
        return made if made.memory == "heap" else replace(made, size=const(elements))

    def most(self, size: Expr) -> int:
        """A number that `size` does not exceed."""
        found = largest_size(size, self.facts)
        bound = value_range(size)[1]
        return bound if found is None else min(bound, max(found, 0))

    def with_threads(self, stmt: s.Stmt) -> tuple[s.Stmt, tuple[Expr, Expr, Expr]]:
        """`stmt` with the threads of each turn in the place of `TURNS`, and how many threads a
        block has by dimension: as many as the longest nest needs.

        The host says so: of what depends on variables that are `inside`, a bound is taken.
        """
        sizes: list[Expr] = []
        for d, turn in enumerate(TURNS):
            several = [extents[d] for extents in self.nests]
            longest: Expr = const(1)
            for extent in (x for x in several if x is not turn):
                longest = simplify(n.Max(longest, self._outside(extent)))
            if turn in several:
                # Those of another nest, where it has a number that fits.
                count = longest.value if isinstance(longest, Const) else 1
                count = TURN[d] if count == 1 else min(count, MOST_THREADS)
                stmt = _with_turn(stmt, turn, const(int(count)))
                longest = simplify(n.Max(longest, const(int(count))))
            sizes.append(longest)
        x, y, z = sizes
        return stmt, (x, y, z)

    def _outside(self, extent: Expr) -> Expr:
        names = {x.name for x in postorder(extent) if isinstance(x, Variable)}
        return const(self.most(extent)) if names & self.inside else extent


def _in_turns(loop: s.For, thread: Expr, count: Expr, body: s.Stmt) -> s.Stmt:
    """What a thread does of a loop that has any number of iterations, `count` at a time."""
    turn = Variable(f"{loop.name}.turn", I32)
    step = Add(thread, Mul(turn, count))
    body = s.LetStmt(loop.name, simplify(Add(step, loop.min)), body)
    turns = n.Div(Add(loop.extent, n.Sub(count, const(1))), count)
    return s.For(turn.name, const(0), turns, "serial", s.IfThenElse(LT(step, loop.extent), body))


def _with_turn(stmt: s.Stmt, turn: Expr, count: Expr) -> s.Stmt:
    """`stmt`, each of whose turns has `count` threads."""
    of: dict[Expr, Expr] = {turn: count}

    def change(e: Expr) -> Expr:
        return simplify(substitute(e, of))

    def visit(stmt: s.Stmt) -> s.Stmt:
        if isinstance(stmt, Together):
            x, y, z = (substitute(e, of) for e in stmt.extents)
            return Together(visit(stmt.body), (x, y, z))
        return rebuild(stmt, tuple(map(visit, children_of(stmt))), change)

    return visit(stmt)


def _check_of_thread(stmt: s.Stmt) -> None:
    """Raises `HalideError` for a statement that no thread can run."""
    if isinstance(stmt, s.For) and stmt.kind in CONCURRENT:
        raise HalideError(f"The loop over {stmt.name} can't run inside of a thread.")
    if isinstance(stmt, (s.Prefetch, s.Evaluate)):
        raise HalideError(
            f"A kernel can't do this: {type(stmt).__name__}. Compute what it stands in "
            "outside of loops over blocks."
        )


def _threads_placed(stmt: s.Stmt, threads: tuple[Expr, Expr, Expr]) -> s.Stmt:
    """Nests of threads under a condition on the thread, where a block has more than they need."""
    if isinstance(stmt, Together):
        condition: Expr = TRUE
        for name, own, most in zip(s.THREADS, stmt.extents, threads, strict=True):
            if own is not most:
                runs = LT(Variable(name, I32), own)
                condition = runs if condition is TRUE else And(condition, runs)
        return stmt.body if condition is TRUE else s.IfThenElse(condition, stmt.body)
    children = tuple(_threads_placed(c, threads) for c in children_of(stmt))
    return rebuild(stmt, children, lambda e: e)


def _parameters(body: s.Stmt, alignments: Mapping[str, int]) -> tuple[s.KernelParameter, ...]:
    """What the body uses and doesn't make itself: memories, then scalars."""
    own = {x.buffer for x in walk(body) if isinstance(x, s.Allocate)}
    memories: dict[str, Type] = {}
    written: set[str] = set()
    scalars: dict[str, Type] = {}
    for stmt, bound in _with_bound(body, frozenset((*s.BLOCKS, *s.THREADS))):
        if isinstance(stmt, s.Store):
            memories.setdefault(stmt.buffer, stmt.value.type.element)
            written.add(stmt.buffer)
        elif isinstance(stmt, s.Fail):
            memories.setdefault(s.FAILURE, I64)
            written.add(s.FAILURE)
        for node in postorder(*expressions_of(stmt)):
            if isinstance(node, Load):
                memories.setdefault(node.array, node.type.element)
            elif isinstance(node, Variable) and node.name not in bound:
                scalars.setdefault(node.name, node.type)
    return (
        *(
            s.KernelParameter(
                name, type, True, name in written, _power_of_two(alignments.get(name, ALIGNMENT))
            )
            for name, type in memories.items()
            if name not in own
        ),
        *(s.KernelParameter(name, type) for name, type in scalars.items()),
    )


def _power_of_two(number: int) -> int:
    """The largest one that divides `number`."""
    return number & -number


def _with_bound(stmt: s.Stmt, bound: frozenset[str]) -> Iterator[tuple[s.Stmt, frozenset[str]]]:
    """All statements with the variables that are bound where their own expressions stand."""
    yield stmt, bound
    if isinstance(stmt, (s.For, s.LetStmt)):
        bound |= {stmt.name}
    for child in children_of(stmt):
        yield from _with_bound(child, bound)


__all__ = ["offload", "on_host"]
