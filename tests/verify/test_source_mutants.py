"""Of a source in which something was changed, the old summary isn't proved where it is wrong; and
what is proved of the changed source is what g++ makes of it."""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from lifter.parse import parse_file
from tests.build.programs import lift
from tests.end_to_end.corpus_list import CORPUS, listed, sampled
from tests.end_to_end.lifted_corpus import lifted, models, original, parsed
from tests.end_to_end.original import compile_original
from tests.verify.source_mutants import applied, changes, generations
from tests.verify.source_trials import (
    CRASHES,
    TriedSource,
    in_child,
    is_accepted,
    lifted_itself,
    tried_sources,
)

QUICK = ("blend/macros.c",)
"""The files of the default run, of which so many mutants are tried:"""
FEW = 4
MANY = 100
"""Of each file in the long run; all files together have about 7,000."""
FILES = sorted({file for file, _ in listed()})
VECTORS = {
    "sse_blend/a8_masks.cpp": ("a8_from_argb", "a8_unite"),
    "sse_blend/argb32_spans.cpp": ("compDestinationOut_sse2",),
    "sse_blend/avx2_rows.cpp": ("rowLerp15_avx2", "rowTo565_avx2"),
    "sse_blend/deep16.cpp": (
        "deepMultiply", "deepScreen", "deepNormal", "deepDarken", "deepLighten", "one15Multiply",
        "one15FromU16",
    ),
    "sse_blend/float_rgba.cpp": ("fMix", "fOver", "fUnpremultiply"),
    "sse_blend/layer_modes.cpp": (
        "layerAddScaled", "layerDarkenMasked", "layerDifference", "layerGrainMerge",
        "layerLightenMasked",
    ),
    "sse_blend/rgb565.cpp": ("average16bpp", "rgb32_to_565", "rgb565_to_32", "rgb565_to_555"),
    "sse_filter/camcolor.cpp": (
        "CamRgb24ToGray", "CamBgra32ToLuma", "CamSplitRgb24", "CamMergeRgb24", "CamRgb24ToBgra32",
        "CamBgra32ToRgb24",
    ),
    "sse_filter/gradients.cpp": ("SlopeLength",),
    "sse_filter/ip_convolve.cpp": ("ipConvolveRow_32f",),
    "sse_filter/lookups.cpp": ("ps_word10_to_8",),
}  # fmt: skip
"""Kernels of vectors that are proved within seconds."""
MANY_VECTORS = 40


def check(all_tried: list[TriedSource], wanted: int) -> None:
    accepted = [f"{t}\n  {t.difference}" for t in all_tried if t.difference and t.accepted]
    assert not accepted, "\n".join(accepted)
    wrong = [f"{t}\n  lifted: {t.lifted}" for t in all_tried if t.lifted.startswith("wrong")]
    assert not wrong, "\n".join(wrong)
    assert len(all_tried) >= wanted
    assert sum(t.difference is not None for t in all_tried) > wanted // 2
    assert any(t.lifted == "proved" for t in all_tried)


def report(all_tried: list[TriedSource]) -> str:
    counts = Counter((bool(t.difference), t.accepted) for t in all_tried)
    unneeded = [t for t in all_tried if not t.difference and not t.accepted]
    became = Counter(t.lifted.split(":")[0] for t in all_tried if t.lifted)
    return "\n".join(
        [
            f"{len(all_tried)} changed sources: {counts[True, False]} differ and are rejected, "
            f"{counts[False, True]} are equivalent and accepted, "
            f"{counts[False, False]} are rejected without a difference, as",
            *(f"    {t}"[:160] for t in unneeded[:: max(1, len(unneeded) // 5)]),
            f"lifted themselves: {dict(became)}",
        ]
    )


@pytest.mark.parametrize("file", QUICK)
def test_every_changed_source_that_differs_is_rejected(file: str) -> None:
    check(list(tried_sources(file, FEW, 5, 0.3)), FEW)


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_many_changed_sources_of_a_file(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    all_tried = list(tried_sources(file, MANY, 3, 1.0))
    with capsys.disabled():
        print(f"\n{file}: {report(all_tried)}")
    check(all_tried, MANY)


@pytest.mark.slow
def test_changed_vectors_that_differ_are_rejected() -> None:
    check(list(tried_sources("sse_blend/rgb565.cpp", 3, 1, 0.3, ["rgb565_to_555"])), 3)


@pytest.mark.slow
@pytest.mark.parametrize("file", VECTORS)
def test_many_changed_vectors_of_a_file(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    all_tried = list(tried_sources(file, MANY_VECTORS, 2, 1.0, VECTORS[file]))
    with capsys.disabled():
        print(f"\n{file}: {report(all_tried)}")
    check(all_tried, min(MANY_VECTORS, 10 * len(VECTORS[file])))


VERIFIED = (
    ("_mm_or_si128(_mm_subs_epu8(t, b), _mm_subs_epu8(b, t))",
     "_mm_sub_epi8(_mm_max_epu8(t, b), _mm_min_epu8(t, b))", True),
    ("_mm_subs_epu8(b, t)", "_mm_subs_epi8(b, t)", False),
    ("_mm_subs_epu8(t, b), _mm", "_mm_sub_epi8(t, b), _mm", False),
    ("i + 16 <= n", "i + 16 < n", True),
    ("i + 16 <= n", "i + 15 <= n", False),
    ("? top[i] - bot[i]", "? top[i] + bot[i]", False),
    ("_mm_loadu_si128((const __m128i *)(top + i))", "_mm_loadl_epi64((const __m128i *)(top + i))",
     False),
)  # fmt: skip
"""Changes of `layerDifference`, and whether it computes the same."""


@pytest.mark.slow
def test_lift_verify_tells_what_changed_vectors_compute(tmp_path: Path) -> None:
    text = (CORPUS / "sse_blend" / "layer_modes.cpp").read_text("utf-8")
    start = text.index("void layerDifference(")
    end = text.index("// Darken and lighten where")
    source = tmp_path / "layer.cpp"
    head = "#include <smmintrin.h>\n#include <cstdint>\n"
    source.write_text(head + text[start:end])
    made = lift(source.name, "-o", "lifted", "--", "-msse4.1", cwd=tmp_path)
    assert made.status == 0, made.out + made.err
    for old, new, is_same in VERIFIED:
        assert text[start:end].count(old) >= 1, old
        source.write_text(head + text[start:end].replace(old, new, 1))
        done = lift("verify", "lifted", cwd=tmp_path)
        assert done.status in ((0,) if is_same else (1, 3)), f"{new}\n{done.out}{done.err}"


# Negative twins: the judges find what they are for.


@pytest.mark.parametrize("file, name", sampled(listed(), files=3))
def test_of_an_unchanged_source_the_summary_is_accepted(file: str, name: str) -> None:
    subject = lifted(file, name)
    assert is_accepted(subject, subject.kernel, 10.0)


def changed(file: str, old: str, new: str, folder: Path) -> Path:
    text = (CORPUS / file).read_text("utf-8")
    assert text.count(old) == 1
    path = folder / Path(file).name
    path.write_text(text.replace(old, new))
    return path


@pytest.mark.parametrize(
    ("old", "new", "is_right"),
    [
        ("a > b ? a - b : b - a", "b > a ? b - a : a - b", True),
        ("a > b ? a - b : b - a", "a > b ? a - b : a - b", False),
        ("a > b ? a - b : b - a", "a > b ? a - b : b - a + (a == 7 && b == 200)", False),
    ],
)
def test_a_changed_line_is_judged_by_what_it_computes(
    old: str, new: str, is_right: bool, tmp_path: Path
) -> None:
    path = changed("blend/macros.c", old, new, tmp_path)
    (kernel,) = (k for k in parse_file(path).kernels if k.name == "line_diff")
    assert is_accepted(lifted("blend/macros.c", "line_diff"), kernel, 10.0) == is_right


def test_typed_arithmetic_in_a_loop_s_extent_is_judged_too(tmp_path: Path) -> None:
    path = tmp_path / "macros.c"
    text = (CORPUS / "blend/macros.c").read_text("utf-8")
    path.write_text(text.replace("for (n4 = n & 3;", "for (n4 = n | 3;"))
    for name in ("line_copy_unrolled", "line_shade_unrolled"):
        (kernel,) = (k for k in parse_file(path).kernels if k.name == name)
        assert not is_accepted(lifted("blend/macros.c", name), kernel, 1.0)


@pytest.mark.slow
def test_a_changed_function_is_not_taken_for_the_old_one_of_its_name(tmp_path: Path) -> None:
    path = changed("blend/basic.cpp", "(x + 127) / 255", "(x + 126) / 255", tmp_path)
    (kernel,) = (
        k for k in parse_file(path, models=models("blend/basic.cpp")).kernels
        if k.name == "NormalBlend8"
    )  # fmt: skip
    assert not is_accepted(lifted("blend/basic.cpp", "NormalBlend8"), kernel, 10.0)


@pytest.mark.slow
def test_lifted_code_of_another_kernel_is_found_to_be_wrong(tmp_path: Path) -> None:
    file = "blend/macros.c"
    path = changed(file, "a > b ? a - b : b - a", "a > b ? a - b : 1", tmp_path)
    kernels = parse_file(path).kernels
    compiled = partial(compile_original, path, kernels, ())
    (kernel,) = (k for k in kernels if k.name == "line_diff")
    assert lifted_itself(kernel, compiled, tmp_path) == "proved"
    old = partial(original, file)
    assert lifted_itself(kernel, old, tmp_path / "old").startswith("wrong")


@pytest.mark.slow
def test_lifted_code_that_touches_more_is_found_to_be_wrong(tmp_path: Path) -> None:
    text = "void f(unsigned char *d, const unsigned char *s, int n) { for (%s) d[i] = s[i]; }\n"
    (tmp_path / "whole.cpp").write_text(text % "int i = 0; i < n; i++")
    (tmp_path / "short.cpp").write_text(text % "int i = 0; i < n - 1; i++")
    (kernel,) = parse_file(tmp_path / "whole.cpp").kernels
    whole, short = (
        partial(compile_original, tmp_path / f"{name}.cpp", [kernel], ())
        for name in ("whole", "short")
    )
    assert lifted_itself(kernel, whole, tmp_path) == "proved"
    assert lifted_itself(kernel, short, tmp_path / "old") == f"wrong: {CRASHES}"


def test_a_crash_and_a_call_without_an_end_are_told_apart() -> None:
    def crash() -> None:
        import ctypes

        ctypes.string_at(0)

    def loop() -> None:
        while True:
            pass

    assert in_child(crash, 5.0) == "it crashes"
    assert in_child(loop, 0.2) == "it doesn't end"
    assert in_child(lambda: None, 5.0) is None
    assert in_child(lambda: "different", 5.0) == "different"
    assert in_child(lambda: str(1 // 0), 5.0).startswith("the child raised ZeroDivisionError")


def test_changes_keep_lines_and_leave_assertions_and_comments_alone() -> None:
    text = (CORPUS / "blend/basic.cpp").read_text("utf-8")
    for made in list(generations(text, "seed"))[:3]:
        new = applied(text, made)
        assert new.count("\n") == text.count("\n")
        for pattern in (r"//[^\n]*", r"assert\([^\n]*"):
            assert re.findall(pattern, new) == re.findall(pattern, text)


def test_nearly_every_kernel_has_changes_of_its_own() -> None:
    """The others are the name of a macro, or of a function or a template that does the work."""
    kernels, without = 0, []
    for file in FILES:
        text = (CORPUS / file).read_text("utf-8")
        lines = {text.count("\n", 0, c.start) + 1 for c in changes(text)}
        for kernel in parsed(file).kernels:
            kernels += 1
            if not lines & set(range(kernel.span.line, kernel.span.end_line + 1)):
                without.append(kernel.name)
    assert len(without) < kernels / 10, without
