"""The local buffers of committed summaries, in a kernel whose source may have others by now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..model.kernel import Array, Kernel
from ..model.summary import Summary
from .renaming import with_new_names


def with_buffers_of(summaries: Sequence[Summary], kernel: Kernel, entry: Any) -> Kernel:
    """The kernel with the arrays that were its own when it was lifted, beside those that it has.

    What is no parameter of the committed `entry` was local. A local array of the source that has
    such a name but is another one gets a new name.
    """
    try:
        told = {str(p["name"]) for p in entry["params"]}
    except (KeyError, TypeError):
        return kernel
    buffers: dict[str, Array] = {}
    for summary in summaries:
        name, layout = summary.output, summary.layouts.get(summary.output)
        if name in told or name in buffers or layout is None or layout.rows:
            continue
        here = kernel.arrays.get(name)
        if here is None or here.origin == "local":
            buffers[name] = Array(name, summary.expression.type, origin="local")
    others = {
        name
        for name, buffer in buffers.items()
        for here in (kernel.arrays.get(name),)
        if here is not None and (here.type is not buffer.type or here.rank != 1)
    }
    if others:
        kernel = with_new_names(kernel, others)
    missing = {name: b for name, b in buffers.items() if name not in kernel.arrays}
    return replace(kernel, arrays={**kernel.arrays, **missing})
