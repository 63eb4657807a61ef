"""From kernels to PTX text: LLVM modules, their passes, the code generator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...ir.collector import without_collector
from ...ir.errors import HalideError
from ...ir.stmts import Kernel
from ..builder import ModuleBuilder
from ..target import Target
from . import byte_products, shuffles
from .byte_products import ByteProducts
from .capabilities import gpu_target
from .checks import check_kernel
from .index_width import INDEX_WIDTHS, IndexWidth
from .kernel import add_kernel, kernel_symbol
from .passes import Effort, effort_for, optimised
from .selectable import check_selectable

_OWN_CALLS = {**byte_products.INSTRUCTIONS, **shuffles.INSTRUCTIONS}
_CODE, _FAST_CODE = 3, 0
"""The effort of LLVM's code generator, here always the same, and that for entries that few launches
take: no accesses are joined there but those that schedules ask for."""
_END_OF_HEADER = ".address_size 64\n"


def kernel_ptx(
    kernel: Kernel,
    capability: int = 75,
    contracts_floats: bool = False,
    in_place: Iterable[tuple[str, str]] = (),
    widths: Sequence[IndexWidth] = (32,),
) -> str:
    """The PTX of one kernel; see `kernels_ptx`."""
    return kernels_ptx((kernel,), capability, contracts_floats, in_place, widths)


@without_collector
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
    for kernel in kernels:
        check_kernel(kernel, capability)
    pairs = tuple(in_place)
    texts = [_entries(kernels, target, capability, pairs, width) for width in widths]
    return "".join((texts[0], *(text.partition(_END_OF_HEADER)[2] for text in texts[1:])))


def _entries(
    kernels: Sequence[Kernel],
    target: Target,
    capability: int,
    in_place: Sequence[tuple[str, str]],
    width: IndexWidth,
) -> str:
    """The PTX of all kernels with indices of one width."""
    is_narrow = width == INDEX_WIDTHS[0]
    machine = target.machine(level=_CODE if is_narrow else _FAST_CODE)
    by_effort: dict[Effort, list[Kernel]] = {}
    for kernel in kernels:
        by_effort.setdefault(effort_for(kernel, is_narrow), []).append(kernel)
    modules: list[Any] = []
    for effort, some in (by_effort or {0: []}).items():
        module = ModuleBuilder(f"kernels{width}", target)
        module.atomics_by = 'syncscope("device") '
        if capability >= byte_products.OLDEST:
            module.selected, module.own_calls = ByteProducts(), _OWN_CALLS
        for kernel in some:
            add_kernel(module, kernel, width, in_place)
        check_selectable(module.declared)
        modules.append(optimised(str(module), target, machine, effort))
    made, *others = modules
    for other in others:
        made.link_in(other)
    check_selectable(f.name for f in made.functions if f.is_declaration)
    return str(machine.emit_assembly(made))
