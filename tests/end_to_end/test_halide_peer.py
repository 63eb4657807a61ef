"""Every emitted `pipeline.py` under the real Halide package leaves what our own build leaves."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest

from lifter.bench.measure import _CTYPES
from lifter.build.build import build_function
from lifter.emit import emit
from tests.emit import samples

from .halide_peer import HalidePeer


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("sample", samples.SAMPLES, ids=lambda s: s.__name__)
def test_halide_and_our_compiler_agree(sample, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    result = sample()
    emit(result, tmp_path / "out")
    built = build_function(tmp_path / "out")
    assert built.shared is not None
    library = ctypes.CDLL(str(built.shared))
    peer = HalidePeer(tmp_path / "out", monkeypatch)
    flat = "_flat" if sample is samples.brighten else ""
    function = library[f"{result.name}_lifted{flat}"]
    function.restype = None
    for seed, (width, height) in enumerate([(1, 1), (5, 3), (33, 7), (70, 2)]):
        values, theirs = peer.contents(width, height, "random", seed)
        _, ours = peer.contents(width, height, "random", seed)
        arguments: list[object] = []
        for parameter in peer.interface.params:
            if parameter.kind == "scalar":
                arguments.append(_CTYPES[str(parameter.type)](values[parameter.name]))
                continue
            arguments.append(ctypes.c_void_p(ours[parameter.name].argument))
            if parameter.kind == "vector":
                arguments.append(ctypes.c_int64(ours[parameter.name].extent.high + 1))
        function(*arguments)
        peer.run(values, theirs)
        for name, memory in ours.items():
            assert np.array_equal(memory.values, theirs[name].values, equal_nan=False), name
