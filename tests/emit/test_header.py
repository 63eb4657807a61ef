"""The C header: compiled as C and C++ without a warning, and its guard taken at its word."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lifter.build.build import build_function
from lifter.emit import emit
from lifter.emit.header import header_text
from lifter.emit.interface import load_interface
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from lifter.parse import parse_file

from . import samples

SOURCE = Path(__file__).with_name("sample.cpp")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def header_of(result: FunctionResult, folder: Path) -> str:
    emit(result, folder)
    return header_text(load_interface(folder))


def compile_text(language: str, text: str, *flags: str) -> None:
    command = ["gcc" if language == "c" else "g++", "-x", language, *WARNINGS, *flags,
               "-fsyntax-only", "-"]  # fmt: skip
    subprocess.run(command, input=text, text=True, check=True, capture_output=True)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("sample", samples.SAMPLES, ids=lambda s: s.__name__)
def test_headers_compile_without_warnings(sample, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    text = header_of(sample(), tmp_path / "out")
    compile_text("c++", text + text, "-std=c++11")
    if sample is not samples.brighten:
        compile_text("c", text + text, "-std=c99")


def test_an_array_of_one_element_has_points(tmp_path: Path) -> None:
    source = tmp_path / "first.cpp"
    source.write_text(
        "void first(unsigned char *d, int n) {"
        " for (int i = 0; i < n; i++) { unsigned char v = d[i]; v++; } d[0] = 1; }"
    )
    (kernel,) = parse_file(source).kernels
    text = header_of(lift_kernel(kernel, LiftOptions()), tmp_path / "out")
    assert "if (!d && ((1)))" in text
    compile_text("c++", text, "-std=c++11")


def test_the_entry_has_the_parameters_of_the_original(tmp_path: Path) -> None:
    text = header_of(samples.multiply(), tmp_path / "out")
    assert (
        "void MultiplyBlend8_lifted(uint8_t *dst, const uint8_t *src, int rows, int cols, "
        "int rowBytes);" in text
    )


def test_vectors_stay_cpp_over_a_flat_entry(tmp_path: Path) -> None:
    text = header_of(samples.brighten(), tmp_path / "out")
    assert (
        "void brighten_lifted_flat(uint8_t *dst, int64_t dst_size, const uint8_t *src, "
        "int64_t src_size, int brightness);" in text
    )
    assert (
        "inline void brighten_lifted(std::vector<uint8_t> &dst, "
        "const std::vector<uint8_t> &src, int brightness)" in text
    )


def test_a_name_of_the_sources_own_becomes_a_standard_one(tmp_path: Path) -> None:
    from dataclasses import replace

    result = samples.multiply()
    assert result.kernel is not None
    first, *rest = result.kernel.params
    kernel = replace(result.kernel, params=(replace(first, spelling="Byte *"), *rest))
    text = header_of(replace(result, kernel=kernel), tmp_path / "out")
    assert "MultiplyBlend8_lifted(uint8_t *dst" in text


def run_guarded(sample: FunctionResult, main: str, tmp_path: Path) -> str:
    """What a program prints that calls the guarded entry, the original printing when it runs."""
    folder = tmp_path / "out"
    emit(sample, folder)
    built = build_function(folder)
    program = tmp_path / "main.cpp"
    program.write_text(f'#include <cstdio>\n#include "{built.header}"\n{main}')
    command = ["g++", "-std=c++17", *WARNINGS, str(program), str(built.archive), "-lpthread", "-lm",
               "-o", str(tmp_path / "main")]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, text=True)
    done = subprocess.run([tmp_path / "main"], check=True, capture_output=True, text=True)
    return done.stdout


def test_the_guard_calls_the_original_where_a_precondition_fails(tmp_path: Path) -> None:
    main = """
    void MultiplyBlend8(uint8_t *, const uint8_t *, int, int, int) { printf("original\\n"); }
    static uint8_t memory[1000];
    int main() {
        uint8_t *d = memory + 100, *s = memory + 500;
        for (int i = 0; i < 1000; i++) memory[i] = 200;
        MultiplyBlend8_guarded(d, s, 2, 10, 16);
        printf("%d %d %d %d\\n", d[0], d[9], d[10], d[16]);   // cols <= rowBytes: lifted
        MultiplyBlend8_guarded(d, s, 2, 10, 9);               // cols > rowBytes
        MultiplyBlend8_guarded(d, d + 5, 2, 10, 16);          // overlap in a row
        MultiplyBlend8_guarded(d, d + 25, 2, 10, 16);         // the last row ends behind src
        MultiplyBlend8_guarded(d, d + 26, 2, 10, 16);         // it ends just before src: lifted
        MultiplyBlend8_guarded(d, d + 10, 1, 10, 16);         // one row, just beside: lifted
        MultiplyBlend8_guarded(d, d, 0, 10, 16);              // nothing to do: lifted
        MultiplyBlend8_guarded(d, d, 5, 0, 16);               // nothing to do: lifted
        MultiplyBlend8_guarded(0, 0, -1, -1, 16);             // nothing to do: lifted
        printf("end\\n");
    }
    """
    assert run_guarded(samples.multiply(), main, tmp_path).split("\n") == [
        "157 157 200 157", "original", "original", "original", "end", "",
    ]  # fmt: skip


def test_the_guard_reads_row_tables(tmp_path: Path) -> None:
    main = """
    void FlipHorizontal(uint8_t **, uint8_t **, int, int) { printf("original\\n"); }
    static uint8_t a[100], b[100];
    int main() {
        for (int i = 0; i < 100; i++) b[i] = (uint8_t)i;
        uint8_t *d[3] = {a, a + 20, a + 40}, *s[3] = {b, b + 30, b + 60};
        FlipHorizontal_guarded(d, s, 3, 10);
        printf("%d %d %d %d\\n", a[0], a[9], a[10], a[49]);
        uint8_t *down[3] = {b + 60, b + 30, b};               // rows stored bottom up: even too
        FlipHorizontal_guarded(d, down, 3, 10);
        printf("%d %d\\n", a[0], a[49]);
        uint8_t *odd[3] = {b, b + 30, b + 59};
        FlipHorizontal_guarded(d, odd, 3, 10);                // uneven
        FlipHorizontal_guarded(d, odd, 2, 10);                // the uneven row isn't used: lifted
        FlipHorizontal_guarded(d, d, 3, 10);                  // overlap
        FlipHorizontal_guarded(0, 0, 0, 10);                  // no row: not even the table is read
        printf("end\\n");
    }
    """
    out = run_guarded(samples.flip(), main, tmp_path).split("\n")
    assert out[:2] == ["9 0 0 60", "69 0"]
    # Without a row there is no row stride that could satisfy `cols <= dst.row_stride`.
    assert out[2:] == ["original", "original", "original", "end", ""]


@pytest.mark.slow
def test_the_guard_takes_vectors(tmp_path: Path) -> None:
    main = """
    void brighten(std::vector<uint8_t> &, const std::vector<uint8_t> &, int)
    { printf("original\\n"); }
    int main() {
        std::vector<uint8_t> d(5), s{1, 2, 250}, longer(6), none;
        brighten_guarded(d, s, 10);
        printf("%d %d %d %d\\n", d[0], d[1], d[2], d[3]);
        brighten_guarded(d, longer, 10);                      // src.size() > dst.size()
        brighten_guarded(none, none, 10);
        printf("end\\n");
    }
    """
    assert run_guarded(samples.brighten(), main, tmp_path).split("\n") == [
        "11 12 255 0", "original", "end", "",
    ]  # fmt: skip
