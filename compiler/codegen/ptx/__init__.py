"""Kernels to PTX, the assembly language of NVIDIA's GPUs, by LLVM.

A kernel is one LLVM function of its own module. What the host's code generator knows of expressions
and memory is used as it stands; here are the statements that GPUs have in their own way, the memory
of a block, and what is refused because a GPU hasn't it.
"""

from .assembly import kernel_ptx, kernels_ptx
from .capabilities import CAPABILITIES, gpu_target
from .checks import check_kernel
from .index_width import INDEX_WIDTHS, IndexWidth, index_numbers, index_width, takes_narrow
from .kernel import dynamic_shared_bytes, kernel_symbol

__all__ = [
    "CAPABILITIES",
    "INDEX_WIDTHS",
    "IndexWidth",
    "check_kernel",
    "dynamic_shared_bytes",
    "gpu_target",
    "index_numbers",
    "index_width",
    "kernel_ptx",
    "kernel_symbol",
    "kernels_ptx",
    "takes_narrow",
]
