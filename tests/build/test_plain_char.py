"""A build for a machine on which a plain `char` is another type says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lifter.build.build import build_function
from tests.calling_lift import Ran, lift

__all__ = ["lift"]
PLAIN = "void halve(char *d, const char *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i] / 2; }"


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    ("source", "arguments", "target", "warned"),
    [
        (PLAIN, (), "aarch64", True),
        (PLAIN, (), "x86-64", False),
        (PLAIN, ("--", "--target=aarch64-linux-gnu"), "aarch64", False),
        (PLAIN.replace("char", "signed char"), (), "aarch64", False),
        (PLAIN.replace("char", "unsigned char"), (), "aarch64", False),
    ],
)
def test_only_what_changes_its_meaning_is_warned_of(
    lift: Callable[..., Ran],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    arguments: tuple[str, ...],
    target: str,
    warned: bool,
) -> None:
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    (tmp_path / "halve.cpp").write_text(source)
    assert lift("halve.cpp", *arguments).status == 0
    note = build_function(tmp_path / "lifted" / "halve" / "halve", target).note or ""
    assert ("plain char" in note) == warned
