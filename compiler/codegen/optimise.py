"""LLVM's optimiser on a module of ours: parse, check, run the pipeline of passes."""

from __future__ import annotations

from typing import Any

from .errors import CodegenError
from .target import Target, llvm_binding


def optimised(text: str, target: Target, machine: Any, level: int = 2) -> Any:
    """The LLVM module of `text`, checked and optimised for `target`.

    Floats stay exact: no pass may reorder or contract them, since nothing in the text permits it.
    Raises `CodegenError` when LLVM rejects the text.
    """
    llvm = llvm_binding()
    try:
        module = llvm.parse_assembly(text)
        module.verify()
    except RuntimeError as error:
        raise CodegenError(f"LLVM rejects the generated code: {error}") from error
    module.triple = target.triple
    module.data_layout = str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = True
    options.slp_vectorization = False
    options.loop_interleaving = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return module
