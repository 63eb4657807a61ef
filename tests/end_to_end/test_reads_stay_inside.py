"""A lifted kernel touches no memory beyond the boxes of `summary.json`, not even to read it.

Every array ends (or begins) right at a page that nobody may touch, so a vector that reaches one
element too far ends the process. The calls therefore run in a child, which says what it calls.
"""

from __future__ import annotations

import ctypes
import shutil
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from compiler.ir import dtype_of
from lifter.bench.memory import extent_of
from lifter.bench.scalars import NoArguments, choose_scalars
from lifter.emit.interface import Interface, Parameter, load_interface
from tests.end_to_end.built_corpus import built, emitted, lifted_function
from tests.end_to_end.corpus_list import listed, sampled
from tests.end_to_end.original import _ctype
from tests.fenced import Fenced, in_child

SIZES = ((1, 1), (7, 3), (33, 5), (67, 4), (131, 18))


def call_fenced(
    interface: Interface, function: Any, width: int, height: int, *, at_end: bool, short: int = 0
) -> None:
    """One call; `short` elements are missing at the fence of the first array."""
    values = choose_scalars(interface, width, height, padding=3, seed=width)
    keep: list[Any] = []
    passed: list[Any] = []
    for parameter in interface.params:
        if parameter.kind == "scalar":
            passed.append(_ctype(parameter.type)(values[parameter.name]))
            continue
        passed.append(ctypes.c_void_p(_pointer(interface, parameter, values, at_end, short, keep)))
        short = 0
        if parameter.kind == "vector":
            passed.append(ctypes.c_int64(int(values[f"{parameter.name}.size"])))
    function.restype = None
    function(*passed)


def _pointer(
    interface: Interface,
    parameter: Parameter,
    values: dict[str, Any],
    at_end: bool,
    short: int,
    keep: list[Any],
) -> int:
    extent = extent_of(interface, parameter, values)
    dtype = dtype_of(parameter.type)
    count = max(extent.high - extent.low + 1 - short, 0)
    pixels = np.random.default_rng(5).integers(0, 60, count * dtype.itemsize, np.uint8)
    fenced = Fenced(pixels.view(dtype), at_end=at_end)
    first = extent.low if at_end else extent.low + short
    address = fenced.address - first * dtype.itemsize
    keep.append(fenced)
    if parameter.kind != "rows":
        return address
    count = max(extent.last_row - extent.first_row + 1, 1)
    rows = [
        address + (extent.first_row + i) * extent.row_stride * dtype.itemsize for i in range(count)
    ]
    table = (ctypes.c_void_p * count)(*rows)
    keep.append(table)
    return ctypes.addressof(table) - extent.first_row * ctypes.sizeof(ctypes.c_void_p)


def fresh(file: str, name: str, folder: Path) -> Any:
    """The lifted function in a library of its own, whose threads no fork has taken away."""
    made = built(file, name).shared
    assert made is not None
    library = ctypes.CDLL(str(shutil.copy(made, folder)))
    return library[lifted_function(file, name).__name__]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("file, name", sampled(listed()))
def test_nothing_beyond_the_arrays_is_touched(file: str, name: str, tmp_path: Path) -> None:
    interface = load_interface(emitted(file, name))
    function = fresh(file, name, tmp_path)

    def work() -> None:
        for width, height in SIZES:
            for at_end in (True, False):
                try:
                    call_fenced(interface, function, width, height, at_end=at_end)
                except NoArguments:
                    continue

    assert in_child(work) == 0


@pytest.mark.parametrize("at_end", [True, False])
def test_one_missing_element_ends_the_child(at_end: bool, tmp_path: Path) -> None:
    interface = load_interface(emitted("blend/basic.cpp", "MultiplyBlend8"))
    function = fresh("blend/basic.cpp", "MultiplyBlend8", tmp_path)

    def work() -> None:
        call_fenced(interface, function, 67, 4, at_end=at_end, short=1)

    assert in_child(work) == signal.SIGSEGV
