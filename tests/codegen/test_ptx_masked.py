"""Vectors of which a kernel reads some lanes, by constant masks, too."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
from compiler.codegen.ptx import kernels_ptx
from compiler.ir import {type}, I32, LT, Broadcast, Const, Load, Ramp
from compiler.ir.stmts import Store
from tests.codegen.ptx_kernels import dense, memory, row

mask = LT(Ramp(Const(I32, 0), Const(I32, 1), 4), Broadcast(Const(I32, {on}), 4))
value = Load("a", (dense(4),), {type}.with_lanes(4), mask)
store = Store("d", value, dense(4))
kernel = row("k", store, memory("a", {type}, multiple_of=16), memory("d", {type}, True))
text = kernels_ptx([kernel])
assert "ld.global" in text and "st.global" in text
"""


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("on", [2, 3])
@pytest.mark.parametrize("type", ["U8", "I16", "F32"])
def test_a_mask_may_be_constant(type: str, on: int) -> None:
    """In a process of its own: LLVM ended it."""
    script = SCRIPT.format(type=type, on=on)
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
