"""Changes that only images beyond the small ones show: `lift verify` shows such an image."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.build.programs import lift

KERNELS = {
    "edge": (
        "int w", "for (int x = 0; x < w; x++) d[x] = x > 300 ? s[x] / 2 : s[x];",
        ("x > 300", "x >= 300"), {"w": 301},
    ),
    "rows": (
        "int w, int h",
        "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)"
        " d[y * w + x] = y > 500 ? 0 : s[y * w + x];",
        ("y > 500", "y > 501"), {"h": 502},
    ),
    "tile": (
        "int count", "for (int x = 0; x < count; x++) d[x] = x / 64 > 3 ? 7 : s[x];",
        ("> 3", ">= 3"), {"count": 193},
    ),
    "sum": (
        "int cols, int lines",
        "for (int y = 0; y < lines; y++) for (int x = 0; x < cols; x++)"
        " d[y * cols + x] = x + y >= 200 ? 0 : s[y * cols + x];",
        ("x + y >= 200", "x + y > 200"), {},
    ),
    "same": (
        "int w", "for (int x = 0; x < w; x++) d[x] = x > 300 ? s[x] / 2 : s[x];",
        ("x > 300", "300 < x"), None,
    ),
}  # fmt: skip


def run(*words: str, folder: Path) -> str:
    done = lift(*words, cwd=folder)
    assert done.status in (0, 1), done.err
    return done.out


def findings(names: list[str], folder: Path) -> dict[str, dict[str, object]]:
    """What `lift verify` says of kernels that were edited since they were lifted."""
    shape = "void {0}(unsigned char *d, const unsigned char *s, {1}) {{ {2} }}\n"
    kernels = {n: KERNELS[n] for n in names}
    (folder / "k.cpp").write_text("".join(shape.format(n, k[0], k[1]) for n, k in kernels.items()))
    run("k.cpp", folder=folder)
    after = [shape.format(n, p, b.replace(*e)) for n, (p, b, e, _) in kernels.items()]
    (folder / "k.cpp").write_text("".join(after))
    document = json.loads(run("verify", "lifted", "--format", "json", folder=folder))
    return {f["name"]: f for f in document["functions"]}


@pytest.mark.parametrize(
    "names", [["edge", "same"], pytest.param(["rows", "tile", "sum"], marks=pytest.mark.slow)]
)
def test_a_change_at_a_coordinate_beyond_small_images_is_shown(
    names: list[str], tmp_path: Path
) -> None:
    for name, found in findings(names, tmp_path).items():
        wanted = KERNELS[name][3]
        if wanted is None:
            assert found["verdict"] in ("equal", "changed")
            continue
        assert found["verdict"] == "not-equal", found
        example = found["counterexample"]
        assert isinstance(example, dict)
        scalars = dict(example["scalars"])
        assert {n: scalars[n] for n in wanted} == wanted
