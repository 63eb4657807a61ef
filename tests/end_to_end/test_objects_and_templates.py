"""The guarded entry of a kernel over objects takes the objects; the lifted one their fields."""

from __future__ import annotations

import subprocess
from pathlib import Path

from lifter.build.build import build_function
from lifter.emit.emit import emit
from lifter.lift.lift_function import LiftOptions, lift_kernel
from tests.end_to_end.built_corpus import built
from tests.end_to_end.corpus_list import CORPUS
from tests.parse.parsing import parse

FILE = "blend/image_classes.cpp"
MAIN = """
#include "{source}"
#define LIFT_WITH_ORIGINAL
#include "{header}"
#include <cstdio>

int main()
{{
    uint8_t a[8] = {{10, 20, 30, 40, 50, 60, 70, 80}}, b[8] = {{255, 128, 0, 255, 128, 0, 1, 2}};
    ImageView dst = {{a, 3, 2, 4}}, src = {{b, 3, 2, 4}};
    view_multiply_guarded(&dst, &src);
    src.data = a + 1;  // the images overlap: the original's turn
    view_multiply_guarded(&dst, &src);
    for (int v : a)
        std::printf("%d ", v);
    dst.data = a;
}}
"""


def test_the_guarded_entry_takes_the_original_s_own_parameters(tmp_path: Path) -> None:
    """It calls the lifted code on the first call, the original on the second, as g++ would."""
    made = built(FILE, "view_multiply")
    source = CORPUS / FILE
    (tmp_path / "main.cpp").write_text(
        MAIN.format(source=source, header=made.folder / "view_multiply.h")
    )
    library = made.folder / "libview_multiply.a"
    command = ["g++", "-std=c++17", "-w", str(tmp_path / "main.cpp"), str(library)]
    subprocess.run([*command, "-lpthread", "-ldl", "-o", str(tmp_path / "a.out")], check=True)
    done = subprocess.run([str(tmp_path / "a.out")], capture_output=True, text=True, check=True)
    values = [10, 20, 30, 40, 50, 60, 70, 80]
    factors = [255, 128, 0, 255, 128, 0, 1, 2]
    for y in range(2):
        for x in range(3):
            i = 4 * y + x
            values[i] = values[i] * factors[i] // 255
    for y in range(2):
        for x in range(3):
            i = 4 * y + x
            values[i] = values[i] * values[i + 1] // 255
    assert done.stdout.split() == [str(v) for v in values]


def test_a_field_named_like_a_parameter_gets_another_name(tmp_path: Path) -> None:
    text = """
        #include <stdint.h>
        struct V { uint8_t *data; int n; };
        void f(V img, int img_n) { for (int i = 0; i < img.n; i++) img.data[i] = img_n; }"""
    result = lift_kernel(parse(text).kernels[0], LiftOptions())
    assert result.status == "proved"
    emit(result, tmp_path / "f")
    made = build_function(tmp_path / "f")
    header = (made.folder / "f.h").read_text()
    assert "void f_lifted(uint8_t *img_data, int img_n_1, int img_n);" in header
