"""From kernels to PTX text: one LLVM module, its passes, its code generator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...ir.errors import HalideError
from ...ir.stmts import Kernel
from ..builder import ModuleBuilder
from ..optimise import linked
from ..target import Target, llvm_binding
from . import byte_products, shuffles
from .byte_products import ByteProducts
from .capabilities import gpu_target
from .checks import check_kernel
from .index_width import INDEX_WIDTHS, IndexWidth
from .kernel import add_kernel, kernel_symbol
from .selectable import check_selectable
from .word_extremes import in_words, narrow_extremes

_OWN_CALLS = {**byte_products.INSTRUCTIONS, **shuffles.INSTRUCTIONS}
_PASSES, _CODE = 2, 3
"""LLVM's effort, here always the same: without its passes what a thread owns is no register."""


def kernel_ptx(
    kernel: Kernel,
    capability: int = 75,
    contracts_floats: bool = False,
    in_place: Iterable[tuple[str, str]] = (),
    widths: Sequence[IndexWidth] = (32,),
) -> str:
    """The PTX of one kernel; see `kernels_ptx`."""
    return kernels_ptx((kernel,), capability, contracts_floats, in_place, widths)


def kernels_ptx(
    kernels: Sequence[Kernel],
    capability: int = 75,
    contracts_floats: bool = False,
    in_place: Iterable[tuple[str, str]] = (),
    widths: Sequence[IndexWidth] = INDEX_WIDTHS,
) -> str:
    """One PTX module with an entry for each kernel and width of indices, called `kernel_symbol`.

    Which one a launch takes `index_width` says, or `takes_narrow` to code of the host.

    It runs on GPUs of `capability` (75 is 7.5) and later ones. An entry takes the kernel's
    parameters in order: addresses in device memory and numbers, booleans as a byte; its launch asks
    for `dynamic_shared_bytes`. Floats are rounded after each operation, as on the host, unless
    `contracts_floats`. The two memories of each pair in `in_place` may be one. Raises `HalideError`
    for what a GPU hasn't, or hasn't with the host's bits.
    """
    target = gpu_target(capability, contracts_floats)
    symbols = [kernel_symbol(kernel) for kernel in kernels]
    if len(set(symbols)) < len(symbols):
        raise HalideError(f"two kernels of one name in {', '.join(k.name for k in kernels)}")
    pairs = tuple(in_place)
    module = ModuleBuilder("kernels", target)
    module.atomics_by = 'syncscope("device") '
    if capability >= byte_products.OLDEST:
        module.selected, module.own_calls = ByteProducts(), _OWN_CALLS
    for kernel in kernels:
        check_kernel(kernel, capability)
        for width in widths:
            add_kernel(module, kernel, width, pairs)
    check_selectable(module.declared)
    machine = target.machine(level=_CODE)
    made = _optimised(str(module), target, machine)
    check_selectable(f.name for f in made.functions if f.is_declaration)
    return str(machine.emit_assembly(made))


def _optimised(text: str, target: Target, machine: Any) -> Any:
    """The module of `text` after LLVM's passes, none of which makes vectors: the threads are."""
    llvm = llvm_binding()
    module = linked((text,), target, machine)
    options = llvm.create_pipeline_tuning_options(speed_level=_PASSES)
    options.loop_vectorization = False
    options.slp_vectorization = False
    options.loop_interleaving = False
    llvm.set_option("lift", "-disable-lsr=false")  # see `optimise`
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    if narrow := narrow_extremes(f.name for f in module.functions if f.is_declaration):
        module = linked((in_words(str(module), narrow),), target, machine)
        inliner = llvm.create_new_module_pass_manager()
        inliner.add_always_inliner_pass()
        inliner.run(module, builder)
    return module
