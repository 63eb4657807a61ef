"""Generators for GPUs: the command line writes host code and PTX, and what it wrote runs."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from .emulated_driver import emulated_driver
from .native_runtime import record_of

SCRIPT = """
import halide as hl

x, y, xi, yi = hl.vars("x y xi yi")

@hl.generator(name="soften")
class Soften:
    image = hl.InputBuffer(hl.UInt(8), 2)
    more = hl.InputScalar(hl.UInt(8))
    soft = hl.OutputBuffer(hl.UInt(8), 2)

    def generate(self):
        inside = hl.BoundaryConditions.repeat_edge(self.image)
        rows = hl.Func("rows")
        rows[x, y] = hl.u16(inside[x - 1, y]) + inside[x, y] + inside[x + 1, y]
        self.soft[x, y] = hl.u8((rows[x, y - 1] + rows[x, y] + rows[x, y + 1]) / 9) + self.more
        if self.target().has_gpu_feature():
            self.soft.gpu_tile(x, y, xi, yi, 16, 8)
            rows.compute_at(self.soft, x).gpu_threads(x, y)

if __name__ == "__main__":
    hl.main()
"""

USER = """
#include "soften.h"
int soft(struct halide_buffer_t *from, struct halide_buffer_t *to, void *stream);
int soft(struct halide_buffer_t *from, struct halide_buffer_t *to, void *stream)
{
    const struct halide_device_interface_t *cuda = lift_cuda_device_interface();
    int status = lift_cuda_set_stream(stream);
    if (!status) status = soften(from, 3, to);
    if (!status) status = cuda->copy_to_host(0, to);
    return status ? status : cuda->device_free(0, to);
}
"""


def generated(folder: Path, kinds: str, target: str) -> subprocess.CompletedProcess[str]:
    script = folder / "soften.py"
    script.write_text(SCRIPT)
    command = [sys.executable, "-m", "compiler.as_halide", str(script), "-g", "soften"]
    command += ["-o", str(folder), "-e", kinds, f"target={target}"]
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)


def softened(image: np.ndarray, more: int) -> np.ndarray:
    height, width = image.shape
    wide = np.pad(image, 1, "edge").astype(np.uint16)
    total = sum(wide[y : y + height, x : x + width] for y in range(3) for x in range(3))
    return (total // 9 + more).astype(np.uint8)


@pytest.mark.slow
def test_a_generator_writes_kernels_and_what_launches_them(tmp_path: Path) -> None:
    made = generated(tmp_path, "o,h,device_code", "host-cuda-cuda_capability_80")
    assert made.returncode == 0, made.stderr
    ptx = (tmp_path / "soften.device_code").read_text()
    assert ".target sm_80" in ptx and "bar.sync" in ptx
    (tmp_path / "user.c").write_text(USER)
    for compiler in ("gcc", "g++"):
        command = [compiler, "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "user.c"]
        subprocess.run(command, check=True, cwd=tmp_path)
    library = tmp_path / "soften.so"
    libraries = ("-ldl", "-lpthread", "-lm")
    command = ["gcc", "-shared", str(tmp_path / "soften.o"), "-o", str(library), *libraries]
    subprocess.run(command, check=True)
    image = np.random.default_rng(4).integers(0, 256, (23, 41), dtype=np.uint8)
    left = np.zeros_like(image)
    with emulated_driver(fresh=True) as driver:
        loaded = ctypes.CDLL(str(library))
        given, wanted = record_of(image.T), record_of(left.T)
        assert loaded.soften(ctypes.byref(given), 7, ctypes.byref(wanted)) == 0
        assert wanted.flags == 2 and not left.any()
        interface = loaded.lift_cuda_device_interface
        interface.restype = ctypes.POINTER(ctypes.c_void_p)
        to_host = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(interface()[4])
        assert to_host(None, ctypes.addressof(wanted)) == 0
        assert "cuLaunchKernel" in {call.name for call in driver.calls()}
    assert np.array_equal(left, softened(image, 7))


@pytest.mark.slow
def test_there_is_no_device_code_for_a_processor(tmp_path: Path) -> None:
    made = generated(tmp_path, "device_code", "host")
    assert made.returncode == 1 and "the target has no GPU" in made.stderr
