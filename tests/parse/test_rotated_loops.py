"""A test in front of a `do` with the same test is that of a `while`."""

from __future__ import annotations

import pytest

from lifter.model.kernel import If, Kernel, WhileLoop, statements
from tests.verify.differential import parsed

HEAD = "void f(u8 *d, int n, int m)"


def loops(kernel: Kernel) -> list[tuple[bool, bool]]:
    """Of each loop, whether it tests first, and whether anything is tested around it."""
    behind = {id(s) for i in statements(kernel.body) if isinstance(i, If) for s in i.then}
    found = (s for s in statements(kernel.body) if isinstance(s, WhileLoop))
    return [(s.test_first, id(s) in behind) for s in found]


@pytest.mark.parametrize(
    ("body", "is_one"),
    [
        ("if (n > 3) do { n -= 3; *d++ = n; } while (n > 3);", True),
        ("if (n > 3) { do { n -= 3; *d++ = n; } while (n > 3); }", True),
        ("if (n > 3) do { n -= 3; *d++ = n; } while (n > 2);", False),
        ("if (m > 3) do { n -= 3; *d++ = n; } while (n > 3);", False),
        ("if (n > 3) do { n -= 3; *d++ = n; } while (n > 3); else *d = 1;", False),
        ("if (n > 3) { *d = 1; do { n -= 3; *d++ = n; } while (n > 3); }", False),
    ],
)
def test_a_test_before_a_loop_is_its_own(body: str, is_one: bool) -> None:
    kernel = parsed(f"{HEAD} {{ {body} }}")
    assert loops(kernel) == [(True, False)] if is_one else loops(kernel) == [(False, True)]
