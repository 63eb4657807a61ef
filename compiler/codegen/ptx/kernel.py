"""A kernel as one LLVM function, which each thread runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ...ir import I32, Const
from ...ir.stmts import BLOCKS, THREADS, Kernel, KernelParameter
from ..builder import FunctionBuilder, ModuleBuilder, Value, pointer
from ..llvm_types import memory_type
from ..loop_hints import vector_stages
from ..parameters import from_memory, widened
from ..scope import BoundVariable, Scope
from ..statements import Statements
from .capabilities import STATIC_SHARED, THREADS_BY_DIMENSION
from .capabilities import THREADS as MOST_THREADS
from .index_width import MOST_BLOCKS, MOST_NUMBER, IndexWidth, index_numbers
from .shared_memory import packed
from .statements import GLOBAL, own_statements, shared_memories

_REGISTERS = "xyz"
"""The parts of the special registers that say which block and which thread runs."""
_GRID = ((1 << 31) - 1, 65535, 65535)
"""The most blocks of a launch, by dimension."""
_RESERVED = "WARP_SZ"
"""The one constant that PTX has a name for."""


def kernel_symbol(kernel: Kernel, width: IndexWidth = 32) -> str:
    """The name in PTX of the kernel's entry whose indices have so many bits.

    It has letters, digits, `_` and `$` alone; no two names have one symbol.
    """
    legal = re.sub(r"[^A-Za-z0-9_]", lambda m: f"${ord(m[0]):x}_", kernel.name)
    symbol = legal if legal[:1].isalpha() and legal != _RESERVED else f"k${legal}"
    return symbol if width == 32 else f"{symbol}$wide"


def dynamic_shared_bytes(kernel: Kernel) -> int:
    """How much shared memory a launch has to ask for: 0 where the kernel itself says how much."""
    total = packed(kernel).size
    return total if total > STATIC_SHARED else 0


def add_kernel(
    module: ModuleBuilder, kernel: Kernel, width: IndexWidth, in_place: Iterable[tuple[str, str]]
) -> None:
    """Adds the kernel's function; the two memories of a pair in `in_place` may be one."""
    symbol, pairs = kernel_symbol(kernel, width), list(in_place)
    parameters = ", ".join(
        f"{attributes} %p{position}"
        for position, attributes in enumerate(_parameters(kernel, pairs))
    )
    f = FunctionBuilder(
        module, f'define ptx_kernel void @"{symbol}"({parameters}){_most_threads(kernel)}'
    )
    f.narrow_indices = width == 32
    module.start_memory(kernel.name, pairs)
    module.vector_stages = vector_stages(kernel.body)
    shared = shared_memories(module, symbol, packed(kernel))
    statements = Statements(
        f,
        Value(pointer(), "null"),
        kernel.name,
        own_statements(shared, {name for pair in pairs for name in pair}),
    )
    statements.run(kernel.body, _scope(f, kernel))
    f.ret()
    f.finish()


def _parameters(kernel: Kernel, in_place: list[tuple[str, str]]) -> Iterator[str]:
    """LLVM's type of each parameter, with what is known of it.

    What no thread writes may be read by the path for constants (`ld.global.nc`), for which LLVM
    asks that nothing else points there. Of what is written the same would say that no other
    thread writes it between two reads.
    """
    overlapping = {name for pair in in_place for name in pair}
    for parameter in kernel.parameters:
        if not parameter.is_memory:
            yield memory_type(parameter.type)
            continue
        words = [pointer(GLOBAL), f"align {max(parameter.multiple_of, parameter.type.bytes)}"]
        if parameter.name not in overlapping and not parameter.is_written:
            words += ["noalias", "readonly"]
        yield " ".join(words)


def _most_threads(kernel: Kernel) -> str:
    """The most threads of a block, from which follows how many registers each may have."""
    counts = [int(n.value) for n in kernel.threads if isinstance(n, Const)]
    shape = counts if len(counts) == len(kernel.threads) else [MOST_THREADS, 1, 1]
    return f' "nvvm.maxntid"="{",".join(map(str, shape))}"'


def _scope(f: FunctionBuilder, kernel: Kernel) -> Scope:
    """The parameters, and the numbers of the block and the thread."""
    scope = Scope()
    for position, parameter in enumerate(kernel.parameters):
        if parameter.is_memory:
            scope = scope.with_buffer(parameter.name, Value(pointer(GLOBAL), f"%p{position}"))
        else:
            span = (-MOST_NUMBER, MOST_NUMBER) if parameter in index_numbers(kernel) else None
            value = _scalar(f, parameter, f"%p{position}")
            bound = BoundVariable(parameter.type, value, range=span if f.narrow_indices else None)
            scope = scope.with_variable(parameter.name, widened(f, bound))
    most_blocks = (MOST_BLOCKS if f.narrow_indices else _GRID[0], *_GRID[1:])
    for place, (register, of_block, of_thread) in enumerate(
        zip(_REGISTERS, BLOCKS, THREADS, strict=True)
    ):
        threads = kernel.threads[place]
        count = int(threads.value) if isinstance(threads, Const) else THREADS_BY_DIMENSION[place]
        block = _number(f, f"ctaid.{register}", most_blocks[place])
        thread = _number(f, f"tid.{register}", count)
        scope = scope.with_variable(of_block, widened(f, block))
        scope = scope.with_variable(of_thread, widened(f, thread))
    return scope


def _scalar(f: FunctionBuilder, parameter: KernelParameter, name: str) -> Value:
    given = Value(memory_type(parameter.type), name)
    if parameter.multiple_of > 1 and parameter.type.is_integer and not parameter.type.is_bool:
        # Says so to LLVM, which finds what addresses are multiples of.
        given = f.emit(given.type, f"and {given}, -{parameter.multiple_of}")
    return from_memory(f, given, parameter.type)


def _number(f: FunctionBuilder, register: str, count: int) -> BoundVariable:
    """One of 0, 1, ..., count - 1, from a special register."""
    if count <= 1:
        return BoundVariable(I32, Value("i32", "0"), range=(0, 0))
    callee = f.module.declare(f"llvm.nvvm.read.ptx.sreg.{register}", "i32", "")
    value = f.emit("i32", f"call range(i32 0, {count}) i32 {callee}()")
    return BoundVariable(I32, value, range=(0, count - 1))
