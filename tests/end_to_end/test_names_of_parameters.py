"""What parameters are called says nothing: kernels are lifted to the same under any names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import clang.cindex as ci
import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from lifter.parse import parse_file
from tests.parse.parsing import kernel
from tests.verify.differential import difference

LOOPS = "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) "
BY_COLUMNS = "for (int x = 0; x < w; x++) for (int y = 0; y < h; y++) "
SIZES = "int w, int h, int pitch, int size"
PIXELS = {
    "one channel": "d[y * pitch + x * size] = 255 - s[y * pitch + x * size];",
    "three channels": "for (int c = 0; c < 3; c++) d[y * pitch + x * size + c] /= 2;",
}
BEFORE = "d[y * pitch + (x + 1) * size] = d[y * pitch + x * size] / 2;"
APART = "size >= 1 && size * w <= pitch || pitch >= 1 && h * pitch <= size"


def namings(names: Sequence[str]) -> Iterator[dict[str, str]]:
    """Other names for some: such as come in the same order, and in the opposite one."""
    order = sorted(names)
    for places in (order, order[::-1]):
        yield {name: f"q{place:02d}{name}" for place, name in enumerate(places)}


def renamed(text: str, names: dict[str, str]) -> str:
    return re.sub(r"\w+", lambda word: names.get(word.group(), word.group()), text)


def outcome(result: FunctionResult) -> tuple[object, ...]:
    """How a kernel came out and as what, under its old names: words alone, since a sum of two is
    written in the order of their names."""
    own = [p.text for p in result.proof.preconditions] if result.proof else []
    said = [json.dumps(own), *(str(s.expression) for s in result.summaries)]
    old = (re.sub(r"\bq\d\d", "", text) for text in said)
    return result.status, *(tuple(sorted(re.findall(r"\w+|[^\s\w]", text))) for text in old)


def lift(body: str, names: dict[str, str], parameters: str = SIZES) -> FunctionResult:
    text = f"void f(unsigned char *d, const unsigned char *s, {parameters}) {{ {body} }}"
    return lift_kernel(kernel(renamed(text, names)), LiftOptions())


@pytest.mark.parametrize("pixel", [pytest.param(PIXELS[name], id=name) for name in PIXELS])
@pytest.mark.parametrize("loops", [LOOPS, BY_COLUMNS], ids=["rows", "columns"])
@pytest.mark.sampled
def test_the_distance_of_rows_and_of_pixels_may_have_any_names(loops: str, pixel: str) -> None:
    seen = {outcome(lift(loops + pixel, names)) for names in namings(["pitch", "size"])}
    assert len(seen) == 1 and next(iter(seen))[0] == "proved"


@pytest.mark.slow
def test_pixels_that_hand_something_on_may_have_any_names() -> None:
    body = LOOPS.replace("x < w", "x + 1 < w") + BEFORE
    seen = {outcome(lift(body, names)) for names in namings(["pitch", "size"])}
    assert len(seen) == 1 and next(iter(seen))[0] == "proved"


def preconditions(result: FunctionResult) -> list[str]:
    assert result.status == "proved" and result.proof is not None, result.diagnostic
    return [p.text for p in result.proof.preconditions]


def test_pixels_lie_apart_whichever_distance_is_the_greater_one() -> None:
    """Neither the loops nor the names say what lies in a row; a guard takes both."""
    result = lift(LOOPS + PIXELS["one channel"], {})
    assert APART in preconditions(result)
    (summary,) = result.summaries
    assert "s(0, x, y)" in str(summary.expression)


def test_what_a_loop_over_channels_goes_to_is_the_size_of_a_pixel() -> None:
    body = BY_COLUMNS + "for (int c = 0; c < size; c++) d[y * pitch + x * size + c] = s[c];"
    assert "size * w <= pitch" in preconditions(lift(body, {}))


TURNED = "d[x * rows + (h - 1 - y) * size] = s[y * pitch + x * size];"


@pytest.mark.parametrize("loops", [LOOPS, BY_COLUMNS], ids=["rows", "columns"])
def test_an_image_that_is_turned_has_pixels_of_one_size(loops: str) -> None:
    """Taken for the distance of rows, `size` would be no ordinary one."""
    result = lift(loops + TURNED, {}, SIZES + ", int rows")
    assert preconditions(result)
    (summary,) = result.summaries
    assert str(summary.expression) == "s(0, y, h - 1 - x)" and difference(result, 40) is None


@pytest.mark.parametrize(
    "body",
    [
        LOOPS + "d[y * size + x * size] = 1 + s[x] + s[y];",
        LOOPS + "d[y * pitch + x * size] = d[y * pitch + x * size + pitch] + 1, d[0] = 1;",
        LOOPS + "{ d[y * pitch + x * size] = 1; d[y * pitch + x * size + size] = 2; }",
    ],
    ids=["one distance", "a store in between", "two pixels"],
)
def test_pixels_that_meet_are_not_proved_apart(body: str) -> None:
    result = lift(body, {})
    assert result.status != "proved" or difference(result, 60) is None
    assert result.status != "proved" or "size * w <= pitch" not in str(preconditions(result))


def all_renamed(path: Path, backwards: bool) -> str:
    """A file whose functions' parameters have other names, in the same order or the opposite."""
    flags = ["-std=c++17" if path.suffix == ".cpp" else "-std=c11"]
    parsed = ci.Index.create().parse(str(path), args=flags)
    text = path.read_bytes()
    edits: dict[int, tuple[bytes, bytes]] = {}

    def visit(cursor: ci.Cursor) -> None:
        for child in cursor.get_children():
            if child.location.file is None or child.location.file.name != str(path):
                continue
            own = sorted({a.spelling for a in child.get_arguments() or () if a.spelling})
            if not child.is_definition() or not own:
                visit(child)
                continue
            order = own[::-1] if backwards else own
            new = {name: f"q{place:02d}{name}" for place, name in enumerate(order)}
            before = ""
            for token in child.get_tokens():
                word = token.spelling
                if word in new and before not in (".", "->", "::"):
                    edits[token.extent.start.offset] = (word.encode(), new[word].encode())
                before = word

    visit(parsed.cursor)
    for at in sorted(edits, reverse=True):
        old, now = edits[at]
        assert text[at : at + len(old)] == old
        text = text[:at] + now + text[at + len(old) :]
    return text.decode()


CORPUS = Path(__file__).parents[2] / "corpus" / "filter"
FILTERS = [path for path in sorted(CORPUS.glob("*.c*")) if path.stem != "basic"]
"""`basic.cpp` has comments that assume something of parameters by their names."""


@pytest.mark.slow
@pytest.mark.parametrize("path", FILTERS, ids=[path.name for path in FILTERS])
def test_filters_whose_parameters_have_other_names_come_out_the_same(
    path: Path, tmp_path: Path
) -> None:
    """Every fifth one of a file."""
    found = []
    for backwards in (False, True):
        text = all_renamed(path, backwards)
        other = tmp_path / f"{backwards}{path.suffix}"
        other.write_text(text)
        kernels = parse_file(str(other)).kernels[::5]
        found.append({k.name: outcome(lift_kernel(k, LiftOptions())) for k in kernels})
    assert found[0] == found[1] and found[0]
