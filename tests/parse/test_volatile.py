"""What is volatile may change at any time: no kernel that touches it is understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.parse import parse_file

HEAD = "typedef volatile unsigned char byte;\n"
REFUSED = {
    "void f(volatile unsigned char *d, int n) { for (int x = 0; x < n; x++) d[x] = 1; }": 8,
    "void f(unsigned char *d, byte *s, int n) { for (int x = 0; x < n; x++) d[x] = s[x]; }": 26,
    "void f(char *d, int n) { volatile int t = 0; for (int x = 0; x < n; x++) d[x] = t; }": 26,
}


@pytest.mark.parametrize("source", REFUSED)
def test_volatile_values_are_refused_with_their_place(source: str, tmp_path: Path) -> None:
    path = tmp_path / "kernel.cpp"
    path.write_text(HEAD + source)
    parsed = parse_file(str(path))
    assert not parsed.kernels
    (failure,) = parsed.failed
    assert failure.diagnostic.code == "unsupported-type"
    span = failure.diagnostic.span
    assert span is not None and (span.line, span.column) == (2, REFUSED[source])


def test_the_same_without_volatile_is_a_kernel(tmp_path: Path) -> None:
    path = tmp_path / "kernel.cpp"
    path.write_text(next(iter(REFUSED)).replace("volatile ", ""))
    assert [k.name for k in parse_file(str(path)).kernels] == ["f"]
