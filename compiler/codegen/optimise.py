"""LLVM's optimiser on a module of ours: parse, check, run the pipeline of passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .errors import CodegenError
from .narrow_masks import narrow_accesses, widened
from .target import Effort, Target, llvm_binding

MOST_TEXT_FOR_STRENGTH_REDUCTION = 1_000_000
"""Characters of a module. Loop strength reduction rates every formula of every address against
every other: a minute for the thousand addresses of unrolled vectors in two million characters."""


def optimised(text: str, target: Target, machine: Any, also: Sequence[str] = ()) -> Any:
    """The LLVM module of `text` and of the texts in `also`, checked and optimised for `target`.

    Floats stay exact: no pass may reorder or contract them, since nothing in the text permits it.
    Raises `CodegenError` when LLVM rejects the text.
    """
    llvm = llvm_binding()
    module = linked((text, *also), target, machine)
    options = llvm.create_pipeline_tuning_options(speed_level=Effort.passes)
    options.loop_vectorization = True
    options.slp_vectorization = False
    options.loop_interleaving = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    # After the passes, since loops that LLVM makes vectors of have masks, too.
    if narrow := narrow_accesses((f.name for f in module.functions if f.is_declaration), target):
        module = linked([widened(str(module), narrow)], target, machine)
        inliner = llvm.create_new_module_pass_manager()
        inliner.add_always_inliner_pass()
        inliner.run(module, builder)
    # A switch of the process: a module of another thread may get the wrong one, and is slower then.
    is_large = sum(map(len, (text, *also))) > MOST_TEXT_FOR_STRENGTH_REDUCTION
    llvm.set_option("lift", f"-disable-lsr={'true' if is_large else 'false'}")
    return module


def linked(texts: Sequence[str], target: Target, machine: Any) -> Any:
    """One LLVM module of `texts`, checked; raises `CodegenError` when LLVM rejects one."""
    llvm = llvm_binding()
    try:
        module, *others = (_with_layout(llvm.parse_assembly(x), target, machine) for x in texts)
        for other in others:
            module.link_in(other)
        module.verify()
    except RuntimeError as error:
        raise CodegenError(f"LLVM rejects the generated code: {error}") from error
    return module


def _with_layout(module: Any, target: Target, machine: Any) -> Any:
    module.triple = target.triple
    module.data_layout = str(machine.target_data)
    return module
