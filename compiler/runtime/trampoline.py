"""The short way from Python into machine code, for arguments that were passed before.

A call costs about as much as the checks that Python makes for it, so there is one function for each
list of parameters, written out without loops: it takes the C records that the Buffers keep, makes
sure that they are of the right kind, and calls. Whatever is not as it expects goes the long way.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from ..codegen.buffers import expected_dtype
from ..codegen.failures import RECORD_BYTES
from ..ir import Type
from ..ir.stmts import Argument

Outcome = tuple[int, Any, int]
"""The status, the record of the failure, and its address."""
Maker = Callable[[Callable[..., int], Callable[..., Outcome]], Callable[[Sequence[Any]], Outcome]]


def failure_record() -> tuple[Any, int]:
    """A new, empty record for a failure's message, and its address."""
    record = ctypes.create_string_buffer(RECORD_BYTES)
    return record, ctypes.addressof(record)


def trampoline(args: Sequence[Argument]) -> Maker:
    """What makes, of a ctypes function and of the long way, a function of the list of values."""
    return _maker(tuple((a.type, a.dimensions, a.is_output) for a in args))


@lru_cache(maxsize=256)
def _maker(shape: tuple[tuple[Type, int | None, bool], ...]) -> Maker:
    tests: list[str] = []
    passed: list[str] = []
    known: dict[str, Any] = {"new": failure_record}
    body: list[str] = []
    for i, (type, dimensions, is_output) in enumerate(shape):
        if dimensions is not None:
            known[f"k{i}"] = (expected_dtype(Argument("", type, dimensions)), dimensions)
            body.append(f"r{i} = v{i}.ready")
            tests.append(f"r{i}.kind == k{i}")
            if is_output:
                tests.append(f"r{i}.array.flags.writeable")
            passed.append(f"r{i}.address")
        elif type.is_integer:
            low, high = int(type.min), int(type.max)
            tests.append(f"v{i}.__class__ is int and {low} <= v{i} <= {high}")
            passed.append(f"v{i}")
        else:
            tests.append(f"v{i}.__class__ is float")
            passed.append(f"v{i}")
    names = "".join(f"v{i}, " for i in range(len(shape)))
    unpack = [f"{names}= values"] if shape else []
    lines = [
        "def make(function, long_way):",
        "    records = []",
        "    def call(values):",
        *(f"        {line}" for line in unpack),
        "        try:",
        *(f"            {line}" for line in body),
        f"            fine = {' and '.join(tests) or 'True'}",
        "        except AttributeError:",
        "            fine = False",
        "        if not fine:",
        "            return long_way(values)",
        # Threads that run at once have records of their own; one with a message is not reused.
        "        try:",
        "            record = records.pop()",
        "        except IndexError:",
        "            record = new()",
        f"        status = function(record[1], {', '.join(passed)})",
        "        if not status:",
        "            records.append(record)",
        "        return status, *record",
        "    return call",
    ]
    exec("\n".join(lines), known)
    made: Maker = known["make"]
    return made
