"""The emitted Python: what a person reads, and what the real Halide computes from it."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

from lifter.emit import emitted_texts
from lifter.model.lifted import FunctionResult

from . import samples
from .running import Array, realize

SEED = 20
ROWS, COLS = 5, 19


def program(result: FunctionResult) -> str:
    return emitted_texts(result)["pipeline.py"]


def body(result: FunctionResult) -> str:
    """The definitions: the lines of the kernel's function from the first Func on."""
    text = program(result)
    function = text[text.index(f"def {result.name}()") :]
    lines = textwrap.dedent(function.split("\n", 1)[1]).splitlines()
    return "\n".join(lines[lines.index("") + 1 :]).strip()


def image(*shape: int, dtype: str = "uint8") -> Array:
    rng = np.random.default_rng(SEED)
    if dtype == "float32":
        return rng.normal(size=shape).astype(np.float32)
    return rng.integers(0, np.iinfo(dtype).max, shape, dtype, endpoint=True)


def other(*shape: int) -> Array:
    return image(*shape)[::-1].copy()


def test_a_whole_module_reads_like_a_hand_written_program() -> None:
    assert program(samples.multiply()) == textwrap.dedent('''\
        """MultiplyBlend8, lifted from sample.cpp.

        Replaces dst for 0 <= x < cols, 0 <= y < rows.
        Requires cols <= rowBytes; dst and src do not overlap.
        """

        from lifter import hl


        def Mul8x8Div255(a, b):
            t = hl.u32(a) * b + 128
            return hl.u8((t + (t >> 8)) >> 8)


        def MultiplyBlend8():
            x, y = hl.vars("x y")
            dst = hl.ImageParam(hl.UInt(8), 2, "dst")
            src = hl.ImageParam(hl.UInt(8), 2, "src")

            dst_out = hl.Func("dst_out")
            dst_out[x, y] = Mul8x8Div255(dst[x, y], src[x, y])

            return [dst, src], [dst_out]
        ''')


@pytest.mark.parametrize(
    ("sample", "definition"),
    [
        (
            samples.opacity,
            "dst_out[x, y] = hl.u8((dst[x, y] * (256 - opacity) + src[x, y] * opacity) >> 8)",
        ),
        (samples.remap, "dst[x, y] = table[src[x, y]]"),
        (
            samples.box3,
            "dst[x, y] = hl.u8((hl.i32(src[x - 1, y]) + src[x, y] + src[x + 1, y]) / 3)",
        ),
        (
            samples.threshold,
            "plane_out[x, y] = hl.select(plane[x, y] >= level, 255, plane[x, y])",
        ),
        (samples.gamma, "out[x, y] = hl.select(t > 0.0, hl.sqrt(t), hl.f32(0.1))"),
        (samples.histogram, "hist[src[r.x, r.y]] += 1"),
        (samples.box_sum, "sums[x, y] = hl.sum(r, hl.i32(src[x + r.x, y + r.y]))"),
        (
            samples.constant_table,
            "dst_out[x, y] = hl.u8(hl.clamp(src[x, y] + kGain[dst[x, y]], 0, 255))",
        ),
    ],
)
def test_one_line_a_stage_without_idle_casts(sample, definition) -> None:  # type: ignore[no-untyped-def]
    assert definition in body(sample()).splitlines()


def test_interleaved_images_say_their_strides() -> None:
    text = program(samples.interleaved())
    assert "dst.dim(0).set_bounds(0, 4)\n    dst.dim(1).set_stride(4)\n" in text
    assert "dst_out.output_buffer().dim(1).set_stride(4)" in text


def test_planar_images_say_nothing_about_strides() -> None:
    assert "set_" not in program(samples.multiply())


def test_a_name_that_python_reserves_gets_an_underscore() -> None:
    assert 'in_ = hl.ImageParam(hl.Float(32), 2, "in_")' in program(samples.gamma())


def test_branches_around_loops_become_one_choice() -> None:
    assert body(samples.modes()).splitlines()[1:6] == [
        "dst_out[x, y] = hl.select(",
        "    mode == 3, hl.min(dst[x, y], src[x, y]),",
        "    mode == 5, hl.absd(dst[x, y], src[x, y]),",
        "    dst[x, y],",
        ")",
    ]


# The same programs under the real package, against numpy.


def test_halide_multiplies(monkeypatch: pytest.MonkeyPatch) -> None:
    d, s = image(ROWS, COLS), other(ROWS, COLS)
    got = realize(monkeypatch, program(samples.multiply()), "MultiplyBlend8",
                  {"dst": d, "src": s}, d.shape)  # fmt: skip
    t = d.astype(np.uint32) * s + 128
    assert np.array_equal(got, (t + (t >> 8)) >> 8)


def test_halide_mixes_by_a_scalar(monkeypatch: pytest.MonkeyPatch) -> None:
    d, s = image(ROWS, COLS), other(ROWS, COLS)
    got = realize(monkeypatch, program(samples.opacity()), "normal_opacity_u8",
                  {"dst": d, "src": s, "opacity": 77}, d.shape)  # fmt: skip
    assert np.array_equal(got, (d.astype(int) * (256 - 77) + s.astype(int) * 77) >> 8)


def test_halide_looks_up(monkeypatch: pytest.MonkeyPatch) -> None:
    s, table = image(ROWS, COLS), image(256)
    got = realize(monkeypatch, program(samples.remap()), "RemapPlane",
                  {"src": s, "table": table}, s.shape)  # fmt: skip
    assert np.array_equal(got, table[s])


def test_halide_blurs_in_one_and_in_two_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    s = image(ROWS, COLS + 2)
    wide = s.astype(int)
    rows = (wide[:, :-2] + wide[:, 1:-1] + wide[:, 2:]) // 3
    got = realize(monkeypatch, program(samples.box3()), "BoxBlurRow3",
                  {"src": s}, (ROWS, COLS), {"src": (-1, 0)})  # fmt: skip
    assert np.array_equal(got, rows)
    got = realize(monkeypatch, program(samples.two_stages()), "blur_padded",
                  {"src": s}, (ROWS - 2, COLS), {"src": (-1, 0)}, at=(0, 1))  # fmt: skip
    assert np.array_equal(got, (rows[:-2] + rows[1:-1] + rows[2:]) // 3)


def test_halide_keeps_alpha(monkeypatch: pytest.MonkeyPatch) -> None:
    d, s = image(ROWS, COLS, 4), other(ROWS, COLS, 4)
    got = realize(monkeypatch, program(samples.interleaved()), "multiply_rgba",
                  {"dst": d, "src": s}, d.shape)  # fmt: skip
    want = d.astype(int) * s // 255
    want[..., 3] = d[..., 3]
    assert np.array_equal(got, want)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("level", [-1, 0, 100, 255, 256])
def test_halide_thresholds(monkeypatch: pytest.MonkeyPatch, level: int) -> None:
    p = image(ROWS, COLS)
    got = realize(monkeypatch, program(samples.threshold()), "ThresholdKeep",
                  {"plane": p, "level": level}, p.shape)  # fmt: skip
    assert np.array_equal(got, np.where(p.astype(int) >= level, 255, p))


def test_halide_takes_square_roots(monkeypatch: pytest.MonkeyPatch) -> None:
    v = image(ROWS, COLS, dtype="float32")
    got = realize(monkeypatch, program(samples.gamma()), "gamma_encode",
                  {"in_": v, "exposure": 1.5}, v.shape)  # fmt: skip
    with np.errstate(invalid="ignore"):
        t = v * np.float32(1.5)
        want = np.where(t > 0, np.sqrt(t), np.float32(0.1))
    assert np.array_equal(got, want)


def test_halide_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    s = image(ROWS, COLS)
    got = realize(monkeypatch, program(samples.histogram()), "Histogram8",
                  {"src": s, "rows": ROWS, "cols": COLS}, (256,))  # fmt: skip
    assert np.array_equal(got, np.bincount(s.ravel(), minlength=256))


@pytest.mark.parametrize("radius", [0, 1, 3])
def test_halide_sums_windows(monkeypatch: pytest.MonkeyPatch, radius: int) -> None:
    s = image(ROWS + 2 * radius, COLS + 2 * radius)
    got = realize(monkeypatch, program(samples.box_sum()), "box_sum",
                  {"src": s, "radius": radius}, (ROWS, COLS),
                  {"src": (-radius, -radius)})  # fmt: skip
    size = 2 * radius + 1
    windows = np.lib.stride_tricks.sliding_window_view(s.astype(int), (size, size))
    assert np.array_equal(got, windows.sum((2, 3)))


def test_halide_reads_a_constant_table(monkeypatch: pytest.MonkeyPatch) -> None:
    d, s = image(ROWS, COLS), other(ROWS, COLS)
    got = realize(monkeypatch, program(samples.constant_table()), "apply_gain",
                  {"dst": d, "src": s}, d.shape)  # fmt: skip
    assert np.array_equal(got, np.clip(s.astype(int) + d.astype(int) - 128, 0, 255))


@pytest.mark.parametrize("mode", [0, 3, 5])
def test_halide_takes_one_branch(monkeypatch: pytest.MonkeyPatch, mode: int) -> None:
    d, s = image(ROWS, COLS), other(ROWS, COLS)
    got = realize(monkeypatch, program(samples.modes()), "blend_mode",
                  {"dst": d, "src": s, "mode": mode}, d.shape)  # fmt: skip
    want = {0: d, 3: np.minimum(d, s), 5: np.abs(d.astype(int) - s)}[mode]
    assert np.array_equal(got, want)


def test_halide_hashes_in_unsigned_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    d, s = image(ROWS, COLS), other(ROWS, COLS)
    got = realize(monkeypatch, program(samples.dissolve()), "DissolveBlend8",
                  {"dst": d, "src": s, "opacity": 500}, d.shape)  # fmt: skip
    y, x = np.mgrid[:ROWS, :COLS]
    h = (y * 73 + x * 0x9E3779B1) % 2**32 & 1023
    assert np.array_equal(got, np.where(h >= 500, d, s))
