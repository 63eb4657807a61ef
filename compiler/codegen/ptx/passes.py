"""LLVM's passes over kernels: as few as make the machine code that all of them would make.

NVIDIA's assembler moves what stays out of loops and puts instructions in order, whatever LLVM
leaves. What it doesn't do: it makes no registers of a thread's arrays, and unrolls few loops; and
elements that are read twice, or one by one beside one another, stay so.

Entries with wide indices run for memories of gigabytes, which few programs have, and each kernel
has one. They go through the short list, unless their arrays ask for more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from ...ir import Const, Expr, Load, reads_in, stmts
from ...ir.stmt_transform import expressions_of, walk
from ..optimise import linked
from ..target import Target, llvm_binding
from .constant_masks import loads_by_masks, with_chosen_zeros
from .word_extremes import in_words, narrow_extremes

Effort = Literal[0, 1, 2]
"""0: the short list; else LLVM's own one for this effort."""
# Without LLVM's `new_gvn`, which ends the process for some kernels (LLVM 22).
_BEFORE_LOOPS = ("sroa", "instruction_combine", "simplify_cfg")
_LOOPS = ("loop_rotate", "loop_unroll")
_BEHIND_LOOPS = ("sroa", "reassociate", "instruction_combine", "simplify_cfg")


def optimised(text: str, target: Target, machine: Any, effort: Effort) -> Any:
    """The module of `text` after LLVM's passes, none of which makes vectors: the threads are."""
    llvm = llvm_binding()
    module = linked((text,), target, machine)
    options = llvm.create_pipeline_tuning_options(speed_level=effort)
    options.loop_vectorization = False
    options.slp_vectorization = False
    options.loop_interleaving = False
    llvm.set_option("lift", "-disable-lsr=false")  # see `codegen/optimise.py`
    builder = llvm.create_pass_builder(machine, options)
    if effort == 0:
        passes = llvm.create_new_module_pass_manager()
        for name in (*_BEFORE_LOOPS, *_LOOPS, *_BEHIND_LOOPS):
            getattr(passes, f"add_{name}_pass")()
    else:
        passes = builder.getModulePassManager()
    passes.run(module, builder)
    if narrow := narrow_extremes(f.name for f in module.functions if f.is_declaration):
        module = linked((in_words(str(module), narrow),), target, machine)
        inliner = llvm.create_new_module_pass_manager()
        inliner.add_always_inliner_pass()
        inliner.run(module, builder)
    if loads_by_masks(f.name for f in module.functions if f.is_declaration):
        module = linked((with_chosen_zeros(str(module)),), target, machine)
    return module


def effort_for(kernel: stmts.Kernel, is_narrow: bool) -> Effort:
    """The least effort for which LLVM makes as good code of a kernel as for the largest one."""
    inside = list(walk(kernel.body))
    private = {x.buffer for x in inside if isinstance(x, stmts.Allocate) and x.memory != "shared"}
    of_private = (index for x in inside for name, index in _places(x) if name in private)
    if not all(isinstance(index, Const) for index in of_private):
        return 2  # It has to find out that they are constants, once loops are unrolled.
    return 1 if is_narrow else 0


def _places(stmt: stmts.Stmt) -> Iterator[tuple[str, Expr]]:
    """The memories that a statement itself reads and writes, and where."""
    for node in (x for e in expressions_of(stmt) for x in reads_in(e)):
        if isinstance(node, Load):
            yield node.array, node.indices[0]
    if isinstance(stmt, stmts.Store):
        yield stmt.buffer, stmt.index


__all__ = ["Effort", "effort_for", "optimised"]
