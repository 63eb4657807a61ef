"""Statements as the threads of a GPU run them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from ...ir import I32, stmts
from .. import narrow_indices
from ..builder import ModuleBuilder, Value, i32, pointer
from ..errors import CodegenError
from ..expressions import Expressions
from ..loop_hints import hints
from ..scope import BoundVariable, Scope
from ..statements import Statements, Translation
from . import async_copies
from .capabilities import STATIC_SHARED
from .shared_memory import ALIGNMENT, Packing

GLOBAL, SHARED = 1, 3
"""LLVM's numbers of the device's memory and of a block's own."""
_MEET = "llvm.nvvm.barrier.cta.sync.aligned.all"


def shared_memories(
    module: ModuleBuilder, symbol: str, packing: Packing
) -> dict[stmts.Allocate, Value]:
    """The address of each memory that the threads of a block share: all are one piece, of which
    the launch says the size where it is large.

    Others may see the piece: of memory that nobody else sees LLVM makes scalars, and values that
    are there from the beginning, which PTX hasn't.
    """
    if not packing.places:
        return {}
    name = f'@"{symbol}$shared"'
    memory = f"global [{packing.size} x i8] poison"
    is_large = packing.size > STATIC_SHARED
    kind = "external addrspace" if is_large else "addrspace"
    memory = "global [0 x i8]" if is_large else memory
    module.add_global(f"{name} = {kind}({SHARED}) {memory}, align {ALIGNMENT}")
    type = pointer(SHARED)
    return {
        node: Value(type, f"getelementptr (i8, {type} {name}, i64 {place})" if place else name)
        for node, place in packing.places.items()
    }


def _barrier(at: Statements, node: stmts.Barrier, scope: Scope) -> None:
    f = at.function
    f.call("void", f.module.declare(_MEET, "void", "i32"), [i32(0)])
    if node.device:
        f.do('fence syncscope("block") acq_rel')


def _fail(at: Statements, node: stmts.Fail, scope: Scope) -> None:
    """Whoever changes the first number from 0 has the others for itself."""
    f, here = at.function, at.at(scope)
    values = [here.value(value) for value in node.values]
    record = scope.buffers[stmts.FAILURE]
    order = f"{f.module.atomics_by}monotonic monotonic"
    tried = f.emit("{ i64, i1 }", f"cmpxchg {record}, i64 0, i64 {node.number} {order}")
    with f.when(f.emit("i1", f"extractvalue {tried}, 1")):
        for place, value in enumerate(values, 1):
            f.do(f"store {value}, {f.element('i64', record, place)}, align 8")


def _for(at: Statements, loop: stmts.For, scope: Scope) -> None:
    if loop.kind not in ("serial", "unrolled"):
        raise CodegenError(f"{loop.kind} loop over {loop.name} left in a kernel")
    f, here = at.function, at.at(scope)
    properties = dict(hints(loop, f.module.vector_stages))
    if loop.kind == "unrolled":
        properties = {"unroll.full": ""}
    span = _span(here, loop) if f.narrow_indices else None
    if span is not None:
        first, extent = here.low(loop.min), here.low(loop.extent)
        with f.counting(extent, properties) as counter:
            narrow = f.emit("i32", f"add nsw {first}, {counter.text}")
            wide = f.emit("i64", f"sext {narrow} to i64")
            bound = BoundVariable(I32, narrow, wide, range=span)
            at.run(loop.body, scope.with_variable(loop.name, bound))
        return
    first, extent = here.index(loop.min), here.index(loop.extent)
    with f.counting(extent, properties) as counter:
        wide = f.emit("i64", f"add {first}, {counter.text}")
        narrow = f.emit("i32", f"trunc {wide} to i32")
        at.run(loop.body, scope.with_variable(loop.name, BoundVariable(I32, narrow, wide)))


def _span(here: Expressions, loop: stmts.For) -> narrow_indices.Range | None:
    """What the loop's variable may be; None where 32 bits may not hold it, or how often it runs."""
    steps = narrow_indices.index_range(here, loop.extent)
    low, high = narrow_indices.index_range(here, loop.min)
    span = low, max(low, high + steps[1] - 1)
    return span if narrow_indices.fits(span) and narrow_indices.fits(steps) else None


def _block(at: Statements, block: stmts.Block, scope: Scope) -> None:
    at.several(block.stmts, scope)


def _prefetch(at: Statements, node: stmts.Prefetch, scope: Scope) -> None:
    """Nothing: other threads run while one waits for memory."""


def _private(at: Statements, node: stmts.Allocate, scope: Scope) -> None:
    """Memory of the thread's own: registers, if all places in it are constants."""
    with at.scratch.memory(replace(node, memory="stack"), at.at(scope).index) as (address, _):
        at.run(node.body, scope.with_buffer(node.buffer, address))


def own_statements(
    shared: Mapping[stmts.Allocate, Value], overlapping: Collection[str] = ()
) -> dict[type[stmts.Stmt], Translation]:
    """What a GPU does in its own way; `shared` has the memories that threads share. What lies in
    one place with another memory (`overlapping`) is copied before the thread goes on."""

    def allocate(at: Statements, node: stmts.Allocate, scope: Scope) -> None:
        if node in shared:
            at.run(node.body, scope.with_buffer(node.buffer, shared[node]))
        else:
            _private(at, node, scope)

    def copy(at: Statements, node: stmts.AsyncCopy, scope: Scope) -> None:
        async_copies.copy(at, node, scope, overlapping)

    return {
        stmts.Allocate: allocate,
        stmts.AsyncCopy: copy,
        stmts.AwaitCopies: async_copies.await_copies,
        stmts.Barrier: _barrier,
        stmts.CommitCopies: async_copies.commit_copies,
        stmts.Block: _block,
        stmts.Fail: _fail,
        stmts.For: _for,
        stmts.Prefetch: _prefetch,
    }
