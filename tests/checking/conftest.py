"""A small library, lifted once and committed; each test has a copy of its own to change."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lifter.batch.sealing import seal_digest, text_digest
from lifter.command_line import run

SOURCE = """#include <cstdint>
#include <cassert>

static inline int mul255(int a, int b) { return (a * b + 127) / 255; }

void blend(uint8_t *dst, const uint8_t *src, int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = (uint8_t)(mul255(dst[i], 255 - src[i]) + mul255(src[i], src[i]));
}

void average(uint8_t *dst, const uint8_t *src, int n)
{
    for (int i = 0; i < n; i++)
        dst[i] = (uint8_t)((src[i] + dst[i] + 1) / 2);
}

void lighten(uint8_t *dst, const uint8_t *src, int w, int h, int stride)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            dst[y * stride + x] = (uint8_t)(src[y * stride + x] / 2 + 3);
}

void histogram(uint32_t *bins, const uint8_t *p, int n)
{
    for (int i = 0; i < 256; i++) bins[i] = 0;
    for (int i = 0; i < n; i++) bins[p[i]]++;
}

void shade(uint8_t *dst, int n, int level)
{
    assert(level >= 0 && level <= 255);
    for (int i = 0; i < n; i++)
        dst[i] = (uint8_t)mul255(dst[i], level);
}
"""
NAMES = ("blend", "average", "lighten", "histogram", "shade")


@dataclass
class Project:
    """A folder with `lib.cpp` and `lifted/`, which is the working directory."""

    folder: Path
    said: Callable[[], tuple[str, str]]

    def verify(self, *options: str) -> tuple[int, dict[str, Any]]:
        """`lift verify lifted --format json`: its exit status and its document."""
        status, out, _ = self.lift("verify", "lifted", "--format", "json", "-j", "2", *options)
        return status, json.loads(out)

    def lift(self, *arguments: str) -> tuple[int, str, str]:
        self.said()
        status = run(list(arguments))
        return (status, *self.said())

    def verdict(self, name: str, *options: str) -> dict[str, Any]:
        """What `lift verify` says of one function; the others must be equal."""
        _, document = self.verify(*options)
        found = {f["name"]: f for f in document["functions"]}
        others = {n: f["verdict"] for n, f in found.items() if n != name}
        assert set(others.values()) <= {"equal", "changed", "new"}, others
        return found[name]

    def only(self, name: str) -> None:
        """Leaves one function's folder: the others would only take time."""
        for folder in (self.folder / "lifted" / "lib").iterdir():
            if folder.name != name:
                shutil.rmtree(folder)

    def edit(self, old: str, new: str) -> None:
        """Changes the source."""
        path = self.folder / "lib.cpp"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def path(self, name: str, file: str = "summary.json") -> Path:
        return self.folder / "lifted" / "lib" / name / file

    def edit_summary(
        self, name: str, change: Callable[[dict[str, Any]], object], seal: bool = False
    ) -> None:
        """Changes a `summary.json` by hand; with `seal`, forges the seal that it would have."""
        path = self.path(name)
        data = json.loads(path.read_text())
        change(data)
        if seal:
            for file in ("pipeline.py", "generator.cpp"):
                data["files"][file] = text_digest(self.path(name, file).read_text())
            data["seal"]["digest"] = seal_digest(data)
        path.write_text(json.dumps(data, indent=2))

    def edit_file(self, name: str, file: str, old: str, new: str) -> None:
        path = self.path(name, file)
        text = path.read_text()
        assert old in text, text
        path.write_text(text.replace(old, new))


@pytest.fixture(scope="session")
def lifted_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        (folder / "lib.cpp").write_text(SOURCE)
        assert run(["lib.cpp", "-o", "lifted", "-j", "2", "--no-cache"]) == 0
    return folder


@pytest.fixture
def project(
    lifted_library: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Project:
    folder = tmp_path / "library"
    shutil.copytree(lifted_library, folder)
    monkeypatch.chdir(folder)

    def said() -> tuple[str, str]:
        found = capfd.readouterr()
        return found.out, found.err

    return Project(folder, said)
