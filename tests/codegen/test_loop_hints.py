"""Which loops LLVM may still make vectors of, where the schedule has none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import compiler as hl

from .assembly import instructions


def of_scheduled(make: Callable[[Any, Any, Any], Any], factor: int, folder: Path) -> set[str]:
    """The instructions of f[x] = make(a, b, x), unrolled `factor` times."""
    x, f = hl.Var("x"), hl.Func("f")
    a, b = hl.ImageParam(hl.UInt(8), 1, "a"), hl.ImageParam(hl.UInt(8), 1, "b")
    f[x] = make(a, b, x)
    f.unroll(x, factor) if factor > 1 else f.compute_root()
    path = folder / "f.s"
    f.compile_to_assembly(str(path), [a, b], "f", hl.Target("x86-64-linux-avx2-avx512_skylake"))
    return instructions(path.read_text())


def is_vector(names: set[str]) -> bool:
    return any(name.startswith(("vpinsrb", "vpextr", "vpadd", "vpgather")) for name in names)


def test_look_ups_stay_scalar(tmp_path: Path) -> None:
    """Lane by lane out of a vector and into another is twice the work."""
    for factor in (1, 8):
        names = of_scheduled(lambda a, b, x: a[hl.i32(b[x])] - b[x], factor, tmp_path)
        assert not is_vector(names), names


def test_what_the_schedule_unrolled_stays_so(tmp_path: Path) -> None:
    assert not is_vector(of_scheduled(lambda a, b, x: a[x] + b[x], 8, tmp_path))


def test_common_loops_of_two_stages_become_vectors(tmp_path: Path) -> None:
    a, r = hl.ImageParam(hl.UInt(8), 1, "a"), hl.RDom([(0, 1000)], "r")
    low, high, f = hl.Func("low"), hl.Func("high"), hl.Func("f")
    low[()], high[()] = hl.u8(255), hl.u8(0)
    low[()] = hl.min(low[()], a[r])
    high[()] = hl.max(high[()], a[r])
    f[()] = low[()] + high[()]
    low.compute_root()
    high.compute_root()
    high.update().compute_with(low.update(), r)
    path = tmp_path / "f.s"
    f.compile_to_assembly(str(path), [a], "f", hl.Target("x86-64-linux-avx2-avx512_skylake"))
    assert {"vpminub", "vpmaxub"} <= instructions(path.read_text())


def test_other_scalar_loops_become_vectors(tmp_path: Path) -> None:
    assert is_vector(of_scheduled(lambda a, b, x: a[x] + b[x], 1, tmp_path))
