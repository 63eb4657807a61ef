"""Products go unrounded into sums: only where the target asks, and never within strict_float."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import compiler as hl

PLAIN = "x86-64-linux-avx2-fma"
CONTRACTING = PLAIN + "-contract_floats"
Make = Callable[[Any, Any, Any], Any]


def assembly(make: Make, target: str, folder: Path) -> str:
    x, f = hl.Var("x"), hl.Func("f")
    a, b, c = (hl.ImageParam(hl.Float(32), 1, name) for name in "abc")
    f[x] = make(a[x], b[x], c[x])
    f.vectorize(x, 8)
    f.compile_to_assembly(str(folder / "f.s"), [a, b, c], "f", hl.Target(target))
    return (folder / "f.s").read_text()


@pytest.mark.parametrize(
    "make", [lambda a, b, c: a * b + c, lambda a, b, c: a * b - c, lambda a, b, c: c - a * b]
)
def test_a_target_that_asks_gets_fused_operations(make: Make, tmp_path: Path) -> None:
    text = assembly(make, CONTRACTING, tmp_path)
    assert "vfm" in text or "vfnm" in text
    assert "vmulps" not in text


def test_no_other_target_gets_them(tmp_path: Path) -> None:
    text = assembly(lambda a, b, c: a * b + c, PLAIN, tmp_path)
    assert "vmulps" in text and "vaddps" in text
    assert "vfm" not in text


def test_nothing_else_is_permitted(tmp_path: Path) -> None:
    """Sums keep their order: (a + b) - a is no b."""
    text = assembly(lambda a, b, c: (a + b) - a, CONTRACTING, tmp_path)
    assert "vaddps" in text and "vsubps" in text


def test_strict_float_rounds_whatever_the_target_permits(tmp_path: Path) -> None:
    text = assembly(lambda a, b, c: hl.strict_float(a * b + c), CONTRACTING, tmp_path)
    assert "vmulps" in text and "vfm" not in text


def test_an_expression_may_be_strict_in_one_place_alone(tmp_path: Path) -> None:
    text = assembly(lambda a, b, c: (a * c + b) / hl.strict_float(a * b - c), CONTRACTING, tmp_path)
    assert "vmulps" in text and "vfm" in text


def result(target: str) -> float:
    x, f = hl.Var("x"), hl.Func("f")
    a = hl.ImageParam(hl.Float(32), 1, "a")
    f[x] = a[x] * a[x] - hl.f32(1 + 2**-11)
    a.set(hl.Buffer(np.full(8, 1 + 2**-12, np.float32)))
    return float(np.asarray(f.realize([8], hl.Target(target)))[0])


@pytest.mark.skipif("fma" not in str(hl.get_host_target()), reason="no fused multiply-add here")
def test_in_process_the_lost_bits_tell() -> None:
    assert result("host") == result("host-strict_float") == 0
    assert result("host-contract_floats") == 2.0**-24


@pytest.mark.skipif("fma" not in str(hl.get_host_target()), reason="no fused multiply-add here")
def test_the_environment_may_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HL_JIT_TARGET", "host-contract_floats")
    x, f = hl.Var("x"), hl.Func("f")
    p = hl.Param(hl.Float(32), "p", 1 + 2**-12)
    f[x] = p * p - hl.f32(1 + 2**-11)
    assert np.asarray(f.realize([8]))[0] == 2.0**-24
