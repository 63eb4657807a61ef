"""Statements as the threads of a GPU run them."""

from __future__ import annotations

from dataclasses import replace

from ...ir import I32, stmts
from ..builder import ModuleBuilder, Value, i32, pointer
from ..errors import CodegenError
from ..llvm_types import memory_type
from ..loop_hints import hints
from ..scope import BoundVariable, Scope
from ..statements import Statements, Translation

GLOBAL, SHARED = 1, 3
"""LLVM's numbers of the device's memory and of a block's own."""
_MEET = "llvm.nvvm.barrier.cta.sync.aligned.all"


class SharedMemory:
    """Where the memories lie that the threads of a block have in common."""

    def __init__(self, module: ModuleBuilder, symbol: str, is_dynamic: bool) -> None:
        """Dynamic memory is one piece, whose size the launch says."""
        self.module, self.symbol = module, symbol
        self._dynamic = f'@"{symbol}$shared"' if is_dynamic else None
        self._next = 0
        self._count = 0
        if self._dynamic is not None:
            module.add_global(f"{self._dynamic} = external addrspace({SHARED}) global [0 x i8]")

    def place(self, node: stmts.Allocate, size: int) -> Value:
        """The address of the memory of `node`, which takes `size` bytes, a multiple of 16."""
        begin, self._next = self._next, self._next + size
        self._count += 1
        if self._dynamic is not None:
            address = f"getelementptr (i8, {pointer(SHARED)} {self._dynamic}, i64 {begin})"
            return Value(pointer(SHARED), address)
        element = memory_type(node.type.element)
        count = size // node.type.bytes
        name = f'@"{self.symbol}$shared{self._count}"'
        self.module.add_global(
            f"{name} = internal addrspace({SHARED}) global [{count} x {element}] poison, align 16"
        )
        return Value(pointer(SHARED), name)


def _barrier(at: Statements, node: stmts.Barrier, scope: Scope) -> None:
    f = at.function
    f.call("void", f.module.declare(_MEET, "void", "i32"), [i32(0)])
    if node.device:
        f.do('fence syncscope("block") acq_rel')


def _for(at: Statements, loop: stmts.For, scope: Scope) -> None:
    if loop.kind not in ("serial", "unrolled"):
        raise CodegenError(f"{loop.kind} loop over {loop.name} left in a kernel")
    f, here = at.function, at.at(scope)
    first, extent = here.index(loop.min), here.index(loop.extent)
    properties = dict(hints(loop, f.module.vector_stages))
    if loop.kind == "unrolled":
        properties = {"unroll.full": ""}
    with f.counting(extent, properties) as counter:
        wide = f.emit("i64", f"add {first}, {counter.text}")
        narrow = f.emit("i32", f"trunc {wide} to i32")
        at.run(loop.body, scope.with_variable(loop.name, BoundVariable(I32, narrow, wide)))


def _block(at: Statements, block: stmts.Block, scope: Scope) -> None:
    at.several(block.stmts, scope)


def _prefetch(at: Statements, node: stmts.Prefetch, scope: Scope) -> None:
    """Nothing: other threads run while one waits for memory."""


def _private(at: Statements, node: stmts.Allocate, scope: Scope) -> None:
    """Memory of the thread's own: registers, if all places in it are constants."""
    with at.scratch.memory(replace(node, memory="stack"), at.at(scope).index) as (address, _):
        at.run(node.body, scope.with_buffer(node.buffer, address))


def own_statements(
    shared: SharedMemory, sizes: dict[stmts.Allocate, int]
) -> dict[type[stmts.Stmt], Translation]:
    """What a GPU does in its own way; `sizes` has the bytes of each memory that threads share."""

    def allocate(at: Statements, node: stmts.Allocate, scope: Scope) -> None:
        if node not in sizes:
            _private(at, node, scope)
            return
        at.run(node.body, scope.with_buffer(node.buffer, shared.place(node, sizes[node])))

    return {
        stmts.Allocate: allocate,
        stmts.Barrier: _barrier,
        stmts.Block: _block,
        stmts.For: _for,
        stmts.Prefetch: _prefetch,
    }
