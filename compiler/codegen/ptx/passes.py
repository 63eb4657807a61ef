"""LLVM's passes over kernels: as few as make the machine code that all of them would make.

NVIDIA's assembler moves what stays out of loops, joins what is computed twice and puts instructions
in order, whatever LLVM leaves. What it doesn't do: it makes no registers of arrays, unrolls few
loops, and reads and writes beside one another stay as many as there are. So a kernel with loops, or
with accesses that may be joined, goes through LLVM's own list, and others through a short one.

Entries with wide indices run for memories of gigabytes, which few programs have, and each kernel
has one. They go through the short list and no pass of the code generator.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from ... import ir
from ...ir import Call, Cast, Expr, Load, Variable, const, reads_in, stmts
from ...ir.stmt_transform import children_of, expressions_of, walk
from ..affine import terms
from ..optimise import linked
from ..target import Target, llvm_binding
from .word_extremes import in_words, narrow_extremes

ONE = const(1)
_OWN_LIST = 1
"""The effort of LLVM's own list: what it does for more costs time and gives the same code."""
_BEFORE_LOOPS = ("sroa", "new_gvn", "instruction_combine", "simplify_cfg")
_LOOPS = ("loop_rotate", "loop_unroll")
_BEHIND_LOOPS = ("sroa", "reassociate", "new_gvn", "instruction_combine", "simplify_cfg")


def optimised(text: str, target: Target, machine: Any, is_short: bool) -> Any:
    """The module of `text` after LLVM's passes, none of which makes vectors: the threads are.

    `is_short`: those of the short list alone.
    """
    llvm = llvm_binding()
    module = linked((text,), target, machine)
    options = llvm.create_pipeline_tuning_options(speed_level=_OWN_LIST)
    options.loop_vectorization = False
    options.slp_vectorization = False
    options.loop_interleaving = False
    llvm.set_option("lift", "-disable-lsr=false")  # see `codegen/optimise.py`
    builder = llvm.create_pass_builder(machine, options)
    if is_short:
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
    return module


def needs_all_passes(kernel: stmts.Kernel) -> bool:
    """Whether LLVM's own list may make better code of a kernel than the short one does."""
    inside = list(walk(kernel.body))
    if any(isinstance(stmt, stmts.For) for stmt in inside):
        return True
    even = {p.name for p in kernel.parameters if p.multiple_of > 1 and not p.is_memory}
    even |= {x for x, count in zip(stmts.THREADS, kernel.threads, strict=True) if count is ONE}
    private = {x.buffer for x in inside if isinstance(x, stmts.Allocate) and x.memory != "shared"}
    return _joins(kernel.body, even, private)


def _joins(stmt: stmts.Stmt, even: Set[str], private: Set[str]) -> bool:
    """Whether two accesses may become one of twice the size: the first has to lie at an even
    element. The variables `even` may be such places; `private` memories become registers."""
    loads = (x for e in expressions_of(stmt) for x in reads_in(e) if isinstance(x, Load))
    places = [(x.array, x.indices[0]) for x in loads]
    if isinstance(stmt, stmts.Store):
        places.append((stmt.buffer, stmt.index))
    if any(_is_even(index, even) for name, index in places if name not in private):
        return True
    if isinstance(stmt, stmts.LetStmt):
        even = even | {stmt.name} if _is_even(stmt.value, even) else even - {stmt.name}
    return any(_joins(child, even, private) for child in children_of(stmt))


def _is_even(index: Expr, even: Set[str]) -> bool:
    """Whether `index`, but for a constant, may be even whatever its variables are, so that LLVM
    sees it."""
    match index:
        case Variable(name=name):
            return name in even
        case Cast(value=value):
            return _is_even(value, even)
        case ir.Add() | ir.Sub() | ir.Neg() | ir.Mul():
            found, _ = terms(index)
            if index in found:
                return any(_is_even(factor, even) for factor in index.children)
            return all(_is_even(x, even) for x, factor in found.items() if factor % 2)
        case ir.Min(a=a, b=b) | ir.Max(a=a, b=b) | ir.Select(a=a, b=b):
            return _is_even(a, even) and _is_even(b, even)
        case ir.Mod(a=a):
            return _is_even(a, even)
        case ir.Div() | Load() | Call():
            return False
    return True


__all__ = ["needs_all_passes", "optimised"]
